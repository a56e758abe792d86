//===- TransformRules.h - The rules of TransformRules.td --------*- C++ -*-===//
//
// Declares the rules of mirage-transform-graphs.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_TRANSFORMRULES_H
#define MIRAGE_TRANSFORMS_TRANSFORMRULES_H

#include "mlir/IR/PatternMatch.h"

namespace mirage {

/// Adds all rules. Each has its name as a debug label, without what follows an
/// underscore.
void populateTransformRules(mlir::RewritePatternSet &rules);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_TRANSFORMRULES_H
