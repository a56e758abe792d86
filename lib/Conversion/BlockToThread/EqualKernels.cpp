//===- EqualKernels.cpp - Operations with one kernel ----------------------===//
//
// Compares operations structurally, by upstream's OperationEquivalence, and the
// places of their operands and results.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/EqualKernels.h"
#include "IndexMasks.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;
using namespace mirage;

/// Returns true if two operations are equal but for what their operands are and
/// for locations. Neither may use values from above in its regions.
static bool areEqual(Operation *lhs, Operation *rhs) {
  if (lhs->getOperandTypes() != rhs->getOperandTypes())
    return false;
  DenseMap<Value, Value> equal;
  auto check = [&](Value left, Value right) {
    // An operand is an argument of the kernel, whichever value it is.
    return success(llvm::is_contained(lhs->getOperands(), left) ||
                   equal.lookup(left) == right);
  };
  return OperationEquivalence::isEquivalentTo(
      lhs, rhs, check, [&](Value left, Value right) { equal[left] = right; },
      OperationEquivalence::IgnoreLocations);
}

/// Returns true if two launches that compute masks of indices compute the same.
static bool haveEqualMasks(Operation *lhs, Operation *rhs) {
  auto launch = dyn_cast<kernel::LaunchOp>(lhs);
  if (!launch || !computesMasks(launch))
    return true;
  auto getElements = [](Value value) {
    kernel::ConstantOp constant = getConstant(value);
    return constant ? constant->getAttr("value") : Attribute();
  };
  return llvm::equal(llvm::map_range(lhs->getOperands(), getElements),
                     llvm::map_range(rhs->getOperands(), getElements));
}

/// Returns true if two tensors lie alike in their buffers.
static bool lieAlike(const DeviceBuffers::Place &a,
                     const DeviceBuffers::Place &b) {
  return a.part.whole == b.part.whole && a.part.offsets == b.part.offsets &&
         a.order == b.order && a.windows == b.windows &&
         a.partDim == b.partDim &&
         llvm::equal(a.parts, b.parts,
                     [](const DeviceBuffers::Place &left,
                        const DeviceBuffers::Place &right) {
                       return lieAlike(left, right);
                     });
}

/// Returns true if the operands and results of two operations lie alike in
/// their buffers.
static bool lieAlike(Operation *lhs, Operation *rhs,
                     const DeviceBuffers &plan) {
  auto isAlike = [&](Value left, Value right) {
    const DeviceBuffers::Place &a = plan.getPlace(left);
    const DeviceBuffers::Place &b = plan.getPlace(right);
    return lieAlike(a, b);
  };
  for (auto [left, right] : llvm::zip(lhs->getOperands(), rhs->getOperands()))
    if (!isAlike(left, right))
      return false;
  // Results, and further parts, that share a buffer are one parameter of the
  // kernel.
  DenseMap<unsigned, unsigned> partners;
  DenseSet<unsigned> taken;
  auto arePartners = [&](unsigned buffer, unsigned partner) {
    auto [found, isNew] = partners.try_emplace(buffer, partner);
    return found->second == partner && (!isNew || taken.insert(partner).second);
  };
  auto haveSharedParts = [&](Value left, Value right) {
    const DeviceBuffers::Place &a = plan.getPlace(left);
    const DeviceBuffers::Place &b = plan.getPlace(right);
    for (size_t part = 1; part < a.parts.size(); ++part)
      if (!arePartners(a.parts[part].buffer, b.parts[part].buffer))
        return false;
    return true;
  };
  for (auto [left, right] : llvm::zip(lhs->getResults(), rhs->getResults()))
    if (!isAlike(left, right) ||
        !arePartners(plan.getPlace(left).buffer, plan.getPlace(right).buffer))
      return false;
  for (auto [left, right] : llvm::zip(lhs->getOperands(), rhs->getOperands()))
    if (!haveSharedParts(left, right))
      return false;
  for (auto [left, right] : llvm::zip(lhs->getResults(), rhs->getResults()))
    if (!haveSharedParts(left, right))
      return false;
  return true;
}

DenseMap<Operation *, Operation *>
mirage::findEqualKernels(func::FuncOp function, const DeviceBuffers &plan) {
  DenseMap<Operation *, Operation *> representatives;
  DenseMap<llvm::hash_code, SmallVector<Operation *, 1>> byHash;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (plan.isInPlace(&op))
      continue;
    llvm::hash_code hash = OperationEquivalence::computeHash(
        &op, OperationEquivalence::ignoreHashValue,
        OperationEquivalence::ignoreHashValue,
        OperationEquivalence::IgnoreLocations);
    SmallVector<Operation *, 1> &others = byHash[hash];
    auto equal = llvm::find_if(others, [&](Operation *other) {
      return areEqual(other, &op) && lieAlike(other, &op, plan) &&
             haveEqualMasks(other, &op);
    });
    representatives[&op] = equal == others.end() ? &op : *equal;
    if (equal == others.end())
      others.push_back(&op);
  }
  return representatives;
}
