//===- NothingToSearch.cpp - Modules without subprograms ------------------===//
//
// Looks through the module for what comes closest to a subprogram: operators
// that nobody marked, results of an earlier search, launches, operators that
// only move elements, and operations that were not converted.
//
//===----------------------------------------------------------------------===//

#include "NothingToSearch.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace mirage;

namespace {
/// The first operation of each kind that the module has.
struct Inventory {
  explicit Inventory(ModuleOp module);

  /// A kernel operator that computes, and one that only moves elements.
  Operation *computing = nullptr, *moving = nullptr;
  Operation *launch = nullptr;
  /// An operation on tensors of another dialect.
  Operation *foreign = nullptr;
  /// A function was searched for before.
  bool wasSearched = false;

private:
  WalkResult visit(Operation *op);
};
} // namespace

static bool isOnTensors(Operation *op) {
  auto isTensor = [](Type type) { return isa<TensorType>(type); };
  return llvm::any_of(op->getOperandTypes(), isTensor) &&
         llvm::any_of(op->getResultTypes(), isTensor);
}

WalkResult Inventory::visit(Operation *op) {
  auto keep = [&](Operation *&first) {
    if (!first)
      first = op;
    return WalkResult::skip();
  };
  if (isa<FunctionOpInterface>(op)) {
    if (!op->hasAttr(MirageDialect::getSuperoptimizedAttrName()))
      return WalkResult::advance();
    wasSearched = true;
    return WalkResult::skip();
  }
  if (isa<kernel::LaunchOp>(op))
    return keep(launch);
  if (isCustomOperator(op))
    return keep(computing);
  if (isa<kernel::ConstantOp>(op))
    return WalkResult::skip();
  if (isKernelOperator(op)) {
    OpKind kind = cast<ComputeOpInterface>(op).getOpKind();
    return keep(isLayout(kind) || kind == OpKind::Cast ? moving : computing);
  }
  if (op->getNumRegions() && op->getName().getDialectNamespace() != "linalg")
    return WalkResult::advance();
  if (isOnTensors(op) && !isa<CallOpInterface>(op))
    return keep(foreign);
  return WalkResult::advance();
}

Inventory::Inventory(ModuleOp module) {
  module->walk<WalkOrder::PreOrder>([&](Operation *op) { return visit(op); });
}

void mirage::warnOfNothingToSearch(ModuleOp module) {
  Inventory found(module);
  auto warn = [](Location loc) {
    return emitWarning(loc) << "there is nothing to search for: ";
  };
  if (Operation *op = found.computing)
    warn(op->getLoc())
        << "'" << op->getName()
        << "' could be, but is in no function that is marked; mirage-partition "
           "makes marked functions of such operators, and option function "
           "names a function that is not marked";
  else if (Operation *op = found.foreign)
    warn(op->getLoc())
        << "only operators of mirage_kernel are searched for, and '"
        << op->getName()
        << "' is none; mirage-optimize converts linalg and TOSA, and "
           "--convert-linalg-to-mirage=remarks says why it leaves an operation";
  else if (found.wasSearched)
    warn(module.getLoc())
        << "what the module has was searched for before, as attributes "
           "mirage.superoptimized say; option function names a function to "
           "search for again";
  else if (Operation *op = found.launch)
    warn(op->getLoc()) << "the module's kernels are launches already";
  else if (Operation *op = found.moving)
    warn(op->getLoc()) << "operators that only move elements, like '"
                       << op->getName()
                       << "', are no program that could be faster";
  else
    warn(module.getLoc())
        << "no function of the module has an operation on tensors; "
           "mirage-optimize takes functions of linalg, TOSA, tensor and "
           "mirage_kernel operations";
}
