// RUN: mirage-opt %s --mirage-expand-reduced-stores | FileCheck %s
// RUN: mirage-opt %s --mirage-expand-reduced-stores -o %t.mlir
// RUN: mirage-run %s --entry=reduced --output=%t.a
// RUN: mirage-run %t.mlir --entry=reduced --output=%t.b
// RUN: cmp %t.a/result0.npy %t.b/result0.npy
// RUN: cmp %t.a/result1.npy %t.b/result1.npy
// RUN: cmp %t.a/result2.npy %t.b/result2.npy

// Parts stand under one leading dimension for each reduced grid dimension; a second kernel combines
// them in grid order. Results that are not reduced stay.

// CHECK-LABEL: func.func @reduced(
// CHECK: %[[PARTS:.+]]:3 = mirage_kernel.launch grid(x = 4, y = 2, z = 2)
// CHECK-SAME: -> (tensor<2x4x32x6xf32>, tensor<2x4x32x6xf32>, tensor<16x32x12xf32>)
// CHECK: %[[TILE:.+]] = mirage_block.reshape {{.*}} : tensor<16x6xf32> to tensor<1x1x16x6xf32>
// CHECK: mirage_block.store %[[TILE]] omap(x -> 1, y -> 2, z -> 0)
// CHECK: %[[FLAT:.+]] = mirage_kernel.reshape %[[PARTS]]#0 : tensor<2x4x32x6xf32> to tensor<8x32x6xf32>
// CHECK: %[[SUM:.+]] = mirage_kernel.reduce sum %[[FLAT]] dim(0) : (tensor<8x32x6xf32>) -> tensor<32x6xf32>
// CHECK: %[[MAX:.+]] = mirage_kernel.reduce max %[[PARTS]]#1 dim(0)
// CHECK: return %[[SUM]], %[[MAX]], %[[PARTS]]#2
func.func @reduced(%x: tensor<16x32x6xf32>)
    -> (tensor<32x6xf32>, tensor<4x32x6xf32>, tensor<16x32x12xf32>) {
  %o:3 = mirage_kernel.launch grid(x = 4, y = 2, z = 2) (%xa = %x : tensor<16x32x6xf32>)
      -> (tensor<32x6xf32>, tensor<4x32x6xf32>, tensor<16x32x12xf32>) {
    %t = mirage_block.load %xa imap(x -> 0, y -> 1, z -> phi)
        : tensor<16x32x6xf32> to tensor<4x16x6xf32>
    %r = mirage_block.reduce sum %t dim(0) : (tensor<4x16x6xf32>) -> tensor<16x6xf32>
    %m = mirage_block.reduce max %t dim(0) keep : (tensor<4x16x6xf32>) -> tensor<1x16x6xf32>
    %s = mirage_block.store %r omap(x -> sum, y -> 0, z -> sum)
        : tensor<16x6xf32> to tensor<32x6xf32>
    %u = mirage_block.store %m omap(x -> 0, y -> 1, z -> max)
        : tensor<1x16x6xf32> to tensor<4x32x6xf32>
    %v = mirage_block.store %t omap(x -> 0, y -> 1, z -> 2)
        : tensor<4x16x6xf32> to tensor<16x32x12xf32>
    mirage_block.yield %s, %u, %v
        : tensor<32x6xf32>, tensor<4x32x6xf32>, tensor<16x32x12xf32>
  }
  return %o#0, %o#1, %o#2 : tensor<32x6xf32>, tensor<4x32x6xf32>, tensor<16x32x12xf32>
}
