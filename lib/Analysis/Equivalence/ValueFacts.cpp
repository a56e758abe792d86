//===- ValueFacts.cpp - What is known of all inputs -----------------------===//
//
// One rule for each kind of node.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

static constexpr double kNoInteger = std::numeric_limits<double>::infinity();

bool ValueFacts::isSmallInteger() const {
  return integerBound < static_cast<double>(kSmallIntegers);
}

static ValueFacts getConstantFacts(double value, ElementType type) {
  ValueFacts facts;
  facts.mayBeUndefined = std::isnan(value);
  facts.mayBeInfinite = std::isinf(value);
  facts.isNonNegative = value >= 0;
  facts.isNonZero = value < 0 || value > 0;
  // A number that is taken for another one is no integer.
  if (value == std::floor(value) && std::isfinite(value) &&
      !getExactConstant(value, type).isNamed())
    facts.integerBound = std::fabs(value);
  return facts;
}

/// The facts of a value whose elements are elements of both.
static ValueFacts join(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts;
  facts.integerBound = std::max(a.integerBound, b.integerBound);
  facts.isNonNegative = a.isNonNegative && b.isNonNegative;
  facts.isNonZero = a.isNonZero && b.isNonZero;
  facts.mayBeInfinite = a.mayBeInfinite || b.mayBeInfinite;
  facts.mayBeUndefined = a.mayBeUndefined || b.mayBeUndefined;
  return facts;
}

/// The facts of a result of which is known only that it has a value where both
/// operands have one.
static ValueFacts combine(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts;
  facts.mayBeInfinite = a.mayBeInfinite || b.mayBeInfinite;
  facts.mayBeUndefined = a.mayBeUndefined || b.mayBeUndefined;
  return facts;
}

static ValueFacts add(const ValueFacts &a, const ValueFacts &b,
                      bool isDifference) {
  ValueFacts facts = combine(a, b);
  facts.integerBound = a.integerBound + b.integerBound;
  facts.mayBeUndefined |= a.mayBeInfinite && b.mayBeInfinite;
  if (!isDifference) {
    facts.isNonNegative = a.isNonNegative && b.isNonNegative;
    facts.isNonZero = facts.isNonNegative && (a.isNonZero || b.isNonZero);
  }
  return facts;
}

static ValueFacts multiply(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts = combine(a, b);
  if (a.integerBound < kNoInteger && b.integerBound < kNoInteger)
    facts.integerBound = a.integerBound * b.integerBound;
  facts.isNonNegative = a.isNonNegative && b.isNonNegative;
  facts.isNonZero = a.isNonZero && b.isNonZero;
  facts.mayBeUndefined |=
      (a.mayBeInfinite && !b.isNonZero) || (b.mayBeInfinite && !a.isNonZero);
  return facts;
}

static ValueFacts divide(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts = combine(a, b);
  facts.isNonNegative = a.isNonNegative && b.isNonNegative;
  facts.isNonZero = a.isNonZero && !b.mayBeInfinite;
  facts.mayBeUndefined |= !b.isNonZero || (a.mayBeInfinite && b.mayBeInfinite);
  return facts;
}

static ValueFacts sum(const ValueFacts &a, double count) {
  ValueFacts facts = a;
  if (a.integerBound < kNoInteger)
    facts.integerBound = a.integerBound * count;
  facts.isNonZero = a.isPositive();
  facts.mayBeUndefined |= a.mayBeInfinite && !a.isNonNegative;
  return facts;
}

/// The facts of a maximum of elements, which in a field is none of them.
static ValueFacts maximum(const ValueFacts &a) {
  ValueFacts facts = a;
  facts.integerBound = kNoInteger;
  return facts;
}

static ValueFacts maximum(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts = maximum(join(a, b));
  facts.isNonNegative = a.isNonNegative || b.isNonNegative;
  facts.isNonZero |= a.isPositive() || b.isPositive();
  return facts;
}

static ValueFacts exponentiate(const ValueFacts &a) {
  ValueFacts facts = combine(a, a);
  facts.isNonNegative = true;
  facts.isNonZero = !a.mayBeInfinite;
  return facts;
}

static ValueFacts power(const ValueFacts &a, double exponent) {
  ValueFacts facts = combine(a, a);
  bool isInteger = exponent == std::floor(exponent);
  facts.isNonNegative =
      !isInteger || a.isNonNegative || std::fmod(exponent, 2) == 0;
  facts.isNonZero = a.isNonZero && (exponent > 0 || !a.mayBeInfinite);
  facts.mayBeUndefined |= (!isInteger && !a.isNonNegative) ||
                          (exponent < 0 && !a.isNonZero) ||
                          !std::isfinite(exponent);
  return facts;
}

namespace {
class FactAnalysis final : public ForwardAnalysis<ValueFacts> {
public:
  explicit FactAnalysis(const MuGraph &graph) : ForwardAnalysis(graph) {
    run();
  }

private:
  ValueFacts visitOperator(const MuNode &node) override;
  ValueFacts visitAccumulate(const MuNode &node) override;
  ValueFacts visitStore(const MuNode &node) override;

  ValueFacts visitContraction(const MuNode &node) const;
  ValueFacts visitReduce(const MuNode &node) const;
  std::optional<ValueFacts> visitArithmetic(const MuNode &node) const;
  std::optional<ValueFacts> visitFunction(const MuNode &node) const;

  const ValueFacts &operand(const MuNode &node, unsigned i) const {
    return get(node.operands[i]);
  }
  ValueFacts joinOperands(const MuNode &node) const {
    ValueFacts all = operand(node, 0);
    for (MuValue value : llvm::drop_begin(node.operands))
      all = join(all, get(value));
    return all;
  }
};
} // namespace

ValueFacts FactAnalysis::visitAccumulate(const MuNode &node) {
  const ValueFacts &value = operand(node, 0);
  switch (node.accumulate) {
  case AccumulateKind::Concat:
    return value;
  case AccumulateKind::Max:
    return maximum(value);
  case AccumulateKind::Sum:
    return sum(value, static_cast<double>(getLoopExtent()));
  case AccumulateKind::RescaledSum: {
    // Each term times exp(shift - largest shift).
    const ValueFacts &shift = operand(node, 1);
    ValueFacts factor = exponentiate(add(shift, shift, /*isDifference=*/true));
    return sum(multiply(value, factor), static_cast<double>(getLoopExtent()));
  }
  }
  llvm_unreachable("no accumulation");
}

ValueFacts FactAnalysis::visitStore(const MuNode &node) {
  ValueFacts value = operand(node, 0);
  for (auto [entry, extent] : llvm::zip(node.omap, getPoints()))
    if (entry == kReduceSum)
      value = sum(value, static_cast<double>(extent));
    else if (entry == kReduceMax)
      value = maximum(value);
  return value;
}

/// A constant's elements, of which neighbours are often equal.
static ValueFacts getElementFacts(llvm::ArrayRef<double> values,
                                  ElementType type) {
  ValueFacts all = getConstantFacts(values.front(), type);
  for (size_t i = 1; i < values.size(); ++i)
    if (values[i] != values[i - 1])
      all = join(all, getConstantFacts(values[i], type));
  return all;
}

/// Products of neighbours in a matrix or image, summed.
ValueFacts FactAnalysis::visitContraction(const MuNode &node) const {
  ValueFacts product = multiply(operand(node, 0), operand(node, 1));
  if (node.op == OpKind::Matmul) {
    ShapeRef lhs = graph.getShape(node.operands[0]);
    int64_t depth =
        lhs[getContractedDim(node.attributes, ProductOperand::Lhs, lhs.size())];
    return sum(product, static_cast<double>(depth));
  }
  int64_t taps = elementCount(graph.getShape(node.operands[1]));
  ValueFacts result = sum(product, static_cast<double>(taps));
  // All taps may be in the padding.
  result.isNonZero = false;
  return result;
}

ValueFacts FactAnalysis::visitReduce(const MuNode &node) const {
  const OpAttributes &attributes = node.attributes;
  if (attributes.reduceKind == ReduceKind::Max)
    return maximum(operand(node, 0));
  int64_t extent = attributes.group
                       ? attributes.group
                       : graph.getShape(node.operands[0])[attributes.dim];
  return sum(operand(node, 0), static_cast<double>(extent));
}

/// Arithmetic and choices.
std::optional<ValueFacts>
FactAnalysis::visitArithmetic(const MuNode &node) const {
  auto of = [&](unsigned i) -> const ValueFacts & { return operand(node, i); };
  switch (node.op) {
  case OpKind::Add:
  case OpKind::Sub:
    return add(of(0), of(1), node.op == OpKind::Sub);
  case OpKind::Mul: {
    ValueFacts product = multiply(of(0), of(1));
    if (node.operands[0] == node.operands[1]) {
      product.isNonNegative = true;
      // An infinity times itself is one.
      product.mayBeUndefined = of(0).mayBeUndefined;
    }
    return product;
  }
  case OpKind::Div:
    return divide(of(0), of(1));
  case OpKind::Max:
    return maximum(of(0), of(1));
  case OpKind::Min:
    return maximum(join(of(0), of(1)));
  case OpKind::Compare: {
    ValueFacts truth;
    truth.isNonNegative = true;
    // The field knows the answer.
    if (of(0).isSmallInteger() && of(1).isSmallInteger())
      truth.integerBound = 1;
    return truth;
  }
  case OpKind::Select: {
    ValueFacts chosen = join(of(1), of(2));
    if (!of(0).isSmallInteger())
      chosen.integerBound = kNoInteger;
    return chosen;
  }
  default:
    return std::nullopt;
  }
}

/// Functions of one element.
std::optional<ValueFacts>
FactAnalysis::visitFunction(const MuNode &node) const {
  auto withoutInfinity = [](ValueFacts facts) {
    facts.mayBeInfinite = false;
    return facts;
  };
  switch (node.op) {
  case OpKind::Exp:
    return exponentiate(operand(node, 0));
  case OpKind::Log: {
    const ValueFacts &argument = operand(node, 0);
    ValueFacts log = combine(argument, argument);
    log.mayBeUndefined |= !argument.isPositive();
    return log;
  }
  case OpKind::Sqrt:
    return power(operand(node, 0), 0.5);
  case OpKind::Pow:
    return power(operand(node, 0), node.attributes.scalar);
  case OpKind::Sigmoid:
    return withoutInfinity(exponentiate(operand(node, 0)));
  case OpKind::Erf:
  case OpKind::Tanh:
    return withoutInfinity(maximum(operand(node, 0)));
  default:
    return std::nullopt;
  }
}

ValueFacts FactAnalysis::visitOperator(const MuNode &node) {
  ElementType type = graph.getValue(node.results[0]).type;
  switch (node.op) {
  case OpKind::Constant:
    return getElementFacts(*node.attributes.values, type);
  case OpKind::Pad:
    return join(operand(node, 0),
                getConstantFacts(node.attributes.scalar, type));
  case OpKind::Reduce:
    return visitReduce(node);
  case OpKind::Matmul:
  case OpKind::Conv2d:
    return visitContraction(node);
  default:
    break;
  }
  if (isLayout(node.op))
    return joinOperands(node);
  if (std::optional<ValueFacts> facts = visitArithmetic(node))
    return *facts;
  if (std::optional<ValueFacts> facts = visitFunction(node))
    return *facts;
  ValueFacts unknown;
  unknown.mayBeInfinite = unknown.mayBeUndefined = true;
  return unknown;
}

std::vector<ValueFacts> equivalence::findFacts(const MuGraph &graph) {
  return FactAnalysis(graph).take();
}
