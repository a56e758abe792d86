//===- FunctionSearch.h - The searches for a function -----------*- C++ -*-===//
//
// Searches for a function as a whole, then for its pieces.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_FUNCTIONSEARCH_H
#define MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_FUNCTIONSEARCH_H

#include "InterruptGuard.h"
#include "Mirage/Search/KernelGraphs/KernelGraphs.h"
#include "Mirage/Transforms/DescribeProgress.h"
#include "ResumeFile.h"
#include "SearchSubject.h"

namespace mirage {

/// The results of the searches for a function.
struct SearchOutcome {
  /// The search for the function as a whole, if the search can take it.
  search::SearchResult whole;
  search::KernelGraphResult pieces;

  bool wasCut() const { return whole.wasCut() || pieces.wasCut(); }
  /// Returns true if a search could take the function or a part of it.
  bool isSupported(const SearchSubject &subject) const {
    return subject.task || pieces.searched;
  }
};

/// Searches for a function. Shows on stderr how far it is if `interrupt` is
/// active: whoever may interrupt the search wants to know. Fails with an error
/// if the state in the file is not one of these searches.
mlir::FailureOr<SearchOutcome>
searchFunction(mlir::func::FuncOp function, const SearchSubject &subject,
               const search::KernelGraphOptions &options,
               const InterruptGuard &interrupt, ResumeFile &file,
               const SearchPlace &place);

} // namespace mirage

#endif // MIRAGE_LIB_TRANSFORMS_SUPEROPTIMIZE_FUNCTIONSEARCH_H
