//===- TestIssueTime.cpp - Prints instructions of kernels -----------------===//
//
// Prints what countInstructions says of each launch.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/IssueTime.h"
#include "TestPasses.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;

namespace {
struct TestIssueTime : PassWrapper<TestIssueTime, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestIssueTime)

  StringRef getArgument() const override { return "test-issue-time"; }
  StringRef getDescription() const override {
    return "Print the instructions of launches of kernels";
  }

  void runOnOperation() override {
    std::optional<std::vector<IssuedLaunch>> launches =
        countInstructions(getOperation());
    if (!launches) {
      getOperation().emitError("the instructions cannot be counted");
      return signalPassFailure();
    }
    TargetDescription target = *getTargetPreset("sm_90a");
    for (const IssuedLaunch &launch : *launches)
      llvm::outs() << llvm::formatv(
          "{0}: {1} blocks of {2} threads; longest {3}, code {4}, all {5}, "
          "cluster "
          "accesses {6}; {7:F2} us\n",
          launch.kernel, launch.blocks, launch.threads, launch.work.longest,
          launch.work.code, launch.work.all, launch.work.clusterAccesses,
          launch.getTime(target));
  }
};
} // namespace

void mirage::registerIssueTimePass() { PassRegistration<TestIssueTime>(); }
