//===- TestOutlineKernels.cpp - A function for each kernel ----------------===//
//
// Adds, for each operation of a function that convert-mirage-block-to-thread
// would make a kernel of, a function with that operation alone, which is called
// as the kernel is. So a launcher of kernels can be tried with other code
// behind the kernels' names. Slices and concatenations that need no kernel are
// not told from others: functions with those have no counterpart for each
// kernel.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "TestPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace mirage;

namespace {
struct TestOutlineKernels
    : public PassWrapper<TestOutlineKernels, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestOutlineKernels)

  StringRef getArgument() const override { return "test-outline-kernels"; }
  StringRef getDescription() const override {
    return "Make a function of each operation that becomes a kernel";
  }

  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal())
        continue;
      unsigned number = 0;
      for (Operation &op : function.getBody().front())
        if (isa_and_nonnull<kernel::KernelDialect>(op.getDialect()) &&
            !isWeight(op))
          outline(op, function, number++);
      function.erase();
    }
  }

  /// The translation for IREE leaves such constants to its caller.
  static bool isWeight(Operation &op) {
    auto value = op.getAttrOfType<DenseElementsAttr>("value");
    return isa<kernel::ConstantOp>(op) && !(value && value.isSplat());
  }

  void outline(Operation &op, func::FuncOp function, unsigned number) {
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    std::string name = (function.getName() + "_" + Twine(number) + "_" +
                        op.getName().stripDialect())
                           .str();
    auto alone = func::FuncOp::create(
        builder, op.getLoc(), name,
        builder.getFunctionType(op.getOperandTypes(), op.getResultTypes()));
    builder.setInsertionPointToEnd(alone.addEntryBlock());
    Operation *copy = builder.clone(op);
    copy->setOperands(alone.getArguments());
    func::ReturnOp::create(builder, op.getLoc(), copy->getResults());
  }
};
} // namespace

void mirage::registerOutlineKernelsPass() {
  PassRegistration<TestOutlineKernels>();
}
