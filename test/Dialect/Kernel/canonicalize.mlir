// What moves between kernels is narrow: casts to a narrower type come before layout operators that
// nothing else reads, and casts from one behind them.

// RUN: mirage-opt %s -canonicalize -split-input-file | FileCheck %s

// CHECK-LABEL: func @narrow_before(
// CHECK-NEXT: %[[CAST:.*]] = mirage_kernel.cast %arg0 : tensor<4x6xf32> to tensor<4x6xf16>
// CHECK-NEXT: %[[HEADS:.*]] = mirage_kernel.reshape %[[CAST]] : tensor<4x6xf16> to tensor<4x2x3xf16>
// CHECK-NEXT: %[[MOVED:.*]] = mirage_kernel.transpose %[[HEADS]] [1, 0, 2] : (tensor<4x2x3xf16>) -> tensor<2x4x3xf16>
// CHECK-NEXT: return %[[MOVED]]
func.func @narrow_before(%x: tensor<4x6xf32>) -> tensor<2x4x3xf16> {
  %0 = mirage_kernel.reshape %x : tensor<4x6xf32> to tensor<4x2x3xf32>
  %1 = mirage_kernel.transpose %0 [1, 0, 2] : (tensor<4x2x3xf32>) -> tensor<2x4x3xf32>
  %2 = mirage_kernel.cast %1 : tensor<2x4x3xf32> to tensor<2x4x3xf16>
  return %2 : tensor<2x4x3xf16>
}

// -----

// CHECK-LABEL: func @wide_behind(
// CHECK-NEXT: %[[PART:.*]] = mirage_kernel.slice %arg0[0, 0] [2, 6] [1, 1] : (tensor<4x6xf16>) -> tensor<2x6xf16>
// CHECK-NEXT: %[[MOVED:.*]] = mirage_kernel.transpose %[[PART]] [1, 0] : (tensor<2x6xf16>) -> tensor<6x2xf16>
// CHECK-NEXT: %[[CAST:.*]] = mirage_kernel.cast %[[MOVED]] : tensor<6x2xf16> to tensor<6x2xf32>
// CHECK-NEXT: return %[[CAST]]
func.func @wide_behind(%x: tensor<4x6xf16>) -> tensor<6x2xf32> {
  %0 = mirage_kernel.cast %x : tensor<4x6xf16> to tensor<4x6xf32>
  %1 = mirage_kernel.slice %0[0, 0] [2, 6] [1, 1] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %2 = mirage_kernel.transpose %1 [1, 0] : (tensor<2x6xf32>) -> tensor<6x2xf32>
  return %2 : tensor<6x2xf32>
}

// -----

// Nothing is moved twice, a whole is not cast for a part, and layouts stay with their operators.
// CHECK-LABEL: func @stays(
// CHECK-NEXT: mirage_kernel.reshape %arg0
// CHECK-NEXT: mirage_kernel.cast
// CHECK-NEXT: mirage_kernel.slice %arg0
// CHECK-NEXT: mirage_kernel.cast
// CHECK-NEXT: mirage_kernel.transpose %arg1
// CHECK-NEXT: mirage_kernel.cast
// CHECK-NEXT: return
func.func @stays(%x: tensor<4x6xf32>, %y: tensor<4x6xf32, "column">)
    -> (tensor<24xf32>, tensor<24xf16>, tensor<2x6xf16>, tensor<6x4xf16>) {
  %0 = mirage_kernel.reshape %x : tensor<4x6xf32> to tensor<24xf32>
  %1 = mirage_kernel.cast %0 : tensor<24xf32> to tensor<24xf16>
  %2 = mirage_kernel.slice %x[0, 0] [2, 6] [1, 1] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %3 = mirage_kernel.cast %2 : tensor<2x6xf32> to tensor<2x6xf16>
  %4 = mirage_kernel.transpose %y [1, 0] : (tensor<4x6xf32, "column">) -> tensor<6x4xf32>
  %5 = mirage_kernel.cast %4 : tensor<6x4xf32> to tensor<6x4xf16>
  return %0, %1, %3, %5 : tensor<24xf32>, tensor<24xf16>, tensor<2x6xf16>, tensor<6x4xf16>
}
