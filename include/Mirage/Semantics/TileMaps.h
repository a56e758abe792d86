//===- TileMaps.h - imap, omap and fmap without IR --------------*- C++ -*-===//
//
// Says what entries of maps mean, and how they cut a tensor into the parts that
// blocks, threads and iterations work on. The dialects, the interpreter,
// lowerings and everything that works on µGraphs without IR share it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_TILEMAPS_H
#define MIRAGE_SEMANTICS_TILEMAPS_H

#include "Mirage/Semantics/OpAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

namespace mirage {

/// Entries of imap, omap and fmap that are no tensor dimension.
enum MapEntry : int64_t {
  /// An entry phi: the tensor is replicated over the grid dimension or loop.
  kReplica = -1,
  /// Entries of an omap: the blocks' values are summed, or their maximum is
  /// taken.
  kReduceSum = -2,
  kReduceMax = -3,
  /// No entry was written for this grid dimension.
  kMissing = -4,
};

/// Returns "x", "y" or "z".
llvm::StringRef getGridDimName(unsigned dim);

/// Prints an entry of a map: a number, "phi", "sum" or "max".
std::string getMapEntryName(int64_t entry);

/// The cut of one dimension of a tensor that a graph reads or writes in parts:
/// the grid dimension that selects the part, then the loops that select parts
/// of it, outermost first.
struct DimPartition {
  int64_t size = 0;
  std::optional<unsigned> gridDim;
  int64_t gridExtent = 1;
  /// Positions of the loops among the enclosing ones, and their extents.
  llvm::SmallVector<unsigned, 1> loops;
  llvm::SmallVector<int64_t, 1> loopExtents;

  /// The number of elements of the part.
  int64_t getTileSize() const;
};

/// Returns how an input iterator cuts its source, with one entry per dimension.
/// The maps must have passed verification.
llvm::SmallVector<DimPartition, 4>
getPartition(ShapeRef source, llvm::ArrayRef<int64_t> imap,
             llvm::ArrayRef<int64_t> extents, llvm::ArrayRef<int64_t> fmap,
             llvm::ArrayRef<int64_t> loopExtents);

/// The entries of an input iterator for each grid dimension and each loop.
struct TileMaps {
  llvm::SmallVector<int64_t, 3> imap;
  llvm::SmallVector<int64_t, 1> fmap;
};

/// Returns the inverse of getPartition: the maps by which a source is cut like
/// this, or nothing and the reason why none do.
std::optional<TileMaps> getTileMaps(ShapeRef source,
                                    llvm::ArrayRef<DimPartition> partition,
                                    llvm::ArrayRef<int64_t> extents,
                                    llvm::ArrayRef<int64_t> loopExtents,
                                    std::string &error);

/// Returns the offset of the part along one dimension, in any system of indices
/// with add and mulConstant (see Element.h). `point` is the block or thread,
/// `loops` are the values of the enclosing loops.
template <typename Index, typename System>
Index getTileOffset(const DimPartition &dim, llvm::ArrayRef<Index> point,
                    llvm::ArrayRef<Index> loops, System &s) {
  Index offset = s.index(0);
  int64_t part = dim.size;
  if (dim.gridDim) {
    part /= dim.gridExtent;
    offset = s.mulConstant(point[*dim.gridDim], part);
  }
  for (auto [loop, extent] : llvm::zip(dim.loops, dim.loopExtents)) {
    part /= extent;
    offset = s.add(offset, s.mulConstant(loops[loop], part));
  }
  return offset;
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_TILEMAPS_H
