//===- PrintSchedule.cpp - The pass that explains schedules ---------------===//
//
// Plans each launch as mirage-schedule-launches does, and prints what was
// chosen and why; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/Passes.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "SchedulePlanner.h"
#include "ScheduledLaunch.h"
#include "TrialKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

namespace mirage {
#define GEN_PASS_DEF_PRINTSCHEDULE
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;
using llvm::formatv;

/// Prints a number of a schedule, and its reason where there is one.
static void printNumber(StringRef name, const Twine &value, StringRef reason) {
  llvm::outs() << "  " << name << " = " << value;
  if (!reason.empty())
    llvm::outs() << ": " << reason;
  llvm::outs() << "\n";
}

static void printSchedule(const LaunchSchedule &schedule,
                          const ScheduleReasons &why) {
  auto flag = [](bool value) { return value ? "true" : "false"; };
  printNumber("row_warps", Twine(schedule.rowWarps), why.warps);
  printNumber("column_warps", Twine(schedule.columnWarps), "");
  printNumber("wgmma", flag(schedule.usesWgmma), why.instruction);
  printNumber("loop_groups", Twine(schedule.loopGroups), why.groups);
  printNumber("stages", Twine(schedule.stages), why.stages);
  printNumber("cluster_blocks", Twine(schedule.clusterBlocks), why.cluster);
  printNumber("loader_warps", Twine(schedule.loaderWarps), why.loader);
  if (schedule.loaderWarps > 0) {
    printNumber("loader_prepares", flag(schedule.loaderPrepares), "");
    printNumber("bulk_copies", flag(schedule.bulkCopies), "");
  }
  if (schedule.persistentBlocks > 0)
    printNumber("persistent_blocks", Twine(schedule.persistentBlocks),
                why.persistent);
  if (schedule.workerRegisters > 0)
    printNumber("worker_registers", Twine(schedule.workerRegisters),
                "the warps that only load need few");
  if (schedule.defersProducts)
    printNumber("deferred_products", "true", why.deferral);
  if (schedule.sumsByProducts)
    printNumber("product_sums", "true", why.sums);
  if (schedule.keepsTiles)
    printNumber("kept_tiles", "true", why.kept);
  if (schedule.indexMasks)
    printNumber("index_masks", "true",
                "the elements of a mask follow from their indices");
}

/// Prints what the integer program of layouts found, where there is one.
static void printLayouts(const LayoutPlan &plan) {
  if (plan.isEmpty())
    return;
  llvm::outs() << formatv(
      "  layouts of {0} operators, of {1}, and of {2} tiles "
      "in shared memory, {3} of them free, of {4}: {5:f0} "
      "clocks",
      plan.operators, plan.layouts, plan.tiles, plan.freeTiles, plan.ways,
      plan.clocks);
  if (plan.saves())
    llvm::outs() << formatv(" in place of {0:f0}", plan.byDefault);
  if (plan.isOptimal())
    llvm::outs() << ", which is optimal";
  else
    llvm::outs() << formatv(", at least {0:f0}", plan.bound);
  if (plan.usedSolver)
    llvm::outs() << " by the integer program";
  if (plan.lacksRoom)
    llvm::outs() << "; there is no room in which all tiles lie as they would "
                    "best";
  if (plan.isRefused)
    llvm::outs() << "; they cannot be lowered, and others are taken";
  llvm::outs() << "\n";
}

/// Prints the units of the GPU, the one that takes longest first, and what
/// bounds the kernel.
static void printCost(const KernelCost &cost) {
  std::pair<StringRef, double> units[] = {
      {"device memory", cost.hbm},
      {"L2", cost.l2},
      {"matrix instructions", cost.tensor},
      {"other arithmetic", cost.cudaCore},
      {"exponentials and roots", cost.special},
      {"shared memory", cost.shared},
      {"latency of loads", cost.latency},
      {"launch and merging", cost.launch}};
  llvm::sort(units, [](const auto &a, const auto &b) {
    return std::pair(-a.second, a.first) < std::pair(-b.second, b.first);
  });
  llvm::outs() << formatv(
      "  {0:f2} us by the model mirage, bound by {1}; alone "
      "would take",
      cost.microseconds, stringifyCostBound(cost.bound));
  StringRef separator = " ";
  for (const auto &[name, microseconds] : units) {
    // What rounds to nothing is left out.
    if (microseconds < 0.005)
      continue;
    llvm::outs() << formatv("{0}{1} {2:f2}", separator, name, microseconds);
    separator = ", ";
  }
  llvm::outs() << "\n";
}

namespace {
struct PrintSchedule : public mirage::impl::PrintScheduleBase<PrintSchedule> {
  using PrintScheduleBase::PrintScheduleBase;

  void runOnOperation() override {
    markAllAnalysesPreserved();
    SchedulePlannerOptions options{
        warps,       columns,    clusterBlocks, wgmma,      loader,
        prepare,     bulkCopies, indexMasks,    persistent, defer,
        productSums, keepTiles,  layouts};
    if (failed(checkScheduleOptions(getOperation().getLoc(), getArgument(),
                                    options)))
      return signalPassFailure();
    SchedulePlanner planner(options);
    // Launches are those that a lowering makes of the program.
    OwningOpRef<ModuleOp> module = getOperation().clone();
    PassManager manager(&getContext());
    buildLaunchesPipeline(manager, fuse);
    if (failed(manager.run(*module)))
      return signalPassFailure();
    for (auto function : module->getOps<func::FuncOp>()) {
      SmallVector<kernel::LaunchOp> launches;
      function.walk(
          [&](kernel::LaunchOp launch) { launches.push_back(launch); });
      if (launches.empty())
        continue;
      if (failed(planner.chooseClusters(*module, launches)))
        return signalPassFailure();
      FailureOr<TargetDescription> target = findTarget(function, "");
      if (failed(target))
        return signalPassFailure();
      llvm::outs() << "@" << function.getName() << " on " << target->chip
                   << "\n";
      for (kernel::LaunchOp launch : launches)
        if (failed(print(planner, launch)))
          return signalPassFailure();
      llvm::outs() << "\n";
    }
    llvm::outs().flush();
  }

private:
  LogicalResult print(const SchedulePlanner &planner, kernel::LaunchOp launch) {
    int64_t blocks = 1;
    for (int64_t extent : launch.getGrid())
      blocks *= extent;
    llvm::outs() << "launch";
    if (auto location = launch->getLoc()->findInstanceOf<FileLineColLoc>())
      llvm::outs() << ":" << location.getLine();
    auto begin = [&](const LaunchSchedule &schedule) {
      llvm::outs() << formatv(
          ", {0} blocks of {1} threads\n", blocks * schedule.clusterBlocks,
          32 * (schedule.getNumWarps() + schedule.loaderWarps));
    };
    if (auto given = launch->getAttrOfType<ScheduleAttr>(
            MirageDialect::getScheduleAttrName())) {
      LaunchSchedule schedule = readSchedule(given);
      begin(schedule);
      printSchedule(schedule, {});
      if (tiles && failed(printTilesOf(launch, schedule)))
        return failure();
    } else {
      FailureOr<LaunchPlan> plan = planner.plan(launch);
      if (failed(plan))
        return failure();
      if (plan->schedule) {
        begin(*plan->schedule);
        printSchedule(*plan->schedule, plan->reasons);
        printLayouts(plan->layouts);
        if (tiles && failed(printTilesOf(*plan->launch, *plan->schedule)))
          return failure();
      } else {
        llvm::outs() << formatv(", {0} blocks\n  by way of the general "
                                "lowering: '{1}' {2}\n",
                                blocks, plan->obstacleName.getStringRef(),
                                plan->obstacle);
      }
    }
    if (const ProgramCost::Kernel *cost = planner.getCost(launch))
      printCost(cost->cost);
    return success();
  }

  /// Prints the tiles of a launch as the lowering would make them, and fails
  /// with its error where it would.
  static LogicalResult printTilesOf(kernel::LaunchOp launch,
                                    const LaunchSchedule &schedule) {
    OwningOpRef<kernel::LaunchOp> copy(launch.clone());
    if (failed(prepareForSchedule(*copy, schedule)))
      return failure();
    TrialKernel kernel =
        buildTrialKernel(*copy, schedule, lookupTarget(launch));
    if (!kernel.shape)
      return failure();
    printTiles(kernel.function, llvm::outs());
    return success();
  }
};
} // namespace
