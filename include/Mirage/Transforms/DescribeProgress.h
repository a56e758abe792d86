//===- DescribeProgress.h - Where a search is, in words ---------*- C++ -*-===//
//
// Declares the text of a search's progress line.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H
#define MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H

#include "Mirage/Search/Superoptimizer.h"

namespace mirage {

/// Says which search of a module's searches one is.
struct SearchPlace {
  /// The function that is searched for, without @.
  llvm::StringRef function;
  /// The number of other functions that are equal to it and share the search.
  size_t equal = 0;
  /// The search's number, from one, and how many there are.
  size_t number = 1, total = 1;
};

/// Returns a text such as "1/3 @f (+2 equal): one kernel 12/80, 48210 states
/// (96420/s), ...".
std::string describe(const SearchPlace &place,
                     const search::SearchProgress &progress);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H
