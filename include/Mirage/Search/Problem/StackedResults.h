//===- StackedResults.h - Results that one store writes ---------*- C++ -*-===//
//
// Parts of a concatenation that no launch can write in place, such as every
// second element of a row, are put together in the block, along an axis of
// their own, and stored as one tensor.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_STACKEDRESULTS_H
#define MIRAGE_SEARCH_PROBLEM_STACKEDRESULTS_H

#include "Mirage/Search/Problem/ProgramViews.h"
#include "Mirage/Search/Problem/SearchProblem.h"

namespace mirage::search {

/// Finds the results of a view whose parts are equally large, have the same
/// axes in the same order, and cannot be written in place. Says so in the
/// view's list of results and in the problem, which is the view's.
void stackResults(ProgramView &view, SearchProblem &problem);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_STACKEDRESULTS_H
