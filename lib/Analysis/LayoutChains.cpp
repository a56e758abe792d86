//===- LayoutChains.cpp - Operators that a kernel moves elements by -------===//
//
// Finds the operators by one walk from the results to what they are made of,
// and takes some back in a walk forward, where kernels would become too long.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/LayoutChains.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

using namespace mlir;
using namespace mirage;

/// A kernel has code for so many reads of one element, of which it does one.
static constexpr int64_t mostReads = 128;

static std::optional<OpKind> getKind(Operation *op) {
  auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
  return compute ? std::optional(compute.getOpKind()) : std::nullopt;
}

/// Returns true if an operator gives elements of its operands, one for each
/// result, and has one result.
static bool movesElements(Operation *op) {
  std::optional<OpKind> kind = getKind(op);
  return kind && op->getNumResults() == 1 &&
         getOpInfo(*kind).opClass == OpClass::Layout;
}

/// Returns true if an operator reads one element of each operand for an element
/// of its result.
static bool readsEachOnce(Operation *op) {
  std::optional<OpKind> kind = getKind(op);
  return movesElements(op) ||
         (kind && op->getNumResults() == 1 &&
          getOpInfo(*kind).opClass == OpClass::Elementwise);
}

LayoutChains::LayoutChains(func::FuncOp function, const DeviceBuffers &plan) {
  Block &body = function.getBody().front();
  // What only gives a buffer another shape is computed by others as well, but
  // for nothing unless its operand is.
  for (Operation &op : llvm::reverse(body.without_terminator())) {
    if (!movesElements(&op) || op.use_empty() ||
        (plan.isInPlace(&op) && getKind(&op) != OpKind::Reshape))
      continue;
    auto isTaken = [&](Operation *user) {
      return absorbed.contains(user) ||
             (readsEachOnce(user) && !plan.isInPlace(user));
    };
    // Threads that read neighbours in another order should do so once.
    if (llvm::all_of(op.getUsers(), isTaken) &&
        (getKind(&op) != OpKind::Transpose || op.hasOneUse()))
      absorbed.insert(&op);
  }
  // A view is its operand where that has a kernel, or is none of these.
  for (Operation &op : body.without_terminator()) {
    if (plan.isInPlace(&op)) {
      if (absorbed.contains(&op) &&
          !absorbed.contains(op.getOperand(0).getDefiningOp()))
        absorbed.erase(&op);
      continue;
    }
    if (readsEachOnce(&op) && countReads(&op) > mostReads)
      for (Value operand : op.getOperands()) {
        Operation *definition = operand.getDefiningOp();
        absorbed.erase(definition);
        // A view is there when what it is a view of is.
        while (definition && plan.isInPlace(definition)) {
          definition = definition->getOperand(0).getDefiningOp();
          absorbed.erase(definition);
        }
      }
  }
}

int64_t LayoutChains::countReads(Operation *op) const {
  int64_t reads = 0;
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    reads += isAbsorbed(definition) ? countReads(definition) : 1;
    if (reads > mostReads)
      break;
  }
  return reads;
}

bool LayoutChains::isChain(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return isAbsorbed(operand.getDefiningOp());
  });
}

llvm::SetVector<Value> LayoutChains::getSources(Operation *op) const {
  llvm::SetVector<Value> sources;
  for (Value operand : op->getOperands()) {
    Operation *definition = operand.getDefiningOp();
    if (isAbsorbed(definition))
      sources.insert_range(getSources(definition));
    else
      sources.insert(operand);
  }
  return sources;
}

bool LayoutChains::areEqual(Operation *lhs, Operation *rhs) const {
  llvm::SetVector<Value> left = getSources(lhs), right = getSources(rhs);
  // Operators by pairs that are known to be equal.
  DenseMap<Operation *, Operation *> known;
  auto compare = [&](auto &self, Operation *a, Operation *b) -> bool {
    if (Operation *other = known.lookup(a))
      return other == b;
    if (a->getName() != b->getName() ||
        a->getAttrDictionary() != b->getAttrDictionary() ||
        a->getPropertiesAsAttribute() != b->getPropertiesAsAttribute() ||
        a->getResultTypes() != b->getResultTypes() ||
        a->getNumOperands() != b->getNumOperands())
      return false;
    for (auto [x, y] : llvm::zip(a->getOperands(), b->getOperands())) {
      Operation *from = x.getDefiningOp(), *other = y.getDefiningOp();
      if (isAbsorbed(from) != isAbsorbed(other))
        return false;
      if (isAbsorbed(from) ? !self(self, from, other)
                           : llvm::find(left, x) - left.begin() !=
                                     llvm::find(right, y) - right.begin() ||
                                 x.getType() != y.getType())
        return false;
    }
    known[a] = b;
    return true;
  };
  return left.size() == right.size() && compare(compare, lhs, rhs);
}
