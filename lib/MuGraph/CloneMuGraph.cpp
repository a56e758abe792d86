//===- CloneMuGraph.cpp - Copies of µGraphs -------------------------------===//
//
// One copier, which leaves out what is not alive; and what is alive.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/ValueOrigins.h"

using namespace mirage;
using llvm::ArrayRef;

namespace {
/// The values and nodes that results need.
struct Liveness {
  std::vector<bool> values, nodes;

  /// Everything.
  explicit Liveness(const MuGraph &graph)
      : values(graph.getNumValues(), true), nodes(graph.getNumNodes(), true) {}

  static Liveness ofResults(const MuGraph &graph);
};

class Copier {
public:
  Copier(const MuGraph &from, const Liveness &live, MuGraph &to)
      : from(from), live(live), to(to), values(from.getNumValues()) {}

  void define(MuValue value, MuValue copy) { values[value] = copy; }
  llvm::SmallVector<MuValue> map(ArrayRef<MuValue> list) const {
    llvm::SmallVector<MuValue> mapped;
    for (MuValue value : list)
      mapped.push_back(values[value]);
    return mapped;
  }
  void copyNodes(unsigned source, unsigned target) {
    for (unsigned number : from.getRegion(source).nodes)
      if (live.nodes[number])
        copyNode(from.getNode(number), target);
  }
  void copyNode(const MuNode &node, unsigned target);

private:
  MuValue addValue(MuValue value) {
    const MuGraph::Value &old = from.getValue(value);
    return values[value] = to.addValue(old.shape, old.type);
  }
  void copyBody(const MuNode &node, MuNode &copy) {
    const MuRegion &body = from.getRegion(node.body);
    copy.body = to.addRegion();
    llvm::SmallVector<MuValue> arguments, results;
    for (auto [operand, argument] : llvm::zip(node.operands, body.arguments)) {
      if (!live.values[argument])
        continue;
      copy.operands.push_back(values[operand]);
      arguments.push_back(addValue(argument));
    }
    to.setArguments(copy.body, arguments);
    copyNodes(node.body, copy.body);
    for (auto [result, inner] : llvm::zip(node.results, body.results)) {
      if (!live.values[result])
        continue;
      results.push_back(values[inner]);
      copy.results.push_back(addValue(result));
    }
    to.setResults(copy.body, results);
  }

  const MuGraph &from;
  const Liveness &live;
  MuGraph &to;
  /// Copies, by the values that they are of.
  std::vector<MuValue> values;
};
} // namespace

void Copier::copyNode(const MuNode &node, unsigned target) {
  MuNode copy = node;
  copy.operands.clear();
  copy.results.clear();
  if (node.hasBody()) {
    copyBody(node, copy);
  } else {
    copy.operands = map(node.operands);
    for (MuValue result : node.results)
      copy.results.push_back(addValue(result));
  }
  to.addNode(target, std::move(copy));
}

Liveness Liveness::ofResults(const MuGraph &graph) {
  Liveness live(graph);
  live.values.assign(graph.getNumValues(), false);
  live.nodes.assign(graph.getNumNodes(), false);
  ValueOrigins origins(graph);
  std::vector<MuValue> worklist;
  auto need = [&](ArrayRef<MuValue> list) {
    for (MuValue value : list) {
      if (!live.values[value])
        worklist.push_back(value);
      live.values[value] = true;
    }
  };
  need(graph.getRegion().results);
  while (!worklist.empty()) {
    const ValueOrigin &origin = origins[worklist.back()];
    worklist.pop_back();
    // The function's arguments need nothing.
    if (origin.node == ~0u)
      continue;
    const MuNode &node = graph.getNode(origin.node);
    live.nodes[origin.node] = true;
    if (origin.isArgument)
      need(node.operands[origin.position]);
    else if (node.hasBody())
      need(graph.getRegion(node.body).results[origin.position]);
    else
      need(node.operands);
  }
  return live;
}

llvm::SmallVector<MuValue> mirage::cloneInto(MuGraph &to, unsigned region,
                                             const MuGraph &graph,
                                             ArrayRef<MuValue> inputs) {
  Liveness all(graph);
  Copier copier(graph, all, to);
  for (auto [argument, input] :
       llvm::zip_equal(graph.getRegion().arguments, inputs))
    copier.define(argument, input);
  copier.copyNodes(0, region);
  return copier.map(graph.getRegion().results);
}

llvm::SmallVector<MuValue> mirage::cloneNode(MuGraph &to, unsigned region,
                                             const MuGraph &graph,
                                             unsigned number,
                                             ArrayRef<MuValue> operands) {
  Liveness all(graph);
  Copier copier(graph, all, to);
  const MuNode &node = graph.getNode(number);
  for (auto [operand, value] : llvm::zip_equal(node.operands, operands))
    copier.define(operand, value);
  copier.copyNode(node, region);
  return copier.map(node.results);
}

MuGraph mirage::eraseDeadNodes(const MuGraph &graph) {
  MuGraph to;
  Liveness live = Liveness::ofResults(graph);
  Copier copier(graph, live, to);
  for (MuValue argument : graph.getRegion().arguments)
    copier.define(argument, to.addArgument(0, graph.getShape(argument),
                                           graph.getValue(argument).type));
  copier.copyNodes(0, 0);
  to.setResults(0, copier.map(graph.getRegion().results));
  return to;
}
