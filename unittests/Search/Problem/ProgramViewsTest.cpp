//===- ProgramViewsTest.cpp - Views compute what their programs do --------===//
//
// Each view of a program, put back into the program, computes the same, as
// random tests over finite fields tell; and the views have no operators that
// they are there to avoid.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Problem/ProgramViews.h"
#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

namespace {

unsigned count(const MuGraph &graph, OpKind kind) {
  return llvm::count_if(graph.getRegion().nodes, [&](unsigned number) {
    return graph.getNode(number).op == kind;
  });
}

MuValue reshape(ProgramBuilder &b, MuValue x, Shape shape) {
  OpAttributes a;
  a.resultShape = std::move(shape);
  return b.op(OpKind::Reshape, {x}, a);
}

/// Writes heads [kv] as [kv * g], as PyTorch's repeat_interleave and expand do.
MuValue repeat(ProgramBuilder &b, MuValue x, Shape shape, int64_t times) {
  Shape apart = {shape[0], shape[1], 1, shape[2], shape[3]};
  MuValue y = reshape(b, x, apart);
  OpAttributes a;
  apart[2] = times;
  a.resultShape = apart;
  y = b.op(OpKind::Broadcast, {y}, a);
  return reshape(b, y, {shape[0], shape[1] * times, shape[2], shape[3]});
}

struct Sizes {
  int64_t batch, heads, repeats, rows, keys, width;
};

enum class Around {
  Nothing,
  Mask,
  TransposedMask,
  HeadMask,
  KeyScale,
  Transposed,
  Sliced
};

/// Makes attention, and beside it `others` functions of matrices whose
/// dimensions are axes of their own.
MuGraph makeAttention(const Sizes &s, Around around, unsigned others = 0) {
  ProgramBuilder b;
  llvm::SmallVector<MuValue> results;
  for (unsigned i = 0; i < others; ++i)
    results.push_back(b.op(OpKind::Silu, {b.input({2, 3})}));
  int64_t all = s.heads * s.repeats;
  MuValue q = b.input({s.batch, all, s.rows, s.width});
  Shape shape = {s.batch, s.heads, s.keys, s.width};
  MuValue k = b.input(shape), v = b.input(shape);
  if (around == Around::KeyScale)
    k = b.op(OpKind::Silu, {k});
  k = repeat(b, k, shape, s.repeats);
  v = repeat(b, v, shape, s.repeats);
  if (around == Around::KeyScale)
    k = b.scale(k, 3);
  if (around == Around::Sliced) {
    OpAttributes a;
    a.offsets = {0, 0, 0, 0};
    a.sizes = {s.batch, all, s.keys, s.width / 2};
    a.strides = {1, 1, 1, 1};
    k = b.op(OpKind::Slice, {k}, a);
    a.sizes[2] = s.rows;
    q = b.op(OpKind::Slice, {q}, a);
  }
  MuValue scores;
  if (around == Around::Transposed) {
    OpAttributes a;
    a.permutation = {0, 1, 3, 2};
    scores = b.matmul(q, b.op(OpKind::Transpose, {k}, a));
  } else {
    scores = b.matmul(q, k, false, true);
  }
  if (around == Around::Mask)
    scores = b.add(scores, b.input({s.batch, 1, s.rows, s.keys}));
  if (around == Around::TransposedMask) {
    OpAttributes a;
    a.permutation = {0, 1, 3, 2};
    MuValue mask = b.input({s.batch, 1, s.keys, s.rows});
    scores = b.add(scores, b.op(OpKind::Transpose, {mask}, a));
  }
  if (around == Around::HeadMask)
    scores = b.add(scores, b.input({1, all, s.rows, s.keys}));
  OpAttributes a;
  a.dim = 3;
  MuValue p = b.op(OpKind::Softmax, {scores}, a);
  OpAttributes order;
  order.permutation = {0, 2, 1, 3};
  MuValue result = b.op(OpKind::Transpose, {b.matmul(p, v)}, order);
  results.push_back(reshape(b, result, {s.batch, s.rows, all * s.width}));
  return b.finish(results);
}

TEST(ProgramViews, HeadsAreNotRepeated) {
  // There may also be one head for all queries, and one query.
  for (const Sizes &s : {Sizes{2, 3, 5, 4, 7, 6}, Sizes{1, 1, 4, 3, 5, 2},
                         Sizes{2, 2, 3, 1, 5, 4}, Sizes{1, 2, 2, 2, 2, 2}})
    for (Around around : {Around::Nothing, Around::Mask, Around::TransposedMask,
                          Around::HeadMask, Around::KeyScale,
                          Around::Transposed, Around::Sliced}) {
      MuGraph program = makeAttention(s, around);
      std::optional<ProgramView> view = removeRepeats(getWholeView(program));
      ASSERT_TRUE(view) << toString(program);
      EXPECT_TRUE(agree(program, applyView(program, *view, view->program)))
          << toString(program) << toString(view->program);
      if (around != Around::Sliced) {
        EXPECT_EQ(count(view->program, OpKind::Broadcast), 0u)
            << toString(view->program);
      }
      ProgramView peeled = peelReshapes(*view);
      EXPECT_TRUE(agree(program, applyView(program, peeled, peeled.program)));
    }
}

TEST(ProgramViews, HeadsAreNotRepeatedBesideManyAxes) {
  MuGraph program =
      makeAttention({2, 3, 5, 4, 7, 6}, Around::Mask, /*others=*/40);
  std::optional<ProgramView> view = removeRepeats(getWholeView(program));
  ASSERT_TRUE(view);
  EXPECT_TRUE(agree(program, applyView(program, *view, view->program)));
  EXPECT_EQ(count(view->program, OpKind::Broadcast), 0u)
      << toString(view->program);
}

/// Whatever operators are kept, in any order: what is left makes the program
/// when it is put back.
TEST(ProgramViews, EdgesAreWhatTheyWere) {
  std::mt19937 engine(3);
  unsigned cut = 0;
  for (const Goal &goal : kGoals) {
    MuGraph program = goal.make({4, 6, 10, 14, 22});
    for (unsigned round = 0; round < 8; ++round) {
      llvm::SmallVector<unsigned> kept;
      for (unsigned number : program.getRegion().nodes)
        if (engine() % 4 == 0)
          kept.push_back(number);
      std::optional<ProgramView> view = cutEdges(program, kept);
      if (!view)
        continue;
      ++cut;
      for (unsigned number : view->program.getRegion().nodes)
        EXPECT_FALSE(llvm::any_of(kept, [&](unsigned node) {
          return program.getNode(node).op == view->program.getNode(number).op &&
                 count(program, program.getNode(node).op) == 1 &&
                 program.getNode(node).op != OpKind::Constant;
        })) << goal.name;
      EXPECT_TRUE(agree(program, applyView(program, *view, view->program)))
          << goal.name << "\n"
          << toString(program) << toString(view->program);
    }
  }
  EXPECT_GT(cut, 50u);
}

TEST(ProgramViews, WhatHasNoFormStaysAround) {
  ProgramBuilder b;
  MuValue x = b.input({4, 15}), w = b.input({8, 6});
  OpAttributes slice, pad;
  slice.offsets = {0, 7};
  slice.sizes = {4, 8};
  slice.strides = {1, 1};
  pad.offsets = {0, 1};
  pad.sizes = {0, 1};
  MuValue half = b.op(OpKind::Slice, {x}, slice);
  MuValue y = b.exp(b.matmul(b.silu(half), w));
  MuGraph program = b.finish({b.op(OpKind::Pad, {y}, pad), half});
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task) << reason;
  const ProgramView &view = task->views.front().view;
  EXPECT_EQ(count(view.program, OpKind::Slice), 0u);
  EXPECT_EQ(count(view.program, OpKind::Pad), 0u);
  EXPECT_EQ(count(view.program, OpKind::Matmul), 1u);
  EXPECT_EQ(count(view.program, OpKind::Exp), 1u);
  EXPECT_EQ(count(view.program, OpKind::Silu), 1u);
  ASSERT_TRUE(view.before && view.after);
  EXPECT_EQ(count(*view.before, OpKind::Slice), 1u);
  EXPECT_EQ(count(*view.after, OpKind::Pad), 1u);
  EXPECT_TRUE(agree(program, applyView(program, view, view.program)));
}

TEST(ProgramViews, EqualPartsArePlacesOfAnAxis) {
  ProgramBuilder b;
  MuValue x = b.input({4, 16});
  OpAttributes split;
  split.dim = 1;
  split.parts = 4;
  b.addOperator(0, OpKind::Split, split, {x}, ElementType::f32);
  auto parts = b.getNode(b.getNumNodes() - 1).results;
  MuGraph program =
      b.finish(b.add(b.mul(parts[0], parts[3]), b.half(b.half(x, true), true)));
  std::optional<ProgramView> view = splitSlices(getWholeView(program));
  ASSERT_TRUE(view);
  EXPECT_EQ(count(view->program, OpKind::Split), 0u);
  for (unsigned number : view->program.getRegion().nodes)
    if (const MuNode &node = view->program.getNode(number);
        node.op == OpKind::Slice) {
      EXPECT_EQ(view->program.getShape(node.results[0])[1], 1);
    }
  EXPECT_TRUE(agree(program, applyView(program, *view, view->program)));
}

TEST(ProgramViews, TwoBatchDimensionsAreOne) {
  auto build = [](Shape mask, llvm::SmallVector<int64_t> order) {
    ProgramBuilder b;
    MuValue q = b.input({2, 3, 4, 6}), k = b.input({2, 3, 5, 6});
    MuValue v = b.input({2, 3, 5, 6});
    OpAttributes rows, transpose;
    rows.dim = 3;
    transpose.permutation = std::move(order);
    MuValue scores = b.add(b.matmul(q, k, false, true), b.input(mask));
    MuValue p = b.op(OpKind::Softmax, {scores}, rows);
    return b.finish({b.op(OpKind::Transpose, {b.matmul(p, v)}, transpose)});
  };
  MuGraph program = build({1, 1, 4, 5}, {0, 1, 3, 2});
  std::optional<ProgramView> view = joinAxes(getWholeView(program));
  ASSERT_TRUE(view);
  for (MuValue value = 0; value < view->program.getNumValues(); ++value)
    EXPECT_EQ(view->program.getShape(value).size(), 3U);
  EXPECT_TRUE(agree(program, applyView(program, *view, view->program)));
  EXPECT_FALSE(joinAxes(*view));
  // Here operators tell the dimensions apart.
  for (const MuGraph &other :
       {build({2, 1, 4, 5}, {0, 1, 3, 2}), build({1, 1, 4, 5}, {0, 2, 1, 3})})
    EXPECT_FALSE(joinAxes(getWholeView(other)));
}

TEST(ProgramViews, HeadsAndQueriesThatShareKeysAreRows) {
  auto build = [](Shape queries, Shape keys, std::optional<Shape> mask) {
    ProgramBuilder b;
    MuValue q = b.input(queries), k = b.input(keys), v = b.input(keys);
    OpAttributes rows;
    rows.dim = 3;
    MuValue scores = b.matmul(q, k, false, true);
    if (mask)
      scores = b.add(scores, b.input(*mask));
    return b.finish(b.matmul(b.op(OpKind::Softmax, {scores}, rows), v));
  };
  auto join = [&](const MuGraph &program) -> std::optional<Shape> {
    std::optional<ProgramView> view = joinAxes(getWholeView(program));
    if (!view)
      return std::nullopt;
    EXPECT_TRUE(agree(program, applyView(program, *view, view->program)));
    return Shape(
        view->program.getShape(view->program.getRegion().arguments[0]));
  };
  EXPECT_EQ(join(build({2, 3, 4, 6}, {2, 1, 5, 6}, {})), Shape({2, 12, 6}));
  // One query of each head is a row as well, with a mask for all of them, too.
  EXPECT_EQ(join(build({1, 3, 1, 6}, {1, 1, 5, 6}, {})), Shape({1, 3, 6}));
  EXPECT_EQ(join(build({1, 3, 1, 6}, {1, 1, 5, 6}, Shape{1, 1, 1, 5})),
            Shape({1, 3, 6}));
  // A mask tells the queries from the heads, and heads with keys of their own
  // are matrices.
  EXPECT_FALSE(join(build({1, 3, 4, 6}, {1, 1, 5, 6}, Shape{1, 1, 4, 5})));
  EXPECT_FALSE(join(build({1, 3, 4, 6}, {1, 3, 5, 6}, {})));
  // The rows of one query are those that are padded.
  std::string reason;
  std::optional<unsigned> location;
  std::optional<SearchTask> task = SearchTask::create(
      build({1, 71, 1, 64}, {1, 1, 64, 64}, {}), reason, location);
  ASSERT_TRUE(task);
  EXPECT_TRUE(llvm::any_of(task->views, [](const SearchTask::View &view) {
    const MuGraph &program = view.view.program;
    return Shape(program.getShape(program.getRegion().arguments[0])) ==
           Shape({1, 80, 64});
  }));
}

TEST(ProgramViews, WhatOperatorsReadAsAWholeIsNotJoined) {
  ProgramBuilder b;
  MuValue x = b.input({3, 4, 8});
  OpAttributes rows;
  rows.dim = 1;
  MuGraph program = b.finish(b.op(OpKind::Softmax, {x}, rows));
  EXPECT_FALSE(joinAxes(getWholeView(program)));
}

TEST(ProgramViews, NothingIsLeftOfOneOperator) {
  ProgramBuilder b;
  OpAttributes pad;
  pad.offsets = {0, 1};
  pad.sizes = {0, 1};
  MuGraph program = b.finish(b.op(OpKind::Pad, {b.input({4, 4})}, pad));
  std::string reason;
  std::optional<unsigned> location;
  EXPECT_FALSE(SearchTask::create(program, reason, location));
  EXPECT_EQ(reason, "candidates have no 'pad'");
  // Operators are numbered from one.
  EXPECT_EQ(location, 1u);
}

/// A launch makes no copies: results that are arguments, casts of arguments or
/// constants are outside of the view, which has the one that is computed.
TEST(ProgramViews, CopiedResultsStayOutside) {
  ProgramBuilder b;
  MuValue x = b.input({8, 16}), y = b.input({16, 4});
  OpAttributes wide;
  wide.resultType = ElementType::f64;
  MuValue cast = b.op(OpKind::Cast, {x}, wide);
  OpAttributes two;
  two.resultShape = {8, 4};
  two.values = std::make_shared<const std::vector<double>>(1, 2.0);
  MuValue constant = b.op(OpKind::Constant, {}, two);
  MuValue product = b.op(OpKind::Silu, {b.matmul(x, y)});
  MuGraph program = b.finish({x, product, cast, constant, product, y});
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task) << reason;
  for (const SearchTask::View &view : task->views) {
    EXPECT_EQ(view.problem.getResults().size(), 1u);
    EXPECT_TRUE(
        agree(program, applyView(program, view.view, view.view.program)));
  }
}

TEST(ProgramViews, OnlyCopiedResults) {
  ProgramBuilder b;
  MuValue x = b.input({8, 16});
  MuGraph program = b.finish({x, x});
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  EXPECT_TRUE(task || !reason.empty());
}

/// Constants of any shape are no results to search for, also beside others.
TEST(ProgramViews, ReshapedConstantsStay) {
  ProgramBuilder b;
  MuValue x = b.input({4, 6});
  MuValue ones = reshape(b, b.constant(1, 2), {1, 1, 1});
  MuValue square = b.square(x);
  MuGraph program = b.finish(square);
  program.setResults(0, {square, ones});
  llvm::SmallVector<unsigned> kept;
  EXPECT_TRUE(findCopiedResults(program, kept));
  EXPECT_EQ(kept.size(), 1u);
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task);
  EXPECT_EQ(task->views.front().view.program.getRegion().results.size(), 1u);
}

} // namespace
