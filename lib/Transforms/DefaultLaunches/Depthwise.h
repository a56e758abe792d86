//===- Depthwise.h - Launches of depthwise convolutions ---------*- C++ -*-===//
//
// Makes what a block computes of a convolution that filters each channel by
// itself: a few rows of the image and some channels.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_DEPTHWISE_H
#define MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_DEPTHWISE_H

#include "OperatorGroups.h"

namespace mirage {

/// Returns the tile of a convolution that launches compute directly: one of
/// f16, bf16 or f32 with channels last, of which each has a filter of its own.
/// Rows of the tile are columns of the image, all of them, its matrices are the
/// image's rows, and its columns are channels. There is no tile where channels
/// are no whole accesses of 16 bytes, or rows have no room in a block.
std::optional<ProductTile> chooseDepthwiseTile(kernel::Conv2dOp op,
                                               const TargetDescription &target);

/// Emits before a launch what it reads: for each block's rows of the image a
/// window of the input, and the filters.
llvm::SmallVector<mlir::Value, 2>
createDepthwiseOperands(mlir::OpBuilder &builder, kernel::Conv2dOp op,
                        const ProductTile &tile);

/// Emits a block's part of the convolution, whose grid and first two arguments
/// the body has.
mlir::Value buildDepthwise(mlir::Block &body, const OperatorGroup &group,
                           const GroupAxes &axes, const GroupTiling &tiling);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_DEFAULTLAUNCHES_DEPTHWISE_H
