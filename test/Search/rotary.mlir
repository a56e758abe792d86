// Rotary embeddings in two spellings: a rotation of two halves that are put
// together, and x cos + rotate_half(x) sin. Both are one launch, which reads
// windows of x and writes the parts of one result.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %t.mlir --mirage-lower-to-nvvm | FileCheck %s --check-prefix=LOWERED

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @rotation_part
// CHECK-SAME: verdict = "proved"
// CHECK-DAG: mirage_kernel.slice %arg0[0, 0, 0] [32, 1024, 64]
// CHECK-DAG: mirage_kernel.slice %arg0[0, 0, 64] [32, 1024, 64]
// CHECK: [[R:%.*]]:2 = mirage_kernel.launch
// CHECK-NOT: mirage_kernel.launch
// CHECK: mirage_kernel.concat dim(2) [[R]]#0, [[R]]#1
// COST-LABEL: @rotation_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// LOWERED: llvm.func @rotation_0_launch
// LOWERED-NOT: llvm.func @rotation_1
func.func @rotation(%x: tensor<32x1024x128xf16>, %c: tensor<1x1024x64xf16>, %s: tensor<1x1024x64xf16>) -> tensor<32x1024x128xf16> {
  %a = mirage_kernel.slice %x[0, 0, 0] [32, 1024, 64] [1, 1, 1] : (tensor<32x1024x128xf16>) -> tensor<32x1024x64xf16>
  %b = mirage_kernel.slice %x[0, 0, 64] [32, 1024, 64] [1, 1, 1] : (tensor<32x1024x128xf16>) -> tensor<32x1024x64xf16>
  %ac = mirage_kernel.mul %a, %c : (tensor<32x1024x64xf16>, tensor<1x1024x64xf16>) -> tensor<32x1024x64xf16>
  %bs = mirage_kernel.mul %b, %s : (tensor<32x1024x64xf16>, tensor<1x1024x64xf16>) -> tensor<32x1024x64xf16>
  %bc = mirage_kernel.mul %b, %c : (tensor<32x1024x64xf16>, tensor<1x1024x64xf16>) -> tensor<32x1024x64xf16>
  %as = mirage_kernel.mul %a, %s : (tensor<32x1024x64xf16>, tensor<1x1024x64xf16>) -> tensor<32x1024x64xf16>
  %l = mirage_kernel.sub %ac, %bs : (tensor<32x1024x64xf16>, tensor<32x1024x64xf16>) -> tensor<32x1024x64xf16>
  %h = mirage_kernel.add %bc, %as : (tensor<32x1024x64xf16>, tensor<32x1024x64xf16>) -> tensor<32x1024x64xf16>
  %r = mirage_kernel.concat dim(2) %l, %h : (tensor<32x1024x64xf16>, tensor<32x1024x64xf16>) -> tensor<32x1024x128xf16>
  return %r : tensor<32x1024x128xf16>
}

// CHECK-LABEL: func.func private @rotate_half_part
// CHECK-SAME: verdict = "proved"
// CHECK: [[R:%.*]]:2 = mirage_kernel.launch
// CHECK-NOT: mirage_kernel.launch
// CHECK: mirage_kernel.concat dim(2) [[R]]#0, [[R]]#1
// COST-LABEL: @rotate_half_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// LOWERED: llvm.func @rotate_half_0_launch
// LOWERED-NOT: llvm.func @rotate_half_1
func.func @rotate_half(%x: tensor<32x1024x128xf16>, %c: tensor<1x1024x128xf16>, %s: tensor<1x1024x128xf16>) -> tensor<32x1024x128xf16> {
  %a = mirage_kernel.slice %x[0, 0, 0] [32, 1024, 64] [1, 1, 1] : (tensor<32x1024x128xf16>) -> tensor<32x1024x64xf16>
  %b = mirage_kernel.slice %x[0, 0, 64] [32, 1024, 64] [1, 1, 1] : (tensor<32x1024x128xf16>) -> tensor<32x1024x64xf16>
  %n = mirage_kernel.scale %b by -1.0 : (tensor<32x1024x64xf16>) -> tensor<32x1024x64xf16>
  %t = mirage_kernel.concat dim(2) %n, %a : (tensor<32x1024x64xf16>, tensor<32x1024x64xf16>) -> tensor<32x1024x128xf16>
  %xc = mirage_kernel.mul %x, %c : (tensor<32x1024x128xf16>, tensor<1x1024x128xf16>) -> tensor<32x1024x128xf16>
  %ts = mirage_kernel.mul %t, %s : (tensor<32x1024x128xf16>, tensor<1x1024x128xf16>) -> tensor<32x1024x128xf16>
  %r = mirage_kernel.add %xc, %ts : (tensor<32x1024x128xf16>, tensor<32x1024x128xf16>) -> tensor<32x1024x128xf16>
  return %r : tensor<32x1024x128xf16>
}

// Only a part of each head is rotated. The launch copies the other part to where
// it belongs.

// CHECK-LABEL: func.func private @rotate_part_part
// CHECK-SAME: verdict = "proved"
// CHECK: [[R:%.*]]:3 = mirage_kernel.launch
// CHECK: mirage_block.store
// CHECK-NOT: mirage_kernel.launch
// CHECK: mirage_kernel.concat dim(2) [[R]]#0, [[R]]#1, [[R]]#2
// COST-LABEL: @rotate_part_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// LOWERED: llvm.func @rotate_part_0_launch
// LOWERED-NOT: llvm.func @rotate_part_1
func.func @rotate_part(%x: tensor<32x1024x96xf16>, %c: tensor<1x1024x32xf16>, %s: tensor<1x1024x32xf16>) -> tensor<32x1024x96xf16> {
  %a = mirage_kernel.slice %x[0, 0, 0] [32, 1024, 32] [1, 1, 1] : (tensor<32x1024x96xf16>) -> tensor<32x1024x32xf16>
  %b = mirage_kernel.slice %x[0, 0, 32] [32, 1024, 32] [1, 1, 1] : (tensor<32x1024x96xf16>) -> tensor<32x1024x32xf16>
  %rest = mirage_kernel.slice %x[0, 0, 64] [32, 1024, 32] [1, 1, 1] : (tensor<32x1024x96xf16>) -> tensor<32x1024x32xf16>
  %ac = mirage_kernel.mul %a, %c : (tensor<32x1024x32xf16>, tensor<1x1024x32xf16>) -> tensor<32x1024x32xf16>
  %bs = mirage_kernel.mul %b, %s : (tensor<32x1024x32xf16>, tensor<1x1024x32xf16>) -> tensor<32x1024x32xf16>
  %bc = mirage_kernel.mul %b, %c : (tensor<32x1024x32xf16>, tensor<1x1024x32xf16>) -> tensor<32x1024x32xf16>
  %as = mirage_kernel.mul %a, %s : (tensor<32x1024x32xf16>, tensor<1x1024x32xf16>) -> tensor<32x1024x32xf16>
  %l = mirage_kernel.sub %ac, %bs : (tensor<32x1024x32xf16>, tensor<32x1024x32xf16>) -> tensor<32x1024x32xf16>
  %h = mirage_kernel.add %bc, %as : (tensor<32x1024x32xf16>, tensor<32x1024x32xf16>) -> tensor<32x1024x32xf16>
  %r = mirage_kernel.concat dim(2) %l, %h, %rest : (tensor<32x1024x32xf16>, tensor<32x1024x32xf16>, tensor<32x1024x32xf16>) -> tensor<32x1024x96xf16>
  return %r : tensor<32x1024x96xf16>
}

// A weight in two pieces is multiplied with a concatenation: a sum of products
// over the parts, in one launch.

// CHECK-LABEL: func.func private @over_parts_part
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: mirage_kernel.concat
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.concat
// CHECK-NOT: mirage_kernel.launch
// COST-LABEL: @over_parts_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @over_parts(%x: tensor<16x512xf16>, %y: tensor<16x256xf16>, %w: tensor<768x512xf16>) -> tensor<16x512xf16> {
  %s = mirage_kernel.silu %x : (tensor<16x512xf16>) -> tensor<16x512xf16>
  %c = mirage_kernel.concat dim(1) %s, %y : (tensor<16x512xf16>, tensor<16x256xf16>) -> tensor<16x768xf16>
  %r = mirage_kernel.matmul %c, %w : (tensor<16x768xf16>, tensor<768x512xf16>) -> tensor<16x512xf16>
  return %r : tensor<16x512xf16>
}

}
