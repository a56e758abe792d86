//===- VerifyCandidate.h - From candidate to verified µGraph ----*- C++ -*-===//
//
// A search asks few questions about each candidate, to sort out what is wrong.
// About what it returns, compositions of pieces included, it asks all that
// mirage-verify-equivalence asks by default.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_VERIFYCANDIDATE_H
#define MIRAGE_SEARCH_VERIFYCANDIDATE_H

#include "Mirage/Analysis/Equivalence/CompareGraphs.h"
#include "Mirage/Search/Superoptimizer.h"

namespace mirage::search {

/// Returns the policy by which candidates are sorted out: there are many, so
/// that each gets little work.
equivalence::ComparisonPolicy getSortingPolicy(const SearchOptions &options);

/// Returns the policy that accepts what a search returns: that of
/// mirage-verify-equivalence by default.
equivalence::ComparisonPolicy getAcceptingPolicy(const SearchOptions &options);

/// The policy for compositions of verified pieces: the accepting one, which
/// looks for no examples of what differs, since a composition that is not
/// accepted makes room for another one whatever it is.
equivalence::ComparisonPolicy getComposingPolicy(const SearchOptions &options);

/// Returns the verdict that follows from an answer.
Verdict getVerdict(equivalence::ComparisonAnswer answer);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_VERIFYCANDIDATE_H
