// Whoever asks for an invalid meaning says so: passes that rewrite fail with the
// error; the verifier does not know; the search leaves the function and keeps
// the reason.
// REQUIRES: operators
// RUN: not mirage-opt %s --load-dialect-plugin=%test_operators --mirage-fission 2>&1 | FileCheck %s
// RUN: not mirage-opt %s --load-dialect-plugin=%test_operators --mirage-partition 2>&1 | FileCheck %s
// RUN: not mirage-opt %s --load-dialect-plugin=%test_operators --mirage-optimize 2>&1 | FileCheck %s
// RUN: not mirage-opt %s --load-dialect-plugin=%test_operators --mirage-print-cost 2>&1 | FileCheck %s
// RUN: not mirage-opt %s --load-dialect-plugin=%test_operators --mirage-lower-to-nvvm 2>&1 | FileCheck %s
// RUN: not mirage-opt %s --load-dialect-plugin=%test_operators --convert-mirage-to-linalg 2>&1 | FileCheck %s
// RUN: not mirage-opt %s --load-dialect-plugin=%test_operators \
// RUN:   --mirage-verify-equivalence='lhs=f rhs=f' -o /dev/null 2>&1 | FileCheck %s
// RUN: not mirage-run %s --load-dialect-plugin=%test_operators 2>&1 | FileCheck %s
// RUN: mirage-opt %s --load-dialect-plugin=%test_operators --mirage-superoptimize=function=f \
// RUN:   --remarks-filter=mirage-superoptimize --remark-policy=all 2>&1 | FileCheck %s --check-prefix=SEARCH

// CHECK: invalid-users.mlir:[[@LINE+8]]:{{.*(error|remark)}}: 'test.means' op has a meaning of 2 values for 1 results (meaning_c3)
// SEARCH: invalid-users.mlir:[[@LINE+7]]:{{.*}}unsupported{{.*}}meaning_c3
// SEARCH: @f({{.*}}reason = "'test.means' op has a meaning of 2 values for 1 results (meaning_c3)"
// SEARCH-SAME: verdict = "unsupported"
// SEARCH: "test.means"
module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = "test.means"(%0, %x) {means = "operands"} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
}
