//===- ValueFacts.cpp - What is known of all inputs -----------------------===//
//
// There is one rule for each kind of node.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "Mirage/MuGraph/ExpandedKind.h"
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
  facts.mayBePositiveInfinity = facts.mayBeInfinite && value > 0;
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
  facts.mayBePositiveInfinity =
      a.mayBePositiveInfinity || b.mayBePositiveInfinity;
  facts.mayBeUndefined = a.mayBeUndefined || b.mayBeUndefined;
  return facts;
}

/// The facts of a result of which is known only that it has a value where both
/// operands have one, and is finite where both are.
static ValueFacts combine(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts;
  facts.mayBeInfinite = facts.mayBePositiveInfinity =
      a.mayBeInfinite || b.mayBeInfinite;
  facts.mayBeUndefined = a.mayBeUndefined || b.mayBeUndefined;
  return facts;
}

static ValueFacts add(const ValueFacts &a, const ValueFacts &b,
                      bool isDifference) {
  ValueFacts facts = combine(a, b);
  facts.integerBound = a.integerBound + b.integerBound;
  facts.mayBeUndefined |= a.mayBeInfinite && b.mayBeInfinite;
  facts.mayBePositiveInfinity =
      a.mayBePositiveInfinity ||
      (isDifference ? b.mayBeInfinite : b.mayBePositiveInfinity);
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
  // What is no less than a number is no negative infinity.
  facts.mayBeInfinite =
      facts.mayBePositiveInfinity || (a.mayBeInfinite && b.mayBeInfinite);
  return facts;
}

static ValueFacts exponentiate(const ValueFacts &a) {
  ValueFacts facts = combine(a, a);
  // It is zero where the argument is a negative infinity.
  facts.mayBeInfinite = facts.mayBePositiveInfinity = a.mayBePositiveInfinity;
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
  ValueFacts visitProduct(const MuNode &node) const;
  ValueFacts visitCompare(const MuNode &node) const;
  ValueFacts visitSelect(const MuNode &node) const;
  ValueFacts visitLog(const MuNode &node) const;

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

/// A product of elements.
ValueFacts FactAnalysis::visitProduct(const MuNode &node) const {
  ValueFacts product = multiply(operand(node, 0), operand(node, 1));
  if (node.operands[0] == node.operands[1]) {
    product.isNonNegative = true;
    // An infinity times itself is one.
    product.mayBeUndefined = operand(node, 0).mayBeUndefined;
  }
  return product;
}

ValueFacts FactAnalysis::visitCompare(const MuNode &node) const {
  ValueFacts truth;
  truth.isNonNegative = true;
  // The field knows the answer.
  if (operand(node, 0).isSmallInteger() && operand(node, 1).isSmallInteger())
    truth.integerBound = 1;
  return truth;
}

ValueFacts FactAnalysis::visitSelect(const MuNode &node) const {
  ValueFacts chosen = join(operand(node, 1), operand(node, 2));
  if (!operand(node, 0).isSmallInteger())
    chosen.integerBound = kNoInteger;
  return chosen;
}

ValueFacts FactAnalysis::visitLog(const MuNode &node) const {
  const ValueFacts &argument = operand(node, 0);
  ValueFacts log = combine(argument, argument);
  log.mayBeUndefined |= !argument.isPositive();
  return log;
}

ValueFacts FactAnalysis::visitOperator(const MuNode &node) {
  auto of = [&](unsigned i) -> const ValueFacts & { return operand(node, i); };
  auto withoutInfinity = [](ValueFacts facts) {
    facts.mayBeInfinite = facts.mayBePositiveInfinity = false;
    return facts;
  };
  ElementType type = graph.getValue(node.results[0]).type;
  ExpandedKind kind = getExpandedKind(node.op);
  switch (kind) {
  case ExpandedKind::Add:
  case ExpandedKind::Sub:
    return add(of(0), of(1), kind == ExpandedKind::Sub);
  case ExpandedKind::Mul:
    return visitProduct(node);
  case ExpandedKind::Div:
    return divide(of(0), of(1));
  case ExpandedKind::Max:
    return maximum(of(0), of(1));
  case ExpandedKind::Min:
    return maximum(join(of(0), of(1)));
  case ExpandedKind::Compare:
    return visitCompare(node);
  case ExpandedKind::Select:
    return visitSelect(node);
  case ExpandedKind::Exp:
    return exponentiate(of(0));
  case ExpandedKind::Log:
    return visitLog(node);
  case ExpandedKind::Sqrt:
    return power(of(0), 0.5);
  case ExpandedKind::Pow:
    return power(of(0), node.attributes.scalar);
  case ExpandedKind::Sigmoid:
    return withoutInfinity(exponentiate(of(0)));
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
    return withoutInfinity(maximum(of(0)));
  case ExpandedKind::Constant:
    return getElementFacts(*node.attributes.values, type);
  case ExpandedKind::Pad:
    return join(of(0), getConstantFacts(node.attributes.scalar, type));
  case ExpandedKind::Layout:
    return joinOperands(node);
  case ExpandedKind::Reduce:
    return visitReduce(node);
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    return visitContraction(node);
  }
  llvm_unreachable("not an operator of an expanded program");
}

std::vector<ValueFacts> equivalence::findFacts(const MuGraph &graph) {
  return FactAnalysis(graph).take();
}
