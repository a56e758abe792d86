//===- JoinQueries.cpp - Queries of heads that share keys -----------------===//
//
// Reshapes the operands of attention and its result; see JoinQueries.h.
//
//===----------------------------------------------------------------------===//

#include "JoinQueries.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Returns whether a value is a transposed one, but for casts and reshapes.
static bool isTransposed(Value value) {
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<kernel::CastOp, kernel::ReshapeOp>(op))
    op = op->getOperand(0).getDefiningOp();
  return isa_and_nonnull<kernel::TransposeOp>(op);
}

/// Returns whether a value is transposed, maybe behind casts and reshapes.
static bool isTransposedBehind(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return isa<kernel::TransposeOp>(user) ||
           (isa<kernel::CastOp, kernel::ReshapeOp>(user) &&
            isTransposedBehind(user->getResult(0)));
  });
}

static Value reshape(OpBuilder &builder, Location loc, Value value,
                     const Shape &shape) {
  if (getShapeOf(value) == ArrayRef<int64_t>(shape))
    return value;
  OpAttributes attributes;
  attributes.resultShape = shape;
  return createComputeOp(builder, loc, Level::Kernel, OpKind::Reshape,
                         attributes, value)
      ->getResult(0);
}

/// Reshapes an operand, before the cast that it may be.
static Value reshapeOperand(OpBuilder &builder, Location loc, Value value,
                            const Shape &shape) {
  auto cast = value.getDefiningOp<kernel::CastOp>();
  if (!cast)
    return reshape(builder, loc, value, shape);
  Type element = mlir::cast<RankedTensorType>(value.getType()).getElementType();
  OpAttributes attributes;
  attributes.resultType = convertElementType(element);
  return createComputeOp(builder, loc, Level::Kernel, OpKind::Cast, attributes,
                         reshape(builder, loc, cast.getInput(), shape), element)
      ->getResult(0);
}

kernel::AttentionOp mirage::joinQueries(kernel::AttentionOp op) {
  constexpr size_t queriesOperand = 0, maskOperand = 3;
  ArrayRef<int64_t> shape = getShapeOf(op->getOperand(queriesOperand));
  size_t rank = shape.size(), rows = rank - 2, batch = rows;
  while (batch > 0 && shape[batch - 1] == 1)
    --batch;
  if (batch == 0)
    return op;
  --batch;
  // Dimensions from `batch` on have a size of one in other operands.
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    ArrayRef<int64_t> other = getShapeOf(operand);
    size_t end = number == maskOperand ? rows + 1 : rows;
    if (number != queriesOperand &&
        llvm::any_of(other.slice(batch, end - batch),
                     [](int64_t size) { return size != 1; }))
      return op;
  }
  if (isTransposed(op->getOperand(queriesOperand)) ||
      isTransposedBehind(op.getResult()))
    return op;
  // Operators have a batch dimension, whatever its size is.
  auto join = [&](ArrayRef<int64_t> from) {
    Shape joined(from.take_front(batch));
    if (joined.empty())
      joined.push_back(1);
    joined.push_back(elementCount(from.slice(batch, rows + 1 - batch)));
    joined.push_back(from.back());
    return joined;
  };
  OpBuilder builder(op);
  Location loc = op.getLoc();
  SmallVector<Value, 4> operands;
  for (Value operand : op->getOperands())
    operands.push_back(
        reshapeOperand(builder, loc, operand, join(getShapeOf(operand))));
  auto type = cast<RankedTensorType>(op.getResult().getType());
  auto joined = cast<kernel::AttentionOp>(
      createComputeOp(builder, loc, Level::Kernel, OpKind::Attention,
                      cast<ComputeOpInterface>(*op).getOpAttributes(), operands,
                      type.getElementType()));
  op.getResult().replaceAllUsesWith(
      reshape(builder, loc, joined.getResult(), Shape(type.getShape())));
  op.erase();
  return joined;
}
