//===- VerifyCandidate.h - From candidate to verified µGraph ----*- C++ -*-===//
//
// Filters, cheapest first: random tests at small sizes, floating point, then
// the proof, or random tests, at full size.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_VERIFYCANDIDATE_H
#define MIRAGE_SEARCH_VERIFYCANDIDATE_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"
#include "Mirage/Search/Superoptimizer.h"

namespace mirage::search {

/// How candidates are checked in floating point.
equivalence::FloatingPointOptions getFloatOptions(const SearchOptions &options);

/// Sets the verdict of `judged` on `graph`, its µGraph; unknown if `isOver`
/// stops it.
void verifyCandidate(const MuGraph &program, const MuGraph &graph,
                     const SearchOptions &options, WorkerPool &pool,
                     equivalence::FloatingPointChecker &floats,
                     std::function<bool()> isOver, JudgedCandidate &judged);

/// Verifies a µGraph made of verified pieces, which is why it is right:
/// `judged` has their verdict. Overwrites it if the whole is proved, or if
/// tests at small sizes or floating point refuse it. What they cannot decide
/// changes nothing. Returns whether the whole is proved.
bool verifyComposition(const MuGraph &program, const MuGraph &graph,
                       const SearchOptions &options, WorkerPool &pool,
                       JudgedCandidate &judged);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_VERIFYCANDIDATE_H
