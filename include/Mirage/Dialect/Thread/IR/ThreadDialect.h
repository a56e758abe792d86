//===- ThreadDialect.h - The mirage_thread dialect --------------*- C++ -*-===//
//
// Declares the dialect and its operations; see ThreadOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_THREAD_IR_THREADDIALECT_H
#define MIRAGE_DIALECT_THREAD_IR_THREADDIALECT_H

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "Mirage/Schedule/MemoryAccess.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/TensorEncoding.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Mirage/Dialect/Thread/IR/ThreadDialect.h.inc"

namespace mirage::thread {
/// A box in memory that is read, of which some elements may not be there. Who
/// reads it has zeros in their place.
struct SourceBox {
  mlir::MemRefType memory;
  /// The box's first element, an index for each dimension of the memory. The
  /// box's dimensions are the last.
  mlir::ValueRange offsets;
  llvm::ArrayRef<int64_t> sizes;
  /// The number of elements along each dimension that are there, unless they
  /// are beyond the end of memory that clips them.
  llvm::ArrayRef<int64_t> existing;
  /// The dimensions of the box along which the memory may end before it.
  llvm::ArrayRef<int64_t> clipped;

  /// The number of the memory's dimensions that stand before the box's.
  size_t getLeading() const { return offsets.size() - sizes.size(); }
  bool clips(int64_t dim) const { return llvm::is_contained(clipped, dim); }
  /// Returns true if an element may be missing, or may be missing because of
  /// its index along one dimension.
  bool isPadded() const { return existing != sizes || !clipped.empty(); }
  bool isPadded(int64_t dim) const {
    return existing[dim] != sizes[dim] || clips(dim);
  }
  /// Returns true if what exists is a part of the box, and the clipped
  /// dimensions are its own.
  bool hasParts() const;
  /// The number that a run of neighbours must divide which is there or not as a
  /// whole; zero where all elements are there.
  int64_t getRunUnit() const;
};
} // namespace mirage::thread

#define GET_ATTRDEF_CLASSES
#include "Mirage/Dialect/Thread/IR/ThreadAttributes.h.inc"

#define GET_TYPEDEF_CLASSES
#include "Mirage/Dialect/Thread/IR/ThreadTypes.h.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Thread/IR/ThreadOps.h.inc"

namespace mirage::thread {
/// Returns how the elements of a buffer lie in memory; nothing where it has a
/// layout other than strides that are known, from offset zero on, and chunks.
std::optional<MemoryLayout> getMemoryLayout(mlir::MemRefType type);

/// Returns true if the elements of a buffer lie in memory without gaps, from
/// offset zero on, as those of a row-major tensor whose dimensions are these in
/// some order.
bool isDense(mlir::MemRefType type);

/// Returns true if two types are those of one dense buffer under two shapes, or
/// orders of dimensions.
bool areSameElements(mlir::MemRefType a, mlir::MemRefType b);

/// Returns true if a buffer is in the shared memory of a block.
bool isInSharedMemory(mlir::MemRefType type);
} // namespace mirage::thread

#endif // MIRAGE_DIALECT_THREAD_IR_THREADDIALECT_H
