//===- CostModelTest.cpp - Estimated times --------------------------------===//
//
// Holds the model against times worked out by hand, tests what must hold
// whatever the numbers are, and tests the lower bound on random programs.
//
//===----------------------------------------------------------------------===//

#include "CostGraphs.h"
#include <gtest/gtest.h>
#include <random>

using namespace mirage;

namespace {

/// The device alone, without what emitted kernels lose.
TargetDescription getH200() {
  TargetDescription target = *getTargetPreset("sm_90a");
  target.startTime = 1030;
  target.smCopyBandwidth = target.smBulkBandwidth = 0;
  target.clusterMergeTime = 0;
  return target;
}

TEST(CostModel, EstimatesAProductByHand) {
  KernelCost c =
      estimateKernel(ProductLaunch(16, 64, 256, 2, 4).summarize(), getH200());
  EXPECT_NEAR(c.launch, 0.77 + 1.03, 1e-9);
  // W's rows of 64 bytes leave out 32,768 bytes of the lines that they touch,
  // and a fifth of that counts: 5461 bytes for the 40,960 of 49,152 that come
  // from device memory at 4.56 TB/s; 2048 are stored at 4.29 TB/s.
  EXPECT_NEAR(c.hbm, 0.010658, 1e-6);
  // One SM moves half of 51,200 + 6554 bytes at 140 GB/s, and of three quarters
  // of the 2048 bytes that stored rows of 64 bytes leave out.
  EXPECT_NEAR(c.l2, 0.211749, 1e-6);
  // The 4 iterations take 0.44 us and 6144 bytes at 140 GB/s each, with 4 tiles
  // in flight.
  EXPECT_EQ(c.stages, 4);
  EXPECT_NEAR(c.latency, 0.483886, 1e-6);
  // mma.sync computes half of 524,288 flops at 611 / 132 TFLOP/s.
  EXPECT_NEAR(c.tensor, 0.056634, 1e-6);
  // Shared memory moves half of 102,400 bytes at 123 x 1980 MB/s.
  EXPECT_NEAR(c.shared, 0.210232, 1e-6);
  EXPECT_EQ(c.sharedMemory, 4 * 6144);
  EXPECT_EQ(c.occupancy, 8);
  EXPECT_EQ(c.waves, 1);
  EXPECT_EQ(c.bound, CostBound::Launch);
  // Warps load between products: their copies are part of the arithmetic, with
  // four barriers of 28 clocks. A quarter of it is not behind the latency.
  double arithmetic = 0.056634 + 4 * 28 / 1980.0 + 0.211749;
  EXPECT_NEAR(c.microseconds, 1.8 + 0.483886 + arithmetic / 4, 1e-5);
}

/// What is computed behind a loop is hidden behind none of its loads.
TEST(CostModel, HidesNothingBehindLoops) {
  KernelSummary s = ProductLaunch(16, 64, 256, 2, 4).summarize();
  EXPECT_EQ(s.outerMmaFlops, 0);
  s.outerMmaFlops = s.mmaSyncFlops;
  s.outerScalarInstructions = s.scalarInstructions;
  s.outerExponentials = s.exponentials;
  KernelCost c = estimateKernel(s, getH200());
  double arithmetic = 0.056634 + 4 * 28 / 1980.0 + 0.211749;
  EXPECT_NEAR(c.microseconds, 1.8 + 0.483886 + arithmetic, 1e-5);
}

/// 64 rows are those of wgmma, and so are 64 columns. What wgmma loads in
/// bulk takes no time of the warps.
TEST(CostModel, KnowsWhichInstructionMultiplies) {
  auto summarize = [](int64_t rows, int64_t columns) {
    return ProductLaunch(rows, columns, 256, 1, 4).summarize();
  };
  EXPECT_TRUE(summarize(64, 32).fillsWarpgroups);
  EXPECT_TRUE(summarize(16, 64).fillsWarpgroups);
  // A quarter of the rows, and some columns, may be beyond the end.
  EXPECT_TRUE(summarize(48, 32).fillsWarpgroups);
  EXPECT_TRUE(summarize(12, 48).fillsWarpgroups);
  EXPECT_FALSE(summarize(40, 32).fillsWarpgroups);
  // Columns that fill no instruction are no rows in memory here.
  EXPECT_FALSE(summarize(64, 20).fillsWarpgroups);

  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary s = summarize(64, 64);
  double bulk = estimateKernel(s, target).microseconds;
  s.fillsWarpgroups = false;
  EXPECT_GT(estimateKernel(s, target).microseconds, bulk);
}

/// A stage is loaded and multiplied before it is loaded again: where memory has
/// room for two, an iteration takes half of both.
TEST(CostModel, AwaitsStages) {
  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary s = ProductLaunch(256, 128, 4096, 1, 32).summarize();
  s.sharedIterations = 1;
  ASSERT_TRUE(s.fillsWarpgroups && s.multipliesAlone && s.fillsRegisters);
  KernelCost two = estimateKernel(s, target);
  // Tiles of 98,304 bytes come at 92 GB/s after 0.44 us, and 8,388,608 flops
  // take 1 / 132 of 810 TFLOP/s, with a barrier of 28 clocks for each.
  double loads = 0.44 + 98304 / 92e3;
  double products = 8388608 / (810e6 / 132) + 28 / 1980.0;
  EXPECT_NEAR(two.latency, 32 * (loads + products) / 2, 1e-3);
  // There is room for four of half the size.
  s = ProductLaunch(256, 128, 4096, 1, 64).summarize();
  s.sharedIterations = 1;
  EXPECT_LT(estimateKernel(s, target).microseconds, two.microseconds);
}

/// Warps that make an operand before each product do so beside nothing.
TEST(CostModel, AwaitsComputedOperands) {
  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary s = ProductLaunch(64, 64, 4096, 1, 64).summarize();
  s.sharedIterations = 1;
  s.scalarInstructions = 1e6;
  double prepared = estimateKernel(s, target).microseconds;
  s.computesOperands = true;
  // One block has at most eight warps for four schedulers, which would need 16.
  double scalar = 1e6 / (113 * 1980.0);
  EXPECT_GT(estimateKernel(s, target).microseconds, prepared + scalar);
}

/// Where threads copy tiles, the tile of one stage is multiplied while those of
/// the other stages are loaded.
TEST(CostModel, KeepsAStageForWhatIsMultiplied) {
  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary s = ProductLaunch(64, 64, 4096, 1, 64).summarize();
  s.sharedIterations = 1;
  s.computesOperands = true;
  auto estimate = [&](int64_t tiles) {
    s.maxStages = tiles;
    return estimateKernel(s, target);
  };
  KernelCost one = estimate(1), two = estimate(2);
  EXPECT_EQ(one.stages, 2);
  EXPECT_EQ(two.stages, 3);
  EXPECT_NEAR(two.latency, one.latency / 2, 1e-6);
}

/// Two blocks on an SM take little longer than one, since one block multiplies
/// while the other one waits for its tiles.
TEST(CostModel, HidesOneBlockBehindAnother) {
  TargetDescription target = *getTargetPreset("sm_90a");
  auto getTime = [&](int64_t blocks) {
    KernelSummary s =
        ProductLaunch(64, 64 * blocks, 512, blocks, 8).summarize();
    s.computesOperands = true;
    s.dependentSteps = 1000.0 * static_cast<double>(blocks);
    return estimateKernel(s, target).microseconds;
  };
  double one = getTime(target.multiprocessors);
  EXPECT_GT(one, 1000 * 28 / 1980.0);
  EXPECT_LT(getTime(2 * target.multiprocessors), 1.3 * one);
}

/// Copies by threads make no kernel faster: two blocks on an SM overlap
/// products of products no more than where the copy engine brings their tiles.
TEST(CostModel, GainsNothingByCopiesOfThreads) {
  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary s = ProductLaunch(64, 64 * 4 * target.multiprocessors, 512,
                                  4 * target.multiprocessors, 2)
                        .summarize();
  s.scalarInstructions = 1e9;
  s.exponentials = 1e8;
  s.multipliesAlone = false;
  double bulk = estimateKernel(s, target).microseconds;
  s.copiesInPieces = true;
  EXPECT_GE(estimateKernel(s, target).microseconds, bulk);
}

/// A loop over small tiles waits for their latency, and the traffic of another
/// loop hides nothing of that.
TEST(CostModel, WaitsForEachLoop) {
  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary one = ProductLaunch(16, 8192, 4096, 128, 32).summarize();
  one.sharedIterations = 1;
  ASSERT_EQ(one.loops.size(), 1u);
  KernelSummary two = one;
  double small = 32 * 1024;
  two.iterations += 32;
  two.loops.front().streamedBytes -= small;
  two.loops.push_back({32, small});
  // Four tiles are on their way at a time, each for 0.44 us and more.
  double waits = 32 * 0.44 / 4;
  double traffic = estimateKernel(one, target).hbm * small /
                   (one.streamedBytes / static_cast<double>(one.blocks));
  EXPECT_NEAR(estimateKernel(two, target).microseconds -
                  estimateKernel(one, target).microseconds,
              waits - traffic, 0.2);
}

/// Blocks that read the same part of a tensor that fills L2 wait for it longer.
TEST(CostModel, CountsWhatBlocksReadAgain) {
  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary s = ProductLaunch(16, 8192, 4096, 128, 32).summarize();
  double once = estimateKernel(s, target).microseconds;
  double bytes = 60e6;
  s.rereads.push_back({bytes, static_cast<double>(target.l2Bytes)});
  EXPECT_NEAR(estimateKernel(s, target).microseconds - once,
              0.25 * bytes / (target.l2Bandwidth * 1e3), 1e-3);
}

/// Rows that the widest accesses do not divide take more accesses.
TEST(CostModel, CountsNarrowAccesses) {
  EXPECT_EQ(ProductLaunch(16, 64, 256, 2, 4).summarize().narrowBytes, 0);
  // W's rows of 40 bytes take accesses of 8 bytes: three times its bytes more.
  KernelSummary s = ProductLaunch(16, 20, 256, 1, 4).summarize();
  EXPECT_EQ(s.narrowBytes, 3 * 256 * 20 * 2);
}

TEST(CostModel, EstimatesAsPublished) {
  KernelSummary s = ProductLaunch(16, 64, 256, 2, 4).summarize();
  KernelCost c = estimateKernel(s, getH200(), CostModel::Published);
  // The time is
  // (51,200 bytes / 4.56 TB/s + 524,288 flops / 810 TFLOP/s) (2 + 132) / 2.
  EXPECT_NEAR(c.microseconds, (0.0112281 + 0.000647269) * 67, 1e-5);
}

TEST(CostModel, QuantizesWaves) {
  // There are as many blocks as multiprocessors, and then one more: a block has
  // the same work, and one SM has two of them.
  TargetDescription target = getH200();
  KernelSummary s;
  s.isLaunch = true;
  s.wgmmaFlops = s.mmaSyncFlops = s.tensorFlops = 132 * 1e9;
  s.blocks = 132;
  // No second block fits beside it.
  s.residentBytes = 200000;
  KernelCost one = estimateKernel(s, target);
  s.tensorFlops *= 133. / 132;
  s.wgmmaFlops = s.mmaSyncFlops = s.tensorFlops;
  s.blocks = 133;
  KernelCost two = estimateKernel(s, target);
  EXPECT_EQ(one.waves, 1);
  EXPECT_EQ(two.waves, 2);
  EXPECT_EQ(one.occupancy, 1);
  EXPECT_NEAR(two.tensor, 2 * one.tensor, 1e-9);
  EXPECT_EQ(one.bound, CostBound::Tensor);
}

TEST(CostModel, LimitsWhatFewBlocksReach) {
  TargetDescription target = getH200();
  KernelSummary s;
  s.isLaunch = true;
  s.loadedBytes = s.distinctBytes = 1e8;
  s.blocks = 16;
  EXPECT_NEAR(estimateKernel(s, target).l2, 1e8 / (16 * 140e3), 1e-6);
  s.blocks = 132;
  KernelCost all = estimateKernel(s, target);
  EXPECT_NEAR(all.hbm, 1e8 / 4560e3, 1e-6);
  EXPECT_EQ(all.bound, CostBound::HBM);
}

TEST(CostModel, MergesAllWhereNothingIsDivided) {
  TargetDescription target = *getTargetPreset("sm_90a");
  KernelSummary s = ProductLaunch(64, 2048, 8192, 32, 128).summarize();
  KernelCost parts = estimateKernel(s, target);
  ASSERT_GT(parts.clusterBlocks, 2);
  s.mostDividing = 1;
  KernelCost all = estimateKernel(s, target);
  EXPECT_GT(all.microseconds, parts.microseconds);
  // Fewer blocks read from fewer others.
  EXPECT_LT(all.clusterBlocks, parts.clusterBlocks);
}

TEST(CostModel, MergesInClustersOrByAnotherKernel) {
  KernelSummary s;
  s.isLaunch = true;
  s.blocks = 132;
  KernelCost plain = estimateKernel(s, getH200());
  s.mergedBlocks = 8;
  s.mergedBytes = 8192;
  KernelCost merged = estimateKernel(s, getH200());
  // The cluster takes two barriers of 375 clocks, and 8192 bytes at 13 bytes
  // per clock.
  EXPECT_NEAR(merged.launch - plain.launch, (750 + 8192 / 13.) / 1980, 1e-9);
  // 120 SMs hold clusters of 8: the last 12 blocks make a second round.
  s.residentBytes = 200000;
  EXPECT_EQ(estimateKernel(s, getH200()).waves, 2);
  // sm_80 has no clusters.
  TargetDescription a100 = *getTargetPreset("sm_80");
  s.residentBytes = 0;
  double apart = estimateKernel(s, a100).launch;
  s.mergedBlocks = 1;
  EXPECT_GT(apart - estimateKernel(s, a100).launch, 0.77 + 1.03);
}

TEST(CostModel, IsInfiniteWhereNothingFits) {
  KernelSummary s;
  s.isLaunch = true;
  s.residentBytes = 232449;
  EXPECT_TRUE(std::isinf(estimateKernel(s, getH200()).microseconds));
  s.residentBytes = 232448;
  EXPECT_TRUE(std::isfinite(estimateKernel(s, getH200()).microseconds));
}

TEST(CostModel, FindsHotTensorsInL2) {
  KernelSummary s;
  s.blocks = 1000;
  s.loadedBytes = s.distinctBytes = 5e7;
  double cold = estimateKernel(s, getH200()).microseconds;
  s.hotDistinctBytes = 5e7;
  EXPECT_LT(estimateKernel(s, getH200()).microseconds, cold);
  // More than L2 holds comes from device memory.
  s.loadedBytes = s.distinctBytes = s.hotDistinctBytes = 7e7;
  EXPECT_NEAR(estimateKernel(s, getH200()).hbm, 7e7 / 4560e3, 1e-6);
}

KernelSummary drawSummary(std::mt19937_64 &random) {
  auto draw = [&](double most) {
    return std::exp(
        std::uniform_real_distribution(0.0, std::log(most))(random));
  };
  KernelSummary s;
  s.isLaunch = random() % 4;
  s.blocks = static_cast<int64_t>(draw(2000));
  s.iterations = static_cast<int64_t>(draw(64));
  s.distinctBytes = draw(1e9);
  s.loadedBytes = s.distinctBytes + draw(1e9);
  s.streamedBytes = s.loadedBytes * (random() % 2);
  s.storedBytes = draw(1e8);
  s.tensorFlops = draw(1e11);
  s.mmaSyncFlops = s.tensorFlops * (1 + random() % 3);
  s.wgmmaFlops = s.tensorFlops * (1 + random() % 3);
  s.scalarInstructions = s.otherFlops = draw(1e9);
  s.exponentials = draw(1e9);
  s.sharedTraffic = draw(1e9);
  s.dependentSteps = draw(100) * s.blocks;
  s.residentBytes = static_cast<int64_t>(draw(100000));
  s.stageBytes = static_cast<int64_t>(draw(50000));
  s.registerBytes = static_cast<int64_t>(draw(300000));
  s.mergedBlocks = 1 << random() % 5;
  s.mergedBytes = draw(50000);
  return s;
}

TEST(CostModel, NeverCostsLessForMore) {
  double KernelSummary::*counts[] = {
      &KernelSummary::loadedBytes,    &KernelSummary::streamedBytes,
      &KernelSummary::distinctBytes,  &KernelSummary::storedBytes,
      &KernelSummary::otherFlops,     &KernelSummary::scalarInstructions,
      &KernelSummary::exponentials,   &KernelSummary::sharedTraffic,
      &KernelSummary::dependentSteps, &KernelSummary::mergedBytes,
      &KernelSummary::wgmmaFlops,     &KernelSummary::mmaSyncFlops};
  int64_t KernelSummary::*sizes[] = {&KernelSummary::residentBytes,
                                     &KernelSummary::stageBytes,
                                     &KernelSummary::registerBytes};
  std::mt19937_64 random(1);
  for (unsigned i = 0; i < 2000; ++i) {
    KernelSummary s = drawSummary(random);
    for (CostModel model : {CostModel::Mirage, CostModel::Published}) {
      double cost = estimateKernel(s, getH200(), model).microseconds;
      for (auto [j, count] : llvm::enumerate(counts)) {
        KernelSummary more = s;
        more.*count *= 1.5;
        EXPECT_GE(estimateKernel(more, getH200(), model).microseconds, cost)
            << "count " << j << " of summary " << i;
      }
      for (auto [j, size] : llvm::enumerate(sizes)) {
        KernelSummary more = s;
        more.*size += 5000;
        EXPECT_GE(estimateKernel(more, getH200(), model).microseconds, cost)
            << "size " << j << " of summary " << i;
      }
    }
  }
}

TEST(CostModel, NeverGoesBelowTheLowerBound) {
  std::mt19937_64 random(2);
  auto draw = [&](int64_t most) { return int64_t(1) << random() % most; };
  for (const char *chip : {"sm_80", "sm_90a"}) {
    TargetDescription target = *getTargetPreset(chip);
    for (unsigned i = 0; i < 500; ++i) {
      // The program is a launch of a product, then operators on its result.
      int64_t blocks = draw(8), loops = draw(6);
      int64_t m = 8 * draw(5), n = 8 * draw(5) * blocks,
              k = 8 * draw(5) * loops;
      ProductLaunch launch(m, n, k, blocks, loops,
                           random() % 2 ? OpKind::Exp : OpKind::Cast);
      MuGraph &graph = launch.graph;
      MuValue value = launch.result;
      double bytes = static_cast<double>(m * k + k * n) * 2;
      for (unsigned more = random() % 4; more; --more) {
        OpAttributes last;
        last.dim = 1;
        const OpKind kinds[] = {OpKind::Softmax, OpKind::Exp, OpKind::Relu};
        OpKind kind = kinds[random() % 3];
        value = addOp(graph, 0, kind, {value}, ElementType::f16,
                      kind == OpKind::Softmax ? last : OpAttributes());
      }
      graph.setResults(0, {value});
      bytes += static_cast<double>(m * n) * 2;
      ProgramCost cost = estimateProgram(graph, target);
      double flops = 0, exponentials = 0;
      for (const ProgramCost::Kernel &kernel : cost.kernels) {
        flops += kernel.summary.tensorFlops;
        exponentials += kernel.summary.exponentials;
      }
      double bound = lowerBound(bytes, flops, exponentials, target);
      EXPECT_LE(bound, cost.microseconds) << m << " " << n << " " << k;
      EXPECT_GT(bound, 0);
    }
    // The bound holds for random summaries, too.
    for (unsigned i = 0; i < 2000; ++i) {
      KernelSummary s = drawSummary(random);
      EXPECT_LE(lowerBound(s.distinctBytes + s.storedBytes, s.tensorFlops,
                           s.exponentials, target),
                estimateKernel(s, target).microseconds);
    }
  }
}

} // namespace
