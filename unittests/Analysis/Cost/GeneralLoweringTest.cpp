//===- GeneralLoweringTest.cpp - Work of block graphs as lowered ----------===//

#include "Mirage/Analysis/Cost/GeneralLowering.h"
#include "CostGraphs.h"
#include <gtest/gtest.h>
#include <random>

using namespace mirage;

namespace {

GeneralWork count(const ProductLaunch &product) {
  for (unsigned node : product.graph.getRegion().nodes)
    if (product.graph.getNode(node).kind == MuNode::Kind::Graph)
      return countGeneralWork(product.graph, product.graph.getNode(node));
  ADD_FAILURE() << "no launch";
  return {};
}

TEST(GeneralLowering, CountsGrowWithIterations) {
  // Both have as many bytes and flops in all: loops cost barriers and sums.
  GeneralWork few = count(ProductLaunch(16, 64, 256, 2, 4)),
              many = count(ProductLaunch(16, 64, 256, 2, 8));
  EXPECT_EQ(many.rounds[GeneralWork::Barriers] -
                few.rounds[GeneralWork::Barriers],
            4 * 3);
  EXPECT_EQ(many.rounds[GeneralWork::Matrix], few.rounds[GeneralWork::Matrix]);
  EXPECT_GT(many.rounds[GeneralWork::Elements],
            few.rounds[GeneralWork::Elements]);
}

/// The work of a block whose only operator multiplies or convolves two inputs
/// of f16.
GeneralWork countOperator(OpKind kind, ShapeRef lhs, ShapeRef rhs,
                          ElementType result, const OpAttributes &attributes) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, lhs, ElementType::f16);
  MuValue w = graph.addArgument(0, rhs, ElementType::f16);
  unsigned body = graph.addRegion();
  MuValue xa = graph.addArgument(body, lhs, ElementType::f16);
  MuValue wa = graph.addArgument(body, rhs, ElementType::f16);
  MuValue xt = graph.addLoad(body, xa, {kReplica}, {1});
  MuValue wt = graph.addLoad(body, wa, {kReplica}, {1});
  MuValue value = addOp(graph, body, kind, {xt, wt}, result, attributes);
  graph.setResults(body, {graph.addStore(body, value, {0}, {1})});
  graph.setResults(0, graph.addGraph(0, {x, w}, {1}, body));
  return countGeneralWork(graph, graph.getNode(graph.getRegion().nodes[0]));
}

/// Matrix instructions are counted where the lowering has them.
TEST(GeneralLowering, CountsMatrixInstructionsOfTheLowering) {
  auto isMatrix = [](const GeneralWork &work) {
    EXPECT_NE(work.rounds[GeneralWork::Matrix] > 0,
              work.rounds[GeneralWork::Reduced] > 0);
    return work.rounds[GeneralWork::Matrix] > 0;
  };
  auto multiply = [&](int64_t columns, ElementType result) {
    return isMatrix(
        countOperator(OpKind::Matmul, {16, 32}, {32, columns}, result, {}));
  };
  EXPECT_TRUE(multiply(16, ElementType::f16));
  EXPECT_TRUE(multiply(16, ElementType::f32));
  EXPECT_FALSE(multiply(16, ElementType::bf16));
  EXPECT_FALSE(multiply(12, ElementType::f32));
  OpAttributes convolution;
  convolution.convStrides = convolution.convDilations = {1, 1};
  convolution.convPadding = {0, 0, 0, 0};
  EXPECT_FALSE(
      isMatrix(countOperator(OpKind::Conv2d, {1, 16, 8, 8}, {16, 16, 1, 1},
                             ElementType::f32, convolution)));
}

TEST(GeneralLowering, ResidentBlocksShareWaiting) {
  TargetDescription target = *getTargetPreset("sm_90a");
  GeneralWork work;
  work.rounds.fill(10);
  int64_t blocks = target.multiprocessors;
  double one = estimateGeneralWork(work, 1, 1, target);
  EXPECT_GT(one, 0);
  EXPECT_EQ(estimateGeneralWork(work, blocks, 1, target), one);
  EXPECT_DOUBLE_EQ(estimateGeneralWork(work, 3 * blocks, 1, target), 3 * one);
  double shared = estimateGeneralWork(work, 3 * blocks, 3, target);
  EXPECT_GT(shared, one);
  EXPECT_LT(shared, 3 * one);
}

TEST(GeneralLowering, NeverCostsLessForMore) {
  TargetDescription target = *getTargetPreset("sm_90a");
  std::mt19937_64 random(3);
  for (unsigned i = 0; i < 1000; ++i) {
    GeneralWork work;
    for (double &rounds : work.rounds)
      rounds = random() % 1000;
    double time = estimateGeneralWork(work, 64, 1, target);
    for (double &rounds : work.rounds) {
      rounds += 1;
      EXPECT_GE(estimateGeneralWork(work, 64, 1, target), time);
      rounds -= 1;
    }
  }
}

} // namespace
