//===- GraphExpressions.cpp - Abstract expressions of µGraphs -------------===//
//
// Follows a graph's nodes in order. Composite operators have the expressions of
// their definitions.
//
//===----------------------------------------------------------------------===//

#include "GraphExpressions.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

/// Over how many elements an operator sums: nothing, one extent, or two for
/// concat_matmul.
llvm::SmallVector<SymbolicExtent, 2>
getReductions(OpKind kind, const OpAttributes &attributes,
              ArrayRef<Shape> shapes) {
  switch (kind) {
  case OpKind::Reduce:
    return {SymbolicExtent::get(attributes.group ? attributes.group
                                                 : shapes[0][attributes.dim])};
  case OpKind::Matmul: {
    const Shape &lhs = shapes[0];
    return {SymbolicExtent::get(
        lhs[getContractedDim(attributes, ProductOperand::Lhs, lhs.size())])};
  }
  case OpKind::ConcatMatmul:
    return {SymbolicExtent::get(shapes[0].back()),
            SymbolicExtent::get(shapes[1].back())};
  case OpKind::Conv2d: {
    const Shape &filter = shapes[1];
    bool nchw = attributes.convLayout == ConvLayout::NCHW;
    return {SymbolicExtent::get(elementCount(filter) / filter[nchw ? 0 : 3])};
  }
  default:
    return {};
  }
}

/// The result of an operator on operands of these shapes.
AbstractValue apply(AbstractEvaluator &evaluator, OpKind kind,
                    const OpAttributes &attributes,
                    ArrayRef<AbstractValue> operands, ArrayRef<Shape> shapes);

/// Builder of Composite.h.
struct CompositeBuilder {
  struct Handle {
    AbstractValue value;
    Shape shape;
  };
  AbstractEvaluator &evaluator;

  Handle apply(OpKind kind, const OpAttributes &attributes,
               ArrayRef<Handle> operands) {
    llvm::SmallVector<AbstractValue, 3> values;
    llvm::SmallVector<Shape, 3> shapes;
    for (const Handle &operand : operands) {
      values.push_back(operand.value);
      shapes.push_back(operand.shape);
    }
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    if (llvm::failed(inferShapes(kind, attributes, shapes, results, error)))
      llvm::report_fatal_error(llvm::Twine("illegal operator built: ") + error);
    return {::apply(evaluator, kind, attributes, values, shapes),
            results.front()};
  }
};

AbstractValue apply(AbstractEvaluator &evaluator, OpKind kind,
                    const OpAttributes &attributes,
                    ArrayRef<AbstractValue> operands, ArrayRef<Shape> shapes) {
  if (!isComposite(kind))
    return evaluator.apply(kind, attributes, operands,
                           getReductions(kind, attributes, shapes));
  using Handle = CompositeBuilder::Handle;
  llvm::SmallVector<Handle, 3> handles;
  for (auto [value, shape] : llvm::zip_equal(operands, shapes))
    handles.push_back({value, shape});
  return buildComposite<Handle>(kind, attributes, shapes[0], handles,
                                CompositeBuilder{evaluator})
      .value;
}

/// What an output saver stores: the value, or what the blocks that its omap
/// reduces make of theirs.
AbstractValue store(AbstractEvaluator &evaluator, AbstractValue value,
                    ArrayRef<int64_t> omap, ArrayRef<SymbolicExtent> grid) {
  for (auto [entry, extent] : llvm::zip(omap, grid)) {
    if (entry == kReduceSum)
      value = evaluator.accumulate(AccumulateKind::Sum, value, extent);
    else if (entry == kReduceMax)
      value = evaluator.accumulate(AccumulateKind::Max, value, extent);
  }
  return value;
}

/// Goes through a graph's nodes in order.
class GraphEvaluation {
public:
  GraphEvaluation(const MuGraph &graph, AbstractEvaluator &evaluator)
      : graph(graph), evaluator(evaluator), values(graph.getNumValues()) {}

  /// `grid` and `loop` are the extents of the graph and of the loop around.
  void run(unsigned region, ArrayRef<SymbolicExtent> grid,
           const SymbolicExtent &loop) {
    for (unsigned number : graph.getRegion(region).nodes)
      run(graph.getNode(number), grid, loop);
  }

  const MuGraph &graph;
  AbstractEvaluator &evaluator;
  std::vector<AbstractValue> values;

private:
  void run(const MuNode &node, ArrayRef<SymbolicExtent> grid,
           const SymbolicExtent &loop) {
    switch (node.kind) {
    case MuNode::Kind::Operator: {
      llvm::SmallVector<AbstractValue, 3> operands;
      llvm::SmallVector<Shape, 3> shapes;
      for (MuValue operand : node.operands) {
        operands.push_back(values[operand]);
        shapes.push_back(Shape(graph.getShape(operand)));
      }
      AbstractValue result =
          apply(evaluator, node.op, node.attributes, operands, shapes);
      for (MuValue value : node.results)
        values[value] = result;
      return;
    }
    case MuNode::Kind::Graph: {
      const MuRegion &body = graph.getRegion(node.body);
      for (auto [argument, operand] :
           llvm::zip_equal(body.arguments, node.operands))
        values[argument] = values[operand];
      run(node.body,
          llvm::map_to_vector(
              node.extents,
              [](int64_t extent) { return SymbolicExtent::get(extent); }),
          SymbolicExtent());
      setResults(node, body);
      return;
    }
    case MuNode::Kind::Loop:
      run(node.body, grid, SymbolicExtent::get(node.extents[0]));
      setResults(node, graph.getRegion(node.body));
      return;
    case MuNode::Kind::Load:
      values[node.results[0]] = values[node.operands[0]];
      return;
    case MuNode::Kind::Accumulate:
      values[node.results[0]] =
          evaluator.accumulate(node.accumulate, values[node.operands[0]], loop);
      return;
    case MuNode::Kind::Store:
      values[node.results[0]] =
          store(evaluator, values[node.operands[0]], node.omap, grid);
      return;
    }
  }

  void setResults(const MuNode &node, const MuRegion &body) {
    for (auto [result, inner] : llvm::zip_equal(node.results, body.results))
      values[result] = values[inner];
  }
};

} // namespace

std::vector<AbstractValue>
mirage::search::computeExpressions(const MuGraph &graph,
                                   AbstractEvaluator &evaluator,
                                   ArrayRef<llvm::StringRef> names) {
  GraphEvaluation evaluation(graph, evaluator);
  for (auto [number, argument] : llvm::enumerate(graph.getRegion().arguments)) {
    std::string name = number < names.size() ? names[number].str()
                                             : "in" + std::to_string(number);
    evaluation.values[argument] = evaluator.variable(name);
  }
  evaluation.run(0, {}, SymbolicExtent());
  return std::move(evaluation.values);
}

llvm::SmallVector<const Expression *, 2>
mirage::search::getResultExpressions(const MuGraph &graph,
                                     AbstractEvaluator &evaluator,
                                     ArrayRef<llvm::StringRef> names) {
  std::vector<AbstractValue> values =
      computeExpressions(graph, evaluator, names);
  return llvm::map_to_vector<2>(graph.getRegion().results, [&](MuValue value) {
    return values[value].expression;
  });
}
