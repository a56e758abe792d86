// sqrt 2 rounded to f16, and the same number kept exactly in f32: other numbers,
// but no refutation.
//
// RUN: mirage-opt %s --mirage-verify-equivalence -verify-diagnostics -split-input-file -o /dev/null | FileCheck %s

// CHECK: @wide may or may not compute what @narrow does: unknown, the results differ by the laws that are known of named constants; floats show no difference
func.func @narrow(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c = mirage_kernel.constant dense<1.4140625> : tensor<1xf16>
  %0 = mirage_kernel.div %x, %c : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
// expected-remark @+1 {{floats show no difference}}
func.func @wide(%x: tensor<4xf16>) -> tensor<4xf16> attributes {mirage.equivalent_to = @narrow} {
  %c = mirage_kernel.constant dense<1.4140625> : tensor<1xf32>
  %a = mirage_kernel.cast %x : tensor<4xf16> to tensor<4xf32>
  %0 = mirage_kernel.div %a, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.cast %0 : tensor<4xf32> to tensor<4xf16>
  return %1 : tensor<4xf16>
}

// -----

// Twice is not the rounding of a constant.
// CHECK: @double does not compute what @single does: refuted
// CHECK-SAME: in float64
func.func @single(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.scale %x by 1.44269502 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @single} {
  %0 = mirage_kernel.scale %x by 2.88539004 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
