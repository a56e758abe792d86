//===- ForwardAnalysisTest.cpp - Walks over a graph's values --------------===//
//
// States pass through bodies, and nodes know what is around them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/ForwardAnalysis.h"
#include "../GraphBuilder.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

/// The operators, accumulators and stores behind a value, and what is around
/// the node that made it.
struct Trace {
  std::string operators;
  double runs = 0;
  size_t points = 0, loops = 0;
};

class TraceAnalysis final : public ForwardAnalysis<Trace> {
public:
  explicit TraceAnalysis(const MuGraph &graph) : ForwardAnalysis(graph) {
    for (auto [i, input] : llvm::enumerate(graph.getRegion().arguments))
      set(input, {"in" + std::to_string(i)});
    run();
  }

  std::vector<std::string> entered;

private:
  Trace append(const MuNode &node) const {
    EXPECT_EQ(&graph.getNode(getNumber()), &node);
    return {get(node.operands[0]).operators + " " + node.getName().str(),
            getRuns(), getPoints().size(), getLoopNodes().size()};
  }
  Trace visitOperator(const MuNode &node) override { return append(node); }
  Trace visitAccumulate(const MuNode &node) override {
    EXPECT_EQ(getLoopExtent(), 5);
    return append(node);
  }
  Trace visitStore(const MuNode &node) override {
    EXPECT_FALSE(getPoints().empty());
    return append(node);
  }
  void visitBody(const MuNode &node) override {
    entered.push_back(node.getName().str());
  }
};

TEST(ForwardAnalysis, GoesThroughLaunchesAndLoops) {
  GraphBuilder f;
  MuValue x = f.argument({6, 20}), y = f.argument({6, 20});
  MuValue root = f.sqrt(x);
  RegionBuilder launch = f.body();
  MuValue a = launch.argument({6, 20}), b = launch.argument({6, 20});
  RegionBuilder loop = launch.body();
  MuValue tile = loop.load(a, {0, kReplica}, {3, 2}, {1}, {5});
  MuValue exp = loop.exp(tile);
  loop.results({loop.accumulate(AccumulateKind::Sum, exp, 5)});
  MuValue total = launch.loop(5, loop).front();
  MuValue whole = launch.load(b, {0, kReplica}, {3, 2});
  MuValue stored = launch.store(total, {0, kReduceSum}, {3, 2});
  launch.results({stored, launch.store(whole, {0, kReduceSum}, {3, 2})});
  auto results = f.launch({root, y}, {3, 2}, launch);
  MuValue last = f.square(results[0]);
  f.results({last, results[1]});

  TraceAnalysis analysis(f);
  EXPECT_EQ(analysis.get(exp).operators, "in0 sqrt exp");
  EXPECT_EQ(analysis.get(exp).runs, 30);
  EXPECT_EQ(analysis.get(exp).points, 2u);
  EXPECT_EQ(analysis.get(exp).loops, 1u);
  EXPECT_EQ(analysis.get(stored).operators, "in0 sqrt exp accumulate store");
  EXPECT_EQ(analysis.get(stored).runs, 6);
  EXPECT_EQ(analysis.get(stored).loops, 0u);
  EXPECT_EQ(analysis.get(last).operators,
            "in0 sqrt exp accumulate store square");
  EXPECT_EQ(analysis.get(last).runs, 1);
  EXPECT_EQ(analysis.get(last).points, 0u);
  EXPECT_EQ(analysis.get(results[1]).operators, "in1 store");
  EXPECT_EQ(analysis.entered, (std::vector<std::string>{"graph", "loop"}));
}

} // namespace
