// Candidates that lose what the original keeps for sizes at which a narrow type
// has few digits, or where most elements of an argument are zero. Each is a part of
// a program that a search has replaced.

// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err

// The original divides by the norm first, whatever the weights' size is; the
// candidate stores weights times a factor in f16.
// CHECK: @scaled_weights computes what @normalized_weights does: proved{{.*}}refused as numerically unstable: on scaled inputs
// REMARK: remark: this operation underflows on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.cast
func.func @normalized_weights(%x: tensor<16x32xf16>, %v: tensor<32x48xf16>, %w: tensor<48x16xf16>, %g: tensor<1x16xf16>) -> tensor<16x16xf32> {
  %0 = mirage_kernel.matmul %x, %v : (tensor<16x32xf16>, tensor<32x48xf16>) -> tensor<16x48xf32>
  %1 = mirage_kernel.cast %0 : tensor<16x48xf32> to tensor<16x48xf16>
  %2 = mirage_kernel.cast %w : tensor<48x16xf16> to tensor<48x16xf32>
  %3 = mirage_kernel.square %2 : (tensor<48x16xf32>) -> tensor<48x16xf32>
  %4 = mirage_kernel.reduce sum %3 dim(0) keep : (tensor<48x16xf32>) -> tensor<1x16xf32>
  %5 = mirage_kernel.constant dense<1.0e-12> : tensor<1x1xf32>
  %6 = mirage_kernel.add %4, %5 : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
  %7 = mirage_kernel.rsqrt %6 : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %8 = mirage_kernel.mul %2, %7 : (tensor<48x16xf32>, tensor<1x16xf32>) -> tensor<48x16xf32>
  %9 = mirage_kernel.cast %g : tensor<1x16xf16> to tensor<1x16xf32>
  %10 = mirage_kernel.mul %8, %9 : (tensor<48x16xf32>, tensor<1x16xf32>) -> tensor<48x16xf32>
  %11 = mirage_kernel.cast %10 : tensor<48x16xf32> to tensor<48x16xf16>
  %12 = mirage_kernel.matmul %1, %11 : (tensor<16x48xf16>, tensor<48x16xf16>) -> tensor<16x16xf32>
  return %12 : tensor<16x16xf32>
}
func.func @scaled_weights(%x: tensor<16x32xf16>, %v: tensor<32x48xf16>, %w: tensor<48x16xf16>, %g: tensor<1x16xf16>) -> tensor<16x16xf32> attributes {mirage.equivalent_to = @normalized_weights} {
  %0 = mirage_kernel.matmul %x, %v : (tensor<16x32xf16>, tensor<32x48xf16>) -> tensor<16x48xf32>
  %1 = mirage_kernel.cast %0 : tensor<16x48xf32> to tensor<16x48xf16>
  %2 = mirage_kernel.cast %w : tensor<48x16xf16> to tensor<48x16xf32>
  %3 = mirage_kernel.square %2 : (tensor<48x16xf32>) -> tensor<48x16xf32>
  %4 = mirage_kernel.reduce sum %3 dim(0) keep : (tensor<48x16xf32>) -> tensor<1x16xf32>
  %5 = mirage_kernel.constant dense<1.0e-12> : tensor<1x1xf32>
  %6 = mirage_kernel.add %4, %5 : (tensor<1x16xf32>, tensor<1x1xf32>) -> tensor<1x16xf32>
  %7 = mirage_kernel.rsqrt %6 : (tensor<1x16xf32>) -> tensor<1x16xf32>
  %8 = mirage_kernel.cast %g : tensor<1x16xf16> to tensor<1x16xf32>
  %9 = mirage_kernel.mul %2, %8 : (tensor<48x16xf32>, tensor<1x16xf32>) -> tensor<48x16xf32>
  %10 = mirage_kernel.cast %9 : tensor<48x16xf32> to tensor<48x16xf16>
  %11 = mirage_kernel.matmul %1, %10 : (tensor<16x48xf16>, tensor<48x16xf16>) -> tensor<16x16xf32>
  %12 = mirage_kernel.mul %11, %7 : (tensor<16x16xf32>, tensor<1x16xf32>) -> tensor<16x16xf32>
  return %12 : tensor<16x16xf32>
}

// Products of the first argument with the second are large enough for f16 to have
// all digits of them; of products of the second with the third it has few.
// CHECK: @last_first computes what @first_first does: proved{{.*}}refused as numerically unstable: on scaled inputs
// REMARK: remark: this operation underflows on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.cast
func.func @first_first(%x: tensor<16x256xf16>, %v: tensor<256x2xf16>, %w: tensor<2x16xf16>) -> tensor<16x16xf32> {
  %0 = mirage_kernel.matmul %x, %v : (tensor<16x256xf16>, tensor<256x2xf16>) -> tensor<16x2xf32>
  %1 = mirage_kernel.cast %0 : tensor<16x2xf32> to tensor<16x2xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<16x2xf16>, tensor<2x16xf16>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}
func.func @last_first(%x: tensor<16x256xf16>, %v: tensor<256x2xf16>, %w: tensor<2x16xf16>) -> tensor<16x16xf32> attributes {mirage.equivalent_to = @first_first} {
  %0 = mirage_kernel.matmul %v, %w : (tensor<256x2xf16>, tensor<2x16xf16>) -> tensor<256x16xf32>
  %1 = mirage_kernel.cast %0 : tensor<256x16xf32> to tensor<256x16xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<16x256xf16>, tensor<256x16xf16>) -> tensor<16x16xf32>
  return %2 : tensor<16x16xf32>
}

// Where one row of the last argument is not zero, the original rounds each of its
// elements once, small ones as well. The candidate rounds what cancels in its second
// product, and elements near to zero are what counts in a quotient that is at most
// one.
// CHECK: @rounded_terms computes what @softsign does: proved{{.*}}refused as numerically unstable: on scaled inputs {{.*}} with 0 in argument 2 (all lines but one of dimension 1)
// REMARK: remark: this operation cancels on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.matmul %x
func.func @softsign(%x: tensor<32x32xf16>, %v: tensor<32x48xf16>, %w: tensor<48x32xf16>) -> tensor<32x32xf16> {
  %0 = mirage_kernel.matmul %x, %v : (tensor<32x32xf16>, tensor<32x48xf16>) -> tensor<32x48xf32>
  %1 = mirage_kernel.cast %0 : tensor<32x48xf32> to tensor<32x48xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<32x48xf16>, tensor<48x32xf16>) -> tensor<32x32xf32>
  %3 = mirage_kernel.cast %2 : tensor<32x32xf32> to tensor<32x32xf16>
  %4 = mirage_kernel.cast %3 : tensor<32x32xf16> to tensor<32x32xf32>
  %5 = mirage_kernel.abs %4 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %6 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %7 = mirage_kernel.add %5, %6 : (tensor<32x32xf32>, tensor<1x1xf32>) -> tensor<32x32xf32>
  %8 = mirage_kernel.div %4, %7 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %9 = mirage_kernel.cast %8 : tensor<32x32xf32> to tensor<32x32xf16>
  return %9 : tensor<32x32xf16>
}
func.func @rounded_terms(%x: tensor<32x32xf16>, %v: tensor<32x48xf16>, %w: tensor<48x32xf16>) -> tensor<32x32xf16> attributes {mirage.equivalent_to = @softsign} {
  %0 = mirage_kernel.matmul %v, %w : (tensor<32x48xf16>, tensor<48x32xf16>) -> tensor<32x32xf32>
  %1 = mirage_kernel.cast %0 : tensor<32x32xf32> to tensor<32x32xf16>
  %2 = mirage_kernel.matmul %x, %1 : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf32>
  %3 = mirage_kernel.abs %2 : (tensor<32x32xf32>) -> tensor<32x32xf32>
  %4 = mirage_kernel.constant dense<1.0> : tensor<1x1xf32>
  %5 = mirage_kernel.add %3, %4 : (tensor<32x32xf32>, tensor<1x1xf32>) -> tensor<32x32xf32>
  %6 = mirage_kernel.div %2, %5 : (tensor<32x32xf32>, tensor<32x32xf32>) -> tensor<32x32xf32>
  %7 = mirage_kernel.cast %6 : tensor<32x32xf32> to tensor<32x32xf16>
  return %7 : tensor<32x32xf16>
}

// A square overflows where its root does not.
// CHECK: @root_of_square computes what @absolute does: proved{{.*}}refused as numerically unstable: on huge inputs
// CHECK: @absolute_again computes what @other_root_of_square does: proved;
// CHECK-NOT: refused
func.func @absolute(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = mirage_kernel.abs %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
func.func @root_of_square(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @absolute} {
  %0 = mirage_kernel.square %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = mirage_kernel.sqrt %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
func.func @other_root_of_square(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = mirage_kernel.square %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %1 = mirage_kernel.sqrt %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}
func.func @absolute_again(%x: tensor<8x16xf32>) -> tensor<8x16xf32> attributes {mirage.equivalent_to = @other_root_of_square} {
  %0 = mirage_kernel.abs %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
