//===- SymbolicSystem.cpp - Element.h over the algebra --------------------===//
//
// Constants, comparisons and conditions on indices.
//
//===----------------------------------------------------------------------===//

#include "SymbolicSystem.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::divideCeilSigned;
using llvm::divideFloorSigned;

Polynomial SymbolicEvaluation::System::constant(double value) {
  if (std::isnan(value)) {
    algebra.fail("a constant is no number");
    return {};
  }
  ElementType type = evaluation.graph.getValue(node.results.front()).type;
  return algebra.constant(algebra.limits.literalConstants
                              ? getLiteralConstant(value)
                              : getExactConstant(value, type));
}

Polynomial SymbolicEvaluation::System::pow(const Value &a, double exponent) {
  int binary;
  double fraction = std::frexp(exponent, &binary);
  // More bits than this are no exponent that anything is simplified for.
  if (!std::isfinite(exponent) || binary < -500 || binary > 500) {
    algebra.failAtLimit("the exponent of a power is too large");
    return {};
  }
  Rational value(static_cast<int64_t>(std::ldexp(fraction, 53)));
  Rational two = binary < 53 ? Rational(1, 2) : Rational(2);
  for (int i = 0; i < std::abs(binary - 53); ++i)
    value *= two;
  return algebra.power(a, value);
}

/// Fails where a pole was lost: where x / x has become one, a comparison no
/// longer knows that it may have no value.
bool SymbolicEvaluation::System::hasLostPole(
    llvm::ArrayRef<const Value *> sides) {
  const std::vector<ValueFacts> &facts =
      evaluation.tables.getFacts(evaluation.graph);
  bool mayBeUndefined = false;
  for (auto [operand, side] : llvm::zip(node.operands, sides)) {
    if (hasPole(*side))
      return false;
    mayBeUndefined |= facts[operand].mayBeUndefined;
  }
  if (mayBeUndefined)
    algebra.fail("a comparison of what may have no value");
  return mayBeUndefined;
}

Polynomial SymbolicEvaluation::System::compare(CompareKind kind, const Value &a,
                                               const Value &b) {
  if (algebra.isStopped() || hasLostPole({&a, &b}))
    return {};
  switch (kind) {
  case CompareKind::EQ:
    return algebra.equals(a, b);
  case CompareKind::NE:
    return algebra.sub(algebra.constant(1), algebra.equals(a, b));
  case CompareKind::LT:
    return algebra.less(a, b);
  case CompareKind::LE:
    return algebra.atMost(a, b);
  case CompareKind::GT:
    return algebra.less(b, a);
  case CompareKind::GE:
    return algebra.atMost(b, a);
  }
  llvm_unreachable("unknown comparison");
}

Polynomial SymbolicEvaluation::System::choose(const Value &condition,
                                              const Value &a, const Value &b) {
  if (algebra.isStopped() || hasLostPole({&condition}))
    return {};
  return algebra.select(condition, a, b);
}

Polynomial SymbolicEvaluation::System::element(llvm::ArrayRef<Index> at) {
  const OpAttributes &attributes = node.attributes;
  const std::vector<double> &values = *attributes.values;
  IndexForm linear = evaluation.linearize(at, attributes.resultShape);
  if (linear.isConstant())
    return constant(values[linear.constant]);
  if (llvm::all_equal(values))
    return constant(values.front());
  if (algebra.limits.piecewise) {
    auto getSum = [&](int64_t first, llvm::ArrayRef<int64_t> factors) {
      IndexForm sum = algebra.indices.constant(first);
      for (auto [index, factor] : llvm::zip_equal(at, factors))
        sum = algebra.indices.add(sum,
                                  algebra.indices.mulConstant(index, factor));
      return algebra.index(sum);
    };
    if (const auto &steps = evaluation.tables.getSteps(attributes))
      return getSum(steps->first, steps->steps);
    if (const auto &band = evaluation.tables.getBand(attributes)) {
      Polynomial sum = getSum(0, band->coefficients),
                 outside = constant(band->outside);
      auto isBelow = [&](int64_t bound) {
        return algebra.less(sum, constant(static_cast<double>(bound)));
      };
      return algebra.select(isBelow(band->lower), outside,
                            algebra.select(isBelow(band->upper),
                                           constant(band->inside), outside));
    }
  }
  ElementType type = evaluation.graph.getValue(node.results.front()).type;
  return algebra.read(evaluation.tables.getNumber(attributes, type),
                      std::move(linear));
}

Polynomial SymbolicEvaluation::System::notPrimitive() {
  algebra.fail("an operator is not primitive");
  return {};
}

IndexCondition SymbolicEvaluation::Indexing::inRange(const Index &form,
                                                     int64_t lower,
                                                     int64_t upper) {
  IndexArithmetic::Range range = algebra.indices.getRange(form);
  auto answer = IndexCondition::Answer::Depends;
  if (range.least >= lower && range.greatest < upper)
    answer = IndexCondition::Answer::Yes;
  else if (range.greatest < lower || range.least >= upper)
    answer = IndexCondition::Answer::No;
  return {answer, form, lower, upper};
}

IndexCondition SymbolicEvaluation::Indexing::both(const Condition &a,
                                                  const Condition &b) {
  if (a.answer == Condition::Answer::No || b.answer == Condition::Answer::Yes)
    return a;
  if (b.answer == Condition::Answer::No || a.answer == Condition::Answer::Yes)
    return b;
  return a;
}

void equivalence::requestSplit(Algebra &algebra,
                               const IndexCondition &condition) {
  const IndexForm &form = condition.form;
  // The digit that weighs most, of those the smallest.
  const IndexTerm *best = nullptr;
  for (const IndexTerm &term : form.terms) {
    auto weigh = [](const IndexTerm &t) {
      return std::make_pair(-std::abs(t.coefficient), t.digit.extent);
    };
    if (!best || weigh(term) < weigh(*best))
      best = &term;
  }
  if (!best)
    return algebra.fail("a condition on indices has no answer");
  IndexArithmetic::Range range = algebra.indices.getRange(form);
  int64_t bound =
      range.least < condition.lower ? condition.lower : condition.upper;
  // This is where the condition changes if the other digits are zero.
  int64_t distance = bound - form.constant;
  int64_t at = best->coefficient > 0
                   ? divideCeilSigned(distance, best->coefficient)
                   : divideFloorSigned(-distance, -best->coefficient) + 1;
  at = std::clamp<int64_t>(at, 1, best->digit.extent - 1);
  algebra.requestSplit(best->digit.variable, at * best->digit.stride);
}
