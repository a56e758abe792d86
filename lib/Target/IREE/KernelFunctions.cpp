//===- KernelFunctions.cpp - The functions that Mirage lowers -------------===//
//
// Finds functions of kernel operations alone, outlines launches from others,
// and takes weights out of what is lowered.
//
//===----------------------------------------------------------------------===//

#include "KernelFunctions.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"

using namespace mlir;
using namespace mirage;
using namespace mirage::iree;

/// Returns true for the types that buffers of kernels may have.
static bool isBufferType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() &&
         convertElementType(tensor.getElementType());
}

static bool isKernelOperation(Operation &op) {
  return isa_and_nonnull<kernel::KernelDialect>(op.getDialect()) ||
         isCustomOperator(&op);
}

bool iree::isKernelFunction(func::FuncOp function) {
  if (function.isExternal() || !function.getBody().hasOneBlock() ||
      function.getNumResults() == 0)
    return false;
  Block &body = function.getBody().front();
  return !body.without_terminator().empty() &&
         llvm::all_of(body.without_terminator(), isKernelOperation) &&
         isa<func::ReturnOp>(body.getTerminator()) &&
         llvm::all_of(function.getArgumentTypes(), isBufferType) &&
         llvm::all_of(function.getResultTypes(), isBufferType);
}

void iree::outlineLaunches(ModuleOp module, UniqueNames &names) {
  SmallVector<kernel::LaunchOp> launches;
  module.walk([&](kernel::LaunchOp launch) {
    auto function = dyn_cast<func::FuncOp>(launch->getParentOp());
    if (!function || !isKernelFunction(function))
      launches.push_back(launch);
  });
  for (kernel::LaunchOp launch : launches) {
    Location loc = launch.getLoc();
    auto around = launch->getParentOfType<FunctionOpInterface>();
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto function = func::FuncOp::create(
        builder, loc,
        names.get((around ? around.getName().str() : "mirage") + "_launch"),
        builder.getFunctionType(launch->getOperandTypes(),
                                launch->getResultTypes()));
    function.setPrivate();
    OpBuilder call(launch);
    launch->replaceAllUsesWith(
        func::CallOp::create(call, loc, function, launch->getOperands()));
    Block *body = function.addEntryBlock();
    launch->moveBefore(body, body->end());
    builder.setInsertionPointToEnd(body);
    launch->setOperands(function.getArguments());
    func::ReturnOp::create(builder, loc, launch->getResults());
  }
}

SmallVector<TypedAttr> iree::hoistConstants(func::FuncOp function) {
  SmallVector<TypedAttr> values;
  for (auto constant : llvm::make_early_inc_range(
           function.getBody().front().getOps<kernel::ConstantOp>())) {
    auto value = cast<TypedAttr>(constant->getAttr("value"));
    auto elements = dyn_cast<DenseElementsAttr>(value);
    if (elements && elements.isSplat())
      continue;
    unsigned position = function.getNumArguments();
    (void)function.insertArgument(position, value.getType(), {},
                                  constant.getLoc());
    constant->getResult(0).replaceAllUsesWith(function.getArgument(position));
    constant->erase();
    values.push_back(value);
  }
  return values;
}
