//===- SizeCosts.h - Time of a candidate at some sizes ----------*- C++ -*-===//
//
// Launches run one after another, and each one's time depends on its own
// factors and those of the first launch that all share. So launches are
// estimated, and remembered, one by one.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_SIZECOSTS_H
#define MIRAGE_SEARCH_SIZES_SIZECOSTS_H

#include "Mirage/Search/Sizes/LaunchBound.h"
#include "Mirage/Semantics/Target.h"

namespace mirage::search {

class SizeCosts {
public:
  SizeCosts(const SearchProblem &problem, const Candidate &candidate,
            const TargetDescription &target);
  // Its launches refer to its factors.
  SizeCosts(const SizeCosts &) = delete;

  const SizeFactors &getFactors() const { return factors; }

  /// Microseconds; infinite if the launch does not fit the target. Factors must
  /// divide their axes; those of launches that the result does not depend on
  /// may be missing at the end.
  double getLaunchCost(unsigned launch, llvm::ArrayRef<int64_t> sizes);
  /// No more than that, and much faster.
  double getLaunchBound(unsigned launch, llvm::ArrayRef<int64_t> sizes);

  /// Of all launches together.
  double getCost(llvm::ArrayRef<int64_t> sizes);
  double getBound(llvm::ArrayRef<int64_t> sizes);

  /// Launches that were built and summarized.
  uint64_t getNumEvaluations() const { return evaluations; }
  /// Bounds that were computed.
  uint64_t getNumBounds() const { return bounds; }

private:
  Point getKey(unsigned launch, llvm::ArrayRef<int64_t> sizes) const;
  double estimate(const KernelSummary &summary) const;
  double evaluate(unsigned launch, llvm::ArrayRef<int64_t> sizes);

  const SearchProblem &problem;
  const Candidate &candidate;
  const TargetDescription &target;
  SizeFactors factors;
  std::vector<LaunchBound> launches;
  std::vector<PointMap<double>> costs;
  uint64_t evaluations = 0, bounds = 0;
};

/// The summary of a launch, by building it.
KernelSummary summarizeLaunch(const SearchProblem &problem,
                              const Candidate &candidate,
                              llvm::ArrayRef<LaunchSizes> sizes,
                              unsigned launch);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_SIZECOSTS_H
