// The candidates that the cost model puts first are of sizes by which each warp
// computes what all of them read, sixteen of them in other orders. The search
// looks behind them for one whose kernel takes what the model says.
//
// RUN: mirage-opt %mirage_src_root/examples/deployed/quantized_rows_product.mlir \
// RUN:   --mirage-optimize --remarks-filter='mirage-superoptimize.*' -o /dev/null \
// RUN:   2>&1 | FileCheck %s

// CHECK: by the instructions of kernels, the fastest candidate takes {{[5-7]}}.{{[0-9]+}}
// CHECK: 13 operators in 12 kernels became 1 launch:
