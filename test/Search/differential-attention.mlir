// Differential attention subtracts one softmax from another before it multiplies
// with the values. Quotients are put behind the product, for each softmax, so that
// one loop over the keys computes all sums: one launch, and no scores in device
// memory.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-lower-to-nvvm | FileCheck %s --check-prefix=LOWERED

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @differential_part
// CHECK-SAME: verdict = "proved"
// CHECK-COUNT-1: mirage_kernel.launch
// CHECK: mirage_block.for
// CHECK-COUNT-2: mirage_block.exp
// CHECK-COUNT-4: mirage_block.accumulate rescaled_sum
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
// LOWERED: llvm.func @differential_0_launch
// LOWERED-NOT: llvm.func @differential_1
func.func @differential(%q1: tensor<8x512x64xf16>, %q2: tensor<8x512x64xf16>, %k1: tensor<8x512x64xf16>, %k2: tensor<8x512x64xf16>, %v: tensor<8x512x128xf16>) -> tensor<8x512x128xf16> {
  %s1 = mirage_kernel.matmul %q1, %k1 transpose_rhs : (tensor<8x512x64xf16>, tensor<8x512x64xf16>) -> tensor<8x512x512xf32>
  %s2 = mirage_kernel.matmul %q2, %k2 transpose_rhs : (tensor<8x512x64xf16>, tensor<8x512x64xf16>) -> tensor<8x512x512xf32>
  %t1 = mirage_kernel.scale %s1 by 0.125 : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %t2 = mirage_kernel.scale %s2 by 0.125 : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %p1 = mirage_kernel.softmax %t1 dim(2) : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %p2 = mirage_kernel.softmax %t2 dim(2) : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %u2 = mirage_kernel.scale %p2 by 0.8 : (tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %p = mirage_kernel.sub %p1, %u2 : (tensor<8x512x512xf32>, tensor<8x512x512xf32>) -> tensor<8x512x512xf32>
  %c = mirage_kernel.cast %p : tensor<8x512x512xf32> to tensor<8x512x512xf16>
  %o = mirage_kernel.matmul %c, %v : (tensor<8x512x512xf16>, tensor<8x512x128xf16>) -> tensor<8x512x128xf16>
  return %o : tensor<8x512x128xf16>
}

}
