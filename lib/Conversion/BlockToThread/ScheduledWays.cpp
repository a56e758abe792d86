//===- ScheduledWays.cpp - What is said of single operations --------------===//
//
// Obeys what attributes of a launch's loads and products say beside its
// schedule, and writes there what the lowering does by itself.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "TrialKernel.h"

using namespace mlir;
using namespace mirage;

static std::optional<CopyWay> getWantedWay(block::LoadOp load) {
  auto way =
      load->getAttrOfType<CopyWayAttr>(MirageDialect::getCopyWayAttrName());
  return way ? std::optional(way.getValue()) : std::nullopt;
}

std::optional<ProductInstruction>
mirage::getWantedInstruction(Operation *product) {
  auto instruction = product->getAttrOfType<ProductInstructionAttr>(
      MirageDialect::getProductInstructionAttrName());
  return instruction ? std::optional(instruction.getValue()) : std::nullopt;
}

static ProductInstruction getInstruction(Operation *product,
                                         const LaunchSchedule &schedule) {
  if (isWarpgroupProduct(product, schedule))
    return ProductInstruction::Wgmma;
  return isLaneProduct(product) ? ProductInstruction::Fma
                                : ProductInstruction::MmaSync;
}

bool ScheduledLaunchBuilder::mayComeInBulk(block::LoadOp load) {
  return getWantedWay(load).value_or(CopyWay::Bulk) == CopyWay::Bulk;
}

bool ScheduledLaunchBuilder::mayLoadDirectly(block::LoadOp load) {
  // What is to lie in shared memory passes it.
  return getWantedWay(load).value_or(CopyWay::Direct) == CopyWay::Direct &&
         !getWantedRows(load);
}

void ScheduledLaunchBuilder::noteWays() {
  for (const Ring &ring : state->rings)
    copyWays.emplace_back(
        ring.load, ring.passage == Passage::Bulk     ? CopyWay::Bulk
                   : ring.passage == Passage::Copied ? CopyWay::Async
                                                     : CopyWay::Registers);
  for (auto [load, buffer] : state->keptTiles)
    copyWays.emplace_back(load, CopyWay::Kept);
}

LogicalResult ScheduledLaunchBuilder::checkWays() {
  LogicalResult checked = success();
  llvm::SmallDenseSet<Operation *> copied;
  for (auto [load, way] : copyWays) {
    copied.insert(load);
    std::optional<CopyWay> wanted = getWantedWay(load);
    if (wanted && *wanted != way)
      checked = load.emitOpError()
                << "cannot come by the way '" << stringifyCopyWay(*wanted)
                << "' under the mirage.schedule of its launch, but by '"
                << stringifyCopyWay(way) << "' (schedule_c13)";
  }
  launch.getBody().walk([&](Operation *op) {
    auto load = dyn_cast<block::LoadOp>(op);
    if (load && !copied.contains(op) && getWantedWay(load))
      checked = load.emitOpError(
          "does not come from memory, as nothing needs it or its elements are "
          "computed of their indices, and has a mirage.copy_way "
          "(schedule_c13)");
    if (!isMatmul(op))
      return;
    std::optional<ProductInstruction> wanted = getWantedInstruction(op);
    ProductInstruction instruction = getInstruction(op, schedule);
    if (wanted && *wanted != instruction)
      checked =
          op->emitOpError()
          << "cannot be computed by '" << stringifyProductInstruction(*wanted)
          << "' under the mirage.schedule of its launch, but by '"
          << stringifyProductInstruction(instruction) << "' (schedule_c14)";
  });
  return checked;
}

LogicalResult ScheduledLaunchBuilder::checkPlacedRows() {
  return failure(
      launch.getBody()
          .walk([&](Operation *op) {
            std::optional<RowLayout> wanted = getWantedRows(op);
            // What an earlier loop has loaded lies as both wish.
            if (!wanted ||
                llvm::is_contained(
                    copyWays,
                    std::pair(dyn_cast<block::LoadOp>(op), CopyWay::Kept)) ||
                llvm::any_of(placedTiles, [&](const TileInMemory &tile) {
                  return tile.request.value.getDefiningOp() == op;
                }))
              return WalkResult::advance();
            op->emitOpError(
                "has a mirage_thread.memory_layout, and its tile does not lie "
                "in shared memory under the mirage.schedule of its launch, or "
                "lies there as a part of another one (schedule_c18)");
            return WalkResult::interrupt();
          })
          .wasInterrupted());
}

TileInMemory *ScheduledLaunchBuilder::findTileInMemory(Value buffer) {
  auto *found = llvm::find_if(placedTiles, [&](const TileInMemory &tile) {
    return llvm::is_contained(tile.buffers, buffer);
  });
  return found == placedTiles.end() ? nullptr : found;
}

void ScheduledLaunchBuilder::eraseBuffer(Value buffer) {
  llvm::erase_if(placedTiles, [&](const TileInMemory &tile) {
    return llvm::is_contained(tile.buffers, buffer);
  });
  buffer.getDefiningOp()->erase();
}

LogicalResult mirage::writeWays(kernel::LaunchOp launch,
                                const LaunchSchedule &schedule) {
  TrialKernel kernel = buildTrialKernel(launch, schedule);
  if (!kernel.shape)
    return failure();
  MLIRContext *context = launch.getContext();
  for (auto [load, way] : kernel.shape->copyWays)
    load->setAttr(MirageDialect::getCopyWayAttrName(),
                  CopyWayAttr::get(context, way));
  launch.getBody().walk([&](Operation *op) {
    if (isMatmul(op))
      op->setAttr(
          MirageDialect::getProductInstructionAttrName(),
          ProductInstructionAttr::get(context, getInstruction(op, schedule)));
  });
  return success();
}
