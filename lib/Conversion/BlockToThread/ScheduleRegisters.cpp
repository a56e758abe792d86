//===- ScheduleRegisters.cpp - Registers of the warps of a schedule -------===//
//
// Has the rules by which blocks stay and products are deferred: both take
// registers, which warps that only ask the copy engine leave to the others. The
// measurements behind them are in docs/performance/scheduled-kernels.md.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/RegisterLayout.h"
#include "ScheduleChooser.h"
#include "ScheduledLaunch.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;
using llvm::formatv;

bool ScheduleChooser::hasRegistersForTwo() const {
  // The numbers beside its sums that a thread has at least: what is made of
  // scores among them.
  int64_t others = shape.rowsStayTogether ? 64 : 32;
  // Groups of warps that share the iterations are not counted: if they have no
  // room, their number is reduced to one.
  int64_t threads =
      schedule.rowWarps * schedule.columnWarps * RegisterLayout::kWarpSize;
  int64_t sums = shape.rowsStayTogether ? shape.allSums : shape.sums;
  return 2 * (sums + others * threads) <= target.registersPerSM;
}

int64_t ScheduleChooser::getLoaderNeeds() const {
  // A thread that only asks the copy engine has so many registers at least. One
  // that prepares has up to 64 elements of 16 bits of each tile, which are f32
  // for a while, and what it computes of them.
  constexpr int64_t ofAsking = 40, ofPreparing = 56, ofTile = 32;
  if (!schedule.loaderPrepares)
    return ofAsking;
  size_t tiles = 1;
  kernel::LaunchOp(launch).getBody().walk([&](block::ForOp loop) {
    for (const Preparation &preparation : findPreparations(loop, schedule))
      tiles = std::max<size_t>(tiles, preparation.loads.size());
  });
  return ofPreparing + ofTile * static_cast<int64_t>(tiles);
}

std::optional<int64_t> ScheduleChooser::getMostWorkerRegisters() const {
  // The registers of a thread that does not load, at most (schedule_c11).
  constexpr int64_t mostWorkerRegisters = 240;
  int64_t ofLoader = getLoaderNeeds();
  int64_t workers = schedule.getNumWarps();
  if (!schedule.bulkCopies || workers % warpgroup)
    return std::nullopt;
  int64_t registers = mostWorkerRegisters;
  while (getLoaderRegisters(registers, workers, warpgroup) < ofLoader)
    registers -= 8;
  if (registers <=
      target.registersPerSM / RegisterLayout::kWarpSize / (workers + warpgroup))
    return std::nullopt;
  return registers;
}

void ScheduleChooser::choosePersistence(int64_t resident) {
  schedule.persistentBlocks = schedule.workerRegisters = 0;
  if (!limits.mayStay || schedule.loaderPrepares || resident > 1 ||
      schedule.clusterBlocks > 1 || shape.loops != 1 || shape.joinsTiles ||
      shape.storesTiles || shape.blocks <= target.multiprocessors)
    return;
  // What a thread carries from one block to the next takes registers, which the
  // warps that only ask the copy engine have left.
  std::optional<int64_t> registers = getMostWorkerRegisters();
  if (!registers)
    return;
  LaunchSchedule withoutTurns = schedule;
  schedule.loaderWarps = warpgroup;
  schedule.workerRegisters = *registers;
  schedule.persistentBlocks = target.multiprocessors;
  // Results that leave by way of shared memory take the memory of a stage, and
  // all warps meet between turns. A launch of products alone is slower so.
  if (!shape.rowsStayTogether &&
      (!getSharedMemory(leastStages) || workersStoreShared)) {
    schedule = withoutTurns;
    return;
  }
  why.persistent =
      formatv("a multiprocessor has room for one of the {0} blocks "
              "at a time, and begins to load for the next one",
              shape.blocks);
}

void ScheduleChooser::chooseSums() {
  // A product that nobody waits for may take longer.
  schedule.sumsByProducts =
      limits.mayAddByProducts && schedule.defersProducts &&
      launch.getBody()
          .walk([&](block::ForOp loop) {
            return findProductSums(loop, schedule).products.empty()
                       ? WalkResult::advance()
                       : WalkResult::interrupt();
          })
          .wasInterrupted();
  if (schedule.sumsByProducts)
    why.sums = "the product adds up the rows of its left operand with eight "
               "more columns of ones, which takes an eighth of its time where "
               "it has 64, and no other instruction";
}

bool ScheduleChooser::hasTripsToDefer() const {
  // The first trip and the products behind the last one are no part of the
  // loop.
  constexpr int64_t leastTrips = 4;
  return shape.trips >= leastTrips * schedule.loopGroups;
}

void ScheduleChooser::chooseDeferral(int64_t resident) {
  schedule.defersProducts = false;
  if (!schedule.bulkCopies)
    return;
  // Warps that prepare what the copy engine brings leave registers to the
  // others, whether these defer products or not.
  if (schedule.loaderPrepares && resident == 1)
    schedule.workerRegisters = getMostWorkerRegisters().value_or(0);
  // It is slower where warps bring the tiles, or prepare one for each group:
  // their instructions delay those of the groups, which have no others to wait
  // for then.
  if (!limits.mayDefer || (schedule.loaderPrepares && schedule.loopGroups > 1))
    return;
  if (!hasTripsToDefer())
    return;
  // The elements of the left operands, which threads have from one trip to the
  // next.
  int64_t carried = 0;
  bool deferAll = true;
  launch.getBody().walk([&](block::ForOp loop) {
    DeferredProducts deferred = findDeferredProducts(loop, schedule);
    deferAll &= !deferred.products.empty();
    for (Operation *product : deferred.products)
      carried += cast<RankedTensorType>(product->getOperand(0).getType())
                     .getNumElements();
  });
  // A loop without such products would have fewer stages for nothing.
  if (carried == 0 || !deferAll)
    return;
  // A register has two of them. Others are for addresses, maxima and sums of
  // rows, and for what is computed at a time.
  constexpr int64_t others = 40, step = 8;
  int64_t needed =
      getPerThread(shape.allSums) + getPerThread(carried) / 2 + others;
  auto getAtLaunch = [&](int64_t loaders) {
    int64_t warps = llvm::alignTo(schedule.getNumWarps() + loaders, warpgroup);
    return target.registersPerSM / resident / RegisterLayout::kWarpSize /
           warps / step * step;
  };
  int64_t registers = schedule.workerRegisters
                          ? schedule.workerRegisters
                          : getAtLaunch(schedule.loaderWarps);
  // The warps that only ask the copy engine leave theirs, where one block has
  // the registers of a multiprocessor.
  if (std::optional<int64_t> most = getMostWorkerRegisters();
      most && resident == 1 && schedule.workerRegisters == 0 &&
      needed <= *most) {
    schedule.loaderWarps = warpgroup;
    registers = schedule.workerRegisters = *most;
  }
  schedule.defersProducts = needed <= registers;
  why.deferral = formatv("a thread has registers for {0} numbers, with the "
                         "operand that one trip leaves to the next",
                         needed);
}
