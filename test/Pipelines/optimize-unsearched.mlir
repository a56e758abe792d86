// Without a search, programs are prepared for it and stay as they are.

// RUN: mirage-opt %s --mirage-optimize=search=false | FileCheck %s

// CHECK: func.func @main(
// CHECK: call @[[PART:[a-z_]+]](
// CHECK: func.func private @[[PART]](
// CHECK-NOT: mirage.superoptimized
// CHECK: mirage_kernel.matmul
// CHECK: mirage_kernel.relu
// CHECK-NOT: mirage_kernel.launch
func.func @main(%x: tensor<16x64xf16>, %w: tensor<64x32xf16>) -> tensor<16x32xf16> {
  %0 = mirage_kernel.matmul %x, %w : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  %1 = mirage_kernel.relu %0 : (tensor<16x32xf16>) -> tensor<16x32xf16>
  return %1 : tensor<16x32xf16>
}
