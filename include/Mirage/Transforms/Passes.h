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

/// Adds the passes that bring kernel graphs to launches without composite
/// operators, which schedules are chosen for. With `fuse`, a launch has several
/// operators that stand beside each other.
void buildLaunchesPipeline(mlir::OpPassManager &manager, bool fuse);

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Mirage/Transforms/Passes.h.inc"

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_PASSES_H
