// RUN: mirage-opt %s --mirage-split-load=kernels --split-input-file | FileCheck %s
// RUN: mirage-opt %s --mirage-split-load --split-input-file | FileCheck %s --check-prefix=BEFORE
// RUN: mirage-opt %s --split-input-file --mirage-lower-to-nvvm | FileCheck %s --check-prefix=KERNELS

// Elements that differ are written by a kernel, once: the function that loads takes nothing.
// CHECK-LABEL: func.func @added(
// CHECK-SAME:      %[[X:.*]]: tensor<2x4xf32>, %[[C:.*]]: tensor<1x4xf32> {mirage.constant})
// CHECK-SAME:      attributes {mirage.load = @added.load}
// CHECK-NEXT:    mirage_kernel.launch {{.*}} (%{{.*}} = %[[X]] : tensor<2x4xf32>, %{{.*}} = %[[C]] : tensor<1x4xf32>)
// CHECK:       func.func @added.load() -> tensor<1x4xf32>
// CHECK-NEXT:    %[[D:.*]] = mirage_kernel.constant dense<{{.*}}> : tensor<1x4xf32>
// CHECK-NEXT:    return %[[D]]
// BEFORE-NOT: mirage.load
// KERNELS-LABEL: func.func @added(
// KERNELS-NOT: _constant
// KERNELS: gpu.launch_func @{{.*}}::@added_{{.*}}launch
// KERNELS-NOT: gpu.launch_func
// KERNELS-LABEL: func.func @added.load(
// KERNELS: gpu.launch_func @{{.*}}::@{{.*}}constant
func.func @added(%x: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c = mirage_kernel.constant dense<[[1.0, 2.0, 3.0, 5.0]]> : tensor<1x4xf32>
  %0 = mirage_kernel.launch grid(x = 2) (%a = %x : tensor<2x4xf32>, %b = %c : tensor<1x4xf32>) -> tensor<2x4xf32> {
    %s = mirage_block.load %a imap(x -> 0) : tensor<2x4xf32> to tensor<1x4xf32>
    %t = mirage_block.load %b imap(x -> phi) : tensor<1x4xf32> to tensor<1x4xf32>
    %r = mirage_block.add %s, %t : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
    %o = mirage_block.store %r omap(x -> 0) : tensor<1x4xf32> to tensor<2x4xf32>
    mirage_block.yield %o : tensor<2x4xf32>
  }
  return %0 : tensor<2x4xf32>
}

// -----

// A caller may change what is returned.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT: mirage.load
func.func @returned(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = mirage_kernel.constant dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  return %x, %c : tensor<4xf32>, tensor<4xf32>
}
