//===- TransformOps.h - Mirage in schedules ---------------------*- C++ -*-===//
//
// Declares the operations that Mirage adds to the transform dialect; see
// TransformOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMOPS_TRANSFORMOPS_H
#define MIRAGE_TRANSFORMOPS_TRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpImplementation.h"

#define GET_OP_CLASSES
#include "Mirage/TransformOps/TransformOps.h.inc"

namespace mirage {

/// Adds the operations to the transform dialect of contexts that are made with
/// the registry.
void registerTransformDialectExtension(mlir::DialectRegistry &registry);

} // namespace mirage

#endif // MIRAGE_TRANSFORMOPS_TRANSFORMOPS_H
