//===- FloatingPoint.cpp - Equivalence in floating point ------------------===//
//
// Runs both programs by the interpreter on inputs of several kinds, and judges
// each result by its own errors.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/FloatingPoint.h"
#include "FloatErrors.h"
#include "FloatRange.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// Rounding to f64.
static constexpr double kUnitRoundoff = 0x1p-53;
/// Of so many elements, the largest error is no measure of what it may be.
static constexpr int64_t kFewElements = 64;
/// Elements of a result that are looked at, if so many draws have them.
static constexpr int64_t kEnoughElements = 256, kMostDraws = 16;
/// Draws of fewer elements together are no measure either.
static constexpr int64_t kFewestDrawn = 16;
/// Operations of a run for each of the special inputs, if they can be so few.
static constexpr double kSpecialWork = 1e6;

namespace {
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

static std::string describeElement(const TensorValue &value,
                                   const TensorValue &original,
                                   int64_t element) {
  return llvm::formatv("at {0} it is {1:e2}, where the original is {2:e2}",
                       printIndex(value.shape(), element), value.value(element),
                       original.value(element));
}

/// Calls fn for several draws of inputs, as many as a result of `elements`
/// elements takes, if each takes `work` of `mostWork` operations.
static void forEachDraw(InputKind kind, int64_t elements, double work,
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

/// Says what is wrong with a result in the precision that it is written in.
/// Where the original overflows, which elements it gets right is up to chance,
/// and so it is for the candidate: then those count in which both are finite.
/// The type is the original's: a candidate may not hide its loss in another.
/// Writes to `undecided` where nothing says how much is allowed.
static std::optional<std::string>
findStorageError(Runs &runs, unsigned result, double scale, bool isInRange,
                 const FloatingPointOptions &options, std::string &undecided) {
  const TensorValue &exact = runs.lhs.exact[result],
                    &lhs = runs.lhs.storage[result], &rhs = runs.rhs[result];
  double lhsError = getDifference(lhs, exact, {&exact, &lhs});
  double allowed =
      options.factor * std::max(lhsError, scale * getUnitRoundoff(lhs.type));
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
        allowed = std::max(allowed, options.factor * *drawn);
      }
    if ((scale == 0 || isReference || isFew) && rhsError > allowed) {
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
        allowed =
            std::max(allowed, scale == 0 || isReference ? options.factor * bound
                                                        : bound);
    }
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

/// Says where a result in float64 is not finite and the original is, or the
/// other way round. For constant inputs, differences are zero or not as they
/// are rounded, and so are poles.
static std::optional<std::string> findInfinity(const Runs &runs,
                                               unsigned result, Range &range) {
  const TensorValue &exact = runs.lhs.exact[result], &rhs = runs.rhs64[result];
  std::string inputs = runs.kind.describe(),
              name = nameResult(*runs.pair.lhs, result);
  if (auto element = findNotFinite(rhs, exact, {&exact}, ElementType::f64, 0))
    return llvm::formatv("on {0} it is not finite in float64{1}: {2}", inputs,
                         name, describeElement(rhs, exact, *element));
  // Nor is anything said of what a program makes of -inf that is no number.
  if (runs.kind.isConstant() || runs.kind.special ||
      getFiniteCount({&exact}) == exact.size())
    return std::nullopt;
  if (auto element = findOtherThanInfinity(rhs, exact, range.getLowest(result)))
    return llvm::formatv("on {0} it is no infinity in float64{1}: {2}", inputs,
                         name, describeElement(rhs, exact, *element));
  return std::nullopt;
}

/// Says by how much a result in float64 differs where that is too much; see
/// checkFloatingPoint.
static std::optional<std::string>
findInstability(const FloatPair &pair, OriginalRuns &originals,
                const InputKind &kind, const FloatingPointOptions &options) {
  auto left = originals.getBounded(*pair.lhs, kind);
  ArrayRef<TensorValue> inputs = left->inputs;
  auto right = runMuGraph(*pair.rhs, inputs, Precision::F64);
  SmallVector<TensorValue> rounded, literal;
  for (auto [number, exact] : llvm::enumerate(left->exact)) {
    const TensorValue *finite[] = {&exact};
    std::optional<double> scale = getScale(exact, finite);
    if (!scale)
      continue;
    double difference = getDifference(right[number], exact, finite);
    double error = getBound(exact, finite);
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

namespace {
/// Runs a pair on all kinds of inputs.
class Check {
public:
  Check(const MuGraph &lhs, const MuGraph &rhs, OriginalRuns &originals,
        const FloatingPointOptions &options)
      : lhs(lhs), rhs(rhs), originals(originals), options(options),
        pair(lhs, rhs, options.work, options.shortenSums) {
    report.isShrunk = pair.isShrunk;
  }

  FloatingPointReport run() {
    traits = findArgumentTraits(lhs);
    for (const InputKind &kind : kInputKinds)
      runDraws(kind);
    findSilent();
    for (unsigned times = 2;
         !report.silent.empty() && report.isStable && times <= kMostHalvings;
         times += 2) {
      run(getSmallInputs(times));
      findSilent();
    }
    // Last, since it is no matter whether these say anything.
    if (report.silent.size() < lhs.getRegion().results.size()) {
      if (report.isStable)
        runSpecial();
    }
    llvm::erase_if(report.undefined, [&](unsigned result) {
      return llvm::is_contained(report.silent, result);
    });
    llvm::erase_if(report.leftOut, [&](const auto &left) {
      return llvm::is_contained(report.silent, left.result) ||
             llvm::is_contained({"small", "single", "opposite", "falling"},
                                left.inputs) ||
             findErrors(left.result, left.inputs);
    });
    return std::move(report);
  }

private:
  using Reason = std::optional<std::string>;

  void run(const InputKind &kind) { run(kind, pair); }
  void run(const InputKind &kind, const FloatPair &pair);
  /// Several draws where results have few elements; and once more with positive
  /// arguments where these are what an original needs to be a number.
  void runDraws(InputKind kind);
  void runSpecial();
  /// Whether something was measured.
  bool runPattern(const Special &special, const FloatPair &pair);
  /// Those that have a trait, as bits.
  uint64_t getArguments(bool ArgumentTraits::*trait) const;
  /// What was measured on inputs of that name.
  FloatingPointErrors *findErrors(unsigned result, llvm::StringRef inputs) {
    auto known = llvm::find_if(report.errors, [&](const auto &errors) {
      return errors.result == result && errors.inputs == inputs;
    });
    return known == report.errors.end() ? nullptr : &*known;
  }
  /// What is wrong with the results; `differing` are those inputs for which
  /// they differ in float64 by more than what is always allowed.
  Reason findError(const FloatPair &pair, const InputKind &kind,
                   bool isReported, SmallVectorImpl<InputKind> &differing);
  /// The same of inputs that were halved or not.
  Reason judge(Runs &runs, Range &range, bool isReported, bool &differ);
  void note(Runs &runs, unsigned result, double difference);
  /// Results of which nothing was measured so far.
  void findSilent();
  /// Refuses the candidate for a reason that `smaller` has shown, or, where
  /// sizes may be to blame, for what `find` says of the pair with all its sums.
  void refuse(std::string reason, const FloatPair &smaller, double work,
              llvm::function_ref<Reason(const FloatPair &)> find);

  const MuGraph &lhs, &rhs;
  OriginalRuns &originals;
  const FloatingPointOptions &options;
  FloatPair pair;
  /// The same or smaller, since bounds cost some ten times as much as numbers.
  std::optional<FloatPair> boundPair;
  /// Of the original's arguments.
  SmallVector<ArgumentTraits> traits;
  /// Results of which the last run measured something.
  unsigned measured = 0;
  FloatingPointReport report;
};
} // namespace

Check::Reason Check::findError(const FloatPair &pair, const InputKind &kind,
                               bool isReported,
                               SmallVectorImpl<InputKind> &differing) {
  Runs runs(pair, originals, kind);
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

Check::Reason Check::judge(Runs &runs, Range &range, bool isReported,
                           bool &differ) {
  Reason worst;
  for (unsigned i = 0; i < runs.rhs.size(); ++i) {
    bool isInRange = range.getHalvings(i) == runs.kind.halved;
    if (!isInRange && runs.kind.halved)
      continue;
    const TensorValue &exact = runs.lhs.exact[i], &lhs = runs.lhs.storage[i];
    double scale = getScale(exact, {&exact}).value_or(0);
    double difference = getDifference(runs.rhs64[i], exact, {&exact});
    differ |= difference > (1 + options.factor) * kUnitRoundoff * scale;
    if (isReported && isInRange)
      note(runs, i, difference);
    if (!worst)
      worst = findInfinity(runs, i, range);
    std::optional<double> storageScale = getScale(exact, {&exact, &lhs});
    if (!worst && storageScale)
      worst = findStorageError(runs, i, *storageScale, isInRange, options,
                               report.undecided);
  }
  return worst;
}

/// Writes down what was measured, or why nothing was.
void Check::note(Runs &runs, unsigned result, double difference) {
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
      runs.kind.halved,
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
  // Of several draws the greatest; one that is zero says least.
  if (known->isZero != errors.isZero) {
    if (known->isZero)
      *known = errors;
    return;
  }
  if (errors.rhs > known->rhs)
    known->halved = errors.halved;
  known->lhs = std::max(known->lhs, errors.lhs);
  known->rhs = std::max(known->rhs, errors.rhs);
  known->float64 = std::max(known->float64, errors.float64);
}

void Check::findSilent() {
  report.silent.clear();
  for (unsigned i = 0; i < lhs.getRegion().results.size(); ++i)
    if (llvm::none_of(report.errors, [&](const FloatingPointErrors &errors) {
          return errors.result == i;
        }))
      report.silent.push_back(i);
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
        "with shorter sums, {0}; but that may be due to the length of a sum, "
        "and a run with all sums takes more than {1:e1} operations",
        reason, work);
    return;
  }
  if (Reason own64 = find(own)) {
    report.isStable = false;
    report.reason = std::move(*own64);
  }
}

void Check::runDraws(InputKind kind) {
  int64_t fewest = kEnoughElements;
  for (MuValue result : pair.lhs->getRegion().results)
    fewest = std::min(fewest, elementCount(pair.lhs->getShape(result)));
  forEachDraw(kind, fewest, estimateWork(*pair.lhs) + estimateWork(*pair.rhs),
              options.work, [&](const InputKind &drawn) {
                run(drawn);
                return report.isStable;
              });
  auto hasLeftOut = [&] {
    return report.isStable &&
           llvm::any_of(report.leftOut, [&](const auto &left) {
             return left.inputs == kind.name &&
                    !findErrors(left.result, left.inputs);
           });
  };
  kind.positive = getArguments(&ArgumentTraits::isPositive);
  if (kind.positive && hasLeftOut())
    run(kind);
  kind.fractions = getArguments(&ArgumentTraits::isUnderRoot);
  if (kind.fractions && hasLeftOut())
    run(kind);
}

uint64_t Check::getArguments(bool ArgumentTraits::*trait) const {
  uint64_t arguments = 0;
  for (auto [i, argument] : llvm::enumerate(traits))
    if (argument.*trait && i < 64)
      arguments |= uint64_t(1) << i;
  return arguments;
}

bool Check::runPattern(const Special &special, const FloatPair &pair) {
  unsigned results = lhs.getRegion().results.size();
  InputKind kind = getSpecialInputs(special);
  kind.positive = getArguments(&ArgumentTraits::isPositive);
  using Others = Special::Others;
  if (special.others == Others::One || special.others == Others::Zero)
    kind.ones = getArguments(&ArgumentTraits::isCompared) & ~special.arguments;
  measured = 0;
  run(kind, pair);
  // The original may be no number for other arguments than the special ones.
  if (measured < results && report.isStable) {
    kind.positive = ~uint64_t(0);
    run(kind, pair);
  }
  uint64_t underRoot = getArguments(&ArgumentTraits::isUnderRoot);
  if (measured < results && underRoot && report.isStable) {
    kind.fractions = underRoot;
    run(kind, pair);
  }
  return measured > 0;
}

void Check::runSpecial() {
  FloatPair small(lhs, rhs, kSpecialWork, /*shortenSums=*/true);
  for (const InputKind &kind : getUnequalInputs(lhs))
    if (report.isStable)
      run(kind, small);
  std::vector<Special> specials;
  for (const ArgumentTraits &argument : traits)
    llvm::append_range(specials, argument.specials);
  // A quotient is no number where both sides are zero.
  uint64_t divided = getArguments(&ArgumentTraits::isDivided);
  bool isJoint = divided & (divided - 1);
  if (isJoint)
    specials.push_back({divided, 0, Special::Others::Normal, false, {}});
  llvm::SmallSetVector<int64_t, 8> sizes;
  for (MuValue value = 0; value < small.lhs->getNumValues(); ++value)
    sizes.insert_range(small.lhs->getShape(value));
  double work = 2 * (estimateWork(*small.lhs) + estimateWork(*small.rhs));
  // The first patterns are those that matter most.
  constexpr double fewestPatterns = 3;
  auto most = static_cast<size_t>(
      std::max(fewestPatterns,
               options.work /
                   std::max(1.0, work * static_cast<double>(specials.size()))));
  for (Special &special : specials) {
    SmallVector<Pattern> patterns = {{Pattern::Kind::All, 0, 0},
                                     {Pattern::Kind::Halves, 0, 0},
                                     {Pattern::Kind::OtherHalves, 0, 0}};
    if (llvm::popcount(special.arguments) == 1) {
      MuValue argument = small.lhs->getRegion()
                             .arguments[llvm::countr_zero(special.arguments)];
      patterns = getPatterns(small.lhs->getShape(argument), sizes.getArrayRef(),
                             special.onlyLines);
    }
    // Numbers that the original has no use for say so soon.
    constexpr unsigned mostSilent = 6;
    unsigned silent = 0;
    for (Pattern pattern : llvm::ArrayRef(patterns).take_front(most)) {
      special.pattern = pattern;
      if (!report.isStable || silent == mostSilent)
        break;
      silent = runPattern(special, small) ? 0 : silent + 1;
    }
  }
}

void Check::run(const InputKind &kind, const FloatPair &pair) {
  SmallVector<InputKind> differing;
  Reason reason = findError(pair, kind, /*isReported=*/true, differing);
  if (!report.isStable)
    return;
  if (reason) {
    // Seldom, so that ten times the work is no matter.
    refuse(std::move(*reason), pair, 10 * options.work,
           [&](const FloatPair &own) {
             SmallVector<InputKind> ignored;
             return findError(own, kind, /*isReported=*/false, ignored);
           });
    if (!report.isStable)
      return;
  }
  for (const InputKind &inputs : differing) {
    if (!boundPair)
      boundPair.emplace(lhs, rhs, options.work / 10, /*shortenSums=*/true);
    if (Reason unstable =
            findInstability(*boundPair, originals, inputs, options))
      // Seldom, too, but bounds cost more.
      refuse(std::move(*unstable), *boundPair, 4 * options.work,
             [&](const FloatPair &own) {
               return findInstability(own, originals, inputs, options);
             });
    if (!report.isStable)
      return;
  }
}

FloatingPointReport
mirage::checkFloatingPoint(const MuGraph &lhs, const MuGraph &rhs,
                           const FloatingPointOptions &options) {
  OriginalRuns originals(options.seed, /*isKept=*/false);
  return Check(lhs, rhs, originals, options).run();
}

FloatingPointChecker::FloatingPointChecker(const FloatingPointOptions &options)
    : options(options),
      originals(std::make_unique<OriginalRuns>(options.seed, /*isKept=*/true)) {
}
FloatingPointChecker::~FloatingPointChecker() = default;

FloatingPointReport FloatingPointChecker::check(const MuGraph &lhs,
                                                const MuGraph &rhs) {
  return Check(lhs, rhs, *originals, options).run();
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
