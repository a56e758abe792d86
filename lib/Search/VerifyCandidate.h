//===- VerifyCandidate.h - From candidate to verified µGraph ----*- C++ -*-===//
//
// Filters, cheapest first: random tests at small sizes, floating point, then
// the proof, or random tests, at full size.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_VERIFYCANDIDATE_H
#define MIRAGE_LIB_SEARCH_VERIFYCANDIDATE_H

#include "Mirage/Analysis/Equivalence/RandomTests.h"
#include "Mirage/Search/Superoptimizer.h"

namespace mirage::search {

/// Sets the verdict of `judged` on `graph`, its µGraph; unknown if `isOver`
/// stops it.
void verifyCandidate(const MuGraph &program, const MuGraph &graph,
                     const SearchOptions &options, WorkerPool &pool,
                     std::function<bool()> isOver, JudgedCandidate &judged);

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_VERIFYCANDIDATE_H
