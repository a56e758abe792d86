//===- JoinedProducts.h - Sums of products as one product -------*- C++ -*-===//
//
// X W + Y Z = (X ‖ Y) (W over Z): where a launch adds two products that nothing
// else reads, one concat_matmul computes the sum (Mirage paper, figure 9), with
// one accumulator. The products may also be summed over the loop first and
// added behind it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_JOINEDPRODUCTS_H
#define MIRAGE_SEARCH_LAUNCHES_JOINEDPRODUCTS_H

#include "Mirage/Search/Launches/LaunchGraph.h"
#include <array>

namespace mirage::search {

/// Values of a launch (LaunchGraph) that one concat_matmul replaces.
struct JoinedSum {
  unsigned sum = 0;
  std::array<unsigned, 2> products = {};
  /// The sums of the products over the loop, if they are added behind it.
  std::optional<std::array<unsigned, 2>> accumulators;
};

/// Finds all such sums; no product is in two of them.
llvm::SmallVector<JoinedSum, 1> findJoinedSums(const SearchProblem &problem,
                                               const LaunchGraph &launch);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_JOINEDPRODUCTS_H
