// A constant whose elements differ is data of the kernels that read it, and no kernel of its own.

// RUN: mirage-opt %s --convert-mirage-block-to-thread --mirage-embed-constants | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=PTX --input-file=%t/kernels.ptx
// RUN: mirage-run %s --device=threads --entry=added | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=under_another_shape | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=two_constants | FileCheck %s --check-prefix=RIGHT
// RUN: mirage-run %s --device=threads --entry=returned | FileCheck %s --check-prefix=RIGHT

// RIGHT: over_bound=0 unbounded=0
// Of the first one each thread needs all elements, which are numbers in its instructions.
// PTX: .global .align 16 .b8 mirage_constant_1

module attributes {mirage.target = #mirage.target<sm_90a>} {
// Both kernels read it.
// CHECK-LABEL: func.func @added
// CHECK-NOT: memref.alloc() : memref<4xf32>
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @added(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = mirage_kernel.constant dense<[0.0, 1.0, 2.5, 3.0]> : tensor<4xf32>
  %a = mirage_kernel.add %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = mirage_kernel.mul %x, %c : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @under_another_shape
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @under_another_shape(%x: tensor<2x2xf16>) -> tensor<2x2xf16> {
  %c = mirage_kernel.constant dense<[0.0, 1.0, 2.5, 3.0]> : tensor<4xf16>
  %r = mirage_kernel.reshape %c : tensor<4xf16> to tensor<2x2xf16>
  %a = mirage_kernel.sub %x, %r : (tensor<2x2xf16>, tensor<2x2xf16>) -> tensor<2x2xf16>
  return %a : tensor<2x2xf16>
}

// One kernel is launched with two constants, and keeps its parameter.
// CHECK-LABEL: func.func @two_constants
// CHECK-COUNT-4: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @two_constants(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = mirage_kernel.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
  %d = mirage_kernel.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0]> : tensor<8xf32>
  %a = mirage_kernel.add %x, %c : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %b = mirage_kernel.add %a, %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %b : tensor<8xf32>
}

// What is returned must be written.
// CHECK-LABEL: func.func @returned
// CHECK-COUNT-2: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @returned(%x: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %c = mirage_kernel.constant dense<[0.0, 1.0, 2.5]> : tensor<3xf32>
  %a = mirage_kernel.add %x, %c : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %a, %c : tensor<3xf32>, tensor<3xf32>
}
}

// CHECK: gpu.module
// CHECK-DAG: memref.global "private" constant @[[F16:[a-z_0-9]*]] : memref<4xf16> = dense<[0.000000e+00, 1.000000e+00, 2.500000e+00, 3.000000e+00]> {alignment = 16 : i64}
// CHECK-DAG: memref.global "private" constant @[[F32:[a-z_0-9]*]] : memref<4xf32> = dense<[0.000000e+00, 1.000000e+00, 2.500000e+00, 3.000000e+00]> {alignment = 16 : i64}
// CHECK-NOT: memref.global
// CHECK: gpu.func @added_{{[0-9]}}_add(%arg0: memref<4xf32>, %arg1: memref<4xf32>) kernel
// CHECK-NEXT: memref.get_global @[[F32]] : memref<4xf32>
// CHECK: gpu.func @added_{{[0-9]}}_mul(%arg0: memref<4xf32>, %arg1: memref<4xf32>) kernel
// CHECK-NEXT: memref.get_global @[[F32]] : memref<4xf32>
// CHECK: gpu.func @under_another_shape_{{[0-9]}}_sub(%arg0: memref<2x2xf16>, %arg1: memref<2x2xf16>) kernel
// CHECK-NEXT: [[DATA:%.*]] = memref.get_global @[[F16]] : memref<4xf16>
// CHECK-NEXT: memref.reinterpret_cast [[DATA]] to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<4xf16> to memref<2x2xf16>
