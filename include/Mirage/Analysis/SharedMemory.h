//===- SharedMemory.h - Shared memory of a block graph ----------*- C++ -*-===//
//
// Places the tensors of a block graph in shared memory: each from its
// definition to its last use, in bytes that no tensor alive at the same time
// has. A chain of elementwise operators is computed as a whole, and its result
// takes the bytes of a tensor that it is the last to read, where one has as
// many. The verifier refuses what does not fit, the lowering uses the offsets,
// so that the two agree.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_SHAREDMEMORY_H
#define MIRAGE_ANALYSIS_SHAREDMEMORY_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Semantics/PlaceTensors.h"
#include "Mirage/Semantics/Target.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace mirage {

struct SharedMemoryPlan {
  /// Byte offset of every tensor that lives in shared memory. For an
  /// accumulator, and for the shift that a rescaled sum keeps, the buffer is
  /// that of the loop's result.
  llvm::MapVector<mlir::Value, int64_t> offsets;
  /// Running maxima that rescaled sums keep beside their result, by the loop's
  /// result.
  llvm::MapVector<mlir::Value, int64_t> runningMaxima;
  /// Operators that the one operator which reads their result computes for each
  /// of its own elements, so that they have no bytes: both are elementwise
  /// operators or reshapes of one block of operations, and have results of as
  /// many elements. What they read is alive until that operator has ended.
  llvm::DenseSet<mlir::Operation *> computedByUser;
  /// Bytes in use at the worst moment, alignment included.
  int64_t bytes = 0;
};

/// Returns whether this is a constant that needs no storage: the same value
/// everywhere, and used only by operators that compute element by element.
bool isImmediate(mlir::Operation *op);

/// Returns what adds a product of matrices up, where its terms are added to the
/// sum at once, so that the product has no storage: nothing else reads it, and
/// the sum has its type.
block::AccumulateOp getSumInPlace(mlir::Operation *product);

/// Returns the accumulator of a loop's result that puts tiles together where
/// stores are all that read the result. Each iteration stores its tile in
/// device memory then, and the result has no storage.
block::AccumulateOp getStoredByIterations(mlir::Value value);

SharedMemoryPlan planSharedMemory(kernel::LaunchOp launch);

/// Constraint launch_c6: emits an error with both numbers in bytes where the
/// launch needs more shared memory per block than the target has.
llvm::LogicalResult checkSharedMemory(kernel::LaunchOp launch,
                                      const TargetDescription &target);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_SHAREDMEMORY_H
