//===- DirectLaunches.h - Launches that are the program itself --*- C++ -*-===//
//
// A direct launch has the operators of the program, each once, on tiles. Grids
// and loops are all that is chosen, so there are few of them, and programs of
// any number of operators have some: runs of elementwise operators with what
// makes or reads them, norms, one or several products of tiles. They are part
// of the space, but for the number of operators, and what a search finds at
// once.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_DIRECTLAUNCHES_H
#define MIRAGE_SEARCH_LAUNCHES_DIRECTLAUNCHES_H

#include "Mirage/Search/Launches/LaunchGraph.h"

namespace mirage::search {

/// Returns the grids, loops and loads of direct launches: up to `gridDims` axes
/// that all results have and no operator sums, and no loop or, if `loops`
/// allows one, a loop over an axis that is summed. What has an axis of the grid
/// or the loop is divided along it.
std::vector<LaunchGraph> listDirectStarts(const SearchProblem &problem,
                                          unsigned gridDims, unsigned loops);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_DIRECTLAUNCHES_H
