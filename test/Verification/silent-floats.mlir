// Where the original is no number for any inputs, floats say nothing, and that
// is no acceptance. Infinities are no numbers that cancel.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>/dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=no_number rhs=shifted' -o /dev/null
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=no_number rhs=shifted check-floats=false' -o /dev/null
// RUN: mirage-opt %s --mirage-verify-equivalence='annotate fail-on-refusal=false' | FileCheck %s --check-prefix=ATTRIBUTE

// CHECK: @shifted computes what @no_number does: proved; not accepted in floating point: floats say nothing of result 0, not finite in the original on any inputs
// ATTRIBUTE: @shifted{{.*}}floats_silent = array<i64: 0>
func.func @no_number(%x: tensor<16xf32>) -> tensor<16xf32> {
  %n = mirage_kernel.square %x : (tensor<16xf32>) -> tensor<16xf32>
  %m = mirage_kernel.scale %n by -1.0 : (tensor<16xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.log %m : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @shifted(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @no_number} {
  %c = mirage_kernel.constant dense<274877906944.0> : tensor<1xf32>
  %n = mirage_kernel.square %x : (tensor<16xf32>) -> tensor<16xf32>
  %m = mirage_kernel.scale %n by -1.0 : (tensor<16xf32>) -> tensor<16xf32>
  %a = mirage_kernel.add %m, %c : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %b = mirage_kernel.sub %a, %c : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.log %b : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// CHECK-NOT: proved
// CHECK: @infinite_shift {{.*}}not finite in float64
func.func @same(%x: tensor<16xf32>) -> tensor<16xf32> {
  return %x : tensor<16xf32>
}
func.func @infinite_shift(%x: tensor<16xf32>) -> tensor<16xf32>
    attributes {mirage.equivalent_to = @same} {
  %c = mirage_kernel.constant dense<0xFF800000> : tensor<1xf32>
  %1 = mirage_kernel.add %x, %c : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  %0 = mirage_kernel.sub %1, %c : (tensor<16xf32>, tensor<1xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
