//===- LoopPatterns.cpp - Loops of block graphs as scf.for ----------------===//
//
// Converts loops: mirage_block.for becomes scf.for; its accumulators become
// iteration arguments, which operations at the end of the body update in place.
// Rescaled sums carry the largest shift so far beside them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Semantics/Accumulate.h"
#include "OperatorEmitter.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mirage;

namespace {
/// The accumulators of one loop.
class Accumulators {
public:
  explicit Accumulators(block::ForOp loop) {
    for (Value result : loop.getBody().front().getTerminator()->getOperands()) {
      auto op = result.getDefiningOp<block::AccumulateOp>();
      ops.push_back(op);
      if (op.getShift())
        shifts.insert(op.getShift());
    }
  }

  ArrayRef<block::AccumulateOp> getOps() const { return ops; }

  /// Returns the values before the first iteration: one for each accumulator,
  /// then one for the maximum of each shift.
  SmallVector<Value> getInitials(OpBuilder &builder) const;

  /// Returns the values after the iteration `variable`, given those before it.
  SmallVector<Value> getNext(OpBuilder &builder, Value variable,
                             ValueRange before) const;

private:
  Value getNext(block::AccumulateOp op, OperatorEmitter &emitter,
                OpBuilder &builder, Value variable, ValueRange before,
                Value accumulator) const;

  SmallVector<block::AccumulateOp> ops;
  llvm::SmallSetVector<Value, 2> shifts;
};

class ConvertLoop : public OpConversionPattern<block::ForOp> {
public:
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(block::ForOp loop, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override;
};
} // namespace

SmallVector<Value> Accumulators::getInitials(OpBuilder &builder) const {
  SmallVector<Value> initials;
  for (block::AccumulateOp op : ops) {
    OperatorEmitter emitter(builder, op.getLoc());
    ArrayRef<int64_t> shape = getShape(op.getResult());
    FloatType type = getElementType(op.getResult());
    initials.push_back(
        op.getKind() == AccumulateKind::Concat ? emitter.empty(shape, type)
        : op.getKind() == AccumulateKind::Max ? emitter.fillLowest(shape, type)
                                              : emitter.fill(shape, type, 0.0));
  }
  for (Value shift : shifts)
    initials.push_back(OperatorEmitter(builder, shift.getLoc())
                           .fillLowest(getShape(shift), getElementType(shift)));
  return initials;
}

Value Accumulators::getNext(block::AccumulateOp op, OperatorEmitter &emitter,
                            OpBuilder &builder, Value variable,
                            ValueRange before, Value accumulator) const {
  Value value = op.getValue(), shift = op.getShift();
  Type computeType =
      emitter.getComputeType({getElementType(accumulator),
                              getElementType(shift ? shift : accumulator)});
  switch (op.getKind()) {
  case AccumulateKind::Sum:
    return emitter.update(
        accumulator, value, computeType,
        [](MathSystem &s, ArrayRef<Value> x) { return s.add(x[0], x[1]); });
  case AccumulateKind::Max:
    return emitter.update(
        accumulator, value, computeType,
        [](MathSystem &s, ArrayRef<Value> x) { return s.max(x[0], x[1]); });
  case AccumulateKind::RescaledSum: {
    auto at = llvm::find(shifts, shift) - shifts.begin();
    Value running = before[ops.size() + at];
    return emitter.update(accumulator, {value, running, shift}, computeType,
                          [](MathSystem &s, ArrayRef<Value> x) {
                            return addRescaled(x[0], x[1],
                                               getRescaling(x[2], x[3], s), s);
                          });
  }
  case AccumulateKind::Concat: {
    ArrayRef<int64_t> tile = getShape(value);
    SmallVector<OpFoldResult> offsets(tile.size(), builder.getIndexAttr(0));
    SmallVector<OpFoldResult> strides(tile.size(), builder.getIndexAttr(1));
    int64_t dim = *op.getDim();
    Value size =
        arith::ConstantIndexOp::create(builder, op.getLoc(), tile[dim]);
    offsets[dim] =
        arith::MulIOp::create(builder, op.getLoc(), variable, size).getResult();
    return tensor::InsertSliceOp::create(
        builder, op.getLoc(), value, accumulator, offsets,
        getAsIndexOpFoldResult(builder.getContext(), tile), strides);
  }
  }
  llvm_unreachable("unknown accumulator");
}

SmallVector<Value> Accumulators::getNext(OpBuilder &builder, Value variable,
                                         ValueRange before) const {
  SmallVector<Value> next;
  for (auto [accumulate, accumulator] :
       llvm::zip_equal(ops, before.take_front(ops.size()))) {
    block::AccumulateOp op = accumulate;
    OperatorEmitter emitter(builder, op.getLoc());
    next.push_back(
        getNext(op, emitter, builder, variable, before, accumulator));
  }
  for (auto [shift, running] :
       llvm::zip_equal(shifts, before.drop_front(ops.size()))) {
    OperatorEmitter emitter(builder, shift.getLoc());
    next.push_back(emitter.update(
        running, shift, emitter.getComputeType(getElementType(shift)),
        [](MathSystem &s, ArrayRef<Value> x) { return s.max(x[0], x[1]); }));
  }
  return next;
}

LogicalResult
ConvertLoop::matchAndRewrite(block::ForOp loop, OpAdaptor adaptor,
                             ConversionPatternRewriter &rewriter) const {
  Accumulators accumulators(loop);
  if (accumulators.getOps().empty()) {
    rewriter.eraseOp(loop);
    return success();
  }
  Location loc = loop.getLoc();
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(rewriter, loc, value);
  };
  SmallVector<Value> initials = accumulators.getInitials(rewriter);
  auto result = scf::ForOp::create(rewriter, loc, index(0),
                                   index(loop.getExtent()), index(1), initials);
  Block *body = result.getBody();
  Operation *yield = loop.getBody().front().getTerminator();
  rewriter.inlineBlockBefore(&loop.getBody().front(), body, body->end(),
                             result.getInductionVar());
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> next = accumulators.getNext(
      rewriter, result.getInductionVar(), result.getRegionIterArgs());
  scf::YieldOp::create(rewriter, loc, next);
  rewriter.eraseOp(yield);
  for (block::AccumulateOp op : accumulators.getOps())
    rewriter.eraseOp(op);
  rewriter.replaceOp(loop,
                     result.getResults().take_front(loop.getNumResults()));
  return success();
}

void mirage::populateLoopToSCFPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertLoop>(patterns.getContext());
}
