//===- GraphExpressions.cpp - Abstract expressions of µGraphs -------------===//
//
// Follows a graph's nodes in order. Composite operators have the expressions of
// their definitions.
//
//===----------------------------------------------------------------------===//

#include "GraphExpressions.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
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

/// The abstract expressions of a graph's values.
class ExpressionAnalysis final : public ForwardAnalysis<AbstractValue> {
public:
  /// `names` are those of the first inputs.
  ExpressionAnalysis(const MuGraph &graph, AbstractEvaluator &evaluator,
                     ArrayRef<llvm::StringRef> names)
      : ForwardAnalysis(graph), evaluator(evaluator) {
    for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments))
      set(argument,
          evaluator.variable(i < names.size() ? names[i].str()
                                              : "in" + std::to_string(i)));
    run();
  }

private:
  AbstractValue visitOperator(const MuNode &node) override {
    llvm::SmallVector<AbstractValue, 3> operands;
    llvm::SmallVector<Shape, 3> shapes;
    for (MuValue operand : node.operands) {
      operands.push_back(get(operand));
      shapes.push_back(Shape(graph.getShape(operand)));
    }
    return apply(evaluator, node.op, node.attributes, operands, shapes);
  }
  AbstractValue visitAccumulate(const MuNode &node) override {
    return evaluator.accumulate(node.accumulate, get(node.operands[0]),
                                SymbolicExtent::get(getLoopExtent()));
  }
  AbstractValue visitStore(const MuNode &node) override {
    return store(evaluator, get(node.operands[0]), node.omap,
                 llvm::map_to_vector(getPoints(), [](int64_t extent) {
                   return SymbolicExtent::get(extent);
                 }));
  }

  AbstractEvaluator &evaluator;
};

} // namespace

std::vector<AbstractValue>
mirage::search::computeExpressions(const MuGraph &graph,
                                   AbstractEvaluator &evaluator,
                                   ArrayRef<llvm::StringRef> names) {
  return ExpressionAnalysis(graph, evaluator, names).take();
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
