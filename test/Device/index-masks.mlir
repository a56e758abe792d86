// Masks that are constants of two numbers and whose elements follow from their indices: they are computed and not loaded,
// and the iterations that they leave nothing of are left out. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-thread -o %t.mlir && FileCheck %s --check-prefix=THREAD < %t.mlir
// RUN: FileCheck %s --check-prefix=HOST < %t.mlir
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=causal | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=by_engine | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=window | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=keys_by_queries | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=factor | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=columns | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=cluster | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=without_loop | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=grouped | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

// No kernel makes a mask, and none reads one.
// MANIFEST-NOT: {{_constant"}}

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Blocks of the last rows begin first. Two groups of warps share the iterations. No kernel reads a mask.
// THREAD-LABEL: gpu.func @causal_0_launch
// THREAD-SAME: (%arg0: memref<2x256x64xf16>, %arg1: memref<2x256x64xf16>, %arg2: memref<2x256x64xf16>, %arg3: memref<2x256x64xf16>)
// THREAD: %[[LAST:.*]] = arith.constant 3 : index
// THREAD: arith.subi %[[LAST]], %block_id_y
// THREAD: arith.maxsi
// THREAD: arith.minui
// THREAD: scf.if {{.*}} -> (tensor<2x1x64x32xf32
// THREAD: mirage_thread.index_mask {{.*}} coefficients [32, 0, -1, 1] below 1 inside 0.000000e+00 outside 0xFFF0000000000000
func.func @causal(%q: tensor<2x256x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x256x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x256x256xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x256x256xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x256x256xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 4) (%ql = %q : tensor<2x256x64xf16>, %kl = %k : tensor<2x256x64xf16>, %vl = %v : tensor<2x256x64xf16>, %ml = %mask : tensor<1x256x256xf32>) -> tensor<2x256x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true, index_masks = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x32x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x32x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x256x256xf32> to tensor<1x64x32xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x256x64xf16>
    mirage_block.yield %w : tensor<2x256x64xf16>
  }
  return %o : tensor<2x256x64xf16>
}

// The copy engine brings no tiles of iterations that are left out. Of the last keys there are none for any query.
// THREAD-LABEL: gpu.func @by_engine_0_launch
// THREAD: mirage_thread.bulk_copy
func.func @by_engine(%q: tensor<2x256x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x256x64xf16> {
  %inside = arith.constant 0.0 : f16
  %outside = arith.constant 0xFC00 : f16
  %empty = tensor.empty() : tensor<1x256x512xf16>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x256x512xf16>) {
  ^bb0(%out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f16
    linalg.yield %m : f16
  } -> tensor<1x256x512xf16>
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x256x64xf16>, %kl = %k : tensor<2x512x64xf16>, %vl = %v : tensor<2x512x64xf16>, %ml = %mask : tensor<1x256x512xf16>) -> tensor<2x256x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1, bulk_copies = true, index_masks = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x256x64xf16> to tensor<1x128x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x256x512xf16> to tensor<1x128x64xf16>
      %mc = mirage_block.cast %mt : tensor<1x128x64xf16> to tensor<1x128x64xf32>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %masked = mirage_block.add %scaled, %mc : (tensor<1x128x64xf32>, tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %top = mirage_block.reduce max %masked dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %p = mirage_block.exp %less : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %ph = mirage_block.cast %p : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %a, %b : tensor<1x128x1xf32>, tensor<1x128x64xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %c = mirage_block.cast %y : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<2x256x64xf16>
    mirage_block.yield %w : tensor<2x256x64xf16>
  }
  return %o : tensor<2x256x64xf16>
}

// A sliding window: iterations are left out at both ends.
// THREAD-LABEL: gpu.func @window_0_launch
// THREAD: mirage_thread.index_mask {{.*}} from -99 below 1
func.func @window(%q: tensor<1x512x64xf16>, %k: tensor<1x512x64xf16>, %v: tensor<1x512x64xf16>) -> tensor<1x512x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x512x512xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x512x512xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %width = arith.constant 100 : index
    %end = arith.addi %j, %width : index
    %before = arith.cmpi ule, %j, %i : index
    %near = arith.cmpi ugt, %end, %i : index
    %c = arith.andi %before, %near : i1
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x512x512xf32>
  %o = mirage_kernel.launch grid(x = 1, y = 8) (%ql = %q : tensor<1x512x64xf16>, %kl = %k : tensor<1x512x64xf16>, %vl = %v : tensor<1x512x64xf16>, %ml = %mask : tensor<1x512x512xf32>) -> tensor<1x512x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 4, index_masks = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<1x512x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x512x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x512x64xf16> to tensor<1x64x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x512x512xf32> to tensor<1x64x64xf32>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %masked = mirage_block.add %scaled, %mt : (tensor<1x64x64xf32>, tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %masked dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.exp %less : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %y : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<1x512x64xf16>
    mirage_block.yield %w : tensor<1x512x64xf16>
  }
  return %o : tensor<1x512x64xf16>
}

// Blocks of a cluster and groups of warps share iterations: four neighbours are left out together.
// THREAD-LABEL: gpu.func @cluster_0_launch
// THREAD: arith.ceildivui
// THREAD: mirage_thread.index_mask {{.*}} coefficients [32, 0, -1, 1]
func.func @cluster(%q: tensor<1x256x64xf16>, %k: tensor<1x256x64xf16>, %v: tensor<1x256x64xf16>) -> tensor<1x256x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x256x256xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x256x256xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x256x256xf32>
  %o = mirage_kernel.launch grid(x = 1, y = 4) (%ql = %q : tensor<1x256x64xf16>, %kl = %k : tensor<1x256x64xf16>, %vl = %v : tensor<1x256x64xf16>, %ml = %mask : tensor<1x256x256xf32>) -> tensor<1x256x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, wgmma = true, cluster_blocks = 2, index_masks = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<1x256x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x256x64xf16> to tensor<1x32x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x256x64xf16> to tensor<1x32x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x256x256xf32> to tensor<1x64x32xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<1x256x64xf16>
    mirage_block.yield %w : tensor<1x256x64xf16>
  }
  return %o : tensor<1x256x64xf16>
}

// Scores of keys by queries: queries are columns of the mask, and iterations go along its rows.
// THREAD-LABEL: gpu.func @keys_by_queries_0_launch
// THREAD: mirage_thread.index_mask {{.*}} coefficients [-32, -1, 1] from 0 inside 0.000000e+00
func.func @keys_by_queries(%q: tensor<128x64xf16>, %k: tensor<128x64xf16>) -> tensor<1x128xf32> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x128x128xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, j, i) -> (b, j, i)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x128x128xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 2 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x128x128xf32>
  %flat = tensor.collapse_shape %mask [[0, 1], [2]] : tensor<1x128x128xf32> into tensor<128x128xf32>
  %o = mirage_kernel.launch grid(x = 2) (%ql = %q : tensor<128x64xf16>, %kl = %k : tensor<128x64xf16>, %ml = %flat : tensor<128x128xf32>) -> tensor<1x128xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 2, column_warps = 2, loop_groups = 1, stages = 3, index_masks = true>} {
    %qt = mirage_block.load %ql imap(x -> 0) : tensor<128x64xf16> to tensor<64x64xf16>
    %r = mirage_block.for %t = 0 to 4 -> tensor<1x64xf32> {
      %kt = mirage_block.load %kl imap(x -> phi) fmap(%t -> 0) : tensor<128x64xf16> to tensor<32x64xf16>
      %mt = mirage_block.load %ml imap(x -> 1) fmap(%t -> 0) : tensor<128x128xf32> to tensor<32x64xf32>
      %s = mirage_block.matmul %kt, %qt transpose_rhs : (tensor<32x64xf16>, tensor<64x64xf16>) -> tensor<32x64xf32>
      %scaled = mirage_block.scale %s by 0.001 : (tensor<32x64xf32>) -> tensor<32x64xf32>
      %masked = mirage_block.add %scaled, %mt : (tensor<32x64xf32>, tensor<32x64xf32>) -> tensor<32x64xf32>
      %p = mirage_block.exp %masked : (tensor<32x64xf32>) -> tensor<32x64xf32>
      %sum = mirage_block.reduce sum %p dim(0) keep : (tensor<32x64xf32>) -> tensor<1x64xf32>
      %a = mirage_block.accumulate sum %sum : (tensor<1x64xf32>) -> tensor<1x64xf32>
      mirage_block.yield %a : tensor<1x64xf32>
    }
    %w = mirage_block.store %r omap(x -> 1) : tensor<1x64xf32> to tensor<1x128xf32>
    mirage_block.yield %w : tensor<1x128xf32>
  }
  return %o : tensor<1x128xf32>
}

// A factor that is zero hides scores as well; where it is one, nothing is multiplied.
// THREAD-LABEL: gpu.func @factor_0_launch
// THREAD: mirage_thread.index_mask {{.*}} inside 1.000000e+00 outside 0.000000e+00
func.func @factor(%q: tensor<1x128x64xf16>, %k: tensor<1x128x64xf16>, %v: tensor<1x128x64xf16>) -> tensor<1x128x64xf32> {
  %inside = arith.constant 1.0 : f32
  %outside = arith.constant 0.0 : f32
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
  %o = mirage_kernel.launch grid(x = 2) (%ql = %q : tensor<1x128x64xf16>, %kl = %k : tensor<1x128x64xf16>, %vl = %v : tensor<1x128x64xf16>, %ml = %mask : tensor<1x128x128xf32>) -> tensor<1x128x64xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, index_masks = true>} {
    %qt = mirage_block.load %ql imap(x -> 1) : tensor<1x128x64xf16> to tensor<1x64x64xf16>
    %r = mirage_block.for %t = 0 to 4 -> tensor<1x64x64xf32> {
      %kt = mirage_block.load %kl imap(x -> phi) fmap(%t -> 1) : tensor<1x128x64xf16> to tensor<1x32x64xf16>
      %vt = mirage_block.load %vl imap(x -> phi) fmap(%t -> 1) : tensor<1x128x64xf16> to tensor<1x32x64xf16>
      %mt = mirage_block.load %ml imap(x -> 1) fmap(%t -> 2) : tensor<1x128x128xf32> to tensor<1x64x32xf32>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x32x64xf16>) -> tensor<1x64x32xf32>
      %masked = mirage_block.mul %s, %mt : (tensor<1x64x32xf32>, tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %ph = mirage_block.cast %masked : tensor<1x64x32xf32> to tensor<1x64x32xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x32xf16>, tensor<1x32x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate sum %pv : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a : tensor<1x64x64xf32>
    }
    %w = mirage_block.store %r omap(x -> 1) : tensor<1x64x64xf32> to tensor<1x128x64xf32>
    mirage_block.yield %w : tensor<1x128x64xf32>
  }
  return %o : tensor<1x128x64xf32>
}

// Only so many columns count, whatever the row.
// THREAD-LABEL: gpu.func @columns_0_launch
// THREAD: mirage_thread.index_mask {{.*}} coefficients [32, 0, 1] below 70 inside 0.000000e+00
func.func @columns(%x: tensor<64x128xf32>) -> tensor<64x1xf32> {
  %mask = mirage_kernel.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000, 0xFF800000]]> : tensor<1x128xf32>
  %o = mirage_kernel.launch grid(x = 2) (%xl = %x : tensor<64x128xf32>, %ml = %mask : tensor<1x128xf32>) -> tensor<64x1xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, index_masks = true>} {
    %r = mirage_block.for %t = 0 to 4 -> tensor<32x1xf32> {
      %xt = mirage_block.load %xl imap(x -> 0) fmap(%t -> 1) : tensor<64x128xf32> to tensor<32x32xf32>
      %mt = mirage_block.load %ml imap(x -> phi) fmap(%t -> 1) : tensor<1x128xf32> to tensor<1x32xf32>
      %s = mirage_block.scale %xt by 0.0078125 : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %masked = mirage_block.add %s, %mt : (tensor<32x32xf32>, tensor<1x32xf32>) -> tensor<32x32xf32>
      %p = mirage_block.exp %masked : (tensor<32x32xf32>) -> tensor<32x32xf32>
      %sum = mirage_block.reduce sum %p dim(1) keep : (tensor<32x32xf32>) -> tensor<32x1xf32>
      %a = mirage_block.accumulate sum %sum : (tensor<32x1xf32>) -> tensor<32x1xf32>
      mirage_block.yield %a : tensor<32x1xf32>
    }
    %w = mirage_block.store %r omap(x -> 0) : tensor<32x1xf32> to tensor<64x1xf32>
    mirage_block.yield %w : tensor<64x1xf32>
  }
  return %o : tensor<64x1xf32>
}

// Without a loop, a mask is computed and nothing is left out. It is not square, and its numbers are of f16.
// THREAD-LABEL: gpu.func @without_loop_0_launch
// THREAD: mirage_thread.index_mask {{.*}} coefficients [0, 0, -1, 1] from -2 below 17 inside -1.500000e+00 outside 2.500000e-01
func.func @without_loop(%x: tensor<1x48x96xf16>) -> tensor<1x48x96xf16> {
  %inside = arith.constant -1.5 : f16
  %outside = arith.constant 0.25 : f16
  %empty = tensor.empty() : tensor<1x48x96xf16>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x48x96xf16>) {
  ^bb0(%out: f16):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %three = arith.constant 3 : index
    %sixteen = arith.constant 16 : index
    %right = arith.addi %j, %three : index
    %left = arith.addi %i, %sixteen : index
    %first = arith.cmpi ugt, %right, %i : index
    %second = arith.cmpi ule, %j, %left : index
    %c = arith.andi %first, %second : i1
    %m = arith.select %c, %inside, %outside : f16
    linalg.yield %m : f16
  } -> tensor<1x48x96xf16>
  %o = mirage_kernel.launch grid(x = 3) (%xl = %x : tensor<1x48x96xf16>, %ml = %mask : tensor<1x48x96xf16>) -> tensor<1x48x96xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 1, column_warps = 4, loop_groups = 1, stages = 2, index_masks = true>} {
    %xt = mirage_block.load %xl imap(x -> 1) : tensor<1x48x96xf16> to tensor<1x16x96xf16>
    %mt = mirage_block.load %ml imap(x -> 1) : tensor<1x48x96xf16> to tensor<1x16x96xf16>
    %y = mirage_block.mul %xt, %mt : (tensor<1x16x96xf16>, tensor<1x16x96xf16>) -> tensor<1x16x96xf16>
    %w = mirage_block.store %y omap(x -> 1) : tensor<1x16x96xf16> to tensor<1x48x96xf16>
    mirage_block.yield %w : tensor<1x48x96xf16>
  }
  return %o : tensor<1x48x96xf16>
}

// Groups of heads share keys: rows of four heads are one tile, and the mask, whose tile has them once, has other dimensions
// of size one in each place. Tensor maps of five dimensions.
// No buffer is made for the constant, nor a view of one.
// HOST-LABEL: func.func @grouped
// HOST-NOT: memref.
// HOST: gpu.launch_func
// THREAD-LABEL: gpu.func @grouped_0_launch
// THREAD-SAME: !mirage_thread.tensor_map<memref<1x2x1x128x64xf16>
// THREAD: mirage_thread.index_mask {{.*}} coefficients [32, 0, 0, -1, 1] below 1 inside 0.000000e+00
// MANIFEST: "name": "grouped_0_launch"
// MANIFEST: "strides": [32768,16384,16384,128,2]
func.func @grouped(%q: tensor<1x2x4x128x64xf16>, %k: tensor<1x2x1x128x64xf16>, %v: tensor<1x2x1x128x64xf16>) -> tensor<1x2x4x128x64xf16> {
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
  %wide = tensor.expand_shape %mask [[0, 1, 2], [3], [4]] output_shape [1, 1, 1, 128, 128] : tensor<1x128x128xf32> into tensor<1x1x1x128x128xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 8) (%ql = %q : tensor<1x2x4x128x64xf16>, %kl = %k : tensor<1x2x1x128x64xf16>, %vl = %v : tensor<1x2x1x128x64xf16>, %ml = %wide : tensor<1x1x1x128x128xf32>) -> tensor<1x2x4x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1, bulk_copies = true, index_masks = true>} {
    %qt = mirage_block.load %ql imap(x -> 1, y -> 3) : tensor<1x2x4x128x64xf16> to tensor<1x1x4x16x64xf16>
    %qr = mirage_block.reshape %qt : tensor<1x1x4x16x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x4x16x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 1, y -> phi) fmap(%t -> 3) : tensor<1x2x1x128x64xf16> to tensor<1x1x1x32x64xf16>
      %vt = mirage_block.load %vl imap(x -> 1, y -> phi) fmap(%t -> 3) : tensor<1x2x1x128x64xf16> to tensor<1x1x1x32x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 3) fmap(%t -> 4) : tensor<1x1x1x128x128xf32> to tensor<1x1x1x16x32xf32>
      %kr = mirage_block.reshape %kt : tensor<1x1x1x32x64xf16> to tensor<1x32x64xf16>
      %s = mirage_block.matmul %qr, %kr transpose_rhs : (tensor<1x64x64xf16>, tensor<1x32x64xf16>) -> tensor<1x64x32xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x32xf32>) -> tensor<1x64x32xf32>
      %mr = mirage_block.reshape %mt : tensor<1x1x1x16x32xf32> to tensor<1x1x16x32xf32>
      %sr = mirage_block.reshape %scaled : tensor<1x64x32xf32> to tensor<1x4x16x32xf32>
      %masked = mirage_block.add %mr, %sr : (tensor<1x1x16x32xf32>, tensor<1x4x16x32xf32>) -> tensor<1x4x16x32xf32>
      %top = mirage_block.reduce max %masked dim(3) keep : (tensor<1x4x16x32xf32>) -> tensor<1x4x16x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x4x16x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x4x16x1xf32>
      %less = mirage_block.sub %masked, %shift : (tensor<1x4x16x32xf32>, tensor<1x4x16x1xf32>) -> tensor<1x4x16x32xf32>
      %p = mirage_block.exp %less : (tensor<1x4x16x32xf32>) -> tensor<1x4x16x32xf32>
      %sum = mirage_block.reduce sum %p dim(3) keep : (tensor<1x4x16x32xf32>) -> tensor<1x4x16x1xf32>
      %pr = mirage_block.reshape %p : tensor<1x4x16x32xf32> to tensor<1x64x32xf32>
      %ph = mirage_block.cast %pr : tensor<1x64x32xf32> to tensor<1x64x32xf16>
      %vr = mirage_block.reshape %vt : tensor<1x1x1x32x64xf16> to tensor<1x32x64xf16>
      %pv = mirage_block.matmul %ph, %vr : (tensor<1x64x32xf16>, tensor<1x32x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x4x16x1xf32>, tensor<1x4x16x1xf32>) -> tensor<1x4x16x1xf32>
      %sh = mirage_block.reshape %shift : tensor<1x4x16x1xf32> to tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %sh : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b : tensor<1x4x16x1xf32>, tensor<1x64x64xf32>
    }
    %l = mirage_block.reshape %r#0 : tensor<1x4x16x1xf32> to tensor<1x64x1xf32>
    %y = mirage_block.div %r#1, %l : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %yr = mirage_block.reshape %y : tensor<1x64x64xf32> to tensor<1x1x4x16x64xf32>
    %c = mirage_block.cast %yr : tensor<1x1x4x16x64xf32> to tensor<1x1x4x16x64xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 3) : tensor<1x1x4x16x64xf16> to tensor<1x2x4x128x64xf16>
    mirage_block.yield %w : tensor<1x2x4x128x64xf16>
  }
  return %o : tensor<1x2x4x128x64xf16>
}

}
