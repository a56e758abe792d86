// Queries, keys and values of each head are beside each other in the rows of a
// weight: a launch reads the rows of all queries, of all keys and of all values
// as three windows of the weight, and multiplies none of them twice.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func private @linear_attention_part
// CHECK-SAME: verdict = "proved"
// CHECK: [[W:%.*]] = mirage_kernel.reshape %arg1 : tensor<36x8xf32> to tensor<3x12x8xf32>
// CHECK-DAG: mirage_kernel.slice {{.*}}[0, 0, 0] [3, 4, 8]
// CHECK-DAG: mirage_kernel.slice {{.*}}[0, 4, 0] [3, 4, 8]
// CHECK-DAG: mirage_kernel.slice {{.*}}[0, 8, 0] [3, 4, 8]
// CHECK: mirage_kernel.launch
// CHECK-COUNT-5: mirage_block.matmul
// CHECK-NOT: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// COST-LABEL: @linear_attention_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @linear_attention(%x: tensor<8x32xf32>, %w: tensor<36x8xf32>) -> tensor<3x4x32xf32> {
  %p = mirage_kernel.matmul %w, %x : (tensor<36x8xf32>, tensor<8x32xf32>) -> tensor<36x32xf32>
  %heads = mirage_kernel.reshape %p : tensor<36x32xf32> to tensor<3x12x32xf32>
  %q = mirage_kernel.slice %heads[0, 0, 0] [3, 4, 32] [1, 1, 1] : (tensor<3x12x32xf32>) -> tensor<3x4x32xf32>
  %k = mirage_kernel.slice %heads[0, 4, 0] [3, 4, 32] [1, 1, 1] : (tensor<3x12x32xf32>) -> tensor<3x4x32xf32>
  %v = mirage_kernel.slice %heads[0, 8, 0] [3, 4, 32] [1, 1, 1] : (tensor<3x12x32xf32>) -> tensor<3x4x32xf32>
  %positive_q = mirage_kernel.relu %q : (tensor<3x4x32xf32>) -> tensor<3x4x32xf32>
  %positive_k = mirage_kernel.relu %k : (tensor<3x4x32xf32>) -> tensor<3x4x32xf32>
  %state = mirage_kernel.matmul %v, %positive_k transpose_rhs : (tensor<3x4x32xf32>, tensor<3x4x32xf32>) -> tensor<3x4x4xf32>
  %o = mirage_kernel.matmul %state, %positive_q : (tensor<3x4x4xf32>, tensor<3x4x32xf32>) -> tensor<3x4x32xf32>
  return %o : tensor<3x4x32xf32>
}

}
