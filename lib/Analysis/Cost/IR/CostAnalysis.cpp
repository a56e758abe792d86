//===- CostAnalysis.cpp - Estimated time of a function --------------------===//
//
// Asks the plan of buffers which operators need no kernel.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/DeviceBuffers.h"

using namespace mlir;
using namespace mirage;

/// Returns the nodes that need no kernel; nothing where there is no plan of the
/// function's buffers, because it holds values that are no tensors.
std::optional<PlacedNodes> CostAnalysis::findPlaced(CostModel model) const {
  func::FuncOp own = function;
  Block &body = own.getBody().front();
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (!llvm::all_of(body, [&](Operation &op) {
        return llvm::all_of(op.getResultTypes(), isTensor);
      }))
    return std::nullopt;
  // The general lowering executes launches that have no schedule.
  DeviceBuffers plan(own, model == CostModel::General
                              ? ScheduledLaunches::WithAttribute
                              : ScheduledLaunches::All);
  PlacedNodes placed;
  for (unsigned number : imported->graph.getRegion().nodes)
    if (plan.isInPlace(
            imported->operations[imported->graph.getNode(number).location]))
      placed.insert(number);
  return placed;
}

ProgramCost CostAnalysis::estimate(const TargetDescription &target,
                                   CostModel model) const {
  std::optional<PlacedNodes> placed = findPlaced(model);
  return estimateProgram(imported->graph, target, model,
                         placed ? &*placed : nullptr);
}
