//===- ScheduledSums.cpp - Sums of rows that products make ----------------===//
//
// Lets the product whose left operand is summed up along its rows make these
// sums, too: its right operand has eight more columns of ones, which lie in
// shared memory beside it. In attention, the instructions that multiply the
// exponentials by the values add them up, and the warps do not.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

//===----------------------------------------------------------------------===//
// Sums that products can make
//===----------------------------------------------------------------------===//

/// Returns the accumulate that adds up the rows of `operand`, relative to the
/// same shift as another one does, if nothing else takes these sums.
static block::AccumulateOp findSumOfRows(Value operand, int64_t dim,
                                         block::AccumulateOp beside) {
  for (Operation *user : operand.getUsers()) {
    auto reduction = dyn_cast<ComputeOpInterface>(user);
    if (!reduction || reduction.getOpKind() != OpKind::Reduce ||
        user->getBlock() != beside->getBlock())
      continue;
    OpAttributes attrs = reduction.getOpAttributes();
    Value result = user->getResult(0);
    if (attrs.reduceKind != ReduceKind::Sum || attrs.dim != dim ||
        !attrs.keep || attrs.group || !result.hasOneUse() ||
        !getElementTypeOrSelf(result.getType()).isF32())
      continue;
    auto sum = dyn_cast<block::AccumulateOp>(*result.user_begin());
    if (sum && sum.getValue() == result && sum.getKind() == beside.getKind() &&
        sum.getShift() == beside.getShift())
      return sum;
  }
  return {};
}

/// Returns the result of a loop that is what one of its accumulates gives, or
/// null if there are several.
static Value getLoopResult(block::AccumulateOp accumulate) {
  if (!accumulate.getResult().hasOneUse())
    return {};
  OpOperand &use = *accumulate.getResult().use_begin();
  Operation *yield = use.getOwner();
  auto loop = dyn_cast<block::ForOp>(yield->getParentOp());
  return loop && yield == loop.getBody().front().getTerminator()
             ? loop.getResult(use.getOperandNumber())
             : Value();
}

/// Returns true if a sum is for nothing but the quotients of others by it.
/// Their roundings to the type of the product's operand are those that the
/// product has, too.
static bool isOnlyDivisorOf(Value sum, Value product) {
  return sum && product && !sum.use_empty() &&
         llvm::all_of(sum.getUsers(), [&](Operation *user) {
           auto compute = dyn_cast<ComputeOpInterface>(user);
           return compute && compute.getOpKind() == OpKind::Div &&
                  user->getOperand(0) == product && user->getOperand(1) == sum;
         });
}

/// Returns true for exponentials. None is negative, so that their sum errs in
/// proportion to itself. Relative to a running maximum one of them is one, so
/// that the sum cannot vanish when they are rounded to the product's type.
static bool isExponential(Value value) {
  auto compute = value.getDefiningOp<ComputeOpInterface>();
  return compute && (compute.getOpKind() == OpKind::Exp ||
                     compute.getOpKind() == OpKind::Exp2);
}

ProductSums mirage::findProductSums(block::ForOp loop,
                                    const LaunchSchedule &schedule) {
  ProductSums sums;
  RelativeShifts shifts = findRelativeShifts(loop);
  for (auto product : loop.getBody().front().getOps<block::MatmulOp>()) {
    block::AccumulateOp beside = getFusedAccumulator(product);
    if (!beside || !isWarpgroupProduct(product, schedule) ||
        isExchangedProduct(product, schedule) || schedule.columnWarps != 1 ||
        !beside.getShift() || !shifts.contains(beside.getShift()))
      continue;
    // The columns are one chunk, behind which the ones can stand.
    OpAttributes attrs = product.getOpAttributes();
    auto type = cast<RankedTensorType>(product.getResult().getType());
    int64_t columns = type.getShape().back();
    if (attrs.transposeLhs || attrs.transposeRhs || columns > widestChunk ||
        columns < WarpgroupInstruction::narrowestChunk ||
        !llvm::isPowerOf2_64(columns))
      continue;
    // What is added up may be the operand before it is rounded.
    Value left = product->getOperand(0);
    int64_t dim = cast<RankedTensorType>(left.getType()).getRank() - 1;
    auto rounding = left.getDefiningOp<block::CastOp>();
    block::AccumulateOp sum = findSumOfRows(left, dim, beside);
    if (!sum && rounding)
      sum = findSumOfRows(rounding->getOperand(0), dim, beside);
    if (!sum || !isExponential(rounding ? rounding->getOperand(0) : left) ||
        !isOnlyDivisorOf(getLoopResult(sum), getLoopResult(beside)))
      continue;
    sums.products[sum] = product;
    sums.reductions.insert(sum.getValue().getDefiningOp());
  }
  return sums;
}

//===----------------------------------------------------------------------===//
// The accumulators of products and sums
//===----------------------------------------------------------------------===//

/// Returns the layout of an accumulator with this many columns, of one that
/// differs in nothing else. Of each eight columns, the lanes of a row have two.
static RegisterLayout withColumns(const RegisterLayout &layout, int64_t dim,
                                  int64_t columns) {
  constexpr int64_t step = WarpgroupInstruction::columnStep;
  LayoutModes registers;
  for (const LayoutMode &mode : layout.registers)
    if (mode.dim != dim || mode.stride < step)
      registers.push_back(mode);
  registers.push_back({columns / step, dim, step});
  return RegisterLayout(registers, layout.lanes, layout.warps);
}

void ScheduledLaunchBuilder::addSumColumns(Operation *product, Shape &shape,
                                           RegisterLayout &layout) const {
  if (!state->sums.makesSums(product))
    return;
  shape.back() += WarpgroupInstruction::columnStep;
  layout = withColumns(layout, shape.size() - 1, shape.back());
}

Value ScheduledLaunchBuilder::getOnes(Operation *product) {
  if (!state || !state->sums.makesSums(product))
    return {};
  auto right = cast<RankedTensorType>(product->getOperand(1).getType());
  Value &ones = onesOf[{right.getElementType(), right.getShape().back()}];
  // Those of an earlier loop lie before the tiles of this one, whose
  // descriptors have no negative distances.
  auto getOffset = [](Value buffer) {
    return buffer.getDefiningOp<thread::SharedBufferOp>().getOffset();
  };
  if (ones && getOffset(ones) > getOffset(tiles[product->getOperand(1)].buffer))
    return ones;
  Location loc = product->getLoc();
  OpBuilder::InsertionGuard guard(builder);
  // A block that stays writes them once.
  if (loader)
    builder.setInsertionPointAfter(loader);
  else
    builder.setInsertionPoint(state->body);
  Tile tile;
  tile.element = right.getElementType();
  tile.shape = {1, getFragmentInstruction(tile.element)->depth,
                right.getShape().back()};
  RankedTensorType type = getType(tile.shape, tile.element,
                                  getVectorLayoutOf(tile.shape, tile.element));
  tile.fragments.push_back(thread::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type, builder.getFloatAttr(tile.element, 1.0).getValue())));
  storeToShared(loc, tile, RowPlacement::Chunked);
  return ones = tile.buffer;
}

void ScheduledLaunchBuilder::noteProductSum(block::AccumulateOp op) {
  Accumulator accumulator;
  accumulator.op = op;
  // The place of the sum is known when the loop is made.
  accumulator.carried = 0;
  if (accumulator.isRescaled())
    accumulator.maximum = getRunningMaximum(op.getShift());
  state->accumulators.push_back(accumulator);
}

void ScheduledLaunchBuilder::separateProductSums(CarriedValues &values) {
  auto findPlace = [&](Operation *product) {
    return llvm::find_if(state->accumulators,
                         [&](Accumulator &accumulator) {
                           return block::AccumulateOp(accumulator.op)
                                      .getValue()
                                      .getDefiningOp() == product;
                         })
        ->carried;
  };
  for (Accumulator &accumulator : state->accumulators) {
    Operation *product = state->sums.products.lookup(accumulator.op);
    if (!product)
      continue;
    Location loc = product->getLoc();
    Value &sums = values[findPlace(product)];
    Value whole = sums;
    auto type = cast<RankedTensorType>(whole.getType());
    constexpr int64_t added = WarpgroupInstruction::columnStep;
    int64_t dim = type.getRank() - 1, columns = type.getShape().back() - added;
    auto slice = [&](int64_t from, int64_t size) {
      OpAttributes attrs;
      attrs.offsets.assign(type.getRank(), 0);
      attrs.offsets.back() = from;
      attrs.sizes.assign(type.getShape().begin(), type.getShape().end());
      attrs.sizes.back() = size;
      attrs.strides.assign(type.getRank(), 1);
      return createOperator(loc, OpKind::Slice, attrs, whole,
                            type.getElementType(),
                            withColumns(getLayoutOf(whole), dim, size));
    };
    sums = slice(0, columns);
    accumulator.carried = values.size();
    // All of the columns are the same.
    values.push_back(reduce(loc, slice(columns, added), dim, ReduceKind::Max,
                            type.getElementType()));
  }
}
