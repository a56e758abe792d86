//===- CloneMuGraph.cpp - Copies of µGraphs -------------------------------===//
//
// One copier, which leaves out what is not alive; and what is alive.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/ValueOrigins.h"
#include "NodeContents.h"
#include "llvm/ADT/Sequence.h"
#include <map>

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

/// Finds for each value the first one that is equal to it by what computes it.
class EqualValues {
public:
  explicit EqualValues(const MuGraph &graph)
      : graph(graph), firsts(llvm::to_vector_of<MuValue>(
                          llvm::seq<MuValue>(0, graph.getNumValues()))) {
    visit(graph.getRegion());
  }

  MuValue getFirst(MuValue value) const { return firsts[value]; }

private:
  void visit(const MuRegion &region) {
    // Loads, operators and what iterations leave behind, by all that they say
    // and what they read.
    std::map<std::pair<Words, llvm::SmallVector<MuValue, 3>>, unsigned> known;
    for (unsigned number : region.nodes) {
      const MuNode &node = graph.getNode(number);
      if (node.hasBody()) {
        const MuRegion &body = graph.getRegion(node.body);
        visit(body);
        // A loop's results are equal where those of its body are.
        for (size_t i = 0; i < node.results.size(); ++i)
          for (size_t j = 0; j < i; ++j)
            if (node.kind == MuNode::Kind::Loop &&
                firsts[body.results[i]] == firsts[body.results[j]])
              firsts[node.results[i]] = firsts[node.results[j]];
        continue;
      }
      // Each tensor that a launch gives has a store of its own.
      if (node.kind == MuNode::Kind::Store)
        continue;
      llvm::SmallVector<MuValue, 3> operands;
      for (MuValue operand : node.operands)
        operands.push_back(firsts[operand]);
      auto [entry, isNew] =
          known.try_emplace({getContents(graph, node), operands}, number);
      if (isNew)
        continue;
      const MuNode &first = graph.getNode(entry->second);
      for (auto [result, of] : llvm::zip_equal(node.results, first.results))
        firsts[result] = firsts[of];
    }
  }

  const MuGraph &graph;
  llvm::SmallVector<MuValue, 0> firsts;
};

class Copier {
public:
  /// Copies what is alive, and where `equal` is given, equal values once.
  Copier(const MuGraph &from, const Liveness &live, MuGraph &to,
         const EqualValues *equal = nullptr)
      : from(from), live(live), equal(equal), to(to),
        values(from.getNumValues()) {}

  void define(MuValue value, MuValue copy) { values[value] = copy; }
  llvm::SmallVector<MuValue> map(ArrayRef<MuValue> list) const {
    llvm::SmallVector<MuValue> mapped;
    for (MuValue value : list)
      mapped.push_back(find(value));
    return mapped;
  }
  void copyNodes(unsigned source, unsigned target) {
    for (unsigned number : from.getRegion(source).nodes)
      if (live.nodes[number] && !isCopied(from.getNode(number)))
        copyNode(from.getNode(number), target);
  }
  void copyNode(const MuNode &node, unsigned target);

private:
  bool isFirst(MuValue value) const {
    return !equal || equal->getFirst(value) == value;
  }
  MuValue find(MuValue value) const {
    return values[equal ? equal->getFirst(value) : value];
  }
  /// Returns true if each result is equal to one that was copied before.
  bool isCopied(const MuNode &node) const {
    return llvm::none_of(node.results,
                         [&](MuValue result) { return isFirst(result); });
  }
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
      copy.operands.push_back(find(operand));
      arguments.push_back(addValue(argument));
    }
    to.setArguments(copy.body, arguments);
    copyNodes(node.body, copy.body);
    for (auto [result, inner] : llvm::zip(node.results, body.results)) {
      if (!live.values[result] || !isFirst(result))
        continue;
      results.push_back(find(inner));
      copy.results.push_back(addValue(result));
    }
    to.setResults(copy.body, results);
  }

  const MuGraph &from;
  const Liveness &live;
  const EqualValues *equal;
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

/// Copies a graph without what is not alive, and where `equal` is given, with
/// equal values once.
static MuGraph copyLiving(const MuGraph &graph, const Liveness &live,
                          const EqualValues *equal) {
  MuGraph to;
  Copier copier(graph, live, to, equal);
  for (MuValue argument : graph.getRegion().arguments)
    copier.define(argument, to.addArgument(0, graph.getShape(argument),
                                           graph.getValue(argument).type));
  copier.copyNodes(0, 0);
  to.setResults(0, copier.map(graph.getRegion().results));
  return to;
}

MuGraph mirage::mergeEqualNodes(const MuGraph &graph) {
  EqualValues equal(graph);
  return eraseDeadNodes(copyLiving(graph, Liveness(graph), &equal));
}

MuGraph mirage::eraseDeadNodes(const MuGraph &graph) {
  return copyLiving(graph, Liveness::ofResults(graph), /*equal=*/nullptr);
}
