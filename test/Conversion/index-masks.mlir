// Schedules compute masks that follow from indices, unless an option says otherwise.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-schedule-launches | FileCheck %s
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-schedule-launches=index-masks=false | FileCheck %s --check-prefix=OFF
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-print-schedule -o %t | FileCheck %s --check-prefix=PRINT
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-thread='measure=model' | FileCheck %s --check-prefix=THREAD
// RUN: mirage-run %s --device=threads --entry=causal | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=multiplied | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --device=threads --entry=two_masks | FileCheck %s --check-prefix=RESULT
// RESULT: bound 0: {{.*}} over_bound=0
// OFF-NOT: index_masks

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The mask is added before the scale, which becomes part of the exponential.
// CHECK-LABEL: func.func @causal
// CHECK: index_masks = true
// CHECK: %[[SCORES:.*]] = mirage_block.matmul
// CHECK: %[[MASKED:.*]] = mirage_block.add %[[SCORES]]
// CHECK: mirage_block.scale %[[MASKED]] by 1.250000e-01
// PRINT-LABEL: @causal
// PRINT: index_masks = true: the elements of a mask follow from their indices
// OFF-LABEL: func.func @causal
// OFF: %[[SCALED:.*]] = mirage_block.scale
// OFF: mirage_block.add %[[SCALED]]
func.func @causal(%q: tensor<2x128x64xf16>, %k: tensor<2x128x64xf16>, %v: tensor<2x128x64xf16>) -> tensor<2x128x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x128x128xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x128x128xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x64xf16>, %kl = %k : tensor<2x128x64xf16>, %vl = %v : tensor<2x128x64xf16>, %ml = %mask : tensor<1x128x128xf32>) -> tensor<2x128x64xf16> {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x128x64xf16> to tensor<1x32x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x128x64xf16> to tensor<1x32x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x128x128xf32> to tensor<1x64x32xf32>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x32x64xf16>) -> tensor<1x64x32xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %masked = mirage_block.add %scaled, %mt : (tensor<1x64x32xf32>, tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %top = mirage_block.reduce max %masked dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x64x32xf32>, tensor<1x64x1xf32>) -> tensor<1x64x32xf32>
      %p = mirage_block.exp %less : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x32xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x32xf32> to tensor<1x64x32xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x32xf16>, tensor<1x32x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %y : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %w : tensor<2x128x64xf16>
  }
  return %o : tensor<2x128x64xf16>
}

// A mask that a product takes is loaded.
// CHECK-LABEL: func.func @multiplied
// CHECK-NOT: index_masks
// CHECK: return
// PRINT-LABEL: @multiplied
// PRINT-NOT: index_masks
func.func @multiplied(%x: tensor<64x64xf16>) -> tensor<64x64xf32> {
  %inside = arith.constant 1.0 : f16
  %outside = arith.constant 0.0 : f16
  %empty = tensor.empty() : tensor<1x64x64xf16>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x64x64xf16>) {
  ^bb0(%out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f16
    linalg.yield %m : f16
  } -> tensor<1x64x64xf16>
  %flat = tensor.collapse_shape %mask [[0, 1], [2]] : tensor<1x64x64xf16> into tensor<64x64xf16>
  %o = mirage_kernel.launch grid(x = 2) (%xl = %x : tensor<64x64xf16>, %ml = %flat : tensor<64x64xf16>) -> tensor<64x64xf32> {
    %xt = mirage_block.load %xl imap(x -> 1) : tensor<64x64xf16> to tensor<64x32xf16>
    %mt = mirage_block.load %ml imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %p = mirage_block.matmul %mt, %xt : (tensor<64x64xf16>, tensor<64x32xf16>) -> tensor<64x32xf32>
    %w = mirage_block.store %p omap(x -> 1) : tensor<64x32xf32> to tensor<64x64xf32>
    mirage_block.yield %w : tensor<64x64xf32>
  }
  return %o : tensor<64x64xf32>
}

// PRINT-LABEL: @two_masks
// Launches of different masks are different kernels, and launches of one mask are one.
// THREAD-LABEL: func.func @two_masks
// THREAD: gpu.launch_func @mirage_kernels::@[[FIRST:[a-z_0-9]+]]
// THREAD: gpu.launch_func @mirage_kernels::@[[SECOND:[a-z_0-9]+]]
// THREAD: gpu.launch_func @mirage_kernels::@[[FIRST]] 
// THREAD: gpu.func @causal_0_launch
// THREAD: mirage_thread.index_mask
// THREAD: mirage_thread.scale %{{.*}} by 0.180336{{.*}}tensor<1x1x64x128xf32
// THREAD: mirage_thread.exp2
// THREAD: gpu.func @[[FIRST]](
// THREAD: index_mask {{.*}} below 1 inside 1.000000e+00 outside 0.000000e+00
// THREAD: gpu.func @[[SECOND]](
// THREAD: index_mask {{.*}} from 1 inside 1.000000e+00 outside 0.000000e+00
func.func @two_masks(%x: tensor<1x64x64xf32>) -> (tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>) {
  %inside1 = arith.constant 1.0 : f32
  %outside1 = arith.constant 0.0 : f32
  %empty1 = tensor.empty() : tensor<1x64x64xf32>
  %m1 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty1 : tensor<1x64x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside1, %outside1 : f32
    linalg.yield %m : f32
  } -> tensor<1x64x64xf32>
  %inside2 = arith.constant 1.0 : f32
  %outside2 = arith.constant 0.0 : f32
  %empty2 = tensor.empty() : tensor<1x64x64xf32>
  %m2 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty2 : tensor<1x64x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ugt, %j, %i : index
    %m = arith.select %c, %inside2, %outside2 : f32
    linalg.yield %m : f32
  } -> tensor<1x64x64xf32>
  %y1 = mirage_kernel.launch grid(x = 2) (%xl = %x : tensor<1x64x64xf32>, %ml = %m1 : tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
    %xt = mirage_block.load %xl imap(x -> 1) : tensor<1x64x64xf32> to tensor<1x32x64xf32>
    %mt = mirage_block.load %ml imap(x -> 1) : tensor<1x64x64xf32> to tensor<1x32x64xf32>
    %p = mirage_block.mul %mt, %xt : (tensor<1x32x64xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
    %w = mirage_block.store %p omap(x -> 1) : tensor<1x32x64xf32> to tensor<1x64x64xf32>
    mirage_block.yield %w : tensor<1x64x64xf32>
  }
  %y2 = mirage_kernel.launch grid(x = 2) (%xl = %x : tensor<1x64x64xf32>, %ml = %m2 : tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
    %xt = mirage_block.load %xl imap(x -> 1) : tensor<1x64x64xf32> to tensor<1x32x64xf32>
    %mt = mirage_block.load %ml imap(x -> 1) : tensor<1x64x64xf32> to tensor<1x32x64xf32>
    %p = mirage_block.mul %mt, %xt : (tensor<1x32x64xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
    %w = mirage_block.store %p omap(x -> 1) : tensor<1x32x64xf32> to tensor<1x64x64xf32>
    mirage_block.yield %w : tensor<1x64x64xf32>
  }
  %y3 = mirage_kernel.launch grid(x = 2) (%xl = %x : tensor<1x64x64xf32>, %ml = %m1 : tensor<1x64x64xf32>) -> tensor<1x64x64xf32> {
    %xt = mirage_block.load %xl imap(x -> 1) : tensor<1x64x64xf32> to tensor<1x32x64xf32>
    %mt = mirage_block.load %ml imap(x -> 1) : tensor<1x64x64xf32> to tensor<1x32x64xf32>
    %p = mirage_block.mul %mt, %xt : (tensor<1x32x64xf32>, tensor<1x32x64xf32>) -> tensor<1x32x64xf32>
    %w = mirage_block.store %p omap(x -> 1) : tensor<1x32x64xf32> to tensor<1x64x64xf32>
    mirage_block.yield %w : tensor<1x64x64xf32>
  }
  return %y1, %y2, %y3 : tensor<1x64x64xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>
}

}
