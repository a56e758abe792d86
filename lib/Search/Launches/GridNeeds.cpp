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

GridNeeds::GridNeeds(const SearchProblem &problem)
    : problem(problem), inputs(problem.getInputs().size()) {
  ExpressionContext context;
  AbstractEvaluator evaluator(context);
  AxisBinding binding(context);
  llvm::DenseMap<unsigned, size_t> numbers;
  for (size_t input = 0; input < inputs.size(); ++input)
    numbers[problem.getInput(input, binding).expression->number] = input;
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
    AxisSet free = binding.getFreeAxes(expression);
    uses.bound |= binding.getFreeAxes(unbound) - free;
    uses.free |= free;
  }
}

bool GridNeeds::areMet(const LaunchGraph &launch) const {
  // The axes of each input that loads have divided, and those that they have
  // whole.
  std::vector<Uses> loaded(inputs.size());
  for (const LoadChoice &load : launch.loads)
    for (DimId dim : load.dims)
      for (const AxisPart &part : problem.getParts(dim)) {
        Uses &uses = loaded[load.tensor];
        (part.removed.contains(kGrid) ? uses.free : uses.bound)
            .insert(part.axis);
      }
  AxisSet grid;
  for (uint8_t axis : launch.gridAxes)
    grid.insert(axis);
  return llvm::all_of(llvm::zip_equal(inputs, loaded), [&](auto pair) {
    auto [needed, has] = pair;
    return (needed.free & grid).isSubsetOf(has.free) &&
           (needed.bound & grid).isSubsetOf(has.bound);
  });
}
