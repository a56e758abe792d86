//===- ExecutionStatesTest.cpp - What of a program has run ----------------===//
//
// Execution states and kernels are held against all subsets of the units of
// small random programs.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/ExecutionStates.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "RandomPrograms.h"
#include "gtest/gtest.h"
#include <set>

using namespace mirage;
using namespace mirage::search;

namespace {

uint64_t getBits(const UnitSet &set) {
  uint64_t bits = 0;
  for (unsigned unit : set.set_bits())
    bits |= uint64_t(1) << unit;
  return bits;
}

TEST(ExecutionStates, AllOfThem) {
  std::mt19937_64 random(1);
  for (unsigned trial = 0; trial < 100; ++trial) {
    MuGraph program = makeRandomProgram(random, 8);
    ProgramUnits units(program);
    std::set<uint64_t> expected, found;
    for (uint64_t bits = 0; bits < uint64_t(1) << units.size(); ++bits) {
      bool isState = true;
      for (unsigned unit = 0; unit < units.size(); ++unit)
        if (bits >> unit & 1)
          isState &= (getBits(units.getOperands(unit)) & ~bits) == 0;
      if (isState)
        expected.insert(bits);
    }
    auto states = enumerateExecutionStates(units, expected.size());
    ASSERT_TRUE(states.has_value());
    for (auto [number, state] : llvm::enumerate(*states)) {
      EXPECT_TRUE(found.insert(getBits(state)).second);
      if (number) {
        EXPECT_LE((*states)[number - 1].count(), state.count());
      }
    }
    EXPECT_EQ(found, expected);
    EXPECT_FALSE(
        enumerateExecutionStates(units, expected.size() - 1).has_value());
  }
}

/// Differences of states are the convex sets (Theorem 3), and kernels are these
/// with all outputs that they may have.
TEST(ExecutionStates, AllKernels) {
  std::mt19937_64 random(2);
  uint64_t complete = 0, tooMany = 0;
  for (unsigned trial = 0; trial < 60; ++trial) {
    MuGraph program = makeRandomProgram(random, 7);
    ProgramUnits units(program);
    KernelLimits limits;
    limits.units = trial % 3 ? 12 : 4;
    limits.outputs = 1 + draw(random, 8);
    KernelSpace counted;
    std::set<std::pair<uint64_t, uint64_t>> expected, found;
    for (uint64_t bits = 1; bits < uint64_t(1) << units.size(); ++bits) {
      UnitSet set = getSet(units, bits);
      if (!isConvex(units, set))
        continue;
      ++counted.convexSets;
      if (set.count() > limits.units) {
        ++counted.tooLarge;
        continue;
      }
      if (!isConnected(units, set)) {
        ++counted.apart;
        continue;
      }
      for (uint64_t outputs = 1; outputs <= bits; ++outputs) {
        // Without a unit that is neither written nor read the kernel computes
        // the same.
        uint64_t used = outputs;
        for (unsigned unit : set.set_bits())
          used |= getBits(units.getOperands(unit));
        if ((outputs & ~bits) || (bits & ~used))
          continue;
        if (llvm::popcount(outputs) <= static_cast<int>(limits.outputs))
          expected.insert({bits, outputs});
        else
          ++counted.tooManyOutputs;
      }
    }
    std::optional<KernelSpace> space = enumerateKernels(units, limits);
    ASSERT_TRUE(space.has_value());
    for (const KernelOrchestration::Kernel &kernel : space->kernels) {
      EXPECT_TRUE(found.insert({getBits(kernel.units), getBits(kernel.outputs)})
                      .second);
      uint64_t read = 0;
      for (unsigned unit : kernel.units.set_bits())
        read |= getBits(units.getOperands(unit));
      EXPECT_EQ(getBits(kernel.inputs), read & ~getBits(kernel.units));
    }
    EXPECT_EQ(found, expected) << toString(program);
    EXPECT_EQ(space->convexSets, counted.convexSets);
    EXPECT_EQ(space->tooLarge, counted.tooLarge);
    EXPECT_EQ(space->apart, counted.apart);
    EXPECT_EQ(space->tooManyOutputs, counted.tooManyOutputs);
    EXPECT_EQ(space->beyondLimit, 0u);
    complete += space->isComplete();
    tooMany += space->tooManyOutputs;

    // Small kernels come first, and the others are counted.
    KernelLimits few = limits;
    few.kernels = space->kernels.size() / 2;
    std::optional<KernelSpace> half = enumerateKernels(units, few);
    EXPECT_EQ(half->kernels.size(), few.kernels);
    EXPECT_EQ(half->kernels.size() + half->beyondLimit, space->kernels.size());
    for (auto [a, b] : llvm::zip(half->kernels, space->kernels))
      EXPECT_TRUE(a.units == b.units && a.outputs == b.outputs);
    few.states = space->states - 1;
    EXPECT_FALSE(enumerateKernels(units, few).has_value());
  }
  EXPECT_GT(complete, 0u);
  EXPECT_GT(tooMany, 0u);
}

/// The pieces of a program, which grow unit by unit, are the sets of its
/// kernels.
TEST(ExecutionStates, KernelsArePieces) {
  std::mt19937_64 random(3);
  for (unsigned trial = 0; trial < 30; ++trial) {
    MuGraph program = makeRandomProgram(random, 10);
    ProgramUnits units(program);
    std::set<uint64_t> pieces, kernels;
    for (const UnitSet &piece :
         units.enumeratePieces(UnitSet(units.size()), ProgramUnits::Limits()))
      pieces.insert(getBits(piece));
    KernelLimits limits;
    limits.outputs = units.size();
    limits.kernels = std::numeric_limits<uint64_t>::max();
    std::optional<KernelSpace> space = enumerateKernels(units, limits);
    ASSERT_TRUE(space.has_value());
    for (const KernelOrchestration::Kernel &kernel : space->kernels)
      kernels.insert(getBits(kernel.units));
    EXPECT_EQ(pieces, kernels);
  }
}

} // namespace
