//===- ScheduledLaunch.cpp - Block graphs on registers ------------------===//
//
// Says what keeps a launch from being scheduled, and emits the kernel in order.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Semantics/ProductDims.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;

LaunchSchedule mirage::readSchedule(ScheduleAttr attribute) {
  return {attribute.getRowWarps(),         attribute.getColumnWarps(),
          attribute.getLoopGroups(),       attribute.getStages(),
          attribute.getClusterBlocks(),    attribute.getWgmma(),
          attribute.getLoaderWarps(),      attribute.getLoaderPrepares(),
          attribute.getBulkCopies(),       attribute.getIndexMasks(),
          attribute.getPersistentBlocks(), attribute.getWorkerRegisters(),
          attribute.getDeferredProducts(), attribute.getProductSums(),
          attribute.getKeptTiles()};
}

/// Returns true if an operator on tiles of this kind can be made of fragments.
static std::optional<std::string> findObstacle(Operation &op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (auto accumulate = dyn_cast<block::AccumulateOp>(op);
      accumulate && cast<RankedTensorType>(accumulate.getResult().getType())
                            .getElementTypeBitWidth() == 8)
    return "accumulates 8-bit floats";
  if (!compute)
    return isa<block::LoadOp, block::StoreOp, block::ForOp, block::AccumulateOp,
               block::YieldOp>(op)
               ? std::nullopt
               : std::optional<std::string>("is not made of fragments");
  OpKind kind = compute.getOpKind();
  OpAttributes attrs = compute.getOpAttributes();
  switch (getOpInfo(kind).opClass) {
  case OpClass::Elementwise:
    return std::nullopt;
  case OpClass::Constant:
    if (isImmediate(&op))
      return std::nullopt;
    return "is a constant that lies in memory";
  case OpClass::Reduction:
    if (kind == OpKind::Reduce && !attrs.group)
      return std::nullopt;
    return "reduces parts of a dimension";
  case OpClass::Layout:
    // Constants have no tiles.
    if (llvm::any_of(op.getOperands(), [](mlir::Value operand) {
          return isa_and_nonnull<block::ConstantOp>(operand.getDefiningOp());
        }))
      return "moves the elements of a constant";
    if (kind == OpKind::Reshape || kind == OpKind::Transpose ||
        kind == OpKind::Concat ||
        (kind == OpKind::Slice &&
         llvm::all_of(attrs.strides,
                      [](int64_t stride) { return stride == 1; })) ||
        (kind == OpKind::Pad && !hasLowPadding(attrs)))
      return std::nullopt;
    return "moves elements between threads";
  case OpClass::Contraction: {
    if (!isMatmul(&op))
      return "is a contraction other than a product of matrices";
    auto lhs = cast<RankedTensorType>(op.getOperand(0).getType());
    Type element = lhs.getElementType();
    std::optional<int64_t> step = getProductStep(element);
    if (!step)
      return "multiplies elements that are not of f16, bf16 or f32";
    unsigned numLhs = op.getNumOperands() / 2;
    for (Value operand : op.getOperands().take_front(numLhs)) {
      auto type = cast<RankedTensorType>(operand.getType());
      if (type.getDimSize(
              getContractedDim(attrs, ProductOperand::Lhs, type.getRank())) %
          *step)
        return llvm::formatv("contracts a size that is no multiple of {0}",
                             *step)
            .str();
    }
    return std::nullopt;
  }
  case OpClass::Composite:
    return "is composite";
  }
  llvm_unreachable("unknown class");
}

LogicalResult ScheduledLaunchBuilder::convert(Operation &op) {
  if (isa<block::LoadOp, block::YieldOp>(op))
    return success();
  if (auto store = dyn_cast<block::StoreOp>(op)) {
    // Iterations of a loop may have stored their tiles.
    if (getStoredByIterations(store.getValue()))
      return success();
    awaitLoads();
    return convertStore(store);
  }
  if (auto loop = dyn_cast<block::ForOp>(op))
    return convertLoop(loop);
  if (!isa<block::ConstantOp>(op) && !(state && state->body))
    awaitLoads();
  return convertOperator(cast<ComputeOpInterface>(op));
}

LogicalResult ScheduledLaunchBuilder::convertBlock(Block &block) {
  issueLoads(block);
  // The first loop's tiles are on their way while what stands before it is
  // computed.
  auto loops = block.getOps<block::ForOp>();
  if (!loops.empty())
    prepareLoop(*loops.begin());
  for (Operation &op : block)
    if (failed(convert(op)))
      return failure();
  return success();
}

/// Begins what the loader's warps do, and what the others do, by sharing the
/// registers among them as the schedule says.
void ScheduledLaunchBuilder::setRegisters() {
  Location loc = launch.getLoc();
  Block &loading = loader.getBody().emplaceBlock();
  if (schedule.workerRegisters == 0)
    return;
  int64_t left = getLoaderRegisters(
      schedule.workerRegisters, schedule.getNumWarps(), schedule.loaderWarps);
  thread::ThreadRegistersOp::create(builder, loc, schedule.workerRegisters);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&loading);
  thread::ThreadRegistersOp::create(builder, loc, left);
}

/// Returns true if the blocks of a kernel read each other's shared memory.
static bool readsOtherBlocks(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](thread::LoadFragmentOp load) {
        bool isRemote = isa_and_nonnull<thread::ClusterMemoryAttr>(
            cast<MemRefType>(load.getSource().getType()).getMemorySpace());
        return isRemote ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

FailureOr<KernelShape> ScheduledLaunchBuilder::build() {
  // Casts of the kernel's parameters may be there already.
  if (start)
    builder.setInsertionPointToStart(start);
  else
    builder.setInsertionPointToEnd(&function.getBody().front());
  constexpr gpu::Dimension dimensions[] = {gpu::Dimension::x, gpu::Dimension::y,
                                           gpu::Dimension::z};
  KernelShape shape;
  Location loc = launch.getLoc();
  orderBlocks();
  blockIds.resize(launch.getGrid().size());
  if (schedule.persistentBlocks > 0) {
    shape.grid[0] = getPersistentBlocks();
    persistentBlock =
        gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x).getResult();
  } else {
    for (auto [position, dim] : llvm::enumerate(order.dims)) {
      blockIds[dim] =
          gpu::BlockIdOp::create(builder, loc, dimensions[position]);
      shape.grid[position] = launch.getGrid()[dim];
    }
  }
  if (schedule.clusterBlocks > 1) {
    // Neighbours along x are what one block is in the block graph.
    clusterRank = thread::ClusterRankOp::create(builder, loc);
    blockIds.front() = arith::DivUIOp::create(
        builder, loc, blockIds.front(), index(loc, schedule.clusterBlocks));
    shape.grid[0] *= schedule.clusterBlocks;
    shape.clusterBlocks = schedule.clusterBlocks;
  }
  if (!persistentBlock) {
    reverseBlocks();
    turn = index(loc, 0);
  }
  if (choice)
    beginChosenBlocks();
  if (masks && masks->empty())
    return launch.emitOpError(
        "has a mirage.schedule with masks that are computed of indices, and "
        "loads no such mask (schedule_c9)");
  if (failed(checkPreparedLayouts()) ||
      failed(checkWantedRows(launch, schedule)))
    return failure();
  if (schedule.loaderWarps > 0) {
    loader = thread::LoaderOp::create(
        builder, loc, builder.getI64IntegerAttr(schedule.loaderWarps));
    setRegisters();
  }
  if (failed(persistentBlock ? convertInTurns()
                             : convertBlock(launch.getBody().front())))
    return failure();
  if (loader && loader.getBody().front().getOps<scf::ForOp>().empty())
    return launch.emitOpError(
        "has a mirage.schedule with warps that load the tiles of loops, and no "
        "loop that loads any (schedule_c6)");
  if (schedule.loaderPrepares && !loaderPrepared)
    return launch.emitOpError(
        "has a mirage.schedule with warps that prepare operands, and no "
        "product whose operand can be prepared (schedule_c7)");
  if (schedule.sumsByProducts && onesOf.empty())
    return launch.emitOpError("has a mirage.schedule with products that add up "
                              "rows, and no loop with a "
                              "product by wgmma of 16, 32 or 64 columns, "
                              "row-major, whose sums alone are "
                              "divided by those of its left operand's rows, "
                              "exponentials relative to a "
                              "running maximum (schedule_c15)");
  if (schedule.keepsTiles && keptBuffers.empty())
    return launch.emitOpError(
        "has a mirage.schedule that keeps tiles, and no loop that loads tiles "
        "which an earlier one has loaded, with aligned rows (schedule_c16)");
  loadDirectly();
  if (failed(checkWays()) || failed(checkPlacedRows()))
    return failure();
  // A block's memory is there until all others have read it.
  if (readsOtherBlocks(function))
    thread::ClusterBarrierOp::create(builder, loc);
  if (choice)
    builder.setInsertionPointAfter(choice->branch);
  if (!start)
    gpu::ReturnOp::create(builder, loc);
  shape.threads = (schedule.getNumWarps() + schedule.loaderWarps) *
                  RegisterLayout::kWarpSize;
  shape.sharedMemoryBytes = bytes;
  shape.mappedArguments.assign(mappedArguments.begin(), mappedArguments.end());
  shape.copyWays.assign(copyWays.begin(), copyWays.end());
  shape.placedTiles = std::move(placedTiles);
  return shape;
}

std::optional<std::pair<Operation *, std::string>>
mirage::findScheduleObstacle(kernel::LaunchOp launch) {
  std::optional<std::pair<Operation *, std::string>> obstacle;
  launch.getBody().walk([&](Operation *op) {
    if (obstacle)
      return;
    if (isa<block::ForOp>(op) && isa<block::ForOp>(op->getParentOp()))
      obstacle.emplace(op, "is a loop in a loop");
    else if (std::optional<std::string> reason = findObstacle(*op))
      obstacle.emplace(op, *reason);
  });
  return obstacle;
}

LogicalResult mirage::prepareForSchedule(kernel::LaunchOp launch,
                                         const LaunchSchedule &schedule) {
  if (schedule.indexMasks)
    moveMasksBeforeScales(launch);
  prepareProducts(launch);
  if (auto obstacle = findScheduleObstacle(launch))
    return obstacle->first->emitOpError(obstacle->second)
           << "; so its launch cannot be executed by a mirage.schedule";
  return success();
}
