//===- Report.h - What mirage-run prints ------------------------*- C++ -*-===//
//
// Summaries of tensors, and comparisons of results with reference results.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_RUN_REPORT_H
#define MIRAGE_TOOLS_MIRAGE_RUN_REPORT_H

#include "Mirage/Interpreter/TensorValue.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

/// One line: name, type, sum, hash of the stored bytes, extrema (of what is no
/// NaN), numbers of NaNs and infinities.
void printSummary(llvm::raw_ostream &os, llvm::StringRef name,
                  const TensorValue &value);

/// How far results are from a reference. A NaN on either side is an infinite
/// error, and so is an infinity that the other side does not have.
struct Difference {
  double maxAbsolute = 0;
  /// maxAbsolute over the largest finite magnitude of the reference.
  double maxRelative = 0;
  /// Norm of the difference over the norm of the reference (Frobenius).
  double frobenius = 0;
};
Difference compare(const TensorValue &value, const TensorValue &reference);
void printDifference(llvm::raw_ostream &os, llvm::StringRef name,
                     const Difference &difference);

/// How results lie within the error bounds of a reference.
struct BoundReport {
  double worstError = 0;
  /// Largest ratio of an error and its bound.
  double worstRatio = 0;
  /// Elements beyond their bound, and elements that have none.
  int64_t violations = 0, unbounded = 0;
  int64_t size = 0;
};
BoundReport checkBounds(const TensorValue &value, const TensorValue &bounded);
void printBounds(llvm::raw_ostream &os, llvm::StringRef name,
                 const BoundReport &report);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_RUN_REPORT_H
