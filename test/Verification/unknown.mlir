// What cannot be decided is said to be unknown, with the reason, at the
// operation that is the reason.
//
// RUN: mirage-opt %s --mirage-verify-equivalence -verify-diagnostics -split-input-file -o /dev/null | FileCheck %s

// CHECK: @g may or may not compute what @f does: unknown, outside Lax: the exponential's result is needed inside of another exponential
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-remark @+1 {{outside Lax: the exponential's result is needed inside of another exponential}}
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32>
    attributes {mirage.equivalent_to = @f} {
  %e = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %0 = mirage_kernel.add %e, %y : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.exp %0 : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// A law of the reals that neither proofs nor fields know; floats agree.
// CHECK: @odd may or may not compute what @even does: unknown, the results differ by the laws that are known of erf; floats show no difference
func.func @even(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.erf %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
// expected-remark @+1 {{floats show no difference}}
func.func @odd(%x: tensor<4xf32>) -> tensor<4xf32>
    attributes {mirage.equivalent_to = @even} {
  %m = mirage_kernel.scale %x by -1.0 : (tensor<4xf32>) -> tensor<4xf32>
  %e = mirage_kernel.erf %m : (tensor<4xf32>) -> tensor<4xf32>
  %0 = mirage_kernel.scale %e by -1.0 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// CHECK: @q may or may not compute what @p does: unknown, a denominator is zero for every input
func.func @p(%x: tensor<4xf32>) -> tensor<4xf32> {
  %z = mirage_kernel.sub %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @+1 {{a denominator is zero for every input}}
  %0 = mirage_kernel.div %x, %z : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @q(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @p} {
  return %x : tensor<4xf32>
}

// -----

// CHECK: @v may or may not compute what @u does: unknown, the functions have different types
func.func @u(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
// expected-remark @+1 {{the functions have different types}}
func.func @v(%x: tensor<4xf32>) -> tensor<2x2xf32> attributes {mirage.equivalent_to = @u} {
  %0 = mirage_kernel.reshape %x : tensor<4xf32> to tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

// CHECK: @d may or may not compute what @c does: unknown, the interpreter does not execute 'linalg.matmul'
func.func @c(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-remark @+1 {{does not execute 'linalg.matmul'}}
  %0 = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @d(%x: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {mirage.equivalent_to = @c} {
  return %x : tensor<4x4xf32>
}

// -----

// Options and attributes that name nothing.
// expected-error @+1 {{there is nothing to compare: name two functions by the options lhs and rhs, or give functions an attribute 'mirage.equivalent_to'}}
module {
  func.func @alone(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}

// -----

// expected-error @+1 {{'mirage.equivalent_to' names @nobody, which is no function of the module}}
func.func @lonely(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @nobody} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'mirage.equivalent_to' belongs on a function and names another}}
func.func @named(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = "f"} {
  return %x : tensor<4xf32>
}

// -----

// expected-error @+1 {{'mirage.equivalence' belongs on a function and holds a dictionary}}
func.func @noted(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalence = 1} {
  return %x : tensor<4xf32>
}
