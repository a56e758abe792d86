//===- KernelFunction.h - What functions can be lowered ---------*- C++ -*-===//
//
// A function is lowered to kernels and a host function that launches them if it
// holds kernel operations and nothing else.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELFUNCTION_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELFUNCTION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {

/// Returns whether an operation is one of the dialect mirage_kernel.
bool isKernelOp(mlir::Operation *op);

/// Fails, with an error at the operation, argument or result that is the
/// reason, unless the function holds kernel operations alone, in one block, and
/// takes and returns ranked tensors.
mlir::LogicalResult checkKernelFunction(mlir::func::FuncOp function);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELFUNCTION_H
