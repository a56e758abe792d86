//===- RunMuGraphTest.cpp - Running programs without IR -------------------===//
//
// Graphs made with MuGraph's builder, with results that are known: maps, loops
// with each kind of accumulator, thread graphs, rounding, what is not written.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/RunMuGraph.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {
using Values = std::vector<double>;

/// The results for these values of the arguments.
llvm::SmallVector<TensorValue> run(const MuGraph &graph,
                                   llvm::ArrayRef<Values> inputs,
                                   Precision precision = Precision::Storage) {
  llvm::SmallVector<TensorValue> tensors;
  for (auto [argument, values] :
       llvm::zip_equal(graph.getRegion().arguments, inputs)) {
    const MuGraph::Value &type = graph.getValue(argument);
    tensors.push_back(
        TensorValue::create(type.type, type.shape, values, precision));
  }
  return runMuGraph(graph, tensors, precision);
}

OpAttributes reduceAttributes(ReduceKind kind, int64_t dim) {
  OpAttributes attributes;
  attributes.reduceKind = kind;
  attributes.dim = dim;
  attributes.keep = true;
  return attributes;
}

/// A launch of one function argument. `body` adds to the launch's region what
/// is done with its argument and returns what the launch returns.
MuGraph makeLaunch(
    ShapeRef shape, ElementType type, llvm::ArrayRef<int64_t> grid,
    llvm::function_ref<llvm::SmallVector<MuValue>(MuGraph &, unsigned, MuValue)>
        body) {
  MuGraph graph;
  MuValue input = graph.addArgument(0, shape, type);
  unsigned region = graph.addRegion();
  MuValue argument = graph.addArgument(region, shape, type);
  graph.setResults(region, body(graph, region, argument));
  graph.setResults(0, graph.addGraph(0, {input}, grid, region));
  return graph;
}

TEST(RunMuGraph, RunsKernelOperators) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {2, 2}, ElementType::f32);
  MuValue y = graph.addArgument(0, {1, 2}, ElementType::f32);
  MuValue sum = graph.addOperator(0, OpKind::Add, {}, {x, y}, ElementType::f32);
  MuValue square =
      graph.addOperator(0, OpKind::Mul, {}, {sum, sum}, ElementType::f32);
  // An argument and a value with later uses are results, too.
  graph.setResults(0, {square, sum, x, square});
  auto results = run(graph, {{1, 2, 3, 4}, {10, 20}});
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[0].values(), (Values{121, 484, 169, 576}));
  EXPECT_EQ(results[1].values(), (Values{11, 22, 13, 24}));
  EXPECT_EQ(results[2].values(), (Values{1, 2, 3, 4}));
  EXPECT_EQ(results[3].values(), results[0].values());
}

TEST(RunMuGraph, ConvertsInputs) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {1}, ElementType::f16);
  graph.setResults(
      0, {graph.addOperator(0, OpKind::Exp, {}, {x}, ElementType::f16)});
  TensorValue input =
      TensorValue::create(ElementType::f64, {1}, {1}, Precision::F64);
  for (Precision precision :
       {Precision::F64, Precision::F32, Precision::Storage, Precision::Bound}) {
    TensorValue result = runMuGraph(graph, {input}, precision)[0];
    EXPECT_EQ(result.type, ElementType::f16);
    EXPECT_EQ(result.numbers.index(),
              TensorValue::create(ElementType::f16, {1}, {1}, precision)
                  .numbers.index());
    EXPECT_NEAR(result.value(0), M_E, 1e-3);
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST(RunMuGraph, CombinesBlocksByOmap) {
  auto make = [](MapEntry entry) {
    return makeLaunch({4, 2}, ElementType::f16, {4, 2},
                      [&](MuGraph &graph, unsigned body, MuValue argument) {
                        MuValue tile =
                            graph.addLoad(body, argument, {0, 1}, {4, 2});
                        return llvm::SmallVector<MuValue>{
                            graph.addStore(body, tile, {entry, 1}, {4, 2})};
                      });
  };
  const Values input = {2048, -1, 0.5, -2, 0.5, -3, 1, -4};
  // The halves count, though each of them alone would be rounded away.
  TensorValue sum = run(make(kReduceSum), {input})[0];
  EXPECT_EQ(sum.shape(), ShapeRef({1, 2}));
  EXPECT_EQ(sum.values(), (Values{2050, -10}));
  EXPECT_EQ(run(make(kReduceMax), {input})[0].values(), (Values{2048, -1}));
}

TEST(RunMuGraph, GivesNaNForWhatNobodyWrites) {
  MuGraph graph =
      makeLaunch({4}, ElementType::f32, {2},
                 [&](MuGraph &graph, unsigned body, MuValue argument) {
                   MuNode store;
                   store.kind = MuNode::Kind::Store;
                   store.operands = {graph.addLoad(body, argument, {0}, {2})};
                   store.omap = {0};
                   MuValue result = graph.addValue({6}, ElementType::f32);
                   store.results = {result};
                   graph.addNode(body, store);
                   return llvm::SmallVector<MuValue>{result};
                 });
  TensorValue result = run(graph, {{1, 2, 3, 4}}, Precision::Bound)[0];
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(std::isnan(result.value(i)), i >= 4);
    EXPECT_EQ(std::isinf(result.error(i)), i >= 4);
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

TEST(RunMuGraph, AccumulatesByKind) {
  // Four accumulators in one loop over the columns, two columns at a time.
  MuGraph graph = makeLaunch(
      {2, 6}, ElementType::f32, {1},
      [](MuGraph &graph, unsigned body, MuValue argument) {
        unsigned loop = graph.addRegion();
        MuValue tile = graph.addLoad(loop, argument, {kReplica}, {1}, {1}, {3});
        MuValue sum = graph.addAccumulate(loop, AccumulateKind::Sum, tile, 3);
        MuValue max = graph.addAccumulate(loop, AccumulateKind::Max, tile, 3);
        MuValue rows = graph.addAccumulate(loop, AccumulateKind::Concat, tile,
                                           3, std::nullopt, 0);
        MuValue columns = graph.addAccumulate(loop, AccumulateKind::Concat,
                                              tile, 3, std::nullopt, 1);
        graph.setResults(loop, {sum, max, rows, columns});
        llvm::SmallVector<MuValue> stores;
        for (MuValue result : graph.addLoop(body, 3, loop))
          stores.push_back(graph.addStore(body, result, {kReplica}, {1}));
        return stores;
      });
  const Values input = {1, 2, 3, 4, 5, 6, -1, 7, -3, 2, -5, 9};
  auto results = run(graph, {input});
  EXPECT_EQ(results[0].values(), (Values{9, 12, -9, 18}));
  EXPECT_EQ(results[1].values(), (Values{5, 6, -1, 9}));
  EXPECT_EQ(results[2].shape(), ShapeRef({6, 2}));
  EXPECT_EQ(results[2].values(),
            (Values{1, 2, -1, 7, 3, 4, -3, 2, 5, 6, -5, 9}));
  EXPECT_EQ(results[3].values(), input);
}

TEST(RunMuGraph, RescalesSums) {
  // Online softmax: sums of exp(x - m), m the largest so far.
  MuGraph graph = makeLaunch(
      {2, 6}, ElementType::f32, {2},
      [](MuGraph &graph, unsigned body, MuValue argument) {
        const ElementType type = ElementType::f32;
        unsigned loop = graph.addRegion();
        MuValue tile = graph.addLoad(loop, argument, {0}, {2}, {1}, {3});
        MuValue shift = graph.addOperator(loop, OpKind::Reduce,
                                          reduceAttributes(ReduceKind::Max, 1),
                                          {tile}, type);
        MuValue difference =
            graph.addOperator(loop, OpKind::Sub, {}, {tile, shift}, type);
        MuValue exp =
            graph.addOperator(loop, OpKind::Exp, {}, {difference}, type);
        MuValue sum = graph.addOperator(loop, OpKind::Reduce,
                                        reduceAttributes(ReduceKind::Sum, 1),
                                        {exp}, type);
        graph.setResults(loop,
                         {graph.addAccumulate(loop, AccumulateKind::RescaledSum,
                                              sum, 3, shift)});
        MuValue result = graph.addLoop(body, 3, loop).front();
        return llvm::SmallVector<MuValue>{
            graph.addStore(body, result, {0}, {2})};
      });
  const Values input = {1, 2, 300, 4, 5, 6, 9, 1, -3, 2, -5, 8};
  TensorValue result = run(graph, {input}, Precision::F64)[0];
  TensorValue bound = run(graph, {input}, Precision::Bound)[0];
  TensorValue storage = run(graph, {input})[0];
  for (int row = 0; row < 2; ++row) {
    double expected = 0;
    for (int i = 0; i < 6; ++i)
      expected += std::exp(input[6 * row + i] - (row ? 9 : 300));
    EXPECT_NEAR(result.value(row), expected, 1e-14);
    EXPECT_LE(std::fabs(bound.value(row) - storage.value(row)),
              bound.error(row));
    EXPECT_LT(bound.error(row), 1e-3);
  }
}

TEST(RunMuGraph, RoundsPartialSumsInEveryIteration) {
  MuGraph graph = makeLaunch(
      {4}, ElementType::f16, {1},
      [](MuGraph &graph, unsigned body, MuValue argument) {
        unsigned loop = graph.addRegion();
        MuValue tile = graph.addLoad(loop, argument, {kReplica}, {1}, {0}, {4});
        graph.setResults(
            loop, {graph.addAccumulate(loop, AccumulateKind::Sum, tile, 4)});
        MuValue sum = graph.addLoop(body, 4, loop).front();
        return llvm::SmallVector<MuValue>{
            graph.addStore(body, sum, {kReplica}, {1})};
      });
  const Values input = {2048, 0.5, 0.5, 2};
  EXPECT_EQ(run(graph, {input})[0].value(0), 2050);
  EXPECT_EQ(run(graph, {input}, Precision::F32)[0].value(0), 2051);
}

TEST(RunMuGraph, NestsLoops) {
  // Maxima over pairs of columns, summed over pairs of rows; the inner loop
  // also uses a value of the outer one and one from outside of both.
  MuGraph graph = makeLaunch(
      {4, 6}, ElementType::f32, {1},
      [](MuGraph &graph, unsigned body, MuValue argument) {
        const ElementType type = ElementType::f32;
        OpAttributes scale;
        scale.scalar = 0;
        MuValue whole = graph.addLoad(body, argument, {kReplica}, {1});
        MuValue total = whole;
        for (int64_t dim : {0, 1})
          total = graph.addOperator(body, OpKind::Reduce,
                                    reduceAttributes(ReduceKind::Sum, dim),
                                    {total}, type);
        unsigned outer = graph.addRegion();
        MuValue rows =
            graph.addLoad(outer, argument, {kReplica}, {1}, {0, kReplica}, {2});
        MuValue rowMax = graph.addOperator(outer, OpKind::Reduce,
                                           reduceAttributes(ReduceKind::Max, 1),
                                           {rows}, type);
        unsigned inner = graph.addRegion();
        MuValue tile =
            graph.addLoad(inner, argument, {kReplica}, {1}, {0, 1}, {2, 3});
        MuValue relative =
            graph.addOperator(inner, OpKind::Sub, {}, {tile, rowMax}, type);
        MuValue zero =
            graph.addOperator(inner, OpKind::Scale, scale, {total}, type);
        MuValue sum =
            graph.addOperator(inner, OpKind::Add, {}, {relative, zero}, type);
        graph.setResults(
            inner, {graph.addAccumulate(inner, AccumulateKind::Max, sum, 3)});
        MuValue largest = graph.addLoop(outer, 3, inner).front();
        graph.setResults(outer, {graph.addAccumulate(outer, AccumulateKind::Sum,
                                                     largest, 2)});
        MuValue result = graph.addLoop(body, 2, outer).front();
        return llvm::SmallVector<MuValue>{
            graph.addStore(body, result, {kReplica}, {1}),
            graph.addStore(body, total, {kReplica}, {1})};
      });
  Values input(24);
  for (int i = 0; i < 24; ++i)
    input[i] = i;
  auto results = run(graph, {input});
  // The largest in even columns is one less than that of its row.
  EXPECT_EQ(results[0].values(), (Values{-2, 0, -2, 0}));
  EXPECT_EQ(results[1].values(), (Values{24 * 23 / 2}));
}

//===----------------------------------------------------------------------===//
// Thread graphs
//===----------------------------------------------------------------------===//

TEST(RunMuGraph, RunsThreadGraphs) {
  // Threads inside of a loop: the sum of squares of the columns.
  MuGraph graph = makeLaunch(
      {4, 8}, ElementType::f32, {2},
      [](MuGraph &graph, unsigned body, MuValue argument) {
        const ElementType type = ElementType::f32;
        unsigned loop = graph.addRegion();
        MuValue tile = graph.addLoad(loop, argument, {0}, {2}, {1}, {2});
        unsigned threads = graph.addRegion();
        MuValue inner = graph.addArgument(threads, {2, 4}, type);
        MuValue part = graph.addLoad(threads, inner, {1, 0}, {2, 2});
        MuValue square =
            graph.addOperator(threads, OpKind::Mul, {}, {part, part}, type);
        graph.setResults(threads,
                         {graph.addStore(threads, square, {1, 0}, {2, 2})});
        MuValue squares = graph.addGraph(loop, {tile}, {2, 2}, threads).front();
        graph.setResults(
            loop, {graph.addAccumulate(loop, AccumulateKind::Sum, squares, 2)});
        MuValue sum = graph.addLoop(body, 2, loop).front();
        return llvm::SmallVector<MuValue>{graph.addStore(body, sum, {0}, {2})};
      });
  Values input(32), expected(16);
  for (int i = 0; i < 32; ++i)
    input[i] = i;
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 4; ++column) {
      double first = 8 * row + column, second = first + 4;
      expected[4 * row + column] = first * first + second * second;
    }
  EXPECT_EQ(run(graph, {input})[0].values(), expected);
}

} // namespace
