//===- KernelAccesses.cpp - What kernels read and write -------------------===//
//
// Follows pointers from a kernel's parameters to loads, copies and stores.
//
//===----------------------------------------------------------------------===//

#include "KernelAccesses.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

/// Adds the block arguments that a branch passes the operand on to. Returns
/// false if the operation does something else with it.
static bool followBranch(OpOperand &use, SetVector<Value> &pointers) {
  auto branch = dyn_cast<BranchOpInterface>(use.getOwner());
  if (!branch)
    return false;
  for (unsigned i = 0, e = use.getOwner()->getNumSuccessors(); i < e; ++i) {
    SuccessorOperands operands = branch.getSuccessorOperands(i);
    for (unsigned at = 0; at < operands.size(); ++at)
      if (operands[at] == use.get())
        pointers.insert(use.getOwner()->getSuccessor(i)->getArgument(at));
  }
  return true;
}

/// Adds to `access` what an operation does by this use of a pointer, and to
/// `pointers` what it derives from it.
static void addUse(OpOperand &use, ParameterAccess &access,
                   SetVector<Value> &pointers) {
  Operation *op = use.getOwner();
  if (isa<LLVM::GEPOp, LLVM::AddrSpaceCastOp, LLVM::BitcastOp, LLVM::SelectOp>(
          op)) {
    pointers.insert(op->getResult(0));
    return;
  }
  if (followBranch(use, pointers) || isa<LLVM::ICmpOp>(op))
    return;
  if (isa<LLVM::LoadOp>(op)) {
    access.reads = true;
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op);
             store && store.getValue() != use.get()) {
    access.writes = true;
  } else if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op);
             copy && copy.getDst() != use.get()) {
    access.reads = true;
  } else {
    access.reads = access.writes = true;
  }
}

SmallVector<ParameterAccess>
mirage::getParameterAccesses(LLVM::LLVMFuncOp kernel) {
  SmallVector<ParameterAccess> accesses;
  for (BlockArgument parameter : kernel.getArguments()) {
    ParameterAccess &access = accesses.emplace_back();
    SetVector<Value> pointers;
    pointers.insert(parameter);
    for (unsigned i = 0; i < pointers.size(); ++i)
      for (OpOperand &use : pointers[i].getUses())
        addUse(use, access, pointers);
  }
  return accesses;
}
