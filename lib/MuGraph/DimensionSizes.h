//===- DimensionSizes.h - Which sizes of a graph belong together *- C++ -*-===//
//
// Gives every dimension of every value a size (see Extents.h) and unites the
// sizes that operators need to be equal.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_MUGRAPH_DIMENSIONSIZES_H
#define MIRAGE_LIB_MUGRAPH_DIMENSIONSIZES_H

#include "Extents.h"
#include "Mirage/MuGraph/MuGraph.h"

namespace mirage {

struct DimensionSizes {
  DimensionSizes(const MuGraph &graph, Extents &extents);

  const MuGraph &graph;
  Extents &extents;
  /// The size of each value's dimensions.
  std::vector<llvm::SmallVector<Size, 4>> sizes;
  /// The sizes that nodes have by themselves: extents of graphs and loops, the
  /// number of neighbours that a reduction combines, and repetitions.
  std::vector<llvm::SmallVector<Size, 3>> ofNodes;
  /// Sizes over which is summed or maximized, and those that results depend on
  /// beyond that: a mean is taken over them, or equal numbers are summed.
  std::vector<Size> reduced, counted;
  /// The sizes of `reduced` on which results may depend, as far as is known:
  /// all of `counted`, and sums of terms some of which may be equal
  /// (CountedSums.h).
  std::vector<Size> mayBeCounted;
  /// The sizes of `reduced` over which operators sum in less than 32 bits: a
  /// longer sum of large terms may overflow where a shorter one does not.
  std::vector<Size> narrowSums;
  /// The nodes of constants that have an element for each index. Where such a
  /// size changes, the constant keeps some of its elements.
  std::vector<unsigned> constants;
  /// A size that is another one with some elements added at the borders, or of
  /// which the other one is a part.
  struct Padding {
    Size padded, inner;
    int64_t added;
    /// All of them stand behind the others.
    bool isBehind;
  };
  std::vector<Padding> paddings;
};

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_DIMENSIONSIZES_H
