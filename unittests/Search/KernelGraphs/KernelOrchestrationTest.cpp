//===- KernelOrchestrationTest.cpp - The cheapest kernels -----------------===//
//
// Plans are held against all orders in which kernels of small random programs
// can run; without units that are computed again, against the cheapest cover.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelOrchestration.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/Search/KernelGraphs/ExecutionStates.h"
#include "RandomPrograms.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <queue>

using namespace mirage;
using namespace mirage::search;
using Kernel = KernelOrchestration::Kernel;
using Price = KernelOrchestration::Price;

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

uint64_t getBits(const UnitSet &set) {
  uint64_t bits = 0;
  for (unsigned unit : set.set_bits())
    bits |= uint64_t(1) << unit;
  return bits;
}

/// The least cost of kernels that run one after another, by Dijkstra's
/// algorithm over what is in device memory and how many kernels have run.
double getLeastCost(const ProgramUnits &units, llvm::ArrayRef<Kernel> kernels,
                    llvm::ArrayRef<Price> prices, unsigned maxKernels) {
  struct Bits {
    uint64_t inputs, outputs;
  };
  std::vector<Bits> bits;
  for (const Kernel &kernel : kernels)
    bits.push_back({getBits(kernel.inputs), getBits(kernel.outputs)});
  using Place = std::pair<uint64_t, unsigned>;
  std::map<Place, double> costs = {{{0, 0}, 0}};
  std::priority_queue<std::pair<double, Place>> queue;
  queue.push({0, {0, 0}});
  uint64_t goal = getBits(units.getResults());
  while (!queue.empty()) {
    auto [negative, place] = queue.top();
    queue.pop();
    auto [memory, count] = place;
    if (-negative > costs[place])
      continue;
    if ((goal & ~memory) == 0)
      return -negative;
    for (unsigned number = 0; number < kernels.size(); ++number) {
      const auto &[inputs, outputs] = bits[number];
      if ((inputs & ~memory) || (outputs & ~memory) == 0 ||
          std::isinf(prices[number].cost))
        continue;
      // How many have run matters only where it is limited.
      bool isLimited = maxKernels != std::numeric_limits<unsigned>::max();
      unsigned next = isLimited ? count + prices[number].kernels : 0;
      if (next > maxKernels)
        continue;
      Place to = {memory | outputs, next};
      double cost = prices[number].cost - negative;
      auto [known, isNew] = costs.insert({to, cost});
      if (isNew || cost < known->second) {
        known->second = cost;
        queue.push({-cost, to});
      }
    }
  }
  return kInfinity;
}

/// Checks that the kernels of a plan can run in their order, compute all
/// results and cost what the plan says. Returns how many units are computed
/// again.
unsigned checkPlan(const ProgramUnits &units, llvm::ArrayRef<Kernel> kernels,
                   llvm::ArrayRef<Price> prices,
                   const KernelOrchestration::Plan &plan) {
  uint64_t memory = 0, computed = 0;
  unsigned again = 0, launches = 0;
  double cost = 0;
  for (unsigned number : plan.kernels) {
    const Kernel &kernel = kernels[number];
    EXPECT_EQ(getBits(kernel.inputs) & ~memory, 0u);
    again += llvm::popcount(computed & getBits(kernel.units));
    computed |= getBits(kernel.units);
    memory |= getBits(kernel.outputs);
    cost += prices[number].cost;
    launches += prices[number].kernels;
  }
  EXPECT_EQ(getBits(units.getResults()) & ~memory, 0u);
  EXPECT_DOUBLE_EQ(cost, plan.cost);
  EXPECT_EQ(launches, plan.launches);
  return again;
}

/// The plan costs no more than any order in which kernels with any outputs can
/// run.
TEST(KernelOrchestration, CheapestOfAllOrders) {
  std::mt19937_64 random(1);
  unsigned withPlan = 0, loops = 0, computingAgain = 0;
  for (unsigned trial = 0; trial < 500; ++trial) {
    MuGraph program = makeRandomProgram(random, 4 + draw(random, 4));
    ProgramUnits units(program);
    KernelLimits limits;
    limits.outputs = 1 + draw(random, 3);
    std::vector<Kernel> kernels;
    std::vector<Price> prices;
    // Kernels of few units are often missing, so that others are needed that
    // compute them again.
    std::optional<KernelSpace> space = enumerateKernels(units, limits);
    ASSERT_TRUE(space.has_value());
    for (Kernel &kernel : space->kernels) {
      if (draw(random, 3) == 0)
        continue;
      double most = 4 * kernel.inputs.count() + 4 * kernel.outputs.count() +
                    2 * kernel.units.count();
      prices.push_back(
          {draw(random, 9)
               ? (1 + draw(random, 8 * static_cast<unsigned>(most))) / 8.0
               : kInfinity,
           1 + draw(random, 2)});
      kernels.push_back(std::move(kernel));
    }
    KernelOrchestration::Options options;
    if (draw(random, 2))
      options.maxKernels = 1 + draw(random, 6);
    double least = getLeastCost(units, kernels, prices, options.maxKernels);
    KernelOrchestration orchestration(units, kernels);
    KernelOrchestration::Answer answer = orchestration.find(prices, options);
    EXPECT_TRUE(answer.isOptimal);
    EXPECT_EQ(answer.plan.has_value(), std::isfinite(least));
    loops += answer.loops;
    if (!answer.plan)
      continue;
    ++withPlan;
    EXPECT_DOUBLE_EQ(answer.plan->cost, least) << toString(program);
    EXPECT_EQ(answer.getGap(), 0);
    EXPECT_LE(answer.plan->launches, options.maxKernels);
    computingAgain += checkPlan(units, kernels, prices, *answer.plan) > 0;
    // The relaxation is a bound.
    KernelOrchestration::Options relaxed = options;
    relaxed.nodes = 0;
    KernelOrchestration::Answer bound = orchestration.find(prices, relaxed);
    EXPECT_FALSE(bound.plan.has_value());
    EXPECT_GT(bound.bound, 0);
    EXPECT_LE(bound.bound, least + 1e-6);
    // Nothing is cheaper, and what is a little dearer is not looked for.
    options.below = least;
    answer = orchestration.find(prices, options);
    EXPECT_FALSE(answer.plan.has_value());
    EXPECT_EQ(answer.bound, least);
    options.below = least + 0.125;
    answer = orchestration.find(prices, options);
    ASSERT_TRUE(answer.plan.has_value());
    EXPECT_DOUBLE_EQ(answer.plan->cost, least);
  }
  EXPECT_GE(withPlan, 250u);
  EXPECT_GE(computingAgain, 50u);
  EXPECT_GT(loops, 0u);
}

/// The plan costs what the cheapest cover does if each unit is computed once
/// and pieces write all that is read of them.
TEST(KernelOrchestration, CoversComputeNothingAgain) {
  std::mt19937_64 random(2);
  unsigned withPlan = 0, cheaper = 0;
  for (unsigned trial = 0; trial < 500; ++trial) {
    MuGraph program = eraseDeadNodes(makeRandomProgram(random, 7));
    ProgramUnits units(program);
    std::vector<UnitSet> pieces =
        units.enumeratePieces(UnitSet(units.size()), ProgramUnits::Limits());
    PieceCover::Prices prices;
    for (unsigned unit = 0; unit < units.size(); ++unit)
      prices.units.push_back(
          {draw(random, 4) ? 1 + draw(random, 16) / 8.0 : kInfinity,
           1 + draw(random, 2)});
    for (const UnitSet &piece : pieces)
      prices.pieces.push_back(
          {1 + draw(random, 8 * piece.count()) / 8.0, 1 + draw(random, 2)});
    std::vector<Kernel> kernels;
    std::vector<Price> all = prices.units;
    llvm::append_range(all, prices.pieces);
    auto addKernel = [&](const UnitSet &set) {
      kernels.push_back(
          KernelOrchestration::makeKernel(units, set, units.getBoundary(set)));
    };
    for (unsigned unit = 0; unit < units.size(); ++unit) {
      UnitSet alone(units.size());
      alone.set(unit);
      addKernel(alone);
    }
    for (const UnitSet &piece : pieces)
      addKernel(piece);
    KernelOrchestration::Options options;
    options.maxKernels = 1 + draw(random, 8);
    options.recomputes = false;
    KernelOrchestration orchestration(units, kernels);
    KernelOrchestration::Answer answer = orchestration.find(all, options);
    auto cover = PieceCover(units, pieces).find(prices, options.maxKernels);
    EXPECT_TRUE(answer.isOptimal);
    ASSERT_EQ(answer.plan.has_value(), cover.has_value());
    if (!cover)
      continue;
    ++withPlan;
    EXPECT_DOUBLE_EQ(answer.plan->cost, cover->cost) << toString(program);
    EXPECT_EQ(checkPlan(units, kernels, all, *answer.plan), 0u);
    // What may be computed again is no dearer.
    options.recomputes = true;
    answer = orchestration.find(all, options);
    ASSERT_TRUE(answer.plan.has_value());
    EXPECT_LE(answer.plan->cost, cover->cost);
    cheaper += answer.plan->cost < cover->cost;
  }
  EXPECT_GE(withPlan, 250u);
  EXPECT_GT(cheaper, 0u);
}

/// Two kernels that each need what the other one writes are no plan.
TEST(KernelOrchestration, Loop) {
  // a -> b and c -> d, with nothing between the two.
  ProgramBuilder b;
  MuValue x = b.input({8, 8}), y = b.input({8, 8});
  MuGraph program = b.finish({b.square(b.silu(x)), b.silu(b.square(y))});
  ProgramUnits units(program);
  std::vector<Kernel> kernels;
  auto add = [&](uint64_t set, uint64_t outputs) {
    kernels.push_back(KernelOrchestration::makeKernel(units, getSet(units, set),
                                                      getSet(units, outputs)));
  };
  add(0b1001, 0b1001);
  add(0b0110, 0b0110);
  for (unsigned unit = 0; unit < 4; ++unit)
    add(1 << unit, 1 << unit);
  std::vector<Price> prices(kernels.size(), {1, 1});
  KernelOrchestration orchestration(units, kernels);
  KernelOrchestration::Answer answer = orchestration.find(prices, {});
  ASSERT_TRUE(answer.plan.has_value());
  EXPECT_EQ(answer.plan->cost, 3);
  EXPECT_GT(answer.loops, 0u);
  checkPlan(units, kernels, prices, *answer.plan);
  // Nothing else can compute what the loop needs.
  for (unsigned kernel = 2; kernel < kernels.size(); ++kernel)
    prices[kernel].cost = kInfinity;
  answer = orchestration.find(prices, {});
  EXPECT_FALSE(answer.plan.has_value());
  EXPECT_TRUE(answer.isOptimal);
}

} // namespace
