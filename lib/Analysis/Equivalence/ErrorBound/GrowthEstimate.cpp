//===- GrowthEstimate.cpp - Degrees and terms in a graph ------------------===//
//
// There is one rule for each kind of node. Functions' results are variables,
// but where a function may be one of its arguments.
//
//===----------------------------------------------------------------------===//

#include "GrowthEstimate.h"
#include "Mirage/Analysis/Equivalence/FieldPlan.h"
#include "Mirage/MuGraph/ExpandedKind.h"
#include "Mirage/Semantics/ProductDims.h"

using namespace mirage;
using namespace mirage::equivalence;

GrowthEstimate::GrowthEstimate(const FieldPlan &plan,
                               std::optional<double> powers)
    : ForwardAnalysis(plan.getGraph()), plan(plan), powers(powers),
      hasInfinity(llvm::is_contained(plan.getUnknownFunctions(), "infinity")) {
  for (MuValue input : graph.getRegion().arguments)
    set(input, Growth::variable());
  run();
}

Growth GrowthEstimate::apply(MuValue argument, double leaves) {
  const Growth &a = get(argument);
  nested |= a.function;
  applications += getRuns() * leaves * elementCount(graph.getShape(argument));
  argumentDegree = std::max(argumentDegree, a.degree + a.denominatorDegree);
  if (a.exponential)
    argumentTerms = std::max(argumentTerms, a.terms * a.denominatorTerms);
  return Growth::functionResult();
}

/// Counts what a maximum is taken of. Maxima inside of a maximum are the same
/// as one.
double GrowthEstimate::addLeaves(MuValue argument) {
  const Growth &a = get(argument);
  bool wasNested = nested;
  double leaves = std::max(1.0, a.leaves);
  apply(argument, leaves);
  nested = wasNested || (a.function && a.leaves == 0);
  return leaves;
}

/// The maximum of `extent` elements. That of one element is the element.
Growth GrowthEstimate::takeMaximum(MuValue argument, int64_t extent) {
  double leaves = addLeaves(argument);
  Growth result = Growth::functionResult(static_cast<double>(extent) * leaves);
  if (extent > 1 && !hasInfinity)
    return result;
  Growth one = either(result, get(argument));
  one.leaves = result.leaves;
  return one;
}

/// A comparison of small integers has a number as its result. Another one is an
/// unknown function, but for equal numbers.
Growth GrowthEstimate::compare(const MuNode &node,
                               llvm::ArrayRef<MuValue> sides) {
  ComparedAs as = plan.getComparedAs(node.results[0]);
  if (as == ComparedAs::Integers)
    return Growth();
  for (MuValue value : sides)
    apply(value);
  if (as == ComparedAs::Numbers)
    comparisons += getRuns() * elementCount(graph.getShape(node.results[0]));
  return Growth::functionResult();
}

/// The exponential of a sum of s values is a product of s numbers, or of their
/// inverses, for which a number counts twice.
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
  Growth all = get(node.operands[0]);
  for (MuValue value : llvm::drop_begin(node.operands))
    all = either(all, get(value));
  return all;
}

Growth GrowthEstimate::visitStore(const MuNode &node) {
  Growth value = get(node.operands[0]);
  for (auto [entry, extent] : llvm::zip(node.omap, getPoints()))
    if (entry == kReduceSum)
      value = addMany(value, static_cast<double>(extent));
    else if (entry == kReduceMax)
      value = takeMaximum(node.operands[0], extent);
  return value;
}

Growth GrowthEstimate::visitAccumulate(const MuNode &node) {
  MuValue operand = node.operands[0];
  int64_t extent = getLoopExtent();
  switch (node.accumulate) {
  case AccumulateKind::Concat:
    return get(operand);
  case AccumulateKind::Sum:
    return addMany(get(operand), static_cast<double>(extent));
  case AccumulateKind::Max:
    return takeMaximum(operand, extent);
  case AccumulateKind::RescaledSum: {
    // Each term times exp(shift - largest shift).
    Growth largest = takeMaximum(node.operands[1], extent);
    Growth factor = exponentiate(add(get(node.operands[1]), largest));
    return addMany(multiply(get(operand), factor), static_cast<double>(extent));
  }
  }
  llvm_unreachable("no accumulation");
}

/// A sum of `depth` products. As an argument of exp a product of variables is
/// one value.
Growth GrowthEstimate::visitContraction(const MuNode &node, int64_t depth) {
  Growth product =
      addMany(multiply(get(node.operands[0]), get(node.operands[1])),
              static_cast<double>(depth));
  product.summands = 1;
  return product;
}

Growth GrowthEstimate::visitExtremum(const MuNode &node) {
  double leaves = 0;
  for (MuValue value : node.operands)
    if (node.op == OpKind::Max)
      leaves += addLeaves(value);
    else
      apply(value);
  Growth result = Growth::functionResult(leaves);
  if (!hasInfinity)
    return result;
  result = either(result, join(node));
  result.leaves = leaves;
  return result;
}

Growth GrowthEstimate::visitOperator(const MuNode &node) {
  auto operand = [&](unsigned i) -> const Growth & {
    return get(node.operands[i]);
  };
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Constant:
    return Growth::constant();
  case ExpandedKind::Pad:
    return node.attributes.scalar == 0 ? operand(0)
                                       : either(operand(0), Growth::constant());
  case ExpandedKind::Add:
  case ExpandedKind::Sub:
    return add(operand(0), operand(1));
  case ExpandedKind::Mul:
    return multiply(operand(0), operand(1));
  case ExpandedKind::Div:
    return multiply(operand(0), invert(operand(1)));
  case ExpandedKind::Exp:
    return exponentiate(operand(0));
  case ExpandedKind::Select: {
    Growth condition = plan.isCondition(node.operands[0])
                           ? operand(0)
                           : compare(node, node.operands[0]);
    return add(multiply(condition, add(operand(1), operand(2))), operand(2));
  }
  case ExpandedKind::Reduce: {
    int64_t extent =
        node.attributes.group
            ? node.attributes.group
            : graph.getShape(node.operands[0])[node.attributes.dim];
    if (node.attributes.reduceKind == ReduceKind::Max)
      return takeMaximum(node.operands[0], extent);
    return addMany(operand(0), static_cast<double>(extent));
  }
  case ExpandedKind::Matmul: {
    ShapeRef lhs = graph.getShape(node.operands[0]);
    return visitContraction(
        node, lhs[getContractedDim(node.attributes, ProductOperand::Lhs,
                                   lhs.size())]);
  }
  case ExpandedKind::Conv2d:
    return visitContraction(node,
                            elementCount(graph.getShape(node.operands[1])));
  case ExpandedKind::Max:
  case ExpandedKind::Min:
    return visitExtremum(node);
  case ExpandedKind::Compare:
    return compare(node, node.operands);
  case ExpandedKind::Layout:
    return join(node);
  case ExpandedKind::Log:
  case ExpandedKind::Sqrt:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
  case ExpandedKind::Pow:
    return apply(node.operands[0]);
  }
  llvm_unreachable("not an operator of an expanded program");
}
