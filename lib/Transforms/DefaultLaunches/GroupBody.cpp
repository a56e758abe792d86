//===- GroupBody.cpp - The block graph of a group -------------------------===//
//
// Emits the operators of a group on the parts of a block, in their order. A
// part is loaded before the first operator that reads it.
//
//===----------------------------------------------------------------------===//

#include "GroupBody.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mirage;

SmallVector<int64_t> GroupBody::getMap(Value value) const {
  SmallVector<int64_t> map;
  for (std::optional<unsigned> axis : tiling.gridAxes)
    map.push_back(axis ? axes.findDim(value, *axis).value_or(kReplica)
                       : kReplica);
  return map;
}

Value GroupBody::getPart(Value value) {
  Value &part = parts[value];
  if (part)
    return part;
  Location loc = value.getLoc();
  RankedTensorType type = tiling.getTileType(value, axes);
  if (isSplat(value)) {
    auto constant = value.getDefiningOp<kernel::ConstantOp>();
    part = block::ConstantOp::create(
        builder, loc,
        cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type));
    return part;
  }
  SmallVector<Value> iterations;
  SmallVector<int64_t> fmap;
  if (isInLoop(value)) {
    iterations.push_back(iteration);
    fmap.push_back(*axes.findDim(value, *tiling.loopAxis));
  }
  part = block::LoadOp::create(builder, loc, type, arguments.lookup(value),
                               getMap(value), iterations, fmap);
  return part;
}

/// Returns true if a block has a part of a value in each iteration.
bool GroupBody::isInLoop(Value value) const {
  return tiling.loopAxis && axes.findDim(value, *tiling.loopAxis);
}

/// Emits an operator on the parts of its operands.
Value GroupBody::emitOperator(Operation *op) {
  auto compute = cast<ComputeOpInterface>(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getPart(operand));
  OpAttributes attributes = compute.getOpAttributes();
  RankedTensorType type = tiling.getTileType(op->getResult(0), axes);
  if (compute.getOpKind() == OpKind::Reshape)
    attributes.resultShape.assign(type.getShape().begin(),
                                  type.getShape().end());
  Operation *made =
      createComputeOp(builder, op->getLoc(), Level::Block, compute.getOpKind(),
                      attributes, operands, type.getElementType());
  // A reshape of a constant is a constant.
  SmallVector<Value, 1> folded;
  if (failed(builder.tryFold(made, folded)) || folded.empty())
    return made->getResult(0);
  made->erase();
  return folded.front();
}

Value GroupBody::createOperator(Location loc, OpKind kind,
                                const OpAttributes &attributes, Value operand,
                                Type type) {
  return createComputeOp(builder, loc, Level::Block, kind, attributes, operand,
                         type)
      ->getResult(0);
}

/// Returns the operators that each iteration executes: the reductions along the
/// loop's axis, and what has this axis.
SetVector<Operation *> GroupBody::findLoop() const {
  SetVector<Operation *> inLoop;
  for (Operation *op : group.ops)
    if (llvm::any_of(op->getOperands(),
                     [&](Value operand) { return isInLoop(operand); }) ||
        isInLoop(op->getResult(0)))
      inLoop.insert(op);
  return inLoop;
}

/// Emits the loop, which adds up what its iterations reduce in f32.
void GroupBody::emitLoop(const SetVector<Operation *> &inLoop) {
  SmallVector<Operation *> reductions;
  SmallVector<Type> types;
  for (Operation *op : inLoop)
    if (isa<kernel::ReduceOp>(op)) {
      reductions.push_back(op);
      types.push_back(tiling.getTileType(op->getResult(0), axes)
                          .clone(builder.getF32Type()));
    }
  // What all iterations read is loaded before them.
  for (Operation *op : inLoop)
    for (Value operand : op->getOperands())
      if (!isInLoop(operand) && !inLoop.contains(operand.getDefiningOp()))
        getPart(operand);
  Location loc = reductions.front()->getLoc();
  auto loop = block::ForOp::create(builder, loc, types, tiling.iterations);
  SmallVector<Value> accumulated;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block &body = loop.getBody().emplaceBlock();
    iteration = body.addArgument(builder.getIndexType(), loc);
    builder.setInsertionPointToStart(&body);
    for (Operation *op : inLoop) {
      if (!isa<kernel::ReduceOp>(op)) {
        parts[op->getResult(0)] = emitOperator(op);
        continue;
      }
      OpAttributes attributes = cast<ComputeOpInterface>(op).getOpAttributes();
      Value terms = getPart(op->getOperand(0));
      if (!getElementTypeOrSelf(terms).isF32())
        terms = createOperator(op->getLoc(), OpKind::Cast, {}, terms,
                               builder.getF32Type());
      bool isMaximum = attributes.reduceKind == ReduceKind::Max;
      if (!isMaximum)
        attributes.reduceKind = ReduceKind::Sum;
      Value reduced = createOperator(op->getLoc(), OpKind::Reduce, attributes,
                                     terms, builder.getF32Type());
      accumulated.push_back(block::AccumulateOp::create(
          builder, op->getLoc(), reduced.getType(), reduced, /*shift=*/Value(),
          isMaximum ? AccumulateKind::Max : AccumulateKind::Sum,
          /*dim=*/IntegerAttr()));
    }
    block::YieldOp::create(builder, loc, accumulated);
  }
  for (auto [op, result] : llvm::zip_equal(reductions, loop.getResults())) {
    Value value = result;
    if (cast<ComputeOpInterface>(op).getOpAttributes().reduceKind ==
        ReduceKind::Mean) {
      OpAttributes scale;
      scale.scalar = 1 / static_cast<double>(axes.getSize(*tiling.loopAxis));
      value = createOperator(op->getLoc(), OpKind::Scale, scale, value,
                             builder.getF32Type());
    }
    Type type = getElementTypeOrSelf(op->getResult(0));
    if (!type.isF32())
      value = createOperator(op->getLoc(), OpKind::Cast, {}, value, type);
    parts[op->getResult(0)] = value;
  }
}

void GroupBody::emit(ArrayRef<Value> outputs) {
  SetVector<Operation *> inLoop = findLoop();
  auto isOfLoop = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      Operation *source = operand.getDefiningOp();
      return source && inLoop.contains(source);
    });
  };
  // What no iteration computes stands before the loop, unless it is computed of
  // what the loop has accumulated.
  SetVector<Operation *> behind;
  for (Operation *op : group.ops) {
    if (op == group.product || inLoop.contains(op))
      continue;
    if (isOfLoop(op) || llvm::any_of(op->getOperands(), [&](Value operand) {
          return behind.contains(operand.getDefiningOp());
        }))
      behind.insert(op);
    else
      parts[op->getResult(0)] = emitOperator(op);
  }
  if (!inLoop.empty())
    emitLoop(inLoop);
  for (Operation *op : behind)
    parts[op->getResult(0)] = emitOperator(op);
  SmallVector<Value> stores;
  for (Value output : outputs)
    stores.push_back(block::StoreOp::create(
        builder, output.getLoc(), tiling.getPaddedType(output, axes),
        parts.lookup(output), getMap(output)));
  block::YieldOp::create(builder, group.ops.back()->getLoc(), stores);
}
