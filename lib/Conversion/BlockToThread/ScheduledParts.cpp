//===- ScheduledParts.cpp - Tiles with padding, and parts of tiles --------===//
//
// Emits tiles that are padded at the ends of their dimensions. The zeros that
// are added to a loaded tile are written where it lies in shared memory, by the
// copy that loads it; those of a computed tile are put into its registers.
// Emits slices and concatenations: in registers where the parts are in the same
// threads, and by way of shared memory otherwise.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

bool mirage::hasLowPadding(const OpAttributes &pad) {
  return llvm::any_of(pad.offsets, [](int64_t low) { return low != 0; });
}

block::LoadOp mirage::getPaddedLoad(Operation *pad) {
  if (!isa<block::PadOp>(pad))
    return {};
  OpAttributes attrs = cast<ComputeOpInterface>(pad).getOpAttributes();
  if (hasLowPadding(attrs) || attrs.scalar != 0)
    return {};
  return pad->getOperand(0).getDefiningOp<block::LoadOp>();
}

Shape mirage::getStoredShape(block::LoadOp load) {
  Shape stored(cast<RankedTensorType>(load.getResult().getType()).getShape());
  for (Operation *user : load->getUsers())
    if (getPaddedLoad(user) == load)
      for (auto [size, padded] : llvm::zip(
               stored,
               cast<RankedTensorType>(user->getResult(0).getType()).getShape()))
        size = std::max(size, padded);
  return stored;
}

int64_t mirage::getAddedColumns(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  auto whole = cast<RankedTensorType>(value.getType()).getShape();
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      auto compute = dyn_cast<ComputeOpInterface>(user);
      if (!compute || !seen.insert(user).second)
        continue;
      if (compute.getOpKind() == OpKind::Pad)
        if (int64_t added = compute.getOpAttributes().sizes.back())
          return added;
      if (getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise &&
          cast<RankedTensorType>(user->getResult(0).getType()).getShape() ==
              whole)
        worklist.push_back(user->getResult(0));
    }
  return 0;
}

Shape ScheduledLaunchBuilder::getPlacedShape(Operation *product,
                                             ArrayRef<int64_t> shape) const {
  Shape placed(shape);
  if (isWarpgroupProduct(product, schedule) || getWarpGrid(product).columns > 1)
    return placed;
  placed.back() += getAddedColumns(product->getResult(0));
  return placed;
}

Value ScheduledLaunchBuilder::fillBeyond(Value fragment, int64_t dim,
                                         double value) {
  auto type = cast<RankedTensorType>(fragment.getType());
  const RegisterLayout &layout = getLayoutOf(fragment);
  if (!layout.overhangs(type.getShape(), dim))
    return fragment;
  OpAttributes attrs;
  attrs.offsets.assign(type.getRank(), 0);
  attrs.sizes.assign(type.getRank(), 0);
  attrs.sizes[dim] = layout.getReach(dim) + 1 - type.getDimSize(dim);
  attrs.scalar = value;
  return createOperator(fragment.getLoc(), OpKind::Pad, attrs, fragment,
                        type.getElementType(), layout);
}

void ScheduledLaunchBuilder::convertPad(ComputeOpInterface op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  Tile source = tiles[operand];
  OpAttributes attrs =
      addGroupDim(op.getOpKind(), op.getOpAttributes(), source.shape);
  Tile tile;
  tile.element = source.element;
  tile.shape = source.shape;
  for (auto [size, added] : llvm::zip(tile.shape, attrs.sizes))
    size += added;
  if (getPaddedLoad(op)) {
    tile.buffer = source.buffer;
    tile.slot = source.slot;
    tiles[result] = std::move(tile);
    return;
  }
  tiles[result] = tile;
  // The places of the result's elements hold those of the operand, and what is
  // replaced by the padding.
  auto covers = [&](const RegisterLayout &layout) {
    return !layout.findFault(tile.shape);
  };
  std::optional<RegisterLayout> layout;
  for (Value fragment : source.fragments)
    if (!layout && covers(getLayoutOf(fragment)))
      layout = getLayoutOf(fragment);
  if (!layout)
    layout = findOperandLayout(result);
  if (!layout)
    layout = getVectorLayoutOf(tile.shape, tile.element);
  Value fragment = getFragment(operand, *layout);
  tiles[result].fragments.push_back(
      createOperator(op.getLoc(), OpKind::Pad, attrs, fragment, tile.element,
                     getLayoutOf(fragment)));
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

RegisterLayout
ScheduledLaunchBuilder::getScalarLayout(ArrayRef<int64_t> shape) const {
  return mirage::getVectorLayoutOf(shape, schedule, /*vector=*/1);
}

/// Returns the layout of a slice whose elements stay in their threads, if each
/// thread has some of it.
static std::optional<RegisterLayout>
getSliceLayout(const RegisterLayout &layout, ArrayRef<int64_t> shape,
               const OpAttributes &slice) {
  RegisterLayout result = layout;
  for (auto [dim, size] : llvm::enumerate(slice.sizes)) {
    if (size == shape[dim])
      continue;
    if (slice.offsets[dim] % size)
      return std::nullopt;
    // The digits with the smallest strides count the elements of the slice. The
    // others are those of registers, of which each thread has one.
    SmallVector<std::pair<LayoutMode *, bool>> modes;
    for (LayoutModes *of : {&result.registers, &result.lanes, &result.warps})
      for (LayoutMode &mode : *of)
        if (mode.dim == static_cast<int64_t>(dim))
          modes.emplace_back(&mode, of == &result.registers);
    llvm::sort(modes, [](const auto &a, const auto &b) {
      return a.first->stride < b.first->stride;
    });
    int64_t left = size;
    for (auto [mode, isOfRegisters] : modes) {
      int64_t kept = std::min(left, mode->size);
      if (mode->size % kept || left % kept ||
          (kept < mode->size && !isOfRegisters))
        return std::nullopt;
      mode->size = kept;
      left /= kept;
    }
    if (left != 1)
      return std::nullopt;
  }
  return RegisterLayout(result.registers, result.lanes, result.warps);
}

void ScheduledLaunchBuilder::convertSlice(ComputeOpInterface op) {
  Location loc = op.getLoc();
  Value operand = op->getOperand(0);
  Tile source = tiles[operand];
  OpAttributes attrs =
      addGroupDim(op.getOpKind(), op.getOpAttributes(), source.shape);
  Tile tile;
  tile.element = source.element;
  tile.shape.assign(attrs.sizes.begin(), attrs.sizes.end());
  for (Value fragment : source.fragments)
    if (std::optional<RegisterLayout> layout =
            getSliceLayout(getLayoutOf(fragment), source.shape, attrs)) {
      tile.fragments.push_back(createOperator(loc, OpKind::Slice, attrs,
                                              fragment, tile.element, *layout));
      tiles[op->getResult(0)] = std::move(tile);
      return;
    }
  // A part may begin inside of a chunk.
  SmallVector<int64_t> strides =
      placeInStrides(operand, source, RowPlacement::Padded);
  size_t leading = strides.size() - source.shape.size();
  int64_t begin = 0;
  for (auto [dim, start] : llvm::enumerate(attrs.offsets))
    begin += start * strides[leading + dim];
  int64_t bytes = begin * (tile.element.getIntOrFloatBitWidth() / 8);
  constexpr int64_t accessBytes = 16;
  if (bytes % accessBytes == 0) {
    tile.buffer =
        createSharedView(source.buffer, leading, tile, strides, bytes);
    tile.slot = source.slot;
  } else {
    // Wider accesses would not be aligned.
    SmallVector<Value> offsets(source.slot.begin(), source.slot.end());
    for (int64_t start : attrs.offsets)
      offsets.push_back(index(loc, start));
    tile.fragments.push_back(thread::LoadFragmentOp::create(
        builder, loc,
        getType(tile.shape, tile.element, getScalarLayout(tile.shape)),
        source.buffer, offsets));
  }
  tiles[op->getResult(0)] = std::move(tile);
}

void ScheduledLaunchBuilder::convertConcat(ComputeOpInterface op) {
  Location loc = op.getLoc();
  OpAttributes attrs = addGroupDim(op.getOpKind(), op.getOpAttributes(), {});
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Tile tile;
  tile.element = type.getElementType();
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    groups = std::max(groups, tiles[operand].shape.front());
  tile.shape = getTileShape(op->getResult(0), groups);
  int64_t dim = attrs.dim, begin = 0;
  bool isInner = dim + 1 == static_cast<int64_t>(tile.shape.size());
  constexpr int64_t accessBytes = 16;
  SmallVector<std::pair<Value, int64_t>> parts;
  for (Value operand : op->getOperands()) {
    // What all groups share is stored for each of them.
    Shape shape = tiles[operand].shape;
    bool isAligned =
        !isInner ||
        begin * (tile.element.getIntOrFloatBitWidth() / 8) % accessBytes == 0;
    Value fragment = isAligned ? getAnyFragment(operand)
                               : getFragment(operand, getScalarLayout(shape));
    for (int64_t group = 0; group < groups; group += shape.front())
      parts.emplace_back(fragment, group);
    begin += shape[dim];
  }
  orderStores(loc);
  tile.buffer = allocate(loc, tile.shape, tile.element, RowPlacement::Padded);
  begin = 0;
  int64_t last = 0;
  for (auto [fragment, group] : parts) {
    // The parts of one operand follow one another.
    if (group == 0 && last)
      begin += std::exchange(last, 0);
    SmallVector<Value> offsets(tile.shape.size(), index(loc, 0));
    offsets.front() = index(loc, group);
    offsets[dim] = index(loc, begin);
    thread::StoreFragmentOp::create(builder, loc, fragment, tile.buffer,
                                    offsets);
    last = cast<RankedTensorType>(fragment.getType()).getDimSize(dim);
  }
  barrier(loc);
  tiles[op->getResult(0)] = std::move(tile);
}
