//===- LaunchParts.h - How many parts launches leave to others --*- C++ -*-===//
//
// A launch may leave sums of parts to another one, which merges them: more
// parts fill more multiprocessors, and take the merging launch longer. How many
// there are is a choice that both launches make together.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHPARTS_H
#define MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHPARTS_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/Target.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <optional>
#include <string>
#include <vector>

namespace mirage {

/// Removes what the planner wrote of how a launch is executed: its schedule,
/// and the layouts of registers that are those of the schedule's warps.
void removeSchedule(kernel::LaunchOp launch);

/// Leaves out grid dimensions of one block, which divide nothing: a tiling that
/// a launch has now may have left some. One dimension stays.
void dropUnitGridDims(kernel::LaunchOp launch);

/// Returns the launch of the same block that alone reads all results of a
/// launch, or null.
kernel::LaunchOp findMergingLaunch(kernel::LaunchOp launch);

/// Returns how many kernels the cost model sees in the launch's function, and
/// zero where this does not depend on the launch's tiles. What is put together,
/// cut out or padded beside a launch needs none where its tiles allow that.
size_t countKernels(kernel::LaunchOp launch, const TargetDescription &target);

/// Writes launches, each of which may read results of those before it, as a
/// function of its own. Its arguments are what they read beside that, in the
/// order in which they do, and its results those of the last one.
mlir::OwningOpRef<mlir::ModuleOp>
writeLaunches(llvm::ArrayRef<kernel::LaunchOp> launches);

/// Makes a program of such a function. Returns nothing, with the reason, for
/// what a µGraph does not express.
std::optional<MuGraph> importLaunches(llvm::ArrayRef<kernel::LaunchOp> launches,
                                      std::string &reason);

/// Returns the operands of launches that come from elsewhere, in the order of
/// the arguments of writeLaunches.
llvm::SmallVector<mlir::Value>
getOuterOperands(llvm::ArrayRef<kernel::LaunchOp> launches);

/// Replaces launches by the body of a function whose arguments and results are
/// those of writeLaunches. What is new has the location of the last one.
void replaceLaunches(llvm::ArrayRef<kernel::LaunchOp> launches,
                     mlir::func::FuncOp function);

/// Returns programs that leave other numbers of parts between their launches
/// than a program does: for each the tiling that the cost model finds fastest
/// of those that move factors into these numbers or out of them one by one, as
/// long as no step takes `slack` times the least time. The fastest one comes
/// first, and there are at most `most`.
std::vector<MuGraph> listOtherParts(const MuGraph &program,
                                    const TargetDescription &target,
                                    double slack, size_t most);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_TUNE_LAUNCHPARTS_H
