//===- SeparatePartsTest.cpp - Slices rise and concatenations sink --------===//
//
// Programs whose parts are separated compute what they did, as random tests
// over finite fields tell, and have the operators of their parts alone.
//
//===----------------------------------------------------------------------===//

#include "../Agreement.h"
#include "../Programs.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/Superoptimizer.h"
#include "llvm/ADT/STLExtras.h"
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

/// Separates the parts, and expects that the view is the same program.
std::optional<ProgramView> separate(const MuGraph &program) {
  std::optional<ProgramView> view =
      separateParts(peelReshapes(getWholeView(program)));
  if (view) {
    EXPECT_TRUE(agree(program, applyView(program, *view, view->program)))
        << toString(program) << toString(view->program);
    EXPECT_EQ(count(view->program, OpKind::Concat), 0u);
  }
  return view;
}

TEST(SeparateParts, SlicesOfProductsAreProductsWithWindows) {
  ProgramBuilder b;
  MuValue x = b.input({4, 8}), w = b.input({8, 24});
  MuValue y = b.matmul(x, w);
  MuGraph program = b.finish({b.slice(y, {0, 0}, {4, 16}, {1, 1}),
                              b.slice(y, {0, 16}, {4, 4}, {1, 1}),
                              b.slice(y, {0, 20}, {4, 4}, {1, 1})});
  auto view = separate(program);
  ASSERT_TRUE(view);
  EXPECT_EQ(count(view->program, OpKind::Slice), 0u);
  EXPECT_EQ(count(view->program, OpKind::Matmul), 3u);
  ASSERT_EQ(view->inputs.size(), 4u);
  EXPECT_FALSE(view->inputs[0].window);
  EXPECT_EQ(view->inputs[1].window->sizes, Shape({8, 16}));
  EXPECT_EQ(view->inputs[2].window->offsets, Shape({0, 16}));
  EXPECT_EQ(view->inputs[3].number, 1u);
  // All columns are runs of four, which are one axis.
  std::vector<AlikeDims> alike = getAlikeDims(*view);
  ASSERT_EQ(alike.size(), 2u);
  EXPECT_EQ(alike[0].unit, 8);
  EXPECT_EQ(alike[1].unit, 4);
  EXPECT_EQ(alike[1].dims.size(), 3u);
}

TEST(SeparateParts, ConcatenationsAreResultsInParts) {
  // x cos + rotate_half(x) sin.
  ProgramBuilder b;
  MuValue x = b.input({4, 6, 8}), c = b.input({1, 6, 8}),
          s = b.input({1, 6, 8});
  MuValue half = b.concat({b.scale(b.half(x, true), -1), b.half(x, false)}, 2);
  MuGraph program = b.finish(b.add(b.mul(x, c), b.mul(half, s)));
  auto view = separate(program);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->inputs.size(), 6u);
  EXPECT_EQ(count(view->program, OpKind::Slice), 0u);
  ASSERT_EQ(view->results.size(), 1u);
  EXPECT_EQ(view->results[0].parts.size(), 2u);
  EXPECT_EQ(view->results[0].dim, 2);
  EXPECT_FALSE(view->sumsOverParts);
  EXPECT_TRUE(count(getCopies(*view), OpKind::Concat) == 0);
}

TEST(SeparateParts, SumsOverConcatenationsAreSumsOverParts) {
  ProgramBuilder b;
  MuValue x = b.input({4, 8}), y = b.input({4, 3}), w = b.input({11, 5});
  MuValue z = b.concat({b.square(x), y}, 1);
  MuGraph program = b.finish(
      {b.matmul(z, w), b.softmax(z, 1), b.reduce(z, 1, ReduceKind::Mean)});
  auto view = separate(program);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->sumsOverParts);
  EXPECT_EQ(count(view->program, OpKind::Matmul), 2u);
  EXPECT_EQ(view->results[1].parts.size(), 2u);
  // Columns from the ninth on begin in the middle of an access.
  EXPECT_EQ(count(getCopies(*view), OpKind::Slice), 0u);
  EXPECT_EQ(count(getCopies(*view), OpKind::Concat), 0u);
  EXPECT_EQ(view->inputs.back().window->offsets, Shape({8, 0}));
}

TEST(SeparateParts, UnalignedPartsAreCopied) {
  ProgramBuilder b;
  MuValue x = b.input({4, 16});
  MuValue head = b.slice(x, {0, 0}, {4, 7}, {1, 1}),
          tail = b.slice(x, {0, 7}, {4, 9}, {1, 1});
  MuGraph program = b.finish({b.concat({b.exp(head), b.silu(tail)}, 1)});
  auto view = separate(program);
  ASSERT_TRUE(view);
  EXPECT_EQ(count(getCopies(*view), OpKind::Slice), 1u);
  EXPECT_EQ(count(getCopies(*view), OpKind::Concat), 1u);
}

/// Pairs of neighbours, as in the interleaved spelling of rotary embeddings,
/// are places of an axis: rows of one element are no windows that a launch
/// reads.
TEST(SeparateParts, UnalignedEqualPartsArePlaces) {
  ProgramBuilder b;
  MuValue x = b.input({4, 6, 2}), c = b.input({1, 6, 1});
  MuValue even = b.slice(x, {0, 0, 0}, {4, 6, 1}, {1, 1, 1}),
          odd = b.slice(x, {0, 0, 1}, {4, 6, 1}, {1, 1, 1});
  MuGraph program = b.finish(b.concat({b.mul(odd, c), b.add(even, c)}, 2));
  auto view = separate(program);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->inputs.size(), 2u);
  EXPECT_EQ(count(view->program, OpKind::Slice), 2u);
  EXPECT_EQ(count(getCopies(*view), OpKind::Slice), 0u);
  EXPECT_EQ(count(getCopies(*view), OpKind::Concat), 1u);
  std::string reason;
  std::optional<unsigned> location;
  EXPECT_TRUE(SearchTask::create(program, reason, location)) << reason;
}

TEST(SeparateParts, WhatIsUsedAsAWholeIsComputedOnce) {
  ProgramBuilder b;
  MuValue x = b.input({4, 16});
  MuValue e = b.exp(x);
  MuValue head = b.slice(e, {0, 0}, {4, 12}, {1, 1});
  auto view = separate(b.finish({b.silu(head), b.reduce(e, 1)}));
  ASSERT_TRUE(view);
  EXPECT_EQ(count(view->program, OpKind::Exp), 1u);
  EXPECT_EQ(count(view->program, OpKind::Slice), 1u);
  EXPECT_EQ(view->inputs.size(), 1u);
}

/// There is nothing to do for programs without parts, and nothing can be done
/// where parts would stay: a border inside of a merged dimension, results of
/// which all parts are inputs, a part that is a constant.
TEST(SeparateParts, WhatHasNoViewWithoutParts) {
  auto fails = [](auto make) {
    ProgramBuilder b;
    MuValue x = b.input({4, 8}), y = b.input({4, 8});
    MuValue result = make(b, x, y);
    EXPECT_FALSE(separateParts(getWholeView(b.finish(result))));
  };
  fails([](ProgramBuilder &b, MuValue x, MuValue y) { return b.add(x, y); });
  fails([](ProgramBuilder &b, MuValue x, MuValue y) {
    MuValue z = b.concat({b.exp(x), y}, 1);
    return b.exp(b.reshape(z, {64}));
  });
  fails([](ProgramBuilder &b, MuValue x, MuValue y) {
    return b.concat({x, y}, 1);
  });
  fails([](ProgramBuilder &b, MuValue x, MuValue y) {
    return b.pad(b.concat({b.exp(x), y}, 1), {0, 1}, {0, 0});
  });
}

/// A launch that computes one part of a result copies the other one.
TEST(SeparateParts, APartMayBeAnInput) {
  ProgramBuilder b;
  MuValue x = b.input({4, 24});
  MuValue head = b.slice(x, {0, 0}, {4, 8}, {1, 1}),
          tail = b.slice(x, {0, 8}, {4, 16}, {1, 1});
  MuGraph program = b.finish(b.concat({b.silu(head), tail}, 1));
  auto view = separate(program);
  ASSERT_TRUE(view);
  ASSERT_EQ(view->results.size(), 1u);
  EXPECT_EQ(view->results[0].parts.size(), 2u);
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task) << reason;
  const SearchProblem &problem = task->views.front().problem;
  EXPECT_FALSE(problem.getCopiedInput(0));
  EXPECT_EQ(problem.getCopiedInput(1), 1);
}

TEST(SeparateParts, PaddingWithZerosIsNoPartOfSums) {
  ProgramBuilder b;
  MuValue x = b.input({4, 7}), w = b.input({16, 5});
  MuValue z = b.pad(b.silu(x), {0, 4}, {0, 5});
  MuGraph program =
      b.finish({b.matmul(z, w), b.reduce(z, 1, ReduceKind::Mean)});
  auto view = separate(program);
  ASSERT_TRUE(view);
  EXPECT_EQ(count(view->program, OpKind::Pad), 0u);
  EXPECT_EQ(count(view->program, OpKind::Matmul), 1u);
  EXPECT_EQ(count(view->program, OpKind::Reduce), 1u);
  EXPECT_EQ(view->inputs[1].window->offsets, Shape({4, 0}));
  EXPECT_EQ(view->inputs[1].window->sizes, Shape({7, 5}));
  EXPECT_FALSE(view->sumsOverParts);
}

/// Values with a row of some number under them are summed by the product that
/// multiplies them, as linear attention is written with its normalizer. The row
/// is a sum, on either side of the product and transposed.
TEST(SeparateParts, RowsOfOneNumberAreSums) {
  for (double number : {1.0, 0.5})
    for (unsigned form = 0; form < 8; ++form) {
      bool isRight = form & 1, isTransposed = form & 2, isOther = form & 4;
      ProgramBuilder b;
      MuValue values = b.silu(b.input({2, 4, 6})), keys = b.input({2, 6, 5});
      MuValue padded = b.pad(values, {0, 0, 0}, {0, 1, 0}, number);
      if (isTransposed)
        padded = b.GraphBuilder::transpose(padded, {0, 2, 1});
      if (isOther)
        keys = b.GraphBuilder::transpose(keys, {0, 2, 1});
      MuValue product = isRight
                            ? b.matmul(keys, padded, !isOther, !isTransposed)
                            : b.matmul(padded, keys, isTransposed, isOther);
      MuValue all = isRight ? b.slice(product, {0, 0, 0}, {2, 5, 4}, {1, 1, 1})
                            : b.slice(product, {0, 0, 0}, {2, 4, 5}, {1, 1, 1});
      MuValue sum = isRight ? b.slice(product, {0, 0, 4}, {2, 5, 1}, {1, 1, 1})
                            : b.slice(product, {0, 4, 0}, {2, 1, 5}, {1, 1, 1});
      auto view = separate(b.finish(b.div(all, sum)));
      ASSERT_TRUE(view);
      EXPECT_EQ(count(view->program, OpKind::Pad), 0u);
      EXPECT_EQ(count(view->program, OpKind::Constant), 0u);
      EXPECT_EQ(count(view->program, OpKind::Matmul), 1u);
      EXPECT_EQ(count(view->program, OpKind::Reduce), 1u);
      EXPECT_EQ(count(view->program, OpKind::Scale), number == 1 ? 0u : 1u);
    }
}

TEST(SeparateParts, GroupsArePartsOfSums) {
  ProgramBuilder b;
  MuValue x = b.input({4, 24});
  MuValue groups = b.sum(b.square(x), 1, false, 4);
  auto view = separate(b.finish({b.slice(groups, {0, 0}, {4, 4}, {1, 1}),
                                 b.slice(groups, {0, 4}, {4, 2}, {1, 1})}));
  ASSERT_TRUE(view);
  EXPECT_EQ(view->inputs[0].window->sizes, Shape({4, 16}));
  EXPECT_EQ(view->inputs[1].window->offsets, Shape({0, 16}));
}

/// Makes random programs of slices, concatenations and what is between.
class RandomParts {
public:
  explicit RandomParts(unsigned seed) : engine(seed) {}

  MuGraph make() {
    b.emplace();
    values = {b->input({4, 12}), b->input({12, 4}), b->input({4, 12})};
    for (unsigned i = 0; i < 9; ++i)
      addOperator();
    llvm::SmallVector<MuValue> results = {values.back()};
    if (pick(2))
      results.push_back(values[values.size() - 2]);
    return b->finish(results);
  }

private:
  unsigned pick(unsigned count) { return engine() % count; }
  MuValue any() {
    // Later values are more likely.
    return values[std::max(pick(values.size()), pick(values.size()))];
  }
  /// A value whose shape makes the test true; the last one if there is none.
  template <typename Test> std::optional<MuValue> find(Test test) {
    llvm::SmallVector<MuValue> fitting;
    for (MuValue value : values)
      if (test(b->shape(value)))
        fitting.push_back(value);
    if (fitting.empty())
      return std::nullopt;
    return fitting[pick(fitting.size())];
  }

  void addOperator() {
    MuValue x = any();
    Shape shape = b->shape(x);
    auto same = [&](ShapeRef other) { return other == ShapeRef(shape); };
    switch (pick(11)) {
    case 0:
    case 1: {
      OpAttributes slice;
      slice.offsets.assign(shape.size(), 0);
      slice.strides.assign(shape.size(), 1);
      slice.sizes.assign(shape.begin(), shape.end());
      unsigned dim = pick(shape.size());
      slice.offsets[dim] = pick(shape[dim]);
      slice.sizes[dim] = 1 + pick(shape[dim] - slice.offsets[dim]);
      values.push_back(b->op(OpKind::Slice, {x}, slice));
      return;
    }
    case 2:
    case 3: {
      int64_t dim = pick(shape.size());
      auto other = find([&](ShapeRef own) {
        Shape moved(own);
        if (own.size() != shape.size())
          return false;
        moved[dim] = shape[dim];
        return moved == shape && own[dim] + shape[dim] < 30;
      });
      if (other)
        values.push_back(b->concat({x, *other}, dim));
      return;
    }
    case 4:
      values.push_back(b->mul(x, *find(same)));
      return;
    case 5:
      values.push_back(b->add(x, *find(same)));
      return;
    case 6: {
      auto rhs = find([&](ShapeRef own) {
        return own.size() == 2 && shape.size() == 2 && own[0] == shape[1];
      });
      if (rhs)
        values.push_back(b->matmul(x, *rhs));
      return;
    }
    case 7:
      values.push_back(b->op(OpKind::Transpose, {x}, [&] {
        OpAttributes order;
        for (size_t dim = shape.size(); dim-- > 0;)
          order.permutation.push_back(static_cast<int64_t>(dim));
        return order;
      }()));
      return;
    case 8:
      // Groups of two where there are any.
      values.push_back(shape[0] % 4 ? b->sum(x, 0) : b->sum(x, 0, false, 2));
      return;
    case 10: {
      OpAttributes pad;
      pad.scalar = pick(2);
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        pad.offsets.push_back(pick(3));
        pad.sizes.push_back(pick(2));
      }
      values.push_back(b->op(OpKind::Pad, {x}, pad));
      return;
    }
    case 9: {
      // Between two and three dimensions.
      OpAttributes a;
      a.resultShape = shape;
      if (shape.size() == 3)
        a.resultShape = {shape[0], shape[1] * shape[2]};
      else if (shape[1] % 2 == 0)
        a.resultShape = {shape[0], 2, shape[1] / 2};
      else
        return;
      values.push_back(b->op(OpKind::Reshape, {x}, a));
      return;
    }
    }
  }

  std::mt19937 engine;
  std::optional<ProgramBuilder> b;
  std::vector<MuValue> values;
};

TEST(SeparateParts, RandomProgramsStayTheSame) {
  unsigned separated = 0, inParts = 0, summed = 0, windows = 0;
  for (unsigned seed = 0; seed < 4000; ++seed) {
    MuGraph program = RandomParts(seed).make();
    auto view = separate(program);
    if (!view)
      continue;
    ++separated;
    summed += view->sumsOverParts;
    for (const ViewResult &result : view->results)
      inParts += result.parts.size() > 1;
    for (const ViewInput &input : view->inputs)
      windows += input.window.has_value();
  }
  EXPECT_GT(separated, 500u);
  EXPECT_GT(inParts, 100u);
  EXPECT_GT(summed, 50u);
  EXPECT_GT(windows, 500u);
}

/// A cache with one row more: the search may take the parts apart, and may as
/// well leave the concatenation before what it searches for.
TEST(SeparateParts, ProgramsWithSumsOverPartsAreSearchedInBothWays) {
  ProgramBuilder b;
  MuValue q = b.input({4, 8}), k = b.input({12, 8}), row = b.input({4, 8});
  MuValue keys = b.concat({k, b.square(row)}, 0);
  MuGraph program = b.finish(
      b.matmul(b.exp(b.matmul(q, keys, false, true)), b.input({16, 8})));
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task) << reason;
  ASSERT_EQ(task->views.size(), 2u);
  EXPECT_EQ(count(task->views[0].view.program, OpKind::Matmul), 4u);
  EXPECT_EQ(count(task->views[1].view.program, OpKind::Matmul), 2u);
  EXPECT_EQ(count(*task->views[1].view.before, OpKind::Concat), 1u);
  for (const SearchTask::View &view : task->views)
    EXPECT_TRUE(
        agree(program, applyView(program, view.view, view.view.program)));
}

} // namespace
