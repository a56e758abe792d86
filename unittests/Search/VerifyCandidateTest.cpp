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

/// Where a deadline ends the runs of a composition in floating point, it is not
/// accepted, whatever its pieces are: their errors add up.
TEST(VerifyCandidate, CompositionsNeedFloats) {
  MuGraph program = makeMean(ReduceKind::Mean, {});
  MuGraph composed = makeMean(ReduceKind::Sum, {1 / 4096.0});
  Verdict pieces;
  pieces.equivalence = Equivalence::Proved;
  Verdict judged = pieces;
  EXPECT_TRUE(verifyComposition(program, composed, {}, Execution(), judged));
  EXPECT_TRUE(judged.isAccepted());
  WorkerPool pool(1);
  Execution ended(pool, [] { return true; });
  judged = pieces;
  EXPECT_FALSE(verifyComposition(program, composed, {}, ended, judged));
  EXPECT_FALSE(judged.isAccepted());
}

} // namespace
