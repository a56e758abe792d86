//===- KernelCanonicalization.h - What moves between kernels ----*- C++ -*-===//
//
// Rewrites of the kernel level alone.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_DIALECT_KERNEL_IR_KERNELCANONICALIZATION_H
#define MIRAGE_LIB_DIALECT_KERNEL_IR_KERNELCANONICALIZATION_H

#include "mlir/IR/PatternMatch.h"

namespace mirage::kernel {

/// Adds rewrites that make what moves between kernels narrow. They take casts
/// from a narrower type behind reshapes. Those after the import from linalg
/// (simplifyConverted) take reshapes behind casts, so that both together would
/// not end.
void populateMoveNarrow(mlir::RewritePatternSet &patterns);

} // namespace mirage::kernel

#endif // MIRAGE_LIB_DIALECT_KERNEL_IR_KERNELCANONICALIZATION_H
