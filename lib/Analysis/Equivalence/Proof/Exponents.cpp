//===- Exponents.cpp - What exponentials are taken of ---------------------===//
//
// Goes from an element of a result back to the exponentials that it depends on,
// index by index, and evaluates their arguments. Results whose normal forms are
// beyond all limits have exponents that are small.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Proof/SymbolicEvaluation.h"
#include "Mirage/MuGraph/ExpandedKind.h"
#include "SymbolicSystem.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

void SymbolicEvaluation::collectExponents(unsigned number,
                                          ArrayRef<IndexForm> at,
                                          TensorNumber::Program ofProgram,
                                          std::vector<Polynomial> &to) {
  mode = Mode::Walk;
  exponents = &to;
  program = ofProgram;
  evaluateResult(number, at);
}

Polynomial SymbolicEvaluation::walkOperator(unsigned number, unsigned result,
                                            ArrayRef<IndexForm> at,
                                            const Scope *scope) {
  const MuNode &node = graph.getNode(number);
  if (node.op == OpKind::Exp) {
    mode = Mode::Exponent;
    Polynomial argument = evaluate(node.operands[0], at, scope);
    mode = Mode::Walk;
    if (!algebra.isStopped())
      exponents->push_back(std::move(argument));
    return {};
  }
  llvm::SmallVector<Shape, 3> shapes;
  for (MuValue operand : node.operands)
    shapes.push_back(Shape(graph.getShape(operand)));
  Walk walk{{*this, algebra, node, number, scope}};
  evaluateElement<Walk>(node.op, node.attributes, shapes, result, at, walk);
  return {};
}

bool SymbolicEvaluation::isUnknownFunction(const MuNode &node) {
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Max:
  case ExpandedKind::Min:
  case ExpandedKind::Log:
  case ExpandedKind::Sqrt:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
  case ExpandedKind::Pow:
    return true;
  case ExpandedKind::Reduce: {
    // The greatest of one number is that number, and nothing unknown.
    ShapeRef shape = graph.getShape(node.operands[0]);
    const OpAttributes &attributes = node.attributes;
    return attributes.reduceKind == ReduceKind::Max &&
           (attributes.group ? attributes.group : shape[attributes.dim]) > 1;
  }
  case ExpandedKind::Compare:
  case ExpandedKind::Select:
    // Zero or one for some arguments, and unknown for others.
    algebra.fail("a comparison decides on the argument of an exponential");
    return false;
  case ExpandedKind::Add:
  case ExpandedKind::Sub:
  case ExpandedKind::Mul:
  case ExpandedKind::Div:
  case ExpandedKind::Exp:
  case ExpandedKind::Constant:
  case ExpandedKind::Pad:
  case ExpandedKind::Layout:
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    return false;
  }
  llvm_unreachable("not an operator of an expanded program");
}

Polynomial SymbolicEvaluation::evaluateUnknown(const MuNode &node,
                                               unsigned result,
                                               ArrayRef<IndexForm> at,
                                               const Scope *scope) {
  switch (getExpandedKind(node.op)) {
  case ExpandedKind::Log:
  case ExpandedKind::Sqrt:
  case ExpandedKind::Sigmoid:
  case ExpandedKind::Erf:
  case ExpandedKind::Tanh:
    return algebra.applyUnknown(static_cast<unsigned>(node.op),
                                evaluate(node.operands[0], at, scope));
  case ExpandedKind::Add:
  case ExpandedKind::Sub:
  case ExpandedKind::Mul:
  case ExpandedKind::Div:
  case ExpandedKind::Max:
  case ExpandedKind::Min:
  case ExpandedKind::Compare:
  case ExpandedKind::Select:
  case ExpandedKind::Exp:
  case ExpandedKind::Pow:
  case ExpandedKind::Constant:
  case ExpandedKind::Pad:
  case ExpandedKind::Layout:
  case ExpandedKind::Reduce:
  case ExpandedKind::Matmul:
  case ExpandedKind::Conv2d:
    break;
  }
  MuValue unknown = node.results[result];
  return makeUnknown(unknown, graph.getShape(unknown), at, scope);
}

Polynomial SymbolicEvaluation::makeUnknown(MuValue value, ShapeRef shape,
                                           ArrayRef<IndexForm> at,
                                           const Scope *scope) {
  IndexForm position;
  double count = 1;
  auto append = [&](const IndexForm &index, int64_t extent) {
    count *= static_cast<double>(extent);
    if (count > 0x1p60)
      return algebra.fail("a program computes more than 2^60 elements");
    position = algebra.indices.add(
        algebra.indices.mulConstant(position, extent), index);
  };
  for (const Scope *s = scope; s->parent; s = s->parent)
    for (auto [index, extent] :
         llvm::zip_equal(s->indices, graph.getNode(owners[s->region]).extents))
      append(index, extent);
  for (auto [index, size] : llvm::zip_equal(at, shape))
    append(index, size);
  if (algebra.isStopped())
    return {};
  return algebra.read(TensorNumber::getUnknown(program, value),
                      std::move(position));
}

void SymbolicEvaluation::collectShifts(
    const MuNode &accumulate, ArrayRef<IndexForm> at, const Scope *scope,
    llvm::function_ref<Polynomial()> evaluateShift) {
  // The largest of one shift is that shift, and the exponent zero. Otherwise an
  // exponent more than there is does no harm.
  mode = Mode::Exponent;
  Polynomial shift = evaluateShift();
  mode = Mode::Walk;
  if (algebra.isStopped())
    return;
  Polynomial largest = makeUnknown(
      accumulate.results[0], graph.getShape(accumulate.operands[1]), at, scope);
  exponents->push_back(algebra.sub(shift, largest));
}
