//===- LaunchExtentsTest.cpp - Limits of the target in questions to Z3 ----===//
//
// Expressions and limits share their unknowns: against all factors of all axes
// one by one, and against what the cost model counts of complete launches.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/LaunchExtents.h"
#include "../Enumeration.h"
#include "Mirage/Search/Launches/Configurations.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/Sizes/SizeCosts.h"
#include "Mirage/Search/Superoptimizer.h"
#include "gtest/gtest.h"
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>

using namespace mirage;
using namespace mirage::search;

namespace {

SearchProblem makeProblem(const MuGraph &program) {
  std::string reason;
  std::optional<unsigned> location;
  ProgramView view = getWholeView(program);
  return std::move(*SearchProblem::create(
      separateAxes(view).value_or(view).program, reason, location));
}

/// X W with 96 products to add, and one launch that loads tiles of both.
class Limits : public testing::Test {
protected:
  Limits() : problem(makeProblem(makeProgram())) {
    if (!hasSolver())
      return;
    summed = problem.getParts(problem.getInputs()[0].dims[1]).front().axis;
    goal = c.sum(96, product);
  }

  static MuGraph makeProgram() {
    ProgramBuilder b;
    MuValue x = b.input({8, 96}), w = b.input({96, 16});
    return b.finish(b.matmul(x, w));
  }

  /// A launch whose grid or loop divides the summed axis.
  LaunchGraph makeLaunch(Factor factor) const {
    LaunchGraph launch;
    if (factor == kGrid)
      launch.gridAxes.push_back(summed);
    else
      launch.loops.push_back({summed, kBody});
    for (uint8_t tensor : {0, 1}) {
      LoadChoice load{tensor, problem.getInputs()[tensor].dims,
                      factor == kLoop ? RegionId::ofLoop(0) : kBody};
      DimId &dim = load.dims[tensor ? 0 : 1];
      dim = *problem.withRemoved(dim, {factor});
      launch.loads.push_back(load);
      launch.values.push_back({load.dims, {load.region, 0}, Shift()});
    }
    return launch;
  }

  Containment ask(const Expression *part, const LaunchGraph &launch,
                  int64_t sharedMemory, int64_t blocks) {
    LaunchExtents extents(problem, launch, /*isSecond=*/false, sharedMemory,
                          {blocks, blocks, blocks});
    return ContainmentSolver(goal).contains(
        part, extents.getConstraints(LiveTiles(problem, launch)));
  }

  SearchProblem problem;
  uint8_t summed = 0;
  ExpressionContext c;
  const Expression *product = c.mul(c.symbol("X"), c.symbol("W")),
                   *goal = nullptr;
};

TEST_F(Limits, GridAndContainment) {
  if (!hasSolver())
    GTEST_SKIP();
  LaunchGraph launch = makeLaunch(kGrid);
  SymbolicExtent tile = problem.getExtent(launch.loads[0].dims[1]);
  // Sixteen tiles are part of the sum if a tile has no more than 6.
  const Expression *part = c.sum(tile * SymbolicExtent::get(16), product);
  EXPECT_EQ(ask(part, launch, 0, 0), Containment::Contained);
  // With no more than twelve blocks a tile has at least 8.
  EXPECT_EQ(ask(product, launch, 0, 12), Containment::Contained);
  EXPECT_EQ(ask(part, launch, 0, 12), Containment::NotContained);
  EXPECT_EQ(ask(part, launch, 0, 15), Containment::NotContained);
  EXPECT_EQ(ask(part, launch, 0, 16), Containment::Contained);
}

TEST_F(Limits, SharedMemoryAndContainment) {
  if (!hasSolver())
    GTEST_SKIP();
  LaunchGraph launch = makeLaunch(kLoop);
  SymbolicExtent iterations = problem.getFactor(summed, kLoop);
  // Six iterations at most, tiles of 16 at least.
  const Expression *part = c.sum(iterations * SymbolicExtent::get(16), product);
  EXPECT_EQ(ask(part, launch, 0, 0), Containment::Contained);
  // Tiles of 8 by 16, and of 16 by 16.
  EXPECT_EQ(ask(part, launch, (8 + 16) * 16 * 4, 0), Containment::Contained);
  EXPECT_EQ(ask(part, launch, (8 + 16) * 16 * 4 - 1, 0),
            Containment::NotContained);
  EXPECT_EQ(ask(product, launch, (8 + 16) * 4, 0), Containment::Contained);
  EXPECT_EQ(ask(product, launch, (8 + 16) * 4 - 1, 0),
            Containment::NotContained);
}

/// A factor of a launch that is not one.
struct Choice {
  uint8_t axis;
  bool isLoop;
};

class AllSizes {
public:
  AllSizes(const SearchProblem &problem, const LaunchGraph &launch)
      : problem(problem), launch(launch), loopAxes(launch.getLoopAxes()) {
    for (uint8_t axis : launch.gridAxes)
      choices.push_back({axis, false});
    for (uint8_t axis : loopAxes)
      choices.push_back({axis, true});
    blocks.assign(problem.getNumAxes(), 1);
    iterations.assign(problem.getNumAxes(), 1);
  }

  /// Returns whether `test` says yes for some factors.
  bool any(llvm::function_ref<bool()> test, unsigned from = 0) {
    if (from == choices.size())
      return test();
    auto [axis, isLoop] = choices[from];
    std::vector<int64_t> &own = isLoop ? iterations : blocks;
    int64_t room = problem.getAxisSize(axis) / blocks[axis] / iterations[axis];
    bool found = false;
    for (int64_t value = 1; value <= room && !found; ++value) {
      if (room % value)
        continue;
      own[axis] = value;
      found = any(test, from + 1);
      own[axis] = 1;
    }
    return found;
  }

  int64_t getSize(DimId dim) const {
    int64_t size = 1;
    for (const AxisPart &part : problem.getParts(dim)) {
      size *= problem.getAxisSize(part.axis);
      size /= part.removed.contains(kGrid) ? blocks[part.axis] : 1;
      size /= part.removed.contains(kLoop) ? iterations[part.axis] : 1;
    }
    return size;
  }

  int64_t getPeak(const LiveTiles &live) const {
    int64_t peak = 0;
    for (const LiveTiles::Moment &moment : live.getMoments()) {
      int64_t bytes = 0;
      for (unsigned number : moment) {
        const LiveTiles::Tile &tile = live.getTiles()[number];
        int64_t size = byteSize(tile.type);
        for (DimId dim : tile.dims)
          size *= getSize(dim);
        bytes += size;
      }
      peak = std::max(peak, bytes);
    }
    return peak;
  }

  bool isGridWithin(llvm::ArrayRef<int64_t> largest) const {
    for (auto [dim, axis] : llvm::enumerate(launch.gridAxes))
      if (largest[dim] && blocks[axis] > largest[dim])
        return false;
    return true;
  }

  /// The extent at these sizes.
  SymbolicExtent evaluate(const SymbolicExtent &extent) const {
    SymbolicExtent result;
    for (auto [generator, exponent] : extent.getPowers())
      for (unsigned i = 0; i < exponent; ++i)
        result = result *
                 (generator.isUnknown()
                      ? SymbolicExtent::get(getFactor(generator.getUnknown()))
                      : SymbolicExtent::get(generator));
    return result;
  }

  const Expression *evaluate(ExpressionContext &c,
                             const Expression *term) const {
    llvm::SmallVector<const Expression *, 2> operands;
    for (const Expression *operand : term->operands)
      operands.push_back(evaluate(c, operand));
    if (term->kind == Expression::Kind::Sum)
      return c.sum(evaluate(term->extent), operands[0]);
    return c.rebuild(term, operands);
  }

private:
  int64_t getFactor(Unknown unknown) const {
    auto is = [&](const SymbolicExtent &extent) {
      return extent.getPowers().front().first.getUnknown() == unknown;
    };
    for (uint8_t axis = 0; axis < problem.getNumAxes(); ++axis) {
      if (is(problem.getFactor(axis, kLoop)))
        return iterations[axis];
      // Blocks are a product of which only the first is not one.
      if (is(problem.getFactor(axis, kGrid)))
        return blocks[axis];
      if (is(problem.getExtent(
              *problem.withRemoved(problem.getWholeAxis(axis), kAllFactors))))
        return problem.getAxisSize(axis) / blocks[axis] / iterations[axis];
    }
    return 1;
  }

  const SearchProblem &problem;
  const LaunchGraph &launch;
  llvm::SmallVector<uint8_t, 2> loopAxes;
  std::vector<Choice> choices;
  std::vector<int64_t> blocks, iterations;
};

/// The graph's first operators.
LaunchGraph getPrefix(LaunchGraph graph, unsigned operators) {
  graph.operators.resize(operators);
  graph.values.resize(graph.loads.size() + operators);
  graph.outputs.clear();
  return graph;
}

const Expression *pickSubterm(const Expression *term, std::mt19937_64 &random) {
  while (!term->operands.empty() && random() % 3)
    term = term->operands[random() % term->operands.size()];
  return term;
}

/// Parts of goals with other extents, and prefixes under random limits: Z3 says
/// what all factors say.
TEST(LaunchExtents, AgreesWithAllSizes) {
  if (!hasSolver())
    GTEST_SKIP();
  std::mt19937_64 random(1);
  const char *requested = std::getenv("MIRAGE_LIMITS_ROUNDS");
  unsigned rounds = requested ? std::atoi(requested) : 8;
  unsigned both = 0, neither = 0, apart = 0, questions = 0;
  for (const Goal &goal : kGoals) {
    SizedProgram sized(goal.make, {8, 12, 20, 18, 30}, 2, 2);
    const SearchProblem &problem = sized.problem;
    Enumeration enumeration(goal.make);
    GeneratorLimits limits;
    limits.blockOperators = goal.operators;
    ExpressionContext c;
    AbstractEvaluator evaluator(c);
    AxisBinding binding(c);
    NormalForms forms;
    auto goals = problem.getGoals(evaluator, binding);
    ContainmentSolver solver(goals);
    std::vector<LaunchGraph> graphs;
    for (auto &[text, graph] :
         enumeration.generate(limits, {2, false, 0, 1}).graphs)
      graphs.push_back(graph);
    ASSERT_FALSE(graphs.empty());
    for (unsigned round = 0; round < rounds; ++round) {
      const LaunchGraph &whole = graphs[random() % graphs.size()];
      LaunchGraph prefix =
          getPrefix(whole, random() % (whole.operators.size() + 1));
      LiveTiles live(problem, prefix);
      AllSizes sizes(problem, prefix);
      // Bytes that some sizes have, or a little less.
      int64_t bytes = sizes.getPeak(live);
      sizes.any([&] {
        bytes = sizes.getPeak(live);
        return random() % 8 == 0;
      });
      bytes -= random() % 2;
      std::array<int64_t, 3> grid = {
          static_cast<int64_t>(random() % 2 ? 0 : 1 + random() % 6),
          static_cast<int64_t>(1 + random() % 6), 0};
      LaunchExtents extents(problem, prefix, /*isSecond=*/false, bytes, grid);
      ExtentConstraints constraints = extents.getConstraints(live);
      // More of a part of the goal than it sums, at some sizes.
      const Expression *part = pickSubterm(goals[0], random);
      SymbolicExtent more = SymbolicExtent::get(int64_t(1) << random() % 4);
      uint8_t axis = random() % problem.getNumAxes();
      if (random() % 2)
        more = more * problem.getFactor(axis, random() % 2 ? kGrid : kLoop);
      else
        more = more * problem.getExtent(*problem.withRemoved(
                          problem.getWholeAxis(axis), kAllFactors));
      if (random() % 4)
        part = c.sum(more, part);
      bool fits = false, isContained = false, isBoth = false;
      sizes.any([&] {
        bool fitsHere =
            sizes.isGridWithin(grid) && sizes.getPeak(live) <= bytes;
        bool isContainedHere = llvm::any_of(goals, [&](const Expression *g) {
          return forms.contains(sizes.evaluate(c, g),
                                sizes.evaluate(c, part)) ==
                 Containment::Contained;
        });
        fits |= fitsHere;
        isContained |= isContainedHere;
        isBoth |= fitsHere && isContainedHere;
        return isBoth;
      });
      ++questions;
      ASSERT_EQ(solver.contains(part, constraints),
                isBoth ? Containment::Contained : Containment::NotContained)
          << goal.name << ": " << c.toString(part) << " with " << bytes
          << " bytes\n"
          << enumeration.print(prefix);
      ExtentValues found;
      ASSERT_EQ(solver.solve(constraints, found),
                fits || isBoth ? SolverAnswer::Yes : SolverAnswer::No);
      if (fits) {
        extents.use(found);
        EXPECT_TRUE(extents.fit(live));
      }
      both += isBoth;
      neither += !isBoth;
      apart += fits && isContained && !isBoth;
    }
  }
  EXPECT_EQ(questions, rounds * std::size(kGoals));
  EXPECT_GT(both, questions / 4);
  EXPECT_GT(neither, questions / 4);
  EXPECT_GT(apart, 5u);
}

/// Returns whether a launch fits at some sizes by the cost model's count, with
/// products joined or not.
bool fits(const SearchProblem &problem, const LaunchGraph &graph,
          const GeneratorLimits &limits) {
  Candidate candidate;
  candidate.launches.push_back(graph);
  for (unsigned result = 0; result < graph.outputs.size(); ++result)
    candidate.results.push_back(problem.getInputs().size() + result);
  SizeFactors factors(problem, candidate);
  Divisors divisors;
  std::function<bool(Point)> any = [&](Point point) {
    if (point.size() < factors.get().size())
      return llvm::any_of(
          divisors.get(factors.getRoom(point.size(), point)).vec(),
          [&](int64_t size) {
            Point longer = point;
            longer.push_back(size);
            return any(longer);
          });
    return llvm::any_of(std::array{false, true}, [&](bool joins) {
      candidate.joinsProducts = joins;
      KernelSummary summary =
          summarizeLaunch(problem, candidate, factors.getSizes(point), 0);
      for (unsigned dim = 0; dim < 3; ++dim)
        if (limits.grid[dim] && summary.grid[dim] > limits.grid[dim])
          return false;
      return summary.plannedBytes <= limits.sharedMemory;
    });
  };
  return any({});
}

class WithinLimits : public testing::TestWithParam<Goal> {};

/// With limits every graph is found that is right and fits, by either way to
/// ask Z3.
TEST_P(WithinLimits, KeepWhatIsRightAndFits) {
  if (!hasSolver())
    GTEST_SKIP();
  Enumeration enumeration(GetParam().make);
  GeneratorLimits limits;
  limits.blockOperators = GetParam().operators;
  limits.canonicalPlacement = limits.pruneRecomputation = false;
  GeneratorLimits none = limits;
  none.prune = Prune::None;
  none.compareResults = false;
  std::map<std::string, LaunchGraph> right =
      enumeration.getCorrect(enumeration.generate(none));
  Generated free = enumeration.generate(limits);
  ASSERT_FALSE(right.empty());
  unsigned pruned = 0, kept = 0;
  for (int64_t bytes : {256, 2560}) {
    limits.sharedMemory = bytes;
    limits.grid = {4, 4, 4};
    for (Prune prune : {Prune::SMT, Prune::Both}) {
      limits.prune = prune;
      Generated limited = enumeration.generate(limits);
      for (const auto &[text, graph] : right) {
        if (!free.graphs.count(text))
          continue;
        bool isFound = limited.graphs.count(text);
        (isFound ? kept : pruned) += 1;
        EXPECT_TRUE(isFound || !fits(enumeration.getProblem(), graph, limits))
            << bytes << " bytes: " << enumeration.print(graph);
      }
    }
    limits.prune = Prune::NormalForm;
  }
  EXPECT_GT(kept, 0u);
  EXPECT_GT(pruned, 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Goals, WithinLimits,
    testing::ValuesIn(llvm::ArrayRef(kGoals).take_front(10)),
    [](const testing::TestParamInfo<Goal> &info) {
      return std::string(info.param.name);
    });

/// Z3 leaves nothing open at sizes of real programs, and where the normal form
/// has looked before, it is asked for few of the prefixes.
TEST(LaunchExtents, FewQuestions) {
  if (!hasSolver())
    GTEST_SKIP();
  ProgramBuilder b;
  MuValue x = b.input({16, 1024}), w = b.input({1024, 4096});
  MuValue root = b.sqrt(b.reduce(b.square(x), 1));
  SearchProblem problem = makeProblem(b.finish(b.matmul(b.div(x, root), w)));
  GeneratorLimits limits;
  limits.blockOperators = 5;
  limits.sharedMemory = getTargetPreset("sm_90a")->sharedMemoryPerBlock;
  uint64_t complete = 0;
  for (Prune prune : {Prune::NormalForm, Prune::Both, Prune::SMT}) {
    limits.prune = prune;
    if (prune != Prune::NormalForm)
      llvm::copy(largestGrid, limits.grid.begin());
    GeneratorStatistics counts;
    ExpressionOracle oracle(problem, prune);
    std::vector<KernelTensor> tensors;
    for (auto [number, input] : llvm::enumerate(problem.getInputs()))
      tensors.push_back({input, oracle.getInput(number).value, 0, {}, false});
    BlockGenerator generator(problem, oracle, tensors, limits, counts);
    ConfigurationLimits configurations;
    configurations.sharedMemory = limits.sharedMemory;
    auto begin = std::chrono::steady_clock::now();
    EnumerationBudget budget(50'000'000, nullptr);
    for (const LaunchGraph &launch :
         enumerateConfigurations(problem, problem.getInputs(), {0, 1},
                                 /*isLast=*/true, configurations, budget))
      generator.generateLast(launch, [](const LaunchGraph &, auto) {});
    std::chrono::duration<double> seconds =
        std::chrono::steady_clock::now() - begin;
    SolverStatistics solver = oracle.getSolverStatistics();
    std::cout << "prune " << static_cast<int>(prune) << ": " << counts.states
              << " states, " << counts.prunedSizes << " without sizes, "
              << solver.calls << " questions, " << seconds.count() << " s\n";
    EXPECT_EQ(solver.unknown, 0u);
    if (prune == Prune::NormalForm) {
      complete = counts.complete;
      continue;
    }
    EXPECT_LE(counts.complete, complete);
    EXPECT_GT(counts.complete, 0u);
    // What the normal form has left fits.
    EXPECT_EQ(counts.prunedSizes > 0, prune == Prune::SMT);
    EXPECT_LT(solver.calls, counts.states / 50);
  }
}

/// Programs of two launches: the result is what it is without Z3.
TEST(LaunchExtents, TwoLaunches) {
  if (!hasSolver())
    GTEST_SKIP();
  ProgramBuilder b;
  MuValue x = b.input({16, 6144}), w = b.input({6144, 64});
  MuGraph program = b.finish(b.matmul(x, w));
  std::string reason;
  std::optional<unsigned> location;
  auto task = SearchTask::create(program, reason, location);
  ASSERT_TRUE(task);
  std::vector<double> best;
  for (Prune prune : {Prune::NormalForm, Prune::Both, Prune::SMT}) {
    SearchOptions options;
    options.target = *getTargetPreset("sm_90a");
    options.target.sharedMemoryPerBlock = 24 * 1024;
    // Without clusters a product of few blocks takes a second launch.
    options.target.clusterPerClock = 0;
    options.limits.blockOperators = 4;
    options.limits.prune = prune;
    options.states = 200'000;
    SearchResult result = superoptimize(*task, options, {});
    ASSERT_FALSE(result.judged.empty());
    EXPECT_TRUE(llvm::any_of(result.judged, [](const auto &judged) {
      return judged.candidate.launches.size() == 2;
    }));
    best.push_back(result.judged.front().microseconds);
    EXPECT_EQ(result.statistics.generator.prunedSizes > 0,
              prune != Prune::NormalForm);
  }
  EXPECT_EQ(best[0], best[1]);
  EXPECT_EQ(best[0], best[2]);
}

} // namespace
