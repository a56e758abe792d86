//===- GridNeeds.h - How a grid may divide what a launch loads --*- C++ -*-===//
//
// A block of a launch that computes the program's results from its inputs alone
// sees what it loads, and nothing of other blocks. Where a result is summed
// over an axis that the grid divides, some load must be whole along it; where a
// result has the axis, some load must be divided as the result is.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_GRIDNEEDS_H
#define MIRAGE_SEARCH_LAUNCHES_GRIDNEEDS_H

#include "Mirage/Search/Launches/LaunchGraph.h"
#include "Mirage/Search/Problem/AxisSet.h"

namespace mirage::search {

class GridNeeds {
public:
  explicit GridNeeds(const SearchProblem &problem);

  /// Returns whether any block graph with these loads, which are of inputs
  /// alone, can compute the program's results.
  bool areMet(const LaunchGraph &launch) const;

private:
  /// The axes of an input that results have of it, and those over which they
  /// sum it.
  struct Uses {
    AxisSet free, bound;
  };

  const SearchProblem &problem;
  std::vector<Uses> inputs;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_GRIDNEEDS_H
