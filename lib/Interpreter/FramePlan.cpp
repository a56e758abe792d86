//===- FramePlan.cpp - Where a running graph keeps its values -------------===//
//
// One walk over a body and its loops. A use inside of a loop is one by the loop
// where the value comes from outside of it, since iterations repeat.
//
//===----------------------------------------------------------------------===//

#include "FramePlan.h"

using namespace mirage;

class FramePlan::Planner {
public:
  Planner(const MuGraph &graph, FramePlan &plan)
      : graph(graph), plan(plan), homes(graph.getNumValues()),
        lastUse(graph.getNumValues(), kKept) {}

  void planFrame(unsigned body) {
    unsigned outer = std::exchange(count, 0);
    auto outerStack = std::exchange(stack, {});
    planRegion(body);
    plan.numPlaces[body] = count;
    count = outer;
    stack = std::move(outerStack);
  }

  void finish() {
    for (MuValue value = 0; value < lastUse.size(); ++value)
      if (lastUse[value] != kKept)
        plan.lastUses[lastUse[value]].push_back(plan.places[value]);
  }

private:
  /// Values that are never given up: unused arguments and regions' results.
  static constexpr unsigned kKept = ~0u;

  void define(MuValue value, unsigned region, unsigned node) {
    plan.places[value] = count++;
    homes[value] = region;
    lastUse[value] = node;
  }

  void planRegion(unsigned region) {
    stack.push_back({region, 0});
    const MuRegion &list = graph.getRegion(region);
    for (MuValue argument : list.arguments)
      define(argument, region, kKept);
    for (unsigned number : list.nodes) {
      stack.back().second = number;
      const MuNode &node = graph.getNode(number);
      for (MuValue operand : node.operands)
        for (auto [home, user] : stack)
          if (home == homes[operand])
            lastUse[operand] = user;
      if (node.kind == MuNode::Kind::Graph)
        planFrame(node.body);
      else if (node.kind == MuNode::Kind::Loop)
        planRegion(node.body);
      for (MuValue result : node.results)
        define(result, region, number);
    }
    for (MuValue result : list.results)
      lastUse[result] = kKept;
    stack.pop_back();
  }

  const MuGraph &graph;
  FramePlan &plan;
  /// The region that each value belongs to, and its last user there.
  std::vector<unsigned> homes, lastUse;
  /// The regions around the current node in its frame, and the node in each
  /// that is or holds it.
  llvm::SmallVector<std::pair<unsigned, unsigned>, 4> stack;
  unsigned count = 0;
};

FramePlan::FramePlan(const MuGraph &graph)
    : places(graph.getNumValues()), numPlaces(graph.getNumRegions()),
      lastUses(graph.getNumNodes()) {
  Planner planner(graph, *this);
  planner.planFrame(0);
  planner.finish();
}
