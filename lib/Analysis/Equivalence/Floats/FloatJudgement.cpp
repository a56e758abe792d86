//===- FloatJudgement.cpp - What is wrong with one result -----------------===//
//
// Compares one result of a candidate with the original's, and says in words why
// it is refused.
//
//===----------------------------------------------------------------------===//

#include "FloatJudgement.h"
#include "Estimate.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Of so many elements, the largest error is no measure of what it may be.
static constexpr int64_t kFewElements = 64;
/// Elements of a result that are looked at, if so many draws have them.
static constexpr int64_t kEnoughElements = 256, kMostDraws = 16;
/// Draws of fewer elements together are no measure either.
static constexpr int64_t kFewestDrawn = 16;

/// ", in result 1" of several.
static std::string nameResult(const MuGraph &graph, unsigned result) {
  if (graph.getRegion().results.size() < 2)
    return "";
  return llvm::formatv(" in result {0}", result);
}

static std::string describeElement(const TensorValue &value,
                                   const TensorValue &original,
                                   int64_t element) {
  return llvm::formatv("at {0} it is {1:e2}, where the original is {2:e2}",
                       printIndex(value.shape(), element), value.value(element),
                       original.value(element));
}

void equivalence::forEachDraw(InputKind kind, int64_t elements, double work,
                              double mostWork,
                              llvm::function_ref<bool(const InputKind &)> fn) {
  int64_t draws = std::min(
      {static_cast<int64_t>(
           llvm::divideCeil(kEnoughElements, std::max<int64_t>(elements, 1))),
       kMostDraws, static_cast<int64_t>(mostWork / std::max(1.0, work))});
  for (kind.draw = 0; kind.draw == 0 || kind.draw < draws; ++kind.draw)
    if (!fn(kind))
      return;
}

/// What the largest magnitude of so many normal numbers is at least, but for
/// one case in a thousand, in standard deviations.
static double getLeastMaximum(int64_t count) {
  double below = 0, above = 8;
  while (above - below > 1e-6) {
    double middle = (below + above) / 2;
    bool isSeldom = std::pow(std::erf(middle / std::sqrt(2.0)),
                             static_cast<double>(count)) < 1e-3;
    (isSeldom ? below : above) = middle;
  }
  return below;
}

/// The largest error of the original in storage in several draws, or, of fewer
/// than enough elements, what it might have been of enough; nothing of too few
/// elements. It is not relative to each draw's results: that of a single number
/// is chance.
static std::optional<double>
drawStorageError(const Runs &runs, unsigned result,
                 const FloatingPointOptions &options) {
  double largest = 0;
  int64_t count = 0;
  forEachDraw(runs.kind, runs.rhs[result].size(), estimateWork(*runs.pair.lhs),
              options.work, [&](const InputKind &kind) {
                auto original = runs.originals.get(*runs.pair.lhs, kind);
                const TensorValue &exact = original->exact[result],
                                  &storage = original->storage[result];
                const TensorValue *finite[] = {&exact, &storage};
                count += getFiniteCount(finite);
                largest =
                    std::max(largest, getDifference(storage, exact, finite));
                return true;
              });
  if (count < kFewestDrawn)
    return std::nullopt;
  return largest * getLeastMaximum(kEnoughElements) /
         getLeastMaximum(std::min(count, kEnoughElements));
}

/// What rounding a number of this size to a type changes at most.
static double getRounding(ElementType type, double size) {
  NumberRange range = getNumberRange(type);
  return std::max(size * range.unit, range.tiny);
}

/// Returns what instructions that flush subnormal numbers make of a type
/// without saying so: those of f32, in which bf16 is computed, make zero of
/// what is smaller than this.
static double getFlushed(ElementType type) {
  NumberRange range = getNumberRange(type);
  bool isFlushed = type == ElementType::f32 || type == ElementType::bf16;
  return isFlushed ? range.tiny / range.unit : 0;
}

/// The original's error in storage, and what a candidate's may be.
static std::pair<double, double>
getStorageErrors(const Runs &runs, unsigned result, double scale,
                 const FloatingPointOptions &options) {
  const TensorValue &exact = runs.lhs.exact[result],
                    &lhs = runs.lhs.storage[result];
  double error = getDifference(lhs, exact, {&exact, &lhs});
  double allowed = limitFactor(options.factor, lhs.type) *
                   std::max(error, getRounding(lhs.type, scale));
  return {error, std::max(allowed, getFlushed(lhs.type))};
}

double equivalence::getStorageShare(const Runs &runs, unsigned result,
                                    double scale,
                                    const FloatingPointOptions &options) {
  double allowed = getStorageErrors(runs, result, scale, options).second;
  const TensorValue &exact = runs.lhs.exact[result],
                    &lhs = runs.lhs.storage[result], &rhs = runs.rhs[result];
  double error = getDifference(rhs, exact, {&exact, &lhs, &rhs});
  return allowed > 0 ? error / allowed : 0;
}

Reason equivalence::findStorageError(Runs &runs, unsigned result, double scale,
                                     bool isInRange,
                                     const FloatingPointOptions &options,
                                     std::string &undecided) {
  const TensorValue &exact = runs.lhs.exact[result],
                    &lhs = runs.lhs.storage[result], &rhs = runs.rhs[result];
  double factor = limitFactor(options.factor, lhs.type);
  auto [lhsError, allowed] = getStorageErrors(runs, result, scale, options);
  double rhsError = isInRange ? getDifference(rhs, exact, {&exact, &lhs})
                              : getDifference(rhs, exact, {&exact, &lhs, &rhs});
  std::optional<int64_t> element;
  if (!isInRange && !runs.lhs.results.overflowsInside)
    element = findEarlyOverflow(rhs, exact, {&exact, &lhs}, lhs.type);
  if (!element && rhsError <= allowed)
    return std::nullopt;
  if (isInRange)
    element = findNotFinite(rhs, exact, {&exact, &lhs}, lhs.type, allowed);
  if (!element) {
    // Infinities are among the numbers that are allowed.
    rhsError = getDifference(rhs, exact, {&exact, &lhs, &rhs});
    // What is measured says little where the result is zero, where the original
    // is as exact as what it is compared with, and of few elements.
    bool isReference = lhs.type == ElementType::f64 && lhsError == 0;
    bool isFew = getFiniteCount({&exact, &lhs}) < kFewElements;
    if (isFew && scale > 0 && !isReference && rhsError > allowed)
      if (auto drawn = drawStorageError(runs, result, options)) {
        isFew = false;
        allowed = std::max(allowed, factor * *drawn);
      }
    // The terms of sums are equal there, so that their roundings are: the
    // original may be exact by chance, and the candidate's may add up.
    bool isConstant = runs.kind.isConstant();
    if ((scale == 0 || isReference || isFew || isConstant) &&
        rhsError > allowed) {
      double bound = runs.getStorageBound(result, {&exact, &lhs});
      bool isBounded = std::isfinite(bound);
      // In float64, what has no bound is not judged; see findInstability.
      if (!isBounded && isReference && scale > 0)
        return std::nullopt;
      if (!isBounded && scale == 0) {
        undecided = llvm::formatv(
            "on {0} the original{1} is zero without a bound of its error, the "
            "candidate up to {2:e2}",
            runs.kind.describe(), nameResult(*runs.pair.lhs, result), rhsError);
        return std::nullopt;
      }
      if (isBounded)
        allowed = std::max(allowed,
                           scale == 0 || isReference ? factor * bound : bound);
    }
    // What float64 is compared with may be wrong by the original's own error.
    if (rhsError > allowed)
      if (double error = runs.getReferenceBound(result, {&exact, &lhs});
          std::isfinite(error))
        allowed += error;
    if (rhsError > allowed)
      allowed = std::max(allowed, runs.getExponentRounding(result) * scale);
    if (rhsError <= allowed)
      return std::nullopt;
  }
  Unit unit(scale);
  std::string reason = llvm::formatv(
      "on {0} its error{1} is {2:e2}, that of the original {3:e2}; at "
      "most {4:e2} is allowed",
      runs.kind.describe(), nameResult(*runs.pair.lhs, result), unit(rhsError),
      unit(lhsError), unit(allowed));
  if (element)
    reason += "; " + describeElement(rhs, lhs, *element);
  if (lhs.type != rhs.type)
    reason += llvm::formatv("; it is of type {0}, that of the original of {1}",
                            stringifyElementType(rhs.type),
                            stringifyElementType(lhs.type));
  return reason;
}

namespace {
/// The elements of one row that both programs have as numbers.
struct RowErrors {
  double scale = 0, lhs = 0, rhs = 0;

  RowErrors(const TensorValue &exact, const TensorValue &left,
            const TensorValue &right, int64_t row, int64_t size) {
    for (int64_t i = row * size; i < (row + 1) * size; ++i) {
      double value = exact.value(i);
      if (!std::isfinite(value) || !std::isfinite(left.value(i)) ||
          !std::isfinite(right.value(i)))
        continue;
      scale = std::max(scale, std::fabs(value));
      lhs = std::max(lhs, std::fabs(left.value(i) - value));
      rhs = std::max(rhs, std::fabs(right.value(i) - value));
    }
  }
};
} // namespace

Reason equivalence::findRowError(Runs &runs, unsigned result,
                                 const FloatingPointOptions &options) {
  const TensorValue &exact = runs.lhs.exact[result],
                    &left = runs.lhs.storage[result], &right = runs.rhs[result];
  ShapeRef shape = exact.shape();
  if (shape.size() < 2 || exact.size() == shape.back())
    return std::nullopt;
  int64_t size = shape.back(), rows = exact.size() / size;
  NumberRange range = getNumberRange(left.type);
  // Below it, a type has fewer digits the smaller a number is.
  double smallest = range.tiny / range.unit, relative = range.unit;
  SmallVector<RowErrors> errors;
  for (int64_t row = 0; row < rows; ++row) {
    const RowErrors &of = errors.emplace_back(exact, left, right, row, size);
    relative = std::max(relative, of.lhs / std::max(of.scale, smallest));
  }
  double factor = limitFactor(options.factor, left.type);
  for (auto [row, of] : llvm::enumerate(errors)) {
    double allowed = std::max(factor * relative * std::max(of.scale, smallest),
                              getFlushed(left.type));
    if (of.rhs <= allowed)
      continue;
    auto getRowBound = [&, row = row](const TensorValue &bounds) {
      double bound = 0;
      for (int64_t i = 0; i < size; ++i)
        bound = std::max(bound, bounds.error(row * size + i));
      return bound;
    };
    // What is compared has no bound where arguments may be others.
    double bound = getRowBound(runs.getRoundedBounds(result));
    if (!std::isfinite(bound))
      bound = getRowBound(runs.getStorageBounds(result));
    allowed = std::max(allowed, bound);
    allowed = std::max(allowed, runs.getExponentRounding(result) * of.scale);
    if (of.rhs <= allowed)
      continue;
    Unit unit(of.scale);
    return llvm::formatv(
        "on {0} its error{1} in the row at {2} is {3:e2}, that of the "
        "original {4:e2}; at most {5:e2} is allowed",
        runs.kind.describe(), nameResult(*runs.pair.lhs, result),
        printIndex(shape, row * size), unit(of.rhs), unit(of.lhs),
        unit(allowed));
  }
  return std::nullopt;
}

Reason equivalence::findInfinity(const Runs &runs, unsigned result,
                                 Range &range) {
  const TensorValue &exact = runs.lhs.exact[result], &rhs = runs.rhs64[result];
  std::string inputs = runs.kind.describe(),
              name = nameResult(*runs.pair.lhs, result);
  if (auto element = findNotFinite(rhs, exact, {&exact}, ElementType::f64, 0))
    return llvm::formatv("on {0} it is not finite in float64{1}: {2}", inputs,
                         name, describeElement(rhs, exact, *element));
  // Nor is anything said of poles that the original has.
  bool isMasked = runs.kind.keepsInfinities;
  if (runs.kind.isConstant() || (runs.kind.special && !isMasked) ||
      getFiniteCount({&exact}) == exact.size())
    return std::nullopt;
  // What is infinite for an infinity does not overflow.
  const TensorValue &lowest = isMasked ? exact : range.getLowest(result);
  if (auto element = findOtherThanInfinity(rhs, exact, lowest))
    return llvm::formatv("on {0} it is no infinity in float64{1}: {2}", inputs,
                         name, describeElement(rhs, exact, *element));
  return std::nullopt;
}

bool equivalence::isHeld(const TensorValue &exact, double scale) {
  return scale == 0 || scale >= getNumberRange(exact.type).tiny;
}

Reason equivalence::findInstability(const FloatPair &pair,
                                    OriginalRuns &originals,
                                    const InputKind &kind,
                                    const FloatingPointOptions &options) {
  auto left = originals.getBounded(*pair.lhs, kind);
  ArrayRef<TensorValue> inputs = left->inputs;
  RunOptions run = {.execution = &originals.getExecution()};
  auto right = runMuGraph(*pair.rhs, inputs, Precision::F64, run);
  SmallVector<TensorValue> rounded, literal;
  for (auto [number, exact] : llvm::enumerate(left->exact)) {
    const TensorValue *finite[] = {&exact};
    std::optional<double> scale = getScale(exact, finite);
    if (!scale || !isHeld(exact, *scale))
      continue;
    double difference = getDifference(right[number], exact, finite);
    double error = getBound(exact, finite);
    double allowed =
        (1 + options.factor) * std::max(error, kUnitRoundoff * *scale);
    if (difference <= allowed)
      continue;
    // Constants of the candidate that stand for others, which is seldom.
    if (rounded.empty()) {
      rounded = runMuGraph(*pair.rhs, inputs, Precision::F64Bound, run);
      literal =
          runMuGraph(*pair.rhs, inputs, Precision::F64ArithmeticBound, run);
    }
    double named = 0;
    for (int64_t i = 0; i < exact.size(); ++i) {
      if (!areFinite(finite, i))
        continue;
      double all = rounded[number].error(i);
      // Without a bound, nothing is known of what constants change.
      named = std::max(
          named, std::isfinite(all) ? all - literal[number].error(i) : all);
    }
    allowed += named;
    if (difference <= allowed)
      continue;
    allowed = std::max(
        allowed, Runs(pair, originals, kind).getExponentRounding(number) *
                     kUnitRoundoff / getExponentUnit(exact.type) * *scale);
    if (difference <= allowed)
      continue;
    Unit unit(*scale);
    return llvm::formatv(
        "on {0} its results in float64 differ by {1:e2}{2} from the "
        "original's, whose own error is at most {3:e2}; at most {4:e2} is "
        "allowed",
        kind.describe(), unit(difference), nameResult(*pair.lhs, number),
        unit(error), unit(allowed));
  }
  return std::nullopt;
}
