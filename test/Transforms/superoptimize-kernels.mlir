// A launch of 16 blocks multiplies in f32, which lanes do. By the model that takes about as long as the product and the scale behind it
// in the tiles that the lowering chooses, and by the instructions of its kernel eight times as long.

// RUN: mirage-opt %s --mirage-optimize -o %t.mlir \
// RUN:   --remark-policy=all --remarks-filter='mirage-superoptimize.*' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// CHECK-DAG: by the instructions of kernels, the fastest candidate takes {{[0-9.]+}} µs, and what the operators fuse to {{[0-9.]+}} µs
// CHECK-DAG: stay as they are, {{.*}}: the best accepted candidate takes {{[0-9.]+}} µs by the instructions of its kernels, and what the operators fuse to {{[0-9.]+}} µs.
// KEPT: verdict = "unchanged"
// KEPT-NOT: mirage_kernel.launch

// The pass by itself knows no kernels.
// RUN: mirage-opt %t.mlir --mirage-superoptimize='function=gram_part best=1' | FileCheck %s --check-prefix=PASS
// PASS: mirage_kernel.launch

func.func @gram(%x: tensor<1x64x784xf32>, %y: tensor<1x64x784xf32>) -> tensor<1x64x64xf32> {
  %m = mirage_kernel.matmul %x, %y transpose_rhs : (tensor<1x64x784xf32>, tensor<1x64x784xf32>) -> tensor<1x64x64xf32>
  %s = mirage_kernel.scale %m by 1.992984653043095e-05 : (tensor<1x64x64xf32>) -> tensor<1x64x64xf32>
  return %s : tensor<1x64x64xf32>
}
