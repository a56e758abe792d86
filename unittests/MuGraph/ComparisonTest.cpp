//===- ComparisonTest.cpp - Equality of µGraphs ---------------------------===//
//
// What makes graphs different, and what doesn't.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Comparison.h"
#include "gtest/gtest.h"
#include <cmath>
#include <functional>

using namespace mirage;

namespace {

constexpr ElementType f32 = ElementType::f32;

/// One of what a graph may differ in.
struct Choices {
  OpKind op = OpKind::Exp;
  OpAttributes attributes;
  ElementType type = f32;
  llvm::SmallVector<int64_t, 3> grid = {4, 2};
  llvm::SmallVector<int64_t, 3> imap = {0, kReplica};
  int64_t fmap = 1;
  AccumulateKind accumulate = AccumulateKind::Sum;
  int64_t dim = 0;
  llvm::SmallVector<int64_t, 3> omap = {0, kReduceSum};
  double constant = 1;
  bool swapsOperands = false;
  bool swapsResults = false;
};

MuGraph build(const Choices &choices) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {16, 16}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue xa = graph.addArgument(body, {16, 16}, f32);
  MuValue tile =
      graph.addLoad(loop, xa, choices.imap, choices.grid, {choices.fmap}, {2});
  MuValue y = graph.addOperator(loop, choices.op, choices.attributes, {tile},
                                choices.type);
  MuValue sum = graph.addAccumulate(loop, choices.accumulate, y, 2,
                                    std::nullopt, choices.dim);
  graph.setResults(loop, {sum});
  MuValue total = graph.addLoop(body, 2, loop)[0];
  OpAttributes one;
  one.resultShape = {1, 1};
  one.values = std::make_shared<const std::vector<double>>(1, choices.constant);
  MuValue c = graph.addOperator(body, OpKind::Constant, one, {}, f32);
  MuValue a = choices.swapsOperands ? c : total,
          b = choices.swapsOperands ? total : c;
  MuValue quotient = graph.addOperator(body, OpKind::Div, {}, {a, b}, f32);
  graph.setResults(body,
                   {graph.addStore(body, quotient, choices.omap, choices.grid),
                    graph.addStore(body, total, choices.omap, choices.grid)});
  auto results = graph.addGraph(0, {x}, choices.grid, body);
  if (choices.swapsResults)
    std::swap(results[0], results[1]);
  graph.setResults(0, results);
  return graph;
}

void expectDifferent(const MuGraph &lhs, const MuGraph &rhs) {
  EXPECT_FALSE(areIdentical(lhs, rhs));
  EXPECT_FALSE(areIsomorphic(lhs, rhs));
  EXPECT_NE(structuralHash(lhs), structuralHash(rhs));
}

TEST(Comparison, SeesEveryDifference) {
  MuGraph graph = build({});
  EXPECT_TRUE(areIdentical(graph, build({})));
  EXPECT_TRUE(areIsomorphic(graph, build({})));
  EXPECT_EQ(structuralHash(graph), structuralHash(build({})));
  auto differs = [&](std::function<void(Choices &)> change) {
    Choices choices;
    change(choices);
    SCOPED_TRACE(toString(build(choices)));
    expectDifferent(graph, build(choices));
  };
  differs([](Choices &c) { c.op = OpKind::Sqrt; });
  differs([](Choices &c) { c.attributes.scalar = 2; });
  differs([](Choices &c) { c.attributes.repeats = {1, 1}; });
  differs([](Choices &c) { c.type = ElementType::f16; });
  differs([](Choices &c) { c.grid = {2, 2}; });
  differs([](Choices &c) { c.imap = {1, 0}; });
  differs([](Choices &c) { c.imap = {kReplica, 0}; });
  differs([](Choices &c) { c.fmap = 0; });
  differs([](Choices &c) { c.fmap = kReplica; });
  differs([](Choices &c) { c.accumulate = AccumulateKind::Max; });
  differs([](Choices &c) { c.accumulate = AccumulateKind::Concat; });
  differs([](Choices &c) { c.omap = {0, kReduceMax}; });
  differs([](Choices &c) { c.omap = {1, 0}; });
  differs([](Choices &c) { c.constant = -1; });
  differs([](Choices &c) { c.swapsOperands = true; });
  differs([](Choices &c) { c.swapsResults = true; });
  // Zeros have signs.
  Choices zero, negative;
  zero.constant = 0.0;
  negative.constant = -0.0;
  expectDifferent(build(zero), build(negative));
}

TEST(Comparison, IgnoresWhatMeansNothing) {
  MuGraph graph = build({});
  // Only concatenations have a dimension, and the result's type and shape are
  // those of the result.
  Choices other;
  other.dim = 1;
  other.attributes.resultType = ElementType::f32;
  other.attributes.resultShape = {4, 4};
  EXPECT_TRUE(areIdentical(graph, build(other)));
  EXPECT_EQ(structuralHash(graph), structuralHash(build(other)));
  auto makeConstant = [](std::vector<double> values) {
    MuGraph graph;
    OpAttributes attributes;
    attributes.resultShape = {3};
    attributes.values = std::make_shared<const std::vector<double>>(values);
    graph.setResults(
        0, {graph.addOperator(0, OpKind::Constant, attributes, {}, f32)});
    return graph;
  };
  double nan = std::nan("");
  EXPECT_TRUE(areIdentical(makeConstant({2}), makeConstant({2, 2, 2})));
  EXPECT_TRUE(areIdentical(makeConstant({nan}), makeConstant({nan})));
  expectDifferent(makeConstant({2}), makeConstant({2, 2, 3}));
}

/// exp(x) + sqrt(x), in one order or in the other, with a dead node on request.
MuGraph makeSum(bool expFirst, bool dead) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {4}, f32);
  MuValue e = 0, s = 0;
  if (expFirst)
    e = graph.addOperator(0, OpKind::Exp, {}, {x}, f32);
  s = graph.addOperator(0, OpKind::Sqrt, {}, {x}, f32);
  if (dead)
    graph.addOperator(0, OpKind::Mul, {}, {s, s}, f32, /*location=*/7);
  if (!expFirst)
    e = graph.addOperator(0, OpKind::Exp, {}, {x}, f32);
  graph.setResults(0, {graph.addOperator(0, OpKind::Add, {}, {e, s}, f32)});
  return graph;
}

TEST(Comparison, IsomorphicGraphsMayDifferInOrder) {
  MuGraph graph = makeSum(true, false);
  for (bool expFirst : {false, true})
    for (bool dead : {false, true}) {
      MuGraph other = makeSum(expFirst, dead);
      EXPECT_EQ(areIdentical(graph, other), expFirst && !dead);
      EXPECT_TRUE(areIsomorphic(graph, other));
      EXPECT_EQ(structuralHash(graph), structuralHash(other));
    }
}

TEST(Comparison, TwoNodesAreNotOne) {
  MuGraph one, two;
  for (MuGraph *graph : {&one, &two}) {
    MuValue x = graph->addArgument(0, {4}, f32);
    MuValue a = graph->addOperator(0, OpKind::Exp, {}, {x}, f32);
    MuValue b =
        graph == &one ? a : graph->addOperator(0, OpKind::Exp, {}, {x}, f32);
    graph->setResults(0, {graph->addOperator(0, OpKind::Add, {}, {a, b}, f32)});
  }
  expectDifferent(one, two);
  expectDifferent(two, one);
}

TEST(Comparison, SeesArguments) {
  auto makeArguments = [](unsigned count, unsigned used, int64_t size) {
    MuGraph graph;
    for (unsigned i = 0; i < count; ++i)
      graph.addArgument(0, {i == used ? 4 : size}, f32);
    graph.setResults(0, {used});
    return graph;
  };
  MuGraph graph = makeArguments(2, 0, 4);
  EXPECT_TRUE(areIsomorphic(graph, makeArguments(2, 0, 4)));
  expectDifferent(graph, makeArguments(2, 1, 4));
  expectDifferent(graph, makeArguments(1, 0, 4));
  // The type of an argument that nothing uses is part of the signature.
  expectDifferent(graph, makeArguments(2, 0, 5));
}

/// exp(x) before a loop, or in each of its iterations.
MuGraph makeInvariant(bool inside) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {4}, f32);
  unsigned body = graph.addRegion(), loop = graph.addRegion();
  MuValue xa = graph.addArgument(body, {4}, f32);
  MuValue t = graph.addLoad(body, xa, {kReplica}, {1});
  MuValue e =
      graph.addOperator(inside ? loop : body, OpKind::Exp, {}, {t}, f32);
  graph.setResults(loop,
                   {graph.addAccumulate(loop, AccumulateKind::Sum, e, 2)});
  MuValue sum = graph.addLoop(body, 2, loop)[0];
  graph.setResults(body, {graph.addStore(body, sum, {kReplica}, {1})});
  graph.setResults(0, graph.addGraph(0, {x}, {1}, body));
  return graph;
}

TEST(Comparison, SeesWhereANodeStands) {
  EXPECT_FALSE(areIdentical(makeInvariant(true), makeInvariant(false)));
  EXPECT_FALSE(areIsomorphic(makeInvariant(true), makeInvariant(false)));
}

TEST(Comparison, HashesAreTheSameInEveryRun) {
  EXPECT_EQ(structuralHash(makeSum(true, false)), 17213196177205710584u);
}

} // namespace
