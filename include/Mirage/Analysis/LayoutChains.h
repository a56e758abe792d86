//===- LayoutChains.h - Operators that a kernel moves elements by -*- C++ -*-=//
//
// Pre-defined operators that only move elements need no kernel of their own
// where kernels of the general lowering alone read what they give: these find
// each element where it comes from. So a reflection of an image, which is
// slices and concatenations of rows and then of columns, is one kernel.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_LAYOUTCHAINS_H
#define MIRAGE_ANALYSIS_LAYOUTCHAINS_H

#include "Mirage/Analysis/DeviceBuffers.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "llvm/ADT/SetVector.h"

namespace mirage {

/// Says of each operator of a function whether others compute it, and of those
/// that do from which tensors.
class LayoutChains {
public:
  /// Without chains, each operator reads its operands.
  LayoutChains() = default;
  /// The function's body must be one block, of which `plan` is the plan.
  LayoutChains(mlir::func::FuncOp function, const DeviceBuffers &plan);

  /// Returns true if an operator has no kernel, since those that use it compute
  /// it.
  bool isAbsorbed(mlir::Operation *op) const { return absorbed.contains(op); }
  /// Returns true if the kernel of an operator computes others as well.
  bool isChain(mlir::Operation *op) const;
  /// Returns the tensors that the kernel of a pre-defined operator reads, each
  /// once.
  llvm::SetVector<mlir::Value> getSources(mlir::Operation *op) const;
  /// Returns true if two operators compute the same from their sources in
  /// order, by operators that are equal.
  bool areEqual(mlir::Operation *lhs, mlir::Operation *rhs) const;

private:
  /// Returns how many elements the kernel of an operator may read for one of
  /// its results.
  int64_t countReads(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Operation *> absorbed;
};

} // namespace mirage

#endif // MIRAGE_ANALYSIS_LAYOUTCHAINS_H
