//===- ShrinkPairTest.cpp - The same programs at smaller extents ----------===//
//
// Shrunk pairs keep their structure and their answer; different dimensions
// stay different.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/ShrinkPair.h"
#include "Mirage/Analysis/Equivalence/RandomTests.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

constexpr ElementType f32 = ElementType::f32;

/// Whether the shapes of all operators are those that their rules give.
void expectLegal(const MuGraph &graph) {
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    llvm::SmallVector<Shape, 4> operands;
    for (MuValue operand : node.operands)
      operands.push_back(Shape(graph.getShape(operand)));
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    ASSERT_TRUE(llvm::succeeded(
        inferShapes(node.op, node.attributes, operands, results, error)))
        << error;
    for (auto [result, shape] : llvm::zip(node.results, results))
      EXPECT_EQ(graph.getShape(result), ShapeRef(shape));
  }
}

RandomTestResult::Kind compare(const MuGraph &lhs, const MuGraph &rhs) {
  WorkerPool pool(1);
  return runRandomTests(lhs, rhs, {}, pool).kind;
}

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

TEST(ShrinkPair, MeansAndTheirCounts) {
  auto make = [](bool byMean) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 1024}, f32);
    OpAttributes reduce, count;
    reduce.dim = 1;
    reduce.keep = true;
    reduce.reduceKind = byMean ? ReduceKind::Mean : ReduceKind::Sum;
    MuValue y = graph.addOperator(0, OpKind::Reduce, reduce, {x}, f32);
    if (!byMean) {
      count.scalar = 1.0 / 1024;
      y = graph.addOperator(0, OpKind::Scale, count, {y}, f32);
    }
    graph.setResults(0, {y});
    return graph;
  };
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
  for (double none : {0.0, 1.0, -1.0, HUGE_VAL})
    EXPECT_FALSE(shrinkPair(mean, make(ReduceKind::Sum, none)).mayDependOnSizes)
        << none;
  ShrinkOptions options;
  options.keepReductions = true;
  EXPECT_FALSE(
      shrinkPair(mean, make(ReduceKind::Sum, 1e-5), options).mayDependOnSizes);
}

TEST(ShrinkPair, DivisionsWithoutRefinementStay) {
  // 6 x 4 as 8 x 3: no common refinement of 24.
  auto make = [](Shape middle) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {10, 24}, f32);
    OpAttributes split, join;
    split.resultShape = {10, middle[0], middle[1]};
    join.resultShape = {10, 24};
    MuValue y = graph.addOperator(0, OpKind::Reshape, split, {x}, f32);
    graph.setResults(0,
                     {graph.addOperator(0, OpKind::Reshape, join, {y}, f32)});
    return graph;
  };
  ShrunkPair pair = shrinkPair(make({6, 4}), make({8, 3}));
  expectLegal(pair.lhs);
  expectLegal(pair.rhs);
  EXPECT_EQ(pair.lhs.getShape(0)[1], 24);
  EXPECT_EQ(compare(pair.lhs, pair.rhs), RandomTestResult::Kind::Agree);
}

} // namespace
