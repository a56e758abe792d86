//===- SearchTiling.h - Heuristic search for tilings ------------*- C++ -*-===//
//
// MCFuser's algorithm 1: a population of candidates, of which the next one is
// sampled by 1 / t and mutated in one tile; the best few of each are measured.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_TILING_SEARCHTILING_H
#define MIRAGE_SEARCH_TILING_SEARCHTILING_H

#include "Mirage/Search/Tiling/TilingSpace.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <tuple>

namespace mirage::tiling {

/// A point of a space: numbers of an expression and of tiles.
struct TilingPoint {
  unsigned expression = 0;
  llvm::SmallVector<unsigned, 6> tiles;

  bool operator<(const TilingPoint &other) const {
    return std::tie(expression, tiles) <
           std::tie(other.expression, other.tiles);
  }
  bool operator==(const TilingPoint &other) const {
    return expression == other.expression && tiles == other.tiles;
  }
};

Tiling getTiling(const TilingSpace &space, const TilingPoint &point);

/// docs/performance/tiling.md says what the defaults are chosen by.
struct TilingSearchOptions {
  /// Candidates of a generation, and the best ones of it that are measured.
  unsigned population = 128;
  unsigned top = 8;
  /// The search ends when the best measured time has improved by less than this
  /// part of itself in each of `patience` generations, or after `generations`.
  double epsilon = 0.01;
  unsigned patience = 3;
  unsigned generations = 64;
  /// Spaces of at most so many candidates are searched whole: all are
  /// estimated, and the `top` best ones measured.
  uint64_t exhaustive = 4096;
  uint64_t seed = 0;
};

struct TilingSearchResult {
  TilingPoint best;
  double microseconds = 0;
  /// Different candidates that were estimated, and that were measured.
  uint64_t estimated = 0, measured = 0;
  unsigned generations = 0;
  bool wasExhaustive = false;
};

/// Microseconds of a candidate; infinite if it is none.
using TilingTime = llvm::function_ref<double(const TilingPoint &)>;

/// Nothing if no candidate that was met has a finite measured time. The same
/// times and seed give the same result.
std::optional<TilingSearchResult>
searchTiling(const TilingSpace &space, TilingTime estimate, TilingTime measure,
             const TilingSearchOptions &options);

} // namespace mirage::tiling

#endif // MIRAGE_SEARCH_TILING_SEARCHTILING_H
