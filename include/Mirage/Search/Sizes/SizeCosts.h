//===- SizeCosts.h - Time of a candidate at some sizes ----------*- C++ -*-===//
//
// Launches run one after another. The time of each depends on its own factors
// and on those of the first launch that all share. So launches are estimated,
// and remembered, one by one, for all candidates that have them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_SIZECOSTS_H
#define MIRAGE_SEARCH_SIZES_SIZECOSTS_H

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/Sizes/LaunchTable.h"
#include "Mirage/Semantics/Target.h"
#include <limits>

namespace mirage::search {

class SizeCosts {
public:
  /// Uses what `table` knows of other candidates' launches, if there is one.
  SizeCosts(const SearchProblem &problem, const Candidate &candidate,
            const TargetDescription &target, LaunchTable *table = nullptr);
  // `launches` refer to `factors`.
  SizeCosts(const SizeCosts &) = delete;

  const SizeFactors &getFactors() const { return factors; }

  /// Returns the microseconds of a launch, infinity if it does not fit the
  /// target. Factors must divide their axes. Factors of launches that the
  /// result does not depend on may be missing at the end.
  double getLaunchCost(unsigned launch, llvm::ArrayRef<int64_t> sizes);
  /// Returns a lower bound of these microseconds, much faster. It is tight
  /// where it is below `limit`.
  double getLaunchBound(unsigned launch, llvm::ArrayRef<int64_t> sizes,
                        double limit = std::numeric_limits<double>::infinity());
  /// Returns all points of a launch behind a point of the launches before;
  /// null if there are more than `most`.
  std::shared_ptr<TimedPoints>
  getPoints(unsigned launch, llvm::ArrayRef<int64_t> prefix, uint64_t most);
  /// The same bound for one of these points, which is remembered.
  double getLaunchBound(unsigned launch, llvm::ArrayRef<int64_t> prefix,
                        TimedPoints &points, size_t number, double limit);
  /// The microseconds that any launch takes at least.
  double getLeastOfLaunch() const { return getTrafficBound(1, 0, target); }

  /// The microseconds of all launches together, and their lower bound.
  double getCost(llvm::ArrayRef<int64_t> sizes);
  double getBound(llvm::ArrayRef<int64_t> sizes);

  /// The number of launches that were built and summarized.
  uint64_t getNumEvaluations() const { return evaluations; }
  /// The number of bounds that were computed.
  uint64_t getNumBounds() const { return bounds; }

private:
  Point getShared(unsigned launch, llvm::ArrayRef<int64_t> sizes) const;
  Point getKey(unsigned launch, llvm::ArrayRef<int64_t> sizes) const;
  double estimate(const KernelSummary &summary,
                  double limit = std::numeric_limits<double>::infinity()) const;
  double evaluate(unsigned launch, llvm::ArrayRef<int64_t> sizes);

  const SearchProblem &problem;
  const Candidate &candidate;
  const TargetDescription &target;
  SizeFactors factors;
  /// What is known of this candidate's launches, where no other one's is.
  LaunchTable own;
  LaunchTable &table;
  std::vector<std::shared_ptr<KnownLaunch>> launches;
  uint64_t evaluations = 0, bounds = 0;
};

/// Builds a launch and summarizes it.
KernelSummary summarizeLaunch(const SearchProblem &problem,
                              const Candidate &candidate,
                              llvm::ArrayRef<LaunchSizes> sizes,
                              unsigned launch);

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_SIZECOSTS_H
