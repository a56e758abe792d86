//===- Passes.h - Programs made smaller -------------------------*- C++ -*-===//
//
// Declares the pass of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_REDUCE_PASSES_H
#define MIRAGE_REDUCE_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mirage {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Mirage/Reduce/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_REDUCE_PASSES_H
