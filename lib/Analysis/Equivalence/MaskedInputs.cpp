//===- MaskedInputs.cpp - Inputs that hold -inf ---------------------------===//
//
// Masks that are added to scores come as arguments. Which arguments may be such
// is seen from the program: an element that is -inf stays so on its way to a
// maximum or to an exponential, which makes zero of it. Sums and layouts,
// positive factors and choices leave it -inf; what is multiplied by numbers of
// either sign does not stay it, and makes results NaN in any case.
//
//===----------------------------------------------------------------------===//

#include "FloatRuns.h"
#include "Mirage/MuGraph/MuGraph.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::SmallVector;

namespace {
/// Follows -inf through a program of primitive operators.
class Follow {
public:
  Follow(const MuGraph &graph, MuValue from)
      : graph(graph), isMasked(graph.getNumValues()),
        isPositive(graph.getNumValues()) {
    isMasked.set(from);
    visit(0);
  }

  /// Whether it comes to an exponential or a maximum.
  bool isFound() const { return found; }

private:
  void visit(unsigned region);
  void visit(const MuNode &node);
  /// Whether an operator that has -inf for operand number i results in -inf.
  bool keeps(const MuNode &node, unsigned i) const;
  void findConstant(const MuNode &node);

  void pass(MuValue from, MuValue to) {
    if (isMasked.test(from))
      isMasked.set(to);
  }

  const MuGraph &graph;
  /// Values with elements that may be -inf, and positive constants.
  llvm::SmallBitVector isMasked, isPositive;
  bool found = false;
};
} // namespace

void Follow::findConstant(const MuNode &node) {
  bool found =
      node.op == OpKind::Constant
          ? llvm::all_of(*node.attributes.values,
                         [](double x) { return x > 0 && std::isfinite(x); })
          : isLayout(node.op) && node.op != OpKind::Pad &&
                llvm::all_of(node.operands, [&](MuValue operand) {
                  return isPositive.test(operand);
                });
  if (found)
    for (MuValue result : node.results)
      isPositive.set(result);
}

bool Follow::keeps(const MuNode &node, unsigned i) const {
  switch (node.op) {
  case OpKind::Add:
  case OpKind::Min:
  case OpKind::Max:
  case OpKind::Cast:
  case OpKind::Reduce:
    return true;
  case OpKind::Sub:
    return i == 0;
  case OpKind::Scale:
    return node.attributes.scalar > 0;
  case OpKind::Mul:
    return isPositive.test(node.operands[1 - i]);
  case OpKind::Div:
    return i == 0 && isPositive.test(node.operands[1]);
  case OpKind::Select:
    return i > 0;
  default:
    return isLayout(node.op);
  }
}

void Follow::visit(const MuNode &node) {
  switch (node.kind) {
  case MuNode::Kind::Operator:
    findConstant(node);
    for (auto [i, operand] : llvm::enumerate(node.operands)) {
      if (!isMasked.test(operand))
        continue;
      found |= node.op == OpKind::Exp || node.op == OpKind::Max ||
               (node.op == OpKind::Reduce &&
                node.attributes.reduceKind == ReduceKind::Max);
      if (keeps(node, i))
        for (MuValue result : node.results)
          isMasked.set(result);
    }
    break;
  case MuNode::Kind::Graph:
    for (auto [operand, argument] :
         llvm::zip(node.operands, graph.getRegion(node.body).arguments))
      pass(operand, argument);
    [[fallthrough]];
  case MuNode::Kind::Loop:
    visit(node.body);
    for (auto [inner, result] :
         llvm::zip(graph.getRegion(node.body).results, node.results))
      pass(inner, result);
    break;
  case MuNode::Kind::Accumulate:
    found |= isMasked.test(node.operands[0]) &&
             node.accumulate == AccumulateKind::Max;
    found |= node.operands.size() > 1 && isMasked.test(node.operands[1]);
    pass(node.operands[0], node.results[0]);
    break;
  case MuNode::Kind::Store:
    found |= isMasked.test(node.operands[0]) &&
             llvm::is_contained(node.omap, kReduceMax);
    [[fallthrough]];
  case MuNode::Kind::Load:
    pass(node.operands[0], node.results[0]);
    break;
  }
}

void Follow::visit(unsigned region) {
  for (unsigned number : graph.getRegion(region).nodes)
    visit(graph.getNode(number));
}

SmallVector<InputKind>
mirage::equivalence::getMaskedInputs(const MuGraph &program) {
  MuGraph graph = expandToPrimitives(program);
  SmallVector<InputKind> kinds;
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments)) {
    ElementType type = graph.getValue(argument).type;
    if (!std::isinf(roundTo(type, -HUGE_VAL)) ||
        !Follow(graph, argument).isFound())
      continue;
    InputKind kind{"masked", 1, 0, 0};
    kind.masked = i;
    kinds.push_back(kind);
  }
  return kinds;
}

bool mirage::equivalence::isMaskedElement(ShapeRef shape, int64_t element,
                                          uint64_t random) {
  bool isInPart = true;
  for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim])
    isInPart ^= element % shape[dim] >= (shape[dim] + 1) / 2;
  return isInPart || random % 8 == 0;
}
