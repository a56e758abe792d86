// The copy engine brings tiles of which the warps that load prepare operands. With a GPU, scripts/test-device.sh runs each function.

// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s --check-prefix=THREAD
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX < %t/kernels.ptx
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --device=threads --entry=values | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=one_warpgroup | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=deferred_values | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=deferred_keys | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=two_stages | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=one_trip | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=both | FileCheck %s
// RUN: mirage-run %s --device=threads --entry=gated | FileCheck %s
// CHECK: bound 0: {{.*}} over_bound=0 unbounded=0

// What the engine brings is on its way until the loader has received it, and it cannot receive what it has not published.
// RUN: mirage-opt %s --mirage-lower-to-thread -o %t.kernels.mlir
// RUN: sed '/ring_receive/d' %t.kernels.mlir > %t.early.mlir
// RUN: not mirage-run %s --kernels=%t.early.mlir --device=threads --entry=two_stages 2>&1 | FileCheck %s --check-prefix=EARLY
// EARLY: error: 'mirage_thread.load_fragment' op reads byte {{[0-9]+}} of shared memory, which a warp of the loader wrote, and no stage of a ring passed on between
// RUN: sed 's/arith.subi/arith.addi/' %t.kernels.mlir > %t.late.mlir
// RUN: not mirage-run %s --kernels=%t.late.mlir --device=threads --entry=two_stages 2>&1 | FileCheck %s --check-prefix=LATE
// LATE: error: 'mirage_thread.ring_receive' op waits for turn {{[0-9]+}} of stage {{[0-9]+}} after {{[0-9]+}} were published: it would wait forever, or not at all

// No thread of the loader copies, and what it prepares has come when a ring of its own says so.
// THREAD-LABEL: gpu.func @deferred_values_0_launch
// THREAD: mirage_thread.ring {{.*}} : <stages = 1
// THREAD: %[[KEYS:.*]] = mirage_thread.ring
// THREAD: %[[VALUES:.*]] = mirage_thread.ring
// THREAD: %[[ARRIVALS:.*]] = mirage_thread.ring
// THREAD: mirage_thread.loader warps(4)
// THREAD-NOT: copy async
// THREAD: ring_receive %[[ARRIVALS]][%[[BEFORE:.*]]] group(0)
// THREAD: load_fragment
// THREAD: rsqrt
// THREAD: store_fragment
// THREAD: ring_publish %[[VALUES]][%[[BEFORE]]] group(0)
// THREAD: ring_acquire %[[KEYS]][%[[TRIP:.*]]] group(0)
// THREAD: bulk_copy {{.*}} for %[[KEYS]]
// THREAD: ring_publish %[[KEYS]][%[[TRIP]]]
// THREAD: ring_acquire %[[VALUES]][%[[TRIP]]] group(0)
// THREAD: bulk_copy {{.*}} for %[[ARRIVALS]]
// THREAD-NOT: ring_publish %[[VALUES]]
// THREAD: ring_publish %[[ARRIVALS]][%[[TRIP]]]
// THREAD: ring_await %[[KEYS]]

// PTX-LABEL: .visible .entry deferred_values_0_launch(
// PTX: setmaxnreg.dec.sync.aligned.u32 88
// PTX: cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill
// PTXAS-NOT: C75

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Normalized values take the place of those that the copy engine has brought; each group of warps has mbarriers of its own.
func.func @values(%q: tensor<2x64x64xf16>, %k: tensor<2x64x512xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x64xf16>, %ka = %k : tensor<2x64x512xf16>, %va = %v : tensor<2x512x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, worker_registers = 208>} {
    %low = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %eps = mirage_block.constant dense<9.99999974E-6> : tensor<1x1x1xf32>
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %c0 = mirage_block.cast %x : tensor<1x64x64xf16> to tensor<1x64x64xf32>
    %s0 = mirage_block.square %c0 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %m0 = mirage_block.reduce mean %s0 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
    %a0 = mirage_block.add %m0, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
    %r0 = mirage_block.rsqrt %a0 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
    %n0 = mirage_block.mul %c0, %r0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h0 = mirage_block.cast %n0 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 2) : tensor<2x64x512xf16> to tensor<1x64x64xf16>
      %c1 = mirage_block.cast %vt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %s1 = mirage_block.square %c1 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m1 = mirage_block.reduce mean %s1 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a1 = mirage_block.add %m1, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %r1 = mirage_block.rsqrt %a1 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %n1 = mirage_block.mul %c1, %r1 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %h1 = mirage_block.cast %n1 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %sc = mirage_block.matmul %h0, %kt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %mx = mirage_block.max %t, %low : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %h1 : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %dv = mirage_block.div %f#1, %f#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %dh = mirage_block.cast %dv : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %st = mirage_block.store %dh omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %st : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}

// One warpgroup multiplies a trip behind what others prepare, of which there are as many.
func.func @one_warpgroup(%q: tensor<2x64x64xf16>, %k: tensor<2x64x512xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x64xf16>, %ka = %k : tensor<2x64x512xf16>, %va = %v : tensor<2x512x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, deferred_products = true, product_sums = true>} {
    %low = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %eps = mirage_block.constant dense<9.99999974E-6> : tensor<1x1x1xf32>
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %c0 = mirage_block.cast %x : tensor<1x64x64xf16> to tensor<1x64x64xf32>
    %s0 = mirage_block.square %c0 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %m0 = mirage_block.reduce mean %s0 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
    %a0 = mirage_block.add %m0, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
    %r0 = mirage_block.rsqrt %a0 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
    %n0 = mirage_block.mul %c0, %r0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h0 = mirage_block.cast %n0 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 2) : tensor<2x64x512xf16> to tensor<1x64x64xf16>
      %c1 = mirage_block.cast %vt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %s1 = mirage_block.square %c1 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m1 = mirage_block.reduce mean %s1 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a1 = mirage_block.add %m1, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %r1 = mirage_block.rsqrt %a1 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %n1 = mirage_block.mul %c1, %r1 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %h1 = mirage_block.cast %n1 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %sc = mirage_block.matmul %h0, %kt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %mx = mirage_block.max %t, %low : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %h1 : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %dv = mirage_block.div %f#1, %f#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %dh = mirage_block.cast %dv : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %st = mirage_block.store %dh omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %st : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}

// Products of values are deferred, so that keys and values have rings of their own, and only values pass the loader.
func.func @deferred_values(%q: tensor<2x128x64xf16>, %k: tensor<2x64x512xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x128x64xf16>, %ka = %k : tensor<2x64x512xf16>, %va = %v : tensor<2x512x64xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 4, cluster_blocks = 2, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, worker_registers = 208, deferred_products = true>} {
    %low = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %eps = mirage_block.constant dense<9.99999974E-6> : tensor<1x1x1xf32>
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x128x64xf16>
    %c0 = mirage_block.cast %x : tensor<1x128x64xf16> to tensor<1x128x64xf32>
    %s0 = mirage_block.square %c0 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
    %m0 = mirage_block.reduce mean %s0 dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
    %a0 = mirage_block.add %m0, %eps : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %r0 = mirage_block.rsqrt %a0 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %n0 = mirage_block.mul %c0, %r0 : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %h0 = mirage_block.cast %n0 : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>) {
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 2) : tensor<2x64x512xf16> to tensor<1x64x64xf16>
      %c1 = mirage_block.cast %vt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %s1 = mirage_block.square %c1 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m1 = mirage_block.reduce mean %s1 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a1 = mirage_block.add %m1, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %r1 = mirage_block.rsqrt %a1 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %n1 = mirage_block.mul %c1, %r1 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %h1 = mirage_block.cast %n1 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %sc = mirage_block.matmul %h0, %kt : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %mx = mirage_block.max %t, %low : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
      %df = mirage_block.sub %s, %mx : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %e = mirage_block.exp %df : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %eh = mirage_block.cast %e : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %p = mirage_block.matmul %eh, %h1 : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %al, %ap : tensor<1x128x1xf32>, tensor<1x128x64xf32>
    }
    %dv = mirage_block.div %f#1, %f#0 : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %dh = mirage_block.cast %dv : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %st = mirage_block.store %dh omap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %st : tensor<2x128x64xf16>
  }
  return %o : tensor<2x128x64xf16>
}

// The loader prepares keys, which are needed first.
func.func @deferred_keys(%q: tensor<2x128x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x128x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x128x64xf16>, %ka = %k : tensor<2x512x64xf16>, %va = %v : tensor<2x512x64xf16>) -> tensor<2x128x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 8, column_warps = 1, loop_groups = 1, stages = 4, cluster_blocks = 2, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, worker_registers = 208, deferred_products = true>} {
    %low = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %eps = mirage_block.constant dense<9.99999974E-6> : tensor<1x1x1xf32>
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x128x64xf16> to tensor<1x128x64xf16>
    %c0 = mirage_block.cast %x : tensor<1x128x64xf16> to tensor<1x128x64xf32>
    %s0 = mirage_block.square %c0 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
    %m0 = mirage_block.reduce mean %s0 dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
    %a0 = mirage_block.add %m0, %eps : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
    %r0 = mirage_block.rsqrt %a0 : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %n0 = mirage_block.mul %c0, %r0 : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %h0 = mirage_block.cast %n0 : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x128x1xf32>, tensor<1x128x64xf32>) {
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %c1 = mirage_block.cast %kt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %s1 = mirage_block.square %c1 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m1 = mirage_block.reduce mean %s1 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a1 = mirage_block.add %m1, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %r1 = mirage_block.rsqrt %a1 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %n1 = mirage_block.mul %c1, %r1 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %h1 = mirage_block.cast %n1 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %sc = mirage_block.matmul %h0, %h1 transpose_rhs : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %mx = mirage_block.max %t, %low : (tensor<1x128x1xf32>, tensor<1x1x1xf32>) -> tensor<1x128x1xf32>
      %df = mirage_block.sub %s, %mx : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      %e = mirage_block.exp %df : (tensor<1x128x64xf32>) -> tensor<1x128x64xf32>
      %eh = mirage_block.cast %e : tensor<1x128x64xf32> to tensor<1x128x64xf16>
      %p = mirage_block.matmul %eh, %vt : (tensor<1x128x64xf16>, tensor<1x64x64xf16>) -> tensor<1x128x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x128x64xf32>) -> tensor<1x128x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<1x128x1xf32>, tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
      mirage_block.yield %al, %ap : tensor<1x128x1xf32>, tensor<1x128x64xf32>
    }
    %dv = mirage_block.div %f#1, %f#0 : (tensor<1x128x64xf32>, tensor<1x128x1xf32>) -> tensor<1x128x64xf32>
    %dh = mirage_block.cast %dv : tensor<1x128x64xf32> to tensor<1x128x64xf16>
    %st = mirage_block.store %dh omap(x -> 0, y -> 1) : tensor<1x128x64xf16> to tensor<2x128x64xf16>
    mirage_block.yield %st : tensor<2x128x64xf16>
  }
  return %o : tensor<2x128x64xf16>
}

// A tile is prepared while the next one is on its way, and the one before is read.
func.func @two_stages(%q: tensor<1x64x64xf16>, %k: tensor<1x64x256xf16>, %v: tensor<1x256x64xf16>) -> tensor<1x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 1) (%qa = %q : tensor<1x64x64xf16>, %ka = %k : tensor<1x64x256xf16>, %va = %v : tensor<1x256x64xf16>) -> tensor<1x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 2, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, deferred_products = true>} {
    %low = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %eps = mirage_block.constant dense<9.99999974E-6> : tensor<1x1x1xf32>
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
    %c0 = mirage_block.cast %x : tensor<1x64x64xf16> to tensor<1x64x64xf32>
    %s0 = mirage_block.square %c0 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %m0 = mirage_block.reduce mean %s0 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
    %a0 = mirage_block.add %m0, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
    %r0 = mirage_block.rsqrt %a0 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
    %n0 = mirage_block.mul %c0, %r0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h0 = mirage_block.cast %n0 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 4 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<1x256x64xf16> to tensor<1x64x64xf16>
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 2) : tensor<1x64x256xf16> to tensor<1x64x64xf16>
      %c1 = mirage_block.cast %vt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %s1 = mirage_block.square %c1 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m1 = mirage_block.reduce mean %s1 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a1 = mirage_block.add %m1, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %r1 = mirage_block.rsqrt %a1 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %n1 = mirage_block.mul %c1, %r1 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %h1 = mirage_block.cast %n1 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %sc = mirage_block.matmul %h0, %kt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %mx = mirage_block.max %t, %low : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %h1 : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %dv = mirage_block.div %f#1, %f#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %dh = mirage_block.cast %dv : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %st = mirage_block.store %dh omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
    mirage_block.yield %st : tensor<1x64x64xf16>
  }
  return %o : tensor<1x64x64xf16>
}

// The first trip is the last one.
func.func @one_trip(%q: tensor<1x64x64xf16>, %k: tensor<1x64x64xf16>, %v: tensor<1x64x64xf16>) -> tensor<1x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 1, y = 1) (%qa = %q : tensor<1x64x64xf16>, %ka = %k : tensor<1x64x64xf16>, %va = %v : tensor<1x64x64xf16>) -> tensor<1x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 4, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, deferred_products = true>} {
    %low = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %eps = mirage_block.constant dense<9.99999974E-6> : tensor<1x1x1xf32>
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
    %c0 = mirage_block.cast %x : tensor<1x64x64xf16> to tensor<1x64x64xf32>
    %s0 = mirage_block.square %c0 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %m0 = mirage_block.reduce mean %s0 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
    %a0 = mirage_block.add %m0, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
    %r0 = mirage_block.rsqrt %a0 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
    %n0 = mirage_block.mul %c0, %r0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h0 = mirage_block.cast %n0 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 1 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
      %c1 = mirage_block.cast %kt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %s1 = mirage_block.square %c1 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m1 = mirage_block.reduce mean %s1 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a1 = mirage_block.add %m1, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %r1 = mirage_block.rsqrt %a1 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %n1 = mirage_block.mul %c1, %r1 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %h1 = mirage_block.cast %n1 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %sc = mirage_block.matmul %h0, %h1 transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %mx = mirage_block.max %t, %low : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %vt : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %dv = mirage_block.div %f#1, %f#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %dh = mirage_block.cast %dv : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %st = mirage_block.store %dh omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<1x64x64xf16>
    mirage_block.yield %st : tensor<1x64x64xf16>
  }
  return %o : tensor<1x64x64xf16>
}

// Both operands of the two products are prepared.
func.func @both(%q: tensor<2x64x64xf16>, %k: tensor<2x512x64xf16>, %v: tensor<2x512x64xf16>) -> tensor<2x64x64xf16> {
  %o = mirage_kernel.launch grid(x = 2, y = 1) (%qa = %q : tensor<2x64x64xf16>, %ka = %k : tensor<2x512x64xf16>, %va = %v : tensor<2x512x64xf16>) -> tensor<2x64x64xf16>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 2, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true, deferred_products = true>} {
    %low = mirage_block.constant dense<-3.40282347E+38> : tensor<1x1x1xf32>
    %eps = mirage_block.constant dense<9.99999974E-6> : tensor<1x1x1xf32>
    %x = mirage_block.load %qa imap(x -> 0, y -> 1) : tensor<2x64x64xf16> to tensor<1x64x64xf16>
    %c0 = mirage_block.cast %x : tensor<1x64x64xf16> to tensor<1x64x64xf32>
    %s0 = mirage_block.square %c0 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
    %m0 = mirage_block.reduce mean %s0 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
    %a0 = mirage_block.add %m0, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
    %r0 = mirage_block.rsqrt %a0 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
    %n0 = mirage_block.mul %c0, %r0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %h0 = mirage_block.cast %n0 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %f:2 = mirage_block.for %i = 0 to 8 -> (tensor<1x64x1xf32>, tensor<1x64x64xf32>) {
      %vt = mirage_block.load %va imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %kt = mirage_block.load %ka imap(x -> 0, y -> phi) fmap(%i -> 1) : tensor<2x512x64xf16> to tensor<1x64x64xf16>
      %c1 = mirage_block.cast %kt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %s1 = mirage_block.square %c1 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %m1 = mirage_block.reduce mean %s1 dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %a1 = mirage_block.add %m1, %eps : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %r1 = mirage_block.rsqrt %a1 : (tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %n1 = mirage_block.mul %c1, %r1 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %h1 = mirage_block.cast %n1 : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %vw = mirage_block.cast %vt : tensor<1x64x64xf16> to tensor<1x64x64xf32>
      %vs = mirage_block.scale %vw by 7.500000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %vh = mirage_block.cast %vs : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %sc = mirage_block.matmul %h0, %h1 transpose_rhs : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %s = mirage_block.scale %sc by 1.250000e-01 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %t = mirage_block.reduce max %s dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %mx = mirage_block.max %t, %low : (tensor<1x64x1xf32>, tensor<1x1x1xf32>) -> tensor<1x64x1xf32>
      %df = mirage_block.sub %s, %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      %e = mirage_block.exp %df : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
      %eh = mirage_block.cast %e : tensor<1x64x64xf32> to tensor<1x64x64xf16>
      %p = mirage_block.matmul %eh, %vh : (tensor<1x64x64xf16>, tensor<1x64x64xf16>) -> tensor<1x64x64xf32>
      %l = mirage_block.reduce sum %e dim(2) keep : (tensor<1x64x64xf32>) -> tensor<1x64x1xf32>
      %al = mirage_block.accumulate rescaled_sum %l shift %mx : (tensor<1x64x1xf32>, tensor<1x64x1xf32>) -> tensor<1x64x1xf32>
      %ap = mirage_block.accumulate rescaled_sum %p shift %mx : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
      mirage_block.yield %al, %ap : tensor<1x64x1xf32>, tensor<1x64x64xf32>
    }
    %dv = mirage_block.div %f#1, %f#0 : (tensor<1x64x64xf32>, tensor<1x64x1xf32>) -> tensor<1x64x64xf32>
    %dh = mirage_block.cast %dv : tensor<1x64x64xf32> to tensor<1x64x64xf16>
    %st = mirage_block.store %dh omap(x -> 0, y -> 1) : tensor<1x64x64xf16> to tensor<2x64x64xf16>
    mirage_block.yield %st : tensor<2x64x64xf16>
  }
  return %o : tensor<2x64x64xf16>
}

// Two loads make one operand, and one of them is read by a product as well.
func.func @gated(%a: tensor<64x256xf16>, %b: tensor<256x64xf16>, %g: tensor<256x64xf16>) -> tensor<64x64xf32> {
  %o = mirage_kernel.launch grid(x = 1) (%aa = %a : tensor<64x256xf16>, %ba = %b : tensor<256x64xf16>, %ga = %g : tensor<256x64xf16>) -> tensor<64x64xf32>
      attributes {mirage.schedule = #mirage.schedule<row_warps = 4, column_warps = 1, loop_groups = 1, stages = 3, wgmma = true, loader_warps = 4, loader_prepares = true, bulk_copies = true>} {
    %sum, %plain = mirage_block.for %i = 0 to 4 -> (tensor<64x64xf32>, tensor<64x64xf32>) {
      %x = mirage_block.load %aa imap(x -> phi) fmap(%i -> 1) : tensor<64x256xf16> to tensor<64x64xf16>
      %y = mirage_block.load %ba imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %z = mirage_block.load %ga imap(x -> phi) fmap(%i -> 0) : tensor<256x64xf16> to tensor<64x64xf16>
      %yz = mirage_block.mul %y, %z : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf16>
      %p = mirage_block.matmul %x, %yz : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %r = mirage_block.matmul %x, %y : (tensor<64x64xf16>, tensor<64x64xf16>) -> tensor<64x64xf32>
      %s = mirage_block.accumulate sum %p : (tensor<64x64xf32>) -> tensor<64x64xf32>
      %t = mirage_block.accumulate sum %r : (tensor<64x64xf32>) -> tensor<64x64xf32>
      mirage_block.yield %s, %t : tensor<64x64xf32>, tensor<64x64xf32>
    }
    %c = mirage_block.add %sum, %plain : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
    %d = mirage_block.store %c omap(x -> phi) : tensor<64x64xf32> to tensor<64x64xf32>
    mirage_block.yield %d : tensor<64x64xf32>
  }
  return %o : tensor<64x64xf32>
}

}
