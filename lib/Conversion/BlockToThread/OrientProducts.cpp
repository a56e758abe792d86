//===- OrientProducts.cpp - Which dimension of a product is its rows ------===//
//
// Exchanges the rows and columns of products, and of all that follows from them
// element by element, where another product takes the result transposed: scores
// of keys by queries become scores of queries by keys. In registers the result
// of a product is the left operand of the next one as it is, and a transposed
// one is not.
//
//===----------------------------------------------------------------------===//

#include "KernelBuilder.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "ScheduledLaunch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

namespace {
/// The values that must be exchanged together.
class ProductOrientation {
public:
  /// Collects what is connected with a product's result. Returns false where
  /// something among it cannot be exchanged, or nothing would be won.
  bool collect(Operation *product);
  void exchange();

private:
  bool add(Value value);
  bool addDefinition(Value value);
  bool addUser(OpOperand &use);
  bool isExchanged(Value value) const { return values.contains(value); }

  llvm::SetVector<Value> values;
  /// Products whose left operand is among the values, transposed and not.
  int64_t transposed = 0, straight = 0;
};
} // namespace

static ArrayRef<int64_t> getShape(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Returns true if the last two dimensions have one element: exchanging them
/// changes nothing.
static bool isSymmetric(Value value) {
  ArrayRef<int64_t> shape = getShape(value);
  return shape.size() >= 2 && shape.rbegin()[0] == 1 && shape.rbegin()[1] == 1;
}

static Type exchangeDims(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Shape shape(tensor.getShape());
  std::swap(shape.rbegin()[0], shape.rbegin()[1]);
  return tensor.clone(shape);
}

static bool isElementwise(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  return compute &&
         getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise;
}

static bool isKeepingReduction(Operation *op) {
  auto reduce = dyn_cast<block::ReduceOp>(op);
  if (!reduce)
    return false;
  OpAttributes attrs = cast<ComputeOpInterface>(op).getOpAttributes();
  return attrs.keep && !attrs.group;
}

/// Returns true if an operator does nothing but exchange the last two
/// dimensions, so that it is the exchanged operand.
static bool isExchange(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute || (compute.getOpKind() != OpKind::Reshape &&
                   compute.getOpKind() != OpKind::Transpose))
    return false;
  if (op->getResult(0).getType() != exchangeDims(op->getOperand(0).getType()))
    return false;
  if (compute.getOpKind() == OpKind::Reshape) {
    ArrayRef<int64_t> shape = getShape(op->getOperand(0));
    return shape.rbegin()[0] == 1 || shape.rbegin()[1] == 1;
  }
  auto order =
      llvm::to_vector(llvm::seq<int64_t>(getShape(op->getOperand(0)).size()));
  std::swap(order.rbegin()[0], order.rbegin()[1]);
  return llvm::equal(compute.getOpAttributes().permutation, order);
}

bool ProductOrientation::add(Value value) {
  if (isSymmetric(value) || isExchanged(value))
    return true;
  if (getShape(value).size() < 2)
    return false;
  values.insert(value);
  return true;
}

/// What a value is computed from is exchanged with it.
bool ProductOrientation::addDefinition(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return false;
  if (auto constant = dyn_cast<block::ConstantOp>(op))
    return isImmediate(op);
  if (isa<block::MatmulOp>(op))
    return true;
  if (auto loop = dyn_cast<block::ForOp>(op)) {
    unsigned number = cast<OpResult>(value).getResultNumber();
    return add(loop.getBody().front().getTerminator()->getOperand(number));
  }
  if (auto accumulate = dyn_cast<block::AccumulateOp>(op))
    return accumulate.getKind() != AccumulateKind::Concat &&
           add(accumulate.getValue()) &&
           (!accumulate.getShift() || add(accumulate.getShift()));
  return (isElementwise(op) || isKeepingReduction(op)) &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return add(operand); });
}

/// What is computed from a value is exchanged with it, up to products and to
/// operators that exchange the dimensions back.
bool ProductOrientation::addUser(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<block::MatmulOp>(user)) {
    OpAttributes attrs = cast<ComputeOpInterface>(user).getOpAttributes();
    if (use.getOperandNumber() == 0)
      ++(attrs.transposeLhs ? transposed : straight);
    // What is computed in a loop is not also an operand of what is exchanged.
    return !isExchanged(user->getResult(0));
  }
  if (isa<block::YieldOp>(user)) {
    auto loop = dyn_cast<block::ForOp>(user->getParentOp());
    return loop && add(loop.getResult(use.getOperandNumber()));
  }
  if (isExchange(user))
    return true;
  if (isa<block::AccumulateOp>(user) || isElementwise(user) ||
      isKeepingReduction(user))
    return add(user->getResult(0));
  return false;
}

bool ProductOrientation::collect(Operation *product) {
  values.insert(product->getResult(0));
  // The list grows.
  for (size_t i = 0; i < values.size(); ++i) {
    Value value = values[i];
    if (!addDefinition(value))
      return false;
    // Other users of a constant keep it as it is.
    if (isa_and_nonnull<block::ConstantOp>(value.getDefiningOp()))
      continue;
    for (OpOperand &use : value.getUses())
      if (!addUser(use))
        return false;
  }
  constexpr int64_t warpgroupRows = WarpgroupInstruction::rows;
  for (Value value : values) {
    Operation *op = value.getDefiningOp();
    if (!isa_and_nonnull<block::MatmulOp>(op))
      continue;
    // An operand of a product that was collected later may be one of them.
    if (llvm::any_of(op->getOperands(),
                     [&](Value operand) { return isExchanged(operand); }))
      return false;
    // Rows that fill warpgroups are worth more than rows that stay.
    ArrayRef<int64_t> shape = getShape(value);
    if (shape.rbegin()[1] % warpgroupRows == 0 &&
        shape.rbegin()[0] % warpgroupRows != 0)
      return false;
  }
  return transposed > 0 && straight == 0;
}

void ProductOrientation::exchange() {
  // Products and reductions are made anew, as their attributes change.
  auto replace = [](Operation *op, const OpAttributes &attrs,
                    ValueRange operands) {
    OpBuilder builder(op);
    Operation *other = createComputeOp(
        builder, op->getLoc(), Level::Block,
        cast<ComputeOpInterface>(op).getOpKind(), attrs, operands,
        cast<RankedTensorType>(op->getResult(0).getType()).getElementType());
    op->getResult(0).replaceAllUsesWith(other->getResult(0));
    op->erase();
  };
  llvm::SetVector<Operation *> definitions, products, exchanges;
  for (Value value : values) {
    definitions.insert(value.getDefiningOp());
    for (Operation *user : value.getUsers()) {
      if (isa<block::MatmulOp>(user))
        products.insert(user);
      else if (isExchange(user))
        exchanges.insert(user);
      else if (isKeepingReduction(user))
        // Its result may have one element, and be none of the values.
        definitions.insert(user);
    }
  }
  // A product takes its exchanged operand transposed, or no longer so.
  for (Operation *product : products) {
    OpAttributes attrs = cast<ComputeOpInterface>(product).getOpAttributes();
    attrs.transposeLhs ^= isExchanged(product->getOperand(0));
    attrs.transposeRhs ^= isExchanged(product->getOperand(1));
    OpBuilder builder(product);
    auto result = product->getResult(0);
    // Its operands get their types below, and it keeps its own.
    Operation *other = builder.clone(*product);
    other->setAttrs(product->getAttrDictionary());
    cast<block::MatmulOp>(other).setTransposeLhs(attrs.transposeLhs);
    cast<block::MatmulOp>(other).setTransposeRhs(attrs.transposeRhs);
    result.replaceAllUsesWith(other->getResult(0));
    product->erase();
  }
  for (Operation *op : exchanges) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    op->erase();
  }
  for (Value value : values) {
    if (auto constant = value.getDefiningOp<block::ConstantOp>()) {
      // Others may use the constant as it is.
      OpBuilder builder(constant);
      auto elements = cast<DenseElementsAttr>(constant.getValue());
      auto type = cast<RankedTensorType>(exchangeDims(value.getType()));
      Operation *other = block::ConstantOp::create(builder, constant.getLoc(),
                                                   elements.resizeSplat(type));
      value.replaceUsesWithIf(other->getResult(0), [&](OpOperand &use) {
        return definitions.contains(use.getOwner());
      });
      continue;
    }
    value.setType(exchangeDims(value.getType()));
  }
  for (Operation *op : definitions) {
    if (!isa<block::MatmulOp>(op) && !isKeepingReduction(op))
      continue;
    OpAttributes attrs = cast<ComputeOpInterface>(op).getOpAttributes();
    int64_t rank = getShape(op->getResult(0)).size();
    if (isa<block::MatmulOp>(op)) {
      // (A B)' = B' A'.
      std::swap(attrs.transposeLhs, attrs.transposeRhs);
      attrs.transposeLhs = !attrs.transposeLhs;
      attrs.transposeRhs = !attrs.transposeRhs;
      replace(op, attrs, {op->getOperand(1), op->getOperand(0)});
      continue;
    }
    if (attrs.dim >= rank - 2)
      attrs.dim = 2 * rank - 3 - attrs.dim;
    replace(op, attrs, op->getOperands());
  }
}

void mirage::orientProducts(kernel::LaunchOp launch) {
  SmallVector<Operation *> products;
  launch.getBody().walk([&](block::MatmulOp op) { products.push_back(op); });
  for (Operation *product : products) {
    ProductOrientation orientation;
    if (!orientation.collect(product))
      continue;
    orientation.exchange();
    // The products are others now.
    return orientProducts(launch);
  }
}
