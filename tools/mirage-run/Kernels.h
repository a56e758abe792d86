//===- Kernels.h - Kernels on the CPU ---------------------------*- C++ -*-===//
//
// Lowers a function to kernels of mirage_thread operations, or takes kernels
// that were lowered before, and runs them by the interpreter of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_RUN_KERNELS_H
#define MIRAGE_TOOLS_MIRAGE_RUN_KERNELS_H

#include "Device.h"

namespace mirage {

/// Returns arguments and results of a host function that launches kernels.
mlir::FailureOr<DeviceSignature> getSignature(mlir::func::FuncOp host);

/// Lowers `entry` and runs it. Errors are at what cannot be lowered, or at what
/// the kernels do wrong.
mlir::FailureOr<llvm::SmallVector<TensorValue>>
runOnThreads(mlir::ModuleOp module, llvm::StringRef entry,
             llvm::ArrayRef<TensorValue> inputs);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_RUN_KERNELS_H
