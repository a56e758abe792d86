//===- MuGraphOpInterface.h - Operators of µGraphs --------------*- C++ -*-===//
//
// Declares MuGraphOpInterface; see MuGraphOpInterface.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H
#define MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H

#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/IR/OpDefinition.h"

#include "Mirage/Interfaces/MuGraphOpInterface.h.inc"

#endif // MIRAGE_INTERFACES_MUGRAPHOPINTERFACE_H
