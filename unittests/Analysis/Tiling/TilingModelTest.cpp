//===- TilingModelTest.cpp - Equations 1 to 5 and phi ---------------------===//
//
// Holds the model against numbers worked out by hand, and against the published
// model of the block graph.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/TilingModel.h"
#include "../../Search/Tiling/RandomChains.h"
#include "ChainShapes.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/Tiling/TuneChain.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::tiling;

namespace {

Schedule get(llvm::StringRef text, const ChainShape &shape,
             llvm::ArrayRef<int64_t> tiles) {
  ParseError parseError;
  auto expression = parseTilingExpression(text, tiles.size(), parseError);
  EXPECT_TRUE(expression) << parseError.message;
  std::string error;
  auto result = schedule(*expression, shape.getScheduleProblem(tiles), error);
  EXPECT_TRUE(result) << error;
  return *result;
}

TEST(TilingModel, Equation1) {
  ChainShape shape = makeChainShape(1, {1024, 512, 1024, 512});
  // A 128x64, B 64x32, C 128x32, D 32x256, E 128x256, of two bytes.
  EXPECT_EQ(estimateSharedMemory(shape, {128, 64, 32, 256}),
            2 * (128 * 64 + 64 * 32 + 128 * 32 + 32 * 256 + 128 * 256));
}

TEST(TilingModel, Equations2To5) {
  ChainShape shape = makeChainShape(2, {512, 256, 256, 64});
  llvm::SmallVector<int64_t, 4> tiles = {128, 64, 128, 64};
  // m 4, k 4, n 2, h 1; mn(k(L_A,L_B,C_C),L_D,C_E) and S_E in m.
  Schedule s = get("mn(k,h)", shape, tiles);
  PublishedCounts counts = countPublished(s, shape, tiles);
  double a = 128 * 64 * 2 * 4 * 2 * 4, b = 64 * 128 * 2 * 4 * 2 * 4,
         d = 128 * 64 * 2 * 4 * 2, e = 128 * 64 * 2 * 4;
  EXPECT_EQ(counts.loadedBytes, 2 * (a + b + d));
  EXPECT_EQ(counts.storedBytes, 2 * e);
  EXPECT_EQ(counts.flops, 2 * (2.0 * 512 * 256 * 256 + 2.0 * 512 * 256 * 64));
  EXPECT_EQ(counts.blocks, 8);
  TargetDescription target = *getTargetPreset("sm_80");
  double memory = 2 * (a + b + d + e) / (target.hbmBandwidth * 1e3),
         compute = counts.flops / (target.tensorThroughput * 1e6),
         alpha = (8.0 + target.multiprocessors) / 8.0;
  EXPECT_DOUBLE_EQ(tiling::estimatePublished(s, shape, tiles, target),
                   (memory + compute) * alpha);
}

TEST(TilingModel, AgreesWithThePublishedModelOfTheBlockGraph) {
  unsigned compared = 0;
  Chain chain = makeChain(4, {256, 64, 128, 96}, false);
  for (const TilingExpression &expression : generateTilings(2))
    for (int64_t m : {32, 256})
      for (int64_t k : {16, 64})
        for (int64_t n : {32, 128})
          for (int64_t h : {48, 96}) {
            Tiling tiling{expression, {m, k, n, h}};
            std::string error;
            auto s = getSchedule(chain.shape, tiling, error);
            ASSERT_TRUE(s) << error;
            KernelSummary summary =
                summarize(applySchedule(chain, *s, tiling.tiles))[0].summary;
            PublishedCounts counts =
                countPublished(*s, chain.shape, tiling.tiles);
            EXPECT_EQ(summary.loadedBytes, counts.loadedBytes)
                << toString(tiling);
            EXPECT_EQ(summary.storedBytes, counts.storedBytes);
            EXPECT_EQ(summary.tensorFlops, counts.flops) << toString(tiling);
            EXPECT_EQ(summary.blocks, counts.blocks);
            ++compared;
          }
  EXPECT_EQ(compared, 26u * 16);
}

TEST(TilingModel, SmallContractionsAreMemoryBound) {
  // phi = 2 M N K / (2 (M K + K N + M N)) for f16; sm_80 has about 156 to 200
  // flops for each byte.
  EXPECT_DOUBLE_EQ(getComputeIntensity(1024, 1024, 1024, 2, 2, 2), 1024.0 / 3);
  EXPECT_NEAR(getComputeIntensity(1024, 1024, 64, 2, 2, 2), 56.9, 0.05);
  TargetDescription target = *getTargetPreset("sm_80");
  MemoryBound small =
      detectMemoryBound(makeChainShape(1, {1024, 64, 1024, 64}), target);
  EXPECT_DOUBLE_EQ(small.balance,
                   target.tensorThroughput * 1e3 / target.hbmBandwidth);
  EXPECT_LT(small.intensities[0], small.balance);
  EXPECT_TRUE(small.canFusionPay());
  // A, B, C and C, D, E; fused without C.
  EXPECT_EQ(small.separateBytes, 2 * (4 * 65536.0 + 2 * 1048576.0));
  EXPECT_EQ(small.fusedBytes, 2 * 4 * 65536.0);
  EXPECT_FALSE(
      detectMemoryBound(makeChainShape(1, {8192, 8192, 8192, 8192}), target)
          .canFusionPay());
  EXPECT_FALSE(detectMemoryBound(makeChainShape(1, {1024, 64, 1024}), target)
                   .canFusionPay());
}

} // namespace
