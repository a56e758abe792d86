//===- Enums.h - Enumerations shared by semantics and dialects --*- C++ -*-===//
//
// Declares the enums of Enums.td with their names.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ENUMS_H
#define MIRAGE_SEMANTICS_ENUMS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/DenseMapInfo.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <optional>

#include "Mirage/Semantics/Enums.h.inc"

#endif // MIRAGE_SEMANTICS_ENUMS_H
