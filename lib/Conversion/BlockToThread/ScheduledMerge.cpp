//===- ScheduledMerge.cpp - Accumulators of groups and blocks -------------===//
//
// Merges what the groups of warps of a block, and the blocks of a cluster, have
// accumulated of a loop: sums, maxima, and sums relative to a running maximum.
// Groups push what they have to the block of the cluster that merges it, or
// merge in their block first where there is no room for so many parts. After a
// cluster's merge, each of its blocks goes on with its own part of the tiles
// where what follows the loop admits it (ScheduledDivision.cpp).
//
//===----------------------------------------------------------------------===//

#include "IndexSystem.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

/// Returns the buffers that the blocks of the cluster have where this block has
/// one.
Value ScheduledLaunchBuilder::getClusterBuffer(Location loc, Value buffer) {
  auto type = cast<MemRefType>(buffer.getType());
  Shape shape(type.getShape());
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)type.getStridesAndOffset(strides, offset);
  int64_t extent = strides.front() * shape.front();
  // Accesses of 16 bytes stay aligned.
  strides.insert(strides.begin(), llvm::alignTo(extent, 16));
  shape.insert(shape.begin(), schedule.clusterBlocks);
  MLIRContext *context = builder.getContext();
  auto result =
      MemRefType::get(shape, type.getElementType(),
                      StridedLayoutAttr::get(context, offset, strides),
                      thread::ClusterMemoryAttr::get(context));
  return thread::ClusterBufferOp::create(builder, loc, result, buffer);
}

/// Makes the mbarrier on which a block waits for so many bytes of other blocks.
Value ScheduledLaunchBuilder::createInbox(Location loc, int64_t numBytes) {
  OpBuilder::InsertionGuard guard(builder);
  if (loader)
    builder.setInsertionPoint(loader);
  else
    builder.setInsertionPointToStart(&function.getBody().front());
  auto type = thread::InboxType::get(builder.getContext(), numBytes);
  auto inbox = thread::InboxOp::create(builder, loc, type,
                                       builder.getI64IntegerAttr(bytes));
  bytes += llvm::alignTo(thread::InboxType::numBytes, 128);
  return inbox;
}

/// Returns true if so many more bytes of shared memory leave as many blocks on
/// a multiprocessor as there are now, or as many as the grid has for each.
bool ScheduledLaunchBuilder::hasRoomFor(int64_t size) {
  if (!target)
    return false;
  const TargetDescription &limits = target.getDescription();
  // The driver has a part of each block's memory.
  constexpr int64_t ofDriver = 1024;
  int64_t blocks = schedule.clusterBlocks;
  for (int64_t extent : launch.getGrid())
    blocks *= extent;
  int64_t wanted = llvm::divideCeil(blocks, limits.multiprocessors);
  auto getResident = [&](int64_t bytes) {
    return std::min(wanted, limits.sharedMemoryPerSM / (bytes + ofDriver));
  };
  return bytes + size <= limits.sharedMemoryPerBlock &&
         getResident(bytes + size) == getResident(bytes);
}

namespace mirage {
/// Merges what the loop carries and each group of the block has, in the first
/// dimension of the tiles, or each block of the cluster.
class ScheduledLaunchBuilder::PartMerger {
public:
  PartMerger(ScheduledLaunchBuilder &launch, ArrayRef<Accumulator> accumulators,
             bool ofCluster, Location loc)
      : launch(launch), accumulators(accumulators), ofCluster(ofCluster),
        loc(loc) {}

  /// Returns the merged values. They have one element along the first
  /// dimension.
  CarriedValues merge(const CarriedValues &values);
  /// Lets other blocks of the cluster push their parts of values of these
  /// types, of which the groups of this one have parts. Returns true if what is
  /// pushed may still be that of each group, and false if the groups have to
  /// merge theirs before.
  bool open(const CarriedValues &values);

private:
  void store(unsigned place, Value value);
  void storeAll(const CarriedValues &values);
  /// Calls a function with the places of what varies, and each value.
  void forParts(const CarriedValues &values,
                llvm::function_ref<void(unsigned, Value)> body);
  /// Lets the stored tiles be those of all blocks of the cluster.
  void spanCluster();
  /// Pushes to each block of the cluster what it merges, and waits for what the
  /// others push to this one.
  void exchangeInCluster(const CarriedValues &values);
  /// Gives the parts of a value that come to this block a shape: those of each
  /// group, or of each block.
  void receive(unsigned place, Value value, bool ofGroups);
  /// Returns the bytes of all parts that come to this block.
  int64_t getReceivedBytes() const;
  /// Returns true if so many bytes of parts have a place where nothing else
  /// lies, so that they may come at any time.
  bool hasOwnPlace(int64_t bytes) const;
  /// Gives all parts that come to this block places: some of their own, or that
  /// of the loop's stages.
  void placeReceived(bool isOwn);
  /// Reduces the parts of blocks, or groups, and those of groups in blocks.
  Value reduceParts(Value parts, ReduceKind kind, const Tile &tile);
  void push(unsigned place, Value value);
  /// Pushes the part of each block from registers that have whole parts of the
  /// divided dimension. Returns false where threads do not have them so.
  bool pushParts(Value value, size_t dim, Value buffer);
  bool isMaximum(unsigned place) const;
  /// Returns the layout in which the parts of an element are in the registers
  /// of one thread, or of lanes of one warp that would have copies of them.
  RegisterLayout getPartsLayout(const Tile &tile) const;
  Value mergeMaximum(Tile &tile);
  Value mergeSum(const Accumulator &accumulator);
  /// Reduces the parts of a stored tile to one.
  Value finish(Value parts, ReduceKind kind, const Tile &tile);

  ScheduledLaunchBuilder &launch;
  ArrayRef<Accumulator> accumulators;
  bool ofCluster;
  Location loc;
  /// The parts in shared memory, by their place among what the loop carries.
  llvm::MapVector<unsigned, Tile> stored;
  /// The mbarrier on which this block of a cluster waits for the others.
  Value inbox;
};
} // namespace mirage

void ScheduledLaunchBuilder::PartMerger::store(unsigned place, Value value) {
  auto [found, isNew] = stored.try_emplace(place, Tile());
  if (!isNew)
    return;
  Tile &tile = found->second;
  auto type = cast<RankedTensorType>(value.getType());
  tile.shape = Shape(type.getShape());
  tile.element = type.getElementType();
  tile.buffer =
      launch.allocate(loc, tile.shape, tile.element, RowPlacement::Dense);
  thread::StoreFragmentOp::create(
      launch.builder, loc, value, tile.buffer,
      SmallVector<Value>(tile.shape.size(), launch.index(loc, 0)));
}

void ScheduledLaunchBuilder::PartMerger::forParts(
    const CarriedValues &values,
    llvm::function_ref<void(unsigned, Value)> body) {
  for (const Accumulator &accumulator : accumulators) {
    if (!accumulator.varies)
      continue;
    body(accumulator.carried, values[accumulator.carried]);
    if (accumulator.isRescaled())
      body(accumulator.maximum, values[accumulator.maximum]);
  }
}

void ScheduledLaunchBuilder::PartMerger::storeAll(const CarriedValues &values) {
  forParts(values, [&](unsigned place, Value value) { store(place, value); });
}

void ScheduledLaunchBuilder::PartMerger::receive(unsigned place, Value value,
                                                 bool ofGroups) {
  auto [found, isNew] = stored.try_emplace(place, Tile());
  if (!isNew)
    return;
  Tile &tile = found->second;
  auto type = cast<RankedTensorType>(value.getType());
  tile.shape = Shape(type.getShape());
  if (!ofGroups)
    tile.shape.front() = 1;
  // Stores to other blocks move 32 bits or more.
  tile.element = type.getElementTypeBitWidth() < 32
                     ? launch.builder.getF32Type()
                     : type.getElementType();
  if (launch.slice)
    if (std::optional<size_t> dim = launch.slice->findIn(tile.shape))
      tile.shape[*dim] /= launch.schedule.clusterBlocks;
  tile.shape.insert(tile.shape.begin(), launch.schedule.clusterBlocks);
}

int64_t ScheduledLaunchBuilder::PartMerger::getReceivedBytes() const {
  int64_t bytes = 0;
  for (const auto &[place, tile] : stored)
    bytes +=
        elementCount(tile.shape) * tile.element.getIntOrFloatBitWidth() / 8;
  return bytes;
}

/// Returns true if blocks of the cluster meet somewhere in a kernel.
static bool meetsOthers(gpu::GPUFuncOp kernel) {
  return kernel
      .walk([](Operation *op) {
        return isa<thread::InboxOpenOp, thread::ClusterBarrierOp>(op)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

bool ScheduledLaunchBuilder::PartMerger::hasOwnPlace(int64_t bytes) const {
  // Blocks that stay merge in each turn, and may be a turn apart. A block that
  // has said that its inbox is open cannot meet the others before they push.
  constexpr int64_t alignment = 128;
  int64_t numPlaces = static_cast<int64_t>(stored.size()) + /*inbox=*/1;
  return !launch.persistentBlock && !meetsOthers(launch.function) &&
         launch.hasRoomFor(bytes + numPlaces * alignment);
}

void ScheduledLaunchBuilder::PartMerger::placeReceived(bool isOwn) {
  // All blocks have read the stages when they have opened their inboxes.
  bool neededBarrier = std::exchange(launch.freeNeedsBarrier, false);
  int64_t freeEnd = launch.freeEnd;
  if (isOwn)
    launch.freeEnd = launch.freeBegin;
  for (auto &[place, tile] : stored)
    tile.buffer =
        launch.allocate(loc, tile.shape, tile.element, RowPlacement::Dense);
  launch.freeEnd = freeEnd;
  launch.freeNeedsBarrier = neededBarrier;
}

void ScheduledLaunchBuilder::PartMerger::push(unsigned place, Value value) {
  const Tile &tile = stored[place];
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getElementType() != tile.element) {
    OpAttributes widening;
    widening.resultType = convertElementType(tile.element);
    value = launch.createOperator(loc, OpKind::Cast, widening, value,
                                  tile.element, getLayoutOf(value));
  }
  // The buffer has the block that merges, then the one that pushes.
  Value buffer = launch.getClusterBuffer(loc, tile.buffer);
  int64_t blocks = launch.schedule.clusterBlocks;
  Shape shape(type.getShape());
  std::optional<size_t> dim =
      launch.slice ? launch.slice->findIn(shape) : std::nullopt;
  if (dim && pushParts(value, *dim, buffer))
    return;
  Tile whole;
  if (dim) {
    whole.shape = shape;
    whole.element = tile.element;
    whole.fragments.push_back(value);
    launch.storeToShared(loc, whole, RowPlacement::Dense);
    whole.shape[*dim] /= blocks;
    whole.start.assign(shape.size(), launch.index(loc, 0));
  }
  SmallVector<Value> offsets(tile.shape.size() + 1, launch.index(loc, 0));
  offsets[1] = launch.clusterRank;
  for (int64_t block = 0; block < blocks; ++block) {
    offsets[0] = launch.index(loc, block);
    if (dim) {
      whole.start[*dim] = launch.index(loc, block * whole.shape[*dim]);
      value = launch.loadTile(
          loc, whole, launch.getVectorLayoutOf(whole.shape, whole.element));
    }
    thread::PushFragmentOp::create(launch.builder, loc, value, buffer, offsets,
                                   inbox);
  }
}

bool ScheduledLaunchBuilder::PartMerger::pushParts(Value value, size_t dim,
                                                   Value buffer) {
  int64_t blocks = launch.schedule.clusterBlocks;
  auto type = cast<RankedTensorType>(value.getType());
  Shape split(type.getShape());
  split[dim] /= blocks;
  split.insert(split.begin() + dim, blocks);
  std::optional<RegisterLayout> layout =
      getLayoutOf(value).reshape(type.getShape(), split);
  if (!layout)
    return false;
  auto relabel = [&](OpKind kind, const OpAttributes &attributes,
                     const RegisterLayout &to) {
    value = launch.createOperator(loc, kind, attributes, value,
                                  type.getElementType(), to);
  };
  OpAttributes splitting;
  splitting.resultShape = split;
  relabel(OpKind::Reshape, splitting, *layout);
  // The block that merges comes first, then the one that pushes.
  OpAttributes ownersFirst;
  ownersFirst.permutation.push_back(dim);
  for (size_t i = 0; i < split.size(); ++i)
    if (i != dim)
      ownersFirst.permutation.push_back(i);
  Shape moved;
  for (int64_t from : ownersFirst.permutation)
    moved.push_back(split[from]);
  relabel(OpKind::Transpose, ownersFirst,
          layout->transpose(ownersFirst.permutation));
  OpAttributes adding;
  adding.resultShape = moved;
  adding.resultShape.insert(adding.resultShape.begin() + 1, 1);
  std::optional<RegisterLayout> added =
      getLayoutOf(value).reshape(moved, adding.resultShape);
  if (!added)
    return false;
  relabel(OpKind::Reshape, adding, *added);
  SmallVector<Value> offsets(adding.resultShape.size(), launch.index(loc, 0));
  offsets[1] = launch.clusterRank;
  thread::PushFragmentOp::create(launch.builder, loc, value, buffer, offsets,
                                 inbox);
  return true;
}

void ScheduledLaunchBuilder::PartMerger::spanCluster() {
  int64_t blocks = launch.schedule.clusterBlocks;
  for (auto &[place, tile] : stored) {
    tile.buffer = launch.getClusterBuffer(loc, tile.buffer);
    tile.start.assign(tile.shape.size() + 1, launch.index(loc, 0));
    tile.shape.insert(tile.shape.begin(), blocks);
  }
}

bool ScheduledLaunchBuilder::PartMerger::open(const CarriedValues &values) {
  // If all blocks need all parts, each block reads them in the memory of the
  // others.
  if (!launch.slice)
    return false;
  auto receiveAll = [&](bool ofGroups) {
    stored.clear();
    forParts(values, [&](unsigned place, Value value) {
      receive(place, value, ofGroups);
    });
    return getReceivedBytes();
  };
  int64_t bytes = receiveAll(/*ofGroups=*/true);
  bool isOwn = hasOwnPlace(bytes);
  bool ofGroups = isOwn || launch.freeBegin + bytes <= launch.freeEnd;
  if (!ofGroups) {
    bytes = receiveAll(/*ofGroups=*/false);
    isOwn = hasOwnPlace(bytes);
  }
  if (stored.empty())
    return ofGroups;
  placeReceived(isOwn);
  int64_t blocks = launch.schedule.clusterBlocks;
  inbox = launch.createInbox(loc, bytes / blocks * (blocks - 1));
  OpBuilder::InsertionGuard guard(launch.builder);
  if (isOwn)
    launch.builder.setInsertionPointAfter(inbox.getDefiningOp());
  thread::InboxOpenOp::create(launch.builder, loc, inbox);
  return ofGroups;
}

void ScheduledLaunchBuilder::PartMerger::exchangeInCluster(
    const CarriedValues &values) {
  if (stored.empty())
    return;
  thread::InboxMeetOp::create(launch.builder, loc, inbox);
  llvm::SmallDenseSet<unsigned> pushed;
  forParts(values, [&](unsigned place, Value value) {
    if (pushed.insert(place).second)
      push(place, value);
  });
  thread::InboxAwaitOp::create(launch.builder, loc, inbox);
}

bool ScheduledLaunchBuilder::PartMerger::isMaximum(unsigned place) const {
  return llvm::any_of(accumulators, [&](const Accumulator &accumulator) {
    return accumulator.isRescaled()
               ? accumulator.maximum == place
               : accumulator.carried == place &&
                     accumulator.getKind() == AccumulateKind::Max;
  });
}

RegisterLayout
ScheduledLaunchBuilder::PartMerger::getPartsLayout(const Tile &tile) const {
  // What belongs to the rows of a larger tile is where their elements are: it
  // is read by more threads, and goes to no other ones behind the loop.
  const Tile *widest = &tile;
  for (const auto &[place, other] : stored)
    if (other.shape.size() == tile.shape.size() &&
        elementCount(other.shape) > elementCount(widest->shape) &&
        llvm::all_of(llvm::zip_equal(tile.shape, other.shape), [](auto sizes) {
          auto [size, whole] = sizes;
          return size == whole || size == 1;
        }))
      widest = &other;
  if (widest != &tile)
    return getPartsLayout(*widest).project(tile.shape);
  Shape one = tile.shape;
  one.front() = 1;
  int64_t ofGroups = ofCluster ? std::exchange(one[1], 1) : 1;
  RegisterLayout layout = launch.getVectorLayoutOf(one, tile.element);
  int64_t parts = tile.shape.front(), ofLanes = 1;
  // Lanes that would have copies of an element read what some of the other
  // blocks have of it.
  LayoutModes lanes;
  for (const LayoutMode &mode : layout.lanes) {
    int64_t shared = 1;
    if (ofCluster && mode.isReplicated())
      shared = std::gcd(mode.size, parts / ofLanes);
    if (shared == 1) {
      lanes.push_back(mode);
      continue;
    }
    lanes.push_back({shared, 0, ofLanes});
    lanes.push_back(LayoutMode::replicated(mode.size / shared));
    ofLanes *= shared;
  }
  layout.registers.push_back({parts / ofLanes, 0, ofLanes});
  layout.registers.push_back({ofGroups, 1, 1});
  return RegisterLayout(layout.registers, lanes, layout.warps);
}

Value ScheduledLaunchBuilder::PartMerger::reduceParts(Value parts,
                                                      ReduceKind kind,
                                                      const Tile &tile) {
  if (ofCluster && tile.shape[1] > 1)
    parts = launch.reduce(loc, parts, 1, kind, tile.element);
  return launch.reduce(loc, parts, 0, kind, tile.element);
}

Value ScheduledLaunchBuilder::PartMerger::finish(Value parts, ReduceKind kind,
                                                 const Tile &tile) {
  Value merged = reduceParts(parts, kind, tile);
  if (!ofCluster)
    return merged;
  // The blocks' dimension goes, the groups' stays.
  Shape from = tile.shape;
  from[0] = from[1] = 1;
  Shape to(ArrayRef<int64_t>(from).drop_front());
  OpAttributes reshape;
  reshape.resultShape = to;
  return launch.createOperator(loc, OpKind::Reshape, reshape, merged,
                               tile.element,
                               *getLayoutOf(merged).reshape(from, to));
}

Value ScheduledLaunchBuilder::PartMerger::mergeMaximum(Tile &tile) {
  return finish(launch.loadTile(loc, tile, getPartsLayout(tile)),
                ReduceKind::Max, tile);
}

Value ScheduledLaunchBuilder::PartMerger::mergeSum(
    const Accumulator &accumulator) {
  Tile &tile = stored[accumulator.carried];
  RegisterLayout layout = getPartsLayout(tile);
  Value parts = launch.loadTile(loc, tile, layout);
  if (accumulator.isRescaled()) {
    // Each part is relative to a maximum of its own.
    Tile &maxima = stored[accumulator.maximum];
    Value of = launch.loadTile(loc, maxima, layout.project(maxima.shape));
    Value largest = reduceParts(of, ReduceKind::Max, maxima);
    parts = launch.createOperator(
        loc, OpKind::Mul, {}, {parts, launch.getRescaling(loc, of, largest)},
        tile.element, layout);
  }
  return finish(parts, ReduceKind::Sum, tile);
}

ScheduledLaunchBuilder::CarriedValues
ScheduledLaunchBuilder::PartMerger::merge(const CarriedValues &values) {
  // All parts are stored before any is read.
  if (ofCluster && launch.slice)
    exchangeInCluster(values);
  else
    storeAll(values);
  if (stored.empty())
    return values;
  if (!ofCluster) {
    launch.barrier(loc);
  } else if (!launch.slice) {
    thread::ClusterBarrierOp::create(launch.builder, loc);
    spanCluster();
  }
  CarriedValues merged = values;
  for (auto &[place, tile] : stored)
    if (isMaximum(place))
      merged[place] = mergeMaximum(tile);
  for (const Accumulator &accumulator : accumulators)
    if (accumulator.varies && accumulator.getKind() != AccumulateKind::Max)
      merged[accumulator.carried] = mergeSum(accumulator);
  // Parts may have come in a wider type.
  for (auto &[place, tile] : stored) {
    Type element =
        cast<RankedTensorType>(values[place].getType()).getElementType();
    if (element == tile.element)
      continue;
    OpAttributes narrowing;
    narrowing.resultType = convertElementType(element);
    merged[place] =
        launch.createOperator(loc, OpKind::Cast, narrowing, merged[place],
                              element, getLayoutOf(merged[place]));
  }
  return merged;
}

/// Combines what was accumulated, and gives the loop's results tiles.
void ScheduledLaunchBuilder::mergeAccumulators(
    ArrayRef<Accumulator> accumulators, CarriedValues values,
    block::ForOp loop) {
  if (accumulators.empty())
    return;
  Location loc = loop.getLoc();
  // What all iterations share was accumulated by each of those that ran at the
  // same time.
  for (const Accumulator &accumulator : accumulators) {
    if (accumulator.varies || accumulator.getKind() == AccumulateKind::Max ||
        schedule.getNumSharers() == 1)
      continue;
    Value &sum = values[accumulator.carried];
    OpAttributes scale;
    scale.scalar = schedule.getNumSharers();
    sum = createOperator(loc, OpKind::Scale, scale, sum,
                         cast<RankedTensorType>(sum.getType()).getElementType(),
                         getLayoutOf(sum));
  }
  PartMerger ofCluster(*this, accumulators, /*ofCluster=*/true, loc);
  bool isMergedAtOnce = false;
  if (schedule.clusterBlocks > 1) {
    chooseSlice(loop, accumulators);
    isMergedAtOnce = ofCluster.open(values);
  }
  if (schedule.loopGroups > 1 && !isMergedAtOnce) {
    // The parts of groups are whole.
    std::optional<Slice> ofBlock = std::exchange(slice, std::nullopt);
    values =
        PartMerger(*this, accumulators, /*ofCluster=*/false, loc).merge(values);
    slice = ofBlock;
  }
  if (schedule.clusterBlocks > 1)
    values = ofCluster.merge(values);
  Operation *yield = loop.getBody().front().getTerminator();
  for (auto [result, yielded] :
       llvm::zip(loop.getResults(), yield->getOperands()))
    for (const Accumulator &accumulator : accumulators) {
      if (block::AccumulateOp(accumulator.op).getResult() != yielded)
        continue;
      Value value = values[accumulator.carried];
      auto type = cast<RankedTensorType>(value.getType());
      Tile tile;
      tile.shape = Shape(type.getShape());
      tile.element = type.getElementType();
      tile.fragments.push_back(value);
      tiles[result] = std::move(tile);
    }
}
