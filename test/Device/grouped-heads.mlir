// Heads that share their keys and values, with masks that have no heads. With a GPU, scripts/test-device.sh runs each
// function.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-thread='measure=model' | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=four_heads | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two_heads --scale=4 --seed=1 | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The product of a trip's exponentials is begun in the next one, and a block has the trips that the mask leaves something of.
// THREAD-LABEL: gpu.func @four_heads_0_launch
// THREAD: arith.ceildivui
// THREAD: mirage_thread.sequence_await
// THREAD: mirage_thread.index_mask {{.*}} below 1 inside {{.*}} : tensor<1x1x1x32x128xf32
// THREAD: mirage_thread.exp2 {{.*}}tensor<1x1x128x128xf32
// THREAD: scf.for {{.*}} iter_args
// THREAD: mirage_thread.sequence_await
// THREAD: mirage_thread.warpgroup_mma {{.*}} transpose_rhs
// THREAD: mirage_thread.warpgroup_mma %arg
// THREAD: mirage_thread.exp2 {{.*}}tensor<1x1x128x128xf32
func.func @four_heads(%q: tensor<1x4x512x64xf16>, %k: tensor<1x512x64xf16>, %v: tensor<1x512x64xf16>) -> tensor<1x4x512x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x1x512x512xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x1x512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x1x512x512xf32>
  %o = mirage_kernel.launch grid(x = 1, y = 16) (%ql = %q : tensor<1x4x512x64xf16>, %kl = %k : tensor<1x512x64xf16>, %vl = %v : tensor<1x512x64xf16>, %ml = %mask : tensor<1x1x512x512xf32>) -> tensor<1x4x512x64xf16> {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 2) : tensor<1x4x512x64xf16> to tensor<1x4x32x64xf16>
    %qr = mirage_block.reshape %qt : tensor<1x4x32x64xf16> to tensor<1x128x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 16 -> (tensor<1x4x32x1xf32>, tensor<1x128x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x512x64xf16> to tensor<1x32x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x512x64xf16> to tensor<1x32x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 2) fmap(%t -> 3) : tensor<1x1x512x512xf32> to tensor<1x1x32x32xf32>
      %s = mirage_block.matmul %qr, %kt transpose_rhs : (tensor<1x128x64xf16>, tensor<1x32x64xf16>) -> tensor<1x128x32xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x128x32xf32>) -> tensor<1x128x32xf32>
      %heads = mirage_block.reshape %scaled : tensor<1x128x32xf32> to tensor<1x4x32x32xf32>
      %masked = mirage_block.add %mt, %heads : (tensor<1x1x32x32xf32>, tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
      %top = mirage_block.reduce max %masked dim(3) keep : (tensor<1x4x32x32xf32>) -> tensor<1x4x32x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x4x32x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x32x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x4x32x32xf32>, tensor<1x4x32x1xf32>) -> tensor<1x4x32x32xf32>
      %p = mirage_block.exp %less : (tensor<1x4x32x32xf32>) -> tensor<1x4x32x32xf32>
      %sum = mirage_block.reduce sum %p dim(3) keep : (tensor<1x4x32x32xf32>) -> tensor<1x4x32x1xf32>
      %pr = mirage_block.reshape %p : tensor<1x4x32x32xf32> to tensor<1x128x32xf32>
      %ph = mirage_block.cast %pr : tensor<1x128x32xf32> to tensor<1x128x32xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x128x32xf16>, tensor<1x32x64xf16>) -> tensor<1x128x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x4x32x1xf32>, tensor<1x4x32x1xf32>) -> tensor<1x4x32x1xf32>
      %sr = mirage_block.reshape %shift : tensor<1x4x32x1xf32> to tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %sr : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %a, %b : tensor<1x4x32x1xf32>, tensor<1x128x64xf32>
    }
    %l = mirage_block.reshape %r#0 : tensor<1x4x32x1xf32> to tensor<1x128x1xf32>
    %y = mirage_block.div %r#1, %l : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %yh = mirage_block.reshape %y : tensor<1x128x64xf32> to tensor<1x4x32x64xf32>
    %c = mirage_block.cast %yh : tensor<1x4x32x64xf32> to tensor<1x4x32x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<1x4x32x64xf16> to tensor<1x4x512x64xf16>
    mirage_block.yield %w : tensor<1x4x512x64xf16>
  }
  return %o : tensor<1x4x512x64xf16>
}

// The window of 200 keys leaves out iterations before it, too.
// THREAD-LABEL: gpu.func @two_heads_0_launch
// THREAD: arith.ceildivui
// THREAD: mirage_thread.sequence_await
// THREAD: mirage_thread.index_mask {{.*}} from -199 below 1 inside {{.*}} : tensor<1x1x1x64x128xf32
func.func @two_heads(%q: tensor<2x2x512x64xbf16>, %k: tensor<2x512x64xbf16>, %v: tensor<2x512x64xbf16>) -> tensor<2x2x512x64xbf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x1x512x512xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, h, i, j) -> (b, h, i, j)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x1x512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 3 : index
    %width = arith.constant 200 : index
    %end = arith.addi %j, %width : index
    %seen = arith.cmpi ule, %j, %i : index
    %near = arith.cmpi ult, %i, %end : index
    %c = arith.andi %seen, %near : i1
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x1x512x512xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 8) (%ql = %q : tensor<2x2x512x64xbf16>, %kl = %k : tensor<2x512x64xbf16>, %vl = %v : tensor<2x512x64xbf16>, %ml = %mask : tensor<1x1x512x512xf32>) -> tensor<2x2x512x64xbf16> {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 2) : tensor<2x2x512x64xbf16> to tensor<1x2x64x64xbf16>
    %qr = mirage_block.reshape %qt : tensor<1x2x64x64xbf16> to tensor<1x128x64xbf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 16 -> (tensor<1x2x64x1xf32>, tensor<1x128x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xbf16> to tensor<1x32x64xbf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xbf16> to tensor<1x32x64xbf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 2) fmap(%t -> 3) : tensor<1x1x512x512xf32> to tensor<1x1x64x32xf32>
      %s = mirage_block.matmul %qr, %kt transpose_rhs : (tensor<1x128x64xbf16>, tensor<1x32x64xbf16>) -> tensor<1x128x32xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x128x32xf32>) -> tensor<1x128x32xf32>
      %heads = mirage_block.reshape %scaled : tensor<1x128x32xf32> to tensor<1x2x64x32xf32>
      %masked = mirage_block.add %mt, %heads : (tensor<1x1x64x32xf32>, tensor<1x2x64x32xf32>) -> tensor<1x2x64x32xf32>
      %top = mirage_block.reduce max %masked dim(3) keep : (tensor<1x2x64x32xf32>) -> tensor<1x2x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x2x64x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x64x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x2x64x32xf32>, tensor<1x2x64x1xf32>) -> tensor<1x2x64x32xf32>
      %p = mirage_block.exp %less : (tensor<1x2x64x32xf32>) -> tensor<1x2x64x32xf32>
      %sum = mirage_block.reduce sum %p dim(3) keep : (tensor<1x2x64x32xf32>) -> tensor<1x2x64x1xf32>
      %pr = mirage_block.reshape %p : tensor<1x2x64x32xf32> to tensor<1x128x32xf32>
      %ph = mirage_block.cast %pr : tensor<1x128x32xf32> to tensor<1x128x32xbf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x128x32xbf16>, tensor<1x32x64xbf16>) -> tensor<1x128x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x2x64x1xf32>, tensor<1x2x64x1xf32>) -> tensor<1x2x64x1xf32>
      %sr = mirage_block.reshape %shift : tensor<1x2x64x1xf32> to tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %sr : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %a, %b : tensor<1x2x64x1xf32>, tensor<1x128x64xf32>
    }
    %l = mirage_block.reshape %r#0 : tensor<1x2x64x1xf32> to tensor<1x128x1xf32>
    %y = mirage_block.div %r#1, %l : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %yh = mirage_block.reshape %y : tensor<1x128x64xf32> to tensor<1x2x64x64xf32>
    %c = mirage_block.cast %yh : tensor<1x2x64x64xf32> to tensor<1x2x64x64xbf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 2) : tensor<1x2x64x64xbf16> to tensor<2x2x512x64xbf16>
    mirage_block.yield %w : tensor<2x2x512x64xbf16>
  }
  return %o : tensor<2x2x512x64xbf16>
}
}
