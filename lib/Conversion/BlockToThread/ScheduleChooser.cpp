//===- ScheduleChooser.cpp - The numbers of a schedule --------------------===//
//
// Has the rules by which schedules are chosen. The measurements behind them are
// in docs/performance/scheduled-kernels.md.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChooser.h"
#include "Mirage/Schedule/RegisterLayout.h"
#include "Mirage/Support/Divisors.h"
#include "ScheduledLaunch.h"
#include "TrialKernel.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mirage;
using llvm::formatv;

/// Returns true if the loader of a schedule has operands to prepare.
static bool hasPreparations(kernel::LaunchOp launch,
                            const LaunchSchedule &schedule) {
  return launch.getBody()
      .walk([&](block::ForOp loop) {
        return findPreparations(loop, schedule).empty()
                   ? WalkResult::advance()
                   : WalkResult::interrupt();
      })
      .wasInterrupted();
}

ScheduleChooser::ScheduleChooser(kernel::LaunchOp launch,
                                 const TargetDescription &target,
                                 const ScheduleLimits &limits,
                                 ScheduleReasons &why)
    : launch(launch), target(target), limits(limits), why(why),
      shape(describeLaunch(launch)),
      mayUseWgmma(limits.mayUseWgmma && hasWgmma(target.chip) &&
                  !shape.hasLaneProducts) {
  schedule.clusterBlocks = limits.clusterBlocks;
  schedule.indexMasks = limits.mayComputeMasks && !IndexMasks(launch).empty();
  shape.blocks *= limits.clusterBlocks;
  shape.trips /= limits.clusterBlocks;
  shape.commonTrips /= limits.clusterBlocks;
}

/// Returns how many of at most so many sharers have parts: a divisor, or where
/// there is none but one, as many as leave at most a fifth of the places empty.
static int64_t getSharers(int64_t parts, int64_t most) {
  int64_t even = getLargestDivisor(parts, most);
  for (int64_t sharers = std::min(parts, most); even == 1 && sharers > 1;
       --sharers)
    if (4 * llvm::alignTo(parts, sharers) <= 5 * static_cast<uint64_t>(parts))
      return sharers;
  return even;
}

void ScheduleChooser::shareElements() {
  // An exponential is twenty instructions, which more warps issue at the same
  // time where blocks are alone: a sigmoid of 8 rows of 4096 elements takes 3.9
  // microseconds with 32 elements a lane, 3.0 with 16 and 2.8 with 8.
  bool sharesMore = 2 * shape.exponentialElements >= shape.elements &&
                    shape.loops == 0 && shape.blocks <= target.multiprocessors;
  int64_t perLane = sharesMore ? 8 : 16;
  // Four warps share twice as many, and more of them what is larger still.
  int64_t mostPerLane = 2 * perLane;
  bool isLarge =
      sharesMore ||
      shape.elements > mostSharers * RegisterLayout::kWarpSize * mostPerLane;
  schedule.columnWarps = std::clamp<int64_t>(
      llvm::bit_ceil(static_cast<uint64_t>(shape.elements)) /
          (RegisterLayout::kWarpSize * perLane),
      1, isLarge ? limits.mostWarps : std::min(limits.mostWarps, mostSharers));
  why.warps = formatv("there is no product; a lane has about {0} of the {1} "
                      "elements of the largest tile",
                      perLane, shape.elements);
}

void ScheduleChooser::shareIterations() {
  constexpr int64_t leastTrips = 4, leastOfLong = 32, leastPerLane = 4,
                    mostPerLane = 32, warpsPerSM = 16;
  if (shape.loops == 0 || shape.innerLoops || shape.joinsTiles ||
      (shape.storesTiles && !shape.storesWholeRows))
    return;
  auto mayDouble = [&](int64_t least) {
    return shape.commonTrips % (2 * schedule.loopGroups) == 0 &&
           shape.commonTrips / (2 * schedule.loopGroups) >= least;
  };
  while (schedule.columnWarps % 2 == 0 && mayDouble(leastTrips) &&
         shape.elements <= schedule.columnWarps / 2 *
                               RegisterLayout::kWarpSize * mostPerLane) {
    schedule.columnWarps /= 2;
    schedule.loopGroups *= 2;
  }
  // In long loops few warps load too little at a time. Without products they
  // have registers for twice as many.
  int64_t blocksPerSM = llvm::divideCeil(shape.blocks, target.multiprocessors);
  auto areFew = [&] {
    int64_t warps = 2 * schedule.getNumWarps();
    return warps <= 2 * limits.mostWarps && warps * blocksPerSM <= warpsPerSM;
  };
  while (mayDouble(leastOfLong) && areFew())
    schedule.loopGroups *= 2;
  while (shape.commonTrips / schedule.loopGroups >= leastOfLong && areFew() &&
         shape.elements >= 2 * schedule.columnWarps *
                               RegisterLayout::kWarpSize * leastPerLane)
    schedule.columnWarps *= 2;
  if (schedule.loopGroups > 1)
    why.groups = formatv("there are {0} iterations; warps that have some of "
                         "them each exchange nothing until the loop ends",
                         shape.commonTrips);
}

void ScheduleChooser::shareLaneSums() {
  int64_t rows = MatrixInstruction::rows * shape.rowParts,
          columns = MatrixInstruction::columns * shape.columnParts;
  int64_t wanted = llvm::bit_ceil(static_cast<uint64_t>(llvm::divideCeil(
      rows * columns, mostLaneSums * RegisterLayout::kWarpSize)));
  int64_t most = std::clamp(wanted, mostSharers, 2 * limits.mostWarps);
  // Lanes load least where the warps' parts are nearest to squares.
  int64_t least = std::numeric_limits<int64_t>::max();
  for (int64_t rowWarps = 1; rowWarps <= std::min(most, shape.rowParts);
       rowWarps *= 2) {
    int64_t columnWarps = std::clamp<int64_t>(
        llvm::divideCeil(shape.columnParts, 2), 1, most / rowWarps);
    int64_t loaded = llvm::divideCeil(rows, rowWarps) +
                     llvm::divideCeil(columns, columnWarps);
    if (rowWarps * columnWarps < schedule.rowWarps * schedule.columnWarps ||
        (rowWarps * columnWarps == schedule.rowWarps * schedule.columnWarps &&
         loaded >= least))
      continue;
    least = loaded;
    schedule.rowWarps = rowWarps;
    schedule.columnWarps = columnWarps;
  }
  why.warps = formatv("the largest product has {0} rows and {1} columns, of "
                      "which a thread has registers for {2} sums",
                      rows, columns, mostLaneSums);
}

bool ScheduleChooser::hasRowsForTwo() const {
  return shape.commonRowParts % (2 * mostSharers) == 0;
}

bool ScheduleChooser::mayHaveTwoWarpgroups() const {
  return !shape.rowsStayTogether && mayUseWgmma && limits.mayUseLoader &&
         hasRowsForTwo();
}

int64_t ScheduleChooser::getMostRowWarps() {
  int64_t most = std::min(limits.mostWarps, mostSharers);
  // Rows that belong to one warp need no exchange between warps; they are
  // shared nevertheless where a warp's registers do not suffice.
  bool isCrowded =
      shape.rowsStayTogether &&
      (shape.parts > most * mostPartsPerWarp ||
       shape.allSums > most * RegisterLayout::kWarpSize * mostChained);
  // A block that has a multiprocessor for itself has two warpgroups, one of
  // which computes while the other one waits.
  bool gainsAlone = isAlone && mayHaveTwoWarpgroups();
  if ((isCrowded && hasRowsForTwo()) || gainsAlone)
    most = std::min(limits.mostWarps, 2 * mostSharers);
  why.warps = formatv("the largest product has {0} rows and {1} columns",
                      MatrixInstruction::rows * shape.rowParts,
                      MatrixInstruction::columns * shape.columnParts);
  if (shape.rowsStayTogether)
    why.warps += ", and a row belongs to as few warps as have registers for "
                 "it, since it is reduced or multiplied again";
  if (most > mostSharers)
    why.warps += isCrowded ? "; four warps have no registers for it"
                           : "; a block has a multiprocessor alone, so that "
                             "one warpgroup computes while another one waits";
  return most;
}

bool ScheduleChooser::wouldUseWgmma(int64_t rowWarps,
                                    int64_t columnWarps) const {
  LaunchSchedule tried = schedule;
  tried.rowWarps = rowWarps;
  tried.columnWarps = columnWarps;
  tried.usesWgmma = true;
  return mayUseWgmma && hasWarpgroupProduct(launch, tried);
}

void ScheduleChooser::shareRows() {
  schedule.rowWarps = getSharers(shape.rowParts, getMostRowWarps());
  if (schedule.rowWarps % warpgroup == 0)
    return;
  // The columns of products with few rows can be the rows of wgmma.
  mayExchange = mayUseWgmma && !shape.rowsStayTogether;
  bool columnsFit =
      mayExchange && shape.columnsFill && wouldUseWgmma(1, warpgroup);
  // The last warps of a warpgroup may have fewer rows than others, or none.
  bool rowsFit = shape.rowsFill && wouldUseWgmma(warpgroup, 1);
  isExchanged = columnsFit &&
                !(rowsFit && shape.straightElements <= shape.exchangedElements);
  if (isExchanged)
    schedule.rowWarps = 1;
  else if (rowsFit)
    schedule.rowWarps = warpgroup;
  mayExchange &= !rowsFit || isExchanged;
}

void ScheduleChooser::shareColumns() {
  int64_t warps = std::max<int64_t>(1, mostSharers / schedule.rowWarps);
  if (shape.rowsStayTogether)
    warps = llvm::divideCeil(shape.parts, schedule.rowWarps * mostPartsPerWarp);
  schedule.columnWarps =
      getSharers(shape.columnParts,
                 std::min(warps, 2 * limits.mostWarps / schedule.rowWarps));
  if (isExchanged && schedule.columnWarps % warpgroup)
    schedule.columnWarps = warpgroup;
}

int64_t ScheduleChooser::getPerThread(int64_t elements) const {
  return elements /
         (schedule.rowWarps * schedule.columnWarps * RegisterLayout::kWarpSize);
}

void ScheduleChooser::addWarpsForSums() {
  // Threads have the operands of mma.sync in registers, too.
  bool fillsWarpgroup =
      mayUseWgmma && (schedule.rowWarps % warpgroup == 0 || isExchanged);
  int64_t most = fillsWarpgroup ? mostSums : mostSumsOfMmaSync;
  if (getPerThread(shape.sums) > most)
    why.warps += formatv("; a thread has registers for {0} sums", most);
  while (getPerThread(shape.sums) > most &&
         schedule.getNumWarps() < 2 * limits.mostWarps) {
    if (shape.rowParts % (2 * schedule.rowWarps) == 0)
      schedule.rowWarps *= 2;
    else if (shape.columnParts % (2 * schedule.columnWarps) == 0)
      schedule.columnWarps *= 2;
    else
      break;
  }
}

/// Warps beyond the parts of a product compute it, too, and share what is
/// computed beside it: a thread has no registers for more than 256 elements.
void ScheduleChooser::addWarpsForComputedElements() {
  if (getPerThread(shape.computedElements) < 2 * mostSums)
    return;
  why.warps +=
      formatv("; {0} elements are computed beside it", shape.computedElements);
  while (getPerThread(shape.computedElements) > mostSums &&
         schedule.getNumWarps() < limits.mostWarps)
    schedule.columnWarps *= 2;
}

void ScheduleChooser::chooseInstruction() {
  // Rows or columns that more warps share may fill no warpgroup.
  bool isWhole = schedule.rowWarps % warpgroup == 0 ||
                 (mayExchange && schedule.rowWarps == 1 &&
                  schedule.columnWarps % warpgroup == 0);
  schedule.usesWgmma = mayUseWgmma;
  schedule.usesWgmma =
      mayUseWgmma && isWhole && hasWarpgroupProduct(launch, schedule);
  if (shape.hasLaneProducts)
    why.instruction = "lanes multiply f32 by fused multiply-adds";
  else if (!hasWgmma(target.chip))
    why.instruction = formatv("{0} has no wgmma", target.chip);
  else if (!mayUseWgmma)
    why.instruction = "wgmma is switched off, or its operands have no room";
  else if (!schedule.usesWgmma)
    why.instruction = "neither rows nor columns fill warpgroups, of which each "
                      "has 64";
  else if (isExchanged)
    why.instruction = "operands are exchanged, so that columns are its rows: "
                      "64 for each warpgroup";
  else
    why.instruction = "rows fill its warpgroups, 64 for each";
}

/// Returns true if loops compute exponentials, as those of attention do.
static bool hasExponentials(kernel::LaunchOp launch) {
  return launch.getBody()
      .walk([](ComputeOpInterface op) {
        bool isInLoop = op->getParentOfType<block::ForOp>() != nullptr;
        return isInLoop && getOpInfo(op.getOpKind()).exponentials > 0
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

void ScheduleChooser::chooseGroups() {
  if (shape.joinsTiles) {
    why.groups = "a loop puts tiles together, of which one group has all";
    return;
  }
  int64_t leastTrips = getLeastTrips();
  if (shape.trips > 1 && schedule.usesWgmma && !hasExponentials(launch) &&
      hasRoomForAll()) {
    // Another group would hide no latency, and what both have is merged: a
    // product of 128 x 32 x 512 in eight iterations takes 5.3 microseconds with
    // two groups, and 4.4 with one (G9).
    why.groups = "the tiles of all iterations are on their way at once";
    return;
  }
  while (schedule.getNumWarps() * 2 <= limits.mostWarps &&
         shape.trips % (schedule.loopGroups * 2) == 0 &&
         shape.trips / (schedule.loopGroups * 2) >= leastTrips)
    schedule.loopGroups *= 2;
  if (shape.trips == 1)
    why.groups = "there is one iteration";
  else
    why.groups = formatv("there are {0} iterations; a group has at least {1} "
                         "of them, and a block has about {2} warps",
                         shape.trips, leastTrips == 2 ? "two" : "four",
                         limits.mostWarps);
}

bool ScheduleChooser::leavesAllToEngine() {
  schedule.bulkCopies = true;
  return getSharedMemory(leastStages).has_value() && loaderOnlyAsks;
}

bool ScheduleChooser::leaveLoadsToEngine() {
  // Few warps that multiply by mma.sync have their copies to issue, too.
  bool isWorthIt = schedule.getNumWarps() >= 2 * warpgroup || limits.isWide ||
                   isLongProduct() || hasLongIterations() ||
                   !schedule.usesWgmma;
  if (!limits.mayCopyInBulk || !isWorthIt ||
      schedule.getNumWarps() >= mostWarpsOfBlock || !hasTripsForEngine())
    return false;
  schedule.loaderWarps = 1;
  schedule.loaderPrepares = false;
  // A warp would prepare operands alone.
  if ((limits.mayPrepare && hasPreparations(launch, schedule)) ||
      !leavesAllToEngine()) {
    schedule.loaderWarps = 0;
    schedule.bulkCopies = false;
    return false;
  }
  return true;
}

void ScheduleChooser::chooseLoader() {
  schedule.loaderWarps = 0;
  schedule.loaderPrepares = schedule.bulkCopies = false;
  why.loader = "all warps load what they need";
  if (!limits.mayUseLoader || shape.trips <= schedule.loopGroups)
    return;
  if (!schedule.usesWgmma) {
    bool canBring = hasWgmma(target.chip) && shape.rowsStayTogether &&
                    !shape.hasLaneProducts && !limits.isWide;
    if (canBring && leaveLoadsToEngine())
      why.loader = "the copy engine brings all tiles of loops, which a warp "
                   "asks it for";
    return;
  }
  if (!shape.rowsStayTogether && schedule.rowWarps < 2 * warpgroup &&
      !isLongProduct())
    return;
  // One warpgroup waits for each of its products, and has more stages without
  // another one that has stages of its own.
  int64_t groups = schedule.loopGroups;
  if (isLongProduct())
    schedule.loopGroups = 1;
  if (leaveLoadsToEngine()) {
    if (schedule.loopGroups < groups)
      why.groups = "more stages for one are better than stages for each";
    why.loader = "the copy engine brings all tiles of loops, which a warp asks "
                 "it for";
    return;
  }
  schedule.loopGroups = groups;
  bool isOneGroup = schedule.getNumWarps() < 2 * warpgroup;
  if (isLongProduct() || (isOneGroup && !loadsForOneGroup))
    return;
  schedule.loaderWarps = warpgroup;
  why.loader = isOneGroup ? "warps bring tiles that one warpgroup "
                            "multiplies a trip behind"
               : shape.rowsStayTogether
                   ? "two warpgroups compute products of products"
                   : "a product has two warpgroups of rows";
  schedule.loaderPrepares =
      limits.mayPrepare && hasPreparations(launch, schedule);
  if (!schedule.loaderPrepares)
    return;
  why.loader += "; operands depend on nothing but what was loaded for one "
                "iteration";
  schedule.bulkCopies =
      limits.mayCopyInBulk && hasTripsForEngine() && leavesAllToEngine();
  if (schedule.bulkCopies)
    why.loader += ", which the copy engine brings";
}

void ScheduleChooser::keepTiles(int64_t capacity) {
  if (!limits.mayKeep || schedule.loaderWarps > 0 || schedule.indexMasks ||
      findKeptLoads(launch, schedule).empty())
    return;
  schedule.keepsTiles = true;
  std::optional<int64_t> needed = getSharedMemory(schedule.stages);
  if (limits.keepsTiles)
    capacity = target.sharedMemoryPerBlock;
  schedule.keepsTiles = needed && *needed <= capacity;
  if (schedule.keepsTiles)
    why.kept =
        formatv("all tiles that loops load again have room in {0} of the "
                "{1} bytes that a block may have",
                *needed, capacity);
}

void ScheduleChooser::chooseWarps() {
  schedule.rowWarps = schedule.columnWarps = schedule.loopGroups = 1;
  mayExchange = isExchanged = false;
  why.groups.clear();
  if (shape.rowParts == 0) {
    shareElements();
    shareIterations();
    return;
  }
  if (shape.hasLaneProducts) {
    shareLaneSums();
  } else {
    shareRows();
    shareColumns();
    addWarpsForSums();
  }
  addWarpsForComputedElements();
  chooseInstruction();
  chooseGroups();
}

/// Lets fewer groups share the iterations where each has too few of them to
/// defer products otherwise.
void ScheduleChooser::deferByFewerGroups(int64_t resident) {
  if (schedule.defersProducts || schedule.loopGroups == 1 || hasTripsToDefer())
    return;
  LaunchSchedule shared = schedule;
  ScheduleReasons reasons = why;
  llvm::SaveAndRestore one(loadsForOneGroup, true);
  while (schedule.loopGroups > 1 && !schedule.defersProducts) {
    schedule.loopGroups /= 2;
    chooseLoader();
    choosePersistence(resident);
    chooseDeferral(resident);
  }
  if (schedule.defersProducts) {
    why.groups = "one that defers products is faster than more with fewer "
                 "iterations each";
    return;
  }
  schedule = shared;
  why = reasons;
}

std::optional<LaunchSchedule> ScheduleChooser::choose() {
  isAlone = shape.blocks <= target.multiprocessors;
  chooseWarps();
  // As many blocks as the grid has for a multiprocessor share its memory, up to
  // two, if there are registers for their sums. Clusters do not find room on
  // all, and those that find none would begin when others have ended.
  int64_t resident = std::clamp<int64_t>(
      llvm::divideCeil(shape.blocks,
                       target.getMultiprocessors(schedule.clusterBlocks)),
      1, hasRegistersForTwo() ? 2 : 1);
  int64_t capacity = std::min(target.sharedMemoryPerBlock,
                              target.sharedMemoryPerSM / resident - 1024);
  while (true) {
    chooseLoader();
    choosePersistence(resident);
    chooseDeferral(resident);
    deferByFewerGroups(resident);
    chooseSums();
    if (chooseStages(capacity)) {
      keepTiles(capacity);
      return schedule;
    }
    if (schedule.persistentBlocks > 0) {
      // The tiles of two turns may have no room.
      limits.mayStay = false;
      why.persistent.clear();
    } else if (schedule.loopGroups > 1) {
      schedule.loopGroups /= 2;
      why.groups = "more have no room for their stages in shared memory";
    } else if (capacity < target.sharedMemoryPerBlock) {
      capacity = target.sharedMemoryPerBlock;
      // There is room for one block at a time, however many the grid has.
      if (!std::exchange(isAlone, true) && mayHaveTwoWarpgroups()) {
        resident = 1;
        chooseWarps();
      }
    } else {
      return std::nullopt;
    }
  }
}
