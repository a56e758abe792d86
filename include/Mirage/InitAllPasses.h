//===- InitAllPasses.h - Registration of all passes -------------*- C++ -*-===//
//
// Registers Mirage's passes and pipelines for tools, for the plugin and for
// embedding compilers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INITALLPASSES_H
#define MIRAGE_INITALLPASSES_H

#include "Mirage/Analysis/Passes.h"
#include "Mirage/Conversion/Passes.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {

/// Registers every pass and pass pipeline of Mirage.
inline void registerAllPasses() {
  // The pass by its name knows the lowering, too, as pipelines give it, so that
  // a reproducer of one can be run again. The first registration counts.
  mlir::registerPass([] {
    return createTuneLaunches({}, buildKernelsPipeline);
  });
  registerMirageAnalysisPasses();
  registerMirageTransformsPasses();
  registerMirageConversionPasses();
  registerPipelines();
}

} // namespace mirage

#endif // MIRAGE_INITALLPASSES_H
