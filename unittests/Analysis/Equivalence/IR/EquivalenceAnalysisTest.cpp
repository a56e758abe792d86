//===- EquivalenceAnalysisTest.cpp - The analysis as passes use it --------===//
//
// Answers are kept while the module does not change, and depend on options.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/IR/EquivalenceAnalysis.h"
#include "../../../Interpreter/TestSupport.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {

constexpr const char *kProgram = R"(
func.func @f(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %0 = mirage_kernel.add %x, %x : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = mirage_kernel.reduce sum %0 dim(1) : (tensor<4x6xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4xf32>
}
func.func @g(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %s = mirage_kernel.reduce sum %x dim(1) : (tensor<4x6xf32>) -> tensor<4xf32>
  %1 = mirage_kernel.scale %s by 2.0 : (tensor<4xf32>) -> tensor<4xf32>
  %0 = mirage_kernel.scale %x by 2.0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4xf32>
}
func.func @h(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %0 = mirage_kernel.scale %x by 2.0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = mirage_kernel.reduce sum %x dim(1) : (tensor<4x6xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4x6xf32>, tensor<4xf32>
}
)";

class EquivalenceAnalysisTest : public ::testing::Test {
protected:
  EquivalenceAnalysisTest()
      : program(kProgram), analysis(program.find("f")->getParentOp()) {}

  const EquivalenceAnswer &compare(llvm::StringRef lhs, llvm::StringRef rhs,
                                   const EquivalenceOptions &options = {}) {
    return analysis.compare(program.find(lhs), program.find(rhs), options);
  }

  TestProgram program;
  EquivalenceAnalysis analysis;
};

TEST_F(EquivalenceAnalysisTest, KeepsAnswers) {
  const EquivalenceAnswer &first = compare("f", "g");
  EXPECT_EQ(first.equivalence, Equivalence::Proved);
  EXPECT_TRUE(first.isAccepted());
  // Nine kinds of inputs, two results.
  EXPECT_EQ(first.floats.errors.size(), 18u);
  EXPECT_EQ(&compare("f", "g"), &first);
  EXPECT_NE(&compare("g", "f"), &first);
}

TEST_F(EquivalenceAnalysisTest, AnswersDependOnOptions) {
  EquivalenceOptions tests;
  tests.policy.prove = false;
  tests.policy.checkFloats = false;
  const EquivalenceAnswer &answer = compare("f", "g", tests);
  EXPECT_EQ(answer.equivalence, Equivalence::Equivalent);
  EXPECT_LE(answer.tests.getLog2Error(), -40);
  EXPECT_TRUE(answer.floats.errors.empty());
  tests.policy.tests.errorBits = 90;
  EXPECT_LE(compare("f", "g", tests).tests.getLog2Error(), -90);
  const EquivalenceAnswer &full = compare("f", "g", tests);
  tests.policy.shrink = true;
  EXPECT_NE(&compare("f", "g", tests), &full);
  EXPECT_EQ(compare("f", "g", tests).equivalence, Equivalence::Equivalent);
}

TEST_F(EquivalenceAnalysisTest, RefutesOneOfTwoResults) {
  const EquivalenceAnswer &answer = compare("f", "h");
  EXPECT_EQ(answer.equivalence, Equivalence::Refuted);
  EXPECT_FALSE(answer.isAccepted());
  ASSERT_TRUE(answer.tests.difference && answer.floatDifference);
  EXPECT_EQ(answer.tests.difference->result, 1u);
  EXPECT_EQ(answer.tests.difference->index, Shape{0});
  EXPECT_EQ(answer.floatDifference->result, 1u);
  EXPECT_FALSE(answer.whyNotProved.empty());
}

} // namespace
