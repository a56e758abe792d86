//===- SortCandidatesTest.cpp - Candidates that are one choice ------------===//
//
// Candidates of the same grids and loops that take about as long differ in the
// order of operators only, and count as one.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/SortCandidates.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

static JudgedCandidate makeCandidate(double microseconds,
                                     std::vector<LaunchSizes> sizes) {
  JudgedCandidate candidate;
  candidate.microseconds = microseconds;
  candidate.sizes = std::move(sizes);
  return candidate;
}

static LaunchSizes makeSizes(std::initializer_list<int64_t> grid,
                             std::initializer_list<int64_t> loops) {
  LaunchSizes sizes;
  sizes.grid.assign(grid);
  sizes.loops.assign(loops);
  return sizes;
}

TEST(AlikeCandidates, HaveTheSameGridsAndLoops) {
  JudgedCandidate one = makeCandidate(10, {makeSizes({16, 4}, {8})});
  // The order of dimensions, and those of one block or iteration, divide
  // nothing.
  EXPECT_TRUE(areAlike(one, makeCandidate(10, {makeSizes({4, 16}, {8})})));
  EXPECT_TRUE(
      areAlike(one, makeCandidate(10, {makeSizes({1, 16, 4}, {1, 8})})));
  EXPECT_FALSE(areAlike(one, makeCandidate(10, {makeSizes({16, 8}, {8})})));
  EXPECT_FALSE(areAlike(one, makeCandidate(10, {makeSizes({16, 4}, {4})})));
  EXPECT_FALSE(areAlike(one, makeCandidate(10, {makeSizes({64}, {8})})));
}

TEST(AlikeCandidates, HaveAsManyLaunches) {
  JudgedCandidate pair =
      makeCandidate(10, {makeSizes({16, 4}, {8}), makeSizes({32}, {})});
  EXPECT_TRUE(areAlike(pair, pair));
  EXPECT_FALSE(areAlike(pair, makeCandidate(10, {makeSizes({16, 4}, {8})})));
  // The launches are in their order.
  EXPECT_FALSE(areAlike(
      pair, makeCandidate(10, {makeSizes({32}, {}), makeSizes({16, 4}, {8})})));
}

TEST(AlikeCandidates, TakeAboutAsLong) {
  JudgedCandidate one = makeCandidate(10, {makeSizes({16}, {8})});
  JudgedCandidate near = makeCandidate(10.09, {makeSizes({16}, {8})});
  JudgedCandidate far = makeCandidate(10.2, {makeSizes({16}, {8})});
  EXPECT_TRUE(areAlike(one, near));
  EXPECT_TRUE(areAlike(near, one));
  EXPECT_FALSE(areAlike(one, far));
  EXPECT_FALSE(areAlike(far, one));
}
