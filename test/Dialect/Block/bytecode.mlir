// Block graphs survive bytecode.

// RUN: mirage-opt %S/ops.mlir -o %t.text
// RUN: mirage-opt %S/ops.mlir -emit-bytecode -o %t.mlirbc
// RUN: mirage-opt %t.mlirbc | diff %t.text -
