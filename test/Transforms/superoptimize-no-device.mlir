// Where there is no driver, that is said before anything is searched, and with
// auto in a remark.
// UNSUPPORTED: cuda
// RUN: not mirage-opt %s --mirage-optimize='measure=device' --remark-policy=all --remarks-filter='mirage-superoptimize.*' 2>&1 | FileCheck %s --implicit-check-not='remark: [Analysis]'
// CHECK: superoptimize-no-device.mlir:[[#@LINE+4]]:{{[0-9]+}}: error: tilings of @product_part cannot be measured as measure=device asks: cannot load libcuda.so.1: {{.*}}; an NVIDIA driver is needed to run kernels
// RUN: mirage-opt %s --mirage-optimize='measure=auto' --remark-policy=all --remarks-filter='mirage-superoptimize.*' -o /dev/null 2>&1 | FileCheck %s --check-prefix=AUTO
// AUTO: remark: [Missed] no-device {{.*}}cannot load libcuda.so.1: {{.*}}; option measurements names no file
func.func @product(%a: tensor<32x32xf16>, %b: tensor<32x32xf16>) -> tensor<32x32xf16> {
  %0 = mirage_kernel.matmul %a, %b : (tensor<32x32xf16>, tensor<32x32xf16>) -> tensor<32x32xf16>
  %1 = mirage_kernel.exp %0 : (tensor<32x32xf16>) -> tensor<32x32xf16>
  return %1 : tensor<32x32xf16>
}
