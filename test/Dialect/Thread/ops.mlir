// Every operation of mirage_thread that is no compute operator, with every
// attribute. The compute operators are in ../Compute/ops.mlir.

// RUN: mirage-opt %s -verify-roundtrip | mirage-opt | FileCheck %s
// RUN: mirage-opt %s -mlir-print-op-generic | mirage-opt | FileCheck %s

#shared = #gpu.address_space<workgroup>

// CHECK-LABEL: func @graph(
func.func @graph(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  %0 = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<32x64xf32>) -> tensor<32x64xf32> {
    %t = mirage_block.load %a imap(x -> phi) : tensor<32x64xf32> to tensor<32x64xf32>
    // CHECK: mirage_block.thread_graph threads(x = 32, y = 4, z = 1) (%[[B:.*]] = %{{.*}} : tensor<32x64xf32>)
    %g = mirage_block.thread_graph threads(x = 32, y = 4, z = 1) (%b = %t : tensor<32x64xf32>) -> tensor<32x64xf32> {
      // CHECK-NEXT: %[[F:.*]] = mirage_thread.load %[[B]] imap(x -> 1, y -> 0, z -> phi) : tensor<32x64xf32> to tensor<8x2xf32>
      %f = mirage_thread.load %b imap(x -> 1, y -> 0, z -> phi) : tensor<32x64xf32> to tensor<8x2xf32>
      // CHECK-NEXT: %[[S:.*]] = mirage_thread.store %[[F]] omap(x -> 1, y -> 0, z -> phi) : tensor<8x2xf32> to tensor<32x64xf32>
      %s = mirage_thread.store %f omap(x -> 1, y -> 0, z -> phi) : tensor<8x2xf32> to tensor<32x64xf32>
      // CHECK-NEXT: mirage_thread.yield %[[S]] : tensor<32x64xf32>
      mirage_thread.yield %s : tensor<32x64xf32>
    }
    %s = mirage_block.store %g omap(x -> phi) : tensor<32x64xf32> to tensor<32x64xf32>
    mirage_block.yield %s : tensor<32x64xf32>
  }
  return %0 : tensor<32x64xf32>
}

// CHECK-LABEL: func @buffers_and_copies(
// CHECK-SAME: %[[X:.*]]: memref<64x64xf16>, %[[I:.*]]: index
func.func @buffers_and_copies(%x: memref<64x64xf16>, %i: index, %s: memref<64x64xf16, strided<[128, 1], offset: 8>>) {
  // CHECK-NEXT: %[[A:.*]] = mirage_thread.shared_buffer offset(0) : memref<16x64xf16, #gpu.address_space<workgroup>>
  %a = mirage_thread.shared_buffer offset(0) : memref<16x64xf16, #shared>
  // CHECK-NEXT: mirage_thread.shared_buffer offset(2048) : memref<f32, #gpu.address_space<workgroup>>
  %b = mirage_thread.shared_buffer offset(2048) : memref<f32, #shared>
  // CHECK-NEXT: mirage_thread.copy async %[[X]][%[[I]], %[[I]]] to %[[A]][%[[I]], %[[I]]] sizes [16, 32] : memref<64x64xf16> to memref<16x64xf16, #gpu.address_space<workgroup>>
  mirage_thread.copy async %x[%i, %i] to %a[%i, %i] sizes [16, 32] : memref<64x64xf16> to memref<16x64xf16, #shared>
  // CHECK-NEXT: mirage_thread.async_commit
  mirage_thread.async_commit
  // CHECK-NEXT: mirage_thread.async_wait 2
  mirage_thread.async_wait 2
  // CHECK-NEXT: mirage_thread.copy %[[A]][%[[I]], %[[I]]] to %{{.*}}[%[[I]], %[[I]]] sizes [1, 64] : memref<16x64xf16, #gpu.address_space<workgroup>> to memref<64x64xf16, strided<[128, 1], offset: 8>>
  mirage_thread.copy %a[%i, %i] to %s[%i, %i] sizes [1, 64] : memref<16x64xf16, #shared> to memref<64x64xf16, strided<[128, 1], offset: 8>>
  // CHECK-NEXT: mirage_thread.copy %[[C:.*]][] to %{{.*}}[] sizes [] : memref<f32, #gpu.address_space<workgroup>> to memref<f32, #gpu.address_space<workgroup>>
  mirage_thread.copy %b[] to %b[] sizes [] : memref<f32, #shared> to memref<f32, #shared>
  // CHECK-NEXT: mirage_thread.copy async %[[X]][%[[I]], %[[I]]] to %[[A]][%[[I]], %[[I]]] sizes [16, 64] exist [16, 40] clipped [0] :
  mirage_thread.copy async %x[%i, %i] to %a[%i, %i] sizes [16, 64] exist [16, 40] clipped [0] : memref<64x64xf16> to memref<16x64xf16, #shared>
  return
}

// CHECK-LABEL: gpu.func @clusters
gpu.module @cluster_kernels {
gpu.func @clusters(%x: memref<64x64xf16>) kernel {
  // CHECK: mirage_thread.cluster_rank
  %rank = mirage_thread.cluster_rank
  // CHECK: %[[A:.*]] = mirage_thread.shared_buffer
  %a = mirage_thread.shared_buffer offset(0) : memref<16x64xf32, #shared>
  // CHECK-NEXT: mirage_thread.cluster_barrier
  mirage_thread.cluster_barrier
  // CHECK-NEXT: mirage_thread.cluster_buffer %[[A]] : memref<16x64xf32, #gpu.address_space<workgroup>> to memref<4x16x64xf32, #mirage_thread.cluster_memory>
  %c = mirage_thread.cluster_buffer %a : memref<16x64xf32, #shared> to memref<4x16x64xf32, #mirage_thread.cluster_memory>
  gpu.return
}
}

// CHECK-LABEL: gpu.func @selected(
// CHECK-SAME: %[[A:.*]]: memref<4x8xf16>, %[[B:.*]]: memref<4x8xf16>
gpu.module @selected_kernels {
gpu.func @selected(%a: memref<4x8xf16>, %b: memref<4x8xf16>) kernel {
  %x = gpu.block_id x
  // CHECK: mirage_thread.select_buffer %{{.*}} of %[[A]], %[[B]] : memref<4x8xf16>, memref<4x8xf16> to memref<4x8xf16>
  %s = mirage_thread.select_buffer %x of %a, %b : memref<4x8xf16>, memref<4x8xf16> to memref<4x8xf16>
  gpu.return
}
}

// CHECK-LABEL: gpu.func @inboxes
gpu.module @inbox_kernels {
gpu.func @inboxes() kernel {
  %zero = arith.constant 0 : index
  %a = mirage_thread.shared_buffer offset(0) : memref<2x16xf32, #shared>
  %c = mirage_thread.cluster_buffer %a : memref<2x16xf32, #shared> to memref<2x2x16xf32, #mirage_thread.cluster_memory>
  // CHECK: %[[INBOX:.*]] = mirage_thread.inbox offset(128) : <bytes = 128>
  %inbox = mirage_thread.inbox offset(128) : <bytes = 128>
  // CHECK-NEXT: mirage_thread.inbox_open %[[INBOX]] : <bytes = 128>
  mirage_thread.inbox_open %inbox : <bytes = 128>
  // CHECK-NEXT: mirage_thread.inbox_meet %[[INBOX]] : <bytes = 128>
  mirage_thread.inbox_meet %inbox : <bytes = 128>
  // CHECK-NEXT: %[[VALUE:.*]] = mirage_thread.constant
  %value = mirage_thread.constant dense<1.0> : tensor<16xf32, #mirage_thread.layout<registers = [], lanes = [16 d0:1, 2 phi], warps = []>>
  // CHECK-NEXT: mirage_thread.push_fragment %[[VALUE]] to %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] for %[[INBOX]] : tensor<16xf32, {{.*}}> to memref<2x2x16xf32, #mirage_thread.cluster_memory> for <bytes = 128>
  mirage_thread.push_fragment %value to %c[%zero, %zero, %zero] for %inbox : tensor<16xf32, #mirage_thread.layout<registers = [], lanes = [16 d0:1, 2 phi], warps = []>> to memref<2x2x16xf32, #mirage_thread.cluster_memory> for <bytes = 128>
  // CHECK-NEXT: mirage_thread.inbox_await %[[INBOX]] : <bytes = 128>
  mirage_thread.inbox_await %inbox : <bytes = 128>
  gpu.return
}
}

// CHECK-LABEL: gpu.func @sequences
gpu.module @sequence_kernels {
gpu.func @sequences() kernel {
  %zero = arith.constant 0 : index
  // CHECK: %[[SEQUENCE:.*]] = mirage_thread.sequence offset(64) : <groups = 2, warps = 4>
  %sequence = mirage_thread.sequence offset(64) : <groups = 2, warps = 4>
  mirage_thread.loader warps(4) {
  }
  // CHECK: mirage_thread.sequence_await %[[SEQUENCE]][%{{.*}}] : <groups = 2, warps = 4>
  mirage_thread.sequence_await %sequence[%zero] : <groups = 2, warps = 4>
  // CHECK-NEXT: mirage_thread.sequence_pass %[[SEQUENCE]][%{{.*}}] : <groups = 2, warps = 4>
  mirage_thread.sequence_pass %sequence[%zero] : <groups = 2, warps = 4>
  gpu.return
}
}

// Lanes exchange what they have of a row, of f16 and of f32, and of a transposed tile.
#pairs = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>
#eights = #mirage_thread.layout<registers = [8 d1:1, 2 d0:8], lanes = [4 d1:8, 8 d0:1], warps = []>
// CHECK-LABEL: func.func @exchange
func.func @exchange(%x: tensor<16x32xf16, #pairs>, %y: tensor<16x32xf32, #eights>) {
  // CHECK-NEXT: mirage_thread.exchange_lanes %{{.*}} : tensor<16x32xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = []>> to tensor<16x32xf16, #mirage_thread.layout<registers = [8 d1:1, 2 d0:8], lanes = [4 d1:8, 8 d0:1], warps = []>>
  %0 = mirage_thread.exchange_lanes %x : tensor<16x32xf16, #pairs> to tensor<16x32xf16, #eights>
  // CHECK-NEXT: mirage_thread.exchange_lanes
  %1 = mirage_thread.exchange_lanes %y : tensor<16x32xf32, #eights> to tensor<16x32xf32, #pairs>
  return
}

// CHECK-LABEL: gpu.func @rings
gpu.module @ring_kernels {
gpu.func @rings(%x: memref<64x64xf16>) kernel {
  %zero = arith.constant 0 : index
  %a = mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #shared>
  // CHECK: %[[RING:.*]] = mirage_thread.ring offset(8192) : <stages = 3, groups = 2, warps = 4>
  %ring = mirage_thread.ring offset(8192) : <stages = 3, groups = 2, warps = 4>
  // CHECK-NEXT: mirage_thread.loader warps(4) {
  mirage_thread.loader warps(4) {
    // CHECK-NEXT: mirage_thread.ring_acquire %[[RING]][%[[ZERO:.*]]] group(1) : <stages = 3, groups = 2, warps = 4>
    mirage_thread.ring_acquire %ring[%zero] group(1) : <stages = 3, groups = 2, warps = 4>
    mirage_thread.copy async %x[%zero, %zero] to %a[%zero, %zero] sizes [64, 64] : memref<64x64xf16> to memref<64x64xf16, #shared>
    // CHECK: mirage_thread.ring_publish %[[RING]][%[[ZERO]]] group(1) : <stages = 3, groups = 2, warps = 4>
    mirage_thread.ring_publish %ring[%zero] group(1) : <stages = 3, groups = 2, warps = 4>
    // CHECK-NEXT: mirage_thread.ring_receive %[[RING]][%[[ZERO]]] group(1) : <stages = 3, groups = 2, warps = 4>
    mirage_thread.ring_receive %ring[%zero] group(1) : <stages = 3, groups = 2, warps = 4>
  }
  // CHECK: mirage_thread.ring_await %[[RING]][%[[ZERO]]] : <stages = 3, groups = 2, warps = 4>
  mirage_thread.ring_await %ring[%zero] : <stages = 3, groups = 2, warps = 4>
  // CHECK-NEXT: mirage_thread.ring_release %[[RING]][%[[ZERO]]] : <stages = 3, groups = 2, warps = 4>
  mirage_thread.ring_release %ring[%zero] : <stages = 3, groups = 2, warps = 4>
  // CHECK-NEXT: mirage_thread.thread_registers 232
  mirage_thread.thread_registers 232
  // CHECK-NEXT: mirage_thread.barrier
  mirage_thread.barrier
  gpu.return
}
}

// CHECK-LABEL: func @tensor_map(
// CHECK-NEXT: mirage_thread.tensor_map %{{.*}} : <memref<64x128xf16>, box = [64, 64]>
func.func @tensor_map(%x: memref<64x128xf16>) {
  %map = mirage_thread.tensor_map %x : <memref<64x128xf16>, box = [64, 64]>
  return
}

// CHECK-LABEL: gpu.func @bulk_copy
#chunks = #mirage_thread.chunked<[8192, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>
gpu.module @bulk_kernels {
gpu.func @bulk_copy(%map: !mirage_thread.tensor_map<memref<64x128xf16>, box = [64, 64]>) kernel {
  %zero = arith.constant 0 : index
  %a = mirage_thread.shared_buffer offset(0) : memref<3x64x128xf16, #chunks, #shared>
  %ring = mirage_thread.ring offset(49152) : <stages = 3, groups = 1, warps = 8>
  mirage_thread.loader warps(1) {
    // CHECK: mirage_thread.bulk_copy %{{.*}}[%{{.*}}, %{{.*}}] to %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] sizes [64, 128] for %{{.*}}[%{{.*}}] group(0) : <memref<64x128xf16>, box = [64, 64]> to memref<3x64x128xf16, {{.*}}> for <stages = 3, groups = 1, warps = 8>
    mirage_thread.bulk_copy %map[%zero, %zero] to %a[%zero, %zero, %zero] sizes [64, 128] for %ring[%zero] group(0) : <memref<64x128xf16>, box = [64, 64]> to memref<3x64x128xf16, #chunks, #shared> for <stages = 3, groups = 1, warps = 8>
  }
  gpu.return
}
}

// CHECK-LABEL: func @compute(
// CHECK-SAME: %[[X:.*]]: memref<16x64xf16>, %[[Y:.*]]: memref<16x64xf32>
func.func @compute(%x: memref<16x64xf16>, %y: memref<16x64xf32>) {
  // CHECK-NEXT: mirage_thread.compute ins(%[[X]] : memref<16x64xf16>) outs(%[[Y]] : memref<16x64xf32>) {
  mirage_thread.compute ins(%x : memref<16x64xf16>) outs(%y : memref<16x64xf32>) {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<16x64xf16>):
  ^bb0(%a: tensor<16x64xf16>):
    // CHECK-NEXT: %[[C:.*]] = mirage_thread.cast %[[A]]
    %c = mirage_thread.cast %a : tensor<16x64xf16> to tensor<16x64xf32>
    // CHECK-NEXT: mirage_thread.yield %[[C]] : tensor<16x64xf32>
    mirage_thread.yield %c : tensor<16x64xf32>
  }
  // CHECK: mirage_thread.compute grid ins() outs(%[[Y]], %[[Y]] : memref<16x64xf32>, memref<16x64xf32>) attributes {name = "zero"} {
  mirage_thread.compute grid ins() outs(%y, %y : memref<16x64xf32>, memref<16x64xf32>) attributes {name = "zero"} {
    %c = mirage_thread.constant dense<0.0> : tensor<16x64xf32>
    mirage_thread.yield %c, %c : tensor<16x64xf32>, tensor<16x64xf32>
  }
  // CHECK: mirage_thread.compute threads [16, 2] ins(%[[Y]] : memref<16x64xf32>) outs(%[[Y]] : memref<16x64xf32>) {
  mirage_thread.compute threads [16, 2] ins(%y : memref<16x64xf32>) outs(%y : memref<16x64xf32>) {
  // CHECK-NEXT: ^bb0(%[[B:.*]]: tensor<16x64xf32>):
  ^bb0(%b: tensor<16x64xf32>):
    // CHECK-NEXT: mirage_thread.load %[[B]] imap(x -> 0, y -> 1) : tensor<16x64xf32> to tensor<1x32xf32>
    %f = mirage_thread.load %b imap(x -> 0, y -> 1) : tensor<16x64xf32> to tensor<1x32xf32>
    %s = mirage_thread.store %f omap(x -> 0, y -> 1) : tensor<1x32xf32> to tensor<16x64xf32>
    mirage_thread.yield %s : tensor<16x64xf32>
  }
  // CHECK: mirage_thread.compute ins() outs() {
  mirage_thread.compute ins() outs() {
    // CHECK-NEXT: mirage_thread.yield
    mirage_thread.yield
  }
  return
}

// CHECK-LABEL: func @mma(
func.func @mma(%a: memref<16x32xf16, #shared>, %b: memref<32x8xf16, #shared>, %c: memref<16x8xf32>, %d: memref<2x8x16xf32>, %e: memref<1x4x8xf32>, %f: memref<2x16x4xf32>) {
  // CHECK-NEXT: mirage_thread.mma %{{.*}}, %{{.*}} into %{{.*}} : memref<16x32xf16, #gpu.address_space<workgroup>>, memref<32x8xf16, #gpu.address_space<workgroup>>, memref<16x8xf32>
  mirage_thread.mma %a, %b into %c : memref<16x32xf16, #shared>, memref<32x8xf16, #shared>, memref<16x8xf32>
  // CHECK-NEXT: mirage_thread.mma %{{.*}} transpose_lhs, %{{.*}} transpose_rhs into %{{.*}} accumulate : memref<2x8x16xf32>, memref<1x4x8xf32>, memref<2x16x4xf32>
  mirage_thread.mma %d transpose_lhs, %e transpose_rhs into %f accumulate : memref<2x8x16xf32>, memref<1x4x8xf32>, memref<2x16x4xf32>
  return
}

// CHECK-LABEL: func @accumulate(
// CHECK-SAME: %[[V:.*]]: memref<8x4xf16>, %[[M:.*]]: memref<8x1xf16>, %[[R:.*]]: memref<8x1xf32>, %[[T:.*]]: memref<8x4xf32>
func.func @accumulate(%v: memref<8x4xf16>, %m: memref<8x1xf16>, %r: memref<8x1xf32>, %t: memref<8x4xf32>) {
  // CHECK-NEXT: mirage_thread.fill %[[T]] with 0xFFF0000000000000 : memref<8x4xf32>
  mirage_thread.fill %t with 0xFFF0000000000000 : memref<8x4xf32>
  // CHECK-NEXT: mirage_thread.accumulate sum %[[V]] into %[[T]] : memref<8x4xf16> into memref<8x4xf32>
  mirage_thread.accumulate sum %v into %t : memref<8x4xf16> into memref<8x4xf32>
  // CHECK-NEXT: mirage_thread.accumulate max %[[M]] into %[[R]] : memref<8x1xf16> into memref<8x1xf32>
  mirage_thread.accumulate max %m into %r : memref<8x1xf16> into memref<8x1xf32>
  // CHECK-NEXT: mirage_thread.accumulate rescaled_sum %[[V]] shift %[[M]] running %[[R]] into %[[T]] : memref<8x4xf16>, memref<8x1xf16>, memref<8x1xf32> into memref<8x4xf32>
  mirage_thread.accumulate rescaled_sum %v shift %m running %r into %t : memref<8x4xf16>, memref<8x1xf16>, memref<8x1xf32> into memref<8x4xf32>
  return
}

#lhs = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
#rhs = #mirage_thread.layout<registers = [2 d0:1, 2 d0:8, 4 d1:8], lanes = [4 d0:2, 8 d1:1], warps = [4 phi]>
#sum = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 4 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
#row = #mirage_thread.layout<registers = [2 d0:8], lanes = [4 phi, 8 d0:1], warps = [4 d0:16]>
// CHECK-LABEL: func.func @fragments
func.func @fragments(%a: memref<3x64x16xf16, strided<[1536, 24, 1]>, #gpu.address_space<workgroup>>,
                     %b: memref<16x32xf16, #gpu.address_space<workgroup>>,
                     %odd: memref<9x15xf16>, %o: memref<128x32xf32>, %i: index) {
  // CHECK: mirage_thread.load_fragment %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}] : memref<3x64x16xf16, strided<[1536, 24, 1]>, #gpu.address_space<workgroup>>
  // CHECK-SAME: to tensor<64x16xf16, #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 2 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>>
  %x = mirage_thread.load_fragment %a[%i, %i, %i] : memref<3x64x16xf16, strided<[1536, 24, 1]>, #gpu.address_space<workgroup>>
      to tensor<64x16xf16, #lhs>
  %y = mirage_thread.load_fragment %b[%i, %i] : memref<16x32xf16, #gpu.address_space<workgroup>> to tensor<16x32xf16, #rhs>
  // CHECK: mirage_thread.load_fragment %{{.*}}[%{{.*}}, %{{.*}}] exist [8, 15] clipped [0] : memref<9x15xf16> to tensor<64x16xf16
  %u = mirage_thread.load_fragment %odd[%i, %i] exist [8, 15] clipped [0] : memref<9x15xf16> to tensor<64x16xf16, #lhs>
  // CHECK: mirage_thread.load_fragment %{{.*}}[%{{.*}}, %{{.*}}] clipped [0, 1] : memref<9x15xf16> to tensor<64x16xf16
  %v = mirage_thread.load_fragment %odd[%i, %i] clipped [0, 1] : memref<9x15xf16> to tensor<64x16xf16, #lhs>
  %zero = mirage_thread.constant dense<0.0> : tensor<64x32xf32, #sum>
  // CHECK: mirage_thread.mma_fragment %{{.*}}, %{{.*}}, %{{.*}} : tensor<64x16xf16, {{.*}}>, tensor<16x32xf16, {{.*}}>, tensor<64x32xf32
  %z = mirage_thread.mma_fragment %x, %y, %zero
      : tensor<64x16xf16, #lhs>, tensor<16x32xf16, #rhs>, tensor<64x32xf32, #sum>
  // CHECK: mirage_thread.index_mask %{{.*}} coefficients [-1, 1] below 1 inside 0.000000e+00 outside 0xFFF0000000000000 : tensor<64x32xf32, #mirage_thread.layout<
  %causal = mirage_thread.index_mask %i coefficients [-1, 1] below 1 inside 0.0 outside 0xFFF0000000000000 : tensor<64x32xf32, #sum>
  // CHECK: mirage_thread.index_mask %{{.*}} coefficients [-1, 1] from -99 below 1 inside 1.000000e+00 outside 0.000000e+00 : tensor<64x32xf32, #mirage_thread.layout<
  %window = mirage_thread.index_mask %i coefficients [-1, 1] from -99 below 1 inside 1.0 outside 0.0 : tensor<64x32xf32, #sum>
  // CHECK: mirage_thread.reduce max {{.*}} -> tensor<64x1xf32, #mirage_thread.layout<registers = [2 d0:8], lanes = [4 phi, 8 d0:1], warps = [4 d0:16]>>
  %m = mirage_thread.reduce max %z dim(1) keep : (tensor<64x32xf32, #sum>) -> tensor<64x1xf32, #row>
  %e = mirage_thread.sub %z, %m : (tensor<64x32xf32, #sum>, tensor<64x1xf32, #row>) -> tensor<64x32xf32, #sum>
  // CHECK: mirage_thread.store_fragment %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] : tensor<64x32xf32, {{.*}}> to memref<128x32xf32>
  mirage_thread.store_fragment %e to %o[%i, %i] : tensor<64x32xf32, #sum> to memref<128x32xf32>
  // CHECK: mirage_thread.store_fragment %{{.*}} to %{{.*}}[%{{.*}}, %{{.*}}] clipped [0] : tensor<64x32xf32, {{.*}}> to memref<128x32xf32>
  mirage_thread.store_fragment %e to %o[%i, %i] clipped [0] : tensor<64x32xf32, #sum> to memref<128x32xf32>
  return
}

// Lanes multiply f32 by themselves: each has all contracted elements of its rows and columns.
#lane_sums = #mirage_thread.layout<registers = [4 d1:1, 2 d0:8], lanes = [4 d1:4, 8 d0:1], warps = [2 d0:16]>
#lane_rows = #mirage_thread.layout<registers = [4 d1:1, 2 d0:8], lanes = [4 phi, 8 d0:1], warps = [2 d0:16]>
#lane_columns = #mirage_thread.layout<registers = [4 d1:1, 4 d0:1], lanes = [4 d1:4, 8 phi], warps = [2 phi]>
#lane_columns_t = #mirage_thread.layout<registers = [4 d1:1, 4 d0:1], lanes = [4 d0:4, 8 phi], warps = [2 phi]>
// CHECK-LABEL: func.func @lane_products
func.func @lane_products(%x: tensor<32x4xf32, #lane_rows>, %y: tensor<4x16xf32, #lane_columns>, %yt: tensor<16x4xf32, #lane_columns_t>, %c: tensor<32x16xf32, #lane_sums>) -> tensor<32x16xf32, #lane_sums> {
  // CHECK: mirage_thread.fma_fragment %{{.*}}, %{{.*}}, %{{.*}} : tensor<32x4xf32, {{.*}}>, tensor<4x16xf32, {{.*}}>, tensor<32x16xf32
  %0 = mirage_thread.fma_fragment %x, %y, %c : tensor<32x4xf32, #lane_rows>, tensor<4x16xf32, #lane_columns>, tensor<32x16xf32, #lane_sums>
  // CHECK: mirage_thread.fma_fragment %{{.*}}, %{{.*}} transpose_rhs, %{{.*}} : tensor<32x4xf32, {{.*}}>, tensor<16x4xf32, {{.*}}>, tensor<32x16xf32
  %1 = mirage_thread.fma_fragment %x, %yt transpose_rhs, %0 : tensor<32x4xf32, #lane_rows>, tensor<16x4xf32, #lane_columns_t>, tensor<32x16xf32, #lane_sums>
  return %1 : tensor<32x16xf32, #lane_sums>
}

#swizzled = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>
#wide = #mirage_thread.chunked<[8192, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>
// A dimension of one element may stand between the rows and their elements.
// CHECK: func.func private @rows_before_one(memref<2x64x1x64xf16, #mirage_thread.chunked<[4096, 64, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>>)
func.func private @rows_before_one(memref<2x64x1x64xf16, #mirage_thread.chunked<[4096, 64, 64, 1], chunk = 64, chunk_stride = 4096, swizzled>>)
#plain_chunks = #mirage_thread.chunked<[8, 1], chunk = 8, chunk_stride = 520>
#operand = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
#sums = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 8 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
// CHECK-LABEL: func.func @warpgroups
func.func @warpgroups(%i: index, %l: tensor<64x64xf16, #operand>) {
  // CHECK: mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 4096, swizzled>, #gpu.address_space<workgroup>>
  %a = mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>
  %b = mirage_thread.shared_buffer offset(8192) : memref<2x64x128xf16, #wide, #gpu.address_space<workgroup>>
  // CHECK: memref<64x128xf32, #mirage_thread.chunked<[8, 1], chunk = 8, chunk_stride = 520>, #gpu.address_space<workgroup>>
  %c = mirage_thread.shared_buffer offset(65536) : memref<64x128xf32, #plain_chunks, #gpu.address_space<workgroup>>
  %zero = mirage_thread.constant dense<0.0> : tensor<64x64xf32, #sums>
  // CHECK: %[[BOTH:.*]] = mirage_thread.warpgroup_mma %{{.*}}[%{{.*}}, %{{.*}}] transpose_lhs, %{{.*}}[%{{.*}}, %{{.*}}, %{{.*}}], %{{.*}} : memref<64x64xf16
  %0 = mirage_thread.warpgroup_mma %a[%i, %i] transpose_lhs, %b[%i, %i, %i], %zero
      : memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>, memref<2x64x128xf16, #wide, #gpu.address_space<workgroup>>, tensor<64x64xf32, #sums>
  // CHECK: mirage_thread.warpgroup_mma %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] transpose_rhs, %[[BOTH]] : tensor<64x64xf16
  %1 = mirage_thread.warpgroup_mma %l, %a[%i, %i] transpose_rhs, %0
      : tensor<64x64xf16, #operand>, memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>, tensor<64x64xf32, #sums>
  return
}

#ones = #mirage_thread.chunked<[64, 1], chunk = 64, chunk_stride = 1024, swizzled>
#with_rows = #mirage_thread.layout<registers = [2 d1:1, 2 d0:8, 9 d1:8], lanes = [4 d1:2, 8 d0:1], warps = [4 d0:16]>
// CHECK-LABEL: func.func @sums_of_rows
func.func @sums_of_rows(%i: index, %l: tensor<64x64xf16, #operand>, %s: tensor<64x72xf32, #with_rows>) {
  %a = mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>
  %ones = mirage_thread.shared_buffer offset(8192) : memref<16x64xf16, #ones, #gpu.address_space<workgroup>>
  // CHECK: %[[ONES:.*]] = mirage_thread.shared_buffer offset(8192)
  // CHECK: mirage_thread.warpgroup_mma %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} row_sums %[[ONES]] : tensor<64x64xf16, {{.*}}>, memref<64x64xf16, {{.*}}>, tensor<64x72xf32, {{.*}}>, memref<16x64xf16,
  %0 = mirage_thread.warpgroup_mma %l, %a[%i, %i], %s row_sums %ones
      : tensor<64x64xf16, #operand>, memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>, tensor<64x72xf32, #with_rows>, memref<16x64xf16, #ones, #gpu.address_space<workgroup>>
  return
}

// Two products are begun; who waits for the first one lets the second one run.
// CHECK-LABEL: func.func @begun_products
func.func @begun_products(%i: index, %l: tensor<64x64xf16, #operand>, %s: tensor<64x64xf32, #sums>) -> (tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>) {
  %a = mirage_thread.shared_buffer offset(0) : memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>
  // CHECK: %[[FIRST:.*]] = mirage_thread.warpgroup_mma
  // CHECK: %[[SECOND:.*]] = mirage_thread.warpgroup_mma
  // CHECK: mirage_thread.warpgroup_wait %[[FIRST]] : tensor<64x64xf32,
  // CHECK: mirage_thread.warpgroup_wait %[[SECOND]] : tensor<64x64xf32,
  %0 = mirage_thread.warpgroup_mma %a[%i, %i], %a[%i, %i] transpose_rhs, %s
      : memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>, memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>, tensor<64x64xf32, #sums>
  %1 = mirage_thread.warpgroup_mma %l, %a[%i, %i], %s
      : tensor<64x64xf16, #operand>, memref<64x64xf16, #swizzled, #gpu.address_space<workgroup>>, tensor<64x64xf32, #sums>
  %2 = mirage_thread.warpgroup_wait %0 : tensor<64x64xf32, #sums>
  %3 = mirage_thread.warpgroup_wait %1 : tensor<64x64xf32, #sums>
  return %2, %3 : tensor<64x64xf32, #sums>, tensor<64x64xf32, #sums>
}
