//===- CompareGraphsTest.cpp - The pipeline of all questions --------------===//
//
// What is wrong is refuted at sizes at which that takes no time, and answers
// that were cut are no answers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "../../GraphBuilder.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

/// A product of two square matrices, times a number.
struct Product : GraphBuilder {
  Product(int64_t size, double factor) {
    MuValue x = argument({size, size}), w = argument({size, size});
    results({scale(matmul(x, w), factor)});
  }
};

TEST(CompareGraphs, RefutesLargeProgramsAtSmallSizes) {
  // 0.375 may be what it is because of a size, so that the sums keep theirs.
  Product f(8192, 1), g(8192, 0.375);
  ComparisonAnswer answer = compareGraphs(f, g, {}, Execution());
  EXPECT_EQ(answer.equivalence, Equivalence::Refuted);
  EXPECT_TRUE(answer.isAtSmallSizes);
  ASSERT_TRUE(answer.tests.difference);
  EXPECT_LT(answer.tests.difference->index[0], 8);
}

TEST(CompareGraphs, RefutesSmallProgramsAtTheirOwn) {
  Product f(16, 1), g(16, 0.375);
  ComparisonAnswer answer = compareGraphs(f, g, {}, Execution());
  EXPECT_EQ(answer.equivalence, Equivalence::Refuted);
  EXPECT_FALSE(answer.isAtSmallSizes);
}

TEST(CompareGraphs, AcceptsNothingThatWasCut) {
  Product f(64, 1);
  WorkerPool pool(2);
  Execution over(pool, [] { return true; });
  EXPECT_TRUE(compareGraphs(f, f, {}, Execution()).isAccepted());
  // The proof is there, but not what floating point says.
  ComparisonAnswer answer = compareGraphs(f, f, {}, over);
  EXPECT_FALSE(answer.isAccepted());
  EXPECT_FALSE(answer.floats.undecided.empty());
}

TEST(CompareGraphs, TestsTakeNoMoreThanThePolicySays) {
  Product f(256, 1), g(256, 1);
  ComparisonPolicy policy;
  policy.prove = false;
  policy.testWork = 1e3;
  ComparisonAnswer answer = compareGraphs(f, g, policy, Execution());
  EXPECT_EQ(answer.equivalence, Equivalence::Unknown);
  EXPECT_NE(answer.reason.find("operations"), std::string::npos);
}

} // namespace
