//===- ScheduleStages.cpp - How many tiles of loops are on their way ------===//
//
// Chooses the stages of a launch's loops: as many as hide the latency of memory
// and have room in shared memory, which a trial of the kernel says.
//
//===----------------------------------------------------------------------===//

#include "ScheduleChooser.h"
#include "ScheduledLaunch.h"
#include "TrialKernel.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mirage;
using llvm::formatv;

static bool isInDeviceMemory(Value memory) {
  return !cast<MemRefType>(memory.getType()).getMemorySpace();
}

/// Returns true if what the loops of a kernel load comes by way of registers.
static bool comeByRegisters(gpu::GPUFuncOp kernel) {
  bool copies = false, loads = false;
  kernel.walk([&](Operation *op) {
    if (!op->getParentOfType<scf::ForOp>())
      return;
    copies |= isa<thread::CopyOp, thread::BulkCopyOp>(op);
    auto load = dyn_cast<thread::LoadFragmentOp>(op);
    loads |= load && isInDeviceMemory(load.getSource());
  });
  return loads && !copies;
}

/// Returns true if the loader of a kernel leaves all that it brings to the copy
/// engine; it may prepare operands of that.
static bool onlyAsks(gpu::GPUFuncOp kernel) {
  bool asks = false, brings = false;
  for (auto loader : kernel.getOps<thread::LoaderOp>())
    loader.walk([&](Operation *op) {
      asks |= isa<thread::BulkCopyOp>(op);
      auto load = dyn_cast<thread::LoadFragmentOp>(op);
      brings |= isa<thread::CopyOp>(op) ||
                (load && isInDeviceMemory(load.getSource()));
    });
  return asks && !brings;
}

/// Returns true if the warps of a kernel that do not load store tiles to shared
/// memory.
static bool storesSharedTiles(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](thread::StoreFragmentOp store) {
        bool isWorkers = !store->getParentOfType<thread::LoaderOp>() &&
                         thread::isInSharedMemory(
                             cast<MemRefType>(store.getTarget().getType()));
        return isWorkers ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

std::optional<int64_t> ScheduleChooser::getSharedMemory(int64_t stages) {
  LaunchSchedule tried = schedule;
  tried.stages = stages;
  // That a trial fails is no error of the program. Those of other threads are
  // none of a trial.
  ScopedDiagnosticHandler silent(
      launch.getContext(), [thread = llvm::get_threadid()](Diagnostic &) {
        return success(thread == llvm::get_threadid());
      });
  TrialKernel kernel = buildTrialKernel(launch, tried);
  loopsLoadRegisters = comeByRegisters(kernel.function);
  loaderOnlyAsks = onlyAsks(kernel.function);
  workersStoreShared = storesSharedTiles(kernel.function);
  if (!kernel.shape)
    return std::nullopt;
  return kernel.shape->sharedMemoryBytes;
}

namespace {
/// What all blocks load in a launch's loops, and the tensors of which it is.
struct LoopTraffic {
  double loaded = 0, distinct = 0;
};
} // namespace

static LoopTraffic getLoopTraffic(kernel::LaunchOp launch, int64_t blocks) {
  LoopTraffic traffic;
  llvm::SmallPtrSet<mlir::Value, 4> tensors;
  auto getBytes = [](mlir::Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return static_cast<double>(type.getNumElements() *
                               std::max(8u, type.getElementTypeBitWidth()) / 8);
  };
  launch.getBody().walk([&](block::LoadOp load) {
    auto loop = load->getParentOfType<block::ForOp>();
    if (!loop || !dependsOnLoop(load))
      return;
    traffic.loaded += getBytes(load.getResult()) *
                      static_cast<double>(loop.getExtent() * blocks);
    if (tensors.insert(load.getSource()).second)
      traffic.distinct += getBytes(load.getSource());
  });
  return traffic;
}

/// Returns the bytes on their way that hide the latency of device memory from
/// one multiprocessor: its share of the bandwidth, for the latency. What
/// several blocks load comes from L2 but for the first time.
static int64_t getBytesInFlight(const LoopTraffic &traffic,
                                const TargetDescription &target) {
  if (!target.smBandwidth)
    return 32768;
  double rate = target.hbmBandwidth;
  if (traffic.loaded > traffic.distinct)
    rate = std::min<double>(target.l2Bandwidth,
                            rate * traffic.loaded / traffic.distinct);
  return static_cast<int64_t>(rate * target.hbmLatency /
                              target.multiprocessors);
}

bool ScheduleChooser::hasRoomForAll() {
  if (shape.trips > mostStages)
    return false;
  std::optional<int64_t> needed =
      getSharedMemory(std::min(shape.trips + 1, mostStages));
  return needed && *needed <= target.sharedMemoryPerBlock;
}

bool ScheduleChooser::chooseStages(int64_t capacity) {
  schedule.stages = leastStages;
  std::optional<int64_t> least = getSharedMemory(leastStages);
  if (!least || *least > capacity)
    return false;
  int64_t trips = shape.trips / schedule.loopGroups;
  int64_t most = std::min<int64_t>(trips + 1, mostStages);
  // Tiles that come by way of registers are on their way for one iteration,
  // however many stages there are.
  bool areLoaded = schedule.loaderWarps == 0 && loopsLoadRegisters;
  // Operands of deferred products have stages of their own, so that tiles for
  // three trips are on their way with two, unless they are prepared on it.
  bool isDeferred = schedule.defersProducts && !schedule.loaderPrepares;
  if (areLoaded || isDeferred)
    most = leastStages;
  // The first tiles that are prepared come later the more are asked for at the
  // beginning: of four iterations, 7.1 microseconds with tiles of three on
  // their way, and 7.3 with those of all (qknorm of one sequence).
  if (schedule.defersProducts && schedule.loaderPrepares)
    most = std::clamp(trips - 1, leastStages, mostStages);
  auto getBytes = [&](int64_t stages) {
    return getSharedMemory(stages).value_or(
        std::numeric_limits<int64_t>::max());
  };
  // What merges the groups after the loop takes the place of its stages, and
  // few of them may be smaller than that. A stage beyond the trips takes no
  // room.
  int64_t slots = std::min(trips, most);
  int64_t stage =
      slots > leastStages ? getBytes(slots) - getBytes(slots - 1) : 0;
  // The tiles of all trips are on their way at once where they have room.
  bool haveRoom = trips <= most && getBytes(most) <= capacity;
  // Three tiles on their way hide that some take longer than others.
  LoopTraffic traffic =
      getLoopTraffic(launch, shape.blocks / limits.clusterBlocks);
  int64_t inFlight = getBytesInFlight(traffic, target);
  while (schedule.stages < most && traffic.loaded > 0 &&
         (haveRoom || schedule.stages >= trips || schedule.stages < 4 ||
          (schedule.stages - 1) * stage < 3 * inFlight))
    ++schedule.stages;
  while (schedule.stages > leastStages && getBytes(schedule.stages) > capacity)
    --schedule.stages;
  if (areLoaded)
    why.stages = "rows are not aligned, so that tiles come by way of registers "
                 "while one iteration computes";
  else if (isDeferred)
    why.stages = "products that are deferred have stages of their own";
  else if (trips < schedule.stages)
    why.stages =
        formatv("there {0} {1} iteration{2} to load for",
                trips == 1 ? "is" : "are", trips, trips == 1 ? "" : "s");
  else
    why.stages = formatv(
        "a stage takes {0} bytes of the {1} that a block may have; {2} bytes "
        "on their way hide the latency of memory",
        stage, capacity, inFlight);
  // A tile of two stages is awaited as soon as it is asked for, so four warps
  // with more stages are better than eight.
  return schedule.stages > leastStages || trips < 3 ||
         schedule.defersProducts || schedule.loopGroups == 1 ||
         schedule.getNumWarps() < 2 * mostSharers;
}
