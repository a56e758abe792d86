//===- VerifyCandidate.cpp - From candidate to verified µGraph ------------===//
//
// The stages of docs/Verification.md, each as soon as it can say no.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/VerifyCandidate.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/MuGraph/ShrinkPair.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

llvm::StringRef mirage::search::stringifyVerdict(Verdict verdict) {
  switch (verdict) {
  case Verdict::Proved:
    return "proved";
  case Verdict::Equivalent:
    return "equivalent";
  case Verdict::Refuted:
    return "refuted";
  case Verdict::Unstable:
    return "unstable";
  case Verdict::Unknown:
    return "unknown";
  }
  llvm_unreachable("unknown verdict");
}

/// Sets a verdict that is none of acceptance, if the tests lead to one.
static bool isRejected(const RandomTestResult &tests, llvm::StringRef where,
                       JudgedCandidate &judged) {
  if (tests.kind == RandomTestResult::Kind::Differ) {
    judged.verdict = Verdict::Refuted;
    judged.reason = llvm::formatv("result {0} differs {1}",
                                  tests.difference->result, where);
    return true;
  }
  if (tests.kind == RandomTestResult::Kind::Undecided) {
    judged.verdict = Verdict::Unknown;
    judged.reason = tests.problem;
    return true;
  }
  return false;
}

static bool areProvedEqual(const MuGraph &program, const MuGraph &graph) {
  return proveEquivalence(program, graph).kind == ProofResult::Kind::Proved;
}

FloatingPointOptions
mirage::search::getFloatOptions(const SearchOptions &options) {
  FloatingPointOptions floats;
  floats.seed = options.seed;
  // Many candidates, so far less work than mirage-verify-equivalence does.
  floats.work = 2e6;
  floats.shortenSums = true;
  return floats;
}

/// Sets the verdict if errors in floating point are too large, or if it is not
/// known whether they are.
static bool isUnstable(const FloatingPointReport &report,
                       JudgedCandidate &judged) {
  if (!report.isStable) {
    judged.verdict = Verdict::Unstable;
    judged.reason = report.reason;
    return true;
  }
  if (!report.undecided.empty()) {
    judged.verdict = Verdict::Unknown;
    judged.reason = report.undecided;
    return true;
  }
  if (!report.silent.empty()) {
    judged.verdict = Verdict::Unknown;
    judged.reason = llvm::formatv(
        "no element of result {0} of the program is finite on any inputs",
        report.silent.front());
    return true;
  }
  return false;
}

void mirage::search::verifyCandidate(
    const MuGraph &program, const MuGraph &graph, const SearchOptions &options,
    WorkerPool &pool, FloatingPointChecker &floats,
    std::function<bool()> isOver, JudgedCandidate &judged) {
  RandomTestOptions tests;
  tests.seed = options.seed;
  tests.errorBits = options.errorBits;
  tests.isOver = std::move(isOver);
  // This only sorts candidates out.
  RandomTestOptions filter = tests;
  filter.minTests = 1;
  ShrunkPair small = shrinkPair(program, graph);
  bool isProved = false;
  if (isRejected(runRandomTests(small.lhs, small.rhs, filter, pool),
                 "at small sizes", judged)) {
    if (judged.verdict != Verdict::Refuted || !small.mayDependOnSizes)
      return;
    // Sizes that were changed may be to blame.
    isProved = areProvedEqual(program, graph);
    if (!isProved) {
      judged.verdict = Verdict::Unknown;
      judged.reason += ", which may be due to the sizes, and there is no proof";
      return;
    }
    judged.reason.clear();
  }

  if (isUnstable(floats.check(program, graph), judged))
    return;
  if (isProved || areProvedEqual(program, graph)) {
    judged.verdict = Verdict::Proved;
    return;
  }
  RandomTestResult result = runRandomTests(program, graph, tests, pool);
  if (isRejected(result, "at full size", judged))
    return;
  if (result.getLog2Error() > -options.errorBits ||
      result.error.source == TestError::Source::AssumedIndependence) {
    judged.verdict = Verdict::Unknown;
    judged.reason = "there is no proof, and no bound for the error of tests";
    return;
  }
  judged.verdict = Verdict::Equivalent;
  judged.log2Error = result.getLog2Error();
}

bool mirage::search::verifyComposition(const MuGraph &program,
                                       const MuGraph &graph,
                                       const SearchOptions &options,
                                       WorkerPool &pool,
                                       JudgedCandidate &judged) {
  RandomTestOptions tests;
  tests.seed = options.seed;
  tests.errorBits = options.errorBits;
  // This only sorts compositions out.
  tests.minTests = 1;
  ShrunkPair small = shrinkPair(program, graph);
  RandomTestResult result = runRandomTests(small.lhs, small.rhs, tests, pool);
  // Sizes that were changed may be to blame.
  if (result.kind == RandomTestResult::Kind::Differ &&
      !small.mayDependOnSizes) {
    isRejected(result, "at small sizes", judged);
    return false;
  }
  if (isUnstable(checkFloatingPoint(program, graph, getFloatOptions(options)),
                 judged))
    return false;
  if (!areProvedEqual(program, graph))
    return false;
  judged.verdict = Verdict::Proved;
  return true;
}
