//===- KernelGraphsTest.cpp - Programs made of pieces ---------------------===//
//
// Pieces and covers are held against all subsets and all partitions of small
// random programs; programs put together again against themselves.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/Search/KernelGraphs/PieceCover.h"
#include "Mirage/Search/SearchReport.h"
#include "RandomPrograms.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>
#include <set>

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

namespace {

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
    bool isSomeTooLarge = false;
    for (uint64_t bits = 1; bits < uint64_t(1) << units.size(); ++bits) {
      UnitSet set = getSet(units, bits);
      if (set.anyCommon(excluded) || !isConvex(units, set) ||
          !isConnected(units, set))
        continue;
      if (set.count() <= limits.units)
        expected.insert(bits);
      else if (!set.all())
        isSomeTooLarge = true;
    }
    ProgramUnits::LeftOut leftOut;
    for (const UnitSet &piece :
         units.enumeratePieces(excluded, limits, &leftOut)) {
      uint64_t bits = 0;
      for (unsigned unit : piece.set_bits())
        bits |= uint64_t(1) << unit;
      EXPECT_TRUE(found.insert(bits).second);
    }
    EXPECT_EQ(found, expected) << toString(program);
    EXPECT_EQ(leftOut.tooLarge > 0, isSomeTooLarge) << toString(program);
    EXPECT_EQ(leftOut.notGrown, 0u);
    // A limit of half as many leaves some out, and the counts say so.
    limits.pieces = expected.size() / 2;
    ProgramUnits::LeftOut ofHalf;
    if (units.enumeratePieces(excluded, limits, &ofHalf).size() <
        expected.size())
      EXPECT_GT(ofHalf.notGrown, 0u);
  }
}

/// Each reader of a wider type has a cast of its own; narrower casts and all
/// else stay.
TEST(ProgramPieces, ViewsAreCopiedForTheirReaders) {
  MuGraph program;
  MuValue x = program.addArgument(0, {8, 16}, ElementType::f16);
  auto cast = [&](MuValue value, ElementType type) {
    OpAttributes attributes;
    attributes.resultType = type;
    return program.addOperator(0, OpKind::Cast, attributes, {value}, type);
  };
  auto apply = [&](OpKind kind, llvm::ArrayRef<MuValue> operands) {
    return program.addOperator(0, kind, {}, operands,
                               program.getValue(operands[0]).type);
  };
  MuValue wide = cast(x, ElementType::f32),
          wider = cast(wide, ElementType::f64);
  MuValue product = apply(OpKind::Mul, {wide, wide});
  MuValue narrow = cast(product, ElementType::f16);
  program.setResults(0, {wide, apply(OpKind::Exp, {wider}),
                         apply(OpKind::Exp, {narrow}),
                         apply(OpKind::Sqrt, {narrow})});
  MuGraph copy = copyViews(program);
  llvm::DenseMap<MuValue, std::set<unsigned>> readers;
  for (unsigned number : copy.getRegion().nodes)
    for (MuValue operand : copy.getNode(number).operands)
      readers[operand].insert(number);
  unsigned wideCasts = 0, narrowCasts = 0;
  for (unsigned number : copy.getRegion().nodes) {
    const MuNode &node = copy.getNode(number);
    if (node.op != OpKind::Cast)
      continue;
    bool isWide = node.attributes.resultType != ElementType::f16;
    ++(isWide ? wideCasts : narrowCasts);
    EXPECT_LE(readers[node.results[0]].size(), isWide ? 1u : 2u);
  }
  // One of the product, one of the result, and two, one behind the other.
  EXPECT_EQ(wideCasts, 4u);
  EXPECT_EQ(narrowCasts, 1u);
  WorkerPool pool(1);
  Execution execution(pool);
  EXPECT_EQ(runRandomTests(program, copy, {}, execution).kind,
            RandomTestResult::Kind::Agree);
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
        replacements.push_back(
            {piece, units.getBoundary(piece), &graph.program});
    MuGraph whole = units.replace(replacements);
    EXPECT_TRUE(areIsomorphic(program, whole))
        << toString(program) << toString(whole);
  }
}

/// Pieces may overlap and leave out outputs, whatever cycles they form; what
/// nobody writes is computed where it is read.
TEST(ProgramPieces, OverlappingPiecesPutTogether) {
  std::mt19937_64 random(11);
  unsigned again = 0;
  for (unsigned trial = 0; trial < 150; ++trial) {
    MuGraph program = eraseDeadNodes(makeRandomProgram(random, 8));
    ProgramUnits units(program);
    std::vector<UnitSet> sets =
        units.enumeratePieces(UnitSet(units.size()), ProgramUnits::Limits());
    std::vector<ProgramUnits::Piece> graphs;
    std::vector<ProgramUnits::Replacement> replacements;
    graphs.reserve(4);
    UnitSet computed(units.size());
    for (unsigned i = 0; i < 4; ++i) {
      const UnitSet &set = sets[draw(random, sets.size())];
      UnitSet outputs(units.size());
      for (unsigned unit : set.set_bits())
        if (draw(random, 2))
          outputs.set(unit);
      if (outputs.none())
        continue;
      again += computed.anyCommon(set);
      computed |= set;
      graphs.push_back(units.extract(set, outputs));
      EXPECT_EQ(graphs.back().program.getRegion().results.size(),
                outputs.count());
      replacements.push_back({set, outputs, &graphs.back().program});
    }
    MuGraph whole = units.replace(replacements);
    WorkerPool pool(1);
    Execution execution(pool);
    EXPECT_EQ(
        runRandomTests(program, whole, RandomTestOptions(), execution).kind,
        RandomTestResult::Kind::Agree)
        << toString(program) << toString(whole);
    // What remains is written by no piece.
    UnitSet remaining = units.getRemaining(replacements);
    for (const ProgramUnits::Replacement &replacement : replacements)
      EXPECT_FALSE(remaining.anyCommon(replacement.outputs));
  }
  EXPECT_GE(again, 100u);
}

/// Two pieces each read what the other one writes: one of them reads a value
/// that is computed once more.
TEST(ProgramPieces, PiecesInACycle) {
  ProgramBuilder b;
  MuValue x = b.input({8, 8}), y = b.input({8, 8});
  MuGraph program = b.finish({b.square(b.silu(x)), b.silu(b.square(y))});
  ProgramUnits units(program);
  UnitSet first = getSet(units, 0b1001), second = getSet(units, 0b0110);
  ProgramUnits::Piece ofFirst = units.extract(first),
                      ofSecond = units.extract(second);
  EXPECT_EQ(ofFirst.inputs.size(), 2u);
  EXPECT_EQ(ofSecond.results.size(), 2u);
  MuGraph whole = units.replace(
      {{first, first, &ofFirst.program}, {second, second, &ofSecond.program}});
  // Nothing reads what the piece writes that was computed before.
  EXPECT_TRUE(areIsomorphic(program, whole)) << toString(whole);
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
    RandomTestResult result = runRandomTests(
        program, units.replace({{piece, units.getBoundary(piece), &scaled}}),
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
  KernelGraphResult little = compose(100), much = compose(2'000'000);
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

/// Products of one value become one launch with what follows each of them,
/// although with what follows one of them they are no longer computed alike.
TEST(KernelGraphs, ProductsTakeWhatFollowsEachOfThem) {
  ProgramBuilder b;
  MuValue x = b.input({128, 512});
  llvm::SmallVector<MuValue> results;
  for (unsigned i = 0; i < 3; ++i) {
    MuValue bias = b.input({1, 512});
    MuValue y = b.add(b.matmul(x, b.input({512, 512})), bias);
    results.push_back(b.mul(b.square(b.silu(y)), bias));
  }
  // The search cannot take this one.
  results.push_back(b.matmul(b.transpose(x), x));
  KernelGraphOptions options = getOptions(1);
  MuGraph program = b.finish(results);
  KernelGraphResult result = composeKernelGraph(
      program, estimateProgram(program, options.search.target).microseconds,
      options);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_TRUE(llvm::any_of(result.pieces, [](const PieceOutcome &piece) {
    return piece.isUsed && llvm::count(piece.operators, OpKind::Matmul) >= 3 &&
           llvm::count(piece.operators, OpKind::Silu) == 3;
  }));
}

/// Prices operators that stay as if each took two kernels.
class SlowOperators : public ProgramPricer {
public:
  using ProgramPricer::ProgramPricer;
  ProgramCost estimate(const MuGraph &program) override {
    ProgramCost cost;
    for (const ProgramCost::Kernel &kernel :
         estimateProgram(program, target).kernels) {
      bool stays = program.getNode(kernel.node).kind == MuNode::Kind::Operator;
      unsigned count = stays ? 2 : 1;
      cost.microseconds += count * kernel.cost.microseconds;
      cost.kernels.insert(cost.kernels.end(), count, kernel);
    }
    return cost;
  }
};

/// A value that two products of unlike sizes read is computed in the launches
/// of both.
TEST(KernelGraphs, PiecesOverlap) {
  MuGraph program;
  auto input = [&](int64_t rows, int64_t columns) {
    return program.addArgument(0, {rows, columns}, ElementType::f16);
  };
  auto op = [&](OpKind kind, llvm::ArrayRef<MuValue> operands) {
    return program.addOperator(0, kind, {}, operands, ElementType::f16);
  };
  MuValue x = input(64, 1024), y = input(64, 1024), w = input(1024, 2048),
          v = input(1024, 512);
  MuValue a = op(OpKind::Silu, {op(OpKind::Add, {x, y})});
  program.setResults(0,
                     {op(OpKind::Matmul, {a, w}), op(OpKind::Matmul, {a, v})});
  KernelGraphOptions options = getOptions(1);
  options.effort = KernelGraphOptions::kDefaultEffort;
  SlowOperators pricer(options.search.target);
  options.pricer = &pricer;
  double plain = pricer.estimate(program).microseconds;
  KernelGraphResult result = composeKernelGraph(program, plain, options);
  EXPECT_GT(result.overlapping, 0u);
  EXPECT_GT(result.orchestrations, 0u);
  EXPECT_EQ(result.openOrchestrations, 0u);
  EXPECT_TRUE(result.rejected.empty());
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(result.best->kernels, 2u);
  EXPECT_LE(result.bound, result.best->microseconds);
  UnitSet common(4, true);
  double apart = plain;
  for (const PieceOutcome &piece : result.pieces) {
    if (piece.isUsed) {
      EXPECT_EQ(piece.units.count(), 3u);
      EXPECT_EQ(piece.outputs.count(), 1u);
      common &= piece.units;
    }
    // The composition is faster than any with one piece that writes all that is
    // read of it.
    bool isWhole =
        ProgramUnits(program).getBoundary(piece.units) == piece.outputs;
    if (isWhole && std::isfinite(piece.microseconds))
      apart = std::min(apart, plain - piece.plain + piece.microseconds);
  }
  EXPECT_EQ(common.count(), 2u);
  EXPECT_LT(result.best->microseconds, apart);
  WorkerPool pool(1);
  Execution execution(pool);
  EXPECT_EQ(runRandomTests(program, result.best->graph, RandomTestOptions(),
                           execution)
                .kind,
            RandomTestResult::Kind::Agree);
}

} // namespace
