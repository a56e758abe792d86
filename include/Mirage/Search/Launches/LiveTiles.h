//===- LiveTiles.h - What is in shared memory at once -----------*- C++ -*-===//
//
// The tiles of a launch that are in shared memory at the same moment, by their
// symbolic dimensions. There may be more in shared memory, since alignment,
// running maxima, products that nothing reads yet, what lives on between
// operators and the results of chains of elementwise operators are left out: a
// chain is computed as a whole, and its result may take the place of what it
// reads (Analysis/SharedMemory.h). Tiles are counted for complete launches,
// whose time is to be bounded, and for prefixes of them, which may not be
// pruned because of what a larger launch does without.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_LIVETILES_H
#define MIRAGE_SEARCH_LAUNCHES_LIVETILES_H

#include "Mirage/Search/Launches/LaunchGraph.h"
#include <set>

namespace mirage::search {

class LiveTiles {
public:
  struct Tile {
    Dims dims;
    ElementType type;
  };
  /// Numbers of the tiles that are alive, ascending; a tile that is there twice
  /// counts twice.
  using Moment = llvm::SmallVector<unsigned, 8>;

  /// `joined` says which sums, products and accumulators of a complete launch
  /// one concat_matmul replaces. Without it the launch is a prefix, and those
  /// tiles count that are there whatever becomes of it.
  LiveTiles(const SearchProblem &problem, const LaunchGraph &launch,
            std::optional<llvm::ArrayRef<bool>> joined = std::nullopt);

  /// The types of values, as Instantiate.cpp chooses them.
  llvm::ArrayRef<ElementType> getTypes() const { return types; }
  llvm::ArrayRef<Tile> getTiles() const { return tiles; }
  /// The tile of each value.
  llvm::ArrayRef<unsigned> getValueTiles() const { return valueTiles; }
  llvm::ArrayRef<Moment> getMoments() const { return moments; }

  /// Returns whether an operator of the launch reads a value.
  bool isRead(unsigned value) const;

private:
  const OperatorForm &getForm(unsigned value) const;
  unsigned addTile(llvm::ArrayRef<DimId> dims, ElementType type);
  void findTypes();
  bool isLeftOut(unsigned value) const;
  /// Returns whether a value is computed element by element, so that it may be
  /// computed by what reads it, or in the place of what it reads.
  bool keepsPlaces(unsigned value) const;
  bool isSumOfStored(unsigned value) const;
  /// The operators that read a value, and the stores of it.
  unsigned countReaders(unsigned value) const;
  std::set<unsigned> getOperands(unsigned value) const;
  /// Returns the tile of a value that another operator reads in some type and
  /// arrangement: no more than is stored for that.
  unsigned addStoredTile(unsigned value);
  /// The tiles that an operator of a chain reads and that are stored whatever
  /// the chain is, without those of loads from outside of its loop.
  Moment getChainTiles(unsigned value);
  /// Returns whether a value is a product of matrices, or a sum of one over a
  /// loop.
  bool isProductOrItsSum(unsigned value) const;
  /// Returns whether a value is read in a loop, or in a loop inside of that
  /// one.
  bool isReadIn(unsigned value, unsigned loop) const;
  /// The tiles from outside that are alive as long as the innermost of the
  /// region's loops runs: accumulators, and loads that the loop reads.
  Moment getAliveAround(RegionId region);
  /// The tiles of an operator's operands as it reads them, without those of
  /// loads from outside of its loop.
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
