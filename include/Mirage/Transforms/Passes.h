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
#include <functional>

namespace mirage {

/// Adds the passes that bring kernel graphs to launches without composite
/// operators, which schedules are chosen for. With `fuse`, a launch has several
/// operators that stand beside each other.
void buildLaunchesPipeline(mlir::OpPassManager &manager, bool fuse);

/// Adds the passes that make kernels of launches, with loops as scf.for.
using KernelPipeline = std::function<void(mlir::OpPassManager &)>;

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "Mirage/Transforms/Passes.h.inc"

/// The pass mirage-superoptimize, which with its option `fused` also compares
/// the instructions of the kernels that the passes make.
std::unique_ptr<mlir::Pass> createSuperoptimize(SuperoptimizeOptions options,
                                                KernelPipeline kernels);

/// The pass mirage-tune-launches, which needs these passes for
/// measure=instructions.
std::unique_ptr<mlir::Pass> createTuneLaunches(TuneLaunchesOptions options,
                                               KernelPipeline kernels);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_PASSES_H
