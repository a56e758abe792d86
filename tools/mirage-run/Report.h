//===- Report.h - What mirage-run prints ------------------------*- C++ -*-===//
//
// Prints summaries of tensors, and comparisons of results with reference
// results.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MIRAGE_RUN_REPORT_H
#define MIRAGE_TOOLS_MIRAGE_RUN_REPORT_H

#include "Mirage/Interpreter/TensorValue.h"
#include "llvm/Support/raw_ostream.h"

namespace mirage {

/// Prints one line: name, type, sum, hash of the stored bytes, extrema (of what
/// is no NaN), numbers of NaNs and infinities.
void printSummary(llvm::raw_ostream &os, llvm::StringRef name,
                  const TensorValue &value);

/// The distance of results from a reference. A NaN on either side is an
/// infinite error, and so is an infinity that the other side does not have.
struct Difference {
  double maxAbsolute = 0;
  /// maxAbsolute divided by the largest finite magnitude of the reference.
  double maxRelative = 0;
  /// The norm of the difference divided by the norm of the reference
  /// (Frobenius).
  double frobenius = 0;
};
Difference compare(const TensorValue &value, const TensorValue &reference);
void printDifference(llvm::raw_ostream &os, llvm::StringRef name,
                     const Difference &difference);

/// The position of results within the error bounds of a reference.
struct BoundReport {
  double worstError = 0;
  /// The largest ratio of an error and its bound.
  double worstRatio = 0;
  /// The numbers of elements beyond their bound, and of those that have none.
  int64_t violations = 0, unbounded = 0;
  int64_t size = 0;
};
BoundReport checkBounds(const TensorValue &value, const TensorValue &bounded);
void printBounds(llvm::raw_ostream &os, llvm::StringRef name,
                 const BoundReport &report);

} // namespace mirage

#endif // MIRAGE_TOOLS_MIRAGE_RUN_REPORT_H
