// Coefficients of a power double their digits with each squaring. Proofs end before they are too
// long, and tests decide.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>/dev/null | FileCheck %s

func.func @power(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = mirage_kernel.scale %x by 0.3 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.square %c : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = mirage_kernel.square %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = mirage_kernel.square %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = mirage_kernel.square %2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = mirage_kernel.square %3 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = mirage_kernel.square %4 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = mirage_kernel.square %5 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = mirage_kernel.square %6 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = mirage_kernel.square %7 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %9 = mirage_kernel.square %8 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %10 = mirage_kernel.square %9 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = mirage_kernel.square %10 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %12 = mirage_kernel.square %11 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %13 = mirage_kernel.square %12 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %14 = mirage_kernel.square %13 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %14 : tensor<4x4xf32>
}

// CHECK: @one_factor_more does not compute what @power does: refuted
func.func @one_factor_more(%x: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {mirage.equivalent_to = @power} {
  %c = mirage_kernel.scale %x by 0.3 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.square %c : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = mirage_kernel.square %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = mirage_kernel.square %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = mirage_kernel.square %2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = mirage_kernel.square %3 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = mirage_kernel.square %4 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = mirage_kernel.square %5 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = mirage_kernel.square %6 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = mirage_kernel.square %7 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %9 = mirage_kernel.square %8 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %10 = mirage_kernel.square %9 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = mirage_kernel.square %10 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %12 = mirage_kernel.square %11 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %13 = mirage_kernel.square %12 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %14 = mirage_kernel.square %13 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %15 = mirage_kernel.mul %14, %x : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %15 : tensor<4x4xf32>
}

// CHECK: @other_scale does not compute what @power does: refuted
func.func @other_scale(%x: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {mirage.equivalent_to = @power} {
  %c = mirage_kernel.scale %x by 0.7 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.square %c : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = mirage_kernel.square %0 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = mirage_kernel.square %1 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = mirage_kernel.square %2 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = mirage_kernel.square %3 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = mirage_kernel.square %4 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = mirage_kernel.square %5 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = mirage_kernel.square %6 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = mirage_kernel.square %7 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %9 = mirage_kernel.square %8 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %10 = mirage_kernel.square %9 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = mirage_kernel.square %10 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %12 = mirage_kernel.square %11 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %13 = mirage_kernel.square %12 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %14 = mirage_kernel.square %13 : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %14 : tensor<4x4xf32>
}
