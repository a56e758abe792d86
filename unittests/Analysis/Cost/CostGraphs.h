//===- CostGraphs.h - Graphs whose costs tests know -------------*- C++ -*-===//

#ifndef MIRAGE_UNITTESTS_ANALYSIS_COST_COSTGRAPHS_H
#define MIRAGE_UNITTESTS_ANALYSIS_COST_COSTGRAPHS_H

#include "Mirage/Analysis/Cost/CostModel.h"

namespace mirage {

inline MuValue addOp(MuGraph &graph, unsigned region, OpKind kind,
                     llvm::ArrayRef<MuValue> operands,
                     ElementType type = ElementType::f32,
                     const OpAttributes &attributes = {}) {
  return graph.addOperator(region, kind, attributes, operands, type);
}

/// X[m,k] W[k,n] in f16 by `blocks` blocks of n / blocks columns, k in `loops`
/// iterations; `after` makes f16 of the f32 sums before they are stored. Where
/// X has fewer `rows`, `fill` is added behind them, and the result has as many.
struct ProductLaunch {
  MuGraph graph;
  MuValue x, w, read, result;
  unsigned body, loopBody;

  ProductLaunch(int64_t m, int64_t n, int64_t k, int64_t blocks, int64_t loops,
                OpKind after = OpKind::Cast, int64_t rows = 0,
                double fill = 0) {
    rows = rows ? rows : m;
    x = graph.addArgument(0, {rows, k}, ElementType::f16);
    w = graph.addArgument(0, {k, n}, ElementType::f16);
    body = graph.addRegion();
    MuValue xa = graph.addArgument(body, {m, k}, ElementType::f16);
    MuValue wa = graph.addArgument(body, {k, n}, ElementType::f16);
    loopBody = graph.addRegion();
    MuValue xt =
        graph.addLoad(loopBody, xa, {kReplica}, {blocks}, {1}, {loops});
    MuValue wt = graph.addLoad(loopBody, wa, {1}, {blocks}, {0}, {loops});
    MuValue product = addOp(graph, loopBody, OpKind::Matmul, {xt, wt});
    MuValue sum =
        graph.addAccumulate(loopBody, AccumulateKind::Sum, product, loops);
    graph.setResults(loopBody, {sum});
    MuValue total = graph.addLoop(body, loops, loopBody)[0];
    MuValue last = addOp(graph, body, after, {total}, ElementType::f16);
    graph.setResults(body, {graph.addStore(body, last, {1}, {blocks})});
    read = x;
    OpAttributes ends;
    ends.offsets = {0, 0};
    if (rows < m) {
      ends.sizes = {m - rows, 0};
      ends.scalar = fill;
      read = addOp(graph, 0, OpKind::Pad, {x}, ElementType::f16, ends);
    }
    result = graph.addGraph(0, {read, w}, {blocks}, body)[0];
    if (rows < m) {
      ends.sizes = {rows, n};
      ends.strides = {1, 1};
      result = addOp(graph, 0, OpKind::Slice, {result}, ElementType::f16, ends);
    }
    graph.setResults(0, {result});
  }

  KernelSummary summarize() const {
    return mirage::summarize(graph).front().summary;
  }
};

} // namespace mirage

#endif // MIRAGE_UNITTESTS_ANALYSIS_COST_COSTGRAPHS_H
