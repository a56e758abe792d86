//===- SizeSearch.cpp - Ways to choose a candidate's sizes ----------------===//
//
// Implements descent, algorithm 1, and the search of all points.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/SizeSearch.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>
#include <numeric>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// More than the relative error of a sum of launches' times.
static constexpr double kRounding = 1e-12;

double SizeSearch::evaluate(const Point &point) {
  if (isOver && isOver())
    return std::numeric_limits<double>::infinity();
  double cost = costs.getCost(point);
  if (cost < bestCost) {
    best = point;
    bestCost = cost;
    isFound = true;
  }
  least = std::min(least, cost);
  return cost;
}

//===----------------------------------------------------------------------===//
// Descent
//===----------------------------------------------------------------------===//

/// Replaces factors that no longer divide their axis, because its size was
/// chosen anew, by the largest ones that do.
void SizeSearch::repair(Point &point) const {
  for (unsigned factor = 0; factor < point.size(); ++factor) {
    int64_t room = factors.getRoom(factor, point);
    if (room < 1)
      point[factor] = 1;
    else if (factors.isWhole(factor))
      point[factor] = room;
    else if (room % point[factor])
      point[factor] = std::gcd(room, point[factor]);
  }
}

Point SizeSearch::start(double part) {
  Point point(factors.get().size(), 1);
  for (unsigned factor = 0; factor < point.size(); ++factor) {
    ArrayRef<int64_t> choices = getChoices(factor, point);
    point[factor] = choices[std::lround(part * (choices.size() - 1))];
  }
  repair(point);
  return point;
}

void SizeSearch::descendFrom(Point point, bool useBounds) {
  double cost = evaluate(point);
  for (bool improved = true; improved;) {
    improved = false;
    for (unsigned factor = 0; factor < point.size(); ++factor) {
      Point before = point;
      for (int64_t divisor : getChoices(factor, before)) {
        Point other = before;
        other[factor] = divisor;
        repair(other);
        if (useBounds && costs.getBound(other) >= cost)
          continue;
        double otherCost = evaluate(other);
        if (otherCost < cost) {
          cost = otherCost;
          point = std::move(other);
          improved = true;
        }
      }
    }
  }
}

void SizeSearch::descend(bool useBounds) {
  // The starting points have tiles as small as they may be, as large, and
  // between.
  for (double part : {1.0, 0.6, 0.3})
    descendFrom(start(part), useBounds);
}

//===----------------------------------------------------------------------===//
// Algorithm 1
//===----------------------------------------------------------------------===//

ArrayRef<int64_t> SizeSearch::getChoices(unsigned factor,
                                         ArrayRef<int64_t> sizes) {
  return factors.getChoices(factor, sizes, divisors);
}

ArrayRef<int64_t> SizeSearch::getChoices(ArrayRef<int64_t> before) {
  return getChoices(before.size(), before);
}

void SizeSearch::evolve(const PointSearchOptions &options, bool useBounds) {
  auto choices = [&](ArrayRef<int64_t> before) { return getChoices(before); };
  PointSpace space{static_cast<unsigned>(factors.get().size()), 0, choices};
  auto cost = [&](ArrayRef<int64_t> point) { return evaluate(Point(point)); };
  auto bound = [&](ArrayRef<int64_t> point) { return costs.getBound(point); };
  if (useBounds)
    searchPoints(space, bound, cost, options);
  else
    searchPoints(space, cost, cost, options);
}

void SizeSearch::refine() {
  if (fits())
    descendFrom(Point(best), /*useBounds=*/true);
}

//===----------------------------------------------------------------------===//
// All points
//===----------------------------------------------------------------------===//

/// Returns false if there are too many points, which is found out before any
/// bound is computed.
bool SizeSearch::makeGroups(uint64_t most, std::vector<Group> &groups) {
  std::shared_ptr<TimedPoints> firsts = costs.getPoints(0, {}, most);
  if (!firsts)
    return false;
  const PointList &points = firsts->getPoints();
  uint64_t left = most - points.size();
  std::map<Point, size_t> numbers;
  for (unsigned number = 0; number < points.size(); ++number) {
    Point key;
    for (unsigned factor : factors.getShared())
      key.push_back(points[number][factor]);
    auto [entry, isNew] = numbers.try_emplace(key, groups.size());
    if (isNew) {
      Group &group = groups.emplace_back();
      group.launches.resize(factors.getNumLaunches());
      group.launches[0].points = firsts;
      group.first = Point(points[number]);
      if (factors.getShared().empty())
        break;
      group.launches[0].numbers.emplace();
    }
    groups[entry->second].launches[0].numbers->push_back(number);
  }
  for (Group &group : groups)
    for (unsigned launch = 1; launch < factors.getNumLaunches(); ++launch) {
      auto &own = group.launches[launch].points;
      own = costs.getPoints(launch, group.getPrefix(factors.getBegin(launch)),
                            left);
      if (!own)
        return false;
      left -= own->getPoints().size();
    }
  return true;
}

void SizeSearch::addBounds(Group &group) {
  for (auto [launch, own] : llvm::enumerate(group.launches)) {
    Point prefix = group.getPrefix(factors.getBegin(launch));
    double least = std::numeric_limits<double>::infinity();
    // What the launches before take at least, and those behind, is not left for
    // this one. Rounding must not decide.
    double limit =
        (bestCost - group.bound -
         (group.launches.size() - launch - 1) * costs.getLeastOfLaunch()) *
        (1 + kRounding);
    for (size_t position = 0; position < own.size(); ++position) {
      unsigned number = own[position];
      double bound =
          costs.getLaunchBound(launch, prefix, *own.points, number, limit);
      if (bound >= limit)
        continue;
      own.bounds.push_back({bound, number});
      least = std::min(least, bound);
    }
    std::make_heap(own.bounds.begin(), own.bounds.end(), std::greater<>());
    group.bound += least;
    // No point of the launch fits.
    if (own.bounds.empty())
      return;
  }
}

void SizeSearch::searchGroup(Group &group) {
  // The sum of what launches take at least: their bounds, and for those that
  // were searched the best cost.
  double sum = group.bound;
  Point point;
  for (auto [launch, own] : llvm::enumerate(group.launches)) {
    const PointList &points = own.points->getPoints();
    unsigned begin = factors.getBegin(launch);
    Point sizes = group.getPrefix(begin);
    double rest = sum - own.bounds.front().first;
    double least = bestCost - rest;
    std::optional<unsigned> chosen;
    auto &heap = own.bounds;
    while (!heap.empty() && heap.front().first < least &&
           !(isOver && isOver())) {
      unsigned number = heap.front().second;
      sizes.truncate(begin);
      llvm::append_range(sizes, points[number]);
      double cost = costs.getLaunchCost(launch, sizes);
      if (cost < least) {
        least = cost;
        chosen = number;
      }
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      heap.pop_back();
    }
    if (!chosen)
      return;
    sum = rest + least;
    llvm::append_range(point, points[*chosen]);
  }
  evaluate(point);
}

bool SizeSearch::exhaust(uint64_t most) {
  std::vector<Group> groups;
  if (!makeGroups(most, groups))
    return false;
  std::vector<std::pair<double, size_t>> order;
  for (auto [number, group] : llvm::enumerate(groups)) {
    addBounds(group);
    order.push_back({group.bound, number});
  }
  llvm::sort(order);
  for (auto [bound, number] : order) {
    if (bound >= bestCost)
      break;
    searchGroup(groups[number]);
  }
  return true;
}
