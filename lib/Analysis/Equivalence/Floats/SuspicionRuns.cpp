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
/// What shows in elements near to zero only is drawn more often, in so many
/// operations.
static constexpr unsigned kMostDraws = 32;
static constexpr double kDrawnWork = 1e7;

void FloatCheck::runSuspicions() {
  std::vector<Suspicion> all =
      findSuspicions(*pair.lhs, *pair.rhs, options.factor);
  // Those of a single line are the last.
  size_t count = llvm::count_if(
      all, [](const Suspicion &suspicion) { return !suspicion.getSingle(); });
  for (ArrayRef<Suspicion> suspicions :
       {ArrayRef(all).take_front(count), ArrayRef(all).drop_front(count)})
    for (auto [on, most] : {std::pair{&small, kMostSmall}, {&pair, kMostOwn}})
      for (const Suspicion &suspicion :
           suspicions.take_front(std::min(most, suspicions.size())))
        if (goesOn() && (on == &small || small.isShrunk))
          runSuspicion(suspicion, *on);
}

void FloatCheck::runSuspicion(const Suspicion &suspicion, const FloatPair &on) {
  InputKind kind{"scaled", 1, 0, 0};
  kind.sizes =
      std::vector(suspicion.arguments.begin(), suspicion.arguments.end());
  kind.positive = getArguments(&ArgumentTraits::isPositive);
  kind.zeros = base.zeros;
  kind.ones = base.ones;
  std::optional<unsigned> single = suspicion.getSingle();
  if (!single)
    return run(kind, on);
  double work = estimateWork(*on.lhs) + estimateWork(*on.rhs);
  auto draws = static_cast<unsigned>(std::clamp(
      kDrawnWork / std::max(1.0, work), 1.0, static_cast<double>(kMostDraws)));
  // Sums may be over either of the last two dimensions.
  ShapeRef shape = on.lhs->getShape(on.lhs->getRegion().arguments[*single]);
  for (size_t dim = shape.size(); dim-- > 0 && dim + 2 >= shape.size();) {
    Special &special = kind.special.emplace();
    special.elements.push_back({{*single}, 0, Special::Others::Normal});
    special.pattern = {Pattern::Kind::AllLinesButOne,
                       static_cast<unsigned>(dim), 0};
    for (kind.draw = 0; kind.draw < draws && goesOn(); ++kind.draw)
      run(kind, on);
  }
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
  if (kind.special && kind.sizes.empty())
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
