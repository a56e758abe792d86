//===- KeepCalls.cpp - Calls of kernel graphs in other functions ----------===//
//
// Finds functions that are kernel graphs, and lets calls of them stay where
// operations of other dialects are around; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"
#include "Mirage/Conversion/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_KEEPCALLS
#include "Mirage/Conversion/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
struct KeepCalls : public mirage::impl::KeepCallsBase<KeepCalls> {
  void runOnOperation() override {
    KernelGraphs graphs(getOperation());
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (graphs.isKernelGraph(function))
        continue;
      function.walk([&](func::CallOp call) {
        if (graphs.getCallee(call))
          call.setNoInline(true);
      });
    }
  }
};
} // namespace
