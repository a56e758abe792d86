//===- SizeFactors.h - The sizes of a candidate as a vector -----*- C++ -*-===//
//
// The vector has one number for each factor of a candidate: launch by launch,
// first the blocks along grid axes, then the iterations of loops.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_SIZEFACTORS_H
#define MIRAGE_SEARCH_SIZES_SIZEFACTORS_H

#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/Search/Sizes/PointSearch.h"
#include "llvm/ADT/DenseMap.h"

namespace mirage::search {

/// Lists divisors in increasing order.
class Divisors {
public:
  llvm::ArrayRef<int64_t> get(int64_t size);

private:
  llvm::DenseMap<int64_t, llvm::SmallVector<int64_t, 16>> lists;
};

class SizeFactors {
public:
  SizeFactors(const SearchProblem &problem, const Candidate &candidate);

  llvm::ArrayRef<FactorChoice> get() const { return factors; }
  unsigned getNumLaunches() const { return begins.size() - 1; }
  /// The launch's first factor. For the number of launches it is the number of
  /// factors.
  unsigned getBegin(unsigned launch) const { return begins[launch]; }
  std::optional<unsigned> find(unsigned launch, bool isLoop,
                               uint8_t axis) const;

  /// The size of an axis: a number of elements, or, if the first launch has
  /// split the axis, as many as its blocks along it, which a factor says.
  struct AxisSize {
    int64_t size = 1;
    std::optional<unsigned> factor;
  };
  AxisSize getAxisSize(uint8_t axis) const;

  /// The factors of the first launch that other launches depend on, since what
  /// it stores has their splits. Otherwise a launch's time depends on its own
  /// factors alone.
  llvm::ArrayRef<unsigned> getShared() const { return shared; }

  /// Returns the number that a factor must divide: the size of its axis over
  /// the same launch's other factors of it that `sizes` has. Returns zero if
  /// these don't divide the axis.
  int64_t getRoom(unsigned factor, llvm::ArrayRef<int64_t> sizes) const;

  /// Returns whether a factor divides its axis among as many blocks as it has
  /// places.
  bool isWhole(unsigned factor) const {
    return !factors[factor].isLoop &&
           problem.getSeparateAxes().contains(factors[factor].axis);
  }

  /// Returns the numbers that a factor may have beside those of `sizes`,
  /// ascending. The list is valid until the next call.
  llvm::ArrayRef<int64_t> getChoices(unsigned factor,
                                     llvm::ArrayRef<int64_t> sizes,
                                     Divisors &divisors) const;

  std::vector<LaunchSizes> getSizes(llvm::ArrayRef<int64_t> sizes) const;

private:
  const SearchProblem &problem;
  std::vector<FactorChoice> factors;
  llvm::SmallVector<unsigned, 3> begins, shared;
  std::vector<LaunchSizes> shape;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_SIZEFACTORS_H
