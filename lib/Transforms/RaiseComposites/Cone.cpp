//===- Cone.cpp - What a value is computed from ---------------------------===//
//
// Implements the walk over cones and their translation to graphs without IR.
//
//===----------------------------------------------------------------------===//

#include "Cone.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/IR/Operation.h"

using namespace mlir;
using namespace mirage;

/// No composite operator is written with more operators than this by a
/// framework; it bounds the walk, which starts at every operator.
static constexpr unsigned kMaxOperators = 48;
/// A cone has an input, a weight and a bias, and one more leaf while the walk
/// passes through.
static constexpr unsigned kMaxLeaves = 4;

std::optional<double> mirage::getSplatValue(Value value) {
  auto op = value.getDefiningOp<ComputeOpInterface>();
  if (!op || op.getOpKind() != OpKind::Constant)
    return std::nullopt;
  auto elements = op->getAttrOfType<DenseFPElementsAttr>("value");
  if (!elements || !elements.isSplat())
    return std::nullopt;
  return elements.getSplatValue<FloatAttr>().getValueAsDouble();
}

static bool isTransparent(OpKind kind) {
  // The exponential of a log_softmax is a softmax.
  if (kind == OpKind::LogSoftmax)
    return true;
  switch (kind) {
#define MIRAGE_ELEMENTWISE_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_REDUCTION_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
  case OpKind::Reshape:
  case OpKind::Broadcast:
  case OpKind::Transpose:
    return true;
  case OpKind::Repeat:
  case OpKind::Slice:
  case OpKind::Split:
  case OpKind::Concat:
  case OpKind::Pad:
#define MIRAGE_CONSTANT_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_CONTRACTION_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return false;
  }
  llvm_unreachable("not an operator");
}

/// Returns the operator that defines a leaf, if a cone may take it in.
static Operation *getInner(Value leaf, Block *block) {
  auto op = leaf.getDefiningOp<ComputeOpInterface>();
  if (!op || op->getBlock() != block || getLevel(op) != Level::Kernel ||
      !isTransparent(op.getOpKind()))
    return nullptr;
  return op;
}

static void takeIn(Operation *op, Cone &cone) {
  cone.operators.insert(op);
  for (Value operand : op->getOperands()) {
    if (getSplatValue(operand))
      cone.operators.insert(operand.getDefiningOp());
    else
      cone.leaves.insert(operand);
  }
}

void mirage::forEachCone(Operation *root,
                         llvm::function_ref<void(const Cone &)> visit) {
  Cone cone;
  cone.root = root;
  takeIn(root, cone);
  while (true) {
    if (cone.leaves.size() <= kMaxLeaves)
      visit(cone);
    Operation *latest = nullptr;
    for (Value leaf : cone.leaves)
      if (Operation *op = getInner(leaf, root->getBlock()))
        if (!latest || latest->isBeforeInBlock(op))
          latest = op;
    if (!latest || cone.operators.size() >= kMaxOperators)
      return;
    cone.leaves.remove(latest->getResult(0));
    takeIn(latest, cone);
  }
}

/// Constants of the arithmetic that exact numbers were written in.
static EvaluateOptions useDoubles() {
  EvaluateOptions options;
  options.doubleArithmetic = true;
  return options;
}

ConeGraph::ConeGraph(const Cone &cone) : graph(useDoubles()) {
  for (Value leaf : cone.leaves) {
    auto type = cast<RankedTensorType>(leaf.getType());
    leaves.push_back(graph.addVariable(type.getShape()));
    nodes[leaf] = leaves.back();
  }
  SmallVector<Operation *> inOrder(cone.operators.getArrayRef());
  llvm::sort(inOrder,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  for (Operation *op : inOrder) {
    SmallVector<ElementGraph::Node> operands;
    for (Value operand : op->getOperands())
      operands.push_back(nodes.lookup(operand));
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    nodes[op->getResult(0)] = graph.apply(
        cast<ComputeOpInterface>(op).getOpKind(), readOpAttributes(op),
        operands, 0, convertElementType(type.getElementType()));
  }
  result = nodes.lookup(cone.getResult());
}
