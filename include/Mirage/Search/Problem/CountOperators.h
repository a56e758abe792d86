//===- CountOperators.h - How large a program is ----------------*- C++ -*-===//
//
// What a search may cost depends on how large the program is, and not on how it
// is written.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_COUNTOPERATORS_H
#define MIRAGE_SEARCH_PROBLEM_COUNTOPERATORS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::search {

/// Returns how many operators a program has when composite ones are taken apart
/// and equal ones are one, without casts, constants and other orders of
/// dimensions: it is the same however the program is written. Where an operator
/// needs a broadcast of its own, equal ones are not found.
unsigned countOperators(const MuGraph &program);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_COUNTOPERATORS_H
