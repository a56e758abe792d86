//===- ReplaceFunction.h - Search results into the module -------*- C++ -*-===//
//
// Accepted candidates as functions, and notes about what was found.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_REPLACEFUNCTION_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_REPLACEFUNCTION_H

#include "Mirage/Search/Superoptimizer.h"
#include "SearchSubject.h"

namespace mirage {

struct ReplaceOptions {
  /// Accepted candidates that the module is to have in the end.
  unsigned keep = 1;
  bool keepOriginal = false;
  /// Of the search, for the note.
  uint64_t seed = 0;
};

/// Puts the best accepted candidate in place of the function's body if it is
/// faster, and the next ones beside it. A remark says what was done, and
/// mirage.superoptimized stands in place of the mark. Returns its verdict.
llvm::StringRef replaceFunction(mlir::func::FuncOp function,
                                const SearchSubject &subject,
                                const search::SearchResult &result,
                                const ReplaceOptions &options);

/// Notes that the search cannot take a function.
void noteUnsupported(mlir::func::FuncOp function, llvm::StringRef reason);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_REPLACEFUNCTION_H
