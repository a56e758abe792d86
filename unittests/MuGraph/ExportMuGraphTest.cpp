//===- ExportMuGraphTest.cpp - IR from µGraphs ----------------------------===//
//
// Graphs that are written as IR and read again, and those of which there is no
// IR.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/IR/ExportMuGraph.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Mirage/MuGraph/Comparison.h"
#include "Mirage/MuGraph/IR/ImportMuGraph.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mirage;

namespace {

constexpr ElementType f16 = ElementType::f16;
constexpr ElementType f32 = ElementType::f32;

class ExportTest : public testing::Test {
protected:
  ExportTest()
      : builder(&context), loc(builder.getUnknownLoc()),
        module(mlir::ModuleOp::create(loc)),
        handler(&context, [this](mlir::Diagnostic &diagnostic) {
          errors += diagnostic.str() + "\n";
        }) {
    context.printOpOnDiagnostic(false);
    context.loadDialect<kernel::KernelDialect, block::BlockDialect,
                        thread::ThreadDialect, mlir::func::FuncDialect>();
    builder.setInsertionPointToStart(module->getBody());
  }

  /// Exports and imports.
  void expectRoundTrip(const MuGraph &graph) {
    auto function = exportFunction(graph, "f", builder, loc);
    ASSERT_TRUE(mlir::succeeded(function)) << errors << toString(graph);
    auto again = importMuGraph(*function);
    ASSERT_TRUE(mlir::succeeded(again)) << errors;
    EXPECT_TRUE(areIdentical(graph, again->graph))
        << toString(graph) << toString(again->graph);
  }

  /// The error; nothing is built.
  std::string getError(const MuGraph &graph) {
    EXPECT_TRUE(mlir::failed(exportFunction(graph, "f", builder, loc)));
    EXPECT_TRUE(module->getBody()->empty());
    return std::exchange(errors, {});
  }

  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::string errors;
  mlir::ScopedDiagnosticHandler handler;
};

MuGraph makeConstant(std::vector<double> values, ElementType type) {
  MuGraph graph;
  OpAttributes attributes;
  attributes.resultShape = {2};
  attributes.values =
      std::make_shared<const std::vector<double>>(std::move(values));
  graph.setResults(
      0, {graph.addOperator(0, OpKind::Constant, attributes, {}, type)});
  return graph;
}

/// A launch whose block graph `write` fills in, given the region and its
/// argument; it returns what is stored.
template <typename Write>
MuGraph makeLaunch(ShapeRef shape, llvm::ArrayRef<int64_t> grid, Write write,
                   llvm::ArrayRef<int64_t> omap) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, shape, f32);
  unsigned body = graph.addRegion();
  MuValue xa = graph.addArgument(body, shape, f32);
  MuValue stored = write(graph, body, xa);
  graph.setResults(body, {graph.addStore(body, stored, omap, grid)});
  graph.setResults(0, graph.addGraph(0, {x}, grid, body));
  return graph;
}

/// A launch of 2 x 2 blocks over 8 x 8 elements whose load is cut as `change`
/// makes it.
template <typename Change> MuGraph makeLoad(Change change) {
  return makeLaunch({8, 8}, {2, 2},
                    [&](MuGraph &graph, unsigned body, MuValue x) {
                      MuNode node;
                      node.kind = MuNode::Kind::Load;
                      node.operands = {x};
                      node.partition =
                          getPartition({8, 8}, {0, 1}, {2, 2}, {}, {});
                      change(node.partition);
                      node.results = {graph.addValue({4, 4}, f32)};
                      graph.addNode(body, node);
                      return node.results[0];
                    },
                    {0, 1});
}

//===----------------------------------------------------------------------===//
// Round trips
//===----------------------------------------------------------------------===//

TEST_F(ExportTest, FunctionsWithoutNodes) {
  expectRoundTrip(MuGraph());
  MuGraph graph;
  MuValue x = graph.addArgument(0, {4}, f32);
  MuValue y = graph.addArgument(0, {}, ElementType::f8E5M2);
  graph.setResults(0, {y, x, y});
  expectRoundTrip(graph);
}

TEST_F(ExportTest, LoopsThatCutOneDimension) {
  // The grid and the first and third of three loops.
  expectRoundTrip(makeLaunch(
      {64, 12}, {2, 1, 4},
      [](MuGraph &graph, unsigned body, MuValue x) {
        unsigned outer = graph.addRegion(), middle = graph.addRegion(),
                 inner = graph.addRegion();
        MuValue t = graph.addLoad(inner, x, {kReplica, kReplica, 0}, {2, 1, 4},
                                  {0, 1, 0}, {2, 3, 4});
        graph.setResults(
            inner, {graph.addAccumulate(inner, AccumulateKind::Sum, t, 4)});
        MuValue a = graph.addLoop(middle, 4, inner)[0];
        graph.setResults(middle,
                         {graph.addAccumulate(middle, AccumulateKind::Concat, a,
                                              3, std::nullopt, 1)});
        MuValue b = graph.addLoop(outer, 3, middle)[0];
        graph.setResults(
            outer, {graph.addAccumulate(outer, AccumulateKind::Max, b, 2)});
        return graph.addLoop(body, 2, outer)[0];
      },
      {kReduceSum, kReplica, 0}));
}

TEST_F(ExportTest, LoopsOneAfterAnother) {
  // The second loop uses what the first one has accumulated, and keeps sums of
  // f16 in f32.
  expectRoundTrip(makeLaunch(
      {16, 8}, {1},
      [](MuGraph &graph, unsigned body, MuValue x) {
        unsigned first = graph.addRegion(), second = graph.addRegion();
        MuValue t = graph.addLoad(first, x, {kReplica}, {1}, {0}, {4});
        graph.setResults(
            first, {graph.addAccumulate(first, AccumulateKind::Max, t, 4)});
        MuValue most = graph.addLoop(body, 4, first)[0];
        MuValue u = graph.addLoad(second, x, {kReplica}, {1}, {0}, {4});
        MuValue d = graph.addOperator(second, OpKind::Sub, {}, {u, most}, f32);
        OpAttributes toHalf;
        toHalf.resultType = f16;
        MuValue h = graph.addOperator(second, OpKind::Cast, toHalf, {d}, f16);
        MuNode sum;
        sum.kind = MuNode::Kind::Accumulate;
        sum.accumulate = AccumulateKind::RescaledSum;
        sum.operands = {h, h};
        sum.results = {graph.addValue({4, 8}, f32)};
        graph.addNode(second, sum);
        graph.setResults(second, {sum.results[0]});
        return graph.addLoop(body, 4, second)[0];
      },
      {kReplica}));
}

TEST_F(ExportTest, ThreadGraphsInLoops) {
  expectRoundTrip(makeLaunch(
      {16, 8}, {1},
      [](MuGraph &graph, unsigned body, MuValue x) {
        unsigned loop = graph.addRegion(), threads = graph.addRegion();
        MuValue t = graph.addLoad(loop, x, {kReplica}, {1}, {0}, {2});
        MuValue ta = graph.addArgument(threads, {8, 8}, f32);
        llvm::SmallVector<int64_t, 3> map = {1, 0, kReplica},
                                      extents = {4, 2, 1};
        MuValue f = graph.addLoad(threads, ta, map, extents);
        MuValue e = graph.addOperator(threads, OpKind::Exp, {}, {f}, f32);
        graph.setResults(threads, {graph.addStore(threads, e, map, extents)});
        MuValue y = graph.addGraph(loop, {t}, extents, threads)[0];
        graph.setResults(
            loop, {graph.addAccumulate(loop, AccumulateKind::Sum, y, 2)});
        return graph.addLoop(body, 2, loop)[0];
      },
      {kReplica}));
}

TEST_F(ExportTest, Constants) {
  double infinity = std::numeric_limits<double>::infinity();
  expectRoundTrip(makeConstant({0.1, -0.0}, ElementType::f64));
  expectRoundTrip(makeConstant({65504, -infinity}, f16));
  expectRoundTrip(makeConstant({448}, ElementType::f8E4M3FN));
  expectRoundTrip(makeConstant({std::nan("")}, f32));
}

TEST_F(ExportTest, InsertsWhereTheBuilderStands) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {4}, f32);
  MuValue e = graph.addOperator(0, OpKind::Exp, {}, {x}, f32);
  graph.setResults(0, {graph.addOperator(0, OpKind::Sqrt, {}, {e}, f32)});
  auto function = exportFunction(graph, "f", builder, loc);
  ASSERT_TRUE(mlir::succeeded(function));
  mlir::Block &block = function->front();
  mlir::Operation *exp = &block.front();
  builder.setInsertionPointAfter(exp);
  auto results = exportMuGraph(graph, exp->getResults(), builder, loc);
  ASSERT_TRUE(mlir::succeeded(results));
  std::vector<std::string> names;
  for (mlir::Operation &op : block)
    names.push_back(op.getName().stripDialect().str());
  EXPECT_EQ(names,
            (std::vector<std::string>{"exp", "exp", "sqrt", "sqrt", "return"}));
  EXPECT_EQ((*results)[0].getDefiningOp(),
            block.front().getNextNode()->getNextNode());

  // What is there stays if the export fails.
  MuNode undefined;
  undefined.op = OpKind::Exp;
  undefined.operands = {graph.addValue({4}, f32)};
  undefined.results = {graph.addValue({4}, f32)};
  graph.addNode(0, undefined);
  EXPECT_TRUE(
      mlir::failed(exportMuGraph(graph, exp->getResults(), builder, loc)));
  EXPECT_EQ(block.getOperations().size(), 5u);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

TEST_F(ExportTest, ChecksInputs) {
  MuGraph graph;
  graph.addArgument(0, {4}, f32);
  EXPECT_TRUE(mlir::failed(exportMuGraph(graph, {}, builder, loc)));
  EXPECT_EQ(errors, "the graph takes ('tensor<4xf32>'), not ()\n");
}

TEST_F(ExportTest, RefusesPartsThatNoMapCuts) {
  using Partition = llvm::SmallVectorImpl<DimPartition>;
  expectRoundTrip(makeLoad([](Partition &) {}));
  module->getBody()->clear();
  auto errorOf = [&](auto change) { return getError(makeLoad(change)); };
  std::string prefix = "cannot export node 0 (load) of the graph: ";
  EXPECT_EQ(errorOf([](Partition &p) { p[1].gridDim = 0; }),
            prefix + "grid dimension x cuts dimensions 0 and 1\n");
  EXPECT_EQ(errorOf([](Partition &p) { p[1].gridDim = 2; }),
            prefix + "dimension 1 is cut by grid dimension z, which does not "
                     "exist\n");
  EXPECT_EQ(errorOf([](Partition &p) { p[1].gridExtent = 4; }),
            prefix + "dimension 1 is cut into 4 parts by grid dimension y of "
                     "2\n");
  EXPECT_EQ(errorOf([](Partition &p) { p[1].gridDim.reset(); }),
            prefix + "dimension 1 is cut into 2 parts by no grid dimension\n");
  EXPECT_EQ(errorOf([](Partition &p) { p[1].size = 4; }),
            prefix + "dimension 1 of size 8 is cut as one of size 4\n");
  EXPECT_EQ(errorOf([](Partition &p) { p.pop_back(); }),
            prefix + "the parts of 1 dimensions are given for a source of "
                     "2\n");
  EXPECT_EQ(errorOf([](Partition &p) {
              p[1].loops = {0};
              p[1].loopExtents = {2};
            }),
            prefix + "dimension 1 is cut by loop 0, which does not exist\n");
  EXPECT_EQ(errorOf([](Partition &p) { p[1].loops = {0}; }),
            prefix + "dimension 1 is cut by 1 loops with 0 extents\n");
  EXPECT_EQ(errorOf([](Partition &p) {
              p[1].loops = {1, 0};
              p[1].loopExtents = {2, 2};
            }),
            prefix + "dimension 1 is cut by loop 1 before loop 0, which is "
                     "outside of it\n");
}

TEST_F(ExportTest, RefusesOperatorsThatSayDifferentThings) {
  EXPECT_EQ(getError(makeConstant({0.1}, f16)),
            "cannot export node 0 (constant) of the graph: its value "
            "1.000000e-01 is none of type f16\n");
  EXPECT_EQ(getError(makeConstant({1, 2, 3}, f16)),
            "cannot export node 0 (constant) of the graph: it has 3 values for "
            "2 elements\n");

  auto makeNode = [](OpKind kind, const OpAttributes &attributes,
                     ShapeRef shape, unsigned numResults = 1) {
    MuGraph graph;
    MuNode node;
    node.op = kind;
    node.attributes = attributes;
    node.operands = {graph.addArgument(0, {4, 8}, f32)};
    for (unsigned i = 0; i < numResults; ++i)
      node.results.push_back(graph.addValue(shape, f32));
    graph.setResults(0, node.results);
    graph.addNode(0, node);
    return graph;
  };
  OpAttributes dim, cast, shape;
  dim.dim = 2;
  EXPECT_EQ(getError(makeNode(OpKind::Softmax, dim, {4, 8})),
            "cannot export node 0 (softmax) of the graph: dimension 2 is "
            "outside of a tensor of rank 2 (softmax_c1)\n");
  EXPECT_EQ(getError(makeNode(OpKind::Exp, {}, {4, 4})),
            "cannot export node 0 (exp) of the graph: its result is "
            "'tensor<4x4xf32>' instead of 'tensor<4x8xf32>'\n");
  EXPECT_EQ(getError(makeNode(OpKind::Exp, {}, {4, 8}, 2)),
            "cannot export node 0 (exp) of the graph: it has 2 results instead "
            "of 1\n");
  cast.resultType = f16;
  EXPECT_EQ(
      getError(makeNode(OpKind::Cast, cast, {4, 8})),
      "cannot export node 0 (cast) of the graph: it casts to f16, but its "
      "result is 'tensor<4x8xf32>'\n");
  shape.resultShape = {32};
  EXPECT_EQ(getError(makeNode(OpKind::Reshape, shape, {8, 4})),
            "cannot export node 0 (reshape) of the graph: its result is "
            "'tensor<8x4xf32>' instead of 'tensor<32xf32>'\n");
}

TEST_F(ExportTest, RefusesNodesWhereTheyDoNotStand) {
  MuGraph loop, load, store;
  loop.addLoop(0, 2, loop.addRegion());
  EXPECT_EQ(getError(loop), "cannot export node 0 (loop) of the graph: loops "
                            "stand in block graphs only\n");
  MuValue x = load.addArgument(0, {4}, f32);
  load.addLoad(0, x, {}, {});
  EXPECT_EQ(getError(load), "cannot export node 0 (load) of the graph: it "
                            "stands outside of graphs\n");
  x = store.addArgument(0, {4}, f32);
  store.addStore(0, x, {}, {});
  EXPECT_EQ(getError(store), "cannot export node 0 (store) of the graph: it "
                             "stands outside of graphs\n");
  EXPECT_EQ(getError(makeLaunch({4}, {1},
                                [](MuGraph &graph, unsigned body, MuValue x) {
                                  MuValue t =
                                      graph.addLoad(body, x, {kReplica}, {1});
                                  return graph.addAccumulate(
                                      body, AccumulateKind::Sum, t, 1);
                                },
                                {kReplica})),
            "cannot export node 1 (accumulate) of the graph: it stands outside "
            "of loops\n");
  EXPECT_EQ(getError(makeLaunch({4}, {1},
                                [](MuGraph &graph, unsigned body, MuValue x) {
                                  unsigned threads = graph.addRegion(),
                                           more = graph.addRegion();
                                  graph.addGraph(threads, {}, {1}, more);
                                  graph.addGraph(body, {}, {1}, threads);
                                  return graph.addLoad(body, x, {kReplica},
                                                       {1});
                                },
                                {kReplica})),
            "cannot export node 0 (graph) of the graph: threads run no "
            "graphs\n");
}

TEST_F(ExportTest, RefusesValuesThatCannotBeSeen) {
  // Of a loop's body, after the loop.
  EXPECT_EQ(getError(makeLaunch({4}, {1},
                                [](MuGraph &graph, unsigned body, MuValue x) {
                                  unsigned loop = graph.addRegion();
                                  MuValue t = graph.addLoad(loop, x, {kReplica},
                                                            {1}, {0}, {2});
                                  graph.addLoop(body, 2, loop);
                                  return t;
                                },
                                {kReplica})),
            "cannot export the graph: its value 2 is used where it is not "
            "defined\n");
  // Of the function, in a launch.
  EXPECT_EQ(
      getError(makeLaunch(
          {4}, {1}, [](MuGraph &, unsigned, MuValue) { return MuValue(0); },
          {kReplica})),
      "cannot export the graph: its value 0 is used where it is not "
      "defined\n");
}

TEST_F(ExportTest, RefusesWhatVerifiersRefuse) {
  EXPECT_EQ(getError(makeLaunch({8}, {2},
                                [](MuGraph &graph, unsigned body, MuValue x) {
                                  return graph.addLoad(body, x, {0}, {2});
                                },
                                {kReplica})),
            "'mirage_block.store' op omap maps grid dimension x to phi, so 2 "
            "blocks would write the same elements; map it to a dimension of "
            "the result, to sum or to max (store_c3)\n");
}

} // namespace
