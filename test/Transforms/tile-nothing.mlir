// An expression for a module without chains is hardly what was meant.
// RUN: mirage-opt %s --mirage-tile='expr=mnkh tiles=m:16' 2>&1 | FileCheck %s
// CHECK: warning: no function is a chain of products, so that option expr of mirage-tile is not used
// CHECK: mirage_kernel.add

// RUN: mirage-opt %s --mirage-tile 2>&1 | FileCheck %s --check-prefix=PLAIN --implicit-check-not=warning
// PLAIN: mirage_kernel.add
func.func @sum(%x: tensor<4x4xf16>, %y: tensor<4x4xf16>) -> tensor<4x4xf16> {
  %0 = mirage_kernel.add %x, %y : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
  return %0 : tensor<4x4xf16>
}
