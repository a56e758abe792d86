//===- OperatorFacts.h - What partitioning asks of operations ---*- C++ -*-===//
//
// Whether an operation can be in a subprogram, and what it adds to one. A
// custom operator is what its meaning is.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_PARTITION_OPERATORFACTS_H
#define MIRAGE_LIB_TRANSFORMS_PARTITION_OPERATORFACTS_H

#include "mlir/IR/Operation.h"

namespace mirage {

struct OperatorFacts {
  /// Why the operation can be in no part, or nothing if it can.
  std::optional<llvm::StringRef> obstacle;
  /// The most exponentials on a path through it.
  unsigned exponentials = 0;
  /// Operators that it counts for; layout operators and casts count for none.
  unsigned size = 0;
};

/// `functionsMayMove` is the opposite of the pass's option `strict`. Fails with
/// an error if the operation is a custom operator of which there is no meaning.
mlir::FailureOr<OperatorFacts> getOperatorFacts(mlir::Operation *op,
                                                bool functionsMayMove);

/// Whether an operation must keep its place among others: custom operators have
/// no side effects, also where they do not say so.
bool hasSideEffects(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_PARTITION_OPERATORFACTS_H
