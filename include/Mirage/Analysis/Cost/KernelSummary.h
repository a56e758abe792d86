//===- KernelSummary.h - What one kernel moves and computes -----*- C++ -*-===//
//
// The counts of one kernel of a µGraph, from which models estimate its time.
// They depend on no target.
//
// The counts are those of a good kernel of the µGraph, not of a lowering that
// keeps every value in shared memory: loads are pipelined; results of products,
// and runs of elementwise operators and reductions, stay in registers; a
// product takes its left operand from registers and its right one from shared
// memory; sums of products accumulate in place.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_COST_KERNELSUMMARY_H
#define MIRAGE_ANALYSIS_COST_KERNELSUMMARY_H

#include "Mirage/Analysis/Cost/GeneralLowering.h"
#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <array>

namespace mirage {

/// One of the loops of a launch that are in no other.
struct LoopSummary {
  int64_t iterations = 1;
  /// The bytes that a block loads in all iterations together, and those of
  /// them that an earlier loop has loaded in the same iterations.
  double streamedBytes = 0, reloadedBytes = 0;
};

/// What a launch's loops load again of the tiles that an earlier one has loaded
/// in the same iterations. It need not be loaded where all of these stay in
/// shared memory.
struct ReloadSummary {
  /// The bytes that all blocks load again, and those beside them in the lines
  /// of the L2 cache that are touched.
  double bytes = 0, skippedBytes = 0;
  /// The bytes of shared memory of a block for the tiles of all iterations, and
  /// for those of one iteration of all the loads.
  double keptBytes = 0, stageBytes = 0;
  /// The loops that load nothing else, and their iterations.
  int64_t loops = 0, iterations = 0;
  /// The tiles may have left the L2 cache when they are loaded again.
  bool mayMiss = true;
};

/// What blocks load of a tensor of so many bytes that other blocks load, too,
/// without one of them.
struct RereadSummary {
  double bytes = 0, tensorBytes = 0;
};

/// Counts are whole numbers, kept as doubles because products of extents exceed
/// 64 bits. A count that is not said to be per block is the sum over all
/// blocks.
struct KernelSummary {
  /// Says whether the number of blocks is given, as for a launch, or for
  /// attention by a library. Other kernels of a library divide their work
  /// evenly among up to `blocks` blocks.
  bool isLaunch = false;
  std::array<int64_t, 3> grid = {1, 1, 1};
  int64_t blocks = 1;
  int64_t threads = 256;
  /// The iterations of a block's loops that it runs one after another: loops in
  /// loops become part of what is around them.
  int64_t iterations = 1;
  /// So many of them wait for no tile.
  int64_t idleIterations = 0;
  /// The loops of a block that load tiles. Each begins to load when the one
  /// before has ended.
  int64_t loadingLoops = 1;
  /// A launch's loops. A kernel that has none of them, but iterations, has one
  /// loop.
  llvm::SmallVector<LoopSummary, 2> loops;
  /// The most tiles of loads in flight. A model takes the best number.
  int64_t maxStages = 4;

  /// Bytes read of device memory. Every load counts as often as the loops that
  /// its tile depends on make it, so once if it depends on none.
  double loadedBytes = 0;
  /// The part of them that is loaded anew in iterations.
  double streamedBytes = 0;
  /// The bytes that loads leave out of the lines of the L2 cache that they
  /// touch: those beside a tile's rows where these are no whole lines.
  double skippedBytes = 0;
  /// The same of stores.
  double skippedStoreBytes = 0;
  /// The bytes that threads could copy in the time that narrow accesses take
  /// beyond that of wide ones.
  double narrowBytes = 0;
  /// Bytes of the tensors that are read, each of which is touched for the first
  /// time. The rest of loadedBytes is touched again, in L2.
  double distinctBytes = 0;
  /// What is in that rest since a launch's blocks load the same, by loads.
  llvm::SmallVector<RereadSummary, 4> rereads;
  double storedBytes = 0;
  /// The part of distinctBytes that earlier kernels of the program wrote, and
  /// of storedBytes that only later kernels read.
  double hotDistinctBytes = 0;
  double hotStoredBytes = 0;

  /// Flops of products by tensor cores, relative to operands of 16 bits
  /// (getTensorCoreTime), and what the tensor cores compute for them when tiles
  /// are filled up to the shapes of wgmma, and of mma.sync.
  double tensorFlops = 0;
  double wgmmaFlops = 0;
  double mmaSyncFlops = 0;
  /// The rows or columns of all products fill the rows of wgmma, so that a
  /// launch computes them by wgmma where the target has it. Libraries find
  /// tiles that do.
  bool fillsWarpgroups = true;
  /// The sums of the products that loops add up fill the registers of two
  /// warpgroups, by whose tiles tensor cores reach their throughput.
  bool fillsRegisters = false;
  /// No product's rows are reduced, or are the left operand of another product.
  /// What was measured of tiles of products alone holds for such launches.
  bool multipliesAlone = true;
  /// The rows of all products fill two warpgroups.
  bool fillsPairs = false;
  /// The warps that multiply compute an operand of a product in each iteration,
  /// of what they have loaded: no others prepare it.
  bool computesOperands = false;
  /// The rows of most of what loops load, of 16 bits, are no whole chunks of
  /// wgmma: the copy engine cannot bring them.
  bool copiesInPieces = false;
  /// A product in a loop has a right operand that is computed of another
  /// product in the same iteration: warps store what each of them has of it,
  /// wait for each other, and multiply then.
  bool exchangesOperands = false;
  /// The bytes of the tiles that products of products load in an iteration as
  /// wide as the lowering makes it, where their rows fill one warpgroup and no
  /// second one: another group of warps has stages of its own. Zero for other
  /// kernels.
  int64_t groupStageBytes = 0;
  /// So many iterations do not overlap the loads of others, where products are
  /// computed by wgmma.
  double serialIterations = 1;
  /// A block computes products of products, or reduces them, once: nothing of
  /// another iteration stands beside a step of that.
  bool isChain = false;
  /// The warps that compute products of products by mma.sync, of which each has
  /// whole rows as far as its registers reach; zero for other kernels.
  int64_t rowWarps = 0;
  /// All other flops, and the instructions they need: a product's
  /// multiply-adds are one for two flops.
  double otherFlops = 0;
  double scalarInstructions = 0;
  double exponentials = 0;
  /// The parts of mmaSyncFlops, scalarInstructions and exponentials that a
  /// launch computes outside of its loops.
  double outerMmaFlops = 0;
  double outerScalarInstructions = 0;
  double outerExponentials = 0;
  /// Bytes that loads write to shared memory and operators read and write
  /// there.
  double sharedTraffic = 0;
  /// Products and reductions that a block runs one after another.
  double dependentSteps = 0;

  /// Bytes per block: of the tiles that stay for the whole kernel and of
  /// computed values that have to pass through shared memory; of the tiles of
  /// one iteration; of computed values and accumulators in registers at once.
  int64_t residentBytes = 0;
  int64_t stageBytes = 0;
  int64_t registerBytes = 0;
  /// Bytes per block of the tensors alive at once if all are in shared memory
  /// and nothing is pipelined or overwritten, without gaps between them.
  int64_t footprintBytes = 0;
  /// Bytes that the plan of shared memory takes for them, by which the verifier
  /// accepts or refuses the launch (launch_c6).
  int64_t plannedBytes = 0;

  /// How many blocks store tiles that are summed, or whose maximum is taken
  /// (omap), the bytes of one such tile, and whether a cluster may do that, or
  /// only another kernel.
  int64_t mergedBlocks = 1;
  double mergedBytes = 0;
  bool mergesInCluster = true;
  /// The clusters do not find room at once, and merge one after another.
  bool mergesInWaves = false;

  /// The iterations of each of a launch's loops that blocks of a cluster may
  /// share; how many of the loops accumulate something, and the bytes of what
  /// one block does, which has to be merged then. One iteration where the
  /// launch has no loop, or one with loops in it, or one that puts tiles
  /// together for the block to read.
  int64_t sharedIterations = 1;
  int64_t mergingLoops = 1;
  double accumulatedBytes = 0;
  /// So many blocks, a power of two, may each merge a part of that and go on
  /// with it; where others share iterations, each needs the whole of it.
  int64_t mostDividing = 8;

  ReloadSummary reloads;

  /// What the general lowering makes of a launch; only where it was asked for.
  std::optional<GeneralWork> general;

  double getFlops() const { return tensorFlops + otherFlops; }
};

/// The summary of a node of the function's body. Constants have none. Neither
/// have reshapes, which are views of the same bytes, unless they return an
/// input, nor slices that launches read in place and concatenations that they
/// write in place (Windows.h). Transpositions, broadcasts, other slices and
/// concatenations, and other layout operators are copies.
std::optional<KernelSummary> summarize(const MuGraph &graph, unsigned node);

struct SummarizedKernel {
  unsigned node;
  KernelSummary summary;
};

/// The nodes of a function that need no kernel: they read or write the tensors
/// of others where these lie (DeviceBuffers.h).
using PlacedNodes = llvm::DenseSet<unsigned>;

/// All kernels of the function, in order. Without `placed` the nodes that need
/// none are those that need none in any program with such launches.
std::vector<SummarizedKernel> summarize(const MuGraph &graph,
                                        const PlacedNodes *placed = nullptr);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_COST_KERNELSUMMARY_H
