//===- VerifyCandidateTest.cpp - Verdicts on candidates -------------------===//
//
// Candidates with constants that stand for sizes, which are made smaller when
// candidates are sorted out.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/VerifyCandidate.h"
#include "Programs.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;
using equivalence::Equivalence;

namespace {

/// The mean, or a sum times all factors, of rows of 4096.
MuGraph makeMean(ReduceKind kind, std::initializer_list<double> factors) {
  ProgramBuilder b;
  MuValue y = b.reduce(b.input({64, 4096}), 1, kind);
  for (double factor : factors)
    y = b.scale(y, factor);
  return b.finish(y);
}

Equivalence judge(const MuGraph &candidate,
                  const equivalence::ComparisonPolicy &policy) {
  MuGraph program = makeMean(ReduceKind::Mean, {});
  return getVerdict(compareGraphs(program, candidate, policy, Execution()))
      .equivalence;
}

TEST(VerifyCandidate, ConstantsMayStandForSizes) {
  for (const auto &policy : {getSortingPolicy({}), getAcceptingPolicy({})}) {
    EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {1 / 4096.0}), policy),
              Equivalence::Proved);
    EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {1 / 64.0, 1 / 64.0}), policy),
              Equivalence::Proved);
    // Neither is a size, nor a root of one.
    EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {1 / 512.0, 1 / 8.0}), policy),
              Equivalence::Proved);
    // What differs at small sizes may still be equal, which these are not.
    EXPECT_NE(judge(makeMean(ReduceKind::Sum, {1 / 512.0, 1 / 4.0}), policy),
              Equivalence::Proved);
    EXPECT_NE(judge(makeMean(ReduceKind::Sum, {}), policy),
              Equivalence::Proved);
  }
}

/// Where a deadline ends the runs of a candidate in floating point, it is not
/// accepted, though it is proved.
TEST(VerifyCandidate, AcceptancesNeedFloats) {
  MuGraph program = makeMean(ReduceKind::Mean, {});
  MuGraph candidate = makeMean(ReduceKind::Sum, {1 / 4096.0});
  ComparisonPolicy policy = getAcceptingPolicy({});
  EXPECT_TRUE(getVerdict(compareGraphs(program, candidate, policy, Execution()))
                  .isAccepted());
  WorkerPool pool(1);
  Execution ended(pool, [] { return true; });
  EXPECT_FALSE(getVerdict(compareGraphs(program, candidate, policy, ended))
                   .isAccepted());
}

/// What a search returns has passed what mirage-verify-equivalence asks by
/// default.
TEST(VerifyCandidate, AcceptsByTheDefaults) {
  EXPECT_EQ(getAcceptingPolicy({}), ComparisonPolicy());
}

/// Compositions are asked the same, but that no inputs are looked for that show
/// in floating point what tests say.
TEST(VerifyCandidate, CompositionsNeedNoExamples) {
  ComparisonPolicy composing = getComposingPolicy({});
  MuGraph program = makeMean(ReduceKind::Mean, {}),
          wrong = makeMean(ReduceKind::Sum, {});
  for (bool findExamples : {false, true}) {
    ComparisonPolicy policy = composing;
    policy.findExamples = findExamples;
    EXPECT_EQ(policy == getAcceptingPolicy({}), findExamples);
    ComparisonAnswer answer =
        compareGraphs(program, wrong, policy, Execution());
    EXPECT_EQ(answer.equivalence, Equivalence::Refuted);
    EXPECT_EQ(answer.floatDifference.has_value(), findExamples);
  }
}

/// The error function is one of which tests know no law, so that floats alone
/// show that a factor in front of it is another program.
TEST(VerifyCandidate, ExamplesTellDifferencesFromUnknownLaws) {
  auto make = [](double factor) {
    ProgramBuilder b;
    return b.finish(b.op(OpKind::Erf, {b.scale(b.input({8, 8}), factor)}));
  };
  ComparisonPolicy policy = getComposingPolicy({});
  ComparisonAnswer answer =
      compareGraphs(make(1), make(2), policy, Execution());
  EXPECT_EQ(answer.equivalence, Equivalence::Unknown);
  EXPECT_EQ(answer.reason,
            "the results differ by the laws that are known of erf");
  policy.findExamples = true;
  EXPECT_EQ(compareGraphs(make(1), make(2), policy, Execution()).equivalence,
            Equivalence::Refuted);
}

} // namespace
