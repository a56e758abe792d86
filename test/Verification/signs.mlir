// What is never negative is its own magnitude, the greater of it and what is less
// whatever the inputs are, and chosen where it is positive as well as where it
// is zero.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence=check-floats=false -o /dev/null | FileCheck %s

// CHECK: @magnitude computes what @relu does: proved
// CHECK: @chosen computes what @relu does: proved
// CHECK: @at_least_zero computes what @sigmoid does: proved
// CHECK: @at_least_minus_one computes what @sigmoid does: proved
// CHECK: @never_less computes what @relu does: proved
// CHECK-NOT: @{{(magnitude_of_less|at_least_half|chosen_by_other|dominated_by_some) computes}}
// CHECK: @magnitude_of_less
// CHECK: @at_least_half
// CHECK: @chosen_by_other
// CHECK: @dominated_by_some
func.func @relu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %relu = mirage_kernel.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %relu : tensor<4x8xf32>
}
func.func @magnitude(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @relu} {
  %relu = mirage_kernel.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %double = mirage_kernel.scale %relu by -2.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %abs = mirage_kernel.abs %double : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %half = mirage_kernel.scale %abs by 0.5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %half : tensor<4x8xf32>
}
func.func @chosen(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @relu} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %relu = mirage_kernel.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %less = mirage_kernel.scale %relu by 0.125 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %is = mirage_kernel.compare gt %relu, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %chosen = mirage_kernel.select %is, %relu, %less : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %chosen : tensor<4x8xf32>
}
func.func @sigmoid(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %sigmoid = mirage_kernel.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %sigmoid : tensor<4x8xf32>
}
func.func @at_least_zero(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @sigmoid} {
  %sigmoid = mirage_kernel.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %relu = mirage_kernel.relu %sigmoid : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %relu : tensor<4x8xf32>
}
func.func @at_least_minus_one(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @sigmoid} {
  %bound = mirage_kernel.constant dense<-1.0> : tensor<1x1xf32>
  %sigmoid = mirage_kernel.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %max = mirage_kernel.max %bound, %sigmoid : (tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %max : tensor<4x8xf32>
}
func.func @never_less(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @relu} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %relu = mirage_kernel.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %is = mirage_kernel.compare lt %relu, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %chosen = mirage_kernel.select %is, %x, %relu : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %chosen : tensor<4x8xf32>
}

// Near misses.
func.func @less(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %relu = mirage_kernel.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %less = mirage_kernel.sub %relu, %one : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  return %less : tensor<4x8xf32>
}
func.func @magnitude_of_less(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @less} {
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %relu = mirage_kernel.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %less = mirage_kernel.sub %relu, %one : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %abs = mirage_kernel.abs %less : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %abs : tensor<4x8xf32>
}
func.func @at_least_half(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @sigmoid} {
  %bound = mirage_kernel.constant dense<0.5> : tensor<1x1xf32>
  %sigmoid = mirage_kernel.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %max = mirage_kernel.max %bound, %sigmoid : (tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %max : tensor<4x8xf32>
}
func.func @chosen_by_other(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @relu} {
  %one = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %relu = mirage_kernel.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %less = mirage_kernel.scale %relu by 0.125 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %is = mirage_kernel.compare gt %relu, %one : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %chosen = mirage_kernel.select %is, %relu, %less : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %chosen : tensor<4x8xf32>
}

// The greatest of a row may be less than zero.
func.func @row(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %max = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %max : tensor<4x1xf32>
}
func.func @dominated_by_some(%x: tensor<4x8xf32>) -> tensor<4x1xf32> attributes {mirage.equivalent_to = @row} {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %max = mirage_kernel.reduce max %x dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %relu = mirage_kernel.max %max, %zero : (tensor<4x1xf32>, tensor<1x1xf32>) -> tensor<4x1xf32>
  return %relu : tensor<4x1xf32>
}
