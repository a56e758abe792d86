//===- KernelSummaryTest.cpp - Counts of kernels --------------------------===//
//
// Holds every count against a number worked out by hand.
//
//===----------------------------------------------------------------------===//

#include "CostGraphs.h"
#include <gtest/gtest.h>

using namespace mirage;

namespace {

TEST(KernelSummary, CountsAProductInALoop) {
  // X[16,256] W[256,64], 2 blocks of 32 columns, 4 iterations of k = 64: tiles
  // of 16 x 64 and 64 x 32 in f16, 2048 and 4096 bytes.
  KernelSummary s = ProductLaunch(16, 64, 256, 2, 4).summarize();
  EXPECT_TRUE(s.isLaunch);
  EXPECT_EQ(s.grid[0], 2);
  EXPECT_EQ(s.blocks, 2);
  EXPECT_EQ(s.iterations, 4);
  // X is loaded by both blocks, 8192 bytes each time, and W once.
  EXPECT_EQ(s.loadedBytes, 2 * 8192 + 32768);
  EXPECT_EQ(s.streamedBytes, s.loadedBytes);
  EXPECT_EQ(s.distinctBytes, 8192 + 32768);
  EXPECT_EQ(s.storedBytes, 16 * 64 * 2);
  EXPECT_EQ(s.hotDistinctBytes, 0);
  EXPECT_EQ(s.hotStoredBytes, 0);
  EXPECT_EQ(s.tensorFlops, 2 * 16 * 64 * 256);
  // wgmma has 64 rows: the 32 columns become rows, half of which are empty.
  EXPECT_EQ(s.wgmmaFlops, 8 * 2 * 64 * (64 * 16));
  EXPECT_EQ(s.mmaSyncFlops, s.tensorFlops);
  EXPECT_EQ(s.otherFlops, 0);
  EXPECT_EQ(s.exponentials, 0);
  // A block writes and reads both tiles 4 times, and the result once.
  EXPECT_EQ(s.sharedTraffic, 2 * (4 * 2 * (2048 + 4096) + 2 * 1024));
  EXPECT_EQ(s.dependentSteps, 2 * 4);
  EXPECT_EQ(s.residentBytes, 0);
  EXPECT_EQ(s.stageBytes, 2048 + 4096);
  // The sums accumulate in place, and are rounded in place.
  EXPECT_EQ(s.registerBytes, 16 * 32 * 4);
  // These are two tiles, the product and the sums.
  EXPECT_EQ(s.footprintBytes, 2048 + 4096 + 2048 + 2048);
}

TEST(KernelSummary, MakesNoKernelOfPaddingThatLaunchesClip) {
  // 13 rows are read as 16, and 13 of 16 are stored.
  ProductLaunch padded(16, 64, 256, 2, 4, OpKind::Cast, /*rows=*/13);
  auto kernels = summarize(padded.graph);
  ASSERT_EQ(kernels.size(), 1u);
  EXPECT_TRUE(kernels[0].summary.isLaunch);
  EXPECT_EQ(kernels[0].summary.distinctBytes, 13 * 256 * 2 + 32768);
  EXPECT_EQ(kernels[0].summary.hotDistinctBytes, 0);
  EXPECT_EQ(kernels[0].summary.hotStoredBytes, 0);

  // Ones are no part of X, and what is a result is stored.
  EXPECT_EQ(summarize(ProductLaunch(16, 64, 256, 2, 4, OpKind::Cast, 13,
                                    /*fill=*/1)
                          .graph)
                .size(),
            2u);
  padded.graph.setResults(0, {padded.result, padded.read});
  EXPECT_EQ(summarize(padded.graph).size(), 2u);
}

TEST(KernelSummary, CountsLoadsWhereTheyVary) {
  // One block, two nested loops of 2 and 4 iterations over X[8,64] f32, which
  // is loaded whole, by the outer loop's halves, and by both.
  MuGraph graph;
  MuValue x = graph.addArgument(0, {8, 64}, ElementType::f32);
  unsigned body = graph.addRegion(), outer = graph.addRegion(),
           inner = graph.addRegion();
  MuValue a = graph.addArgument(body, {8, 64}, ElementType::f32);
  MuValue whole =
      graph.addLoad(inner, a, {kReplica}, {1}, {kReplica, kReplica}, {2, 4});
  MuValue half =
      graph.addLoad(inner, a, {kReplica}, {1}, {1, kReplica}, {2, 4});
  MuValue part = graph.addLoad(inner, a, {kReplica}, {1}, {1, 1}, {2, 4});
  llvm::SmallVector<MuValue, 3> sums;
  for (MuValue tile : {whole, half, part})
    sums.push_back(graph.addAccumulate(inner, AccumulateKind::Sum, tile, 4));
  graph.setResults(inner, sums);
  auto middle = graph.addLoop(outer, 4, inner);
  sums.clear();
  for (MuValue value : middle)
    sums.push_back(graph.addAccumulate(outer, AccumulateKind::Sum, value, 2));
  graph.setResults(outer, sums);
  auto totals = graph.addLoop(body, 2, outer);
  llvm::SmallVector<MuValue, 3> stores;
  for (MuValue value : totals)
    stores.push_back(graph.addStore(body, value, {kReplica}, {1}));
  graph.setResults(body, stores);
  graph.setResults(0, graph.addGraph(0, {x}, {1}, body));

  KernelSummary s = summarize(graph).front().summary;
  // The inner loop becomes part of the outer one.
  EXPECT_EQ(s.iterations, 2);
  // The loads read 2048 bytes once, 1024 twice, and 256 eight times.
  EXPECT_EQ(s.loadedBytes, 3 * 2048);
  EXPECT_EQ(s.streamedBytes, 2 * 2048);
  EXPECT_EQ(s.residentBytes, 2048);
  EXPECT_EQ(s.stageBytes, 1024 + 256);
  EXPECT_EQ(s.distinctBytes, 2048);
}

TEST(KernelSummary, KeepsChainsInRegisters) {
  // exp(X) in f16 multiplied by V: the exponentials are a product's left
  // operand and never reach shared memory. As the right one they do.
  auto build = [](bool isRight) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {64, 64}, ElementType::f16);
    MuValue v = graph.addArgument(0, {64, 64}, ElementType::f16);
    unsigned body = graph.addRegion();
    MuValue xa = graph.addArgument(body, {64, 64}, ElementType::f16);
    MuValue va = graph.addArgument(body, {64, 64}, ElementType::f16);
    MuValue xt = graph.addLoad(body, xa, {kReplica}, {1});
    MuValue vt = graph.addLoad(body, va, {kReplica}, {1});
    MuValue e = addOp(graph, body, OpKind::Exp, {xt}, ElementType::f16);
    llvm::SmallVector<MuValue, 2> operands = {e, vt};
    if (isRight)
      std::swap(operands[0], operands[1]);
    MuValue o = addOp(graph, body, OpKind::Matmul, operands, ElementType::f16);
    graph.setResults(body, {graph.addStore(body, o, {kReplica}, {1})});
    graph.setResults(0, graph.addGraph(0, {x, v}, {1}, body));
    return summarize(graph).front().summary;
  };
  const double tile = 64 * 64 * 2;
  // X, V and O are written; X is read by exp, V by the product, O by the store.
  EXPECT_EQ(build(false).sharedTraffic, 6 * tile);
  // Exponentials are written and read, too.
  EXPECT_EQ(build(true).sharedTraffic, 8 * tile);
  EXPECT_EQ(build(false).residentBytes, 2 * tile);
  EXPECT_EQ(build(true).residentBytes, 3 * tile);
  EXPECT_EQ(build(false).exponentials, 64 * 64);
  EXPECT_EQ(build(false).otherFlops, 2 * 64 * 64);
  EXPECT_EQ(build(false).iterations, 1);
}

TEST(KernelSummary, CountsWarpsThatShareRows) {
  // Maxima of rows of X Y, X[rows, 64] and Y[64, 128] in f16. Four warps have
  // registers for 64 rows, and eight for 128, each with rows of its own. 256
  // rows have parts in several warps, as have 80, of which eight warps share
  // nothing evenly: these wait for one another 32 times more.
  auto build = [](int64_t rows) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {rows, 64}, ElementType::f16);
    MuValue y = graph.addArgument(0, {64, 128}, ElementType::f16);
    unsigned body = graph.addRegion();
    MuValue xa = graph.addArgument(body, {rows, 64}, ElementType::f16);
    MuValue ya = graph.addArgument(body, {64, 128}, ElementType::f16);
    MuValue xt = graph.addLoad(body, xa, {kReplica}, {1});
    MuValue yt = graph.addLoad(body, ya, {kReplica}, {1});
    MuValue scores =
        addOp(graph, body, OpKind::Matmul, {xt, yt}, ElementType::f32);
    OpAttributes attributes;
    attributes.dim = 1;
    attributes.keep = true;
    attributes.reduceKind = ReduceKind::Max;
    MuValue maxima = addOp(graph, body, OpKind::Reduce, {scores},
                           ElementType::f32, attributes);
    graph.setResults(body, {graph.addStore(body, maxima, {kReplica}, {1})});
    graph.setResults(0, graph.addGraph(0, {x, y}, {1}, body));
    return summarize(graph).front().summary.dependentSteps;
  };
  EXPECT_EQ(build(64), 2);
  EXPECT_EQ(build(128), 2);
  EXPECT_EQ(build(80), 2 + 32);
  EXPECT_EQ(build(256), 2 + 32);
}

TEST(KernelSummary, DividesWhatClustersMerge) {
  // Eight blocks of a cluster have 24 of 192 rows each. Where the rows are a
  // prime number, columns are divided.
  auto getBlocks = [](int64_t rows, int64_t columns) {
    return ProductLaunch(rows, columns, 256, 1, 4).summarize().mostDividing;
  };
  EXPECT_EQ(getBlocks(192, 32), 8);
  EXPECT_EQ(getBlocks(20, 36), 4);
  EXPECT_EQ(getBlocks(197, 32), 8);
  EXPECT_EQ(getBlocks(197, 36), 4);
  EXPECT_EQ(getBlocks(197, 33), 1);
}

TEST(KernelSummary, CountsLoopsAndWhatBlocksReadAgain) {
  // Two blocks have 32 columns each, and both read X[16,256].
  KernelSummary s = ProductLaunch(16, 64, 256, 2, 4).summarize();
  ASSERT_EQ(s.loops.size(), 1u);
  EXPECT_EQ(s.loops.front().iterations, 4);
  EXPECT_EQ(s.loops.front().streamedBytes, (16 + 32) * 256 * 2);
  ASSERT_EQ(s.rereads.size(), 1u);
  EXPECT_EQ(s.rereads.front().bytes, 16 * 256 * 2);
  EXPECT_EQ(s.rereads.front().tensorBytes, 16 * 256 * 2);
}

TEST(KernelSummary, CountsOperandsComputedInLoops) {
  // X[rows,256] W[256,64] in one block with four iterations, in which X is
  // scaled before it is multiplied. Only 128 rows have warps that load, and
  // scale, for others.
  auto build = [](int64_t rows, bool isScaled, bool byRows = false) {
    MuGraph graph;
    MuValue x = graph.addArgument(0, {rows, 256}, ElementType::f16);
    MuValue w = graph.addArgument(0, {256, 64}, ElementType::f16);
    MuValue f = graph.addArgument(0, {rows, 1}, ElementType::f16);
    unsigned body = graph.addRegion(), inner = graph.addRegion();
    MuValue xa = graph.addArgument(body, {rows, 256}, ElementType::f16);
    MuValue wa = graph.addArgument(body, {256, 64}, ElementType::f16);
    MuValue fa = graph.addArgument(body, {rows, 1}, ElementType::f16);
    MuValue ft = graph.addLoad(body, fa, {kReplica}, {1});
    MuValue xt = graph.addLoad(inner, xa, {kReplica}, {1}, {1}, {4});
    MuValue wt = graph.addLoad(inner, wa, {kReplica}, {1}, {0}, {4});
    OpAttributes scale;
    scale.scalar = 2;
    if (byRows)
      xt = addOp(graph, inner, OpKind::Mul, {xt, ft}, ElementType::f16);
    if (isScaled)
      xt = addOp(graph, inner, OpKind::Scale, {xt}, ElementType::f16, scale);
    MuValue product = addOp(graph, inner, OpKind::Matmul, {xt, wt});
    graph.setResults(
        inner, {graph.addAccumulate(inner, AccumulateKind::Sum, product, 4)});
    MuValue total = graph.addLoop(body, 4, inner)[0];
    graph.setResults(body, {graph.addStore(body, total, {kReplica}, {1})});
    graph.setResults(0, graph.addGraph(0, {x, w, f}, {1}, body));
    return summarize(graph).front().summary;
  };
  // Nobody prepares what depends on a value from before the loop, either.
  EXPECT_TRUE(build(64, false, true).computesOperands);
  EXPECT_FALSE(build(64, false).computesOperands);
  EXPECT_TRUE(build(64, true).computesOperands);
  EXPECT_FALSE(build(128, true).computesOperands);
  EXPECT_TRUE(build(128, true).fillsPairs);
  // What is computed is stored, and all warps wait for it.
  EXPECT_EQ(build(64, true).dependentSteps - build(64, false).dependentSteps,
            4 * 22);
}

TEST(KernelSummary, CountsMergedStores) {
  // 4 blocks each sum 16 rows of X[64,32] f32; omap sums the blocks' rows.
  MuGraph graph;
  MuValue x = graph.addArgument(0, {64, 32}, ElementType::f32);
  unsigned body = graph.addRegion();
  MuValue a = graph.addArgument(body, {64, 32}, ElementType::f32);
  MuValue tile = graph.addLoad(body, a, {0}, {4});
  OpAttributes rows;
  rows.keep = true;
  MuValue sum =
      addOp(graph, body, OpKind::Reduce, {tile}, ElementType::f32, rows);
  graph.setResults(body, {graph.addStore(body, sum, {kReduceSum}, {4})});
  graph.setResults(0, graph.addGraph(0, {x}, {4}, body));
  KernelSummary s = summarize(graph).front().summary;
  EXPECT_EQ(s.mergedBlocks, 4);
  EXPECT_EQ(s.mergedBytes, 32 * 4);
  EXPECT_EQ(s.storedBytes, 32 * 4);
  EXPECT_EQ(s.otherFlops, 64 * 32);
  EXPECT_EQ(s.scalarInstructions, 64 * 32);
}

TEST(KernelSummary, CountsOperatorsAsLibrariesRunThem) {
  // softmax(X W): an input read in 128 x 128 tiles, and a value between
  // kernels, which is in L2.
  MuGraph graph;
  MuValue x = graph.addArgument(0, {256, 64}, ElementType::f16);
  MuValue w = graph.addArgument(0, {64, 384}, ElementType::f16);
  MuValue p = addOp(graph, 0, OpKind::Matmul, {x, w}, ElementType::f16);
  OpAttributes reshape;
  reshape.resultShape = {2, 128, 384};
  MuValue r = addOp(graph, 0, OpKind::Reshape, {p}, ElementType::f16, reshape);
  OpAttributes last;
  last.dim = 2;
  MuValue o = addOp(graph, 0, OpKind::Softmax, {r}, ElementType::f16, last);
  graph.setResults(0, {o});

  auto kernels = summarize(graph);
  // A reshape is a view.
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_FALSE(summarize(graph, graph.getRegion().nodes[1]).has_value());
  const KernelSummary &product = kernels[0].summary;
  EXPECT_FALSE(product.isLaunch);
  EXPECT_EQ(product.blocks, 2 * 3);
  EXPECT_EQ(product.distinctBytes, (256 + 384) * 64 * 2);
  EXPECT_EQ(product.loadedBytes, (3 * 256 + 2 * 384) * 64 * 2);
  EXPECT_EQ(product.storedBytes, 256 * 384 * 2);
  EXPECT_EQ(product.hotStoredBytes, product.storedBytes);
  EXPECT_EQ(product.tensorFlops, 2 * 256 * 384 * 64);
  const KernelSummary &softmax = kernels[1].summary;
  EXPECT_EQ(softmax.loadedBytes, 256 * 384 * 2);
  EXPECT_EQ(softmax.hotDistinctBytes, softmax.loadedBytes);
  EXPECT_EQ(softmax.hotStoredBytes, 0);
  EXPECT_EQ(softmax.exponentials, 256 * 384);
  EXPECT_EQ(softmax.tensorFlops, 0);
}

TEST(KernelSummary, CopiesLayoutsAndUsesCoresForF32) {
  MuGraph graph;
  MuValue x = graph.addArgument(0, {32, 48}, ElementType::f32);
  OpAttributes swap;
  swap.permutation = {1, 0};
  MuValue transposed =
      addOp(graph, 0, OpKind::Transpose, {x}, ElementType::f32, swap);
  MuValue product =
      addOp(graph, 0, OpKind::Matmul, {x, transposed}, ElementType::f32);
  OpAttributes tf32;
  tf32.tf32 = true;
  MuValue rounded =
      addOp(graph, 0, OpKind::Matmul, {x, transposed}, ElementType::f32, tf32);
  graph.setResults(0, {product, rounded});
  auto kernels = summarize(graph);
  ASSERT_EQ(kernels.size(), 3u);
  EXPECT_EQ(kernels[0].summary.loadedBytes, 32 * 48 * 4);
  EXPECT_EQ(kernels[0].summary.storedBytes, 32 * 48 * 4);
  EXPECT_EQ(kernels[0].summary.getFlops(), 0);
  double flops = 2 * 32 * 32 * 48;
  EXPECT_EQ(kernels[1].summary.tensorFlops, 0);
  EXPECT_EQ(kernels[1].summary.otherFlops, flops);
  EXPECT_EQ(kernels[1].summary.scalarInstructions, flops / 2);
  EXPECT_EQ(kernels[2].summary.tensorFlops, 2 * flops);
  EXPECT_EQ(kernels[2].summary.otherFlops, 0);
}

TEST(KernelSummary, CountsAttentionByParts) {
  // 4 heads, 128 queries of 64, 512 keys.
  MuGraph graph;
  MuValue q = graph.addArgument(0, {4, 128, 64}, ElementType::f16);
  MuValue k = graph.addArgument(0, {4, 512, 64}, ElementType::f16);
  MuValue v = graph.addArgument(0, {4, 512, 64}, ElementType::f16);
  OpAttributes scale;
  scale.scalar = 0.125;
  graph.setResults(0, {addOp(graph, 0, OpKind::Attention, {q, k, v},
                             ElementType::f16, scale)});
  KernelSummary s = summarize(graph).front().summary;
  double scores = 4 * 128 * 512;
  EXPECT_EQ(s.tensorFlops, scores * 64 * 4);
  EXPECT_EQ(s.exponentials, scores);
  // Keys and values are read by both tiles of 64 queries.
  EXPECT_EQ(s.streamedBytes, 2 * 2 * 4 * 512 * 64 * 2);
  // Queries are read by all 8 blocks that share their keys.
  EXPECT_EQ(s.loadedBytes, s.streamedBytes + 8 * 4 * 128 * 64 * 2);
  EXPECT_EQ(s.distinctBytes, (4 * 128 + 2 * 4 * 512) * 64 * 2);
  // 8 blocks of queries, keys in 8 parts of one tile of 64: 64 blocks.
  EXPECT_EQ(s.blocks, 4 * 2 * 8);
  EXPECT_EQ(s.iterations, 1);
  EXPECT_EQ(s.mergedBlocks, 8);
  EXPECT_FALSE(s.mergesInCluster);
  EXPECT_EQ(s.mergedBytes, 64 * 64 * 4 + 2 * 64 * 4);
  EXPECT_EQ(s.stageBytes, 2 * 64 * 64 * 2);
}

} // namespace
