// A launch of eight blocks normalizes whole rows behind a product. By the model it takes less than two launches, but its kernel has
// more instructions than their time admits.

// RUN: mirage-opt %S/../../examples/deployed/bias_gelu_layer_norm.mlir --mirage-optimize -o %t.mlir \
// RUN:   --remark-policy=all --remarks-filter='mirage-superoptimize.*' 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=KEPT --input-file=%t.mlir
// CHECK-DAG: by the instructions of kernels, the fastest candidate takes {{[0-9.]+}} µs, and what the operators fuse to {{[0-9.]+}} µs
// CHECK-DAG: stay as they are, {{.*}}: the best accepted candidate takes {{[0-9.]+}} µs by the instructions of its kernels, and what the operators fuse to {{[0-9.]+}} µs.
// KEPT: verdict = "unchanged"
// KEPT-NOT: mirage_kernel.launch

// The pass by itself knows no kernels.
// RUN: mirage-opt %t.mlir --mirage-superoptimize='function=bias_gelu_layer_norm_part best=1' | FileCheck %s --check-prefix=PASS
// PASS: mirage_kernel.launch
