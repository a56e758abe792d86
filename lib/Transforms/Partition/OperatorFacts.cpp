//===- OperatorFacts.cpp - What partitioning asks of operations -----------===//

#include "OperatorFacts.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/Meaning.h"
#include "Mirage/Semantics/LaxFragment.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mirage;

static OperatorFacts getRowFacts(ComputeOpInterface op, bool functionsMayMove) {
  OperatorFacts facts;
  OpKind kind = op.getOpKind();
  LaxClass lax = getLaxClass(kind, op.getOpAttributes());
  if (!functionsMayMove && lax == LaxClass::Uninterpreted)
    facts.obstacle = "is no quotient of multi-linear functions and "
                     "exponentials";
  facts.exponentials = lax == LaxClass::Exponential;
  facts.size = isLayout(kind) || kind == OpKind::Cast ? 0 : 1;
  return facts;
}

static OperatorFacts getMeaningFacts(const Meaning &meaning,
                                     bool functionsMayMove) {
  OperatorFacts facts;
  DenseMap<Value, unsigned> onPath;
  for (Operation &op : meaning.getBody()) {
    OperatorFacts own =
        getRowFacts(cast<ComputeOpInterface>(op), functionsMayMove);
    if (!facts.obstacle)
      facts.obstacle = own.obstacle;
    facts.size += isa<kernel::ConstantOp>(op) ? 0 : own.size;
    unsigned before = 0;
    for (Value operand : op.getOperands())
      before = std::max(before, onPath.lookup(operand));
    for (Value result : op.getResults())
      onPath[result] = before + own.exponentials;
    facts.exponentials =
        std::max(facts.exponentials, before + own.exponentials);
  }
  if (facts.exponentials > 1)
    facts.obstacle = "has two exponentials in a row, which no test over finite "
                     "fields decides";
  return facts;
}

FailureOr<OperatorFacts> mirage::getOperatorFacts(Operation *op,
                                                  bool functionsMayMove) {
  if (isCustomOperator(op)) {
    FailureOr<Meaning> meaning = Meaning::get(cast<MuGraphOpInterface>(op));
    if (failed(meaning))
      return failure();
    return getMeaningFacts(*meaning, functionsMayMove);
  }
  OperatorFacts facts;
  if (isa<kernel::LaunchOp>(op))
    facts.obstacle = "is a graph-defined operator already";
  else if (isKernelOperator(op))
    return getRowFacts(cast<ComputeOpInterface>(op), functionsMayMove);
  else
    facts.obstacle = hasSideEffects(op)
                         ? "may have side effects"
                         : "is no operator of mirage_kernel, nor does it say "
                           "what it computes (MuGraphOpInterface)";
  return facts;
}

bool mirage::hasSideEffects(Operation *op) {
  return !isCustomOperator(op) && !isMemoryEffectFree(op);
}
