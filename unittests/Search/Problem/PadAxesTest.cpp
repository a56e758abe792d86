//===- PadAxesTest.cpp - Rows that nothing divides, padded ----------------===//
//
// Padded views have sizes that tiles divide, compute what their programs do,
// and leave alone what takes elements of more than one index.
//
//===----------------------------------------------------------------------===//

#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/Interpreter/RunMuGraph.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "gtest/gtest.h"
#include <cmath>
#include <limits>
#include <random>

using namespace mirage;
using namespace mirage::search;

namespace {

/// Returns the view with padding, which must compute the same.
std::optional<ProgramView> padProgram(const MuGraph &program) {
  std::optional<ProgramView> view = padAxes(getWholeView(program), program);
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

TEST(PadAxes, RowsThatAreStoredAsTwoDimensions) {
  ProgramBuilder b;
  MuValue x = b.reshape(b.input({2, 98, 8}), {196, 8});
  MuValue product = b.matmul(x, b.input({8, 32}));
  std::optional<ProgramView> view =
      padProgram(b.finish(b.reshape(product, {2, 98, 32})));
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 0), Shape({224, 8}));
  EXPECT_EQ(view->inputs[0].unpadded, Shape({196, 8}));
  EXPECT_EQ(view->unpadded.front(), Shape({196, 32}));
  EXPECT_EQ(view->padded.front(), Shape({224, 32}));
}

TEST(PadAxes, LargestTilesThatAddLittle) {
  // A multiple of 64 stays. 1000 is 1024, 1033 is 1152, 197 is 224, 331 is 352,
  // 100 is 112, and 17 and 9 fill the columns of an instruction. Of multiples
  // of 16, 2272 is 2304 and 400 is 448, which have tiles of 64 rows.
  for (auto [size, padded] : {std::pair(1000, 1024),
                              {1033, 1152},
                              {197, 224},
                              {331, 352},
                              {100, 112},
                              {17, 24},
                              {9, 16},
                              {2272, 2304},
                              {1008, 1024},
                              {400, 448}}) {
    MuGraph product = makeProduct(size, 8, 8);
    std::optional<ProgramView> view = padAxes(getWholeView(product), product);
    ASSERT_TRUE(view) << size;
    EXPECT_EQ(getInput(*view, 0), Shape({padded, 8}));
  }
  for (int64_t size : {16, 48, 208, 1600, 24, 8, 3})
    EXPECT_FALSE(padProgram(makeProduct(size, 8, 8))) << size;
}

/// Returns the largest difference of the first results of two programs on
/// random inputs.
double getDifference(const MuGraph &a, const MuGraph &b) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  std::vector<TensorValue> inputs;
  for (MuValue argument : a.getRegion().arguments) {
    Tensor<double> tensor{Shape(a.getShape(argument))};
    tensor.data.resize(elementCount(tensor.shape));
    for (double &number : tensor.data)
      number = normal(generator);
    inputs.push_back({a.getValue(argument).type, std::move(tensor)});
  }
  auto run = [&](const MuGraph &graph) {
    return runMuGraph(graph, inputs, Precision::F64).front().values();
  };
  double largest = 0;
  for (auto [x, y] : llvm::zip_equal(run(a), run(b)))
    largest = std::isfinite(x) && std::isfinite(y)
                  ? std::max(largest, std::fabs(x - y))
                  : std::numeric_limits<double>::infinity();
  return largest;
}

TEST(PadAxes, KeysAreHidden) {
  // 61 queries and 61 keys; values are zero behind these.
  ProgramBuilder b;
  MuValue q = b.input({61, 4}), k = b.input({61, 4}), v = b.input({61, 4});
  MuValue scores = b.matmul(q, b.transpose(k));
  MuGraph program = b.finish(b.matmul(b.softmax(scores), v));
  std::optional<ProgramView> view = padAxes(getWholeView(program), program);
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 0), Shape({64, 4}));
  EXPECT_EQ(getInput(*view, 1), Shape({64, 4}));
  EXPECT_EQ(getInput(*view, 2), Shape({64, 4}));
  EXPECT_EQ(getInput(*view, 3), Shape({1, 64}));
  ASSERT_TRUE(view->before);
  EXPECT_LE(getDifference(program, applyView(program, *view, view->program)),
            1e-12);
}

TEST(PadAxes, WhatIsContractedIsZeroBehindTheEnd) {
  // The 60 columns of one product are the rows of the next one: zeros stay
  // zeros in a SiLU, and become 1/2 in a sigmoid.
  auto make = [](OpKind op) {
    ProgramBuilder b;
    MuValue x = b.matmul(b.input({16, 8}), b.input({8, 60}));
    return b.finish(b.matmul(b.op(op, {x}), b.input({60, 32})));
  };
  MuGraph silu = make(OpKind::Silu);
  std::optional<ProgramView> view = padAxes(getWholeView(silu), silu);
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 1), Shape({8, 64}));
  EXPECT_EQ(getInput(*view, 2), Shape({64, 32}));
  EXPECT_LE(getDifference(silu, applyView(silu, *view, view->program)), 1e-12);
  // The other factor is zero there, too.
  MuGraph sigmoid = make(OpKind::Sigmoid);
  view = padAxes(getWholeView(sigmoid), sigmoid);
  ASSERT_TRUE(view);
  EXPECT_LE(getDifference(sigmoid, applyView(sigmoid, *view, view->program)),
            1e-12);
  // An exponential is summed, and is one there.
  ProgramBuilder b;
  MuValue x = b.matmul(b.input({16, 8}), b.input({8, 60}));
  EXPECT_FALSE(padProgram(b.finish(b.reduce(b.op(OpKind::Exp, {x}), 1))));
}

TEST(PadAxes, SumsAndNormsAlongRows) {
  // Rows of a product may be summed, as those behind the end are zero; a mean
  // or a maximum would see these.
  for (auto [kind, isPadded] : {std::pair(ReduceKind::Sum, true),
                                {ReduceKind::Mean, false},
                                {ReduceKind::Max, false}}) {
    ProgramBuilder b;
    MuValue x = b.matmul(b.input({61, 8}), b.input({8, 16}));
    EXPECT_EQ(padProgram(b.finish(b.reduce(x, 0, kind))).has_value(), isPadded);
  }
}

TEST(PadAxes, WhatIsNoProductStays) {
  ProgramBuilder b;
  MuGraph program = b.finish(b.reduce(b.input({61, 8}), 1));
  EXPECT_FALSE(padProgram(program));
}

TEST(PadAxes, DimensionsOfSeveralAxes) {
  // What is stored as {together} has an operator before it is {apart}.
  auto make = [](Shape apart, Shape together) {
    ProgramBuilder b;
    OpAttributes attributes;
    attributes.resultShape = apart;
    MuValue x = b.op(OpKind::Relu, {b.input(together)});
    x = b.op(OpKind::Reshape, {x}, attributes);
    Shape weight(apart);
    weight.end()[-2] = apart.back();
    weight.back() = 8;
    return b.finish(b.matmul(x, b.input(weight)));
  };
  // Rows that are the outer part of a dimension have their padding behind all
  // of it; those of a batch before them do not.
  EXPECT_FALSE(padProgram(make({2, 61, 4}, {122, 4})));
  std::optional<ProgramView> view = padProgram(make({61, 4}, {244}));
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 0), Shape({256}));
}

TEST(PadAxes, ViewsOfPaddedViews) {
  // Results in parts, and slices of inputs, of padded rows.
  ProgramBuilder b;
  MuValue x = b.input({61, 16});
  OpAttributes concat;
  concat.dim = 1;
  MuValue left = b.matmul(b.half(x, false), b.input({8, 32})),
          right = b.matmul(b.half(x, true), b.input({8, 32}));
  MuGraph program = b.finish(b.op(OpKind::Concat, {left, right}, concat));
  std::optional<ProgramView> view = padAxes(getWholeView(program), program);
  ASSERT_TRUE(view);
  std::optional<ProgramView> parts = separateParts(peelReshapes(*view));
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->program.getRegion().results.size(), 2u);
  EXPECT_TRUE(agree(program, applyView(program, *parts, parts->program)));
}

TEST(PadAxes, RowsThatBeginAnywhereStay) {
  // Rows of 61 numbers of 4 bytes are copied to others that are aligned.
  EXPECT_FALSE(padProgram(makeProduct(16, 8, 61)));
  EXPECT_TRUE(padProgram(makeProduct(16, 8, 60)));
}

TEST(PadAxes, ParametersOfColumns) {
  // A bias has the padding of its columns.
  ProgramBuilder b;
  MuValue x = b.matmul(b.input({16, 8}), b.input({8, 60}));
  std::optional<ProgramView> view =
      padProgram(b.finish(b.add(x, b.input({1, 60}))));
  ASSERT_TRUE(view);
  EXPECT_EQ(getInput(*view, 2), Shape({1, 64}));
}

} // namespace
