// Meanings of meanings, within the depth and the size; results that are
// operands; one value as two operands; what a meaning builds and doesn't use.
// REQUIRES: operators
// RUN: mirage-opt %s --load-dialect-plugin=%test_operators --mirage-expand-custom-operators | FileCheck %s
// RUN: mirage-opt %s --load-dialect-plugin=%test_operators -o %t.mlir
// RUN: mirage-opt %t.mlir --load-dialect-plugin=%test_operators | FileCheck %s --check-prefix=SAME
// RUN: mirage-opt %s --load-dialect-plugin=%test_operators --emit-bytecode \
// RUN:   | mirage-opt --load-dialect-plugin=%test_operators | FileCheck %s --check-prefix=SAME

// CHECK-LABEL: func.func @deep
// CHECK-NEXT: mirage_kernel.square
// CHECK-NEXT: return
// SAME-LABEL: func.func @deep
// SAME: "test.means"(%{{.*}}) {means = "chain", times = 15 : i64}
func.func @deep(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.means"(%x) {means = "chain", times = 15 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @tree
// CHECK-COUNT-8: mirage_kernel.square
// CHECK-NOT: mirage_kernel.square
// CHECK: return
func.func @tree(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.means"(%x) {means = "tree", times = 3 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @operands
// CHECK-SAME: (%[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<8xf32>)
// CHECK-NEXT: return %[[X]], %[[X]], %[[Y]]
func.func @operands(%x: tensor<4xf32>, %y: tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %0:3 = "test.means"(%x, %x, %y) {means = "operands"}
      : (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>)
  return %0#0, %0#1, %0#2 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @unused
// CHECK-NEXT: mirage_kernel.square
// CHECK-NEXT: return
func.func @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.means"(%x) {means = "unused"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// An operator that names a row of the table.
// CHECK-LABEL: func.func @row
// CHECK-NEXT: mirage_kernel.exp
// CHECK-NEXT: return
func.func @row(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.exp"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
