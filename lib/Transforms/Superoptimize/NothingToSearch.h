//===- NothingToSearch.h - Modules without subprograms ----------*- C++ -*-===//
//
// Tells a user why no function of a module is searched for.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_NOTHINGTOSEARCH_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_NOTHINGTOSEARCH_H

#include "mlir/IR/BuiltinOps.h"

namespace mirage {

/// Emits a warning for a module of which no function is marked: what was looked
/// for, what there is instead, and what to do.
void warnOfNothingToSearch(mlir::ModuleOp module);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_NOTHINGTOSEARCH_H
