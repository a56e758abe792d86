//===- MirageDialect.h - Attributes shared by the three levels --*- C++ -*-===//
//
// Declares the dialect `mirage` and its attributes; see MirageDialect.td.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_MIRAGEDIALECT_H
#define MIRAGE_DIALECT_MIRAGE_IR_MIRAGEDIALECT_H

#include "Mirage/Semantics/Enums.h"
#include "Mirage/Semantics/Target.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/DialectImplementation.h"

#include "Mirage/Dialect/Mirage/IR/MirageDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "Mirage/Dialect/Mirage/IR/MirageAttributes.h.inc"

namespace mirage {

/// Returns the target of the innermost enclosing module that names one, or
/// null.
TargetAttr lookupTarget(mlir::Operation *op);

/// Returns the preset of this chip; the error names those that there are.
mlir::FailureOr<TargetDescription>
parseTargetPreset(llvm::StringRef chip,
                  llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

} // namespace mirage

#endif // MIRAGE_DIALECT_MIRAGE_IR_MIRAGEDIALECT_H
