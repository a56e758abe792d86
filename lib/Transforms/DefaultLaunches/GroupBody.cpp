//===- GroupBody.cpp - The block graph of a group -------------------------===//
//
// Emits the operators of a group on the parts of a block, in their order. A
// part is loaded before the first operator that reads it.
//
//===----------------------------------------------------------------------===//

#include "GroupBody.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

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
  part =
      block::LoadOp::create(builder, loc, type, arguments.lookup(value),
                            getMap(value), ValueRange(), ArrayRef<int64_t>());
  return part;
}

void GroupBody::emit(ArrayRef<Value> outputs) {
  for (Operation *op : group.ops) {
    if (op == group.product)
      continue;
    auto compute = cast<ComputeOpInterface>(op);
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(getPart(operand));
    Value result = op->getResult(0);
    OpAttributes attributes = compute.getOpAttributes();
    RankedTensorType type = tiling.getTileType(result, axes);
    if (compute.getOpKind() == OpKind::Reshape)
      attributes.resultShape.assign(type.getShape().begin(),
                                    type.getShape().end());
    parts[result] = createComputeOp(builder, op->getLoc(), Level::Block,
                                    compute.getOpKind(), attributes, operands,
                                    type.getElementType())
                        ->getResult(0);
  }
  SmallVector<Value> stores;
  for (Value output : outputs)
    stores.push_back(block::StoreOp::create(
        builder, output.getLoc(), tiling.getPaddedType(output, axes),
        parts.lookup(output), getMap(output)));
  block::YieldOp::create(builder, group.ops.back()->getLoc(), stores);
}
