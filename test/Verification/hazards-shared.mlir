// Candidates that lose no more than the original does: hazards that both have, and
// other orders of operations. All are accepted.

// RUN: mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>&1 | FileCheck %s

// A quotient by more than one has no pole.
// CHECK: @bounded_maxima computes what @row_scale does: proved
// CHECK-NOT: refused
func.func @row_scale(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = mirage_kernel.scale %a0 by 2.0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
func.func @bounded_maxima(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {mirage.equivalent_to = @row_scale} {
  %0 = mirage_kernel.abs %a0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %3 = mirage_kernel.add %1, %2 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %4 = mirage_kernel.div %a0, %3 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %5 = mirage_kernel.mul %4, %3 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %6 = mirage_kernel.scale %5 by 2.0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %6 : tensor<8x64xf32>
}

// Sums are as large as before.
// CHECK: @right_product computes what @left_product does: proved
// CHECK-NOT: refused
func.func @left_product(%a0: tensor<8x16xf16>, %a1: tensor<16x16xf16>, %a2: tensor<16x8xf16>) -> tensor<8x8xf16> {
  %0 = mirage_kernel.matmul %a0, %a1 : (tensor<8x16xf16>, tensor<16x16xf16>) -> tensor<8x16xf16>
  %1 = mirage_kernel.matmul %0, %a2 : (tensor<8x16xf16>, tensor<16x8xf16>) -> tensor<8x8xf16>
  return %1 : tensor<8x8xf16>
}
func.func @right_product(%a0: tensor<8x16xf16>, %a1: tensor<16x16xf16>, %a2: tensor<16x8xf16>) -> tensor<8x8xf16> attributes {mirage.equivalent_to = @left_product} {
  %0 = mirage_kernel.matmul %a1, %a2 : (tensor<16x16xf16>, tensor<16x8xf16>) -> tensor<16x8xf16>
  %1 = mirage_kernel.matmul %a0, %0 : (tensor<8x16xf16>, tensor<16x8xf16>) -> tensor<8x8xf16>
  return %1 : tensor<8x8xf16>
}

// CHECK: @sum_of_products computes what @product_of_sum does: proved
// CHECK-NOT: refused
func.func @product_of_sum(%a0: tensor<8x64xf16>, %a1: tensor<8x64xf16>, %a2: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %0 = mirage_kernel.add %a0, %a1 : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
  %1 = mirage_kernel.mul %0, %a2 : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
  return %1 : tensor<8x64xf16>
}
func.func @sum_of_products(%a0: tensor<8x64xf16>, %a1: tensor<8x64xf16>, %a2: tensor<8x64xf16>) -> tensor<8x64xf16> attributes {mirage.equivalent_to = @product_of_sum} {
  %0 = mirage_kernel.mul %a0, %a2 : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
  %1 = mirage_kernel.mul %a1, %a2 : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
  %2 = mirage_kernel.add %0, %1 : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
  return %2 : tensor<8x64xf16>
}

// A softmax is shifted by the same maximum.
// CHECK: @exponentials computes what @softmax does: proved
// CHECK-NOT: refused
func.func @softmax(%a0: tensor<8x64xf32>, %a1: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = mirage_kernel.add %a0, %a1 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.softmax %0 dim(1) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
func.func @exponentials(%a0: tensor<8x64xf32>, %a1: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {mirage.equivalent_to = @softmax} {
  %0 = mirage_kernel.add %a0, %a1 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.sub %0, %1 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.exp %2 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.reduce sum %3 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %5 = mirage_kernel.div %3, %4 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  return %5 : tensor<8x64xf32>
}

// CHECK: @squares_in_f32 computes what @normalized does: proved
// CHECK-NOT: refused
func.func @normalized(%a0: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %0 = mirage_kernel.rms_norm %a0 epsilon(1.0e-05) : (tensor<8x64xf16>) -> tensor<8x64xf16>
  return %0 : tensor<8x64xf16>
}
func.func @squares_in_f32(%a0: tensor<8x64xf16>) -> tensor<8x64xf16> attributes {mirage.equivalent_to = @normalized} {
  %0 = mirage_kernel.cast %a0 : tensor<8x64xf16> to tensor<8x64xf32>
  %1 = mirage_kernel.square %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.reduce sum %1 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %3 = mirage_kernel.scale %2 by 0.015625 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %4 = mirage_kernel.constant dense<1.0e-05> : tensor<1x1xf32>
  %5 = mirage_kernel.add %3, %4 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %6 = mirage_kernel.rsqrt %5 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = mirage_kernel.mul %0, %6 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %8 = mirage_kernel.cast %7 : tensor<8x64xf32> to tensor<8x64xf16>
  return %8 : tensor<8x64xf16>
}

// The scale may come first in f32.
// CHECK: @product_of_scaled computes what @scaled_product does: proved
// CHECK-NOT: refused
func.func @scaled_product(%a0: tensor<8x16xf32>, %a1: tensor<16x8xf32>) -> tensor<8x8xf32> {
  %0 = mirage_kernel.matmul %a0, %a1 : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  %1 = mirage_kernel.scale %0 by 0.125 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func @product_of_scaled(%a0: tensor<8x16xf32>, %a1: tensor<16x8xf32>) -> tensor<8x8xf32> attributes {mirage.equivalent_to = @scaled_product} {
  %0 = mirage_kernel.scale %a0 by 0.125 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = mirage_kernel.matmul %0, %a1 : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK: @sum_of_scaled computes what @scaled_sum does: proved
// CHECK-NOT: refused
func.func @scaled_sum(%a0: tensor<8x64xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.reduce sum %a0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %1 = mirage_kernel.scale %0 by 0.015625 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}
func.func @sum_of_scaled(%a0: tensor<8x64xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @scaled_sum} {
  %0 = mirage_kernel.scale %a0 by 0.015625 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.reduce sum %0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  return %1 : tensor<8x1xf32>
}

// Both have the pole.
// CHECK: @scaled_quotient computes what @quotient_of_scaled does: proved
// CHECK-NOT: refused
func.func @quotient_of_scaled(%a0: tensor<8x64xf16>, %a1: tensor<8x64xf16>) -> tensor<8x64xf16> {
  %0 = mirage_kernel.scale %a0 by 0.5 : (tensor<8x64xf16>) -> tensor<8x64xf16>
  %1 = mirage_kernel.div %0, %a1 : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
  return %1 : tensor<8x64xf16>
}
func.func @scaled_quotient(%a0: tensor<8x64xf16>, %a1: tensor<8x64xf16>) -> tensor<8x64xf16> attributes {mirage.equivalent_to = @quotient_of_scaled} {
  %0 = mirage_kernel.div %a0, %a1 : (tensor<8x64xf16>, tensor<8x64xf16>) -> tensor<8x64xf16>
  %1 = mirage_kernel.scale %0 by 0.5 : (tensor<8x64xf16>) -> tensor<8x64xf16>
  return %1 : tensor<8x64xf16>
}

// Types of few digits round as often.
// CHECK: @sum_of_halves computes what @narrow_sum does: proved
// CHECK-NOT: refused
func.func @narrow_sum(%a0: tensor<8x64xf32>) -> tensor<8x1xf8E4M3FN> {
  %0 = mirage_kernel.reduce sum %a0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %1 = mirage_kernel.cast %0 : tensor<8x1xf32> to tensor<8x1xf8E4M3FN>
  return %1 : tensor<8x1xf8E4M3FN>
}
func.func @sum_of_halves(%a0: tensor<8x64xf32>) -> tensor<8x1xf8E4M3FN> attributes {mirage.equivalent_to = @narrow_sum} {
  %0 = mirage_kernel.slice %a0[0, 0] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %1 = mirage_kernel.reduce sum %0 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.slice %a0[0, 32] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %3 = mirage_kernel.reduce sum %2 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %4 = mirage_kernel.add %1, %3 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %5 = mirage_kernel.cast %4 : tensor<8x1xf32> to tensor<8x1xf8E4M3FN>
  return %5 : tensor<8x1xf8E4M3FN>
}

// CHECK: @narrow_scaled computes what @scaled_narrow does: proved
// CHECK-NOT: refused
func.func @scaled_narrow(%a0: tensor<8x64xf32>) -> tensor<8x1xf8E5M2> {
  %0 = mirage_kernel.reduce sum %a0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %1 = mirage_kernel.scale %0 by 0.5 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.cast %1 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  return %2 : tensor<8x1xf8E5M2>
}
func.func @narrow_scaled(%a0: tensor<8x64xf32>) -> tensor<8x1xf8E5M2> attributes {mirage.equivalent_to = @scaled_narrow} {
  %0 = mirage_kernel.scale %a0 by 0.5 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.reduce sum %0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.cast %1 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  return %2 : tensor<8x1xf8E5M2>
}
