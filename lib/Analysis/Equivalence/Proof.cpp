//===- Proof.cpp - Proofs that two programs compute the same --------------===//
//
// Evaluates both programs at symbolic indices of an output and compares. Where
// a condition on indices (of a padding, say) divides an output's elements, the
// parts are proved one by one.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "OutputBox.h"
#include "SymbolicEvaluation.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {
/// One output of both programs.
class OutputProof {
public:
  using Kind = ProofResult::Kind;

  OutputProof(const MuGraph &lhs, const MuGraph &rhs, unsigned number,
              const ProofOptions &options)
      : options(options), number(number),
        shape(lhs.getShape(lhs.getRegion().results[number])),
        algebra({options.maxTerms, 64, options.maxSteps}),
        tables(lhs.getRegion().arguments.size()),
        left(lhs, algebra, tables, options.maxParts),
        right(rhs, algebra, tables, options.maxParts) {}

  ProofResult::Output run();

private:
  ProofResult::Output proveElement(llvm::ArrayRef<IndexForm> at);

  const ProofOptions &options;
  unsigned number;
  ShapeRef shape;
  Algebra algebra;
  ConstantTables tables;
  SymbolicEvaluation left, right;
};
} // namespace

ProofResult::Output OutputProof::proveElement(llvm::ArrayRef<IndexForm> at) {
  ProofResult::Output result;
  auto giveUp = [&](const SymbolicEvaluation *side) {
    result.reason = algebra.reason;
    if (side) {
      result.location = side->getFailedLocation();
      result.isOnRight = side == &right;
    }
    return result;
  };
  Polynomial a = left.evaluateResult(number, at);
  if (algebra.isStopped())
    return giveUp(&left);
  Polynomial b = right.evaluateResult(number, at);
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

ProofResult::Output OutputProof::run() {
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

/// Whether two lists of values have equal shapes.
static bool haveEqualShapes(const MuGraph &lhs, llvm::ArrayRef<MuValue> a,
                            const MuGraph &rhs, llvm::ArrayRef<MuValue> b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip(a, b))
    if (lhs.getShape(x) != rhs.getShape(y))
      return false;
  return true;
}

ProofResult mirage::proveEquivalence(const MuGraph &lhs, const MuGraph &rhs,
                                     const ProofOptions &options) {
  ProofResult result;
  const MuRegion &a = lhs.getRegion(), &b = rhs.getRegion();
  if (!haveEqualShapes(lhs, a.arguments, rhs, b.arguments) ||
      !haveEqualShapes(lhs, a.results, rhs, b.results)) {
    result.reason = "the programs' inputs or outputs differ in number or shape";
    return result;
  }
  ExpandOptions expand{/*sigmoid=*/true, /*tanh=*/true};
  MuGraph left = expandToPrimitives(lhs, expand);
  MuGraph right = expandToPrimitives(rhs, expand);
  if (!hasModerateSizes(left) || !hasModerateSizes(right)) {
    result.reason = "a tensor is empty or has more than 2^40 elements";
    return result;
  }
  result.kind = ProofResult::Kind::Proved;
  for (unsigned i = 0; i < a.results.size(); ++i) {
    ProofResult::Output output = OutputProof(left, right, i, options).run();
    if (output.kind != ProofResult::Kind::Proved &&
        result.kind != ProofResult::Kind::Different)
      result.kind = output.kind;
    result.outputs.push_back(std::move(output));
  }
  return result;
}
