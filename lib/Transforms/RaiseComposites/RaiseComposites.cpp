//===- RaiseComposites.cpp - Composite operators from simple ones ---------===//
//
// Finds graphs of kernel operators that compute an activation function, a norm,
// softmax or attention, and replaces each by that operator; see Passes.td.
// Later operators are looked at first, so that a whole norm is found before a
// part of it.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Transforms/Passes.h"
#include "Recognition.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace mirage {
#define GEN_PASS_DEF_RAISECOMPOSITES
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// Widening casts end nothing: the operator before them is looked at instead.
static bool mayBeRoot(ComputeOpInterface op) {
  if (!isElementwise(op.getOpKind()))
    return false;
  if (op.getOpKind() != OpKind::Cast)
    return true;
  auto width = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getElementTypeBitWidth();
  };
  return width(op->getResult(0)) < width(op->getOperand(0));
}

/// Returns whether an operator is another one whose scale is an operator of its
/// own, which stays where it is.
static bool isOfScaled(const Recognized &found, const Recognized &other) {
  auto scale = found.operands.front().getDefiningOp<ComputeOpInterface>();
  return other.factor != 1 && scale && scale.getOpKind() == OpKind::Scale &&
         scale->getOperand(0) == other.operands.front();
}

static Value createCast(OpBuilder &builder, Location loc, Value value,
                        ElementType type) {
  OpAttributes attributes;
  attributes.resultType = type;
  return createComputeOp(builder, loc, Level::Kernel, OpKind::Cast, attributes,
                         value)
      ->getResult(0);
}

static Value createRecognized(OpBuilder &builder, Location loc,
                              const Recognized &found) {
  Value input = found.operands.front();
  Type given = cast<RankedTensorType>(input.getType()).getElementType();
  // A composite operator rounds nothing inside of it, and so neither does the
  // scale.
  bool isWidened = found.factor != 1 && given.getIntOrFloatBitWidth() < 32;
  if (isWidened)
    input = createCast(builder, loc, input, ElementType::f32);
  if (found.factor != 1) {
    OpAttributes scale;
    scale.scalar = found.factor;
    input = createComputeOp(builder, loc, Level::Kernel, OpKind::Scale, scale,
                            input)
                ->getResult(0);
  }
  SmallVector<Value> operands = {input};
  for (Value vector : ArrayRef(found.operands).drop_front()) {
    auto type = cast<RankedTensorType>(vector.getType());
    if (type.getRank() != 1) {
      OpAttributes flat;
      flat.resultShape.assign(1, type.getNumElements());
      vector = createComputeOp(builder, loc, Level::Kernel, OpKind::Reshape,
                               flat, vector)
                   ->getResult(0);
    }
    operands.push_back(vector);
  }
  Value result = createComputeOp(builder, loc, Level::Kernel, found.kind,
                                 found.attributes, operands)
                     ->getResult(0);
  return isWidened
             ? createCast(builder, loc, result, *convertElementType(given))
             : result;
}

namespace {
struct RaiseComposites
    : public mirage::impl::RaiseCompositesBase<RaiseComposites> {
  using RaiseCompositesBase::RaiseCompositesBase;

  void report(Location loc, OpKind kind, unsigned numOperators) {
    remark::passed(loc, remark::RemarkOpts::name("composite raised")
                            .category("mirage-raise-composites"))
        << llvm::formatv("{0} replaces {1} operators", getOpInfo(kind).mnemonic,
                         numOperators)
               .str();
  }

  /// Replaces the result of the largest cone of `root` that is an operator.
  void raiseCone(ComputeOpInterface root) {
    std::optional<Recognized> found;
    unsigned numOperators = 0;
    forEachCone(root, [&](const Cone &cone) {
      std::optional<Recognized> recognized = recognize(cone);
      if (recognized && !(found && isOfScaled(*found, *recognized))) {
        found = recognized;
        numOperators = cone.operators.size();
      }
    });
    if (!found)
      return;
    OpBuilder builder(root);
    report(root.getLoc(), found->kind, numOperators);
    root->getResult(0).replaceAllUsesWith(
        createRecognized(builder, root.getLoc(), *found));
    root->erase();
  }

  /// Visits operators backwards, so that one that nothing needs any more is
  /// gone before it is looked at.
  void forOperators(Block &block,
                    function_ref<void(ComputeOpInterface)> visit) {
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
      auto compute = dyn_cast<ComputeOpInterface>(op);
      if (!compute || getLevel(&op) != Level::Kernel)
        continue;
      if (op.use_empty())
        op.erase();
      else
        visit(compute);
    }
  }

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) {
      forOperators(*block, [&](ComputeOpInterface op) {
        if (mayBeRoot(op))
          raiseCone(op);
      });
      forOperators(*block, [&](ComputeOpInterface op) {
        if (std::optional<AttentionMatch> match = matchAttention(op)) {
          report(op.getLoc(), OpKind::Attention, match->numOperators);
          OpBuilder builder(op);
          match->result.value.replaceAllUsesWith(
              createAttention(builder, op.getLoc(), *match));
        }
      });
      // The operators that attention has made unused go as well.
      forOperators(*block, [](ComputeOpInterface) {});
    }
  }
};
} // namespace
