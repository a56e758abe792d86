//===- MovedTransposes.cpp - Transposes behind other operators ------------===//
//
// A transpose moves towards what reads the results, where a product absorbs it,
// or another transpose cancels it.
//
//===----------------------------------------------------------------------===//

#include "MovedTransposes.h"
#include "MergedProducts.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Semantics/Windows.h"

using namespace mlir;
using namespace mirage;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Returns the order that undoes another one.
static SmallVector<int64_t> invert(ArrayRef<int64_t> order) {
  SmallVector<int64_t> inverse(order.size());
  for (auto [place, dim] : llvm::enumerate(order))
    inverse[dim] = place;
  return inverse;
}

static SmallVector<int64_t> permute(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> order) {
  return llvm::map_to_vector(order, [&](int64_t dim) { return shape[dim]; });
}

/// Returns what a value is the transpose of, if it has this order.
static Value getTransposed(Value value, ArrayRef<int64_t> order) {
  auto transpose = value.getDefiningOp<kernel::TransposeOp>();
  return transpose && transpose.getPermutation() == order ? transpose.getInput()
                                                          : Value();
}

/// Returns whether the value in another order has its elements in a row as the
/// value has them.
static bool keepsElements(Value value, ArrayRef<int64_t> order) {
  OpAttributes attributes;
  attributes.permutation.assign(order.begin(), order.end());
  return keepsOrder(OpKind::Transpose, attributes, getType(value).getShape());
}

bool mirage::canMoveTranspose(Value result, DenseI64ArrayAttr order) {
  bool isComputed = false;
  for (Value operand : result.getDefiningOp()->getOperands()) {
    if (Value input = getTransposed(operand, order)) {
      isComputed |= !isLoaded(input);
      continue;
    }
    if (!keepsElements(operand, invert(order)) && !isLoaded(operand))
      return false;
  }
  // Weights have no order that a call would take less with.
  return isComputed;
}

/// Returns an operand before the transpose.
static Value undo(OpBuilder &builder, Location loc, Value operand,
                  ArrayRef<int64_t> order) {
  if (Value input = getTransposed(operand, order))
    return input;
  SmallVector<int64_t> inverse = invert(order);
  RankedTensorType type = getType(operand);
  if (keepsElements(operand, inverse))
    return kernel::ReshapeOp::create(
        builder, loc,
        RankedTensorType::get(permute(type.getShape(), inverse),
                              type.getElementType()),
        operand);
  return kernel::TransposeOp::create(builder, loc, operand,
                                     builder.getDenseI64ArrayAttr(inverse));
}

Value mirage::moveTranspose(OpBuilder &builder, Location loc, Value result,
                            DenseI64ArrayAttr order) {
  Operation *op = result.getDefiningOp();
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return undo(builder, loc, operand, order);
  });
  RankedTensorType type = getType(result);
  auto before = RankedTensorType::get(permute(type.getShape(), invert(order)),
                                      type.getElementType());
  Operation *moved = Operation::create(
      loc, op->getName(), TypeRange(before), operands,
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(), {}, 0u);
  return kernel::TransposeOp::create(
      builder, loc, builder.insert(moved)->getResult(0), order);
}

Value mirage::moveTransposeOfReduced(OpBuilder &builder, Location loc,
                                     Value result, Value input,
                                     DenseI64ArrayAttr order) {
  auto reduce = result.getDefiningOp<kernel::ReduceOp>();
  auto place = static_cast<int64_t>(reduce.getDim());
  int64_t dim = order[place];
  bool stays = reduce.getKeep() || reduce.getGroupAttr();
  SmallVector<int64_t> left;
  for (auto [i, other] : llvm::enumerate(order.asArrayRef()))
    if (stays)
      left.push_back(other);
    else if (static_cast<int64_t>(i) != place)
      left.push_back(other - (other > dim));
  RankedTensorType type = getType(result);
  Value sum = kernel::ReduceOp::create(
      builder, loc,
      RankedTensorType::get(permute(type.getShape(), invert(left)),
                            type.getElementType()),
      input, reduce.getKindAttr(), builder.getI64IntegerAttr(dim),
      reduce.getGroupAttr(), reduce.getKeepAttr());
  if (llvm::equal(left, llvm::seq<int64_t>(left.size())))
    return sum;
  return kernel::TransposeOp::create(builder, loc, sum,
                                     builder.getDenseI64ArrayAttr(left));
}
