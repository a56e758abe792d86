//===- FloatingPoint.cpp - Equivalence in floating point ------------------===//
//
// Runs both programs by the interpreter on inputs of several kinds.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/FloatingPoint.h"
#include "Mirage/Analysis/Equivalence/CounterRandom.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Interpreter/Interpreter.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Parallel.h"

using namespace mlir;
using namespace mirage;

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

static SmallVector<TensorValue> drawInputs(func::FuncOp function, uint64_t seed,
                                           const InputKind &kind) {
  SmallVector<TensorValue> inputs;
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto tensorType = cast<RankedTensorType>(type);
    ElementType element = *convertElementType(tensorType.getElementType());
    Tensor<double> tensor{Shape(tensorType.getShape())};
    CounterRandom random = CounterRandom(seed).derive(i, 0);
    llvm::parallelFor(0, (tensor.data.size() + 4095) / 4096, [&](size_t chunk) {
      size_t end = std::min(tensor.data.size(), (chunk + 1) * 4096);
      for (size_t e = chunk * 4096; e < end; ++e)
        tensor.data[e] = roundTo(
            element, kind.offset +
                         (kind.scale ? kind.scale * drawNormal(random, e) : 0));
    });
    inputs.push_back({element, std::move(tensor)});
  }
  return inputs;
}

/// Scalar operations of one run.
static double estimateWork(func::FuncOp function) {
  double work = 0;
  function.walk([&](Operation *op) {
    auto compute = dyn_cast<MuGraphOpInterface>(op);
    if (!compute)
      return;
    double flops = static_cast<double>(compute.getCounts().flops);
    for (Operation *parent = op->getParentOp(); parent && parent != function;
         parent = parent->getParentOp()) {
      if (auto loop = dyn_cast<block::ForOp>(parent))
        flops *= static_cast<double>(loop.getExtent());
      else if (auto graph = dyn_cast<GraphDefinedOpInterface>(parent))
        flops *= static_cast<double>(elementCount(graph.getExtents()));
    }
    work += flops;
  });
  return work;
}

static FailureOr<SmallVector<TensorValue>>
run(func::FuncOp function, ArrayRef<TensorValue> inputs, Precision precision) {
  InterpreterOptions options;
  options.precision = precision;
  return interpret(function, inputs, options);
}

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
static double getResultRoundoff(func::FuncOp function) {
  double roundoff = 0;
  for (Type type : function.getResultTypes()) {
    ElementType element = *convertElementType(getElementTypeOrSelf(type));
    roundoff = std::max(roundoff, getUnitRoundoff(element));
  }
  return roundoff;
}

FloatingPointReport
mirage::checkFloatingPoint(func::FuncOp lhs, func::FuncOp rhs,
                           const FloatingPointOptions &options) {
  FloatingPointReport report;
  double workPerKind = 2 * estimateWork(lhs) + estimateWork(rhs), spent = 0;
  for (const InputKind &kind : kInputKinds) {
    if (spent > 0 && spent + workPerKind > options.work)
      break;
    spent += workPerKind;
    auto inputs = drawInputs(lhs, options.seed, kind);
    auto exact = run(lhs, inputs, Precision::F64);
    auto original = run(lhs, inputs, Precision::Storage);
    auto candidate = run(rhs, inputs, Precision::Storage);
    if (failed(exact) || failed(original) || failed(candidate))
      return report;
    auto lhsError = getError(*original, *exact);
    auto rhsError = getError(*candidate, *exact);
    if (!lhsError || !rhsError)
      continue;
    report.errors.push_back({kind.name, *lhsError, *rhsError});
    double allowed =
        options.factor * std::max(*lhsError, getResultRoundoff(rhs));
    if (report.isStable && *rhsError > allowed) {
      report.isStable = false;
      report.reason =
          llvm::formatv("on {0} inputs its error is {1:e2}, that of the "
                        "original {2:e2}; at most {3:e2} is allowed",
                        kind.name, *rhsError, *lhsError, allowed);
    }
  }
  return report;
}

std::optional<FloatDifference>
mirage::findFloatDifference(func::FuncOp lhs, func::FuncOp rhs,
                            const FloatingPointOptions &options) {
  if (estimateWork(lhs) + estimateWork(rhs) > options.work)
    return std::nullopt;
  for (const InputKind &kind : ArrayRef(kInputKinds).take_front(2)) {
    auto inputs = drawInputs(lhs, options.seed, kind);
    auto left = run(lhs, inputs, Precision::F64Bound);
    auto right = run(rhs, inputs, Precision::F64Bound);
    if (failed(left) || failed(right))
      return std::nullopt;
    for (auto [number, a] : llvm::enumerate(*left)) {
      const TensorValue &b = (*right)[number];
      // The clearest difference, in units of what rounding accounts for.
      double clearest = 1;
      std::optional<FloatDifference> difference;
      for (int64_t i = 0; i < a.size(); ++i) {
        double delta = std::fabs(a.value(i) - b.value(i)),
               bound = a.error(i) + b.error(i);
        if (!(delta > clearest * bound))
          continue;
        clearest =
            bound > 0 ? delta / bound : std::numeric_limits<double>::infinity();
        Shape index(a.shape().size());
        int64_t linear = i;
        for (size_t dim = index.size(); dim-- > 0; linear /= a.shape()[dim])
          index[dim] = linear % a.shape()[dim];
        difference = {static_cast<unsigned>(number), index, a.value(i),
                      b.value(i), kind.name};
        if (std::isinf(clearest))
          break;
      }
      if (difference)
        return difference;
    }
  }
  return std::nullopt;
}
