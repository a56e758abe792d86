//===- DirectLaunchesTest.cpp - Launches that are the program itself ------===//
//
// Direct launches compute the program, and are launches of the enumeration.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/DirectLaunches.h"
#include "../Enumeration.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"

using namespace mirage;
using namespace mirage::search;

namespace {

std::vector<LaunchGraph> generateDirect(const SearchProblem &problem,
                                        unsigned gridDims, unsigned loops = 1) {
  ExpressionOracle oracle(problem, Prune::None);
  std::vector<KernelTensor> tensors;
  for (auto [number, input] : llvm::enumerate(problem.getInputs())) {
    KernelTensor &tensor = tensors.emplace_back();
    tensor.info = input;
    tensor.value = oracle.getInput(number).value;
  }
  GeneratorLimits limits;
  limits.compareResults = false;
  GeneratorStatistics statistics;
  BlockGenerator generator(problem, oracle, tensors, limits, statistics);
  std::vector<LaunchGraph> launches;
  std::set<std::vector<uint16_t>> keys;
  for (const LaunchGraph &start : listDirectStarts(problem, gridDims, loops))
    for (bool wholeComposites : {true, false})
      generator.generateDirect(start, wholeComposites, loops,
                               [&](const LaunchGraph &launch, auto) {
                                 if (keys.insert(launch.getKey()).second)
                                   launches.push_back(launch);
                               });
  return launches;
}

class DirectLaunches : public testing::TestWithParam<Goal> {};

TEST_P(DirectLaunches, ComputeTheProgram) {
  Enumeration enumeration(GetParam().make);
  for (unsigned gridDims : {0, 1, 2})
    for (const LaunchGraph &launch :
         generateDirect(enumeration.getProblem(), gridDims, /*loops=*/3))
      EXPECT_TRUE(enumeration.isRight(launch)) << enumeration.print(launch);
}

TEST_P(DirectLaunches, AreEnumerated) {
  Enumeration enumeration(GetParam().make);
  GeneratorLimits limits;
  limits.blockOperators = GetParam().operators;
  limits.canonicalPlacement = false;
  limits.pruneRecomputation = false;
  Generated generated = enumeration.generate(limits);
  std::set<std::vector<uint16_t>> keys;
  for (const auto &[text, graph] : generated.graphs)
    keys.insert(graph.getKey());
  for (const LaunchGraph &launch :
       generateDirect(enumeration.getProblem(), /*gridDims=*/1))
    if (launch.operators.size() <= limits.blockOperators)
      EXPECT_TRUE(keys.count(launch.getKey())) << enumeration.print(launch);
}

INSTANTIATE_TEST_SUITE_P(Goals, DirectLaunches, testing::ValuesIn(kGoals),
                         [](const testing::TestParamInfo<Goal> &info) {
                           return info.param.name;
                         });

/// A norm of rows before and behind a run of elementwise operators.
MuGraph makeLongProgram(AxisSizes s) {
  ProgramBuilder b;
  MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
  MuValue value = b.div(x, b.reduce(b.square(x), 1));
  for (unsigned i = 0; i < 16; ++i)
    value = i % 2 ? b.add(b.silu(value), y) : b.mul(b.exp(value), x);
  return b.finish(b.div(value, b.reduce(value, 1)));
}

TEST(DirectLaunches, StoreCopiesOfInputs) {
  Enumeration enumeration([](AxisSizes s) {
    ProgramBuilder b;
    MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[2]});
    return b.finish({b.div(x, b.reduce(x, 1)), y});
  });
  std::vector<LaunchGraph> launches =
      generateDirect(enumeration.getProblem(), /*gridDims=*/1);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_LT(launches.front().outputs[1], launches.front().loads.size());
  EXPECT_TRUE(enumeration.isRight(launches.front()))
      << enumeration.print(launches.front());
  // The enumeration finds it, too.
  GeneratorLimits limits;
  limits.blockOperators = 2;
  std::set<std::vector<uint16_t>> keys;
  for (const auto &[text, graph] : enumeration.generate(limits).graphs)
    keys.insert(graph.getKey());
  EXPECT_TRUE(keys.count(launches.front().getKey()));
}

/// Returns the largest number of loops of direct launches with at most `loops`
/// of them, all of which must be right.
size_t countPasses(const Enumeration &enumeration, unsigned loops) {
  size_t most = 0;
  for (const LaunchGraph &launch :
       generateDirect(enumeration.getProblem(), /*gridDims=*/1, loops)) {
    EXPECT_TRUE(enumeration.isRight(launch)) << enumeration.print(launch);
    most = std::max<size_t>(most, launch.loops.size());
  }
  return most;
}

TEST(DirectLaunches, HaveALoopForEachPass) {
  // The maximum and the sum of exponentials are of one pass.
  Enumeration softmax([](AxisSizes s) {
    ProgramBuilder b;
    return b.finish(b.softmax(b.input({s[0], s[1]})));
  });
  EXPECT_EQ(countPasses(softmax, /*loops=*/3), 2u);
  EXPECT_EQ(countPasses(softmax, /*loops=*/1), 0u);
  // A sum, the sum of squares of differences from it, and quotients.
  Enumeration norm([](AxisSizes s) {
    ProgramBuilder b;
    MuValue x = b.input({s[0], s[1]});
    MuValue d = b.sub(x, b.reduce(x, 1));
    return b.finish(b.div(d, b.reduce(b.square(d), 1)));
  });
  EXPECT_EQ(countPasses(norm, /*loops=*/3), 3u);
  EXPECT_EQ(countPasses(norm, /*loops=*/2), 0u);
  // What one pass can do has one loop.
  Enumeration sums([](AxisSizes s) {
    ProgramBuilder b;
    MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
    return b.finish(b.mul(b.reduce(x, 1), b.reduce(b.mul(x, y), 1)));
  });
  EXPECT_EQ(countPasses(sums, /*loops=*/3), 1u);
}

TEST(DirectLaunches, SumBesideProductsInAndBehindLoops) {
  Enumeration enumeration([](AxisSizes s) {
    ProgramBuilder b;
    MuValue q = b.input({s[0], s[1]}), k = b.input({s[1], s[2]}),
            v = b.input({s[2], s[3]});
    MuValue e = b.exp(b.matmul(q, k));
    return b.finish(b.div(b.matmul(e, v), b.reduce(e, 1)));
  });
  const SearchProblem &problem = enumeration.getProblem();
  // How many launches with a loop sum in its body, and how many in the
  // launch's.
  std::array<unsigned, 2> count = {0, 0};
  for (const LaunchGraph &launch : generateDirect(problem, /*gridDims=*/1)) {
    EXPECT_TRUE(enumeration.isRight(launch)) << enumeration.print(launch);
    bool accumulates =
        llvm::any_of(launch.operators, [&](const BlockOperator &op) {
          return problem.getForm(op.formId).isAccumulator();
        });
    for (auto [number, op] : llvm::enumerate(launch.operators))
      if (accumulates &&
          problem.getForm(op.formId).kind == OperatorForm::Kind::ReduceSum)
        ++count[launch.values[launch.loads.size() + number]
                    .phase.region.isBody()];
  }
  EXPECT_GT(count[0], 0u);
  EXPECT_GT(count[1], 0u);
}

TEST(DirectLaunches, HaveAnyNumberOfOperators) {
  Enumeration enumeration(makeLongProgram);
  std::vector<LaunchGraph> launches =
      generateDirect(enumeration.getProblem(), /*gridDims=*/3);
  ASSERT_EQ(launches.size(), 1u);
  EXPECT_GT(launches.front().operators.size(), 30u);
  EXPECT_TRUE(enumeration.isRight(launches.front()));
}

TEST(DirectLaunches, AreFoundFirst) {
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(makeLongProgram({64, 256}), reason, location);
  ASSERT_TRUE(task);
  SearchOptions options;
  options.target = *getTargetPreset("sm_90a");
  options.directOnly = true;
  SearchResult result = superoptimize(*task, options);
  ASSERT_TRUE(result.getBest());
  EXPECT_EQ(result.getBest()->verdict.equivalence,
            equivalence::Equivalence::Proved);
  EXPECT_EQ(result.end, SearchEnd::Operators);
}

} // namespace
