//===- SearchEnd.h - What ended a search ------------------------*- C++ -*-===//
//
// A search says which of its limits ended it, and what the program could still
// take by a lower bound of its time. Both depend on neither threads nor
// machine, unless it was the time.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SEARCHEND_H
#define MIRAGE_SEARCH_SEARCHEND_H

#include "llvm/ADT/StringRef.h"

namespace mirage::search {

/// What ended a search. Of several, the last one of this list counts: it is the
/// one that left most.
enum class SearchEnd : uint8_t {
  /// No program of the space is faster by the least gain, by a lower bound.
  Bound,
  /// All block graphs of the space were generated: more operators make no
  /// other.
  Exhausted,
  /// All block graphs of the most operators were generated. Larger ones were
  /// not.
  Operators,
  /// The last raise of the limits found nothing faster, or nothing that is left
  /// promised anything.
  NoGain,
  /// Not all pieces of the program were looked at, or not all ways to put them
  /// together.
  Pieces,
  /// Not all grids, loops and loads of launches were looked at.
  Configurations,
  /// Not all block graphs were generated, by the limit of states.
  States,
  /// The work that the searches for the program may do was done.
  Effort,
  /// The deadline was met.
  Time,
  /// Someone wanted it.
  Interruption,
};

/// Returns a word for tools: "bound", "exhausted", "operators",
/// "no-gain", "pieces", "configurations", "states", "effort", "time" or
/// "interruption".
llvm::StringRef stringifySearchEnd(SearchEnd end);

/// Returns whether programs of the space may have been missed, so that the
/// lower bound says more than what was found.
inline bool leavesPrograms(SearchEnd end) {
  return end != SearchEnd::Bound && end != SearchEnd::Exhausted;
}

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SEARCHEND_H
