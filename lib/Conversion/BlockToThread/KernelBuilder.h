//===- KernelBuilder.h - Block graphs to thread operations ------*- C++ -*-===//
//
// Builds the body of one gpu.func kernel from a launch or from a pre-defined
// kernel operator.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELBUILDER_H
#define MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELBUILDER_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace mirage {

/// The memref that holds a tensor of this type in device memory.
mlir::MemRefType getDeviceBufferType(mlir::Type tensor);

/// The extents and shared memory with which a kernel is launched.
struct KernelShape {
  llvm::SmallVector<int64_t, 3> grid = {1, 1, 1};
  int64_t threads = 0;
  int64_t sharedMemoryBytes = 0;
};

/// Where a launch's operands and then its results begin in their buffers, which
/// may hold larger tensors of the same rank: an offset for each dimension, or
/// none where the buffer is the tensor's own.
using LaunchOffsets = llvm::SmallVector<llvm::SmallVector<int64_t, 4>>;

/// Fills `function`, whose arguments are the buffers of the launch's operands
/// and then of its results.
llvm::FailureOr<KernelShape> buildLaunchKernel(mlir::gpu::GPUFuncOp function,
                                               kernel::LaunchOp launch,
                                               const LaunchOffsets &offsets,
                                               int64_t threads);

/// Does the same for a pre-defined kernel operator.
KernelShape buildOperatorKernel(mlir::gpu::GPUFuncOp function,
                                mlir::Operation *op, int64_t threads);

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_BLOCKTOTHREAD_KERNELBUILDER_H
