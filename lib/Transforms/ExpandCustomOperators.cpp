//===- ExpandCustomOperators.cpp - Custom operators to their meanings -----===//
//
// Replaces operations of other dialects by what they say that they compute; see
// Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/Meaning.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_EXPANDCUSTOMOPERATORS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
struct ExpandCustomOperators
    : public mirage::impl::ExpandCustomOperatorsBase<ExpandCustomOperators> {
  void runOnOperation() override {
    if (failed(expandCustomOperators(getOperation())))
      signalPassFailure();
  }
};
} // namespace
