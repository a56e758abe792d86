//===- LiveTiles.h - What is in shared memory at once -----------*- C++ -*-===//
//
// The tiles of a launch that are in shared memory at the same moment, by their
// symbolic dimensions: at least these, since alignment, running maxima and what
// lives on between operators are left out. For complete launches, whose time is
// to be bounded, and for prefixes of them, which may not be pruned because of
// what a larger launch does without.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_LIVETILES_H
#define MIRAGE_SEARCH_LAUNCHES_LIVETILES_H

#include "Mirage/Search/Launches/LaunchGraph.h"

namespace mirage::search {

class LiveTiles {
public:
  struct Tile {
    Dims dims;
    ElementType type;
  };
  /// Numbers of tiles, ascending; one that is there twice counts twice.
  using Moment = llvm::SmallVector<unsigned, 8>;

  /// `joined`: sums, products and accumulators of a complete launch that one
  /// concat_matmul replaces. Without, the launch is a prefix, and those count
  /// that are there whatever becomes of it.
  LiveTiles(const SearchProblem &problem, const LaunchGraph &launch,
            std::optional<llvm::ArrayRef<bool>> joined = std::nullopt);

  /// Types of values as Instantiate.cpp chooses them.
  llvm::ArrayRef<ElementType> getTypes() const { return types; }
  llvm::ArrayRef<Tile> getTiles() const { return tiles; }
  /// By value.
  llvm::ArrayRef<unsigned> getValueTiles() const { return valueTiles; }
  llvm::ArrayRef<Moment> getMoments() const { return moments; }

private:
  const OperatorForm &getForm(unsigned value) const;
  unsigned addTile(llvm::ArrayRef<DimId> dims, ElementType type);
  void findTypes();
  bool isLeftOut(unsigned value) const;
  /// Whether it is a product of matrices, or a sum of one over a loop.
  bool isProductOrItsSum(unsigned value) const;
  /// Whether a value is read in a loop, or in loops in it.
  bool isReadIn(unsigned value, unsigned loop) const;
  /// What is alive all the while in the innermost of the region's loops, from
  /// outside of it: accumulators, and loads that it reads.
  Moment getAliveAround(RegionId region) const;
  /// The operands as the operator reads them, other than loads from outside of
  /// its loop.
  Moment getOperandTiles(unsigned value);
  void findMoments();

  const SearchProblem &problem;
  const LaunchGraph &launch;
  std::optional<llvm::ArrayRef<bool>> joined;
  ElementType computeType;
  llvm::SmallVector<ElementType, 16> types;
  std::vector<Tile> tiles;
  llvm::SmallVector<unsigned, 16> valueTiles;
  std::vector<Moment> moments;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_LIVETILES_H
