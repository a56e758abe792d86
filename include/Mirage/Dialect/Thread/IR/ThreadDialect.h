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

/// Returns true if a buffer is in the shared memory of a block.
bool isInSharedMemory(mlir::MemRefType type);
} // namespace mirage::thread

#endif // MIRAGE_DIALECT_THREAD_IR_THREADDIALECT_H
