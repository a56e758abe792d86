//===- ProductTiles.h - Tiles of pre-defined products -----------*- C++ -*-===//
//
// Lists the tiles that blocks may make of a product.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_PRODUCTTILES_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_PRODUCTTILES_H

#include "Mirage/Semantics/ProductDims.h"
#include "OperatorGroups.h"

namespace mirage {

/// Returns true if launches compute products of these types.
bool hasLaunch(kernel::MatmulOp op);

/// Returns the tiles of a product. A launch must be legal before it has a
/// schedule, so what a block accumulates has room in its shared memory.
llvm::SmallVector<ProductTile> getTiles(kernel::MatmulOp op,
                                        const TargetDescription &target);

/// Returns the type of a product's operand with whole tiles.
mlir::RankedTensorType getPaddedOperand(kernel::MatmulOp op,
                                        const ProductTile &tile,
                                        ProductOperand operand);

/// Returns the type of its result with whole tiles.
mlir::RankedTensorType getPaddedResult(kernel::MatmulOp op,
                                       const ProductTile &tile);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_PRODUCTTILES_H
