//===- ScheduleLaunches.cpp - The pass that schedules launches ------------===//
//
// Notes in the attribute mirage.schedule how each launch is executed; see
// Passes.td.
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/ProgressLine.h"
#include "SchedulePlanner.h"
#include "ScheduledLaunch.h"
#include "TrialKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace mirage {
#define GEN_PASS_DEF_SCHEDULELAUNCHES
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
struct ScheduleLaunches
    : public mirage::impl::ScheduleLaunchesBase<ScheduleLaunches> {
  using ScheduleLaunchesBase::ScheduleLaunchesBase;

  void runOnOperation() override {
    SchedulePlannerOptions options{
        warps,       columns,    clusterBlocks, wgmma,      loader,
        prepare,     bulkCopies, indexMasks,    persistent, defer,
        productSums, keepTiles,  layouts};
    if (failed(checkScheduleOptions(getOperation().getLoc(), getArgument(),
                                    options)))
      return signalPassFailure();
    SmallVector<kernel::LaunchOp> launches, scheduled;
    getOperation().walk([&](kernel::LaunchOp launch) {
      bool hasSchedule = launch->hasAttr(MirageDialect::getScheduleAttrName());
      (hasSchedule ? scheduled : launches).push_back(launch);
    });
    // What cannot be lowered has no price either.
    llvm::SetVector<func::FuncOp> functions;
    for (kernel::LaunchOp launch : launches)
      if (auto function = launch->getParentOfType<func::FuncOp>())
        functions.insert(function);
    for (func::FuncOp function : functions)
      if (failed(checkKernelFunction(function)))
        return signalPassFailure();
    for (kernel::LaunchOp launch : scheduled)
      if (each && failed(writeEach(launch)))
        return signalPassFailure();
    SchedulePlanner planner(options);
    if (clusterBlocks == 0 &&
        failed(planner.chooseClusters(getOperation(), launches)))
      return signalPassFailure();
    StageProgress progress("launches scheduled", launches.size());
    for (kernel::LaunchOp launch : launches) {
      progress.next();
      FailureOr<LaunchPlan> plan = planner.plan(launch);
      if (failed(plan))
        return signalPassFailure();
      if (!plan->schedule) {
        remark(*plan);
        continue;
      }
      remarkLayouts(launch, plan->layouts);
      if (each && failed(writeWays(*plan->launch, *plan->schedule)))
        return signalPassFailure();
      apply(launch, *plan);
    }
  }

private:
  /// Says at each load and product of a launch with a schedule what the
  /// lowering does with it.
  static LogicalResult writeEach(kernel::LaunchOp launch) {
    LaunchSchedule schedule = readSchedule(launch->getAttrOfType<ScheduleAttr>(
        MirageDialect::getScheduleAttrName()));
    if (failed(prepareForSchedule(launch, schedule)))
      return failure();
    return writeWays(launch, schedule);
  }

  static void apply(kernel::LaunchOp launch, LaunchPlan &plan) {
    const LaunchSchedule &schedule = *plan.schedule;
    launch->setAttr(
        MirageDialect::getScheduleAttrName(),
        ScheduleAttr::get(
            launch.getContext(), schedule.rowWarps, schedule.columnWarps,
            schedule.loopGroups, schedule.stages, schedule.clusterBlocks,
            schedule.usesWgmma, schedule.loaderWarps, schedule.loaderPrepares,
            schedule.bulkCopies, schedule.indexMasks, schedule.persistentBlocks,
            schedule.workerRegisters, schedule.defersProducts,
            schedule.sumsByProducts, schedule.keepsTiles));
    launch.getBody().takeBody(plan.launch->getBody());
  }

  /// Says where the layouts that an integer program found are not what is
  /// taken, or not known to be the best.
  static void remarkLayouts(kernel::LaunchOp launch, const LayoutPlan &plan) {
    auto remark = [&](const std::string &text) {
      remark::missed(
          launch.getLoc(),
          remark::RemarkOpts::name("layouts").category("mirage-schedule"))
          << text;
    };
    if (plan.isRefused)
      remark(llvm::formatv("The layouts that take {0:f0} clocks of a block "
                           "instead of {1:f0} cannot be lowered: some of the "
                           "{2} operators become parts of others.",
                           plan.clocks, plan.byDefault, plan.operators));
    if (plan.lacksRoom)
      remark(
          llvm::formatv("Of {0} tiles in shared memory that may lie in several "
                        "ways, {1} lie otherwise than by rule: fewer blocks "
                        "would have room if all lay as they would best.",
                        plan.freeTiles, plan.movedTiles));
    if (!plan.isOptimal())
      remark(llvm::formatv("The layouts of {0} operators take {1:f0} clocks of "
                           "a block and would take {2:f0} at least: the "
                           "integer program did not end within its limit.",
                           plan.operators, plan.clocks, plan.bound));
  }

  static void remark(const LaunchPlan &plan) {
    remark::missed(plan.obstacleLocation,
                   remark::RemarkOpts::name("general-lowering")
                       .category("mirage-schedule"))
        << ("The launch goes by way of the general lowering: '" +
            plan.obstacleName.getStringRef() + "' " + plan.obstacle + ".")
               .str();
  }
};
} // namespace
