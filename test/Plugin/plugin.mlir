// A stock mlir-opt runs a pass of Mirage's.
// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%mirage_plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(mirage-decompose-composites),canonicalize)' \
// RUN:   | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%mirage_plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(mirage-fission),canonicalize)' | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%mirage_plugin %s --pass-pipeline='builtin.module(mirage-lower-to-nvvm)' \
// RUN:   | FileCheck %s --check-prefix=LOWERED
// RUN: mlir-opt --load-dialect-plugin=%mirage_plugin %s --pass-pipeline='builtin.module(mirage-optimize{best=1 kernels=1})' \
// RUN:   | FileCheck %s --check-prefix=OPTIMIZED

// CHECK-LABEL: func.func @softmax
// CHECK: mirage_kernel.reduce max
// CHECK: mirage_kernel.div
// LOWERED: gpu.module @mirage_kernels [#nvvm.target<
// LOWERED: llvm.func @softmax_0_launch
// OPTIMIZED: call @softmax_part
// OPTIMIZED: func.func private @softmax_part{{.*}}mirage.superoptimized
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mirage_kernel.softmax %x dim(1) : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
