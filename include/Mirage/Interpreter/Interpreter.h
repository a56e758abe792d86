//===- Interpreter.h - Executing functions on the CPU -----------*- C++ -*-===//
//
// Runs a function of kernel operators, launches with their block and thread
// graphs, calls, and elementwise glue of arith and tensor. Every operator
// computes what the semantics table says.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERPRETER_INTERPRETER_H
#define MIRAGE_INTERPRETER_INTERPRETER_H

#include "Mirage/Interpreter/TensorValue.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

struct InterpreterOptions {
  Precision precision = Precision::Storage;
};

/// The results of `function` for `inputs`, one for each argument and of its
/// shape. Block graphs run as they are written: every block loads its own parts
/// in every iteration, and what no block writes is NaN. Blocks run in parallel;
/// results don't depend on the number of threads.
///
/// What the interpreter does not execute is an error at the operation, before
/// anything of its function runs.
mlir::FailureOr<llvm::SmallVector<TensorValue>>
interpret(mlir::func::FuncOp function, llvm::ArrayRef<TensorValue> inputs,
          const InterpreterOptions &options = {});

/// Element type and shape of a tensor that the interpreter can hold: ranked,
/// static, floating-point, not empty, at most 2^31 elements. The error says
/// what is wrong with `type`.
struct InterpretedType {
  ElementType type;
  Shape shape;
};
mlir::FailureOr<InterpretedType> getInterpretedType(mlir::Type type,
                                                    std::string &error);

} // namespace mirage

#endif // MIRAGE_INTERPRETER_INTERPRETER_H
