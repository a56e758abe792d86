//===- ChooseSizesTest.cpp - Sizes of candidates --------------------------===//
//
// Against the whole µGraph's cost, descent over all of it, and all points.
//
//===----------------------------------------------------------------------===//

#include "../Programs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/KernelGraphs/KernelGenerator.h"
#include "Mirage/Search/OrientProducts.h"
#include "Mirage/Search/Sizes/SizeSearch.h"
#include "gtest/gtest.h"
#include <random>

using namespace mirage;
using namespace mirage::search;

namespace {

/// Makes an attention in f16, with a batch, so that products go to the tensor
/// cores.
MuGraph makeAttention() {
  MuGraph graph;
  auto input = [&](Shape shape) {
    return graph.addArgument(0, shape, ElementType::f16);
  };
  auto op = [&](OpKind kind, llvm::ArrayRef<MuValue> operands, ElementType type,
                const OpAttributes &attributes = {}) {
    return graph.addOperator(0, kind, attributes, operands, type);
  };
  MuValue q = input({2, 64, 32}), k = input({2, 32, 96}),
          v = input({2, 96, 64});
  OpAttributes rows, toHalf;
  rows.dim = 2;
  toHalf.resultType = ElementType::f16;
  MuValue scores = op(OpKind::Matmul, {q, k}, ElementType::f32);
  MuValue weights = op(OpKind::Softmax, {scores}, ElementType::f32, rows);
  MuValue half = op(OpKind::Cast, {weights}, ElementType::f16, toHalf);
  MuValue sums = op(OpKind::Matmul, {half, v}, ElementType::f32);
  graph.setResults(0, op(OpKind::Cast, {sums}, ElementType::f16, toHalf));
  return graph;
}

MuGraph makeNorm() {
  ProgramBuilder b;
  MuValue x = b.input({16, 1024}), w = b.input({1024, 1536});
  MuValue root = b.sqrt(b.reduce(b.square(x), 1));
  return b.finish(b.matmul(b.div(x, root), w));
}

MuGraph makeAdapter() { return makeLowRank({16, 256, 512, 16}); }

struct Program {
  const char *name;
  MuGraph (*make)();
};
std::ostream &operator<<(std::ostream &os, const Program &program) {
  return os << program.name;
}

/// Some of a program's candidates of one launch and of two, with joined
/// products where there can be.
class ChooseSizes : public testing::TestWithParam<Program> {
protected:
  ChooseSizes() {
    std::string reason;
    std::optional<unsigned> location;
    task = SearchTask::create(GetParam().make(), reason, location);
    options.target = *getTargetPreset("sm_90a");
    options.limits.sharedMemory = options.target.sharedMemoryPerBlock;
    options.limits.blockOperators = 8;
    options.states = 200'000;
    generator = std::make_unique<KernelGenerator>(
        getProblem(), options, pool, [] { return false; },
        [](const SearchProgress &) {}, nullptr, 0, statistics);
    for (auto &found :
         {generator->generateSingle(), generator->generateLoops(),
          generator->generatePairs(std::numeric_limits<double>::infinity())})
      for (size_t i = 0; i < found.size(); i += 1 + found.size() / 20)
        for (bool joins : {false, true}) {
          candidates.push_back(found[i]);
          candidates.back().joinsProducts = joins;
        }
  }

  const SearchProblem &getProblem() const { return task->views[0].problem; }

  /// The cost of the whole candidate, whose launches are not estimated one by
  /// one.
  double getWholeCost(const Candidate &candidate,
                      llvm::ArrayRef<LaunchSizes> sizes) const {
    double cost = 0;
    for (const SummarizedKernel &kernel :
         summarize(instantiate(getProblem(), candidate, sizes))) {
      const KernelSummary &summary = kernel.summary;
      if (summary.grid[1] > 65535 || summary.grid[2] > 65535 ||
          summary.plannedBytes > options.target.sharedMemoryPerBlock)
        return std::numeric_limits<double>::infinity();
      cost += estimateKernel(summary, options.target).microseconds;
    }
    return cost;
  }

  std::optional<SearchTask> task;
  SearchOptions options;
  WorkerPool pool{1};
  SearchStatistics statistics;
  std::unique_ptr<KernelGenerator> generator;
  std::vector<Candidate> candidates;
};

/// Points of a candidate, spread over all of them.
std::vector<Point> samplePoints(const SizeFactors &factors, unsigned count,
                                std::mt19937_64 &random) {
  Divisors divisors;
  std::vector<Point> points;
  while (points.size() < count) {
    Point point;
    while (point.size() < factors.get().size()) {
      llvm::ArrayRef<int64_t> choices =
          divisors.get(factors.getRoom(point.size(), point));
      point.push_back(choices[random() % choices.size()]);
    }
    points.push_back(std::move(point));
  }
  return points;
}

/// Expects that a bound leaves out nothing negative, and that the rest is
/// exact.
void expectBelow(const KernelSummary &bound, const KernelSummary &summary) {
  EXPECT_EQ(bound.isLaunch, summary.isLaunch);
  EXPECT_EQ(bound.grid, summary.grid);
  EXPECT_EQ(bound.blocks, summary.blocks);
  EXPECT_EQ(bound.threads, summary.threads);
  EXPECT_EQ(bound.iterations, summary.iterations);
  EXPECT_EQ(bound.maxStages, summary.maxStages);
  EXPECT_EQ(bound.mergedBlocks, summary.mergedBlocks);
  for (auto field :
       {&KernelSummary::loadedBytes, &KernelSummary::streamedBytes,
        &KernelSummary::distinctBytes, &KernelSummary::storedBytes,
        &KernelSummary::hotDistinctBytes, &KernelSummary::hotStoredBytes,
        &KernelSummary::skippedBytes, &KernelSummary::skippedStoreBytes,
        &KernelSummary::narrowBytes, &KernelSummary::tensorFlops,
        &KernelSummary::wgmmaFlops, &KernelSummary::mmaSyncFlops})
    EXPECT_DOUBLE_EQ(bound.*field, summary.*field);
  EXPECT_EQ(bound.fillsWarpgroups, summary.fillsWarpgroups);
  EXPECT_EQ(bound.multipliesAlone, summary.multipliesAlone);
  EXPECT_EQ(bound.isChain, summary.isChain);
  EXPECT_GE(bound.rowWarps, summary.rowWarps);
  EXPECT_LE(bound.serialIterations, summary.serialIterations);
  for (auto field :
       {&KernelSummary::otherFlops, &KernelSummary::scalarInstructions,
        &KernelSummary::exponentials, &KernelSummary::sharedTraffic,
        &KernelSummary::dependentSteps})
    EXPECT_LE(bound.*field, summary.*field);
  EXPECT_LE(bound.residentBytes, summary.residentBytes);
  EXPECT_EQ(bound.stageBytes, summary.stageBytes);
  EXPECT_LE(bound.registerBytes, summary.registerBytes);
  EXPECT_LE(bound.plannedBytes, summary.plannedBytes);
}

TEST_P(ChooseSizes, BoundsAreBelow) {
  std::mt19937_64 random(1);
  ASSERT_TRUE(llvm::any_of(candidates, [](const Candidate &candidate) {
    return candidate.launches.size() == 2;
  }));
  for (const Candidate &candidate : candidates) {
    SizeCosts costs(getProblem(), candidate, options.target);
    const SizeFactors &factors = costs.getFactors();
    for (const Point &point : samplePoints(factors, 10, random)) {
      for (unsigned launch = 0; launch < candidate.launches.size(); ++launch) {
        LaunchBound bound(getProblem(), candidate, factors, launch);
        expectBelow(bound.get(point, std::numeric_limits<int64_t>::max()),
                    summarizeLaunch(getProblem(), candidate,
                                    factors.getSizes(point), launch));
        double cost = costs.getLaunchCost(launch, point);
        EXPECT_LE(costs.getLaunchBound(launch, point), cost);
        // Bounds that end at a limit are bounds, and no less than it.
        for (double part : {0.3, 0.9, 1.1}) {
          double bound = costs.getLaunchBound(launch, point),
                 ended = costs.getLaunchBound(launch, point, part * bound);
          EXPECT_LE(ended, bound);
          EXPECT_TRUE(ended == bound || ended >= part * bound);
        }
      }
      if (HasFailure())
        FAIL() << toString(getProblem(), candidate);
    }
  }
}

TEST_P(ChooseSizes, LaunchesAreEstimatedAsInTheProgram) {
  std::mt19937_64 random(2);
  for (const Candidate &candidate : candidates) {
    SizeCosts costs(getProblem(), candidate, options.target);
    const SizeFactors &factors = costs.getFactors();
    for (const Point &point : samplePoints(factors, 10, random))
      EXPECT_EQ(costs.getCost(point),
                getWholeCost(candidate, factors.getSizes(point)))
          << toString(getProblem(), candidate);
  }
}

/// Whichever candidates have asked before, a launch takes the same.
TEST_P(ChooseSizes, KnownLaunchesChangeNothing) {
  std::vector<Candidate> all = candidates;
  for (const Candidate &candidate : candidates) {
    Candidate &exchanged = all.emplace_back(candidate);
    exchangeProducts(getProblem(), exchanged);
    all.emplace_back(candidate).transposesLoads = true;
  }
  LaunchTable table(getProblem());
  SizeSearchOptions known;
  known.table = &table;
  std::mt19937_64 random(4);
  uint64_t withTable = 0, alone = 0;
  for (const Candidate &candidate : all) {
    auto expected = chooseSizes(getProblem(), candidate, options.target);
    auto chosen = chooseSizes(getProblem(), candidate, options.target, known);
    ASSERT_EQ(chosen.has_value(), expected.has_value());
    if (!expected)
      continue;
    EXPECT_EQ(chosen->sizes, expected->sizes)
        << toString(getProblem(), candidate);
    EXPECT_EQ(chosen->microseconds, expected->microseconds);
    // What takes as long finds nothing.
    known.limit = expected->microseconds;
    EXPECT_FALSE(chooseSizes(getProblem(), candidate, options.target, known));
    known.limit = std::numeric_limits<double>::infinity();
    SizeCosts costs(getProblem(), candidate, options.target, &table),
        own(getProblem(), candidate, options.target);
    for (const Point &point : samplePoints(own.getFactors(), 10, random))
      EXPECT_EQ(costs.getCost(point), own.getCost(point));
    withTable += costs.getNumEvaluations();
    alone += own.getNumEvaluations();
  }
  EXPECT_GT(alone, 0u);
  EXPECT_LT(withTable, alone);
}

/// Visits all points of the whole candidate; no bound leaves out any of them.
TEST_P(ChooseSizes, NothingIsBetterWhereSpacesAreSmall) {
  unsigned compared = 0;
  for (const Candidate &candidate : candidates) {
    SizeSearch search(getProblem(), candidate, options.target);
    const SizeFactors &factors = search.getCosts().getFactors();
    Divisors divisors;
    auto choices = [&](llvm::ArrayRef<int64_t> before) {
      return divisors.get(factors.getRoom(before.size(), before));
    };
    PointSpace space{static_cast<unsigned>(factors.get().size()), 0, choices};
    if (!visitPoints(space, 300, [](llvm::ArrayRef<int64_t>) {}))
      continue;
    ++compared;
    double best = std::numeric_limits<double>::infinity();
    visitPoints(space, 300, [&](llvm::ArrayRef<int64_t> point) {
      best = std::min(best, getWholeCost(candidate, factors.getSizes(point)));
    });
    ASSERT_TRUE(search.exhaust(300));
    EXPECT_EQ(search.getMicroseconds(), best)
        << toString(getProblem(), candidate);
  }
  EXPECT_GT(compared, 0u);
}

/// Holds for spaces of which all points are searched, and for larger ones.
/// Bounds do not change what descent finds.
TEST_P(ChooseSizes, NeverWorseThanDescent) {
  for (const Candidate &candidate : candidates) {
    SizeSearch descent(getProblem(), candidate, options.target),
        bounded(getProblem(), candidate, options.target);
    descent.descend(/*useBounds=*/false);
    bounded.descend();
    EXPECT_EQ(descent.getBest(), bounded.getBest());
    EXPECT_EQ(descent.getMicroseconds(), bounded.getMicroseconds());
    EXPECT_LE(bounded.getCosts().getNumEvaluations(),
              descent.getCosts().getNumEvaluations());
    if (!descent.fits())
      continue;
    for (uint64_t exhaustive : {20'000, 0}) {
      auto chosen = chooseSizes(getProblem(), candidate, options.target,
                                {exhaustive, /*seed=*/0});
      ASSERT_TRUE(chosen);
      EXPECT_LE(chosen->microseconds, descent.getMicroseconds());
      Candidate as = candidate;
      as.joinsProducts = chosen->joinsProducts;
      EXPECT_EQ(chosen->microseconds, getWholeCost(as, chosen->sizes));
      auto again = chooseSizes(getProblem(), candidate, options.target,
                               {exhaustive, /*seed=*/0});
      EXPECT_EQ(again->sizes, chosen->sizes);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, ChooseSizes,
                         testing::Values(Program{"attention", makeAttention},
                                         Program{"norm", makeNorm},
                                         Program{"adapter", makeAdapter}),
                         [](const testing::TestParamInfo<Program> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
