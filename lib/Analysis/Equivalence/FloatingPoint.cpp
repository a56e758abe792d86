//===- FloatingPoint.cpp - Equivalence in floating point ------------------===//
//
// Runs both programs by the interpreter on inputs of several kinds.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/FloatingPoint.h"
#include "Mirage/Analysis/Equivalence/CounterRandom.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "Mirage/Semantics/Cost.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// A kind of inputs: normal numbers, scaled and moved.
struct InputKind {
  llvm::StringLiteral name;
  double scale, offset;
};
} // namespace

/// Large ones make exponentials overflow that are not shifted. A mean of many
/// times the spread makes differences of sums cancel.
static constexpr InputKind kInputKinds[] = {{"normal", 1, 0},
                                            {"large", 100, 0},
                                            {"offset", 1, 64},
                                            {"constant", 0, 0.5}};

static double drawNormal(const CounterRandom &random, int64_t index) {
  std::array<uint64_t, 2> bits = random(index, 0);
  auto toUniform = [](uint64_t word) {
    return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
  };
  // Box and Muller's transformation.
  return std::sqrt(-2 * std::log(toUniform(bits[0]))) *
         std::cos(2 * M_PI * toUniform(bits[1]));
}

static SmallVector<TensorValue> drawInputs(const MuGraph &graph, uint64_t seed,
                                           const InputKind &kind) {
  SmallVector<TensorValue> inputs;
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments)) {
    ElementType type = graph.getValue(argument).type;
    Tensor<double> tensor{Shape(graph.getShape(argument))};
    CounterRandom random = CounterRandom(seed).derive(i, 0);
    llvm::parallelFor(0, (tensor.data.size() + 4095) / 4096, [&](size_t chunk) {
      size_t end = std::min(tensor.data.size(), (chunk + 1) * 4096);
      for (size_t e = chunk * 4096; e < end; ++e)
        tensor.data[e] = roundTo(
            type, kind.offset +
                      (kind.scale ? kind.scale * drawNormal(random, e) : 0));
    });
    inputs.push_back({type, std::move(tensor)});
  }
  return inputs;
}

/// Scalar operations of one run of a region.
static double estimateWork(const MuGraph &graph, unsigned region = 0) {
  double work = 0;
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Graph || node.kind == MuNode::Kind::Loop)
      work += static_cast<double>(elementCount(node.extents)) *
              estimateWork(graph, node.body);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    SmallVector<Shape, 4> shapes;
    for (MuValue operand : node.operands)
      shapes.push_back(Shape(graph.getShape(operand)));
    work +=
        static_cast<double>(countOp(node.op, node.attributes, shapes).flops);
  }
  // Drawing a normal number costs some fifty.
  for (MuValue argument : graph.getRegion(region).arguments)
    if (region == 0)
      work +=
          50.0 * static_cast<double>(elementCount(graph.getShape(argument)));
  return work;
}

namespace {
/// The pair at its own extents, or at smaller ones.
struct Pair {
  Pair(const Pair &) = delete;
  /// `shrinkReductions`: if that is what it takes to stay within `work`.
  Pair(const MuGraph &left, const MuGraph &right, double work,
       bool shrinkReductions = false)
      : lhs(&left), rhs(&right) {
    isShrunk = !fits(work);
    if (!isShrunk)
      return;
    ShrinkOptions options;
    options.keepReductions = true;
    // Some rows: the error is the largest of all elements.
    options.smallest = 4;
    small = shrinkPair(left, right, options);
    lhs = &small.lhs;
    rhs = &small.rhs;
    options.keepReductions = false;
    for (int64_t smallest : {64, 16, 4}) {
      if (!shrinkReductions || fits(work))
        return;
      options.smallest = smallest;
      small = shrinkPair(left, right, options);
    }
  }

  bool fits(double work) const {
    return estimateWork(*lhs) + estimateWork(*rhs) <= work;
  }

  const MuGraph *lhs, *rhs;
  bool isShrunk;
  ShrunkPair small;
};
} // namespace

/// The largest difference between elements, relative to the largest element of
/// the reference; infinite where an element is not finite. Nothing where the
/// reference itself is not finite or zero.
static std::optional<double> getError(ArrayRef<TensorValue> values,
                                      ArrayRef<TensorValue> reference) {
  double worst = 0;
  bool anyScale = false;
  for (auto [value, exact] : llvm::zip_equal(values, reference)) {
    double largest = 0, difference = 0;
    for (int64_t i = 0; i < exact.size(); ++i) {
      double x = exact.value(i), delta = std::fabs(value.value(i) - x);
      if (!std::isfinite(x))
        return std::nullopt;
      largest = std::max(largest, std::fabs(x));
      if (!(delta <= difference))
        difference =
            std::isnan(delta) ? std::numeric_limits<double>::infinity() : delta;
    }
    if (largest == 0)
      continue;
    anyScale = true;
    worst = std::max(worst, difference / largest);
  }
  if (!anyScale)
    return std::nullopt;
  return worst;
}

/// What rounding the results to their types alone may cost.
static double getResultRoundoff(const MuGraph &graph) {
  double roundoff = 0;
  for (MuValue result : graph.getRegion().results)
    roundoff = std::max(roundoff, getUnitRoundoff(graph.getValue(result).type));
  return roundoff;
}

/// Rounding to f64.
static constexpr double kUnitRoundoff = 0x1p-53;

/// The greatest error bound of a result's elements.
static double getBound(const TensorValue &value) {
  double bound = 0;
  for (int64_t i = 0; i < value.size(); ++i)
    bound = std::max(bound, value.error(i));
  return bound;
}

/// Says by how much results in float64 differ where that is too much; see
/// checkFloatingPoint.
static std::optional<std::string>
findInstability(const Pair &pair, const InputKind &kind,
                const FloatingPointOptions &options) {
  auto inputs = drawInputs(*pair.lhs, options.seed, kind);
  auto left = runMuGraph(*pair.lhs, inputs, Precision::F64Bound);
  auto right = runMuGraph(*pair.rhs, inputs, Precision::F64);
  SmallVector<TensorValue> rounded, literal;
  for (auto [number, exact] : llvm::enumerate(left)) {
    auto difference = getError(right[number], exact);
    if (!difference)
      continue;
    double largest = 0;
    for (int64_t i = 0; i < exact.size(); ++i)
      largest = std::max(largest, std::fabs(exact.value(i)));
    double error = getBound(exact) / largest;
    double allowed = (1 + options.factor) * std::max(error, kUnitRoundoff);
    if (*difference <= allowed)
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
    allowed += named / largest;
    if (*difference > allowed)
      return llvm::formatv(
          "on {0} inputs its results in float64 differ by {1:e2} from the "
          "original's, whose own error is at most {2:e2}; at most {3:e2} is "
          "allowed",
          kind.name, *difference, error, allowed);
  }
  return std::nullopt;
}

FloatingPointReport
mirage::checkFloatingPoint(const MuGraph &lhs, const MuGraph &rhs,
                           const FloatingPointOptions &options) {
  FloatingPointReport report;
  Pair pair(lhs, rhs, options.work, options.shortenSums);
  report.isShrunk = pair.isShrunk;
  auto refuse = [&](std::string reason) {
    report.isStable = false;
    report.reason = std::move(reason);
  };
  std::optional<Pair> boundPair;
  for (const InputKind &kind : kInputKinds) {
    auto inputs = drawInputs(*pair.lhs, options.seed, kind);
    auto exact = runMuGraph(*pair.lhs, inputs, Precision::F64);
    auto lhsError =
        getError(runMuGraph(*pair.lhs, inputs, Precision::Storage), exact);
    auto rhsError =
        getError(runMuGraph(*pair.rhs, inputs, Precision::Storage), exact);
    auto difference =
        getError(runMuGraph(*pair.rhs, inputs, Precision::F64), exact);
    if (!lhsError || !rhsError || !difference)
      continue;
    report.errors.push_back({kind.name, *lhsError, *rhsError, *difference});
    double allowed =
        options.factor * std::max(*lhsError, getResultRoundoff(rhs));
    if (report.isStable && *rhsError > allowed)
      refuse(llvm::formatv("on {0} inputs its error is {1:e2}, that of the "
                           "original {2:e2}; at most {3:e2} is allowed",
                           kind.name, *rhsError, *lhsError, allowed));
    // Less is always allowed. Bounds cost some ten times as much as numbers.
    if (!report.isStable || *difference <= (1 + options.factor) * kUnitRoundoff)
      continue;
    if (!boundPair)
      boundPair.emplace(lhs, rhs, options.work / 10, /*shrinkReductions=*/true);
    if (auto reason = findInstability(*boundPair, kind, options))
      refuse(std::move(*reason));
  }
  return report;
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
  Pair pair(lhs, rhs, options.work / 10);
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
