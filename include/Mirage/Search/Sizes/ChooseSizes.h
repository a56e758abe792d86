//===- ChooseSizes.h - Numbers for symbolic factors -------------*- C++ -*-===//
//
// Chooses the blocks along each grid dimension and the iterations of each loop
// of a candidate, by the cost model.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_CHOOSESIZES_H
#define MIRAGE_SEARCH_SIZES_CHOOSESIZES_H

#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/Semantics/Target.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <limits>

namespace mirage::search {

class LaunchTable;

struct ChosenSizes {
  std::vector<LaunchSizes> sizes;
  /// The candidate's time by the cost model.
  double microseconds = 0;
  /// The candidate is no slower with Candidate::joinsProducts.
  bool joinsProducts = false;
};

/// The defaults are those that docs/performance/sizes.md measures.
struct SizeSearchOptions {
  /// If there are at most so many points of single launches, all are searched,
  /// by lower bounds.
  uint64_t exhaustive = 20'000;
  /// The seed of random draws, where there are more points.
  uint64_t seed = 0;
  /// Microseconds from which on sizes are of no use. Where there are more
  /// points, fewer are met if those that descent meets take much longer.
  double limit = std::numeric_limits<double>::infinity();
  /// Asked before each point, from the thread that chooses, whether to end with
  /// the best that was met; null to meet all.
  llvm::function_ref<bool()> isOver = nullptr;
  /// What is known of launches that other candidates of the problem have, too;
  /// null if nothing is.
  LaunchTable *table = nullptr;
};

/// Returns the sizes that the cost model puts first: of all divisors of the
/// axes, or of those that descent and algorithm 1 meet. Nothing is returned if
/// no point that was met fits into the target's shared memory and takes less
/// than the limit. Where products can be joined, the best of both ways is
/// taken.
std::optional<ChosenSizes> chooseSizes(const SearchProblem &problem,
                                       const Candidate &candidate,
                                       const TargetDescription &target,
                                       const SizeSearchOptions &options = {});

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_CHOOSESIZES_H
