// Products of one norm with several weights are one launch: a dimension of the
// grid says which weight a block multiplies with. The stack of the weights has
// no kernel, nor have its slices. It is the same with weights in one tensor,
// whose product is sliced, and where one of the weights is stored transposed.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %t.mlir --mirage-lower-to-nvvm | FileCheck %s --check-prefix=LOWERED
// RUN: mirage-run %t.mlir --device=threads --entry=separate | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %t.mlir --device=threads --entry=fused | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %t.mlir --device=threads --entry=mixed | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @separate_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.concat dim(0)
// CHECK: mirage_kernel.launch grid(x = {{[0-9]+}}, y = 3, z = {{[0-9]+}})
// CHECK-COUNT-1: mirage_block.matmul
// CHECK-NOT: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
// COST-LABEL: @separate_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// LOWERED: llvm.func @separate_0_launch
// LOWERED-NOT: llvm.func @separate_1
func.func @separate(%x: tensor<64x256xf16>, %wq: tensor<256x256xf16>, %wk: tensor<256x256xf16>, %wv: tensor<256x256xf16>) -> (tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>) {
  %n = mirage_kernel.layer_norm %x epsilon(1.0e-5) : (tensor<64x256xf16>) -> tensor<64x256xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<64x256xf16>, tensor<256x256xf16>) -> tensor<64x256xf16>
  %k = mirage_kernel.matmul %n, %wk : (tensor<64x256xf16>, tensor<256x256xf16>) -> tensor<64x256xf16>
  %v = mirage_kernel.matmul %n, %wv : (tensor<64x256xf16>, tensor<256x256xf16>) -> tensor<64x256xf16>
  return %q, %k, %v : tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>
}

// CHECK-LABEL: func.func private @fused_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.launch grid(x = {{[0-9]+}}, y = 3, z = {{[0-9]+}})
// CHECK-COUNT-1: mirage_block.matmul
// CHECK-NOT: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
// COST-LABEL: @fused_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @fused(%x: tensor<64x256xf16>, %w: tensor<256x768xf16>) -> (tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>) {
  %n = mirage_kernel.layer_norm %x epsilon(1.0e-5) : (tensor<64x256xf16>) -> tensor<64x256xf16>
  %y = mirage_kernel.matmul %n, %w : (tensor<64x256xf16>, tensor<256x768xf16>) -> tensor<64x768xf16>
  %q = mirage_kernel.slice %y[0, 0] [64, 256] [1, 1] : (tensor<64x768xf16>) -> tensor<64x256xf16>
  %k = mirage_kernel.slice %y[0, 256] [64, 256] [1, 1] : (tensor<64x768xf16>) -> tensor<64x256xf16>
  %v = mirage_kernel.slice %y[0, 512] [64, 256] [1, 1] : (tensor<64x768xf16>) -> tensor<64x256xf16>
  return %q, %k, %v : tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>
}

// CHECK-LABEL: func.func private @mixed_part
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.transpose %arg2
// CHECK: mirage_kernel.concat dim(0)
// CHECK: mirage_kernel.launch grid(x = {{[0-9]+}}, y = 3, z = {{[0-9]+}})
// CHECK-COUNT-1: mirage_block.matmul
// CHECK-NOT: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// CHECK: return
// COST-LABEL: @mixed_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @mixed(%x: tensor<64x256xf16>, %wq: tensor<256x256xf16>, %wk: tensor<256x256xf16>, %wv: tensor<256x256xf16>) -> (tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>) {
  %n = mirage_kernel.layer_norm %x epsilon(1.0e-5) : (tensor<64x256xf16>) -> tensor<64x256xf16>
  %q = mirage_kernel.matmul %n, %wq : (tensor<64x256xf16>, tensor<256x256xf16>) -> tensor<64x256xf16>
  %k = mirage_kernel.matmul %n, %wk transpose_rhs : (tensor<64x256xf16>, tensor<256x256xf16>) -> tensor<64x256xf16>
  %v = mirage_kernel.matmul %n, %wv : (tensor<64x256xf16>, tensor<256x256xf16>) -> tensor<64x256xf16>
  return %q, %k, %v : tensor<64x256xf16>, tensor<64x256xf16>, tensor<64x256xf16>
}

}
