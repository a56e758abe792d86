//===- ValueFacts.cpp - What is known of all inputs -----------------------===//
//
// Goes through a graph once, operator by operator.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/ValueFacts.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

static constexpr double kNoInteger = std::numeric_limits<double>::infinity();

bool ValueFacts::isSmallInteger() const {
  return integerBound < static_cast<double>(FieldModel::kSmallIntegers);
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

/// Of a value whose elements are elements of both.
static ValueFacts join(const ValueFacts &a, const ValueFacts &b) {
  ValueFacts facts;
  facts.integerBound = std::max(a.integerBound, b.integerBound);
  facts.isNonNegative = a.isNonNegative && b.isNonNegative;
  facts.isNonZero = a.isNonZero && b.isNonZero;
  facts.mayBeInfinite = a.mayBeInfinite || b.mayBeInfinite;
  facts.mayBeUndefined = a.mayBeUndefined || b.mayBeUndefined;
  return facts;
}

/// Of what is not known to be anything but a value where both are.
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

/// Of the maximum of elements, which in a field is none of them.
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
class Finder {
public:
  explicit Finder(const MuGraph &graph)
      : graph(graph), facts(graph.getNumValues()) {
    visitRegion(0);
  }

  std::vector<ValueFacts> take() { return std::move(facts); }

private:
  void visitRegion(unsigned region) {
    for (unsigned number : graph.getRegion(region).nodes)
      visitNode(graph.getNode(number));
  }

  void visitNode(const MuNode &node);
  ValueFacts visitOperator(const MuNode &node) const;
  ValueFacts visitAccumulate(const MuNode &node) const;
  ValueFacts visitStore(const MuNode &node) const;

  const ValueFacts &operand(const MuNode &node, unsigned i) const {
    return facts[node.operands[i]];
  }
  ValueFacts joinOperands(const MuNode &node) const {
    ValueFacts all = operand(node, 0);
    for (MuValue value : llvm::drop_begin(node.operands))
      all = join(all, facts[value]);
    return all;
  }
  /// Whether both operands are one value.
  static bool isSquare(const MuNode &node) {
    return node.operands[0] == node.operands[1];
  }

  const MuGraph &graph;
  std::vector<ValueFacts> facts;
  /// Of the regions around.
  llvm::SmallVector<llvm::ArrayRef<int64_t>, 2> points;
};
} // namespace

void Finder::visitNode(const MuNode &node) {
  if (node.hasBody()) {
    const MuRegion &body = graph.getRegion(node.body);
    for (auto [argument, operand] : llvm::zip(body.arguments, node.operands))
      facts[argument] = facts[operand];
    points.push_back(node.extents);
    visitRegion(node.body);
    points.pop_back();
    for (auto [result, inner] : llvm::zip(node.results, body.results))
      facts[result] = facts[inner];
    return;
  }
  ValueFacts result;
  switch (node.kind) {
  case MuNode::Kind::Operator:
    result = visitOperator(node);
    break;
  case MuNode::Kind::Accumulate:
    result = visitAccumulate(node);
    break;
  case MuNode::Kind::Store:
    result = visitStore(node);
    break;
  case MuNode::Kind::Load:
  case MuNode::Kind::Graph:
  case MuNode::Kind::Loop:
    result = operand(node, 0);
    break;
  }
  for (MuValue value : node.results)
    facts[value] = result;
}

ValueFacts Finder::visitAccumulate(const MuNode &node) const {
  const ValueFacts &value = operand(node, 0);
  switch (node.accumulate) {
  case AccumulateKind::Concat:
    return value;
  case AccumulateKind::Max:
    return maximum(value);
  case AccumulateKind::Sum:
    return sum(value, static_cast<double>(points.back()[0]));
  case AccumulateKind::RescaledSum: {
    // Each term times exp(shift - largest shift).
    const ValueFacts &shift = operand(node, 1);
    ValueFacts factor = exponentiate(add(shift, shift, /*isDifference=*/true));
    return sum(multiply(value, factor), static_cast<double>(points.back()[0]));
  }
  }
  llvm_unreachable("no accumulation");
}

ValueFacts Finder::visitStore(const MuNode &node) const {
  ValueFacts value = operand(node, 0);
  for (auto [entry, extent] : llvm::zip(node.omap, points.back()))
    if (entry == kReduceSum)
      value = sum(value, static_cast<double>(extent));
    else if (entry == kReduceMax)
      value = maximum(value);
  return value;
}

ValueFacts Finder::visitOperator(const MuNode &node) const {
  const OpAttributes &attributes = node.attributes;
  ElementType type = graph.getValue(node.results[0]).type;
  switch (node.op) {
  case OpKind::Constant: {
    const std::vector<double> &values = *attributes.values;
    ValueFacts all = getConstantFacts(values.front(), type);
    for (size_t i = 1; i < values.size(); ++i)
      if (values[i] != values[i - 1])
        all = join(all, getConstantFacts(values[i], type));
    return all;
  }
  case OpKind::Pad:
    return join(operand(node, 0), getConstantFacts(attributes.scalar, type));
  case OpKind::Add:
  case OpKind::Sub:
    return add(operand(node, 0), operand(node, 1), node.op == OpKind::Sub);
  case OpKind::Mul: {
    ValueFacts product = multiply(operand(node, 0), operand(node, 1));
    product.isNonNegative |= isSquare(node);
    // An infinity times itself is one.
    if (isSquare(node))
      product.mayBeUndefined = operand(node, 0).mayBeUndefined;
    return product;
  }
  case OpKind::Div:
    return divide(operand(node, 0), operand(node, 1));
  case OpKind::Max:
    return maximum(operand(node, 0), operand(node, 1));
  case OpKind::Min:
    return maximum(join(operand(node, 0), operand(node, 1)));
  case OpKind::Compare: {
    ValueFacts truth;
    truth.isNonNegative = true;
    // Where the field knows the answer.
    if (operand(node, 0).isSmallInteger() && operand(node, 1).isSmallInteger())
      truth.integerBound = 1;
    return truth;
  }
  case OpKind::Select: {
    ValueFacts chosen = join(operand(node, 1), operand(node, 2));
    if (!operand(node, 0).isSmallInteger())
      chosen.integerBound = kNoInteger;
    return chosen;
  }
  case OpKind::Exp:
    return exponentiate(operand(node, 0));
  case OpKind::Log: {
    ValueFacts log = combine(operand(node, 0), operand(node, 0));
    log.mayBeUndefined |= !operand(node, 0).isPositive();
    return log;
  }
  case OpKind::Sqrt:
    return power(operand(node, 0), 0.5);
  case OpKind::Pow:
    return power(operand(node, 0), attributes.scalar);
  case OpKind::Sigmoid: {
    ValueFacts result = exponentiate(operand(node, 0));
    result.mayBeInfinite = false;
    return result;
  }
  case OpKind::Erf:
  case OpKind::Tanh: {
    ValueFacts result = maximum(operand(node, 0));
    result.mayBeInfinite = false;
    return result;
  }
  case OpKind::Reduce: {
    if (attributes.reduceKind == ReduceKind::Max)
      return maximum(operand(node, 0));
    int64_t extent = attributes.group
                         ? attributes.group
                         : graph.getShape(node.operands[0])[attributes.dim];
    return sum(operand(node, 0), static_cast<double>(extent));
  }
  case OpKind::Matmul: {
    ShapeRef lhs = graph.getShape(node.operands[0]);
    int64_t depth =
        lhs[getContractedDim(attributes, ProductOperand::Lhs, lhs.size())];
    return sum(multiply(operand(node, 0), operand(node, 1)),
               static_cast<double>(depth));
  }
  case OpKind::Conv2d: {
    int64_t taps = elementCount(graph.getShape(node.operands[1]));
    ValueFacts result = sum(multiply(operand(node, 0), operand(node, 1)),
                            static_cast<double>(taps));
    // All taps may be in the padding.
    result.isNonZero = false;
    return result;
  }
  default:
    if (isLayout(node.op))
      return joinOperands(node);
    ValueFacts unknown;
    unknown.mayBeInfinite = unknown.mayBeUndefined = true;
    return unknown;
  }
}

std::vector<ValueFacts> equivalence::findFacts(const MuGraph &graph) {
  return Finder(graph).take();
}
