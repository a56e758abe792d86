//===- CompareGraphs.h - Do two µGraphs compute the same --------*- C++ -*-===//
//
// There is one pipeline of proof, random tests over finite fields and runs in
// floating point. The pass mirage-verify-equivalence and the search ask it the
// same questions; their policies differ in how much work is spent on answers.
// Knows no IR.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_COMPAREGRAPHS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_COMPAREGRAPHS_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include <limits>

namespace mirage::equivalence {

enum class Equivalence : uint8_t {
  /// Both compute the same function, by the laws of exact arithmetic.
  Proved,
  /// Random tests found no difference; see ComparisonAnswer::tests.
  Equivalent,
  /// They differ; see ComparisonAnswer::tests.difference.
  Refuted,
  /// Not decided; see ComparisonAnswer::reason.
  Unknown,
};

/// Returns "proved", "equivalent", "refuted" or "unknown".
llvm::StringRef stringifyEquivalence(Equivalence equivalence);

/// Says which questions are asked about two programs, and how much work answers
/// may take. The defaults are those of mirage-verify-equivalence.
struct ComparisonPolicy {
  RandomTestOptions tests;
  FloatingPointOptions floats;
  /// Stages to run. Without random tests, what is not proved is unknown.
  bool prove = true, test = true, checkFloats = true;
  /// Compare programs that are beyond proofs and tests as wholes part by part,
  /// between values of kernels that they have in common.
  bool compareParts = true;
  /// Look for inputs that show in floating point what differs by tests. Without
  /// them, a difference that tests cannot tell from an unknown law of a
  /// function is unknown.
  bool findExamples = true;
  /// Run in floating point before anything is proved, and whatever the answer
  /// is; a candidate that is refused there is asked nothing else.
  bool floatsFirst = false;
  /// Take it for granted that exponentials' arguments vary independently, where
  /// the bound of the tests' error needs it and it is not seen.
  bool assumeIndependence = false;
  /// Compare the programs at small sizes (ShrinkPair.h) only, which their own
  /// don't follow from. Floats are not compared. Where a constant may be what
  /// it is because of a size, a difference is looked for at the own sizes, too.
  bool shrink = false;
  /// Scalar operations that one test at the programs' own sizes may take. What
  /// needs a test that takes more is unknown.
  double testWork = std::numeric_limits<double>::infinity();

  bool operator==(const ComparisonPolicy &other) const = default;
};

/// What keeps an answer from being known: an operator of one program, by its
/// MuNode::location, or a program as a whole.
struct Culprit {
  bool isInRhs = false;
  std::optional<unsigned> location;
};

struct ComparisonAnswer {
  Equivalence equivalence = Equivalence::Unknown;
  /// Unknown: why, and where the reason is, if it is at one place. Of a
  /// candidate that floats refuse, the operation that
  /// FloatingPointReport::hazard speaks of.
  std::string reason;
  std::optional<Culprit> culprit;
  /// Why there is no proof, where there is none.
  std::string whyNotProved;
  /// Proved or Equivalent: which constants were taken for which numbers.
  std::vector<std::string> named;
  RandomTestResult tests;
  /// The number of common values between which the programs were compared; zero
  /// for an answer about wholes.
  unsigned commonValues = 0;
  /// With ComparisonPolicy::shrink: the programs differ at small sizes, where
  /// constants may mean others, and the answer is that of their own sizes.
  bool isAtOwnSizes = false;
  /// The answer is that for small sizes. It shows nothing of the own ones where
  /// it is an acceptance; a difference is one at the own sizes, too.
  bool isAtSmallSizes = false;
  /// Without results there is nothing in which programs could differ.
  bool hasResults = true;
  /// Refuted: where floats show the difference, too.
  std::optional<FloatDifference> floatDifference;
  FloatingPointReport floats;

  /// Returns whether the programs are proved or equivalent.
  bool isEqual() const {
    return equivalence == Equivalence::Proved ||
           equivalence == Equivalence::Equivalent;
  }
  /// Returns whether they are, and the candidate is numerically no worse.
  bool isAccepted() const { return isEqual() && floats.isAccepted(); }
};

/// Compares the candidate `rhs` with `lhs`. The programs have arguments and
/// results of the same shapes. Answers don't depend on the threads of
/// `execution`; one that its end has cut is Unknown, or undecided in floating
/// point.
ComparisonAnswer compareGraphs(const MuGraph &lhs, const MuGraph &rhs,
                               const ComparisonPolicy &policy,
                               const Execution &execution);

/// The same for many candidates of one program. What the program makes of
/// inputs is computed once, and kept in memory. Not for several threads at
/// once.
class GraphComparer {
public:
  /// `execution` must outlive the comparer.
  GraphComparer(const ComparisonPolicy &policy, const Execution &execution);

  ComparisonAnswer compare(const MuGraph &lhs, const MuGraph &rhs);

  /// Asks further candidates first what has refused this one in floating point:
  /// candidates of one program err in few ways.
  void learnFrom(const ComparisonAnswer &answer) {
    floats.learnFrom(answer.floats);
  }

private:
  ComparisonPolicy policy;
  const Execution &execution;
  FloatingPointChecker floats;
};

/// Returns one line: "@g computes what @f does: proved" or the like, for
/// programs of these names.
std::string describe(const ComparisonAnswer &answer, llvm::StringRef lhs,
                     llvm::StringRef rhs, const ComparisonPolicy &policy);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_COMPAREGRAPHS_H
