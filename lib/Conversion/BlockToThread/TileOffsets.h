//===- TileOffsets.h - Where the tiles of blocks begin ----------*- C++ -*-===//
//
// Emits the offsets of tiles in the tensors that a launch reads and writes, and
// in the buffers that these are parts of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_TILEOFFSETS_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_TILEOFFSETS_H

#include "KernelBuilder.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"

namespace mirage {

/// Returns where the tile of a load begins in its source, in the block with
/// these numbers. `getIteration` returns the iteration for a loop's variable.
llvm::SmallVector<mlir::Value>
getLoadOffsets(mlir::OpBuilder &builder, block::LoadOp load,
               llvm::ArrayRef<mlir::Value> blockIds,
               llvm::function_ref<mlir::Value(mlir::Value)> getIteration);

/// Returns where a tile of windows begins in the buffer as which the tensor is
/// read that they are of, given where it begins in the concatenation of them.
/// The tile lies in one window. Offsets are negative where it begins beside the
/// tensor.
llvm::SmallVector<mlir::Value>
getWindowOffsets(mlir::OpBuilder &builder, mlir::Location loc,
                 const TensorWindows &windows,
                 llvm::ArrayRef<mlir::Value> tileOffsets);

/// Adds to a tile's offsets where the tensor begins in its buffer: operand or
/// result `number` of the launch, counted in this order. If its parts have
/// buffers of their own, the offsets become those in the buffer of the part
/// that the tile lies in, and the number of the part is returned.
mlir::Value addBufferOffsets(mlir::OpBuilder &builder, mlir::Location loc,
                             const LaunchPlaces &places, size_t number,
                             llvm::SmallVectorImpl<mlir::Value> &offsets);

/// Returns the buffer that an operand or a result lies in, of the kernel's
/// parameters. `part` is what addBufferOffsets returned.
mlir::Value getBufferOf(mlir::OpBuilder &builder, mlir::Location loc,
                        const LaunchPlaces &places, size_t number,
                        mlir::ValueRange parameters, mlir::Value part);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_TILEOFFSETS_H
