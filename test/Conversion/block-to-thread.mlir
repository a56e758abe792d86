// RUN: mirage-opt %s --convert-mirage-block-to-thread -split-input-file | FileCheck %s

// A pre-defined operator is one computation over the grid; the host function takes inputs and then
// outputs, and allocates what lies between kernels.

// CHECK: module attributes {gpu.container_module}
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: %[[X:.+]]: memref<300x10xf16>, %[[OUT:.+]]: memref<300x10xf16>
// CHECK-SAME: attributes {mirage.num_inputs = 1 : i64}
// CHECK: %[[SCRATCH:.+]] = memref.alloc() : memref<300x10xf16>
// CHECK: gpu.launch_func @mirage_kernels::@chain_0_exp blocks in (%c12{{.*}}) threads in (%c256{{.*}}) {{.*}}args(%[[X]] : memref<300x10xf16>, %[[SCRATCH]] : memref<300x10xf16>)
// CHECK: gpu.launch_func @mirage_kernels::@chain_1_relu {{.*}}args(%[[SCRATCH]] : {{.*}}, %[[OUT]] : {{.*}})
// CHECK: gpu.func @chain_0_exp(%[[A:.+]]: memref<300x10xf16>, %[[B:.+]]: memref<300x10xf16>) kernel
// CHECK-NEXT: mirage_thread.compute grid ins(%[[A]] : {{.*}}) outs(%[[B]] : {{.*}})
// CHECK: mirage_thread.exp
func.func @chain(%x: tensor<300x10xf16>) -> tensor<300x10xf16> {
  %0 = mirage_kernel.exp %x : (tensor<300x10xf16>) -> tensor<300x10xf16>
  %1 = mirage_kernel.relu %0 : (tensor<300x10xf16>) -> tensor<300x10xf16>
  return %1 : tensor<300x10xf16>
}

// -----

// A loop: accumulators are filled before it, loads of one iteration are awaited together, what one
// operation wrote is visible to the next, and a rescaled sum keeps its maximum.

// CHECK: gpu.func @loop_0_launch(%[[X:.+]]: memref<16x64xf16>, %[[W:.+]]: memref<64x8xf16>, %[[OUT:.+]]: memref<16x8xf32>)
// CHECK: %[[BLOCK:.+]] = gpu.block_id x
// CHECK: mirage_thread.fill %[[SUM:.+]] with 0.0
// CHECK: mirage_thread.fill %[[RUNNING:.+]] with 0xFFF0000000000000
// CHECK-NEXT: gpu.barrier
// CHECK: scf.for %[[I:.+]] = %{{.*}} to %c4
// CHECK: mirage_thread.copy async %[[X]][%{{.*}}, %{{.*}}] to %[[XT:.+]][%{{.*}}] sizes [8, 16]
// CHECK-NOT: gpu.barrier
// CHECK: mirage_thread.copy async %[[W]]
// CHECK-NEXT: mirage_thread.async_commit
// CHECK-NEXT: mirage_thread.async_wait 0
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: mirage_thread.mma %[[XT]], %{{.*}} into %[[P:.+]] :
// CHECK-NEXT: gpu.barrier
// CHECK: mirage_thread.compute ins(%[[P]] : {{.*}}) outs(%[[M:.+]] :
// CHECK: mirage_thread.reduce max
// CHECK: gpu.barrier
// CHECK-NEXT: mirage_thread.accumulate rescaled_sum %[[P]] shift %[[M]] running %[[RUNNING]] into %[[SUM]]
// CHECK-NEXT: gpu.barrier
// CHECK-NEXT: mirage_thread.accumulate max %[[M]] into %[[RUNNING]]
// CHECK-NEXT: gpu.barrier
// CHECK: mirage_thread.copy %[[SUM]][{{.*}}] to %[[OUT]][{{.*}}] sizes [8, 8]
func.func @loop(%x: tensor<16x64xf16>, %w: tensor<64x8xf16>) -> tensor<16x8xf32> {
  %o = mirage_kernel.launch grid(x = 2)
      (%xa = %x : tensor<16x64xf16>, %wa = %w : tensor<64x8xf16>) -> tensor<16x8xf32> {
    %s = mirage_block.for %i = 0 to 4 -> tensor<8x8xf32> {
      %xt = mirage_block.load %xa imap(x -> 0) fmap(%i -> 1)
          : tensor<16x64xf16> to tensor<8x16xf16>
      %wt = mirage_block.load %wa imap(x -> phi) fmap(%i -> 0)
          : tensor<64x8xf16> to tensor<16x8xf16>
      %p = mirage_block.matmul %xt, %wt
          : (tensor<8x16xf16>, tensor<16x8xf16>) -> tensor<8x8xf32>
      %m = mirage_block.reduce max %p dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
      %a = mirage_block.accumulate rescaled_sum %p shift %m
          : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
      mirage_block.yield %a : tensor<8x8xf32>
    }
    %st = mirage_block.store %s omap(x -> 0) : tensor<8x8xf32> to tensor<16x8xf32>
    mirage_block.yield %st : tensor<16x8xf32>
  }
  return %o : tensor<16x8xf32>
}

// -----

// Splat constants of elementwise operators need no shared memory; products whose shapes no matrix
// instruction has are computed by multiply-adds.

// CHECK: gpu.func @constants_0_launch
// CHECK: mirage_thread.compute ins(%[[T:.+]] : memref<4x12xf16, #gpu.address_space<workgroup>>) outs(
// CHECK: mirage_thread.constant dense<2.000000e+00> : tensor<1x1xf16>
// CHECK: mirage_thread.mul
// CHECK: mirage_thread.matmul
// CHECK-NOT: mirage_thread.mma
func.func @constants(%x: tensor<4x12xf16>) -> tensor<4x4xf16> {
  %o = mirage_kernel.launch grid(x = 1) (%a = %x : tensor<4x12xf16>) -> tensor<4x4xf16> {
    %t = mirage_block.load %a imap(x -> phi) : tensor<4x12xf16> to tensor<4x12xf16>
    %c = mirage_block.constant dense<2.0> : tensor<1x1xf16>
    %m = mirage_block.mul %t, %c : (tensor<4x12xf16>, tensor<1x1xf16>) -> tensor<4x12xf16>
    %p = mirage_block.matmul %t, %m transpose_rhs
        : (tensor<4x12xf16>, tensor<4x12xf16>) -> tensor<4x4xf16>
    %s = mirage_block.store %p omap(x -> 0) : tensor<4x4xf16> to tensor<4x4xf16>
    mirage_block.yield %s : tensor<4x4xf16>
  }
  return %o : tensor<4x4xf16>
}
