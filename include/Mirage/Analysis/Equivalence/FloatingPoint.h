//===- FloatingPoint.h - Equivalence in floating point ----------*- C++ -*-===//
//
// What the laws of exact arithmetic don't say of two programs: how large their
// errors are in the precision they would run in; and, for programs that differ,
// inputs for which floats show it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FLOATINGPOINT_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FLOATINGPOINT_H

#include "Mirage/Semantics/OpAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace mirage {

struct FloatingPointOptions {
  uint64_t seed = 0;
  /// The candidate's error may be so many times the original's.
  double factor = 16;
  /// Scalar operations that may be spent, about: kinds of inputs beyond the
  /// first are left out where they would exceed it.
  double work = 1e10;
};

/// Errors for one kind of inputs: the largest over all elements of a result,
/// relative to the result's largest element, against the original in float64.
struct FloatingPointErrors {
  llvm::StringRef inputs;
  double lhs = 0, rhs = 0;
};

struct FloatingPointReport {
  std::vector<FloatingPointErrors> errors;
  /// False if the candidate is refused as numerically unstable; `reason` says
  /// with which figures.
  bool isStable = true;
  std::string reason;
};

/// Both programs in the precision they are written in, against `lhs` in
/// float64, on normal, large, cancellation-prone and constant inputs. The
/// functions must be what the interpreter executes.
FloatingPointReport checkFloatingPoint(mlir::func::FuncOp lhs,
                                       mlir::func::FuncOp rhs,
                                       const FloatingPointOptions &options);

struct FloatDifference {
  unsigned result = 0;
  Shape index;
  /// In float64.
  double lhs = 0, rhs = 0;
  llvm::StringRef inputs;
};

/// An element in which the programs differ by more than rounding in float64
/// can account for, if random inputs show one.
std::optional<FloatDifference>
findFloatDifference(mlir::func::FuncOp lhs, mlir::func::FuncOp rhs,
                    const FloatingPointOptions &options);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FLOATINGPOINT_H
