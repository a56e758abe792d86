//===- DecomposeComposites.cpp - Composite operators to simple ones -------===//
//
// Replaces composite operators of every level by their definition in
// Semantics/Composite.h; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITES
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
/// The builder of Composite.h that creates IR in `computeType`.
struct IRBuilder {
  OpBuilder &builder;
  Location loc;
  Level level;
  Type computeType;

  Value apply(OpKind kind, const OpAttributes &attrs,
              ArrayRef<Value> operands) {
    return createComputeOp(builder, loc, level, kind, attrs, operands,
                           computeType)
        ->getResult(0);
  }

  Value cast(Value value, Type elementType) {
    auto type = mlir::cast<RankedTensorType>(value.getType());
    if (type.getElementType() == elementType)
      return value;
    return createComputeOp(builder, loc, level, OpKind::Cast, {}, value,
                           elementType)
        ->getResult(0);
  }
};

struct DecomposeComposites
    : public mirage::impl::DecomposeCompositesBase<DecomposeComposites> {
  void runOnOperation() override {
    SmallVector<ComputeOpInterface> composites;
    getOperation()->walk([&](ComputeOpInterface op) {
      if (getLevel(op) && isComposite(op.getOpKind()))
        composites.push_back(op);
    });
    for (ComputeOpInterface op : composites) {
      OpBuilder builder(op);
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      Type elementType = type.getElementType();
      Type computeType =
          elementType.isF64() ? elementType : builder.getF32Type();
      IRBuilder ir{builder, op.getLoc(), *getLevel(op), computeType};
      SmallVector<Value> operands;
      for (Value operand : op->getOperands())
        operands.push_back(ir.cast(operand, computeType));
      Value result =
          buildComposite<Value>(op.getOpKind(), op.getOpAttributes(),
                                op.getOperandShapes().front(), operands, ir);
      op->getResult(0).replaceAllUsesWith(ir.cast(result, elementType));
      op->erase();
    }
  }
};
} // namespace
