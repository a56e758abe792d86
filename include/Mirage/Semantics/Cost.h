//===- Cost.h - Arithmetic and traffic of one operator ----------*- C++ -*-===//
//
// Counts what an operator computes and moves, from its kind, attributes and
// shapes alone.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_COST_H
#define MIRAGE_SEMANTICS_COST_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"

namespace mirage {

struct OpCounts {
  /// Additions, multiplications, comparisons and divisions; a product of m x k
  /// by k x n counts 2 m n k.
  int64_t flops = 0;
  /// Evaluations of exp, exp2, tanh and erf on the special-function units.
  int64_t exponentials = 0;
  /// Elements of all operands and results.
  int64_t elementsRead = 0;
  int64_t elementsWritten = 0;
};

/// The counts of an operator whose shapes have passed inferShapes.
OpCounts countOp(OpKind kind, const OpAttributes &attributes,
                 llvm::ArrayRef<Shape> operands);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_COST_H
