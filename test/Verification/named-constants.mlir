// sqrt 2 rounded to f16, and the same number kept exactly in f32: other numbers
// where exp2 does not let constants be what they are, but no refutation.
//
// RUN: mirage-opt %s --mirage-verify-equivalence=parts=false -verify-diagnostics -split-input-file -o /dev/null | FileCheck %s

// CHECK: @wide may or may not compute what @narrow does: unknown, the results differ by the laws that are known of named constants; floats show no difference
func.func @narrow(%x: tensor<4xf16>) -> tensor<4xf16> {
  %c = mirage_kernel.constant dense<1.4140625> : tensor<1xf16>
  %e = mirage_kernel.exp2 %x : (tensor<4xf16>) -> tensor<4xf16>
  %0 = mirage_kernel.div %e, %c : (tensor<4xf16>, tensor<1xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
// expected-remark @+1 {{floats show no difference}}
func.func @wide(%x: tensor<4xf16>) -> tensor<4xf16> attributes {mirage.equivalent_to = @narrow} {
  %c = mirage_kernel.constant dense<1.4140625> : tensor<1xf32>
  %e = mirage_kernel.exp2 %x : (tensor<4xf16>) -> tensor<4xf16>
  %a = mirage_kernel.cast %e : tensor<4xf16> to tensor<4xf32>
  %0 = mirage_kernel.div %a, %c : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.cast %0 : tensor<4xf32> to tensor<4xf16>
  return %1 : tensor<4xf16>
}

// -----

// Twice is not the rounding of a constant.
// CHECK: @double does not compute what @single does: refuted
// CHECK-SAME: in float64
func.func @single(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.scale %x by 1.44269502 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @double(%x: tensor<4xf32>) -> tensor<4xf32> attributes {mirage.equivalent_to = @single} {
  %0 = mirage_kernel.scale %x by 2.88539004 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What was taken for what is part of the answer: these factors are ln 2 and
// log2(e) rounded to f16, whose product is not one.
// CHECK: @twice_rounded computes what @once does: proved, taking 0.693359 for ln(2), 1.44238 for log2(e)
func.func @once(%x: tensor<4xf16>) -> tensor<4xf16> {
  return %x : tensor<4xf16>
}
func.func @twice_rounded(%x: tensor<4xf16>) -> tensor<4xf16> attributes {mirage.equivalent_to = @once} {
  %0 = mirage_kernel.scale %x by 0.693359375 : (tensor<4xf16>) -> tensor<4xf16>
  %1 = mirage_kernel.scale %0 by 1.4423828125 : (tensor<4xf16>) -> tensor<4xf16>
  return %1 : tensor<4xf16>
}

// -----

// Constants are compared as they are first: nothing is taken for what it isn't.
// CHECK: @summands computes what @factor does: proved;
func.func @factor(%x: tensor<4xf16>) -> tensor<4xf16> {
  %0 = mirage_kernel.scale %x by 2.080078125 : (tensor<4xf16>) -> tensor<4xf16>
  return %0 : tensor<4xf16>
}
func.func @summands(%x: tensor<4xf16>) -> tensor<4xf16> attributes {mirage.equivalent_to = @factor} {
  %0 = mirage_kernel.scale %x by 2.0 : (tensor<4xf16>) -> tensor<4xf16>
  %1 = mirage_kernel.scale %x by 0.080078125 : (tensor<4xf16>) -> tensor<4xf16>
  %2 = mirage_kernel.add %0, %1 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %2 : tensor<4xf16>
}

// -----

// Attributes are constants, too: a factor of scores and a bound, in f64 and in f32.
// CHECK: @rounded_scale computes what @scale does: proved, taking 0.0883883 for {{.*}}sqrt(2)
func.func @scale(%q: tensor<2x4x128xf32>, %k: tensor<2x8x128xf32>, %v: tensor<2x8x4xf32>) -> tensor<2x4x4xf32> {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.08838834764831845) : (tensor<2x4x128xf32>, tensor<2x8x128xf32>, tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}
func.func @rounded_scale(%q: tensor<2x4x128xf32>, %k: tensor<2x8x128xf32>, %v: tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
    attributes {mirage.equivalent_to = @scale} {
  %0 = mirage_kernel.attention %q, %k, %v scale(0.0883883461356163) : (tensor<2x4x128xf32>, tensor<2x8x128xf32>, tensor<2x8x4xf32>) -> tensor<2x4x4xf32>
  return %0 : tensor<2x4x4xf32>
}

// -----

// CHECK: @rounded_bound computes what @bound does: proved, taking 0.693147 for ln(2)
func.func @bound(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = mirage_kernel.clamp %x lower(0.0) upper(0.6931471805599453) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @rounded_bound(%x: tensor<16xf32>) -> tensor<16xf32> attributes {mirage.equivalent_to = @bound} {
  %0 = mirage_kernel.clamp %x lower(0.0) upper(0.6931471824645996) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// The same number is taken for none.
// CHECK: @same_bound computes what @one_bound does: proved;
func.func @one_bound(%x: tensor<16xf32>) -> tensor<16xf32> {
  %0 = mirage_kernel.clamp %x lower(0.0) upper(0.6931471805599453) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}
func.func @same_bound(%x: tensor<16xf32>) -> tensor<16xf32> attributes {mirage.equivalent_to = @one_bound} {
  %0 = mirage_kernel.clamp %x lower(0.0) upper(0.6931471805599453) : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// -----

// The factor of scores of 80 columns, in one number with that of the base.
// CHECK: @base_two computes what @base_e does: proved, taking 0.111803 for 1/20 sqrt(5), 0.161298 for 1/20 log2(e) sqrt(5)
func.func @base_e(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = mirage_kernel.scale %x by 0.11180339887498948 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = mirage_kernel.softmax %0 dim(1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
func.func @base_two(%x: tensor<8x16xf32>) -> tensor<8x16xf32>
    attributes {mirage.equivalent_to = @base_e} {
  %0 = mirage_kernel.scale %x by 0.16129820911147805 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.sub %0, %1 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %3 = mirage_kernel.exp2 %2 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %4 = mirage_kernel.reduce sum %3 dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %5 = mirage_kernel.div %3, %4 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %5 : tensor<8x16xf32>
}

// -----

// Half of the scale on either side, and scales of 80 and 81 columns.
// CHECK: @on_both_sides computes what @behind does: proved, taking
// CHECK: @of_one_column_more does not compute what @behind does: refuted
func.func @behind(%q: tensor<4x80xf32>, %k: tensor<8x80xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<4x80xf32>, tensor<8x80xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.scale %0 by 0.11180339887498948 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
func.func @on_both_sides(%q: tensor<4x80xf32>, %k: tensor<8x80xf32>) -> tensor<4x8xf32>
    attributes {mirage.equivalent_to = @behind} {
  %0 = mirage_kernel.scale %q by 0.334370152488211 : (tensor<4x80xf32>) -> tensor<4x80xf32>
  %1 = mirage_kernel.scale %k by 0.334370152488211 : (tensor<8x80xf32>) -> tensor<8x80xf32>
  %2 = mirage_kernel.matmul %0, %1 transpose_rhs : (tensor<4x80xf32>, tensor<8x80xf32>) -> tensor<4x8xf32>
  return %2 : tensor<4x8xf32>
}
func.func @of_one_column_more(%q: tensor<4x80xf32>, %k: tensor<8x80xf32>) -> tensor<4x8xf32>
    attributes {mirage.equivalent_to = @behind} {
  %0 = mirage_kernel.matmul %q, %k transpose_rhs : (tensor<4x80xf32>, tensor<8x80xf32>) -> tensor<4x8xf32>
  %1 = mirage_kernel.scale %0 by 0.1111111111111111 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
