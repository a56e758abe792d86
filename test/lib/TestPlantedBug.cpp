//===- TestPlantedBug.cpp - A pass with a bug -----------------------------===//
//
// Fails for programs in which, inside of a loop of a launch, an exponential is
// taken of a difference: a bug for mirage-reduce to find the cause of. Option
// crash ends the process as a real bug may.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "TestPasses.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mirage;

namespace {
struct TestPlantedBug
    : public PassWrapper<TestPlantedBug, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestPlantedBug)

  TestPlantedBug() = default;
  TestPlantedBug(const TestPlantedBug &other) : PassWrapper(other) {}

  Option<bool> crash{*this, "crash", llvm::cl::desc("Crash"),
                     llvm::cl::init(false)};

  StringRef getArgument() const override { return "test-planted-bug"; }
  StringRef getDescription() const override {
    return "Fail for exponentials of differences in loops";
  }

  void runOnOperation() override {
    getOperation().walk([&](block::ExpOp exponential) {
      if (exponential->getParentOfType<block::ForOp>() &&
          exponential->getOperand(0).getDefiningOp<block::SubOp>()) {
        if (crash)
          abort();
        exponential.emitError("planted bug");
        signalPassFailure();
      }
    });
  }
};
} // namespace

void mirage::registerPlantedBugPass() { PassRegistration<TestPlantedBug>(); }
