// An infinity that both programs have is no number that cancels, not even as a
// value that they have in common.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence='check-floats=false test=false' -o /dev/null | FileCheck %s

// CHECK-NOT: proved
// CHECK: @beside_shifted may or may not compute
func.func @beside(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<16xf32>
  %z = mirage_kernel.scale %m by 2.0 : (tensor<16xf32>) -> tensor<16xf32>
  return %x, %z : tensor<16xf32>, tensor<16xf32>
}
func.func @beside_shifted(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    attributes {mirage.equivalent_to = @beside} {
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<16xf32>
  %z = mirage_kernel.scale %m by 2.0 : (tensor<16xf32>) -> tensor<16xf32>
  %a = mirage_kernel.add %x, %z : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %b = mirage_kernel.sub %a, %z : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %b, %z : tensor<16xf32>, tensor<16xf32>
}

// CHECK: @joined_shifted may or may not compute
func.func @joined(%x: tensor<16xf32>) -> tensor<17xf32> {
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1xf32>
  %0 = mirage_kernel.concat dim(0) %x, %m : (tensor<16xf32>, tensor<1xf32>) -> tensor<17xf32>
  return %0 : tensor<17xf32>
}
func.func @joined_shifted(%x: tensor<16xf32>) -> tensor<17xf32>
    attributes {mirage.equivalent_to = @joined} {
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1xf32>
  %a = mirage_kernel.add %x, %m : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %b = mirage_kernel.sub %a, %m : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.concat dim(0) %b, %m : (tensor<16xf32>, tensor<1xf32>) -> tensor<17xf32>
  return %0 : tensor<17xf32>
}
