//===- MemoryTiles.h - Tiles of a launch in shared memory -------*- C++ -*-===//
//
// Says for each tile of a scheduled launch that lies in shared memory in which
// ways its rows may lie there, and what each of these costs, for the integer
// program that chooses layouts (PlanLayouts.h).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_MEMORYTILES_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_MEMORYTILES_H

#include "Mirage/Schedule/LayoutCosts.h"
#include "TrialKernel.h"

namespace mirage {

class TilePricer;

/// A tile in shared memory.
struct MemoryTile {
  mlir::Value value;
  /// How its rows may lie, as the rule says first, and where its elements are
  /// then. The dimensions are those of a tile, of which the first one is that
  /// of the groups of warps.
  llvm::SmallVector<RowLayout, 4> rows;
  llvm::SmallVector<MemoryLayout, 4> memories;
  /// The elements for which there is room in each.
  llvm::SmallVector<int64_t, 4> elements;
  /// The clocks of a block in which the tile is brought or stored, for each.
  llvm::SmallVector<double, 4> writing;
  /// What reads the tile, or a view of it, into registers, and the clocks that
  /// this takes for each.
  struct Reader {
    RegisterLayout layout;
    Shape shape;
    llvm::SmallVector<double, 4> clocks;
  };
  llvm::SmallVector<Reader, 2> readers;

  bool isFree() const { return rows.size() > 1; }
  /// Leaves the rule alone to it.
  void keepFirst();
  /// Leaves ways to it that need no more room than the rule does.
  void keepSmall();

private:
  friend class TilePricer;
  void keep(llvm::function_ref<bool(size_t)> isKept);
};

/// Returns the tiles in shared memory of the kernel that was made of a launch
/// with a schedule. What wgmma reads, what lies beside views that are no
/// transposes, and what an attribute says has one way to lie. Others have all
/// in which what writes and reads them in the kernel can do so by the same
/// instructions: the copy engine brings chunks, ldmatrix reads rows that are
/// multiples of 16 bytes, and cp.async moves four bytes and more.
llvm::SmallVector<MemoryTile, 0> findMemoryTiles(kernel::LaunchOp launch,
                                                 const LaunchSchedule &schedule,
                                                 const TrialKernel &kernel);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_MEMORYTILES_H
