//===- SchedulePlanner.cpp - How launches are executed --------------------===//
//
// The rules by which schedules are chosen, with the measurements behind them in
// docs/performance/scheduled-kernels.md.
//
//===----------------------------------------------------------------------===//

#include "SchedulePlanner.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Schedule/RegisterLayout.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Support/PassSupport.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FormatVariadic.h"
#include <numeric>

using namespace mlir;
using namespace mirage;
using llvm::formatv;

namespace {
/// What the choice depends on.
struct LaunchShape {
  /// The most rows and columns of a product, in parts of 16 and of 8, and the
  /// most such parts of one product.
  int64_t rowParts = 0, columnParts = 0, parts = 0;
  /// The largest number that divides the rows of all products, in parts of 16.
  int64_t commonRowParts = 0;
  int64_t commonColumnParts = 0;
  /// Says whether what a product made is reduced along its rows, or is the left
  /// operand of another one: then a row belongs to one warp.
  bool rowsStayTogether = false;
  /// Says whether a loop puts tiles together, of which one group of warps has
  /// all.
  bool joinsTiles = false;
  /// The iterations of the loop that has most.
  int64_t trips = 1;
  /// The elements of the largest tile, and of the largest one that elementwise
  /// operators compute.
  int64_t elements = 1, computedElements = 1;
  int64_t blocks = 1;
};
} // namespace

/// Returns true if a value comes from a product by way of operators that stay
/// in registers.
static bool comesFromProduct(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (isMatmul(op))
    return true;
  auto compute = dyn_cast<ComputeOpInterface>(op);
  return compute &&
         (getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise ||
          compute.getOpKind() == OpKind::Pad) &&
         llvm::any_of(op->getOperands(), comesFromProduct);
}

static LaunchShape describe(kernel::LaunchOp launch) {
  LaunchShape shape;
  for (int64_t extent : launch.getGrid())
    shape.blocks *= extent;
  launch.getBody().walk([&](Operation *op) {
    if (auto loop = dyn_cast<block::ForOp>(op))
      shape.trips = std::max<int64_t>(shape.trips, loop.getExtent());
    for (Type type : op->getResultTypes())
      if (auto tensor = dyn_cast<RankedTensorType>(type);
          tensor && !isa<block::StoreOp>(op))
        shape.elements = std::max(shape.elements, tensor.getNumElements());
    if (auto compute = dyn_cast<ComputeOpInterface>(op);
        compute &&
        getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise)
      shape.computedElements = std::max(
          shape.computedElements,
          cast<RankedTensorType>(op->getResult(0).getType()).getNumElements());
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op))
      shape.joinsTiles |= accumulate.getKind() == AccumulateKind::Concat;
    if (auto reduce = dyn_cast<block::ReduceOp>(op))
      shape.rowsStayTogether |= comesFromProduct(reduce.getInput());
    if (!isMatmul(op))
      return;
    for (Value lhs : op->getOperands().take_front(op->getNumOperands() / 2))
      shape.rowsStayTogether |= comesFromProduct(lhs);
    ArrayRef<int64_t> result =
        cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    int64_t rows = llvm::divideCeil(result.rbegin()[1], 16);
    int64_t columns = llvm::divideCeil(result.rbegin()[0], 8);
    shape.rowParts = std::max(shape.rowParts, rows);
    shape.columnParts = std::max(shape.columnParts, columns);
    shape.parts = std::max(shape.parts, rows * columns);
    shape.commonRowParts = std::gcd(shape.commonRowParts, rows);
    shape.commonColumnParts = std::gcd(shape.commonColumnParts, columns);
  });
  return shape;
}

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

static int64_t getLargestDivisor(int64_t number, int64_t most) {
  for (int64_t divisor = std::min(number, most); divisor > 1; --divisor)
    if (number % divisor == 0)
      return divisor;
  return 1;
}

/// Returns the shared memory in bytes of the launch under a schedule, or
/// nothing if it cannot be built. The kernel is built into a function that is
/// thrown away.
static std::optional<int64_t> getSharedMemory(kernel::LaunchOp launch,
                                              const LaunchSchedule &schedule) {
  OpBuilder builder(launch.getContext());
  auto module = gpu::GPUModuleOp::create(builder, launch.getLoc(), "trial");
  SmallVector<Type> types;
  for (Type type :
       llvm::concat<const Type>(llvm::to_vector(launch->getOperandTypes()),
                                llvm::to_vector(launch->getResultTypes())))
    types.push_back(getDeviceBufferType(type));
  builder.setInsertionPointToEnd(module.getBody());
  auto function = gpu::GPUFuncOp::create(builder, launch.getLoc(), "trial",
                                         builder.getFunctionType(types, {}));
  LaunchOffsets offsets(types.size());
  FailureOr<KernelShape> shape =
      buildScheduledKernel(function, launch, offsets, schedule);
  std::optional<int64_t> bytes;
  if (succeeded(shape))
    bytes = shape->sharedMemoryBytes;
  module->erase();
  return bytes;
}

/// Gives a loop of so many iterations as many stages as hide the latency of
/// device memory and fit into so many bytes of shared memory, two of which do.
/// Returns the bytes of a stage.
static int64_t chooseStages(kernel::LaunchOp launch, int64_t trips,
                            int64_t capacity, int64_t inFlight,
                            LaunchSchedule &schedule) {
  auto getBytes = [&](int64_t stages) {
    LaunchSchedule changed = schedule;
    changed.stages = stages;
    return getSharedMemory(launch, changed)
        .value_or(std::numeric_limits<int64_t>::max());
  };
  int64_t most = std::min<int64_t>(trips + 1, 8);
  if (most <= 2)
    return 0;
  // What merges the groups after the loop takes the place of its stages, and
  // few of them may be smaller than that.
  int64_t stage = getBytes(most) - getBytes(most - 1);
  // Three tiles on their way hide that some take longer than others.
  while (stage > 0 && schedule.stages < most &&
         (schedule.stages < 4 || (schedule.stages - 1) * stage < 3 * inFlight))
    ++schedule.stages;
  while (schedule.stages > 2 && getBytes(schedule.stages) > capacity)
    --schedule.stages;
  return stage;
}

/// Chooses a schedule with so many blocks in a cluster, or none if no number of
/// stages fits.
static std::optional<LaunchSchedule>
chooseSchedule(kernel::LaunchOp launch, const TargetDescription &target,
               int64_t mostWarps, int64_t clusterBlocks, bool mayUseWgmma,
               bool mayUseLoader, bool mayPrepare, ScheduleReasons &why) {
  LaunchShape shape = describe(launch);
  // Bytes on their way that hide the latency of device memory from one
  // multiprocessor: its share of the bandwidth, for the latency.
  int64_t inFlight =
      target.smBandwidth
          ? target.hbmBandwidth * target.hbmLatency / target.multiprocessors
          : 32768;
  LaunchSchedule schedule;
  schedule.clusterBlocks = clusterBlocks;
  shape.blocks *= clusterBlocks;
  shape.trips /= clusterBlocks;
  constexpr int64_t warpgroup = 4;
  // A barrier of four warps is passed sooner than one of eight, and warps with
  // 32 rows load the other operand half as often as those with 16.
  constexpr int64_t mostSharers = 4;
  int64_t mostRowWarps = std::min(mostWarps, mostSharers);
  if (shape.rowParts == 0) {
    // Without products the warps share whatever there is, 16 elements a lane.
    schedule.columnWarps = std::clamp<int64_t>(
        llvm::bit_ceil(static_cast<uint64_t>(shape.elements)) /
            (RegisterLayout::kWarpSize * 16),
        1, mostRowWarps);
    why.warps = formatv("there is no product; a lane has about 16 of the {0} "
                        "elements of the largest tile",
                        shape.elements);
  } else {
    // Rows that belong to one warp need no exchange between warps; they are
    // shared nevertheless where a warp's registers do not suffice.
    constexpr int64_t mostPartsPerWarp = 16;
    bool isCrowded =
        shape.rowsStayTogether && shape.parts > mostRowWarps * mostPartsPerWarp;
    // A block that has a multiprocessor for itself has two warpgroups, one of
    // which computes while the other one waits.
    bool isAlone = !shape.rowsStayTogether && mayUseWgmma && mayUseLoader &&
                   hasWgmma(target.chip) &&
                   shape.blocks <= target.multiprocessors;
    if ((isCrowded || isAlone) && shape.commonRowParts % (2 * mostSharers) == 0)
      mostRowWarps = std::min(mostWarps, 2 * mostSharers);
    schedule.rowWarps = getLargestDivisor(shape.rowParts, mostRowWarps);
    why.warps = formatv("the largest product has {0} rows and {1} columns",
                        16 * shape.rowParts, 8 * shape.columnParts);
    if (shape.rowsStayTogether)
      why.warps += ", and a row belongs to as few warps as have registers for "
                   "it, since it is reduced or multiplied again";
    if (mostRowWarps > mostSharers)
      why.warps += isCrowded ? "; four warps have no registers for it"
                             : "; a block has a multiprocessor alone, so that "
                               "one warpgroup computes while another one waits";
    // The columns of products with few rows can be the rows of wgmma.
    bool mayExchange = mayUseWgmma && hasWgmma(target.chip) &&
                       !shape.rowsStayTogether && schedule.rowWarps < warpgroup;
    if (mayExchange && shape.commonColumnParts % (2 * warpgroup) == 0)
      schedule.rowWarps = 1;
    bool isExchanged = mayExchange && schedule.rowWarps == 1 &&
                       shape.commonColumnParts % (2 * warpgroup) == 0;
    schedule.usesWgmma = mayUseWgmma && hasWgmma(target.chip);
    int64_t columnWarps = std::max<int64_t>(1, 4 / schedule.rowWarps);
    if (shape.rowsStayTogether)
      columnWarps =
          llvm::divideCeil(shape.parts, schedule.rowWarps * mostPartsPerWarp);
    schedule.columnWarps = getLargestDivisor(
        shape.columnParts,
        std::min(columnWarps, 2 * mostWarps / schedule.rowWarps));
    // A thread has registers for so many sums beside what it works with.
    constexpr int64_t mostSums = 128, partSize = 16 * 8;
    auto getSums = [&] {
      return shape.parts * partSize /
             (schedule.rowWarps * schedule.columnWarps *
              RegisterLayout::kWarpSize);
    };
    if (getSums() > mostSums)
      why.warps += formatv("; a thread has registers for {0} sums", mostSums);
    while (getSums() > mostSums && schedule.getNumWarps() < 2 * mostWarps) {
      if (shape.rowParts % (2 * schedule.rowWarps) == 0)
        schedule.rowWarps *= 2;
      else if (shape.columnParts % (2 * schedule.columnWarps) == 0)
        schedule.columnWarps *= 2;
      else
        break;
    }
    // Warps beyond the parts of a product compute it, too, and share what is
    // computed beside it: a thread has no registers for more than 256 elements.
    auto getComputed = [&] {
      return shape.computedElements /
             (schedule.rowWarps * schedule.columnWarps *
              RegisterLayout::kWarpSize);
    };
    if (getComputed() >= 2 * mostSums) {
      why.warps += formatv("; {0} elements are computed beside it",
                           shape.computedElements);
      while (getComputed() > mostSums && schedule.getNumWarps() < mostWarps)
        schedule.columnWarps *= 2;
    }
    // Rows or columns that more warps share may fill no warpgroup.
    bool isWhole = schedule.rowWarps % warpgroup == 0 ||
                   (mayExchange && schedule.rowWarps == 1 &&
                    schedule.columnWarps % warpgroup == 0);
    schedule.usesWgmma =
        schedule.usesWgmma && isWhole && hasWarpgroupProduct(launch, schedule);
    if (!hasWgmma(target.chip))
      why.instruction = formatv("{0} has no wgmma", target.chip);
    else if (!mayUseWgmma)
      why.instruction = "wgmma is switched off, or its operands have no room";
    else if (!schedule.usesWgmma)
      why.instruction =
          "neither rows nor columns fill warpgroups, of which each "
          "has 64";
    else if (isExchanged)
      why.instruction = "operands are exchanged, so that columns are its rows: "
                        "64 for each warpgroup";
    else
      why.instruction = "rows fill its warpgroups, 64 for each";
    while (!shape.joinsTiles && schedule.getNumWarps() * 2 <= mostWarps &&
           shape.trips % (schedule.loopGroups * 2) == 0 &&
           shape.trips / (schedule.loopGroups * 2) >= 4)
      schedule.loopGroups *= 2;
    if (shape.joinsTiles)
      why.groups = "a loop puts tiles together, of which one group has all";
    else
      why.groups =
          shape.trips == 1
              ? "there is one iteration"
              : formatv("there are {0} iterations; a group has at least four "
                        "of them, and a block has about {1} warps",
                        shape.trips, mostWarps)
                    .str();
  }
  // As many blocks as the grid has for a multiprocessor share its memory, up to
  // two.
  int64_t resident = std::clamp<int64_t>(
      llvm::divideCeil(shape.blocks, target.multiprocessors), 1, 2);
  int64_t capacity = std::min(target.sharedMemoryPerBlock,
                              target.sharedMemoryPerSM / resident - 1024);
  while (true) {
    schedule.loaderWarps = 0;
    if (mayUseLoader && schedule.usesWgmma &&
        (shape.rowsStayTogether || schedule.rowWarps >= 2 * warpgroup) &&
        shape.trips > schedule.loopGroups &&
        schedule.getNumWarps() >= 2 * warpgroup)
      schedule.loaderWarps = warpgroup;
    schedule.loaderPrepares = mayPrepare && schedule.loaderWarps > 0 &&
                              hasPreparations(launch, schedule);
    if (schedule.loaderWarps > 0)
      why.loader = shape.rowsStayTogether
                       ? "two warpgroups compute products of products"
                       : "a product has two warpgroups of rows";
    else
      why.loader = "all warps load what they need";
    if (schedule.loaderPrepares)
      why.loader += "; operands depend on nothing but what was loaded for one "
                    "iteration";
    schedule.stages = 2;
    std::optional<int64_t> least = getSharedMemory(launch, schedule);
    if (least && *least <= capacity) {
      int64_t trips = shape.trips / schedule.loopGroups;
      int64_t stage = chooseStages(launch, trips, capacity, inFlight, schedule);
      why.stages = formatv(
          "a stage takes {0} bytes of the {1} that a block may have; {2} bytes "
          "on their way hide the latency of device memory",
          stage, capacity, inFlight);
      if (trips < schedule.stages)
        why.stages =
            formatv("there {0} {1} iteration{2} to load for",
                    trips == 1 ? "is" : "are", trips, trips == 1 ? "" : "s");
      // A tile of two stages is awaited as soon as it is asked for, so four
      // warps with more stages are better than eight.
      if (schedule.stages > 2 || trips < 3 || schedule.loopGroups == 1 ||
          schedule.getNumWarps() < 2 * mostSharers)
        return schedule;
    }
    if (schedule.loopGroups > 1) {
      schedule.loopGroups /= 2;
      why.groups = "more have no room for their stages in shared memory";
    } else if (capacity < target.sharedMemoryPerBlock) {
      capacity = target.sharedMemoryPerBlock;
    } else {
      return std::nullopt;
    }
  }
}

LogicalResult
mirage::checkScheduleOptions(Location loc, StringRef pass,
                             const SchedulePlannerOptions &options) {
  return checkOptions(
      loc, pass,
      {{options.warps >= 1 && options.warps <= 32, "warps", "between 1 and 32"},
       {options.columns >= 32, "columns", "at least 32"},
       {options.clusterBlocks >= 0 && options.clusterBlocks <= 8,
        "cluster-blocks", "between 0 and 8"}});
}

LogicalResult
SchedulePlanner::chooseClusters(ModuleOp module,
                                ArrayRef<kernel::LaunchOp> launches) {
  costs.clear();
  for (auto function : module.getOps<func::FuncOp>()) {
    auto isInside = [&](kernel::LaunchOp launch) {
      return launch->getParentOp() == function;
    };
    if (llvm::none_of(launches, isInside))
      continue;
    FailureOr<TargetDescription> target = findTarget(function, "");
    if (failed(target))
      return failure();
    CostAnalysis analysis(function);
    if (!analysis.isValid())
      return failure();
    for (ProgramCost::Kernel &kernel : analysis.estimate(*target).kernels)
      costs.try_emplace(analysis.getOperation(kernel), std::move(kernel));
  }
  return success();
}

/// Returns the number of blocks, up to what the model asks for, that can share
/// the iterations of the launch's loop.
static int64_t limitCluster(kernel::LaunchOp launch, int64_t blocks) {
  SmallVector<block::ForOp> loops;
  launch.getBody().walk([&](block::ForOp loop) { loops.push_back(loop); });
  if (loops.size() != 1 || describe(launch).joinsTiles)
    return 1;
  return std::gcd<int64_t>(loops.front().getExtent(), blocks);
}

FailureOr<LaunchPlan> SchedulePlanner::plan(kernel::LaunchOp launch) const {
  FailureOr<TargetDescription> target = findTarget(launch, "");
  if (failed(target))
    return failure();
  int64_t cluster = target->clusterPerClock ? options.clusterBlocks : 1;
  if (cluster == 0) {
    const ProgramCost::Kernel *cost = getCost(launch);
    cluster = cost ? std::max<int64_t>(1, cost->cost.clusterBlocks) : 1;
  }
  LaunchPlan plan{{}, {}, {}, {}, launch->getName(), launch->getLoc()};
  // Blocks of a cluster share iterations, so a loop stays one for them. A
  // loop that has become one iteration may need too much memory.
  struct Attempt {
    int64_t cluster, mostBytes;
    /// Iterations make twice as many columns, while a warp loads the next.
    bool isWide;
  };
  SmallVector<Attempt> attempts;
  auto add = [&](int64_t blocks, int64_t mostBytes) {
    if (options.wgmma && options.loader && hasWgmma(target->chip))
      attempts.push_back({blocks, mostBytes, true});
    attempts.push_back({blocks, mostBytes, false});
  };
  if (cluster > 1)
    add(cluster, 0);
  add(1, target->sharedMemoryPerBlock / 2);
  add(1, 0);
  for (auto [blocks, mostBytes, isWide] : attempts) {
    auto merged = cast<kernel::LaunchOp>(launch->clone());
    plan.launch = merged;
    orientProducts(merged);
    mergeLoops(merged, mostBytes);
    resizeLoops(merged, isWide ? 2 * options.columns : options.columns, isWide);
    prepareProducts(merged);
    if (auto obstacle = findScheduleObstacle(merged)) {
      // Loops in loops may be merged in another attempt.
      if (isWide || (mostBytes == 0 && blocks > 1))
        continue;
      plan.obstacle = std::move(obstacle->second);
      plan.obstacleName = obstacle->first->getName();
      plan.obstacleLocation = obstacle->first->getLoc();
      return plan;
    }
    int64_t sharing = limitCluster(merged, blocks);
    // Fragments of mma.sync may lie where wgmma's operands have no room.
    for (bool mayUseWgmma : {true, false})
      if (!plan.schedule && (mayUseWgmma ? options.wgmma : !isWide)) {
        plan.reasons = {};
        plan.schedule =
            chooseSchedule(merged, *target, options.warps, sharing, mayUseWgmma,
                           options.loader, options.prepare, plan.reasons);
      }
    if (!plan.schedule || (isWide && plan.schedule->loaderWarps == 0)) {
      plan.schedule.reset();
      continue;
    }
    if (!target->clusterPerClock)
      plan.reasons.cluster = formatv("{0} has no clusters", target->chip);
    else if (options.clusterBlocks > 0)
      plan.reasons.cluster = "an option says so";
    else if (sharing > 1)
      plan.reasons.cluster =
          "the grid leaves multiprocessors idle, and the cost model finds it "
          "fastest that so many blocks share the iterations of the loop";
    else
      plan.reasons.cluster =
          cluster > 1 ? "blocks cannot share the iterations of this launch"
                      : "the cost model finds it fastest without a cluster";
    return plan;
  }
  plan.obstacle = "needs more shared memory than a block has";
  return plan;
}
