//===- ScheduledOrders.cpp - Parts that are stored in two orders ----------===//
//
// Builds kernels of launches that read an operand in parts, some of which lie
// in device memory with their last two dimensions exchanged. Tiles of these lie
// so in shared memory, too, where copies and products read them by other
// instructions. So the kernel has the launch's code twice, once for tiles in
// either order, and a block takes that of the part in which its tiles lie.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "TileOffsets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace mirage;

/// Branches by the part in which this block's tiles of the operand lie.
void ScheduledLaunchBuilder::beginChosenBlocks() {
  Location loc = launch.getLoc();
  BlockArgument argument =
      launch.getBody().front().getArgument(choice->operand);
  auto load = cast<block::LoadOp>(*argument.user_begin());
  const OperandPlace::Parts &parts = *places[choice->operand].parts;
  // No loop divides the dimension of the parts.
  Value along = getLoadOffsets(builder, load, blockIds,
                               [&](Value) { return index(loc, 0); })[parts.dim];
  Value part =
      arith::DivUIOp::create(builder, loc, along, index(loc, parts.size));
  Value isTaken;
  for (auto [number, taken] : llvm::enumerate(choice->taken)) {
    if (!taken)
      continue;
    Value isThis = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         part, index(loc, number));
    isTaken =
        isTaken ? arith::OrIOp::create(builder, loc, isTaken, isThis) : isThis;
  }
  choice->branch =
      scf::IfOp::create(builder, loc, isTaken, /*withElseRegion=*/true);
  builder.setInsertionPointToStart(choice->branch.thenBlock());
}

/// Returns the kernel's parameters with dense buffers in the place of those of
/// an operand's parts: of the parts' shape, or with its last two dimensions
/// exchanged.
static SmallVector<Value> castParts(gpu::GPUFuncOp function,
                                    const OperandPlace::Parts &parts,
                                    bool areExchanged) {
  SmallVector<Value> buffers(function.getArguments());
  OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
  for (size_t parameter : parts.parameters) {
    auto type = cast<MemRefType>(buffers[parameter].getType());
    SmallVector<int64_t> shape(type.getShape());
    if (areExchanged)
      std::swap(shape.rbegin()[0], shape.rbegin()[1]);
    auto dense = MemRefType::get(shape, type.getElementType());
    if (dense != type)
      buffers[parameter] = memref::ReinterpretCastOp::create(
          builder, function.getLoc(), dense, buffers[parameter], /*offset=*/0,
          shape, dense.getStridesAndOffset().first);
  }
  return buffers;
}

/// Returns the number of the operand some of whose parts are exchanged.
static std::optional<size_t> findExchanged(const LaunchPlaces &places) {
  for (auto [number, place] : llvm::enumerate(places))
    if (place.parts && !place.parts->areExchanged.empty())
      return number;
  return std::nullopt;
}

FailureOr<KernelShape>
mirage::buildScheduledKernel(gpu::GPUFuncOp function, kernel::LaunchOp launch,
                             const LaunchPlaces &places,
                             const LaunchSchedule &schedule,
                             TargetAttr target) {
  ScheduledLaunchBuilder straight(function, launch, places, schedule, target);
  std::optional<size_t> operand = findExchanged(places);
  if (!operand)
    return straight.build();
  const OperandPlace::Parts &parts = *places[*operand].parts;
  SmallVector<bool> areStraight = llvm::map_to_vector(
      parts.areExchanged, [](bool isExchanged) { return !isExchanged; });
  bool hasStraight = llvm::is_contained(areStraight, true);
  std::optional<KernelShape> shape;
  if (hasStraight) {
    straight.setParameters(castParts(function, parts, /*areExchanged=*/false));
    straight.leaveParts(*operand, areStraight);
    FailureOr<KernelShape> built = straight.build();
    if (failed(built))
      return failure();
    shape = *std::move(built);
  }
  IRMapping copies;
  OwningOpRef<kernel::LaunchOp> copy(
      cast<kernel::LaunchOp>(launch->clone(copies)));
  LaunchPlaces exchanged = places;
  for (SmallVector<int64_t, 4> &offsets : exchanged[*operand].parts->offsets)
    if (!offsets.empty())
      std::swap(offsets.rbegin()[0], offsets.rbegin()[1]);
  exchangeLoadedDims(copy->getBody().front().getArgument(*operand));
  prepareProducts(*copy);
  ScheduledLaunchBuilder other(function, *copy, exchanged, schedule, target);
  other.setParameters(castParts(function, parts, /*areExchanged=*/true));
  if (hasStraight)
    other.buildAt(straight.getOtherBlocks());
  FailureOr<KernelShape> built = other.build();
  if (failed(built))
    return failure();
  // One code says nothing of how the other one reads a tile, and the copy's
  // values end with it.
  built->placedTiles.clear();
  if (shape) {
    shape->placedTiles.clear();
    shape->sharedMemoryBytes =
        std::max(shape->sharedMemoryBytes, built->sharedMemoryBytes);
    return *std::move(shape);
  }
  // The copy's loads end with it.
  DenseMap<Operation *, block::LoadOp> originals;
  launch.walk([&](block::LoadOp load) {
    originals[copies.lookup(load.getOperation())] = load;
  });
  for (auto &[load, way] : built->copyWays)
    load = originals.lookup(load);
  return built;
}
