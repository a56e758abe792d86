//===- Kernels.h - Kernels on the CPU ---------------------------*- C++ -*-===//
//
// Lowers a function to kernels of mirage_thread operations, or takes kernels
// that were lowered before, and runs them by the interpreter of kernels.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_RUN_KERNELS_H
#define MIRAGE_TOOLS_MIRAGE_RUN_KERNELS_H

#include "Batch.h"
#include "Device.h"
#include "mlir/IR/OwningOpRef.h"

namespace mirage {

/// Returns arguments and results of a host function that launches kernels.
mlir::FailureOr<DeviceSignature> getSignature(mlir::func::FuncOp host);

/// Reads a file of kernels. The module is null where it is not legal, with
/// errors at what is wrong.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
readKernelModule(llvm::StringRef path, mlir::MLIRContext &context);

/// Runs the host function in `kernels` that has the entry's name, and must have
/// its signature.
mlir::FailureOr<llvm::SmallVector<TensorValue>>
runKernels(mlir::ModuleOp kernels, const Entry &entry,
           llvm::ArrayRef<TensorValue> inputs);

/// Lowers `entry` and runs it. Errors are at what cannot be lowered, or at what
/// the kernels do wrong.
mlir::FailureOr<llvm::SmallVector<TensorValue>>
runOnThreads(mlir::ModuleOp module, llvm::StringRef entry,
             llvm::ArrayRef<TensorValue> inputs);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_RUN_KERNELS_H
