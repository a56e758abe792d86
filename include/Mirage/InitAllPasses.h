//===- InitAllPasses.h - Registration of all passes -------------*- C++ -*-===//
//
// Registers Mirage's passes and pipelines for tools and embedding compilers.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INITALLPASSES_H
#define MIRAGE_INITALLPASSES_H

#include "Mirage/Conversion/Passes.h"
#include "Mirage/Pipelines/Pipelines.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {

inline void registerAllPasses() {
  registerMirageTransformsPasses();
  registerMirageConversionPasses();
  registerPipelines();
}

} // namespace mirage

#endif // MIRAGE_INITALLPASSES_H
