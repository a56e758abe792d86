// The pipelines by which programs come in.

// RUN: mirage-opt %s -mirage-import-linalg | FileCheck %s --check-prefix=LINALG
// RUN: mirage-opt %s -mirage-import-tosa | FileCheck %s

// LINALG-LABEL: func @tosa(
// LINALG: tosa.matmul
// LINALG-LABEL: func @linalg(
// LINALG-NEXT: mirage_kernel.exp

// CHECK-LABEL: func @tosa(
// CHECK-SAME: %[[A:.*]]: tensor<1x4x8xf32>, %[[B:.*]]: tensor<1x8x16xf32>
// CHECK-NOT: tosa
// CHECK: %[[M:.*]] = mirage_kernel.matmul %[[A]], %[[B]] : (tensor<1x4x8xf32>, tensor<1x8x16xf32>) -> tensor<1x4x16xf32>
// CHECK: %[[T:.*]] = mirage_kernel.tanh %[[M]]
// CHECK: %[[S:.*]] = mirage_kernel.reduce sum %[[T]] dim(2) keep
// CHECK: return %[[S]]
func.func @tosa(%a: tensor<1x4x8xf32>, %b: tensor<1x8x16xf32>) -> tensor<1x4x1xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.matmul %a, %b, %zero, %zero : (tensor<1x4x8xf32>, tensor<1x8x16xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x16xf32>
  %1 = tosa.tanh %0 : (tensor<1x4x16xf32>) -> tensor<1x4x16xf32>
  %2 = tosa.reduce_sum %1 {axis = 2 : i32} : (tensor<1x4x16xf32>) -> tensor<1x4x1xf32>
  return %2 : tensor<1x4x1xf32>
}

// CHECK-LABEL: func @linalg(
// CHECK-NEXT: mirage_kernel.exp
func.func @linalg(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
