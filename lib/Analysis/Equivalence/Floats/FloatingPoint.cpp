//===- FloatingPoint.cpp - Equivalence in floating point ------------------===//
//
// Runs both programs by the interpreter on inputs of several kinds, and judges
// each result by its own errors.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "FloatCheck.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

FloatingPointReport
FloatCheck::run(ArrayRef<std::shared_ptr<const InputKind>> first) {
  traits = findArgumentTraits(lhs);
  for (const std::shared_ptr<const InputKind> &kind : first) {
    if (!goesOn())
      break;
    run(*kind, small);
  }
  if (!report.isStable)
    return std::move(report);
  for (const InputKind &kind : getInputKinds())
    if (!isOver())
      runDraws(kind);
  findSilent();
  for (unsigned times = 2;
       !report.silent.empty() && goesOn() && times <= kMostHalvings;
       times += 2) {
    run(getSmallInputs(times));
    findSilent();
  }
  findBase();
  if (goesOn() && options.extremes)
    runSuspicions();
  if (goesOn())
    runSpecial();
  if (goesOn() && options.extremes)
    runGrid();
  if (goesOn() && options.extremes)
    runConstants();
  findSilent();
  llvm::erase_if(report.undefined, [&](unsigned result) {
    return llvm::is_contained(report.silent, result);
  });
  llvm::erase_if(report.leftOut, [&](const auto &left) {
    return llvm::is_contained(report.silent, left.result) ||
           llvm::is_contained({"small", "single", "opposite", "changing",
                               "huge", "tiny", "outlier", "scaled", "uneven",
                               "grid"},
                              left.inputs) ||
           findErrors(left.result, left.inputs);
  });
  if (isOver()) {
    report = {};
    report.undecided = "the runs in floating point were ended before they "
                       "could show anything";
  }
  return std::move(report);
}

/// Returns whether the original overflows nowhere, and has no other infinities
/// and NaN than special numbers make.
static bool isInRange(const Original &original, const InputKind &kind) {
  if (original.results.overflowsInside)
    return false;
  return llvm::all_of(
      llvm::zip(original.exact, original.storage), [&](const auto &results) {
        const auto &[exact, storage] = results;
        int64_t count = kind.special ? getFiniteCount({&exact}) : exact.size();
        return getFiniteCount({&exact, &storage}) == count;
      });
}

Reason FloatCheck::findError(const FloatPair &pair, const InputKind &kind,
                             bool isReported,
                             SmallVectorImpl<InputKind> &differing) {
  std::shared_ptr<const Original> original = originals.get(*pair.lhs, kind);
  if (!kind.sizes.empty() && !isInRange(*original, kind))
    return std::nullopt;
  Runs runs(pair, originals, kind, std::move(original));
  Range range(runs);
  llvm::SmallSetVector<unsigned, 2> halvings;
  for (unsigned i = 0; i < runs.rhs.size(); ++i)
    halvings.insert(range.getHalvings(i));
  bool differ = false;
  Reason reason = judge(runs, range, isReported, differ);
  if (reason && kind.special)
    *reason += llvm::formatv(" (seed {0})", options.seed);
  if (differ)
    differing.push_back(kind);
  for (unsigned halved : halvings) {
    if (halved == kind.halved)
      continue;
    Runs smaller(pair, originals, kind.halve(halved - kind.halved));
    differ = false;
    Reason other = judge(smaller, range, isReported, differ);
    if (differ)
      differing.push_back(smaller.kind);
    if (!reason)
      reason = std::move(other);
  }
  return reason;
}

Reason FloatCheck::judge(Runs &runs, Range &range, bool isReported,
                         bool &differ) {
  Reason worst;
  for (unsigned i = 0; i < runs.rhs.size(); ++i) {
    bool isInRange = range.getHalvings(i) == runs.kind.halved;
    bool isExtreme = runs.kind.extreme != InputKind::Extreme::None;
    if (!isInRange && (runs.kind.halved || isExtreme))
      continue;
    const TensorValue &exact = runs.lhs.exact[i], &lhs = runs.lhs.storage[i];
    double scale = getScale(exact, {&exact}).value_or(0);
    double difference = getDifference(runs.rhs64[i], exact, {&exact});
    differ |= isHeld(exact, scale) &&
              difference > (1 + options.factor) * kUnitRoundoff * scale;
    if (isReported && isInRange)
      note(runs, i, difference);
    if (!worst)
      worst = findInfinity(runs, i, range);
    std::optional<double> storageScale = getScale(exact, {&exact, &lhs});
    if (!worst && storageScale)
      worst = findStorageError(runs, i, *storageScale, isInRange, options,
                               report.undecided);
    if (!worst && storageScale && isInRange)
      greatestShare = std::max(
          greatestShare, getStorageShare(runs, i, *storageScale, options));
    // Bounds of long sums cost ten times as much as the sums.
    if (!worst && storageScale && isInRange && &runs.pair == &small)
      worst = findRowError(runs, i, options);
  }
  return worst;
}

/// Writes down what was measured, or why nothing was.
void FloatCheck::note(Runs &runs, unsigned result, double difference) {
  const TensorValue &exact = runs.lhs.exact[result],
                    &lhs = runs.lhs.storage[result];
  if (!runs.kind.special && isMoreDefined(runs.rhs64[result], exact) &&
      !llvm::is_contained(report.undefined, result))
    report.undefined.push_back(result);
  std::optional<double> scale = getScale(exact, {&exact, &lhs});
  if (!scale) {
    if (llvm::none_of(report.leftOut, [&](const auto &left) {
          return left.result == result && left.inputs == runs.kind.name;
        }))
      report.leftOut.push_back({result, runs.kind.name});
    return;
  }
  ++measured;
  Unit unit(*scale), unit64(*getScale(exact, {&exact}));
  FloatingPointErrors errors{
      runs.kind.name,
      runs.kind.getPower(),
      result,
      unit(getDifference(lhs, exact, {&exact, &lhs})),
      unit(getDifference(runs.rhs[result], exact, {&exact, &lhs})),
      unit64(difference),
      *scale == 0};
  FloatingPointErrors *known = findErrors(result, runs.kind.name);
  if (!known) {
    report.errors.push_back(errors);
    return;
  }
  // The greatest errors of several draws count; a draw of zeros says least.
  if (known->isZero != errors.isZero) {
    if (known->isZero)
      *known = errors;
    return;
  }
  if (errors.rhs > known->rhs)
    known->power = errors.power;
  known->lhs = std::max(known->lhs, errors.lhs);
  known->rhs = std::max(known->rhs, errors.rhs);
  known->float64 = std::max(known->float64, errors.float64);
}

void FloatCheck::findSilent() {
  report.silent.clear();
  for (unsigned i = 0; i < lhs.getRegion().results.size(); ++i)
    if (llvm::none_of(report.errors, [&](const FloatingPointErrors &errors) {
          return errors.result == i;
        }))
      report.silent.push_back(i);
}

void FloatCheck::refuse(std::string reason, const FloatPair &smaller,
                        double work,
                        llvm::function_ref<Reason(const FloatPair &)> find) {
  if (!smaller.mayDependOnSizes()) {
    report.isStable = false;
    report.reason = std::move(reason);
    return;
  }
  FloatPair own(lhs, rhs, work, FloatPair::Sums::Keep);
  if (!own.fits(work)) {
    report.undecided = llvm::formatv(
        "with shorter sums, {0}; but that may be due to the length of a sum, "
        "and a run with all sums takes more than {1:e1} operations",
        reason, work);
    return;
  }
  Reason own64 = find(own);
  if (own64 && !isOver()) {
    report.isStable = false;
    report.reason = std::move(*own64);
  }
}

void FloatCheck::runDraws(InputKind kind) {
  kind.zeros = base.zeros;
  kind.ones = base.ones;
  int64_t fewest = std::numeric_limits<int64_t>::max();
  for (MuValue result : pair.lhs->getRegion().results)
    fewest = std::min(fewest, elementCount(pair.lhs->getShape(result)));
  forEachDraw(kind, fewest, estimateWork(*pair.lhs) + estimateWork(*pair.rhs),
              options.work, [&](const InputKind &drawn) {
                run(drawn);
                return goesOn();
              });
  auto hasLeftOut = [&] {
    return goesOn() && llvm::any_of(report.leftOut, [&](const auto &left) {
             return left.inputs == kind.name &&
                    !findErrors(left.result, left.inputs);
           });
  };
  kind.positive = getArguments(&ArgumentTraits::isPositive);
  if (kind.positive.any() && hasLeftOut())
    run(kind);
  kind.fractions = getArguments(&ArgumentTraits::isUnderRoot);
  if (kind.fractions.any() && hasLeftOut())
    run(kind);
}

ArgumentSet FloatCheck::getArguments(bool ArgumentTraits::*trait) const {
  ArgumentSet arguments(traits.size());
  for (auto [i, argument] : llvm::enumerate(traits))
    arguments[i] = argument.*trait;
  return arguments;
}

void FloatCheck::findBase() {
  ArgumentSet masks = getArguments(&ArgumentTraits::isMask);
  for (ArgumentSet InputKind::*set : {&InputKind::zeros, &InputKind::ones}) {
    if (masks.none() || report.silent.empty() || !goesOn())
      return;
    size_t before = report.silent.size();
    base = {"", 0, 0, 0};
    base.*set = masks;
    for (const InputKind &kind : getInputKinds())
      if (goesOn())
        runDraws(kind);
    findSilent();
    if (report.silent.size() < before)
      return;
  }
  base = {"", 0, 0, 0};
}

/// A tile of which a mask leaves nothing may be one that no part of the mask
/// has.
void FloatCheck::runConstants() {
  if (!pair.hasPartsOfConstants(lhs, rhs))
    return;
  ShrinkOptions whole;
  whole.keepConstants = true;
  FloatPair exact(lhs, rhs, whole);
  if (exact.fits(options.work))
    return run({"normal", 1, 0, 0}, exact);
  // All that may be small is small, as rows and columns of the constants are
  // not.
  whole.rewriteCounts = true;
  whole.smallest = 1;
  whole.keepDifferent = false;
  run({"normal", 1, 0, 0}, FloatPair(lhs, rhs, whole));
}

void FloatCheck::run(const InputKind &kind, const FloatPair &pair) {
  SmallVector<InputKind> differing;
  // What errors are at sizes at which the original errs as much says nothing.
  bool isReported = kind.name != "grid";
  Reason reason = findError(pair, kind, isReported, differing);
  if (!goesOn())
    return;
  if (reason) {
    // Seldom, so that ten times the work is no matter.
    refuse(std::move(*reason), pair, 10 * options.work,
           [&](const FloatPair &own) {
             SmallVector<InputKind> ignored;
             return findError(own, kind, /*isReported=*/false, ignored);
           });
    noteRefusal(kind, pair);
    if (!goesOn())
      return;
  }
  // There are many sizes, each of them at small extents.
  bool isSmall = !kind.sizes.empty() && &pair == &small;
  for (const InputKind &inputs : differing) {
    if (!isSmall && !boundPair)
      boundPair.emplace(lhs, rhs, options.work / 10, FloatPair::Sums::Shorten);
    const FloatPair &bounded = isSmall ? small : *boundPair;
    if (Reason unstable = findInstability(bounded, originals, inputs, options))
      // Seldom, too, but bounds cost more.
      refuse(std::move(*unstable), bounded, 4 * options.work,
             [&](const FloatPair &own) {
               return findInstability(own, originals, inputs, options);
             });
    noteRefusal(inputs, pair);
    if (!goesOn())
      return;
  }
}

FloatingPointReport
equivalence::checkFloatingPoint(const MuGraph &lhs, const MuGraph &rhs,
                                const FloatingPointOptions &options,
                                const Execution &execution) {
  OriginalRuns originals(options.seed, /*isKept=*/false, execution);
  return FloatCheck(lhs, rhs, originals, options).run();
}

FloatingPointChecker::FloatingPointChecker(const FloatingPointOptions &options,
                                           const Execution &execution,
                                           bool keepsRuns)
    : options(options), originals(std::make_unique<OriginalRuns>(
                            options.seed, keepsRuns, execution)) {}
FloatingPointChecker::~FloatingPointChecker() = default;

FloatingPointReport FloatingPointChecker::check(const MuGraph &lhs,
                                                const MuGraph &rhs) {
  return FloatCheck(lhs, rhs, *originals, options).run(refusing);
}

void FloatingPointChecker::learnFrom(const FloatingPointReport &report) {
  auto isKnown = [&](const std::shared_ptr<const InputKind> &kind) {
    return kind->getKey() == report.refusing->getKey();
  };
  if (report.refusing && llvm::none_of(refusing, isKnown))
    refusing.push_back(report.refusing);
}
