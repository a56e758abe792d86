// Products become launches. Where no useful tile divides one, it is padded to whole tiles.

// RUN: mirage-opt %s --mirage-default-launches | FileCheck %s
// RUN: mirage-opt %s --mirage-default-launches -o %t
// RUN: mirage-run %s --entry=product --precision=f64 --output=%t.plain
// RUN: mirage-run %t --entry=product --precision=f64 --output=%t.launch
// RUN: cmp %t.plain/result0.npy %t.launch/result0.npy
// RUN: mirage-run %s --entry=batched --precision=f64 --output=%t.plain
// RUN: mirage-run %t --entry=batched --precision=f64 --output=%t.launch
// RUN: cmp %t.plain/result0.npy %t.launch/result0.npy
// RUN: mirage-run %s --entry=edges --precision=f64 --output=%t.plain
// RUN: mirage-run %t --entry=edges --precision=f64 --output=%t.launch
// RUN: cmp %t.plain/result0.npy %t.launch/result0.npy

// CHECK-LABEL: func.func @product
// CHECK: mirage_kernel.launch grid(x = {{[0-9]+}}, y = {{[0-9]+}})
// CHECK: mirage_block.for
// CHECK: mirage_block.accumulate sum
// CHECK: mirage_block.cast
func.func @product(%a: tensor<128x96xf16>, %b: tensor<96x64xf16>) -> tensor<128x64xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<128x96xf16>, tensor<96x64xf16>) -> tensor<128x64xf16>
  return %0 : tensor<128x64xf16>
}

// CHECK-LABEL: func.func @batched
// CHECK: mirage_kernel.launch grid(x = 3, y = {{[0-9]+}}, z = {{[0-9]+}})
// CHECK: mirage_block.matmul {{.*}} transpose_lhs transpose_rhs
func.func @batched(%a: tensor<3x64x48xf16>, %b: tensor<3x32x64xf16>) -> tensor<3x48x32xf32> {
  %0 = mirage_kernel.matmul %a, %b transpose_lhs transpose_rhs : (tensor<3x64x48xf16>, tensor<3x32x64xf16>) -> tensor<3x48x32xf32>
  return %0 : tensor<3x48x32xf32>
}

// Rows, columns and the contracted size get zeros at their ends, and of the result the
// beginning is taken.
// CHECK-LABEL: func.func @edges
// CHECK: [[A:%.*]] = mirage_kernel.pad %arg0 low [0, 0] high [{{[1-9][0-9]*, [1-9][0-9]*}}] value(0.000000e+00)
// CHECK: [[B:%.*]] = mirage_kernel.pad %arg1 low [0, 0] high [{{[1-9][0-9]*, [1-9][0-9]*}}] value(0.000000e+00)
// CHECK: [[R:%.*]] = mirage_kernel.launch {{.*}}[[A]] : {{.*}}[[B]] :
// CHECK: mirage_kernel.slice [[R]][0, 0] [257, 1009] [1, 1]
func.func @edges(%a: tensor<521x257xbf16>, %b: tensor<521x1009xbf16>) -> tensor<257x1009xf32> {
  %0 = mirage_kernel.matmul %a, %b transpose_lhs : (tensor<521x257xbf16>, tensor<521x1009xbf16>) -> tensor<257x1009xf32>
  return %0 : tensor<257x1009xf32>
}

// A small size that no tile divides is a tile of its own.
// CHECK-LABEL: func.func @small
// CHECK-NOT: mirage_kernel.pad
// CHECK: mirage_block.load {{.*}} to tensor<17x67xf16>
func.func @small(%c: tensor<17x67xf16>, %d: tensor<67x64xf16>) -> tensor<17x64xf16> {
  %0 = mirage_kernel.matmul %c, %d : (tensor<17x67xf16>, tensor<67x64xf16>) -> tensor<17x64xf16>
  return %0 : tensor<17x64xf16>
}

// CHECK-LABEL: func.func @stay
// CHECK-NOT: mirage_kernel.launch
func.func @stay(%a: tensor<64x64xf64>, %b: tensor<64x64xf64>) -> tensor<64x64xf64> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<64x64xf64>, tensor<64x64xf64>) -> tensor<64x64xf64>
  return %0 : tensor<64x64xf64>
}
