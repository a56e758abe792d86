//===- FusedProgramTest.cpp - Times after plain fusion --------------------===//
//
// Says which operators become one kernel and which do not, and that fusion
// never makes a program slower.
//
//===----------------------------------------------------------------------===//

#include "../../GraphBuilder.h"
#include "CostGraphs.h"
#include <gtest/gtest.h>
#include <random>

using namespace mirage;

namespace {

TargetDescription getH200() { return *getTargetPreset("sm_90a"); }

ProgramCost estimateFused(const MuGraph &graph) {
  ProgramCost fused = estimateFusedProgram(graph, getH200());
  EXPECT_LE(fused.microseconds,
            estimateProgram(graph, getH200()).microseconds + 1e-9);
  return fused;
}

TEST(FusedProgram, MakesAChainOneKernel) {
  MuGraph graph;
  RegionBuilder b(graph);
  MuValue x = b.argument({1024, 1024}), y = b.argument({1024, 1024});
  graph.setResults(0, {b.exp(b.mul(b.add(x, y), y))});
  ProgramCost fused = estimateFused(graph);
  ASSERT_EQ(fused.kernels.size(), 1u);
  const KernelSummary &s = fused.kernels[0].summary;
  // Each input is read once, and only the result is written.
  double bytes = 1024.0 * 1024 * 4;
  EXPECT_EQ(s.loadedBytes, 2 * bytes);
  EXPECT_EQ(s.distinctBytes, 2 * bytes);
  EXPECT_EQ(s.storedBytes, bytes);
  EXPECT_EQ(s.exponentials, 1024.0 * 1024);
  // That is what one elementwise operator takes, as far as memory decides.
  MuGraph single;
  RegionBuilder one(single);
  MuValue a = one.argument({1024, 1024}), c = one.argument({1024, 1024});
  single.setResults(0, {one.add(a, c)});
  EXPECT_NEAR(fused.microseconds,
              estimateProgram(single, getH200()).microseconds, 1e-6);
}

TEST(FusedProgram, AddsWhatFollowsToAProduct) {
  MuGraph graph;
  RegionBuilder b(graph);
  MuValue x = b.argument({64, 512}), w = b.argument({512, 256}),
          bias = b.argument({1, 256});
  graph.setResults(0, {b.silu(b.add(b.matmul(x, w), bias))});
  ProgramCost fused = estimateFused(graph);
  ASSERT_EQ(fused.kernels.size(), 1u);
  EXPECT_EQ(fused.kernels[0].node, 0u);
  EXPECT_EQ(fused.kernels[0].summary.storedBytes, 64.0 * 256 * 4);
  EXPECT_EQ(fused.kernels[0].summary.hotStoredBytes, 0);
  EXPECT_EQ(fused.kernels[0].summary.distinctBytes,
            (64 * 512 + 512 * 256 + 256) * 4.0);
}

TEST(FusedProgram, KeepsProductsAndReductionsApart) {
  MuGraph graph;
  RegionBuilder b(graph);
  MuValue x = b.argument({64, 512}), w = b.argument({512, 256}),
          v = b.argument({256, 128});
  graph.setResults(0, {b.matmul(b.silu(b.matmul(x, w)), v)});
  EXPECT_EQ(estimateFused(graph).kernels.size(), 2u);

  // A sum's quotient reads all of a row again: it needs the sum first.
  MuGraph softmax;
  RegionBuilder s(softmax);
  MuValue e = s.exp(s.argument({1024, 1024}));
  softmax.setResults(0, {s.div(e, s.sum(e, 1))});
  EXPECT_EQ(estimateFused(softmax).kernels.size(), 2u);
}

/// Halves of a product's rows are in other registers than those that they are
/// added to.
TEST(FusedProgram, TakesNoProductApart) {
  MuGraph graph;
  RegionBuilder b(graph);
  MuValue product = b.matmul(b.argument({64, 512}), b.argument({512, 256}));
  graph.setResults(0, {b.add(b.slice(product, {0, 0}, {64, 128}, {1, 1}),
                             b.slice(product, {0, 128}, {64, 128}, {1, 1}))});
  EXPECT_EQ(estimateFused(graph).kernels.size(), 2u);
}

TEST(FusedProgram, ReadsThroughWhatIsReduced) {
  MuGraph graph;
  RegionBuilder b(graph);
  MuValue x = b.argument({1024, 1024});
  graph.setResults(0, {b.sqrt(b.sum(b.square(x), 1))});
  ProgramCost fused = estimateFused(graph);
  ASSERT_EQ(fused.kernels.size(), 1u);
  EXPECT_EQ(fused.kernels[0].summary.loadedBytes, 1024.0 * 1024 * 4);
  EXPECT_EQ(fused.kernels[0].summary.storedBytes, 1024.0 * 4);
}

TEST(FusedProgram, LeavesWhatWouldBeAgain) {
  // A product reads its left operand once for each tile of 128 columns: 64
  // times the exponentials are slower than a kernel of their own.
  MuGraph graph;
  RegionBuilder b(graph);
  MuValue x = b.argument({8192, 1024}), w = b.argument({1024, 8192});
  graph.setResults(0, {b.matmul(b.exp(x), w)});
  EXPECT_EQ(estimateFused(graph).kernels.size(), 2u);
}

TEST(FusedProgram, NeverMakesACycle) {
  // The second operator needs the product, which needs the first: one kernel of
  // the first and the last could not run before nor after it.
  MuGraph graph;
  RegionBuilder b(graph);
  MuValue x = b.argument({4096, 4096}), w = b.argument({4096, 4096});
  MuValue e = b.exp(x);
  MuValue p = b.matmul(e, w);
  MuValue q = b.matmul(p, w);
  graph.setResults(0, {b.add(q, e)});
  ProgramCost fused = estimateFused(graph);
  EXPECT_EQ(fused.kernels.size(), 3u);
}

TEST(FusedProgram, LeavesLaunchesAlone) {
  ProductLaunch launch(16, 64, 256, 2, 4);
  MuValue last =
      addOp(launch.graph, 0, OpKind::Exp, {launch.result}, ElementType::f16);
  launch.graph.setResults(0, {last});
  EXPECT_EQ(estimateFused(launch.graph).kernels.size(), 2u);
}

TEST(FusedProgram, IsNeverSlower) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 200; ++i) {
    MuGraph graph;
    RegionBuilder b(graph);
    std::vector<MuValue> values = {b.argument({128, 128}),
                                   b.argument({128, 128})};
    auto pick = [&] { return values[random() % values.size()]; };
    for (unsigned op = 0; op < 10; ++op)
      switch (random() % 6) {
      case 0:
        values.push_back(b.matmul(pick(), pick()));
        break;
      case 1:
        values.push_back(b.softmax(pick(), 1));
        break;
      case 2:
        values.push_back(b.exp(pick()));
        break;
      case 3:
        values.push_back(b.mul(pick(), b.sum(pick(), 1)));
        break;
      default:
        values.push_back(b.add(pick(), pick()));
      }
    graph.setResults(0, {values.back(), pick()});
    estimateFused(graph);
  }
}

} // namespace
