//===- MovedTransposes.h - Transposes behind other operators ----*- C++ -*-===//
//
// Declares what the rules of transformations make of transposes before
// operators that work element by element, and before reductions.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_MOVEDTRANSPOSES_H
#define MIRAGE_LIB_TRANSFORMS_MOVEDTRANSPOSES_H

#include "mlir/IR/Builders.h"

namespace mirage {

/// Returns whether an elementwise operator can be applied before a transpose of
/// what it reads: all operands are transposed so, or can be read in the other
/// order without a kernel, as weights can, and what has one element along all
/// dimensions that move.
bool canMoveTranspose(mlir::Value result, mlir::DenseI64ArrayAttr order);

/// Applies the operator of a result before the transpose.
mlir::Value moveTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value result, mlir::DenseI64ArrayAttr order);

/// Reduces before a transpose of what is reduced.
mlir::Value moveTransposeOfReduced(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value result, mlir::Value input,
                                   mlir::DenseI64ArrayAttr order);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_MOVEDTRANSPOSES_H
