// Products that add up the rows of their left operands, by eight more columns of ones behind their right operands. With a
// GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=deferred | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=shared_keys | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=narrow | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=groups | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=staying | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two_loops | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0

// The interpreter reads the ones.
// RUN: mirage-opt %s --mirage-lower-to-thread | sed 's/dense<1.000000e+00> : tensor<1x16x/dense<2.000000e+00> : tensor<1x16x/' > %t.twos.mlir
// RUN: not mirage-run %s --device=threads --entry=deferred --kernels=%t.twos.mlir 2>&1 | FileCheck %s --check-prefix=TWOS
// TWOS: error: 'mirage_thread.warpgroup_mma' op adds up rows by ones of which element 0 is 2

// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The ones are written once, before the loop. The products of the loop and the one behind it have eight more columns, and
// nothing else adds up exponentials.
// THREAD-LABEL: gpu.func @deferred_0_launch
// THREAD: %[[ONES:.*]] = mirage_thread.shared_buffer {{.*}} : memref<1x16x64xf16
// THREAD: mirage_thread.loader
// THREAD: store_fragment {{.*}} to %[[ONES]]
// THREAD: scf.for
// THREAD-NOT: mirage_thread.reduce sum
// THREAD: mirage_thread.warpgroup_mma {{.*}} row_sums %[[ONES]] {{.*}} tensor<1x1x64x72xf32
// THREAD-NOT: mirage_thread.reduce sum
// THREAD: scf.yield
// THREAD: %[[SUMS:.*]] = mirage_thread.warpgroup_mma {{.*}} row_sums %[[ONES]]
// THREAD: mirage_thread.slice %[[SUMS]]{{.*}} -> tensor<1x1x64x64xf32
// THREAD: %[[ROWS:.*]] = mirage_thread.slice %[[SUMS]]{{.*}} -> tensor<1x1x64x8xf32
// THREAD: mirage_thread.reduce max %[[ROWS]]
// PTX-LABEL: .visible .entry deferred_0_launch
// PTX: wgmma.mma_async.sync.aligned.m64n64k16
// PTX: wgmma.mma_async.sync.aligned.m64n72k16
func.func @deferred(%q: tensor<2x128x64xf16>, %k: tensor<2x256x64xf16>, %v: tensor<2x256x64xf16>) -> tensor<2x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 2) (%ql = %q : tensor<2x128x64xf16>, %kl = %k : tensor<2x256x64xf16>, %vl = %v : tensor<2x256x64xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true, product_sums = true>} {
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

// Four blocks of a cluster share the keys.
func.func @shared_keys(%q: tensor<1x128x64xf16>, %k: tensor<1x1024x64xf16>, %v: tensor<1x1024x64xf16>) -> tensor<1x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 2) (%ql = %q : tensor<1x128x64xf16>, %kl = %k : tensor<1x1024x64xf16>, %vl = %v : tensor<1x1024x64xf16>) -> tensor<1x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, cluster_blocks = 4, wgmma = true, loader_warps = 1, bulk_copies = true, product_sums = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<1x64x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 16 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x1024x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<1x1024x64xf16> to tensor<1x64x64xf16>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<1x128x64xf16>
    mirage_block.yield %w : tensor<1x128x64xf16>
  }
  return %o : tensor<1x128x64xf16>
}

// Chunks of values are narrower, all warps load, and an iteration waits for its products.
func.func @narrow(%q: tensor<2x64x64xbf16>, %k: tensor<2x256x64xbf16>, %v: tensor<2x256x32xbf16>) -> tensor<2x64x32xbf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%ql = %q : tensor<2x64x64xbf16>, %kl = %k : tensor<2x256x64xbf16>, %vl = %v : tensor<2x256x32xbf16>) -> tensor<2x64x32xbf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, product_sums = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x64x64xbf16> to tensor<1x64x64xbf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x32xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x64xbf16> to tensor<1x64x64xbf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x256x32xbf16> to tensor<1x64x32xbf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x64x64xbf16>, tensor<1x64x64xbf16>) -> tensor<1x64x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %p = mirage_block.exp %less : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %sum = mirage_block.reduce sum %p dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %ph = mirage_block.cast %p : tensor<1x64x64xf32> to tensor<1x64x64xbf16>
      %pv = mirage_block.matmul %ph, %vt : (tensor<1x64x64xbf16>, tensor<1x64x32xbf16>) -> tensor<1x64x32xf32>
      %a = mirage_block.accumulate rescaled_sum %sum shift %shift : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %b = mirage_block.accumulate rescaled_sum %pv shift %shift : (tensor<1x64x32xf32>, tensor<1x64x1xf32>) -> tensor<1x64x32xf32>
      mirage_block.yield %a, %b : tensor<1x64x1xf32>, tensor<1x64x32xf32>
    }
    %y = mirage_block.div %r#1, %r#0 : (tensor<1x64x32xf32>, tensor<1x64x1xf32>) -> tensor<1x64x32xf32>
    %c = mirage_block.cast %y : tensor<1x64x32xf32> to tensor<1x64x32xbf16>
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x32xbf16> to tensor<2x64x32xbf16>
    mirage_block.yield %w : tensor<2x64x32xbf16>
  }
  return %o : tensor<2x64x32xbf16>
}

func.func @groups(%q: tensor<2x64x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%ql = %q : tensor<2x64x64xf16>, %kl = %k : tensor<2x512x64xf16>, %vl = %v : tensor<2x512x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true, product_sums = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %w : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}

func.func @staying(%q: tensor<4x128x64xf16>, %k: tensor<4x256x64xf16>, %v: tensor<4x256x64xf16>) -> tensor<4x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 4, y = 1) (%ql = %q : tensor<4x128x64xf16>, %kl = %k : tensor<4x256x64xf16>, %vl = %v : tensor<4x256x64xf16>) -> tensor<4x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 4, bulk_copies = true, persistent_blocks = 2, worker_registers = 232, deferred_products = true, product_sums = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<4x128x64xf16> to tensor<1x128x64xf16>
    %lowest = mirage_block.constant dense<0xFF7FFFFF> : tensor<1x1x1xf32>
    %r:2 = mirage_block.for %t = 0 to 4 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>) {
      %kt = mirage_block.load %kl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<4x256x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %vl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<4x256x64xf16> to tensor<1x64x64xf16>
      %s = mirage_block.matmul %qt, %kt transpose_rhs : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %scaled = mirage_block.scale %s by 0.125 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %top = mirage_block.reduce max %scaled dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %shift = mirage_block.max %top, %lowest : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
      %less = mirage_block.sub %scaled, %shift : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
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
    %w = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<4x128x64xf16>
    mirage_block.yield %w : tensor<4x128x64xf16>
  }
  return %o : tensor<4x128x64xf16>
}

// The groups take turns in both loops, each time by barriers of their own. Each loop has ones that lie behind its tiles:
// descriptors have no negative distances.
// THREAD-LABEL: gpu.func @two_loops_0_launch
// THREAD-COUNT-2: mirage_thread.shared_buffer {{.*}} : memref<1x16x64xf16
// THREAD: mirage_thread.sequence offset
// THREAD: mirage_thread.sequence offset
// PTX-LABEL: .visible .entry two_loops_0_launch
// PTX: bar.arrive 3, 256;
// PTX: bar.arrive 5, 256;
func.func @two_loops(%q: tensor<2x64x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>, %l: tensor<2x512x64xf16>, %w: tensor<2x512x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%ql = %q : tensor<2x64x64xf16>, %kl = %k : tensor<2x512x64xf16>, %vl = %v : tensor<2x512x64xf16>, %ll = %l : tensor<2x512x64xf16>, %wl = %w : tensor<2x512x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 2, wgmma = true, loader_warps = 1, bulk_copies = true, deferred_products = true, product_sums = true>} {
    %qt = mirage_block.load %ql imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
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
    %first = mirage_block.div %r#1, %r#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %z:2 = mirage_block.for %t = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %kt = mirage_block.load %ll imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %vt = mirage_block.load %wl imap(x -> 0, y -> phi) fmap(%t -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
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
    %second = mirage_block.div %z#1, %z#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %both = mirage_block.add %first, %second : (tensor<1x64x64xf32>, tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %c = mirage_block.cast %both : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %s = mirage_block.store %c omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %s : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}
}
