//===- LaunchTable.h - What launches take at their points -------*- C++ -*-===//
//
// Many candidates of a program have a launch in common: pairs whose first
// launch is the same, and those that differ in one product's operands. What a
// launch takes at a point depends on the launch, on what launches before it
// leave, and on the splits of these, so that it is found once for all of them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_LAUNCHTABLE_H
#define MIRAGE_SEARCH_SIZES_LAUNCHTABLE_H

#include "Mirage/Search/Sizes/LaunchBound.h"
#include <atomic>
#include <map>
#include <mutex>

namespace mirage::search {

/// The points of one launch behind those of the launches before it: the numbers
/// of its own factors, point by point.
class PointList {
public:
  PointList(unsigned width, size_t count, std::vector<int64_t> sizes)
      : width(width), count(count), sizes(std::move(sizes)) {}

  size_t size() const { return count; }
  llvm::ArrayRef<int64_t> operator[](size_t number) const {
    return llvm::ArrayRef(sizes).slice(number * width, width);
  }

private:
  unsigned width;
  size_t count;
  std::vector<int64_t> sizes;
};

/// Points of a launch and what is known of its time at them, which threads may
/// ask and say at the same time.
class TimedPoints {
public:
  explicit TimedPoints(std::shared_ptr<const PointList> points)
      : points(std::move(points)),
        bounds(std::make_unique<std::atomic<double>[]>(this->points->size())) {}

  const PointList &getPoints() const { return *points; }

  /// Microseconds that the launch takes at least at a point: zero if nothing is
  /// known, and negative if there is a greater bound.
  double getKnown(size_t number) const {
    return bounds[number].load(std::memory_order_relaxed);
  }
  void setKnown(size_t number, double bound) {
    bounds[number].store(bound, std::memory_order_relaxed);
  }

private:
  std::shared_ptr<const PointList> points;
  std::unique_ptr<std::atomic<double>[]> bounds;
};

/// A launch of one or several candidates. Factors have the numbers of any of
/// these: launches before have as many.
class KnownLaunch {
public:
  KnownLaunch(const SearchProblem &problem, const Candidate &candidate,
              unsigned launch);
  // The bound refers to the candidate and to the factors.
  KnownLaunch(const KnownLaunch &) = delete;

  const LaunchBound &getBound() const { return bound; }

  /// Returns what the launch takes at a point, which `evaluate` finds if it is
  /// not known.
  double getCost(const Point &key, llvm::function_ref<double()> evaluate);

  /// Returns the points that are known behind these numbers of the shared
  /// factors; null if none are.
  std::shared_ptr<TimedPoints> findPoints(const Point &shared);
  /// Keeps such points for others, and returns those that are kept.
  std::shared_ptr<TimedPoints> keepPoints(const Point &shared,
                                          std::shared_ptr<TimedPoints> found);

private:
  const Candidate candidate;
  const SizeFactors factors;
  const LaunchBound bound;
  std::mutex mutex;
  PointMap<double> costs;
  PointMap<std::shared_ptr<TimedPoints>> points;
};

/// Points of launches, which those whose factors divide the same share.
class PointLists {
public:
  /// Returns the points of a launch behind a point of the launches before;
  /// null if there are more than `most`.
  std::shared_ptr<const PointList> get(const SizeFactors &factors,
                                       unsigned launch,
                                       llvm::ArrayRef<int64_t> prefix,
                                       uint64_t most);

  /// Returns whether so many more numbers may be kept, and counts them if so.
  bool reserve(size_t count);

private:
  /// So many numbers take 32 MB.
  static constexpr uint64_t kMostNumbers = 4 << 20;

  std::mutex mutex;
  std::map<std::vector<int64_t>, std::shared_ptr<const PointList>> lists;
  std::atomic<uint64_t> kept = 0;
};

/// The launches of a problem's candidates.
class LaunchTable {
public:
  /// Points are those of `shared`, if there are any. It must outlive the table.
  explicit LaunchTable(const SearchProblem &problem,
                       PointLists *shared = nullptr)
      : problem(problem), points(shared ? *shared : own) {}

  /// Returns what is known of a candidate's launch.
  std::shared_ptr<KnownLaunch> getLaunch(const Candidate &candidate,
                                         unsigned launch);

  PointLists &getPoints() { return points; }
  /// Returns whether so many more numbers may be kept for the table's launches,
  /// and counts them if so.
  bool reserve(size_t count) { return own.reserve(count); }

private:
  const SearchProblem &problem;
  std::mutex mutex;
  std::map<std::vector<uint16_t>, std::shared_ptr<KnownLaunch>> launches;
  PointLists own;
  PointLists &points;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_LAUNCHTABLE_H
