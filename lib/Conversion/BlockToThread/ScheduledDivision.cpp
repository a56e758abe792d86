//===- ScheduledDivision.cpp - Parts of what a cluster merges -------------===//
//
// Chooses the dimension of a loop's results that the blocks of a cluster divide
// among them, and follows each block's part through what is behind the loop.
//
//===----------------------------------------------------------------------===//

#include "IndexSystem.h"
#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

/// Returns the dimension of a reshape's result that has the elements of the
/// operand's dimension `dim`, if one has just these.
static std::optional<int64_t> followReshape(ComputeOpInterface reshape,
                                            int64_t dim) {
  auto getShape = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  ArrayRef<int64_t> from = getShape(reshape->getOperand(0)),
                    to = getShape(reshape->getResult(0));
  int64_t inner = elementCount(from.drop_front(dim + 1)), stride = 1;
  for (int64_t result = to.size(); result-- > 0; stride *= to[result])
    if (stride == inner && to[result] == from[dim])
      return result;
  return std::nullopt;
}

/// Returns the dimension of the result of an operation that is divided where
/// those of its operands are, and -1 where none is. Returns nothing if it
/// cannot be executed on parts.
static std::optional<int64_t>
getDividedDim(Operation &op, const llvm::DenseMap<Value, int64_t> &divided) {
  std::optional<int64_t> dim;
  for (Value operand : op.getOperands()) {
    auto found = divided.find(operand);
    if (found == divided.end())
      continue;
    if (dim && *dim != found->second)
      return std::nullopt;
    dim = found->second;
  }
  if (!dim)
    return isa<block::ForOp>(op) ? std::nullopt : std::optional<int64_t>(-1);
  if (isa<block::StoreOp>(op))
    return dim;
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute)
    return std::nullopt;
  OpAttributes attrs = compute.getOpAttributes();
  switch (getOpInfo(compute.getOpKind()).opClass) {
  case OpClass::Elementwise:
    return dim;
  case OpClass::Reduction:
    return attrs.keep && attrs.dim != *dim ? dim : std::nullopt;
  case OpClass::Layout:
    if (compute.getOpKind() == OpKind::Transpose)
      return llvm::find(attrs.permutation, *dim) - attrs.permutation.begin();
    return compute.getOpKind() == OpKind::Reshape ? followReshape(compute, *dim)
                                                  : std::nullopt;
  default:
    return std::nullopt;
  }
}

/// Follows parts of `results`, which the loop has, through what is behind it.
/// Returns nothing if an operation cannot be executed on parts.
std::optional<llvm::DenseMap<Value, int64_t>>
ScheduledLaunchBuilder::divideResults(block::ForOp loop,
                                      ArrayRef<Value> results, int64_t dim,
                                      int64_t size) const {
  llvm::DenseMap<Value, int64_t> divided;
  for (Value result : results)
    if (cast<RankedTensorType>(result.getType()).getDimSize(dim) == size)
      divided[result] = dim;
  for (Operation *op = loop->getNextNode(); op; op = op->getNextNode()) {
    std::optional<int64_t> of = getDividedDim(*op, divided);
    if (!of)
      return std::nullopt;
    if (*of < 0 || op->getNumResults() == 0 || isa<block::StoreOp>(op))
      continue;
    divided[op->getResult(0)] = *of;
  }
  return divided;
}

/// Chooses the dimension of the loop's results that the blocks of the cluster
/// divide among them. Rows come first: parts of them are whole lines. What all
/// iterations share is not merged, and stays whole.
void ScheduledLaunchBuilder::chooseSlice(block::ForOp loop,
                                         ArrayRef<Accumulator> accumulators) {
  SmallVector<Value> merged;
  Operation *yield = loop.getBody().front().getTerminator();
  for (auto [result, yielded] :
       llvm::zip(loop.getResults(), yield->getOperands()))
    if (llvm::none_of(accumulators, [&](const Accumulator &accumulator) {
          return block::AccumulateOp(accumulator.op).getResult() == yielded &&
                 !accumulator.varies;
        }))
      merged.push_back(result);
  int64_t rank = cast<RankedTensorType>(loop.getResult(0).getType()).getRank();
  if (llvm::any_of(loop.getResults(), [&](Value result) {
        return cast<RankedTensorType>(result.getType()).getRank() != rank;
      }))
    return;
  SmallVector<int64_t> candidates;
  for (int64_t dim = rank - 2; dim >= 0; --dim)
    candidates.push_back(dim);
  candidates.push_back(rank - 1);
  for (int64_t dim : candidates) {
    int64_t size = 1;
    bool isLegal = true;
    for (Value result : loop.getResults()) {
      int64_t here = cast<RankedTensorType>(result.getType()).getDimSize(dim);
      isLegal &= here == 1 || size == 1 || here == size;
      size = std::max(size, here);
    }
    if (!isLegal || size == 1 || size % schedule.clusterBlocks)
      continue;
    if (auto divided = divideResults(loop, merged, dim, size)) {
      slicedDims = std::move(*divided);
      slice = Slice{rank - dim, size};
      return;
    }
  }
}

Shape ScheduledLaunchBuilder::getTileShape(Value value, int64_t groups) const {
  Shape shape(cast<RankedTensorType>(value.getType()).getShape());
  if (auto dim = slicedDims.find(value); dim != slicedDims.end())
    shape[dim->second] /= schedule.clusterBlocks;
  shape.insert(shape.begin(), groups);
  return shape;
}

Shape ScheduledLaunchBuilder::getConstantShape(Operation &op,
                                               Value constant) const {
  Shape shape = getTileShape(constant, 1);
  if (auto dim = slicedDims.find(op.getResult(0)); dim != slicedDims.end())
    if (shape[dim->second + 1] > 1)
      shape[dim->second + 1] /= schedule.clusterBlocks;
  return shape;
}

Value ScheduledLaunchBuilder::getSliceStart(Location loc) {
  IndexSystem system{builder, loc};
  return system.mulConstant(clusterRank, slice->size / schedule.clusterBlocks);
}

/// Returns the tile of a value in shared memory, where parts along a dimension
/// can be loaded.
Tile ScheduledLaunchBuilder::storeForParts(Location loc, Value value,
                                           size_t dim) {
  Tile &tile = tiles[value];
  // Parts of rows begin where an access of 16 bytes may begin, or a chunk, or
  // rows are stored once more without chunks.
  Operation *definition = value.getDefiningOp();
  bool mayHaveChunks =
      schedule.usesWgmma || (definition && getWantedRows(definition));
  int64_t unit = schedule.clusterBlocks * (mayHaveChunks ? widestChunk : 16);
  bool isBetween = dim + 1 == tile.shape.size() && tile.shape[dim] % unit != 0;
  if (!isBetween) {
    if (!tile.buffer) {
      (void)getAnyFragment(value);
      if (!tiles[value].buffer)
        storeToShared(loc, tiles[value], {RowPlacement::Chunked, value});
    }
    return tiles[value];
  }
  Tile dense;
  dense.shape = tile.shape;
  dense.element = tile.element;
  dense.fragments.push_back(getAnyFragment(value));
  storeToShared(loc, dense, RowPlacement::Dense);
  return dense;
}

/// Exchanges the tiles of operands that are there as a whole, of which an
/// elementwise operator needs this block's part, with that part's. Returns
/// those that were there.
SmallVector<std::pair<Value, Tile>, 2>
ScheduledLaunchBuilder::takeParts(Operation &op) {
  SmallVector<std::pair<Value, Tile>, 2> wholes;
  auto divided = slicedDims.find(op.getResult(0));
  if (divided == slicedDims.end())
    return wholes;
  Location loc = op.getLoc();
  size_t dim = divided->second + 1;
  for (Value operand : op.getOperands()) {
    if (slicedDims.contains(operand) || !tiles.contains(operand) ||
        tiles[operand].shape[dim] == 1 ||
        llvm::is_contained(llvm::make_first_range(wholes), operand))
      continue;
    auto [part, isNew] = parts.try_emplace({operand, dim}, Tile());
    if (isNew) {
      part->second = storeForParts(loc, operand, dim);
      part->second.fragments.clear();
      part->second.mask = {};
      part->second.start.assign(part->second.shape.size(), index(loc, 0));
      part->second.start[dim] = getSliceStart(loc);
      part->second.shape[dim] /= schedule.clusterBlocks;
    }
    wholes.emplace_back(operand, tiles[operand]);
    tiles[operand] = part->second;
  }
  return wholes;
}
