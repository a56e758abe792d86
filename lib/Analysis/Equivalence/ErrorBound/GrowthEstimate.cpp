//===- GrowthEstimate.cpp - Degrees and terms in a graph ------------------===//
//
// Goes through a graph once. Functions' results are variables, but where a
// function may be one of its arguments.
//
//===----------------------------------------------------------------------===//

#include "GrowthEstimate.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldEvaluation.h"
#include "Mirage/Semantics/ProductDims.h"

using namespace mirage;
using namespace mirage::equivalence;

GrowthEstimate::GrowthEstimate(const FieldPlan &plan,
                               std::optional<double> powers)
    : plan(plan), graph(plan.getGraph()), growth(graph.getNumValues()),
      powers(powers),
      hasInfinity(llvm::is_contained(plan.getUnknownFunctions(), "infinity")) {
  for (MuValue input : graph.getRegion().arguments)
    growth[input] = Growth::variable();
  visitRegion(0, 1);
}

Growth GrowthEstimate::apply(MuValue argument, double times) {
  const Growth &a = growth[argument];
  nested |= a.function;
  applications += times * elementCount(graph.getShape(argument));
  argumentDegree = std::max(argumentDegree, a.degree + a.denominatorDegree);
  if (a.exponential)
    argumentTerms = std::max(argumentTerms, a.terms * a.denominatorTerms);
  return Growth::functionResult();
}

/// Counts what a maximum is taken of. Maxima inside of a maximum are the same
/// as one.
double GrowthEstimate::addLeaves(MuValue argument, double times) {
  const Growth &a = growth[argument];
  bool wasNested = nested;
  double leaves = std::max(1.0, a.leaves);
  apply(argument, times * leaves);
  nested = wasNested || (a.function && a.leaves == 0);
  return leaves;
}

/// Of `extent` elements. That of one is that one.
Growth GrowthEstimate::takeMaximum(MuValue argument, double extent,
                                   double times) {
  double leaves = addLeaves(argument, times);
  Growth result = Growth::functionResult(extent * leaves);
  if (extent > 1 && !hasInfinity)
    return result;
  Growth one = either(result, growth[argument]);
  one.leaves = result.leaves;
  return one;
}

/// That of small integers is a number. Of others it is an unknown function, but
/// for equal ones.
Growth GrowthEstimate::compare(const MuNode &node,
                               llvm::ArrayRef<MuValue> sides, double times) {
  ComparedAs as = plan.getComparedAs(node.results[0]);
  if (as == ComparedAs::Integers)
    return Growth();
  for (MuValue value : sides)
    apply(value, times);
  if (as == ComparedAs::Numbers)
    comparisons += times * elementCount(graph.getShape(node.results[0]));
  return Growth::functionResult();
}

/// exp of a sum of s values is a product of s numbers, or of their inverses,
/// for which a number counts twice.
Growth GrowthEstimate::exponentiate(const Growth &argument) {
  argumentDegree =
      std::max(argumentDegree, argument.degree + argument.denominatorDegree);
  exponentDegree = std::max(exponentDegree, argument.degree);
  exponentDenominator =
      std::max(exponentDenominator, argument.denominatorDegree);
  nested |= argument.functionFactor;
  Growth result = Growth::variable();
  result.degree = 2 * powers.value_or(argument.summands);
  result.exponential = true;
  result.function = argument.function;
  return result;
}

Growth GrowthEstimate::join(const MuNode &node) const {
  Growth all = growth[node.operands[0]];
  for (MuValue value : llvm::drop_begin(node.operands))
    all = either(all, growth[value]);
  return all;
}

void GrowthEstimate::visitRegion(unsigned region, double times) {
  for (unsigned number : graph.getRegion(region).nodes)
    visitNode(graph.getNode(number), times);
}

void GrowthEstimate::visitNode(const MuNode &node, double times) {
  switch (node.kind) {
  case MuNode::Kind::Operator:
    for (MuValue result : node.results)
      growth[result] = visitOperator(node, times);
    return;
  case MuNode::Kind::Load:
    growth[node.results[0]] = growth[node.operands[0]];
    return;
  case MuNode::Kind::Graph:
  case MuNode::Kind::Loop: {
    const MuRegion &body = graph.getRegion(node.body);
    points.push_back(node.extents);
    for (auto [operand, argument] : llvm::zip(node.operands, body.arguments))
      growth[argument] = growth[operand];
    visitRegion(node.body, times * elementCount(node.extents));
    for (auto [result, inner] : llvm::zip(node.results, body.results))
      growth[result] = growth[inner];
    points.pop_back();
    return;
  }
  case MuNode::Kind::Store: {
    Growth value = growth[node.operands[0]];
    for (auto [entry, extent] : llvm::zip(node.omap, points.back()))
      if (entry == kReduceSum)
        value = addMany(value, extent);
      else if (entry == kReduceMax)
        value = takeMaximum(node.operands[0], extent, times);
    growth[node.results[0]] = value;
    return;
  }
  case MuNode::Kind::Accumulate:
    growth[node.results[0]] = visitAccumulate(node, times);
    return;
  }
}

Growth GrowthEstimate::visitAccumulate(const MuNode &node, double times) {
  MuValue operand = node.operands[0];
  double extent = points.back()[0];
  switch (node.accumulate) {
  case AccumulateKind::Concat:
    return growth[operand];
  case AccumulateKind::Sum:
    return addMany(growth[operand], extent);
  case AccumulateKind::Max:
    return takeMaximum(operand, extent, times);
  case AccumulateKind::RescaledSum: {
    // Each term times exp(shift - largest shift).
    Growth largest = takeMaximum(node.operands[1], extent, times);
    Growth factor = exponentiate(add(growth[node.operands[1]], largest));
    return addMany(multiply(growth[operand], factor), extent);
  }
  }
  llvm_unreachable("no accumulation");
}

Growth GrowthEstimate::visitOperator(const MuNode &node, double times) {
  auto operand = [&](unsigned i) -> const Growth & {
    return growth[node.operands[i]];
  };
  switch (node.op) {
  case OpKind::Constant:
    return Growth::constant();
  case OpKind::Pad:
    return node.attributes.scalar == 0 ? operand(0)
                                       : either(operand(0), Growth::constant());
  case OpKind::Add:
  case OpKind::Sub:
    return add(operand(0), operand(1));
  case OpKind::Mul:
    return multiply(operand(0), operand(1));
  case OpKind::Div:
    return multiply(operand(0), invert(operand(1)));
  case OpKind::Exp:
    return exponentiate(operand(0));
  case OpKind::Select: {
    Growth condition = plan.isCondition(node.operands[0])
                           ? operand(0)
                           : compare(node, node.operands[0], times);
    return add(multiply(condition, add(operand(1), operand(2))), operand(2));
  }
  case OpKind::Reduce: {
    int64_t extent =
        node.attributes.group
            ? node.attributes.group
            : graph.getShape(node.operands[0])[node.attributes.dim];
    if (node.attributes.reduceKind == ReduceKind::Max)
      return takeMaximum(node.operands[0], static_cast<double>(extent), times);
    return addMany(operand(0), static_cast<double>(extent));
  }
  case OpKind::Matmul: {
    ShapeRef lhs = graph.getShape(node.operands[0]);
    int64_t depth =
        lhs[getContractedDim(node.attributes, ProductOperand::Lhs, lhs.size())];
    Growth product =
        addMany(multiply(operand(0), operand(1)), static_cast<double>(depth));
    // As an argument of exp a product of variables is one value.
    product.summands = 1;
    return product;
  }
  case OpKind::Conv2d: {
    int64_t taps = elementCount(graph.getShape(node.operands[1]));
    Growth product =
        addMany(multiply(operand(0), operand(1)), static_cast<double>(taps));
    product.summands = 1;
    return product;
  }
  case OpKind::Max:
  case OpKind::Min: {
    bool isMax = node.op == OpKind::Max;
    double leaves = 0;
    for (MuValue value : node.operands)
      if (isMax)
        leaves += addLeaves(value, times);
      else
        apply(value, times);
    Growth result = Growth::functionResult(leaves);
    if (!hasInfinity)
      return result;
    result = either(result, join(node));
    result.leaves = leaves;
    return result;
  }
  case OpKind::Compare:
    return compare(node, node.operands, times);
  default:
    if (isLayout(node.op))
      return join(node);
    return apply(node.operands[0], times);
  }
}
