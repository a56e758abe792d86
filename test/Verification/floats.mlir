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
