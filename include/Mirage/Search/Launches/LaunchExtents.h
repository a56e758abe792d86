//===- LaunchExtents.h - What sizes a launch may have -----------*- C++ -*-===//
//
// The target's limits as constraints on the unknown factors of a launch's axes
// (SearchProblem::getExtent): what its grid can be, and what is in shared
// memory at once. For Z3, together with the question whether an expression is
// part of a goal; sizes that are known to fit are tried before.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_LAUNCHES_LAUNCHEXTENTS_H
#define MIRAGE_SEARCH_LAUNCHES_LAUNCHEXTENTS_H

#include "Mirage/Search/Expressions/SMT.h"
#include "Mirage/Search/Launches/LiveTiles.h"

namespace mirage::search {

class LaunchExtents {
public:
  /// For the grid and the loops of `launch`, whose axes other than splits have
  /// unknowns of their own if it follows on a first launch: that one has its
  /// own factors of the same axes. Of the limits, zero is none.
  LaunchExtents(const SearchProblem &problem, const LaunchGraph &launch,
                bool isSecond, int64_t sharedMemory,
                llvm::ArrayRef<int64_t> largestGrid);

  /// What holds for all prefixes with these moments. Limits that hold for all
  /// factors of the axes are left out.
  ExtentConstraints getConstraints(const LiveTiles &live) const;
  /// Returns whether some sizes that are known, the last ones first, meet these
  /// constraints.
  bool fit(const LiveTiles &live);
  /// Values of unknowns to try from now on.
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

  const SearchProblem &problem;
  bool isSecond;
  int64_t sharedMemory;
  /// Products of factors, and what does not depend on a prefix.
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
  /// The last ones first.
  std::vector<Sizes> known;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_LAUNCHES_LAUNCHEXTENTS_H
