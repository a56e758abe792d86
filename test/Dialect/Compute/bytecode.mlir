// Every compute operator of every level survives bytecode: what comes back
// prints as the text did.

// RUN: cp %S/ops.mlir %t.kernel.mlir
// RUN: sed s/mirage_kernel/mirage_block/ %S/ops.mlir > %t.block.mlir
// RUN: sed s/mirage_kernel/mirage_thread/ %S/ops.mlir > %t.thread.mlir

// RUN: mirage-opt %t.kernel.mlir -o %t.text
// RUN: mirage-opt %t.kernel.mlir -emit-bytecode -o %t.mlirbc
// RUN: mirage-opt %t.mlirbc | diff %t.text -
// RUN: mirage-opt %t.block.mlir -o %t.text
// RUN: mirage-opt %t.block.mlir -emit-bytecode -o %t.mlirbc
// RUN: mirage-opt %t.mlirbc | diff %t.text -
// RUN: mirage-opt %t.thread.mlir -o %t.text
// RUN: mirage-opt %t.thread.mlir -emit-bytecode -o %t.mlirbc
// RUN: mirage-opt %t.mlirbc | diff %t.text -
