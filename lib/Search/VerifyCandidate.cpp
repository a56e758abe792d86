//===- VerifyCandidate.cpp - From candidate to verified µGraph ------------===//
//
// These are the policies of a search, and what it makes of answers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/VerifyCandidate.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;
using equivalence::ComparisonAnswer;
using equivalence::ComparisonPolicy;
using equivalence::Equivalence;

/// Scalar operations that a test at full size may take where there are other
/// candidates.
static constexpr double kMostTestWork = 1e9;

llvm::StringRef Verdict::getName() const {
  return isStable ? equivalence::stringifyEquivalence(equivalence) : "unstable";
}

ComparisonPolicy search::getAcceptingPolicy(const SearchOptions &options) {
  ComparisonPolicy policy;
  policy.tests.seed = options.seed;
  policy.tests.errorBits = options.errorBits;
  policy.floats.seed = options.seed;
  return policy;
}

ComparisonPolicy search::getComposingPolicy(const SearchOptions &options) {
  ComparisonPolicy policy = getAcceptingPolicy(options);
  policy.findExamples = false;
  return policy;
}

ComparisonPolicy search::getSortingPolicy(const SearchOptions &options) {
  ComparisonPolicy policy = getAcceptingPolicy(options);
  policy.floatsFirst = true;
  policy.floats.work = policy.floats.specialWork = 2e6;
  // The acceptor says which of these are worth to be tried.
  policy.floats.extremes = false;
  policy.testWork = kMostTestWork;
  policy.compareParts = false;
  return policy;
}

Verdict search::getVerdict(ComparisonAnswer answer) {
  Verdict verdict;
  verdict.equivalence = answer.equivalence;
  verdict.reason = std::move(answer.reason);
  if (answer.equivalence == Equivalence::Equivalent)
    verdict.log2Error = answer.tests.getLog2Error();
  if (answer.equivalence == Equivalence::Refuted)
    verdict.reason = llvm::formatv(
        "result {0} differs {1}", answer.tests.difference->result,
        answer.isAtSmallSizes ? "at small sizes" : "at full size");
  const equivalence::FloatingPointReport &floats = answer.floats;
  if (floats.isAccepted())
    return verdict;
  // What is not shown in floating point is not accepted.
  verdict.isStable = floats.isStable;
  verdict.equivalence = Equivalence::Unknown;
  if (!floats.isStable)
    verdict.reason = floats.reason;
  else if (!floats.undecided.empty())
    verdict.reason = floats.undecided;
  else
    verdict.reason = llvm::formatv(
        "no element of result {0} of the program is finite on any inputs",
        floats.silent.front());
  return verdict;
}
