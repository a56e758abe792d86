//===- CompletenessTest.cpp - Nothing that is right is pruned -------------===//
//
// Theorem 1 of the Mirage paper, and more, since sums mark what they bind: no
// prefix of a graph that computes the goal is pruned. All graphs of a few
// operators with a result of the right shape are generated without a look at
// expressions, random tests say which ones are right, and the pruned search
// must have all of them that the axioms can tell.
//
//===----------------------------------------------------------------------===//

#include "../Enumeration.h"
#include "Mirage/Search/Launches/Configurations.h"
#include "Mirage/Search/Launches/GridNeeds.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mirage;
using namespace mirage::search;

namespace {

class Completeness : public testing::TestWithParam<Goal> {
protected:
  Enumeration enumeration{GetParam().make};

  /// Without the rules that choose among equal graphs.
  static GeneratorLimits getLimits() {
    GeneratorLimits limits;
    limits.blockOperators = GetParam().operators;
    limits.canonicalPlacement = limits.pruneRecomputation = false;
    return limits;
  }
};

TEST_P(Completeness, PruningKeepsWhatIsRight) {
  GeneratorLimits limits = getLimits();
  Generated pruned = enumeration.generate(limits);
  limits.prune = Prune::None;
  limits.compareResults = false;
  Generated all = enumeration.generate(limits);
  unsigned found = 0;
  GridNeeds needs(enumeration.getProblem());
  for (const auto &[text, graph] : enumeration.getCorrect(all)) {
    EXPECT_TRUE(needs.areMet(graph)) << enumeration.print(graph);
    if (pruned.graphs.count(text)) {
      ++found;
      continue;
    }
    // x y / y is x, but the axioms cancel nothing.
    EXPECT_FALSE(enumeration.isEqualByAxioms(graph))
        << enumeration.print(graph);
  }
  EXPECT_GT(found, 0u);
  EXPECT_GT(all.graphs.size(), pruned.graphs.size());
  for (const auto &[text, graph] : pruned.graphs)
    EXPECT_TRUE(all.graphs.count(text)) << enumeration.print(graph);
}

/// Grids and loads that are refused lead to nothing that is right, with two
/// grid dimensions and tensors that are loaded twice, too.
TEST_P(Completeness, RefusedGridsLeadToNothing) {
  GeneratorLimits limits = getLimits();
  limits.blockOperators = std::min(limits.blockOperators, 4u);
  GridNeeds needs(enumeration.getProblem());
  for (const auto &[text, graph] :
       enumeration.generate(limits, {2, true}).graphs)
    EXPECT_TRUE(needs.areMet(graph) || !enumeration.isCorrect(graph))
        << enumeration.print(graph);
}

/// x over its sum along an axis: a grid over the axis takes two loads, one that
/// is whole and one that is divided.
TEST(GridNeeds, SumsAndTheirResultsTakeTwoLoads) {
  Enumeration enumeration([](AxisSizes s) {
    ProgramBuilder b;
    MuValue x = b.input({s[0], s[1]});
    return b.finish(b.div(x, b.reduce(x, 1)));
  });
  const SearchProblem &problem = enumeration.getProblem();
  GridNeeds needs(problem);
  DimId summed = problem.getInputs()[0].dims[1];
  uint8_t axis = problem.getParts(summed).front().axis;
  unsigned refused = 0, met = 0;
  EnumerationBudget budget(1'000'000, nullptr);
  for (const LaunchGraph &start :
       enumerateConfigurations(problem, problem.getInputs(), {0},
                               /*isLast=*/true, {2, true}, budget)) {
    auto hasLoad = [&](bool isCut) {
      return llvm::any_of(start.loads, [&](const LoadChoice &load) {
        return problem.getRemoved(load.dims[1]).contains(kGrid) == isCut;
      });
    };
    bool isDivided = llvm::is_contained(start.gridAxes, axis);
    EXPECT_EQ(needs.areMet(start),
              !isDivided || (hasLoad(false) && hasLoad(true)))
        << enumeration.print(start);
    refused += !needs.areMet(start);
    met += isDivided && needs.areMet(start);
  }
  EXPECT_GT(refused, 0u);
  EXPECT_GT(met, 0u);
  // What needs both loads is found.
  GeneratorLimits limits;
  limits.blockOperators = 3;
  unsigned found = 0;
  for (const auto &[text, graph] :
       enumeration.generate(limits, {2, true}).graphs)
    found += llvm::is_contained(graph.gridAxes, axis) && needs.areMet(graph) &&
             enumeration.isCorrect(graph);
  EXPECT_GT(found, 0u);
}

/// The rules leave, of every configuration, a graph that is as small.
TEST_P(Completeness, RulesKeepTheSmallest) {
  using Sizes = std::map<std::string, size_t>;
  auto getSmallest = [&](const GeneratorLimits &limits) {
    Sizes smallest;
    for (const auto &[text, graph] :
         enumeration.getCorrect(enumeration.generate(limits))) {
      LaunchGraph bare = graph;
      bare.operators.clear();
      bare.outputs.clear();
      size_t &size =
          smallest.try_emplace(enumeration.print(bare), 99).first->second;
      size = std::min(size, graph.operators.size());
    }
    return smallest;
  };
  GeneratorLimits limits = getLimits();
  Sizes expected = getSmallest(limits);
  EXPECT_FALSE(expected.empty());
  limits.canonicalPlacement = true;
  EXPECT_EQ(getSmallest(limits), expected);
  limits.canonicalPlacement = false;
  limits.pruneRecomputation = true;
  EXPECT_EQ(getSmallest(limits), expected);
  limits.canonicalPlacement = true;
  EXPECT_EQ(getSmallest(limits), expected);
}

/// Loops inside of each other, and one after another.
class SeveralLoops : public testing::TestWithParam<Goal> {
protected:
  Enumeration enumeration{GetParam().make};
  Space space{0, true, 2, 2};

  GeneratorLimits getLimits() {
    GeneratorLimits limits;
    limits.blockOperators = GetParam().operators;
    return limits;
  }
};

TEST_P(SeveralLoops, PruningKeepsWhatIsRight) {
  GeneratorLimits limits = getLimits();
  limits.canonicalPlacement = limits.pruneRecomputation = false;
  Generated pruned = enumeration.generate(limits, space);
  limits.prune = Prune::None;
  limits.compareResults = false;
  Generated all = enumeration.generate(limits, space);
  unsigned found = 0;
  for (const auto &[text, graph] : enumeration.getCorrect(all)) {
    found += pruned.graphs.count(text);
    EXPECT_TRUE(pruned.graphs.count(text) ||
                !enumeration.isEqualByAxioms(graph))
        << enumeration.print(graph);
  }
  EXPECT_GT(found, 0u);
  EXPECT_GT(all.graphs.size(), pruned.graphs.size());
}

TEST_P(SeveralLoops, EveryGraphIsRightAndOnce) {
  Generated canonical = enumeration.generate(getLimits(), space);
  EXPECT_EQ(canonical.count, canonical.graphs.size());
  for (const auto &[text, graph] : canonical.graphs)
    EXPECT_TRUE(enumeration.isCorrect(graph)) << enumeration.print(graph);
}

/// Two launches: the sums of the first over parts that the second adds up, and
/// whatever else may stand between them.
class TwoLaunches : public testing::TestWithParam<Goal> {
protected:
  Enumeration enumeration = Enumeration::createForPairs(GetParam().make);
};

/// Operators that the second launch may have besides.
static unsigned getMoreOperators() {
  const char *more = std::getenv("MIRAGE_SEARCH_OPERATORS");
  return more ? std::strtoul(more, nullptr, 10) : 0;
}

TEST_P(TwoLaunches, PruningKeepsWhatIsRight) {
  GeneratorLimits first, second;
  first.blockOperators = 2;
  second.blockOperators = GetParam().operators + getMoreOperators();
  for (GeneratorLimits *limits : {&first, &second})
    limits->canonicalPlacement = limits->pruneRecomputation = false;
  Pairs pruned = enumeration.generatePairs(first, second);
  for (GeneratorLimits *limits : {&first, &second}) {
    limits->prune = Prune::None;
    limits->compareResults = false;
  }
  Pairs all = enumeration.generatePairs(first, second);
  unsigned found = 0;
  for (const auto &[text, pair] : all) {
    if (!enumeration.isCorrect(pair)) {
      EXPECT_FALSE(pruned.count(text)) << enumeration.print(pair);
      continue;
    }
    found += pruned.count(text);
    EXPECT_TRUE(pruned.count(text) || !enumeration.isEqualByAxioms(pair))
        << enumeration.print(pair);
  }
  EXPECT_GT(found, 0u);
  EXPECT_GT(all.size(), pruned.size());
  for (const auto &[text, pair] : pruned)
    EXPECT_TRUE(all.count(text)) << enumeration.print(pair);
}

constexpr Goal kPairGoals[] = {
    {"Energy",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.reduce(b.square(x), 0), 1));
     },
     3},
    {"Shares",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.div(x, b.reduce(x, 1)));
     },
     2},
    {"Chain", makeChain, 2},
    {"NormLinear", makeNormLinear, 2},
    {"ExpRowSum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), w = b.input({s[1], s[2]});
       return b.finish(b.reduce(b.exp(b.matmul(x, w)), 1));
     },
     2},
    {"PlainSoftmax",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue e = b.exp(b.input({s[0], s[1]}));
       return b.finish(b.div(e, b.reduce(e, 1)));
     },
     2},
    {"LowRank", makeLowRank, 2},
};

constexpr Goal kLoopGoals[] = {
    {"Energy",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.reduce(b.reduce(b.square(x), 0), 1));
     },
     5},
    {"Shares",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]});
       return b.finish(b.div(x, b.reduce(x, 1)));
     },
     4},
    {"Chain", makeChain, 4},
    {"NormLinear", makeNormLinear, 5},
    {"ExpOfSum",
     [](AxisSizes s) {
       ProgramBuilder b;
       MuValue x = b.input({s[0], s[1]}), y = b.input({s[0], 1});
       return b.finish(b.reduce(b.mul(b.exp(b.reduce(x, 1)), y), 0));
     },
     6},
};

INSTANTIATE_TEST_SUITE_P(Goals, TwoLaunches, testing::ValuesIn(kPairGoals),
                         [](const testing::TestParamInfo<Goal> &info) {
                           return std::string(info.param.name);
                         });

INSTANTIATE_TEST_SUITE_P(Goals, SeveralLoops, testing::ValuesIn(kLoopGoals),
                         [](const testing::TestParamInfo<Goal> &info) {
                           return std::string(info.param.name);
                         });

INSTANTIATE_TEST_SUITE_P(Goals, Completeness, testing::ValuesIn(kGoals),
                         [](const testing::TestParamInfo<Goal> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
