//===- Norms.cpp - Norms with other weights -------------------------------===//
//
// Creates norms without a bias.
//
//===----------------------------------------------------------------------===//

#include "Norms.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"

using namespace mlir;

Value mirage::createWithoutBias(OpBuilder &builder, Location loc, Value norm,
                                Value weight) {
  auto op = norm.getDefiningOp<ComputeOpInterface>();
  OpAttributes attrs = op.getOpAttributes();
  attrs.hasWeight = static_cast<bool>(weight);
  attrs.hasBias = false;
  unsigned numNeeded = getOpInfo(op.getOpKind()).minOperands;
  SmallVector<Value> operands(op->getOperands().take_front(numNeeded));
  if (weight)
    operands.push_back(weight);
  return createComputeOp(builder, loc, Level::Kernel, op.getOpKind(), attrs,
                         operands)
      ->getResult(0);
}
