// Slices are windows of tensors that a launch reads where they stand, and a
// concatenation is one tensor whose parts a launch writes: neither is a kernel.
//
// RUN: mirage-opt %s --mirage-optimize -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST
// RUN: mirage-opt %t.mlir --inline --convert-mirage-block-to-thread | FileCheck %s --check-prefix=THREAD

module attributes {mirage.target = #mirage.target<sm_90a>} {

// Queries, keys and values of grouped heads from one weight: 16, 4 and 4 heads.
// Columns are six parts of four heads' columns, so one grid divides all three.

// CHECK-LABEL: func.func private @grouped_heads_part
// CHECK-SAME: verdict = "proved"
// CHECK-DAG: mirage_kernel.slice %arg1[0, 0] [512, 256]
// CHECK-DAG: mirage_kernel.slice %arg1[0, 768] [512, 256]
// CHECK-DAG: [[K:%.*]] = mirage_kernel.slice %arg1[0, 1024] [512, 256]
// CHECK-DAG: [[V:%.*]] = mirage_kernel.slice %arg1[0, 1280] [512, 256]
// CHECK: [[L:%.*]]:6 = mirage_kernel.launch
// CHECK-COUNT-6: mirage_block.matmul
// CHECK-NOT: mirage_kernel.launch
// CHECK: [[Q:%.*]] = mirage_kernel.concat dim(1) [[L]]#0, [[L]]#1, [[L]]#2, [[L]]#3
// CHECK: return [[Q]], [[L]]#4, [[L]]#5
// COST-LABEL: @grouped_heads_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
func.func @grouped_heads(%x: tensor<16x512xf16>, %w: tensor<512x1536xf16>) -> (tensor<16x1024xf16>, tensor<16x256xf16>, tensor<16x256xf16>) {
  %y = mirage_kernel.matmul %x, %w : (tensor<16x512xf16>, tensor<512x1536xf16>) -> tensor<16x1536xf16>
  %q = mirage_kernel.slice %y[0, 0] [16, 1024] [1, 1] : (tensor<16x1536xf16>) -> tensor<16x1024xf16>
  %k = mirage_kernel.slice %y[0, 1024] [16, 256] [1, 1] : (tensor<16x1536xf16>) -> tensor<16x256xf16>
  %v = mirage_kernel.slice %y[0, 1280] [16, 256] [1, 1] : (tensor<16x1536xf16>) -> tensor<16x256xf16>
  return %q, %k, %v : tensor<16x1024xf16>, tensor<16x256xf16>, tensor<16x256xf16>
}

// An adapter's first matrix stands behind the weight in one matrix of 1,040
// columns, which no grid could divide.

// CHECK-LABEL: func.func private @adapter_part
// CHECK-SAME: verdict = "proved"
// CHECK-DAG: mirage_kernel.slice %arg1[0, 0] [1024, 1024]
// CHECK-DAG: mirage_kernel.slice %arg1[0, 1024] [1024, 16]
// CHECK: mirage_kernel.launch
// CHECK-COUNT-2: mirage_block.{{(concat_)?}}matmul
// CHECK-NOT: mirage_kernel.launch
// COST-LABEL: @adapter_part
// COST-NEXT: kernel
// COST-NEXT: launch
// COST-NEXT: total
// THREAD: gpu.func @adapter_0_launch({{.*}}[[W:%arg[0-9]+]]: memref<1024x1040xf16>
// THREAD: mirage_thread.copy async {{.*}} : memref<1024x1040xf16>
func.func @adapter(%x: tensor<16x1024xf16>, %w: tensor<1024x1040xf16>, %b: tensor<16x1024xf16>) -> tensor<16x1024xf16> {
  %y = mirage_kernel.matmul %x, %w : (tensor<16x1024xf16>, tensor<1024x1040xf16>) -> tensor<16x1040xf16>
  %p = mirage_kernel.slice %y[0, 0] [16, 1024] [1, 1] : (tensor<16x1040xf16>) -> tensor<16x1024xf16>
  %a = mirage_kernel.slice %y[0, 1024] [16, 16] [1, 1] : (tensor<16x1040xf16>) -> tensor<16x16xf16>
  %d = mirage_kernel.matmul %a, %b : (tensor<16x16xf16>, tensor<16x1024xf16>) -> tensor<16x1024xf16>
  %r = mirage_kernel.add %p, %d : (tensor<16x1024xf16>, tensor<16x1024xf16>) -> tensor<16x1024xf16>
  return %r : tensor<16x1024xf16>
}

}
