// Products of one norm are one launch, which computes the norm again for every
// part of the columns: a grid divides the columns of all of them together,
// though no operator combines these. One of them is rectified, so that they are
// not computed alike.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %t.mlir --mirage-lower-to-nvvm | FileCheck %s --check-prefix=LOWERED

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @projections_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid(x = {{[0-9]+}}, y = {{[1-9][0-9]+}})
// CHECK: mirage_block.{{rsqrt|layer_norm}}
// CHECK-COUNT-3: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
// COST-LABEL: @projections_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// LOWERED: llvm.func @projections_0_launch
// LOWERED-NOT: llvm.func @projections_1
func.func @projections(%x: tensor<64x768xf16>, %wq: tensor<768x256xf16>, %wk: tensor<768x256xf16>, %wv: tensor<768x256xf16>) -> (tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>) {
  %n = mirage_kernel.layer_norm %x epsilon(1.0e-5) : (tensor<64x768xf16>) -> tensor<64x768xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<64x768xf16>, tensor<768x256xf16>) -> tensor<64x256xf16>
  %k = mirage_kernel.matmul %n, %wk : (tensor<64x768xf16>, tensor<768x256xf16>) -> tensor<64x256xf16>
  %v = mirage_kernel.matmul %n, %wv : (tensor<64x768xf16>, tensor<768x256xf16>) -> tensor<64x256xf16>
  %r = mirage_kernel.relu %v : (tensor<64x256xf16>) -> tensor<64x256xf16>
  return %q, %k, %r : tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>
}

}
