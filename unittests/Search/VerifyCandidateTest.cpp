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

} // namespace
