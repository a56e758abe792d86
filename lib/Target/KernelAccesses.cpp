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

/// Returns true if assembly uses an operand only as the address of loads.
static bool onlyLoadsFrom(LLVM::InlineAsmOp assembly, OpOperand &address) {
  unsigned numResults = assembly->getNumResults();
  if (numResults == 1)
    if (auto all =
            dyn_cast<LLVM::LLVMStructType>(assembly->getResult(0).getType()))
      numResults = all.getBody().size();
  std::string name =
      ("$" + Twine(numResults + address.getOperandNumber())).str();
  SmallVector<StringRef> instructions;
  assembly.getAsmString().split(instructions, ';');
  for (StringRef instruction : instructions) {
    for (size_t at = instruction.find(name); at != StringRef::npos;
         at = instruction.find(name, at + 1)) {
      StringRef rest = instruction.drop_front(at + name.size());
      if (!rest.empty() && llvm::isDigit(rest.front()))
        continue;
      if (!instruction.contains(" ld.") ||
          !instruction.take_front(at).ends_with("["))
        return false;
    }
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
  if (followBranch(use, pointers) || isa<LLVM::ICmpOp, NVVM::PrefetchOp>(op))
    return;
  // A number of 32 bits says how an address is aligned, and is none.
  if (auto number = dyn_cast<LLVM::PtrToIntOp>(op);
      number && number.getType().isInteger(32))
    return;
  auto assembly = dyn_cast<LLVM::InlineAsmOp>(op);
  if (isa<LLVM::LoadOp>(op) || (assembly && onlyLoadsFrom(assembly, use))) {
    access.reads = true;
  } else if (auto store = dyn_cast<LLVM::StoreOp>(op);
             store && store.getValue() != use.get()) {
    access.writes = true;
  } else if (auto copy = dyn_cast<NVVM::CpAsyncOp>(op);
             copy && copy.getDst() != use.get()) {
    access.reads = true;
  } else if (auto copy =
                 dyn_cast<NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp>(op);
             copy && copy.getTmaDescriptor() == use.get()) {
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
