//===- ScheduledOperators.cpp - Operators of a scheduled launch ---------===//
//
// Emits the operators of a block graph on tiles in registers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Windows.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mirage;

OpAttributes mirage::addGroupDim(OpKind kind, OpAttributes attrs,
                                 ArrayRef<int64_t> operandShape) {
  attrs.dim += 1;
  if (kind == OpKind::Transpose) {
    for (int64_t &dim : attrs.permutation)
      ++dim;
    attrs.permutation.insert(attrs.permutation.begin(), 0);
  }
  if (kind == OpKind::Slice) {
    attrs.offsets.insert(attrs.offsets.begin(), 0);
    attrs.sizes.insert(attrs.sizes.begin(), operandShape.front());
    attrs.strides.insert(attrs.strides.begin(), 1);
  }
  if (kind == OpKind::Pad) {
    attrs.offsets.insert(attrs.offsets.begin(), 0);
    attrs.sizes.insert(attrs.sizes.begin(), 0);
  }
  if (kind == OpKind::Reshape)
    attrs.resultShape.insert(attrs.resultShape.begin(), operandShape.front());
  return attrs;
}

block::AccumulateOp mirage::getFusedAccumulator(Operation *op) {
  Value result = op->getResult(0);
  if (!result.hasOneUse() ||
      !cast<RankedTensorType>(result.getType()).getElementType().isF32())
    return {};
  auto accumulate = dyn_cast<block::AccumulateOp>(*result.user_begin());
  if (!accumulate || accumulate.getValue() != result ||
      !cast<RankedTensorType>(accumulate.getResult().getType())
           .getElementType()
           .isF32() ||
      (accumulate.getKind() != AccumulateKind::Sum &&
       accumulate.getKind() != AccumulateKind::RescaledSum))
    return {};
  return accumulate;
}

Value ScheduledLaunchBuilder::createOperator(Location loc, OpKind kind,
                                             const OpAttributes &attrs,
                                             ArrayRef<Value> operands,
                                             Type element,
                                             const RegisterLayout &layout) {
  Operation *op = createComputeOp(builder, loc, Level::Thread, kind, attrs,
                                  operands, element);
  auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  op->getResult(0).setType(getType(shape, element, layout));
  return op->getResult(0);
}

/// Returns true if a value is made of tiles in memory by operators that take
/// few instructions for an element, so that it is as well computed again in
/// another layout as stored in one and loaded in the other.
bool ScheduledLaunchBuilder::isComputedAgain(Value value) const {
  // Tiles of a loop with deferred products leave their stages early.
  if (schedule.defersProducts && isVarying(value))
    return false;
  SmallVector<Value> worklist{value};
  size_t numOperators = 0;
  constexpr size_t mostOperators = 4;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    auto tile = tiles.find(next);
    // Constants have no tile.
    if (tile == tiles.end())
      continue;
    if (tile->second.mask)
      return false;
    // What was computed may be there in another form: maxima are taken of
    // scores that are scaled later.
    if (next.getDefiningOp<block::LoadOp>() && tile->second.buffer)
      continue;
    auto op = next.getDefiningOp<ComputeOpInterface>();
    if (!op || ++numOperators > mostOperators)
      return false;
    const OpInfo &info = getOpInfo(op.getOpKind());
    bool isMoved = op.getOpKind() == OpKind::Reshape ||
                   op.getOpKind() == OpKind::Transpose;
    bool isCheap = info.opClass == OpClass::Elementwise &&
                   info.exponentials == 0 && op.getOpKind() != OpKind::Div;
    if (!isMoved && !isCheap)
      return false;
    for (Value operand : op->getOperands()) {
      auto source = tiles.find(operand);
      if (source == tiles.end())
        continue;
      // A block of a cluster goes on with parts of some tiles.
      ShapeRef from = source->second.shape, to = tile->second.shape;
      bool fits = isMoved
                      ? elementCount(from) == elementCount(to)
                      : llvm::all_of(llvm::zip_equal(from, to), [](auto dim) {
                          auto [size, whole] = dim;
                          return size == whole || size == 1;
                        });
      if (!fits)
        return false;
      worklist.push_back(operand);
    }
  }
  return true;
}

/// Computes a value of isComputedAgain in a layout. The result is none where
/// that of an operand cannot be told.
Value ScheduledLaunchBuilder::computeAgain(Value value,
                                           const RegisterLayout &layout) {
  Tile tile = tiles[value];
  if (tile.buffer)
    return getFragment(value, layout);
  auto op = cast<ComputeOpInterface>(value.getDefiningOp());
  Location loc = value.getLoc();
  OpAttributes attrs = addGroupDim(op.getOpKind(), op.getOpAttributes(),
                                   tiles[op->getOperand(0)].shape);
  if (getOpInfo(op.getOpKind()).opClass == OpClass::Layout) {
    Value operand = op->getOperand(0);
    std::optional<RegisterLayout> source;
    if (op.getOpKind() == OpKind::Transpose) {
      source = layout.transpose(invertPermutationVector(attrs.permutation));
    } else {
      attrs.resultShape = tile.shape;
      source = layout.reshape(tile.shape, tiles[operand].shape);
    }
    Value moved = source ? computeAgain(operand, *source) : Value();
    return moved ? createOperator(loc, op.getOpKind(), attrs, moved,
                                  tile.element, layout)
                 : Value();
  }
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(
        tiles.contains(operand)
            ? computeAgain(operand, layout.project(tiles[operand].shape))
            : createSplat(*op, operand));
    if (!operands.back())
      return {};
  }
  return createOperator(loc, op.getOpKind(), attrs, operands, tile.element,
                        layout);
}

/// Creates the registers of a constant that an operator reads, which is a
/// splat.
Value ScheduledLaunchBuilder::createSplat(Operation &op, Value value) {
  auto elements = cast<DenseFPElementsAttr>(
      value.getDefiningOp<block::ConstantOp>().getValue());
  return constant(value.getLoc(),
                  elements.getSplatValue<APFloat>().convertToDouble(),
                  getConstantShape(op, value), elements.getElementType());
}

/// Returns the layout that an attribute gives an operator.
std::optional<RegisterLayout> mirage::getWantedLayout(Operation *op) {
  auto wanted = op->getAttrOfType<thread::LayoutAttr>(
      thread::ThreadDialect::getRegisterLayoutAttrName());
  return wanted ? std::optional(wanted.getLayout()) : std::nullopt;
}

/// Checks that no operator has a layout by an attribute which warps prepare
/// that load.
LogicalResult ScheduledLaunchBuilder::checkPreparedLayouts() {
  if (!schedule.loaderPrepares)
    return success();
  for (auto loop : launch.getBody().getOps<block::ForOp>())
    for (const Preparation &preparation :
         mirage::findPreparations(loop, schedule))
      for (Operation *op : preparation.operations)
        if (getWantedLayout(op))
          return op->emitOpError("has a mirage_thread.register_layout, and "
                                 "warps that load prepare it, in layouts of "
                                 "their own (schedule_c17)");
  return success();
}

/// Checks that the tile of an operator can have the layout that an attribute
/// says.
LogicalResult
ScheduledLaunchBuilder::checkRegisterLayout(ComputeOpInterface op) {
  std::optional<RegisterLayout> wanted = getWantedLayout(op);
  if (!wanted)
    return success();
  Shape shape;
  if (getOpInfo(op.getOpKind()).opClass == OpClass::Reduction) {
    // The tile may have parts of lanes and warps along what was reduced.
    shape = tiles[op->getOperand(0)].shape;
  } else {
    int64_t groups = 1;
    for (Value operand : op->getOperands())
      if (tiles.contains(operand))
        groups = std::max(groups, tiles[operand].shape.front());
    shape = getTileShape(op->getResult(0), groups);
  }
  if (wanted->getNumWarps() != schedule.getNumWarps())
    return op->emitOpError("has a mirage_thread.register_layout of ")
           << wanted->getNumWarps() << " warps, where the mirage.schedule of "
           << "its launch has " << schedule.getNumWarps() << " (schedule_c17)";
  if (std::optional<std::string> fault = wanted->findFault(shape))
    return op->emitOpError("has a mirage_thread.register_layout that does not "
                           "fit its tile: ")
           << *fault << " (schedule_c17)";
  return success();
}

/// Checks that an elementwise operator got the layout that an attribute says.
LogicalResult ScheduledLaunchBuilder::checkResultLayout(ComputeOpInterface op) {
  std::optional<RegisterLayout> wanted = getWantedLayout(op);
  if (!wanted)
    return success();
  const Tile &tile = tiles[op->getResult(0)];
  if (!tile.mask && !tile.fragments.empty() &&
      getLayoutOf(tile.fragments.front()).agreesWith(*wanted))
    return success();
  return op->emitOpError("has a mirage_thread.register_layout, and the "
                         "lowering makes it a part of another operator, in the "
                         "registers of that (schedule_c17)");
}

void ScheduledLaunchBuilder::convertElementwise(ComputeOpInterface op) {
  if (mapMask(op) || convertExpOfDifference(op) || convertQuotientOfRows(op))
    return;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    if (tiles.contains(operand))
      groups = std::max(groups, tiles[operand].shape.front());
  Tile &tile = tiles[op->getResult(0)];
  tile.element = type.getElementType();
  tile.shape = getTileShape(op->getResult(0), groups);
  // The result lies where an operand of its shape lies, and rather where one
  // does that would have to pass shared memory to another place.
  std::optional<RegisterLayout> layout = getWantedLayout(op);
  for (bool mayMove : {false, true})
    for (Value operand : op->getOperands())
      if (!layout && tiles.contains(operand) &&
          !tiles[operand].fragments.empty() &&
          tiles[operand].shape == tile.shape &&
          isComputedAgain(operand) == mayMove)
        layout = getLayoutOf(tiles[operand].fragments.front());
  if (!layout)
    layout = findOperandLayout(op->getResult(0));
  for (Value operand : op->getOperands())
    if (!layout && tiles.contains(operand) &&
        tiles[operand].shape == tile.shape)
      layout = findOperandLayout(operand);
  if (!layout)
    layout = getVectorLayoutOf(tile.shape, tile.element);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!tiles.contains(operand)) {
      operands.push_back(createSplat(*op, operand));
      continue;
    }
    // One mask is left to createMaskedOperator.
    bool isMask = tiles[operand].mask && !llvm::is_contained(operands, Value());
    operands.push_back(
        isMask ? Value()
               : getFragment(operand, layout->project(tiles[operand].shape)));
  }
  OpAttributes attrs =
      addGroupDim(op.getOpKind(), op.getOpAttributes(), tile.shape);
  Value result = llvm::is_contained(operands, Value())
                     ? createMaskedOperator(op, attrs, operands, *layout)
                     : createOperator(op.getLoc(), op.getOpKind(), attrs,
                                      operands, type.getElementType(), *layout);
  tiles[op->getResult(0)].fragments.push_back(result);
}

/// Creates a view of a buffer in shared memory: its first `leading` dimensions,
/// then those of a tile, which begins so many bytes after the buffer.
Value ScheduledLaunchBuilder::createSharedView(Value buffer, size_t leading,
                                               const Tile &tile,
                                               ArrayRef<int64_t> strides,
                                               int64_t bytes) {
  auto whole = buffer.getDefiningOp<thread::SharedBufferOp>();
  auto type = cast<MemRefType>(buffer.getType());
  SmallVector<int64_t> shape(type.getShape().take_front(leading));
  llvm::append_range(shape, tile.shape);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(whole);
  Value view = thread::SharedBufferOp::create(
      builder, whole.getLoc(),
      MemRefType::get(shape, tile.element,
                      StridedLayoutAttr::get(builder.getContext(), 0, strides),
                      type.getMemorySpace()),
      builder.getI64IntegerAttr(whole.getOffset() + bytes));
  if (TileInMemory *placed = findTileInMemory(buffer))
    placed->buffers.push_back(view);
  return view;
}

/// Lets the tile of an operand lie in shared memory, at regular distances.
/// Returns the strides of its buffer.
SmallVector<int64_t> ScheduledLaunchBuilder::placeInStrides(Value operand,
                                                            Tile &source,
                                                            RowPlacement rows) {
  if (source.buffer && isInChunks(source)) {
    source.fragments = {getAnyFragment(operand)};
    source.buffer = {};
    source.slot.clear();
  }
  if (!source.buffer) {
    storeToShared(operand.getLoc(), source, {rows, operand});
    tiles[operand] = source;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)cast<MemRefType>(source.buffer.getType())
      .getStridesAndOffset(strides, offset);
  return strides;
}

/// Returns the tile of a reshape whose operand's rows lie in chunks, if that
/// only gives the rows other indices.
std::optional<Tile> ScheduledLaunchBuilder::viewInChunks(ComputeOpInterface op,
                                                         const Tile &source,
                                                         Tile tile) {
  if (op.getOpKind() != OpKind::Reshape || !isInChunks(source) ||
      !source.start.empty() || tile.shape.size() < 2 ||
      source.shape.back() != tile.shape.back())
    return std::nullopt;
  auto type = cast<MemRefType>(source.buffer.getType());
  auto layout = cast<thread::ChunkedLayoutAttr>(type.getLayout());
  ArrayRef<int64_t> strides = layout.getStrides();
  size_t leading = strides.size() - source.shape.size();
  std::optional<Shape> reshaped =
      reshapeStrides(ArrayRef(source.shape).drop_back(),
                     strides.drop_front(leading).drop_back(),
                     ArrayRef(tile.shape).drop_back());
  if (!reshaped)
    return std::nullopt;
  SmallVector<int64_t> shape(type.getShape().take_front(leading)),
      viewStrides(strides.take_front(leading));
  for (auto [size, stride] : llvm::zip(tile.shape, *reshaped)) {
    bool isRow = shape.size() + 2 == leading + tile.shape.size();
    // A dimension of size one is never stepped along, so that its stride only
    // has to be one that swizzling allows.
    if (size == 1)
      stride = isRow ? layout.getChunk() : layout.getChunkStride();
    if (!isRow && stride % (MemoryLayout::piece * layout.getChunk()))
      return std::nullopt;
    shape.push_back(size);
    viewStrides.push_back(stride);
  }
  shape.back() = static_cast<int64_t>(
      llvm::alignTo(shape.back(), WarpgroupInstruction::columnStep));
  shape.push_back(tile.shape.back());
  viewStrides.push_back(1);
  auto whole = source.buffer.getDefiningOp<thread::SharedBufferOp>();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(whole);
  tile.buffer = thread::SharedBufferOp::create(
      builder, whole.getLoc(),
      MemRefType::get(shape, tile.element,
                      thread::ChunkedLayoutAttr::get(
                          builder.getContext(), viewStrides, layout.getChunk(),
                          layout.getChunkStride(), layout.getSwizzled()),
                      type.getMemorySpace()),
      builder.getI64IntegerAttr(whole.getOffset()));
  if (TileInMemory *placed = findTileInMemory(source.buffer))
    placed->buffers.push_back(tile.buffer);
  tile.slot = source.slot;
  return tile;
}

/// Returns the tile of a transpose or reshape of `operand`, whose tile is
/// `source`, as other strides of the memory that the operand is in, or in
/// registers where there are no such strides. `tile` has the shape and element
/// of the result.
Tile ScheduledLaunchBuilder::viewInMemory(ComputeOpInterface op, Tile source,
                                          const OpAttributes &attrs,
                                          Tile tile) {
  Location loc = op.getLoc();
  Value operand = op->getOperand(0);
  bool isTranspose = op.getOpKind() == OpKind::Transpose;
  // Other strides cannot cut rows into chunks.
  SmallVector<int64_t> strides =
      placeInStrides(operand, source,
                     isTranspose ? RowPlacement::Padded : RowPlacement::Dense);
  size_t leading = strides.size() - source.shape.size();
  SmallVector<int64_t> viewStrides(ArrayRef(strides).take_front(leading));
  ArrayRef<int64_t> inner = ArrayRef(strides).drop_front(leading);
  if (isTranspose) {
    for (int64_t dim : attrs.permutation)
      viewStrides.push_back(inner[dim]);
  } else if (auto reshaped = reshapeStrides(source.shape, inner, tile.shape)) {
    llvm::append_range(viewStrides, *reshaped);
  } else {
    // The rows' padding is in the way, or their order. In registers elements
    // only get other indices, and who needs them in memory says how they lie.
    Value fragment = getAnyFragment(operand);
    if (std::optional<RegisterLayout> layout =
            getLayoutOf(fragment).reshape(source.shape, tile.shape)) {
      tile.fragments.push_back(createOperator(loc, op.getOpKind(), attrs,
                                              fragment, tile.element, *layout));
      return tile;
    }
    Tile dense;
    dense.shape = source.shape;
    dense.element = source.element;
    dense.fragments.push_back(fragment);
    storeToShared(loc, dense, RowPlacement::Dense);
    source.buffer = dense.buffer;
    source.slot.clear();
    leading = 0;
    viewStrides = computeStrides(tile.shape);
  }
  tile.buffer = createSharedView(source.buffer, leading, tile, viewStrides);
  tile.slot = source.slot;
  return tile;
}

/// Transposes and reshapes give elements other indices: in registers another
/// layout, in shared memory other strides.
void ScheduledLaunchBuilder::convertLayout(ComputeOpInterface op) {
  if (mapMask(op))
    return;
  if (op.getOpKind() == OpKind::Pad)
    return convertPad(op);
  if (op.getOpKind() == OpKind::Slice)
    return convertSlice(op);
  if (op.getOpKind() == OpKind::Concat)
    return convertConcat(op);
  Tile source = tiles[op->getOperand(0)];
  OpAttributes attrs =
      addGroupDim(op.getOpKind(), op.getOpAttributes(), source.shape);
  Tile tile;
  tile.shape = getTileShape(op->getResult(0), source.shape.front());
  tile.element = source.element;
  if (op.getOpKind() == OpKind::Reshape)
    attrs.resultShape = tile.shape;
  auto relabel = [&](const RegisterLayout &layout) {
    return op.getOpKind() == OpKind::Transpose
               ? std::optional(layout.transpose(attrs.permutation))
               : layout.reshape(source.shape, tile.shape);
  };
  if (!source.buffer || source.slot.empty()) {
    // A tile that was computed is in registers.
    for (Value fragment : source.fragments)
      if (std::optional<RegisterLayout> layout =
              relabel(getLayoutOf(fragment))) {
        tile.fragments.push_back(createOperator(op.getLoc(), op.getOpKind(),
                                                attrs, fragment, tile.element,
                                                *layout));
        break;
      }
  }
  if (!tile.fragments.empty()) {
    tiles[op->getResult(0)] = std::move(tile);
    return;
  }
  if (std::optional<Tile> view = viewInChunks(op, source, tile))
    tile = std::move(*view);
  else
    tile = viewInMemory(op, std::move(source), attrs, std::move(tile));
  tiles[op->getResult(0)] = std::move(tile);
}

LogicalResult ScheduledLaunchBuilder::convertOperator(ComputeOpInterface op) {
  if (op.getOpKind() == OpKind::Constant)
    return success();
  bool varies = llvm::any_of(op->getOperands(),
                             [&](Value operand) { return isVarying(operand); });
  if (varies)
    varying.insert(op->getResult(0));
  // What all iterations share is computed before the loop.
  OpBuilder::InsertionGuard guard(builder);
  if (state && state->body && !varies)
    builder.setInsertionPoint(state->body);
  switch (getOpInfo(op.getOpKind()).opClass) {
  case OpClass::Elementwise: {
    SmallVector<std::pair<Value, Tile>, 2> wholes = takeParts(*op);
    if (failed(checkRegisterLayout(op)))
      return failure();
    convertElementwise(op);
    for (auto &[operand, whole] : wholes)
      tiles[operand] = std::move(whole);
    return checkResultLayout(op);
  }
  case OpClass::Reduction:
    if (failed(checkRegisterLayout(op)))
      return failure();
    convertReduction(op);
    return success();
  case OpClass::Layout:
    convertLayout(op);
    return success();
  case OpClass::Contraction:
    convertMatmul(op);
    return success();
  default:
    return op->emitOpError("is not made of fragments");
  }
}
