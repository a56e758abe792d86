//===- KernelGraphsTest.cpp - Programs made of pieces ---------------------===//
//
// Pieces and covers are held against all subsets and all partitions of small
// random programs; programs put together again against themselves.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "../Programs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Search/KernelGraphs/PieceCover.h"
#include "Mirage/Search/SearchReport.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <set>

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

namespace {

unsigned draw(std::mt19937_64 &random, unsigned count) {
  return static_cast<unsigned>(random() % count);
}

/// A program of so many operators on square matrices, all of whose values that
/// no operator reads are results.
MuGraph makeRandomProgram(std::mt19937_64 &random, unsigned operators,
                          int64_t size = 8) {
  ProgramBuilder b;
  std::vector<MuValue> values = {b.input({size, size}), b.input({size, size}),
                                 b.input({size, size})};
  std::vector<bool> isRead(values.size(), true);
  for (unsigned i = 0; i < operators; ++i) {
    // Mostly what is new, so that there are chains.
    auto pick = [&] {
      unsigned recent = draw(random, 3) ? 3 : values.size();
      unsigned value = values.size() - 1 -
                       draw(random, std::min<unsigned>(recent, values.size()));
      isRead[value] = true;
      return values[value];
    };
    MuValue x = pick();
    switch (draw(random, 5)) {
    case 0:
      values.push_back(b.add(x, pick()));
      break;
    case 1:
      values.push_back(b.mul(x, pick()));
      break;
    case 2:
      values.push_back(b.matmul(x, pick()));
      break;
    case 3:
      values.push_back(b.silu(x));
      break;
    default:
      values.push_back(b.square(x));
    }
    isRead.push_back(false);
  }
  llvm::SmallVector<MuValue> results;
  for (size_t i = 0; i < values.size(); ++i)
    if (!isRead[i])
      results.push_back(values[i]);
  return b.finish(results);
}

UnitSet getSet(const ProgramUnits &units, uint64_t bits) {
  UnitSet set(units.size());
  for (unsigned unit = 0; unit < units.size(); ++unit)
    if (bits >> unit & 1)
      set.set(unit);
  return set;
}

/// For each unit all that it depends on.
std::vector<UnitSet> getAncestors(const ProgramUnits &units) {
  std::vector<UnitSet> ancestors;
  for (unsigned unit = 0; unit < units.size(); ++unit) {
    UnitSet &own = ancestors.emplace_back(units.getOperands(unit));
    for (unsigned operand : units.getOperands(unit).set_bits())
      own |= ancestors[operand];
  }
  return ancestors;
}

/// Returns whether a set is convex by the definition: no path leaves it and
/// comes back.
bool isConvex(const ProgramUnits &units, const UnitSet &set) {
  std::vector<UnitSet> ancestors = getAncestors(units);
  for (unsigned middle = 0; middle < units.size(); ++middle) {
    if (set[middle])
      continue;
    bool isBehind = ancestors[middle].anyCommon(set), isBefore = false;
    for (unsigned unit : set.set_bits())
      isBefore |= ancestors[unit][middle];
    if (isBehind && isBefore)
      return false;
  }
  return true;
}

bool shareValue(const MuNode &a, const MuNode &b) {
  auto touches = [](const MuNode &node, MuValue value) {
    return llvm::is_contained(node.operands, value) ||
           llvm::is_contained(node.results, value);
  };
  return llvm::any_of(a.operands,
                      [&](MuValue value) { return touches(b, value); }) ||
         llvm::any_of(b.operands,
                      [&](MuValue value) { return touches(a, value); });
}

bool isConnected(const ProgramUnits &units, const UnitSet &set) {
  UnitSet reached(units.size());
  reached.set(set.find_first());
  for (bool grows = true; grows;) {
    grows = false;
    for (unsigned unit : set.set_bits())
      for (unsigned other : set.set_bits())
        if (reached[unit] && !reached[other] &&
            shareValue(units.getNode(unit), units.getNode(other))) {
          reached.set(other);
          grows = true;
        }
  }
  return reached == set;
}

TEST(ProgramPieces, AllConvexSetsThatHangTogether) {
  std::mt19937_64 random(1);
  for (unsigned trial = 0; trial < 60; ++trial) {
    MuGraph program = makeRandomProgram(random, 7);
    ProgramUnits units(program);
    UnitSet excluded(units.size());
    if (trial % 3 == 0)
      excluded.set(draw(random, units.size()));
    ProgramUnits::Limits limits;
    limits.units = trial % 2 ? 12 : 4;
    std::set<uint64_t> expected, found;
    for (uint64_t bits = 1; bits < uint64_t(1) << units.size(); ++bits) {
      UnitSet set = getSet(units, bits);
      if (set.count() <= limits.units && !set.anyCommon(excluded) &&
          isConvex(units, set) && isConnected(units, set))
        expected.insert(bits);
    }
    for (const UnitSet &piece : units.enumeratePieces(excluded, limits)) {
      uint64_t bits = 0;
      for (unsigned unit : piece.set_bits())
        bits |= uint64_t(1) << unit;
      EXPECT_TRUE(found.insert(bits).second);
    }
    EXPECT_EQ(found, expected) << toString(program);
  }
}

/// Disjoint convex pieces that are in no cycle with each other.
std::vector<UnitSet> cutRandomly(std::mt19937_64 &random,
                                 const ProgramUnits &units) {
  // Consecutive in an order in which they can run.
  std::vector<unsigned> order;
  UnitSet done(units.size());
  while (!done.all()) {
    unsigned unit = draw(random, units.size());
    if (done[unit] || units.getOperands(unit).test(done))
      continue;
    done.set(unit);
    order.push_back(unit);
  }
  std::vector<UnitSet> pieces;
  for (unsigned unit : order) {
    if (pieces.empty() || draw(random, 3) == 0)
      pieces.emplace_back(units.size());
    pieces.back().set(unit);
  }
  return pieces;
}

TEST(ProgramPieces, PutTogetherAgain) {
  std::mt19937_64 random(2);
  for (unsigned trial = 0; trial < 200; ++trial) {
    MuGraph program = eraseDeadNodes(makeRandomProgram(random, 9));
    ProgramUnits units(program);
    std::vector<UnitSet> pieces = cutRandomly(random, units);
    std::vector<ProgramUnits::Piece> graphs;
    for (const UnitSet &piece : pieces)
      graphs.push_back(units.extract(piece));
    std::vector<ProgramUnits::Replacement> replacements;
    for (auto [piece, graph] : llvm::zip(pieces, graphs))
      if (draw(random, 4))
        replacements.push_back({piece, &graph.program});
    MuGraph whole = units.replace(replacements);
    EXPECT_TRUE(areIsomorphic(program, whole))
        << toString(program) << toString(whole);
  }
}

/// A piece that computes something else is noticed in the whole.
TEST(ProgramPieces, WrongPiecesMakeWrongPrograms) {
  std::mt19937_64 random(3);
  unsigned wrong = 0;
  for (unsigned trial = 0; trial < 40; ++trial) {
    MuGraph program = eraseDeadNodes(makeRandomProgram(random, 6));
    ProgramUnits units(program);
    std::vector<UnitSet> pieces = cutRandomly(random, units);
    const UnitSet &piece = pieces[draw(random, pieces.size())];
    MuGraph graph = units.extract(piece).program, scaled;
    // Twice the right results.
    llvm::SmallVector<MuValue> inputs, results;
    for (MuValue argument : graph.getRegion().arguments)
      inputs.push_back(scaled.addArgument(0, graph.getShape(argument),
                                          graph.getValue(argument).type));
    for (MuValue value : cloneInto(scaled, 0, graph, inputs))
      results.push_back(scaled.addOperator(0, OpKind::Add, {}, {value, value},
                                           ElementType::f32));
    scaled.setResults(0, results);
    WorkerPool pool(1);
    Execution execution(pool);
    RandomTestResult result =
        runRandomTests(program, units.replace({{piece, &scaled}}),
                       RandomTestOptions(), execution);
    wrong += result.kind == RandomTestResult::Kind::Differ;
  }
  // x - x and the like hide it in some.
  EXPECT_GE(wrong, 36u);
}

/// The least cost of all partitions into these pieces, by trying all.
class AllCovers {
public:
  AllCovers(const ProgramUnits &units, llvm::ArrayRef<UnitSet> pieces,
            const PieceCover::Prices &ofCover, unsigned maxKernels)
      : units(units), pieces(pieces), prices(ofCover.pieces),
        maxKernels(maxKernels) {
    // Units that stay are pieces of one unit here.
    for (unsigned unit = 0; unit < units.size(); ++unit) {
      this->pieces.emplace_back(units.size());
      this->pieces.back().set(unit);
      prices.push_back(ofCover.units[unit]);
    }
    extend(UnitSet(units.size()));
  }
  double best = std::numeric_limits<double>::infinity();

private:
  bool isAcyclic() const {
    UnitSet done(units.size());
    for (size_t round = 0; round < chosen.size(); ++round)
      for (unsigned piece : chosen) {
        UnitSet needs(units.size());
        for (unsigned unit : pieces[piece].set_bits())
          needs |= units.getOperands(unit);
        needs.reset(pieces[piece]);
        if (!needs.test(done))
          done |= pieces[piece];
      }
    return done.all();
  }
  void extend(const UnitSet &covered) {
    if (covered.all()) {
      double cost = 0;
      unsigned kernels = 0;
      for (unsigned piece : chosen) {
        cost += prices[piece].cost;
        kernels += prices[piece].kernels;
      }
      if (kernels <= maxKernels && isAcyclic())
        best = std::min(best, cost);
      return;
    }
    int first = covered.find_first_unset();
    for (unsigned piece = 0; piece < pieces.size(); ++piece) {
      if (!pieces[piece][first] || pieces[piece].anyCommon(covered))
        continue;
      chosen.push_back(piece);
      UnitSet more = covered;
      more |= pieces[piece];
      extend(more);
      chosen.pop_back();
    }
  }

  const ProgramUnits &units;
  std::vector<UnitSet> pieces;
  std::vector<PieceCover::Price> prices;
  unsigned maxKernels;
  llvm::SmallVector<unsigned> chosen;
};

TEST(PieceCover, CheapestOfAllPartitions) {
  std::mt19937_64 random(4);
  unsigned withCover = 0;
  for (unsigned trial = 0; trial < 150; ++trial) {
    MuGraph program = makeRandomProgram(random, 6);
    ProgramUnits units(program);
    std::vector<UnitSet> pieces =
        units.enumeratePieces(UnitSet(units.size()), ProgramUnits::Limits());
    // Some units can't stay alone.
    PieceCover::Prices prices;
    for (unsigned unit = 0; unit < units.size(); ++unit)
      prices.units.push_back({draw(random, 4)
                                  ? 1 + draw(random, 16) / 8.0
                                  : std::numeric_limits<double>::infinity(),
                              1 + draw(random, 2)});
    for (const UnitSet &piece : pieces)
      prices.pieces.push_back(
          {1 + draw(random, 8 * piece.count()) / 8.0, 1 + draw(random, 2)});
    unsigned maxKernels = 1 + draw(random, 6);
    PieceCover cover(units, pieces);
    EXPECT_TRUE(cover.isExact());
    auto best = cover.find(prices, maxKernels);
    double expected = AllCovers(units, pieces, prices, maxKernels).best;
    EXPECT_EQ(best.has_value(), std::isfinite(expected));
    if (!best)
      continue;
    ++withCover;
    EXPECT_DOUBLE_EQ(best->cost, expected) << toString(program);
    // Among fewer ideals nothing is cheaper, and orders in which the pieces of
    // the cheapest cover stay together have that.
    PieceCover::Limits few;
    few.ideals = 1;
    PieceCover inOrders(units, pieces, {}, few);
    EXPECT_FALSE(inOrders.isExact());
    if (auto other = inOrders.find(prices, maxKernels)) {
      EXPECT_GE(other->cost, expected - 1e-9);
    }
    std::vector<UnitSet> groups;
    for (unsigned number : best->pieces)
      groups.push_back(pieces[number]);
    auto other =
        PieceCover(units, pieces, groups, few).find(prices, maxKernels);
    ASSERT_TRUE(other.has_value());
    EXPECT_DOUBLE_EQ(other->cost, expected) << toString(program);
  }
  EXPECT_GE(withCover, 75u);
}

KernelGraphOptions getOptions(unsigned threads) {
  KernelGraphOptions options;
  options.search.target = *getTargetPreset("sm_90a");
  options.search.limits.blockOperators = 5;
  options.search.gridDims = 2;
  options.search.kernels = 1;
  options.search.threads = threads;
  options.effort = 100'000;
  return options;
}

std::string getOutcome(const MuGraph &program,
                       const KernelGraphOptions &options) {
  double plain = estimateProgram(program, options.search.target).microseconds;
  KernelGraphResult result = composeKernelGraph(program, plain, options);
  std::string text;
  llvm::raw_string_ostream os(text);
  for (const PieceOutcome &piece : result.pieces)
    os << listOperators(piece) << " " << piece.plain << " " << piece.bound
       << " " << piece.microseconds << " " << piece.launches << " "
       << piece.verdict.getName() << " " << piece.isUsed << " "
       << piece.statistics.generator.states << "\n";
  if (result.best)
    os << toString(result.best->graph) << result.best->microseconds;
  return text;
}

/// What is put together is right, cheaper, and the same on any threads.
TEST(KernelGraphs, RandomPrograms) {
  std::mt19937_64 random(5);
  unsigned composed = 0;
  for (unsigned trial = 0; trial < 5; ++trial) {
    MuGraph program = makeRandomProgram(random, 5, 64);
    KernelGraphOptions options = getOptions(1);
    double plain = estimateProgram(program, options.search.target).microseconds;
    KernelGraphResult result = composeKernelGraph(program, plain, options);
    EXPECT_FALSE(result.wasCut());
    EXPECT_TRUE(result.rejected.empty());
    if (!result.best)
      continue;
    ++composed;
    const KernelGraph &best = *result.best;
    EXPECT_LE(best.microseconds, plain * 0.99);
    EXPECT_DOUBLE_EQ(
        best.microseconds,
        estimateProgram(best.graph, options.search.target).microseconds);
    RandomTestOptions tests;
    WorkerPool pool(1);
    Execution execution(pool);
    EXPECT_EQ(runRandomTests(program, best.graph, tests, execution).kind,
              RandomTestResult::Kind::Agree)
        << toString(program) << toString(best.graph);
  }
  EXPECT_GE(composed, 4u);
}

TEST(KernelGraphs, ThreadsDecideNothing) {
  std::mt19937_64 random(6);
  MuGraph program = makeRandomProgram(random, 5, 64);
  std::string one = getOutcome(program, getOptions(1));
  EXPECT_NE(one, "");
  EXPECT_EQ(getOutcome(program, getOptions(2)), one);
  EXPECT_EQ(getOutcome(program, getOptions(4)), one);
}

/// What the work does not suffice for is left out, and said to be. The whole is
/// searched for with its part of the work.
TEST(KernelGraphs, WorkEndsTheSearches) {
  std::mt19937_64 random(6);
  MuGraph program = makeRandomProgram(random, 5, 64);
  KernelGraphOptions options = getOptions(1);
  double plain = estimateProgram(program, options.search.target).microseconds;
  std::string reason;
  std::optional<unsigned> location;
  std::optional<SearchTask> task =
      SearchTask::create(program, reason, location);
  ASSERT_TRUE(task.has_value());
  auto compose = [&](uint64_t effort) {
    options.effort = effort;
    ProgramSearch whole(*task, options.search);
    SearchResult ofWhole;
    KernelGraphControl control;
    control.whole = &whole;
    control.wholeResult = &ofWhole;
    KernelGraphResult result =
        composeKernelGraph(program, plain, options, control);
    EXPECT_GE(result.work, ofWhole.statistics.generator.states);
    return result;
  };
  KernelGraphResult little = compose(100), much = compose(200'000);
  EXPECT_EQ(little.end, SearchEnd::Effort);
  EXPECT_LT(little.bound, plain);
  EXPECT_LT(little.searched, much.searched);
  EXPECT_LT(little.work, much.work);
}

/// Equal pieces are searched for once.
TEST(KernelGraphs, EqualPiecesAreOne) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256}), y = b.input({64, 256});
  llvm::SmallVector<MuValue> results;
  for (MuValue value : {x, y})
    results.push_back(b.square(b.silu(b.square(value))));
  KernelGraphOptions options = getOptions(1);
  MuGraph program = b.finish(results);
  KernelGraphResult result = composeKernelGraph(
      program, estimateProgram(program, options.search.target).microseconds,
      options);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(result.best->kernels, 2u);
  EXPECT_EQ(result.best->verdict.equivalence, equivalence::Equivalence::Proved);
  EXPECT_TRUE(llvm::any_of(result.pieces, [](const PieceOutcome &piece) {
    return piece.isUsed && piece.equalTo;
  }));
}

/// A run of elementwise operators is one launch, however long it is, beside an
/// operator that the search cannot take.
TEST(KernelGraphs, PiecesOfAnyNumberOfOperators) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256}), value = x;
  for (unsigned i = 0; i < 20; ++i)
    value = i % 2 ? b.add(b.silu(value), x) : b.mul(value, x);
  KernelGraphOptions options = getOptions(1);
  MuGraph program = b.finish({value, b.matmul(b.transpose(x), x)});
  KernelGraphResult result = composeKernelGraph(
      program, estimateProgram(program, options.search.target).microseconds,
      options);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_LE(result.best->kernels, 3u);
  EXPECT_TRUE(llvm::any_of(result.pieces, [](const PieceOutcome &piece) {
    return piece.isUsed &&
           piece.operators.size() > ProgramUnits::Limits().units;
  }));
  EXPECT_LE(result.best->microseconds,
            estimateFusedProgram(program, options.search.target).microseconds *
                1.05);
}

/// No more kernels than the limit, unless the program has more.
TEST(KernelGraphs, LimitOfKernels) {
  ProgramBuilder b;
  MuValue x = b.input({64, 256});
  MuGraph program = b.finish(b.square(b.silu(b.square(x))));
  KernelGraphOptions options = getOptions(1);
  options.kernelOperators = 1;
  double plain = estimateProgram(program, options.search.target).microseconds;
  KernelGraphResult result = composeKernelGraph(program, plain, options);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_LE(result.best->kernels, 3u);
}

} // namespace
