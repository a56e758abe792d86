//===- DegreeBound.cpp - How often a random test errs ---------------------===//
//
// Goes through a graph once. Every value is a quotient of two sums of terms
// c * exp(l), where c are polynomials in the inputs and in the results of
// functions; for each value the degrees of both sums and their numbers of
// different exponentials are bounded. Numbers are doubles: they get large.
//
//===----------------------------------------------------------------------===//

#include "DegreeBound.h"
#include "Independence.h"
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
  /// Whether there are results of functions.
  bool function = false;
  /// A maximum: of how many values that are none. Otherwise zero.
  double leaves = 0;

  static Growth variable() {
    Growth growth;
    growth.degree = 1;
    return growth;
  }
  static Growth functionResult(double leaves = 0) {
    Growth growth = variable();
    growth.function = true;
    growth.leaves = leaves;
    return growth;
  }
};

Growth multiply(const Growth &a, const Growth &b) {
  return {a.degree + b.degree,
          a.denominatorDegree + b.denominatorDegree,
          a.terms * b.terms,
          a.denominatorTerms * b.denominatorTerms,
          1,
          a.exponential || b.exponential,
          a.function || b.function};
}

Growth invert(const Growth &a) {
  return {a.denominatorDegree, a.degree,  a.denominatorTerms, a.terms, 1,
          a.exponential,       a.function};
}

Growth add(const Growth &a, const Growth &b) {
  return {
      std::max(a.degree + b.denominatorDegree, b.degree + a.denominatorDegree),
      a.denominatorDegree + b.denominatorDegree,
      a.terms * b.denominatorTerms + b.terms * a.denominatorTerms,
      a.denominatorTerms * b.denominatorTerms,
      a.summands + b.summands,
      a.exponential || b.exponential,
      a.function || b.function};
}

/// The sum of `count` values bounded by `a`, whose denominators may differ.
Growth addMany(const Growth &a, double count) {
  Growth sum = a;
  sum.leaves = 0;
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
  /// `powers`: of how many numbers an exponential is the product, if known.
  explicit Estimator(const FieldPlan &plan,
                     std::optional<double> powers = std::nullopt)
      : plan(plan), graph(plan.getGraph()), growth(graph.getNumValues()),
        powers(powers) {
    for (MuValue input : graph.getRegion().arguments)
      growth[input] = Growth::variable();
    visitRegion(0, 1);
  }

  const Growth &get(MuValue value) const { return growth[value]; }

  /// How often functions are applied, the degree of their arguments, and the
  /// exponential terms of these.
  double applications = 0, argumentDegree = 0, argumentTerms = 1;
  /// Whether functions' results are in functions' arguments.
  bool nested = false;

private:
  Growth apply(MuValue argument, double times) {
    const Growth &a = growth[argument];
    nested |= a.function;
    return applyTo(argument, times);
  }

  /// Of `extent` elements. Maxima inside of a maximum are the same as one.
  Growth takeMaximum(MuValue argument, double extent, double times) {
    const Growth &a = growth[argument];
    nested |= a.function && a.leaves == 0;
    double leaves = std::max(1.0, a.leaves);
    applyTo(argument, times * leaves);
    return Growth::functionResult(extent * leaves);
  }

  Growth applyTo(MuValue argument, double times) {
    const Growth &a = growth[argument];
    applications += times * elementCount(graph.getShape(argument));
    argumentDegree = std::max(argumentDegree, a.degree + a.denominatorDegree);
    if (a.exponential)
      argumentTerms = std::max(argumentTerms, a.terms * a.denominatorTerms);
    return Growth::functionResult();
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
          value = takeMaximum(node.operands[0], extent, times);
      growth[node.results[0]] = value;
      return;
    }
    case MuNode::Kind::Accumulate: {
      MuValue operand = node.operands[0];
      Growth value = growth[operand];
      double extent = points.back()[0];
      if (node.accumulate == AccumulateKind::Max)
        value = takeMaximum(operand, extent, times);
      if (node.accumulate == AccumulateKind::Sum)
        value = addMany(value, extent);
      if (node.accumulate == AccumulateKind::RescaledSum) {
        // Each term times exp(shift - largest shift).
        Growth factor = exponentiate(growth[node.operands[1]]);
        factor.degree += 1;
        takeMaximum(node.operands[1], extent, times);
        value = addMany(multiply(value, factor), extent);
      }
      growth[node.results[0]] = value;
      return;
    }
    }
  }

  /// exp of a sum of s values is a product of s numbers, or of their inverses,
  /// for which a number counts twice.
  Growth exponentiate(const Growth &argument) {
    argumentDegree =
        std::max(argumentDegree, argument.degree + argument.denominatorDegree);
    Growth result = Growth::variable();
    result.degree = 2 * powers.value_or(argument.summands);
    result.exponential = true;
    result.function = argument.function;
    return result;
  }

  Growth visitOperator(const MuNode &node, double times);

  const FieldPlan &plan;
  const MuGraph &graph;
  std::vector<Growth> growth;
  std::optional<double> powers;
  llvm::SmallVector<llvm::SmallVector<int64_t, 3>, 2> points;
};

Growth Estimator::visitOperator(const MuNode &node, double times) {
  auto operand = [&](unsigned i) -> const Growth & {
    return growth[node.operands[i]];
  };
  auto ofOperands = [&] {
    // Every element is one of an operand, or a constant.
    Growth all;
    double leaves = 0;
    bool maximum = true;
    for (MuValue value : node.operands) {
      const Growth &g = growth[value];
      all.degree = std::max(all.degree, g.degree);
      all.denominatorDegree =
          std::max(all.denominatorDegree, g.denominatorDegree);
      all.terms = std::max(all.terms, g.terms);
      all.denominatorTerms = std::max(all.denominatorTerms, g.denominatorTerms);
      all.summands = std::max(all.summands, g.summands);
      all.exponential |= g.exponential;
      all.function |= g.function;
      // Only if all of it is a maximum.
      leaves = std::max(leaves, g.leaves);
      maximum &= g.leaves > 0;
    }
    if (maximum)
      all.leaves = leaves;
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
      condition = apply(node.operands[0], times);
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
  case OpKind::Max: {
    double leaves = 0;
    for (MuValue value : node.operands)
      leaves += takeMaximum(value, 1, times).leaves;
    return Growth::functionResult(leaves);
  }
  case OpKind::Min:
  case OpKind::Compare:
    for (MuValue value : node.operands)
      apply(value, times);
    return Growth::functionResult();
  default:
    if (isLayout(node.op))
      return ofOperands();
    return apply(node.operands[0], times);
  }
}

} // namespace

static constexpr double kQ = 0x1p60, kP = 0x1p61;

namespace {
/// What bounds the error for both graphs.
struct Estimate {
  double degree = 0, terms = 0, applications = 0, argumentDegree = 0;
  double argumentTerms = 1;
  bool nested = false;

  Estimate(const FieldPlan &lhs, const FieldPlan &rhs,
           std::optional<double> powers = std::nullopt) {
    Estimator l(lhs, powers), r(rhs, powers);
    for (auto [a, b] : llvm::zip(lhs.getGraph().getRegion().results,
                                 rhs.getGraph().getRegion().results)) {
      Growth difference = add(l.get(a), r.get(b));
      degree = std::max(degree, difference.degree);
      terms = std::max(terms, difference.terms);
    }
    applications = l.applications + r.applications;
    argumentDegree = std::max(l.argumentDegree, r.argumentDegree);
    argumentTerms = std::max(l.argumentTerms, r.argumentTerms);
    nested = l.nested || r.nested;
  }

  /// Different arguments of a function may have equal values, each pair with
  /// the given probability. Where functions are not inside each other, only
  /// pairs count of which one is of at most `degree` applications.
  double getCollisions(double probability) const {
    double others = applications / 2;
    if (!nested)
      others = std::min(others, degree);
    return applications * others * probability;
  }

  double getLinear() const { return getCollisions(2 * argumentDegree / kQ); }
};
} // namespace

/// A sum of `terms` exponentials of polynomials of degree `degree`.
static double getFewError(double terms, double degree) {
  return 2 * std::pow(kQ, -1 / std::max(1.0, terms - 1)) +
         terms * 2 * degree / kQ;
}

TestError mirage::getTestError(const FieldPlan &lhs, const FieldPlan &rhs,
                               double leastBits) {
  Estimate estimate(lhs, rhs);
  TestError error;
  auto use = [&](TestError::Source source, const Estimate &by, double bound) {
    error.source = source;
    error.log2 = std::log2(bound);
    error.degree = by.degree;
    error.terms = by.terms;
    error.applications = by.applications;
  };
  if (!lhs.hasExponential() && !rhs.hasExponential()) {
    use(TestError::Source::Polynomial, estimate,
        estimate.degree / kP + estimate.getLinear());
    return error;
  }
  // Arguments of functions may contain exponentials, too.
  double few =
      getFewError(estimate.terms, estimate.argumentDegree) +
      estimate.getCollisions(
          estimate.argumentTerms > 1
              ? getFewError(2 * estimate.argumentTerms, estimate.argumentDegree)
              : 2 * estimate.argumentDegree / kQ);
  if (-std::log2(few) >= leastBits) {
    use(TestError::Source::FewExponentials, estimate, few);
    return error;
  }
  Independence independence = checkIndependence(lhs, rhs);
  if (!independence.problem.empty()) {
    error.whyDependent = independence.problem;
    use(TestError::Source::AssumedIndependence, estimate,
        estimate.degree / kQ + estimate.getLinear());
    return error;
  }
  // The factor of an argument's own number may be zero.
  Estimate precise(lhs, rhs, independence.degree);
  precise.nested |= independence.hasFunctions;
  use(TestError::Source::IndependentExponentials, precise,
      precise.degree / kQ + precise.getLinear() +
          independence.arguments * precise.argumentDegree / kQ);
  return error;
}
