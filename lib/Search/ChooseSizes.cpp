//===- ChooseSizes.cpp - Numbers for symbolic factors ---------------------===//
//
// Coordinate descent: factors are few, and the cost of one point takes some
// microseconds.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/ChooseSizes.h"
#include "JoinedProducts.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

static std::vector<int64_t> getDivisors(int64_t size) {
  std::vector<int64_t> divisors;
  for (int64_t d = 1; d * d <= size; ++d)
    if (size % d == 0) {
      divisors.push_back(d);
      if (d * d != size)
        divisors.push_back(size / d);
    }
  llvm::sort(divisors);
  return divisors;
}

namespace {

class Descent {
public:
  Descent(const SearchProblem &problem, const Candidate &candidate,
          const TargetDescription &target)
      : problem(problem), candidate(candidate), target(target),
        factors(getFactors(candidate)) {
    for (const LaunchGraph &launch : candidate.launches) {
      LaunchSizes &sizes = current.emplace_back();
      sizes.grid.assign(std::max<size_t>(launch.gridAxes.size(), 1), 1);
      sizes.loops.assign(launch.getLoopAxes().size(), 1);
    }
  }

  std::optional<ChosenSizes> run() {
    // Where tiles are as small as they may be, as large, and between.
    for (double part : {1.0, 0.6, 0.3}) {
      start(part);
      descend();
    }
    return best;
  }

private:
  int64_t &get(const FactorChoice &factor) {
    LaunchSizes &sizes = current[factor.launch];
    return factor.isLoop ? sizes.loops[factor.position]
                         : sizes.grid[factor.position];
  }

  /// What the factor may divide: the axis without the other factors of the same
  /// launch.
  int64_t getRoom(const FactorChoice &factor) {
    int64_t room = getAxisSize(problem, candidate, current, factor.axis);
    for (const FactorChoice &other : factors)
      if (&other != &factor && other.launch == factor.launch &&
          other.axis == factor.axis)
        room = room % get(other) ? 0 : room / get(other);
    return room;
  }

  /// Factors that no longer divide their axis, because its size was chosen
  /// anew, become the largest ones that do.
  void repair() {
    for (const FactorChoice &factor : factors) {
      int64_t room = getRoom(factor);
      int64_t &value = get(factor);
      if (room < 1)
        value = 1;
      else if (room % value)
        value = std::gcd(room, value);
    }
  }

  void start(double part) {
    for (const FactorChoice &factor : factors)
      get(factor) = 1;
    for (const FactorChoice &factor : factors) {
      std::vector<int64_t> divisors = getDivisors(getRoom(factor));
      get(factor) = divisors[std::lround(part * (divisors.size() - 1))];
    }
    repair();
  }

  double evaluate() {
    std::vector<int64_t> key;
    for (const FactorChoice &factor : factors)
      key.push_back(get(factor));
    auto [known, isNew] = costs.try_emplace(key, 0);
    if (!isNew)
      return known->second;
    MuGraph graph = instantiate(problem, candidate, current);
    double cost = 0;
    for (const SummarizedKernel &kernel : summarize(graph)) {
      // Of the grid dimensions only x may be larger, and a block's tensors must
      // fit as the verifier counts them (launch_c6).
      const KernelSummary &summary = kernel.summary;
      if (summary.grid[1] > 65535 || summary.grid[2] > 65535 ||
          summary.plannedBytes > target.sharedMemoryPerBlock)
        cost = std::numeric_limits<double>::infinity();
      else
        cost += estimateKernel(summary, target).microseconds;
    }
    known->second = cost;
    if (std::isfinite(cost) && (!best || cost < best->microseconds))
      best = ChosenSizes{current, cost, false};
    return cost;
  }

  void descend() {
    double cost = evaluate();
    for (bool improved = true; improved;) {
      improved = false;
      for (const FactorChoice &factor : factors) {
        std::vector<LaunchSizes> before = current, better = current;
        for (int64_t divisor : getDivisors(getRoom(factor))) {
          current = before;
          get(factor) = divisor;
          repair();
          double other = evaluate();
          if (other < cost) {
            cost = other;
            better = current;
            improved = true;
          }
        }
        current = better;
      }
    }
  }

  const SearchProblem &problem;
  const Candidate &candidate;
  const TargetDescription &target;
  std::vector<FactorChoice> factors;
  std::vector<LaunchSizes> current;
  std::map<std::vector<int64_t>, double> costs;
  std::optional<ChosenSizes> best;
};

} // namespace

std::optional<ChosenSizes>
mirage::search::chooseSizes(const SearchProblem &problem,
                            const Candidate &candidate,
                            const TargetDescription &target) {
  std::optional<ChosenSizes> best = Descent(problem, candidate, target).run();
  if (llvm::all_of(candidate.launches, [&](const LaunchGraph &launch) {
        return findJoinedSums(problem, launch).empty();
      }))
    return best;
  Candidate joined = candidate;
  joined.joinsProducts = true;
  std::optional<ChosenSizes> other = Descent(problem, joined, target).run();
  if (!other || (best && best->microseconds < other->microseconds))
    return best;
  other->joinsProducts = true;
  return other;
}
