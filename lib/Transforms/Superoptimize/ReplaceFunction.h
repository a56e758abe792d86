//===- ReplaceFunction.h - Search results into the module -------*- C++ -*-===//
//
// Writes accepted candidates as functions, and notes what was found.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_REPLACEFUNCTION_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_REPLACEFUNCTION_H

#include "FunctionSearch.h"

namespace mirage {

struct ReplaceOptions {
  /// The number of accepted candidates that the module is to have in the end.
  unsigned keep = 1;
  bool keepOriginal = false;
  /// The options of the search. Where they say so, the original stays if it is
  /// faster with the operators of both fused.
  const search::KernelGraphOptions &search;
  /// The function that was searched for, if it is an equal one.
  mlir::func::FuncOp equalTo = nullptr;
};

/// Puts the best accepted µGraph in place of the function's body if that is
/// faster by the least gain, and the next ones beside it. A remark says what
/// was done, and mirage.superoptimized stands in place of the mark. Returns its
/// verdict.
llvm::StringRef replaceFunction(mlir::func::FuncOp function,
                                const SearchSubject &subject,
                                const SearchOutcome &outcome,
                                const ReplaceOptions &options);

/// Notes that the search cannot take a function.
void noteUnsupported(mlir::func::FuncOp function, llvm::StringRef reason);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_REPLACEFUNCTION_H
