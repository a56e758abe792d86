//===- ElementGraph.cpp - Graphs evaluated element by element -------------===//
//
// Implements the system of Element.h whose operands are other nodes' elements.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ElementGraph.h"
#include "Mirage/Semantics/Composite.h"
#include "Mirage/Semantics/Element.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "NumberSystem.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::detail;
using llvm::ArrayRef;

/// Returns true if four significant bits hold the number, as they do small
/// integers and simple fractions. With more bits, many roundings to f16 would
/// be taken for exact.
static bool isShort(double value) {
  int exponent;
  double fraction = std::frexp(value, &exponent);
  return fraction * 16 == std::floor(fraction * 16);
}

struct ElementGraph::System : NumberSystem<Bounded> {
  ElementGraph &graph;
  const Entry &entry;

  System(ElementGraph &graph, const Entry &entry)
      : NumberSystem<Bounded>(graph.options), graph(graph), entry(entry) {}

  Bounded constant(double value) {
    if (!entry.roundedConstants || std::isinf(value) || isShort(value))
      return Arithmetic<Bounded>::constant(value);
    return Bounded(value,
                   getUnitRoundoff(*entry.roundedConstants) * std::fabs(value));
  }
  Bounded read(unsigned operand, ArrayRef<int64_t> at) {
    return graph.evaluate(entry.operands[operand],
                          linearize(entry.operandShapes[operand], at));
  }
  Bounded element(ArrayRef<int64_t> at) {
    return constant((
        *entry.attributes.values)[linearize(entry.attributes.resultShape, at)]);
  }
};

ElementGraph::Node ElementGraph::addVariable(ShapeRef shape) {
  Entry entry;
  entry.shape = Shape(shape);
  nodes.push_back(std::move(entry));
  return nodes.size() - 1;
}

namespace {
/// The builder of Composite.h that adds nodes.
struct NodeBuilder {
  ElementGraph &graph;
  std::optional<ElementType> roundedConstants;
  ElementGraph::Node apply(OpKind kind, const OpAttributes &attributes,
                           ArrayRef<ElementGraph::Node> operands) {
    return graph.apply(kind, attributes, operands, 0, roundedConstants);
  }
};
} // namespace

ElementGraph::Node
ElementGraph::apply(OpKind kind, const OpAttributes &attributes,
                    ArrayRef<Node> operands, unsigned result,
                    std::optional<ElementType> roundedConstants) {
  if (isComposite(kind))
    return buildComposite<Node>(kind, attributes, Shape(getShape(operands[0])),
                                operands, NodeBuilder{*this, roundedConstants});
  Entry entry;
  entry.kind = kind;
  entry.attributes = attributes;
  entry.operands.assign(operands.begin(), operands.end());
  for (Node operand : operands)
    entry.operandShapes.push_back(nodes[operand].shape);
  entry.result = result;
  entry.roundedConstants = roundedConstants;
  llvm::SmallVector<Shape, 1> shapes;
  std::string error;
  if (llvm::failed(
          inferShapes(kind, attributes, entry.operandShapes, shapes, error)))
    llvm::report_fatal_error(llvm::Twine("illegal operator built: ") + error);
  entry.shape = shapes[result];
  nodes.push_back(std::move(entry));
  return nodes.size() - 1;
}

void ElementGraph::setSource(Node variable, Source source) {
  nodes[variable].source = std::move(source);
  for (Entry &entry : nodes)
    entry.computed.clear();
}

Bounded ElementGraph::evaluate(Node node, int64_t index) {
  Entry &entry = nodes[node];
  if (!entry.kind)
    return Bounded(entry.source(index));
  auto known = entry.computed.find(index);
  if (known != entry.computed.end())
    return known->second;
  System system(*this, entry);
  Bounded value = evaluateElement<System>(
      *entry.kind, entry.attributes, entry.operandShapes, entry.result,
      delinearize(entry.shape, index), system);
  entry.computed.try_emplace(index, value);
  return value;
}
