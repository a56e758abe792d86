//===- Comparison.h - Equality of µGraphs -----------------------*- C++ -*-===//
//
// Compares graphs: they are the same node by node, whatever numbers their
// values, nodes and regions have. Locations don't count. (Whether different
// graphs compute the same is a question for Analysis/Equivalence.)
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_COMPARISON_H
#define MIRAGE_MUGRAPH_COMPARISON_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

/// Returns whether both graphs have the same nodes in the same order.
bool areIdentical(const MuGraph &lhs, const MuGraph &rhs);

/// Returns whether both graphs have the same nodes behind the results, in any
/// order. Other nodes, and arguments that no result needs, don't count. One
/// node is not two nodes that compute the same.
bool areIsomorphic(const MuGraph &lhs, const MuGraph &rhs);

/// Equal for isomorphic graphs, and the same on every machine and in every run.
/// Reads the values of constants once for each node.
uint64_t structuralHash(const MuGraph &graph);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_COMPARISON_H
