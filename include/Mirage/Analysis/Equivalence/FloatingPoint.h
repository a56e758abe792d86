//===- FloatingPoint.h - Equivalence in floating point ----------*- C++ -*-===//
//
// What the laws of exact arithmetic don't say of two programs: how large their
// errors are in the precision they would run in; and, for programs that differ,
// inputs for which floats show it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FLOATINGPOINT_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FLOATINGPOINT_H

#include "Mirage/MuGraph/MuGraph.h"
#include <string>

namespace mirage {

struct FloatingPointOptions {
  uint64_t seed = 0;
  /// The candidate's error may be so many times the original's.
  double factor = 16;
  /// Scalar operations that may be spent on one kind of inputs, about. A pair
  /// that needs more is run with fewer rows, columns, heads: all that nothing
  /// is summed over is made small (ShrinkPair.h).
  double work = 1e9;
};

/// Errors for one kind of inputs: the largest over all elements of a result,
/// relative to the result's largest element, against the original in float64.
struct FloatingPointErrors {
  llvm::StringRef inputs;
  double lhs = 0, rhs = 0;
};

struct FloatingPointReport {
  std::vector<FloatingPointErrors> errors;
  /// Whether the pair was run at smaller extents.
  bool isShrunk = false;
  /// False if the candidate is refused as numerically unstable; `reason` says
  /// with which figures.
  bool isStable = true;
  std::string reason;
};

/// Both programs in the precision they are written in, against `lhs` in
/// float64, on normal, large, cancellation-prone and constant inputs. The
/// graphs have inputs and results of the same shapes.
FloatingPointReport checkFloatingPoint(const MuGraph &lhs, const MuGraph &rhs,
                                       const FloatingPointOptions &options);

struct FloatDifference {
  unsigned result = 0;
  Shape index;
  /// In float64.
  double lhs = 0, rhs = 0;
  llvm::StringRef inputs;
  /// Whether `index` is one of the pair at smaller extents.
  bool isShrunk = false;
};

/// An element in which the programs differ by more than rounding in float64
/// can account for, if random inputs show one.
std::optional<FloatDifference>
findFloatDifference(const MuGraph &lhs, const MuGraph &rhs,
                    const FloatingPointOptions &options);

} // namespace mirage

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FLOATINGPOINT_H
