//===- Batch.h - All functions of a program at once -------------*- C++ -*-===//
//
// Runs many functions in one process and leaves files with which another
// implementation of the same functions is checked.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_RUN_BATCH_H
#define MIRAGE_TOOLS_MIRAGE_RUN_BATCH_H

#include "Inputs.h"
#include "Mirage/Interpreter/IR/Interpreter.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// The description of what is run: argument and result types, and the function
/// unless only kernels were given.
struct Entry {
  std::string name;
  llvm::SmallVector<TensorSignature> arguments, results;
  mlir::func::FuncOp function;
};

struct BatchOptions {
  std::string folder;
  InterpreterOptions interpreter;
  /// True to write exactN.npy and boundN.npy, too.
  bool withBounds = false;
  /// Makes input number `number`.
  std::function<TensorValue(const TensorSignature &, unsigned number)>
      makeInput;
};

/// For each function f, reads folder/f/inputN.npy where there is such a file,
/// else makes the input and writes the file; runs f and writes
/// folder/f/resultN.npy. With bounds it also writes folder/f/exactN.npy, the
/// results in f64 without rounding, and folder/f/boundN.npy, how far from them
/// each element may be that was computed in f32 and rounded to storage types. A
/// function that cannot be run gets an error and the others are run.
mlir::LogicalResult runBatch(llvm::ArrayRef<Entry> entries,
                             const BatchOptions &options);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_RUN_BATCH_H
