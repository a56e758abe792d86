//===- Reductions.h - Small changes that keep programs legal ----*- C++ -*-===//
//
// Declares what mirage-reduce tries on operations. None of them keeps what a
// program computes, and all of them keep it legal: an operation that obeys the
// constraints of its dialect becomes something smaller that does, too.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_REDUCE_REDUCTIONS_H
#define MIRAGE_REDUCE_REDUCTIONS_H

#include "mlir/IR/PatternMatch.h"

namespace mirage {

/// A change of one operation. It may erase or replace the operation, what is
/// inside of it, and change its users and its terminator; it erases nothing
/// else.
struct Reduction {
  llvm::StringLiteral name;
  bool (*change)(mlir::Operation *op, mlir::RewriterBase &rewriter);

  /// Returns whether the operation was changed. A launch around it loses a
  /// schedule that no longer fits.
  bool apply(mlir::Operation *op, mlir::RewriterBase &rewriter) const;
};

/// All reductions, those first that usually leave least.
llvm::ArrayRef<Reduction> getReductions();

} // namespace mirage

#endif // MIRAGE_REDUCE_REDUCTIONS_H
