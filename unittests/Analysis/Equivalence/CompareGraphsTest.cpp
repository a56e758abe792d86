//===- CompareGraphsTest.cpp - The pipeline of all questions --------------===//
//
// What is wrong is refuted at sizes at which that takes no time, and answers
// that were cut are no answers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "../../GraphBuilder.h"
#include "gtest/gtest.h"
#include <array>

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

/// Layers of softmax(x w), each by itself or written by its definition, which
/// multiplies the last result of the layer by `factor`.
struct Layers : GraphBuilder {
  Layers(std::array<bool, 3> spelled, double factor = 1, unsigned wrong = 0) {
    MuValue x = argument({4, 8}), w = argument({8, 8});
    for (auto [number, isSpelled] : llvm::enumerate(spelled)) {
      MuValue scores = matmul(x, w);
      if (!isSpelled) {
        x = softmax(scores, 1);
      } else {
        MuValue e = exp(sub(scores, max(scores, 1)));
        x = div(e, sum(e, 1));
      }
      if (number == wrong && factor != 1)
        x = scale(x, factor);
    }
    results({x});
  }
};

/// The defaults, without proofs, which know all of these layers.
ComparisonPolicy getPolicyOfTests(bool compareParts) {
  ComparisonPolicy policy;
  policy.prove = false;
  policy.compareParts = compareParts;
  return policy;
}

TEST(CompareGraphs, ComparesPartsBetweenCommonValues) {
  Layers program({false, false, false}), candidate({true, false, true});
  // Exponentials follow exponentials.
  EXPECT_EQ(
      compareGraphs(program, candidate, getPolicyOfTests(false), Execution())
          .equivalence,
      Equivalence::Unknown);
  ComparisonPolicy policy = getPolicyOfTests(true);
  ComparisonAnswer answer =
      compareGraphs(program, candidate, policy, Execution());
  EXPECT_TRUE(answer.isAccepted());
  EXPECT_EQ(answer.equivalence, Equivalence::Equivalent);
  EXPECT_GE(answer.commonValues, 3u);
  // The errors of all parts together are no more than what was asked for.
  EXPECT_LE(answer.tests.getLog2Error(), -policy.tests.errorBits);
  // Nothing but parts that are equal node by node needs no tests.
  answer = compareGraphs(program, Layers({false, false, false}), policy,
                         Execution());
  EXPECT_EQ(answer.equivalence, Equivalence::Proved);
  EXPECT_TRUE(answer.isAccepted());
}

TEST(CompareGraphs, AcceptsNoPartThatDiffers) {
  ComparisonPolicy policy = getPolicyOfTests(true);
  Layers program({false, false, false});
  for (unsigned wrong : {0, 1, 2}) {
    Layers candidate({true, true, true}, /*factor=*/1.5, wrong);
    ComparisonAnswer answer =
        compareGraphs(program, candidate, policy, Execution());
    EXPECT_FALSE(answer.isEqual()) << "layer " << wrong;
    EXPECT_EQ(answer.commonValues, 0u);
  }
}

/// Both programs compute a value and its double, of which a cut at one alone
/// would make independent numbers.
TEST(CompareGraphs, CutsWhereBothProgramsGoBy) {
  struct Doubled : GraphBuilder {
    explicit Doubled(bool isLate) {
      MuValue x = argument({4, 8}), w = argument({8, 8});
      MuValue p = softmax(matmul(x, w), 1);
      MuValue twice = scale(p, 2);
      MuValue sums = isLate ? scale(matmul(p, w), 2) : matmul(twice, w);
      results({exp(sums), twice});
    }
  } early(false), late(true);
  ComparisonAnswer answer =
      compareGraphs(early, late, getPolicyOfTests(true), Execution());
  EXPECT_TRUE(answer.isAccepted());
  EXPECT_GT(answer.commonValues, 0u);
}

TEST(CompareGraphs, TestsTakeNoMoreThanThePolicySays) {
  Product f(256, 1), g(256, 1);
  ComparisonPolicy policy = getPolicyOfTests(/*compareParts=*/false);
  policy.testWork = 1e3;
  ComparisonAnswer answer = compareGraphs(f, g, policy, Execution());
  EXPECT_EQ(answer.equivalence, Equivalence::Unknown);
  EXPECT_NE(answer.reason.find("operations"), std::string::npos);
}

} // namespace
