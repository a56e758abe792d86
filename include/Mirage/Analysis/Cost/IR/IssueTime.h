//===- IssueTime.h - Time of the instructions of kernels --------*- C++ -*-===//
//
// The cost model counts what a µGraph computes and moves. A kernel that was
// made of it also has instructions that place elements in registers, convert
// them and compute addresses; this counts all that a thread executes.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_COST_IR_ISSUETIME_H
#define MIRAGE_ANALYSIS_COST_IR_ISSUETIME_H

#include "Mirage/Semantics/Target.h"
#include "mlir/IR/BuiltinOps.h"

namespace mirage {

/// What one of a kernel's threads executes.
struct ThreadWork {
  double instructions = 0;
  /// Bytes that it loads from the shared memory of other blocks of its cluster.
  double clusterBytes = 0;
};

/// A launch of a kernel, in the order of the host's function.
struct IssuedLaunch {
  std::string kernel;
  int64_t blocks = 1, threads = 1;
  ThreadWork work;
  /// The launches before it that it waits for.
  llvm::SmallVector<unsigned, 2> dependences;

  /// Microseconds that the busiest multiprocessor takes to issue the
  /// instructions, and to load from other blocks.
  double getTime(const TargetDescription &target) const;
};

/// Counts the instructions of a module's launches, whose kernels are of
/// convert-mirage-thread-to-nvvm, with loops as scf.for. Returns nothing if the
/// number of a loop's iterations or of a launch's blocks is no constant.
std::optional<std::vector<IssuedLaunch>>
countInstructions(mlir::ModuleOp module);

/// Returns the microseconds of a program of which the cost model says
/// `modelled` for its kernels, in their order: each takes what the model says
/// beside starting, and what its instructions take, behind those that it waits
/// for. The constants are fitted to 164 measured
/// times (docs/performance/deployed.md).
double estimateIssued(llvm::ArrayRef<IssuedLaunch> launches,
                      llvm::ArrayRef<double> modelled,
                      const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_COST_IR_ISSUETIME_H
