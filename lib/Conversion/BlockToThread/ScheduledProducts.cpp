//===- ScheduledProducts.cpp - Products of a scheduled launch -------------===//
//
// Emits products on tiles in registers and shared memory: by wgmma, by
// mma.sync, and by multiply-adds of the lanes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ProductDims.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

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
    storeToShared(loc, tile, {RowPlacement::Chunked, value});
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
/// one is read from memory where it is only there, or where warps have to
/// exchange it by memory.
Value ScheduledLaunchBuilder::multiplyByWarpgroups(Operation *product,
                                                   Value lhs, Value rhs,
                                                   Value accumulator,
                                                   bool transposeLhs,
                                                   bool transposeRhs) {
  Location loc = product->getLoc();
  Value ones = getOnes(product);
  auto offsetsOf = [&](const Tile &tile) {
    SmallVector<Value> offsets(tile.slot.begin(), tile.slot.end());
    llvm::append_range(offsets, tile.start);
    offsets.resize(cast<MemRefType>(tile.buffer.getType()).getRank(),
                   index(loc, 0));
    return offsets;
  };
  // The instructions read rows beyond the end as well.
  auto hasRoom = [&](const Tile &tile) {
    int64_t rank = cast<RankedTensorType>(accumulator.getType()).getRank();
    auto box =
        cast<MemRefType>(tile.buffer.getType()).getShape().take_back(rank);
    return getLayoutOf(accumulator).getReach(rank - 2) <
           box[getKeptDim(transposeLhs, ProductOperand::Lhs, rank)];
  };
  RegisterLayout layout = getOperandLayout(product, MatrixRole::Lhs,
                                           tiles[lhs].shape, transposeLhs);
  bool isInRegisters = llvm::any_of(tiles[lhs].fragments, [&](Value fragment) {
    return getLayoutOf(fragment).agreesWith(layout);
  });
  if (!isInRegisters && !tiles[lhs].buffer && !tiles[lhs].mask &&
      !isComputedAgain(lhs)) {
    OpBuilder::InsertionGuard guard(builder);
    if (state && state->body && !isVarying(lhs))
      builder.setInsertionPoint(state->body);
    storeToShared(loc, tiles[lhs], {RowPlacement::Chunked, lhs});
  }
  Value left;
  SmallVector<Value> leftOffsets;
  if (const Tile &tile = tiles[lhs]; isInChunks(tile) && !isInRegisters &&
                                     tile.start.empty() && hasRoom(tile)) {
    left = tile.buffer;
    leftOffsets = offsetsOf(tile);
  } else {
    left = getFragment(lhs, layout);
  }
  const Tile &right = tiles[rhs];
  return thread::WarpgroupMmaOp::create(
      builder, loc, accumulator, left, leftOffsets, right.buffer,
      offsetsOf(right), ones, transposeLhs, transposeRhs);
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
      storeToShared(loc, tiles[operand], {RowPlacement::Padded, operand});
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
        RowSteps steps;
        steps.fillsChunks = !transposeRhs;
        storeToShared(loc, tiles[rhs], {RowPlacement::Chunked, rhs, steps});
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
