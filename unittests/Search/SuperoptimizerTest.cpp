//===- SuperoptimizerTest.cpp - Whole searches ----------------------------===//
//
// What a search finds does not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Superoptimizer.h"
#include "Programs.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Everything but times.
std::string getOutcome(const MuGraph &program, unsigned threads) {
  std::string text, reason;
  unsigned location = 0;
  auto task = SearchTask::create(program, reason, location);
  if (!task)
    return "";
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.limits.blockOperators = 5;
  options.gridDims = 2;
  options.best = 3;
  options.threads = threads;
  SearchResult result = superoptimize(*task, options);
  llvm::raw_string_ostream os(text);
  for (const JudgedCandidate &judged : result.judged) {
    os << toString(task->views[judged.view].problem, judged.candidate)
       << judged.verdict.getName() << " " << judged.verdict.reason << " "
       << judged.microseconds << " " << judged.verdict.log2Error;
    for (const LaunchSizes &sizes : judged.sizes) {
      for (int64_t blocks : sizes.grid)
        os << " " << blocks;
      for (int64_t iterations : sizes.loops)
        os << " loop " << iterations;
      os << ";";
    }
    os << "\n";
  }
  const SearchStatistics &s = result.statistics;
  for (uint64_t count :
       {s.generator.states, s.generator.prunedExpression,
        s.generator.prunedDeadEnd, s.generator.prunedRecomputation,
        s.generator.prunedOrder, s.generator.prunedMemory,
        s.generator.prunedSizes, s.generator.complete,
        s.generator.configurations, s.candidates, s.firstKernels, s.interfaces,
        s.prunedCost, s.prunedGrid, s.tooLarge, s.refuted, s.unstable,
        s.unknown, s.verified})
    os << count << " ";
  return text;
}

void expectSameOnThreads(const MuGraph &program) {
  std::string one = getOutcome(program, 1);
  EXPECT_NE(one.find("store"), std::string::npos);
  EXPECT_EQ(getOutcome(program, 2), one);
  EXPECT_EQ(getOutcome(program, 4), one);
}

TEST(Superoptimizer, ThreadsDecideNothingOfNorms) {
  expectSameOnThreads(makeNormLinear({64, 512, 256}));
}

TEST(Superoptimizer, ThreadsDecideNothingOfChains) {
  expectSameOnThreads(makeChain({64, 512, 64, 256}));
}

/// Returns what ends a search for a norm before a product.
SearchResult searchWith(llvm::function_ref<void(SearchOptions &)> change,
                        bool isStopped = false) {
  std::string reason;
  unsigned location = 0;
  auto task =
      SearchTask::create(makeNormLinear({64, 512, 256}), reason, location);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.kernels = 1;
  options.gridDims = 2;
  options.loops = 1;
  options.best = 1;
  options.threads = 1;
  change(options);
  std::atomic<bool> stop = isStopped;
  SearchControl control;
  control.stop = &stop;
  return superoptimize(*task, options, control);
}

TEST(Superoptimizer, SaysWhatEndedIt) {
  auto few = [](SearchOptions &options) { options.limits.blockOperators = 5; };
  SearchResult result = searchWith(few);
  EXPECT_EQ(result.end, SearchEnd::Operators);
  ASSERT_TRUE(result.getBest());
  EXPECT_GT(result.bound, 0);
  EXPECT_LE(result.bound, result.getBest()->microseconds);
  EXPECT_EQ(
      searchWith([](SearchOptions &options) { options.states = 1000; }).end,
      SearchEnd::States);
  result = searchWith([](SearchOptions &options) { options.deadline = 1e-9; });
  EXPECT_EQ(result.end, SearchEnd::Time);
  EXPECT_TRUE(result.wasCut());
  EXPECT_EQ(searchWith(few, /*isStopped=*/true).end, SearchEnd::Interruption);
}

/// One elementwise operator: a product of prefixes that all come to an end.
TEST(Superoptimizer, SaysThatNothingIsLeft) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256});
  MuGraph program = b.finish(b.silu(x));
  std::string reason;
  unsigned location = 0;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.kernels = 1;
  options.threads = 1;
  SearchResult result = superoptimize(*task, options);
  EXPECT_FALSE(leavesPrograms(result.end)) << stringifySearchEnd(result.end).str();
  ASSERT_TRUE(result.getBest());
  EXPECT_LE(result.bound, result.getBest()->microseconds);
}

} // namespace
