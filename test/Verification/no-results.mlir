// Functions without results cannot differ, and the line says why they don't.
//
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f rhs=g' -o /dev/null | FileCheck %s

// CHECK: @g computes what @f does: proved (neither has a result)
func.func @f(%x: tensor<4xf32>) {
  return
}
func.func @g(%x: tensor<4xf32>) {
  return
}
