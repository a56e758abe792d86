//===- ShrinkPairTest.cpp - The same programs at smaller extents ----------===//
//
// Shrunk pairs keep their structure and their answer; different dimensions
// stay different.
//
//===----------------------------------------------------------------------===//

#include "ShrinkTesting.h"
#include <cmath>
#include <set>

using namespace mirage;
using namespace mirage::equivalence;

namespace {

constexpr ElementType f32 = ElementType::f32;

MuGraph makeProduct(int64_t m, int64_t k, int64_t n) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {m, k}, f32);
  MuValue w = graph.addArgument(0, {k, n}, f32);
  graph.setResults(0, {graph.addOperator(0, OpKind::Matmul, {}, {x, w}, f32)});
  return graph;
}

MuGraph makeTiledProduct(int64_t m, int64_t k, int64_t n, int64_t mapW = 0) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {m, k}, f32);
  MuValue w = graph.addArgument(0, {k, n}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue xa = graph.addArgument(body, {m, k}, f32);
  MuValue wa = graph.addArgument(body, {k, n}, f32);
  MuValue xt = graph.addLoad(loop, xa, {0, kReplica}, {8, 16}, {1}, {32});
  MuValue wt = graph.addLoad(loop, wa, {kReplica, 1}, {8, 16}, {mapW}, {32});
  MuValue product = graph.addOperator(loop, OpKind::Matmul, {}, {xt, wt}, f32);
  graph.setResults(
      loop, {graph.addAccumulate(loop, AccumulateKind::Sum, product, 32)});
  auto results = graph.addLoop(body, 32, loop);
  graph.setResults(body, {graph.addStore(body, results[0], {0, 1}, {8, 16})});
  graph.setResults(0, graph.addGraph(0, {x, w}, {8, 16}, body));
  return graph;
}

TEST(ShrinkPair, KeepsStructure) {
  ShrunkPair pair = shrinkPair(makeProduct(128, 4096, 1024),
                               makeTiledProduct(128, 4096, 1024));
  expectLegal(pair.lhs);
  expectLegal(pair.rhs);
  ShapeRef x = pair.lhs.getShape(pair.lhs.getRegion().arguments[0]);
  ShapeRef w = pair.lhs.getShape(pair.lhs.getRegion().arguments[1]);
  // 8 x 16, 32 x 128 and 16 x 64, of six different extents.
  EXPECT_EQ(x[1], w[0]);
  EXPECT_NE(x[0], x[1]);
  EXPECT_NE(w[0], w[1]);
  EXPECT_NE(x[0], w[1]);
  EXPECT_LE(elementCount(x), 8 * 9 * 7 * 6);
  const MuNode *launch = nullptr, *loop = nullptr;
  for (unsigned number = 0; number < pair.rhs.getNumNodes(); ++number) {
    const MuNode &node = pair.rhs.getNode(number);
    if (node.kind == MuNode::Kind::Graph)
      launch = &node;
    if (node.kind == MuNode::Kind::Loop)
      loop = &node;
  }
  ASSERT_TRUE(launch && loop);
  EXPECT_EQ(x[0] % launch->extents[0], 0);
  EXPECT_EQ(w[1] % launch->extents[1], 0);
  EXPECT_EQ(x[1] % loop->extents[0], 0);
  EXPECT_GT(x[0] / launch->extents[0], 1);
  EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
}

TEST(ShrinkPair, EqualSizesOfDifferentDimensionsNeedNotStayEqual) {
  // All sizes are 256; only k is one dimension of both operands.
  ShrunkPair pair =
      shrinkPair(makeProduct(256, 256, 256), makeProduct(256, 256, 256));
  ShapeRef x = pair.lhs.getShape(pair.lhs.getRegion().arguments[0]);
  ShapeRef w = pair.lhs.getShape(pair.lhs.getRegion().arguments[1]);
  EXPECT_EQ(x[1], w[0]);
  EXPECT_NE(x[0], x[1]);
  EXPECT_NE(x[0], w[1]);
}

TEST(ShrinkPair, KeepsReductionsIfAsked) {
  ShrinkOptions options;
  options.keepReductions = true;
  ShrunkPair pair = shrinkPair(makeProduct(128, 4096, 1024),
                               makeTiledProduct(128, 4096, 1024), options);
  ShapeRef x = pair.lhs.getShape(pair.lhs.getRegion().arguments[0]);
  EXPECT_EQ(x[1], 4096);
  EXPECT_LT(x[0], 128);
}

/// The mean of rows, as such or as a sum by a number of terms.
MuGraph makeMean(bool byMean, double count = 1024) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {64, 1024}, f32);
  OpAttributes reduce, scale;
  reduce.dim = 1;
  reduce.keep = true;
  reduce.reduceKind = byMean ? ReduceKind::Mean : ReduceKind::Sum;
  MuValue y = graph.addOperator(0, OpKind::Reduce, reduce, {x}, f32);
  if (!byMean) {
    scale.scalar = 1 / count;
    y = graph.addOperator(0, OpKind::Scale, scale, {y}, f32);
  }
  graph.setResults(0, {y});
  return graph;
}

TEST(ShrinkPair, MeansAndTheirCounts) {
  auto make = [](bool byMean) { return makeMean(byMean); };
  // The constant fixes the extent; without it nothing does.
  ShrunkPair mixed = shrinkPair(make(true), make(false));
  EXPECT_EQ(mixed.lhs.getShape(0)[1], 1024);
  EXPECT_LT(mixed.lhs.getShape(0)[0], 64);
  EXPECT_EQ(compare(mixed.lhs, mixed.rhs), RandomTestResult::Kind::Agree);
  ShrunkPair means = shrinkPair(make(true), make(true));
  EXPECT_LT(means.lhs.getShape(0)[1], 1024);
  ShrunkPair sums = shrinkPair(make(false), make(false));
  EXPECT_LT(sums.lhs.getShape(0)[1], 1024);
}

TEST(ShrinkPair, NormsOfImagesCountAllPixels) {
  // The mean of 32 x 48 pixels as a norm, and as a sum by 1 / 1536.
  auto make = [](OpKind norm, int64_t groups, double factor) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {4, 64, 32, 48}, f32);
    OpAttributes attributes, scale;
    attributes.groups = groups;
    scale.scalar = factor;
    MuValue y = graph.addOperator(0, OpKind::Scale, scale, {x}, f32);
    graph.setResults(0, {graph.addOperator(0, norm, attributes, {y}, f32)});
    return graph;
  };
  auto shrink = [&](OpKind norm, int64_t groups, double factor) {
    MuGraph lhs = make(norm, groups, 1), rhs = make(norm, groups, factor);
    ShrunkPair pair = shrinkPair(lhs, rhs);
    expectLegal(pair.lhs);
    return Shape(pair.lhs.getShape(0));
  };
  Shape images = shrink(OpKind::InstanceNorm, 1, 1.0 / 1536);
  EXPECT_EQ(images[2] * images[3], 1536);
  EXPECT_LT(images[1], 64);
  // 8 channels of each of 8 groups.
  Shape groups = shrink(OpKind::GroupNorm, 8, 8.0 * 1536);
  EXPECT_EQ(groups, Shape({groups[0], 64, 32, 48}));
  Shape other = shrink(OpKind::GroupNorm, 8, 1.0 / 48);
  EXPECT_LT(other[2] * other[3], 1536);
  EXPECT_EQ(other[1] % 8, 0);
  EXPECT_LT(other[1], 64);
}

TEST(ShrinkPair, CountsChangeWithTheirSizesIfAllowed) {
  ShrinkOptions options;
  options.rewriteCounts = true;
  ShrunkPair pair = shrinkPair(makeMean(true), makeMean(false), options);
  EXPECT_LT(pair.lhs.getShape(0)[1], 1024);
  EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
  // What the constant stands for was a guess.
  EXPECT_TRUE(pair.mayDependOnSizes);
  // Another constant stays, and is wrong as it was.
  ShrunkPair wrong = shrinkPair(makeMean(true), makeMean(false, 512), options);
  EXPECT_EQ(compare(wrong.lhs, wrong.rhs), RandomTestResult::Kind::Differ);
}

TEST(ShrinkPair, CountsOfTwoSizesStay) {
  // The number may be the one of either sum.
  auto make = [](bool byMean) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {1024, 1024}, f32);
    OpAttributes mean, scale;
    mean.reduceKind = ReduceKind::Mean;
    MuValue y = graph.addOperator(0, OpKind::Reduce, mean, {x}, f32);
    mean.reduceKind = byMean ? ReduceKind::Mean : ReduceKind::Sum;
    y = graph.addOperator(0, OpKind::Reduce, mean, {y}, f32);
    if (!byMean) {
      scale.scalar = 1.0 / 1024;
      y = graph.addOperator(0, OpKind::Scale, scale, {y}, f32);
    }
    graph.setResults(0, {y});
    return graph;
  };
  ShrinkOptions options;
  options.rewriteCounts = true;
  ShrunkPair pair = shrinkPair(make(true), make(false), options);
  EXPECT_EQ(pair.lhs.getShape(0), ShapeRef({1024, 1024}));
}

TEST(ShrinkPair, ConstantsThatMayBeSizes) {
  // factor * mean(x), or factor * sum(x).
  auto make = [](ReduceKind kind, double factor) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 1024}, f32);
    OpAttributes reduce, scale;
    reduce.dim = 1;
    reduce.keep = true;
    reduce.reduceKind = kind;
    scale.scalar = factor;
    MuValue y = graph.addOperator(0, OpKind::Reduce, reduce, {x}, f32);
    graph.setResults(0, {graph.addOperator(0, OpKind::Scale, scale, {y}, f32)});
    return graph;
  };
  MuGraph mean = make(ReduceKind::Mean, 1);
  // Roots of sizes, their inverses, and those rounded to f16.
  for (double kept : {32.0, 1 / 32.0, 1024.0, 1 / 1024.0, 1024.4}) {
    ShrunkPair pair = shrinkPair(mean, make(ReduceKind::Sum, kept));
    EXPECT_EQ(pair.lhs.getShape(0)[1], 1024) << kept;
    EXPECT_FALSE(pair.mayDependOnSizes) << kept;
  }
  for (double other : {16.0, 1e-5, 1025.0}) {
    ShrunkPair pair = shrinkPair(mean, make(ReduceKind::Sum, other));
    EXPECT_LT(pair.lhs.getShape(0)[1], 1024) << other;
    EXPECT_TRUE(pair.mayDependOnSizes) << other;
  }
  MuGraph sum = make(ReduceKind::Sum, 1);
  for (double none : {0.0, 1.0, -1.0, HUGE_VAL})
    EXPECT_FALSE(shrinkPair(sum, make(ReduceKind::Sum, none)).mayDependOnSizes)
        << none;
  // A number that both programs have is none of a size that one of them has.
  MuGraph threefold = make(ReduceKind::Sum, 3);
  EXPECT_FALSE(shrinkPair(threefold, threefold).mayDependOnSizes);
  EXPECT_TRUE(shrinkPair(threefold, sum).mayDependOnSizes);
  // Without any number, a mean depends on the size.
  EXPECT_TRUE(shrinkPair(sum, mean).mayDependOnSizes);
  ShrinkOptions options;
  options.keepReductions = true;
  EXPECT_FALSE(
      shrinkPair(mean, make(ReduceKind::Sum, 1e-5), options).mayDependOnSizes);
}

TEST(ShrinkPair, SumsOfEqualTermsCount) {
  // The sum of a value of 64 x 1024 that `build` makes of x (64 x 1024) and
  // b (64 x 1).
  auto mayDepend = [](auto build) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 1024}, f32),
            b = graph.addArgument(0, {64, 1}, f32);
    auto op = [&](OpKind kind, llvm::ArrayRef<MuValue> operands,
                  const OpAttributes &attributes = {}) {
      return graph.addOperator(0, kind, attributes, operands, f32);
    };
    OpAttributes reduce;
    reduce.dim = 1;
    reduce.reduceKind = ReduceKind::Sum;
    graph.setResults(0, {op(OpKind::Reduce, {build(op, x, b)}, reduce)});
    ShrunkPair pair = shrinkPair(graph, graph);
    EXPECT_LT(pair.lhs.getShape(0)[1], 1024);
    return pair.mayDependOnSizes;
  };
  EXPECT_FALSE(mayDepend([](auto, MuValue x, MuValue) { return x; }));
  EXPECT_FALSE(mayDepend([](auto op, MuValue x, MuValue b) {
    return op(OpKind::Mul, {x, b});
  }));
  EXPECT_FALSE(mayDepend(
      [](auto op, MuValue x, MuValue) { return op(OpKind::Silu, {x}); }));
  // The sum over j of x[i, j] + b[i] has 1024 b[i].
  EXPECT_TRUE(mayDepend([](auto op, MuValue x, MuValue b) {
    return op(OpKind::Add, {x, b});
  }));
  // x - x is zero, of which the exponential is one.
  EXPECT_TRUE(mayDepend([](auto op, MuValue x, MuValue) {
    return op(OpKind::Exp, {op(OpKind::Sub, {x, x})});
  }));
  EXPECT_TRUE(mayDepend([](auto op, MuValue x, MuValue) {
    return op(OpKind::Div, {x, x});
  }));
}

TEST(ShrinkPair, SoftmaxCountsWhatItsArgumentRepeats) {
  auto mayDepend = [](std::optional<OpKind> kind) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 1024}, f32),
            b = graph.addArgument(0, {64, 1}, f32);
    if (kind)
      x = graph.addOperator(0, *kind, {}, {x, b}, f32);
    OpAttributes softmax;
    softmax.dim = 1;
    graph.setResults(
        0, {graph.addOperator(0, OpKind::Softmax, softmax, {x}, f32)});
    ShrunkPair pair = shrinkPair(graph, graph);
    EXPECT_LT(pair.lhs.getShape(0)[1], 1024);
    return pair.mayDependOnSizes;
  };
  EXPECT_FALSE(mayDepend(std::nullopt));
  EXPECT_FALSE(mayDepend(OpKind::Mul));
  // exp(x + b) is exp(x) exp(b), but all of b's terms are alike.
  EXPECT_TRUE(mayDepend(OpKind::Add));
  // x - b may be zero for all of them.
  EXPECT_TRUE(mayDepend(OpKind::Sub));
}

TEST(ShrinkPair, IterationsThatRepeatCount) {
  // A block sums its tile in each of 16 iterations, the same or another.
  auto make = [](int64_t fmap) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 1024}, f32);
    unsigned block = graph.addRegion(), loop = graph.addRegion();
    MuValue source = graph.addArgument(block, {64, 1024}, f32);
    MuValue tile = graph.addLoad(loop, source, {0}, {4}, {fmap}, {16});
    OpAttributes reduce;
    reduce.dim = 1;
    reduce.keep = true;
    reduce.reduceKind = ReduceKind::Sum;
    MuValue sum = graph.addOperator(loop, OpKind::Reduce, reduce, {tile}, f32);
    graph.setResults(loop,
                     {graph.addAccumulate(loop, AccumulateKind::Sum, sum, 16)});
    MuValue total = graph.addLoop(block, 16, loop).front();
    graph.setResults(block, {graph.addStore(block, total, {0}, {4})});
    graph.setResults(0, graph.addGraph(0, {x}, {4}, block));
    return graph;
  };
  MuGraph parts = make(1), repeated = make(kReplica);
  EXPECT_FALSE(shrinkPair(parts, parts).mayDependOnSizes);
  EXPECT_TRUE(shrinkPair(parts, repeated).mayDependOnSizes);
}

TEST(ShrinkPair, AttributesAreNumbers) {
  auto make = [](double upper) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 1024}, f32);
    OpAttributes clamp, reduce;
    clamp.upper = upper;
    MuValue y = graph.addOperator(0, OpKind::Clamp, clamp, {x}, f32);
    reduce.dim = 1;
    reduce.reduceKind = ReduceKind::Max;
    graph.setResults(0,
                     {graph.addOperator(0, OpKind::Reduce, reduce, {y}, f32)});
    return graph;
  };
  EXPECT_TRUE(shrinkPair(make(512), make(256)).mayDependOnSizes);
  EXPECT_FALSE(shrinkPair(make(1), make(1)).mayDependOnSizes);
}

TEST(ShrinkPair, EqualPartsStayEqualParts) {
  auto make = [](int64_t offset) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 3072}, f32);
    OpAttributes slice;
    slice.offsets = {0, offset};
    slice.sizes = {64, 1024};
    slice.strides = {1, 1};
    graph.setResults(0, {graph.addOperator(0, OpKind::Slice, slice, {x}, f32)});
    return graph;
  };
  MuGraph second = make(1024), third = make(2048), other = make(1000);
  ShrunkPair pair = shrinkPair(second, third);
  expectLegal(pair.lhs);
  expectLegal(pair.rhs);
  int64_t part = pair.lhs.getNode(0).attributes.sizes[1];
  EXPECT_LT(part, 1024);
  EXPECT_EQ(pair.lhs.getShape(0)[1], 3 * part);
  EXPECT_EQ(pair.lhs.getNode(0).attributes.offsets[1], part);
  EXPECT_EQ(pair.rhs.getNode(0).attributes.offsets[1], 2 * part);
  // What is no part keeps its size.
  EXPECT_EQ(shrinkPair(other, other).lhs.getShape(0)[1], 3072);
}

TEST(ShrinkPair, ConcatenationsOfEqualPartsAreSuch) {
  auto make = [](Shape parts) {
    MuGraph graph;
    llvm::SmallVector<MuValue> values;
    for (int64_t part : parts)
      values.push_back(graph.addArgument(0, {64, part}, f32));
    OpAttributes concat;
    concat.dim = 1;
    graph.setResults(
        0, {graph.addOperator(0, OpKind::Concat, concat, values, f32)});
    return graph;
  };
  MuGraph equal = make({1024, 1024, 1024}), unequal = make({1024, 512});
  ShrunkPair pair = shrinkPair(equal, equal);
  expectLegal(pair.lhs);
  int64_t part = pair.lhs.getShape(0)[1];
  EXPECT_LT(part, 1024);
  EXPECT_EQ(pair.lhs.getShape(pair.lhs.getRegion().results[0])[1], 3 * part);
  EXPECT_EQ(shrinkPair(unequal, unequal).lhs.getShape(0)[1], 1024);
}

TEST(ShrinkPair, PaddingOfDividedSizesIsOneElement) {
  // 1000 rows, and the same padded to 1024 in 16 tiles, hidden by a mask.
  auto make = [](bool isPadded) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {1000, 8}, f32);
    OpAttributes pad, split, join, mask, slice;
    if (!isPadded) {
      graph.setResults(0, {graph.addOperator(0, OpKind::Square, {}, {x}, f32)});
      return graph;
    }
    pad.offsets = {0, 0};
    pad.sizes = {24, 0};
    x = graph.addOperator(0, OpKind::Pad, pad, {x}, f32);
    split.resultShape = {16, 64, 8};
    x = graph.addOperator(0, OpKind::Reshape, split, {x}, f32);
    x = graph.addOperator(0, OpKind::Square, {}, {x}, f32);
    join.resultShape = {1024, 8};
    x = graph.addOperator(0, OpKind::Reshape, join, {x}, f32);
    mask.resultShape = {1024, 1};
    std::vector<double> numbers(1024, 1);
    std::fill(numbers.begin() + 1000, numbers.end(), 0);
    mask.values = std::make_shared<const std::vector<double>>(numbers);
    MuValue ones = graph.addOperator(0, OpKind::Constant, mask, {}, f32);
    x = graph.addOperator(0, OpKind::Mul, {}, {x, ones}, f32);
    slice.offsets = {0, 0};
    slice.sizes = {1000, 8};
    slice.strides = {1, 1};
    graph.setResults(0, {graph.addOperator(0, OpKind::Slice, slice, {x}, f32)});
    return graph;
  };
  ShrunkPair pair = shrinkPair(make(false), make(true));
  expectLegal(pair.lhs);
  expectLegal(pair.rhs);
  int64_t rows = pair.lhs.getShape(0)[0];
  EXPECT_LT(rows, 100);
  EXPECT_EQ(pair.rhs.getShape(pair.rhs.getNode(0).results[0])[0], rows + 1);
  for (unsigned number = 0; number < pair.rhs.getNumNodes(); ++number)
    if (const MuNode &node = pair.rhs.getNode(number);
        node.op == OpKind::Constant) {
      EXPECT_EQ(llvm::count(*node.attributes.values, 1.0), rows);
      EXPECT_EQ(llvm::count(*node.attributes.values, 0.0), 1);
    }
  EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
}

/// A dimension that is divided and joined again.
MuGraph makeDivided(Shape parts) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {10, parts[0] * parts[1]}, f32);
  OpAttributes split, join;
  split.resultShape = {10, parts[0], parts[1]};
  join.resultShape = {10, parts[0] * parts[1]};
  MuValue y = graph.addOperator(0, OpKind::Reshape, split, {x}, f32);
  graph.setResults(0, {graph.addOperator(0, OpKind::Reshape, join, {y}, f32)});
  return graph;
}

TEST(ShrinkPair, DivisionsWithoutRefinementHaveCommonFactors) {
  // 24 as 6 * 4 and as 8 * 3; the columns of 12 heads in 16 tiles.
  for (auto [left, right] : {std::pair(Shape{6, 4}, Shape{8, 3}),
                             std::pair(Shape{16, 48}, Shape{12, 64})}) {
    ShrunkPair pair = shrinkPair(makeDivided(left), makeDivided(right));
    expectLegal(pair.lhs);
    expectLegal(pair.rhs);
    EXPECT_EQ(pair.lhs.getShape(0), pair.rhs.getShape(0));
    EXPECT_LE(pair.lhs.getShape(0)[1], left[0] * left[1] / 2);
    EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
  }
}

TEST(ShrinkPair, DifferentSizesOfCommonFactorsStayDifferent) {
  ShrunkPair pair = shrinkPair(makeDivided({16, 48}), makeDivided({12, 64}));
  std::set<int64_t> sizes;
  for (const MuGraph *graph : {&pair.lhs, &pair.rhs})
    for (MuValue value = 0; value < graph->getNumValues(); ++value)
      for (int64_t size : graph->getShape(value))
        sizes.insert(size);
  // 10, 768, 16, 48, 12 and 64.
  EXPECT_EQ(sizes.size(), 6u);
}

TEST(ShrinkPair, DifferentSizesBecomeEqualIfAllowed) {
  ShrinkOptions options;
  options.keepDifferent = false;
  ShrunkPair pair = shrinkPair(makeProduct(128, 4096, 1024),
                               makeTiledProduct(128, 4096, 1024), options);
  expectLegal(pair.lhs);
  expectLegal(pair.rhs);
  // Tiles, blocks and iterations all are two.
  for (MuValue argument : pair.lhs.getRegion().arguments)
    EXPECT_EQ(pair.lhs.getShape(argument), ShapeRef({4, 4}));
  EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
}

TEST(ShrinkPair, ProductsOfManyExtentsBecomeSmallIfAsked) {
  // Rows in tiles of 512, 128, 32, 8 and 2 rows have six extents.
  auto make = [](Shape tiles) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {1024, 10}, f32);
    for (int64_t tile : tiles) {
      OpAttributes split, join;
      split.resultShape = {1024 / tile, tile, 10};
      join.resultShape = {1024, 10};
      x = graph.addOperator(0, OpKind::Reshape, split, {x}, f32);
      x = graph.addOperator(0, OpKind::Exp, {}, {x}, f32);
      x = graph.addOperator(0, OpKind::Reshape, join, {x}, f32);
    }
    graph.setResults(0, {x});
    return graph;
  };
  MuGraph graph = make({512, 128, 32, 8, 2});
  ShrinkOptions options;
  options.keepDifferent = false;
  EXPECT_EQ(shrinkPair(graph, graph, options).lhs.getShape(0)[0], 64);
  options.smallest = 1;
  ShrunkPair pair = shrinkPair(graph, graph, options);
  expectLegal(pair.lhs);
  // The numbers of tiles and their rows are two at least.
  EXPECT_EQ(pair.lhs.getShape(0)[0], 4);
  for (MuValue value = 0; value < pair.lhs.getNumValues(); ++value)
    for (int64_t size : pair.lhs.getShape(value))
      EXPECT_GE(size, 2);
}

/// A convolution of 32 channels of 224 x 224, with `padded` elements added on
/// each side by an operator of its own.
struct Convolution {
  int64_t taps = 3, stride = 1, padding = 1, dilation = 1, groups = 1,
          padded = 0;

  MuGraph make() const {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {4, 32, 224, 224}, f32),
            filter = graph.addArgument(0, {64, 32 / groups, taps, taps}, f32);
    if (padded) {
      OpAttributes pad;
      pad.offsets = pad.sizes = {0, 0, padded, padded};
      x = graph.addOperator(0, OpKind::Pad, pad, {x}, f32);
    }
    OpAttributes conv;
    conv.convStrides = {stride, stride};
    conv.convPadding = {padding, padding, padding, padding};
    conv.convDilations = {dilation, dilation};
    conv.convGroups = groups;
    graph.setResults(
        0, {graph.addOperator(0, OpKind::Conv2d, conv, {x, filter}, f32)});
    return graph;
  }
};

TEST(ShrinkPair, ConvolutionsThatKeepOrDivideImages) {
  for (Convolution convolution :
       {Convolution(), Convolution{.taps = 9, .padding = 4},
        Convolution{.padding = 2, .dilation = 2}, Convolution{.stride = 2},
        Convolution{.taps = 16, .stride = 16, .padding = 0},
        Convolution{.groups = 4}, Convolution{.groups = 32},
        Convolution{.padding = 0, .padded = 1},
        Convolution{.stride = 2, .padding = 0, .padded = 1}}) {
    MuGraph graph = convolution.make();
    ShrunkPair pair = shrinkPair(graph, graph);
    expectLegal(pair.lhs);
    ShapeRef x = pair.lhs.getShape(0), filter = pair.lhs.getShape(1);
    EXPECT_LT(x[0], 4);
    EXPECT_LT(x[1], 32);
    EXPECT_LE(x[2], 8 * convolution.stride);
    EXPECT_LE(x[3], 8 * convolution.stride);
    EXPECT_LT(filter[0], 64);
    EXPECT_EQ(filter[2], convolution.taps);
    EXPECT_FALSE(pair.mayDependOnSizes);
    EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
  }
}

TEST(ShrinkPair, PaddingOfItsOwnIsThatOfTheConvolution) {
  ShrunkPair pair = shrinkPair(Convolution{.padding = 0, .padded = 1}.make(),
                               Convolution().make());
  EXPECT_LT(pair.lhs.getShape(0)[2], 224);
  EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
  ShrunkPair other = shrinkPair(Convolution{.padding = 2, .dilation = 2}.make(),
                                Convolution().make());
  EXPECT_EQ(compare(other.lhs, other.rhs), RandomTestResult::Kind::Differ);
}

TEST(ShrinkPair, OtherWindowsKeepImages) {
  for (Convolution convolution :
       {Convolution{.padding = 0}, Convolution{.padding = 3},
        Convolution{.padding = 0, .padded = 2}}) {
    MuGraph graph = convolution.make();
    ShrunkPair pair = shrinkPair(graph, graph);
    expectLegal(pair.lhs);
    EXPECT_EQ(pair.lhs.getShape(0)[2], 224);
    EXPECT_LT(pair.lhs.getShape(0)[1], 32);
  }
}

} // namespace
