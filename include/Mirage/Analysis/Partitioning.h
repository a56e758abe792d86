//===- Partitioning.h - Cutting a program into subprograms ------*- C++ -*-===//
//
// Groups the operators of a data-flow graph into parts such that parts and
// remaining operators can run one after another, every part is within the
// fragment Lax and of bounded size, and few bytes cross between parts. Knows no
// IR.
//
// Operators are put into linear orders, and dynamic programming cuts an order
// into intervals at the least cost. Intervals of a topological order depend on
// each other in one direction only. Among cuts of the same cost are those at
// equal places of equal layers: equal parts are searched for once.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_PARTITIONING_H
#define MIRAGE_ANALYSIS_PARTITIONING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace mirage {

struct PartitionNode {
  /// Nodes whose results this one needs; they have smaller numbers.
  llvm::SmallVector<unsigned, 4> operands;
  /// Bytes that cross if the result is needed in another part.
  int64_t bytes = 0;
  /// Nodes of the same kind make the same of equal operands.
  uint64_t kind = 0;
  /// Exponentials that it adds to a path.
  unsigned exponentials = 0;
  /// Operators that it counts for; layout operators count for none.
  unsigned size = 1;
  /// Inputs of the program and what no part may contain.
  bool fixed = false;
  /// Says whether the result is needed outside of the graph.
  bool isOutput = false;
};

struct PartitionLimits {
  /// Size of a part, at most. What must not be cut may exceed it.
  unsigned maxSize = 24;
};

/// The part of each node, if it has one; parts are numbered from zero such that
/// they can run in that order. `uncut` lists sets of nodes, none of them fixed,
/// that must share a part. A set that has a path with two exponentials, or with
/// a fixed node, is in no part.
std::vector<std::optional<unsigned>>
partitionGraph(llvm::ArrayRef<PartitionNode> nodes,
               llvm::ArrayRef<llvm::SmallVector<unsigned>> uncut,
               const PartitionLimits &limits = {});

} // namespace mirage

#endif // MIRAGE_ANALYSIS_PARTITIONING_H
