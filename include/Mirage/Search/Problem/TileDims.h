//===- TileDims.h - Dimensions of tiles, told apart once --------*- C++ -*-===//
//
// The tiles of millions of block graphs have few different dimensions. Each
// sequence of dimensions is kept once, with what operators make of it, so that
// a tile is a pointer, and what two tiles have together is looked up.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_TILEDIMS_H
#define MIRAGE_SEARCH_PROBLEM_TILEDIMS_H

#include "Mirage/Search/Problem/SearchProblem.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>

namespace mirage::search {

/// The dimensions of a tile, of a table's.
class TileDims {
public:
  struct Data;

  TileDims() = default;
  explicit TileDims(const Data *data) : data(data) {}

  const Data *operator->() const { return data; }
  inline operator llvm::ArrayRef<DimId>() const;
  inline const DimId *begin() const;
  inline const DimId *end() const;
  size_t size() const { return end() - begin(); }
  /// Tiles of one table are equal if they are one.
  bool operator==(const TileDims &other) const = default;

private:
  const Data *data = nullptr;
};

/// What operators on two tiles depend on.
struct TilePair {
  /// The axes of either tile; nothing if they lack different factors of one.
  std::optional<TileDims> dims;
  /// This is true if one value of the program has all of these dimensions, as
  /// the results of elementwise operators do.
  bool isCommon = false;
  /// The axes that a product of both may sum over: numbers of
  /// SearchProblem::getReducedAxes. There are none if neither tile has an axis
  /// of its own: a multiplication and a sum do the same.
  llvm::SmallVector<uint8_t, 2> summed;
};

struct TileDims::Data {
  Dims dims;
  unsigned number = 0;
  /// The dimensions along SearchProblem::getReducedAxes, kUnitDim for axes that
  /// the tile lacks, and the numbers of those that it has.
  llvm::SmallVector<DimId, 8> along;
  llvm::SmallVector<uint8_t, 8> reduced;
};

inline TileDims::operator llvm::ArrayRef<DimId>() const { return data->dims; }
inline const DimId *TileDims::begin() const { return data->dims.begin(); }
inline const DimId *TileDims::end() const { return data->dims.end(); }

/// The dimensions of a problem's tiles. A table belongs to one thread.
class TileTable {
public:
  explicit TileTable(const SearchProblem &problem) : problem(problem) {}

  TileDims get(const Dims &dims);
  const TilePair &getPair(TileDims first, TileDims second) {
    const auto &known = pairs[first->number];
    if (second->number < known.size() && known[second->number])
      return *known[second->number];
    return addPair(first, second);
  }
  /// Returns the tile without the axes of a dimension.
  TileDims without(TileDims tile, DimId removed);

private:
  const TilePair &addPair(TileDims first, TileDims second);
  TilePair makePair(TileDims first, TileDims second);
  bool areCommon(llvm::ArrayRef<DimId> both, llvm::ArrayRef<DimId> a,
                 llvm::ArrayRef<DimId> b) const;

  const SearchProblem &problem;
  std::deque<TileDims::Data> tiles;
  /// The numbers of tiles by a hash of their dimensions.
  llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>> numbers;
  /// What is known of each tile with others, by their numbers, and without
  /// dimensions.
  std::vector<std::vector<std::unique_ptr<TilePair>>> pairs;
  std::vector<llvm::SmallVector<std::pair<DimId, TileDims>, 4>> rests;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_TILEDIMS_H
