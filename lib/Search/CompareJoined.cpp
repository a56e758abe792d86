//===- CompareJoined.cpp - Candidates beside joined axes ------------------===//
//
// Gives a graph the arguments and results of the program with joined axes.
// Reshapes that its arguments have already take their elements from these.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/CompareJoined.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::equivalence;
using namespace mirage::search;

static bool isReshape(const MuNode &node) {
  return node.kind == MuNode::Kind::Operator && node.op == OpKind::Reshape;
}

/// Returns a value under another shape. `sources` has what reshapes of the
/// graph are made of.
static MuValue reshape(MuGraph &graph, MuValue value, ShapeRef shape,
                       llvm::DenseMap<MuValue, MuValue> &sources) {
  if (auto source = sources.find(value); source != sources.end())
    value = source->second;
  if (ShapeRef(graph.getShape(value)) == shape)
    return value;
  OpAttributes attributes;
  attributes.resultShape.assign(shape.begin(), shape.end());
  MuValue result = graph.addOperator(0, OpKind::Reshape, attributes, {value},
                                     graph.getValue(value).type);
  sources[result] = value;
  return result;
}

JoinedComparer::JoinedComparer(const MuGraph &program)
    : program(program), joined(joinAxes(getWholeView(program))) {}

MuGraph JoinedComparer::joinEdges(const MuGraph &graph) const {
  const MuGraph &shapes = joined->program;
  MuGraph whole;
  llvm::DenseMap<MuValue, MuValue> values, sources;
  for (auto [argument, shape] : llvm::zip_equal(graph.getRegion().arguments,
                                                shapes.getRegion().arguments)) {
    MuValue value = whole.addArgument(0, Shape(shapes.getShape(shape)),
                                      graph.getValue(argument).type);
    values[argument] = reshape(whole, value, graph.getShape(argument), sources);
  }
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    llvm::SmallVector<MuValue, 4> operands;
    for (MuValue operand : node.operands)
      operands.push_back(values.lookup(operand));
    if (isReshape(node)) {
      values[node.results[0]] =
          reshape(whole, operands[0], graph.getShape(node.results[0]), sources);
      continue;
    }
    for (auto [result, made] : llvm::zip_equal(
             node.results, cloneNode(whole, 0, graph, number, operands)))
      values[result] = made;
  }
  llvm::SmallVector<MuValue> results;
  for (auto [result, shape] :
       llvm::zip_equal(graph.getRegion().results, shapes.getRegion().results))
    results.push_back(
        reshape(whole, values.lookup(result), shapes.getShape(shape), sources));
  whole.setResults(0, results);
  return eraseDeadNodes(whole);
}

ComparisonAnswer JoinedComparer::compare(GraphComparer &comparer,
                                         const MuGraph &candidate) {
  if (joined && !isProved) {
    ComparisonAnswer answer =
        comparer.compare(program, applyView(program, *joined, joined->program));
    isProved = answer.equivalence == Equivalence::Proved && answer.isAccepted();
    if (!isProved)
      joined.reset();
  }
  return joined ? comparer.compare(joined->program, joinEdges(candidate))
                : comparer.compare(program, candidate);
}
