//===- GridNeeds.cpp - How a grid may divide what a launch loads ----------===//
//
// Reads off the goals' symbols which of their axes are bound (AxisBinding.h).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/GridNeeds.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;

/// The axes that some result has twice, so that one of its dimensions can be
/// divided and the other not.
static uint32_t getRepeatedAxes(const SearchProblem &problem) {
  uint32_t repeated = 0;
  for (const TensorInfo &result : problem.getResults()) {
    uint32_t seen = 0;
    for (DimId dim : result.dims)
      for (const AxisPart &part : problem.getParts(dim)) {
        repeated |= seen & problem.getAxisMask(part.axis);
        seen |= problem.getAxisMask(part.axis);
      }
  }
  return repeated;
}

GridNeeds::GridNeeds(const SearchProblem &problem)
    : problem(problem), inputs(problem.getInputs().size()) {
  ExpressionContext context;
  AbstractEvaluator evaluator(context);
  AxisBinding binding(context);
  llvm::DenseMap<unsigned, size_t> numbers;
  for (size_t input = 0; input < inputs.size(); ++input)
    numbers[problem.getInput(input, binding).expression->number] = input;
  uint32_t repeated = getRepeatedAxes(problem);
  llvm::DenseSet<const Expression *> seen;
  llvm::SmallVector<const Expression *> rest(
      problem.getGoals(evaluator, binding));
  while (!rest.empty()) {
    const Expression *expression = rest.pop_back_val();
    if (!seen.insert(expression).second)
      continue;
    rest.append(expression->operands.begin(), expression->operands.end());
    const Expression *unbound = binding.getUnbound(expression);
    if (!unbound)
      continue;
    Uses &uses = inputs[numbers.at(unbound->number)];
    uint32_t free = binding.getFreeAxes(expression);
    uses.bound |= binding.getFreeAxes(unbound) & ~free;
    uses.free |= free & ~repeated;
  }
}

bool GridNeeds::areMet(const LaunchGraph &launch) const {
  return llvm::all_of(launch.gridAxes, [&](uint8_t axis) {
    std::vector<Uses> loaded(inputs.size());
    uint32_t bit = problem.getAxisMask(axis);
    for (const LoadChoice &load : launch.loads)
      for (DimId dim : load.dims)
        for (const AxisPart &part : problem.getParts(dim))
          if (part.axis == axis)
            (part.removed & kGrid ? loaded[load.tensor].free
                                  : loaded[load.tensor].bound) |= bit;
    return llvm::all_of(llvm::zip_equal(inputs, loaded), [&](auto pair) {
      auto [needed, has] = pair;
      return !(needed.free & bit & ~has.free) &&
             !(needed.bound & bit & ~has.bound);
    });
  });
}
