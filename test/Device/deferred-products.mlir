// Products that are made one trip later than the scores which they multiply. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --convert-linalg-to-mirage --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=plain | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=bf16 | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=causal | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=staying | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=groups | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=prepared | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=one_trip | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=shared_keys | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=another_loop | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The first trip stands before the loop, and the last product behind it. Values have mbarriers of their own.
// THREAD-LABEL: gpu.func @plain_0_launch
// Queries come once, before the first keys.
// THREAD: %[[QUERIES:.*]] = mirage_thread.ring {{.*}} : <stages = 1
// THREAD: %[[KEYS:.*]] = mirage_thread.ring
// THREAD: %[[VALUES:.*]] = mirage_thread.ring
// THREAD: mirage_thread.loader
// THREAD: bulk_copy {{.*}} for %[[QUERIES]]
// THREAD: ring_acquire %[[KEYS]]
// THREAD: bulk_copy
// THREAD: ring_publish %[[KEYS]]
// THREAD: ring_acquire %[[VALUES]]
// THREAD: bulk_copy
// THREAD: ring_publish %[[VALUES]]
// THREAD: ring_await %[[KEYS]]
// THREAD: mirage_thread.warpgroup_mma
// THREAD: ring_release %[[KEYS]]
// THREAD: scf.for %[[TRIP:[^ ]*]] =
// THREAD-SAME: iter_args
// THREAD: %[[BEFORE:.*]] = arith.subi %[[TRIP]]
// THREAD: ring_await %[[KEYS]][%[[TRIP]]]
// THREAD: %[[SCORES:.*]] = mirage_thread.warpgroup_mma
// THREAD: ring_await %[[VALUES]][%[[BEFORE]]]
// THREAD: %[[PRODUCT:.*]] = mirage_thread.warpgroup_mma
// THREAD: warpgroup_wait %[[SCORES]]
// THREAD: ring_release %[[KEYS]][%[[TRIP]]]
// THREAD: warpgroup_wait %[[PRODUCT]]
// THREAD: ring_release %[[VALUES]][%[[BEFORE]]]
// THREAD: mirage_thread.exp2
// THREAD: scf.yield
// THREAD: ring_await %[[VALUES]]
// THREAD: mirage_thread.warpgroup_mma
// THREAD: ring_release %[[VALUES]]
// THREAD: store_fragment
// PTX-LABEL: .visible .entry plain_0_launch
// PTX: wgmma.wait_group.sync.aligned 0;
// PTX: wgmma.commit_group.sync.aligned;
// PTX-NOT: wgmma.wait_group
// PTX: wgmma.commit_group.sync.aligned;
// PTX-NOT: wgmma.commit_group
// PTX: wgmma.wait_group.sync.aligned 1;
// PTX-NOT: wgmma.commit_group
// PTX: wgmma.wait_group.sync.aligned 0;
func.func @plain(%q: tensor<2x128x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x64xf16>, %kl = %k : tensor<2x256x64xf16>, %vl = %v : tensor<2x256x64xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %w : tensor<2x128x64xf16>
  }
  return %o : tensor<2x128x64xf16>
}

func.func @bf16(%q: tensor<2x128x128xbf16>, %k: tensor<2x192x128xbf16>, %v: tensor<2x192x128xbf16>) -> tensor<2x128x128xbf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x128xbf16>, %kl = %k : tensor<2x192x128xbf16>, %vl = %v : tensor<2x192x128xbf16>) -> tensor<2x128x128xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x128x128xbf16> to tensor<1x64x128xbf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 3 -> (tensor<1x64x1xf32>, tensor<1x64x128xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x192x128xbf16> to tensor<1x64x128xbf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x192x128xbf16> to tensor<1x64x128xbf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x128xbf16>, tensor<1x64x128xbf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.exp %less : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x64xbf16>, tensor<1x64x128xbf16>) -> tensor<1x64x128xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x128xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
    %c = mirage_block.cast %y : tensor<1x64x128xf32> to tensor<1x64x128xbf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x128xbf16> to tensor<2x128x128xbf16>
    mirage_block.yield %w : tensor<2x128x128xbf16>
  }
  return %o : tensor<2x128x128xbf16>
}

// The mask is in the first trip and in the loop, whose trips it counts.
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
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, index_masks = true, deferred_products = true>} {
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

// Queries of the next turn come while this one computes, so that no barrier stands between turns. Two warpgroups begin their products one after another.
// THREAD-LABEL: gpu.func @staying_0_launch
// THREAD: %[[SEQUENCE:.*]] = mirage_thread.sequence offset({{.*}}) : <groups = 2, warps = 4>
// THREAD: ring_publish
// THREAD: ring_publish
// THREAD: ring_publish
// THREAD: mirage_thread.thread_registers 232
// THREAD-NOT: mirage_thread.barrier
// THREAD: scf.for
// THREAD: sequence_await %[[SEQUENCE]]
// THREAD-NEXT: %[[FIRST:.*]] = mirage_thread.warpgroup_mma
// THREAD-NEXT: warpgroup_wait %[[FIRST]]
// THREAD: sequence_pass %[[SEQUENCE]]
// THREAD: scf.for %[[TRIP:[^ ]*]] =
// THREAD: sequence_await %[[SEQUENCE]][%[[TRIP]]]
// THREAD: %[[SCORES:.*]] = mirage_thread.warpgroup_mma
// THREAD: %[[PRODUCT:.*]] = mirage_thread.warpgroup_mma
// THREAD: warpgroup_wait %[[SCORES]]
// The exponentials take as long as the products, so that the turn is passed on behind the maxima.
// THREAD: mirage_thread.reduce max
// THREAD: sequence_pass %[[SEQUENCE]][%[[TRIP]]] after %{{.*}} tensor<1x1x128x1xf32,
// THREAD: warpgroup_wait %[[PRODUCT]]
// THREAD: mirage_thread.exp2
// THREAD-NOT: mirage_thread.barrier
// THREAD: mirage_thread.exchange_lanes
// THREAD: store_fragment
// THREAD: ring_release
func.func @staying(%q: tensor<2x512x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x512x64xf16> {
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
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 4, bulk_copies = true, index_masks = true, persistent_blocks = 3, worker_registers = 232, deferred_products = true>} {
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

// Each group of warps has trips of its own, and the loader's warps copy.
func.func @groups(%q: tensor<2x128x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x64xf16>, %kl = %k : tensor<2x512x64xf16>, %vl = %v : tensor<2x512x64xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true, loader_warps = 4, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %w : tensor<2x128x64xf16>
  }
  return %o : tensor<2x128x64xf16>
}

// The loader scales the values that the deferred product takes.
func.func @prepared(%q: tensor<2x128x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x64xf16>, %kl = %k : tensor<2x256x64xf16>, %vl = %v : tensor<2x256x64xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %vf = mirage_block.cast %vt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %vs = mirage_block.scale %vf by 0.75 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %vp = mirage_block.cast %vs : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.exp %less : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %pv = mirage_block.matmul %ph, %vp : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
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

// Two products of the same scores are deferred.
func.func @two(%q: tensor<2x128x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>, %v2: tensor<2x256x64xf16>) -> (tensor<2x128x64xf16>, tensor<2x128x64xf16>) {
  %o:2 = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x64xf16>, %kl = %k : tensor<2x256x64xf16>, %vl = %v : tensor<2x256x64xf16>, %v2l = %v2 : tensor<2x256x64xf16>) -> (tensor<2x128x64xf16>, tensor<2x128x64xf16>)
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:3 = mirage_block.for %t = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %v2t = mirage_block.load %v2l imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xf16> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.exp %less : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %pv2 = mirage_block.matmul %ph, %v2t : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %b2 = mirage_block.accumulate rescaled_sum %pv2 shift %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %a, %b, %b2 : tensor<1x64x1xf32>, tensor<1x64x64xf32>, tensor<1x64x64xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %y : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x128x64xf16>
    %y2 = mirage_block.div %r#2, %r#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %c2 = mirage_block.cast %y2 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %w2 = mirage_block.store %c2 omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %w, %w2 : tensor<2x128x64xf16>, tensor<2x128x64xf16>
  }
  return %o#0, %o#1 : tensor<2x128x64xf16>, tensor<2x128x64xf16>
}

// The only trip is the first and the last one.
func.func @one_trip(%q: tensor<2x64x64xf16>, %k: tensor<2x64x64xf16>, %v: tensor<2x64x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%ql = %q : tensor<2x64x64xf16>, %kl = %k : tensor<2x64x64xf16>, %vl = %v : tensor<2x64x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 1 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %w : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}

// Two blocks of a cluster, and two groups of warps in each, share eight iterations over the keys, which the copy
// engine brings; there are too few for deferred products.
func.func @shared_keys(%arg0: tensor<1x64x64xf16>, %arg1: tensor<1x64x1024xf16>, %arg2: tensor<1x1024x64xf16>) -> tensor<1x64x64xf16> {
  %launch = mirage_kernel.launch grid(x = 1, y = 1, z = 1) (%arg3 = %arg1 : tensor<1x64x1024xf16>, %arg4 = %arg0 : tensor<1x64x64xf16>, %arg5 = %arg2 : tensor<1x1024x64xf16>) -> tensor<1x64x64xf16> attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, cluster_blocks = 2, wgmma = true, loader_warps = 4, bulk_copies = true, worker_registers = 232>} {
    %load = mirage_block.load %arg4 imap(x -> 0, y -> 1, z -> phi) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
    %for:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %load_0 = mirage_block.load %arg3 imap(x -> 0, y -> phi, z -> phi) fmap(%i -> 2) : tensor<1x64x1024xf16> to tensor<1x64x128xf16>
      %load_1 = mirage_block.load %arg5 imap(x -> 0, y -> phi, z -> 2) fmap(%i -> 1) : tensor<1x1024x64xf16> to tensor<1x128x64xf16>
      %matmul = mirage_block.matmul %load, %load_0 : (tensor<1x64x64xf16>, tensor<1x64x128xf16>) -> tensor<1x64x128xf32>
      %reduce = mirage_block.reduce max %matmul dim(2) keep : (tensor<1x64x128xf32>) -> tensor<1x64x1xf32>
      %constant = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
      %max = mirage_block.max %reduce, %constant : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %sub = mirage_block.sub %matmul, %max : (tensor<1x64x128xf32>, tensor<1x64x1xf32>) -> tensor<1x64x128xf32>
      %exp = mirage_block.exp %sub : (tensor<1x64x128xf32>) -> tensor<1x64x128xf32>
      %reduce_2 = mirage_block.reduce sum %exp dim(2) keep : (tensor<1x64x128xf32>) -> tensor<1x64x1xf32>
      %cast_3 = mirage_block.cast %exp : tensor<1x64x128xf32> to tensor<1x64x128xf16>
      %matmul_4 = mirage_block.matmul %cast_3, %load_1 : (tensor<1x64x128xf16>, tensor<1x128x64xf16>) -> tensor<1x64x64xf32>
      %accumulate = mirage_block.accumulate rescaled_sum %reduce_2 shift %max : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %accumulate_5 = mirage_block.accumulate rescaled_sum %matmul_4 shift %max : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %accumulate, %accumulate_5 : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %div = mirage_block.div %for#1, %for#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %cast = mirage_block.cast %div : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %store = mirage_block.store %cast omap(x -> 0, y -> 1, z -> 2) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
    mirage_block.yield %store : tensor<1x64x64xf16>
  }
  return %launch : tensor<1x64x64xf16>
}

// The first loop has no product that can be made later, and stays as it is.
func.func @another_loop(%x: tensor<64x256xf16>, %w: tensor<256x64xf16>, %q: tensor<64x64xf16>, %k: tensor<256x64xf16>, %v: tensor<256x64xf16>) -> tensor<64x64xf16> {
  %o = mirage_kernel.launch grid(x = 1) (%xl = %x : tensor<64x256xf16>, %wl = %w : tensor<256x64xf16>, %ql = %q : tensor<64x64xf16>, %kl = %k : tensor<256x64xf16>, %vl = %v : tensor<256x64xf16>) -> tensor<64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true>} {
    %qt = mirage_block.load %ql imap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    %plain = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %xt = mirage_block.load %xl imap(x -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x64xf16>
      %wt = mirage_block.load %wl imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %p = mirage_block.matmul %xt, %wt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %sum = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %sum : tensor<64x64xf32>
    }
    %chained = mirage_block.for %i = 0 to 4 -> tensor<64x64xf32> {
      %kt = mirage_block.load %kl imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %vt = mirage_block.load %vl imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %h = mirage_block.cast %s : tensor<64x64xf32> to tensor<64x64xf16>
      %p = mirage_block.matmul %h, %vt : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %sum = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %sum : tensor<64x64xf32>
    }
    %both = mirage_block.add %plain, %chained : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %c = mirage_block.cast %both : tensor<64x64xf32> to tensor<64x64xf16>
    %st = mirage_block.store %c omap(x -> phi) : tensor<64x64xf16> to tensor<64x64xf16>
    mirage_block.yield %st : tensor<64x64xf16>
  }
  return %o : tensor<64x64xf16>
}

}
