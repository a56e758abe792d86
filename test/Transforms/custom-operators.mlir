// Operators that say nothing of what they compute: subprograms end before them
// and begin after them, with a remark; a function marked by hand that has one
// stays, and says why.
// RUN: mirage-opt %s --allow-unregistered-dialect --mirage-optimize | FileCheck %s
// RUN: mirage-opt %s --allow-unregistered-dialect --mirage-partition -o /dev/null \
// RUN:   --remarks-filter=mirage-partition-details --remark-policy=all 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: mirage-opt %s --allow-unregistered-dialect --mirage-superoptimize=function=around \
// RUN:   | FileCheck %s --check-prefix=MARKED

module attributes {mirage.target = #mirage.target<sm_90a>} {

// CHECK-LABEL: func.func @around(
// CHECK: %[[A:.*]] = call @around_part(%{{.*}}
// CHECK: %[[B:.*]] = "custom.norm"(%[[A]])
// CHECK: %[[C:.*]] = call @around_part_0({{.*}}%[[B]])
// CHECK: return %[[C]]
// CHECK: func.func private @around_part_0(
// CHECK-SAME: verdict = "{{proved|equivalent}}"
// CHECK: mirage_kernel.launch
// REMARK: custom-operators.mlir:[[@LINE+7]]:{{.*}}custom.norm{{.*}}may have side effects
// MARKED: @around({{.*}}reason = "the interpreter does not execute 'custom.norm'"
// MARKED-SAME: verdict = "unsupported"
// MARKED: "custom.norm"
func.func @around(%x: tensor<16x64xf32>, %w: tensor<64x32xf32>) -> tensor<16x32xf32> {
  %s = mirage_kernel.square %x : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %e = mirage_kernel.exp %s : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %c = "custom.norm"(%e) : (tensor<16x64xf32>) -> tensor<16x64xf32>
  %p = mirage_kernel.matmul %c, %w : (tensor<16x64xf32>, tensor<64x32xf32>) -> tensor<16x32xf32>
  %r = mirage_kernel.exp %p : (tensor<16x32xf32>) -> tensor<16x32xf32>
  return %r : tensor<16x32xf32>
}

}
