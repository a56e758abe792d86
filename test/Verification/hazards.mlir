// Candidates that are equal by exact arithmetic, and lose on some inputs what the
// original keeps: new poles, infinities of masks, small and large arguments, narrow
// intermediate values, types of few digits. Each is refused on inputs that show it,
// with a remark at the operation that loses it.

// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err

// The quotient of a row that is zero has no value.
// CHECK: @row_maxima computes what @row_scale does: proved{{.*}}refused as numerically unstable: on masked inputs with 0 in argument 0
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.div
func.func @row_scale(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = mirage_kernel.scale %a0 by 2.0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %0 : tensor<8x64xf32>
}
func.func @row_maxima(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {mirage.equivalent_to = @row_scale} {
  %0 = mirage_kernel.abs %a0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.div %a0, %1 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.mul %2, %1 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.scale %3 by 2.0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %4 : tensor<8x64xf32>
}

// A column that is zero makes the whole result NaN.
// CHECK: @smooth_quantization computes what @product does: proved{{.*}}refused as numerically unstable: on masked inputs with 0 in argument 0
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.div
func.func @product(%a0: tensor<16x64xf32>, %a1: tensor<64x32xf32>) -> (tensor<16x32xf32>) {
  %0 = mirage_kernel.matmul %a0, %a1 : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
func.func @smooth_quantization(%a0: tensor<16x64xf32>, %a1: tensor<64x32xf32>) -> (tensor<16x32xf32>) attributes {mirage.equivalent_to = @product} {
  %0 = mirage_kernel.abs %a0 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = mirage_kernel.reduce max %0 dim(0) keep : (tensor<16x64xf32>) -> tensor<1x64xf32>
  %2 = mirage_kernel.div %a0, %1 : (tensor<16x64xf32>, tensor<1x64xf32>) -> tensor<16x64xf32>
  %3 = mirage_kernel.reshape %1 : tensor<1x64xf32> to tensor<64x1xf32>
  %4 = mirage_kernel.mul %a1, %3 : (tensor<64x32xf32>, tensor<64x1xf32>) -> tensor<64x32xf32>
  %5 = mirage_kernel.matmul %2, %4 : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  return %5 : tensor<16x32xf32>
}

// x / sqrt(x) and sqrt(x) differ for zero.
// CHECK: @root_by_inverse computes what @root does: proved{{.*}}refused as numerically unstable: on masked inputs with 0 in argument 0
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.rsqrt
func.func @root(%a0: tensor<16x64xf32>) -> (tensor<16x64xf32>) {
  %0 = mirage_kernel.sqrt %a0 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
func.func @root_by_inverse(%a0: tensor<16x64xf32>) -> (tensor<16x64xf32>) attributes {mirage.equivalent_to = @root} {
  %0 = mirage_kernel.rsqrt %a0 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = mirage_kernel.mul %a0, %0 : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %1 : tensor<16x64xf32>
}

// A part of which everything is hidden has no mean.
// CHECK: @means_of_parts computes what @weighted_mean does: proved{{.*}}refused as numerically unstable: on {{.*}} inputs
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.div
func.func @weighted_mean(%a0: tensor<8x64xf32>, %a1: tensor<8x64xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.relu %a1 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.mul %a0, %0 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.reduce sum %1 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %3 = mirage_kernel.relu %a1 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.reduce sum %3 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %5 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %6 = mirage_kernel.add %4, %5 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %7 = mirage_kernel.div %2, %6 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %7 : tensor<8x1xf32>
}
func.func @means_of_parts(%a0: tensor<8x64xf32>, %a1: tensor<8x64xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @weighted_mean} {
  %0 = mirage_kernel.slice %a0[0, 0] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %1 = mirage_kernel.slice %a1[0, 0] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %2 = mirage_kernel.relu %1 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %3 = mirage_kernel.reduce sum %2 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %4 = mirage_kernel.mul %0, %2 : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
  %5 = mirage_kernel.reduce sum %4 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %6 = mirage_kernel.div %5, %3 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = mirage_kernel.slice %a0[0, 32] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %8 = mirage_kernel.slice %a1[0, 32] [8, 32] [1, 1] : (tensor<8x64xf32>) -> tensor<8x32xf32>
  %9 = mirage_kernel.relu %8 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %10 = mirage_kernel.reduce sum %9 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %11 = mirage_kernel.mul %7, %9 : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
  %12 = mirage_kernel.reduce sum %11 dim(1) keep : (tensor<8x32xf32>) -> tensor<8x1xf32>
  %13 = mirage_kernel.div %12, %10 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %14 = mirage_kernel.mul %6, %3 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %15 = mirage_kernel.mul %13, %10 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %16 = mirage_kernel.add %14, %15 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %17 = mirage_kernel.add %3, %10 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %18 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %19 = mirage_kernel.add %17, %18 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %20 = mirage_kernel.div %16, %19 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %20 : tensor<8x1xf32>
}

// A row that a mask hides is -inf, not NaN.
// CHECK: @shifted_mask computes what @masked_scores does: proved{{.*}}refused as numerically unstable: on masked inputs with -inf in argument 1 it is no infinity in float64
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.add
func.func @masked_scores(%a0: tensor<16x64xf32>, %a1: tensor<16x64xf32>) -> (tensor<16x64xf32>) {
  %0 = mirage_kernel.add %a0, %a1 : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %0 : tensor<16x64xf32>
}
func.func @shifted_mask(%a0: tensor<16x64xf32>, %a1: tensor<16x64xf32>) -> (tensor<16x64xf32>) attributes {mirage.equivalent_to = @masked_scores} {
  %0 = mirage_kernel.reduce max %a1 dim(1) keep : (tensor<16x64xf32>) -> tensor<16x1xf32>
  %1 = mirage_kernel.sub %a0, %0 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %2 = mirage_kernel.add %a1, %0 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
  %3 = mirage_kernel.add %1, %2 : (tensor<16x64xf32>, tensor<16x64xf32>) -> tensor<16x64xf32>
  return %3 : tensor<16x64xf32>
}

// The same of a logarithm of a sum of exponentials.
// CHECK: @shifted_logarithm computes what @plain_logarithm does: proved{{.*}}refused as numerically unstable: on masked inputs with -inf in argument
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.sub
func.func @plain_logarithm(%a0: tensor<8x64xf32>, %a1: tensor<8x64xf32>) -> tensor<8x1xf32> {
  %0 = mirage_kernel.add %a0, %a1 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.exp %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.reduce sum %1 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %3 = mirage_kernel.log %2 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  return %3 : tensor<8x1xf32>
}
func.func @shifted_logarithm(%a0: tensor<8x64xf32>, %a1: tensor<8x64xf32>) -> tensor<8x1xf32> attributes {mirage.equivalent_to = @plain_logarithm} {
  %0 = mirage_kernel.add %a0, %a1 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.reduce max %0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.sub %0, %1 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.exp %2 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.reduce sum %3 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %5 = mirage_kernel.log %4 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %6 = mirage_kernel.add %5, %1 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  return %6 : tensor<8x1xf32>
}

// Small arguments cancel.
// CHECK: @root_less_one computes what @small_root does: proved{{.*}}refused as numerically unstable: on
// REMARK: remark: this operation cancels on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.sub
func.func @small_root(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = mirage_kernel.square %a0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %2 = mirage_kernel.add %0, %1 : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.sqrt %2 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %5 = mirage_kernel.add %3, %4 : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  %6 = mirage_kernel.div %0, %5 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %6 : tensor<8x64xf32>
}
func.func @root_less_one(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {mirage.equivalent_to = @small_root} {
  %0 = mirage_kernel.square %a0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %2 = mirage_kernel.add %0, %1 : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.sqrt %2 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %5 = mirage_kernel.sub %3, %4 : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  return %5 : tensor<8x64xf32>
}

// CHECK: @exponential_less_one computes what @small_exponential does: proved{{.*}}refused as numerically unstable: on
// REMARK: remark: this operation cancels on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.sub
func.func @small_exponential(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = mirage_kernel.scale %a0 by 0.5 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.tanh %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.exp %a0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %4 = mirage_kernel.add %2, %3 : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  %5 = mirage_kernel.mul %1, %4 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %5 : tensor<8x64xf32>
}
func.func @exponential_less_one(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {mirage.equivalent_to = @small_exponential} {
  %0 = mirage_kernel.exp %a0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %2 = mirage_kernel.sub %0, %1 : (tensor<8x64xf32>, tensor<1x1xf32>) -> tensor<8x64xf32>
  return %2 : tensor<8x64xf32>
}

// Squares of f16 vanish.
// CHECK: @narrow_squares computes what @rms_norm does: proved{{.*}}refused as numerically unstable: on scaled inputs
// REMARK: remark: this operation underflows on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.square
func.func @rms_norm(%a0: tensor<8x64xf16>) -> (tensor<8x64xf16>) {
  %0 = mirage_kernel.cast %a0 : tensor<8x64xf16> to tensor<8x64xf32>
  %1 = mirage_kernel.rms_norm %0 epsilon(9.5367431640625e-07) : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.cast %1 : tensor<8x64xf32> to tensor<8x64xf16>
  return %2 : tensor<8x64xf16>
}
func.func @narrow_squares(%a0: tensor<8x64xf16>) -> (tensor<8x64xf16>) attributes {mirage.equivalent_to = @rms_norm} {
  %0 = mirage_kernel.scale %a0 by 0.00390625 : (tensor<8x64xf16>) -> tensor<8x64xf16>
  %1 = mirage_kernel.square %0 : (tensor<8x64xf16>) -> tensor<8x64xf16>
  %2 = mirage_kernel.reduce sum %1 dim(1) keep : (tensor<8x64xf16>) -> tensor<8x1xf32>
  %3 = mirage_kernel.scale %2 by 1024.0 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %4 = mirage_kernel.constant dense<9.5367431640625e-07> : tensor<1x1xf32>
  %5 = mirage_kernel.add %3, %4 : (tensor<8x1xf32>, tensor<1x1xf32>) -> tensor<8x1xf32>
  %6 = mirage_kernel.rsqrt %5 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %7 = mirage_kernel.cast %a0 : tensor<8x64xf16> to tensor<8x64xf32>
  %8 = mirage_kernel.mul %7, %6 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %9 = mirage_kernel.cast %8 : tensor<8x64xf32> to tensor<8x64xf16>
  return %9 : tensor<8x64xf16>
}

// A product of f16 overflows where the quotients don't.
// CHECK: @quotient_of_product computes what @two_quotients does: proved{{.*}}refused as numerically unstable: on scaled inputs (argument 0 of 512, argument 1 of 512, argument 2 of 512)
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.mul
func.func @two_quotients(%a0: tensor<16x64xf16>, %a1: tensor<16x64xf16>, %a2: tensor<16x64xf16>) -> (tensor<16x64xf16>) {
  %0 = mirage_kernel.div %a0, %a1 : (tensor<16x64xf16>, tensor<16x64xf16>) -> tensor<16x64xf16>
  %1 = mirage_kernel.div %0, %a2 : (tensor<16x64xf16>, tensor<16x64xf16>) -> tensor<16x64xf16>
  return %1 : tensor<16x64xf16>
}
func.func @quotient_of_product(%a0: tensor<16x64xf16>, %a1: tensor<16x64xf16>, %a2: tensor<16x64xf16>) -> (tensor<16x64xf16>) attributes {mirage.equivalent_to = @two_quotients} {
  %0 = mirage_kernel.mul %a1, %a2 : (tensor<16x64xf16>, tensor<16x64xf16>) -> tensor<16x64xf16>
  %1 = mirage_kernel.div %a0, %0 : (tensor<16x64xf16>, tensor<16x64xf16>) -> tensor<16x64xf16>
  return %1 : tensor<16x64xf16>
}

// Exponentials behind a scale overflow for arguments that are large enough.
// CHECK: @unshifted_softmax computes what @shifted_softmax does: proved{{.*}}refused as numerically unstable: on scaled inputs
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_block.exp
func.func @shifted_softmax(%a0: tensor<32x64xf32>, %a1: tensor<64x16xf32>) -> (tensor<32x16xf32>) {
  %0 = mirage_kernel.scale %a0 by 0.125 : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %1 = mirage_kernel.softmax %0 dim(1) : (tensor<32x64xf32>) -> tensor<32x64xf32>
  %2 = mirage_kernel.matmul %1, %a1 : (tensor<32x64xf32>, tensor<64x16xf32>) -> tensor<32x16xf32>
  return %2 : tensor<32x16xf32>
}
func.func @unshifted_softmax(%a0: tensor<32x64xf32>, %a1: tensor<64x16xf32>) -> (tensor<32x16xf32>) attributes {mirage.equivalent_to = @shifted_softmax} {
  %0 = mirage_kernel.launch grid(x = 4) (%1 = %a0 : tensor<32x64xf32>, %2 = %a1 : tensor<64x16xf32>) -> (tensor<32x16xf32>) {
    %3:2 = mirage_block.for %4 = 0 to 4 -> (tensor<8x16xf32>, tensor<8x1xf32>) {
      %5 = mirage_block.load %1 imap(x -> 0) fmap(%4 -> 1) : tensor<32x64xf32> to tensor<8x16xf32>
      %6 = mirage_block.scale %5 by 0.125 : (tensor<8x16xf32>) -> tensor<8x16xf32>
      %7 = mirage_block.load %2 imap(x -> phi) fmap(%4 -> 0) : tensor<64x16xf32> to tensor<16x16xf32>
      %8 = mirage_block.exp %6 : (tensor<8x16xf32>) -> tensor<8x16xf32>
      %9 = mirage_block.matmul %8, %7 : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
      %10 = mirage_block.reduce sum %8 dim(1) keep : (tensor<8x16xf32>) -> tensor<8x1xf32>
      %11 = mirage_block.accumulate sum %9 : (tensor<8x16xf32>) -> tensor<8x16xf32>
      %12 = mirage_block.accumulate sum %10 : (tensor<8x1xf32>) -> tensor<8x1xf32>
      mirage_block.yield %11, %12 : tensor<8x16xf32>, tensor<8x1xf32>
    }
    %13 = mirage_block.div %3#0, %3#1 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
    %14 = mirage_block.store %13 omap(x -> 0) : tensor<8x16xf32> to tensor<32x16xf32>
    mirage_block.yield %14 : tensor<32x16xf32>
  }
  return %0 : tensor<32x16xf32>
}

// CHECK: @quotient_of_exponentials computes what @tanh does: proved{{.*}}refused as numerically unstable: on
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.exp
func.func @tanh(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %0 = mirage_kernel.scale %a0 by 0.125 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.tanh %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  return %1 : tensor<8x64xf32>
}
func.func @quotient_of_exponentials(%a0: tensor<8x64xf32>) -> tensor<8x64xf32> attributes {mirage.equivalent_to = @tanh} {
  %0 = mirage_kernel.scale %a0 by 0.125 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.exp %0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = mirage_kernel.scale %0 by -1.0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %3 = mirage_kernel.exp %2 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %4 = mirage_kernel.sub %1, %3 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %5 = mirage_kernel.add %1, %3 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %6 = mirage_kernel.div %4, %5 : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  return %6 : tensor<8x64xf32>
}

// The candidate is zero. Sixteen units of the last place would be all of the result.
// CHECK: @zeros computes what @relu does: proved{{.*}}refused as numerically unstable: on normal inputs its error is {{.*}}; at most 2.50e-01 is allowed
// REMARK: remark: this operation underflows on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.cast
func.func @relu(%a0: tensor<16x64xf32>) -> (tensor<16x64xf8E4M3FN>) {
  %0 = mirage_kernel.relu %a0 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = mirage_kernel.cast %0 : tensor<16x64xf32> to tensor<16x64xf8E4M3FN>
  return %1 : tensor<16x64xf8E4M3FN>
}
func.func @zeros(%a0: tensor<16x64xf32>) -> (tensor<16x64xf8E4M3FN>) attributes {mirage.equivalent_to = @relu} {
  %0 = mirage_kernel.relu %a0 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %1 = mirage_kernel.scale %0 by 0.00048828125 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %2 = mirage_kernel.cast %1 : tensor<16x64xf32> to tensor<16x64xf8E4M3FN>
  %3 = mirage_kernel.cast %2 : tensor<16x64xf8E4M3FN> to tensor<16x64xf32>
  %4 = mirage_kernel.scale %3 by 2048.0 : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %5 = mirage_kernel.cast %4 : tensor<16x64xf32> to tensor<16x64xf8E4M3FN>
  return %5 : tensor<16x64xf8E4M3FN>
}

// Sums so far are rounded to two bits.
// CHECK: @narrow_sums computes what @sum_of_absolutes does: proved{{.*}}refused as numerically unstable: on
// REMARK: remark: this operation rounds to few digits on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.cast
func.func @sum_of_absolutes(%a0: tensor<8x64xf32>) -> tensor<8x1xf8E5M2> {
  %0 = mirage_kernel.abs %a0 : (tensor<8x64xf32>) -> tensor<8x64xf32>
  %1 = mirage_kernel.reduce sum %0 dim(1) keep : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %2 = mirage_kernel.cast %1 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  return %2 : tensor<8x1xf8E5M2>
}
func.func @narrow_sums(%a0: tensor<8x64xf32>) -> tensor<8x1xf8E5M2> attributes {mirage.equivalent_to = @sum_of_absolutes} {
  %0 = mirage_kernel.slice %a0[0, 0] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %1 = mirage_kernel.abs %0 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = mirage_kernel.reduce sum %1 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %3 = mirage_kernel.cast %2 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %4 = mirage_kernel.slice %a0[0, 8] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %5 = mirage_kernel.abs %4 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %6 = mirage_kernel.reduce sum %5 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %7 = mirage_kernel.cast %6 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %8 = mirage_kernel.slice %a0[0, 16] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %9 = mirage_kernel.abs %8 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %10 = mirage_kernel.reduce sum %9 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %11 = mirage_kernel.cast %10 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %12 = mirage_kernel.slice %a0[0, 24] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %13 = mirage_kernel.abs %12 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %14 = mirage_kernel.reduce sum %13 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %15 = mirage_kernel.cast %14 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %16 = mirage_kernel.slice %a0[0, 32] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %17 = mirage_kernel.abs %16 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %18 = mirage_kernel.reduce sum %17 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %19 = mirage_kernel.cast %18 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %20 = mirage_kernel.slice %a0[0, 40] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %21 = mirage_kernel.abs %20 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %22 = mirage_kernel.reduce sum %21 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %23 = mirage_kernel.cast %22 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %24 = mirage_kernel.slice %a0[0, 48] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %25 = mirage_kernel.abs %24 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %26 = mirage_kernel.reduce sum %25 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %27 = mirage_kernel.cast %26 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %28 = mirage_kernel.slice %a0[0, 56] [8, 8] [1, 1] : (tensor<8x64xf32>) -> tensor<8x8xf32>
  %29 = mirage_kernel.abs %28 : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %30 = mirage_kernel.reduce sum %29 dim(1) keep : (tensor<8x8xf32>) -> tensor<8x1xf32>
  %31 = mirage_kernel.cast %30 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %32 = mirage_kernel.cast %3 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %33 = mirage_kernel.cast %7 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %34 = mirage_kernel.add %32, %33 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %35 = mirage_kernel.cast %34 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %36 = mirage_kernel.cast %35 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %37 = mirage_kernel.cast %11 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %38 = mirage_kernel.add %36, %37 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %39 = mirage_kernel.cast %38 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %40 = mirage_kernel.cast %39 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %41 = mirage_kernel.cast %15 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %42 = mirage_kernel.add %40, %41 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %43 = mirage_kernel.cast %42 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %44 = mirage_kernel.cast %43 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %45 = mirage_kernel.cast %19 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %46 = mirage_kernel.add %44, %45 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %47 = mirage_kernel.cast %46 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %48 = mirage_kernel.cast %47 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %49 = mirage_kernel.cast %23 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %50 = mirage_kernel.add %48, %49 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %51 = mirage_kernel.cast %50 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %52 = mirage_kernel.cast %51 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %53 = mirage_kernel.cast %27 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %54 = mirage_kernel.add %52, %53 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %55 = mirage_kernel.cast %54 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  %56 = mirage_kernel.cast %55 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %57 = mirage_kernel.cast %31 : tensor<8x1xf8E5M2> to tensor<8x1xf32>
  %58 = mirage_kernel.add %56, %57 : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %59 = mirage_kernel.cast %58 : tensor<8x1xf32> to tensor<8x1xf8E5M2>
  return %59 : tensor<8x1xf8E5M2>
}
