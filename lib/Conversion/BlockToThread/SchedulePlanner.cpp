//===- SchedulePlanner.cpp - How launches are executed --------------------===//
//
// Tries a launch with loops of several sizes, and takes the first for which
// there is a schedule.
//
//===----------------------------------------------------------------------===//

#include "SchedulePlanner.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/TensorParts.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Support/PassSupport.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace mirage;
using llvm::formatv;

LogicalResult
mirage::checkScheduleOptions(Location loc, StringRef pass,
                             const SchedulePlannerOptions &options) {
  return checkOptions(
      loc, pass,
      {{options.warps >= 1 && options.warps <= 32, "warps", "between 1 and 32"},
       {options.columns >= 32, "columns", "at least 32"},
       {options.clusterBlocks >= 0 && options.clusterBlocks <= 8,
        "cluster-blocks", "between 0 and 8"}});
}

LogicalResult
SchedulePlanner::chooseClusters(ModuleOp module,
                                ArrayRef<kernel::LaunchOp> launches) {
  costs.clear();
  for (auto function : module.getOps<func::FuncOp>()) {
    auto isInside = [&](kernel::LaunchOp launch) {
      return launch->getParentOp() == function;
    };
    if (llvm::none_of(launches, isInside))
      continue;
    FailureOr<TargetDescription> target = findTarget(function, "");
    if (failed(target))
      return failure();
    CostAnalysis analysis(function);
    if (!analysis.isValid())
      return failure();
    for (ProgramCost::Kernel &kernel : analysis.estimate(*target).kernels)
      costs.try_emplace(analysis.getOperation(kernel), std::move(kernel));
  }
  return success();
}

/// Returns the number of blocks, up to what the model asks for, that can share
/// the iterations of the launch's loops.
static int64_t limitCluster(kernel::LaunchOp launch, int64_t blocks) {
  LaunchShape shape = describeLaunch(launch);
  if (shape.loops == 0 || shape.innerLoops || shape.joinsTiles)
    return 1;
  return std::gcd(shape.commonTrips, blocks);
}

std::string SchedulePlanner::explainCluster(const TargetDescription &target,
                                            int64_t wanted,
                                            int64_t blocks) const {
  if (!target.clusterPerClock)
    return formatv("{0} has no clusters", target.chip);
  if (options.clusterBlocks > 0)
    return "an option says so";
  if (blocks > 1)
    return "the grid leaves multiprocessors idle, and the cost model finds it "
           "fastest that so many blocks share the iterations of loops";
  return wanted > 1 ? "blocks cannot share the iterations of this launch"
                    : "the cost model finds it fastest without a cluster";
}

FailureOr<LaunchPlan> SchedulePlanner::plan(kernel::LaunchOp launch) const {
  FailureOr<TargetDescription> target = findTarget(launch, "");
  if (failed(target))
    return failure();
  // Warps with roles, clusters and blocks that stay have one code for all
  // blocks, and what a product does beside multiplying depends on the order of
  // its operands.
  bool hasOrders = findOperandInOrders(launch).has_value();
  int64_t cluster =
      target->clusterPerClock && !hasOrders ? options.clusterBlocks : 1;
  bool mayUseLoader = options.loader && !hasOrders;
  const ProgramCost::Kernel *cost = getCost(launch);
  if (cluster == 0)
    cluster = cost ? std::max<int64_t>(1, cost->cost.clusterBlocks) : 1;
  LaunchPlan plan{{}, {}, {}, {}, {}, launch->getName(), launch->getLoc()};
  // Blocks of a cluster share iterations, so a loop stays one for them. A
  // loop that has become one iteration may need too much memory.
  struct Attempt {
    int64_t cluster, mostBytes;
    /// Iterations make twice as many columns, while a warp loads the next.
    bool isWide;
  };
  SmallVector<Attempt> attempts;
  auto add = [&](int64_t blocks, int64_t mostBytes) {
    if (options.wgmma && mayUseLoader && hasWgmma(target->chip))
      attempts.push_back({blocks, mostBytes, true});
    attempts.push_back({blocks, mostBytes, false});
  };
  if (cluster > 1)
    add(cluster, 0);
  add(1, target->sharedMemoryPerBlock / 2);
  add(1, 0);
  for (auto [blocks, mostBytes, isWide] : attempts) {
    auto merged = cast<kernel::LaunchOp>(launch->clone());
    plan.launch = merged;
    orientProducts(merged);
    if (options.indexMasks)
      moveMasksBeforeScales(merged);
    joinRows(merged);
    mergeLoops(merged, mostBytes);
    // Operands of f32 have twice the bytes of others.
    int64_t columns = options.columns / (hasWideProduct(merged) ? 2 : 1);
    resizeLoops(merged, isWide ? 2 * columns : columns, isWide, blocks);
    prepareProducts(merged);
    if (auto obstacle = findScheduleObstacle(merged)) {
      // Loops in loops may be merged in another attempt.
      if (isWide || (mostBytes == 0 && blocks > 1))
        continue;
      plan.obstacle = std::move(obstacle->second);
      plan.obstacleName = obstacle->first->getName();
      plan.obstacleLocation = obstacle->first->getLoc();
      return plan;
    }
    int64_t sharing = limitCluster(merged, blocks);
    // Fragments of mma.sync may lie where wgmma's operands have no room.
    for (bool mayUseWgmma : {true, false})
      if (!plan.schedule && (mayUseWgmma ? options.wgmma : !isWide)) {
        plan.reasons = {};
        plan.schedule =
            ScheduleChooser(merged, *target,
                            {options.warps, sharing, mayUseWgmma, mayUseLoader,
                             options.prepare, options.bulkCopies,
                             options.indexMasks && !hasOrders,
                             options.persistent, options.defer,
                             options.productSums && !hasOrders,
                             options.keepTiles && !hasOrders, isWide,
                             cost && cost->cost.keepsTiles},
                            plan.reasons)
                .choose();
      }
    if (!plan.schedule || (isWide && plan.schedule->loaderWarps == 0)) {
      plan.schedule.reset();
      continue;
    }
    plan.reasons.cluster =
        hasOrders ? "parts of an operand lie in two orders, for each of which "
                    "there is code"
                  : explainCluster(*target, cluster, sharing);
    if (options.layouts)
      plan.layouts = planLayouts(*plan.launch, *plan.schedule);
    return plan;
  }
  plan.obstacle = "needs more shared memory than a block has";
  return plan;
}
