//===- ChooseSizes.cpp - Numbers for symbolic factors ---------------------===//
//
// Decides which search chooses a candidate's sizes (SizeSearch.h).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/ChooseSizes.h"
#include "Mirage/Search/Launches/JoinedProducts.h"
#include "Mirage/Search/Sizes/SizeSearch.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

static std::optional<ChosenSizes> choose(const SearchProblem &problem,
                                         const Candidate &candidate,
                                         const TargetDescription &target,
                                         const SizeSearchOptions &options) {
  // Algorithm 1 finds what is faster than what descent finds, but not by so
  // much.
  static constexpr double kHopeless = 1.3;
  SizeSearch search(problem, candidate, target, options.limit, options.isOver,
                    options.table);
  if (!search.exhaust(options.exhaustive)) {
    PointSearchOptions random;
    random.exhaustive = 0;
    random.seed = options.seed;
    search.descend();
    if (search.getLeast() < options.limit * kHopeless) {
      search.evolve(random, /*useBounds=*/true);
      search.refine();
    }
  }
  if (!search.fits())
    return std::nullopt;
  return ChosenSizes{search.getCosts().getFactors().getSizes(search.getBest()),
                     search.getMicroseconds(), candidate.joinsProducts};
}

std::optional<ChosenSizes> mirage::search::chooseSizes(
    const SearchProblem &problem, const Candidate &candidate,
    const TargetDescription &target, const SizeSearchOptions &options) {
  std::optional<ChosenSizes> best = choose(problem, candidate, target, options);
  if (llvm::all_of(candidate.launches, [&](const LaunchGraph &launch) {
        return findJoinedSums(problem, launch).empty();
      }))
    return best;
  Candidate joined = candidate;
  joined.joinsProducts = true;
  // If both take the same time, the joined one is taken.
  SizeSearchOptions rest = options;
  if (best)
    rest.limit = std::min(options.limit, best->microseconds * (1 + 1e-9));
  std::optional<ChosenSizes> other = choose(problem, joined, target, rest);
  if (!other || (best && best->microseconds < other->microseconds))
    return best;
  return other;
}
