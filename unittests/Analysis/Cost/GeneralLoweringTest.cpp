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
  // As many bytes and flops in all: barriers and sums are what loops cost.
  GeneralWork few = count(ProductLaunch(16, 64, 256, 2, 4)),
              many = count(ProductLaunch(16, 64, 256, 2, 8));
  EXPECT_EQ(many.rounds[GeneralWork::Barriers] -
                few.rounds[GeneralWork::Barriers],
            4 * 3);
  EXPECT_EQ(many.rounds[GeneralWork::Matrix], few.rounds[GeneralWork::Matrix]);
  EXPECT_GT(many.rounds[GeneralWork::Elements],
            few.rounds[GeneralWork::Elements]);
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
