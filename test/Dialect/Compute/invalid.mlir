// Each constraint of the compute operators, broken at each of the three levels.
// A function is named after the constraint that it breaks.

// RUN: mirage-opt %s -split-input-file -verify-diagnostics
// RUN: sed s/mirage_kernel/mirage_block/ %s | mirage-opt -split-input-file -verify-diagnostics
// RUN: sed s/mirage_kernel/mirage_thread/ %s | mirage-opt -split-input-file -verify-diagnostics

func.func @op_c1_dynamic(%x: tensor<4x?xf32>) {
  // expected-error @+1 {{'mirage_kernel.exp' op operand 0 'tensor<4x?xf32>' has a dynamic dimension 1; sizes must be static and positive (op_c1)}}
  %0 = mirage_kernel.exp %x : (tensor<4x?xf32>) -> tensor<4x?xf32>
  return
}

// -----

func.func @op_c1_empty(%x: tensor<0x4xf32>) {
  // expected-error @+1 {{operand 0 'tensor<0x4xf32>' has no element in dimension 0; sizes must be static and positive (op_c1)}}
  %0 = mirage_kernel.exp %x : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return
}

// -----

func.func @op_c1_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{result 0 'tensor<?xf32>' has a dynamic dimension 0; sizes must be static and positive (op_c1)}}
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<?xf32>
  return
}

// -----

func.func @op_c2(%x: tensor<4611686018427387904xf16>) {
  // expected-error @+1 {{operand 0 'tensor<4611686018427387904xf16>' has 2^63 bytes or more (op_c2)}}
  %0 = mirage_kernel.exp %x : (tensor<4611686018427387904xf16>) -> tensor<4611686018427387904xf16>
  return
}

// -----

// The number of elements itself exceeds 64 bits.
func.func @op_c2_count(%x: tensor<9223372036854775807x3xf16>) {
  // expected-error @+1 {{has 2^63 bytes or more (op_c2)}}
  %0 = mirage_kernel.exp %x : (tensor<9223372036854775807x3xf16>) -> tensor<9223372036854775807x3xf16>
  return
}

// -----

func.func @op_c2_result(%x: tensor<1x1xf64>) {
  // expected-error @+1 {{result 0 'tensor<4294967296x4294967296xf64>' has 2^63 bytes or more (op_c2)}}
  %0 = mirage_kernel.broadcast %x : tensor<1x1xf64> to tensor<4294967296x4294967296xf64>
  return
}

// -----

func.func @op_c3(%x: tensor<4xf8E4M3FN>) {
  // expected-error @+1 {{'mirage_kernel.exp' op computes with 'f8E4M3FN', which is for storage; cast to a wider type first (op_c3)}}
  %0 = mirage_kernel.exp %x : (tensor<4xf8E4M3FN>) -> tensor<4xf8E4M3FN>
  return
}

// -----

func.func @op_c3_conv(%x: tensor<1x1x4x4xf8E5M2>) {
  // expected-error @+1 {{computes with 'f8E5M2', which is for storage; cast to a wider type first (op_c3)}}
  %0 = mirage_kernel.conv2d nchw %x, %x strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x1x4x4xf8E5M2>, tensor<1x1x4x4xf8E5M2>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @op_c4(%x: tensor<4xf16>, %y: tensor<4xf32>) {
  // expected-error @+1 {{'mirage_kernel.add' op operands have element types 'f16' and 'f32' (op_c4)}}
  %0 = mirage_kernel.add %x, %y : (tensor<4xf16>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @op_c4_weight(%x: tensor<4xf16>, %w: tensor<4xbf16>) {
  // expected-error @+1 {{operands have element types 'f16' and 'bf16' (op_c4)}}
  %0 = mirage_kernel.layer_norm %x bias %w epsilon(0.0) : (tensor<4xf16>, tensor<4xbf16>) -> tensor<4xf16>
  return
}

// -----

func.func @op_c5_shape(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{result has shape 8x4, not 4x8 (op_c5)}}
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}

// -----

func.func @op_c5_element(%x: tensor<4xf16>) {
  // expected-error @+1 {{'mirage_kernel.exp' op result has element type 'f32' where operands have 'f16' (op_c5)}}
  %0 = mirage_kernel.exp %x : (tensor<4xf16>) -> tensor<4xf32>
  return
}

// -----

// Reductions and contractions may widen, not narrow.
func.func @op_c5_narrow(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{result has element type 'f16' where operands have 'f32' (op_c5)}}
  %0 = mirage_kernel.reduce sum %x dim(0) : (tensor<4x8xf32>) -> tensor<8xf16>
  return
}

// -----

func.func @op_c5_same_width(%x: tensor<4x4xf16>) {
  // expected-error @+1 {{result has element type 'bf16' where operands have 'f16' (op_c5)}}
  %0 = mirage_kernel.matmul %x, %x : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xbf16>
  return
}

// -----

func.func @op_c5_scalar(%x: tensor<4xf32>) {
  // expected-error @+1 {{result has shape 1, not scalar (op_c5)}}
  %0 = mirage_kernel.reduce sum %x dim(0) : (tensor<4xf32>) -> tensor<1xf32>
  return
}

// -----

func.func @add_c1(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{'mirage_kernel.add' op operand shapes 4x8 and 4x2 are neither equal nor broadcast by sizes of one (add_c1)}}
  %0 = mirage_kernel.add %x, %y : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @sub_c1(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{'mirage_kernel.sub' op operand shapes 4x8 and 4x2 are neither equal nor broadcast by sizes of one (sub_c1)}}
  %0 = mirage_kernel.sub %x, %y : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @mul_c1(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{'mirage_kernel.mul' op operand shapes 4x8 and 4x2 are neither equal nor broadcast by sizes of one (mul_c1)}}
  %0 = mirage_kernel.mul %x, %y : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @div_c1(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{'mirage_kernel.div' op operand shapes 4x8 and 4x2 are neither equal nor broadcast by sizes of one (div_c1)}}
  %0 = mirage_kernel.div %x, %y : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @max_c1(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{'mirage_kernel.max' op operand shapes 4x8 and 4x2 are neither equal nor broadcast by sizes of one (max_c1)}}
  %0 = mirage_kernel.max %x, %y : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @min_c1(%x: tensor<4x8xf32>, %y: tensor<4x2xf32>) {
  // expected-error @+1 {{'mirage_kernel.min' op operand shapes 4x8 and 4x2 are neither equal nor broadcast by sizes of one (min_c1)}}
  %0 = mirage_kernel.min %x, %y : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x8xf32>
  return
}

// -----

// Ranks are not extended.
func.func @add_c1_rank(%x: tensor<4x8xf32>, %y: tensor<8xf32>) {
  // expected-error @+1 {{operand shapes 4x8 and 8 are neither equal nor broadcast by sizes of one (add_c1)}}
  %0 = mirage_kernel.add %x, %y : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @clamp_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mirage_kernel.clamp' op lower bound 1.000000e+00 is not at most upper bound -1.000000e+00 (clamp_c1)}}
  %0 = mirage_kernel.clamp %x lower(1.0) upper(-1.0) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @clamp_c1_nan(%x: tensor<4xf32>) {
  // expected-error @+1 {{lower bound nan is not at most upper bound 1.000000e+00 (clamp_c1)}}
  %0 = mirage_kernel.clamp %x lower(0x7FF8000000000000) upper(1.0) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cast_c1(%x: tensor<4xf32>) {
  // expected-error @+1 {{'mirage_kernel.cast' op result has shape 8, not 4 (cast_c1)}}
  %0 = mirage_kernel.cast %x : tensor<4xf32> to tensor<8xf16>
  return
}

// -----

func.func @constant_c1() {
  // expected-error @+1 {{'mirage_kernel.constant' op the value is no dense attribute of floats (constant_c1)}}
  %0 = mirage_kernel.constant dense_resource<weights> : tensor<4xf32>
  return
}

// -----

func.func @repeat_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.repeat' op 1 repeats for a tensor of rank 2 (repeat_c1)}}
  %0 = mirage_kernel.repeat %x times [2] : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @repeat_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{repeat of 0 is not positive (repeat_c2)}}
  %0 = mirage_kernel.repeat %x times [2, 0] : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @repeat_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{result size exceeds 64 bits (repeat_c3)}}
  %0 = mirage_kernel.repeat %x times [9223372036854775807, 1] : (tensor<4x8xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @broadcast_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'mirage_kernel.broadcast' op operand of rank 1 and result of rank 2 (broadcast_c1)}}
  %0 = mirage_kernel.broadcast %x : tensor<8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_c2(%x: tensor<1x2xf32>) {
  // expected-error @+1 {{dimension 1 of size 2 cannot become 8 (broadcast_c2)}}
  %0 = mirage_kernel.broadcast %x : tensor<1x2xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @reshape_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.reshape' op 4x8 and 33 hold different numbers of elements (reshape_c1)}}
  %0 = mirage_kernel.reshape %x : tensor<4x8xf32> to tensor<33xf32>
  return
}

// -----

func.func @transpose_c1_twice(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{[0, 0] is no permutation of 2 dimensions (transpose_c1)}}
  %0 = mirage_kernel.transpose %x [0, 0] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @transpose_c1_few(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{[1] is no permutation of 2 dimensions (transpose_c1)}}
  %0 = mirage_kernel.transpose %x [1] : (tensor<4x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @transpose_c1_outside(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{[-1, 2] is no permutation of 2 dimensions (transpose_c1)}}
  %0 = mirage_kernel.transpose %x [-1, 2] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{offsets, sizes and strides must each have 2 entries, one per dimension (slice_c1)}}
  %0 = mirage_kernel.slice %x[0, 0] [4, 8] [1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_c2_offset(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{dimension 0 has offset -1, size 4, stride 1; the first must not be negative, the others must be positive (slice_c2)}}
  %0 = mirage_kernel.slice %x[-1, 0] [4, 8] [1, 1] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_c2_stride(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{dimension 1 has offset 0, size 8, stride 0; the first must not be negative, the others must be positive (slice_c2)}}
  %0 = mirage_kernel.slice %x[0, 0] [4, 8] [1, 0] : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{the slice of dimension 1 ends outside of its 8 elements (slice_c3)}}
  %0 = mirage_kernel.slice %x[0, 1] [4, 4] [1, 3] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @slice_c3_overflow(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{the slice of dimension 1 ends outside of its 8 elements (slice_c3)}}
  %0 = mirage_kernel.slice %x[0, 1] [4, 4] [1, 9223372036854775807] : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @split_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.split' op dimension 2 is outside of a tensor of rank 2 (split_c1)}}
  %0:2 = mirage_kernel.split %x dim(2) parts(2) : (tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

func.func @split_c1_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{dimension -1 is outside of a tensor of rank 2 (split_c1)}}
  %0:2 = mirage_kernel.split %x dim(-1) parts(2) : (tensor<4x8xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return
}

// -----

func.func @split_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{dimension 1 of size 8 is not divided by 3 parts (split_c2)}}
  %0:3 = mirage_kernel.split %x dim(1) parts(3) : (tensor<4x8xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<4x2xf32>)
  return
}

// -----

func.func @split_c2_results(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{has 1 results, but parts is 2 (split_c2)}}
  %0 = mirage_kernel.split %x dim(1) parts(2) : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @split_c2_none(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{dimension 1 of size 8 is not divided by 0 parts (split_c2)}}
  mirage_kernel.split %x dim(1) parts(0) : (tensor<4x8xf32>) -> ()
  return
}

// -----

// More parts than any program has results are counted, not made.
func.func @split_c2_many(%x: tensor<1099511627776xf16>) {
  // expected-error @+1 {{has 1 results, but parts is 1099511627776 (split_c2)}}
  %0 = mirage_kernel.split %x dim(0) parts(1099511627776) : (tensor<1099511627776xf16>) -> tensor<1xf16>
  return
}

// -----

func.func @concat_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.concat' op dimension 2 is outside of a tensor of rank 2 (concat_c1)}}
  %0 = mirage_kernel.concat dim(2) %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @concat_c1_none() {
  // expected-error @+1 {{'mirage_kernel.concat' op has 0 operands, concat takes at least 1 (concat_c1)}}
  %0 = mirage_kernel.concat dim(0) : () -> tensor<4x8xf32>
  return
}

// -----

func.func @concat_c2(%x: tensor<4x8xf32>, %y: tensor<5x8xf32>) {
  // expected-error @+1 {{4x8 and 5x8 differ outside of dimension 1 (concat_c2)}}
  %0 = mirage_kernel.concat dim(1) %x, %y : (tensor<4x8xf32>, tensor<5x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @concat_c2_rank(%x: tensor<4x8xf32>, %y: tensor<4xf32>) {
  // expected-error @+1 {{4x8 and 4 differ outside of dimension 1 (concat_c2)}}
  %0 = mirage_kernel.concat dim(1) %x, %y : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @concat_c3(%x: tensor<4611686018427387904xf8E5M2>) {
  // expected-error @+1 {{result size exceeds 64 bits (concat_c3)}}
  %0 = mirage_kernel.concat dim(0) %x, %x : (tensor<4611686018427387904xf8E5M2>, tensor<4611686018427387904xf8E5M2>) -> tensor<1xf8E5M2>
  return
}

// -----

func.func @pad_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{low and high must each have 2 entries, one per dimension (pad_c1)}}
  %0 = mirage_kernel.pad %x low [1] high [0, 0] value(0.0) : (tensor<4x8xf32>) -> tensor<5x8xf32>
  return
}

// -----

func.func @pad_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{padding of dimension 1 is negative (pad_c2)}}
  %0 = mirage_kernel.pad %x low [0, -1] high [0, 0] value(0.0) : (tensor<4x8xf32>) -> tensor<4x7xf32>
  return
}

// -----

func.func @pad_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{result size exceeds 64 bits (pad_c3)}}
  %0 = mirage_kernel.pad %x low [0, 0] high [0, 9223372036854775807] value(0.0) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @reduce_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.reduce' op dimension 2 is outside of a tensor of rank 2 (reduce_c1)}}
  %0 = mirage_kernel.reduce sum %x dim(2) : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c1_scalar(%x: tensor<f32>) {
  // expected-error @+1 {{dimension 0 is outside of a tensor of rank 0 (reduce_c1)}}
  %0 = mirage_kernel.reduce sum %x dim(0) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @reduce_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{groups of 3 do not divide dimension 1 of size 8 (reduce_c2)}}
  %0 = mirage_kernel.reduce sum %x dim(1) group(3) : (tensor<4x8xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @reduce_c2_zero(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{the group must be positive (reduce_c2)}}
  %0 = mirage_kernel.reduce sum %x dim(1) group(0) : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c2_negative(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{the group must be positive (reduce_c2)}}
  %0 = mirage_kernel.reduce sum %x dim(1) group(-2) : (tensor<4x8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @reduce_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{a grouped reduction always keeps its dimension; 'keep' belongs to reductions of a whole dimension (reduce_c3)}}
  %0 = mirage_kernel.reduce sum %x dim(1) group(2) keep : (tensor<4x8xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @matmul_c1(%x: tensor<8xf32>) {
  // expected-error @+1 {{'mirage_kernel.matmul' op operands of ranks 1 and 1; both must have the same rank of at least two (matmul_c1)}}
  %0 = mirage_kernel.matmul %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @matmul_c2(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{lhs contracts 8 elements, rhs 4 (matmul_c2)}}
  %0 = mirage_kernel.matmul %x, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @matmul_c2_transposed(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{lhs contracts 4 elements, rhs 8 (matmul_c2)}}
  %0 = mirage_kernel.matmul %x, %x transpose_lhs transpose_rhs : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @matmul_c3(%x: tensor<2x4x8xf32>, %y: tensor<3x8x4xf32>) {
  // expected-error @+1 {{batch dimension 0 is 2 in lhs and 3 in rhs (matmul_c3)}}
  %0 = mirage_kernel.matmul %x, %y : (tensor<2x4x8xf32>, tensor<3x8x4xf32>) -> tensor<2x4x4xf32>
  return
}

// -----

func.func @matmul_c4(%x: tensor<4x4xf16>) {
  // expected-error @+1 {{rounds operands of 'f16' to tf32, which goes with f32 (matmul_c4)}}
  %0 = mirage_kernel.matmul %x, %x compute tf32 : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  return
}

// -----

func.func @concat_matmul_c1(%w: tensor<4x8xf32>, %x: tensor<4xf32>, %y: tensor<8x2xf32>, %z: tensor<2x2xf32>) {
  // expected-error @+1 {{operands of ranks 1 and 2; both must have the same rank of at least two (concat_matmul_c1)}}
  %0 = mirage_kernel.concat_matmul (%w, %x), (%y, %z) : (tensor<4x8xf32>, tensor<4xf32>, tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @concat_matmul_c2(%w: tensor<4x8xf32>, %x: tensor<4x3xf32>, %y: tensor<8x2xf32>, %z: tensor<2x2xf32>) {
  // expected-error @+1 {{lhs contracts 3 elements, rhs 2 (concat_matmul_c2)}}
  %0 = mirage_kernel.concat_matmul (%w, %x), (%y, %z) : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<8x2xf32>, tensor<2x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @concat_matmul_c3(%w: tensor<2x4x8xf32>, %x: tensor<2x4x8xf32>, %y: tensor<3x8x2xf32>, %z: tensor<2x8x2xf32>) {
  // expected-error @+1 {{batch dimension 0 is 2 in lhs and 3 in rhs (concat_matmul_c3)}}
  %0 = mirage_kernel.concat_matmul (%w, %x), (%y, %z) : (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<3x8x2xf32>, tensor<2x8x2xf32>) -> tensor<2x4x2xf32>
  return
}

// -----

func.func @concat_matmul_c4(%w: tensor<4x8xf32>, %x: tensor<4x3xf32>, %y: tensor<8x2xf32>, %z: tensor<3x5xf32>) {
  // expected-error @+1 {{the products have shapes 4x2 and 4x5 (concat_matmul_c4)}}
  %0 = mirage_kernel.concat_matmul (%w, %x), (%y, %z) : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<8x2xf32>, tensor<3x5xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @conv2d_c1(%x: tensor<1x4x4xf32>, %f: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{'mirage_kernel.conv2d' op input of rank 3 and filter of rank 4; both must be four (conv2d_c1)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c2_stride(%x: tensor<1x1x4x4xf32>, %f: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{needs two positive strides, two positive dilations and four paddings that are not negative (conv2d_c2)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 0] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c2_padding(%x: tensor<1x1x4x4xf32>, %f: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{(conv2d_c2)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c2_dilation(%x: tensor<1x1x4x4xf32>, %f: tensor<1x1x2x2xf32>) {
  // expected-error @+1 {{(conv2d_c2)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, -1] groups(1) : (tensor<1x1x4x4xf32>, tensor<1x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c3(%x: tensor<1x3x4x4xf32>, %f: tensor<2x1x2x2xf32>) {
  // expected-error @+1 {{2 groups do not divide 3 input and 2 output channels (conv2d_c3)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(2) : (tensor<1x3x4x4xf32>, tensor<2x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c3_zero(%x: tensor<1x3x4x4xf32>, %f: tensor<2x1x2x2xf32>) {
  // expected-error @+1 {{0 groups do not divide 3 input and 2 output channels (conv2d_c3)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(0) : (tensor<1x3x4x4xf32>, tensor<2x1x2x2xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c4(%x: tensor<1x4x4x3xf32>, %f: tensor<2x2x2x4xf32>) {
  // expected-error @+1 {{the filter reads 2 channels, each group has 3 (conv2d_c4)}}
  %0 = mirage_kernel.conv2d nhwc %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x4x4x3xf32>, tensor<2x2x2x4xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c5(%x: tensor<1x1x4x4xf32>, %f: tensor<1x1x5x1xf32>) {
  // expected-error @+1 {{the filter of 5 taps does not fit into spatial dimension 0 of size 4 with its padding (conv2d_c5)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 1] groups(1) : (tensor<1x1x4x4xf32>, tensor<1x1x5x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv2d_c5_overflow(%x: tensor<1x1x4x4xf32>, %f: tensor<1x1x1x3xf32>) {
  // expected-error @+1 {{the filter of 3 taps does not fit into spatial dimension 1 of size 4 with its padding (conv2d_c5)}}
  %0 = mirage_kernel.conv2d nchw %x, %f strides [1, 1] padding [0, 0, 0, 0] dilations [1, 9223372036854775807] groups(1) : (tensor<1x1x4x4xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @rms_norm_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'mirage_kernel.rms_norm' op the operand has no dimension to normalize (rms_norm_c1)}}
  %0 = mirage_kernel.rms_norm %x epsilon(0.0) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @rms_norm_c2(%x: tensor<4x8xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{weight must have shape 8, not 4 (rms_norm_c2)}}
  %0 = mirage_kernel.rms_norm %x weight %w epsilon(0.0) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @rms_norm_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{epsilon is -1.000000e-03, but must not be negative (rms_norm_c3)}}
  %0 = mirage_kernel.rms_norm %x epsilon(-0.001) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c1(%x: tensor<f32>) {
  // expected-error @+1 {{'mirage_kernel.layer_norm' op the operand has no dimension to normalize (layer_norm_c1)}}
  %0 = mirage_kernel.layer_norm %x epsilon(0.0) : (tensor<f32>) -> tensor<f32>
  return
}

// -----

func.func @layer_norm_c2(%x: tensor<4x8xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{weight and bias must have shape 8, not 4 (layer_norm_c2)}}
  %0 = mirage_kernel.layer_norm %x weight %w epsilon(0.0) : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{epsilon is -1.000000e-03, but must not be negative (layer_norm_c3)}}
  %0 = mirage_kernel.layer_norm %x epsilon(-0.001) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm_c2_rank(%x: tensor<4x8xf32>, %w: tensor<1x8xf32>) {
  // expected-error @+1 {{weight and bias must have shape 8, not 1x8 (layer_norm_c2)}}
  %0 = mirage_kernel.layer_norm %x bias %w epsilon(0.0) : (tensor<4x8xf32>, tensor<1x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @softmax_c1(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'mirage_kernel.softmax' op dimension 2 is outside of a tensor of rank 2 (softmax_c1)}}
  %0 = mirage_kernel.softmax %x dim(2) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @compare_c1(%x: tensor<4x8xf32>, %y: tensor<4x7xf32>) {
  // expected-error @+1 {{operand shapes 4x8 and 4x7 are neither equal nor broadcast by sizes of one (compare_c1)}}
  %0 = mirage_kernel.compare lt %x, %y : (tensor<4x8xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @select_c1(%c: tensor<4x8xf32>, %x: tensor<4x1xf32>, %y: tensor<3x8xf32>) {
  // expected-error @+1 {{operand shapes 4x8 and 4x1 and 3x8 are neither equal nor broadcast by sizes of one (select_c1)}}
  %0 = mirage_kernel.select %c, %x, %y : (tensor<4x8xf32>, tensor<4x1xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  return
}

// -----

func.func @group_norm_c1(%x: tensor<2x6xf32>) {
  // expected-error @+1 {{'mirage_kernel.group_norm' op the operand has rank 2, but at least 3 dimensions are needed (group_norm_c1)}}
  %0 = mirage_kernel.group_norm %x groups(2) epsilon(0.0) : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @group_norm_c2(%x: tensor<2x6x4xf32>, %w: tensor<4xf32>) {
  // expected-error @+1 {{weight and bias must have shape 6, one element per channel, not 4 (group_norm_c2)}}
  %0 = mirage_kernel.group_norm %x weight %w groups(2) epsilon(0.0) : (tensor<2x6x4xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @group_norm_c3(%x: tensor<2x6x4xf32>) {
  // expected-error @+1 {{epsilon is -1.000000e+00, but must not be negative (group_norm_c3)}}
  %0 = mirage_kernel.group_norm %x groups(2) epsilon(-1.0) : (tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @group_norm_c4(%x: tensor<2x6x4xf32>) {
  // expected-error @+1 {{4 groups do not divide 6 channels (group_norm_c4)}}
  %0 = mirage_kernel.group_norm %x groups(4) epsilon(0.0) : (tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @instance_norm_c1(%x: tensor<2x6xf32>) {
  // expected-error @+1 {{the operand has rank 2, but at least 3 dimensions are needed (instance_norm_c1)}}
  %0 = mirage_kernel.instance_norm %x epsilon(0.0) : (tensor<2x6xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @instance_norm_c2(%x: tensor<2x6x4xf32>, %w: tensor<2xf32>) {
  // expected-error @+1 {{weight and bias must have shape 6, one element per channel, not 2 (instance_norm_c2)}}
  %0 = mirage_kernel.instance_norm %x bias %w epsilon(0.0) : (tensor<2x6x4xf32>, tensor<2xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @instance_norm_c3(%x: tensor<2x6x4xf32>) {
  // expected-error @+1 {{must not be negative (instance_norm_c3)}}
  %0 = mirage_kernel.instance_norm %x epsilon(-1.0) : (tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @batch_norm_c1(%x: tensor<6xf32>) {
  // expected-error @+1 {{the operand has rank 1, but at least 2 dimensions are needed (batch_norm_c1)}}
  %0 = mirage_kernel.batch_norm %x, %x, %x epsilon(0.0) : (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @batch_norm_c2(%x: tensor<2x6x4xf32>, %m: tensor<6xf32>, %v: tensor<4xf32>) {
  // expected-error @+1 {{mean, variance, weight and bias must have shape 6, one element per channel, not 4 (batch_norm_c2)}}
  %0 = mirage_kernel.batch_norm %x, %m, %v epsilon(0.0) : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @batch_norm_c3(%x: tensor<2x6x4xf32>, %m: tensor<6xf32>) {
  // expected-error @+1 {{must not be negative (batch_norm_c3)}}
  %0 = mirage_kernel.batch_norm %x, %m, %m epsilon(-1.0) : (tensor<2x6x4xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @variance_c1(%x: tensor<2x6x4xf32>) {
  // expected-error @+1 {{dimension 3 is outside of a tensor of rank 3 (variance_c1)}}
  %0 = mirage_kernel.variance %x dim(3) correction(0.0) : (tensor<2x6x4xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @variance_c2(%x: tensor<2x6x4xf32>) {
  // expected-error @+1 {{correction 4.00 is not at least zero and less than the 4 elements of dimension 2 (variance_c2)}}
  %0 = mirage_kernel.variance %x dim(2) correction(4.0) : (tensor<2x6x4xf32>) -> tensor<2x6xf32>
  return
}

// -----

func.func @log_softmax_c1(%x: tensor<2x6x4xf32>) {
  // expected-error @+1 {{dimension -1 is outside of a tensor of rank 3 (log_softmax_c1)}}
  %0 = mirage_kernel.log_softmax %x dim(-1) : (tensor<2x6x4xf32>) -> tensor<2x6x4xf32>
  return
}

// -----

func.func @attention_c1(%q: tensor<2x8x16xf32>, %k: tensor<32x16xf32>, %v: tensor<2x32x24xf32>) {
  // expected-error @+1 {{queries, keys and values have ranks 3, 2 and 3; they must have one rank of at least two (attention_c1)}}
  %0 = mirage_kernel.attention %q, %k, %v scale(1.0) : (tensor<2x8x16xf32>, tensor<32x16xf32>, tensor<2x32x24xf32>) -> tensor<2x8x24xf32>
  return
}

// -----

func.func @attention_c2(%q: tensor<2x8x16xf32>, %k: tensor<2x32x15xf32>, %v: tensor<2x32x24xf32>) {
  // expected-error @+1 {{queries have 16 elements, keys 15 (attention_c2)}}
  %0 = mirage_kernel.attention %q, %k, %v scale(1.0) : (tensor<2x8x16xf32>, tensor<2x32x15xf32>, tensor<2x32x24xf32>) -> tensor<2x8x24xf32>
  return
}

// -----

func.func @attention_c3(%q: tensor<2x8x16xf32>, %k: tensor<2x32x16xf32>, %v: tensor<2x31x24xf32>) {
  // expected-error @+1 {{there are 32 keys and 31 values (attention_c3)}}
  %0 = mirage_kernel.attention %q, %k, %v scale(1.0) : (tensor<2x8x16xf32>, tensor<2x32x16xf32>, tensor<2x31x24xf32>) -> tensor<2x8x24xf32>
  return
}

// -----

func.func @attention_c4(%q: tensor<2x8x16xf32>, %k: tensor<3x32x16xf32>, %v: tensor<3x32x24xf32>) {
  // expected-error @+1 {{the batch dimensions of 2x8x16, 3x32x16 and 3x32x24 are neither equal nor one (attention_c4)}}
  %0 = mirage_kernel.attention %q, %k, %v scale(1.0) : (tensor<2x8x16xf32>, tensor<3x32x16xf32>, tensor<3x32x24xf32>) -> tensor<2x8x24xf32>
  return
}

// -----

func.func @attention_c5(%q: tensor<2x8x16xf32>, %k: tensor<2x32x16xf32>, %v: tensor<2x32x24xf32>, %m: tensor<2x8x24xf32>) {
  // expected-error @+1 {{the mask of shape 2x8x24 is not broadcast to the scores' 2x8x32 by sizes of one (attention_c5)}}
  %0 = mirage_kernel.attention %q, %k, %v mask %m scale(1.0) : (tensor<2x8x16xf32>, tensor<2x32x16xf32>, tensor<2x32x24xf32>, tensor<2x8x24xf32>) -> tensor<2x8x24xf32>
  return
}

// -----

func.func @attention_c6(%q: tensor<2x8x16xf16>, %k: tensor<2x32x16xf16>, %v: tensor<2x32x24xf16>, %m: tensor<2x8x32xbf16>) {
  // expected-error @+1 {{the mask has element type 'bf16' beside queries of 'f16'; it has theirs, or f32 beside 16 bits (attention_c6)}}
  %0 = mirage_kernel.attention %q, %k, %v mask %m scale(1.0) : (tensor<2x8x16xf16>, tensor<2x32x16xf16>, tensor<2x32x24xf16>, tensor<2x8x32xbf16>) -> tensor<2x8x24xf16>
  return
}
