//===- SortCandidates.h - Which candidate is judged first -------*- C++ -*-===//
//
// Candidates are judged in the order of what they take by the cost model, and
// where this cannot tell them apart, of what they consist of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SORTCANDIDATES_H
#define MIRAGE_SEARCH_SORTCANDIDATES_H

#include "Mirage/Search/Superoptimizer.h"

namespace mirage::search {

/// Sorts candidates, the cheapest first. Where the cost model cannot tell
/// candidates from the cheapest one, since they take no more than the part
/// `resolution` of its time besides, those with fewer launches, loops and
/// operators come first, and grids whose dimensions all divide something. Equal
/// ones keep the order in which they were found.
void sortByCost(const SearchTask &task, double resolution,
                std::vector<JudgedCandidate> &candidates);

/// Returns whether two candidates are one choice: as many launches of the same
/// grids and loops, up to the order of these and dimensions that divide
/// nothing, which take about as long. They differ in the order of operators.
bool areAlike(const JudgedCandidate &a, const JudgedCandidate &b);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SORTCANDIDATES_H
