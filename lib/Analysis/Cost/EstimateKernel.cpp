//===- EstimateKernel.cpp - Time of one kernel ----------------------------===//
//
// By CostModel::Mirage a kernel takes
//
//   launch + max(memory, arithmetic) + min(memory, arithmetic) / parts
//
// where `parts` pieces of its work are pipelined. Memory is the longest of
// device memory's traffic, L2's, the busiest SM's, and the loop's latency.
// By mma.sync, the warps that multiply also load, between one product and the
// next, unless the copy engine brings their tiles. The time of these loads is
// counted as arithmetic.
// Arithmetic is the longest of shared memory's traffic and the units', which
// overlap by half: a block's product waits for the exponentials before it, and
// only other warps and blocks use the idle unit. Work of a unit is that of the
// SM with the most blocks.
//
//===----------------------------------------------------------------------===//

#include "GeneralModel.h"
#include "KernelVariants.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "PublishedModel.h"
#include "Rates.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mirage;

// This is the part of the shorter units' time that nothing overlaps. The long
// attention kernels that were timed, which need three units, show 0.4 with the
// barriers that are counted here and 0.6 if barriers cost nothing; other
// kernels need too little of any unit but one to tell
// (docs/performance/cost-model.md).
static constexpr double serialPart = 0.5;
// What it costs to leave a byte out of a line that is touched, relative to one
// that is loaded: rows of 64 bytes stream at 0.83 of the rate of whole lines,
// of 32 bytes at 0.62 (docs/performance/scheduled-kernels.md).
static constexpr double skippedPart = 0.2;
// The same for what an SM copies for wgmma: eleven pairs of products whose
// tiles have rows of 64 and of 128 bytes, of which the former take 1.1 to 1.5
// times as long.
static constexpr double skippedCopyPart = 0.7;
// The same of a byte that is stored: 1 MB in runs of 4 bytes takes 5.9
// microseconds, of 8 bytes 3.7, of 16 bytes 2.8, of 32 bytes 2.4 and of 64
// bytes 2.1.
static constexpr double skippedStorePart = 0.75;
// The part of the throughput of tensor cores that wgmma reaches by tiles whose
// sums leave registers free: a whole product of 4096^3 by tiles of 128 x 128.
static constexpr double partOfSmallTiles = 0.84;
// The part of the time of what is read again that comes to that of device
// memory, where a tensor fills L2, so that blocks find there what others have
// read a moment before: products of 16 rows with two matrices of 117 MB take
// 55.2 to 56.2 microseconds, and 59.4 to 62.7 where two blocks have 8 rows each
// and both read the matrices, which takes 22 microseconds of L2.
static constexpr double rereadPart = 0.25;
static constexpr double bytesPerRegister = 4;
// The bytes that a block reads a clock of what other blocks of its cluster
// accumulated: of four kernels in which each needs the whole, 1 to 6 in words
// of 4 bytes (docs/performance/deployed.md).
static constexpr double clusterWholePerClock = 3;
// The largest cluster (PTX ISA).
static constexpr int64_t mostClusterBlocks = 16;

static bool hasClusters(const KernelSummary &s, const TargetDescription &t) {
  return t.clusterPerClock && s.mergesInCluster &&
         s.mergedBlocks <= mostClusterBlocks;
}

/// The number of SMs that can hold the kernel's blocks: clusters don't fit into
/// all.
static int64_t getMultiprocessors(const KernelSummary &s,
                                  const TargetDescription &t) {
  return t.getMultiprocessors(hasClusters(s, t) ? s.mergedBlocks : 1);
}

/// The time to combine blocks' tiles, which are pushed to the other blocks of a
/// cluster between two of its barriers behind each loop, or go through L2 to a
/// kernel of its own.
static double getMergeTime(const KernelSummary &s, const TargetDescription &t) {
  if (s.mergedBlocks == 1)
    return 0;
  double clock = t.clock;
  if (hasClusters(s, t)) {
    // A block that needs the whole reads the parts of all others.
    double perByte = s.mergedBlocks <= s.mostDividing
                         ? 1.0 / t.clusterPerClock
                         : (s.mergedBlocks - 1) / clusterWholePerClock;
    return s.mergingLoops *
               (t.clusterMergeTime / 1e3 + 2 * t.clusterBarrierClocks / clock) +
           s.mergedBytes * perByte / clock;
  }
  double traffic = 2 * s.mergedBytes * s.blocks / (t.l2Bandwidth * 1e3);
  return (t.launchTime + t.startTime) / 1e3 + traffic;
}

/// Fills in occupancy and waves. The result is false if a block does not fit.
static bool setOccupancy(const KernelSummary &s, const TargetDescription &t,
                         int64_t multiprocessors, KernelCost &c) {
  // Values that find no register are kept in shared memory.
  auto registerFile = static_cast<int64_t>(t.registersPerSM * bytesPerRegister);
  int64_t spilled = std::max<int64_t>(0, s.registerBytes - registerFile);
  c.sharedMemory = s.residentBytes + c.stages * s.stageBytes + spilled;
  if (c.sharedMemory > t.sharedMemoryPerBlock)
    return false;
  c.occupancy = std::max<int64_t>(1, t.threadsPerSM / s.threads);
  if (c.sharedMemory)
    c.occupancy = std::min(c.occupancy, t.sharedMemoryPerSM / c.sharedMemory);
  if (s.registerBytes)
    c.occupancy = std::min(
        c.occupancy, std::max<int64_t>(1, registerFile / s.registerBytes));
  c.occupancy = std::max<int64_t>(1, c.occupancy);
  c.waves = llvm::divideCeil(s.blocks, multiprocessors * c.occupancy);
  return true;
}

/// Returns whether the kernel's products are computed by wgmma.
static bool usesWgmma(const KernelSummary &s, const TargetDescription &t) {
  return s.tensorFlops > 0 && s.fillsWarpgroups && hasWgmma(t.chip);
}

/// Returns whether the warps of a launch wait for each of their products:
/// mma.sync is synchronous.
static bool waitsForProducts(const KernelSummary &s,
                             const TargetDescription &t) {
  return s.isLaunch && s.tensorFlops > 0 && !usesWgmma(s, t);
}

/// Returns whether the copy engine streams the tiles of products by mma.sync
/// from device memory while others are multiplied: a warp asks for those of
/// products of products, whose rows are whole chunks of it. Tiles that come
/// from L2, loops of few iterations, and what is loaded before a kernel has
/// started take as long as if the warps that multiply loaded them
/// (docs/performance/scheduled-kernels.md).
static bool streamsForMmaSync(const KernelSummary &s,
                              const TargetDescription &t) {
  constexpr int64_t leastTrips = 16;
  constexpr double leastPart = 0.75;
  double start = t.launchTime + t.startTime; // In nanoseconds.
  return waitsForProducts(s, t) && hasWgmma(t.chip) && s.rowWarps > 0 &&
         !s.copiesInPieces && s.iterations - s.idleIterations >= leastTrips &&
         s.distinctBytes >=
             std::max(leastPart * s.loadedBytes, start * t.hbmBandwidth);
}

/// Returns whether the warps that multiply by mma.sync load tiles between their
/// products: copies of threads are instructions of theirs.
static bool loadsBetweenProducts(const KernelSummary &s,
                                 const TargetDescription &t) {
  return waitsForProducts(s, t) && !streamsForMmaSync(s, t);
}

/// Returns whether the warps that multiply by wgmma load tiles themselves, as
/// they make an operand of them before each product, or as the copy engine
/// cannot bring them.
static bool copiesForWgmma(const KernelSummary &s, const TargetDescription &t) {
  return s.isLaunch && (s.computesOperands || s.copiesInPieces) &&
         usesWgmma(s, t);
}

namespace {
/// What a kernel takes with any number of stages.
struct StageFreeTimes {
  KernelCost cost;
  int64_t multiprocessors = 1;
  /// The blocks of the busiest SM, and the part of the work that it has.
  double perSM = 1, share = 1;
  /// The time of L2's traffic, what the busiest SM takes to load and store, how
  /// much less that is at most where several blocks load beside one another,
  /// and what an iteration waits for its tile.
  double ofL2 = 0, copyTime = 0, mostBeside = 1, tileTime = 0;
  /// Threads copy the tiles of a kernel that multiplies by wgmma.
  bool copiesAhead = false;
  /// What it takes beyond the time of device memory that blocks read again what
  /// others have read.
  double ofRereads = 0;
  /// The same while all SMs load.
  double busyTileTime = 0;
  /// What an iteration of each loop waits for its tile, the iterations, and the
  /// part of what the kernel loads that this loop does.
  struct Loop {
    double tileTime = 0, iterations = 1, part = 1;
  };
  llvm::SmallVector<Loop, 2> loops;
  /// A launch computes this part of its arithmetic outside of its loops.
  double outer = 0;
};
} // namespace

/// Returns whether all warps of an SM wait before they multiply by wgmma what
/// they computed of other products: a block's warps wait for each other, and no
/// other block is beside it.
static bool multipliesExchanged(const KernelSummary &s,
                                const TargetDescription &t,
                                const StageFreeTimes &times,
                                const KernelCost &c) {
  return s.isLaunch && s.exchangesOperands && usesWgmma(s, t) &&
         (times.perSM <= 1 || c.occupancy <= 1);
}

/// Returns whether the products of products of an SM are those of one warpgroup
/// that has it alone: neither another group of warps with stages of its own nor
/// another block has room. It computes nothing while it multiplies, since what
/// it multiplies next is made of that, and no products are deferred.
static bool multipliesInOneGroup(const KernelSummary &s,
                                 const TargetDescription &t,
                                 const StageFreeTimes &times) {
  constexpr int64_t stages = 2;
  if (!s.isLaunch || s.groupStageBytes == 0 || !usesWgmma(s, t))
    return false;
  int64_t ofBlock = s.residentBytes + stages * s.groupStageBytes;
  return ofBlock + stages * s.groupStageBytes > t.sharedMemoryPerBlock &&
         (times.perSM <= 1 || 2 * ofBlock > t.sharedMemoryPerSM);
}

/// Fills in the times of memory.
static void addMemoryTimes(const KernelSummary &s, const TargetDescription &t,
                           const Rates &rates, StageFreeTimes &times) {
  KernelCost &c = times.cost;
  // What earlier kernels wrote is still in L2 if it fits.
  bool isHot = s.hotDistinctBytes + s.hotStoredBytes <= t.l2Bytes;
  double hotLoads = isHot ? s.hotDistinctBytes : 0,
         hotStores = isHot ? s.hotStoredBytes : 0;
  double coldLoads = s.distinctBytes - hotLoads;
  double skipped = skippedPart * s.skippedBytes;
  double skippedCold =
      s.loadedBytes > 0 ? skipped * coldLoads / s.loadedBytes : 0;
  c.hbm = (coldLoads + skippedCold) / rates.hbm +
          (s.storedBytes - hotStores) / rates.hbmWrite;
  double traffic = s.loadedBytes + skipped + s.storedBytes +
                   skippedStorePart * s.skippedStoreBytes;
  times.ofL2 = traffic / rates.l2;
  for (const RereadSummary &reread : s.rereads)
    times.ofRereads += rereadPart * reread.bytes / rates.l2 *
                       std::min(1.0, reread.tensorBytes / t.l2Bytes);
  bool isBulk =
      usesWgmma(s, t) ? !copiesForWgmma(s, t) : streamsForMmaSync(s, t);
  double copied = traffic / (isBulk ? rates.bulk : rates.copies);
  if (isBulk && s.multipliesAlone)
    copied += (skippedCopyPart - skippedPart) * s.skippedBytes / rates.bulk;
  times.copyTime = times.share * (copied + s.narrowBytes / rates.copies);
  times.copiesAhead = copiesForWgmma(s, t);
  if (times.copiesAhead)
    times.mostBeside = std::max(1.0, rates.bulk / rates.copies);
  c.l2 = std::max(times.ofL2, times.copyTime);
  double firstTile = (coldLoads > 0 ? t.hbmLatency : t.l2Latency) / 1e3;
  if (s.isLaunch && s.streamedBytes > 0) {
    double bytes =
        s.streamedBytes / s.blocks / (s.iterations - s.idleIterations);
    times.tileTime = firstTile + bytes / rates.sm;
    times.busyTileTime = firstTile + bytes / std::min(rates.sm, rates.bulk);
    for (const LoopSummary &loop : s.loops)
      if (loop.streamedBytes > 0)
        times.loops.push_back(
            {firstTile + loop.streamedBytes / loop.iterations / rates.sm,
             static_cast<double>(loop.iterations),
             loop.streamedBytes * s.blocks / s.loadedBytes});
  }
  // The start is measured with tiles that come from device memory.
  c.launch = (t.launchTime + t.startTime) / 1e3 + firstTile -
             t.hbmLatency / 1e3 + getMergeTime(s, t);
  c.launch += static_cast<double>(s.loadingLoops - 1) * firstTile;
  if (s.isLaunch && s.blocks > t.multiprocessors)
    c.launch += (s.blocks - t.multiprocessors) * t.blockTime / 1e6;
}

/// Returns how much longer the warps of an SM take that are fewer than its four
/// schedulers.
static double getShortage(const KernelSummary &s, const TargetDescription &t,
                          const KernelCost &c) {
  constexpr int64_t schedulers = 4;
  if (s.rowWarps == 0)
    return 1;
  auto blocks =
      static_cast<int64_t>(llvm::divideCeil(s.blocks, t.multiprocessors));
  int64_t warps = s.rowWarps * std::min(c.occupancy, blocks);
  return std::max(1.0,
                  static_cast<double>(schedulers) / static_cast<double>(warps));
}

/// Returns how much longer elementwise operators take on an SM whose warps are
/// too few to hide that an instruction waits for the one before it.
static double getDependenceFactor(const KernelSummary &s,
                                  const TargetDescription &t,
                                  const KernelCost &c) {
  // Four schedulers issue an instruction that depends on the one before it four
  // clocks later.
  constexpr int64_t hidingWarps = 16, warpsOfGroup = 4;
  // A second group of warps has stages of its own, or rows of its own.
  int64_t ofTwoGroups = s.residentBytes + 4 * s.stageBytes;
  bool hasTwoGroups = s.exchangesOperands
                          ? s.fillsPairs
                          : ofTwoGroups <= t.sharedMemoryPerBlock;
  int64_t warps = warpsOfGroup * (hasTwoGroups ? 2 : 1);
  auto blocks =
      static_cast<int64_t>(llvm::divideCeil(s.blocks, t.multiprocessors));
  warps *= std::min(c.occupancy, blocks);
  return std::max(1.0, static_cast<double>(hidingWarps) /
                           static_cast<double>(warps));
}

/// Fills in the times of the busiest SM's units.
static void addUnitTimes(const KernelSummary &s, const TargetDescription &t,
                         const Rates &rates, StageFreeTimes &times) {
  KernelCost &c = times.cost;
  double mmaSync = s.mmaSyncFlops / rates.mmaSync;
  double wgmma = rates.wgmma * (s.fillsRegisters ? 1 : partOfSmallTiles);
  c.tensor = times.share * (waitsForProducts(s, t)
                                ? mmaSync
                                : std::min(s.wgmmaFlops / wgmma, mmaSync));
  c.cudaCore = times.share * s.scalarInstructions / rates.fma;
  c.special = times.share * s.exponentials / rates.special;
  c.shared = times.share * s.sharedTraffic / rates.shared;
}

/// Returns how many blocks an SM has beside one another.
static double countBeside(const StageFreeTimes &times, const KernelCost &c) {
  return std::min(times.perSM, static_cast<double>(c.occupancy));
}

/// Returns what the busiest SM takes to load and store. The threads of one
/// block have too few copies on their way for what an SM can load.
static double getCopyTime(const StageFreeTimes &times, const KernelCost &c) {
  return times.copyTime /
         std::min(times.mostBeside, std::max(1.0, countBeside(times, c)));
}

/// Returns the time of the busiest SM's units but for shared memory. Where
/// warps load between products, their copies are part of what they do, and they
/// do one thing after another.
static double getUnitTime(const KernelSummary &s, const TargetDescription &t,
                          const StageFreeTimes &times, const KernelCost &c) {
  double longest = std::max({c.tensor, c.cudaCore, c.special});
  double sum = c.tensor + c.cudaCore + c.special;
  // Each step of a block's chain waits at a barrier.
  double steps = c.waves * (s.dependentSteps / s.blocks) * t.barrierClocks /
                 static_cast<double>(t.clock);
  if (waitsForProducts(s, t)) {
    double copies = loadsBetweenProducts(s, t) ? times.copyTime : 0;
    return (sum + copies) * getShortage(s, t, c) + steps;
  }
  double ofUnits = longest + (s.isChain ? 1 : serialPart) * (sum - longest);
  bool copies = copiesForWgmma(s, t);
  if (copies || multipliesExchanged(s, t, times, c)) {
    double oneAfterAnother =
        c.tensor + (copies ? getCopyTime(times, c) : 0) + steps +
        (c.cudaCore + c.special) * getDependenceFactor(s, t, c);
    // One block multiplies while another one waits, but those of products of
    // products do the same things at the same time, whoever copies.
    return std::max(s.multipliesAlone ? longest : ofUnits + steps,
                    oneAfterAnother / std::max(1.0, countBeside(times, c)));
  }
  return (multipliesInOneGroup(s, t, times) ? sum : ofUnits) + steps;
}

/// Returns which part of the arithmetic a launch computes outside of its loops.
static double getOuterPart(const KernelSummary &s, const Rates &rates) {
  auto getTime = [&](double mmaFlops, double scalar, double exponentials) {
    return mmaFlops / rates.mmaSync + scalar / rates.fma +
           exponentials / rates.special;
  };
  double all = getTime(s.mmaSyncFlops, s.scalarInstructions, s.exponentials);
  return all > 0 ? getTime(s.outerMmaFlops, s.outerScalarInstructions,
                           s.outerExponentials) /
                       all
                 : 0;
}

static CostBound getBound(const KernelCost &c) {
  const std::pair<double, CostBound> parts[] = {
      {c.hbm, CostBound::HBM},         {c.l2, CostBound::L2},
      {c.tensor, CostBound::Tensor},   {c.cudaCore, CostBound::CudaCore},
      {c.special, CostBound::Special}, {c.shared, CostBound::Shared},
      {c.latency, CostBound::Latency}, {c.launch, CostBound::Launch},
  };
  return llvm::max_element(
             parts,
             [](const auto &a, const auto &b) { return a.first < b.first; })
      ->second;
}

static StageFreeTimes getStageFreeTimes(const KernelSummary &s,
                                        const TargetDescription &t,
                                        const Rates &rates) {
  StageFreeTimes times;
  times.cost.blocks = s.blocks;
  times.multiprocessors = getMultiprocessors(s, t);
  times.perSM = llvm::divideCeil(s.blocks, times.multiprocessors);
  times.share = s.isLaunch ? times.perSM / s.blocks
                           : 1.0 / std::min(s.blocks, times.multiprocessors);
  addMemoryTimes(s, t, rates, times);
  addUnitTimes(s, t, rates, times);
  times.outer = getOuterPart(s, rates);
  return times;
}

/// Returns how many stages the blocks on an SM may have together for the loads
/// of their loops, by the best number of blocks. The lowering gives a block up
/// to eight.
static double countStages(const KernelSummary &s, const TargetDescription &t,
                          const StageFreeTimes &times, const KernelCost &c) {
  constexpr int64_t mostStages = 8;
  int64_t most = c.stages;
  auto resident = std::min(static_cast<int64_t>(times.perSM), c.occupancy);
  for (int64_t blocks = 1; s.stageBytes > 0 && blocks <= resident; ++blocks) {
    int64_t room = t.sharedMemoryPerSM / blocks - s.residentBytes;
    most = std::max(most, blocks * std::min(mostStages, room / s.stageBytes));
  }
  return static_cast<double>(most);
}

/// Returns how many tiles of a loop are on their way. Where threads copy, that
/// of a stage begins when all warps have multiplied what was in it, and they
/// multiply what is in another one then.
static double countTilesOnTheWay(const StageFreeTimes &times,
                                 const KernelCost &c, double iterations) {
  auto stages = static_cast<double>(c.stages);
  if (times.copiesAhead && stages < iterations)
    stages = std::max(1.0, stages - 1);
  return std::min(stages, iterations);
}

/// Returns what a block waits for memory: for its part of the traffic that is
/// loaded once, and then in its loops, one after another, each for its part, or
/// for the latency of its tiles.
static double getTimeOfLoops(const StageFreeTimes &times, const KernelCost &c,
                             double traffic) {
  double sum = traffic;
  for (const StageFreeTimes::Loop &loop : times.loops)
    sum -= loop.part * traffic;
  for (const StageFreeTimes::Loop &loop : times.loops)
    sum += std::max(loop.part * traffic,
                    c.waves * loop.iterations * loop.tileTime /
                        countTilesOnTheWay(times, c, loop.iterations));
  return sum;
}

/// Returns the time of device memory for what loops load again, where the
/// blocks that run at the same time have more of it than the L2 cache: 256 rows
/// of 128,256 numbers of 16 bits, which two loops load and one stores, take 55
/// microseconds, as if all three were from device memory. The lowering gives a
/// block no more stages than hide latency, so that there is room for as many
/// blocks as have the fewest stages.
static double getTimeOfMisses(const KernelSummary &s,
                              const TargetDescription &t,
                              const StageFreeTimes &times) {
  KernelCost fewest;
  fewest.stages = 2;
  if (s.reloads.bytes == 0 || !s.reloads.mayMiss ||
      !setOccupancy(s, t, times.multiprocessors, fewest))
    return 0;
  auto resident = static_cast<double>(
      std::min(s.blocks, fewest.occupancy * t.multiprocessors));
  bool isMissed =
      resident * s.reloads.keptBytes > static_cast<double>(t.l2Bytes);
  return isMissed ? s.reloads.bytes / (t.hbmBandwidth * 1e3) : 0;
}

static KernelCost estimateWithStages(const KernelSummary &s,
                                     const TargetDescription &t,
                                     const StageFreeTimes &times,
                                     int64_t stages) {
  KernelCost c = times.cost;
  c.stages = stages;
  if (!setOccupancy(s, t, times.multiprocessors, c)) {
    c.microseconds = std::numeric_limits<double>::infinity();
    c.bound = CostBound::Shared;
    return c;
  }
  c.hbm += getTimeOfMisses(s, t, times);
  // The clusters of a wave merge before the next one begins.
  if (s.mergesInWaves)
    c.launch += static_cast<double>(c.waves - 1) * getMergeTime(s, t);
  double ofUnits = getUnitTime(s, t, times, c);
  auto waiting = static_cast<double>(s.iterations - s.idleIterations);
  c.latency = c.waves * waiting * times.tileTime /
              countTilesOnTheWay(times, c, waiting);
  // A stage is loaded, by all SMs at the same time, and then multiplied before
  // it is loaded again.
  if (usesWgmma(s, t) && s.multipliesAlone && s.iterations > 1) {
    double loads = times.perSM * s.iterations * times.busyTileTime;
    c.latency =
        std::max(c.latency, (loads + ofUnits) / countStages(s, t, times, c));
  }
  double arithmetic = std::max(ofUnits, c.shared);
  double traffic = std::max(c.hbm + times.ofRereads, times.ofL2);
  if (!loadsBetweenProducts(s, t))
    traffic = std::max(traffic, getCopyTime(times, c));
  double memory =
      std::max({traffic, c.latency, getTimeOfLoops(times, c, traffic)});
  // The traffic of shared memory does not count here where wgmma reads it:
  // wgmma reads while other warps write. Blocks of an SM hide behind one
  // another only if there is room for several.
  double hidden =
      std::min(memory, usesWgmma(s, t) ? ofUnits : arithmetic) /
      (s.isLaunch ? std::min<double>(times.perSM, c.occupancy) : times.perSM);
  c.microseconds = c.launch + std::max(memory, arithmetic);
  // Kernels of a library read ahead as far as they need. What a launch computes
  // behind its loops waits for all that they load.
  if (s.isLaunch) {
    double serial = 1;
    if (s.isChain)
      serial = static_cast<double>(s.iterations);
    else if (usesWgmma(s, t))
      serial = s.serialIterations;
    double part =
        stages > 1 ? std::min(1.0, serial / static_cast<double>(s.iterations))
                   : 1.0;
    c.microseconds += hidden * (times.outer + (1 - times.outer) * part);
  }
  return c;
}

/// Returns microseconds that a kernel takes at least with any number of stages.
static double getLeastTime(const KernelSummary &summary,
                           const TargetDescription &target,
                           const StageFreeTimes &times) {
  const KernelCost &c = times.cost;
  // Each of these is a part of what estimateWithStages takes the longest of.
  double ofUnits = std::max({c.tensor, c.cudaCore, c.special});
  if (waitsForProducts(summary, target))
    ofUnits = c.tensor + c.cudaCore + c.special;
  if (loadsBetweenProducts(summary, target))
    ofUnits += times.copyTime;
  return c.launch +
         std::max({c.hbm + times.ofRereads, times.ofL2, c.shared, ofUnits});
}

/// The time with the best number of stages; any time between the limit and that
/// if it is no less than the limit.
static KernelCost estimateLaunch(const KernelSummary &summary,
                                 const TargetDescription &target,
                                 const Rates &rates, double limit) {
  StageFreeTimes times = getStageFreeTimes(summary, target, rates);
  if (double least = getLeastTime(summary, target, times); least >= limit) {
    KernelCost cost = times.cost;
    cost.microseconds = least;
    return cost;
  }
  // More tiles in flight hide latency, fewer leave room for more blocks.
  KernelCost best = estimateWithStages(summary, target, times, 1);
  int64_t most =
      std::min(summary.maxStages + times.copiesAhead, summary.iterations);
  for (int64_t stages = 2; stages <= most; ++stages) {
    KernelCost cost = estimateWithStages(summary, target, times, stages);
    if (cost.microseconds < best.microseconds)
      best = cost;
  }
  if (std::isfinite(best.microseconds))
    best.bound = getBound(best);
  return best;
}

KernelCost mirage::estimateKernel(const KernelSummary &summary,
                                  const TargetDescription &target,
                                  CostModel model, double limit) {
  if (model == CostModel::Published)
    return estimatePublished(summary, target);
  if (model == CostModel::General && summary.general)
    return estimateGeneral(summary, target);
  Rates rates(target);
  KernelCost best = estimateLaunch(summary, target, rates, limit);
  auto tryVariant = [&](const KernelSummary &variant, int64_t clusterBlocks,
                        bool keepsTiles) {
    KernelCost cost = estimateLaunch(variant, target, rates, limit);
    if (cost.microseconds >= best.microseconds)
      return;
    best = cost;
    best.clusterBlocks = clusterBlocks;
    best.keepsTiles = keepsTiles;
  };
  bool mayKeep = summary.reloads.bytes > 0;
  if (mayKeep)
    tryVariant(keepTiles(summary), 1, /*keepsTiles=*/true);
  // A grid that leaves multiprocessors idle is filled by sharing iterations.
  // The blocks of a cluster also have room for more tiles than one of them.
  for (int64_t blocks = 2; blocks <= mostSharingBlocks; blocks *= 2) {
    bool isFilled = summary.blocks * blocks > target.multiprocessors;
    if (!target.clusterPerClock || summary.mergedBlocks > 1 ||
        summary.sharedIterations % blocks || (isFilled && !mayKeep))
      break;
    KernelSummary shared = shareIterations(summary, blocks);
    if (!isFilled)
      tryVariant(shared, blocks, /*keepsTiles=*/false);
    if (mayKeep)
      tryVariant(keepTiles(shared), blocks, /*keepsTiles=*/true);
  }
  return best;
}
