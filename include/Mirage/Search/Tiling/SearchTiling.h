//===- SearchTiling.h - Heuristic search for tilings ------------*- C++ -*-===//
//
// PointSearch.h for spaces of tilings: a point is an expression, which mutation
// leaves alone, and tiles.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_TILING_SEARCHTILING_H
#define MIRAGE_SEARCH_TILING_SEARCHTILING_H

#include "Mirage/Search/Sizes/PointSearch.h"
#include "Mirage/Search/Tiling/TilingSpace.h"

namespace mirage::tiling {

/// A point of a space: the numbers of its expression and of its tiles.
struct TilingPoint {
  unsigned expression = 0;
  llvm::SmallVector<unsigned, 6> tiles;
};

Tiling getTiling(const TilingSpace &space, const TilingPoint &point);

using TilingSearchOptions = search::PointSearchOptions;

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

/// The best tiling that was found; nothing if no candidate that was met has a
/// finite measured time. The same times and seed give the same result.
std::optional<TilingSearchResult>
searchTiling(const TilingSpace &space, TilingTime estimate, TilingTime measure,
             const TilingSearchOptions &options);

} // namespace mirage::tiling

#endif // MIRAGE_SEARCH_TILING_SEARCHTILING_H
