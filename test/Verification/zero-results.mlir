// Results that are zero in the original: no other size says what is small, so
// that a candidate may be as far from zero as rounding can explain, by a bound,
// and must be finite.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>/dev/null | FileCheck %s

// A multiple of one of the tests' primes is no multiple of the next one.
// CHECK: @multiple does not compute what @zero does: refuted
// CHECK-SAME: test 1)
func.func @zero(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = mirage_kernel.sub %x, %x : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @multiple(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @zero} {
  %a = mirage_kernel.scale %x by 2305843009213693952.0 : (tensor<16xf32>) -> tensor<16xf32>
  %b = mirage_kernel.scale %x by 3153.0 : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK: @not_a_number computes what @zero does: {{.*}}refused as numerically unstable: on normal inputs {{.*}} at {{.*}} it is nan, where the original is 0.00e+00
func.func @not_a_number(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @zero} {
  %s = mirage_kernel.scale %x by 1.0e30 : (tensor<16xf32>) -> tensor<16xf32>
  %q = mirage_kernel.square %s : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %q, %q : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK: @noise computes what @zero does: {{.*}}refused as numerically unstable: on normal inputs its error is {{.*}}, that of the original 0.00e+00
func.func @noise(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @zero} {
  %c = mirage_kernel.constant dense<1.6777216e9> : tensor<1xf32>
  %1 = mirage_kernel.add %x, %c : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %2 = mirage_kernel.sub %1, %c : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %2, %x : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// The same as one of several results.
// CHECK: @two_not_a_number computes what @two does: {{.*}}refused as numerically unstable: on normal inputs its error in result 0 is
func.func @two(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %0 = mirage_kernel.sub %x, %x : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0, %x : tensor<16xf32>, tensor<16xf32>
}
func.func @two_not_a_number(%x: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    attributes {mirage.equivalent_to = @two} {
  %s = mirage_kernel.exp %x : (tensor<16xf32>) -> tensor<16xf32>
  %1 = mirage_kernel.scale %s by 3.0e38 : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %1, %1 : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0, %x : tensor<16xf32>, tensor<16xf32>
}

// Zero for constant inputs, by means that are rounded differently: less than a
// bound of rounding, and no instability.
// CHECK: @other_mean computes what @centered does: proved
// CHECK-NOT: refused
func.func @centered(%x: tensor<4x48xf32>) -> tensor<4x48xf32> {
  %m = mirage_kernel.reduce mean %x dim(1) keep : (tensor<4x48xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.sub %x, %m : (tensor<4x48xf32>, tensor<4x1xf32>) -> tensor<4x48xf32>
  return %0 : tensor<4x48xf32>
}
func.func @other_mean(%x: tensor<4x48xf32>) -> tensor<4x48xf32>
    attributes {mirage.equivalent_to = @centered} {
  %c = mirage_kernel.constant dense<48.0> : tensor<1x1xf32>
  %q = mirage_kernel.div %x, %c : (tensor<4x48xf32>, tensor<1x1xf32>) -> tensor<4x48xf32>
  %m = mirage_kernel.reduce sum %q dim(1) keep : (tensor<4x48xf32>) -> tensor<4x1xf32>
  %0 = mirage_kernel.sub %x, %m : (tensor<4x48xf32>, tensor<4x1xf32>) -> tensor<4x48xf32>
  return %0 : tensor<4x48xf32>
}
