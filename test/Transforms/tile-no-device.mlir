// Where there is no driver, that is said at the function, before anything is searched.
// UNSUPPORTED: cuda
// RUN: not mirage-opt %s --mirage-tile='measure=device' --remark-policy=all --remarks-filter=mirage-tile 2>&1 | FileCheck %s --implicit-check-not='remark: [Analysis]'
// CHECK: tile-no-device.mlir:[[#@LINE+2]]:1: error: tilings of @chain cannot be measured as measure=device asks: cannot load libcuda.so.1: {{.*}}; an NVIDIA driver is needed to run kernels

func.func @chain(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf16>
  return %0 : tensor<32x32xf16>
}
