//===- ComputeOpFolding.cpp - Folds of compute operators ------------------===//
//
// Folds identities that hold over the real numbers and the arithmetic of
// equal-valued constants, and adds canonicalizations, once for all levels.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Semantics/Evaluate.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mirage;

/// Returns the value of a constant operand that is the same everywhere.
static std::optional<double> getSplat(Attribute attribute) {
  auto elements = dyn_cast_or_null<DenseFPElementsAttr>(attribute);
  if (!elements || !elements.isSplat())
    return std::nullopt;
  APFloat value = elements.getSplatValue<APFloat>();
  bool losesInfo;
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

/// Returns the operand that the operator returns unchanged, if it does.
static Value getIdentity(Operation *op, OpKind kind, const OpAttributes &attrs,
                         ArrayRef<Attribute> operands) {
  auto ifSameType = [&](unsigned operand) {
    Value value = op->getOperand(operand);
    return value.getType() == op->getResult(0).getType() ? value : Value();
  };
  auto isSplat = [&](unsigned operand, double value) {
    return getSplat(operands[operand]) == value;
  };
  auto all = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [&](int64_t v) { return v == value; });
  };
  bool identity = false;
  switch (kind) {
  case OpKind::Add:
    if (isSplat(0, 0.0) && ifSameType(1))
      return ifSameType(1);
    identity = isSplat(1, 0.0);
    break;
  case OpKind::Sub:
    identity = isSplat(1, 0.0);
    break;
  case OpKind::Mul:
    if (isSplat(0, 1.0) && ifSameType(1))
      return ifSameType(1);
    identity = isSplat(1, 1.0);
    break;
  case OpKind::Div:
    identity = isSplat(1, 1.0);
    break;
  case OpKind::Max:
  case OpKind::Min: {
    // Nothing is less than minus infinity, and NaN stays NaN.
    double neutral = kind == OpKind::Max
                         ? -std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::infinity();
    if (isSplat(0, neutral) && ifSameType(1))
      return ifSameType(1);
    identity = isSplat(1, neutral) || op->getOperand(0) == op->getOperand(1);
    break;
  }
  case OpKind::Scale:
  case OpKind::Pow:
    identity = attrs.scalar == 1.0;
    break;
  case OpKind::Cast:
  case OpKind::Broadcast:
  case OpKind::Reshape:
    identity = true; // If the types are equal.
    break;
  case OpKind::Repeat:
    identity = all(attrs.repeats, 1);
    break;
  case OpKind::Transpose:
    identity = llvm::is_sorted(attrs.permutation);
    break;
  case OpKind::Slice:
    identity = all(attrs.strides, 1);
    break;
  case OpKind::Split:
    identity = attrs.parts == 1;
    break;
  case OpKind::Concat:
    identity = op->getNumOperands() == 1;
    break;
  case OpKind::Pad:
    identity = all(attrs.offsets, 0) && all(attrs.sizes, 0);
    break;
  case OpKind::Reduce:
    identity = attrs.group == 1 || attrs.keep;
    break;
  default:
    break;
  }
  return identity ? ifSameType(0) : Value();
}

/// Returns whether the results of an operator have elements of its operand
/// alone, so that they are the same everywhere if the operand is.
static bool onlyMoves(OpKind kind) {
  switch (kind) {
  case OpKind::Reshape:
  case OpKind::Transpose:
  case OpKind::Broadcast:
  case OpKind::Slice:
    return true;
  default:
    return false;
  }
}

/// Folds an elementwise operator of constants that are the same everywhere, or
/// an operator that moves the elements of one.
static Attribute foldSplats(Operation *op, OpKind kind,
                            const OpAttributes &attrs,
                            ArrayRef<Attribute> operands) {
  if (operands.empty() || !(isElementwise(kind) || onlyMoves(kind)))
    return {};
  SmallVector<Tensor<double>, 2> values;
  for (Attribute operand : operands) {
    std::optional<double> splat = getSplat(operand);
    if (!splat)
      return {};
    values.emplace_back(Shape{1}).data[0] = *splat;
  }
  SmallVector<const Tensor<double> *, 2> pointers;
  for (const Tensor<double> &value : values)
    pointers.push_back(&value);
  double result = onlyMoves(kind)
                      ? values.front().data[0]
                      : evaluate<double>(kind, attrs, pointers).front().data[0];
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  std::optional<ElementType> element =
      convertElementType(type.getElementType());
  // Only results that need no rounding are folded, because folding must not
  // change what a program computes in any precision. What only moves may be
  // infinite, as in the masks of attention.
  bool isExact = onlyMoves(kind) ? !std::isnan(result) : std::isfinite(result);
  if (!element || !isExact || roundTo(*element, result) != result)
    return {};
  return DenseFPElementsAttr::get(
      type, FloatAttr::get(type.getElementType(), roundTo(*element, result))
                .getValue());
}

LogicalResult mirage::foldComputeOp(Operation *op, ArrayRef<Attribute> operands,
                                    SmallVectorImpl<OpFoldResult> &results) {
  auto muGraphOp = cast<ComputeOpInterface>(op);
  OpKind kind = muGraphOp.getOpKind();
  OpAttributes attrs = muGraphOp.getOpAttributes();
  if (op->getNumResults() != 1)
    return failure();
  if (Value identity = getIdentity(op, kind, attrs, operands)) {
    results.push_back(identity);
    return success();
  }
  if (Attribute constant = foldSplats(op, kind, attrs, operands)) {
    results.push_back(constant);
    return success();
  }
  // Two transposes by inverse permutations give x.
  if (kind == OpKind::Transpose)
    if (auto inner = op->getOperand(0).getDefiningOp<ComputeOpInterface>())
      if (inner.getOpKind() == OpKind::Transpose) {
        auto first = inner.getOpAttributes().permutation;
        bool inverse = true;
        for (auto [i, dim] : llvm::enumerate(attrs.permutation))
          inverse &= first[dim] == static_cast<int64_t>(i);
        if (inverse &&
            inner->getOperand(0).getType() == op->getResult(0).getType()) {
          results.push_back(inner->getOperand(0));
          return success();
        }
      }
  return failure();
}

namespace {
/// Two layout operators of one kind in a row become one: reshape, broadcast,
/// transpose; and scale of scale.
struct CombinePairs : public OpInterfaceRewritePattern<ComputeOpInterface> {
  StringRef dialect;

  CombinePairs(MLIRContext *context, StringRef dialect)
      : OpInterfaceRewritePattern(context), dialect(dialect) {}

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (op->getName().getDialectNamespace() != dialect ||
        op->getNumOperands() != 1)
      return failure();
    auto inner = op->getOperand(0).getDefiningOp<ComputeOpInterface>();
    if (!inner || inner->getName() != op->getName())
      return failure();
    // A layout belongs to the operator that it was planned for.
    if (cast<RankedTensorType>(op->getResult(0).getType()).getEncoding())
      return failure();
    OpAttributes attrs = op.getOpAttributes();
    OpAttributes innerAttrs = inner.getOpAttributes();
    switch (op.getOpKind()) {
    case OpKind::Reshape:
    case OpKind::Broadcast:
      break;
    case OpKind::Transpose:
      for (int64_t &dim : attrs.permutation)
        dim = innerAttrs.permutation[dim];
      break;
    case OpKind::Scale: {
      // This holds only where the product of the factors is exact.
      double product = attrs.scalar * innerAttrs.scalar;
      if (product == 0 || !std::isfinite(product) ||
          product / attrs.scalar != innerAttrs.scalar)
        return failure();
      attrs.scalar = product;
      break;
    }
    default:
      return failure();
    }
    Operation *combined =
        createComputeOp(rewriter, op.getLoc(), *getLevel(op), op.getOpKind(),
                        attrs, inner->getOperands());
    rewriter.replaceOp(op, combined);
    return success();
  }
};
} // namespace

void mirage::populateComputeCanonicalizations(RewritePatternSet &patterns,
                                              StringRef dialect) {
  patterns.add<CombinePairs>(patterns.getContext(), dialect);
}
