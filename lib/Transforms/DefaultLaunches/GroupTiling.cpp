//===- GroupTiling.cpp - How the blocks of a launch share a group ---------===//
//
// Divides the axes of a group among the blocks of a grid: those of a product as
// its tile says, those of elementwise operators and reductions by how much a
// block should compute.
//
//===----------------------------------------------------------------------===//

#include "GroupLaunch.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Support/Divisors.h"
#include "OperatorGroups.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

RankedTensorType GroupTiling::getTileType(Value value,
                                          const GroupAxes &axes) const {
  auto type = cast<RankedTensorType>(value.getType());
  Shape shape(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape))
    if (auto axis = axes.find(value, static_cast<int64_t>(dim)))
      size = tiles[*axis];
  return RankedTensorType::get(shape, type.getElementType());
}

RankedTensorType GroupTiling::getPaddedType(Value value,
                                            const GroupAxes &axes) const {
  auto type = cast<RankedTensorType>(value.getType());
  Shape shape(type.getShape());
  for (auto [dim, size] : llvm::enumerate(shape))
    if (auto axis = axes.find(value, static_cast<int64_t>(dim)))
      size =
          tiles[*axis] * extents[*axis] * (axis == loopAxis ? iterations : 1);
  return RankedTensorType::get(shape, type.getElementType());
}

/// Returns the bytes of a block's values that are alive at one time, each from
/// its operator, or from the first that reads it, to the last that does.
static int64_t getLiveBytes(const OperatorGroup &group, const GroupAxes &axes,
                            const GroupTiling &tiling) {
  DenseMap<Value, Operation *> lastUser;
  for (Operation *op : group.ops)
    if (op != group.product)
      for (Value operand : op->getOperands())
        lastUser[operand] = op;
  // Outputs are kept until the end.
  for (Value output : group.getOutputs())
    lastUser[output] = nullptr;
  auto getBytesOf = [&](Value value) {
    return getBytes(tiling.getTileType(value, axes));
  };
  int64_t alive = 0, most = 0;
  llvm::DenseSet<Value> seen;
  auto add = [&](Value value) {
    if (!isSplat(value) && seen.insert(value).second)
      alive += getBytesOf(value);
  };
  if (group.product) {
    // The sums are of f32, and are rounded where the result is not.
    Value result = group.product->getResult(0);
    add(result);
    most = alive + group.tile.getSumBytes(isa<kernel::Conv2dOp>(group.product));
  }
  for (Operation *op : group.ops) {
    if (op == group.product)
      continue;
    llvm::for_each(op->getOperands(), add);
    llvm::for_each(op->getResults(), add);
    most = std::max(most, alive);
    llvm::SmallDenseSet<Value> read(op->operand_begin(), op->operand_end());
    for (Value operand : read)
      if (seen.contains(operand) && lastUser.lookup(operand) == op)
        alive -= getBytesOf(operand);
  }
  return most;
}

/// The tiles of a product's group are those of the product.
static std::optional<GroupTiling> getProductTiling(const OperatorGroup &group,
                                                   const GroupAxes &axes) {
  Value result = group.product->getResult(0);
  auto rank = static_cast<int64_t>(getShapeOf(result).size());
  GroupTiling tiling;
  tiling.tiles.assign(axes.getNumAxes(), 0);
  tiling.extents.assign(axes.getNumAxes(), 1);
  auto divide = [&](int64_t dim, int64_t tile) {
    std::optional<unsigned> axis = axes.find(result, dim);
    int64_t extent =
        static_cast<int64_t>(llvm::divideCeil(getShapeOf(result)[dim], tile));
    if (axis) {
      tiling.tiles[*axis] = tile;
      tiling.extents[*axis] = extent;
    }
    tiling.gridAxes.push_back(axis);
    tiling.grid.push_back(extent);
  };
  for (int64_t dim = 0; dim < rank - 2; ++dim)
    if (getShapeOf(result)[dim] > 1)
      divide(dim, dim == rank - 3 ? group.tile.matrices : 1);
  divide(rank - 1, group.tile.columns);
  divide(rank - 2, group.tile.rows);
  // Dimensions of one block need none of the grid's three.
  for (size_t dim = tiling.grid.size(); dim-- > 0;)
    if (tiling.grid.size() > std::size(largestGrid) && tiling.grid[dim] == 1) {
      tiling.grid.erase(tiling.grid.begin() + dim);
      tiling.gridAxes.erase(tiling.gridAxes.begin() + dim);
    }
  for (unsigned axis = 0; axis < axes.getNumAxes(); ++axis)
    if (tiling.tiles[axis] == 0 || axes.isReduced(axis))
      return std::nullopt;
  return tiling;
}

bool mirage::isReducedAgain(Operation *op, int64_t largest) {
  constexpr int64_t least = 16;
  return isa<kernel::ReduceOp>(op) &&
         cast<RankedTensorType>(op->getOperand(0).getType()).getNumElements() *
                 least <=
             largest;
}

/// Returns true if a group reduces what it made of another reduction.
static bool reducesTwice(const OperatorGroup &group) {
  llvm::DenseSet<Value> reduced;
  for (Operation *op : group.ops) {
    bool isOfReduced = llvm::any_of(op->getOperands(), [&](Value operand) {
      return reduced.contains(operand);
    });
    if (isa<kernel::ReduceOp>(op) && isOfReduced)
      return true;
    if (isa<kernel::ReduceOp>(op) || isOfReduced)
      reduced.insert(op->getResult(0));
  }
  return false;
}

/// Returns the elements of the narrowest value that an access to memory brings
/// together.
static int64_t getElementsOfSector(const OperatorGroup &group) {
  constexpr int64_t sectorBits = 256;
  int64_t elements = 1;
  for (Operation *op : group.ops)
    for (Type type : op->getOperandTypes())
      elements = std::max<int64_t>(
          elements,
          sectorBits / getElementTypeOrSelf(type).getIntOrFloatBitWidth());
  return elements;
}

/// Returns the axis that a group reduces along and that nothing has behind its
/// reductions, so that a loop may run over it; nothing if there is none, or if
/// there are several such axes.
static std::optional<unsigned> findLoopAxis(const OperatorGroup &group,
                                            const GroupAxes &axes) {
  std::optional<unsigned> loopAxis;
  llvm::DenseSet<Value> reduced;
  for (Operation *op : group.ops) {
    bool isOfReduced = llvm::any_of(op->getOperands(), [&](Value operand) {
      return reduced.contains(operand);
    });
    auto reduce = dyn_cast<kernel::ReduceOp>(op);
    if (reduce) {
      std::optional<unsigned> axis =
          axes.find(op->getOperand(0),
                    cast<ComputeOpInterface>(op).getOpAttributes().dim);
      if (!axis || isOfReduced || (loopAxis && loopAxis != axis))
        return std::nullopt;
      loopAxis = axis;
    }
    if (reduce || isOfReduced)
      reduced.insert(op->getResult(0));
  }
  auto hasAxis = [&](Value value) {
    return axes.findDim(value, *loopAxis).has_value();
  };
  if (!loopAxis || llvm::any_of(reduced, hasAxis) ||
      llvm::any_of(group.getOutputs(), hasAxis))
    return std::nullopt;
  return loopAxis;
}

/// Divides axes, outermost first, until a block has no more elements than it
/// should: as few as keep two blocks on each multiprocessor busy, if a warp has
/// enough of them.
static std::optional<GroupTiling>
getElementTiling(const OperatorGroup &group, const GroupAxes &axes,
                 const TargetDescription &target) {
  SmallVector<Value> outputs = group.getOutputs();
  GroupTiling tiling;
  for (unsigned axis = 0; axis < axes.getNumAxes(); ++axis)
    tiling.tiles.push_back(axes.getSize(axis));
  tiling.extents.assign(axes.getNumAxes(), 1);
  // The largest value says how much a block has to compute.
  auto getElements = [&] {
    int64_t most = 1;
    for (Operation *op : group.ops)
      for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                             llvm::to_vector(op->getResults())))
        most = std::max(most, tiling.getTileType(value, axes).getNumElements());
    return most;
  };
  constexpr int64_t fewest = 512, most = 4096;
  int64_t wanted = std::clamp<int64_t>(
      getElements() / (2 * target.multiprocessors), fewest, most);
  // The axes that all outputs have, and all that is reduced, unless that is
  // little: blocks along another axis would reduce the same elements. They are
  // in the order of the first output.
  SmallVector<Value> dividedValues(outputs), reducedAgain;
  const int64_t largest = getElements();
  for (Operation *op : group.ops)
    if (isa<kernel::ReduceOp>(op))
      (isReducedAgain(op, largest) ? reducedAgain : dividedValues)
          .push_back(op->getOperand(0));
  SmallVector<unsigned> shared, ofOthers;
  for (int64_t dim : getLongDims(getShapeOf(outputs.front())))
    if (std::optional<unsigned> axis = axes.find(outputs.front(), dim);
        axis && !axes.isReduced(*axis) &&
        llvm::all_of(dividedValues, [&](Value value) {
          return axes.findDim(value, *axis).has_value();
        }))
      // Blocks should have no larger part of what is reduced again than of the
      // rest.
      (llvm::all_of(
           reducedAgain,
           [&](Value value) { return axes.findDim(value, *axis).has_value(); })
           ? shared
           : ofOthers)
          .push_back(*axis);
  llvm::append_range(shared, ofOthers);
  // A thread has registers for so many elements of the values that it computes
  // with.
  constexpr int64_t mostPerThread = 32, threads = 256,
                    mostElements = mostPerThread * threads;
  // A block takes whole accesses of each row if two launches may take the place
  // of this one, if it reduces again, and if a loop reduces columns that are
  // longer than a block has registers for.
  std::optional<unsigned> inner =
      axes.find(outputs.front(), getShapeOf(outputs.front()).size() - 1);
  std::optional<unsigned> loopAxis = findLoopAxis(group, axes);
  int64_t sector = getElementsOfSector(group);
  bool reducesColumns =
      loopAxis && axes.getSize(*loopAxis) > mostElements / sector;
  int64_t fewestOfRow =
      !reducedAgain.empty() || reducesTwice(group) || reducesColumns ? sector
                                                                     : 1;
  constexpr size_t mostGridDims = 3;
  SmallVector<unsigned> divided;
  for (unsigned axis : shared) {
    int64_t elements = getElements();
    if (elements <= wanted || divided.size() == mostGridDims)
      break;
    int64_t size = axes.getSize(axis);
    // A part of one leaves the others' sizes.
    tiling.tiles[axis] = 1;
    int64_t rest = getElements();
    tiling.tiles[axis] =
        getLargestDivisor(size, std::max<int64_t>(1, wanted / rest));
    if (axis == inner && tiling.tiles[axis] < fewestOfRow)
      tiling.tiles[axis] =
          size % fewestOfRow ? size : std::min(size, fewestOfRow);
    tiling.extents[axis] = size / tiling.tiles[axis];
    if (tiling.extents[axis] > 1)
      divided.push_back(axis);
  }
  // The first dimension of a grid can be the longest.
  llvm::sort(divided, [&](unsigned a, unsigned b) {
    return std::pair(-tiling.extents[a], a) < std::pair(-tiling.extents[b], b);
  });
  for (unsigned axis : divided) {
    tiling.gridAxes.push_back(axis);
    tiling.grid.push_back(tiling.extents[axis]);
  }
  if (divided.empty()) {
    tiling.gridAxes.push_back(std::nullopt);
    tiling.grid.push_back(1);
  }
  if (getElements() <= mostElements)
    return tiling;
  // A loop brings the parts of long rows one after another.
  if (!loopAxis)
    return std::nullopt;
  tiling.loopAxis = loopAxis;
  int64_t &tile = tiling.tiles[*loopAxis];
  tile = 1;
  int64_t rest = getElements();
  if (rest > most)
    return std::nullopt;
  int64_t size = axes.getSize(*loopAxis);
  tile = getLargestDivisor(size, most / rest);
  tiling.iterations = size / tile;
  // Sizes with few divisors have parts that keep no block busy.
  constexpr int64_t leastElements = 128;
  if (getElements() < leastElements)
    return std::nullopt;
  return tiling;
}

std::optional<GroupTiling>
mirage::chooseTiling(const OperatorGroup &group, const GroupAxes &axes,
                     const TargetDescription &target) {
  SmallVector<Value> outputs = group.getOutputs();
  // Runtimes limit the buffers of a kernel: IREE has 16 on CUDA devices.
  constexpr size_t mostBuffers = 16;
  size_t buffers =
      outputs.size() + group.getInputs().size() + (group.product ? 2 : 0);
  if (outputs.empty() || buffers > mostBuffers)
    return std::nullopt;
  std::optional<GroupTiling> tiling =
      group.product ? getProductTiling(group, axes)
                    : getElementTiling(group, axes, target);
  if (!tiling || tiling->grid.size() > std::size(largestGrid))
    return std::nullopt;
  for (auto [extent, most] : llvm::zip(tiling->grid, largestGrid))
    if (extent > most)
      return std::nullopt;
  // Several blocks would write an output without an axis of the grid.
  for (std::optional<unsigned> axis : tiling->gridAxes)
    for (Value output : outputs)
      if (axis && !axes.findDim(output, *axis))
        return std::nullopt;
  // Chains of operators behind a product take fewer bytes than all of them.
  if (getLiveBytes(group, axes, *tiling) > target.sharedMemoryPerBlock &&
      (!isa_and_nonnull<kernel::MatmulOp>(group.product) ||
       planGroupMemory(group, axes, *tiling) > target.sharedMemoryPerBlock))
    return std::nullopt;
  return tiling;
}
