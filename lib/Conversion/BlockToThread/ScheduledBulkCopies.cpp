//===- ScheduledBulkCopies.cpp - Tiles that the copy engine brings --------===//
//
// Finds the tiles of loops that the GPU's copy engine can bring to their stages
// in the warps' place, and lets it.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

/// The instructions that one thread begins for a tile, at most. It begins one
/// after the other.
static constexpr int64_t mostBoxes = 32;

/// Returns how many indices of a dimension of a tile a box has: all, or as many
/// as one instruction takes. What swizzling repeats itself after divides it.
static int64_t getBoxSize(int64_t size) {
  constexpr int64_t mostElements = 256;
  if (size <= mostElements)
    return size;
  for (int64_t box = mostElements; box > 0; box -= MemoryLayout::piece)
    if (size % box == 0)
      return box;
  return 1;
}

/// Returns the sizes of what the copy engine brings of a tile: it moves whole
/// chunks, of which the last one has neighbours of the tile behind its end, or
/// zeros behind that of the tensor. Nothing reads those.
static Shape getChunkedSizes(Shape sizes, int64_t chunk) {
  sizes.back() = static_cast<int64_t>(llvm::alignTo(sizes.back(), chunk));
  return sizes;
}

/// Returns the box in which a tile of these sizes comes to a target where it is
/// swizzled in chunks. Dimensions belong to a box as long as its chunks follow
/// each other in the target.
static Shape getBox(ShapeRef sizes, const MemoryLayout &target) {
  MemoryLayout last = target.takeBack(sizes.size());
  Shape box(sizes.size(), 1);
  box.back() = last.chunk;
  int64_t stride = last.chunk;
  bool isWhole = true;
  for (size_t dim = sizes.size() - 1; dim-- > 0;) {
    if (sizes[dim] == 1)
      continue;
    if (!isWhole || last.strides[dim] != stride)
      break;
    box[dim] = getBoxSize(sizes[dim]);
    isWhole = box[dim] == sizes[dim];
    stride *= box[dim];
  }
  return box;
}

/// Returns the tensor map by which the copy engine brings the tiles of a ring
/// to their stages, where it can.
std::optional<thread::TensorMapType>
ScheduledLaunchBuilder::findTensorMap(const Ring &ring) {
  block::LoadOp load = ring.load;
  size_t number = cast<BlockArgument>(load.getSource()).getArgNumber();
  auto source = cast<MemRefType>(parameters[number].getType());
  auto target = cast<MemRefType>(ring.buffer.getType());
  Shape sizes = getStoredShape(load);
  MemoryLayout layout = *thread::getMemoryLayout(target);
  // Places that a tile has beside its elements get zeros from the warps.
  bool isWhole =
      cast<RankedTensorType>(load.getResult().getType()).getShape() ==
      ArrayRef<int64_t>(sizes);
  if (!isWhole || !layout.swizzled || sizes.empty() ||
      !thread::TensorMapType::canDescribe(source))
    return std::nullopt;
  sizes = getChunkedSizes(sizes, layout.chunk);
  // What a buffer has in front are dimensions of which a tile has one index.
  Shape box(source.getRank() - sizes.size(), 1);
  llvm::append_range(box, getBox(sizes, layout));
  int64_t boxElements = elementCount(box);
  // Boxes begin where swizzling begins anew.
  if (elementCount(sizes) / boxElements > mostBoxes ||
      (boxElements < elementCount(sizes) / (sizes.back() / layout.chunk) &&
       boxElements % layout.getPeriod()))
    return std::nullopt;
  return thread::TensorMapType::get(builder.getContext(), source, box);
}

/// Returns the parameter of the kernel that has a tensor map of the buffer that
/// another parameter is.
Value ScheduledLaunchBuilder::getTensorMap(size_t parameter,
                                           thread::TensorMapType type) {
  size_t first = countBuffers(places);
  for (auto [position, mapped] : llvm::enumerate(mappedArguments))
    if (mapped == parameter &&
        function.getArgument(first + position).getType() == type)
      return function.getArgument(first + position);
  unsigned position = first + mappedArguments.size();
  LogicalResult inserted =
      function.insertArgument(position, type, {}, launch.getLoc());
  assert(succeeded(inserted) && "kernels have no other arguments behind");
  (void)inserted;
  mappedArguments.push_back(parameter);
  return function.getArgument(position);
}

/// Returns the tensor maps of a load's source, or of its parts.
SmallVector<Value, 1>
ScheduledLaunchBuilder::getTensorMaps(block::LoadOp load,
                                      thread::TensorMapType type) {
  size_t number = cast<BlockArgument>(load.getSource()).getArgNumber();
  if (!places[number].parts)
    return {getTensorMap(number, type)};
  SmallVector<Value, 1> maps;
  for (size_t parameter : places[number].parts->parameters)
    maps.push_back(getTensorMap(parameter, type));
  return maps;
}

/// Returns the tensor map of the part that a tile lies in.
Value ScheduledLaunchBuilder::selectMap(const Ring &ring,
                                        const Transfer &transfer) {
  if (!transfer.part)
    return ring.maps.front();
  return thread::SelectBufferOp::create(builder, transfer.loc,
                                        ring.maps.front().getType(),
                                        transfer.part, ring.maps);
}

/// Lets the copy engine bring the tiles of the present loop that it can. Those
/// of which the loader's warps prepare operands come so only where all do:
/// otherwise the warps wait for what they copy anyway.
void ScheduledLaunchBuilder::chooseBulkCopies() {
  if (!loader || !schedule.bulkCopies)
    return;
  auto canBring = [&](const Ring &ring) {
    return ring.passage == Passage::Copied && mayComeInBulk(ring.load) &&
           findTensorMap(ring).has_value();
  };
  bool canBringAll = llvm::all_of(state->rings, canBring);
  for (Ring &ring : state->rings) {
    bool isPrepared =
        llvm::any_of(state->preparations, [&](const Preparation &preparation) {
          return llvm::is_contained(preparation.loads, ring.load);
        });
    if (!canBring(ring) || (isPrepared && !canBringAll))
      continue;
    std::optional<thread::TensorMapType> type = findTensorMap(ring);
    ring.passage = Passage::Bulk;
    ring.maps = getTensorMaps(ring.load, *type);
  }
}

/// Emits how the copy engine brings the tile of one group's iteration to a
/// stage.
void ScheduledLaunchBuilder::beginBulkCopy(const Ring &ring, int64_t group,
                                           Value stage, Value trip,
                                           Value iteration) {
  block::LoadOp load = ring.load;
  Location loc = load.getLoc();
  Transfer transfer =
      getTransfer(load, ring.buffer, {stage, index(loc, group)}, iteration);
  // One group stands for all where these wait for each other.
  bool isDeferred = state->deferrals.tiles.contains(load.getResult());
  TypedValue<thread::RingType> stages = getArrivals(isDeferred);
  if (!stages)
    stages = getStages(isDeferred);
  bool isOwn = stages.getType().getGroups() > 1;
  copyInBulk(ring, transfer, stages, trip, isOwn ? group : 0);
}

void ScheduledLaunchBuilder::copyInBulk(const Ring &ring,
                                        const Transfer &transfer,
                                        TypedValue<thread::RingType> stages,
                                        Value trip, int64_t group) {
  auto target = cast<MemRefType>(ring.buffer.getType());
  Shape sizes =
      getChunkedSizes(transfer.sizes, thread::getMemoryLayout(target)->chunk);
  thread::BulkCopyOp::create(
      builder, transfer.loc, selectMap(ring, transfer), transfer.sourceOffsets,
      ring.buffer, transfer.targetOffsets, sizes, stages, trip, group);
}
