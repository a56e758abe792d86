//===- SizeFactors.h - The sizes of a candidate as a vector -----*- C++ -*-===//
//
// One number for each factor of a candidate: launch by launch, first the blocks
// along grid axes, then the iterations of loops.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_SIZEFACTORS_H
#define MIRAGE_SEARCH_SIZES_SIZEFACTORS_H

#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/Search/Sizes/PointSearch.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage::search {

class SizeFactors {
public:
  SizeFactors(const SearchProblem &problem, const Candidate &candidate);

  llvm::ArrayRef<FactorChoice> get() const { return factors; }
  unsigned getNumLaunches() const { return begins.size() - 1; }
  /// The launch's first factor; of the number of launches, the number of
  /// factors.
  unsigned getBegin(unsigned launch) const { return begins[launch]; }
  std::optional<unsigned> find(unsigned launch, bool isLoop,
                               uint8_t axis) const;

  /// Elements of a factor's axis, or the factor of the first launch that is as
  /// large because the axis is what that one has split.
  struct AxisSize {
    int64_t size = 1;
    std::optional<unsigned> factor;
  };
  AxisSize getAxisSize(uint8_t axis) const;

  /// Factors of the first launch that other launches depend on: what it stores
  /// has their splits. All else about a launch's time depends on its own
  /// factors alone.
  llvm::ArrayRef<unsigned> getShared() const { return shared; }

  /// What a factor may divide: its axis without those of the same launch's
  /// other factors that are among the first of `sizes`. Zero if these don't
  /// divide.
  int64_t getRoom(unsigned factor, llvm::ArrayRef<int64_t> sizes) const;

  std::vector<LaunchSizes> getSizes(llvm::ArrayRef<int64_t> sizes) const;

private:
  const SearchProblem &problem;
  std::vector<FactorChoice> factors;
  llvm::SmallVector<unsigned, 3> begins, shared;
  std::vector<LaunchSizes> shape;
};

/// Divisors in increasing order.
class Divisors {
public:
  llvm::ArrayRef<int64_t> get(int64_t size);

private:
  llvm::DenseMap<int64_t, llvm::SmallVector<int64_t, 16>> lists;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_SIZEFACTORS_H
