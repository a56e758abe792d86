// A candidate's results may have other element types, but not lose digits by
// that: the original's type says how many there are.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=square rhs=square_f16' -o /dev/null | FileCheck %s --check-prefix=COARSE
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=large rhs=large_f16' -o /dev/null | FileCheck %s --check-prefix=RANGE
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=square_f16 rhs=square' -o /dev/null | FileCheck %s --check-prefix=FINE

// COARSE: @square_f16 computes what @square does: proved; {{.*}}refused as numerically unstable: on {{.*}}; it is of type f16, that of the original of f32
// RANGE: @large_f16 computes what @large does: proved; {{.*}}refused as numerically unstable: {{.*}}INF, where the original is {{.*}}; it is of type f16, that of the original of f32
// FINE: @square computes what @square_f16 does: proved
// FINE-NOT: refused
func.func @square(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = mirage_kernel.square %x : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @square_f16(%x: tensor<16xf32>) -> tensor<16xf16> {
  %s = mirage_kernel.square %x : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.cast %s : tensor<16xf32> to tensor<16xf16>
  return %0 : tensor<16xf16>
}
func.func @large(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = mirage_kernel.scale %x by 65536.0 : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @large_f16(%x: tensor<16xf32>) -> tensor<16xf16> {
  %s = mirage_kernel.scale %x by 65536.0 : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.cast %s : tensor<16xf32> to tensor<16xf16>
  return %0 : tensor<16xf16>
}
