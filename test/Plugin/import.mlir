// A stock mlir-opt converts linalg and TOSA by the plugin.
// REQUIRES: plugin
// RUN: mlir-opt --load-dialect-plugin=%mirage_plugin %s \
// RUN:   --pass-pipeline='builtin.module(func.func(convert-linalg-to-mirage))' | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%mirage_plugin %s \
// RUN:   --pass-pipeline='builtin.module(mirage-import-tosa)' | FileCheck %s

// CHECK-LABEL: func.func @exp
// CHECK-NEXT: mirage_kernel.exp
func.func @exp(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
