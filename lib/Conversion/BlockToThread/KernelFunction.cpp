//===- KernelFunction.cpp - What functions can be lowered -----------------===//
//
// Finds what keeps a function from being lowered.
//
//===----------------------------------------------------------------------===//

#include "KernelFunction.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"

using namespace mlir;
using namespace mirage;

bool mirage::isKernelOp(Operation *op) {
  return isa_and_nonnull<kernel::KernelDialect>(op->getDialect());
}

/// Adds a note at the first kernel operation of a function, for which it would
/// be lowered.
static LogicalResult addNote(InFlightDiagnostic error, func::FuncOp function) {
  Operation *kernelOp = nullptr;
  function.walk([&](Operation *op) {
    if (!isKernelOp(op))
      return WalkResult::advance();
    kernelOp = op;
    return WalkResult::interrupt();
  });
  if (kernelOp)
    error.attachNote(kernelOp->getLoc())
        << "this operation of mirage_kernel is in the function";
  return error;
}

static LogicalResult checkTensor(Type type, Location location, StringRef what) {
  if (isa<RankedTensorType>(type))
    return success();
  return emitError(location)
         << "'func.func' op has " << what << " of type " << type
         << "; a kernel graph takes and returns ranked tensors";
}

LogicalResult mirage::checkKernelFunction(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return addNote(function.front().getTerminator()->emitOpError(
                       "leads to another block; a kernel graph has one"),
                   function);
  for (Operation &op : function.getBody().front()) {
    if (isCustomOperator(&op))
      return op.emitOpError("is a custom operator; run "
                            "mirage-expand-custom-operators first");
    if (!isKernelOp(&op) && !isa<func::ReturnOp>(op))
      return addNote(
          op.emitOpError("cannot be lowered: a function of mirage_kernel "
                         "operations holds nothing else; "
                         "mirage-outline-kernels makes functions of them and "
                         "calls these"),
          function);
  }
  for (BlockArgument argument : function.getArguments())
    if (failed(
            checkTensor(argument.getType(), argument.getLoc(), "an argument")))
      return failure();
  Location end = function.front().getTerminator()->getLoc();
  for (Type type : function.getResultTypes())
    if (failed(checkTensor(type, end, "a result")))
      return failure();
  return success();
}

bool KernelGraphs::isKernelGraph(func::FuncOp function) {
  auto [found, isNew] = known.try_emplace(function, false);
  if (!isNew)
    return found->second;
  auto isPart = [&](Operation &op) {
    return isKernelOp(&op) || isCustomOperator(&op) || getCallee(&op);
  };
  auto isTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  };
  bool isGraph =
      !function.isExternal() && function.getBody().hasOneBlock() &&
      isa<func::ReturnOp>(function.getBody().front().getTerminator()) &&
      llvm::all_of(function.getArgumentTypes(), isTensor) &&
      llvm::all_of(function.getResultTypes(), isTensor) &&
      llvm::all_of(function.getBody().front().without_terminator(), isPart);
  return known[function] = isGraph;
}

func::FuncOp KernelGraphs::getCallee(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call || call.getNoInline())
    return func::FuncOp();
  auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
  return callee && isKernelGraph(callee) ? callee : func::FuncOp();
}
