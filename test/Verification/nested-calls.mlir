// Functions that call others twice, which call others twice: all of them in the
// place of their calls would be too many operations.
//
// RUN: not mirage-opt %s --mirage-verify-equivalence='lhs=f18 rhs=f18' -o /dev/null 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK < %t.err
// RUN: mirage-opt %s --mirage-verify-equivalence='lhs=f6 rhs=f6' -o /dev/null | FileCheck %s --check-prefix=FEW

// CHECK: @f18 may or may not compute what @f18 does: unknown, the interpreter does not execute 'func.call': with all calls in the place of their functions, there are more than 200000 operations
// REMARK: nested-calls.mlir:{{.*}}: remark: the interpreter does not execute 'func.call'
// FEW: @f6 computes what @f6 does: proved

func.func @f0(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.scale %x by 0.5 : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @f1(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f0(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f0(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f2(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f1(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f1(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f3(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f2(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f2(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f4(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f3(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f3(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f5(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f4(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f4(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f6(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f5(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f5(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f7(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f6(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f6(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f8(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f7(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f7(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f9(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f8(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f8(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f10(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f9(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f9(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f11(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f10(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f10(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f12(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f11(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f11(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f13(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f12(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f12(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f14(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f13(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f13(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f15(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f14(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f14(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f16(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f15(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f15(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f17(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f16(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f16(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @f18(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = func.call @f17(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @f17(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
