//===- InitAllExtensions.h - Registration of extensions ---------*- C++ -*-===//
//
// Registers what Mirage adds to dialects of upstream. Tools that do not know
// the transform dialect have no use for it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_INITALLEXTENSIONS_H
#define MIRAGE_INITALLEXTENSIONS_H

#include "Mirage/TransformOps/TransformOps.h"

namespace mirage {

/// Adds transform.mirage.superoptimize, .tile and .verify_equivalent.
inline void registerAllExtensions(mlir::DialectRegistry &registry) {
  registerTransformDialectExtension(registry);
}

} // namespace mirage

#endif // MIRAGE_INITALLEXTENSIONS_H
