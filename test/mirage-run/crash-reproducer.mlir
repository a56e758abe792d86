// Where the lowering fails, mirage-run writes a file with the program and the
// passes, with which mirage-opt shows the failure again.

// RUN: not mirage-run %s --device=threads --mlir-pass-pipeline-crash-reproducer=%t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=REPRODUCER --input-file=%t.mlir
// RUN: not mirage-opt %t.mlir --run-reproducer 2>&1 | FileCheck %s --check-prefix=AGAIN

// CHECK: error: 'arith.addf' op cannot be lowered
// CHECK: reproducer
// REPRODUCER: arith.addf
// REPRODUCER: mlir_reproducer
// REPRODUCER: pipeline: "builtin.module({{.*}}convert-mirage-block-to-thread
// AGAIN: error: 'arith.addf' op cannot be lowered

func.func @leftover(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  %1 = arith.addf %0, %x : tensor<4xf32>
  return %1 : tensor<4xf32>
}
