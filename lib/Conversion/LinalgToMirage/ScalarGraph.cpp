//===- ScalarGraph.cpp - Bodies of structured operations ------------------===//
//
// Constructs the graph so that different spellings of one thing become one.
//
//===----------------------------------------------------------------------===//

#include "ScalarGraph.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Semantics/Evaluate.h"
#include <cmath>

using namespace mlir;
using namespace mirage;

bool mirage::isExactlyWider(FloatType wide, FloatType narrow) {
  const llvm::fltSemantics &w = wide.getFloatSemantics(),
                           &n = narrow.getFloatSemantics();
  return APFloat::semanticsPrecision(w) >= APFloat::semanticsPrecision(n) &&
         APFloat::semanticsMaxExponent(w) >= APFloat::semanticsMaxExponent(n) &&
         APFloat::semanticsMinExponent(w) <= APFloat::semanticsMinExponent(n);
}

unsigned ScalarGraph::add(ScalarNode node) {
  for (auto [i, other] : llvm::enumerate(nodes))
    if (other.form == node.form && other.type == node.type &&
        other.operand == node.operand &&
        llvm::bit_cast<uint64_t>(other.value) ==
            llvm::bit_cast<uint64_t>(node.value) &&
        other.elements == node.elements && other.dims == node.dims &&
        other.kind == node.kind && other.args == node.args &&
        other.attrs == node.attrs)
      return i;
  nodes.push_back(std::move(node));
  return nodes.size() - 1;
}

unsigned ScalarGraph::addOperand(unsigned operand, FloatType type,
                                 const llvm::SmallBitVector &dims,
                                 bool isCondition) {
  ScalarNode node;
  node.form = ScalarNode::Form::Operand;
  node.type = type;
  node.dims = dims;
  node.operand = operand;
  node.isCondition = isCondition;
  return add(std::move(node));
}

unsigned ScalarGraph::addSplat(FloatType type, double value) {
  ScalarNode node;
  node.form = ScalarNode::Form::Splat;
  node.type = type;
  node.dims.resize(numDims);
  node.value = value;
  return add(std::move(node));
}

unsigned ScalarGraph::addTable(DenseElementsAttr elements,
                               const llvm::SmallBitVector &dims,
                               bool isCondition) {
  ScalarNode node;
  node.form = ScalarNode::Form::Table;
  node.type = llvm::cast<FloatType>(elements.getElementType());
  node.dims = dims;
  node.elements = elements;
  node.isCondition = isCondition;
  return add(std::move(node));
}

unsigned ScalarGraph::apply(OpKind kind, ArrayRef<unsigned> args,
                            const OpAttributes &attrs) {
  if (std::optional<unsigned> node = foldSplats(kind, args, attrs))
    return *node;
  if (std::optional<unsigned> node = simplify(kind, args, attrs))
    return *node;
  ScalarNode node;
  // The first argument of select is a condition of the others' type.
  node.type = nodes[args.front()].type;
  node.dims.resize(numDims);
  for (unsigned arg : args)
    node.dims |= nodes[arg].dims;
  node.kind = kind;
  node.attrs = attrs;
  node.args.assign(args.begin(), args.end());
  return add(std::move(node));
}

unsigned ScalarGraph::applyScalar(OpKind kind, unsigned arg, double scalar) {
  OpAttributes attrs;
  attrs.scalar = scalar;
  return apply(kind, arg, attrs);
}

unsigned ScalarGraph::compare(CompareKind kind, unsigned lhs, unsigned rhs) {
  OpAttributes attrs;
  attrs.compareKind = kind;
  return apply(OpKind::Compare, {lhs, rhs}, attrs);
}

unsigned ScalarGraph::negate(unsigned condition) {
  return compare(CompareKind::EQ, condition,
                 addSplat(nodes[condition].type, 0.0));
}

std::optional<unsigned> ScalarGraph::matchNegation(unsigned node) const {
  while (isApply(node, OpKind::Cast))
    node = nodes[node].args[0];
  if (isApply(node, OpKind::Compare) &&
      nodes[node].attrs.compareKind == CompareKind::EQ &&
      isCondition(nodes[node].args[0]) && isSplat(nodes[node].args[1], 0.0))
    return nodes[node].args[0];
  return std::nullopt;
}

bool ScalarGraph::isCondition(unsigned node) const {
  while (isApply(node, OpKind::Cast))
    node = nodes[node].args[0];
  const ScalarNode &n = nodes[node];
  if (n.form != ScalarNode::Form::Apply)
    return n.isCondition;
  if (n.kind == OpKind::Max || n.kind == OpKind::Min)
    return isCondition(n.args[0]) && isCondition(n.args[1]);
  return n.kind == OpKind::Compare;
}

unsigned ScalarGraph::select(unsigned condition, unsigned ifTrue,
                             unsigned ifFalse) {
  if (isSplat(condition))
    return nodes[condition].value != 0 ? ifTrue : ifFalse;
  if (ifTrue == ifFalse)
    return ifTrue;
  if (std::optional<unsigned> positive = matchNegation(condition))
    return select(*positive, ifFalse, ifTrue);
  // A choice by a comparison is the greater or the lesser of two numbers,
  // neither of which is NaN.
  unsigned test = condition;
  while (isApply(test, OpKind::Cast))
    test = nodes[test].args[0];
  if (isApply(test, OpKind::Compare)) {
    CompareKind kind = nodes[test].attrs.compareKind;
    ArrayRef<unsigned> args = nodes[test].args;
    bool less = kind == CompareKind::LT || kind == CompareKind::LE;
    bool greater = kind == CompareKind::GT || kind == CompareKind::GE;
    bool same = args[0] == ifTrue && args[1] == ifFalse;
    bool exchanged = args[0] == ifFalse && args[1] == ifTrue;
    if ((less || greater) && (same || exchanged))
      return apply(greater == same ? OpKind::Max : OpKind::Min,
                   {ifTrue, ifFalse});
  }
  condition = cast(condition, nodes[ifTrue].type);
  return apply(OpKind::Select, {condition, ifTrue, ifFalse});
}

unsigned ScalarGraph::cast(unsigned arg, FloatType type) {
  const ScalarNode &from = nodes[arg];
  if (from.type == type)
    return arg;
  if (from.form == ScalarNode::Form::Splat)
    return addSplat(type, roundTo(*convertElementType(type), from.value));
  // A cast back from a wider type is undone, since nothing was lost.
  if (isApply(arg, OpKind::Cast) && nodes[from.args[0]].type == type &&
      isExactlyWider(from.type, type))
    return from.args[0];
  ScalarNode node;
  node.type = type;
  node.dims = from.dims;
  node.kind = OpKind::Cast;
  node.args = {arg};
  return add(std::move(node));
}

std::optional<unsigned> ScalarGraph::foldSplats(OpKind kind,
                                                ArrayRef<unsigned> args,
                                                const OpAttributes &attrs) {
  if (!llvm::all_of(args, [&](unsigned arg) { return isSplat(arg); }))
    return std::nullopt;
  SmallVector<Tensor<double>, 3> values;
  for (unsigned arg : args)
    values.emplace_back(Shape{1}).data[0] = nodes[arg].value;
  SmallVector<const Tensor<double> *, 3> pointers;
  for (const Tensor<double> &value : values)
    pointers.push_back(&value);
  FloatType type = nodes[args.front()].type;
  double result = evaluate<double>(kind, attrs, pointers).front().data[0];
  return addSplat(type, roundTo(*convertElementType(type), result));
}

/// Returns 1 / value, if that is exact and a normal number of `type`.
static std::optional<double> getExactReciprocal(FloatType type, double value) {
  int exponent;
  if (!std::isfinite(value) || std::fabs(std::frexp(value, &exponent)) != 0.5)
    return std::nullopt;
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  // value = 2^(exponent - 1), its reciprocal 2^(1 - exponent).
  if (1 - exponent < APFloat::semanticsMinExponent(semantics) ||
      1 - exponent > APFloat::semanticsMaxExponent(semantics))
    return std::nullopt;
  return 1.0 / value;
}

std::optional<unsigned> ScalarGraph::simplify(OpKind kind,
                                              ArrayRef<unsigned> args,
                                              const OpAttributes &attrs) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  unsigned a = args.front(), b = args.size() > 1 ? args[1] : a;
  // A constant is the second operand where operands may be exchanged.
  if ((kind == OpKind::Add || kind == OpKind::Mul || kind == OpKind::Max ||
       kind == OpKind::Min) &&
      isSplat(a) && !isSplat(b))
    std::swap(a, b);
  auto is = [&](double value) { return isSplat(b, value); };
  switch (kind) {
  case OpKind::Add:
    if (is(0.0))
      return a;
    break;
  case OpKind::Sub:
    if (is(0.0))
      return a;
    if (isSplat(a, 0.0))
      return applyScalar(OpKind::Scale, b, -1.0);
    return std::nullopt;
  case OpKind::Mul:
    if (isSplat(b))
      return applyScalar(OpKind::Scale, a, nodes[b].value);
    if (a == b)
      return apply(OpKind::Square, a);
    break;
  case OpKind::Div:
    if (isSplat(b))
      if (auto factor = getExactReciprocal(nodes[b].type, nodes[b].value))
        return applyScalar(OpKind::Scale, a, *factor);
    return std::nullopt;
  case OpKind::Max:
    if (a == b || is(-infinity))
      return a;
    if (is(0.0))
      return apply(OpKind::Relu, a);
    break;
  case OpKind::Min:
    if (a == b || is(infinity))
      return a;
    break;
  case OpKind::Scale:
    if (attrs.scalar == 1.0)
      return a;
    return std::nullopt;
  case OpKind::Compare:
    // A comparison of widened numbers has the answer of the numbers themselves
    // where widening changes neither of them.
    if (isApply(a, OpKind::Cast) && isSplat(b)) {
      unsigned narrow = nodes[a].args[0];
      FloatType type = nodes[narrow].type;
      if (isExactlyWider(nodes[a].type, type) &&
          roundTo(*convertElementType(type), nodes[b].value) == nodes[b].value)
        return compare(attrs.compareKind, narrow,
                       addSplat(type, nodes[b].value));
    }
    return std::nullopt;
  case OpKind::Pow:
    if (attrs.scalar == 1.0)
      return a;
    if (attrs.scalar == 2.0)
      return apply(OpKind::Square, a);
    if (attrs.scalar == 0.5)
      return apply(OpKind::Sqrt, a);
    if (attrs.scalar == -0.5)
      return apply(OpKind::Rsqrt, a);
    return std::nullopt;
  default:
    return std::nullopt;
  }
  if (a != args.front())
    return apply(kind, {a, b}, attrs);
  return std::nullopt;
}

bool ScalarGraph::dependsOn(unsigned node, unsigned operand) const {
  llvm::SmallBitVector reached(node + 1);
  reached.set(node);
  // Arguments come before the nodes that use them.
  for (unsigned i = node + 1; i-- > 0;) {
    if (!reached.test(i))
      continue;
    if (nodes[i].form == ScalarNode::Form::Operand &&
        nodes[i].operand == operand)
      return true;
    for (unsigned arg : nodes[i].args)
      reached.set(arg);
  }
  return false;
}
