// Rotary embeddings of neighbours, as GPT-J has them: with a dimension of pairs,
// and with slices that take every second element. Both are one launch, which
// puts neighbours together in the block and stores the result at once.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %t.mlir --mirage-lower-to-nvvm | FileCheck %s --check-prefix=LOWERED

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @pairs_part
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: mirage_kernel.concat
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.concat
// CHECK-NOT: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.concat
// CHECK: return
// COST-LABEL: @pairs_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// LOWERED: llvm.func @pairs_0_launch
// LOWERED-NOT: llvm.func @pairs_1
func.func @pairs(%x: tensor<16x128x32x2xf16>, %c: tensor<1x128x32x1xf16>, %s: tensor<1x128x32x1xf16>) -> tensor<16x128x32x2xf16> {
  %a = mirage_kernel.slice %x[0, 0, 0, 0] [16, 128, 32, 1] [1, 1, 1, 1] : (tensor<16x128x32x2xf16>) -> tensor<16x128x32x1xf16>
  %b = mirage_kernel.slice %x[0, 0, 0, 1] [16, 128, 32, 1] [1, 1, 1, 1] : (tensor<16x128x32x2xf16>) -> tensor<16x128x32x1xf16>
  %ac = mirage_kernel.mul %a, %c : (tensor<16x128x32x1xf16>, tensor<1x128x32x1xf16>) -> tensor<16x128x32x1xf16>
  %bs = mirage_kernel.mul %b, %s : (tensor<16x128x32x1xf16>, tensor<1x128x32x1xf16>) -> tensor<16x128x32x1xf16>
  %bc = mirage_kernel.mul %b, %c : (tensor<16x128x32x1xf16>, tensor<1x128x32x1xf16>) -> tensor<16x128x32x1xf16>
  %as = mirage_kernel.mul %a, %s : (tensor<16x128x32x1xf16>, tensor<1x128x32x1xf16>) -> tensor<16x128x32x1xf16>
  %l = mirage_kernel.sub %ac, %bs : (tensor<16x128x32x1xf16>, tensor<16x128x32x1xf16>) -> tensor<16x128x32x1xf16>
  %h = mirage_kernel.add %bc, %as : (tensor<16x128x32x1xf16>, tensor<16x128x32x1xf16>) -> tensor<16x128x32x1xf16>
  %r = mirage_kernel.concat dim(3) %l, %h : (tensor<16x128x32x1xf16>, tensor<16x128x32x1xf16>) -> tensor<16x128x32x2xf16>
  return %r : tensor<16x128x32x2xf16>
}

// CHECK-LABEL: func.func private @strides_part
// CHECK-SAME: verdict = "{{proved|equivalent}}"
// CHECK-NOT: mirage_kernel.slice
// CHECK-NOT: mirage_kernel.concat
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.concat
// CHECK-NOT: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.concat
// CHECK: return
// COST-LABEL: @strides_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// LOWERED: llvm.func @strides_0_launch
// LOWERED-NOT: llvm.func @strides_1
func.func @strides(%x: tensor<16x128x64xf16>, %c: tensor<1x128x64xf16>, %s: tensor<1x128x64xf16>) -> tensor<16x128x64xf16> {
  %a = mirage_kernel.slice %x[0, 0, 0] [16, 128, 32] [1, 1, 2] : (tensor<16x128x64xf16>) -> tensor<16x128x32xf16>
  %b = mirage_kernel.slice %x[0, 0, 1] [16, 128, 32] [1, 1, 2] : (tensor<16x128x64xf16>) -> tensor<16x128x32xf16>
  %n = mirage_kernel.scale %b by -1.0 : (tensor<16x128x32xf16>) -> tensor<16x128x32xf16>
  %n1 = mirage_kernel.reshape %n : tensor<16x128x32xf16> to tensor<16x128x32x1xf16>
  %a1 = mirage_kernel.reshape %a : tensor<16x128x32xf16> to tensor<16x128x32x1xf16>
  %t = mirage_kernel.concat dim(3) %n1, %a1 : (tensor<16x128x32x1xf16>, tensor<16x128x32x1xf16>) -> tensor<16x128x32x2xf16>
  %f = mirage_kernel.reshape %t : tensor<16x128x32x2xf16> to tensor<16x128x64xf16>
  %xc = mirage_kernel.mul %x, %c : (tensor<16x128x64xf16>, tensor<1x128x64xf16>) -> tensor<16x128x64xf16>
  %fs = mirage_kernel.mul %f, %s : (tensor<16x128x64xf16>, tensor<1x128x64xf16>) -> tensor<16x128x64xf16>
  %r = mirage_kernel.add %xc, %fs : (tensor<16x128x64xf16>, tensor<16x128x64xf16>) -> tensor<16x128x64xf16>
  return %r : tensor<16x128x64xf16>
}

}
