//===- ScheduledMerge.cpp - Accumulators of groups and blocks -------------===//
//
// Merges what the groups of warps of a block, and then the blocks of a cluster,
// have accumulated of a loop: sums, maxima, and sums relative to a running
// maximum. After a cluster's merge, each of its blocks goes on with its own
// part of the tiles where what follows the loop admits it.
//
//===----------------------------------------------------------------------===//

#include "IndexSystem.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace mirage;

/// Returns true if a reshape only adds or drops dimensions of size one in
/// front.
static bool keepsLastDims(ComputeOpInterface reshape) {
  auto drop = [](Type type) {
    return cast<RankedTensorType>(type).getShape().drop_while(
        [](int64_t size) { return size == 1; });
  };
  return drop(reshape->getOperand(0).getType()) ==
         drop(reshape->getResult(0).getType());
}

/// Returns true if an operation that follows the loop can be executed on parts
/// of a dimension of its tiles, which is counted from behind.
static bool isDivisible(Operation &op, int64_t fromEnd) {
  if (isa<block::LoadOp, block::StoreOp, block::YieldOp>(op))
    return true;
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute)
    return false;
  switch (getOpInfo(compute.getOpKind()).opClass) {
  case OpClass::Constant:
  case OpClass::Elementwise:
    return true;
  case OpClass::Reduction: {
    OpAttributes attrs = compute.getOpAttributes();
    int64_t rank = cast<RankedTensorType>(op.getResult(0).getType()).getRank();
    return attrs.keep && attrs.dim != rank - fromEnd;
  }
  case OpClass::Layout:
    return compute.getOpKind() == OpKind::Reshape && keepsLastDims(compute);
  default:
    return false;
  }
}

/// Chooses the dimension of the loop's results that the blocks of the cluster
/// divide among them. Rows come first: parts of them are whole lines.
void ScheduledLaunchBuilder::chooseSlice(block::ForOp loop) {
  int64_t rank = cast<RankedTensorType>(loop.getResult(0).getType()).getRank();
  SmallVector<int64_t> candidates;
  for (int64_t dim = rank - 2; dim >= 0; --dim)
    candidates.push_back(dim);
  candidates.push_back(rank - 1);
  for (int64_t dim : candidates) {
    int64_t size = 1;
    bool isLegal = true;
    for (Value result : loop.getResults()) {
      auto type = cast<RankedTensorType>(result.getType());
      if (type.getRank() != rank) {
        isLegal = false;
        break;
      }
      int64_t here = type.getDimSize(dim);
      isLegal &= here == 1 || size == 1 || here == size;
      size = std::max(size, here);
    }
    // Parts of rows begin where an access of 16 bytes may begin, or a chunk.
    int64_t unit = schedule.clusterBlocks;
    if (dim == rank - 1)
      unit *= schedule.usesWgmma ? 64 : 16;
    if (!isLegal || size % unit)
      continue;
    for (Operation *op = loop->getNextNode(); op && isLegal;
         op = op->getNextNode())
      isLegal = isDivisible(*op, rank - dim);
    if (!isLegal)
      continue;
    slice = Slice{rank - dim, size};
    return;
  }
}

Shape ScheduledLaunchBuilder::getTileShape(Value value, int64_t groups) const {
  Shape shape(cast<RankedTensorType>(value.getType()).getShape());
  shape.insert(shape.begin(), groups);
  if (slice)
    if (std::optional<size_t> dim = slice->findIn(shape))
      shape[*dim] /= schedule.clusterBlocks;
  return shape;
}

Value ScheduledLaunchBuilder::getSliceStart(Location loc) {
  IndexSystem system{builder, loc};
  return system.mulConstant(clusterRank, slice->size / schedule.clusterBlocks);
}

/// Replaces the tiles of operands that were there before the loop by the parts
/// of this block.
void ScheduledLaunchBuilder::sliceOperands(Operation &op) {
  if (!slice)
    return;
  for (Value operand : op.getOperands()) {
    auto found = tiles.find(operand);
    if (found == tiles.end())
      continue;
    Tile &tile = found->second;
    std::optional<size_t> dim = slice->findIn(tile.shape);
    if (!dim)
      continue;
    Location loc = op.getLoc();
    if (!tile.buffer)
      storeToShared(loc, tile, RowPlacement::Chunked);
    tile.fragments.clear();
    tile.start.assign(tile.shape.size(), index(loc, 0));
    tile.start[*dim] = getSliceStart(loc);
    tile.shape[*dim] /= schedule.clusterBlocks;
  }
}

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

private:
  void store(unsigned place, Value value);
  void storeAll(const CarriedValues &values);
  /// Lets the stored tiles be those of all blocks of the cluster.
  void spanCluster();
  bool isMaximum(unsigned place) const;
  /// Returns the layout in which the parts of an element are in the registers
  /// of one thread.
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

void ScheduledLaunchBuilder::PartMerger::storeAll(const CarriedValues &values) {
  for (const Accumulator &accumulator : accumulators) {
    if (!accumulator.varies)
      continue;
    store(accumulator.carried, values[accumulator.carried]);
    if (accumulator.isRescaled())
      store(accumulator.maximum, values[accumulator.maximum]);
  }
}

void ScheduledLaunchBuilder::PartMerger::spanCluster() {
  const std::optional<Slice> &slice = launch.slice;
  int64_t blocks = launch.schedule.clusterBlocks;
  for (auto &[place, tile] : stored) {
    tile.buffer = launch.getClusterBuffer(loc, tile.buffer);
    tile.start.assign(tile.shape.size() + 1, launch.index(loc, 0));
    std::optional<size_t> dim =
        slice ? slice->findIn(tile.shape) : std::nullopt;
    if (dim) {
      tile.start[*dim + 1] = launch.getSliceStart(loc);
      tile.shape[*dim] /= blocks;
    }
    tile.shape.insert(tile.shape.begin(), blocks);
  }
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
  Shape one = tile.shape;
  one.front() = 1;
  RegisterLayout layout = launch.getVectorLayoutOf(one, tile.element);
  layout.registers.push_back({tile.shape.front(), 0, 1});
  return layout;
}

Value ScheduledLaunchBuilder::PartMerger::finish(Value parts, ReduceKind kind,
                                                 const Tile &tile) {
  Value merged = launch.reduce(loc, parts, 0, kind, tile.element);
  if (!ofCluster)
    return merged;
  // The blocks' dimension goes, the groups' stays.
  Shape from = tile.shape;
  from.front() = 1;
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
    Value largest = launch.reduce(loc, of, 0, ReduceKind::Max, maxima.element);
    parts = launch.createOperator(
        loc, OpKind::Mul, {}, {parts, launch.getRescaling(loc, of, largest)},
        tile.element, layout);
  }
  return finish(parts, ReduceKind::Sum, tile);
}

ScheduledLaunchBuilder::CarriedValues
ScheduledLaunchBuilder::PartMerger::merge(const CarriedValues &values) {
  // All parts are stored before any is read.
  storeAll(values);
  if (stored.empty())
    return values;
  if (ofCluster) {
    thread::ClusterBarrierOp::create(launch.builder, loc);
    spanCluster();
  } else {
    launch.barrier(loc);
  }
  CarriedValues merged = values;
  for (auto &[place, tile] : stored)
    if (isMaximum(place))
      merged[place] = mergeMaximum(tile);
  for (const Accumulator &accumulator : accumulators)
    if (accumulator.varies && accumulator.getKind() != AccumulateKind::Max)
      merged[accumulator.carried] = mergeSum(accumulator);
  return merged;
}

/// Combines what was accumulated, and gives the loop's results tiles.
void ScheduledLaunchBuilder::mergeAccumulators(
    ArrayRef<Accumulator> accumulators, CarriedValues values,
    block::ForOp loop) {
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
  if (schedule.loopGroups > 1)
    values =
        PartMerger(*this, accumulators, /*ofCluster=*/false, loc).merge(values);
  if (schedule.clusterBlocks > 1) {
    chooseSlice(loop);
    values =
        PartMerger(*this, accumulators, /*ofCluster=*/true, loc).merge(values);
  }
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
