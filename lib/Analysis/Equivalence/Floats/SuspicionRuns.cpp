//===- SuspicionRuns.cpp - Runs on what estimates suspect -----------------===//
//
// Runs a pair on the inputs for which a candidate is expected to lose what the
// original keeps, and finds the operation that is to blame for a refusal.
//
//===----------------------------------------------------------------------===//

#include "FloatCheck.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Inputs that are run at small sizes, and those of them that are run with all
/// sums as well, where the small ones show nothing.
static constexpr size_t kMostSmall = 16, kMostOwn = 2;

bool FloatCheck::isDefined(const InputKind &kind, const FloatPair &pair) {
  std::shared_ptr<const Original> original = originals.get(*pair.lhs, kind);
  auto areFinite = [](ArrayRef<TensorValue> results) {
    return llvm::all_of(results, [](const TensorValue &result) {
      return getFiniteCount({&result}) == result.size();
    });
  };
  return !original->results.overflowsInside && areFinite(original->exact) &&
         areFinite(original->storage);
}

void FloatCheck::runSuspicions() {
  std::vector<Suspicion> suspicions =
      findSuspicions(*pair.lhs, *pair.rhs, options.factor);
  auto runOn = [&](const FloatPair &on, size_t most) {
    for (const Suspicion &suspicion :
         ArrayRef(suspicions).take_front(std::min(most, suspicions.size()))) {
      if (!goesOn())
        return;
      InputKind kind{"scaled", 1, 0, 0};
      kind.sizes =
          std::vector(suspicion.arguments.begin(), suspicion.arguments.end());
      kind.positive = getArguments(&ArgumentTraits::isPositive);
      kind.zeros = base.zeros;
      kind.ones = base.ones;
      if (isDefined(kind, on))
        run(kind, on);
    }
  };
  runOn(small, kMostSmall);
  if (small.isShrunk)
    runOn(pair, kMostOwn);
}

void FloatCheck::locate(const InputKind &kind, const FloatPair &pair) {
  std::shared_ptr<const Original> original = originals.get(*pair.lhs, kind);
  for (Precision precision : {Precision::Storage, Precision::F64}) {
    std::optional<unsigned> location;
    runMuGraph(
        *pair.rhs, original->inputs, precision,
        {.execution = &originals.getExecution(), .firstNotFinite = &location});
    if (location) {
      report.hazard = {HazardKind::NotFinite, *location};
      return;
    }
  }
  if (kind.special)
    return;
  SmallVector<ArgumentSize, 4> sizes;
  for (auto [i, argument] : llvm::enumerate(pair.rhs->getRegion().arguments))
    sizes.push_back(kind.getSize(i, pair.rhs->getValue(argument).type));
  double worst = 0;
  for (const ResultEstimate &result : estimateResults(*pair.rhs, sizes))
    if (result.hazard && result.getRelativeError() > worst) {
      worst = result.getRelativeError();
      report.hazard = result.hazard;
    }
}
