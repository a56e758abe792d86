//===- LaunchTable.cpp - What launches take at their points ---------------===//
//
// Says by which numbers launches, and lists of points, are told apart.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/LaunchTable.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

KnownLaunch::KnownLaunch(const SearchProblem &problem,
                         const Candidate &candidate, unsigned launch)
    : candidate(candidate), factors(problem, this->candidate),
      bound(problem, this->candidate, factors, launch) {}

double KnownLaunch::getCost(const Point &key,
                            llvm::function_ref<double()> evaluate) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = costs.find(key); known != costs.end())
      return known->second;
  }
  // Two threads that find it at the same time find the same.
  double cost = evaluate();
  std::lock_guard<std::mutex> lock(mutex);
  costs.try_emplace(key, cost);
  return cost;
}

std::shared_ptr<TimedPoints> KnownLaunch::findPoints(const Point &shared) {
  std::lock_guard<std::mutex> lock(mutex);
  auto known = points.find(shared);
  return known == points.end() ? nullptr : known->second;
}

std::shared_ptr<TimedPoints>
KnownLaunch::keepPoints(const Point &shared,
                        std::shared_ptr<TimedPoints> found) {
  std::lock_guard<std::mutex> lock(mutex);
  return points.try_emplace(shared, std::move(found)).first->second;
}

/// Appends what a launch leaves to those behind it: splits of its grid, and the
/// dimensions of the tensors that it stores.
static void appendStored(const LaunchGraph &launch,
                         std::vector<uint16_t> &key) {
  auto append = [&](const auto &list) {
    key.push_back(list.size());
    llvm::append_range(key, list);
  };
  append(launch.gridAxes);
  append(launch.getLoopAxes());
  key.push_back(launch.outputs.size());
  for (uint8_t output : launch.outputs)
    append(launch.values[output].dims);
}

/// Returns numbers that tell a launch from all that may take another time at
/// some point.
static std::vector<uint16_t> getKey(const Candidate &candidate,
                                    unsigned launch) {
  const LaunchGraph &own = candidate.launches[launch];
  bool isLast = launch + 1 == candidate.launches.size();
  std::vector<uint16_t> key = {
      static_cast<uint16_t>(launch),
      static_cast<uint16_t>(isLast | candidate.isPartial << 1 |
                            candidate.joinsProducts << 2 |
                            candidate.transposesLoads << 3)};
  for (const LaunchGraph &before :
       ArrayRef(candidate.launches).take_front(launch))
    appendStored(before, key);
  key.push_back(candidate.results.size());
  llvm::append_range(key, candidate.results);
  key.push_back(own.loops.size());
  llvm::append_range(key, own.getKey());
  // What values are relative to depends on the tensors that are loaded.
  for (const LaunchGraph::Value &value : own.values)
    key.push_back(value.shift ? value.shift.getValue() + 1 : 0);
  return key;
}

std::shared_ptr<KnownLaunch> LaunchTable::getLaunch(const Candidate &candidate,
                                                    unsigned launch) {
  std::vector<uint16_t> key = getKey(candidate, launch);
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = launches.find(key); known != launches.end())
      return known->second;
  }
  auto made = std::make_shared<KnownLaunch>(problem, candidate, launch);
  std::lock_guard<std::mutex> lock(mutex);
  return launches.try_emplace(std::move(key), std::move(made)).first->second;
}

bool PointLists::reserve(size_t count) {
  if (kept + count > kMostNumbers)
    return false;
  kept += count;
  return true;
}

std::shared_ptr<const PointList> PointLists::get(const SizeFactors &factors,
                                                 unsigned launch,
                                                 ArrayRef<int64_t> prefix,
                                                 uint64_t most) {
  // What a factor divides, and which others of the launch divide it, too.
  unsigned begin = factors.getBegin(launch), end = factors.getBegin(launch + 1);
  std::vector<int64_t> key;
  for (unsigned factor = begin; factor < end; ++factor) {
    const FactorChoice &choice = factors.get()[factor];
    key.insert(key.end(), {choice.axis, factors.isWhole(factor),
                           factors.getRoom(factor, prefix)});
  }
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = lists.find(key); known != lists.end())
      return known->second->size() <= most ? known->second : nullptr;
  }
  std::vector<int64_t> sizes;
  size_t count = 0;
  Divisors divisors;
  Point whole(prefix);
  auto choices = [&](ArrayRef<int64_t> before) {
    whole.truncate(begin);
    llvm::append_range(whole, before);
    return factors.getChoices(whole.size(), whole, divisors);
  };
  if (!visitPoints({end - begin, 0, choices}, most,
                   [&](ArrayRef<int64_t> point) {
                     llvm::append_range(sizes, point);
                     ++count;
                   }))
    return nullptr;
  bool isKept = reserve(sizes.size());
  auto made =
      std::make_shared<const PointList>(end - begin, count, std::move(sizes));
  if (!isKept)
    return made;
  std::lock_guard<std::mutex> lock(mutex);
  return lists.try_emplace(std::move(key), std::move(made)).first->second;
}
