//===- SplitLaunches.cpp - The program itself in two launches -------------===//
//
// Lists the grids and the loop of the first launch, applies the operators of
// its part of the program to tiles, and then those of the second one to what
// the first one stores.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/SplitLaunches.h"
#include "LaunchStarts.h"
#include "ProgramPasses.h"

using namespace mirage;
using namespace mirage::search;
using Role = AbstractValue::Role;

namespace {

class SplitGenerator {
public:
  SplitGenerator(const SearchProblem &problem, ExpressionOracle &oracle,
                 llvm::ArrayRef<KernelTensor> tensors,
                 const GeneratorLimits &given, SplitLimits split,
                 GeneratorStatistics &statistics,
                 llvm::function_ref<bool()> isOver, SplitConsumer consumer)
      : problem(problem), oracle(oracle), tensors(tensors), limits(given),
        split(split), statistics(statistics), isOver(isOver),
        consumer(consumer), inputs(getReadInputs(problem)) {
    // As many tensors are stored as it takes.
    limits.outputs = std::numeric_limits<unsigned>::max();
    limits.compareResults = false;
  }

  void run() {
    for (bool wholeComposites : {true, false}) {
      steps = problem.getSteps(wholeComposites);
      for (unsigned number = 0; number < problem.getNumAxes(); ++number) {
        axis = number;
        if (problem.isSummed(axis) && problem.getAxisSize(axis) > 1 &&
            !problem.getPartAxes().contains(axis) &&
            !problem.getSeparateAxes().contains(axis))
          if (std::optional<SplitProgram> parts =
                  splitProgram(problem, steps, axis))
            generateFirsts(*parts);
      }
    }
  }

private:
  void generateFirsts(const SplitProgram &parts) {
    // Each stored value may have maxima that are stored, too. Tensors have
    // numbers of eight bits.
    if (tensors.size() + 2 * parts.stored.size() >
        std::numeric_limits<uint8_t>::max())
      return;
    llvm::SmallVector<std::optional<uint8_t>> loops = {std::nullopt};
    if (split.loops > 0)
      for (uint8_t loop : parts.firstReduced)
        if (problem.getAxisSize(loop) > 1 &&
            (loop != axis || !parts.storesTiles))
          loops.push_back(loop);
    BlockGenerator generator(problem, oracle, tensors, limits, statistics,
                             isOver);
    for (std::optional<uint8_t> loop : loops)
      forEachGrid(parts.firstGrid, split.gridDims - 1, [&](AxisSet grid) {
        grid.insert(axis);
        std::optional<LaunchGraph> start =
            makeStart(problem, inputs, grid, loop);
        if (!start)
          return;
        for (SumPlace sums : {SumPlace::InLoop, SumPlace::BehindLoop}) {
          ProgramPasses plan = planFirst(problem, steps, parts, loop, sums);
          generator.generateFirst(*start, plan, split.loops,
                                  [&](const LaunchGraph &first,
                                      llvm::ArrayRef<KernelTensor> stored) {
                                    generateSeconds(parts, first, stored);
                                  });
          if (!plan.sumsBesideProducts)
            break;
        }
      });
  }

  /// Calls back with the grids that divide as many of these axes as they can.
  /// Blocks may be one along an axis, so that these stand for the others.
  void forEachGrid(AxisSet axes, unsigned gridDims,
                   llvm::function_ref<void(AxisSet)> visit) {
    unsigned most = std::min(gridDims, axes.size());
    axes.forEachSubset(most, [&](AxisSet grid) {
      if (isOver && isOver())
        return false;
      if (grid.size() == most && problem.getSeparateAxes().isSubsetOf(grid))
        visit(grid);
      return true;
    });
  }

  /// Says of what the first launch stores what it is of the program.
  std::vector<StoredPart> describe(const SplitProgram &parts,
                                   llvm::ArrayRef<KernelTensor> stored) const {
    std::vector<StoredPart> described(stored.size());
    for (auto [place, tensor] : llvm::enumerate(stored)) {
      StoredPart &part = described[place];
      if (place < parts.stored.size())
        part.value = parts.stored[place];
      part.isSplit = llvm::any_of(tensor.info.dims, [&](DimId dim) {
        return problem.isSplitAxis(problem.getParts(dim).front().axis);
      });
      part.isMaximum = tensor.value.role == Role::Shift;
      if (tensor.shift && !part.isMaximum)
        part.maximum = tensor.shift.getTensor() - tensors.size();
    }
    return described;
  }

  void generateSeconds(const SplitProgram &parts, const LaunchGraph &first,
                       llvm::ArrayRef<KernelTensor> stored) {
    std::vector<KernelTensor> all = tensors.vec();
    llvm::append_range(all, stored);
    llvm::SmallVector<NumberedTensor> loaded;
    for (auto [number, tensor] : llvm::enumerate(all))
      loaded.push_back({static_cast<uint8_t>(number), tensor.info.dims});
    BlockGenerator generator(problem, oracle, all, limits, statistics, isOver);
    // A block that has several tiles along the axis merges parts once.
    for (bool hasLoop : {false, true}) {
      if (hasLoop && (split.loops == 0 || parts.storesTiles))
        return;
      std::optional<ProgramPasses> plan =
          planSecond(problem, steps, axis, describe(parts, stored), hasLoop);
      if (!plan || plan->numLoops != unsigned(hasLoop))
        return;
      forEachGrid(parts.secondGrid, split.gridDims, [&](AxisSet grid) {
        std::optional<LaunchGraph> start =
            makeStart(problem, loaded, grid,
                      hasLoop ? std::optional<uint8_t>(axis) : std::nullopt);
        if (start)
          generator.generateLast(*start, *plan, plan->numLoops,
                                 [&](const LaunchGraph &second, auto) {
                                   consumer(first, second, stored);
                                 });
      });
    }
  }

  const SearchProblem &problem;
  ExpressionOracle &oracle;
  llvm::ArrayRef<KernelTensor> tensors;
  GeneratorLimits limits;
  SplitLimits split;
  GeneratorStatistics &statistics;
  llvm::function_ref<bool()> isOver;
  SplitConsumer consumer;
  llvm::SmallVector<NumberedTensor> inputs;
  llvm::ArrayRef<ProgramStep> steps;
  /// The axis that the blocks of the first launch divide.
  uint8_t axis = 0;
};

} // namespace

void mirage::search::generateSplitLaunches(
    const SearchProblem &problem, ExpressionOracle &oracle,
    llvm::ArrayRef<KernelTensor> tensors, const GeneratorLimits &limits,
    SplitLimits split, GeneratorStatistics &statistics,
    llvm::function_ref<bool()> isOver, SplitConsumer consumer) {
  SplitGenerator(problem, oracle, tensors, limits, split, statistics, isOver,
                 consumer)
      .run();
}
