//===- PrepareProducts.cpp - Operands that matrix instructions take -------===//
//
// Converts the operands of a launch's products to 16-bit elements where these
// hold the same numbers, takes them from where transposes take them, and pads
// them with zeros along the contracted dimension, so that it is a multiple of
// what a matrix instruction contracts: the sums stay the same. Pads go to where
// tiles are loaded, past operators that keep zeros.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/Windows.h"
#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

namespace {
class ProductPreparer {
public:
  explicit ProductPreparer(kernel::LaunchOp launch) : launch(launch) {}

  void run();

private:
  Value pad(Value value, int64_t dim, int64_t count);

  kernel::LaunchOp launch;
  /// What was padded, by the value and the dimension.
  DenseMap<std::pair<Value, int64_t>, Value> padded;
};
} // namespace

/// Returns the type of 16 bits that holds all elements of a value, or null.
static Type getMatrixElement(Value value) {
  Type element = getElementTypeOrSelf(value.getType());
  if (getFragmentInstruction(element))
    return element;
  // Both f8 types have fewer bits of either part than f16.
  if (element.getIntOrFloatBitWidth() == 8)
    return Float16Type::get(value.getContext());
  auto op = value.getDefiningOp<ComputeOpInterface>();
  if (!op || !element.isF32())
    return {};
  if (op.getOpKind() == OpKind::Reshape || op.getOpKind() == OpKind::Transpose)
    return getMatrixElement(op->getOperand(0));
  if (op.getOpKind() != OpKind::Cast ||
      getElementTypeOrSelf(op->getOperand(0).getType()).isF32())
    return {};
  return getMatrixElement(op->getOperand(0));
}

/// Returns the value in its type of 16 bits.
static Value narrow(Value value) {
  Type element = getMatrixElement(value);
  if (getElementTypeOrSelf(value.getType()) == element)
    return value;
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  auto create = [&](OpKind kind, const OpAttributes &attrs, Value operand) {
    return createComputeOp(builder, value.getLoc(), Level::Block, kind, attrs,
                           operand, element)
        ->getResult(0);
  };
  if (getElementTypeOrSelf(value.getType()).getIntOrFloatBitWidth() == 8) {
    OpAttributes attrs;
    attrs.resultType = convertElementType(element);
    return create(OpKind::Cast, attrs, value);
  }
  auto op = value.getDefiningOp<ComputeOpInterface>();
  if (op.getOpKind() == OpKind::Cast)
    return narrow(op->getOperand(0));
  return create(op.getOpKind(), op.getOpAttributes(),
                narrow(op->getOperand(0)));
}

/// Returns true if all operands of a product have elements of one type of 16
/// bits.
static bool canNarrow(Operation *product) {
  if (cast<ComputeOpInterface>(product).getOpAttributes().tf32)
    return false;
  Type element = getMatrixElement(product->getOperand(0));
  return element && llvm::all_of(product->getOperands(), [&](Value operand) {
           return getMatrixElement(operand) == element;
         });
}

bool mirage::hasWideProduct(kernel::LaunchOp launch) {
  return launch.getBody()
      .walk([](Operation *op) {
        return isMatmul(op) && !canNarrow(op) ? WalkResult::interrupt()
                                              : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Gives a product operands of 16 bits, if all of them have one such type.
static void narrowOperands(Operation *product) {
  if (!canNarrow(product))
    return;
  for (OpOperand &operand : product->getOpOperands())
    operand.set(narrow(operand.get()));
}

/// Returns the transpose that gives an operand of a product, if all that it
/// does beside exchanging the last two dimensions is to move dimensions of size
/// one; null if there is none. `order` becomes the permutation without that
/// exchange.
static block::TransposeOp findExchange(Value operand,
                                       SmallVectorImpl<int64_t> &order) {
  auto transpose = operand.getDefiningOp<block::TransposeOp>();
  if (!transpose)
    return {};
  auto type = cast<RankedTensorType>(transpose->getOperand(0).getType());
  OpAttributes attrs = cast<ComputeOpInterface>(*transpose).getOpAttributes();
  std::swap(attrs.permutation.rbegin()[0], attrs.permutation.rbegin()[1]);
  order.assign(attrs.permutation.begin(), attrs.permutation.end());
  return keepsOrder(OpKind::Transpose, attrs, type.getShape())
             ? transpose
             : block::TransposeOp();
}

/// Takes an operand that such a transpose gives a product from where the
/// transpose takes it, and contracts its other dimension.
static void absorbTranspose(block::MatmulOp product, ProductOperand side) {
  bool isLhs = side == ProductOperand::Lhs;
  SmallVector<int64_t> order;
  block::TransposeOp transpose =
      findExchange(isLhs ? product.getLhs() : product.getRhs(), order);
  if (!transpose)
    return;
  Value source = transpose->getOperand(0);
  auto type = cast<RankedTensorType>(source.getType());
  OpBuilder builder(transpose);
  OpAttributes reshape;
  for (int64_t dim : order)
    reshape.resultShape.push_back(type.getDimSize(dim));
  // Reshapes of reshapes are one.
  while (auto before = source.getDefiningOp<block::ReshapeOp>())
    source = before->getOperand(0);
  Value straight = source;
  if (cast<RankedTensorType>(source.getType()).getShape() !=
      ArrayRef<int64_t>(reshape.resultShape))
    straight =
        createComputeOp(builder, transpose.getLoc(), Level::Block,
                        OpKind::Reshape, reshape, source, type.getElementType())
            ->getResult(0);
  if (isLhs) {
    product.getLhsMutable().assign(straight);
    product.setTransposeLhs(!product.getTransposeLhs());
  } else {
    product.getRhsMutable().assign(straight);
    product.setTransposeRhs(!product.getTransposeRhs());
  }
}

/// Makes a sum of products, which transposes give operands, products and sums
/// of their results: a product says itself which dimensions it contracts.
static void splitSums(kernel::LaunchOp launch) {
  SmallVector<block::ConcatMatmulOp> sums;
  launch.getBody().walk([&](block::ConcatMatmulOp sum) {
    SmallVector<int64_t> order;
    if (getElementTypeOrSelf(sum->getResult(0).getType()).isF32() &&
        llvm::any_of(sum->getOperands(), [&](Value operand) {
          return findExchange(operand, order);
        }))
      sums.push_back(sum);
  });
  for (block::ConcatMatmulOp sum : sums) {
    OpBuilder builder(sum);
    unsigned count = sum->getNumOperands() / 2;
    auto create = [&](OpKind kind, Value lhs, Value rhs) {
      return createComputeOp(builder, sum.getLoc(), Level::Block, kind,
                             OpAttributes(), {lhs, rhs}, builder.getF32Type())
          ->getResult(0);
    };
    Value all;
    for (unsigned i = 0; i < count; ++i) {
      Value product = create(OpKind::Matmul, sum->getOperand(i),
                             sum->getOperand(count + i));
      all = all ? create(OpKind::Add, all, product) : product;
    }
    sum->getResult(0).replaceAllUsesWith(all);
    sum->erase();
  }
}

/// Returns the dimension of the operand of an operator that keeps zeros which
/// is dimension `dim` of its result, if this is such an operator.
static std::optional<int64_t> getPaddedDim(ComputeOpInterface op, int64_t dim) {
  switch (op.getOpKind()) {
  case OpKind::Cast:
  case OpKind::Scale:
    return dim;
  case OpKind::Transpose:
    return op.getOpAttributes().permutation[dim];
  default:
    return std::nullopt;
  }
}

/// Returns the value with `count` zeros more at the end of a dimension.
Value ProductPreparer::pad(Value value, int64_t dim, int64_t count) {
  auto [found, isNew] = padded.try_emplace({value, dim});
  if (!isNew)
    return found->second;
  Type element = getElementTypeOrSelf(value.getType());
  OpBuilder builder(value.getContext());
  builder.setInsertionPointAfterValue(value);
  Operation *result;
  auto op = value.getDefiningOp<ComputeOpInterface>();
  std::optional<int64_t> from;
  if (op && llvm::all_of(value.getUsers(), isMatmul))
    from = getPaddedDim(op, dim);
  if (from) {
    Value operand = pad(op->getOperand(0), *from, count);
    result =
        createComputeOp(builder, value.getLoc(), Level::Block, op.getOpKind(),
                        op.getOpAttributes(), operand, element);
  } else {
    OpAttributes attrs;
    int64_t rank = cast<RankedTensorType>(value.getType()).getRank();
    attrs.offsets.assign(rank, 0);
    attrs.sizes.assign(rank, 0);
    attrs.sizes[dim] = count;
    result = createComputeOp(builder, value.getLoc(), Level::Block, OpKind::Pad,
                             attrs, value, element);
  }
  return padded[{value, dim}] = result->getResult(0);
}

void ProductPreparer::run() {
  splitSums(launch);
  SmallVector<std::pair<Operation *, int64_t>> products;
  launch.getBody().walk([&](Operation *op) {
    if (!isMatmul(op))
      return;
    if (auto product = dyn_cast<block::MatmulOp>(op))
      for (ProductOperand side : {ProductOperand::Lhs, ProductOperand::Rhs})
        absorbTranspose(product, side);
    narrowOperands(op);
    if (auto step = getProductStep(getElementTypeOrSelf(op->getOperand(0))))
      products.emplace_back(op, *step);
  });
  for (auto [op, step] : products) {
    OpAttributes attrs = cast<ComputeOpInterface>(op).getOpAttributes();
    unsigned numLhs = op->getNumOperands() / 2;
    for (OpOperand &operand : op->getOpOperands()) {
      bool isLhs = operand.getOperandNumber() < numLhs;
      auto shape = cast<RankedTensorType>(operand.get().getType()).getShape();
      auto dim = static_cast<int64_t>(getContractedDim(
          attrs, isLhs ? ProductOperand::Lhs : ProductOperand::Rhs,
          shape.size()));
      int64_t count = llvm::alignTo(shape[dim], step) - shape[dim];
      if (count)
        operand.set(pad(operand.get(), dim, count));
    }
  }
  // What only products used that take other operands now is not needed.
  SmallVector<Operation *> operations;
  launch.getBody().walk([&](Operation *op) { operations.push_back(op); });
  for (Operation *op : llvm::reverse(operations))
    if (isa<ComputeOpInterface>(op) && op->use_empty())
      op->erase();
}

void mirage::prepareProducts(kernel::LaunchOp launch) {
  ProductPreparer(launch).run();
}
