//===- TilingSpace.h - Candidates and rules that prune them -----*- C++ -*-===//
//
// The search space of MCFuser (section III-C): expressions times tile sizes,
// and the four rules that prune it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_TILING_TILINGSPACE_H
#define MIRAGE_SEARCH_TILING_TILINGSPACE_H

#include "Mirage/Analysis/Tiling/TilingModel.h"
#include <array>

namespace mirage::tiling {

/// The longest chain of which all expressions are generated.
constexpr unsigned maxGeneratedProducts = 5;

struct PruningRules {
  /// Rule 1 keeps one of the expressions with equal schedules.
  bool deduplicate = true;
  /// Rule 2 drops expressions that keep several tiles of an intermediate
  /// result.
  bool intermediateTiles = true;
  /// Rule 3 drops tiles that pad their dimension by more than `maxPadding` of
  /// it.
  bool padding = true;
  double maxPadding = 0.05;
  /// Where rule 3 leaves no tile but the dimension, and that is larger than the
  /// granularity, its divisors below that are candidates, too.
  bool smallDivisors = false;
  /// Rule 4 drops candidates that need more than `slack` times the block's
  /// shared memory, by equation 1.
  bool sharedMemory = true;
  double slack = 1.2;
  int64_t sharedMemoryPerBlock = 0;
  /// The side of a matrix instruction, of which tiles are multiples.
  int64_t granularity = 16;
};

struct SpaceSize {
  uint64_t expressions = 0, candidates = 0;
};

struct TilingSpace {
  std::vector<TilingExpression> expressions;
  /// The tiles for each loop, from small to large; the last one is the
  /// dimension.
  std::vector<llvm::SmallVector<int64_t, 8>> tiles;
  /// The sizes of the space before any rule, and after rules 1 to i; a rule
  /// that is off changes nothing. Counts beyond 64 bits stay at the largest
  /// number.
  std::array<SpaceSize, 5> sizes;
  /// The most shared memory that rule 4 allows.
  double maxBytes = 0;

  bool fits(const ChainShape &shape, llvm::ArrayRef<int64_t> tiles) const {
    return static_cast<double>(estimateSharedMemory(shape, tiles)) <= maxBytes;
  }
};

/// The multiples of `granularity` below `size`, and `size`.
llvm::SmallVector<int64_t, 8> getTileChoices(int64_t size, int64_t granularity);

/// The part of a dimension that tiles reach beyond it.
double getPadding(int64_t size, int64_t tile);

/// The chain must have at most maxGeneratedProducts products.
TilingSpace makeSpace(const ChainShape &shape, const PruningRules &rules);

} // namespace mirage::tiling

#endif // MIRAGE_SEARCH_TILING_TILINGSPACE_H
