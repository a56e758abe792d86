//===- KeepCalls.cpp - Calls of kernel graphs in other functions ----------===//
//
// Finds functions that are kernel graphs, and lets calls of them stay where
// operations of other dialects are around; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/Passes.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mirage {
#define GEN_PASS_DEF_KEEPCALLS
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
struct KeepCalls : public mirage::impl::KeepCallsBase<KeepCalls> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    for (auto function : module.getOps<func::FuncOp>()) {
      if (isKernelGraph(function, symbols))
        continue;
      function.walk([&](func::CallOp call) {
        auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
        if (callee && isKernelGraph(callee, symbols))
          call.setNoInline(true);
      });
    }
  }

private:
  /// Returns true for a function of kernel operations and calls of kernel
  /// graphs.
  bool isKernelGraph(func::FuncOp function, const SymbolTable &symbols) {
    auto [known, isNew] = kernelGraphs.try_emplace(function, false);
    // A function that calls itself is none.
    if (!isNew)
      return known->second;
    auto isPart = [&](Operation &op) {
      if (isa_and_nonnull<kernel::KernelDialect>(op.getDialect()) ||
          isCustomOperator(&op))
        return true;
      auto call = dyn_cast<func::CallOp>(op);
      auto callee = call ? symbols.lookup<func::FuncOp>(call.getCallee())
                         : func::FuncOp();
      return callee && isKernelGraph(callee, symbols);
    };
    auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
    bool isGraph =
        !function.isExternal() && function.getBody().hasOneBlock() &&
        isa<func::ReturnOp>(function.getBody().front().getTerminator()) &&
        llvm::all_of(function.getArgumentTypes(), isTensor) &&
        llvm::all_of(function.getResultTypes(), isTensor) &&
        llvm::all_of(function.getBody().front().without_terminator(), isPart);
    return kernelGraphs[function] = isGraph;
  }

  DenseMap<func::FuncOp, bool> kernelGraphs;
};
} // namespace
