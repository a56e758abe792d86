//===- DegreeBound.cpp - How often a random test errs ---------------------===//
//
// Goes through a graph once. Every value is a quotient of two sums of terms
// c * exp(l), where c are polynomials in the inputs and in the results of
// functions; for each value the degrees of both sums and their numbers of
// different exponentials are bounded. Numbers are doubles: they get large.
//
//===----------------------------------------------------------------------===//

#include "DegreeBound.h"
#include "Mirage/Analysis/Equivalence/FieldEvaluation.h"
#include <cmath>

using namespace mirage;

namespace {

/// Bounds for one value: numerator and denominator.
struct Growth {
  double degree = 0, denominatorDegree = 0;
  /// Terms with different exponentials.
  double terms = 1, denominatorTerms = 1;
  /// As an argument of exp: of how many values that are no sums it is the sum.
  double summands = 1;
  /// Whether there are exponentials: without, all terms have the same.
  bool exponential = false;

  static Growth variable() {
    Growth growth;
    growth.degree = 1;
    return growth;
  }
};

Growth multiply(const Growth &a, const Growth &b) {
  return {a.degree + b.degree,
          a.denominatorDegree + b.denominatorDegree,
          a.terms * b.terms,
          a.denominatorTerms * b.denominatorTerms,
          1,
          a.exponential || b.exponential};
}

Growth invert(const Growth &a) {
  return {a.denominatorDegree, a.degree, a.denominatorTerms, a.terms, 1,
          a.exponential};
}

Growth add(const Growth &a, const Growth &b) {
  return {
      std::max(a.degree + b.denominatorDegree, b.degree + a.denominatorDegree),
      a.denominatorDegree + b.denominatorDegree,
      a.terms * b.denominatorTerms + b.terms * a.denominatorTerms,
      a.denominatorTerms * b.denominatorTerms, a.summands + b.summands};
}

/// The sum of `count` values bounded by `a`, whose denominators may differ.
Growth addMany(const Growth &a, double count) {
  Growth sum = a;
  sum.summands = a.summands * count;
  sum.degree = a.degree + a.denominatorDegree * (count - 1);
  sum.denominatorDegree = a.denominatorDegree * count;
  if (!a.exponential)
    return sum;
  sum.terms = count * a.terms * std::pow(a.denominatorTerms, count - 1);
  sum.denominatorTerms = std::pow(a.denominatorTerms, count);
  return sum;
}

class Estimator {
public:
  explicit Estimator(const FieldPlan &plan)
      : plan(plan), graph(plan.getGraph()), growth(graph.getNumValues()) {
    for (MuValue input : graph.getRegion().arguments)
      growth[input] = Growth::variable();
    visitRegion(0, 1);
  }

  const Growth &get(MuValue value) const { return growth[value]; }

  /// How often functions are applied, and the degree of their arguments.
  double applications = 0, argumentDegree = 0;

private:
  void apply(MuValue argument, double times) {
    const Growth &a = growth[argument];
    applications += times * elementCount(graph.getShape(argument));
    argumentDegree = std::max(argumentDegree, a.degree + a.denominatorDegree);
  }

  void visitRegion(unsigned region, double times) {
    for (unsigned number : graph.getRegion(region).nodes)
      visitNode(graph.getNode(number), times);
  }

  void visitNode(const MuNode &node, double times) {
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
          value = visitFunction(node.operands[0], times);
      growth[node.results[0]] = value;
      return;
    }
    case MuNode::Kind::Accumulate: {
      MuValue operand = node.operands[0];
      Growth value = growth[operand];
      double extent = points.back()[0];
      if (node.accumulate == AccumulateKind::Max)
        value = visitFunction(operand, times);
      if (node.accumulate == AccumulateKind::Sum)
        value = addMany(value, extent);
      if (node.accumulate == AccumulateKind::RescaledSum) {
        // Each term times exp(shift - largest shift).
        Growth factor = exponentiate(growth[node.operands[1]]);
        factor.degree += 1;
        apply(node.operands[1], times);
        value = addMany(multiply(value, factor), extent);
      }
      growth[node.results[0]] = value;
      return;
    }
    }
  }

  /// exp of a sum of s values is a product of s independent numbers, or of
  /// their inverses, which a multiplication makes a polynomial.
  Growth exponentiate(const Growth &argument) {
    argumentDegree =
        std::max(argumentDegree, argument.degree + argument.denominatorDegree);
    Growth result = Growth::variable();
    result.degree = 2 * argument.summands;
    result.exponential = true;
    return result;
  }

  Growth visitFunction(MuValue argument, double times) {
    apply(argument, times);
    return Growth::variable();
  }

  Growth visitOperator(const MuNode &node, double times);

  const FieldPlan &plan;
  const MuGraph &graph;
  std::vector<Growth> growth;
  llvm::SmallVector<llvm::SmallVector<int64_t, 3>, 2> points;
};

Growth Estimator::visitOperator(const MuNode &node, double times) {
  auto operand = [&](unsigned i) -> const Growth & {
    return growth[node.operands[i]];
  };
  auto ofOperands = [&] {
    // Every element is one of an operand, or a constant.
    Growth all;
    for (MuValue value : node.operands) {
      const Growth &g = growth[value];
      all.degree = std::max(all.degree, g.degree);
      all.denominatorDegree =
          std::max(all.denominatorDegree, g.denominatorDegree);
      all.terms = std::max(all.terms, g.terms);
      all.denominatorTerms = std::max(all.denominatorTerms, g.denominatorTerms);
      all.summands = std::max(all.summands, g.summands);
      all.exponential |= g.exponential;
    }
    return all;
  };
  switch (node.op) {
  case OpKind::Constant:
    // Named numbers are variables; their powers are at most two.
    return {2, 0, 1, 1, 1, false};
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
    Growth condition = operand(0);
    if (!plan.isCondition(node.operands[0]))
      condition = visitFunction(node.operands[0], times);
    return add(multiply(condition, add(operand(1), operand(2))), operand(2));
  }
  case OpKind::Reduce: {
    int64_t extent =
        node.attributes.group
            ? node.attributes.group
            : graph.getShape(node.operands[0])[node.attributes.dim];
    if (node.attributes.reduceKind == ReduceKind::Max)
      return visitFunction(node.operands[0], times);
    return addMany(operand(0), static_cast<double>(extent));
  }
  case OpKind::Matmul: {
    ShapeRef lhs = graph.getShape(node.operands[0]);
    int64_t depth =
        lhs[node.attributes.transposeLhs ? lhs.size() - 2 : lhs.size() - 1];
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
  case OpKind::Min:
  case OpKind::Compare:
    for (MuValue value : node.operands)
      apply(value, times);
    return Growth::variable();
  default:
    if (isLayout(node.op))
      return ofOperands();
    return visitFunction(node.operands[0], times);
  }
}

} // namespace

TestError mirage::getTestError(const FieldPlan &lhs, const FieldPlan &rhs,
                               double leastBits) {
  Estimator l(lhs), r(rhs);
  TestError error;
  for (auto [a, b] : llvm::zip(lhs.getGraph().getRegion().results,
                               rhs.getGraph().getRegion().results)) {
    Growth difference = add(l.get(a), r.get(b));
    error.degree = std::max(error.degree, difference.degree);
    error.terms = std::max(error.terms, difference.terms);
  }
  error.applications = l.applications + r.applications;
  double argumentDegree = std::max(l.argumentDegree, r.argumentDegree);
  double q = std::ldexp(1.0, 60), p = std::ldexp(1.0, 61);

  // Different arguments of a function may have equal values. It does harm only
  // if one of a pair is in a certain term, of at most `degree` functions.
  double collisions = error.applications *
                      std::min(error.applications / 2, error.degree) * 2 *
                      argumentDegree / q;
  if (!lhs.hasExponential() && !rhs.hasExponential()) {
    error.source = TestError::Source::Polynomial;
    error.log2 = std::log2(error.degree / p + collisions);
    return error;
  }
  double few = 2 * std::pow(q, -1 / std::max(1.0, error.terms - 1)) +
               error.terms * 2 * argumentDegree / q + collisions;
  double independent = error.degree / q + collisions;
  // The first needs no assumption.
  if (-std::log2(few) >= leastBits) {
    error.source = TestError::Source::FewExponentials;
    error.log2 = std::log2(few);
  } else {
    error.source = TestError::Source::IndependentExponentials;
    error.log2 = std::log2(independent);
  }
  return error;
}
