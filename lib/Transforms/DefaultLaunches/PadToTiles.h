//===- PadToTiles.h - Tensors of whole tiles --------------------*- C++ -*-===//
//
// Makes tensors larger, so that tiles divide them, and takes what there was.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_PADTOTILES_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_PADTOTILES_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mirage {

/// Returns the value with zeros at the ends of its dimensions, so that it has
/// this type.
mlir::Value createPad(mlir::OpBuilder &builder, mlir::Value value,
                      mlir::RankedTensorType type);

/// Returns the beginning of a value, which is as large as this type.
mlir::Value createSlice(mlir::OpBuilder &builder, mlir::Value value,
                        mlir::RankedTensorType type);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_PADTOTILES_H
