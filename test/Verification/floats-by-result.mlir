// Each result is judged by its own error, its own type and its own elements.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>/dev/null | FileCheck %s

// That another result is of f16 allows nothing of a result of f32.
// CHECK: @through_f16 computes what @both_types does: {{.*}}, result 1); {{.*}}refused as numerically unstable: on normal inputs its error in result 1 is {{.*}}e-04, that of the original {{.*}}e-08
func.func @both_types(%x: tensor<64xf32>) -> (tensor<64xf16>, tensor<64xf32>) {
  %h = mirage_kernel.cast %x : tensor<64xf32> to tensor<64xf16>
  %s = mirage_kernel.square %x : (tensor<64xf32>) -> tensor<64xf32>
  return %h, %s : tensor<64xf16>, tensor<64xf32>
}
func.func @through_f16(%x: tensor<64xf32>) -> (tensor<64xf16>, tensor<64xf32>)
    attributes {mirage.equivalent_to = @both_types} {
  %h = mirage_kernel.cast %x : tensor<64xf32> to tensor<64xf16>
  %b = mirage_kernel.cast %h : tensor<64xf16> to tensor<64xf32>
  %s = mirage_kernel.square %b : (tensor<64xf32>) -> tensor<64xf32>
  return %h, %s : tensor<64xf16>, tensor<64xf32>
}

// Nor that the original cancels in another result.
// CHECK: @one_pass_twice computes what @both_variances does: {{.*}}refused as numerically unstable: on offset inputs its error in result 1 is
func.func @both_variances(%x: tensor<16x64xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %s = mirage_kernel.square %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = mirage_kernel.reduce mean %s dim(1) : (tensor<16x64xf32>) -> tensor<16xf32>
  %m = mirage_kernel.reduce mean %x dim(1) : (tensor<16x64xf32>) -> tensor<16xf32>
  %b = mirage_kernel.square %m : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  %1 = mirage_kernel.variance %x dim(1) correction(0.0) : (tensor<16x64xf32>) -> tensor<16xf32>
  return %0, %1 : tensor<16xf32>, tensor<16xf32>
}
func.func @one_pass_twice(%x: tensor<16x64xf32>) -> (tensor<16xf32>, tensor<16xf32>)
    attributes {mirage.equivalent_to = @both_variances} {
  %s = mirage_kernel.square %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %a = mirage_kernel.reduce mean %s dim(1) : (tensor<16x64xf32>) -> tensor<16xf32>
  %m = mirage_kernel.reduce mean %x dim(1) : (tensor<16x64xf32>) -> tensor<16xf32>
  %b = mirage_kernel.square %m : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %a, %b : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  return %0, %0 : tensor<16xf32>, tensor<16xf32>
}

// Some scores overflow f16, in both. Where those of the original don't, the
// candidate's exponentials must not either.
// CHECK: @unshifted computes what @attention does: {{.*}}refused as numerically unstable: on large inputs it is not finite in float64: at {{.*}} it is {{-?(nan|INF)}}, where the original is
func.func @attention(%q: tensor<16x64xf16>, %k: tensor<64x32xf16>, %v: tensor<32x16xf16>) -> tensor<16x16xf16> {
  %r = mirage_kernel.matmul %q, %k : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  %s = mirage_kernel.scale %r by 0.125 : (tensor<16x32xf16>) -> tensor<16x32xf16>
  %p = mirage_kernel.softmax %s dim(1) : (tensor<16x32xf16>) -> tensor<16x32xf16>
  %0 = mirage_kernel.matmul %p, %v : (tensor<16x32xf16>, tensor<32x16xf16>) -> tensor<16x16xf16>
  return %0 : tensor<16x16xf16>
}
func.func @unshifted(%q: tensor<16x64xf16>, %k: tensor<64x32xf16>, %v: tensor<32x16xf16>) -> tensor<16x16xf16>
    attributes {mirage.equivalent_to = @attention} {
  %r = mirage_kernel.matmul %q, %k : (tensor<16x64xf16>, tensor<64x32xf16>) -> tensor<16x32xf16>
  %s = mirage_kernel.scale %r by 0.125 : (tensor<16x32xf16>) -> tensor<16x32xf16>
  %e = mirage_kernel.exp %s : (tensor<16x32xf16>) -> tensor<16x32xf16>
  %d = mirage_kernel.reduce sum %e dim(1) keep : (tensor<16x32xf16>) -> tensor<16x1xf16>
  %o = mirage_kernel.matmul %e, %v : (tensor<16x32xf16>, tensor<32x16xf16>) -> tensor<16x16xf16>
  %0 = mirage_kernel.div %o, %d : (tensor<16x16xf16>, tensor<16x1xf16>) -> tensor<16x16xf16>
  return %0 : tensor<16x16xf16>
}

// Products that overflow f16 where the original's don't.
// CHECK: @large_first computes what @small_first does: {{.*}}refused as numerically unstable: on large inputs its error is INF, {{.*}}; at [{{.*}}] it is {{-?}}INF, where the original is
func.func @small_first(%x: tensor<8x4xf16>, %y: tensor<8x4xf16>) -> tensor<8x4xf16> {
  %a = mirage_kernel.scale %x by 0.015625 : (tensor<8x4xf16>) -> tensor<8x4xf16>
  %0 = mirage_kernel.mul %a, %y : (tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<8x4xf16>
  return %0 : tensor<8x4xf16>
}
func.func @large_first(%x: tensor<8x4xf16>, %y: tensor<8x4xf16>) -> tensor<8x4xf16>
    attributes {mirage.equivalent_to = @small_first} {
  %a = mirage_kernel.scale %x by 256.0 : (tensor<8x4xf16>) -> tensor<8x4xf16>
  %b = mirage_kernel.mul %a, %y : (tensor<8x4xf16>, tensor<8x4xf16>) -> tensor<8x4xf16>
  %0 = mirage_kernel.scale %b by 6.103515625e-05 : (tensor<8x4xf16>) -> tensor<8x4xf16>
  return %0 : tensor<8x4xf16>
}
