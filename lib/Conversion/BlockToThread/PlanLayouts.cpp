//===- PlanLayouts.cpp - Layouts of a launch's tiles ----------------------===//
//
// Plans the layouts of a scheduled launch, and leaves out of the plan what the
// lowering cannot do.
//
//===----------------------------------------------------------------------===//

#include "PlanLayouts.h"
#include "LayoutPlanner.h"
#include "Mirage/Support/PassSupport.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace mirage;

/// Returns true if the lowering can make a kernel of a launch. Where tiles lie
/// otherwise in it, as many blocks must have room as have without the plan, and
/// the copy engine must bring what it brought.
static bool canBeBuilt(kernel::LaunchOp launch, const LaunchSchedule &schedule,
                       const KernelShape &before, bool movesTiles) {
  ScopedDiagnosticHandler silence(launch.getContext(), [](Diagnostic &) {});
  OwningOpRef<kernel::LaunchOp> copy(launch.clone());
  if (failed(prepareForSchedule(*copy, schedule)))
    return false;
  TrialKernel kernel = buildTrialKernel(*copy, schedule, lookupTarget(launch));
  FailureOr<TargetDescription> target = findTarget(launch, "");
  if (!kernel.shape || failed(target))
    return false;
  if (!movesTiles)
    return true;
  auto countBulk = [](const KernelShape &shape) {
    return llvm::count_if(shape.copyWays, [](const auto &entry) {
      return entry.second == CopyWay::Bulk;
    });
  };
  int64_t blocks = 1;
  for (int64_t extent : launch.getGrid())
    blocks *= extent;
  // So many blocks a multiprocessor gets at a time, at most.
  blocks = llvm::divideCeil(blocks * schedule.clusterBlocks,
                            target->multiprocessors);
  auto count = [&](int64_t bytes) {
    return std::min(blocks,
                    target->sharedMemoryPerSM / std::max<int64_t>(1, bytes));
  };
  int64_t bytes = kernel.shape->sharedMemoryBytes;
  bool hasRoom = bytes <= before.sharedMemoryBytes ||
                 (bytes <= target->sharedMemoryPerBlock &&
                  count(bytes) == count(before.sharedMemoryBytes));
  return hasRoom && countBulk(*kernel.shape) == countBulk(before);
}

LayoutPlan mirage::planLayouts(kernel::LaunchOp launch,
                               const LaunchSchedule &schedule) {
  TrialKernel kernel;
  {
    ScopedDiagnosticHandler silence(launch.getContext(), [](Diagnostic &) {});
    kernel = buildTrialKernel(launch, schedule, lookupTarget(launch));
  }
  // Errors are those of the lowering.
  if (!kernel.shape)
    return {};
  SmallVector<MemoryTile, 0> tiles = findMemoryTiles(launch, schedule, kernel);
  LayoutPlan plan;
  // If the cheapest layouts have no room, the second attempt gives tiles no
  // more room than the rule does, and the third one keeps the rule.
  enum { Free, Small, Ruled };
  for (int attempt : {Free, Small, Ruled}) {
    LayoutPlanner planner(launch, schedule, tiles);
    LayoutPlan found = planner.run();
    if (attempt == Free)
      plan = found;
    else
      plan.take(found);
    if (!found.saves() ||
        canBeBuilt(launch, schedule, *kernel.shape, found.movedTiles > 0))
      break;
    planner.undo();
    if (found.movedTiles == 0) {
      plan.isRefused = true;
      break;
    }
    plan.lacksRoom = true;
    for (MemoryTile &tile : tiles)
      attempt == Free ? tile.keepSmall() : tile.keepFirst();
  }
  return plan;
}
