//===- LaunchSchedule.h - How a launch is executed --------------*- C++ -*-===//
//
// Says how the warps of a block share the work of a block graph, and how far
// ahead of their use the tiles of a loop are loaded. It is plain data:
// #mirage.schedule wraps it, the lowering obeys it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_LAUNCHSCHEDULE_H
#define MIRAGE_SCHEDULE_LAUNCHSCHEDULE_H

#include "llvm/ADT/Hashing.h"
#include <cstdint>

namespace mirage {

struct LaunchSchedule {
  /// The warps that share the rows of a product, and those that share its
  /// columns.
  int64_t rowWarps = 1, columnWarps = 1;
  /// The groups of warps that share the iterations of a loop: each runs every
  /// n-th, and their accumulators are merged after the loop.
  int64_t loopGroups = 1;
  /// The tiles of each load of a loop that are in shared memory at a time: the
  /// one in use, and those on their way.
  int64_t stages = 2;
  /// The blocks of a cluster that share the iterations of loops like groups
  /// of warps; what they accumulate is merged through distributed shared memory
  /// (PTX ISA, "Cluster of Cooperative Thread Arrays").
  int64_t clusterBlocks = 1;
  /// This is true if products whose rows fill warpgroups are computed by wgmma,
  /// which reads its right operand from shared memory (PTX ISA), and not by
  /// mma.sync.
  bool usesWgmma = false;
  /// The warps that only load the tiles of loops, ahead of the others. Where
  /// there are none, all warps load, and meet at a barrier in each iteration.
  int64_t loaderWarps = 0;
  /// This is true if these warps also compute the operands that products read
  /// from shared memory, where these depend on nothing but the tiles of one
  /// iteration, in place of the warps of the products.
  bool loaderPrepares = false;
  /// This is true if these warps leave the tiles of loops to the copy engine
  /// (PTX ISA, cp.async.bulk.tensor), as far as it can bring them to their
  /// places, and copy the others themselves.
  bool bulkCopies = false;
  /// This is true if masks whose elements follow from their indices, as those
  /// of causal attention, are computed where they are needed and not loaded,
  /// and iterations that they leave nothing of are left out.
  bool indexMasks = false;
  /// So many blocks execute those of the grid, one after another in turns,
  /// while the warps that only load go on with the tiles of the next one. Zero
  /// where each block of the kernel is one of the grid.
  int64_t persistentBlocks = 0;
  /// The registers of a thread of the warps that work on what is loaded, where
  /// those that load leave them theirs (PTX ISA, setmaxnreg). Zero where all
  /// threads of the block have as many.
  int64_t workerRegisters = 0;
  /// This is true if products whose left operand is made of another product of
  /// the same iteration of a loop, as those of scores and values, are made in
  /// the next iteration, while the warps compute the next operand.
  bool defersProducts = false;
  /// This is true if sums of the rows of what a product takes as its left
  /// operand are made by that product, of columns of ones.
  bool sumsByProducts = false;
  /// This is true if the tiles that a loop loads stay in shared memory where
  /// later loops load the same ones, which read them there.
  bool keepsTiles = false;

  /// The iterations that run at the same time.
  int64_t getNumSharers() const { return loopGroups * clusterBlocks; }
  /// The warps that work on what is loaded.
  int64_t getNumWarps() const { return rowWarps * columnWarps * loopGroups; }

  bool operator==(const LaunchSchedule &other) const {
    return rowWarps == other.rowWarps && columnWarps == other.columnWarps &&
           loopGroups == other.loopGroups && stages == other.stages &&
           clusterBlocks == other.clusterBlocks &&
           usesWgmma == other.usesWgmma && loaderWarps == other.loaderWarps &&
           loaderPrepares == other.loaderPrepares &&
           bulkCopies == other.bulkCopies && indexMasks == other.indexMasks &&
           persistentBlocks == other.persistentBlocks &&
           workerRegisters == other.workerRegisters &&
           defersProducts == other.defersProducts &&
           sumsByProducts == other.sumsByProducts &&
           keepsTiles == other.keepsTiles;
  }
};

inline llvm::hash_code hash_value(const LaunchSchedule &schedule) {
  return llvm::hash_combine(
      schedule.rowWarps, schedule.columnWarps, schedule.loopGroups,
      schedule.stages, schedule.clusterBlocks, schedule.usesWgmma,
      schedule.loaderWarps, schedule.loaderPrepares, schedule.bulkCopies,
      schedule.indexMasks, schedule.persistentBlocks, schedule.workerRegisters,
      schedule.defersProducts, schedule.sumsByProducts, schedule.keepsTiles);
}

/// Returns how many registers a thread of the warps that load has where each of
/// those of `workers` others has so many: a multiple of 8, as setmaxnreg takes
/// it, of what these leave of the registers with which the block is launched.
/// More would have to wait for registers that nobody has (PTX ISA, setmaxnreg).
inline int64_t getLoaderRegisters(int64_t workerRegisters, int64_t workers,
                                  int64_t loaders) {
  constexpr int64_t perMultiprocessor = 65536, perWarp = 32, step = 8;
  int64_t warps = workers + loaders;
  int64_t atLaunch = perMultiprocessor / perWarp / warps / step * step * warps;
  return (atLaunch - workerRegisters * workers) / loaders / step * step;
}

} // namespace mirage

#endif // MIRAGE_SCHEDULE_LAUNCHSCHEDULE_H
