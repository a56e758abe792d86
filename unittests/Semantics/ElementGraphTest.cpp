//===- ElementGraphTest.cpp - Graphs evaluated element by element ---------===//

#include "Mirage/Semantics/ElementGraph.h"
#include "TestSupport.h"

using namespace mirage;

namespace {

OpAttributes along(int64_t dim) {
  OpAttributes attrs;
  attrs.dim = dim;
  return attrs;
}

TEST(ElementGraph, ComputesWhatTensorsCompute) {
  Tensor<Bounded> x({3, 4}), y({4, 5});
  Tensor<float> xs = randomTensor<float>({3, 4}, 1),
                ys = randomTensor<float>({4, 5}, 2);
  for (size_t i = 0; i < x.data.size(); ++i)
    x.data[i] = Bounded(xs.data[i]);
  for (size_t i = 0; i < y.data.size(); ++i)
    y.data[i] = Bounded(ys.data[i]);

  ElementGraph graph;
  ElementGraph::Node a = graph.addVariable({3, 4}),
                     b = graph.addVariable({4, 5});
  graph.setSource(a, [&](int64_t i) { return xs.data[i]; });
  graph.setSource(b, [&](int64_t i) { return ys.data[i]; });
  ElementGraph::Node product = graph.apply(OpKind::Matmul, {}, {a, b});
  ElementGraph::Node softmax =
      graph.apply(OpKind::Softmax, along(1), {product});
  EXPECT_EQ(graph.getShape(softmax), ShapeRef({3, 5}));

  Tensor<Bounded> expected = evaluateAll<Bounded>(
      OpKind::Softmax, along(1),
      {evaluateAll<Bounded>(OpKind::Matmul, {}, {x, y})[0]})[0];
  for (int64_t i = 0; i < 15; ++i) {
    EXPECT_EQ(graph.evaluate(softmax, i).value, expected.data[i].value);
    EXPECT_EQ(graph.evaluate(softmax, i).error, expected.data[i].error);
  }
}

TEST(ElementGraph, ReadsOnlyWhatAnElementNeeds) {
  ElementGraph graph;
  ElementGraph::Node x = graph.addVariable({1 << 20, 64});
  int64_t reads = 0;
  graph.setSource(x, [&](int64_t i) {
    ++reads;
    return static_cast<double>(i % 7);
  });
  ElementGraph::Node sums = graph.apply(OpKind::Reduce, along(1), {x});
  graph.evaluate(sums, 1000);
  EXPECT_EQ(reads, 64);
  graph.evaluate(sums, 1000);
  EXPECT_EQ(reads, 64) << "computed once";
  graph.setSource(x, [](int64_t) { return 1.0; });
  EXPECT_EQ(graph.evaluate(sums, 1000).value, 64);
}

TEST(ElementGraph, BoundsRoundedConstants) {
  ElementGraph graph;
  ElementGraph::Node x = graph.addVariable({1});
  graph.setSource(x, [](int64_t) { return 1.0; });
  OpAttributes third, half;
  third.scalar = 0.333251953125; // 1/3 in f16
  half.scalar = 0.5;
  auto scale = [&](const OpAttributes &attrs,
                   std::optional<ElementType> type = std::nullopt) {
    return graph.evaluate(graph.apply(OpKind::Scale, attrs, {x}, 0, type), 0);
  };
  EXPECT_GE(scale(third, ElementType::f16).error,
            std::fabs(1.0 / 3 - third.scalar));
  EXPECT_LT(scale(third).error, 1e-6);
  EXPECT_LT(scale(half, ElementType::f16).error, 1e-6);
}

TEST(ElementGraph, TakesOneOfSeveralResults) {
  ElementGraph graph;
  ElementGraph::Node x = graph.addVariable({6});
  graph.setSource(x, [](int64_t i) { return static_cast<double>(i); });
  OpAttributes attrs;
  attrs.parts = 3;
  EXPECT_EQ(graph.evaluate(graph.apply(OpKind::Split, attrs, {x}, 2), 1).value,
            5);
}

} // namespace
