//===- CloneMuGraphTest.cpp - Copies of µGraphs ---------------------------===//
//
// Copies into other graphs, copies without what is dead, and graphs as text.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/CloneMuGraph.h"
#include "Mirage/MuGraph/Comparison.h"
#include "gtest/gtest.h"

using namespace mirage;

namespace {

constexpr ElementType f32 = ElementType::f32;

/// A launch that stores what it loads of its operands, and a loop's sums and
/// maxima; the function returns those of its four results that are asked for.
MuGraph makeLaunch(llvm::ArrayRef<unsigned> returned) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {8, 4}, f32);
  MuValue y = graph.addArgument(0, {8, 4}, f32);
  MuValue sqrt = graph.addOperator(0, OpKind::Sqrt, {}, {y}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue xa = graph.addArgument(body, {8, 4}, f32);
  MuValue ya = graph.addArgument(body, {8, 4}, f32);
  MuValue xt = graph.addLoad(body, xa, {0}, {2});
  MuValue yt = graph.addLoad(body, ya, {0}, {2});
  MuValue part = graph.addLoad(loop, xa, {0}, {2}, {1}, {2});
  MuValue exp = graph.addOperator(loop, OpKind::Exp, {}, {part}, f32);
  graph.setResults(loop,
                   {graph.addAccumulate(loop, AccumulateKind::Sum, exp, 2),
                    graph.addAccumulate(loop, AccumulateKind::Max, part, 2)});
  auto totals = graph.addLoop(body, 2, loop);
  llvm::SmallVector<MuValue> stores;
  for (MuValue value : {xt, yt, totals[0], totals[1]})
    stores.push_back(graph.addStore(body, value, {0}, {2}));
  graph.setResults(body, stores);
  auto results = graph.addGraph(0, {x, sqrt}, {2}, body);
  llvm::SmallVector<MuValue> list;
  for (unsigned number : returned)
    list.push_back(results[number]);
  graph.setResults(0, list);
  return graph;
}

TEST(EraseDeadNodes, KeepsWhatIsAlive) {
  MuGraph graph = makeLaunch({0, 1, 2, 3});
  EXPECT_TRUE(areIdentical(graph, eraseDeadNodes(graph)));
}

TEST(EraseDeadNodes, ErasesAtAllLevels) {
  // The first result needs one load; without the other operand the root has no
  // use either. The function's arguments stay.
  EXPECT_EQ(toString(eraseDeadNodes(makeLaunch({0}))),
            "graph(%0: 8x4xf32, %1: 8x4xf32) {\n"
            "  %5: 8x4xf32 = graph [2] (%2 = %0) {\n"
            "    %3: 4x4xf32 = load %2 [x, -]\n"
            "    %4: 8x4xf32 = store %3 [0]\n"
            "  } %4\n"
            "} %5\n");
  // One of the loop's two results.
  EXPECT_EQ(toString(eraseDeadNodes(makeLaunch({3}))),
            "graph(%0: 8x4xf32, %1: 8x4xf32) {\n"
            "  %7: 8x2xf32 = graph [2] (%2 = %0) {\n"
            "    %5: 4x2xf32 = loop 2 {\n"
            "      %3: 4x2xf32 = load %2 [x, i0]\n"
            "      %4: 4x2xf32 = accumulate max %3\n"
            "    } %4\n"
            "    %6: 8x2xf32 = store %5 [0]\n"
            "  } %6\n"
            "} %7\n");
  EXPECT_EQ(toString(eraseDeadNodes(makeLaunch({}))),
            "graph(%0: 8x4xf32, %1: 8x4xf32) {\n"
            "}\n");
}

TEST(MergeEqualNodes, MergesAtAllLevels) {
  // A loop that loads a tile twice and sums its exponentials twice, and takes
  // the maxima of the first ones.
  MuGraph graph;
  MuValue x = graph.addArgument(0, {8, 4}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue argument = graph.addArgument(body, {8, 4}, f32);
  llvm::SmallVector<MuValue> sums;
  MuValue exp = 0;
  for (unsigned i = 0; i < 2; ++i) {
    MuValue part = graph.addLoad(loop, argument, {0}, {2}, {1}, {2});
    exp = graph.addOperator(loop, OpKind::Exp, {}, {part}, f32);
    sums.push_back(graph.addAccumulate(loop, AccumulateKind::Sum, exp, 2));
  }
  sums.push_back(graph.addAccumulate(loop, AccumulateKind::Max, exp, 2));
  graph.setResults(loop, sums);
  auto totals = graph.addLoop(body, 2, loop);
  MuValue product =
      graph.addOperator(body, OpKind::Mul, {}, {totals[0], totals[1]}, f32);
  graph.setResults(body, {graph.addStore(body, product, {0}, {2}),
                          graph.addStore(body, product, {0}, {2}),
                          graph.addStore(body, totals[2], {0}, {2})});
  graph.setResults(0, graph.addGraph(0, {x}, {2}, body));
  EXPECT_EQ(
      toString(mergeEqualNodes(graph)),
      "graph(%0: 8x4xf32) {\n"
      "  %12: 8x2xf32, %13: 8x2xf32, %14: 8x2xf32 = graph [2] (%1 = %0) {\n"
      "    %6: 4x2xf32, %7: 4x2xf32 = loop 2 {\n"
      "      %2: 4x2xf32 = load %1 [x, i0]\n"
      "      %3: 4x2xf32 = exp %2\n"
      "      %4: 4x2xf32 = accumulate sum %3\n"
      "      %5: 4x2xf32 = accumulate max %3\n"
      "    } %4, %5\n"
      "    %8: 4x2xf32 = mul %6, %6\n"
      "    %9: 8x2xf32 = store %8 [0]\n"
      "    %10: 8x2xf32 = store %8 [0]\n"
      "    %11: 8x2xf32 = store %7 [0]\n"
      "  } %9, %10, %11\n"
      "} %12, %13, %14\n");
  EXPECT_TRUE(areIdentical(mergeEqualNodes(makeLaunch({0, 1, 2, 3})),
                           makeLaunch({0, 1, 2, 3})));
}

TEST(EraseDeadNodes, KeepsAllResultsOfAnOperator) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {4}, f32);
  OpAttributes split;
  split.parts = 2;
  MuValue first = graph.addOperator(0, OpKind::Split, split, {x}, f32);
  graph.setResults(0, {first + 1});
  EXPECT_EQ(toString(eraseDeadNodes(graph)),
            "graph(%0: 4xf32) {\n"
            "  %1: 2xf32, %2: 2xf32 = split %0 parts = 2\n"
            "} %2\n");
}

TEST(CloneInto, PutsAGraphAfterAnother) {
  MuGraph graph = makeLaunch({2, 0});
  MuGraph both;
  MuValue x = both.addArgument(0, {8, 4}, f32);
  both.addArgument(0, {8, 4}, f32);
  MuValue e = both.addOperator(0, OpKind::Exp, {}, {x}, f32);
  auto results = cloneInto(both, 0, graph, {x, e});
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(both.getShape(results[0]), ShapeRef({8, 2}));
  EXPECT_EQ(both.getShape(results[1]), ShapeRef({8, 4}));
  EXPECT_EQ(both.getNumNodes(), graph.getNumNodes() + 1);
  EXPECT_EQ(both.getNumRegions(), graph.getNumRegions());

  // Nothing in front of it: the same graph.
  MuGraph copy;
  llvm::SmallVector<MuValue> inputs;
  for (unsigned i = 0; i < 2; ++i)
    inputs.push_back(copy.addArgument(0, {8, 4}, f32));
  auto copied = cloneInto(copy, 0, graph, inputs);
  copy.setResults(0, copied);
  EXPECT_TRUE(areIdentical(copy, graph));
}

TEST(ToString, PrintsAttributesThatAreNotDefaults) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {4, 4}, f32);
  OpAttributes reduce, constant;
  reduce.reduceKind = ReduceKind::Max;
  reduce.dim = 1;
  reduce.keep = true;
  MuValue m = graph.addOperator(0, OpKind::Reduce, reduce, {x}, f32);
  constant.resultShape = {10};
  constant.values = std::make_shared<const std::vector<double>>(
      std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  graph.addOperator(0, OpKind::Constant, constant, {}, f32);
  graph.setResults(0, {m});
  EXPECT_EQ(toString(graph),
            "graph(%0: 4x4xf32) {\n"
            "  %1: 4x1xf32 = reduce %0 reduce = max, dim = 1, keep\n"
            "  %2: 10xf32 = constant values = [0, 1, 2, 3, 4, 5, 6, 7, …]\n"
            "} %1\n");
}

} // namespace
