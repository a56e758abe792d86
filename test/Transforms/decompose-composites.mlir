// RUN: mirage-opt %s --mirage-decompose-composites | FileCheck %s
// RUN: mirage-opt %s --mirage-decompose-composites -o %t.mlir
// The decomposed program computes the same: composite operators compute inside in f32 and round
// once, so results are equal also in storage precision, up to the last bit of f32 arithmetic.
// RUN: mirage-run %s --entry=softmax --output=%t.a
// RUN: mirage-run %t.mlir --entry=softmax --output=%t.b
// RUN: cmp %t.a/result0.npy %t.b/result0.npy
// RUN: mirage-run %s --entry=norms --output=%t.a
// RUN: mirage-run %t.mlir --entry=norms --output=%t.b
// RUN: cmp %t.a/result0.npy %t.b/result0.npy
// RUN: cmp %t.a/result1.npy %t.b/result1.npy

// CHECK-LABEL: func.func @softmax(
// CHECK-SAME: %[[X:.+]]: tensor<3x40xf16>
// CHECK: %[[WIDE:.+]] = mirage_kernel.cast %[[X]] : tensor<3x40xf16> to tensor<3x40xf32>
// CHECK: %[[MAX:.+]] = mirage_kernel.reduce max %[[WIDE]] dim(1) keep
// CHECK: %[[SHIFTED:.+]] = mirage_kernel.sub %[[WIDE]], %[[MAX]]
// CHECK: %[[EXP:.+]] = mirage_kernel.exp %[[SHIFTED]]
// CHECK: %[[SUM:.+]] = mirage_kernel.reduce sum %[[EXP]] dim(1) keep
// CHECK: %[[QUOTIENT:.+]] = mirage_kernel.div %[[EXP]], %[[SUM]]
// CHECK: %[[RESULT:.+]] = mirage_kernel.cast %[[QUOTIENT]] : tensor<3x40xf32> to tensor<3x40xf16>
// CHECK: return %[[RESULT]]
func.func @softmax(%x: tensor<3x40xf16>) -> tensor<3x40xf16> {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<3x40xf16>) -> tensor<3x40xf16>
  return %0 : tensor<3x40xf16>
}

// The epsilon of an f32 norm is a number of f32; f64 stays f64.
// CHECK-LABEL: func.func @norms(
// CHECK-NOT: mirage_kernel.rms_norm
// CHECK-NOT: mirage_kernel.layer_norm
// CHECK: mirage_kernel.constant dense<9.99999974E-6> : tensor<1x1xf32>
// CHECK: mirage_kernel.reduce mean {{.*}} -> tensor<3x1xf64>
func.func @norms(%x: tensor<3x40xf16>, %w: tensor<40xf16>, %y: tensor<3x8xf64>)
    -> (tensor<3x40xf16>, tensor<3x8xf64>) {
  %0 = mirage_kernel.rms_norm %x weight %w epsilon(1.0e-5)
      : (tensor<3x40xf16>, tensor<40xf16>) -> tensor<3x40xf16>
  %1 = mirage_kernel.layer_norm %y epsilon(1.0e-5) : (tensor<3x8xf64>) -> tensor<3x8xf64>
  return %0, %1 : tensor<3x40xf16>, tensor<3x8xf64>
}

// Inside of a block graph too.
// CHECK-LABEL: func.func @in_a_block(
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_block.softmax
// CHECK: mirage_block.exp
func.func @in_a_block(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %o = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %t = mirage_block.load %a imap(x -> 0) : tensor<4x8xf32> to tensor<2x8xf32>
    %s = mirage_block.softmax %t dim(1) : (tensor<2x8xf32>) -> tensor<2x8xf32>
    %r = mirage_block.store %s omap(x -> 0) : tensor<2x8xf32> to tensor<4x8xf32>
    mirage_block.yield %r : tensor<4x8xf32>
  }
  return %o : tensor<4x8xf32>
}
