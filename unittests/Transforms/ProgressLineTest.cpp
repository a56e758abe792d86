//===- ProgressLineTest.cpp - What the line about a search says -----------===//
//
// Every rule that has pruned is named, no other; the rate is that of the time
// in which states were generated.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/DescribeProgress.h"
#include "gtest/gtest.h"

using namespace mirage;

TEST(ProgressLine, NamesTheRulesThatPruned) {
  search::SearchProgress progress;
  progress.phase = "verification";
  progress.done = 1;
  progress.total = 8;
  progress.statistics.generator.states = 1000;
  progress.statistics.generator.prunedExpression = 1;
  progress.statistics.generator.prunedDeadEnd = 2;
  progress.statistics.generator.prunedOrder = 3;
  progress.statistics.generator.prunedMemory = 4;
  progress.statistics.prunedCost = 5;
  progress.statistics.tooLarge = 6;
  progress.seconds = 10;
  progress.generateSeconds = 2;
  EXPECT_EQ(
      describe({"f"}, progress),
      "1/1 @f: verification 1/8, 1000 states (500/s), pruned by expression 1, "
      "dead end 2, order 3, memory 4, cost 5, too large 6; 0 candidates, "
      "0 verified; 10.0 s");
  progress.statistics.generator.prunedRecomputation = 7;
  progress.statistics.generator.prunedSizes = 8;
  progress.statistics.prunedGrid = 9;
  std::string text = describe({"f"}, progress);
  EXPECT_NE(text.find("recomputation 7"), std::string::npos);
  EXPECT_NE(text.find("sizes 8"), std::string::npos);
  EXPECT_NE(text.find("grid 9"), std::string::npos);
}
