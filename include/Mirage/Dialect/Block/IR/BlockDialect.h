//===- BlockDialect.h - The mirage_block dialect ----------------*- C++ -*-===//
//
// Declares the dialect and its operations; see BlockOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_BLOCK_IR_BLOCKDIALECT_H
#define MIRAGE_DIALECT_BLOCK_IR_BLOCKDIALECT_H

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Mirage/Dialect/Block/IR/BlockDialect.h.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Block/IR/BlockOps.h.inc"

#endif // MIRAGE_DIALECT_BLOCK_IR_BLOCKDIALECT_H
