// A stock mlir-opt has nothing to run kernels with: the plugin needs no driver.
// REQUIRES: plugin
// RUN: not mlir-opt --load-dialect-plugin=%mirage_plugin %s \
// RUN:   --pass-pipeline='builtin.module(mirage-tile{measure=device})' 2>&1 | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%mirage_plugin %s \
// RUN:   --pass-pipeline='builtin.module(mirage-tile{measure=auto})' | FileCheck %s --check-prefix=AUTO

// CHECK: measure.mlir:[[#@LINE+2]]:1: error: tilings of @product cannot be measured as measure=device asks: this tool cannot run kernels; mirage-opt can
// AUTO: mirage_kernel.launch
func.func @product(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf16>
  return %0 : tensor<32x32xf16>
}
