//===- NeededElementsTest.cpp - What a program needs of its arguments -----===//
//
// Slices of an argument are what a program needs of it, where nothing else
// reads it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/NeededElements.h"
#include "../Programs.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

using Counts = llvm::SmallVector<int64_t>;

TEST(NeededElements, ArgumentsWithoutSlicesAreNeededWhole) {
  ProgramBuilder b;
  MuValue x = b.input({4, 8}), w = b.input({8, 16});
  EXPECT_EQ(countNeededElements(b.finish(b.exp(b.matmul(x, w)))),
            Counts({32, 128}));
}

TEST(NeededElements, SlicesOfArgumentsAddUp) {
  ProgramBuilder b;
  MuValue x = b.input({4, 8}), w = b.input({8, 16});
  MuValue first = b.matmul(x, b.slice(w, {0, 0}, {8, 4}, {1, 1}));
  MuValue second = b.matmul(x, b.slice(w, {0, 8}, {8, 4}, {1, 1}));
  EXPECT_EQ(countNeededElements(b.finish(b.mul(first, second))),
            Counts({32, 64}));
}

TEST(NeededElements, SlicesThatOverlapDoNotAddUp) {
  ProgramBuilder b;
  MuValue w = b.input({8, 16});
  MuValue first = b.slice(w, {0, 0}, {8, 8}, {1, 1});
  MuValue second = b.slice(w, {0, 4}, {8, 8}, {1, 1});
  EXPECT_EQ(countNeededElements(b.finish(b.mul(first, second))), Counts({64}));
}

TEST(NeededElements, SlicesOfViewsAreSlices) {
  ProgramBuilder b;
  MuValue w = b.reshape(b.input({8, 16}), {2, 4, 16});
  EXPECT_EQ(countNeededElements(
                b.finish(b.exp(b.slice(w, {1, 0, 0}, {1, 4, 16}, {1, 1, 1})))),
            Counts({64}));
}

TEST(NeededElements, WhatIsAlsoReadWholeIsNeededWhole) {
  ProgramBuilder b;
  MuValue w = b.input({8, 16});
  MuValue part = b.slice(w, {0, 0}, {8, 4}, {1, 1});
  EXPECT_EQ(countNeededElements(
                b.finish(llvm::SmallVector<MuValue>{b.exp(part), b.exp(w)})),
            Counts({128}));
}

/// What a slice of something computed depends on is not known: nothing is
/// needed for sure.
TEST(NeededElements, SlicesOfResultsSayNothingOfOperands) {
  ProgramBuilder b;
  MuValue x = b.input({4, 8}), w = b.input({8, 16});
  MuValue part = b.slice(b.matmul(x, w), {0, 0}, {4, 4}, {1, 1});
  EXPECT_EQ(countNeededElements(b.finish(b.exp(part))), Counts({0, 0}));
}

} // namespace
