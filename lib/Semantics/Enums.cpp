//===- Enums.cpp - Enumerations shared by semantics and dialects ----------===//
//
// Defines the names of the enums' cases, which need no IR.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Enums.h"
#include "llvm/ADT/StringSwitch.h"

#include "Mirage/Semantics/Enums.cpp.inc"
