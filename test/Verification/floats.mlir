// Programs that compute the same by the laws of exact arithmetic, but not in
// floating point.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>/dev/null | FileCheck %s
// RUN: mirage-opt %s --mirage-verify-equivalence=check-floats=false -o /dev/null | FileCheck %s --check-prefix=EXACT

// EXACT: @unshifted computes what @softmax does
// EXACT-NOT: refused
// EXACT: @one_pass computes what @variance does
// EXACT-NOT: refused

// Exponentials overflow for large inputs.
// CHECK: @unshifted computes what @softmax does: {{.*}}; refused as numerically unstable: on large inputs its error is {{.*}}, that of the original {{.*}}e-{{.*}}
func.func @softmax(%x: tensor<16x64xf32>) -> tensor<16x64xf32> {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
func.func @unshifted(%x: tensor<16x64xf32>) -> tensor<16x64xf32>
    attributes {mirage.equivalent_to = @softmax} {
  %e = mirage_kernel.exp %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %d = mirage_kernel.reduce sum %e dim(1) keep : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %0 = mirage_kernel.div %e, %d : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}

// mean(x^2) - mean(x)^2 cancels where the mean is large.
// CHECK: @one_pass computes what @variance does: {{.*}}; refused as numerically unstable: on offset inputs its error is
func.func @variance(%x: tensor<16x64xf32>) -> tensor<16xf32> {
  %0 = mirage_kernel.variance %x dim(1) correction(0.0) : (tensor<16x64xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @one_pass(%x: tensor<16x64xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @variance} {
  %s = mirage_kernel.square %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = mirage_kernel.reduce mean %s dim(1) : (tensor<16x64xf32>) -> tensor<16xf32>
  %m = mirage_kernel.reduce mean %x dim(1) : (tensor<16x64xf32>) -> tensor<16xf32>
  %b = mirage_kernel.square %m : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Digits that f64 loses and the rounding to f16 hides.
// CHECK: @through_large computes what @same does: {{.*}}; in float64 the two differ by up to {{.*}}; refused as numerically unstable: on normal inputs its results in float64 differ by {{.*}}e-{{.*}} from the original's, whose own error is at most 0.00e+00; at most 1.89e-15 is allowed
func.func @same(%x: tensor<16xf16>) -> tensor<16xf16> {
  return %x : tensor<16xf16>
}
func.func @through_large(%x: tensor<16xf16>) -> tensor<16xf16>
    attributes {mirage.equivalent_to = @same} {
  %c = mirage_kernel.constant dense<274877906944.0> : tensor<1xf64>
  %0 = mirage_kernel.cast %x : tensor<16xf16> to tensor<16xf64>
  %1 = mirage_kernel.add %0, %c : (tensor<16xf64>, tensor<1xf64>) -> tensor<16xf64>
  %2 = mirage_kernel.sub %1, %c : (tensor<16xf64>, tensor<1xf64>) -> tensor<16xf64>
  %3 = mirage_kernel.cast %2 : tensor<16xf64> to tensor<16xf16>
  return %3 : tensor<16xf16>
}

// log2(e) rounded to f32 is what float64 shows, and no instability.
// CHECK: @exp_by_exp2 computes what @exp does: {{.*}}; in float64 the two differ by up to {{.*}}e-0{{[6-8]}} ({{.*}} inputs{{.*}})
// CHECK-NOT: refused
func.func @exp(%x: tensor<16xf32>) -> tensor<16xf32> {
  %y = mirage_kernel.scale %x by 0.015625 : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.exp %y : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @exp_by_exp2(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @exp} {
  %y = mirage_kernel.scale %x by 0.015625 : (tensor<16xf32>) -> tensor<16xf32>
  %s = mirage_kernel.scale %y by 1.4426950216293335 : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.exp2 %s : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// Another order of sums.
// CHECK: @halves computes what @sum does: {{.*}}; in float64 the two differ by up to {{[1-9].*}}e-1{{.*}} inputs)
// CHECK-NOT: refused
func.func @sum(%x: tensor<4x512xf32>) -> tensor<4xf32> {
  %y = mirage_kernel.square %x : (tensor<4x512xf32>) -> tensor<4x512xf32>
  %0 = mirage_kernel.reduce sum %y dim(1) : (tensor<4x512xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @halves(%x: tensor<4x512xf32>) -> tensor<4xf32>
    attributes {mirage.equivalent_to = @sum} {
  %y = mirage_kernel.square %x : (tensor<4x512xf32>) -> tensor<4x512xf32>
  %0 = mirage_kernel.reduce sum %y dim(1) group(16) : (tensor<4x512xf32>) -> tensor<4x32xf32>
  %1 = mirage_kernel.reduce sum %0 dim(1) : (tensor<4x32xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
