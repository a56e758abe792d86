//===- SchedulePlanner.h - How launches are executed ------------*- C++ -*-===//
//
// Chooses for a launch how its warps share the work and how many stages its
// loads have, and says why.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEPLANNER_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEPLANNER_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "PlanLayouts.h"
#include "ScheduleChooser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage {

/// What becomes of a launch. It has a schedule, or an obstacle on the way to
/// one.
struct LaunchPlan {
  /// The launch with other loops, which the schedule is for.
  mlir::OwningOpRef<kernel::LaunchOp> launch;
  std::optional<LaunchSchedule> schedule;
  ScheduleReasons reasons;
  /// The layouts of its operators' registers, where they were planned.
  LayoutPlan layouts;
  /// The operation that keeps the launch from being scheduled, and what of it
  /// does. It is in the launch that was asked about, or is that launch.
  std::string obstacle;
  mlir::OperationName obstacleName;
  mlir::Location obstacleLocation;
};

/// The options of the passes mirage-schedule-launches and
/// mirage-print-schedule; see Passes.td.
struct SchedulePlannerOptions {
  int64_t warps = 8, columns = 64, clusterBlocks = 0;
  bool wgmma = true, loader = true, prepare = true, bulkCopies = true,
       indexMasks = true, persistent = true, defer = true, productSums = true,
       keepTiles = true, layouts = true;
};

/// Returns an error of this pass if an option is out of its range.
mlir::LogicalResult checkScheduleOptions(mlir::Location loc,
                                         llvm::StringRef pass,
                                         const SchedulePlannerOptions &options);

class SchedulePlanner {
public:
  explicit SchedulePlanner(const SchedulePlannerOptions &options)
      : options(options) {}

  /// Asks the cost model in how many blocks' clusters each of these launches
  /// runs fastest, unless an option says how many it has. Fails with an error
  /// where there is no target or no cost.
  mlir::LogicalResult chooseClusters(mlir::ModuleOp module,
                                     llvm::ArrayRef<kernel::LaunchOp> launches);
  /// Plans one of them, which stays as it is. Fails with an error where there
  /// is no target.
  mlir::FailureOr<LaunchPlan> plan(kernel::LaunchOp launch) const;
  /// Returns what the cost model says of a launch, or null.
  const ProgramCost::Kernel *getCost(kernel::LaunchOp launch) const {
    auto found = costs.find(launch);
    return found == costs.end() ? nullptr : &found->second;
  }

private:
  /// Says why `blocks` share the iterations of a loop where `wanted` should.
  std::string explainCluster(const TargetDescription &target, int64_t wanted,
                             int64_t blocks) const;

  SchedulePlannerOptions options;
  llvm::DenseMap<mlir::Operation *, ProgramCost::Kernel> costs;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_SCHEDULEPLANNER_H
