//===- IndexMasks.h - Masks that are computed of indices --------*- C++ -*-===//
//
// Finds tiles of constants whose elements follow from their indices, as those
// of a causal mask do, and iterations of loops that such a mask leaves nothing
// of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_INDEXMASKS_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_INDEXMASKS_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Semantics/IndexBand.h"

namespace mirage {

/// A value of a block graph that is a tile of a constant, or the same after
/// elementwise operators: it has other numbers in the same places.
struct IndexMask {
  block::LoadOp load;
  IndexBand band;
};

/// Says where the tiles of a mask begin: which sum the first element of a tile
/// has (IndexBand), and what the other elements add to it.
struct MaskPlace {
  /// The sum for block zero and iteration zero is zero; each step along a
  /// dimension of the grid, and each iteration, adds so much.
  llvm::SmallVector<int64_t, 3> ofBlock;
  int64_t ofIteration = 0;
  /// The least and the most that an element of a tile adds.
  int64_t least = 0, largest = 0;

  explicit MaskPlace(const IndexMask &mask);
};

/// A bound of the iterations that a mask leaves something of, in a block whose
/// first tile has the sum s: (sign s + constant) / step rounded down, and zero
/// where that is negative.
struct IterationBound {
  int64_t sign, constant, step;

  int64_t get(int64_t sum) const {
    return std::max<int64_t>(sign * sum + constant, 0) / step;
  }
};

/// The iterations of a loop that a mask leaves something of are those from one
/// bound on and before another; where there is none, from the first and up to
/// the last.
struct IterationBounds {
  std::optional<IterationBound> begin, end;

  IterationBounds(const IndexBand &band, const MaskPlace &place);
};

/// The masks of a launch.
class IndexMasks {
public:
  explicit IndexMasks(kernel::LaunchOp launch);

  bool empty() const { return loads.empty(); }
  /// Returns the mask that a value is, if it is one.
  std::optional<IndexMask> find(mlir::Value value) const;
  /// Returns true if a load's tile is computed of indices and not loaded: it is
  /// one of a mask, and nothing but elementwise operators takes it.
  bool isComputed(block::LoadOp load) const { return loads.contains(load); }
  /// Returns true if a kernel of the launch does not read an operand, since all
  /// tiles of it are computed.
  bool replaces(unsigned operand) const;
  /// Returns the masks of a loop where `outside` is a number by which an
  /// iteration adds nothing to what the loop accumulates, if the whole tile is
  /// that.
  llvm::SmallVector<IndexMask> findEmptyingMasks(block::ForOp loop) const;

private:
  kernel::LaunchOp launch;
  llvm::DenseMap<mlir::Operation *, IndexBand> loads;
};

/// Returns the constant that a value is, also under another shape, or null.
kernel::ConstantOp getConstant(mlir::Value value);

/// Returns true if a launch has a schedule that says that masks are computed of
/// indices.
bool computesMasks(kernel::LaunchOp launch);

/// Adds masks of zeros and infinities to products before these are scaled by a
/// positive number, which changes none of either: so the scale becomes part of
/// the exponentials behind it. Does nothing where the launch has no masks.
void moveMasksBeforeScales(kernel::LaunchOp launch);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_INDEXMASKS_H
