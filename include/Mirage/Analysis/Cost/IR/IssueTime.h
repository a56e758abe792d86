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

/// What the warps of a block execute.
struct BlockWork {
  /// Instructions of the warp that executes most, and of all warps together.
  double longest = 0, all = 0;
  /// The most instructions that a warp executes at least once, each counted
  /// once.
  double code = 0;
  /// Accesses of all threads to the shared memory of other blocks of the
  /// cluster, each of up to 16 bytes.
  double clusterAccesses = 0;
  /// Some warps take another way through the kernel than others, as those that
  /// only load.
  bool hasRoles = false;
  /// The clocks of the warp that takes longest with its instructions and with
  /// what it waits for products by wgmma, and the part of them in which it
  /// waits: all of a product whose end it waits for at once, and nothing of one
  /// that ends while it computes something else, as deferred products do.
  double chainClocks = 0, waitedClocks = 0;
};

/// A launch of a kernel, in the order of the host's function.
struct IssuedLaunch {
  std::string kernel;
  int64_t blocks = 1, threads = 1;
  /// The blocks of a cluster.
  int64_t clusterBlocks = 1;
  /// The shared memory of a block that is asked for with the launch.
  int64_t sharedBytes = 0;
  BlockWork work;
  /// The launches before it that it waits for.
  llvm::SmallVector<unsigned, 2> dependences;

  /// Microseconds that the busiest multiprocessor takes to issue the
  /// instructions, and to load from other blocks.
  double getTime(const TargetDescription &target) const;

  /// Returns the microseconds of the blocks that a multiprocessor executes one
  /// after another, if their warps wait for products by wgmma, and zero if they
  /// wait for none: other blocks and warps compute in the meantime only where
  /// there are any beside them.
  double getChainTime(const TargetDescription &target) const;
};

/// Counts the instructions of a module's launches, whose kernels are of
/// convert-mirage-thread-to-nvvm, with loops as scf.for. Of branches that
/// depend on the thread's number each warp executes its own, of others the
/// longer one. A loop whose bounds depend on the block counts with the most
/// iterations that it may have, as it does in the cost model. Returns nothing
/// if nobody knows these, or if the number of a launch's blocks is no constant.
std::optional<std::vector<IssuedLaunch>>
countInstructions(mlir::ModuleOp module);

/// What the cost model says of a kernel, in microseconds: what starting and
/// merging take, and the rest.
struct ModelledTime {
  double launch = 0, rest = 0;
  /// The kernel multiplies matrices.
  bool hasProducts = false;
};

/// Returns the microseconds of a program of which the cost model says
/// `modelled` for its kernels, in their order: each starts, and then takes what
/// the model says of its work, and what its instructions take, of which the
/// shorter is hidden in part (the root of the sum of their squares), or whole
/// where warps have roles, behind those that it waits for; but no less than
/// blocks take one after another that wait for their products. Among many
/// kernels, as those of a model, each takes time for its code as well. The
/// constants are
/// fitted to 173 measured times of programs (docs/performance/deployed.md), and
/// to those of 188 launches of models (docs/performance/models.md).
double estimateIssued(llvm::ArrayRef<IssuedLaunch> launches,
                      llvm::ArrayRef<ModelledTime> modelled,
                      const TargetDescription &target, bool isAmongMany);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_COST_IR_ISSUETIME_H
