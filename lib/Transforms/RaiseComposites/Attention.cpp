//===- Attention.cpp - Attention among simple operators -------------------===//
//
// Matches backwards from the product with the values; see Attention.h. Axes say
// which dimensions of the two products, of softmax and of the operands belong
// together, however they are ordered and merged.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Cone.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "Mirage/Semantics/ProductDims.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static Type getElementTypeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// Returns the number that a factor stands for: scores divided by sqrt(8),
/// rounded to f32, are scaled by sqrt(2) / 4 and not by the quotient of what
/// was rounded.
static double getFactor(double value, Value scaled) {
  std::optional<ElementType> type =
      convertElementType(getElementTypeOf(scaled));
  return type ? getExactConstant(value, *type).toDouble() : value;
}

namespace {
/// A value that is a multiple of another one.
struct Multiple {
  Value of;
  double factor;
  /// The value is divided by the factor.
  bool isQuotient;
};
} // namespace

/// Returns of what the value is a product or quotient with a constant.
static std::optional<Multiple> getMultiple(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto scaled = dyn_cast<kernel::ScaleOp>(op)) {
    double factor = scaled.getFactor().convertToDouble();
    if (!std::isfinite(factor))
      return std::nullopt;
    return Multiple{scaled.getInput(), getFactor(factor, value), false};
  }
  if (!isa<kernel::MulOp, kernel::DivOp>(op))
    return std::nullopt;
  std::optional<double> constant = getSplatValue(op->getOperand(1));
  if (!constant || !std::isfinite(*constant) || *constant == 0 ||
      getShapeOf(op->getOperand(0)) != getShapeOf(value))
    return std::nullopt;
  return Multiple{op->getOperand(0), getFactor(*constant, value),
                  isa<kernel::DivOp>(op)};
}

/// Looks past one product or quotient with a constant, which goes into `scale`.
static bool skipScaling(Value &value, double &scale) {
  std::optional<Multiple> multiple = getMultiple(value);
  if (!multiple)
    return false;
  scale *= multiple->isQuotient ? 1 / multiple->factor : multiple->factor;
  value = multiple->of;
  return true;
}

/// Returns true if `condition` holds, per row of `scores`, where all of the
/// row's scores are minus infinity.
static bool saysThatRowIsMasked(Value condition, Value scores) {
  auto found = condition.getDefiningOp<ComputeOpInterface>();
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
    // Decides if the condition is zero, not zero, or neither for certain, where
    // `unmasked` is the only key of a row that is not masked; -1 stands for
    // none.
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

/// Returns true if every row of a mask leaves a key: always without a mask, and
/// for constants where it is so.
static bool leavesKeys(Value mask) {
  if (!mask)
    return true;
  while (Operation *op = mask.getDefiningOp()) {
    auto reshape = dyn_cast<kernel::ReshapeOp>(op);
    if (!isa<kernel::CastOp>(op) &&
        !(reshape &&
          getShapeOf(mask).back() == getShapeOf(reshape.getInput()).back()))
      break;
    mask = op->getOperand(0);
  }
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

namespace {
struct AttentionMatcher {
  AttentionMatch match;
  AxisTable &axes = match.axes;
  kernel::MatmulOp product;
  kernel::SoftmaxOp softmax;
  /// The operator that sets rows without a key to zero, if there is one.
  kernel::SelectOp guard;
  /// The axes of softmax's operand.
  AxisLayout scores;
  /// True if the innermost dimension of the mask is that of keys.
  bool maskEndsInKeys = true;

  explicit AttentionMatcher(kernel::MatmulOp product) : product(product) {}

  bool run(bool weightsAreLhs) {
    return matchWeights(weightsAreLhs) && matchScores() && checkGuard() &&
           finish();
  }

private:
  /// The dimensions of a product's matrices.
  struct Matrices {
    AxisDim rows, columns, inner;
  };

  /// Returns the layout of an operand of a product whose result has the batch
  /// dimensions of `result`, and these matrices.
  static AxisLayout getOperandLayout(kernel::MatmulOp op, bool isLhs,
                                     ArrayRef<AxisDim> result,
                                     const Matrices &matrices) {
    AxisLayout layout;
    ArrayRef<int64_t> shape = getShapeOf(isLhs ? op.getLhs() : op.getRhs());
    for (auto [size, dim] : llvm::zip(shape.drop_back(2), result))
      layout.push_back(size == 1 ? AxisDim() : dim);
    layout.push_back(isLhs ? matrices.rows : matrices.inner);
    layout.push_back(isLhs ? matrices.inner : matrices.columns);
    if (isLhs ? op.getTransposeLhs() : op.getTransposeRhs())
      std::swap(layout[layout.size() - 2], layout.back());
    return layout;
  }

  /// Matches from the operand of the product with the values back to softmax,
  /// and follows softmax's axes forward again.
  bool matchWeights(bool weightsAreLhs) {
    Value operand = weightsAreLhs ? product.getLhs() : product.getRhs();
    SmallVector<Operation *> path;
    while (!softmax) {
      Operation *op = operand.getDefiningOp();
      if (!op)
        return false;
      if ((softmax = dyn_cast<kernel::SoftmaxOp>(op)))
        break;
      if (auto select = dyn_cast<kernel::SelectOp>(op)) {
        if (guard || getSplatValue(select.getThen()) != 0.0 ||
            getShapeOf(select.getOtherwise()) != getShapeOf(operand))
          return false;
        guard = select;
        operand = select.getOtherwise();
      } else if (isa<kernel::CastOp>(op) ||
                 (!guard && isa<kernel::ReshapeOp, kernel::TransposeOp>(op))) {
        path.push_back(op);
        operand = op->getOperand(0);
      } else {
        return false;
      }
    }
    ArrayRef<int64_t> shape = getShapeOf(softmax.getInput());
    if (shape.size() < 2 || softmax.getDim() + 1 != shape.size())
      return false;
    match.numOperators += path.size() + (guard ? 1 : 0) + 2;
    for (int64_t size : shape)
      scores.push_back(axes.add(size));
    AxisView weights{softmax.getResult(), scores};
    for (Operation *op : llvm::reverse(path))
      if (!isa<kernel::CastOp>(op) &&
          !axes.goForward(weights, op, /*maySplit=*/true))
        return false;

    // The matrix of weights, and that of values.
    int64_t rank = weights.layout.size();
    bool transposed =
        weightsAreLhs ? product.getTransposeLhs() : product.getTransposeRhs();
    AxisDim free = weights.layout[rank - 2], keys = weights.layout[rank - 1];
    if (weightsAreLhs == transposed)
      std::swap(free, keys);
    if (!axes.isSame(keys, scores.back()))
      return false;
    match.value.value = weightsAreLhs ? product.getRhs() : product.getLhs();
    ArrayRef<int64_t> valueShape = getShapeOf(match.value.value);
    ArrayRef<int64_t> resultShape = getShapeOf(product.getResult());
    match.elements = axes.add(resultShape[weightsAreLhs ? rank - 1 : rank - 2]);
    for (int64_t i = 0; i < rank - 2; ++i) {
      // The values have no batch dimension that the weights do not have.
      if (axes.getSize(weights.layout[i]) != resultShape[i] ||
          (valueShape[i] != 1 && valueShape[i] != resultShape[i]))
        return false;
      match.result.layout.push_back(weights.layout[i]);
    }
    match.result.layout.push_back(weightsAreLhs ? free : match.elements);
    match.result.layout.push_back(weightsAreLhs ? match.elements : free);
    match.value.layout = getOperandLayout(
        product, !weightsAreLhs, match.result.layout,
        {match.result.layout[rank - 2], match.result.layout[rank - 1], keys});
    match.result.value = product.getResult();
    return true;
  }

  /// Looks past casts, layout operators and factors.
  void skip(AxisView &view, double &scale) {
    while (true) {
      if (auto op = view.value.getDefiningOp<kernel::CastOp>())
        view.value = op.getInput();
      else if (!skipScaling(view.value, scale) &&
               !axes.goBack(view, /*maySplit=*/true))
        return;
      ++match.numOperators;
    }
  }

  /// Matches mask and scale, down to the product of queries and keys.
  bool matchScores() {
    AxisView view{softmax.getInput(), scores};
    double scale = 1.0;
    skip(view, scale);
    if (auto add = view.value.getDefiningOp<kernel::AddOp>()) {
      // (S + M) c is S c + M c.
      match.maskScale = scale;
      for (unsigned side : {0u, 1u}) {
        // The scores have their full shape, and a product behind them; a second
        // mask is none of the operator's.
        Value value = add->getOperand(side), mask = add->getOperand(1 - side);
        if (getShapeOf(value) != getShapeOf(view.value))
          continue;
        AxisView inner{value, view.layout};
        skip(inner, scale);
        if (!inner.value.getDefiningOp<kernel::MatmulOp>()) {
          scale = match.maskScale;
          continue;
        }
        match.mask.value = mask;
        maskEndsInKeys = axes.isSame(view.layout.back(), scores.back());
        for (auto [size, dim] : llvm::zip(getShapeOf(mask), view.layout))
          match.mask.layout.push_back(size == 1 ? AxisDim() : dim);
        view = inner;
        ++match.numOperators;
        break;
      }
    }
    auto op = view.value.getDefiningOp<kernel::MatmulOp>();
    if (!op || op.getCompute())
      return false;
    ++match.numOperators;
    match.scale = scale;

    size_t rank = view.layout.size();
    Matrices matrices{view.layout[rank - 2], view.layout[rank - 1], {}};
    bool queryIsLhs = axes.isSame(matrices.columns, scores.back());
    if (!queryIsLhs && !axes.isSame(matrices.rows, scores.back()))
      return false;
    ArrayRef<int64_t> lhs = getShapeOf(op.getLhs());
    matrices.inner = axes.add(
        lhs[getContractedDim(op.getTransposeLhs(), ProductOperand::Lhs, rank)]);
    match.inner = matrices.inner;
    match.query = {queryIsLhs ? op.getLhs() : op.getRhs(),
                   getOperandLayout(op, queryIsLhs, view.layout, matrices)};
    match.key = {queryIsLhs ? op.getRhs() : op.getLhs(),
                 getOperandLayout(op, !queryIsLhs, view.layout, matrices)};
    return true;
  }

  /// A row of scores is minus infinity throughout only where the mask makes it
  /// so: products of finite numbers are no infinities.
  bool checkGuard() {
    return !guard ||
           (saysThatRowIsMasked(guard.getCondition(), softmax.getInput()) &&
            maskEndsInKeys && match.maskScale > 0 &&
            leavesKeys(match.mask.value));
  }

  /// Puts batch dimensions into the order that queries come in, wherever
  /// softmax had them.
  void orderBatch() {
    AxisDim order = axes.expandAll(match.query.layout);
    SmallVector<AxisDim *> slots;
    for (AxisDim &dim : match.batch)
      if (!dim.empty())
        slots.push_back(&dim);
    SmallVector<AxisDim> sorted;
    for (const AxisDim *dim : slots)
      sorted.push_back(*dim);
    llvm::sort(sorted, [&](const AxisDim &a, const AxisDim &b) {
      return llvm::find(order, a.front()) < llvm::find(order, b.front());
    });
    for (auto [slot, dim] : llvm::zip(slots, sorted))
      *slot = dim;
  }

  /// Looks past the quotient of a mask with what the sum of scores and mask is
  /// multiplied with.
  bool skipMaskScaling() {
    std::optional<Multiple> multiple = getMultiple(match.mask.value);
    if (match.maskScale == 1.0 || !multiple || !multiple->isQuotient ||
        multiple->factor != match.maskScale)
      return false;
    match.mask.value = multiple->of;
    match.maskScale = 1.0;
    return true;
  }

  /// Looks past the cast of a mask from the type of the queries: the scores
  /// that it is added to are f32 anyway. A mask is scaled in the type in which
  /// it is added.
  bool skipMaskCast() {
    if (match.maskScale != 1.0)
      return false;
    auto cast = match.mask.value.getDefiningOp<kernel::CastOp>();
    Type element = getElementTypeOf(match.query.value);
    if (!cast || getElementTypeOf(cast.getInput()) != element ||
        getElementTypeOf(cast).getIntOrFloatBitWidth() <=
            element.getIntOrFloatBitWidth())
      return false;
    match.mask.value = cast.getInput();
    return true;
  }

  /// Goes back to the operands as they were before their layout was changed,
  /// and finds the dimensions that the operator works on.
  bool finish() {
    for (AxisView *view : {&match.query, &match.key})
      while (skipScaling(view->value, match.scale) ||
             axes.goBack(*view, /*maySplit=*/false))
        ++match.numOperators;
    for (AxisView *view : {&match.value, &match.mask})
      while (view->value &&
             (axes.goBack(*view, /*maySplit=*/false) ||
              (view == &match.mask && (skipMaskScaling() || skipMaskCast()))))
        ++match.numOperators;
    bool isCast = false;
    while (match.result.value.hasOneUse()) {
      Operation *user = *match.result.value.user_begin();
      if (user->getBlock() != product->getBlock())
        break;
      if (!isCast && isa<kernel::CastOp>(user)) {
        isCast = true;
        match.result.value = user->getResult(0);
      } else if (!axes.goForward(match.result, user, /*maySplit=*/false)) {
        break;
      }
      ++match.numOperators;
    }

    // An axis that was split becomes dimensions of its own among batch
    // dimensions.
    size_t rank = scores.size();
    for (const AxisDim &dim : ArrayRef(scores).drop_back(2)) {
      AxisDim parts = axes.expand(dim);
      if (parts.empty())
        match.batch.emplace_back();
      for (Axis axis : parts)
        match.batch.push_back({axis});
    }
    orderBatch();
    match.queries = scores[rank - 2];
    match.keys = scores[rank - 1];
    // A query's own keys or values are no matrices.
    for (const AxisView *view : {&match.key, &match.value})
      if (axes.meets(match.queries, view->layout))
        return false;
    return axes.canArrange(match.query,
                           match.getDims(match.queries, match.inner)) &&
           axes.canArrange(match.key, match.getDims(match.keys, match.inner)) &&
           axes.canArrange(match.value,
                           match.getDims(match.keys, match.elements)) &&
           (!match.mask.value ||
            axes.canArrange(match.mask,
                            match.getDims(match.queries, match.keys))) &&
           // The operator's result has all that the product's has.
           axes.canArrange({{}, match.getDims(match.queries, match.elements)},
                           match.result.layout);
  }
};
} // namespace

AxisLayout AttentionMatch::getDims(const AxisDim &rows,
                                   const AxisDim &columns) const {
  AxisLayout dims(batch);
  dims.push_back(rows);
  dims.push_back(columns);
  return dims;
}

std::optional<AttentionMatch> mirage::matchAttention(ComputeOpInterface op) {
  auto product = dyn_cast<kernel::MatmulOp>(op.getOperation());
  if (!product || product.getCompute())
    return std::nullopt;
  for (bool weightsAreLhs : {true, false}) {
    AttentionMatcher matcher(product);
    if (matcher.run(weightsAreLhs))
      return std::move(matcher.match);
  }
  return std::nullopt;
}

Value mirage::createAttention(OpBuilder &builder, Location loc,
                              const AttentionMatch &match) {
  auto castTo = [&](Value value, Type elementType) -> Value {
    if (getElementTypeOf(value) == elementType)
      return value;
    return createComputeOp(builder, loc, Level::Kernel, OpKind::Cast, {}, value,
                           elementType)
        ->getResult(0);
  };
  auto prepare = [&](const AxisView &view, const AxisDim &rows,
                     const AxisDim &columns) {
    return match.axes.arrange(builder, loc, view, match.getDims(rows, columns));
  };
  SmallVector<Value, 4> operands = {
      prepare(match.query, match.queries, match.inner),
      prepare(match.key, match.keys, match.inner),
      prepare(match.value, match.keys, match.elements)};
  if (match.mask.value) {
    AxisView mask = match.mask;
    if (match.maskScale != 1.0) {
      OpAttributes attrs;
      attrs.scalar = match.maskScale;
      mask.value = createComputeOp(builder, loc, Level::Kernel, OpKind::Scale,
                                   attrs, mask.value)
                       ->getResult(0);
    }
    operands.push_back(prepare(mask, match.queries, match.keys));
  }
  // Queries, keys, values and the result have one type; where they don't, f32.
  // The mask has that type, or f32 (attention_c6).
  Type elementType = getElementTypeOf(match.query.value);
  Type resultType = getElementTypeOf(match.result.value);
  MutableArrayRef<Value> tensors = MutableArrayRef(operands).take_front(3);
  if (resultType != elementType || llvm::any_of(tensors, [&](Value operand) {
        return getElementTypeOf(operand) != elementType;
      }))
    elementType =
        elementType.isF64() ? elementType : Type(builder.getF32Type());
  for (Value &operand : tensors)
    operand = castTo(operand, elementType);
  if (Value *mask = operands.size() > 3 ? &operands.back() : nullptr;
      mask && getElementTypeOf(*mask) != elementType)
    *mask = castTo(*mask, elementType.isF64() ? elementType
                                              : Type(builder.getF32Type()));
  OpAttributes attrs;
  attrs.scalar = match.scale;
  Value result = createComputeOp(builder, loc, Level::Kernel, OpKind::Attention,
                                 attrs, operands)
                     ->getResult(0);
  result = match.axes.arrange(
      builder, loc, {result, match.getDims(match.queries, match.elements)},
      match.result.layout);
  return castTo(result, resultType);
}
