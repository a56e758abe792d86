//===- TilingSpaceTest.cpp - Sizes of spaces, and the rules ---------------===//
//
// Tests the paper's numbers, and holds counts against plain enumeration.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/TilingSpace.h"
#include "../../Analysis/Tiling/ChainShapes.h"
#include "gtest/gtest.h"

using namespace mirage::tiling;

namespace {

PruningRules getRules(int64_t sharedMemory = 166912) {
  PruningRules rules;
  rules.sharedMemoryPerBlock = sharedMemory;
  return rules;
}

TEST(TilingSpace, ThePapersExample) {
  // M = N = 1024, K = H = 512: 26 expressions, 64 tiles along m and n, 32 along
  // k and h.
  ChainShape shape = makeChainShape(1, {1024, 512, 1024, 512});
  TilingSpace space = makeSpace(shape, getRules());
  EXPECT_EQ(space.sizes[0].expressions, 26u);
  EXPECT_EQ(space.sizes[0].candidates, 109'051'904u);
  EXPECT_EQ(space.sizes[0].candidates, 26u * 64 * 64 * 32 * 32);
  EXPECT_EQ(space.sizes[1].expressions, 5u);
  EXPECT_EQ(space.sizes[1].candidates, 5u * 64 * 64 * 32 * 32);
  EXPECT_EQ(space.sizes[2].expressions, 3u);
  EXPECT_EQ(space.sizes[2].candidates, 3u * 64 * 64 * 32 * 32);
  EXPECT_EQ(space.sizes[3].expressions, 3u);
  EXPECT_EQ(space.sizes[4].expressions, 3u);
  // About 10^4 candidates are left after rule 4 (figure 7).
  EXPECT_GT(space.sizes[4].candidates, 5'000u);
  EXPECT_LT(space.sizes[4].candidates, 50'000u);
  RecordProperty("rule3", std::to_string(space.sizes[3].candidates));
  RecordProperty("rule4", std::to_string(space.sizes[4].candidates));
}

TEST(TilingSpace, EachRuleHasItsSwitch) {
  ChainShape shape = makeChainShape(1, {256, 80, 256, 96});
  PruningRules off = getRules(20000);
  off.deduplicate = off.intermediateTiles = off.padding = off.sharedMemory =
      false;
  uint64_t whole = 26u * 16 * 5 * 16 * 6;
  for (const SpaceSize &size : makeSpace(shape, off).sizes)
    EXPECT_EQ(size.candidates, whole);

  PruningRules one = off;
  one.deduplicate = true;
  EXPECT_EQ(makeSpace(shape, one).sizes[4].expressions, 5u);
  one = off;
  one.intermediateTiles = true;
  TilingSpace space = makeSpace(shape, one);
  EXPECT_EQ(space.sizes[1].expressions, 26u);
  EXPECT_EQ(space.sizes[4].expressions, 14u);

  // Plain enumeration applies rules 3 and 4.
  auto isPadded = [](int64_t size, int64_t tile) {
    int64_t over = (tile - size % tile) % tile;
    return static_cast<double>(over) / static_cast<double>(size) > 0.05;
  };
  uint64_t padded = 0, small = 0, both = 0;
  for (int64_t m : getTileChoices(256, 16))
    for (int64_t k : getTileChoices(80, 16))
      for (int64_t n : getTileChoices(256, 16))
        for (int64_t h : getTileChoices(96, 16)) {
          bool fills = !isPadded(256, m) && !isPadded(80, k) &&
                       !isPadded(256, n) && !isPadded(96, h);
          bool fits = 2.0 * static_cast<double>(m * k + k * n + m * n + n * h +
                                                m * h) <=
                      1.2 * 20000;
          padded += fills;
          small += fits;
          both += fills && fits;
        }
  one = off;
  one.padding = true;
  EXPECT_EQ(makeSpace(shape, one).sizes[4].candidates, 26 * padded);
  one = off;
  one.sharedMemory = true;
  EXPECT_EQ(makeSpace(shape, one).sizes[4].candidates, 26 * small);
  EXPECT_EQ(makeSpace(shape, getRules(20000)).sizes[4].candidates, 3 * both);
}

TEST(TilingSpace, DimensionsThatAreNoMultiples) {
  EXPECT_EQ(getTileChoices(40, 16),
            (llvm::SmallVector<int64_t, 8>{16, 32, 40}));
  EXPECT_EQ(getTileChoices(7, 16), (llvm::SmallVector<int64_t, 8>{7}));
  EXPECT_DOUBLE_EQ(getPadding(40, 16), 8.0 / 40);
  EXPECT_DOUBLE_EQ(getPadding(40, 40), 0);
  // A loop that cannot have iterations is in no expression: n and k, and what
  // that leaves of mhnk and the others.
  TilingSpace space = makeSpace(makeChainShape(1, {64, 64, 64, 7}), getRules());
  EXPECT_EQ(space.sizes[0].expressions, 26u);
  EXPECT_EQ(space.sizes[1].expressions, 2u);
  EXPECT_EQ(space.sizes[2].expressions, 1u);
}

/// Where nothing else divides, tiles below the granularity do.
TEST(TilingSpace, SmallDivisors) {
  PruningRules rules = getRules();
  rules.maxPadding = 0;
  ChainShape shape = makeChainShape(1, {4099, 64, 40, 7});
  TilingSpace space = makeSpace(shape, rules);
  EXPECT_EQ(space.tiles[0].size(), 1u);
  rules.smallDivisors = true;
  space = makeSpace(shape, rules);
  using Tiles = llvm::SmallVector<int64_t, 8>;
  EXPECT_EQ(space.tiles[0], (Tiles{1, 4099}));
  EXPECT_EQ(space.tiles[1], (Tiles{16, 32, 64}));
  EXPECT_EQ(space.tiles[2], (Tiles{1, 2, 4, 5, 8, 10, 40}));
  EXPECT_EQ(space.tiles[3], (Tiles{7}));
  EXPECT_EQ(space.sizes[3].candidates, space.sizes[3].expressions * 2 * 3 * 7);
}

TEST(TilingSpace, LongChainsAreCounted) {
  TilingSpace space =
      makeSpace(makeChainShape(1, {1024, 1024, 1024, 1024, 1024}), getRules());
  EXPECT_EQ(space.sizes[0].candidates,
            space.sizes[0].expressions * (1ull << 30));
  EXPECT_GT(space.sizes[4].candidates, 0u);
  EXPECT_LT(space.sizes[4].candidates, space.sizes[3].candidates);
}

} // namespace
