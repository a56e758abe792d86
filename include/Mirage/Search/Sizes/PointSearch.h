//===- PointSearch.h - Heuristic search over vectors ------------*- C++ -*-===//
//
// MCFuser's algorithm 1 over vectors of integers: from a population of points
// the next one is sampled by 1 / t and mutated in one coordinate, and the best
// few points of each are measured. Tilings of chains and sizes of candidates
// are such vectors.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_POINTSEARCH_H
#define MIRAGE_SEARCH_SIZES_POINTSEARCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <unordered_map>

namespace mirage::search {

using Point = llvm::SmallVector<int64_t, 8>;

struct PointHash {
  size_t operator()(const Point &point) const;
};
template <typename T> using PointMap = std::unordered_map<Point, T, PointHash>;

/// The points to search. Which values a coordinate may have depends on those
/// before it.
struct PointSpace {
  unsigned coordinates = 0;
  /// So many of the first coordinates are never mutated.
  unsigned fixed = 0;
  /// Returns the values that the next coordinate may have behind these,
  /// ascending. The list is valid until the next call.
  llvm::function_ref<llvm::ArrayRef<int64_t>(llvm::ArrayRef<int64_t>)>
      getChoices;
};

/// Calls `visit` for points in lexicographic order, at most so many, and
/// returns whether these were all.
bool visitPoints(const PointSpace &space, uint64_t most,
                 llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit);

/// docs/performance/tiling.md says how the defaults are chosen.
struct PointSearchOptions {
  /// The number of points of a generation, and of its best ones that are
  /// measured.
  unsigned population = 128;
  unsigned top = 8;
  /// The search ends when the best measured time has improved by less than this
  /// part of itself in each of `patience` generations, or after `generations`.
  double epsilon = 0.01;
  unsigned patience = 3;
  unsigned generations = 64;
  /// Spaces of at most so many points are searched whole: all points are
  /// estimated, and the `top` best ones are measured.
  uint64_t exhaustive = 4096;
  uint64_t seed = 0;
};

struct PointSearchResult {
  Point best;
  double microseconds = 0;
  /// The numbers of different points that were estimated, and that were
  /// measured.
  uint64_t estimated = 0, measured = 0;
  unsigned generations = 0;
  bool wasExhaustive = false;
};

/// Returns the microseconds of a point; infinity if it is no candidate.
using PointTime = llvm::function_ref<double(llvm::ArrayRef<int64_t>)>;

/// Returns nothing if no point that was met has a finite measured time. The
/// same times and seed give the same result.
std::optional<PointSearchResult>
searchPoints(const PointSpace &space, PointTime estimate, PointTime measure,
             const PointSearchOptions &options);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_POINTSEARCH_H
