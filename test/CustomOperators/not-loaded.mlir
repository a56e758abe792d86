// An operator of a dialect that does not depend on mirage_kernel, where nothing
// else has loaded it.
// REQUIRES: operators
// RUN: not mirage-run %s --load-dialect-plugin=%test_operators 2>&1 | FileCheck %s

// CHECK: not-loaded.mlir:[[@LINE+2]]:{{.*}}error: 'test_lonely.op' op is a custom operator of a dialect that does not depend on mirage_kernel (meaning_c2)
func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = "test_lonely.op"(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
