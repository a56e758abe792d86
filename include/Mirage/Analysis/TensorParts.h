//===- TensorParts.h - Tensors in parts of equal size -----------*- C++ -*-===//
//
// Recognizes concatenations and slices of tensors in parts of equal size, where
// each tile that a launch reads or writes lies in one part. Such parts may lie
// in buffers of their own: a block chooses the one that its tile is a part of.
// So one grid computes products with several weights, beside each other.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_TENSORPARTS_H
#define MIRAGE_ANALYSIS_TENSORPARTS_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

namespace mirage {

/// A tensor in parts along a dimension, each of which has so many indices of
/// it.
struct TensorParts {
  int64_t dim = 0, size = 0;
  /// The tensors of the parts, in their order.
  llvm::SmallVector<mlir::Value, 4> parts;
  /// For each part, whether it is an argument of the function with its last two
  /// dimensions exchanged, perhaps under another shape. A launch reads such a
  /// part in the argument, by code of its own. There are none where no part is.
  llvm::SmallVector<bool, 4> areExchanged = {};
};

/// Returns the parts of a concatenation of tensors of one type, which are not
/// more than kMostSelectedParts.
std::optional<TensorParts> findJoinedParts(mlir::Operation *concat);

/// Returns true if a launch can read the parts of this operand by one code for
/// those that are exchanged and another one for the others: each block has
/// tiles of one part alone in all iterations, no other operand has parts that
/// are exchanged, and warps have no roles by the launch's schedule, if it has
/// one, nor are there clusters or blocks that stay for several of the grid.
bool choosesOrderByBlock(kernel::LaunchOp launch, unsigned operand,
                         const TensorParts &parts);

/// Returns the operand of a launch whose parts are read in two orders, if there
/// is one.
std::optional<unsigned> findOperandInOrders(kernel::LaunchOp launch);

/// Gives the loads of an argument of a launch tiles of a tensor whose last two
/// dimensions are exchanged, which are exchanged back behind them: so the
/// launch computes the same of a transposed operand, which the caller sees to.
void exchangeLoadedDims(mlir::BlockArgument argument);

/// Returns the parts of a tensor of which nothing is used but slices that are
/// equally large and make up all of it along a dimension, and not more than
/// kMostSelectedParts.
std::optional<TensorParts> findSlicedParts(mlir::Value tensor);

/// Returns true if each tile that a launch loads of this operand has indices of
/// one part alone.
bool loadsPartsAlone(kernel::LaunchOp launch, unsigned operand,
                     const TensorParts &parts);

/// Returns true if each tile that a launch stores of this result has indices of
/// one part alone.
bool storesPartsAlone(kernel::LaunchOp launch, unsigned result,
                      const TensorParts &parts);

/// Returns the parts of a launch's operand, if that is a concatenation whose
/// parts can be read where they lie.
std::optional<TensorParts> findLoadedParts(mlir::BlockArgument argument);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_TENSORPARTS_H
