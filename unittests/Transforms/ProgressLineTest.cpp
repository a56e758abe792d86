//===- ProgressLineTest.cpp - What the line about a search says -----------===//
//
// The function's number, the best time and the seconds come first, and the line
// has less than 80 columns whatever the numbers and names are.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/DescribeProgress.h"
#include "Mirage/Transforms/ProgressLine.h"
#include "gtest/gtest.h"

using namespace mirage;

static search::SearchProgress getProgress() {
  search::SearchProgress progress;
  progress.phase = "verification";
  progress.done = 1;
  progress.total = 8;
  progress.candidates = 14;
  progress.statistics.generator.states = 48'210;
  progress.seconds = 22.13;
  return progress;
}

TEST(ProgressLine, SaysWhatCountsFirst) {
  SearchPlace place;
  place.function = "f";
  place.number = 2;
  place.total = 5;
  place.originalMicroseconds = 11.5;
  search::SearchProgress progress = getProgress();
  EXPECT_EQ(describe(place, progress),
            "2/5 @f: best 11.50/11.50 us, 22.1 s; verification 1/8, "
            "14 found, 48.2k states");
  progress.bestMicroseconds = 3.2;
  place.equal = 3;
  EXPECT_EQ(describe(place, progress),
            "2/5 @f: best 3.20/11.50 us, 22.1 s; verification 1/8, "
            "3 equal, 14 found");
  // What is slower than the function is not the best.
  progress.bestMicroseconds = 12;
  EXPECT_EQ(describe(place, progress).find("2/5 @f: best 11.50/"), 0u);
}

TEST(ProgressLine, FitsEightyColumns) {
  SearchPlace place;
  place.function = "the_quite_long_name_of_a_model_layer_12_part_3";
  place.number = 1234;
  place.total = 5678;
  place.equal = 0;
  place.originalMicroseconds = 123456.78;
  search::SearchProgress progress = getProgress();
  progress.phase = "piece 3/4: one kernel of several loops";
  progress.done = 123'456;
  progress.total = 200'000;
  progress.statistics.generator.states = 12'345'678'901;
  progress.seconds = 123456.7;
  std::string text = describe(place, progress);
  EXPECT_LT(text.size(), 80u);
  EXPECT_EQ(text, "1234/5678 @the_quite_l..r_12_part_3: best "
                  "123456.78/123456.78 us, 123456.7 s");
  place.total = place.number = 1;
  place.originalMicroseconds = 12.3;
  progress.seconds = 22.1;
  text = describe(place, progress);
  EXPECT_LT(text.size(), 80u);
  EXPECT_EQ(text.find("1/1 @the_quite_l"), 0u);
  place.function = "layer_part";
  progress.phase = "one kernel of several loops";
  EXPECT_EQ(describe(place, progress),
            "1/1 @layer_part: best 12.30/12.30 us, 22.1 s; one kernel of "
            "several loops");
}

TEST(ProgressLine, CountsLaunches) {
  EXPECT_EQ(describeTuning("f", 12, 80, 22.13),
            "12/80 launches, 22.1 s; one of @f");
  EXPECT_EQ(describeTuning("f", 12, 80, 22.13, 7),
            "12/80 launches, 22.1 s; 7 ways of one of @f");
  EXPECT_LT(describeTuning("the_quite_long_name_of_a_model_layer_12_part_3",
                           12345, 67890, 123456.7, 1234)
                .size(),
            80u);
}

TEST(ProgressLine, SomePhasesHaveNoParts) {
  SearchPlace place;
  place.function = "f";
  place.total = 1;
  place.originalMicroseconds = 11.5;
  search::SearchProgress progress = getProgress();
  progress.phase = "choice of kernels";
  progress.done = progress.total = 0;
  progress.candidates = progress.statistics.generator.states = 0;
  EXPECT_EQ(describe(place, progress),
            "1/1 @f: best 11.50/11.50 us, 22.1 s; choice of kernels");
}

TEST(ProgressLine, StagesAreShownWhereTheToolAsks) {
  std::string text;
  llvm::raw_string_ostream os(text);
  StageProgress silent("launches scheduled", 3);
  silent.next(100);
  EXPECT_EQ(text, "");
  StageProgress::setStream(&os);
  {
    StageProgress stage("launches scheduled", 3);
    stage.next(0.1);
    stage.next(6.25);
    // Another line is due after some seconds.
    stage.next(6.5);
    // What is lowered to be priced has no line beside this one.
    StageProgress inner("kernels to NVVM", 1);
    inner.next(100);
  }
  EXPECT_EQ(text, "2/3 launches scheduled, 6.2 s\n");
  {
    ProgressLine search(llvm::nulls());
    StageProgress inner("kernels to NVVM", 1);
    inner.next(100);
  }
  EXPECT_EQ(text, "2/3 launches scheduled, 6.2 s\n");
  StageProgress::setStream(nullptr);
}
