//===- KernelFunctions.h - The functions that Mirage lowers -----*- C++ -*-===//
//
// Declares which functions of a module become dispatches, and what prepares
// others for it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TARGET_IREE_KERNELFUNCTIONS_H
#define MIRAGE_LIB_TARGET_IREE_KERNELFUNCTIONS_H

#include "Executables.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage::iree {

/// Returns true if the function consists of kernel operators, launches and
/// custom operators, at least one, on tensors of static shape.
bool isKernelFunction(mlir::func::FuncOp function);

/// Makes a private function of each launch that stands in another function
/// than those, and calls it.
void outlineLaunches(mlir::ModuleOp module, UniqueNames &names);

/// Replaces constants that are no splats by new arguments at the end, and
/// returns their values. A kernel's code is no place for weights.
llvm::SmallVector<mlir::TypedAttr> hoistConstants(mlir::func::FuncOp function);

} // namespace mirage::iree

#endif // MIRAGE_LIB_TARGET_IREE_KERNELFUNCTIONS_H
