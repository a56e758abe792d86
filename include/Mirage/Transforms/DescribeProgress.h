//===- DescribeProgress.h - Where a search is, in words ---------*- C++ -*-===//
//
// Declares the text of a search's progress line.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H
#define MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H

#include "Mirage/Search/Superoptimizer.h"

namespace mirage {

/// Returns a text such as "@f: one kernel 12/80, 48210 states (96420/s), ...".
std::string describe(llvm::StringRef function,
                     const search::SearchProgress &progress);

} // namespace mirage

#endif // MIRAGE_TRANSFORMS_DESCRIBEPROGRESS_H
