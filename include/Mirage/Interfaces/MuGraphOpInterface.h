//===- MuGraphOpInterface.h - Operators of µGraphs --------------*- C++ -*-===//
//
// Declares MuGraphOpInterface and ComputeOpInterface; see
// MuGraphOpInterface.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H
#define MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H

#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Semantics/Primitive.h"
#include "mlir/IR/OpDefinition.h"

#include "Mirage/Interfaces/MuGraphOpInterface.h.inc"

namespace mirage {

/// Returns true if the operation is an operator of another dialect than the
/// three levels' that says what it computes.
bool isCustomOperator(mlir::Operation *op);

/// Returns true if the operation is an operator of kernel graphs: one of
/// mirage_kernel or a custom one.
bool isKernelOperator(mlir::Operation *op);

/// Returns the class of any operation as a primitive: opaque where it is no
/// operator, nothing where fission takes it apart.
std::optional<PrimitiveClass> getPrimitiveClass(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H
