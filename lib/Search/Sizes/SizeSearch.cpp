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
  int64_t room = factors.getRoom(factor, sizes);
  ArrayRef<int64_t> choices = divisors.get(room);
  return factors.isWhole(factor) && !choices.empty() ? choices.take_back()
                                                     : choices;
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

/// Visits the points of a launch behind a prefix. Returns false if there are
/// more than `left`.
bool SizeSearch::visitLaunch(
    unsigned launch, const Point &prefix, uint64_t &left,
    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  Point whole = prefix;
  auto choices = [&](ArrayRef<int64_t> before) {
    whole.truncate(prefix.size());
    llvm::append_range(whole, before);
    return getChoices(whole);
  };
  unsigned count = factors.getBegin(launch + 1) - factors.getBegin(launch);
  return visitPoints({count, 0, choices}, left, [&](ArrayRef<int64_t> point) {
    --left;
    whole.truncate(prefix.size());
    llvm::append_range(whole, point);
    visit(whole);
  });
}

/// Returns false if there are too many points, which is found out before any
/// bound is computed.
bool SizeSearch::makeGroups(uint64_t most, std::vector<Group> &groups) {
  uint64_t left = most;
  std::map<Point, size_t> numbers;
  auto addFirst = [&](ArrayRef<int64_t> point) {
    Point key;
    for (unsigned factor : factors.getShared())
      key.push_back(point[factor]);
    auto [entry, isNew] = numbers.try_emplace(key, groups.size());
    if (isNew)
      groups.emplace_back().launches.resize(factors.getNumLaunches());
    llvm::append_range(groups[entry->second].launches[0].sizes, point);
  };
  if (!visitLaunch(0, {}, left, addFirst))
    return false;
  for (Group &group : groups)
    for (unsigned launch = 1; launch < factors.getNumLaunches(); ++launch) {
      // The launches between the first one and this one do not matter.
      Point prefix(
          ArrayRef(group.launches[0].sizes).take_front(factors.getBegin(1)));
      prefix.resize(factors.getBegin(launch), 1);
      if (!visitLaunch(launch, prefix, left, [&](ArrayRef<int64_t> point) {
            llvm::append_range(group.launches[launch].sizes, point);
          }))
        return false;
    }
  return true;
}

void SizeSearch::addBounds(Group &group) {
  for (auto [launch, points] : llvm::enumerate(group.launches)) {
    unsigned length = factors.getBegin(launch + 1);
    // A launch without factors has one point.
    size_t count = length ? points.sizes.size() / length : 1;
    double least = std::numeric_limits<double>::infinity();
    // What the launches before take at least, and those behind, is not left for
    // this one. Rounding must not decide.
    double limit =
        (bestCost - group.bound -
         (group.launches.size() - launch - 1) * costs.getLeastOfLaunch()) *
        (1 + kRounding);
    for (unsigned number = 0; number < count; ++number) {
      double bound = costs.getLaunchBound(
          launch, ArrayRef(points.sizes).slice(number * length, length), limit);
      if (bound >= limit)
        continue;
      points.bounds.push_back({bound, number});
      least = std::min(least, bound);
    }
    std::make_heap(points.bounds.begin(), points.bounds.end(),
                   std::greater<>());
    group.bound += least;
    // No point of the launch fits.
    if (points.bounds.empty())
      return;
  }
}

void SizeSearch::searchGroup(Group &group) {
  // The sum of what launches take at least: their bounds, and for those that
  // were searched the best cost.
  double sum = group.bound;
  Point point;
  for (auto [launch, points] : llvm::enumerate(group.launches)) {
    unsigned length = factors.getBegin(launch + 1);
    double rest = sum - points.bounds.front().first;
    double least = bestCost - rest;
    ArrayRef<int64_t> chosen;
    bool isChosen = false;
    auto &heap = points.bounds;
    while (!heap.empty() && heap.front().first < least &&
           !(isOver && isOver())) {
      auto other =
          ArrayRef(points.sizes).slice(heap.front().second * length, length);
      double cost = costs.getLaunchCost(launch, other);
      if (cost < least) {
        least = cost;
        chosen = other;
        isChosen = true;
      }
      std::pop_heap(heap.begin(), heap.end(), std::greater<>());
      heap.pop_back();
    }
    if (!isChosen)
      return;
    sum = rest + least;
    llvm::append_range(point, chosen.drop_front(factors.getBegin(launch)));
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
