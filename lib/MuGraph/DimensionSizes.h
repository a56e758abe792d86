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
  /// For each value and dimension.
  std::vector<llvm::SmallVector<Size, 4>> sizes;
  /// For each node: extents of graphs and loops; of operators, the number of
  /// neighbours that a reduction combines, and repetitions.
  std::vector<llvm::SmallVector<Size, 3>> ofNodes;
  /// Sizes over which is summed or maximized, and those that results depend on
  /// beyond that: a mean is taken over them, or equal numbers are summed.
  std::vector<Size> reduced, counted;
  /// Of `reduced`, those on which results may depend, as far as is known: all
  /// of `counted`, and sums of terms some of which may be equal
  /// (CountedSums.h).
  std::vector<Size> mayBeCounted;

private:
  void visitRegion(unsigned region, llvm::ArrayRef<Size> point);
  void visitNode(unsigned number, llvm::ArrayRef<Size> point);
  void visitOperator(unsigned number);
  void visitComposite(const MuNode &node);
  void visitLayout(unsigned number);
  void uniteElementwise(const MuNode &node);
  void fixAll(const MuNode &node);

  llvm::SmallVector<Size, 4> &of(MuValue value) { return sizes[value]; }
  void unite(const Size &a, const Size &b) { extents.unite(a, b); }
  void uniteValues(MuValue a, MuValue b) {
    for (auto [x, y] : llvm::zip(of(a), of(b)))
      unite(x, y);
  }
  /// The dimension of `value` that an operand's dimension of another size than
  /// one must equal.
  void uniteUnlessOne(MuValue operand, unsigned dim, const Size &size);

  bool areConstant(llvm::ArrayRef<MuValue> values) const {
    return llvm::all_of(values, [&](MuValue v) { return isConstant[v]; });
  }

  llvm::SmallVector<Size, 2> loops;
  /// Values that don't depend on inputs.
  std::vector<bool> isConstant;
  /// Nodes that may sum equal numbers.
  std::vector<bool> isCounted;
};

} // namespace mirage

#endif // MIRAGE_LIB_MUGRAPH_DIMENSIONSIZES_H
