//===- CloneMuGraph.h - Copies of µGraphs -----------------------*- C++ -*-===//
//
// These functions copy whole graphs into others, and what matters of a graph.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_CLONEMUGRAPH_H
#define MIRAGE_MUGRAPH_CLONEMUGRAPH_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

/// Adds the nodes of `graph` at the end of a region of `to`, with these values
/// for its arguments, and returns its results there. Locations are kept.
llvm::SmallVector<MuValue> cloneInto(MuGraph &to, unsigned region,
                                     const MuGraph &graph,
                                     llvm::ArrayRef<MuValue> inputs);

/// Adds one node of `graph`, with what is inside of it, at the end of a region
/// of `to`, with these values for its operands, and returns its results there.
llvm::SmallVector<MuValue> cloneNode(MuGraph &to, unsigned region,
                                     const MuGraph &graph, unsigned node,
                                     llvm::ArrayRef<MuValue> operands);

/// The graph without what no result needs: nodes at all levels, results of
/// graphs and loops, operands of graphs. The function keeps its arguments, and
/// values, nodes and regions are numbered anew, in order.
MuGraph eraseDeadNodes(const MuGraph &graph);

/// The graph without what no result needs and without what it computes twice:
/// of loads, operators and accumulators at one place that say the same about
/// the same values, the first one stays, and so it is for the results of loops.
/// Stores stay, as each gives a tensor of its own.
MuGraph mergeEqualNodes(const MuGraph &graph);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_CLONEMUGRAPH_H
