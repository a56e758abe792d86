//===- ScheduledOperators.cpp - Operators of a scheduled launch ---------===//
//
// Emits the operators of a block graph on tiles in registers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/Windows.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include <numeric>

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

void ScheduledLaunchBuilder::convertElementwise(ComputeOpInterface op) {
  if (convertExpOfDifference(op) || convertQuotientOfRows(op))
    return;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    if (tiles.contains(operand))
      groups = std::max(groups, tiles[operand].shape.front());
  Tile &tile = tiles[op->getResult(0)];
  tile.element = type.getElementType();
  tile.shape = getTileShape(op->getResult(0), groups);
  // The result lies where an operand of its shape lies.
  std::optional<RegisterLayout> layout;
  for (Value operand : op->getOperands())
    if (tiles.contains(operand) && !tiles[operand].fragments.empty() &&
        tiles[operand].shape == tile.shape && !layout)
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
      auto value = operand.getDefiningOp<block::ConstantOp>();
      auto elements = cast<DenseFPElementsAttr>(value.getValue());
      operands.push_back(constant(
          op.getLoc(), elements.getSplatValue<APFloat>().convertToDouble(),
          getTileShape(operand, 1), elements.getElementType()));
      continue;
    }
    operands.push_back(
        getFragment(operand, layout->project(tiles[operand].shape)));
  }
  Value result = createOperator(
      op.getLoc(), op.getOpKind(),
      addGroupDim(op.getOpKind(), op.getOpAttributes(), tile.shape), operands,
      type.getElementType(), *layout);
  tiles[op->getResult(0)].fragments.push_back(result);
}

/// Reduces along a dimension that is not spread over warps, and keeps it.
Value ScheduledLaunchBuilder::reduce(Location loc, Value operand, int64_t dim,
                                     ReduceKind kind, Type element) {
  OpAttributes attrs;
  attrs.dim = dim;
  attrs.keep = true;
  attrs.reduceKind = kind;
  return createOperator(loc, OpKind::Reduce, attrs, operand, element,
                        getLayoutOf(operand).withoutDim(dim));
}

/// Reduces parts of a dimension that the warps have: each warp reduces its own,
/// and the parts meet in shared memory. `split` is the fragment's shape with
/// the number of the part before the reduced dimension.
Value ScheduledLaunchBuilder::reduceInParts(Location loc, Value fragment,
                                            const Shape &split,
                                            const RegisterLayout &layout,
                                            int64_t dim, ReduceKind kind,
                                            Type element) {
  Type source = cast<RankedTensorType>(fragment.getType()).getElementType();
  OpAttributes reshape;
  reshape.resultShape = split;
  Value parted =
      createOperator(loc, OpKind::Reshape, reshape, fragment, source, layout);
  Value partial = reduce(loc, parted, dim + 1, kind, element);
  Tile tile;
  tile.shape = split;
  tile.shape[dim + 1] = 1;
  tile.element = element;
  tile.fragments.push_back(partial);
  storeToShared(loc, tile, RowPlacement::Dense);
  RegisterLayout all = getLayoutOf(partial).withoutDim(dim);
  all.registers.push_back({split[dim], dim, 1});
  Value loaded = loadTile(loc, tile, all);
  Value reduced = reduce(loc, loaded, dim, kind, element);
  Shape joined = split;
  joined.erase(joined.begin() + dim);
  joined[dim] = 1;
  Shape before = split;
  before[dim] = before[dim + 1] = 1;
  reshape.resultShape = joined;
  return createOperator(loc, OpKind::Reshape, reshape, reduced, element,
                        *getLayoutOf(reduced).reshape(before, joined));
}

/// Reduces along a dimension that is spread over warps, and keeps it.
Value ScheduledLaunchBuilder::reduceOverWarps(Location loc, Tile &source,
                                              Value fragment, int64_t dim,
                                              ReduceKind kind, Type element) {
  const RegisterLayout &layout = getLayoutOf(fragment);
  int64_t parts = 1;
  for (const LayoutMode &mode : layout.warps)
    if (mode.dim == dim)
      parts *= mode.size;
  Shape whole(cast<RankedTensorType>(fragment.getType()).getShape());
  Shape split = whole;
  split[dim] = whole[dim] / parts;
  split.insert(split.begin() + dim, parts);
  std::optional<RegisterLayout> splitLayout = layout.reshape(whole, split);
  if (splitLayout && !splitLayout->variesOverWarps(dim + 1))
    return reduceInParts(loc, fragment, split, *splitLayout, dim, kind,
                         element);
  // The warps' parts are no runs of neighbours; each element goes through
  // shared memory to a place where one warp has all.
  if (!source.buffer)
    storeToShared(loc, source, RowPlacement::Chunked);
  RegisterLayout inOneWarp = getVectorLayout(source.shape, 1, 4);
  inOneWarp.warps = {LayoutMode::replicated(schedule.getNumWarps())};
  return reduce(loc, loadTile(loc, source, inOneWarp), dim, kind, element);
}

void ScheduledLaunchBuilder::convertReduction(ComputeOpInterface op) {
  if (convertMaximumOfScaled(op))
    return;
  Location loc = op.getLoc();
  Value operand = op->getOperand(0);
  Tile &source = tiles[operand];
  OpAttributes attrs = addGroupDim(op.getOpKind(), op.getOpAttributes(), {});
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  Value fragment = getAnyFragment(operand);
  int64_t dim = attrs.dim, size = source.shape[dim];
  ReduceKind kind =
      attrs.reduceKind == ReduceKind::Mean ? ReduceKind::Sum : attrs.reduceKind;
  // Places beyond the end must not take part.
  fragment = fillBeyond(
      fragment, dim,
      kind == ReduceKind::Max ? -std::numeric_limits<double>::infinity() : 0.0);
  if (sumInLanes(op, fragment))
    return;

  Shape shape = source.shape;
  shape[dim] = 1;
  Value result =
      getLayoutOf(fragment).variesOverWarps(dim)
          ? reduceOverWarps(loc, source, fragment, dim, kind, element)
          : reduce(loc, fragment, dim, kind, element);
  if (attrs.reduceKind == ReduceKind::Mean) {
    OpAttributes scale;
    scale.scalar = 1.0 / size;
    result = createOperator(loc, OpKind::Scale, scale, result, element,
                            getLayoutOf(result));
  }
  if (!attrs.keep) {
    Shape dropped = shape;
    dropped.erase(dropped.begin() + dim);
    OpAttributes reshape;
    reshape.resultShape = dropped;
    result = createOperator(loc, OpKind::Reshape, reshape, result, element,
                            *getLayoutOf(result).reshape(shape, dropped));
    shape = dropped;
  }
  Tile &tile = tiles[op->getResult(0)];
  tile.shape = shape;
  tile.element = element;
  tile.fragments.push_back(result);
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
  return thread::SharedBufferOp::create(
      builder, whole.getLoc(),
      MemRefType::get(shape, tile.element,
                      StridedLayoutAttr::get(builder.getContext(), 0, strides),
                      type.getMemorySpace()),
      builder.getI64IntegerAttr(whole.getOffset() + bytes));
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
    storeToShared(operand.getLoc(), source, rows);
    tiles[operand] = source;
  }
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)cast<MemRefType>(source.buffer.getType())
      .getStridesAndOffset(strides, offset);
  return strides;
}

/// Returns the tile of a transpose or reshape of `operand`, whose tile is
/// `source`, as other strides of the memory that the operand is in. `tile` has
/// the shape and element of the result.
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
    // The rows' padding is in the way: the tile is written without it.
    Tile dense;
    dense.shape = source.shape;
    dense.element = source.element;
    dense.fragments.push_back(getAnyFragment(operand));
    storeToShared(loc, dense, RowPlacement::Dense);
    source.buffer = dense.buffer;
    source.slot.clear();
    leading = 0;
    viewStrides = computeStrides(tile.shape);
  }
  tile.buffer = createSharedView(source.buffer, leading, tile, viewStrides);
  tile.slot = source.slot;
  // A block's part of a cluster's tile begins where it did.
  if (!source.start.empty()) {
    tile.start.assign(tile.shape.size(), index(loc, 0));
    tile.start[*slice->findDim(tile.shape.size())] =
        source.start[*slice->findDim(source.shape.size())];
  }
  return tile;
}

/// Transposes and reshapes give elements other indices: in registers another
/// layout, in shared memory other strides.
void ScheduledLaunchBuilder::convertLayout(ComputeOpInterface op) {
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
  if (tile.fragments.empty())
    tile = viewInMemory(op, std::move(source), attrs, std::move(tile));
  tiles[op->getResult(0)] = std::move(tile);
}

/// Returns the part of an operand of a product from an index of its contracted
/// dimension on.
Value ScheduledLaunchBuilder::getPiece(Operation *product, Value value,
                                       MatrixRole role, bool transposed,
                                       int64_t dim, int64_t from,
                                       int64_t size) {
  RegisterLayout whole =
      getOperandLayout(product, role, tiles[value].shape, transposed);
  if (tiles[value].shape[dim] == size)
    return getFragment(value, whole);
  Location loc = value.getLoc();
  Shape shape = tiles[value].shape;
  shape[dim] = size;
  RegisterLayout layout = getOperandLayout(product, role, shape, transposed);
  auto hasWhole = [&] {
    return llvm::any_of(tiles[value].fragments, [&](Value fragment) {
      return getLayoutOf(fragment).agreesWith(whole);
    });
  };
  // What all iterations share stays in registers.
  if (hasWhole() || (state && state->body && !isVarying(value))) {
    OpAttributes attrs;
    attrs.offsets.assign(shape.size(), 0);
    attrs.offsets[dim] = from;
    attrs.sizes.assign(shape.begin(), shape.end());
    attrs.strides.assign(shape.size(), 1);
    return createOperator(loc, OpKind::Slice, attrs, getFragment(value, whole),
                          tiles[value].element, layout);
  }
  Tile &tile = tiles[value];
  if (!tile.buffer)
    storeToShared(loc, tile, RowPlacement::Chunked);
  SmallVector<Value> offsets(tile.slot.begin(), tile.slot.end());
  offsets.resize(cast<MemRefType>(tile.buffer.getType()).getRank(),
                 index(loc, 0));
  offsets[tile.slot.size() + dim] = index(loc, from);
  return thread::LoadFragmentOp::create(
      builder, loc, getType(shape, tile.element, layout), tile.buffer, offsets);
}

bool ScheduledLaunchBuilder::isInChunks(const Tile &tile) const {
  return tile.buffer &&
         isa<thread::ChunkedLayoutAttr>(
             cast<MemRefType>(tile.buffer.getType()).getLayout());
}

/// Emits one product by wgmma. The right operand must lie in chunks; the left
/// one is read from memory where it is only there.
Value ScheduledLaunchBuilder::multiplyByWarpgroups(Operation *product,
                                                   Value lhs, Value rhs,
                                                   Value accumulator,
                                                   bool transposeLhs,
                                                   bool transposeRhs) {
  Location loc = product->getLoc();
  auto offsetsOf = [&](const Tile &tile) {
    SmallVector<Value> offsets(tile.slot.begin(), tile.slot.end());
    llvm::append_range(offsets, tile.start);
    offsets.resize(cast<MemRefType>(tile.buffer.getType()).getRank(),
                   index(loc, 0));
    return offsets;
  };
  Value left;
  SmallVector<Value> leftOffsets;
  if (const Tile &tile = tiles[lhs];
      isInChunks(tile) && tile.fragments.empty() && tile.start.empty()) {
    left = tile.buffer;
    leftOffsets = offsetsOf(tile);
  } else {
    left = getFragment(lhs, getOperandLayout(product, MatrixRole::Lhs,
                                             tiles[lhs].shape, transposeLhs));
  }
  const Tile &right = tiles[rhs];
  return thread::WarpgroupMmaOp::create(
      builder, loc, accumulator, left, leftOffsets, right.buffer,
      offsetsOf(right), transposeLhs, transposeRhs);
}

/// Emits one product by multiply-adds of the lanes, from operands in shared
/// memory. A lane loads what its sums need, which lanes that share rows or
/// columns load as well, so that it has few contracted elements at a time: the
/// loop over them is one of the kernel.
Value ScheduledLaunchBuilder::multiplyInLanes(ComputeOpInterface op, Value lhs,
                                              Value rhs, Value accumulator,
                                              int64_t lhsDim, int64_t rhsDim) {
  Location loc = op.getLoc();
  int64_t rank = cast<RankedTensorType>(accumulator.getType()).getRank();
  bool transposeLhs = lhsDim + 2 == rank, transposeRhs = rhsDim + 1 == rank;
  for (Value operand : {lhs, rhs})
    if (!tiles[operand].buffer) {
      // What all iterations share is stored before the loop.
      OpBuilder::InsertionGuard guard(builder);
      if (state && state->body && !isVarying(operand))
        builder.setInsertionPoint(state->body);
      storeToShared(loc, tiles[operand], RowPlacement::Padded);
    }
  int64_t depth = tiles[lhs].shape[lhsDim];
  int64_t step = *getProductStep(tiles[lhs].element);
  // Loads of one piece are on their way while another one is multiplied.
  constexpr int64_t mostPieces = 4;
  int64_t pieces = std::gcd(depth / step, mostPieces);
  auto load = [&](Value operand, MatrixRole role, bool transposed, int64_t dim,
                  Value from) -> Value {
    const Tile &tile = tiles[operand];
    SmallVector<Value> offsets(tile.slot.begin(), tile.slot.end());
    llvm::append_range(offsets, tile.start);
    offsets.resize(cast<MemRefType>(tile.buffer.getType()).getRank(),
                   index(loc, 0));
    Value &along = offsets[tile.slot.size() + dim];
    along = IndexSystem{builder, loc}.add(along, from);
    Shape shape = tile.shape;
    shape[dim] = step;
    return thread::LoadFragmentOp::create(
        builder, loc,
        getType(shape, tile.element,
                getOperandLayout(op, role, shape, transposed)),
        tile.buffer, offsets);
  };
  auto multiply = [&](Value sums, Value from) -> Value {
    Value a = load(lhs, MatrixRole::Lhs, transposeLhs, lhsDim, from);
    Value b = load(rhs, MatrixRole::Rhs, transposeRhs, rhsDim, from);
    return thread::FmaFragmentOp::create(builder, loc, a, b, sums, transposeLhs,
                                         transposeRhs);
  };
  auto loop = scf::ForOp::create(builder, loc, index(loc, 0), index(loc, depth),
                                 index(loc, step * pieces), accumulator);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value sums = loop.getRegionIterArg(0);
  for (int64_t piece = 0; piece < pieces; ++piece)
    sums =
        multiply(sums, IndexSystem{builder, loc}.add(loop.getInductionVar(),
                                                     index(loc, piece * step)));
  scf::YieldOp::create(builder, loc, sums);
  return loop.getResult(0);
}

/// Emits the products of a matmul or a concat_matmul into an accumulator of f32
/// in the layout of the result, which is zero where none is given.
Value ScheduledLaunchBuilder::multiply(ComputeOpInterface op,
                                       Value accumulator) {
  Location loc = op.getLoc();
  OpAttributes attrs = op.getOpAttributes();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  unsigned numLhs = op->getNumOperands() / 2;
  Shape shape(type.getShape());
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    groups = std::max(groups, tiles[operand].shape.front());
  shape.insert(shape.begin(), groups);
  if (!accumulator) {
    RankedTensorType sum =
        getType(shape, builder.getF32Type(), getAccumulatorLayout(op, shape));
    accumulator = thread::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(sum, APFloat(0.0f)));
  }
  // (A B)' = B' A'.
  bool isExchanged = isExchangedProduct(op, schedule);
  bool transposeLhs = isExchanged ? !attrs.transposeRhs : attrs.transposeLhs;
  bool transposeRhs = isExchanged ? !attrs.transposeLhs : attrs.transposeRhs;
  if (isExchanged)
    accumulator = exchange(accumulator);
  for (unsigned i = 0; i < numLhs; ++i) {
    Value lhs = op->getOperand(i), rhs = op->getOperand(numLhs + i);
    if (isExchanged)
      std::swap(lhs, rhs);
    int64_t rank = shape.size();
    int64_t lhsDim = getContractedDim(transposeLhs, ProductOperand::Lhs, rank);
    int64_t rhsDim = getContractedDim(transposeRhs, ProductOperand::Rhs, rank);
    int64_t depth = tiles[lhs].shape[lhsDim];
    if (isWarpgroupProduct(op, schedule)) {
      if (!tiles[rhs].buffer) {
        // What all iterations share is stored before the loop.
        OpBuilder::InsertionGuard guard(builder);
        if (state && state->body && !isVarying(rhs))
          builder.setInsertionPoint(state->body);
        storeToShared(loc, tiles[rhs], RowPlacement::Chunked);
      }
      if (isInChunks(tiles[rhs])) {
        accumulator = multiplyByWarpgroups(op, lhs, rhs, accumulator,
                                           transposeLhs, transposeRhs);
        continue;
      }
    }
    if (isLaneProduct(op)) {
      accumulator = multiplyInLanes(op, lhs, rhs, accumulator, lhsDim, rhsDim);
      continue;
    }
    // Operands come in pieces along the contracted dimension, so that not all
    // of them need registers at a time.
    int64_t step = getFragmentInstruction(tiles[lhs].element)->depth;
    int64_t piece =
        depth % piecesOfDepth ? step : std::min(depth, piecesOfDepth);
    for (int64_t from = 0; from < depth; from += piece) {
      Value a =
          getPiece(op, lhs, MatrixRole::Lhs, transposeLhs, lhsDim, from, piece);
      Value b =
          getPiece(op, rhs, MatrixRole::Rhs, transposeRhs, rhsDim, from, piece);
      accumulator = thread::MmaFragmentOp::create(
          builder, loc, a, b, accumulator, transposeLhs, transposeRhs);
    }
  }
  return isExchanged ? exchange(accumulator) : accumulator;
}

void ScheduledLaunchBuilder::convertMatmul(ComputeOpInterface op) {
  Tile &tile = tiles[op->getResult(0)];
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    groups = std::max(groups, tiles[operand].shape.front());
  tiles[op->getResult(0)].shape.insert(tiles[op->getResult(0)].shape.begin(),
                                       groups);
  tiles[op->getResult(0)].element = type.getElementType();
  // A product that is only accumulated is made there.
  if (getFusedAccumulator(op))
    return;
  Value product = multiply(op, Value());
  if (!type.getElementType().isF32()) {
    OpAttributes attrs;
    attrs.resultType = convertElementType(type.getElementType());
    product = createOperator(op.getLoc(), OpKind::Cast, attrs, product,
                             type.getElementType(), getLayoutOf(product));
  }
  tiles[op->getResult(0)].fragments.push_back(product);
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
  sliceOperands(*op);
  switch (getOpInfo(op.getOpKind()).opClass) {
  case OpClass::Elementwise:
    convertElementwise(op);
    return success();
  case OpClass::Reduction:
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
