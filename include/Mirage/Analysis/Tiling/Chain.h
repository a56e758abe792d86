//===- Chain.h - Chains of products -----------------------------*- C++ -*-===//
//
// Programs that tiling expressions are for: A B1 B2 ... Bp, with operators that
// work element by element, and softmax along the rows, after the products.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_TILING_CHAIN_H
#define MIRAGE_ANALYSIS_TILING_CHAIN_H

#include "Mirage/Analysis/Tiling/Schedule.h"
#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::tiling {

/// A chain without its operators: what spaces, rules and models need.
struct ChainShape {
  /// Independent instances: the product of the dimensions before rows.
  int64_t batch = 1;
  /// Elements along each loop.
  llvm::SmallVector<int64_t, 6> sizes;
  /// Bytes of an element, as the program stores them: those of A; those of each
  /// product's right operand; and those of each result as its consumer reads
  /// it, or as it is stored.
  int64_t lhsBytes = 2;
  llvm::SmallVector<int64_t, 4> rhsBytes, resultBytes;
  /// The products that softmax follows.
  llvm::BitVector normalized;
  /// Grid dimensions that batches leave for rows and columns.
  unsigned freeGridDims = 3;

  unsigned getNumProducts() const { return sizes.size() - 2; }
  unsigned getNumLoops() const { return sizes.size(); }
  ScheduleProblem getScheduleProblem(llvm::ArrayRef<int64_t> tiles) const;
};

/// One product and what follows it.
struct ChainProduct {
  /// The product's node in the program.
  unsigned node = 0;
  MuValue rhs = 0;
  bool transposeRhs = false, tf32 = false;
  /// Nodes after the product, in order, and after softmax if there is one.
  /// Operators with two operands have a constant besides.
  llvm::SmallVector<unsigned, 2> operators, afterSoftmax;
  std::optional<unsigned> softmax;
};

struct Chain {
  /// The program; its only result is the chain's.
  MuGraph program;
  MuValue lhs = 0;
  bool transposeLhs = false;
  std::vector<ChainProduct> products;
  /// Dimensions of the result before rows.
  Shape batch;
  ChainShape shape;
};

/// Returns whether all tilings of the chain have equal results for inputs of
/// -1, 0 and 1: products are sums of integers which no type of the program
/// rounds, so that their order does not matter, and what stands after a product
/// rounds an integer to another.
bool hasExactSums(const Chain &chain);

/// The chain that a program of kernel operators is. If it is none, the result
/// is nothing, and the error says why not; `location` is that of the node
/// (MuNode::location) that does not belong to a chain, if there is such a node.
std::optional<Chain> readChain(const MuGraph &program, std::string &error,
                               std::optional<unsigned> &location);

} // namespace mirage::tiling

#endif // MIRAGE_ANALYSIS_TILING_CHAIN_H
