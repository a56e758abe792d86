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

namespace {

/// The mean, or a sum times all factors, of rows of 4096.
MuGraph makeMean(ReduceKind kind, std::initializer_list<double> factors) {
  ProgramBuilder b;
  MuValue y = b.reduce(b.input({64, 4096}), 1, kind);
  for (double factor : factors)
    y = b.scale(y, factor);
  return b.finish(y);
}

Verdict judge(const MuGraph &candidate) {
  WorkerPool pool(1);
  FloatingPointChecker floats(getFloatOptions({}));
  JudgedCandidate judged;
  verifyCandidate(
      makeMean(ReduceKind::Mean, {}), candidate, {}, pool, floats,
      [] { return false; }, judged);
  return judged.verdict;
}

TEST(VerifyCandidate, ConstantsMayStandForSizes) {
  EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {1 / 4096.0})), Verdict::Proved);
  EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {1 / 64.0, 1 / 64.0})),
            Verdict::Proved);
  // Neither is a size, nor a root of one.
  EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {1 / 512.0, 1 / 8.0})),
            Verdict::Proved);
  // What differs at small sizes and has no proof may still be equal.
  EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {1 / 512.0, 1 / 4.0})),
            Verdict::Unknown);
  EXPECT_EQ(judge(makeMean(ReduceKind::Sum, {})), Verdict::Unknown);
}

} // namespace
