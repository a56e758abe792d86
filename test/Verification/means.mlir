// A mean is a sum times a rounded reciprocal, in f32 or with the digits of f64; a
// reciprocal of another number, or one unit in the last place beside it, is not.

// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null | FileCheck %s

func.func @mean(%x: tensor<8x12xf32>) -> tensor<8x1xf32> {
  %m = mirage_kernel.reduce mean %x dim(1) keep : (tensor<8x12xf32>) -> tensor<8x1xf32>
  return %m : tensor<8x1xf32>
}
// CHECK: @decimals computes what @mean does: proved, taking 0.0833333 for 1/12
func.func @decimals(%x: tensor<8x12xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @mean} {
  %s = mirage_kernel.reduce sum %x dim(1) keep : (tensor<8x12xf32>) -> tensor<8x1xf32>
  %m = mirage_kernel.scale %s by 0.08333333333333333 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  return %m : tensor<8x1xf32>
}
// CHECK: @rounded computes what @mean does: proved, taking 0.0833333 for 1/12
func.func @rounded(%x: tensor<8x12xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @mean} {
  %c = mirage_kernel.constant dense<0x3DAAAAAB> : tensor<1x1xf32>
  %p = mirage_kernel.mul %x, %c : (tensor<8x12xf32>, tensor<1x1xf32>) -> tensor<8x12xf32>
  %m = mirage_kernel.reduce sum %p dim(1) keep : (tensor<8x12xf32>) -> tensor<8x1xf32>
  return %m : tensor<8x1xf32>
}
// CHECK: @next_number does not compute what @mean does: refuted
func.func @next_number(%x: tensor<8x12xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @mean} {
  %c = mirage_kernel.constant dense<0x3DAAAAAC> : tensor<1x1xf32>
  %s = mirage_kernel.reduce sum %x dim(1) keep : (tensor<8x12xf32>) -> tensor<8x1xf32>
  %m = mirage_kernel.mul %s, %c : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  return %m : tensor<8x1xf32>
}
// CHECK: @other_number does not compute what @mean does: refuted
func.func @other_number(%x: tensor<8x12xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @mean} {
  %s = mirage_kernel.reduce sum %x dim(1) keep : (tensor<8x12xf32>) -> tensor<8x1xf32>
  %m = mirage_kernel.scale %s by 0.09090909090909091 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  return %m : tensor<8x1xf32>
}

func.func @rms_norm(%x: tensor<8x768xf32>) -> tensor<8x768xf32> {
  %n = mirage_kernel.rms_norm %x epsilon(9.999999747378752e-06) : (tensor<8x768xf32>) -> tensor<8x768xf32>
  return %n : tensor<8x768xf32>
}
// CHECK: @sum_of_squares computes what @rms_norm does: {{.*}}1/768
func.func @sum_of_squares(%x: tensor<8x768xf32>) -> tensor<8x768xf32> attributes {mirage.equivalent_to = @rms_norm} {
  %q = mirage_kernel.square %x : (tensor<8x768xf32>) -> tensor<8x768xf32>
  %s = mirage_kernel.reduce sum %q dim(1) keep : (tensor<8x768xf32>) -> tensor<8x1xf32>
  %m = mirage_kernel.scale %s by 0.0013020833333333333 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %e = mirage_kernel.constant dense<9.999999747378752e-06> : tensor<1x1xf32>
  %v = mirage_kernel.add %m, %e : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %r = mirage_kernel.rsqrt %v : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %n = mirage_kernel.mul %x, %r : (tensor<8x768xf32>, tensor<8x1xf32>) -> tensor<8x768xf32>
  return %n : tensor<8x768xf32>
}
