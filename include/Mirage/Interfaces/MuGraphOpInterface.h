//===- MuGraphOpInterface.h - Operators of µGraphs --------------*- C++ -*-===//
//
// Declares MuGraphOpInterface; see MuGraphOpInterface.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H
#define MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H

#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Semantics/Primitive.h"
#include "mlir/IR/OpDefinition.h"

#include "Mirage/Interfaces/MuGraphOpInterface.h.inc"

namespace mirage {

/// The class of any operation as a primitive: opaque where it is no compute
/// operator, nothing where it is one that fission takes apart.
std::optional<PrimitiveClass> getPrimitiveClass(mlir::Operation *op);

} // namespace mirage

#endif // MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H
