//===- Dispatches.h - Functions that launch kernels in IREE -----*- C++ -*-===//
//
// Declares what makes flow.dispatch operations of a function's launches.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_IREE_DISPATCHES_H
#define MIRAGE_LIB_TARGET_IREE_DISPATCHES_H

#include "Executables.h"

namespace mirage::iree {

/// Emits a dispatch for each kernel of the function, in order, and returns the
/// function's results. `inputs` are the tensors of its input buffers, by index,
/// and `launches` the places of its kernels, at which errors are.
///
/// Tensors are values and do not change, so a buffer is a sequence of values:
/// its first writer has it as a result, and what writes it again, or may leave
/// parts as they were, has it as an operand that the result is tied to.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
emitDispatches(const runtime::FunctionDescription &function,
               mlir::ValueRange inputs, llvm::ArrayRef<mlir::Location> launches,
               Executables &executables, mlir::OpBuilder &builder);

} // namespace mirage::iree

#endif // MIRAGE_LIB_TARGET_IREE_DISPATCHES_H
