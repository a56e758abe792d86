//===- LayoutPlanner.cpp - What chooses among layouts ---------------------===//
//
// Finds the operators of a scheduled launch that are free to have any layout,
// the layouts among which each chooses, and where what they take is.
//
//===----------------------------------------------------------------------===//

#include "LayoutPlanner.h"
#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

/// Finds what warps that load prepare, which have layouts of their own.
void LayoutPlanner::findPrepared() {
  if (!schedule.loaderPrepares)
    return;
  for (auto loop : launch.getBody().getOps<block::ForOp>())
    for (const Preparation &preparation : findPreparations(loop, schedule))
      prepared.insert(preparation.operations.begin(),
                      preparation.operations.end());
}

/// A thread has 16 bytes of neighbours of one of the types in memory, or less.
void LayoutPlanner::findWidths() {
  int64_t widest = 1;
  launch.getBody().walk([&](Operation *op) {
    mlir::Value tile;
    if (auto load = dyn_cast<block::LoadOp>(op))
      tile = load.getResult();
    else if (auto store = dyn_cast<block::StoreOp>(op))
      tile = store.getValue();
    if (tile)
      widest = std::max<int64_t>(
          widest,
          128 /
              std::max(8u, getElementTypeOrSelf(tile).getIntOrFloatBitWidth()));
  });
  for (int64_t width = 2; width <= widest; width *= 2)
    widths.push_back(width);
}

/// Returns true if a product takes what an operator computes, or a pad that a
/// product takes: it has the layout of the instruction then, or passes shared
/// memory.
bool LayoutPlanner::isBound(Operation *op) const {
  return prepared.contains(op) ||
         llvm::any_of(op->getUsers(), [](Operation *user) {
           auto compute = dyn_cast<ComputeOpInterface>(user);
           return compute &&
                  (isMatmul(user) || compute.getOpKind() == OpKind::Pad);
         });
}

/// Adds an operator whose tile has this shape: that of the operand of a
/// reduction, and of the result of others.
void LayoutPlanner::addNode(ComputeOpInterface op, const Shape &shape,
                            int64_t trips) {
  mlir::Value result = op->getResult(0);
  bool isReduction = getOpInfo(op.getOpKind()).opClass == OpClass::Reduction;
  LayoutNode node{op, shape, {}, {}, trips};
  int64_t bits = getElementTypeOrSelf(isReduction ? op->getOperand(0) : result)
                     .getIntOrFloatBitWidth();
  // The lowering takes the layout of an operand that is there, or 16 bytes of
  // neighbours.
  RegisterLayout taken =
      getVectorLayoutOf(node.shape, schedule, 128 / std::max<int64_t>(bits, 8));
  for (mlir::Value value : op->getOperands()) {
    auto found = places.find(value);
    if (found == places.end() || !found->second.producer ||
        found->second.tile.shape != node.shape)
      continue;
    taken = found->second.layouts.front();
    break;
  }
  auto add = [&](const RegisterLayout &layout) {
    if (!llvm::is_contained(node.layouts, layout))
      node.layouts.push_back(layout);
  };
  add(taken);
  for (int64_t width : widths) {
    add(getVectorLayoutOf(node.shape, schedule, width));
    // Groups of warps have iterations of their own.
    if (schedule.loopGroups == 1)
      if (auto rows = getRowLayout(node.shape, schedule.getNumWarps(), width))
        add(*rows);
  }
  // What reductions leave in lanes and warps may stay there.
  for (mlir::Value value : op->getOperands())
    if (auto found = places.find(value); found != places.end() &&
                                         found->second.producer &&
                                         found->second.tile.shape == node.shape)
      llvm::for_each(found->second.layouts, add);
  unsigned number = nodes.size();
  PlacedValue place;
  place.tile.elementBytes =
      std::max(8u, getElementTypeOrSelf(result).getIntOrFloatBitWidth()) / 8;
  place.producer = number;
  place.trips = trips;
  place.tile.shape = node.shape;
  OpAttributes attrs = op.getOpAttributes();
  Shape reduced = node.shape;
  if (isReduction)
    reduced[attrs.dim + 1] = 1;
  place.tile.shape = reduced;
  if (isReduction && !attrs.keep)
    place.tile.shape.erase(place.tile.shape.begin() + attrs.dim + 1);
  const OpInfo &info = getOpInfo(op.getOpKind());
  for (const RegisterLayout &layout : node.layouts) {
    RegisterLayout of = isReduction ? layout.withoutDim(attrs.dim + 1) : layout;
    if (place.tile.shape != reduced)
      of = of.reshape(reduced, place.tile.shape).value_or(RegisterLayout());
    place.layouts.push_back(of);
    double clocks =
        isReduction
            ? costs.getReduction(attrs.dim + 1, layout, isOnlyAccumulated(op))
            : costs.getElementwise(layout, info.flops, info.exponentials);
    // Iterations that put tiles together may store them.
    for (Operation *user : result.getUsers()) {
      auto accumulate = dyn_cast<block::AccumulateOp>(user);
      if (isa<block::StoreOp>(user) ||
          (accumulate && accumulate.getKind() == AccumulateKind::Concat))
        clocks += costs.getStore(place.tile.shape, place.tile.elementBytes, of);
    }
    node.costs.push_back(clocks * static_cast<double>(trips));
  }
  // Lanes and warps keep parts of what is only accumulated.
  if ((isReduction && isOnlyAccumulated(op)) ||
      llvm::any_of(place.layouts, [](const RegisterLayout &layout) {
        return layout.lanes.empty();
      }))
    place.producer.reset();
  numbers[op] = number;
  components.insert(op);
  if (isBound(op))
    bound.insert(op);
  nodes.push_back(std::move(node));
  places[result] = std::move(place);
}

void LayoutPlanner::visitOperator(ComputeOpInterface op, int64_t trips) {
  bool isReduction = getOpInfo(op.getOpKind()).opClass == OpClass::Reduction;
  mlir::Value result = op->getResult(0);
  auto shape = cast<RankedTensorType>(
                   (isReduction ? op->getOperand(0) : result).getType())
                   .getShape();
  int64_t groups = 1;
  for (mlir::Value operand : op->getOperands())
    if (auto found = places.find(operand); found != places.end())
      groups = std::max(groups, found->second.tile.shape.front());
  Shape tile{groups};
  tile.append(shape.begin(), shape.end());
  // What a loop does not change is computed before it.
  bool varies = false;
  for (mlir::Value operand : op->getOperands())
    if (auto found = places.find(operand); found != places.end())
      varies |= found->second.trips > 1 || !found->second.isKnown();
  addNode(op, tile, varies ? trips : 1);
  for (mlir::Value operand : op->getOperands()) {
    if (isa_and_nonnull<block::ConstantOp>(operand.getDefiningOp()))
      continue;
    auto found = places.find(operand);
    bool isWhole =
        cast<RankedTensorType>(operand.getType()).getShape() == shape;
    if (found == places.end() || !found->second.isKnown()) {
      // The layout of what is not known decides.
      if (isWhole)
        bound.insert(op);
      continue;
    }
    // Operators that take the result of a reduction do not bind its operand to
    // a layout.
    if (!isWhole || !found->second.producer)
      continue;
    Operation *producer = nodes[*found->second.producer].op;
    if (getOpInfo(cast<ComputeOpInterface>(producer).getOpKind()).opClass ==
        OpClass::Reduction)
      reductions.emplace_back(producer, op);
    else
      join(op, producer);
  }
}

/// Follows tiles under another shape or order.
void LayoutPlanner::visitLayout(ComputeOpInterface op) {
  mlir::Value result = op->getResult(0);
  auto found = places.find(op->getOperand(0));
  if (found == places.end() || !found->second.isKnown())
    return;
  PlacedValue place = found->second;
  Shape source = place.tile.shape;
  OpAttributes attrs =
      addGroupDim(op.getOpKind(), op.getOpAttributes(), source);
  auto type = cast<RankedTensorType>(result.getType());
  place.tile.shape.assign(type.getShape().begin(), type.getShape().end());
  place.tile.shape.insert(place.tile.shape.begin(), source.front());
  bool isTransposed = op.getOpKind() == OpKind::Transpose;
  if (!isTransposed && op.getOpKind() != OpKind::Reshape) {
    // Slices and concatenations are read from memory.
    if (op.getOpKind() == OpKind::Pad)
      return;
    place.producer.reset();
    place.layouts.clear();
    place.tile.isDevice = false;
    if (!place.isStored || op.getOpKind() == OpKind::Concat)
      place.store(/*isDevice=*/false);
    places[result] = std::move(place);
    return;
  }
  if (place.isStored) {
    const PlacedValue before = place;
    place.store(place.tile.isDevice);
    auto transpose = [&](MemoryLayout &to, const MemoryLayout &memory) {
      for (auto [dim, from] : llvm::enumerate(attrs.permutation))
        to.strides[dim] = memory.strides[from];
    };
    if (isTransposed) {
      transpose(place.tile.memory, before.tile.memory);
      // Rows in chunks are stored once more before they are transposed.
      if (llvm::none_of(before.memories, [](const MemoryLayout &memory) {
            return memory.chunk != 0;
          })) {
        place.memoryTile = before.memoryTile;
        place.memories = before.memories;
        for (auto [to, memory] : llvm::zip(place.memories, before.memories))
          transpose(to, memory);
      }
    }
  }
  for (RegisterLayout &layout : place.layouts) {
    std::optional<RegisterLayout> moved =
        isTransposed ? layout.transpose(attrs.permutation)
                     : layout.reshape(source, place.tile.shape);
    if (!moved)
      return;
    layout = *moved;
  }
  places[result] = std::move(place);
}

void LayoutPlanner::visit(Block &block, int64_t trips) {
  for (Operation &op : block) {
    if (auto load = dyn_cast<block::LoadOp>(op)) {
      // Masks that are computed of indices are in no memory, and what
      // operators make of them alone is a mask again.
      if (masks && masks->isComputed(load))
        continue;
      auto type = cast<RankedTensorType>(load.getResult().getType());
      PlacedValue place;
      place.tile.shape.push_back(dependsOnLoop(load) ? schedule.loopGroups : 1);
      place.tile.shape.append(type.getShape().begin(), type.getShape().end());
      place.tile.elementBytes = std::max(8u, type.getElementTypeBitWidth()) / 8;
      bool isDevice = loadsDirectly && load->hasOneUse();
      place.store(isDevice);
      const auto *tile =
          llvm::find_if(memoryTiles, [&](const MemoryTile &tile) {
            return tile.value == load.getResult();
          });
      if (!isDevice && tile != memoryTiles.end()) {
        place.memoryTile = tile - memoryTiles.begin();
        place.memories = tile->memories;
      }
      place.trips = dependsOnLoop(load) ? trips : 1;
      places[load.getResult()] = std::move(place);
    } else if (auto loop = dyn_cast<block::ForOp>(op)) {
      int64_t sharers = schedule.getNumSharers();
      visit(loop.getBody().front(), (loop.getExtent() + sharers - 1) / sharers);
      // What groups and blocks have accumulated is merged into other layouts.
      Operation *yield = loop.getBody().front().getTerminator();
      for (auto [result, yielded] :
           llvm::zip(loop.getResults(), yield->getOperands()))
        if (auto found = places.find(yielded);
            found != places.end() && sharers == 1) {
          PlacedValue place = found->second;
          place.trips = 1;
          places[result] = std::move(place);
        }
    } else if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
      auto found = places.find(accumulate.getValue());
      if (found != places.end() && found->second.producer &&
          (accumulate.getKind() == AccumulateKind::Sum ||
           accumulate.getKind() == AccumulateKind::Max))
        places[accumulate.getResult()] = found->second;
    } else if (auto compute = dyn_cast<ComputeOpInterface>(op)) {
      OpClass opClass = getOpInfo(compute.getOpKind()).opClass;
      if (opClass == OpClass::Elementwise || opClass == OpClass::Reduction)
        visitOperator(compute, trips);
      else if (opClass == OpClass::Layout)
        visitLayout(compute);
    }
  }
}

/// Finds the operators of the program and their values.
void LayoutPlanner::visitOperators() {
  // What is written by hand is obeyed.
  bool isWritten = launch.getBody()
                       .walk([](Operation *op) {
                         return getWantedLayout(op) ? WalkResult::interrupt()
                                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  // The tiles of products that are deferred leave their stages early.
  if (isWritten || schedule.defersProducts)
    return;
  loadsDirectly = !launch.getBody()
                       .walk([](Operation *op) {
                         return isMatmul(op) || isa<block::ForOp>(op)
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (schedule.indexMasks)
    masks.emplace(launch);
  findPrepared();
  findWidths();
  visit(launch.getBody().front(), 1);
}
