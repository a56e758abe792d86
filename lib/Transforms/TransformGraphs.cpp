//===- TransformGraphs.cpp - Cheaper graphs of the same function ----------===//
//
// Applies the rules of TransformRules.td that never lose, makes alternatives of
// functions by the others, and keeps those that take less by the cost model;
// see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "Mirage/Transforms/TransformRules.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FormatVariadic.h"

namespace mirage {
#define GEN_PASS_DEF_TRANSFORMGRAPHS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

static constexpr auto remarkOptions =
    remark::RemarkOpts::name("transform").category("mirage-transform-graphs");

namespace {
/// A function in a module of its own.
struct Alternative {
  explicit Alternative(func::FuncOp original)
      : module(ModuleOp::create(original.getLoc())),
        function(cast<func::FuncOp>(original->clone())) {
    module->push_back(function);
  }

  OwningOpRef<ModuleOp> module;
  func::FuncOp function;
};

struct TransformGraphs
    : public mirage::impl::TransformGraphsBase<TransformGraphs> {
  using TransformGraphsBase::TransformGraphsBase;

  LogicalResult initialize(MLIRContext *context) override;
  void runOnOperation() override;

private:
  std::optional<double> estimate(func::FuncOp function);
  void transform(func::FuncOp function);

  /// The rules that are tried.
  TransformRules rules;
  std::optional<TargetDescription> target;
};
} // namespace

LogicalResult TransformGraphs::initialize(MLIRContext *context) {
  rules = getTransformRules(context);
  for (const std::string &name :
       llvm::concat<const std::string>(enabled, disabled))
    if (!rules.contains(name)) {
      auto error = emitError(UnknownLoc::get(context))
                   << "mirage-transform-graphs has no rule '" << name
                   << "'; it has ";
      llvm::interleaveComma(llvm::make_first_range(rules), error);
      return error;
    }
  rules.remove_if([&](const auto &rule) {
    return (!enabled.empty() && !llvm::is_contained(enabled, rule.first)) ||
           llvm::is_contained(disabled, rule.first);
  });
  return success();
}

/// Returns the microseconds of a function by the cost model, without what
/// depends on weights alone; nothing if no kernels can be made of some of it.
std::optional<double> TransformGraphs::estimate(func::FuncOp function) {
  Alternative trial(function);
  PassManager manager(&getContext(), ModuleOp::getOperationName());
  manager.addPass(createSplitLoad());
  std::string reason;
  Location loc = function.getLoc();
  if (failed(manager.run(*trial.module)) ||
      failed(importMuGraph(trial.function, reason, loc)))
    return std::nullopt;
  return CostAnalysis(trial.function).estimateFused(*target).microseconds;
}

void TransformGraphs::transform(func::FuncOp function) {
  std::optional<double> least = estimate(function);
  for (const auto &[name, patterns] : rules) {
    bool neverLoses = always || llvm::is_contained(kWeightRules, name);
    Alternative trial(function);
    if ((!least && !neverLoses) ||
        !applyTransformRule(patterns, trial.function))
      continue;
    std::optional<double> time = estimate(trial.function);
    bool isTaken = neverLoses || (time && *time < *least * (1 - minGain));
    if (time && least) {
      std::string text =
          llvm::formatv("{0}: {1:f2} us by the model in place of {2:f2}, {3}",
                        name, *time, *least, isTaken ? "taken" : "not taken");
      auto remark = isTaken ? remark::passed(function.getLoc(), remarkOptions)
                            : remark::missed(function.getLoc(), remarkOptions);
      remark << text;
    }
    if (!isTaken)
      continue;
    function.getBody().takeBody(trial.function.getBody());
    least = time;
  }
}

void TransformGraphs::runOnOperation() {
  FailureOr<TargetDescription> found = findTarget(getOperation(), "");
  if (failed(found))
    return signalPassFailure();
  target = *found;
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    auto isOperator = [](Operation &op) { return isKernelOperator(&op); };
    if (function.getBody().hasOneBlock() &&
        llvm::all_of(function.getBody().front().without_terminator(),
                     isOperator))
      transform(function);
  }
}
