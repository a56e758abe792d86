// A launch of one cluster normalizes columns of 4096 elements twice. By the model it takes less than transposes and a launch behind them,
// and by the instructions of its kernel more: transposes do not wait for each other, and blocks of a cluster do, behind each of three loops.

// RUN: mirage-opt %s --mirage-optimize -o %t.mlir \
// RUN:   --remark-policy=all --remarks-filter='mirage-superoptimize.*' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// CHECK-DAG: by the instructions of kernels, the fastest candidate takes {{[0-9.]+}} µs, and what the operators fuse to {{[0-9.]+}} µs
// CHECK-DAG: stay as they are, {{.*}}: the best accepted candidate takes {{[0-9.]+}} µs by the instructions of its kernels, and what the operators fuse to {{[0-9.]+}} µs.
// KEPT: verdict = "unchanged"
// KEPT-NOT: mirage_kernel.launch

// The pass by itself knows no kernels.
// RUN: mirage-opt %t.mlir --mirage-superoptimize='function=normalize_twice_part best=1' | FileCheck %s --check-prefix=PASS
// PASS: mirage_kernel.launch

func.func @normalize_twice(%x: tensor<4096x8xf16>, %h: tensor<4096x8xf16>, %alpha: tensor<4096x8xf16>) -> tensor<8x4096xf16> {
  %ht = mirage_kernel.transpose %h [1, 0] : (tensor<4096x8xf16>) -> tensor<8x4096xf16>
  %at = mirage_kernel.transpose %alpha [1, 0] : (tensor<4096x8xf16>) -> tensor<8x4096xf16>
  %xt = mirage_kernel.transpose %x [1, 0] : (tensor<4096x8xf16>) -> tensor<8x4096xf16>
  %n = mirage_kernel.rms_norm %xt epsilon(1.0e-05) : (tensor<8x4096xf16>) -> tensor<8x4096xf16>
  %d = mirage_kernel.add %n, %ht : (tensor<8x4096xf16>, tensor<8x4096xf16>) -> tensor<8x4096xf16>
  %s = mirage_kernel.mul %at, %d : (tensor<8x4096xf16>, tensor<8x4096xf16>) -> tensor<8x4096xf16>
  %r = mirage_kernel.add %ht, %s : (tensor<8x4096xf16>, tensor<8x4096xf16>) -> tensor<8x4096xf16>
  %y = mirage_kernel.rms_norm %r epsilon(1.0e-05) : (tensor<8x4096xf16>) -> tensor<8x4096xf16>
  return %y : tensor<8x4096xf16>
}
