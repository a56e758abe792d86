//===- ChooseSizes.h - Numbers for symbolic factors -------------*- C++ -*-===//
//
// Chooses the blocks along each grid dimension and the iterations of each loop
// of a candidate, by the cost model.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_CHOOSESIZES_H
#define MIRAGE_SEARCH_CHOOSESIZES_H

#include "Mirage/Search/Instantiate.h"
#include "Mirage/Semantics/Target.h"

namespace mirage::search {

struct ChosenSizes {
  std::vector<LaunchSizes> sizes;
  /// By the cost model.
  double microseconds = 0;
  /// Candidate::joinsProducts, if that is no slower.
  bool joinsProducts = false;
};

/// Descends from several starting points one factor at a time, over the
/// divisors of the axes, until no single factor is better otherwise. Nothing if
/// no point that was met fits into the target's shared memory. Where products
/// can be joined, does so for both forms.
std::optional<ChosenSizes> chooseSizes(const SearchProblem &problem,
                                       const Candidate &candidate,
                                       const TargetDescription &target);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_CHOOSESIZES_H
