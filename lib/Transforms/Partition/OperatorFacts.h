//===- OperatorFacts.h - What partitioning asks of operations ---*- C++ -*-===//
//
// Says whether an operation can be in a subprogram, and what it adds to one. A
// custom operator counts as its meaning does.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_PARTITION_OPERATORFACTS_H
#define MIRAGE_LIB_TRANSFORMS_PARTITION_OPERATORFACTS_H

#include "mlir/IR/Operation.h"

namespace mirage {

struct OperatorFacts {
  /// The reason why the operation can be in no part, or nothing if it can.
  std::optional<llvm::StringRef> obstacle;
  /// The largest number of exponentials on a path through it.
  unsigned exponentials = 0;
  /// The number of operators that it counts for; layout operators and casts
  /// count for none.
  unsigned size = 0;
};

/// `functionsMayMove` is the opposite of the pass's option `strict`. Fails with
/// an error if the operation is a custom operator that has no meaning.
mlir::FailureOr<OperatorFacts> getOperatorFacts(mlir::Operation *op,
                                                bool functionsMayMove);

/// Returns true if an operation must keep its place among others: custom
/// operators have no side effects, also where they do not say so.
bool hasSideEffects(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_PARTITION_OPERATORFACTS_H
