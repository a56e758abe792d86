// Products of one value with weights are one product in another graph of the
// function: its launch takes less than three. The concatenation of the weights
// takes no time in a call, since the lowering computes it when they are loaded.

// RUN: mirage-opt %s --mirage-optimize --remarks-filter='mirage-superoptimize.*' \
// RUN:   --remark-policy=all -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: mirage-opt %t.mlir --mirage-lower-to-launches \
// RUN:   | FileCheck %s --check-prefix=LOADED
// RUN: mirage-opt %s --mirage-optimize='keep-original' \
// RUN:   --mirage-verify-equivalence -o /dev/null
// RUN: mirage-opt %s --mirage-optimize='alternatives=0' \
// RUN:   | FileCheck %s --check-prefix=WITHOUT

// REMARK: [Passed] alternative {{.*}}Remark="MergedProducts: some of its kernels are taken"
// REMARK: [Passed] replaced {{.*}}3 operators in 3 kernels became 1 launch and 3 kernels: {{.*}}proved

// CHECK-LABEL: func.func private @f_part(
// CHECK-SAME: pieces = 1
// CHECK-SAME: verdict = "proved"
// CHECK: mirage_kernel.concat dim(1) %arg1, %arg2, %arg3
// CHECK: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.launch
// CHECK-NOT: mirage_kernel.matmul

// LOADED-LABEL: func.func @f(
// LOADED-SAME: %arg4: tensor<1000x2696xf16> {mirage.constant})
// LOADED-NOT: concat
// LOADED-LABEL: func.func @f.load(
// LOADED: mirage_kernel.concat dim(1) %arg0, %arg1, %arg2

// WITHOUT-LABEL: func.func private @f_part(
// WITHOUT-NOT: concat

module attributes {mirage.target = #mirage.target<sm_90a>} {
func.func @f(%x: tensor<64x1000xf16>,
             %u: tensor<1000x1504xf16> {mirage.constant},
             %v: tensor<1000x992xf16> {mirage.constant},
             %w: tensor<1000x200xf16> {mirage.constant})
    -> (tensor<64x1504xf16>, tensor<64x992xf16>, tensor<64x200xf16>) {
  %0 = mirage_kernel.matmul %x, %u
      : (tensor<64x1000xf16>, tensor<1000x1504xf16>) -> tensor<64x1504xf16>
  %1 = mirage_kernel.matmul %x, %v
      : (tensor<64x1000xf16>, tensor<1000x992xf16>) -> tensor<64x992xf16>
  %2 = mirage_kernel.matmul %x, %w
      : (tensor<64x1000xf16>, tensor<1000x200xf16>) -> tensor<64x200xf16>
  return %0, %1, %2
      : tensor<64x1504xf16>, tensor<64x992xf16>, tensor<64x200xf16>
}
}
