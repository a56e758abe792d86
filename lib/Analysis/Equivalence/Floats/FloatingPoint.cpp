//===- FloatingPoint.cpp - Equivalence in floating point ------------------===//
//
// Runs both programs by the interpreter on inputs of several kinds, and judges
// each result by its own errors.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "FloatJudgement.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::SmallVectorImpl;

/// Operations of a run for each of the special inputs, if they can be so few.
static constexpr double kSpecialWork = 1e5;

namespace {
/// Runs a pair on all kinds of inputs.
class Check {
public:
  Check(const MuGraph &lhs, const MuGraph &rhs, OriginalRuns &originals,
        const FloatingPointOptions &options)
      : lhs(lhs), rhs(rhs), originals(originals), options(options),
        pair(lhs, rhs, options.work, options.shortenSums),
        small(lhs, rhs, kSpecialWork, /*shortenSums=*/true) {
    report.isShrunk = pair.isShrunk;
  }

  /// `first` are inputs that are likely to show what is wrong.
  FloatingPointReport
  run(ArrayRef<std::shared_ptr<const InputKind>> first = {}) {
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
    if (goesOn())
      runSpecial();
    findSilent();
    llvm::erase_if(report.undefined, [&](unsigned result) {
      return llvm::is_contained(report.silent, result);
    });
    llvm::erase_if(report.leftOut, [&](const auto &left) {
      return llvm::is_contained(report.silent, left.result) ||
             llvm::is_contained({"small", "single", "opposite", "changing",
                                 "huge", "tiny", "outlier"},
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

private:
  /// Keeps special inputs that have just refused the candidate, if they have.
  void noteRefusal(const InputKind &kind, const FloatPair &pair) {
    if (!report.isStable && &pair == &small)
      report.refusing = std::make_shared<const InputKind>(kind);
  }
  bool isOver() const { return originals.getExecution().isOver(); }
  /// Returns whether something is left to be shown.
  bool goesOn() const { return report.isStable && !isOver(); }
  void run(const InputKind &kind) { run(kind, pair); }
  void run(const InputKind &kind, const FloatPair &pair);
  /// Several draws where results have few elements; and once more with positive
  /// arguments where these are what an original needs to be a number.
  void runDraws(InputKind kind);
  void runSpecial();
  std::vector<Special> getOutliers() const;
  /// Whether something was measured.
  bool runPattern(const Special &special, const FloatPair &pair, bool areLarge);
  /// Finds out whether an original that is no number for random masks is one
  /// where they are all zero, or all one.
  void findBase();
  ArgumentSet getArguments(bool ArgumentTraits::*trait) const;
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
  /// As small as special inputs need it.
  FloatPair small;
  /// The same or smaller, since bounds cost some ten times as much as numbers.
  std::optional<FloatPair> boundPair;
  /// Of the original's arguments.
  std::vector<ArgumentTraits> traits;
  /// Zeros and ones of arguments, if the original is a number for these only.
  InputKind base{"", 0, 0, 0};
  /// Results of which the last run measured something.
  unsigned measured = 0;
  FloatingPointReport report;
};
} // namespace

Reason Check::findError(const FloatPair &pair, const InputKind &kind,
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

Reason Check::judge(Runs &runs, Range &range, bool isReported, bool &differ) {
  Reason worst;
  for (unsigned i = 0; i < runs.rhs.size(); ++i) {
    bool isInRange = range.getHalvings(i) == runs.kind.halved;
    bool isExtreme = runs.kind.extreme != InputKind::Extreme::None;
    if (!isInRange && (runs.kind.halved || isExtreme))
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
  // Of several draws the greatest; one that is zero says least.
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
  Reason own64 = find(own);
  if (own64 && !isOver()) {
    report.isStable = false;
    report.reason = std::move(*own64);
  }
}

void Check::runDraws(InputKind kind) {
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

ArgumentSet Check::getArguments(bool ArgumentTraits::*trait) const {
  ArgumentSet arguments(traits.size());
  for (auto [i, argument] : llvm::enumerate(traits))
    arguments[i] = argument.*trait;
  return arguments;
}

void Check::findBase() {
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

bool Check::runPattern(const Special &special, const FloatPair &pair,
                       bool areLarge) {
  unsigned results = lhs.getRegion().results.size();
  InputKind kind = getSpecialInputs(special, areLarge);
  kind.positive = getArguments(&ArgumentTraits::isPositive);
  kind.zeros = base.zeros;
  kind.ones = base.ones;
  measured = 0;
  auto runMore = [&] {
    if (goesOn())
      run(kind, pair);
  };
  using Others = Special::Others;
  bool isMask = llvm::any_of(special.elements, [](const auto &elements) {
    return elements.others == Others::One || elements.others == Others::Zero;
  });
  ArgumentSet compared = getArguments(&ArgumentTraits::isCompared);
  for (const Special::Elements &elements : special.elements)
    for (unsigned argument : elements.arguments)
      compared.reset(argument);
  // Beside ones, and between zeros and ones.
  if (isMask) {
    kind.ones |= compared;
    runMore();
    if (compared.any()) {
      kind.ones.reset(compared);
      kind.halves = compared;
      runMore();
    }
  } else {
    runMore();
  }
  // The original may be no number for other arguments than the special ones.
  if (measured < results) {
    kind.positive = ArgumentSet(traits.size(), true);
    runMore();
  }
  ArgumentSet underRoot = getArguments(&ArgumentTraits::isUnderRoot);
  if (measured < results && underRoot.any()) {
    kind.fractions = underRoot;
    runMore();
  }
  return measured > 0;
}

/// One huge element in each line of an argument, which all else is small
/// beside.
std::vector<Special> Check::getOutliers() const {
  std::vector<Special> outliers;
  for (auto [number, value] : llvm::enumerate(lhs.getRegion().arguments)) {
    ElementType type = lhs.getValue(value).type;
    for (double huge : getHugeNumbers(type)) {
      // The number is at most half of what the type holds, so that the original
      // has room to add to it.
      double outlying = std::min(getLargestPower(type), huge) / 2;
      Special &outlier = outliers.emplace_back();
      outlier.isOutlier = true;
      outlier.elements.push_back(
          {{static_cast<unsigned>(number)}, outlying, Special::Others::Normal});
    }
  }
  return outliers;
}

/// In the order in which they matter.
static SmallVector<Pattern> getPatterns(const MuGraph &graph,
                                        const Special &special,
                                        ArrayRef<int64_t> sizes) {
  using Kind = Pattern::Kind;
  // Tensors of different shapes have these in common.
  if (special.elements.size() == 1 && special.elements[0].arguments.size() > 1)
    return {{Kind::All, 0, 0}, {Kind::Halves, 0, 0}, {Kind::OtherHalves, 0, 0}};
  unsigned argument = special.elements[0].arguments[0];
  ShapeRef shape = graph.getShape(graph.getRegion().arguments[argument]);
  if (special.isOutlier) {
    SmallVector<Pattern> lines;
    for (unsigned dim : llvm::reverse(llvm::seq<unsigned>(0, shape.size())))
      if (shape[dim] > 1)
        lines.push_back({Kind::One, dim, 0});
    return lines;
  }
  auto patterns = equivalence::getPatterns(shape, sizes, special.onlyLines);
  if (special.elements.size() == 1)
    return patterns;
  // The other argument's shape decides, too, where lines are.
  MuValue other = graph.getRegion().arguments[special.elements[1].arguments[0]];
  llvm::erase_if(patterns, [&](const Pattern &pattern) {
    return pattern.block || pattern.dim >= graph.getShape(other).size();
  });
  return patterns;
}

void Check::runSpecial() {
  for (InputKind kind : getUnequalInputs(lhs, options.extremes)) {
    kind.zeros = base.zeros;
    kind.ones = base.ones;
    if (goesOn())
      run(kind, small);
  }
  std::vector<Special> specials;
  if (options.extremes)
    specials = getOutliers();
  for (const ArgumentTraits &argument : traits)
    llvm::append_range(specials, argument.specials);
  llvm::append_range(specials, findJointSpecials(traits));
  llvm::SmallSetVector<int64_t, 8> sizes;
  for (MuValue value = 0; value < small.lhs->getNumValues(); ++value)
    sizes.insert_range(small.lhs->getShape(value));
  double work = 2 * (estimateWork(*small.lhs) + estimateWork(*small.rhs));
  // The first patterns are those that matter most.
  constexpr double manyPatterns = 8;
  double most = std::max(
      1.0, options.specialWork /
               std::max(1.0, work * static_cast<double>(specials.size())));
  // Numbers that the original has no use for say so soon.
  constexpr unsigned mostSilent = 6;
  for (Special &special : specials) {
    auto patterns = getPatterns(*small.lhs, special, sizes.getArrayRef());
    unsigned silent = 0;
    for (auto [i, pattern] : llvm::enumerate(
             ArrayRef(patterns).take_front(static_cast<size_t>(most)))) {
      special.pattern = pattern;
      if (!goesOn() || silent == mostSilent)
        break;
      silent = runPattern(special, small, /*areLarge=*/false) ? 0 : silent + 1;
      // What is hidden may be far greater than what is not.
      if (i < 2 && most >= manyPatterns && !special.isOutlier && goesOn())
        runPattern(special, small, /*areLarge=*/true);
    }
  }
}

void Check::run(const InputKind &kind, const FloatPair &pair) {
  SmallVector<InputKind> differing;
  Reason reason = findError(pair, kind, /*isReported=*/true, differing);
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
  return Check(lhs, rhs, originals, options).run();
}

FloatingPointChecker::FloatingPointChecker(const FloatingPointOptions &options,
                                           const Execution &execution,
                                           bool keepsRuns)
    : options(options), originals(std::make_unique<OriginalRuns>(
                            options.seed, keepsRuns, execution)) {}
FloatingPointChecker::~FloatingPointChecker() = default;

FloatingPointReport FloatingPointChecker::check(const MuGraph &lhs,
                                                const MuGraph &rhs) {
  return Check(lhs, rhs, *originals, options).run(refusing);
}

void FloatingPointChecker::learnFrom(const FloatingPointReport &report) {
  auto isKnown = [&](const std::shared_ptr<const InputKind> &kind) {
    return kind->getKey() == report.refusing->getKey();
  };
  if (report.refusing && llvm::none_of(refusing, isKnown))
    refusing.push_back(report.refusing);
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

static std::optional<FloatDifference>
findFloatDifference(const FloatPair &pair, uint64_t seed,
                    const Execution &execution) {
  NormalNumbers normals(seed);
  for (const InputKind &kind : getInputKinds().take_front(2)) {
    auto inputs = drawInputs(*pair.lhs, normals, kind, execution);
    RunOptions run = {.execution = &execution};
    auto left = runMuGraph(*pair.lhs, inputs, Precision::F64Bound, run);
    auto right = runMuGraph(*pair.rhs, inputs, Precision::F64Bound, run);
    if (execution.isOver())
      return std::nullopt;
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

std::optional<FloatDifference>
equivalence::findFloatDifference(const MuGraph &lhs, const MuGraph &rhs,
                                 const FloatingPointOptions &options,
                                 bool isExample, const Execution &execution) {
  // Bounds cost some ten times as much as numbers.
  double work = options.work / 10;
  FloatPair shortened(lhs, rhs, work, /*shortenSums=*/true);
  if (!shortened.isShrunk || !shortened.mayDependOnSizes())
    if (auto difference =
            ::findFloatDifference(shortened, options.seed, execution))
      return difference;
  if (isExample || !shortened.isShrunk || execution.isOver())
    return std::nullopt;
  return ::findFloatDifference(FloatPair(lhs, rhs, work), options.seed,
                               execution);
}
