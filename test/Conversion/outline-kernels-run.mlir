// Functions of the kernel operations among others compute what these did.

// RUN: mirage-run %s --entry=mixed > %t.before
// RUN: mirage-opt %s --mirage-outline-kernels -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: mirage-opt %t.mlir --convert-linalg-to-mirage | mirage-run --entry=mixed - > %t.after
// RUN: diff %t.before %t.after

// CHECK-LABEL: func.func @mixed(
// CHECK-NOT: mirage_kernel
// CHECK: call @stays(
// CHECK-NOT: mirage_kernel
// CHECK: return
func.func @mixed(%x: tensor<4x6xf32>, %y: tensor<24xf32>) -> (tensor<6x4xf32>, tensor<2x12xf32>, tensor<24xf32>) {
  %c = mirage_kernel.constant dense<0.25> : tensor<24xf32>
  %0 = mirage_kernel.transpose %x [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
  %1 = mirage_kernel.reshape %0 : tensor<6x4xf32> to tensor<24xf32>
  %2 = func.call @stays(%1, %c) {no_inline} : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  %3 = mirage_kernel.add %2, %1 : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  %4 = func.call @joins(%3) : (tensor<24xf32>) -> tensor<24xf32>
  %5 = mirage_kernel.mul %4, %c : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  %6 = mirage_kernel.reshape %y : tensor<24xf32> to tensor<2x12xf32>
  %7 = func.call @stays(%y, %5) {no_inline} : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  %8 = mirage_kernel.reshape %7 : tensor<24xf32> to tensor<2x12xf32>
  %9 = mirage_kernel.sub %8, %6 : (tensor<2x12xf32>, tensor<2x12xf32>) -> tensor<2x12xf32>
  return %0, %9, %5 : tensor<6x4xf32>, tensor<2x12xf32>, tensor<24xf32>
}
func.func private @stays(%x: tensor<24xf32>, %y: tensor<24xf32>) -> tensor<24xf32> {
  %0 = mirage_kernel.tanh %x : (tensor<24xf32>) -> tensor<24xf32>
  %1 = mirage_kernel.sub %0, %y : (tensor<24xf32>, tensor<24xf32>) -> tensor<24xf32>
  return %1 : tensor<24xf32>
}
func.func private @joins(%x: tensor<24xf32>) -> tensor<24xf32> {
  %0 = mirage_kernel.tanh %x : (tensor<24xf32>) -> tensor<24xf32>
  return %0 : tensor<24xf32>
}
