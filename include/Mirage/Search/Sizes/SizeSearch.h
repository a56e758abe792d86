//===- SizeSearch.h - Ways to choose a candidate's sizes --------*- C++ -*-===//
//
// Searches over the divisors of a candidate's axes. chooseSizes combines them,
// and a benchmark compares them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_SIZES_SIZESEARCH_H
#define MIRAGE_SEARCH_SIZES_SIZESEARCH_H

#include "Mirage/Search/Sizes/SizeCosts.h"
#include <cmath>

namespace mirage::search {

class SizeSearch {
public:
  SizeSearch(const SearchProblem &problem, const Candidate &candidate,
             const TargetDescription &target,
             double limit = std::numeric_limits<double>::infinity(),
             llvm::function_ref<bool()> isOver = nullptr,
             LaunchTable *table = nullptr)
      : costs(problem, candidate, target, table), factors(costs.getFactors()),
        isOver(isOver), bestCost(limit) {}

  /// Changes one factor at a time, from three starting points, until no change
  /// of a single factor is better. With `useBounds` points that cannot be
  /// better are not evaluated, which changes no result.
  void descend(bool useBounds = true);
  /// Runs algorithm 1 (PointSearch.h) with times by the cost model, or with
  /// bounds that estimate them, so that only the best of each generation are
  /// evaluated.
  void evolve(const PointSearchOptions &options, bool useBounds);
  /// Descends from the best point that was met.
  void refine();
  /// Finds the best of all points; returns false if more than `most` need a
  /// bound. Launches are searched one by one for each choice of the factors
  /// that they share. Points are evaluated in the order of their bounds while
  /// these are below the best.
  bool exhaust(uint64_t most);

  /// The best point that was met below the limit; empty if none fits.
  const Point &getBest() const { return best; }
  double getMicroseconds() const { return bestCost; }
  /// The microseconds of the best point that was met, whatever the limit is.
  double getLeast() const { return least; }
  bool fits() const { return isFound; }
  SizeCosts &getCosts() { return costs; }

private:
  /// The points of one launch: those of a list that have these numbers, or all
  /// of a list. `bounds` is a heap of the least bound and the point that has
  /// it.
  struct LaunchPoints {
    std::shared_ptr<TimedPoints> points;
    std::optional<std::vector<unsigned>> numbers;
    std::vector<std::pair<double, unsigned>> bounds;

    size_t size() const {
      return numbers ? numbers->size() : points->getPoints().size();
    }
    unsigned operator[](size_t position) const {
      return numbers ? (*numbers)[position] : position;
    }
  };
  /// The points that agree in the factors that launches share.
  struct Group {
    double bound = 0;
    std::vector<LaunchPoints> launches;
    /// A point of the first launch, which stands for all of its points before
    /// those of others. Factors of launches between are one.
    Point first;

    Point getPrefix(unsigned length) const {
      Point prefix(llvm::ArrayRef(first).take_front(length));
      prefix.resize(length, 1);
      return prefix;
    }
  };

  llvm::ArrayRef<int64_t> getChoices(unsigned factor,
                                     llvm::ArrayRef<int64_t> sizes);
  llvm::ArrayRef<int64_t> getChoices(llvm::ArrayRef<int64_t> before);
  double evaluate(const Point &point);
  void repair(Point &point) const;
  Point start(double part);
  void descendFrom(Point point, bool useBounds);
  bool makeGroups(uint64_t most, std::vector<Group> &groups);
  void addBounds(Group &group);
  void searchGroup(Group &group);

  SizeCosts costs;
  const SizeFactors &factors;
  Divisors divisors;
  Point best;
  /// Asked before each point whether to meet no more.
  llvm::function_ref<bool()> isOver;
  double bestCost;
  bool isFound = false;
  /// The least time that was met, below the limit or not.
  double least = std::numeric_limits<double>::infinity();
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_SIZES_SIZESEARCH_H
