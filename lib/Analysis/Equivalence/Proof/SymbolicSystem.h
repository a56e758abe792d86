//===- SymbolicSystem.h - Element.h over the algebra ------------*- C++ -*-===//
//
// The systems of Element.h whose indices are index forms. A condition on
// indices has one answer for all indices, or the range of an index is split
// where the answer changes. One system's numbers are normal forms; the other
// has none and only goes where an element comes from.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_PROOF_SYMBOLICSYSTEM_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_PROOF_SYMBOLICSYSTEM_H

#include "Mirage/Analysis/Equivalence/Proof/SymbolicEvaluation.h"
#include "Mirage/Semantics/Element.h"

namespace mirage::equivalence {

/// The condition is lower <= form < upper.
struct IndexCondition {
  enum class Answer : uint8_t { No, Yes, Depends };
  Answer answer;
  IndexForm form;
  int64_t lower, upper;
};

/// Asks to split the range of an index so that a condition gets an answer.
void requestSplit(Algebra &algebra, const IndexCondition &condition);

/// The part that the systems have in common.
struct SymbolicEvaluation::Indexing {
  using Index = IndexForm;
  using Condition = IndexCondition;

  SymbolicEvaluation &evaluation;
  Algebra &algebra;
  const MuNode &node;
  unsigned number;
  const Scope *scope;

  Index index(int64_t i) { return algebra.indices.constant(i); }
  Index add(const Index &a, const Index &b) {
    return algebra.indices.add(a, b);
  }
  Index addConstant(const Index &a, int64_t c) {
    return algebra.indices.addConstant(a, c);
  }
  Index mulConstant(const Index &a, int64_t c) {
    return algebra.indices.mulConstant(a, c);
  }
  Index divConstant(const Index &a, int64_t c) {
    return evaluation.divide(a, c).quotient;
  }
  Index remConstant(const Index &a, int64_t c) {
    return evaluation.divide(a, c).remainder;
  }

  Condition inRange(const Index &form, int64_t lower, int64_t upper);
  Condition both(const Condition &a, const Condition &b);
};

struct SymbolicEvaluation::System : Indexing {
  using Value = Polynomial;
  using Indexing::add;

  Value constant(double value);
  Value add(const Value &a, const Value &b) { return algebra.add(a, b); }
  Value sub(const Value &a, const Value &b) { return algebra.sub(a, b); }
  Value mul(const Value &a, const Value &b) {
    return algebra.multiplyKeepingSums(a, b);
  }
  Value div(const Value &a, const Value &b) {
    return algebra.multiply(a, algebra.inverse(b));
  }
  Value max(const Value &a, const Value &b) {
    return algebra.max(a, b, evaluation.getLargest(node));
  }
  Value min(const Value &a, const Value &b) {
    return algebra.min(a, b, evaluation.getLargest(node));
  }
  Value exp(const Value &a) { return algebra.exp(a); }
  Value log(const Value &a) { return algebra.log(a); }
  Value sqrt(const Value &a) { return algebra.power(a, Rational(1, 2)); }
  Value rsqrt(const Value &a) { return algebra.power(a, Rational(-1, 2)); }
  Value erf(const Value &a) { return algebra.erf(a); }
  Value pow(const Value &a, double exponent);
  Value compare(CompareKind kind, const Value &a, const Value &b);
  Value choose(const Value &condition, const Value &a, const Value &b);
  // Expansion to primitives leaves none of these.
  Value exp2(const Value &) { return notPrimitive(); }
  Value tanh(const Value &) { return notPrimitive(); }
  Value sigmoid(const Value &) { return notPrimitive(); }
  Value roundToTF32(const Value &) { return notPrimitive(); }

  Value read(unsigned operand, llvm::ArrayRef<Index> at) {
    return evaluation.evaluate(node.operands[operand], at, scope);
  }
  Value element(llvm::ArrayRef<Index> at);

  template <typename Then, typename Else>
  Value select(const Condition &condition, Then then, Else otherwise) {
    switch (condition.answer) {
    case Condition::Answer::Yes:
      return then();
    case Condition::Answer::No:
      return otherwise();
    case Condition::Answer::Depends:
      requestSplit(algebra, condition);
      return {};
    }
    llvm_unreachable("no answer");
  }

  /// Sums, or maxima where the initial value is minus infinity. The body adds
  /// to (takes the maximum with) the accumulator, which is neutral here.
  template <typename Body>
  Value reduce(llvm::ArrayRef<int64_t> extents, const Value &initial,
               Body body) {
    Value minusInfinity = constant(-std::numeric_limits<double>::infinity());
    bool isMax = !initial.isZero() && algebra.areEqual(initial, minusInfinity);
    auto parts = evaluation.evaluateParts(
        number, extents, [&](llvm::ArrayRef<Index> point, Part &part) {
          part.value = body(point, isMax ? minusInfinity : Value());
        });
    if (isMax)
      return evaluation.maxParts(parts, evaluation.getLargest(node));
    return algebra.add(initial, evaluation.sumParts(parts));
  }

private:
  Value notPrimitive();
  bool hasLostPole(llvm::ArrayRef<const Value *> sides);
};

/// Visits what an element depends on.
struct SymbolicEvaluation::Walk : Indexing {
  struct Value {};
  using Indexing::add;

  Value constant(double) { return {}; }
  Value add(Value, Value) { return {}; }
  Value sub(Value, Value) { return {}; }
  Value mul(Value, Value) { return {}; }
  Value div(Value, Value) { return {}; }
  Value max(Value, Value) { return {}; }
  Value min(Value, Value) { return {}; }
  Value exp(Value) { return {}; }
  Value exp2(Value) { return {}; }
  Value log(Value) { return {}; }
  Value sqrt(Value) { return {}; }
  Value rsqrt(Value) { return {}; }
  Value erf(Value) { return {}; }
  Value tanh(Value) { return {}; }
  Value sigmoid(Value) { return {}; }
  Value roundToTF32(Value) { return {}; }
  Value pow(Value, double) { return {}; }
  Value compare(CompareKind, Value, Value) { return {}; }
  Value choose(Value, Value, Value) { return {}; }
  Value element(llvm::ArrayRef<Index>) { return {}; }

  Value read(unsigned operand, llvm::ArrayRef<Index> at) {
    evaluation.evaluate(node.operands[operand], at, scope);
    return {};
  }
  template <typename Then, typename Else>
  Value select(const Condition &condition, Then then, Else otherwise) {
    if (condition.answer == Condition::Answer::Yes)
      return then();
    if (condition.answer == Condition::Answer::No)
      return otherwise();
    requestSplit(algebra, condition);
    return {};
  }
  template <typename Body>
  Value reduce(llvm::ArrayRef<int64_t> extents, Value, Body body) {
    evaluation.evaluateParts(
        number, extents,
        [&](llvm::ArrayRef<Index> point, Part &) { body(point, Value()); });
    return {};
  }
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_PROOF_SYMBOLICSYSTEM_H
