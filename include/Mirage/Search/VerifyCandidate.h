//===- VerifyCandidate.h - From candidate to verified µGraph ----*- C++ -*-===//
//
// Which questions a search asks about candidates: few to sort out what is
// wrong, and about what it returns all that mirage-verify-equivalence asks.
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

/// Returns the verdict that follows from an answer.
Verdict getVerdict(equivalence::ComparisonAnswer answer);

/// Verifies a µGraph made of verified pieces, which is why it is right, by the
/// accepting policy. `judged` is the verdict on the pieces together. It stays
/// where proofs and tests of the whole don't come to an answer, and becomes
/// that of the whole where they do, or where floating point does not accept the
/// whole: because it refuses it, or because `execution` ended the runs.
/// Returns whether there is an answer for the whole, and it is an acceptance.
bool verifyComposition(const MuGraph &program, const MuGraph &graph,
                       const SearchOptions &options, const Execution &execution,
                       Verdict &judged);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_VERIFYCANDIDATE_H
