// A sum of positive terms is greater than zero, whatever the inputs are.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence='check-floats=false test=false' -o /dev/null | FileCheck %s

// CHECK: @ones computes what @sigmoid does: proved
func.func @sigmoid(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %s = mirage_kernel.sigmoid %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = mirage_kernel.compare gt %s, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %d = mirage_kernel.compare ne %s, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %r = mirage_kernel.mul %c, %d : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
func.func @ones(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @sigmoid} {
  %r = mirage_kernel.constant dense<1.0> : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// Squares may be zero, and so may their sum, unless something is added.
// CHECK: @norm_ones computes what @norm does: proved
func.func @norm(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %eps = mirage_kernel.constant dense<0.5> : tensor<1x1xf32>
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %sq = mirage_kernel.square %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %v = mirage_kernel.add %sq, %eps : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %c = mirage_kernel.compare le %zero, %v : (tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
func.func @norm_ones(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @norm} {
  %r = mirage_kernel.constant dense<1.0> : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// CHECK: @squares_ones may or may not compute what @squares does
func.func @squares(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %sq = mirage_kernel.square %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = mirage_kernel.compare lt %zero, %sq : (tensor<1x1xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
func.func @squares_ones(%x: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @squares} {
  %r = mirage_kernel.constant dense<1.0> : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}

// The exponential of a masked score is zero.
// CHECK: @masked_ones may or may not compute what @masked does
func.func @masked(%x: tensor<4x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %zero = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %inf = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %k = mirage_kernel.compare gt %m, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %s = mirage_kernel.select %k, %x, %inf : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  %e = mirage_kernel.exp %s : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = mirage_kernel.compare gt %e, %zero : (tensor<4x8xf32>, tensor<1x1xf32>) -> tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
func.func @masked_ones(%x: tensor<4x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {mirage.equivalent_to = @masked} {
  %r = mirage_kernel.constant dense<1.0> : tensor<4x8xf32>
  return %r : tensor<4x8xf32>
}
