//===- KernelCanonicalization.cpp - What moves between kernels ------------===//
//
// Exchanges casts and layout operators. Search/Problem/CanonicalProgram.h does
// the same for programs that never were IR, and more.
//
//===----------------------------------------------------------------------===//

#include "KernelCanonicalization.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mirage;

namespace {
/// What moves between kernels is narrow: a cast to a narrower type comes before
/// a layout operator that nothing else reads, and one from a narrower type
/// behind it.
struct MoveNarrow : public OpInterfaceRewritePattern<ComputeOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  static unsigned getBits(Value value) {
    return cast<RankedTensorType>(value.getType()).getElementTypeBitWidth();
  }
  /// Returns whether the operator gives all elements of its operand, or the
  /// elements of a part of it, another place.
  static bool isMoving(OpKind kind) {
    return kind == OpKind::Reshape || kind == OpKind::Transpose ||
           kind == OpKind::Slice;
  }

  LogicalResult matchAndRewrite(ComputeOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (getLevel(op) != Level::Kernel || op->getNumOperands() != 1)
      return failure();
    auto inner = op->getOperand(0).getDefiningOp<ComputeOpInterface>();
    if (!inner || inner->getNumOperands() != 1 || !inner->hasOneUse())
      return failure();
    // A layout belongs to the operator that it was planned for.
    for (Value value :
         {Value(op->getResult(0)), op->getOperand(0), inner->getOperand(0)})
      if (cast<RankedTensorType>(value.getType()).getEncoding())
        return failure();
    OpKind kind = op.getOpKind(), innerKind = inner.getOpKind();
    // A cast of a part costs less than one of the whole.
    bool narrows = kind == OpKind::Cast && innerKind != OpKind::Slice &&
                   (isMoving(innerKind) || innerKind == OpKind::Broadcast) &&
                   getBits(op->getResult(0)) < getBits(op->getOperand(0));
    bool widens = isMoving(kind) && innerKind == OpKind::Cast &&
                  getBits(inner->getOperand(0)) < getBits(op->getOperand(0));
    if (!narrows && !widens)
      return failure();
    Value source = inner->getOperand(0);
    Type element = getElementTypeOrSelf(narrows ? op->getResult(0).getType()
                                                : source.getType());
    Operation *first = createComputeOp(
        rewriter, narrows ? op.getLoc() : inner.getLoc(), Level::Kernel, kind,
        op.getOpAttributes(), source, element);
    Operation *second = createComputeOp(
        rewriter, narrows ? inner.getLoc() : op.getLoc(), Level::Kernel,
        innerKind, inner.getOpAttributes(), first->getResult(0),
        getElementTypeOrSelf(op->getResult(0).getType()));
    rewriter.replaceOp(op, second);
    return success();
  }
};
} // namespace

void mirage::kernel::populateMoveNarrow(RewritePatternSet &patterns) {
  patterns.add<MoveNarrow>(patterns.getContext());
}
