// Options name functions of nested modules by paths.
//
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=inner::f' -o /dev/null | FileCheck %s
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=@f rhs=@inner::@f' -o /dev/null | FileCheck %s
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=::f' -o /dev/null 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=inner::g' -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSING

// CHECK: @inner::@f computes what @f does: proved
// EMPTY: nested-names.mlir:{{.*}} error: option rhs of mirage-verify-equivalence must be a function's name, or a path such as inner::f; it is '::f'
// MISSING: error: the module has no function @inner::@g, which option rhs names
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
module @inner {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    return %x : tensor<4xf32>
  }
}
