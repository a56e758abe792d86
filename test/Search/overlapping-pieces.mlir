// An activation that products of unlike sizes read is part of the launches of both:
// none of them writes it, and each computes it again. The whole program as one
// launch would have a grid that divides columns of neither, and parts of one size
// would be too many.
//
// RUN: mirage-opt %s --mirage-optimize=stats=%t.json -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t.json
// RUN: mirage-opt %t.mlir --mirage-lower-to-nvvm | FileCheck %s --check-prefix=LOWERED

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @unlike_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.silu
// CHECK: mirage_block.matmul
// CHECK: mirage_kernel.launch
// CHECK: mirage_block.silu
// CHECK: mirage_block.matmul
// CHECK-NOT: mirage_kernel.
// CHECK: return
// COST-LABEL: @unlike_part
// COST-NEXT: kernel
// COST-NEXT: {{^}}launch:
// COST-NEXT: {{^}}launch:
// COST-NEXT: total
// JSON: "open": 0,
// JSON: "orchestrations": {{[1-9]}}
// JSON: "overlapping": {{[1-9]}}
// LOWERED: llvm.func @unlike_0_launch
// LOWERED: llvm.func @unlike_1_launch
// LOWERED-NOT: llvm.func @unlike_2
func.func @unlike(%x: tensor<64x1024xf16>, %y: tensor<64x1024xf16>, %w: tensor<1024x2048xf16>, %v: tensor<1024x528xf16>) -> (tensor<64x2048xf16>, tensor<64x528xf16>) {
  %a = mirage_kernel.add %x, %y : (tensor<64x1024xf16>, tensor<64x1024xf16>) -> tensor<64x1024xf16>
  %g = mirage_kernel.silu %a : (tensor<64x1024xf16>) -> tensor<64x1024xf16>
  %u = mirage_kernel.matmul %g, %w : (tensor<64x1024xf16>, tensor<1024x2048xf16>) -> tensor<64x2048xf16>
  %z = mirage_kernel.matmul %g, %v : (tensor<64x1024xf16>, tensor<1024x528xf16>) -> tensor<64x528xf16>
  return %u, %z : tensor<64x2048xf16>, tensor<64x528xf16>
}

}
