//===- TestKernelTimes.cpp - Prints times by instructions of kernels ------===//
//
// Prints what each function takes by the instructions of its kernels, as
// mirage-optimize compares candidates.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/LoweredPricer.h"
#include "TestPasses.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mirage;

namespace {
struct TestKernelTimes : PassWrapper<TestKernelTimes, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestKernelTimes)

  StringRef getArgument() const override { return "test-kernel-times"; }
  StringRef getDescription() const override {
    return "Print times of functions by the instructions of their kernels";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager manager(ModuleOp::getOperationName());
    buildLaunchesPipeline(manager, /*fuse=*/true);
    buildKernelsPipeline(manager);
    manager.getDependentDialects(registry);
  }

  void runOnOperation() override {
    FailureOr<TargetDescription> target =
        findTarget(getOperation(), /*chip=*/"");
    if (failed(target))
      return signalPassFailure();
    LoweredPricer pricer(&getContext(), *target, buildKernelsPipeline);
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isPrivate())
        continue;
      std::string reason;
      Location place = function.getLoc();
      FailureOr<ImportedGraph> program = importMuGraph(function, reason, place);
      std::optional<double> time;
      if (succeeded(program))
        time = pricer.estimateIssued(program->graph);
      llvm::outs() << '@' << function.getName() << ": "
                   << (time ? llvm::formatv("{0:F4} us", *time).str()
                            : "unknown")
                   << '\n';
    }
  }
};
} // namespace

void mirage::registerKernelTimesPass() { PassRegistration<TestKernelTimes>(); }
