//===- LaunchTuner.cpp - The fastest way to execute a launch --------------===//
//
// The cost model orders tilings, measurements choose: first among those that it
// puts first, then from neighbour to neighbour, then among schedules.
//
//===----------------------------------------------------------------------===//

#include "LaunchTuner.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/MuGraph/Retile.h"
#include <cmath>
#include <queue>
#include <set>

using namespace mirage;

/// What the planner is asked for in place of what it takes by itself: how many
/// warps share the work, how wide iterations are, how many blocks share them,
/// and what it leaves out.
static constexpr llvm::StringLiteral scheduleOptions[] = {
    "columns=32",        "columns=128",       "columns=256",
    "warps=4",           "warps=16",          "cluster-blocks=1",
    "cluster-blocks=2",  "cluster-blocks=4",  "cluster-blocks=8",
    "loader=false",      "bulk-copies=false", "prepare=false",
    "defer=false",       "persistent=false",  "wgmma=false",
    "product-sums=false"};

/// Sorts ways by one of their times, and those that are alike in it by their
/// names.
static void sortBy(std::vector<LaunchVariant> &ways,
                   double LaunchVariant::*time) {
  llvm::sort(ways, [&](const LaunchVariant &a, const LaunchVariant &b) {
    return a.*time != b.*time ? a.*time < b.*time : a.getName() < b.getName();
  });
}

/// Finds the tilings of the launch that the cost model puts within the slack,
/// those of least time first.
void LaunchTuner::explore() {
  // A launch with more tilings is rare, and these are in the order of the
  // model.
  constexpr size_t most = 1000;
  double least = std::numeric_limits<double>::infinity();
  auto price = [&](const MuGraph &graph) {
    return estimateProgram(graph, options.target).microseconds;
  };
  std::string first = describeTilings(original);
  double predicted = price(original);
  // The search begins at the launch as it is, even if the model says that it
  // cannot be executed.
  least = predicted;
  std::priority_queue<std::pair<double, std::string>,
                      std::vector<std::pair<double, std::string>>,
                      std::greater<>>
      next;
  tilings.emplace(first, Tiling{original, predicted});
  next.push({predicted, first});
  while (!next.empty() && tilings.size() < most) {
    auto [time, name] = next.top();
    next.pop();
    if (time > least * options.slack && std::isfinite(least))
      break;
    for (MuGraph &graph : getRetilings(tilings.at(name).graph)) {
      std::string text = describeTilings(graph);
      if (tilings.count(text))
        continue;
      double cost = price(graph);
      if (!std::isfinite(cost))
        continue;
      least = std::min(least, cost);
      tilings.emplace(text, Tiling{std::move(graph), cost});
      next.push({cost, text});
    }
  }
}

LaunchVariant LaunchTuner::makeVariant(const std::string &tiling,
                                       llvm::StringRef schedule) const {
  const Tiling &entry = tilings.at(tiling);
  LaunchVariant variant;
  variant.graph = &entry.graph;
  variant.tiling = tiling;
  variant.options = schedule.str();
  variant.predicted = entry.predicted;
  return variant;
}

std::vector<LaunchVariant> LaunchTuner::listTilings() {
  if (tilings.empty())
    explore();
  std::string first = describeTilings(original);
  std::vector<LaunchVariant> list;
  double least = std::numeric_limits<double>::infinity();
  for (const auto &[name, tiling] : tilings)
    least = std::min(least, tiling.predicted);
  for (const auto &[name, tiling] : tilings)
    if (name != first && tiling.predicted <= least * options.slack)
      list.push_back(makeVariant(name, ""));
  sortBy(list, &LaunchVariant::predicted);
  list.insert(list.begin(), makeVariant(first, ""));
  return list;
}

double LaunchTuner::measureOriginal(const LaunchTimes &times) {
  std::string name = describeTilings(original);
  tilings.try_emplace(
      name,
      Tiling{original, estimateProgram(original, options.target).microseconds});
  return measure(makeVariant(name, ""), times);
}

const std::string &LaunchTuner::getPlanned(const LaunchVariant &variant,
                                           const LaunchTimes &times) {
  auto [entry, isNew] = launches.try_emplace(variant.getName());
  if (isNew)
    entry->second = times.plan(variant);
  // What cannot be scheduled is one way, whatever the options are.
  if (entry->second.empty())
    entry->second = variant.tiling;
  return entry->second;
}

double LaunchTuner::measure(LaunchVariant variant, const LaunchTimes &times) {
  const std::string &schedule = getPlanned(variant, times);
  if (variant.options.empty())
    planned[variant.tiling] = schedule;
  // The planner may make one launch of several tilings.
  if (auto found = known.find(schedule); found != known.end())
    return found->second;
  double time = variant.microseconds = times.measure(variant);
  // What a file says of a way may be under another one's name.
  if (std::isfinite(time))
    known[schedule] = time;
  measured.push_back(std::move(variant));
  return time;
}

/// Returns the neighbours of a tiling, and of those of which the planner makes
/// the same launch, the fastest by the cost model first.
std::vector<LaunchVariant>
LaunchTuner::findNeighbours(const std::string &tiling) {
  std::set<std::string> names;
  for (const auto &[name, schedule] : planned) {
    if (schedule != planned.at(tiling))
      continue;
    for (const MuGraph &graph : getRetilings(tilings.at(name).graph))
      if (std::string text = describeTilings(graph); tilings.count(text))
        names.insert(std::move(text));
  }
  std::vector<LaunchVariant> neighbours;
  for (const std::string &name : names)
    if (!planned.count(name))
      neighbours.push_back(makeVariant(name, ""));
  sortBy(neighbours, &LaunchVariant::predicted);
  return neighbours;
}

const LaunchVariant &LaunchTuner::getBest() const {
  return *llvm::min_element(measured,
                            [](const LaunchVariant &a, const LaunchVariant &b) {
                              return a.microseconds < b.microseconds;
                            });
}

void LaunchTuner::prepareFirst(llvm::ArrayRef<LaunchVariant> ways, size_t most,
                               const LaunchTimes &times) {
  std::vector<LaunchVariant> next;
  std::set<std::string> added;
  for (const LaunchVariant &way : ways) {
    if (known.size() + next.size() >= most)
      break;
    const std::string &launch = getPlanned(way, times);
    if (!known.count(launch) && added.insert(launch).second)
      next.push_back(way);
  }
  times.prepare(next);
}

void LaunchTuner::measureFirst(llvm::ArrayRef<LaunchVariant> ways,
                               const LaunchTimes &times) {
  size_t most = known.size() + options.top;
  if (times.prepare)
    prepareFirst(ways, most, times);
  for (const LaunchVariant &way : ways) {
    if (known.size() >= most)
      break;
    measure(way, times);
  }
}

void LaunchTuner::tuneTiling(const LaunchTimes &times) {
  std::vector<LaunchVariant> list = listTilings();
  // The first one is the launch as it is.
  measure(list.front(), times);
  measureFirst(llvm::ArrayRef(list).drop_front(), times);
  while (true) {
    LaunchVariant best = getBest();
    measureFirst(findNeighbours(best.tiling), times);
    // Both are infinite where none can be executed.
    if (!(getBest().microseconds < best.microseconds * (1 - options.minGain)))
      break;
  }
}

/// Returns whether an option of the planner may be asked for.
bool LaunchTuner::mayTry(llvm::StringRef option) const {
  auto [name, value] = option.split('=');
  int64_t blocks = 0;
  if (name == "cluster-blocks" && !value.getAsInteger(10, blocks) &&
      blocks > options.mostClusterBlocks)
    return false;
  return options.triesSchedules &&
         (options.triesAllSchedules || name == "columns");
}

/// Takes option after option that makes a tiling's schedule faster.
void LaunchTuner::tuneSchedule(const std::string &tiling,
                               const LaunchTimes &times) {
  std::string taken;
  double best = measure(makeVariant(tiling, taken), times);
  bool isFaster = true;
  while (isFaster) {
    isFaster = false;
    std::string fastest;
    for (llvm::StringRef option : scheduleOptions) {
      if (!mayTry(option) ||
          llvm::StringRef(taken).contains(option.split('=').first))
        continue;
      std::string all =
          taken.empty() ? option.str() : taken + " " + option.str();
      double time = measure(makeVariant(tiling, all), times);
      if (time > best * (1 - options.minGain))
        continue;
      best = time;
      fastest = std::move(all);
      isFaster = true;
    }
    if (isFaster)
      taken = std::move(fastest);
  }
}

std::vector<LaunchVariant> LaunchTuner::tune(const LaunchTimes &times) {
  measured.clear();
  known.clear();
  launches.clear();
  planned.clear();
  tuneTiling(times);
  // Tilings that are near to the fastest one may have faster schedules.
  constexpr unsigned mostScheduled = 2;
  constexpr double near = 1.1;
  sortBy(measured, &LaunchVariant::microseconds);
  std::vector<std::string> scheduled;
  for (const LaunchVariant &variant : measured)
    if (scheduled.size() < mostScheduled &&
        std::isfinite(variant.microseconds) &&
        variant.microseconds <= near * measured.front().microseconds)
      scheduled.push_back(variant.tiling);
  for (const std::string &tiling : scheduled)
    tuneSchedule(tiling, times);
  std::string first = describeTilings(original);
  const LaunchVariant own =
      *llvm::find_if(measured, [&](const LaunchVariant &variant) {
        return variant.tiling == first && variant.options.empty();
      });
  std::vector<LaunchVariant> faster;
  for (const LaunchVariant &variant : measured)
    if (variant.microseconds <= own.microseconds * (1 - options.minGain) &&
        std::isfinite(variant.microseconds))
      faster.push_back(variant);
  sortBy(faster, &LaunchVariant::microseconds);
  faster.push_back(own);
  return faster;
}
