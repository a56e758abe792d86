// Functions beside those that are imported stay as they are: what is found for a program does not depend on what else
// stands in its module.

// RUN: mirage-opt %s --convert-linalg-to-mirage | FileCheck %s

// CHECK-LABEL: func.func @imported
// CHECK-NEXT: mirage_kernel.matmul %arg0, %arg1 transpose_rhs
func.func @imported(%x: tensor<16x32xf16>, %w: tensor<8x32xf16>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x8xf32>
  %filled = linalg.fill ins(%zero : f32) outs(%empty : tensor<16x8xf32>) -> tensor<16x8xf32>
  %turned = tensor.empty() : tensor<32x8xf16>
  %t = linalg.transpose ins(%w : tensor<8x32xf16>) outs(%turned : tensor<32x8xf16>) permutation = [1, 0]
  %r = linalg.matmul ins(%x, %t : tensor<16x32xf16>, tensor<32x8xf16>) outs(%filled : tensor<16x8xf32>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}

// CHECK-LABEL: func.func @beside
// CHECK-NEXT: mirage_kernel.transpose
// CHECK-NEXT: mirage_kernel.matmul
// CHECK-NOT: transpose_rhs
func.func @beside(%x: tensor<16x32xf16>, %w: tensor<8x32xf16>) -> tensor<16x8xf32> {
  %t = mirage_kernel.transpose %w [1, 0] : (tensor<8x32xf16>) -> tensor<32x8xf16>
  %r = mirage_kernel.matmul %x, %t : (tensor<16x32xf16>, tensor<32x8xf16>) -> tensor<16x8xf32>
  return %r : tensor<16x8xf32>
}
