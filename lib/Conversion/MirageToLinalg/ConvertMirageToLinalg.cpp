//===- ConvertMirageToLinalg.cpp - All levels to upstream dialects --------===//
//
// Implements the pass convert-mirage-to-linalg; see Passes.td. Compute
// operators of all levels go through one pattern, graphs and loops through
// those of GraphPatterns.cpp and LoopPatterns.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Transforms/Passes.h"
#include "OperatorEmitter.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mirage {
#define GEN_PASS_DEF_CONVERTMIRAGETOLINALG
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
/// Converts a compute operator of any level.
class ConvertOperator
    : public OpInterfaceConversionPattern<ComputeOpInterface> {
public:
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(ComputeOpInterface op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    // The attribute is kept as it is, since large ones should not be copied.
    if (op.getOpKind() == OpKind::Constant) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, cast<TypedAttr>(op->getAttr("value")));
      return success();
    }
    OperatorEmitter emitter(rewriter, op.getLoc());
    rewriter.replaceOp(op, emitter.emit(op.getOpKind(), op.getOpAttributes(),
                                        operands,
                                        getElementType(op->getResult(0))));
    return success();
  }
};

struct ConvertMirageToLinalg
    : public mirage::impl::ConvertMirageToLinalgBase<ConvertMirageToLinalg> {
  using ConvertMirageToLinalgBase::ConvertMirageToLinalgBase;

  void runOnOperation() override;
};
} // namespace

/// Returns true if the operation is one of graphs, not of the code generation
/// that graphs are lowered to.
static bool isGraphOp(Operation *op) {
  return isa<ComputeOpInterface, kernel::LaunchOp, block::LoadOp,
             block::StoreOp, block::ForOp, block::AccumulateOp, block::YieldOp,
             block::ThreadGraphOp, thread::LoadOp, thread::StoreOp>(op) ||
         (isa<thread::YieldOp>(op) &&
          isa<block::ThreadGraphOp>(op->getParentOp()));
}

static LogicalResult checkOperations(ModuleOp module) {
  bool isLegal = true;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!getLevel(op) || isGraphOp(op))
      return WalkResult::advance();
    op->emitOpError("belongs to generated code, which has no meaning on "
                    "tensors; convert graphs to linalg before "
                    "convert-mirage-block-to-thread");
    isLegal = false;
    return WalkResult::skip();
  });
  return success(isLegal);
}

/// Drops what only Mirage can parse: its attributes on modules, functions and
/// their arguments.
static void dropAttributes(ModuleOp module) {
  auto isMirages = [](NamedAttribute attribute) {
    return isa_and_nonnull<MirageDialect>(attribute.getNameDialect());
  };
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : llvm::to_vector(op->getDiscardableAttrs()))
      if (isMirages(attribute))
        op->removeDiscardableAttr(attribute.getName());
    auto function = dyn_cast<FunctionOpInterface>(op);
    if (!function)
      return;
    for (unsigned i = 0; i < function.getNumArguments(); ++i)
      for (NamedAttribute attribute : function.getArgAttrs(i))
        if (isMirages(attribute))
          function.removeArgAttr(i, attribute.getName());
    for (unsigned i = 0; i < function.getNumResults(); ++i)
      for (NamedAttribute attribute : function.getResultAttrs(i))
        if (isMirages(attribute))
          function.removeResultAttr(i, attribute.getName());
  });
}

void ConvertMirageToLinalg::runOnOperation() {
  ModuleOp module = getOperation();
  if (failed(checkOperations(module)))
    return signalPassFailure();
  OpPassManager expansions(ModuleOp::getOperationName());
  expansions.addPass(createExpandCustomOperators());
  expansions.addPass(createExpandReducedStores());
  if (failed(runPipeline(expansions, module)))
    return signalPassFailure();

  ConversionTarget target(getContext());
  target.addIllegalDialect<kernel::KernelDialect, block::BlockDialect,
                           thread::ThreadDialect>();
  target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
  RewritePatternSet patterns(&getContext());
  patterns.add<ConvertOperator>(&getContext());
  populateGraphToSCFPatterns(patterns, sequential);
  populateLoopToSCFPatterns(patterns);
  // Patterns read the operations that earlier ones replaced.
  ConversionConfig config;
  config.allowPatternRollback = false;
  if (failed(
          applyPartialConversion(module, target, std::move(patterns), config)))
    return signalPassFailure();
  dropAttributes(module);
}
