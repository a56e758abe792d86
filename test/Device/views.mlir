// A reshape of a tensor, and a transpose that moves dimensions of size one, give a buffer
// another shape and are no kernels: also of arguments and of results, of slices that
// launches read in place, and of what launches write of a concatenation. With a GPU,
// scripts/test-device.sh runs each function and compares it with the interpreter.
//
// RUN: mirage-opt %s --mirage-lower-to-thread=schedule=false | FileCheck %s
// RUN: rm -rf %t && mirage-opt %s --mirage-lower-to-nvvm=fuse=false | mirage-translate --mirage-to-ptx -o %t
// RUN: FileCheck %s --check-prefix=MANIFEST < %t/manifest.json
// RUN: mirage-opt %s --mirage-print-cost -o /dev/null 2>&1 | FileCheck %s --check-prefix=COST

module attributes {mirage.target = #mirage.target<sm_90a>} {

// An argument, what lies between two kernels, and a result.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: [[X:%.*]]: memref<4x6xf16>, [[R:%.*]]: memref<2x1x12xf16>)
// CHECK: [[X8:%.*]] = memref.reinterpret_cast [[X]] to offset: [0], sizes: [3, 8], strides: [8, 1]
// CHECK: [[A:%.*]] = memref.alloc() : memref<3x8xf16>
// CHECK: gpu.launch_func {{.*}}@chain_0_exp {{.*}}args([[X8]] : memref<3x8xf16>, [[A]] : memref<3x8xf16>)
// CHECK: [[A24:%.*]] = memref.reinterpret_cast [[A]] to offset: [0], sizes: [24], strides: [1]
// CHECK: [[R24:%.*]] = memref.reinterpret_cast [[R]] to offset: [0], sizes: [24], strides: [1]
// CHECK: gpu.launch_func {{.*}}@chain_1_relu {{.*}}args([[A24]] : memref<24xf16>, [[R24]] : memref<24xf16>)
// CHECK-NOT: gpu.launch_func
// CHECK: return
// MANIFEST: "name": "chain"
// MANIFEST: "name": "scratch0"
// MANIFEST-NOT: "name": "scratch1"
// MANIFEST: "name": "chain_0_exp"
// MANIFEST: "arguments": ["input0","scratch0"]
// MANIFEST: "name": "chain_1_relu"
// MANIFEST: "arguments": ["scratch0","output0"]
// COST-LABEL: @chain on
// COST-NEXT: kernel
// COST-NEXT: {{^}}exp:
// COST-NEXT: {{^}}relu:
// COST-NEXT: {{^}}total
func.func @chain(%x: tensor<4x6xf16>) -> tensor<2x1x12xf16> {
  %0 = mirage_kernel.reshape %x : tensor<4x6xf16> to tensor<3x8xf16>
  %1 = mirage_kernel.exp %0 : (tensor<3x8xf16>) -> tensor<3x8xf16>
  %2 = mirage_kernel.reshape %1 : tensor<3x8xf16> to tensor<24xf16>
  %3 = mirage_kernel.relu %2 : (tensor<24xf16>) -> tensor<24xf16>
  %4 = mirage_kernel.reshape %3 : tensor<24xf16> to tensor<1x2x12xf16>
  %5 = mirage_kernel.transpose %4 [1, 0, 2] : (tensor<1x2x12xf16>) -> tensor<2x1x12xf16>
  return %5 : tensor<2x1x12xf16>
}

// An output holds one value: a second output of the same bytes is copied, and so is an
// argument that is returned under another shape.
// CHECK-LABEL: func.func @twice(
// CHECK-SAME: [[X:%.*]]: memref<4x6xf32>, [[A:%.*]]: memref<4x6xf32>, [[B:%.*]]: memref<24xf32>, [[C:%.*]]: memref<6x4xf32>, [[D:%.*]]: memref<3x8xf32>)
// CHECK: gpu.launch_func {{.*}}@twice_0_exp {{.*}}args([[X]] : {{.*}}, [[A]] : {{.*}})
// CHECK: gpu.launch_func {{.*}}@twice_1_reshape {{.*}}args([[A]] : {{.*}}, [[B]] : {{.*}})
// CHECK: gpu.launch_func {{.*}}@twice_2_reshape {{.*}}args([[X]] : {{.*}}, [[C]] : {{.*}})
// CHECK: [[A8:%.*]] = memref.reinterpret_cast [[A]] to offset: [0], sizes: [3, 8]
// CHECK: gpu.launch_func {{.*}}@twice_3_relu {{.*}}args([[A8]] : {{.*}}, [[D]] : {{.*}})
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @twice(%x: tensor<4x6xf32>)
    -> (tensor<4x6xf32>, tensor<24xf32>, tensor<6x4xf32>, tensor<3x8xf32>) {
  %0 = mirage_kernel.exp %x : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = mirage_kernel.reshape %0 : tensor<4x6xf32> to tensor<24xf32>
  %2 = mirage_kernel.reshape %x : tensor<4x6xf32> to tensor<6x4xf32>
  %3 = mirage_kernel.reshape %0 : tensor<4x6xf32> to tensor<3x8xf32>
  %4 = mirage_kernel.relu %3 : (tensor<3x8xf32>) -> tensor<3x8xf32>
  return %0, %1, %2, %4 : tensor<4x6xf32>, tensor<24xf32>, tensor<6x4xf32>, tensor<3x8xf32>
}

// A transpose that moves two larger dimensions stays a kernel.
// CHECK-LABEL: func.func @moved(
// CHECK: gpu.launch_func {{.*}}@moved_0_transpose
// COST-LABEL: @moved on
// COST-NEXT: kernel
// COST-NEXT: {{^}}transpose:
func.func @moved(%x: tensor<4x1x6xf16>) -> tensor<6x1x4xf16> {
  %0 = mirage_kernel.transpose %x [2, 1, 0] : (tensor<4x1x6xf16>) -> tensor<6x1x4xf16>
  return %0 : tensor<6x1x4xf16>
}

// The slices are two heads of four, and rows four to seven. What the launch makes of them
// is put together under a third shape.
// CHECK-LABEL: func.func @parts(
// CHECK-SAME: [[X:%.*]]: memref<4x64xf16>, [[Y:%.*]]: memref<16x32xf16>, [[R:%.*]]: memref<8x32xf16>)
// CHECK-NOT: memref.alloc
// CHECK-DAG: [[X16:%.*]] = memref.reinterpret_cast [[X]] to offset: [0], sizes: [4, 4, 16], strides: [64, 16, 1]
// CHECK-DAG: [[Y16:%.*]] = memref.reinterpret_cast [[Y]] to offset: [0], sizes: [16, 2, 16], strides: [32, 16, 1]
// CHECK-DAG: [[R16:%.*]] = memref.reinterpret_cast [[R]] to offset: [0], sizes: [8, 2, 16], strides: [32, 16, 1]
// CHECK: gpu.launch_func {{.*}}@parts_0_launch {{.*}}args([[X16]] : {{.*}}, [[Y16]] : {{.*}}, [[R16]] : {{.*}})
// CHECK-NOT: gpu.launch_func
// CHECK: return
// COST-LABEL: @parts on
// COST-NEXT: kernel
// COST-NEXT: {{^}}launch:
// COST-NEXT: {{^}}total
func.func @parts(%x: tensor<4x64xf16>, %y: tensor<16x32xf16>) -> tensor<8x32xf16> {
  %0 = mirage_kernel.slice %x[0, 16] [4, 32] [1, 1] : (tensor<4x64xf16>) -> tensor<4x32xf16>
  %a = mirage_kernel.reshape %0 : tensor<4x32xf16> to tensor<4x2x16xf16>
  %1 = mirage_kernel.slice %y[4, 0] [4, 32] [1, 1] : (tensor<16x32xf16>) -> tensor<4x32xf16>
  %b = mirage_kernel.reshape %1 : tensor<4x32xf16> to tensor<4x2x16xf16>
  %r:2 = mirage_kernel.launch grid(x = 4) (%p = %a : tensor<4x2x16xf16>, %q = %b : tensor<4x2x16xf16>) -> (tensor<4x2x16xf16>, tensor<4x2x16xf16>) {
    %2 = mirage_block.load %p imap(x -> 0) : tensor<4x2x16xf16> to tensor<1x2x16xf16>
    %3 = mirage_block.load %q imap(x -> 0) : tensor<4x2x16xf16> to tensor<1x2x16xf16>
    %4 = mirage_block.add %2, %3 : (tensor<1x2x16xf16>, tensor<1x2x16xf16>) -> tensor<1x2x16xf16>
    %5 = mirage_block.sub %2, %3 : (tensor<1x2x16xf16>, tensor<1x2x16xf16>) -> tensor<1x2x16xf16>
    %6 = mirage_block.store %4 omap(x -> 0) : tensor<1x2x16xf16> to tensor<4x2x16xf16>
    %7 = mirage_block.store %5 omap(x -> 0) : tensor<1x2x16xf16> to tensor<4x2x16xf16>
    mirage_block.yield %6, %7 : tensor<4x2x16xf16>, tensor<4x2x16xf16>
  }
  %c = mirage_kernel.reshape %r#0 : tensor<4x2x16xf16> to tensor<4x32xf16>
  %d = mirage_kernel.reshape %r#1 : tensor<4x2x16xf16> to tensor<4x32xf16>
  %e = mirage_kernel.concat dim(0) %c, %d : (tensor<4x32xf16>, tensor<4x32xf16>) -> tensor<8x32xf16>
  return %e : tensor<8x32xf16>
}

// A slice is copied that gets a shape which runs over the gaps between its rows.
// CHECK-LABEL: func.func @gaps(
// CHECK: gpu.launch_func {{.*}}@gaps_0_slice
// CHECK: gpu.launch_func {{.*}}@gaps_1_launch
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @gaps(%x: tensor<4x64xf32>) -> tensor<64xf32> {
  %0 = mirage_kernel.slice %x[0, 4] [4, 16] [1, 1] : (tensor<4x64xf32>) -> tensor<4x16xf32>
  %a = mirage_kernel.reshape %0 : tensor<4x16xf32> to tensor<64xf32>
  %r = mirage_kernel.launch grid(x = 4) (%p = %a : tensor<64xf32>) -> tensor<64xf32> {
    %2 = mirage_block.load %p imap(x -> 0) : tensor<64xf32> to tensor<16xf32>
    %3 = mirage_block.relu %2 : (tensor<16xf32>) -> tensor<16xf32>
    %4 = mirage_block.store %3 omap(x -> 0) : tensor<16xf32> to tensor<64xf32>
    mirage_block.yield %4 : tensor<64xf32>
  }
  return %r : tensor<64xf32>
}

}
