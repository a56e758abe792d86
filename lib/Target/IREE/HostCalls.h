//===- HostCalls.h - Calls of functions that were on buffers ----*- C++ -*-===//
//
// Declares how functions with other operations call what mirage-lower-to-nvvm
// has made of their kernels, once that is on tensors again.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_IREE_HOSTCALLS_H
#define MIRAGE_LIB_TARGET_IREE_HOSTCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace mirage::iree {

/// Calls `functions`, which took buffers for their inputs and then for their
/// results, on the tensors that are in these buffers. A buffer that is also
/// something else, so that no tensor stands for it, is an error at the call.
mlir::LogicalResult
raiseHostCalls(mlir::ModuleOp module,
               llvm::ArrayRef<mlir::func::FuncOp> functions);

} // namespace mirage::iree

#endif // MIRAGE_LIB_TARGET_IREE_HOSTCALLS_H
