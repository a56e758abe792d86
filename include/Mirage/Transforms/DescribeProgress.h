//===- DescribeProgress.h - Where a search is, in words ---------*- C++ -*-===//
//
// Declares the texts of progress lines.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H
#define MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H

#include "Mirage/Search/Superoptimizer.h"

namespace mirage {

/// Says where in a module a search is.
struct SearchPlace {
  /// The function that is searched for, without @.
  llvm::StringRef function;
  /// The number of other functions that are equal to it and share the search.
  size_t equal = 0;
  /// The number, from one, of the first function that gets the search's result,
  /// and how many functions there are.
  size_t number = 1, total = 0;
  /// Microseconds of the function as it is.
  double originalMicroseconds = 0;
};

/// Returns a text such as "1/3 @f: best 3.20/11.50 us, 22.1 s; one kernel
/// 12/80, 2 equal, 14 found, 48.2k states": the number of the function, the
/// best time by the cost model and the one of the function as it is, and the
/// seconds that have passed. It has at most 79 characters; what does not fit is
/// left out.
std::string describe(const SearchPlace &place,
                     const search::SearchProgress &progress);

/// Returns a text such as "12/80 launches, 22.1 s; 7 ways of one of @f":
/// the number, from one, of a launch that is tuned, the seconds that have
/// passed, and how many ways to execute the launch were tried, if any. It has
/// at most 79 characters.
std::string describeTuning(llvm::StringRef function, size_t number,
                           size_t total, double seconds, size_t ways = 0);

/// Returns a text such as "12/80 kernels to NVVM, 1.2 s" of a stage of the
/// lowering.
std::string describeStage(llvm::StringRef stage, size_t number, size_t total,
                          double seconds);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H
