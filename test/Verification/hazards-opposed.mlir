// Retention with keys that are stored transposed. A product that is rounded to f16 before it is scaled overflows where
// the scaled one does not; the original's result has room for such scores if values are small. Inputs of which one
// argument is huge and another one tiny show that, whatever numbers are drawn.

// RUN: not mirage-opt %s --mirage-verify-equivalence -o /dev/null 2>%t.err | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence=seed=1 -o /dev/null 2>/dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence=seed=4 -o /dev/null 2>/dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence=seed=7 -o /dev/null 2>/dev/null | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.err

// CHECK: @scaled_behind computes what @retention does: proved{{.*}}refused as numerically unstable: on {{scaled|outlier}} inputs
// CHECK: @scaled_before computes what @retention does: proved
// CHECK-NOT: refused
// REMARK: remark: this operation has a result that is not finite on inputs for which the original is accurate
// REMARK-NEXT: mirage_kernel.cast
func.func @retention(%q: tensor<8x512x16xf16>, %k: tensor<8x16x512xf16>, %v: tensor<8x512x16xf16>, %decay: tensor<8x512x512xf16>) -> tensor<8x512x16xf16> {
  %0 = mirage_kernel.matmul %q, %k : (tensor<8x512x16xf16>, tensor<8x16x512xf16>) -> tensor<8x512x512xf32>
  %1 = mirage_kernel.scale %0 by 2.5e-01 : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %2 = mirage_kernel.cast %decay : tensor<8x512x512xf16> to tensor<8x512x512xf32>
  %3 = mirage_kernel.mul %1, %2 : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %4 = mirage_kernel.cast %3 : tensor<8x512x512xf32> to tensor<8x512x512xf16>
  %5 = mirage_kernel.matmul %4, %v : (tensor<8x512x512xf16>, tensor<8x512x16xf16>) -> tensor<8x512x16xf32>
  %6 = mirage_kernel.cast %5 : tensor<8x512x16xf32> to tensor<8x512x16xf16>
  return %6 : tensor<8x512x16xf16>
}
func.func @scaled_behind(%q: tensor<8x512x16xf16>, %k: tensor<8x16x512xf16>, %v: tensor<8x512x16xf16>, %decay: tensor<8x512x512xf16>) -> tensor<8x512x16xf16> attributes {mirage.equivalent_to = @retention} {
  %0 = mirage_kernel.matmul %q, %k : (tensor<8x512x16xf16>, tensor<8x16x512xf16>) -> tensor<8x512x512xf32>
  %1 = mirage_kernel.cast %decay : tensor<8x512x512xf16> to tensor<8x512x512xf32>
  %2 = mirage_kernel.mul %0, %1 : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %3 = mirage_kernel.cast %2 : tensor<8x512x512xf32> to tensor<8x512x512xf16>
  %4 = mirage_kernel.matmul %3, %v : (tensor<8x512x512xf16>, tensor<8x512x16xf16>) -> tensor<8x512x16xf32>
  %5 = mirage_kernel.scale %4 by 2.5e-01 : (tensor<8x512x16xf32>) -> tensor<8x512x16xf32>
  %6 = mirage_kernel.cast %5 : tensor<8x512x16xf32> to tensor<8x512x16xf16>
  return %6 : tensor<8x512x16xf16>
}

// What is scaled before it is rounded has the original's range.
func.func @scaled_before(%q: tensor<8x512x16xf16>, %k: tensor<8x16x512xf16>, %v: tensor<8x512x16xf16>, %decay: tensor<8x512x512xf16>) -> tensor<8x512x16xf16> attributes {mirage.equivalent_to = @retention} {
  %0 = mirage_kernel.matmul %q, %k : (tensor<8x512x16xf16>, tensor<8x16x512xf16>) -> tensor<8x512x512xf32>
  %1 = mirage_kernel.cast %decay : tensor<8x512x512xf16> to tensor<8x512x512xf32>
  %2 = mirage_kernel.mul %0, %1 : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %3 = mirage_kernel.scale %2 by 2.5e-01 : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %4 = mirage_kernel.cast %3 : tensor<8x512x512xf32> to tensor<8x512x512xf16>
  %5 = mirage_kernel.matmul %4, %v : (tensor<8x512x512xf16>, tensor<8x512x16xf16>) -> tensor<8x512x16xf32>
  %6 = mirage_kernel.cast %5 : tensor<8x512x16xf32> to tensor<8x512x16xf16>
  return %6 : tensor<8x512x16xf16>
}
