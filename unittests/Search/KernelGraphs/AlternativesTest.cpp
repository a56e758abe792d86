//===- AlternativesTest.cpp - Kernels of programs that compute the same ---===//
//
// Classes of values are held against what the verifier says of them, the choice
// among kernels of several programs against all orders in which kernels can
// run, and what is composed against the program.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Search/KernelGraphs/KernelOrchestration.h"
#include "Mirage/Search/KernelGraphs/ValueClasses.h"
#include "RandomPrograms.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <numeric>
#include <set>

using namespace mirage;
using namespace mirage::search;
using namespace mirage::equivalence;
using Kernel = KernelOrchestration::Kernel;
using Price = KernelOrchestration::Price;

namespace {

bool areProved(const MuGraph &lhs, const MuGraph &rhs) {
  ComparisonPolicy policy;
  policy.test = policy.checkFloats = policy.compareParts = false;
  WorkerPool pool(1);
  Execution execution(pool);
  return compareGraphs(lhs, rhs, policy, execution).isEqual();
}

//===----------------------------------------------------------------------===//
// Classes of values
//===----------------------------------------------------------------------===//

/// A quotient of rows before a product, or behind it, with what follows.
MuGraph makeDividedRows(bool isBehind, bool isRead) {
  ProgramBuilder b;
  MuValue x = b.input({8, 16}), d = b.input({8, 1}), w = b.input({16, 4});
  MuValue quotient = b.div(x, d);
  MuValue product = isBehind ? b.div(b.matmul(x, w), d) : b.matmul(quotient, w);
  MuValue last = b.square(b.silu(product));
  if (isRead)
    return b.finish({last, b.exp(quotient)});
  return b.finish(last);
}

TEST(ValueClasses, DividedRows) {
  for (bool isRead : {false, true}) {
    MuGraph before = makeDividedRows(false, isRead),
            behind = eraseDeadNodes(makeDividedRows(true, isRead));
    ProgramUnits first(before), second(behind);
    ValueClasses classes;
    std::vector<unsigned> ofFirst = classes.add(first, areProved).classes;
    ValueClasses::Added added = classes.add(second, areProved);
    auto getClass = [](const ProgramUnits &units,
                       const std::vector<unsigned> &all, OpKind kind) {
      for (unsigned unit = 0; unit < units.size(); ++unit)
        if (units.getNode(unit).op == kind)
          return all[unit];
      return ~0u;
    };
    // The product behind which is divided is no value of the first program, and
    // the quotient behind it is its product, although what reads both is alike.
    for (OpKind kind : {OpKind::Silu, OpKind::Square})
      EXPECT_EQ(getClass(first, ofFirst, kind),
                getClass(second, added.classes, kind));
    EXPECT_FALSE(llvm::is_contained(
        ofFirst, getClass(second, added.classes, OpKind::Matmul)));
    EXPECT_TRUE(llvm::is_contained(added.classes,
                                   getClass(first, ofFirst, OpKind::Matmul)));
    // What is read elsewhere, too, is there in both.
    EXPECT_EQ(llvm::is_contained(added.classes,
                                 getClass(first, ofFirst, OpKind::Div)),
              isRead);
    // A product and a quotient are operators that the first does not have.
    EXPECT_EQ(added.isNew.count(), 2u);
  }
}

/// Units of one class compute the same, and those of the same operators of the
/// same values are of one class.
TEST(ValueClasses, RandomPrograms) {
  std::mt19937_64 random(3);
  unsigned common = 0, apart = 0;
  for (unsigned trial = 0; trial < 300; ++trial) {
    MuGraph lhs = makeRandomProgram(random, 6),
            rhs = makeRandomProgram(random, 6);
    ProgramUnits left(lhs), right(rhs);
    ValueClasses classes;
    std::vector<unsigned> ofLeft = classes.add(left, areProved).classes,
                          ofRight = classes.add(right, areProved).classes;
    // A program is the same as itself, and has nothing new.
    ProgramUnits again(lhs);
    ValueClasses::Added added = classes.add(again, areProved);
    EXPECT_EQ(added.classes, ofLeft);
    EXPECT_TRUE(added.isNew.none());
    auto getCone = [](const ProgramUnits &units, unsigned unit) {
      MuGraph cone = units.getProgram();
      cone.setResults(0, units.getNode(unit).results);
      return eraseDeadNodes(cone);
    };
    for (unsigned a = 0; a < left.size(); ++a)
      for (unsigned b = 0; b < right.size(); ++b) {
        if (ofLeft[a] != ofRight[b]) {
          ++apart;
          continue;
        }
        ++common;
        EXPECT_TRUE(areProved(getCone(left, a), getCone(right, b)));
      }
  }
  EXPECT_GT(common, 40u);
  EXPECT_GT(apart, 5000u);
}

//===----------------------------------------------------------------------===//
// The choice among kernels
//===----------------------------------------------------------------------===//

uint64_t getBits(const UnitSet &set) {
  uint64_t bits = 0;
  for (unsigned unit : set.set_bits())
    bits |= uint64_t(1) << unit;
  return bits;
}

/// The least cost of kernels that run one after another until the results are
/// there, over all sets of classes that can be there.
double getLeastCost(uint64_t results, llvm::ArrayRef<Kernel> kernels,
                    llvm::ArrayRef<Price> prices) {
  std::map<uint64_t, double> costs = {{0, 0}};
  std::vector<std::pair<double, uint64_t>> open = {{0, 0}};
  double least = std::numeric_limits<double>::infinity();
  while (!open.empty()) {
    auto [cost, memory] = open.back();
    open.pop_back();
    if (cost > costs[memory])
      continue;
    if ((results & ~memory) == 0)
      least = std::min(least, cost);
    for (auto [kernel, price] : llvm::zip_equal(kernels, prices)) {
      uint64_t after = memory | getBits(kernel.outputs);
      if ((getBits(kernel.inputs) & ~memory) || after == memory)
        continue;
      double next = cost + price.cost;
      auto [known, isNew] = costs.insert({after, next});
      if (isNew || next < known->second) {
        known->second = next;
        open.push_back({next, after});
      }
    }
  }
  return least;
}

/// Several programs have some classes of values in common, each of which they
/// compute of others. The plan costs what the cheapest order of kernels does.
TEST(KernelOrchestration, KernelsOfSeveralPrograms) {
  std::mt19937_64 random(7);
  unsigned withPlan = 0, mixed = 0, avoided = 0, loops = 0;
  for (unsigned trial = 0; trial < 500; ++trial) {
    unsigned numClasses = 5 + draw(random, 4);
    unsigned numPrograms = 2 + draw(random, 2);
    std::vector<Kernel> kernels;
    std::vector<Price> prices;
    std::vector<unsigned> programOf;
    for (unsigned program = 0; program < numPrograms; ++program) {
      // What each class is computed of; of nothing, from the arguments. Classes
      // stand in any order, so that one program computes one of another which
      // an other program computes the other way round.
      std::vector<unsigned> order(numClasses);
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), random);
      std::vector<UnitSet> operands(numClasses, UnitSet(numClasses));
      for (unsigned place = 1; place < numClasses; ++place)
        for (unsigned i = draw(random, 3); i-- > 0;)
          operands[order[place]].set(order[draw(random, place)]);
      for (unsigned i = 0; i < 2 * numClasses; ++i) {
        Kernel kernel;
        kernel.units = kernel.inputs = kernel.outputs = UnitSet(numClasses);
        for (unsigned count = 1 + draw(random, 3); count-- > 0;)
          kernel.units.set(draw(random, numClasses));
        for (unsigned unit : kernel.units.set_bits()) {
          kernel.inputs |= operands[unit];
          if (kernel.outputs.none() || draw(random, 2))
            kernel.outputs.set(unit);
        }
        kernel.inputs.reset(kernel.units);
        kernels.push_back(std::move(kernel));
        prices.push_back({(1 + draw(random, 32)) / 8.0, 1});
        programOf.push_back(program);
      }
    }
    UnitSet results(numClasses);
    for (unsigned count = 1 + draw(random, 2); count-- > 0;)
      results.set(draw(random, numClasses));
    double least = getLeastCost(getBits(results), kernels, prices);
    KernelOrchestration orchestration(results, kernels);
    KernelOrchestration::Answer answer = orchestration.find(prices, {});
    EXPECT_TRUE(answer.isOptimal);
    ASSERT_EQ(answer.plan.has_value(), std::isfinite(least));
    loops += answer.loops;
    if (!answer.plan)
      continue;
    ++withPlan;
    EXPECT_DOUBLE_EQ(answer.plan->cost, least);
    uint64_t memory = 0, computed = 0;
    std::set<unsigned> programs;
    for (unsigned number : answer.plan->kernels) {
      EXPECT_EQ(getBits(kernels[number].inputs) & ~memory, 0u);
      memory |= getBits(kernels[number].outputs);
      computed |= getBits(kernels[number].units);
      programs.insert(programOf[number]);
    }
    EXPECT_EQ(getBits(results) & ~memory, 0u);
    mixed += programs.size() > 1;
    avoided += llvm::popcount(computed) < int(numClasses);
    KernelOrchestration::Options relaxed;
    relaxed.nodes = 0;
    EXPECT_LE(orchestration.find(prices, relaxed).bound, least + 1e-6);
  }
  EXPECT_GE(withPlan, 300u);
  EXPECT_GE(mixed, 50u);
  EXPECT_GE(avoided, 200u);
  EXPECT_GT(loops, 0u);
}

//===----------------------------------------------------------------------===//
// What is composed
//===----------------------------------------------------------------------===//

/// Two results of one product: (x u) v and (x u) w. Each may be x (u v) in its
/// place.
MuGraph makeTwoChains(bool first, bool second) {
  ProgramBuilder b;
  MuValue x = b.input({4096, 4096}), u = b.input({4096, 4096}),
          v = b.input({4096, 64}), w = b.input({4096, 64});
  MuValue shared = b.matmul(x, u);
  auto multiply = [&](MuValue last, bool isOther) {
    return isOther ? b.matmul(x, b.matmul(u, last)) : b.matmul(shared, last);
  };
  return eraseDeadNodes(
      b.finish({b.silu(multiply(v, first)), b.square(multiply(w, second))}));
}

KernelGraphOptions getOptions() {
  KernelGraphOptions options;
  options.search.target = *getTargetPreset("sm_90a");
  options.search.limits.blockOperators = 5;
  options.search.gridDims = 2;
  options.search.kernels = 1;
  options.search.threads = 1;
  options.effort = 20'000;
  options.kernelOperators = 8;
  return options;
}

/// Neither place pays without the other one, since the product is computed for
/// what still reads it. A choice that is made for one place after another takes
/// none; the binary program takes both, from two alternatives.
TEST(Alternatives, CoupledPlaces) {
  MuGraph program = makeTwoChains(false, false);
  std::vector<AlternativeProgram> others;
  others.push_back({makeTwoChains(true, false), 0});
  others.push_back({makeTwoChains(false, true), 0});
  KernelGraphOptions options = getOptions();
  auto estimate = [&](const MuGraph &graph) {
    return estimateProgram(graph, options.search.target).microseconds;
  };
  double plain = estimate(program);
  for (const AlternativeProgram &other : others)
    EXPECT_GT(estimate(other.graph), plain);
  KernelGraphResult without = composeKernelGraph(program, plain, options);
  EXPECT_EQ(without.alternatives, 0u);
  KernelGraphControl control;
  control.alternatives = others;
  KernelGraphResult result =
      composeKernelGraph(program, plain, options, control);
  EXPECT_EQ(result.alternatives, 2u);
  EXPECT_TRUE(result.rejected.empty());
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(result.usedAlternatives, llvm::SmallVector<unsigned>({0, 1}));
  EXPECT_EQ(result.best->verdict.equivalence, Equivalence::Proved);
  double alone = without.best ? without.best->microseconds : plain;
  EXPECT_LT(result.best->microseconds, alone * 0.7);
  EXPECT_LE(result.bound, result.best->microseconds);
  EXPECT_DOUBLE_EQ(result.best->microseconds, estimate(result.best->graph));
  // Nothing computes all of the product.
  for (unsigned number : result.best->graph.getRegion().nodes)
    for (MuValue value : result.best->graph.getNode(number).results)
      EXPECT_EQ(result.best->graph.getShape(value).back(), 64);
}

/// An alternative that is slower changes nothing, and neither does one that is
/// wrong: none of its values is a result. With more results the program has
/// more units than a set of them holds without memory of its own.
void expectNothingOf(unsigned results) {
  auto make = [&](bool isSlow, bool isWrong) {
    ProgramBuilder b;
    MuValue x = b.input({64, 256}), y = b.input({64, 256});
    MuValue sum =
        isSlow ? b.add(b.mul(x, y), b.mul(x, x)) : b.mul(x, b.add(x, y));
    llvm::SmallVector<MuValue> all = {isWrong ? b.silu(x)
                                              : b.square(b.silu(sum))};
    for (unsigned i = 1; i < results; ++i)
      all.push_back(b.exp(b.input({64, 256})));
    return b.finish(all);
  };
  MuGraph program = make(false, false);
  KernelGraphOptions options = getOptions();
  double plain = estimateProgram(program, options.search.target).microseconds;
  std::vector<AlternativeProgram> others;
  others.push_back({make(true, false), 0});
  others.push_back({make(false, true), 0});
  KernelGraphControl control;
  KernelGraphResult own = composeKernelGraph(program, plain, options, control);
  ASSERT_TRUE(own.best.has_value());
  control.alternatives = others;
  KernelGraphResult result =
      composeKernelGraph(program, plain, options, control);
  ASSERT_TRUE(result.best.has_value());
  EXPECT_TRUE(result.rejected.empty());
  EXPECT_TRUE(result.usedAlternatives.empty());
  EXPECT_EQ(result.best->microseconds, own.best->microseconds);
}

TEST(Alternatives, SlowOrWrong) { expectNothingOf(1); }
TEST(Alternatives, ManyUnits) { expectNothingOf(56); }

//===----------------------------------------------------------------------===//
// Orders of tensors between kernels
//===----------------------------------------------------------------------===//

/// Two products of f16 and what follows on each. The second one reads the
/// result of the first by its columns, of which there are few.
MuGraph makeFewColumns() {
  MuGraph program;
  auto input = [&](int64_t rows, int64_t columns) {
    return program.addArgument(0, {rows, columns}, ElementType::f16);
  };
  auto multiply = [&](MuValue lhs, MuValue rhs, bool transposeLhs) {
    OpAttributes attributes;
    attributes.transposeLhs = transposeLhs;
    MuValue product = program.addOperator(0, OpKind::Matmul, attributes,
                                          {lhs, rhs}, ElementType::f16);
    return program.addOperator(0, OpKind::Silu, {}, product, ElementType::f16);
  };
  MuValue x = input(4096, 4096), u = input(4096, 2), w = input(4096, 4096);
  program.setResults(0, multiply(multiply(x, u, false), w, true));
  return program;
}

/// What one kernel writes otherwise the other one reads so. That is chosen for
/// both, and what both take then is less than any two that keep the order.
TEST(StoredOrders, FewColumns) {
  MuGraph program = makeFewColumns();
  KernelGraphOptions options = getOptions();
  options.effort = KernelGraphOptions::kDefaultEffort;
  double plain = estimateProgram(program, options.search.target).microseconds;
  KernelGraphResult result = composeKernelGraph(program, plain, options);
  EXPECT_EQ(result.orders, 1u);
  EXPECT_EQ(result.ordersLeftOut, 0u);
  options.orders = 0;
  KernelGraphResult without = composeKernelGraph(program, plain, options);
  EXPECT_EQ(without.orders, 0u);
  EXPECT_EQ(without.ordersLeftOut, 1u);
  EXPECT_EQ(without.usedOrders, 0u);
  EXPECT_EQ(result.usedOrders, 1u);
  EXPECT_TRUE(result.rejected.empty());
  ASSERT_TRUE(result.best.has_value());
  EXPECT_EQ(result.best->verdict.equivalence, Equivalence::Proved);
  EXPECT_EQ(result.best->kernels, 2u);
  // The tensor between the two launches has rows of 4,096.
  const MuGraph &graph = result.best->graph;
  bool isStoredOtherwise = false, isStored = false;
  for (unsigned number : graph.getRegion().nodes)
    for (MuValue value : graph.getNode(number).results) {
      isStoredOtherwise |= graph.getShape(value) == ShapeRef({2, 4096}) &&
                           value != graph.getRegion().results[0];
      isStored |= graph.getShape(value) == ShapeRef({4096, 2});
    }
  EXPECT_TRUE(isStoredOtherwise);
  EXPECT_FALSE(isStored);
  // Pieces of the program itself that keep the order take longer.
  double kept = 0;
  for (uint64_t half : {0b0011, 0b1100}) {
    double least = std::numeric_limits<double>::infinity();
    for (const PieceOutcome &piece : result.pieces)
      if (!piece.isOfAlternative && getBits(piece.units) == half)
        least = std::min({least, piece.microseconds, piece.plain});
    kept += least;
  }
  EXPECT_LT(result.best->microseconds, kept);
}

} // namespace
