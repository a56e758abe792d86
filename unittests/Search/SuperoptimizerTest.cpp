//===- SuperoptimizerTest.cpp - Whole searches ----------------------------===//
//
// What a search finds does not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Superoptimizer.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Programs.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

/// Everything but times.
std::string getOutcome(const MuGraph &program, unsigned threads) {
  std::string text, reason;
  std::optional<unsigned> location;
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

/// Returns what ends a search for a norm before a product, or for another
/// program.
SearchResult
searchWith(llvm::function_ref<void(SearchOptions &)> change,
           bool isStopped = false,
           const MuGraph &program = makeNormLinear({64, 512, 256})) {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.kernels = 1;
  options.gridDims = 2;
  options.loops = options.passes = 1;
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

/// Candidates that are slow beside the cheapest have no sizes until so many
/// others are refused, or are asked for, that they are next. Then they are
/// judged in the order of their times, as if they had never been postponed.
TEST(Superoptimizer, PostponedCandidatesAreJudgedWhenTheyAreNext) {
  auto find = [](unsigned best) {
    return searchWith([&](SearchOptions &options) {
      options.limits.blockOperators = 6;
      options.best = best;
      options.states = options.firstStates;
    });
  };
  SearchResult one = find(1), all = find(1000);
  ASSERT_TRUE(one.getBest() && all.getBest());
  EXPECT_EQ(one.getBest()->microseconds, all.getBest()->microseconds);
  EXPECT_EQ(one.cheapest, all.cheapest);
  EXPECT_GT(one.statistics.postponed, 0u);
  EXPECT_EQ(all.statistics.postponed, 0u);
  EXPECT_EQ(one.statistics.candidates + one.statistics.tooLarge +
                one.statistics.postponed,
            all.statistics.candidates + all.statistics.tooLarge);
  EXPECT_EQ(all.judged.size() + all.statistics.repeated,
            all.statistics.candidates);
  EXPECT_TRUE(llvm::is_sorted(
      all.judged, [](const JudgedCandidate &a, const JudgedCandidate &b) {
        return a.microseconds < b.microseconds * (1 - 0.005);
      }));
  EXPECT_GT(all.judged.back().microseconds, 1.1 * all.cheapest);
}

/// Grid dimensions of one block are none, and of candidates that have the same
/// graph one is judged. There are as many different ones as were asked for.
TEST(Superoptimizer, EachGraphIsJudgedOnce) {
  std::string reason;
  std::optional<unsigned> location;
  auto task =
      SearchTask::create(makeNormLinear({64, 512, 256}), reason, location);
  ASSERT_TRUE(task.has_value());
  auto find = [&](unsigned best) {
    SearchOptions options;
    options.target = *getTargetPreset("sm_90a");
    options.limits.blockOperators = 6;
    options.kernels = 1;
    options.loops = options.passes = 1;
    options.best = best;
    options.threads = 1;
    return superoptimize(*task, options);
  };
  SearchResult result = find(1000);
  EXPECT_GT(result.statistics.repeated, 0u);
  std::vector<MuGraph> graphs;
  for (const JudgedCandidate &judged : result.judged) {
    MuGraph graph = instantiate(*task, judged);
    for (unsigned number : graph.getRegion().nodes)
      if (const MuNode &node = graph.getNode(number);
          node.kind == MuNode::Kind::Graph && node.extents.size() > 1)
        EXPECT_FALSE(llvm::is_contained(node.extents, 1)) << toString(graph);
    for (const MuGraph &other : graphs)
      EXPECT_FALSE(areIsomorphic(graph, other)) << toString(graph);
    graphs.push_back(std::move(graph));
  }
  SearchResult few = find(8);
  EXPECT_EQ(llvm::count_if(few.judged,
                           [](const JudgedCandidate &judged) {
                             return judged.isAccepted();
                           }),
            std::min<size_t>(8, result.statistics.verified));
}

/// A search that raises its states step by step finds what one finds that has
/// all of them at once, and does so on any threads.
TEST(Superoptimizer, RaisedStatesFindTheSame) {
  auto raise = [](uint64_t first, unsigned threads) {
    SearchResult result = searchWith([&](SearchOptions &options) {
      options.kernels = 2;
      options.limits.blockOperators = 5;
      options.states = 500'000;
      options.firstStates = first;
      options.minGain = 0;
      options.threads = threads;
    });
    EXPECT_EQ(result.end, SearchEnd::Operators);
    return result;
  };
  SearchResult atOnce = raise(500'000, 1), raised = raise(1000, 1);
  ASSERT_TRUE(atOnce.getBest() && raised.getBest());
  EXPECT_EQ(raised.getBest()->microseconds, atOnce.getBest()->microseconds);
  SearchResult parallel = raise(1000, 4);
  ASSERT_TRUE(parallel.getBest());
  EXPECT_EQ(parallel.getBest()->microseconds, raised.getBest()->microseconds);
  EXPECT_EQ(parallel.statistics.generator.states,
            raised.statistics.generator.states);
  EXPECT_EQ(parallel.statistics.candidates, raised.statistics.candidates);
}

/// Where no prefix lacks an operator, more operators make nothing else.
TEST(Superoptimizer, EndsWhereNoOperatorIsLacking) {
  SearchResult few = searchWith(
      [](SearchOptions &options) { options.limits.blockOperators = 12; });
  SearchResult many = searchWith(
      [](SearchOptions &options) { options.limits.blockOperators = 32; });
  EXPECT_EQ(few.end, SearchEnd::Exhausted);
  EXPECT_EQ(many.end, SearchEnd::Exhausted);
  EXPECT_EQ(few.statistics.candidates, many.statistics.candidates);
  EXPECT_EQ(few.statistics.generator.states, many.statistics.generator.states);
}

/// Without a limit of operators, states decide how many graphs have.
TEST(Superoptimizer, StatesDecideNumberOfOperators) {
  auto search = [](unsigned operators, uint64_t states) {
    return searchWith(
        [&](SearchOptions &options) {
          options.limits.blockOperators = operators;
          options.states = states;
        },
        /*isStopped=*/false, makeLowRank({64, 512, 256, 16}));
  };
  SearchResult limited = search(kUsualBlockOperators, 300'000);
  EXPECT_EQ(limited.end, SearchEnd::Operators);
  EXPECT_EQ(limited.statistics.singleOperators, kUsualBlockOperators);
  // Without that limit, the search makes all graphs of this program.
  SearchResult all = search(0, 300'000), few = search(0, 2000);
  EXPECT_EQ(all.end, SearchEnd::Exhausted);
  EXPECT_GT(all.statistics.generator.states,
            limited.statistics.generator.states);
  EXPECT_EQ(few.end, SearchEnd::States);
  EXPECT_LT(few.statistics.singleOperators, all.statistics.singleOperators);
  ASSERT_TRUE(limited.getBest() && all.getBest());
  EXPECT_LE(all.getBest()->microseconds, limited.getBest()->microseconds);
}

/// Raises that find nothing faster are the last.
TEST(Superoptimizer, RaisesEndWithoutGain) {
  SearchResult result = searchWith(
      [](SearchOptions &options) {
        options.firstStates = 2000;
        options.states = 1'000'000'000'000;
        options.limits.blockOperators = 20;
      },
      /*isStopped=*/false, makeLowRank({64, 512, 256, 16}));
  EXPECT_EQ(result.end, SearchEnd::NoGain);
  EXPECT_TRUE(result.getBest());
}

/// Where the lower bound says that nothing pays, nothing is generated.
TEST(Superoptimizer, NothingCanPay) {
  double bound =
      searchWith([](SearchOptions &options) { options.states = 1; }).bound;
  SearchResult result = searchWith(
      [&](SearchOptions &options) { options.paying = bound * 1.005; });
  EXPECT_EQ(result.end, SearchEnd::Bound);
  EXPECT_EQ(result.statistics.generator.states, 0u);
}

/// All graphs of one elementwise operator are generated, or nothing is faster.
TEST(Superoptimizer, SaysThatNothingIsLeft) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256});
  MuGraph program = b.finish(b.silu(x));
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.kernels = 1;
  options.threads = 1;
  SearchResult result = superoptimize(*task, options);
  EXPECT_FALSE(leavesPrograms(result.end))
      << stringifySearchEnd(result.end).str();
  ASSERT_TRUE(result.getBest());
  EXPECT_LE(result.bound, result.getBest()->microseconds);
}

/// Products and activations, one behind the other.
MuGraph makeLayers(int64_t layers) {
  ProgramBuilder b;
  MuValue x = b.input({64, 128});
  for (int64_t i = 0; i < layers; ++i)
    x = b.silu(b.matmul(x, b.input({128 + 64 * i, 192 + 64 * i})));
  return b.finish(x);
}

/// What needs more operators than launches have is not enumerated: graphs of
/// few operators would lead nowhere. There are the launches that follow the
/// program, in one and in two: for each of seven sums a first launch with each
/// loop that it may have, of up to 14 operators.
TEST(Superoptimizer, ProgramsThatAreTooLargeTakeNoStates) {
  std::string reason;
  std::optional<unsigned> location;
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.limits.blockOperators = 5;
  auto task = SearchTask::create(makeLayers(7), reason, location);
  ASSERT_TRUE(task) << reason;
  SearchResult result = superoptimize(*task, options);
  EXPECT_LT(result.statistics.generator.states, 4000u);
  EXPECT_EQ(result.statistics.firstKernels, 0u);
  EXPECT_EQ(result.end, SearchEnd::Operators);
  // Two launches of five operators suffice for three layers.
  task = SearchTask::create(makeLayers(3), reason, location);
  ASSERT_TRUE(task) << reason;
  result = superoptimize(*task, options);
  EXPECT_GT(result.statistics.firstKernels, 0u);
}

} // namespace
