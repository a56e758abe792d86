//===- SoftmaxClusters.cpp - What must not be cut -------------------------===//
//
// Searches from every exponential forwards to the quotients that normalize it,
// and backwards to the maximum that shifts it.
//
//===----------------------------------------------------------------------===//

#include "SoftmaxClusters.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "mlir/Analysis/SliceAnalysis.h"

using namespace mlir;
using namespace mirage;

/// Returns true if the value comes from a maximum along a dimension, possibly
/// through layout operators.
static bool isMaximum(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto reduce = dyn_cast<kernel::ReduceOp>(op))
      return reduce.getKind() == ReduceKind::Max;
    if (!isa<kernel::ReshapeOp, kernel::BroadcastOp, kernel::CastOp>(op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

/// Adds the operators that compute the shift of an exponential.
static void addShift(Operation *exponential, SetVector<Operation *> &cluster) {
  auto shifted = exponential->getOperand(0).getDefiningOp<kernel::SubOp>();
  if (!shifted || !isMaximum(shifted.getRhs()))
    return;
  cluster.insert(shifted);
  for (Operation *op = shifted.getRhs().getDefiningOp();;
       op = op->getOperand(0).getDefiningOp()) {
    cluster.insert(op);
    if (isa<kernel::ReduceOp>(op))
      return;
  }
}

SmallVector<SetVector<Operation *>> mirage::findSoftmaxClusters(Block &block) {
  SmallVector<SetVector<Operation *>> clusters;
  ForwardSliceOptions options;
  options.filter = isKernelOperator;
  for (Operation &op : block) {
    if (!isa<kernel::ExpOp, kernel::Exp2Op>(op))
      continue;
    SetVector<Operation *> dependents;
    getForwardSlice(&op, &dependents, options);
    dependents.insert(&op);
    auto depends = [&](Value value) {
      Operation *definition = value.getDefiningOp();
      return definition && dependents.contains(definition);
    };
    SetVector<Operation *> cluster;
    for (Operation *dependent : dependents) {
      if (!isa<kernel::DivOp>(dependent) ||
          !llvm::all_of(dependent->getOperands(), depends))
        continue;
      // The cluster has the operators that lie between the exponential and this
      // quotient.
      SmallVector<Operation *> pending = {dependent};
      while (!pending.empty()) {
        Operation *next = pending.pop_back_val();
        if (!cluster.insert(next))
          continue;
        for (Value operand : next->getOperands())
          if (depends(operand))
            pending.push_back(operand.getDefiningOp());
      }
    }
    if (cluster.empty())
      continue;
    addShift(&op, cluster);
    clusters.push_back(std::move(cluster));
  }
  return clusters;
}
