//===- Passes.h - Passes within Mirage's dialects ---------------*- C++ -*-===//
//
// Declares the passes of Passes.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_PASSES_H
#define MIRAGE_TRANSFORMS_PASSES_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Transforms/TilingMeasure.h"
#include "mlir/Pass/Pass.h"

namespace mirage {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Mirage/Transforms/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_PASSES_H
