// Elements are judged one by one: those in which the original is not finite hide
// nothing of the others, and an infinity is to be the same infinity.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>/dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=masked rhs=by_products' -o /dev/null
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=masked rhs=by_sum' -o /dev/null
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=no_shift rhs=with_shift' -o /dev/null

// Zero times infinity is no number.
// CHECK: @by_products computes what @masked does: {{.*}}refused as numerically unstable: on normal inputs it is not finite in float64: at [0, 0] it is {{-?}}nan, where the original is
func.func @masked(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = mirage_kernel.constant dense<[[1.0,0.0,0.0,0.0],[1.0,1.0,0.0,0.0],[1.0,1.0,1.0,0.0],[1.0,1.0,1.0,1.0]]> : tensor<4x4xf32>
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %0 = mirage_kernel.select %c, %x, %m : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x1xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @by_products(%x: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {mirage.equivalent_to = @masked} {
  %c = mirage_kernel.constant dense<[[1.0,0.0,0.0,0.0],[1.0,1.0,0.0,0.0],[1.0,1.0,1.0,0.0],[1.0,1.0,1.0,1.0]]> : tensor<4x4xf32>
  %n = mirage_kernel.constant dense<[[0.0,1.0,1.0,1.0],[0.0,0.0,1.0,1.0],[0.0,0.0,0.0,1.0],[0.0,0.0,0.0,0.0]]> : tensor<4x4xf32>
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %a = mirage_kernel.mul %x, %c : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = mirage_kernel.mul %n, %m : (tensor<4x4xf32>, tensor<1x1xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.add %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// CHECK: @by_sum computes what @masked does: {{.*}}; in floating point errors up to 0.0e+00
// CHECK-NOT: refused
func.func @by_sum(%x: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {mirage.equivalent_to = @masked} {
  %c = mirage_kernel.constant dense<[[1.0,0.0,0.0,0.0],[1.0,1.0,0.0,0.0],[1.0,1.0,1.0,0.0],[1.0,1.0,1.0,1.0]]> : tensor<4x4xf32>
  %z = mirage_kernel.constant dense<0.0> : tensor<1x1xf32>
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1x1xf32>
  %a = mirage_kernel.select %c, %x, %z : (tensor<4x4xf32>, tensor<4x4xf32>, tensor<1x1xf32>) -> tensor<4x4xf32>
  %b = mirage_kernel.select %c, %z, %m : (tensor<4x4xf32>, tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.add %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// No maximum: exponentials overflow f32 where the original's are finite, above
// the diagonal as below it.
// CHECK: @log_unshifted computes what @log_weights does: {{.*}}refused as numerically unstable: on large inputs {{.*}}it is {{-?}}INF, where the original is
func.func @log_weights(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %c = mirage_kernel.constant dense<[[0.0,0xFF800000,0xFF800000,0xFF800000],[0.0,0.0,0xFF800000,0xFF800000],[0.0,0.0,0.0,0xFF800000],[0.0,0.0,0.0,0.0]]> : tensor<4x4xf32>
  %a = mirage_kernel.add %x, %c : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %0 = mirage_kernel.log_softmax %a dim(1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @log_unshifted(%x: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {mirage.equivalent_to = @log_weights} {
  %c = mirage_kernel.constant dense<[[0.0,0xFF800000,0xFF800000,0xFF800000],[0.0,0.0,0xFF800000,0xFF800000],[0.0,0.0,0.0,0xFF800000],[0.0,0.0,0.0,0.0]]> : tensor<4x4xf32>
  %a = mirage_kernel.add %x, %c : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = mirage_kernel.exp %a : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %s = mirage_kernel.reduce sum %e dim(1) keep : (tensor<4x4xf32>) -> tensor<4x1xf32>
  %t = mirage_kernel.log %s : (tensor<4x1xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.sub %a, %t : (tensor<4x4xf32>, tensor<4x1xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// The same where the original is NaN for all negative inputs.
// CHECK: @some_unshifted computes what @some_nan does: {{.*}}refused as numerically unstable: on large inputs {{.*}}it is {{-?}}INF, where the original is
func.func @some_nan(%x: tensor<8x32xf32>) -> tensor<8x32xf32> {
  %p = mirage_kernel.log_softmax %x dim(1) : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %l = mirage_kernel.log %x : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = mirage_kernel.add %p, %l : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}
func.func @some_unshifted(%x: tensor<8x32xf32>) -> tensor<8x32xf32>
    attributes {mirage.equivalent_to = @some_nan} {
  %e = mirage_kernel.exp %x : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %s = mirage_kernel.reduce sum %e dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %t = mirage_kernel.log %s : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %p = mirage_kernel.sub %x, %t : (tensor<8x32xf32>, tensor<8x1xf32>) -> tensor<8x32xf32>
  %l = mirage_kernel.log %x : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %0 = mirage_kernel.add %p, %l : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
  return %0 : tensor<8x32xf32>
}

// An element that always overflows in the original, and others that do so in the
// candidate alone.
// CHECK: @overflows computes what @one_overflows does: {{.*}}refused as numerically unstable: on normal inputs {{.*}}it is {{-?}}INF, where the original is
func.func @one_overflows(%x: tensor<4xf16>) -> tensor<5xf16> {
  %k = mirage_kernel.constant dense<6.0e4> : tensor<1xf16>
  %b = mirage_kernel.add %k, %k : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
  %0 = mirage_kernel.concat dim(0) %x, %b : (tensor<4xf16>, tensor<1xf16>) -> tensor<5xf16>
  return %0 : tensor<5xf16>
}
func.func @overflows(%x: tensor<4xf16>) -> tensor<5xf16>
    attributes {mirage.equivalent_to = @one_overflows} {
  %k = mirage_kernel.constant dense<6.0e4> : tensor<1xf16>
  %u = mirage_kernel.mul %x, %k : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  %v = mirage_kernel.mul %u, %k : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  %c = mirage_kernel.div %v, %k : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  %d = mirage_kernel.div %c, %k : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  %b = mirage_kernel.add %k, %k : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
  %0 = mirage_kernel.concat dim(0) %d, %b : (tensor<4xf16>, tensor<1xf16>) -> tensor<5xf16>
  return %0 : tensor<5xf16>
}

// Digits lost in elements beside an infinity.
// CHECK: @noise computes what @beside_infinity does: {{.*}}refused as numerically unstable: on normal inputs its error is 1.00e+00
func.func @beside_infinity(%x: tensor<16xf32>) -> tensor<17xf32> {
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1xf32>
  %0 = mirage_kernel.concat dim(0) %x, %m : (tensor<16xf32>, tensor<1xf32>) -> tensor<17xf32>
  return %0 : tensor<17xf32>
}
func.func @noise(%x: tensor<16xf32>) -> tensor<17xf32>
    attributes {mirage.equivalent_to = @beside_infinity} {
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1xf32>
  %k = mirage_kernel.constant dense<1.0e20> : tensor<1xf32>
  %a = mirage_kernel.add %x, %k : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %b = mirage_kernel.sub %a, %k : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.concat dim(0) %b, %m : (tensor<16xf32>, tensor<1xf32>) -> tensor<17xf32>
  return %0 : tensor<17xf32>
}

// CHECK: @infinite_quotient computes what @beside_infinity does: {{.*}}refused as numerically unstable: on normal inputs it is no infinity in float64: at [16] it is {{-?}}nan, where the original is -INF
func.func @infinite_quotient(%x: tensor<16xf32>) -> tensor<17xf32>
    attributes {mirage.equivalent_to = @beside_infinity} {
  %m = mirage_kernel.constant dense<0xFF800000> : tensor<1xf32>
  %s = mirage_kernel.square %m : (tensor<1xf32>) -> tensor<1xf32>
  %d = mirage_kernel.div %s, %m : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %0 = mirage_kernel.concat dim(0) %x, %d : (tensor<16xf32>, tensor<1xf32>) -> tensor<17xf32>
  return %0 : tensor<17xf32>
}

// The candidate is a number where the original is none: it may be. The line
// says so.
// CHECK: @identity computes what @squared_root does: proved; {{.*}}; left out are elements of result 0 that are NaN in the original and numbers in the candidate
// CHECK-NOT: refused
func.func @squared_root(%x: tensor<16xf32>) -> tensor<16xf32> {
  %r = mirage_kernel.sqrt %x : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.mul %r, %r : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @identity(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @squared_root} {
  return %x : tensor<16xf32>
}

// An original that overflows for large inputs, in float64, too: a candidate that
// does not is better, and compared where the original is finite.
// CHECK: @with_shift computes what @no_shift does: proved; in floating point errors
// CHECK-NOT: refused
func.func @no_shift(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %y = mirage_kernel.scale %x by 8.0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %e = mirage_kernel.exp %y : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %s = mirage_kernel.reduce sum %e dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %0 = mirage_kernel.div %e, %s : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func @with_shift(%x: tensor<8x16xf32>) -> tensor<8x16xf32>
    attributes {mirage.equivalent_to = @no_shift} {
  %y = mirage_kernel.scale %x by 8.0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = mirage_kernel.softmax %y dim(1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Products of three numbers overflow f16 for large inputs, in either order, at
// elements of their own.
// CHECK: @other_order computes what @products does: proved
// CHECK-NOT: refused
func.func @products(%x: tensor<64x4xf16>, %y: tensor<64x4xf16>, %z: tensor<64x4xf16>) -> tensor<64x4xf16> {
  %a = mirage_kernel.mul %x, %y : (tensor<64x4xf16>, tensor<64x4xf16>) -> tensor<64x4xf16>
  %0 = mirage_kernel.mul %a, %z : (tensor<64x4xf16>, tensor<64x4xf16>) -> tensor<64x4xf16>
  return %0 : tensor<64x4xf16>
}
func.func @other_order(%x: tensor<64x4xf16>, %y: tensor<64x4xf16>, %z: tensor<64x4xf16>) -> tensor<64x4xf16>
    attributes {mirage.equivalent_to = @products} {
  %a = mirage_kernel.mul %y, %z : (tensor<64x4xf16>, tensor<64x4xf16>) -> tensor<64x4xf16>
  %0 = mirage_kernel.mul %x, %a : (tensor<64x4xf16>, tensor<64x4xf16>) -> tensor<64x4xf16>
  return %0 : tensor<64x4xf16>
}
