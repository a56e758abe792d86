//===- PadAxesTest.cpp - Rows that nothing divides, padded ----------------===//
//
// Padded views have sizes that tiles divide, compute what their programs do,
// and leave alone what takes elements of more than one index.
//
//===----------------------------------------------------------------------===//

#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Returns the view with padding, which must compute the same.
std::optional<ProgramView> padProgram(const MuGraph &program) {
  std::optional<ProgramView> view = padAxes(getWholeView(program));
  if (view) {
    EXPECT_TRUE(agree(program, applyView(program, *view, view->program)));
  }
  return view;
}

/// The shape of an argument of a view.
Shape getInput(const ProgramView &view, unsigned number) {
  return Shape(
      view.program.getShape(view.program.getRegion().arguments[number]));
}

MuGraph makeProduct(int64_t m, int64_t k, int64_t n) {
  ProgramBuilder b;
  return b.finish(b.matmul(b.input({m, k}), b.input({k, n})));
}

TEST(PadAxes, RowsAndColumnsOfProducts) {
  std::optional<ProgramView> view = padProgram(makeProduct(61, 8, 35));
  ASSERT_TRUE(view);
  // 35 columns would be 48, a third more.
  EXPECT_EQ(getInput(*view, 0), Shape({64, 8}));
  EXPECT_EQ(getInput(*view, 1), Shape({8, 35}));
  EXPECT_EQ(view->inputs[0].unpadded, Shape({61, 8}));
  EXPECT_TRUE(view->inputs[1].unpadded.empty());
  EXPECT_EQ(view->padded.front(), Shape({64, 35}));
}

TEST(PadAxes, LargestTilesThatAddLittle) {
  // A multiple of 16 stays. 1000 is 1024, 1033 is 1152, 197 is 224, 331 is 352,
  // 100 is 112, and 17 would be 32.
  for (auto [size, padded] : {std::pair(1000, 1024),
                              {1033, 1152},
                              {197, 224},
                              {331, 352},
                              {100, 112}}) {
    std::optional<ProgramView> view =
        padAxes(getWholeView(makeProduct(size, 8, 8)));
    ASSERT_TRUE(view) << size;
    EXPECT_EQ(getInput(*view, 0), Shape({padded, 8}));
  }
  for (int64_t size : {16, 48, 1008, 17, 3})
    EXPECT_FALSE(padAxes(getWholeView(makeProduct(size, 8, 8)))) << size;
}

TEST(PadAxes, KeysStayWhatTheyAre) {
  ProgramBuilder b;
  MuValue q = b.input({61, 4}), k = b.input({4, 61}), v = b.input({61, 4});
  MuGraph program = b.finish(b.matmul(b.softmax(b.matmul(q, k)), v));
  std::optional<ProgramView> view = padProgram(program);
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 0), Shape({64, 4}));
  EXPECT_EQ(getInput(*view, 1), Shape({4, 61}));
  EXPECT_EQ(getInput(*view, 2), Shape({61, 4}));
}

TEST(PadAxes, SumsAndNormsAlongRows) {
  // Rows of a product that are summed later, or normalized, are none.
  ProgramBuilder sum;
  MuValue x = sum.matmul(sum.input({61, 8}), sum.input({8, 16}));
  EXPECT_FALSE(padProgram(sum.finish(sum.reduce(x, 0))));
  ProgramBuilder norm;
  MuValue y = norm.matmul(norm.input({16, 8}), norm.input({8, 61}));
  EXPECT_FALSE(padProgram(norm.finish(norm.softmax(y))));
}

TEST(PadAxes, WhatIsNoProductStays) {
  ProgramBuilder b;
  MuGraph program = b.finish(b.reduce(b.input({61, 8}), 1));
  EXPECT_FALSE(padProgram(program));
}

TEST(PadAxes, DimensionsOfSeveralAxes) {
  auto make = [](Shape apart, Shape together) {
    ProgramBuilder b;
    OpAttributes attributes;
    attributes.resultShape = apart;
    MuValue x = b.op(OpKind::Reshape, {b.input(together)}, attributes);
    return b.finish(b.matmul(x, b.input({apart[0], 4, 8})));
  };
  // Rows that are the outer part of a dimension have their padding behind all
  // of it; those of a batch before them do not.
  EXPECT_FALSE(padProgram(make({2, 61, 4}, {122, 4})));
  ProgramBuilder b;
  OpAttributes attributes;
  attributes.resultShape = {61, 4};
  MuValue x = b.op(OpKind::Reshape, {b.input({244})}, attributes);
  std::optional<ProgramView> view =
      padProgram(b.finish(b.matmul(x, b.input({4, 8}))));
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 0), Shape({256}));
}

TEST(PadAxes, ParametersOfColumns) {
  // A bias has the padding of its columns.
  ProgramBuilder b;
  MuValue x = b.matmul(b.input({16, 8}), b.input({8, 61}));
  std::optional<ProgramView> view =
      padProgram(b.finish(b.add(x, b.input({1, 61}))));
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 2), Shape({1, 64}));
}

} // namespace
