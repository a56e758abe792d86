//===- ElementEvaluation.h - Elements of µGraphs by demand ------*- C++ -*-===//
//
// The evaluation finds one element of a µGraph's result, in any system of
// numbers: which block and iteration writes it, and what that depends on. Each
// element that is asked for is computed once. It is for small graphs and for
// numbers that are expressions; whole tensors are computed elsewhere.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_ELEMENTEVALUATION_H
#define MIRAGE_MUGRAPH_ELEMENTEVALUATION_H

#include "Mirage/MuGraph/ValueOrigins.h"
#include "Mirage/Semantics/Element.h"
#include "Mirage/Semantics/IntegerIndices.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace mirage {

/// `Numbers` supplies the values half of a system of Element.h, and
///   Value input(unsigned number, int64_t index)   an element of an input,
///   Value constant(double, ElementType)           a constant of a type.
/// The graph is one of primitives (expandToPrimitives).
template <typename Numbers> class ElementEvaluation {
public:
  using Value = typename Numbers::Value;

  ElementEvaluation(const MuGraph &graph, Numbers &numbers)
      : graph(graph), numbers(numbers), origins(graph) {
    scopes.push_back({0, 0, 0});
  }

  /// Element number `index`, in row-major order, of result number `result`.
  Value getResult(unsigned result, int64_t index) {
    return get(graph.getRegion().results[result], index, 0);
  }

private:
  using Scope = unsigned;
  /// A run of a region: the function's, or that of a graph for one point (by
  /// its number, x fastest), or that of a loop for one iteration.
  struct ScopeInfo {
    Scope parent;
    unsigned region;
    int64_t number;
  };
  struct System;

  Scope enter(Scope parent, unsigned region, int64_t number) {
    auto [entry, isNew] =
        interned.try_emplace({parent, region, number}, scopes.size());
    if (isNew)
      scopes.push_back({parent, region, number});
    return entry->second;
  }

  Value get(MuValue value, int64_t index, Scope scope) {
    while (scopes[scope].region != origins[value].region)
      scope = scopes[scope].parent;
    auto key = std::make_tuple(value, scope, index);
    auto known = computed.find(key);
    if (known != computed.end())
      return known->second;
    Value result = compute(value, index, scope);
    computed.emplace(key, result);
    return result;
  }
  Value get(MuValue value, llvm::ArrayRef<int64_t> at, Scope scope) {
    int64_t linear = 0;
    for (auto [size, i] : llvm::zip(graph.getShape(value), at))
      linear = linear * size + i;
    return get(value, linear, scope);
  }

  Shape delinearize(MuValue value, int64_t linear) const {
    ShapeRef shape = graph.getShape(value);
    Shape at(shape.size());
    for (size_t dim = at.size(); dim-- > 0; linear /= shape[dim])
      at[dim] = linear % shape[dim];
    return at;
  }

  Value compute(MuValue value, int64_t index, Scope scope);
  Value computeLoad(const MuNode &node, Shape at, Scope scope);
  Value computeAccumulated(const MuNode &loop, const MuNode &node, Shape at,
                           Scope scope);
  Value computeStored(const MuNode &launch, const MuNode &store, Shape at,
                      Scope scope);

  const MuGraph &graph;
  Numbers &numbers;
  ValueOrigins origins;
  std::vector<ScopeInfo> scopes;
  std::map<std::tuple<Scope, unsigned, int64_t>, Scope> interned;
  std::map<std::tuple<MuValue, Scope, int64_t>, Value> computed;
};

/// The system of Element.h for one operator in one scope.
template <typename Numbers>
struct ElementEvaluation<Numbers>::System
    : IntegerIndices<typename Numbers::Value> {
  using Value = typename Numbers::Value;
  using IntegerIndices<Value>::add;

  ElementEvaluation &e;
  const MuNode &node;
  ElementType type;
  Scope scope;

  System(ElementEvaluation &e, const MuNode &node, ElementType type,
         Scope scope)
      : e(e), node(node), type(type), scope(scope) {}

  Value constant(double value) { return e.numbers.constant(value, type); }
  Value add(Value a, Value b) { return e.numbers.add(a, b); }
  Value sub(Value a, Value b) { return e.numbers.sub(a, b); }
  Value mul(Value a, Value b) { return e.numbers.mul(a, b); }
  Value div(Value a, Value b) { return e.numbers.div(a, b); }
  Value max(Value a, Value b) { return e.numbers.max(a, b); }
  Value min(Value a, Value b) { return e.numbers.min(a, b); }
  Value compare(CompareKind kind, Value a, Value b) {
    return e.numbers.compare(kind, a, b);
  }
  Value choose(Value c, Value a, Value b) { return e.numbers.choose(c, a, b); }
  Value exp(Value a) { return e.numbers.exp(a); }
  Value function(OpKind kind, double parameter, Value a) {
    return e.numbers.function(kind, parameter, a);
  }
  Value log(Value a) { return function(OpKind::Log, 0, a); }
  Value sqrt(Value a) { return function(OpKind::Sqrt, 0, a); }
  Value erf(Value a) { return function(OpKind::Erf, 0, a); }
  Value tanh(Value a) { return function(OpKind::Tanh, 0, a); }
  Value sigmoid(Value a) { return function(OpKind::Sigmoid, 0, a); }
  Value pow(Value a, double exponent) {
    return function(OpKind::Pow, exponent, a);
  }
  Value exp2(Value) { llvm_unreachable("exp2 has been expanded"); }
  Value rsqrt(Value) { llvm_unreachable("rsqrt has been expanded"); }
  Value roundToTF32(Value a) { return a; }

  Value read(unsigned operand, llvm::ArrayRef<int64_t> at) {
    return e.get(node.operands[operand], at, scope);
  }
  Value element(llvm::ArrayRef<int64_t> at) {
    int64_t linear = 0;
    for (auto [size, i] : llvm::zip(node.attributes.resultShape, at))
      linear = linear * size + i;
    return constant((*node.attributes.values)[linear]);
  }
};

template <typename Numbers>
auto ElementEvaluation<Numbers>::compute(MuValue value, int64_t index,
                                         Scope scope) -> Value {
  const ValueOrigin &origin = origins[value];
  if (origin.isArgument) {
    if (origin.region == 0)
      return numbers.input(origin.position, index);
    return get(graph.getNode(origin.node).operands[origin.position], index,
               scopes[scope].parent);
  }
  const MuNode &node = graph.getNode(origin.node);
  Shape at = delinearize(value, index);
  switch (node.kind) {
  case MuNode::Kind::Operator: {
    llvm::SmallVector<Shape, 4> shapes;
    for (MuValue operand : node.operands)
      shapes.push_back(Shape(graph.getShape(operand)));
    System system(*this, node, graph.getValue(value).type, scope);
    return evaluateElement<System>(node.op, node.attributes, shapes,
                                   origin.position, at, system);
  }
  case MuNode::Kind::Load:
    return computeLoad(node, at, scope);
  case MuNode::Kind::Loop: {
    MuValue inner = graph.getRegion(node.body).results[origin.position];
    return computeAccumulated(node, graph.getNode(origins[inner].node), at,
                              scope);
  }
  case MuNode::Kind::Graph: {
    MuValue inner = graph.getRegion(node.body).results[origin.position];
    return computeStored(node, graph.getNode(origins[inner].node), at, scope);
  }
  case MuNode::Kind::Accumulate:
  case MuNode::Kind::Store:
    break;
  }
  llvm_unreachable("nothing reads what is not finished");
}

template <typename Numbers>
auto ElementEvaluation<Numbers>::computeLoad(const MuNode &node, Shape at,
                                             Scope scope) -> Value {
  llvm::SmallVector<int64_t, 2> loops;
  Scope s = scope;
  auto getOwner = [&](Scope of) -> const MuNode & {
    return graph.getNode(origins.getOwner(scopes[of].region));
  };
  for (; getOwner(s).kind == MuNode::Kind::Loop; s = scopes[s].parent)
    loops.insert(loops.begin(), scopes[s].number);
  llvm::SmallVector<int64_t, 3> point;
  int64_t rest = scopes[s].number;
  for (int64_t extent : getOwner(s).extents) {
    point.push_back(rest % extent);
    rest /= extent;
  }
  System system(*this, node, ElementType::f32, scope);
  for (auto [i, dim] : llvm::zip(at, node.partition))
    i += getTileOffset<int64_t>(dim, point, loops, system);
  return get(node.operands[0], at, scope);
}

template <typename Numbers>
auto ElementEvaluation<Numbers>::computeAccumulated(const MuNode &loop,
                                                    const MuNode &node,
                                                    Shape at, Scope scope)
    -> Value {
  int64_t extent = loop.extents[0];
  auto getTerm = [&](unsigned operand, Shape index, int64_t i) {
    MuValue value = node.operands[operand];
    for (auto [x, size] : llvm::zip(index, graph.getShape(value)))
      if (size == 1)
        x = 0;
    return get(value, index, enter(scope, loop.body, i));
  };
  if (node.accumulate == AccumulateKind::Concat) {
    int64_t part = graph.getShape(node.operands[0])[node.dim];
    int64_t iteration = at[node.dim] / part;
    at[node.dim] %= part;
    return getTerm(0, at, iteration);
  }
  Value total = getTerm(0, at, 0);
  if (node.accumulate != AccumulateKind::RescaledSum) {
    bool isMax = node.accumulate == AccumulateKind::Max;
    for (int64_t i = 1; i < extent; ++i)
      total = isMax ? numbers.max(total, getTerm(0, at, i))
                    : numbers.add(total, getTerm(0, at, i));
    return total;
  }
  Value largest = getTerm(1, at, 0);
  for (int64_t i = 1; i < extent; ++i)
    largest = numbers.max(largest, getTerm(1, at, i));
  auto getRescaled = [&](int64_t i) {
    return numbers.mul(getTerm(0, at, i),
                       numbers.exp(numbers.sub(getTerm(1, at, i), largest)));
  };
  total = getRescaled(0);
  for (int64_t i = 1; i < extent; ++i)
    total = numbers.add(total, getRescaled(i));
  return total;
}

template <typename Numbers>
auto ElementEvaluation<Numbers>::computeStored(const MuNode &launch,
                                               const MuNode &store, Shape at,
                                               Scope scope) -> Value {
  ShapeRef tile = graph.getShape(store.operands[0]);
  llvm::SmallVector<int64_t, 3> point(launch.extents.size(), 0), combined;
  for (auto [dim, entry] : llvm::enumerate(store.omap)) {
    if (entry >= 0) {
      point[dim] = at[entry] / tile[entry];
      at[entry] %= tile[entry];
    }
    combined.push_back(
        entry == kReduceSum || entry == kReduceMax ? launch.extents[dim] : 1);
  }
  bool isMax = llvm::is_contained(store.omap, kReduceMax);
  std::optional<Value> total;
  for (int64_t number = 0; number < elementCount(combined); ++number) {
    int64_t rest = number;
    for (auto [dim, extent] : llvm::enumerate(combined)) {
      if (extent > 1)
        point[dim] = rest % extent;
      rest /= extent;
    }
    int64_t linear = 0;
    for (size_t dim = point.size(); dim-- > 0;)
      linear = linear * launch.extents[dim] + point[dim];
    Value value = get(store.operands[0], at, enter(scope, launch.body, linear));
    total = !total  ? value
            : isMax ? numbers.max(*total, value)
                    : numbers.add(*total, value);
  }
  return *total;
}

} // namespace mirage

#endif // MIRAGE_MUGRAPH_ELEMENTEVALUATION_H
