//===- Fission.cpp - Operators as graphs of primitives --------------------===//
//
// Replaces kernel operators that are no primitives by the rules of
// FissionRules.td (Korch, section 3), and custom operators by their meanings;
// see Passes.td. Here are the casts to the type that an operator computes in,
// what rules compute from shapes, and the reports.
//
//===----------------------------------------------------------------------===//

#include "Norms.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/Meaning.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mirage {
#define GEN_PASS_DEF_FISSION
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

static RankedTensorType getType(Value value) {
  return cast<RankedTensorType>(value.getType());
}
static Type getElementType(Value value) {
  return getType(value).getElementType();
}
static int64_t getLastDim(Value value) { return getType(value).getRank() - 1; }

/// Returns a number of `like`'s element type and rank, to combine with it
/// elementwise.
static DenseElementsAttr getSplat(Value like, double number) {
  SmallVector<int64_t> ones(getType(like).getRank(), 1);
  auto type = RankedTensorType::get(ones, getElementType(like));
  return DenseElementsAttr::get(
      type, FloatAttr::get(type.getElementType(), number).getValue());
}

/// Returns how many elements of `operand` the reduction `result` of it combines
/// to one.
static double getCount(Value operand, Value result) {
  return static_cast<double>(getType(operand).getNumElements()) /
         static_cast<double>(getType(result).getNumElements());
}

/// Returns the type of a vector that lies along dimension `dim` of `like`.
static Type getTypeAlong(Value vector, Value like, int64_t dim) {
  SmallVector<int64_t> shape(getType(like).getRank(), 1);
  shape[dim] = getType(vector).getNumElements();
  return RankedTensorType::get(shape, getElementType(vector));
}

/// Returns the type of `input` with its channels, dimension 1, in groups, and
/// each group's elements in one dimension.
static Type getGroupedType(Value input, int64_t groups) {
  RankedTensorType type = getType(input);
  int64_t perGroup = type.getNumElements() / type.getDimSize(0) / groups;
  return RankedTensorType::get({type.getDimSize(0), groups, perGroup},
                               type.getElementType());
}

/// Returns a norm without weight and bias.
static Value createNorm(OpBuilder &builder, Location loc, OpKind kind,
                        Value input, FloatAttr epsilon) {
  OpAttributes attrs;
  attrs.scalar = epsilon.getValueAsDouble();
  return createComputeOp(builder, loc, Level::Kernel, kind, attrs, input)
      ->getResult(0);
}

#include "FissionRules.inc"

//===----------------------------------------------------------------------===//
// Casts around operators
//===----------------------------------------------------------------------===//

/// Makes the operator compute in f32, or f64 for f64, as composite operators
/// and elementwise functions do inside: operands are cast, and the result is
/// rounded once. Adds the operator and the casts to `changed`.
static void widen(Operation *op, RewriterBase &rewriter,
                  SmallVectorImpl<Operation *> &changed) {
  rewriter.setInsertionPoint(op);
  auto type = getType(op->getResult(0));
  Type wide = type.getElementType().isF64() ? type.getElementType()
                                            : rewriter.getF32Type();
  auto isWide = [&](Value v) { return getElementType(v) == wide; };
  if (llvm::all_of(op->getOperands(), isWide) && isWide(op->getResult(0)))
    return changed.push_back(op);
  Location loc = op->getLoc();
  Operation *result = rewriter.clone(*op);
  rewriter.setInsertionPoint(result);
  for (OpOperand &operand : result->getOpOperands()) {
    Value narrow = operand.get();
    if (isWide(narrow))
      continue;
    auto cast = kernel::CastOp::create(
        rewriter, loc, RankedTensorType::get(getType(narrow).getShape(), wide),
        narrow);
    operand.set(cast);
    changed.push_back(cast);
  }
  result->getResult(0).setType(RankedTensorType::get(type.getShape(), wide));
  rewriter.setInsertionPointAfter(result);
  Value rounded = result->getResult(0);
  if (rounded.getType() != type)
    rounded = kernel::CastOp::create(rewriter, loc, type, rounded);
  rewriter.replaceOp(op, rounded);
  changed.push_back(result);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

static constexpr auto remarkOptions =
    remark::RemarkOpts::name("fission").category("mirage-fission");

namespace {
/// Says which rules were applied.
struct Reporter : public RewriterBase::Listener {
  Location loc;
  bool isFission = false;

  explicit Reporter(MLIRContext *context) : loc(UnknownLoc::get(context)) {}

  void notifyPatternBegin(const Pattern &pattern, Operation *op) override {
    loc = op->getLoc();
    isFission = !getPrimitiveClass(op);
  }
  void notifyPatternEnd(const Pattern &pattern, LogicalResult status) override {
    if (failed(status) || !isFission)
      return;
    std::string text =
        (pattern.getRootKind()->stripDialect() + " becomes ").str();
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(
        pattern.getGeneratedOps(), os,
        [&](OperationName name) { os << name.stripDialect(); });
    remark::passed(loc, remarkOptions) << text;
  }
};

struct Fission : public mirage::impl::FissionBase<Fission> {
  using FissionBase::FissionBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  /// The operators outside of launches, which fission leaves alone.
  void walkOperators(llvm::function_ref<void(Operation *)> visit) {
    getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getNumResults() && !op->hasTrait<OpTrait::IsTerminator>())
        visit(op);
      return isa<kernel::LaunchOp>(op) ? WalkResult::skip()
                                       : WalkResult::advance();
    });
  }

  FrozenRewritePatternSet rules;
};
} // namespace

LogicalResult Fission::initialize(MLIRContext *context) {
  RewritePatternSet all(context);
  populateWithGenerated(all);
  // A rule is called after the operator that it takes apart.
  llvm::SetVector<StringRef> labels;
  for (std::unique_ptr<RewritePattern> &rule : all.getNativePatterns()) {
    StringRef label = rule->getRootKind()->stripDialect();
    rule->addDebugLabels(label);
    labels.insert(label);
  }
  for (const std::string &label :
       llvm::concat<const std::string>(enabledPatterns, disabledPatterns))
    if (!labels.contains(label)) {
      auto error = emitError(UnknownLoc::get(context))
                   << "mirage-fission has no rule for '" << label
                   << "'; it has rules for ";
      llvm::interleaveComma(labels, error);
      return error;
    }
  rules = FrozenRewritePatternSet(std::move(all), disabledPatterns,
                                  enabledPatterns);
  return success();
}

/// Says what a custom operator becomes.
static void reportMeaning(Operation *op, const Meaning &meaning) {
  std::string text = (op->getName().getStringRef() + " becomes ").str();
  llvm::raw_string_ostream os(text);
  if (meaning.getBody().empty())
    os << "its operands";
  Block &body = meaning.getBody();
  llvm::interleave(
      body.begin(), body.end(),
      [&](Operation &inner) { os << inner.getName().stripDialect(); },
      [&] { os << ", "; });
  remark::passed(op->getLoc(), remarkOptions) << text;
}

void Fission::runOnOperation() {
  if (failed(expandCustomOperators(getOperation(), reportMeaning)))
    return signalPassFailure();
  SmallVector<Operation *> operators;
  walkOperators([&](Operation *op) {
    std::optional<PrimitiveClass> primitive = getPrimitiveClass(op);
    if (!primitive &&
        rules.getOpSpecificNativePatterns().contains(op->getName()))
      operators.push_back(op);
    else if (!primitive)
      remark::missed(op->getLoc(), remarkOptions)
          << (op->getName().getStringRef() +
              " is left whole: no rule for it is enabled")
                 .str();
    else if (*primitive == PrimitiveClass::Opaque)
      remark::missed(op->getLoc(), remarkOptions)
          << (op->getName().getStringRef() + " is opaque").str();
  });

  IRRewriter rewriter(&getContext());
  SmallVector<Operation *> worklist;
  for (Operation *op : operators)
    widen(op, rewriter, worklist);
  // Only these operators and those that they become are rewritten: the rest of
  // the program stays as it is.
  Reporter reporter(&getContext());
  GreedyRewriteConfig config;
  config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
      .enableFolding(false)
      .setListener(&reporter);
  if (failed(applyOpPatternsGreedily(worklist, rules, config))) {
    getOperation()->emitError("the rules of mirage-fission do not end");
    return signalPassFailure();
  }

  if (annotate)
    walkOperators([&](Operation *op) {
      if (std::optional<PrimitiveClass> primitive = getPrimitiveClass(op))
        op->setAttr(MirageDialect::getPrimitiveClassAttrName(),
                    PrimitiveClassAttr::get(&getContext(), *primitive));
    });
}
