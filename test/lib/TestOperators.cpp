//===- TestOperators.cpp - Custom operators that break their constraints --===//
//
// Defines a plugin with one operator whose attribute `means` chooses what it
// does wrong, or how its meaning uses itself. The operator of a second dialect
// does not depend on mirage_kernel.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/Meaning.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"

using namespace mlir;
using namespace mirage;

using Results = FailureOr<SmallVector<Value>>;

namespace {
template <typename Concrete, template <typename> class... Traits>
class TestOpBase
    : public Op<Concrete, OpTrait::VariadicRegions, OpTrait::VariadicResults,
                OpTrait::VariadicOperands, MuGraphOpInterface::Trait,
                Traits...> {
public:
  using Op<Concrete, OpTrait::VariadicRegions, OpTrait::VariadicResults,
           OpTrait::VariadicOperands, MuGraphOpInterface::Trait, Traits...>::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
};

class MeansOp : public TestOpBase<MeansOp> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MeansOp)
  using TestOpBase::TestOpBase;
  static StringRef getOperationName() { return "test.means"; }
  Results buildMeaning(OpBuilder &builder);

private:
  Value again(OpBuilder &builder, ValueRange operands, int64_t times);
};

/// An operator that must not stand where a meaning is asked for.
class EndOp : public TestOpBase<EndOp, OpTrait::IsTerminator> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EndOp)
  using TestOpBase::TestOpBase;
  static StringRef getOperationName() { return "test.end"; }
  Results buildMeaning(OpBuilder &) { return failure(); }
};

/// An operator that names its row, which is its meaning.
class ExpOp : public Op<ExpOp, OpTrait::ZeroRegions, OpTrait::OneResult,
                        OpTrait::OneOperand, MuGraphOpInterface::Trait,
                        ComputeOpInterface::Trait> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpOp)
  using Op::Op;
  static ArrayRef<StringRef> getAttributeNames() { return {}; }
  static StringRef getOperationName() { return "test.exp"; }
  static OpKind getOpKind() { return OpKind::Exp; }
};

class LonelyOp : public TestOpBase<LonelyOp> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LonelyOp)
  using TestOpBase::TestOpBase;
  static StringRef getOperationName() { return "test_lonely.op"; }
  Results buildMeaning(OpBuilder &) {
    return SmallVector<Value>(getOperation()->getOperands());
  }
};

class TestDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestDialect)
  explicit TestDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<TestDialect>()) {
    context->getOrLoadDialect<kernel::KernelDialect>();
    context->getOrLoadDialect<block::BlockDialect>();
    context->getOrLoadDialect<arith::ArithDialect>();
    addOperations<MeansOp, EndOp, ExpOp>();
  }
  static StringRef getDialectNamespace() { return "test"; }
};

class LonelyDialect : public Dialect {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LonelyDialect)
  explicit LonelyDialect(MLIRContext *context)
      : Dialect(getDialectNamespace(), context, TypeID::get<LonelyDialect>()) {
    addOperations<LonelyOp>();
  }
  static StringRef getDialectNamespace() { return "test_lonely"; }
};
} // namespace

/// Returns another operator like this one, whose attribute `times` is `times`.
Value MeansOp::again(OpBuilder &builder, ValueRange operands, int64_t times) {
  OperationState state(getLoc(), getOperationName());
  state.addOperands(operands);
  state.addTypes(getOperation()->getResultTypes());
  state.addAttribute("means", getOperation()->getAttr("means"));
  state.addAttribute("times", builder.getI64IntegerAttr(times));
  return builder.create(state)->getResult(0);
}

Results MeansOp::buildMeaning(OpBuilder &builder) {
  Operation *op = getOperation();
  Location loc = getLoc();
  StringRef means = op->getAttrOfType<StringAttr>("means").getValue();
  auto times = op->getAttrOfType<IntegerAttr>("times");
  Value x = op->getNumOperands() ? op->getOperand(0) : Value();
  MeaningBuilder b(op, builder);
  if (means == "nothing")
    return failure();
  if (means == "refusal")
    return emitOpError("has a reason");
  if (means == "itself")
    return SmallVector<Value>(op->getResults());
  if (means == "operands")
    return SmallVector<Value>(op->getOperands());
  if (means == "null")
    return SmallVector<Value>(1);
  if (means == "own result")
    return b.finish(b.apply(OpKind::Exp, {op->getResult(0)}));
  if (means == "arith")
    return SmallVector<Value>{arith::AddFOp::create(builder, loc, x, x)};
  if (means == "block") {
    OperationState state(loc, "mirage_block.exp");
    state.addOperands(x);
    state.addTypes(x.getType());
    return SmallVector<Value>{builder.create(state)->getResult(0)};
  }
  if (means == "illegal row") {
    OperationState state(loc, "mirage_kernel.exp");
    state.addOperands(x);
    state.addTypes(RankedTensorType::get({3}, builder.getF32Type()));
    builder.create(state);
    return SmallVector<Value>{x};
  }
  if (means == "illegal product")
    return b.finish(b.apply(OpKind::Exp,
                            {b.apply(OpKind::Matmul, {x, op->getOperand(1)})}));
  if (means == "two operands for one")
    return b.finish(b.apply(OpKind::Exp, {x, x}));
  if (means == "later") {
    Value later = kernel::ExpOp::create(builder, loc, x);
    builder.setInsertionPoint(later.getDefiningOp());
    return SmallVector<Value>{kernel::ExpOp::create(builder, loc, later)};
  }
  if (means == "another without") {
    Value inner = again(builder, x, 0);
    inner.getDefiningOp()->setAttr("means", builder.getStringAttr("nothing"));
    return SmallVector<Value>{inner};
  }
  if (means == "unused")
    (void)b.apply(OpKind::Exp, {x});
  // The meaning is a chain, a tree, or has no end.
  int64_t left = times ? times.getInt() : 0;
  if (means == "endless")
    return SmallVector<Value>{again(builder, x, 0)};
  if (left == 0)
    return b.finish(b.apply(OpKind::Square, {x}));
  Value inner = again(builder, x, left - 1);
  if (means == "tree")
    inner = b.apply(OpKind::Add, {inner, again(builder, x, left - 1)});
  return SmallVector<Value>{inner};
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "TestOperators", "1.0",
          [](DialectRegistry *registry) {
            registry->insert<TestDialect, LonelyDialect>();
          }};
}
