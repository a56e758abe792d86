//===- LaunchExtents.h - What sizes a launch may have -----------*- C++ -*-===//
//
// The target's limits are constraints on the unknown factors of a launch's axes
// (SearchProblem::getExtent): how large its grid can be, and what can be in
// shared memory at once. Z3 is asked whether any sizes meet them, together with
// the question whether an expression is part of a goal. Sizes that are known to
// fit are tried before.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_LAUNCHEXTENTS_H
#define MIRAGE_SEARCH_LAUNCHES_LAUNCHEXTENTS_H

#include "Mirage/Search/Expressions/SMT.h"
#include "Mirage/Search/Launches/LiveTiles.h"

namespace mirage::search {

class LaunchExtents {
public:
  /// Makes the constraints of the grid and the loops of `launch`. If it follows
  /// on a first launch, which has factors of the same axes, its axes other than
  /// splits have unknowns of their own. A limit of zero stands for none.
  LaunchExtents(const SearchProblem &problem, const LaunchGraph &launch,
                bool isSecond, int64_t sharedMemory,
                llvm::ArrayRef<int64_t> largestGrid);

  /// Returns the constraints of all prefixes with these moments. Limits that
  /// hold for all factors of the axes are left out.
  ExtentConstraints getConstraints(const LiveTiles &live) const;
  /// Returns whether some sizes that are known, the last ones first, meet these
  /// constraints.
  bool fit(const LiveTiles &live);
  /// Tries these values of unknowns from now on.
  void use(const ExtentValues &values);

  bool isOfSecond() const { return isSecond; }

private:
  SymbolicExtent getExtent(DimId dim) const;
  SymbolicExtent getExtent(llvm::ArrayRef<DimId> dims) const;
  SymbolicExtent getOwn(SymbolicExtent extent) const;
  double getLargestBytes(const LiveTiles::Tile &tile) const;
  void addProducts(const LaunchGraph &launch);
  void addGrid(const LaunchGraph &launch, llvm::ArrayRef<int64_t> largest);
  void guess(const LaunchGraph &launch);
  bool canExceed(const LiveTiles &live, const LiveTiles::Moment &moment) const;
  ExtentConstraints::Limit getLimit(const LiveTiles &live,
                                    const LiveTiles::Moment &moment) const;

  const SearchProblem &problem;
  bool isSecond;
  int64_t sharedMemory;
  /// The products of factors, which do not depend on a prefix.
  ExtentConstraints base;
  /// Limits of the grid.
  std::vector<ExtentConstraints::Limit> grid;

  /// Sizes that meet all but limits, and elements of dimensions for them.
  struct Sizes {
    ExtentValues values;
    llvm::DenseMap<unsigned, int64_t> elements;
  };
  bool fit(const LiveTiles &live, Sizes &sizes) const;
  static constexpr size_t kMostSizes = 8;
  /// The sizes that were used last come first.
  std::vector<Sizes> known;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_LAUNCHEXTENTS_H
