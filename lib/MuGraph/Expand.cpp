//===- Expand.cpp - µGraphs of primitive operators ------------------------===//
//
// Replaces operators by their definitions: composites by the graph that
// Composite.h builds, functions of one element by running Element.h's
// evaluateScalar over a system whose numbers are values of the new graph.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/Element.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using llvm::ArrayRef;

namespace {

/// Copies a graph, operator by operator.
class Expander {
public:
  Expander(const MuGraph &from, const ExpandOptions &options)
      : from(from), options(options) {}

  MuGraph run() {
    copyRegion(0, 0);
    return std::move(to);
  }

  /// Builder of Composite.h.
  MuValue apply(OpKind kind, const OpAttributes &attributes,
                ArrayRef<MuValue> operands) {
    return expand(kind, attributes, operands).front();
  }

private:
  struct System;

  void copyRegion(unsigned source, unsigned target) {
    const MuRegion &region = from.getRegion(source);
    for (MuValue argument : region.arguments)
      values[argument] = to.addArgument(target, from.getShape(argument),
                                        from.getValue(argument).type);
    for (unsigned number : region.nodes)
      copyNode(from.getNode(number), target);
    to.setResults(target, map(region.results));
  }

  llvm::SmallVector<MuValue> map(ArrayRef<MuValue> list) {
    return llvm::map_to_vector(list, [&](MuValue v) { return values[v]; });
  }

  void copyNode(const MuNode &node, unsigned target) {
    region = target;
    location = node.location;
    llvm::SmallVector<MuValue> operands = map(node.operands);
    if (node.kind == MuNode::Kind::Operator) {
      type = from.getValue(node.results.front()).type;
      auto results = expand(node.op, node.attributes, operands);
      for (auto [result, value] : llvm::zip_equal(node.results, results))
        values[result] = value;
      return;
    }
    MuNode copy = node;
    copy.operands.assign(operands.begin(), operands.end());
    if (node.kind == MuNode::Kind::Graph || node.kind == MuNode::Kind::Loop) {
      copy.body = to.addRegion();
      copyRegion(node.body, copy.body);
    }
    for (MuValue &result : copy.results) {
      const MuGraph::Value &value = from.getValue(result);
      result = values[result] = to.addValue(value.shape, value.type);
    }
    to.addNode(target, std::move(copy));
  }

  MuValue add(OpKind kind, const OpAttributes &attributes,
              ArrayRef<MuValue> operands) {
    return to.addOperator(region, kind, attributes, operands, type, location);
  }

  /// The type that an attribute's number was rounded to, if it was: the
  /// narrowest of f16, f32 and f64 that holds it, since casts may stand between
  /// the operator and the program that rounded it.
  ElementType getConstantType(double value) const {
    for (ElementType candidate : {ElementType::f16, ElementType::f32})
      if (roundTo(candidate, value) == value)
        return candidate;
    return ElementType::f64;
  }

  /// A constant that broadcasts to `rank` dimensions.
  MuValue addConstant(double value, size_t rank) {
    OpAttributes attributes;
    attributes.resultShape.assign(rank, 1);
    attributes.values = std::make_shared<const std::vector<double>>(1, value);
    return to.addOperator(region, OpKind::Constant, attributes, {},
                          getConstantType(value), location);
  }

  /// The shape of the operator's first result.
  Shape inferShape(OpKind kind, const OpAttributes &attributes,
                   ArrayRef<MuValue> operands) const {
    auto shapes = llvm::map_to_vector<4>(
        operands, [&](MuValue v) { return Shape(to.getShape(v)); });
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    if (llvm::failed(inferShapes(kind, attributes, shapes, results, error)))
      llvm_unreachable("shapes are checked when a graph is built");
    return results.front();
  }

  /// The value in `shape`: one that does not depend on the operands, such as
  /// x^0, is a single number first.
  MuValue broadcast(MuValue value, const Shape &shape) {
    if (to.getShape(value) == ShapeRef(shape))
      return value;
    OpAttributes attributes;
    attributes.resultShape = shape;
    return add(OpKind::Broadcast, attributes, {value});
  }

  llvm::SmallVector<MuValue> expand(OpKind kind, const OpAttributes &attributes,
                                    ArrayRef<MuValue> operands);

  const MuGraph &from;
  ExpandOptions options;
  MuGraph to;
  llvm::DenseMap<MuValue, MuValue> values;
  // The place where operators are added, the node that they are added for, and
  // the type of their results.
  unsigned region = 0;
  unsigned location = 0;
  ElementType type = ElementType::f32;
};

/// The system of Element.h whose numbers are tensors, element by element.
struct Expander::System {
  using Value = MuValue;
  Expander &e;
  size_t rank;

  MuValue op(OpKind kind, std::initializer_list<MuValue> operands,
             const OpAttributes &attributes = {}) {
    return e.add(kind, attributes, operands);
  }
  MuValue constant(double value) { return e.addConstant(value, rank); }
  MuValue add(MuValue a, MuValue b) { return op(OpKind::Add, {a, b}); }
  MuValue sub(MuValue a, MuValue b) { return op(OpKind::Sub, {a, b}); }
  MuValue mul(MuValue a, MuValue b) { return op(OpKind::Mul, {a, b}); }
  MuValue div(MuValue a, MuValue b) { return op(OpKind::Div, {a, b}); }
  MuValue max(MuValue a, MuValue b) { return op(OpKind::Max, {a, b}); }
  MuValue min(MuValue a, MuValue b) { return op(OpKind::Min, {a, b}); }
  MuValue compare(CompareKind kind, MuValue a, MuValue b) {
    OpAttributes attributes;
    attributes.compareKind = kind;
    return op(OpKind::Compare, {a, b}, attributes);
  }
  MuValue choose(MuValue condition, MuValue a, MuValue b) {
    return op(OpKind::Select, {condition, a, b});
  }
  MuValue exp(MuValue a) { return op(OpKind::Exp, {a}); }
  MuValue exp2(MuValue a) { return exp(mul(a, constant(M_LN2))); }
  MuValue log(MuValue a) { return op(OpKind::Log, {a}); }
  MuValue sqrt(MuValue a) { return op(OpKind::Sqrt, {a}); }
  MuValue rsqrt(MuValue a) { return div(constant(1.0), sqrt(a)); }
  MuValue erf(MuValue a) { return op(OpKind::Erf, {a}); }
  MuValue tanh(MuValue a) {
    if (!e.options.tanh)
      return op(OpKind::Tanh, {a});
    MuValue square = exp(add(a, a)), one = constant(1.0);
    return div(sub(square, one), add(square, one));
  }
  MuValue sigmoid(MuValue a) {
    if (!e.options.sigmoid)
      return op(OpKind::Sigmoid, {a});
    MuValue one = constant(1.0);
    return div(one, add(one, exp(mul(constant(-1.0), a))));
  }
  MuValue pow(MuValue a, double exponent) {
    OpAttributes attributes;
    attributes.scalar = exponent;
    return op(OpKind::Pow, {a}, attributes);
  }
};

llvm::SmallVector<MuValue> Expander::expand(OpKind kind,
                                            const OpAttributes &attributes,
                                            ArrayRef<MuValue> operands) {
  if (isComposite(kind))
    return {buildComposite<MuValue>(
        kind, attributes, Shape(to.getShape(operands[0])), operands, *this)};
  switch (kind) {
  case OpKind::Cast:
    return {operands[0]};
  case OpKind::Reduce:
    if (attributes.reduceKind == ReduceKind::Mean) {
      OpAttributes sum = attributes;
      sum.reduceKind = ReduceKind::Sum;
      int64_t extent = attributes.group
                           ? attributes.group
                           : to.getShape(operands[0])[attributes.dim];
      MuValue total = add(kind, sum, operands);
      return {add(OpKind::Div, {},
                  {total, addConstant(static_cast<double>(extent),
                                      to.getShape(total).size())})};
    }
    break;
  case OpKind::Matmul: {
    OpAttributes plain = attributes;
    plain.tf32 = false;
    return {add(kind, plain, operands)};
  }
  case OpKind::ConcatMatmul: {
    OpAttributes plain = attributes;
    plain.tf32 = false;
    MuValue first = add(OpKind::Matmul, plain, {operands[0], operands[2]});
    MuValue second = add(OpKind::Matmul, plain, {operands[1], operands[3]});
    return {add(OpKind::Add, {}, {first, second})};
  }
  default:
    if (isElementwise(kind)) {
      System system{*this, to.getShape(operands[0]).size()};
      return {
          broadcast(evaluateScalar<System>(kind, attributes, operands, system),
                    inferShape(kind, attributes, operands))};
    }
  }
  // Kept as it is, with all its results.
  add(kind, attributes, operands);
  const MuNode &node = to.getNode(to.getNumNodes() - 1);
  return llvm::SmallVector<MuValue>(node.results.begin(), node.results.end());
}

} // namespace

MuGraph mirage::expandToPrimitives(const MuGraph &graph,
                                   const ExpandOptions &options) {
  return Expander(graph, options).run();
}
