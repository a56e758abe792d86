//===- IREE.h - Optimized modules for IREE's compiler -----------*- C++ -*-===//
//
// Declares the translation of a module, in which Mirage's functions stand
// beside others, to one that iree-compile takes: Mirage's kernels are
// executables with PTX inside, its functions dispatch them, and the rest is as
// it was.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TARGET_IREE_H
#define MIRAGE_TARGET_IREE_H

#include "Mirage/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"

namespace mirage {

/// The lowering that fits IREE, which launches no clusters.
void setIREEDefaults(LowerToNVVMOptions &options);

/// Rewrites the module, in which there may be
///
/// - functions of kernel operators and launches alone: they are lowered by the
///   options, and become dispatches;
/// - functions that mirage-lower-to-nvvm has lowered, on buffers: they become
///   dispatches again on tensors;
/// - launches among other operations: they become functions of the first kind;
/// - kernel operators among other operations: they become linalg, which IREE
///   fuses with what is around.
///
/// Everything else stays, constants and resources as well. The result holds
/// operations of IREE's dialects, which its context does not know: it has to
/// be printed in generic syntax. Errors are at what IREE cannot launch.
mlir::LogicalResult translateToIREE(mlir::ModuleOp module,
                                    const LowerToNVVMOptions &options);

/// Registers mirage-translate --mirage-to-iree.
void registerToIREETranslation();

} // namespace mirage

#endif // MIRAGE_TARGET_IREE_H
