//===- Operators.h - Operations as operators of the table -------*- C++ -*-===//
//
// An operation stands for an operator of the semantics table: Mirage's compute
// operations do, and those of arith and tensor that surround them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_IR_OPERATORS_H
#define MIRAGE_LIB_MUGRAPH_IR_OPERATORS_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"
#include "mlir/IR/Operation.h"

namespace mirage {

/// The operator that a compute operation of a program stands for.
struct Operator {
  OpKind kind;
  OpAttributes attributes;
  /// Element type of the results.
  ElementType type;
  /// The result's shape where the operation drops dimensions of size one.
  std::optional<Shape> resultShape;
};

/// The operator of a compute operation, or an error at it.
mlir::FailureOr<Operator> getOperator(mlir::Operation *op);

/// Emits "the interpreter does not execute 'x.y'" at `op`.
mlir::InFlightDiagnostic emitNotExecuted(mlir::Operation *op);

/// Fails with an error at `op` if its operands or results are no values of a
/// µGraph.
mlir::LogicalResult checkTypes(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_IR_OPERATORS_H
