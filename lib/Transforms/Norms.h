//===- Norms.h - Norms with other weights -----------------------*- C++ -*-===//
//
// Declares what the rules of fission and of transformations make of norms.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_NORMS_H
#define MIRAGE_LIB_TRANSFORMS_NORMS_H

#include "mlir/IR/Builders.h"

namespace mirage {

/// Returns a norm like `norm`, with this weight or none and without a bias.
mlir::Value createWithoutBias(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value norm, mlir::Value weight);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_NORMS_H
