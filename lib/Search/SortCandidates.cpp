//===- SortCandidates.cpp - Which candidate is judged first ---------------===//
//
// Sorts candidates by their time, and those that take about the least by their
// launches, loops and operators.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/SortCandidates.h"
#include "Mirage/Search/Launches/JoinedProducts.h"

using namespace mirage;
using namespace mirage::search;

/// Launches, loops and operators in them, and dimensions of grids that divide
/// nothing.
using Complexity = std::tuple<size_t, size_t, size_t>;

static Complexity getComplexity(const SearchTask &task,
                                const JudgedCandidate &which) {
  const Candidate &candidate = which.candidate;
  size_t steps = 0;
  for (const LaunchGraph &launch : candidate.launches) {
    steps += launch.loops.size() + launch.operators.size();
    // One product and its accumulator stand for two and their sum.
    if (candidate.joinsProducts)
      for (const JoinedSum &joined :
           findJoinedSums(task.views[which.view].problem, launch))
        steps -= joined.accumulators ? 3 : 2;
  }
  size_t idle = 0;
  for (const LaunchSizes &sizes : which.sizes)
    idle += llvm::count(llvm::drop_begin(sizes.grid), 1);
  return {candidate.launches.size(), steps, idle};
}

void mirage::search::sortByCost(const SearchTask &task, double resolution,
                                std::vector<JudgedCandidate> &candidates) {
  double cheapest = std::numeric_limits<double>::infinity();
  for (const JudgedCandidate &candidate : candidates)
    cheapest = std::min(cheapest, candidate.microseconds);
  std::vector<std::tuple<bool, Complexity, double, size_t>> order;
  for (auto [number, candidate] : llvm::enumerate(candidates)) {
    bool isLater = candidate.microseconds > cheapest * (1 + resolution);
    order.push_back({isLater,
                     isLater ? Complexity() : getComplexity(task, candidate),
                     candidate.microseconds, number});
  }
  llvm::sort(order);
  std::vector<JudgedCandidate> sorted;
  for (const auto &entry : order)
    sorted.push_back(std::move(candidates[std::get<size_t>(entry)]));
  candidates = std::move(sorted);
}

/// The extents that are not one, in their order by size.
static llvm::SmallVector<int64_t, 3> getDividing(llvm::ArrayRef<int64_t> all) {
  llvm::SmallVector<int64_t, 3> dividing(
      llvm::make_filter_range(all, [](int64_t extent) { return extent != 1; }));
  llvm::sort(dividing);
  return dividing;
}

bool mirage::search::areAlike(const JudgedCandidate &a,
                              const JudgedCandidate &b) {
  constexpr double mostApart = 0.01;
  auto [least, most] = std::minmax(a.microseconds, b.microseconds);
  if (a.sizes.size() != b.sizes.size() || most > least * (1 + mostApart))
    return false;
  return llvm::all_of(llvm::zip_equal(a.sizes, b.sizes), [](const auto &pair) {
    const auto &[own, other] = pair;
    return getDividing(own.grid) == getDividing(other.grid) &&
           getDividing(own.loops) == getDividing(other.loops);
  });
}
