//===- TransformRules.cpp - What the rules of transformations compute -----===//
//
// Has what the rules of TransformRules.td ask of types and weights, and the
// operators that they make with it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Transforms/TransformRules.h"
#include "MergedProducts.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "MovedTransposes.h"
#include "Norms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===----------------------------------------------------------------------===//
// Products and convolutions
//===----------------------------------------------------------------------===//

static bool isNchw(kernel::Conv2dOp conv) {
  return conv.getLayout() == ConvLayout::NCHW;
}

/// Returns the dimension of a product's result, and of its right operand, that
/// has the columns: a convolution's are its channels.
static int64_t getColumnDim(Value product) {
  if (auto conv = product.getDefiningOp<kernel::Conv2dOp>())
    return isNchw(conv) ? 1 : 3;
  return getType(product).getRank() - 1;
}
static int64_t getWeightColumnDim(Operation *product) {
  if (auto conv = dyn_cast<kernel::Conv2dOp>(product))
    return isNchw(conv) ? 0 : 3;
  auto matmul = cast<kernel::MatmulOp>(product);
  return getType(matmul.getRhs()).getRank() -
         (matmul.getTransposeRhs() ? 2 : 1);
}

/// Returns the dimension of a product's left operand, and of its right one,
/// that is contracted: a convolution's input channels.
static int64_t getContractedDim(Value product) {
  Operation *op = product.getDefiningOp();
  if (auto conv = dyn_cast<kernel::Conv2dOp>(op))
    return isNchw(conv) ? 1 : 3;
  auto matmul = cast<kernel::MatmulOp>(op);
  return getType(matmul.getLhs()).getRank() -
         (matmul.getTransposeLhs() ? 2 : 1);
}
static int64_t getWeightContractedDim(Operation *product) {
  if (auto conv = dyn_cast<kernel::Conv2dOp>(product))
    return isNchw(conv) ? 1 : 2;
  auto matmul = cast<kernel::MatmulOp>(product);
  return getType(matmul.getRhs()).getRank() -
         (matmul.getTransposeRhs() ? 1 : 2);
}

static Type getOperandType(Value product) {
  return product.getDefiningOp()->getOperand(0).getType();
}

/// Returns whether a factor has the size of dimension `dim` of a type, and one
/// element in each other dimension.
static bool isAlong(Value factor, Type type, int64_t dim) {
  auto like = cast<RankedTensorType>(type);
  RankedTensorType own = getType(factor);
  return own.getRank() == like.getRank() &&
         own.getDimSize(dim) == like.getDimSize(dim) &&
         own.getNumElements() == own.getDimSize(dim);
}

/// Returns whether an operand of an elementwise operator on a product's left
/// operand is the same in each row of that.
static bool isAlongRows(Value factor, Value product) {
  RankedTensorType own = getType(factor);
  return own.getRank() ==
             cast<RankedTensorType>(getOperandType(product)).getRank() &&
         own.getDimSize(own.getRank() - 1) == 1;
}

/// Weights of f16 and fewer bits would be rounded once more.
static bool keepsDigits(Value weight) {
  return getType(weight).getElementTypeBitWidth() >= 32;
}

/// Returns whether an operator is the only reader of a value when the function
/// is called. Readers that depend on weights alone do not count, as they are
/// executed when the weights are loaded.
static bool isReadOnlyBy(Value value, Operation *reader) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return user == reader || (user->getNumResults() &&
                              llvm::all_of(user->getResults(), isLoaded));
  });
}
static bool isReadOnlyBy(Value value, Value result) {
  return isReadOnlyBy(value, result.getDefiningOp());
}

/// Returns whether nothing but the result reads a value that it depends on
/// through operators of one operand.
static bool leadsOnlyTo(Value value, Value result) {
  while (value.hasOneUse()) {
    Operation *user = *value.user_begin();
    if (user == result.getDefiningOp())
      return true;
    value = user->getResult(0);
  }
  return false;
}

/// Returns whether all that reads a value, perhaps in another shape with the
/// same last dimension, is products that contract its dimension `dim` with
/// weights which can be scaled and which nothing else reads.
static bool isContractedAlone(Value value, int64_t dim) {
  int64_t rank = getType(value).getRank();
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto reshape = dyn_cast<kernel::ReshapeOp>(user)) {
      int64_t last = reshape.getType().getRank() - 1;
      return dim == rank - 1 && last >= 0 &&
             reshape.getType().getDimSize(last) ==
                 getType(value).getDimSize(dim) &&
             isContractedAlone(reshape, last);
    }
    if (!isa<kernel::MatmulOp, kernel::Conv2dOp>(user) ||
        use.getOperandNumber() != 0)
      return false;
    Value weight = user->getOperand(1);
    return getContractedDim(user->getResult(0)) == dim && isLoaded(weight) &&
           keepsDigits(weight) && isReadOnlyBy(weight, user);
  });
}

/// Returns whether factors of what a product contracts can leave its left
/// operand, perhaps before a reshape, for all that reads it.
static bool canMoveFactors(Value operand, Value product) {
  int64_t dim = getContractedDim(product);
  if (operand.getType() != getOperandType(product))
    dim = getType(operand).getRank() - 1;
  return isContractedAlone(operand, dim);
}

static bool haveSameLastDim(Value a, Value b) {
  return getType(a).getRank() && getType(b).getRank() &&
         getType(a).getShape().back() == getType(b).getShape().back();
}

static bool isLastDim(IntegerAttr dim, Value value) {
  return getType(value).getRank() > 1 &&
         dim.getInt() == getType(value).getRank() - 1;
}

/// Returns whether a permutation exchanges the last two dimensions and keeps
/// the others.
static bool swapsMatrices(DenseI64ArrayAttr permutation) {
  auto order = llvm::to_vector(permutation.asArrayRef());
  if (order.size() < 2)
    return false;
  std::swap(order[order.size() - 2], order.back());
  return llvm::equal(order, llvm::seq<int64_t>(order.size()));
}

static Value castTo(OpBuilder &builder, Location loc, Value value,
                    Type elementType) {
  RankedTensorType type = getType(value);
  if (type.getElementType() == elementType)
    return value;
  return kernel::CastOp::create(
      builder, loc, RankedTensorType::get(type.getShape(), elementType), value);
}
static Value castLike(OpBuilder &builder, Location loc, Value value,
                      Value like) {
  return castTo(builder, loc, value, getType(like).getElementType());
}

/// Returns a product like another one, of the operands that are given.
static Value cloneWith(OpBuilder &builder, Location loc, Value product,
                       Value lhs, Value rhs) {
  Operation *op = product.getDefiningOp();
  Operation *result = Operation::create(
      loc, op->getName(), op->getResultTypes(),
      {lhs ? lhs : op->getOperand(0), rhs ? rhs : op->getOperand(1)},
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(), {}, 0u);
  return builder.insert(result)->getResult(0);
}

/// Returns a product's right operand with each column, or each row, times one
/// element of a factor. It is computed in f32, or f64 for f64, and rounded
/// once.
static Value scaleWeight(OpBuilder &builder, Location loc, Value product,
                         Value weight, Value factor, bool columns) {
  Operation *op = product.getDefiningOp();
  int64_t dim = columns ? getWeightColumnDim(op) : getWeightContractedDim(op);
  Type own = getType(weight).getElementType();
  Type wide = own.isF64() ? own : builder.getF32Type();
  SmallVector<int64_t> shape(getType(weight).getRank(), 1);
  shape[dim] = getType(factor).getNumElements();
  Value wideFactor = castTo(builder, loc, factor, wide);
  wideFactor = kernel::ReshapeOp::create(
      builder, loc, RankedTensorType::get(shape, wide), wideFactor);
  Value scaled = kernel::MulOp::create(
      builder, loc, castTo(builder, loc, weight, wide), wideFactor);
  return castTo(builder, loc, scaled, own);
}

/// Returns whether all values have elements of one type, and the same
/// dimensions but for the last two.
static bool areAlike(ArrayRef<Value> values) {
  auto getKind = [](Value value) {
    RankedTensorType type = getType(value);
    return std::pair(type.getElementType(), type.getShape().drop_back(2));
  };
  return llvm::all_of(values, [&](Value value) {
    return getType(value).getRank() >= 2 &&
           getType(values[0]).getRank() == getType(value).getRank() &&
           getKind(value) == getKind(values[0]);
  });
}

/// Returns the product of two matrices, of which some are transposed first,
/// with elements as `like` has them.
static Value multiply(OpBuilder &builder, Location loc, kernel::MatmulOp like,
                      Value lhs, bool transposeLhs, Value rhs,
                      bool transposeRhs) {
  auto shape = llvm::to_vector(getType(lhs).getShape());
  size_t rank = shape.size();
  shape[rank - 2] = getType(lhs).getDimSize(rank - (transposeLhs ? 1 : 2));
  shape[rank - 1] = getType(rhs).getDimSize(rank - (transposeRhs ? 2 : 1));
  return kernel::MatmulOp::create(
      builder, loc,
      RankedTensorType::get(shape, getType(like).getElementType()), lhs, rhs,
      transposeLhs, transposeRhs, like.getComputeAttr());
}

/// Returns x (u v) in place of (x u) v.
static Value associateRight(OpBuilder &builder, Location loc, Value outer,
                            Value inner) {
  auto q = outer.getDefiningOp<kernel::MatmulOp>();
  auto p = inner.getDefiningOp<kernel::MatmulOp>();
  Value first = multiply(builder, loc, p, p.getRhs(), p.getTransposeRhs(),
                         q.getRhs(), q.getTransposeRhs());
  return multiply(builder, loc, q, p.getLhs(), p.getTransposeLhs(), first,
                  /*transposeRhs=*/false);
}

/// Returns (x u) v in place of x (u v).
static Value associateLeft(OpBuilder &builder, Location loc, Value outer,
                           Value inner) {
  auto q = outer.getDefiningOp<kernel::MatmulOp>();
  auto p = inner.getDefiningOp<kernel::MatmulOp>();
  Value first = multiply(builder, loc, p, q.getLhs(), q.getTransposeLhs(),
                         p.getLhs(), p.getTransposeLhs());
  return multiply(builder, loc, q, first, /*transposeLhs=*/false, p.getRhs(),
                  p.getTransposeRhs());
}

/// Returns a norm without its weight in the shape of a product's left operand.
static Value createBareNorm(OpBuilder &builder, Location loc, Value norm,
                            Value product) {
  Value bare = createWithoutBias(builder, loc, norm, Value());
  Type type = getOperandType(product);
  if (bare.getType() == type)
    return bare;
  return kernel::ReshapeOp::create(builder, loc, type, bare);
}

/// Returns the sums of the last dimension, which stays, by a product.
static Value multiplyByOnes(OpBuilder &builder, Location loc, Value input) {
  RankedTensorType type = getType(input);
  SmallVector<int64_t> shape(type.getRank(), 1);
  shape[type.getRank() - 2] = type.getShape().back();
  auto ones = RankedTensorType::get(shape, type.getElementType());
  Value constant = kernel::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          ones, FloatAttr::get(type.getElementType(), 1.0).getValue()));
  return createComputeOp(
             builder, loc, Level::Kernel, OpKind::Matmul, {}, {input, constant},
             type.getElementType().isF64() ? type.getElementType()
                                           : Type(builder.getF32Type()))
      ->getResult(0);
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

/// Returns x transposed by `first` and then by `second`.
static Value transposeByBoth(OpBuilder &builder, Location loc, Value input,
                             DenseI64ArrayAttr first,
                             DenseI64ArrayAttr second) {
  SmallVector<int64_t> order;
  for (int64_t dim : second.asArrayRef())
    order.push_back(first[dim]);
  if (llvm::equal(order, llvm::seq<int64_t>(order.size())))
    return input;
  return kernel::TransposeOp::create(builder, loc, input,
                                     builder.getDenseI64ArrayAttr(order));
}

/// Returns a product that reads another operand on one side, in the other
/// order.
static Value readTransposed(OpBuilder &builder, Location loc, Value product,
                            Value operand, unsigned side) {
  auto op = product.getDefiningOp<kernel::MatmulOp>();
  return kernel::MatmulOp::create(
      builder, loc, op.getType(), side == 0 ? operand : op.getLhs(),
      side == 1 ? operand : op.getRhs(), op.getTransposeLhs() != (side == 0),
      op.getTransposeRhs() != (side == 1), op.getComputeAttr());
}

/// Returns the transpose of a product as one of its transposed operands.
static Value createTransposedProduct(OpBuilder &builder, Location loc,
                                     Value product) {
  auto op = product.getDefiningOp<kernel::MatmulOp>();
  RankedTensorType type = getType(product);
  auto shape = llvm::to_vector(type.getShape());
  std::swap(shape[shape.size() - 2], shape.back());
  return kernel::MatmulOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()),
      op.getRhs(), op.getLhs(), !op.getTransposeRhs(), !op.getTransposeLhs(),
      op.getComputeAttr());
}

// Fission.cpp has generated functions of the same names.
namespace {
#include "TransformRules.inc"
} // namespace

void mirage::populateTransformRules(RewritePatternSet &rules) {
  populateWithGenerated(rules);
  for (std::unique_ptr<RewritePattern> &rule : rules.getNativePatterns()) {
    StringRef name = rule->getDebugName();
    size_t begin = name.rfind("::");
    if (begin != StringRef::npos)
      name = name.substr(begin + 2);
    rule->addDebugLabels(name.split('_').first);
  }
}

TransformRules mirage::getTransformRules(MLIRContext *context) {
  RewritePatternSet all(context);
  populateTransformRules(all);
  llvm::SetVector<StringRef> names;
  for (std::unique_ptr<RewritePattern> &rule : all.getNativePatterns())
    names.insert(rule->getDebugLabels().back());
  TransformRules rules;
  for (StringRef name : names) {
    RewritePatternSet own(context);
    populateTransformRules(own);
    rules.insert(
        {name, FrozenRewritePatternSet(std::move(own), {}, {name.str()})});
  }
  return rules;
}

bool mirage::applyTransformRule(const FrozenRewritePatternSet &rule,
                                func::FuncOp function) {
  bool isChanged = false;
  GreedyRewriteConfig config;
  config.enableFolding(false);
  LogicalResult ended =
      applyPatternsGreedily(function, rule, config, &isChanged);
  if (failed(ended) || !isChanged)
    return false;
  PassManager manager(function.getContext(), func::FuncOp::getOperationName());
  manager.addPass(createCSEPass());
  return succeeded(manager.run(function));
}
