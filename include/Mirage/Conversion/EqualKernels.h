//===- EqualKernels.h - Operations with one kernel --------------*- C++ -*-===//
//
// Finds operations of a kernel graph that the same kernel computes, on other
// buffers. The layers of a model repeat most of theirs.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_CONVERSION_EQUALKERNELS_H
#define MIRAGE_CONVERSION_EQUALKERNELS_H

#include "Mirage/Analysis/DeviceBuffers.h"

namespace mirage {

/// Returns for each operation of a function that becomes a kernel the first one
/// that the same kernel computes, often itself. Two operations have one kernel
/// if they are equal but for their operands and locations, and if these lie
/// alike in their buffers: the shapes of the buffers, where the tensors begin
/// in them, and which results share a buffer.
llvm::DenseMap<mlir::Operation *, mlir::Operation *>
findEqualKernels(mlir::func::FuncOp function, const DeviceBuffers &plan);

} // namespace mirage

#endif // MIRAGE_CONVERSION_EQUALKERNELS_H
