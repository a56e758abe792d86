//===- ForwardAnalysis.h - What follows for a graph's values ----*- C++ -*-===//
//
// A forward analysis gives each value of a graph a state that follows from the
// states of what the value is made of. This class visits every node once, in
// an order in which the nodes can run: it enters the bodies of launches, thread
// graphs and loops, hands states of operands to the bodies' arguments and
// states of the bodies' results back. A derived class says what operators,
// loads, accumulators and stores do to states, and may ask where the node that
// it is asked about stands.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_FORWARDANALYSIS_H
#define MIRAGE_MUGRAPH_FORWARDANALYSIS_H

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/STLExtras.h"

namespace mirage {

template <typename State> class ForwardAnalysis {
  static_assert(!std::is_same_v<State, bool>,
                "elements of std::vector<bool> are no objects");

public:
  virtual ~ForwardAnalysis() = default;

  const State &get(MuValue value) const { return states[value]; }
  /// The states of all values; none are left here.
  std::vector<State> take() { return std::move(states); }

protected:
  explicit ForwardAnalysis(const MuGraph &graph)
      : graph(graph), states(graph.getNumValues()) {}

  /// Visits the whole graph. The states of the function's arguments are those
  /// that were set before.
  void run() { visitRegion(0); }
  void set(MuValue value, State state) { states[value] = std::move(state); }

  /// The state of an operator's results, all alike.
  virtual State visitOperator(const MuNode &node) = 0;
  virtual State visitLoad(const MuNode &node) { return get(node.operands[0]); }
  virtual State visitAccumulate(const MuNode &node) = 0;
  virtual State visitStore(const MuNode &node) = 0;

  /// A launch, thread graph or loop is about to be entered.
  virtual void visitBody(const MuNode &) {}
  /// The state of a body's argument, and that of a result of the body behind
  /// `node`.
  virtual State enterBody(MuValue operand, MuValue /*argument*/) {
    return get(operand);
  }
  virtual State leaveBody(const MuNode & /*node*/, MuValue inner,
                          MuValue /*result*/) {
    return get(inner);
  }

  /// The number of the node that is visited.
  unsigned getNumber() const { return number; }
  /// The number of the innermost launch or thread graph around the node, if
  /// there is one.
  std::optional<unsigned> getGraphNode() const { return around.graphNode; }
  /// The extents of that launch or thread graph.
  llvm::ArrayRef<int64_t> getPoints() const {
    if (!around.graphNode)
      return {};
    return graph.getNode(*around.graphNode).extents;
  }
  /// The numbers of the loops between that and the node, from the outermost.
  llvm::ArrayRef<unsigned> getLoopNodes() const { return around.loopNodes; }
  /// Returns how often the innermost loop around the node runs it.
  int64_t getLoopExtent() const {
    return graph.getNode(around.loopNodes.back()).extents[0];
  }
  /// Returns how often the node runs in all.
  double getRuns() const { return around.runs; }

  const MuGraph &graph;

private:
  struct Surroundings {
    std::optional<unsigned> graphNode;
    llvm::SmallVector<unsigned, 2> loopNodes;
    double runs = 1;
  };

  void visitRegion(unsigned region) {
    for (unsigned visited : graph.getRegion(region).nodes) {
      number = visited;
      const MuNode &node = graph.getNode(visited);
      if (node.hasBody()) {
        visitBodyOf(node);
        continue;
      }
      State state = visitNode(node);
      for (MuValue result : node.results)
        states[result] = state;
    }
  }

  State visitNode(const MuNode &node) {
    switch (node.kind) {
    case MuNode::Kind::Operator:
      return visitOperator(node);
    case MuNode::Kind::Load:
      return visitLoad(node);
    case MuNode::Kind::Accumulate:
      return visitAccumulate(node);
    case MuNode::Kind::Store:
      return visitStore(node);
    case MuNode::Kind::Graph:
    case MuNode::Kind::Loop:
      break;
    }
    llvm_unreachable("a node with a body");
  }

  void visitBodyOf(const MuNode &node) {
    unsigned visited = number;
    const MuRegion &body = graph.getRegion(node.body);
    visitBody(node);
    for (auto [operand, argument] : llvm::zip(node.operands, body.arguments))
      states[argument] = enterBody(operand, argument);
    Surroundings outer = around;
    if (node.kind == MuNode::Kind::Graph)
      around = {visited, {}, outer.runs};
    else
      around.loopNodes.push_back(visited);
    around.runs *= static_cast<double>(elementCount(node.extents));
    visitRegion(node.body);
    around = std::move(outer);
    number = visited;
    for (auto [result, inner] : llvm::zip(node.results, body.results))
      states[result] = leaveBody(node, inner, result);
  }

  std::vector<State> states;
  Surroundings around;
  unsigned number = 0;
};

} // namespace mirage

#endif // MIRAGE_MUGRAPH_FORWARDANALYSIS_H
