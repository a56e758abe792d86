//===- Interpreter.h - Executing functions on the CPU -----------*- C++ -*-===//
//
// Runs a function of kernel operators, launches with their block and thread
// graphs, calls, and elementwise glue of arith and tensor, as a µGraph
// (RunMuGraph.h).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_IR_INTERPRETER_H
#define MIRAGE_INTERPRETER_IR_INTERPRETER_H

#include "Mirage/Interpreter/TensorValue.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

struct InterpreterOptions {
  Precision precision = Precision::Storage;
};

/// The results of `function` for `inputs`, one for each argument and of its
/// shape. What the interpreter does not execute is an error at the operation,
/// before anything runs.
mlir::FailureOr<llvm::SmallVector<TensorValue>>
interpret(mlir::func::FuncOp function, llvm::ArrayRef<TensorValue> inputs,
          const InterpreterOptions &options = {});

} // namespace mirage

#endif // MIRAGE_INTERPRETER_IR_INTERPRETER_H
