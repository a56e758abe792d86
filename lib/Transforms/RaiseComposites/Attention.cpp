//===- Attention.cpp - Attention among simple operators -------------------===//
//
// Matches backwards from the product with the values; see Attention.h. Batch
// dimensions are compared by their product, because a reshape of them is all
// that can lie between two products of one attention.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Cone.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Type getElementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// A reshape that leaves the innermost two dimensions alone.
static bool reshapesBatch(kernel::ReshapeOp op) {
  ArrayRef<int64_t> from = getShapeOf(op.getInput()),
                    to = getShapeOf(op.getResult());
  return from.size() >= 2 && to.size() >= 2 &&
         from.take_back(2) == to.take_back(2);
}

namespace {
/// Walks from a value to what it was made of, and counts operators.
struct Peeler {
  unsigned &count;

  /// Past casts and reshapes of batch dimensions.
  Value throughLayout(Value value) {
    while (true) {
      if (auto op = value.getDefiningOp<kernel::CastOp>())
        value = op.getInput();
      else if (auto op = value.getDefiningOp<kernel::ReshapeOp>();
               op && reshapesBatch(op))
        value = op.getInput();
      else
        return value;
      ++count;
    }
  }

  /// Past one product or quotient with a constant, which goes into `scale`.
  bool scaling(Value &value, double &scale) {
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    if (auto scaled = dyn_cast<kernel::ScaleOp>(op)) {
      scale *= scaled.getFactor().convertToDouble();
      value = scaled.getInput();
    } else if (isa<kernel::MulOp, kernel::DivOp>(op)) {
      std::optional<double> constant = getSplatValue(op->getOperand(1));
      if (!constant || getShapeOf(op->getOperand(0)) != getShapeOf(value))
        return false;
      scale *= isa<kernel::MulOp>(op) ? *constant : 1 / *constant;
      value = op->getOperand(0);
    } else {
      return false;
    }
    ++count;
    return true;
  }
};
} // namespace

/// Whether `condition` holds, per row of `scores`, where all of the row's
/// scores are minus infinity.
static bool saysThatRowIsMasked(Value condition, Value scores) {
  auto found = condition.getDefiningOp<MuGraphOpInterface>();
  if (!found)
    return false;
  bool result = false;
  forEachCone(found, [&](const Cone &cone) {
    if (result || cone.leaves.size() != 1 || cone.leaves[0] != scores)
      return;
    ConeGraph computed(cone);
    int64_t keys = getShapeOf(scores).back();
    int64_t numRows = elementCount(getShapeOf(condition).drop_back());
    int64_t perRow = getShapeOf(condition).back();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    // Whether the condition is zero, not zero, or neither for certain, where
    // `unmasked` is the only key of a row that is not masked; -1 for none.
    auto decide = [&](int64_t row, int64_t unmasked) -> std::optional<bool> {
      computed.graph.setSource(computed.leaves[0], [=](int64_t element) {
        bool inRow = element / keys == row;
        return inRow && element % keys != unmasked ? -infinity : 1.0;
      });
      Bounded value = computed.graph.evaluate(computed.result, row * perRow);
      if (std::fabs(value.value) > value.error)
        return true;
      if (value.value == 0 && value.error < 1e-3)
        return false;
      return std::nullopt;
    };
    if (getShapeOf(condition).drop_back() != getShapeOf(scores).drop_back())
      return;
    result = true;
    for (int64_t row : {int64_t(0), numRows - 1}) {
      result &= decide(row, -1) == true;
      for (int64_t key : {int64_t(0), keys / 2, keys - 1})
        result &= decide(row, key) == false;
    }
  });
  return result;
}

/// Whether every row of a mask leaves a key: true without a mask, and for
/// constants where it is so.
static bool leavesKeys(Value mask) {
  if (!mask)
    return true;
  unsigned count = 0;
  mask = Peeler{count}.throughLayout(mask);
  auto constant = mask.getDefiningOp<kernel::ConstantOp>();
  if (!constant)
    return false;
  auto values = cast<DenseFPElementsAttr>(constant.getValue());
  int64_t keys = values.getType().getShape().back(), i = 0;
  bool rowHasKey = false;
  for (const APFloat &value : values.getValues<APFloat>()) {
    rowHasKey |= !(value.isInfinity() && value.isNegative());
    if (++i % keys == 0) {
      if (!rowHasKey)
        return false;
      rowHasKey = false;
    }
  }
  return true;
}

/// The scores: mask and scale, down to the product of queries and keys.
static bool matchScores(Value scores, AttentionMatch &match, Peeler &peel) {
  Value value = peel.throughLayout(scores);
  double outerScale = 1.0;
  while (peel.scaling(value, outerScale))
    value = peel.throughLayout(value);
  if (auto add = value.getDefiningOp<kernel::AddOp>()) {
    // A mask that is scaled itself is no mask of the operator.
    if (outerScale != 1.0)
      return false;
    // The scores have their full shape, and a product behind them.
    for (unsigned side : {0u, 1u}) {
      Value inner = add->getOperand(side);
      if (getShapeOf(inner) != getShapeOf(value))
        continue;
      AttentionMatch attempt = match;
      attempt.mask = add->getOperand(1 - side);
      attempt.scoresShape.assign(getShapeOf(value).begin(),
                                 getShapeOf(value).end());
      // No second mask: what is left must be the product.
      double scale = 1.0;
      inner = peel.throughLayout(inner);
      while (peel.scaling(inner, scale))
        inner = peel.throughLayout(inner);
      if (!inner.getDefiningOp<kernel::MatmulOp>())
        continue;
      match = attempt;
      match.scale *= scale;
      value = inner;
      ++peel.count;
      break;
    }
  } else {
    match.scale *= outerScale;
  }
  auto product = value.getDefiningOp<kernel::MatmulOp>();
  if (!product || product.getCompute())
    return false;
  ++peel.count;
  match.query = product.getLhs();
  match.key = product.getRhs();
  match.transposeQuery = product.getTransposeLhs();
  match.transposeKey = !product.getTransposeRhs();
  for (Value *operand : {&match.query, &match.key})
    while (peel.scaling(*operand, match.scale)) {
    }
  return true;
}

std::optional<AttentionMatch> mirage::matchAttention(MuGraphOpInterface op) {
  AttentionMatch match;
  Peeler peel{match.numOperators};
  match.resultType = cast<RankedTensorType>(op->getResult(0).getType());
  Operation *last = op;
  if (auto castOp = dyn_cast<kernel::CastOp>(last)) {
    last = castOp.getInput().getDefiningOp();
    ++match.numOperators;
    if (!last || !last->hasOneUse())
      return std::nullopt;
  }
  auto product = dyn_cast_or_null<kernel::MatmulOp>(last);
  if (!product || product.getTransposeLhs() || product.getCompute())
    return std::nullopt;
  ++match.numOperators;
  match.value = product.getRhs();
  match.transposeValue = product.getTransposeRhs();

  Value weights = peel.throughLayout(product.getLhs());
  kernel::SelectOp guard = weights.getDefiningOp<kernel::SelectOp>();
  if (guard) {
    if (getSplatValue(guard.getThen()) != 0.0)
      return std::nullopt;
    weights = peel.throughLayout(guard.getOtherwise());
  }
  auto softmax = weights.getDefiningOp<kernel::SoftmaxOp>();
  int64_t rank = getShapeOf(product.getLhs()).size();
  if (!softmax)
    return std::nullopt;
  ArrayRef<int64_t> softmaxShape = getShapeOf(softmax.getInput());
  if (softmax.getDim() + 1 != softmaxShape.size() ||
      softmaxShape.take_back(2) !=
          getShapeOf(product.getLhs()).take_back(std::min<int64_t>(2, rank)))
    return std::nullopt;
  ++match.numOperators;
  match.scoresShape.assign(softmaxShape.begin(), softmaxShape.end());
  if (!matchScores(softmax.getInput(), match, peel))
    return std::nullopt;
  // A row of scores is minus infinity throughout only where the mask makes it
  // so: products of finite numbers are no infinities.
  if (guard &&
      !(saysThatRowIsMasked(guard.getCondition(), softmax.getInput()) &&
        leavesKeys(match.mask)))
    return std::nullopt;

  // Every operand has all batch dimensions, collapsed or not.
  int64_t batch = elementCount(ArrayRef(match.scoresShape).drop_back(2));
  for (Value operand : {match.query, match.key, match.value})
    if (elementCount(getShapeOf(operand).drop_back(2)) != batch)
      return std::nullopt;
  if (match.mask) {
    ArrayRef<int64_t> mask = getShapeOf(match.mask);
    if (mask.size() != match.scoresShape.size())
      return std::nullopt;
  }
  return match;
}

namespace {
/// Builds kernel operators at one place.
struct KernelBuilder {
  OpBuilder &builder;
  Location loc;

  Value create(OpKind kind, const OpAttributes &attrs, ValueRange operands,
               Type elementType = {}) {
    return createComputeOp(builder, loc, Level::Kernel, kind, attrs, operands,
                           elementType)
        ->getResult(0);
  }
  Value cast(Value value, Type elementType) {
    if (getElementTypeOf(value) == elementType)
      return value;
    return create(OpKind::Cast, {}, value, elementType);
  }
  Value reshape(Value value, ArrayRef<int64_t> shape) {
    if (getShapeOf(value) == shape)
      return value;
    OpAttributes attrs;
    attrs.resultShape.assign(shape.begin(), shape.end());
    return create(OpKind::Reshape, attrs, value);
  }
  Value transposeMatrices(Value value) {
    OpAttributes attrs;
    int64_t rank = getShapeOf(value).size();
    for (int64_t i = 0; i < rank; ++i)
      attrs.permutation.push_back(i);
    std::swap(attrs.permutation[rank - 1], attrs.permutation[rank - 2]);
    return create(OpKind::Transpose, attrs, value);
  }
  /// Matrices of `value` under the batch dimensions of `scores`.
  Value matrices(Value value, bool transpose, ArrayRef<int64_t> scores) {
    if (transpose)
      value = transposeMatrices(value);
    SmallVector<int64_t> shape(scores.drop_back(2));
    llvm::append_range(shape, getShapeOf(value).take_back(2));
    return reshape(value, shape);
  }
};
} // namespace

Value mirage::createAttention(OpBuilder &builder, Location loc,
                              const AttentionMatch &match) {
  KernelBuilder ir{builder, loc};
  // The operator computes in one type, that of queries; a wider result or mask
  // asks for f32 throughout.
  Type elementType = getElementTypeOf(match.query);
  if (getElementTypeOf(match.key) != elementType ||
      getElementTypeOf(match.value) != elementType ||
      match.resultType.getElementType() != elementType ||
      (match.mask && getElementTypeOf(match.mask) != elementType))
    elementType =
        elementType.isF64() ? elementType : Type(builder.getF32Type());
  auto prepare = [&](Value value, bool transpose) {
    return ir.cast(ir.matrices(value, transpose, match.scoresShape),
                   elementType);
  };
  SmallVector<Value, 4> operands = {prepare(match.query, match.transposeQuery),
                                    prepare(match.key, match.transposeKey),
                                    prepare(match.value, match.transposeValue)};
  if (match.mask)
    operands.push_back(ir.cast(match.mask, elementType));
  OpAttributes attrs;
  attrs.scalar = match.scale;
  Value result = ir.create(OpKind::Attention, attrs, operands);
  return ir.cast(ir.reshape(result, match.resultType.getShape()),
                 match.resultType.getElementType());
}
