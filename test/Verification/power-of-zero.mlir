// x^0 is one in every element of x, and has the shape of x.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null | FileCheck %s
// RUN: mirage-run %s --entry=count --compare=eight | FileCheck %s --check-prefix=VALUES
// RUN: mirage-opt %s --convert-mirage-to-linalg | FileCheck %s --check-prefix=LINALG

// VALUES: max_abs_error=0.000e+00

// LINALG-LABEL: func.func @count
// LINALG: linalg.generic
// LINALG-NOT: math.powf
// LINALG: linalg.yield
func.func @count(%x: tensor<4x8xf32>) -> tensor<4x1xf32> {
  %p = mirage_kernel.pow %x to 0.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %r = mirage_kernel.reduce sum %p dim(1) keep : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// CHECK: @eight computes what @count does: proved
func.func @eight(%x: tensor<4x8xf32>) -> tensor<4x1xf32> attributes {mirage.equivalent_to = @count} {
  %r = mirage_kernel.constant dense<8.0> : tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// CHECK: @one does not compute what @count does: refuted
func.func @one(%x: tensor<4x8xf32>) -> tensor<4x1xf32> attributes {mirage.equivalent_to = @count} {
  %r = mirage_kernel.constant dense<1.0> : tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}

// What follows reads all elements.
func.func @product(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<3x4xf32> {
  %p = mirage_kernel.pow %x to 0.0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %m = mirage_kernel.matmul %p, %y : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  %s = mirage_kernel.slice %m[1, 0] [3, 4] [1, 1] : (tensor<4x4xf32>) -> tensor<3x4xf32>
  return %s : tensor<3x4xf32>
}

// CHECK: @sums computes what @product does: proved
func.func @sums(%x: tensor<4x8xf32>, %y: tensor<8x4xf32>) -> tensor<3x4xf32> attributes {mirage.equivalent_to = @product} {
  %r = mirage_kernel.reduce sum %y dim(0) keep : (tensor<8x4xf32>) -> tensor<1x4xf32>
  %b = mirage_kernel.broadcast %r : tensor<1x4xf32> to tensor<3x4xf32>
  return %b : tensor<3x4xf32>
}
