//===- TransformRules.h - The rules of TransformRules.td --------*- C++ -*-===//
//
// Declares the rules of mirage-transform-graphs, and of the alternatives that
// mirage-superoptimize chooses among.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_TRANSFORMRULES_H
#define MIRAGE_TRANSFORMS_TRANSFORMRULES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "llvm/ADT/MapVector.h"

namespace mirage {

/// Adds all rules. Each has its name as a debug label, without what follows an
/// underscore.
void populateTransformRules(mlir::RewritePatternSet &rules);

/// The patterns of each rule, by its name; names are sorted.
using TransformRules =
    llvm::MapVector<llvm::StringRef, mlir::FrozenRewritePatternSet>;
TransformRules getTransformRules(mlir::MLIRContext *context);

/// The rules by which factors become part of weights. What they make never
/// takes longer than what they are applied to, as TransformRules.td says.
inline constexpr llvm::StringLiteral kWeightRules[] = {
    "NormWeight", "ScaledColumns", "ScaledInput"};

/// Applies a rule wherever it can be applied, as often as it can be. What
/// several operators read and would be made for each of them is there once.
/// Returns whether that has changed something.
bool applyTransformRule(const mlir::FrozenRewritePatternSet &rule,
                        mlir::func::FuncOp function);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_TRANSFORMRULES_H
