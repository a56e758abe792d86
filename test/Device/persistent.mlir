// Kernels whose blocks stay for several of the grid. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=product | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=copied | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=groups | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=causal | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=few | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=registers | FileCheck %s
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// CHECK: bound 0: {{.*}} over_bound=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

// MANIFEST: "name": "product_0_launch"
// MANIFEST: "grid": [4,1,1]

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Four blocks execute six: two of them have two turns. Trips are counted over all turns, which have five each.
// THREAD-LABEL: gpu.func @product_0_launch
// THREAD-SAME: known_grid_size = array<i32: 4, 1, 1>
// THREAD: mirage_thread.loader warps(1)
// THREAD: scf.for {{.*}} iter_args(%[[BEFORE:.*]] = %{{.*}}) -> (index)
// THREAD: arith.select
// THREAD: scf.for %[[TRIP:.*]] = %[[BEFORE]] to
// THREAD: ring_acquire %{{.*}}[%[[TRIP]]]
// THREAD: arith.subi %[[TRIP]], %[[BEFORE]]
// THREAD: bulk_copy
// THREAD: arith.addi %[[BEFORE]]
// THREAD: scf.yield
// THREAD: scf.for {{.*}} iter_args(%[[OTHERS:.*]] = %{{.*}}) -> (index)
// No barrier stands between turns, since sums leave by exchanges of lanes.
// THREAD-NOT: mirage_thread.barrier
// THREAD: ring_await
// THREAD: warpgroup_mma
// THREAD: ring_release
func.func @product(%a: tensor<192x320xf16>, %b: tensor<320x256xf16>) -> tensor<192x256xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 3) (%l = %a : tensor<192x320xf16>, %r = %b : tensor<320x256xf16>) -> tensor<192x256xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 1, bulk_copies = true, persistent_blocks = 4>} {
    %s = mirage_block.for %i = 0 to 5 -> tensor<64x128xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<192x320xf16> to tensor<64x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<320x256xf16> to tensor<64x128xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x128xf16>) -> tensor<64x128xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x128xf32>) -> tensor<64x128xf32>
      mirage_block.yield %t : tensor<64x128xf32>
    }
    %c = mirage_block.cast %s : tensor<64x128xf32> to tensor<64x128xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x128xf16> to tensor<192x256xf16>
    mirage_block.yield %w : tensor<192x256xf16>
  }
  return %o : tensor<192x256xf16>
}

// Two warps copy the tiles themselves. Rows are no multiples of what an instruction multiplies.
// THREAD-LABEL: gpu.func @copied_0_launch
func.func @copied(%a: tensor<200x192xf16>, %b: tensor<192x120xf16>) -> tensor<200x120xf16> {
  %o = mirage_kernel.launch grid(x = 3, y = 5) (%l = %a : tensor<200x192xf16>, %r = %b : tensor<192x120xf16>) -> tensor<200x120xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, loader_warps = 2, persistent_blocks = 3>} {
    %s = mirage_block.for %i = 0 to 3 -> tensor<40x40xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<200x192xf16> to tensor<40x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<192x120xf16> to tensor<64x40xf16>
      %p = mirage_block.matmul %x, %y : (tensor<40x64xf16>, tensor<64x40xf16>) -> tensor<40x40xf32>
      %t = mirage_block.accumulate sum %p : (tensor<40x40xf32>) -> tensor<40x40xf32>
      mirage_block.yield %t : tensor<40x40xf32>
    }
    %c = mirage_block.cast %s : tensor<40x40xf32> to tensor<40x40xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<40x40xf16> to tensor<200x120xf16>
    mirage_block.yield %w : tensor<200x120xf16>
  }
  return %o : tensor<200x120xf16>
}

// What groups of warps have is merged in shared memory in each turn, and queries are loaded anew.
// THREAD-LABEL: gpu.func @groups_1_launch
func.func @groups(%q: tensor<2x256x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x256x64xf16> {
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
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true, loader_warps = 4, persistent_blocks = 3>} {
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

// Turns have different numbers of trips, as the mask leaves them.
// THREAD-LABEL: gpu.func @causal_0_launch
func.func @causal(%q: tensor<3x256x64xf16>, %k: tensor<3x256x64xf16>, %v: tensor<3x256x64xf16>) -> tensor<3x256x64xf16> {
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
  %o = mirage_kernel.launch grid(x = 3, y = 4) (%ql = %q : tensor<3x256x64xf16>, %kl = %k : tensor<3x256x64xf16>, %vl = %v : tensor<3x256x64xf16>, %ml = %mask : tensor<1x256x256xf32>) -> tensor<3x256x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, index_masks = true, persistent_blocks = 5>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<3x256x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<3x256x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<3x256x64xf16> to tensor<1x64x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x256x256xf32> to tensor<1x64x64xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<3x256x64xf16>
    mirage_block.yield %w : tensor<3x256x64xf16>
  }
  return %o : tensor<3x256x64xf16>
}

// There are no more blocks than the grid has.
// THREAD-LABEL: gpu.func @few_0_launch
// THREAD-SAME: known_grid_size = array<i32: 2, 1, 1>
func.func @few(%a: tensor<64x128xf16>, %b: tensor<128x128xf16>) -> tensor<64x128xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%l = %a : tensor<64x128xf16>, %r = %b : tensor<128x128xf16>) -> tensor<64x128xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, persistent_blocks = 132>} {
    %s = mirage_block.for %i = 0 to 2 -> tensor<64x64xf32> {
      %x = mirage_block.load %l imap(x -> phi, y -> 0) fmap(%i -> 1) : tensor<64x128xf16> to tensor<64x64xf16>
      %y = mirage_block.load %r imap(x -> 1, y -> phi) fmap(%i -> 0) : tensor<128x128xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %t : tensor<64x64xf32>
    }
    %c = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
    %w = mirage_block.store %c omap(x -> 1, y -> 0) : tensor<64x64xf16> to tensor<64x128xf16>
    mirage_block.yield %w : tensor<64x128xf16>
  }
  return %o : tensor<64x128xf16>
}

// The warps that load leave registers to the others.
// THREAD-LABEL: gpu.func @registers_0_launch
// THREAD: mirage_thread.loader warps(4) {
// THREAD-NEXT: mirage_thread.thread_registers 40
// THREAD: mirage_thread.thread_registers 232
// PTX-LABEL: .visible .entry registers_0_launch
// PTX: setmaxnreg.dec.sync.aligned.u32 40;
// PTX: setmaxnreg.inc.sync.aligned.u32 232;
func.func @registers(%q: tensor<2x512x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x512x64xf16> {
  %inside = arith.constant 0.0 : f32
  %outside = arith.constant 0xFF800000 : f32
  %empty = tensor.empty() : tensor<1x512x256xf32>
  %mask = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      outs(%empty : tensor<1x512x256xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %c = arith.cmpi ule, %j, %i : index
    %m = arith.select %c, %inside, %outside : f32
    linalg.yield %m : f32
  } -> tensor<1x512x256xf32>
  %o = mirage_kernel.launch grid(x = 2, y = 4) (%ql = %q : tensor<2x512x64xf16>, %kl = %k : tensor<2x256x64xf16>, %vl = %v : tensor<2x256x64xf16>, %ml = %mask : tensor<1x512x256xf32>) -> tensor<2x512x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, bulk_copies = true, index_masks = true, persistent_blocks = 3, worker_registers = 232>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x512x64xf16> to tensor<1x128x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %mt = mirage_block.load %ml imap(x -> phi, y -> 1) fmap(%t -> 2) : tensor<1x512x256xf32> to tensor<1x128x64xf32>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %masked = mirage_block.add %scaled, %mt : (tensor<1x128x64xf32>, tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<2x512x64xf16>
    mirage_block.yield %w : tensor<2x512x64xf16>
  }
  return %o : tensor<2x512x64xf16>
}

}
