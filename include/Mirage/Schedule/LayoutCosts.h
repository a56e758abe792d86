//===- LayoutCosts.h - What layouts of registers cost -----------*- C++ -*-===//
//
// Prices what a block does with tiles that lie in registers in some layout, in
// clocks of a multiprocessor, for the integer program that chooses layouts
// (LayoutProgram.h).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_LAYOUTCOSTS_H
#define MIRAGE_SCHEDULE_LAYOUTCOSTS_H

#include "Mirage/Schedule/MemoryAccess.h"

namespace mirage {

/// A tile in memory.
struct StoredTile {
  Shape shape;
  int64_t elementBytes = 0;
  MemoryLayout memory;
  /// True in device memory, false in shared memory.
  bool isDevice = false;
};

/// Returns the strides of a tile whose rows lie one after the other, or, where
/// `hasGaps`, so that eight of them begin in different banks, as the lowering
/// allocates tiles in shared memory.
MemoryLayout getRows(ShapeRef shape, int64_t elementBytes, bool hasGaps);

/// The costs of a block of so many warps.
class LayoutCosts {
public:
  explicit LayoutCosts(int64_t warps) : warps(static_cast<double>(warps)) {}

  /// Returns the clocks of an elementwise operator with so many flops and
  /// exponentials for an element, also for places beyond the end of the tile
  /// and for elements that several threads have.
  double getElementwise(const RegisterLayout &layout, int64_t flops,
                        int64_t exponentials) const;
  /// Returns the clocks in which all warps load a tile, or store it.
  double getAccess(const StoredTile &tile, const RegisterLayout &layout) const;
  /// Returns the clocks in which all warps load a tile: by ldmatrix where its
  /// registers are those of matrix instructions and it is in shared memory.
  double getLoad(const StoredTile &tile, const RegisterLayout &layout) const;
  /// Returns the clocks in which all warps copy a tile from device memory to
  /// shared memory, so many neighbours at a time. The layout says which of them
  /// a thread copies.
  double getCopy(const StoredTile &source, const StoredTile &target,
                 const RegisterLayout &layout, int64_t length) const;
  /// Returns the clocks in which the copy engine brings a tile to chunks: it
  /// makes a request for each row of a chunk.
  static double getBulkCopy(const StoredTile &target);
  /// Returns the clocks in which all warps store a tile to device memory, where
  /// its rows lie one after the other. Lanes exchange elements of 16 bits where
  /// each gets 16 bytes of neighbours so.
  double getStore(ShapeRef shape, int64_t elementBytes,
                  const RegisterLayout &layout) const;
  /// Returns the clocks of a reduction along a dimension, of what a thread has
  /// of it alone or of all that lanes and warps have.
  double getReduction(int64_t dim, const RegisterLayout &layout,
                      bool ofThreads) const;
  /// Returns the clocks that all warps wait at a barrier.
  static double getBarrier();

private:
  double warps;
};

} // namespace mirage

#endif // MIRAGE_SCHEDULE_LAYOUTCOSTS_H
