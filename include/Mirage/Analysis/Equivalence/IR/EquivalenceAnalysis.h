//===- EquivalenceAnalysis.h - Do two functions compute the same *- C++ -*-===//
//
// Compares two functions of a module, at any mix of levels: by proof, by random
// tests over finite fields, and in floating point. Changes nothing; answers are
// kept until the module changes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_IR_EQUIVALENCEANALYSIS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_IR_EQUIVALENCEANALYSIS_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/AnalysisManager.h"
#include <map>

namespace mirage::equivalence {

enum class Equivalence : uint8_t {
  /// Both compute the same function, by the laws of exact arithmetic.
  Proved,
  /// Random tests found no difference; see EquivalenceAnswer::tests.
  Equivalent,
  /// They differ; see EquivalenceAnswer::tests.difference.
  Refuted,
  /// Not decided; see EquivalenceAnswer::reason.
  Unknown,
};

/// "proved", "equivalent", "refuted", "unknown".
llvm::StringRef stringifyEquivalence(Equivalence equivalence);

struct EquivalenceOptions {
  RandomTestOptions tests;
  FloatingPointOptions floats;
  /// Stages to run; without random tests what is not proved is unknown.
  bool prove = true, test = true, checkFloats = true;
  /// Take it for granted that exponentials' arguments vary independently, where
  /// the bound of the tests' error needs it and it is not seen.
  bool assumeIndependence = false;
  /// Compare the functions at small sizes (ShrinkPair.h), which their own don't
  /// follow from. Floats are not compared. Where a constant may be what it is
  /// because of a size, a difference is looked for at the own sizes, too.
  bool shrink = false;
  /// Zero stands for as many as the machine has.
  unsigned threads = 0;
};

struct EquivalenceAnswer {
  Equivalence equivalence = Equivalence::Unknown;
  /// Unknown: why, and the operation that keeps the answer from being known,
  /// if it is one.
  std::string reason;
  mlir::Operation *operation = nullptr;
  /// Why there is no proof, where there is none.
  std::string whyNotProved;
  /// Proved or Equivalent: which constants were taken for which numbers.
  std::vector<std::string> named;
  RandomTestResult tests;
  /// With EquivalenceOptions::shrink: the functions differ at small sizes,
  /// where constants may mean others, and the answer is that of their own
  /// sizes.
  bool isAtOwnSizes = false;
  /// The answer is that for small sizes, which shows nothing of the own ones
  /// where it is an acceptance.
  bool isAtSmallSizes = false;
  /// Without results there is nothing in which functions could differ.
  bool hasResults = true;
  /// Of Refuted, where floats show the difference, too.
  std::optional<FloatDifference> floatDifference;
  FloatingPointReport floats;

  /// Proved or equivalent, and numerically no worse.
  bool isAccepted() const {
    return (equivalence == Equivalence::Proved ||
            equivalence == Equivalence::Equivalent) &&
           floats.isAccepted();
  }
};

/// One line: "@g computes what @f does: proved" or the like.
std::string describe(const EquivalenceAnswer &answer, llvm::StringRef lhs,
                     llvm::StringRef rhs, const EquivalenceOptions &options);

class EquivalenceAnalysis {
public:
  explicit EquivalenceAnalysis(mlir::Operation *) {}

  /// Whether `rhs`, the candidate, computes what `lhs` does. Functions that are
  /// no µGraphs are an answer Unknown, not an error.
  const EquivalenceAnswer &compare(mlir::func::FuncOp lhs,
                                   mlir::func::FuncOp rhs,
                                   const EquivalenceOptions &options = {});

private:
  std::map<std::string, EquivalenceAnswer> answers;
};

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_IR_EQUIVALENCEANALYSIS_H
