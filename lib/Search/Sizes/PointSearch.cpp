//===- PointSearch.cpp - Heuristic search over vectors --------------------===//
//
// Runs algorithm 1, or searches the whole space where it is small.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/PointSearch.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <random>

using namespace mirage::search;
using llvm::ArrayRef;

size_t PointHash::operator()(const Point &point) const {
  return llvm::hash_combine_range(point.begin(), point.end());
}

/// Visits all points with this beginning. Returns false if there are more than
/// `left`.
static bool visitFrom(const PointSpace &space, Point &point, uint64_t &left,
                      llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  if (point.size() == space.coordinates) {
    if (left == 0)
      return false;
    --left;
    visit(point);
    return true;
  }
  // Choices of later coordinates may take the place of these.
  llvm::SmallVector<int64_t, 16> choices(space.getChoices(point));
  for (int64_t choice : choices) {
    point.push_back(choice);
    bool isWhole = visitFrom(space, point, left, visit);
    point.pop_back();
    if (!isWhole)
      return false;
  }
  return true;
}

bool mirage::search::visitPoints(
    const PointSpace &space, uint64_t most,
    llvm::function_ref<void(llvm::ArrayRef<int64_t>)> visit) {
  Point point;
  return visitFrom(space, point, most, visit);
}

namespace {

using Timed = std::pair<double, Point>;

class PointSearch {
public:
  PointSearch(const PointSpace &space, PointTime estimate, PointTime measure,
              const PointSearchOptions &options)
      : space(space), estimateTime(estimate), measureTime(measure),
        options(options), random(options.seed) {}

  std::optional<PointSearchResult> run();

private:
  void runExhaustively();
  void runHeuristically();

  double estimate(const Point &point);
  /// Measures the best of these, unless they were measured before.
  void measureBest(std::vector<Timed> candidates);

  // The distributions of the standard library differ among its vendors.
  uint64_t draw(uint64_t bound) { return random() % bound; }
  double drawReal() { return static_cast<double>(random() >> 11) * 0x1p-53; }
  /// Draws a point, which is shorter than the space if a coordinate has no
  /// choice.
  Point drawPoint();
  void mutate(Point &point);
  std::vector<Timed> drawNext(const std::vector<Timed> &population);

  const PointSpace &space;
  PointTime estimateTime, measureTime;
  const PointSearchOptions &options;
  std::mt19937_64 random;
  PointMap<double> estimated, measured;
  PointSearchResult result;
};

} // namespace

double PointSearch::estimate(const Point &point) {
  auto [entry, isNew] = estimated.try_emplace(point);
  if (isNew)
    entry->second = estimateTime(point);
  return entry->second;
}

void PointSearch::measureBest(std::vector<Timed> candidates) {
  llvm::sort(candidates);
  candidates.erase(llvm::unique(candidates), candidates.end());
  unsigned left = options.top;
  for (const auto &[time, point] : candidates) {
    if (left == 0 || !std::isfinite(time))
      return;
    auto [entry, isNew] = measured.try_emplace(point);
    if (isNew)
      entry->second = measureTime(point);
    // A point that turns out to be no candidate takes no place of the others.
    if (!std::isfinite(entry->second))
      continue;
    --left;
    if (entry->second < result.microseconds) {
      result.best = point;
      result.microseconds = entry->second;
    }
  }
}

Point PointSearch::drawPoint() {
  Point point;
  while (point.size() < space.coordinates) {
    ArrayRef<int64_t> choices = space.getChoices(point);
    if (choices.empty())
      break;
    point.push_back(choices[draw(choices.size())]);
  }
  return point;
}

void PointSearch::mutate(Point &point) {
  auto getChoices = [&](unsigned coordinate) {
    return space.getChoices(ArrayRef(point).take_front(coordinate));
  };
  llvm::SmallVector<unsigned, 8> free;
  for (unsigned i = space.fixed; i < space.coordinates; ++i)
    if (getChoices(i).size() > 1)
      free.push_back(i);
  if (free.empty())
    return;
  unsigned coordinate = free[draw(free.size())];
  ArrayRef<int64_t> choices = getChoices(coordinate);
  unsigned old = llvm::find(choices, point[coordinate]) - choices.begin();
  unsigned other = draw(choices.size() - 1);
  point[coordinate] = choices[other + (other >= old ? 1 : 0)];
  // Later coordinates become the largest that they may be now.
  for (unsigned i = coordinate + 1; i < space.coordinates; ++i) {
    ArrayRef<int64_t> left = getChoices(i);
    auto *above = llvm::upper_bound(left, point[i]);
    point[i] = above == left.begin() ? left.front() : above[-1];
  }
}

std::vector<Timed> PointSearch::drawNext(const std::vector<Timed> &population) {
  std::vector<double> sums;
  double sum = 0;
  for (const auto &[time, point] : population)
    sums.push_back(sum += 1 / time);
  std::vector<Timed> next;
  while (next.size() < options.population) {
    double at = drawReal() * sum;
    size_t parent = std::min<size_t>(llvm::upper_bound(sums, at) - sums.begin(),
                                     population.size() - 1);
    Point point = population[parent].second;
    mutate(point);
    double time = estimate(point);
    next.emplace_back(time, std::move(point));
  }
  return next;
}

void PointSearch::runHeuristically() {
  std::vector<Timed> population;
  // Most points of a space may fit nowhere, so the number of draws is limited.
  for (unsigned i = 0;
       i < 64 * options.population && population.size() < options.population;
       ++i) {
    Point point = drawPoint();
    if (point.size() < space.coordinates)
      continue;
    double time = estimate(point);
    if (std::isfinite(time))
      population.emplace_back(time, std::move(point));
  }
  unsigned idle = 0;
  while (!population.empty() && result.generations < options.generations) {
    ++result.generations;
    double before = result.microseconds;
    measureBest(population);
    bool improved = std::isfinite(result.microseconds) &&
                    (!std::isfinite(before) ||
                     before - result.microseconds >= options.epsilon * before);
    idle = improved ? 0 : idle + 1;
    if (idle >= options.patience)
      return;
    std::vector<Timed> next = drawNext(population);
    llvm::erase_if(next,
                   [](const Timed &t) { return !std::isfinite(t.first); });
    // The fittest of both generations are the next one's parents.
    llvm::append_range(next, population);
    llvm::sort(next);
    next.erase(llvm::unique(next), next.end());
    if (next.size() > options.population)
      next.resize(options.population);
    population = std::move(next);
  }
}

void PointSearch::runExhaustively() {
  result.wasExhaustive = true;
  std::vector<Timed> all;
  visitPoints(space, options.exhaustive, [&](ArrayRef<int64_t> point) {
    ++result.estimated;
    double time = estimateTime(point);
    if (std::isfinite(time))
      all.emplace_back(time, Point(point));
  });
  measureBest(std::move(all));
}

std::optional<PointSearchResult> PointSearch::run() {
  result.microseconds = std::numeric_limits<double>::infinity();
  if (visitPoints(space, options.exhaustive, [](ArrayRef<int64_t>) {})) {
    runExhaustively();
  } else {
    runHeuristically();
    result.estimated = estimated.size();
  }
  result.measured = measured.size();
  if (!std::isfinite(result.microseconds))
    return std::nullopt;
  return result;
}

std::optional<PointSearchResult>
mirage::search::searchPoints(const PointSpace &space, PointTime estimate,
                             PointTime measure,
                             const PointSearchOptions &options) {
  return PointSearch(space, estimate, measure, options).run();
}
