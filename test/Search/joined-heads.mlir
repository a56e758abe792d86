// Heads that share keys and the queries of each of them are one axis of rows, however they are stored: one launch is
// found for a dimension of heads beside one of queries and for one of both, with padding where nothing divides them.

// RUN: mirage-opt %s --mirage-optimize=deadline=0 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir

// CHECK-LABEL: func.func private @heads_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid([[GRID:.*]]) ({{.*}} : tensor<1x80x64xf16>
// CHECK-NOT: mirage_kernel.launch
// CHECK-LABEL: func.func private @joined_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid([[GRID]]) ({{.*}} : tensor<1x80x64xf16>
// CHECK-NOT: mirage_kernel.launch

func.func @heads(%q: tensor<1x71x1x64xf16>, %k: tensor<1x1x4096x64xf16>, %v: tensor<1x1x4096x64xf16>) -> tensor<1x71x1x64xf16> {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<1x71x1x64xf16>, tensor<1x1x4096x64xf16>) -> tensor<1x71x1x4096xf32>
  %c = mirage_kernel.scale %s by 0.125 : (tensor<1x71x1x4096xf32>) -> tensor<1x71x1x4096xf32>
  %p = mirage_kernel.softmax %c dim(3) : (tensor<1x71x1x4096xf32>) -> tensor<1x71x1x4096xf32>
  %h = mirage_kernel.cast %p : tensor<1x71x1x4096xf32> to tensor<1x71x1x4096xf16>
  %r = mirage_kernel.matmul %h, %v : (tensor<1x71x1x4096xf16>, tensor<1x1x4096x64xf16>) -> tensor<1x71x1x64xf16>
  return %r : tensor<1x71x1x64xf16>
}

func.func @joined(%q: tensor<1x71x64xf16>, %k: tensor<1x4096x64xf16>, %v: tensor<1x4096x64xf16>) -> tensor<1x71x64xf16> {
  %s = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<1x71x64xf16>, tensor<1x4096x64xf16>) -> tensor<1x71x4096xf32>
  %c = mirage_kernel.scale %s by 0.125 : (tensor<1x71x4096xf32>) -> tensor<1x71x4096xf32>
  %p = mirage_kernel.softmax %c dim(2) : (tensor<1x71x4096xf32>) -> tensor<1x71x4096xf32>
  %h = mirage_kernel.cast %p : tensor<1x71x4096xf32> to tensor<1x71x4096xf16>
  %r = mirage_kernel.matmul %h, %v : (tensor<1x71x4096xf16>, tensor<1x4096x64xf16>) -> tensor<1x71x64xf16>
  return %r : tensor<1x71x64xf16>
}
