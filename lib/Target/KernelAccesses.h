//===- KernelAccesses.h - What kernels read and write -----------*- C++ -*-===//
//
// Declares the analysis that says of each parameter of a kernel in the LLVM
// dialect whether the kernel reads or writes what it points to.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_KERNELACCESSES_H
#define MIRAGE_LIB_TARGET_KERNELACCESSES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace mirage {

/// What a kernel does with the memory behind one parameter.
struct ParameterAccess {
  bool reads = false;
  bool writes = false;
};

/// Follows each parameter through address arithmetic and branches to the
/// operations that use it. An operation of which nothing is known counts as one
/// that reads and writes.
llvm::SmallVector<ParameterAccess>
getParameterAccesses(mlir::LLVM::LLVMFuncOp kernel);

} // namespace mirage

#endif // MIRAGE_LIB_TARGET_KERNELACCESSES_H
