//===- ConfigurationsTest.cpp - Enumerations that come to an end ----------===//
//
// Enumerations end when they are asked to, or when they have taken their steps.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/Configurations.h"
#include "../Programs.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

MuGraph makeWide(unsigned products) {
  ProgramBuilder b;
  MuValue x = b.input({64, 32});
  llvm::SmallVector<MuValue> results;
  for (unsigned i = 0; i < products; ++i)
    results.push_back(b.silu(b.matmul(x, b.input({32, 16 + 16 * i}))));
  return b.finish(results);
}

MuGraph makeLongChain(unsigned products) {
  ProgramBuilder b;
  MuValue x = b.input({64, 64});
  for (unsigned i = 0; i < products; ++i)
    x = b.silu(b.matmul(x, b.input({64, 64})));
  return b.finish(x);
}

SearchProblem makeProblem(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  return *SearchProblem::create(program, reason, location);
}

size_t enumerate(const SearchProblem &problem, EnumerationBudget &budget) {
  llvm::SmallVector<uint8_t> loaded;
  for (size_t input = 0; input < problem.getInputs().size(); ++input)
    loaded.push_back(input);
  ConfigurationLimits limits;
  limits.maxLoops = 3;
  limits.configurations = ~size_t(0);
  return enumerateConfigurations(problem, problem.getInputs(), loaded,
                                 /*isLast=*/true, limits, budget)
      .size();
}

/// All enumerations of a budget take its steps together.
TEST(Configurations, StepsAreCountedOverAllCalls) {
  SearchProblem problem = makeProblem(makeWide(3));
  EnumerationBudget all(1'000'000'000, nullptr);
  size_t whole = enumerate(problem, all);
  ASSERT_FALSE(all.isSpent());
  EnumerationBudget few(2'000, nullptr);
  size_t part = enumerate(problem, few);
  EXPECT_GT(part, 0u);
  EXPECT_LT(part, whole);
  EXPECT_TRUE(few.isLimited());
  EXPECT_EQ(enumerate(problem, few), 0u);
  EnumerationBudget again(2'000, nullptr);
  EXPECT_EQ(enumerate(problem, again), part);
}

/// What is looked for behind the last configuration that is wanted takes no
/// steps.
TEST(Configurations, EndWhenNoMoreAreWanted) {
  SearchProblem problem = makeProblem(makeWide(3));
  llvm::SmallVector<uint8_t> loaded = {0, 1, 2, 3};
  ConfigurationLimits limits;
  EnumerationBudget all(1'000'000'000, nullptr);
  std::vector<LaunchGraph> whole = enumerateConfigurations(
      problem, problem.getInputs(), loaded, /*isLast=*/true, limits, all);
  ASSERT_GT(whole.size(), 5u);
  EnumerationBudget few(2'000, nullptr);
  std::vector<LaunchGraph> visited;
  visitConfigurations(problem, problem.getInputs(), loaded, /*isLast=*/true,
                      limits, few, [&](const LaunchGraph &graph) {
                        visited.push_back(graph);
                        return visited.size() < 5;
                      });
  ASSERT_EQ(visited.size(), 5u);
  for (size_t i = 0; i < visited.size(); ++i)
    EXPECT_EQ(visited[i].getKey(), whole[i].getKey());
  EXPECT_FALSE(few.isSpent());
}

TEST(Configurations, EndWhenAskedTo) {
  SearchProblem problem = makeProblem(makeWide(3));
  unsigned asked = 0;
  auto isOver = [&] { return ++asked == 3; };
  EnumerationBudget budget(1'000'000'000, isOver);
  enumerate(problem, budget);
  EXPECT_EQ(asked, 3u);
  EXPECT_TRUE(budget.isSpent());
  EXPECT_FALSE(budget.isLimited());
}

SearchResult search(const MuGraph &program, bool isStopped) {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.threads = 1;
  options.best = 1;
  std::atomic<bool> stop = isStopped;
  SearchControl control;
  control.stop = &stop;
  return superoptimize(*task, options, control);
}

/// 2^29 sets of inputs: a search that has been interrupted looks at none.
TEST(Configurations, InterruptedSearchesEnd) {
  for (const MuGraph &program : {makeWide(28), makeLongChain(20)}) {
    SearchResult result = search(program, /*isStopped=*/true);
    EXPECT_TRUE(result.wasCut());
    EXPECT_EQ(result.statistics.generator.states, 0u);
  }
}

/// Configurations of direct launches of matrices: one grid, and two ways to
/// take composite operators.
constexpr uint64_t kDirect = 2;
/// The same of pairs of launches that divide one axis that is summed: the first
/// ones without a loop and with one over the axis.
constexpr uint64_t kSplit = 2 * kDirect;

/// No launch that is enumerated has an operator for each of 28 results, and
/// none loads 29 tensors: that is known before the 2^29 sets of inputs are gone
/// through. The launches that follow the program are all that there is: one,
/// and two pairs, of which the first launch has a loop or none. They also
/// follow the program with padded columns, as some have no tile of 64.
TEST(Configurations, ProgramsThatAreTooLarge) {
  SearchResult result = search(makeWide(28), /*isStopped=*/false);
  EXPECT_FALSE(result.wasCut());
  constexpr uint64_t views = 2, launchesOfView = 3;
  EXPECT_LE(result.statistics.generator.configurations,
            views * 2 * (kDirect + kSplit));
  EXPECT_GE(result.statistics.candidates, launchesOfView);
  EXPECT_LE(result.statistics.candidates, views * launchesOfView);
}

/// More inputs than a number has bits.
TEST(Configurations, SeventyInputs) {
  ProgramBuilder b;
  MuValue sum = b.input({64, 64});
  for (unsigned i = 0; i < 69; ++i)
    sum = b.add(sum, b.input({64, 64}));
  SearchResult result = search(b.finish(sum), /*isStopped=*/false);
  EXPECT_EQ(result.statistics.generator.configurations, kDirect);
  EXPECT_EQ(result.statistics.candidates, 1u);
}

} // namespace
