// Attention whose heads lie beside each other in rows, as models have them. Transposes of heads are no kernels:
// launches read and write the other order of dimensions where it lies.
// With a GPU, scripts/test-device.sh runs each function and compares it with the interpreter.
//
// RUN: mirage-opt %s --mirage-lower-to-thread | FileCheck %s
// RUN: mirage-opt %s --mirage-lower-to-nvvm | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: %if ptxas %{ ptxas -arch=sm_90a -v %t/kernels.ptx -o %t/kernels.cubin 2>&1 | FileCheck %s --check-prefix=PTXAS %}
// RUN: mirage-run %s --entry=heads --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=batched --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=halves --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=columns --device=threads | FileCheck %s --check-prefix=RESULT
// RUN: mirage-run %s --entry=returned --device=threads | FileCheck %s --check-prefix=RESULT

// RESULT: over_bound=0
// PTXAS-NOT: {{[1-9][0-9]*}} bytes spill

module attributes {mirage.target = #mirage.target<sm_90a>} {

// The queries are padded and the result is clipped, too.
// CHECK-LABEL: func.func @heads
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [1, 4, 100, 64], strides: [25600, 64, 256, 1]
// CHECK: memref.reinterpret_cast %arg3 to offset: [0], sizes: [1, 4, 100, 64], strides: [25600, 64, 256, 1]
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// MANIFEST: "name": "heads",
// MANIFEST: "arguments": ["input0","input1","input2","output0"],
func.func @heads(%q: tensor<100x256xf16>, %k: tensor<96x256xf16>, %v: tensor<96x256xf16>) -> tensor<100x256xf16> {
  %0 = mirage_kernel.reshape %q : tensor<100x256xf16> to tensor<1x100x4x64xf16>
  %1 = mirage_kernel.transpose %0 [0, 2, 1, 3] : (tensor<1x100x4x64xf16>) -> tensor<1x4x100x64xf16>
  %2 = mirage_kernel.reshape %k : tensor<96x256xf16> to tensor<1x96x4x64xf16>
  %3 = mirage_kernel.transpose %2 [0, 2, 1, 3] : (tensor<1x96x4x64xf16>) -> tensor<1x4x96x64xf16>
  %4 = mirage_kernel.reshape %v : tensor<96x256xf16> to tensor<1x96x4x64xf16>
  %5 = mirage_kernel.transpose %4 [0, 2, 1, 3] : (tensor<1x96x4x64xf16>) -> tensor<1x4x96x64xf16>
  %6 = mirage_kernel.attention %1, %3, %5 scale(0.125) : (tensor<1x4x100x64xf16>, tensor<1x4x96x64xf16>, tensor<1x4x96x64xf16>) -> tensor<1x4x100x64xf16>
  %7 = mirage_kernel.transpose %6 [0, 2, 1, 3] : (tensor<1x4x100x64xf16>) -> tensor<1x100x4x64xf16>
  %8 = mirage_kernel.reshape %7 : tensor<1x100x4x64xf16> to tensor<100x256xf16>
  return %8 : tensor<100x256xf16>
}

// Dimensions of size one come and go between a transpose and the launch.
// CHECK-LABEL: func.func @batched
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 64, 32], strides: [32, 128, 1]
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
func.func @batched(%x: tensor<1x64x4x32xf16>, %w: tensor<4x32x48xf16>) -> tensor<1x64x4x48xf16> {
  %0 = mirage_kernel.transpose %x [0, 2, 1, 3] : (tensor<1x64x4x32xf16>) -> tensor<1x4x64x32xf16>
  %1 = mirage_kernel.reshape %0 : tensor<1x4x64x32xf16> to tensor<4x64x32xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<4x64x32xf16>, tensor<4x32x48xf16>) -> tensor<4x64x48xf16>
  %3 = mirage_kernel.reshape %2 : tensor<4x64x48xf16> to tensor<1x4x64x48xf16>
  %4 = mirage_kernel.transpose %3 [0, 2, 1, 3] : (tensor<1x4x64x48xf16>) -> tensor<1x64x4x48xf16>
  return %4 : tensor<1x64x4x48xf16>
}

// Halves of rows, as rotary embeddings take them apart, are read beside whole rows.
// CHECK-LABEL: func.func @halves
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [4, 64, 32], strides: [32, 128, 1]
// CHECK: memref.reinterpret_cast %arg0 to offset: [0], sizes: [1, 4, 64, 2, 16], strides: [8192, 32, 128, 16, 1]
// CHECK-NOT: _transpose
func.func @halves(%x: tensor<1x64x4x32xf16>, %w: tensor<4x32x48xf16>) -> (tensor<4x64x48xf16>, tensor<1x4x64x16xf32>) {
  %0 = mirage_kernel.transpose %x [0, 2, 1, 3] : (tensor<1x64x4x32xf16>) -> tensor<1x4x64x32xf16>
  %1 = mirage_kernel.reshape %0 : tensor<1x4x64x32xf16> to tensor<4x64x32xf16>
  %2 = mirage_kernel.matmul %1, %w : (tensor<4x64x32xf16>, tensor<4x32x48xf16>) -> tensor<4x64x48xf16>
  %3 = mirage_kernel.reshape %0 : tensor<1x4x64x32xf16> to tensor<1x4x64x2x16xf16>
  %4 = mirage_kernel.cast %3 : tensor<1x4x64x2x16xf16> to tensor<1x4x64x2x16xf32>
  %5 = mirage_kernel.reduce sum %4 dim(3) : (tensor<1x4x64x2x16xf32>) -> tensor<1x4x64x16xf32>
  return %2, %5 : tensor<4x64x48xf16>, tensor<1x4x64x16xf32>
}

// Neighbours would lie apart, so that each element would be an access.
// CHECK-LABEL: func.func @columns
// CHECK-COUNT-2: gpu.launch_func
func.func @columns(%x: tensor<2x64x32xf16>, %w: tensor<2x64x48xf16>) -> tensor<2x32x48xf16> {
  %0 = mirage_kernel.transpose %x [0, 2, 1] : (tensor<2x64x32xf16>) -> tensor<2x32x64xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<2x32x64xf16>, tensor<2x64x48xf16>) -> tensor<2x32x48xf16>
  return %1 : tensor<2x32x48xf16>
}

// What is returned has its own order, and what something else reads, too. The product's launch stores both
// orders of its result.
// CHECK-LABEL: func.func @returned
// CHECK: gpu.launch_func @mirage_kernels::@returned_0_transpose
// CHECK: gpu.launch_func {{.*}} args(%arg2 : {{.*}}, %arg1 : {{.*}}, %arg3 : memref<2x64x48xf16>, %arg4
func.func @returned(%x: tensor<64x2x32xf16>, %w: tensor<2x32x48xf16>) -> (tensor<2x64x32xf16>, tensor<2x64x48xf16>, tensor<64x2x48xf16>) {
  %0 = mirage_kernel.transpose %x [1, 0, 2] : (tensor<64x2x32xf16>) -> tensor<2x64x32xf16>
  %1 = mirage_kernel.matmul %0, %w : (tensor<2x64x32xf16>, tensor<2x32x48xf16>) -> tensor<2x64x48xf16>
  %2 = mirage_kernel.transpose %1 [1, 0, 2] : (tensor<2x64x48xf16>) -> tensor<64x2x48xf16>
  return %0, %1, %2 : tensor<2x64x32xf16>, tensor<2x64x48xf16>, tensor<64x2x48xf16>
}

}
