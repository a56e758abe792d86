//===- AxisSet.h - Sets of a program's axes ---------------------*- C++ -*-===//
//
// Axes are numbered, and the axes of their splits behind them (SearchProblem).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_PROBLEM_AXISSET_H
#define MIRAGE_SEARCH_PROBLEM_AXISSET_H

#include "Mirage/Support/IndexSet.h"

namespace mirage::search {

using AxisSet = IndexSet<struct AxisTag>;

} // namespace mirage::search

#endif // MIRAGE_SEARCH_PROBLEM_AXISSET_H
