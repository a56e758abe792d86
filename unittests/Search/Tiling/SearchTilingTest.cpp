//===- SearchTilingTest.cpp - Algorithm 1 ---------------------------------===//
//
// Holds the search for tilings against exhaustive search, and tests that
// nothing but the seed decides what it finds.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/SearchTiling.h"
#include "Mirage/Search/Tiling/TuneChain.h"
#include "RandomChains.h"
#include "llvm/Support/xxhash.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>

using namespace mirage;
using namespace mirage::tiling;

namespace {

TuneOptions getOptions() {
  TuneOptions options;
  options.target = *getTargetPreset("sm_90a");
  return options;
}

TunedChain tune(const Chain &chain, const TuneOptions &options) {
  std::string error;
  auto tuned = tuneChain(chain, options, error);
  EXPECT_TRUE(tuned) << error;
  return *tuned;
}

TEST(SearchTiling, WholeSmallSpaces) {
  Chain chain = makeChain(1, {256, 64, 128, 64}, false);
  TuneOptions options = getOptions();
  TunedChain tuned = tune(chain, options);
  EXPECT_TRUE(tuned.search.wasExhaustive);
  EXPECT_EQ(tuned.search.estimated, 3u * 5 * 3 * 4 * 3);
  // No candidate is faster.
  for (const TilingExpression &expression : generateTilings(2))
    for (int64_t m : {16, 32, 64, 128, 256})
      for (int64_t k : {16, 32, 64})
        for (int64_t n : {16, 32, 64, 128})
          for (int64_t h : {16, 32, 64})
            EXPECT_GE(estimateTiling(chain, {expression, {m, k, n, h}},
                                     options.target, CostModel::Mirage),
                      tuned.microseconds);
}

TEST(SearchTiling, HeuristicIsDeterministicAndGood) {
  Chain chain = makeChain(4, {1024, 128, 1024, 128}, true);
  TuneOptions options = getOptions();
  double best = tune(chain, options).microseconds;
  options.search.exhaustive = 0;
  for (uint64_t seed = 0; seed < 5; ++seed) {
    options.search.seed = seed;
    TunedChain first = tune(chain, options), second = tune(chain, options);
    EXPECT_FALSE(first.search.wasExhaustive);
    EXPECT_EQ(toString(first.tiling), toString(second.tiling));
    EXPECT_EQ(first.search.estimated, second.search.estimated);
    EXPECT_EQ(first.search.measured, second.search.measured);
    EXPECT_LE(first.microseconds, 1.05 * best);
  }
}

/// A space of one loop and times of its tiles.
TilingSpace getSpace(unsigned tiles) {
  TilingSpace space;
  space.expressions.resize(1);
  space.tiles.resize(1);
  for (unsigned tile = 1; tile <= tiles; ++tile)
    space.tiles[0].push_back(tile);
  return space;
}

TEST(SearchTiling, MeasuresTheBestAndGoesByIt) {
  TilingSpace space = getSpace(100);
  TilingSearchOptions options;
  unsigned calls = 0;
  auto estimate = [](const TilingPoint &p) { return 1.0 + p.tiles[0]; };
  // The point that is estimated to be best is no candidate, and the next is
  // slow.
  auto measure = [&](const TilingPoint &p) {
    ++calls;
    if (p.tiles[0] == 0)
      return std::numeric_limits<double>::infinity();
    return p.tiles[0] == 3 ? 1.0 : 10.0;
  };
  auto result = searchTiling(space, estimate, measure, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->best.tiles[0], 3u);
  EXPECT_EQ(result->estimated, 100u);
  EXPECT_EQ(result->measured, 9u); // Eight, and the one that is none.
  EXPECT_EQ(calls, 9u);
  EXPECT_EQ(result->microseconds, 1.0);
}

TEST(SearchTiling, EndsWhenNothingImproves) {
  TilingSpace space = getSpace(1000);
  TilingSearchOptions options;
  options.exhaustive = 0;
  auto constant = [](const TilingPoint &) { return 5.0; };
  auto result = searchTiling(space, constant, constant, options);
  ASSERT_TRUE(result);
  // The first generation finds 5, and that many others find nothing better.
  EXPECT_EQ(result->generations, 1 + options.patience);
  auto none = [](const TilingPoint &) {
    return std::numeric_limits<double>::infinity();
  };
  EXPECT_FALSE(searchTiling(space, none, none, options));
  EXPECT_FALSE(searchTiling(space, constant, none, options));
  EXPECT_FALSE(searchTiling(getSpace(0), constant, constant, options));
}

TEST(SearchTiling, OneCandidate) {
  TilingSearchOptions options;
  options.exhaustive = 0;
  auto constant = [](const TilingPoint &) { return 5.0; };
  auto result = searchTiling(getSpace(1), constant, constant, options);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->estimated, 1u);
}

TEST(TuneChain, SaysWhyNothingFits) {
  Chain chain = makeChain(1, {64, 64, 64, 64}, false);
  TuneOptions options = getOptions();
  options.target.sharedMemoryPerBlock = 1024;
  std::string error;
  EXPECT_FALSE(tuneChain(chain, options, error));
  EXPECT_EQ(error, "no tiling fits into the 1024 bytes of shared memory of a "
                   "block");
}

/// A time that no model has anything to do with. A tenth of the points have
/// none.
double getFakeTime(llvm::StringRef tiling) {
  uint64_t hash = llvm::xxh3_64bits(tiling);
  return hash % 10 == 0 ? std::numeric_limits<double>::infinity()
                        : 1.0 + hash % 1000;
}

TEST(TuneChain, TakesTheMinimumOfWhatWasMeasured) {
  Chain chain = makeChain(2, {512, 64, 256, 64}, true);
  for (uint64_t exhaustive : {0, 4096})
    for (uint64_t seed = 0; seed < 4; ++seed) {
      TuneOptions options = getOptions();
      options.search.exhaustive = exhaustive;
      options.search.seed = seed;
      std::map<std::string, double> times;
      std::string error;
      auto tuned = tuneChain(
          chain, options, error, [&](const Tiling &tiling, double estimated) {
            EXPECT_EQ(estimated, estimateTiling(chain, tiling, options.target,
                                                CostModel::Mirage));
            EXPECT_TRUE(std::isfinite(estimated));
            double time = getFakeTime(toString(tiling));
            // Each tiling is asked for once, without loops of one iteration.
            EXPECT_TRUE(times.emplace(toString(tiling), time).second);
            for (Loop loop = 0; loop < chain.shape.getNumLoops(); ++loop)
              EXPECT_TRUE(tiling.tiles[loop] < chain.shape.sizes[loop] ||
                          !tiling.expression.contains(loop));
            return time;
          });
      ASSERT_TRUE(tuned) << error;
      ASSERT_GE(times.size(), options.search.top);
      auto best =
          std::min_element(times.begin(), times.end(), [](auto &a, auto &b) {
            return a.second < b.second;
          });
      EXPECT_EQ(tuned->microseconds, best->second);
      EXPECT_EQ(times.at(toString(tuned->tiling)), best->second);
    }
}

TEST(TuneChain, SaysThatNothingCouldBeMeasured) {
  Chain chain = makeChain(1, {64, 64, 64, 64}, false);
  std::string error;
  unsigned asked = 0;
  EXPECT_FALSE(
      tuneChain(chain, getOptions(), error, [&](const Tiling &, double) {
        ++asked;
        return std::numeric_limits<double>::infinity();
      }));
  EXPECT_EQ(error, "none of " + std::to_string(asked) +
                       " tilings has a measured time");
}

} // namespace
