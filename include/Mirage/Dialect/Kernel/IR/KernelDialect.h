//===- KernelDialect.h - The mirage_kernel dialect --------------*- C++ -*-===//
//
// Declares the dialect and its operations; see KernelOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_KERNEL_IR_KERNELDIALECT_H
#define MIRAGE_DIALECT_KERNEL_IR_KERNELDIALECT_H

#include "Mirage/Dialect/Mirage/IR/MirageDialect.h"
#include "Mirage/Interfaces/GraphOps.h"
#include "Mirage/Interfaces/MuGraphOpInterface.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h.inc"

#define GET_OP_CLASSES
#include "Mirage/Dialect/Kernel/IR/KernelOps.h.inc"

#endif // MIRAGE_DIALECT_KERNEL_IR_KERNELDIALECT_H
