//===- ExecutionStates.cpp - What of a program has run --------------------===//
//
// Execution states grow unit by unit from the empty one. Kernels are
// differences of two of them, with each set of units that they may write.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/ExecutionStates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage;
using namespace mirage::search;

std::optional<std::vector<UnitSet>>
mirage::search::enumerateExecutionStates(const ProgramUnits &program,
                                         uint64_t limit) {
  // The search is breadth first, so that smaller states come first.
  llvm::SetVector<UnitSet, std::vector<UnitSet>> found;
  found.insert(UnitSet(program.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    if (found.size() > limit)
      return std::nullopt;
    UnitSet state = found[i];
    for (unsigned unit = 0; unit < program.size(); ++unit) {
      if (state[unit] || !program.getOperands(unit).subsetOf(state))
        continue;
      UnitSet larger = state;
      larger.set(unit);
      found.insert(std::move(larger));
    }
  }
  return found.takeVector();
}

std::vector<UnitSet>
mirage::search::enumerateOutputs(const ProgramUnits &program,
                                 const UnitSet &units, const UnitSet &others,
                                 unsigned limit, uint64_t &tooMany) {
  UnitSet last = units;
  for (unsigned unit : units.set_bits())
    last.reset(program.getOperands(unit));
  UnitSet free = others;
  free.reset(last);
  unsigned count = free.count();
  // The number of all sets is that of all subsets of the free units.
  uint64_t all =
      count < 64 ? uint64_t(1) << count : std::numeric_limits<uint64_t>::max();
  std::vector<UnitSet> outputs;
  if (last.count() <= limit)
    outputs.push_back(std::move(last));
  // Each set grows by units behind its last one of the free units, so that it
  // is made once.
  std::vector<int> lastOf(outputs.size(), -1);
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].count() == limit)
      continue;
    for (int unit = free.find_next(lastOf[i]); unit >= 0;
         unit = free.find_next(unit)) {
      UnitSet more = outputs[i];
      more.set(unit);
      outputs.push_back(std::move(more));
      lastOf.push_back(unit);
    }
  }
  tooMany += all - outputs.size();
  return outputs;
}

std::optional<KernelSpace>
mirage::search::enumerateKernels(const ProgramUnits &program,
                                 const KernelLimits &limits) {
  std::optional<std::vector<UnitSet>> states =
      enumerateExecutionStates(program, limits.states);
  if (!states)
    return std::nullopt;
  KernelSpace space;
  space.states = states->size();
  llvm::SetVector<UnitSet, std::vector<UnitSet>> sets;
  for (const UnitSet &before : *states)
    for (const UnitSet &after : *states) {
      if (!before.subsetOf(after) || before == after)
        continue;
      UnitSet units = after;
      units.reset(before);
      sets.insert(std::move(units));
    }
  std::vector<UnitSet> convex = sets.takeVector();
  space.convexSets = convex.size();
  // Sets of equally many units stay in the order in which they were found.
  std::vector<std::vector<UnitSet>> bySize(program.size() + 1);
  for (UnitSet &units : convex) {
    if (program.countWork(units) > limits.units)
      ++space.tooLarge;
    else if (!program.isConnected(units))
      ++space.apart;
    else
      bySize[units.count()].push_back(std::move(units));
  }
  for (const std::vector<UnitSet> &ofSize : bySize)
    for (const UnitSet &units : ofSize)
      for (UnitSet &outputs : enumerateOutputs(
               program, units, units, limits.outputs, space.tooManyOutputs)) {
        if (space.kernels.size() < limits.kernels)
          space.kernels.push_back(KernelOrchestration::makeKernel(
              program, units, std::move(outputs)));
        else
          ++space.beyondLimit;
      }
  return space;
}
