//===- SplitLaunchesTest.cpp - The program itself in two launches ---------===//
//
// Pairs of launches whose first one splits a sum among blocks compute the
// program, also where all that some block reads is masked.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/SplitLaunches.h"
#include "../Enumeration.h"
#include "../MaskedScores.h"

using namespace mirage;
using namespace mirage::search;

namespace {

std::vector<Candidate> generateSplit(const SearchProblem &problem,
                                     SplitLimits limits) {
  ExpressionOracle oracle(problem, Prune::None);
  std::vector<KernelTensor> tensors;
  for (auto [number, input] : llvm::enumerate(problem.getInputs())) {
    KernelTensor &tensor = tensors.emplace_back();
    tensor.info = input;
    tensor.value = oracle.getInput(number).value;
  }
  GeneratorStatistics statistics;
  std::vector<Candidate> candidates;
  generateSplitLaunches(
      problem, oracle, tensors, GeneratorLimits(), limits, statistics,
      /*isOver=*/nullptr,
      [&](const LaunchGraph &first, const LaunchGraph &second,
          llvm::ArrayRef<KernelTensor> stored) {
        Candidate &candidate = candidates.emplace_back();
        candidate.launches = {first, second};
        for (unsigned result = 0; result < second.outputs.size(); ++result)
          candidate.results.push_back(tensors.size() + stored.size() + result);
      });
  return candidates;
}

class SplitLaunches : public testing::TestWithParam<Goal> {};

TEST_P(SplitLaunches, ComputeTheProgram) {
  Enumeration enumeration = Enumeration::createForPairs(GetParam().make);
  for (unsigned gridDims : {1, 2, 3})
    for (unsigned loops : {0, 1})
      for (const Candidate &candidate :
           generateSplit(enumeration.getProblem(), {gridDims, loops}))
        EXPECT_TRUE(enumeration.isRight(candidate))
            << enumeration.print(candidate);
}

INSTANTIATE_TEST_SUITE_P(Goals, SplitLaunches, testing::ValuesIn(kGoals),
                         [](const testing::TestParamInfo<Goal> &info) {
                           return info.param.name;
                         });

/// Returns the largest number of tensors between two launches, all pairs of
/// which must be right; zero if there is no pair.
size_t countStored(MakeProgram make) {
  Enumeration enumeration = Enumeration::createForPairs(make);
  size_t most = 0;
  for (const Candidate &candidate :
       generateSplit(enumeration.getProblem(), {/*gridDims=*/2, /*loops=*/1})) {
    EXPECT_TRUE(enumeration.isRight(candidate)) << enumeration.print(candidate);
    most = std::max<size_t>(most, candidate.launches.front().outputs.size());
  }
  return most;
}

TEST(SplitLaunches, StoreWhatIsReduced) {
  EXPECT_EQ(countStored([](AxisSizes s) {
              ProgramBuilder b;
              MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
              return b.finish(b.mul(b.reduce(x, 1), b.reduce(b.mul(x, y), 1)));
            }),
            2u);
  // A sum that is relative to maxima is stored with them, whether the second
  // launch reads more of the maxima or not.
  EXPECT_EQ(countStored([](AxisSizes s) {
              ProgramBuilder b;
              return b.finish(b.softmax(b.input({s[0], s[1]})));
            }),
            2u);
  EXPECT_EQ(countStored([](AxisSizes s) {
              ProgramBuilder b;
              MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], s[1]});
              MuValue e = b.exp(b.sub(x, b.reduce(x, 1, ReduceKind::Max)));
              return b.finish(b.div(b.reduce(b.mul(e, y), 1), b.reduce(e, 1)));
            }),
            3u);
}

TEST(SplitLaunches, StoreProductsThatAreReadAgain) {
  // The second launch divides the products of the first one by their sum.
  EXPECT_EQ(
      countStored([](AxisSizes s) {
        ProgramBuilder b;
        MuValue p = b.matmul(b.input({s[0], s[2]}), b.input({s[2], s[1]}));
        return b.finish(b.div(p, b.reduce(p, 1)));
      }),
      2u);
}

TEST(SplitLaunches, ReduceOnce) {
  // What is summed of differences from a sum needs a third launch.
  EXPECT_EQ(countStored([](AxisSizes s) {
              ProgramBuilder b;
              MuValue x = b.input({s[0], s[1]});
              MuValue d = b.sub(x, b.reduce(x, 1));
              return b.finish(b.reduce(b.square(d), 1));
            }),
            0u);
}

TEST(SplitLaunches, MergeWhatIsMasked) {
  constexpr int64_t kScores = 16;
  auto make = [](AxisSizes s) {
    ProgramBuilder b;
    return b.finish(b.softmax(b.input({s[0], s[1]})));
  };
  MuGraph program = make({1, kScores});
  std::string reason;
  std::optional<unsigned> location;
  auto problem = SearchProblem::create(program, reason, location);
  ASSERT_TRUE(problem) << reason;
  std::vector<Candidate> candidates =
      generateSplit(*problem, {/*gridDims=*/1, /*loops=*/1});
  ASSERT_FALSE(candidates.empty());
  unsigned split = 0, loopsAgain = 0;
  for (const std::vector<bool> &mask : getMasks(kScores)) {
    MaskedReference reference(
        program,
        {makeTensor(ElementType::f32, {1, kScores},
                    [&](int64_t i) {
                      return mask[i] ? -kInfinity
                                     : 0.25 + static_cast<double>(i) / 64;
                    })},
        kScores, /*terms=*/1, /*largest=*/1.25);
    for (const Candidate &candidate : candidates)
      for (int64_t blocks = 1; blocks <= kScores; blocks *= 2)
        for (int64_t again = 1; again <= kScores; again *= 4) {
          const LaunchGraph &first = candidate.launches.front(),
                            &second = candidate.launches.back();
          std::vector<LaunchSizes> sizes(2);
          sizes[0].grid = {blocks};
          sizes[0].loops.assign(first.getLoopAxes().size(),
                                std::min<int64_t>(2, kScores / blocks));
          sizes[1].grid.assign(second.gridAxes.size(), again);
          if (second.gridAxes.empty())
            sizes[1].grid = {1};
          sizes[1].loops.assign(second.getLoopAxes().size(),
                                std::min<int64_t>(2, kScores / again));
          MuGraph graph = instantiate(*problem, candidate, sizes);
          reference.expectSame(graph, toString(graph));
          if (HasFailure())
            return;
          split += blocks > 1;
          loopsAgain += !second.getLoopAxes().empty();
        }
  }
  EXPECT_GT(split, 0u);
  EXPECT_GT(loopsAgain, 0u);
}

} // namespace
