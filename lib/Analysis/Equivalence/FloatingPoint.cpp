//===- FloatingPoint.cpp - Equivalence in floating point ------------------===//
//
// Runs both programs by the interpreter on inputs of several kinds, and judges
// each result by its own errors.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/FloatingPoint.h"
#include "FloatErrors.h"
#include "FloatRuns.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Rounding to f64.
static constexpr double kUnitRoundoff = 0x1p-53;

namespace {
/// One kind of inputs, and what both programs make of them.
struct Runs {
  Runs(const FloatPair &pair, uint64_t seed, const InputKind &kind)
      : pair(pair), kind(kind), inputs(drawInputs(*pair.lhs, seed, kind)),
        exact(runMuGraph(*pair.lhs, inputs, Precision::F64)),
        lhs(runMuGraph(*pair.lhs, inputs, Precision::Storage)),
        rhs(runMuGraph(*pair.rhs, inputs, Precision::Storage)),
        rhs64(runMuGraph(*pair.rhs, inputs, Precision::F64)) {}

  /// How far the original in storage may be from `exact`, by a bound.
  double getStorageBound(unsigned result) {
    if (bounded.empty())
      bounded = runMuGraph(*pair.lhs, inputs, Precision::Bound);
    return getBound(bounded[result]);
  }

  const FloatPair &pair;
  const InputKind &kind;
  SmallVector<TensorValue> inputs, exact, lhs, rhs, rhs64, bounded;
};

/// Writes differences in units of a result's largest element, or as they are
/// where that is zero.
struct Unit {
  explicit Unit(double scale) : scale(scale) {}
  double operator()(double difference) const {
    return scale > 0 ? difference / scale : difference;
  }
  double scale;
};
} // namespace

/// ", in result 1" of several.
static std::string nameResult(const MuGraph &graph, unsigned result) {
  if (graph.getRegion().results.size() < 2)
    return "";
  return llvm::formatv(" in result {0}", result);
}

static std::string describeNotFinite(const TensorValue &value,
                                     const TensorValue &original,
                                     int64_t element) {
  return llvm::formatv("at {0} it is {1:e2}, where the original is {2:e2}",
                       printIndex(value.shape(), element), value.value(element),
                       original.value(element));
}

/// Says what is wrong with a result in the precision that it is written in.
static std::optional<std::string>
findStorageError(Runs &runs, unsigned result, double scale,
                 const FloatingPointOptions &options) {
  const TensorValue &exact = runs.exact[result], &lhs = runs.lhs[result],
                    &rhs = runs.rhs[result];
  double lhsError = getDifferenceWhereFinite(lhs, exact, {&lhs});
  double allowed =
      options.factor * std::max(lhsError, scale * getUnitRoundoff(rhs.type));
  // Inputs for which the original overflows are out of its range: which elements
  // it gets right there is up to chance, and so it is for the candidate.
  bool isInRange = getScale(lhs).has_value();
  double rhsError =
      isInRange ? getDifferenceWhereFinite(rhs, exact, {&lhs})
                : getDifferenceWhereFinite(rhs, exact, {&lhs, &rhs});
  if (rhsError <= allowed)
    return std::nullopt;
  std::optional<int64_t> element;
  if (isInRange)
    element = findNotFinite(rhs, lhs, exact, allowed);
  if (!element) {
    // Infinities are among the numbers that are allowed.
    rhsError = getDifferenceWhereFinite(rhs, exact, {&lhs, &rhs});
    // Where the result is zero, nothing measured says what is small.
    if (scale == 0 && rhsError > allowed)
      allowed =
          std::max(allowed, options.factor * runs.getStorageBound(result));
    if (rhsError <= allowed)
      return std::nullopt;
  }
  Unit unit(scale);
  std::string reason = llvm::formatv(
      "on {0} inputs its error{1} is {2:e2}, that of the original {3:e2}; at "
      "most {4:e2} is allowed",
      runs.kind.name, nameResult(*runs.pair.lhs, result), unit(rhsError),
      unit(lhsError), unit(allowed));
  if (element)
    reason += "; " + describeNotFinite(rhs, lhs, *element);
  return reason;
}

/// Says by how much a result in float64 differs where that is too much; see
/// checkFloatingPoint.
static std::optional<std::string>
findInstability(const FloatPair &pair, const InputKind &kind,
                const FloatingPointOptions &options) {
  auto inputs = drawInputs(*pair.lhs, options.seed, kind);
  auto left = runMuGraph(*pair.lhs, inputs, Precision::F64Bound);
  auto right = runMuGraph(*pair.rhs, inputs, Precision::F64);
  SmallVector<TensorValue> rounded, literal;
  for (auto [number, exact] : llvm::enumerate(left)) {
    std::optional<double> scale = getScale(exact);
    if (!scale)
      continue;
    double difference = getDifference(right[number], exact);
    double error = getBound(exact);
    double allowed =
        (1 + options.factor) * std::max(error, kUnitRoundoff * *scale);
    if (difference <= allowed)
      continue;
    // Constants of the candidate that stand for others, which is seldom.
    if (rounded.empty()) {
      rounded = runMuGraph(*pair.rhs, inputs, Precision::F64Bound);
      literal = runMuGraph(*pair.rhs, inputs, Precision::F64ArithmeticBound);
    }
    double named = 0;
    for (int64_t i = 0; i < exact.size(); ++i) {
      double all = rounded[number].error(i);
      // Without a bound, nothing is known of what constants change.
      named = std::max(
          named, std::isfinite(all) ? all - literal[number].error(i) : all);
    }
    allowed += named;
    if (difference <= allowed)
      continue;
    Unit unit(*scale);
    return llvm::formatv(
        "on {0} inputs its results in float64 differ by {1:e2}{2} from the "
        "original's, whose own error is at most {3:e2}; at most {4:e2} is "
        "allowed",
        kind.name, unit(difference), nameResult(*pair.lhs, number), unit(error),
        unit(allowed));
  }
  return std::nullopt;
}

namespace {
/// Runs a pair on all kinds of inputs.
class Check {
public:
  Check(const MuGraph &lhs, const MuGraph &rhs,
        const FloatingPointOptions &options)
      : lhs(lhs), rhs(rhs), options(options),
        pair(lhs, rhs, options.work, options.shortenSums) {
    report.isShrunk = pair.isShrunk;
  }

  FloatingPointReport run() {
    for (const InputKind &kind : kInputKinds)
      run(kind);
    for (unsigned i = 0; i < lhs.getRegion().results.size(); ++i)
      if (llvm::none_of(report.errors, [&](const FloatingPointErrors &errors) {
            return errors.result == i;
          }))
        report.silent.push_back(i);
    return std::move(report);
  }

private:
  using Reason = std::optional<std::string>;

  void run(const InputKind &kind);
  /// What is wrong with the results; `differ` is set where those in float64
  /// differ by more than what is always allowed.
  Reason findError(Runs &runs, bool isReported, bool &differ);
  /// Refuses the candidate for a reason that `smaller` has shown, or, where
  /// sizes may be to blame, for what `find` says of the pair with all its sums.
  void refuse(std::string reason, const FloatPair &smaller, double work,
              llvm::function_ref<Reason(const FloatPair &)> find);

  const MuGraph &lhs, &rhs;
  const FloatingPointOptions &options;
  FloatPair pair;
  /// The same or smaller, since bounds cost some ten times as much as numbers.
  std::optional<FloatPair> boundPair;
  FloatingPointReport report;
};
} // namespace

Check::Reason Check::findError(Runs &runs, bool isReported, bool &differ) {
  Reason worst;
  for (unsigned i = 0; i < runs.exact.size(); ++i) {
    const TensorValue &exact = runs.exact[i];
    std::optional<double> scale = getScale(exact);
    if (!scale)
      continue;
    double difference = getDifference(runs.rhs64[i], exact);
    Unit unit(*scale);
    if (isReported)
      report.errors.push_back({runs.kind.name, i,
                               unit(getDifference(runs.lhs[i], exact)),
                               unit(getDifference(runs.rhs[i], exact)),
                               unit(difference), *scale == 0});
    differ |= difference > (1 + options.factor) * kUnitRoundoff * *scale;
    if (worst)
      continue;
    if (auto element = findNotFinite(runs.rhs64[i], exact, exact, 0))
      worst = llvm::formatv("on {0} inputs it is not finite in float64{1}: {2}",
                            runs.kind.name, nameResult(lhs, i),
                            describeNotFinite(runs.rhs64[i], exact, *element));
    else
      worst = findStorageError(runs, i, *scale, options);
  }
  return worst;
}

void Check::refuse(std::string reason, const FloatPair &smaller, double work,
                   llvm::function_ref<Reason(const FloatPair &)> find) {
  if (!smaller.mayDependOnSizes()) {
    report.isStable = false;
    report.reason = std::move(reason);
    return;
  }
  FloatPair own(lhs, rhs, work);
  if (!own.fits(work)) {
    report.undecided = llvm::formatv(
        "with shorter sums, {0}; but a constant may stand for the length of a "
        "sum, and a run with all sums takes more than {1:e1} operations",
        reason, work);
    return;
  }
  if (Reason own64 = find(own)) {
    report.isStable = false;
    report.reason = std::move(*own64);
  }
}

void Check::run(const InputKind &kind) {
  Runs runs(pair, options.seed, kind);
  bool differ = false;
  Reason reason = findError(runs, /*isReported=*/true, differ);
  if (!report.isStable)
    return;
  if (reason) {
    // Seldom, so that ten times the work is no matter.
    refuse(std::move(*reason), pair, 10 * options.work,
           [&](const FloatPair &own) {
             Runs again(own, options.seed, kind);
             bool ignored = false;
             return findError(again, /*isReported=*/false, ignored);
           });
    if (!report.isStable)
      return;
  }
  if (!differ)
    return;
  if (!boundPair)
    boundPair.emplace(lhs, rhs, options.work / 10, /*shortenSums=*/true);
  if (Reason unstable = findInstability(*boundPair, kind, options))
    refuse(std::move(*unstable), *boundPair, options.work,
           [&](const FloatPair &own) {
             return findInstability(own, kind, options);
           });
}

FloatingPointReport
mirage::checkFloatingPoint(const MuGraph &lhs, const MuGraph &rhs,
                           const FloatingPointOptions &options) {
  return Check(lhs, rhs, options).run();
}

/// The element in which results differ most clearly, in units of what rounding
/// accounts for.
static std::optional<FloatDifference> findDifference(const TensorValue &a,
                                                     const TensorValue &b) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double clearest = 1;
  std::optional<FloatDifference> difference;
  for (int64_t i = 0; i < a.size() && clearest < infinity; ++i) {
    double delta = std::fabs(a.value(i) - b.value(i)),
           bound = a.error(i) + b.error(i);
    if (!(delta > clearest * bound))
      continue;
    clearest = bound > 0 ? delta / bound : infinity;
    Shape index(a.shape().size());
    int64_t linear = i;
    for (size_t dim = index.size(); dim-- > 0; linear /= a.shape()[dim])
      index[dim] = linear % a.shape()[dim];
    difference.emplace();
    difference->index = index;
    difference->lhs = a.value(i);
    difference->rhs = b.value(i);
  }
  return difference;
}

std::optional<FloatDifference>
mirage::findFloatDifference(const MuGraph &lhs, const MuGraph &rhs,
                            const FloatingPointOptions &options) {
  // Bounds cost some ten times as much as numbers.
  FloatPair pair(lhs, rhs, options.work / 10);
  for (const InputKind &kind : ArrayRef(kInputKinds).take_front(2)) {
    auto inputs = drawInputs(*pair.lhs, options.seed, kind);
    auto left = runMuGraph(*pair.lhs, inputs, Precision::F64Bound);
    auto right = runMuGraph(*pair.rhs, inputs, Precision::F64Bound);
    for (auto [number, a] : llvm::enumerate(left))
      if (auto difference = findDifference(a, right[number])) {
        difference->result = number;
        difference->inputs = kind.name;
        difference->isShrunk = pair.isShrunk;
        return difference;
      }
  }
  return std::nullopt;
}
