//===- ValueProof.cpp - Proofs that two values are equal ------------------===//
//
// Where a condition on indices (of a padding, say) divides a value's elements,
// the parts are compared one by one.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/ValueProof.h"
#include "Mirage/Analysis/Equivalence/Proof/OutputBox.h"

using namespace mirage;
using namespace mirage::equivalence;

static void addWork(const Algebra &algebra, ProofWork &work) {
  work.steps += algebra.getSpent();
  work.hasKeptSums |= algebra.hasKeptSums;
}

namespace {
class ValueProof {
public:
  using Kind = ProofResult::Kind;

  ValueProof(const ValueInGraph &lhs, const ValueInGraph &rhs,
             ConstantTables &tables, const ProofOptions &options)
      : options(options), lhs(lhs.value), rhs(rhs.value),
        shape(lhs.graph.getShape(lhs.value)),
        algebra({options.maxTerms, 64, options.maxSteps,
                 options.literalConstants, options.joinRanges,
                 options.piecewise, options.longestFactor}),
        left(lhs.graph, algebra, tables, options.maxParts),
        right(rhs.graph, algebra, tables, options.maxParts) {
    left.setCuts(lhs.cuts);
    right.setCuts(rhs.cuts);
  }

  ProofResult::Output run();
  bool hasRanges() const { return algebra.hasRanges; }
  void addTo(ProofWork &work) const { addWork(algebra, work); }

private:
  ProofResult::Output proveElement(llvm::ArrayRef<IndexForm> at);

  const ProofOptions &options;
  MuValue lhs, rhs;
  ShapeRef shape;
  Algebra algebra;
  SymbolicEvaluation left, right;
};
} // namespace

ProofResult::Output ValueProof::proveElement(llvm::ArrayRef<IndexForm> at) {
  ProofResult::Output result;
  auto giveUp = [&](const SymbolicEvaluation *side) {
    result.reason = algebra.reason;
    if (side) {
      result.location = side->getFailedLocation();
      result.isOnRight = side == &right;
    }
    return result;
  };
  Polynomial a = left.evaluateDefinition(lhs, at);
  if (algebra.isStopped())
    return giveUp(&left);
  Polynomial b = right.evaluateDefinition(rhs, at);
  if (algebra.isStopped())
    return giveUp(&right);
  bool areEqual = algebra.areEqual(a, b);
  if (algebra.isStopped())
    return giveUp(nullptr);
  result.kind = areEqual ? Kind::Proved : Kind::Different;
  if (!areEqual)
    result.reason = "the left side is\n  " + algebra.toString(a, 1000) +
                    "\nthe right side is\n  " + algebra.toString(b, 1000);
  return result;
}

ProofResult::Output ValueProof::run() {
  llvm::SmallVector<OutputBox, 4> boxes{OutputBox(shape)};
  ProofResult::Output result;
  for (unsigned count = 0; !boxes.empty(); ++count) {
    if (count == options.maxParts) {
      result.kind = Kind::Unknown;
      result.reason = "the output falls into more than " +
                      std::to_string(options.maxParts) + " parts";
      return result;
    }
    OutputBox box = boxes.pop_back_val();
    OutputElement element = makeElement(box, algebra);
    result = proveElement(element.at);
    if (result.kind == Kind::Proved)
      continue;
    if (!split(box, element, algebra, boxes)) {
      if (algebra.stop == Algebra::Stop::Split)
        result.reason = "a condition on indices has no answer";
      return result;
    }
  }
  return result;
}

ProofResult::Output equivalence::proveEqual(const ValueInGraph &lhs,
                                            const ValueInGraph &rhs,
                                            ConstantTables &tables,
                                            const ProofOptions &options,
                                            ProofWork &work) {
  ValueProof proof(lhs, rhs, tables, options);
  ProofResult::Output output = proof.run();
  output.hasRanges = proof.hasRanges();
  proof.addTo(work);
  return output;
}

/// Returns whether the value is a number, or one of an input.
static bool isTrivial(const Polynomial &a) {
  return a.monomials.size() <= 1 &&
         llvm::all_of(a.monomials, [](const Monomial &m) {
           return m.bound.empty() && m.factors.size() <= 1 &&
                  llvm::all_of(m.factors, [](const Factor &factor) {
                    return factor.atom->kind == Atom::Kind::Read &&
                           factor.exponent == Rational(1);
                  });
         });
}

static bool isInfiniteCut(const Polynomial &a);

/// Exponentials of masked scores are zero; t in exp(-t inf) is a condition.
static bool isMasked(const Factor &exponential) {
  return exponential.exponent.num < 0 &&
         llvm::all_of(
             exponential.atom->argument.monomials,
             [](const Monomial &m) {
               return m.coefficient.num > 0 &&
                      llvm::all_of(m.factors, [](const Factor &f) {
                        return f.atom->kind == Atom::Kind::Infinity ||
                               isTruth(*f.atom);
                      });
             });
}

/// Returns whether the factor may be infinite where it is defined. Unlike in a
/// comparison, the sum of masked scores' exponentials is known to be finite.
static bool isInfiniteCut(const Factor &factor) {
  const Atom &atom = *factor.atom;
  if (!atom.mayBeInfinite)
    return false;
  switch (atom.kind) {
  case Atom::Kind::Less:
  case Atom::Kind::AtMost:
  case Atom::Kind::Equal:
    return false;
  case Atom::Kind::Exp:
    return !isMasked(factor);
  case Atom::Kind::Power:
  case Atom::Kind::Log:
    return isInfiniteCut(atom.argument);
  default:
    return true;
  }
}

static bool isInfiniteCut(const Polynomial &a) {
  return llvm::any_of(a.monomials, [](const Monomial &m) {
    return llvm::any_of(
        m.factors, [](const Factor &factor) { return isInfiniteCut(factor); });
  });
}

Signature equivalence::getSignature(const ValueInGraph &value,
                                    ConstantTables &tables,
                                    const ProofOptions &options,
                                    ProofWork &work) {
  llvm::SmallVector<OutputBox, 4> boxes{
      OutputBox(value.graph.getShape(value.value))};
  Signature signature;
  uint64_t hash = 0;
  bool trivial = true;
  for (unsigned count = 0; !boxes.empty(); ++count) {
    if (count == options.maxParts)
      return {};
    // New for each box: hashes depend on the numbers of the box's variables.
    Algebra algebra({options.maxTerms, 64, options.maxSteps,
                     options.literalConstants, options.joinRanges,
                     options.piecewise, options.longestFactor});
    OutputBox box = boxes.pop_back_val();
    OutputElement element = makeElement(box, algebra);
    SymbolicEvaluation evaluation(value.graph, algebra, tables,
                                  options.maxParts);
    evaluation.setCuts(value.cuts);
    Polynomial a = evaluation.evaluateDefinition(value.value, element.at);
    addWork(algebra, work);
    if (split(box, element, algebra, boxes))
      continue;
    if (algebra.isStopped()) {
      signature.hasNoForm =
          algebra.stop == Algebra::Stop::Failed && !algebra.isLimitReached;
      return signature;
    }
    // An input in the place of an infinity would be finite, and cancel.
    if (isInfiniteCut(a))
      return {};
    signature.hasPole |= hasPole(a);
    trivial &= isTrivial(a);
    for (auto [first, extent] : box.ranges)
      hash = mixHash(mixHash(hash, first), extent);
    hash = mixHash(hash, hashPolynomial(a));
  }
  if (!trivial)
    signature.hash = hash;
  return signature;
}
