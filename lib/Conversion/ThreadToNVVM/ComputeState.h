//===- ComputeState.h - What is known while a computation is emitted ------===//
//
// Declares what the two parts of the emission of mirage_thread.compute share.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_THREADTONVVM_COMPUTESTATE_H
#define MIRAGE_LIB_CONVERSION_THREADTONVVM_COMPUTESTATE_H

#include "KernelEmitter.h"

namespace mirage {

struct KernelEmitter::ComputeState {
  thread::ComputeOp op;
  mlir::Location loc;
  /// This is the thread's place in the extents, x first, where there are any.
  llvm::SmallVector<mlir::Value, 3> point;
  /// These values of a thread graph are kept, by their arrays (fragmentsOf).
  llvm::DenseMap<mlir::Value, mlir::Value> fragments;

  explicit ComputeState(thread::ComputeOp op) : op(op), loc(op.getLoc()) {}
};

/// Returns the compute type of an operator: that of its widest operand or
/// result.
mlir::Type getOperatorComputeType(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_THREADTONVVM_COMPUTESTATE_H
