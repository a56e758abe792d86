// Bytecode of a newer major version is refused, and the message names both
// versions. The version written today is read.

// RUN: mirage-opt %s -emit-bytecode -o %t.mlirbc
// RUN: mirage-opt %t.mlirbc | FileCheck %s --check-prefix=SAME
// RUN: %python %S/Inputs/newer.py %t.mlirbc %t.new.mlirbc 9
// RUN: not mirage-opt %t.new.mlirbc 2>&1 | FileCheck %s --check-prefix=NEWER

// SAME: mirage_kernel.exp
// NEWER: newer-bytecode.mlir.tmp.new.mlirbc:0:0: error: bytecode of mirage_kernel has version 9.0, this tool reads versions up to 1.0

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = mirage_kernel.exp %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
