//===- OperatorWork.h - Arithmetic of an operator by unit -------*- C++ -*-===//
//
// Divides what an operator computes among the units of an SM.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_COST_OPERATORWORK_H
#define MIRAGE_LIB_ANALYSIS_COST_OPERATORWORK_H

#include "Mirage/Analysis/Cost/KernelSummary.h"

namespace mirage {

/// A product of batch x m x k by batch x k x n elements. `lhs` and `rhs` are
/// positions among the node's operands.
struct Product {
  double batch, m, n, k;
  unsigned lhs, rhs;
  /// Bytes of shared memory that wgmma reads of each operand. Its rows are
  /// those of the operand that fills its shape better. Lanes that multiply by
  /// themselves read more.
  double lhsReads, rhsReads;
  /// True where no tensor core multiplies elements of the type, so that lanes
  /// do, from operands in shared memory.
  bool isOfLanes;
};

/// The products that an operator consists of: those of a matmul or
/// concat_matmul, the product of a convolution's windows, the two of attention.
llvm::SmallVector<Product, 2> getProducts(const MuGraph &graph,
                                          const MuNode &node);

/// Adds what the operator computes `times` times. Without tensor cores its
/// products are multiply-adds.
void addWork(const MuGraph &graph, const MuNode &node, double times,
             bool tensorCores, KernelSummary &summary);

double getBytes(const MuGraph &graph, MuValue value);

} // namespace mirage

#endif // MIRAGE_LIB_ANALYSIS_COST_OPERATORWORK_H
