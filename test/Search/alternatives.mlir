// Other graphs of a function, made by rules, stand beside its own: kernels are
// chosen among all of them.

// RUN: mirage-opt %s --mirage-superoptimize='kernels=1 effort=50' | FileCheck %s
// RUN: mirage-opt %s --mirage-superoptimize='kernels=1 effort=50 alternatives=0' \
// RUN:   | FileCheck %s --check-prefix=WITHOUT
// RUN: mirage-opt %s -o /dev/null --remark-policy=all \
// RUN:   --mirage-superoptimize='kernels=1 effort=50 keep-original' \
// RUN:   --mirage-verify-equivalence \
// RUN:   --remarks-filter='mirage-(superoptimize.*|verify-equivalence)' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s -o /dev/null --remark-policy=all \
// RUN:   --mirage-superoptimize='kernels=1 effort=50 alternatives=1 stats=%t' \
// RUN:   --remarks-filter='mirage-superoptimize-details' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LIMIT
// RUN: FileCheck %s --check-prefix=STATS --input-file=%t

// Both results read one product of 137 billion operations, so that neither pays
// as x (u v) alone.
// CHECK-LABEL: func.func @chains(
// CHECK-SAME: verdict = "proved"
// CHECK-NOT: -> tensor<4096x4096xf32>
// CHECK-DAG: mirage_kernel.matmul %arg1, %arg2 {{.*}} -> tensor<4096x64xf32>
// CHECK-DAG: mirage_kernel.matmul %arg1, %arg3 {{.*}} -> tensor<4096x64xf32>
// WITHOUT-LABEL: func.func @chains(
// WITHOUT: mirage_kernel.matmul %arg0, %arg1 {{.*}} -> tensor<4096x4096xf32>
// REMARK-DAG: [Passed] alternative {{.*}}Function=chains {{.*}}Remark="AssociatedRight: some of its kernels are taken"
// REMARK-DAG: @chains_original{{.*}}proved
// LIMIT-NOT: other graph of @chains
// LIMIT: [Missed] alternatives {{.*}}Remark="Rules make more than 1 other graph of @rows; option alternatives says how many are looked at."
// STATS: "alternatives": 1,
// STATS: "used_alternatives": [
// STATS-NEXT: 0
func.func @chains(%x: tensor<4096x4096xf32>, %u: tensor<4096x4096xf32>,
                  %v: tensor<4096x64xf32>, %w: tensor<4096x64xf32>)
    -> (tensor<4096x64xf32>, tensor<4096x64xf32>)
    attributes {mirage.superoptimize} {
  %p = mirage_kernel.matmul %x, %u
      : (tensor<4096x4096xf32>, tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
  %0 = mirage_kernel.matmul %p, %v
      : (tensor<4096x4096xf32>, tensor<4096x64xf32>) -> tensor<4096x64xf32>
  %1 = mirage_kernel.matmul %p, %w
      : (tensor<4096x4096xf32>, tensor<4096x64xf32>) -> tensor<4096x64xf32>
  return %0, %1 : tensor<4096x64xf32>, tensor<4096x64xf32>
}

// Each rule that was applied leaves others to be applied.
func.func @rows(%x: tensor<64x64xf32>, %d: tensor<64x1xf32>,
                %c: tensor<64x1xf32>, %w: tensor<64x64xf32>)
    -> tensor<64x64xf32> attributes {mirage.superoptimize} {
  %0 = mirage_kernel.mul %x, %c
      : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
  %1 = mirage_kernel.div %0, %d
      : (tensor<64x64xf32>, tensor<64x1xf32>) -> tensor<64x64xf32>
  %2 = mirage_kernel.matmul %1, %w
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}
