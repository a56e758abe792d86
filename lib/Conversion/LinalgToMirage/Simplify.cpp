//===- Simplify.cpp - Cleaning up after the conversion --------------------===//
//
// Simplifies what op-by-op conversion leaves between operators: broadcasts that
// the next operator does itself, dimensions of size one that come and go,
// transposes that a matmul can read. All rewrites keep every element's value; a
// sum divided by its length becomes a mean.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace mirage;

namespace {
/// A pattern on kernel operators of one class or kind.
struct KernelPattern : public OpInterfaceRewritePattern<ComputeOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  static ComputeOpInterface getProducer(Value value, OpKind kind) {
    auto op = value.getDefiningOp<ComputeOpInterface>();
    return op && getLevel(op) == Level::Kernel && op.getOpKind() == kind
               ? op
               : ComputeOpInterface();
  }
  static Shape getShape(Value value) { return TensorBuilder::getShape(value); }
  static Value getResult(Operation *op) { return op->getResult(0); }

  /// Returns the number that a constant holds everywhere.
  static std::optional<double> getSplat(Value value) {
    DenseFPElementsAttr elements;
    if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
      return std::nullopt;
    return elements.getSplatValue<FloatAttr>().getValueAsDouble();
  }

  /// Replaces `op` by the same operator of other operands.
  static void replaceOperands(PatternRewriter &rewriter, ComputeOpInterface op,
                              const OpAttributes &attrs, ValueRange operands) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    rewriter.replaceOp(op, createComputeOp(rewriter, op.getLoc(), Level::Kernel,
                                           op.getOpKind(), attrs, operands,
                                           type.getElementType()));
  }
};

/// Elementwise operators and the batch dimensions of matmul stretch sizes of
/// one themselves.
struct DropBroadcast : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel ||
        (!isElementwise(op.getOpKind()) && op.getOpKind() != OpKind::Matmul))
      return failure();
    SmallVector<Value> operands(op->getOperands());
    for (Value &operand : operands) {
      ComputeOpInterface broadcast = getProducer(operand, OpKind::Broadcast);
      if (!broadcast)
        continue;
      Value stretched = operand;
      operand = broadcast->getOperand(0);
      SmallVector<Shape, 1> results;
      std::string error;
      if (succeeded(inferShapes(op.getOpKind(), op.getOpAttributes(),
                                getShapes(ValueRange(operands).getTypes()),
                                results, error)) &&
          results.front() == getShape(op->getResult(0))) {
        replaceOperands(rewriter, op, op.getOpAttributes(), operands);
        return success();
      }
      operand = stretched;
    }
    return failure();
  }
};

/// A matmul reads the innermost two dimensions of an operand exchanged.
struct TransposeIntoMatmul : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel || op.getOpKind() != OpKind::Matmul)
      return failure();
    OpAttributes attrs = op.getOpAttributes();
    SmallVector<Value> operands(op->getOperands());
    bool changed = false;
    for (auto [operand, flag] :
         llvm::zip(operands, std::array<bool *, 2>{&attrs.transposeLhs,
                                                   &attrs.transposeRhs})) {
      ComputeOpInterface transpose = getProducer(operand, OpKind::Transpose);
      if (!transpose)
        continue;
      auto permutation = transpose.getOpAttributes().permutation;
      std::swap(permutation[permutation.size() - 2], permutation.back());
      if (!llvm::is_sorted(permutation))
        continue;
      operand = transpose->getOperand(0);
      *flag = !*flag;
      changed = true;
    }
    if (!changed)
      return failure();
    replaceOperands(rewriter, op, attrs, operands);
    return success();
  }
};

/// A reduced dimension that a reshape puts back with size one was kept.
struct ReshapeOfReduce : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel || op.getOpKind() != OpKind::Reshape)
      return failure();
    ComputeOpInterface reduce = getProducer(op->getOperand(0), OpKind::Reduce);
    if (!reduce)
      return failure();
    OpAttributes attrs = reduce.getOpAttributes();
    Shape kept = getShape(reduce->getOperand(0));
    kept[attrs.dim] = 1;
    if (attrs.keep || attrs.group || kept != getShape(getResult(op)))
      return failure();
    attrs.keep = true;
    rewriter.replaceOp(
        op, createComputeOp(rewriter, reduce.getLoc(), Level::Kernel,
                            OpKind::Reduce, attrs, reduce->getOperands(),
                            getElementTypeOrSelf(getResult(op))));
    return success();
  }
};

/// Returns the operand of an elementwise operator, if the others are constants
/// that are the same everywhere and do not stretch it.
Value getOnlyVariable(ComputeOpInterface op) {
  Value variable;
  for (Value operand : op->getOperands()) {
    if (KernelPattern::getSplat(operand))
      continue;
    if (variable && variable != operand)
      return nullptr;
    variable = operand;
  }
  return variable && KernelPattern::getShape(variable) ==
                         KernelPattern::getShape(op->getResult(0))
             ? variable
             : nullptr;
}

/// Returns true if one shape is the other with more or fewer sizes of one.
bool differByUnits(ShapeRef a, ShapeRef b) {
  auto withExtent = [](ShapeRef shape) {
    return llvm::filter_to_vector(shape, [](int64_t s) { return s != 1; });
  };
  return withExtent(a) == withExtent(b);
}

/// Dimensions of size one are added before a function of one tensor rather
/// than after it, where they meet the reduction that removed them.
struct HoistUnitReshape : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel || op.getOpKind() != OpKind::Reshape)
      return failure();
    auto function = op->getOperand(0).getDefiningOp<ComputeOpInterface>();
    Shape shape = getShape(getResult(op));
    if (!function || getLevel(function) != Level::Kernel ||
        !isElementwise(function.getOpKind()) || !function->hasOneUse() ||
        shape.size() <= getShape(op->getOperand(0)).size() ||
        !differByUnits(shape, getShape(op->getOperand(0))))
      return failure();
    Value variable = getOnlyVariable(function);
    if (!variable)
      return failure();
    rewriter.setInsertionPoint(function);
    TensorBuilder builder(rewriter, function.getLoc());
    SmallVector<Value> operands;
    for (Value operand : function->getOperands()) {
      if (operand == variable)
        operands.push_back(builder.reshape(operand, shape));
      else
        operands.push_back(builder.splat(getElementTypeOrSelf(operand),
                                         Shape(shape.size(), 1),
                                         *getSplat(operand)));
    }
    Value result =
        builder.apply(function.getOpKind(), function.getOpAttributes(),
                      operands, getElementTypeOrSelf(getResult(op)));
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// Batch dimensions that come apart after a matmul come apart before it, where
/// they meet the reshapes that joined them.
struct HoistBatchReshape : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel || op.getOpKind() != OpKind::Reshape)
      return failure();
    ComputeOpInterface matmul = getProducer(op->getOperand(0), OpKind::Matmul);
    if (!matmul || !matmul->hasOneUse())
      return failure();
    Shape joined = getShape(op->getOperand(0)), apart = getShape(getResult(op));
    if (joined.size() < 3 || apart.size() <= joined.size() ||
        ShapeRef(joined).take_back(2) != ShapeRef(apart).take_back(2))
      return failure();
    ShapeRef batch = ShapeRef(apart).drop_back(2);
    rewriter.setInsertionPoint(matmul);
    TensorBuilder builder(rewriter, matmul.getLoc());
    SmallVector<Shape, 2> shapes;
    for (Value operand : matmul->getOperands()) {
      ShapeRef shape = TensorBuilder::getType(operand).getShape();
      if (shape.drop_back(2) != ShapeRef(joined).drop_back(2) &&
          !llvm::all_of(shape.drop_back(2), [](int64_t s) { return s == 1; }))
        return failure();
      Shape split(batch);
      if (shape.drop_back(2) != ShapeRef(joined).drop_back(2))
        split.assign(batch.size(), 1);
      split.append(shape.end() - 2, shape.end());
      shapes.push_back(split);
    }
    SmallVector<Value> operands;
    for (auto [operand, shape] : llvm::zip(matmul->getOperands(), shapes))
      operands.push_back(builder.reshape(operand, shape));
    Value result = builder.apply(OpKind::Matmul, matmul.getOpAttributes(),
                                 operands, getElementTypeOrSelf(getResult(op)));
    rewriter.replaceOp(op, result);
    return success();
  }
};

/// A sum divided by the number of its terms is a mean.
struct SumToMean : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel)
      return failure();
    ComputeOpInterface reduce;
    if (op->getNumOperands())
      reduce = getProducer(op->getOperand(0), OpKind::Reduce);
    if (!reduce || getShape(getResult(reduce)) != getShape(getResult(op)))
      return failure();
    OpAttributes attrs = reduce.getOpAttributes();
    if (attrs.reduceKind != ReduceKind::Sum)
      return failure();
    double terms = static_cast<double>(
        attrs.group ? attrs.group : getShape(reduce->getOperand(0))[attrs.dim]);
    bool isMean = op.getOpKind() == OpKind::Scale
                      ? op.getOpAttributes().scalar == 1.0 / terms
                      : op.getOpKind() == OpKind::Div &&
                            getSplat(op->getOperand(1)) == terms;
    // A sum of f16 rounded before it is divided may overflow; the mean does
    // not.
    if (!isMean)
      return failure();
    attrs.reduceKind = ReduceKind::Mean;
    rewriter.replaceOp(
        op, createComputeOp(rewriter, op.getLoc(), Level::Kernel,
                            OpKind::Reduce, attrs, reduce->getOperands(),
                            getElementTypeOrSelf(getResult(op))));
    return success();
  }
};

/// Zeros around the image are the convolution's own padding.
struct PadIntoConv : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel || op.getOpKind() != OpKind::Conv2d)
      return failure();
    ComputeOpInterface pad = getProducer(op->getOperand(0), OpKind::Pad);
    if (!pad)
      return failure();
    OpAttributes attrs = op.getOpAttributes();
    OpAttributes padding = pad.getOpAttributes();
    int64_t image = attrs.convLayout == ConvLayout::NCHW ? 2 : 1;
    if (padding.scalar != 0.0)
      return failure();
    for (int64_t dim = 0; dim < 4; ++dim) {
      int64_t i = dim - image;
      if (i == 0 || i == 1) {
        attrs.convPadding[2 * i] += padding.offsets[dim];
        attrs.convPadding[2 * i + 1] += padding.sizes[dim];
      } else if (padding.offsets[dim] || padding.sizes[dim])
        return failure();
    }
    replaceOperands(rewriter, op, attrs,
                    {pad->getOperand(0), op->getOperand(1)});
    return success();
  }
};

/// Folds layouts of a constant that is the same everywhere, and reshapes of
/// others.
struct LayoutOfConstant : public KernelPattern {
  using KernelPattern::KernelPattern;

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    DenseFPElementsAttr elements;
    if (getLevel(op) != Level::Kernel || op->getNumOperands() != 1 ||
        op->getNumResults() != 1 ||
        !matchPattern(op->getOperand(0), m_Constant(&elements)))
      return failure();
    OpKind kind = op.getOpKind();
    bool moves = kind == OpKind::Broadcast || kind == OpKind::Transpose ||
                 kind == OpKind::Slice || kind == OpKind::Repeat;
    if (kind != OpKind::Reshape && !(moves && elements.isSplat()))
      return failure();
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    TensorBuilder builder(rewriter, op.getLoc());
    rewriter.replaceOp(op, builder.constant(cast<DenseFPElementsAttr>(
                               elements.isSplat() ? elements.resizeSplat(type)
                                                  : elements.reshape(type))));
    return success();
  }
};

/// select takes any number for a condition, and comparisons give numbers: one
/// and zero chosen by a condition, and whether a condition is not zero, are
/// that condition. Bodies of linalg, where conditions are i1, need both.
struct NumberOfCondition : public KernelPattern {
  using KernelPattern::KernelPattern;

  static Value skipCasts(Value value) {
    while (ComputeOpInterface cast = getProducer(value, OpKind::Cast))
      value = cast->getOperand(0);
    return value;
  }

  /// Returns true for values that are one or zero, as comparisons and the logic
  /// of them give. Every type holds both.
  static bool isCondition(Value value) {
    auto op = skipCasts(value).getDefiningOp<ComputeOpInterface>();
    if (!op || getLevel(op) != Level::Kernel)
      return false;
    OpKind kind = op.getOpKind();
    return kind == OpKind::Compare ||
           ((kind == OpKind::Max || kind == OpKind::Min) &&
            isCondition(op->getOperand(0)) && isCondition(op->getOperand(1)));
  }

  /// Returns the value that `value` says is not zero, if it is not zero in the
  /// type of `value` either.
  static Value getTested(Value value) {
    ComputeOpInterface test = getProducer(skipCasts(value), OpKind::Compare);
    if (!test || test.getOpAttributes().compareKind != CompareKind::NE ||
        getSplat(test->getOperand(1)) != 0.0)
      return {};
    Value tested = test->getOperand(0);
    auto to = cast<RankedTensorType>(value.getType());
    auto from = cast<RankedTensorType>(tested.getType());
    bool keepsZeros =
        from.getElementType() == to.getElementType() || isCondition(tested) ||
        from.getElementTypeBitWidth() < to.getElementTypeBitWidth();
    return from.getShape() == to.getShape() && keepsZeros ? tested : Value();
  }

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel || op.getOpKind() != OpKind::Select)
      return failure();
    Value condition = op->getOperand(0);
    if (condition.getType() == op->getResult(0).getType() &&
        isCondition(condition) && getSplat(op->getOperand(1)) == 1.0 &&
        getSplat(op->getOperand(2)) == 0.0) {
      rewriter.replaceOp(op, condition);
      return success();
    }
    Value tested = getTested(condition);
    if (!tested)
      return failure();
    Type elementType = getElementTypeOrSelf(condition);
    if (getElementTypeOrSelf(tested) != elementType)
      tested =
          getResult(createComputeOp(rewriter, op.getLoc(), Level::Kernel,
                                    OpKind::Cast, {}, tested, elementType));
    replaceOperands(rewriter, op, op.getOpAttributes(),
                    {tested, op->getOperand(1), op->getOperand(2)});
    return success();
  }
};
} // namespace

void mirage::simplifyConverted(Operation *root) {
  SmallVector<Operation *> ops;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!getLevel(op))
      return WalkResult::advance();
    if (isa<ComputeOpInterface>(op))
      ops.push_back(op);
    return WalkResult::skip();
  });
  RewritePatternSet patterns(root->getContext());
  patterns.add<DropBroadcast, TransposeIntoMatmul, ReshapeOfReduce,
               HoistUnitReshape, HoistBatchReshape, PadIntoConv, SumToMean,
               LayoutOfConstant, NumberOfCondition>(root->getContext());
  populateComputeCanonicalizations(patterns, getDialectName(Level::Kernel));
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps);
  (void)applyOpPatternsGreedily(ops, std::move(patterns), config);
}
