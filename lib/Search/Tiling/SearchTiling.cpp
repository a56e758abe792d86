//===- SearchTiling.cpp - Heuristic search for tilings --------------------===//
//
// Algorithm 1, and the search of a whole space where it is small.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/SearchTiling.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>
#include <map>
#include <random>

using namespace mirage::tiling;

Tiling mirage::tiling::getTiling(const TilingSpace &space,
                                 const TilingPoint &point) {
  Tiling tiling{space.expressions[point.expression], {}};
  for (auto [choices, number] : llvm::zip_equal(space.tiles, point.tiles))
    tiling.tiles.push_back(choices[number]);
  return tiling;
}

namespace {

using Timed = std::pair<double, TilingPoint>;

class TilingSearch {
public:
  TilingSearch(const TilingSpace &space, TilingTime estimate,
               TilingTime measure, const TilingSearchOptions &options)
      : space(space), estimateTime(estimate), measureTime(measure),
        options(options), random(options.seed) {}

  std::optional<TilingSearchResult> run();

private:
  void runExhaustively();
  void runHeuristically();
  uint64_t countPoints() const;

  double estimate(const TilingPoint &point);
  /// Measures the best of these that were not yet.
  void measureBest(std::vector<Timed> candidates);

  // The distributions of the standard library differ among its vendors.
  uint64_t draw(uint64_t bound) { return random() % bound; }
  double drawReal() { return static_cast<double>(random() >> 11) * 0x1p-53; }
  TilingPoint drawPoint();
  void mutate(TilingPoint &point);
  std::vector<Timed> drawNext(const std::vector<Timed> &population);

  const TilingSpace &space;
  TilingTime estimateTime, measureTime;
  const TilingSearchOptions &options;
  std::mt19937_64 random;
  std::map<TilingPoint, double> estimated, measured;
  TilingSearchResult result;
};

} // namespace

uint64_t TilingSearch::countPoints() const {
  uint64_t count = space.expressions.size();
  for (const auto &choices : space.tiles)
    count = llvm::SaturatingMultiply<uint64_t>(count, choices.size());
  return count;
}

double TilingSearch::estimate(const TilingPoint &point) {
  auto [entry, isNew] = estimated.try_emplace(point);
  if (isNew)
    entry->second = estimateTime(point);
  return entry->second;
}

void TilingSearch::measureBest(std::vector<Timed> candidates) {
  llvm::sort(candidates);
  candidates.erase(llvm::unique(candidates), candidates.end());
  unsigned left = options.top;
  for (const auto &[time, point] : candidates) {
    if (left == 0 || !std::isfinite(time))
      return;
    auto [entry, isNew] = measured.try_emplace(point);
    if (isNew)
      entry->second = measureTime(point);
    // What turns out to be no candidate takes no place of the others.
    if (!std::isfinite(entry->second))
      continue;
    --left;
    if (entry->second < result.microseconds) {
      result.best = point;
      result.microseconds = entry->second;
    }
  }
}

TilingPoint TilingSearch::drawPoint() {
  TilingPoint point;
  point.expression = draw(space.expressions.size());
  for (const auto &choices : space.tiles)
    point.tiles.push_back(draw(choices.size()));
  return point;
}

void TilingSearch::mutate(TilingPoint &point) {
  llvm::SmallVector<unsigned, 6> loops;
  for (auto [loop, choices] : llvm::enumerate(space.tiles))
    if (choices.size() > 1)
      loops.push_back(loop);
  if (loops.empty())
    return;
  unsigned loop = loops[draw(loops.size())];
  unsigned other = draw(space.tiles[loop].size() - 1);
  point.tiles[loop] = other + (other >= point.tiles[loop] ? 1 : 0);
}

std::vector<Timed>
TilingSearch::drawNext(const std::vector<Timed> &population) {
  std::vector<double> sums;
  double sum = 0;
  for (const auto &[time, point] : population)
    sums.push_back(sum += 1 / time);
  std::vector<Timed> next;
  while (next.size() < options.population) {
    double at = drawReal() * sum;
    size_t parent = std::min<size_t>(
        std::upper_bound(sums.begin(), sums.end(), at) - sums.begin(),
        population.size() - 1);
    TilingPoint point = population[parent].second;
    mutate(point);
    double time = estimate(point);
    next.emplace_back(time, std::move(point));
  }
  return next;
}

void TilingSearch::runHeuristically() {
  std::vector<Timed> population;
  // Most points of a space may fit nowhere; do not look for ever.
  for (unsigned i = 0;
       i < 64 * options.population && population.size() < options.population;
       ++i) {
    TilingPoint point = drawPoint();
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

void TilingSearch::runExhaustively() {
  result.wasExhaustive = true;
  std::vector<Timed> all;
  TilingPoint point;
  point.tiles.assign(space.tiles.size(), 0);
  auto isDone = [&] { return point.expression == space.expressions.size(); };
  while (!isDone()) {
    double time = estimate(point);
    if (std::isfinite(time))
      all.emplace_back(time, point);
    size_t loop = 0;
    for (; loop < space.tiles.size(); ++loop) {
      if (++point.tiles[loop] < space.tiles[loop].size())
        break;
      point.tiles[loop] = 0;
    }
    if (loop == space.tiles.size())
      ++point.expression;
  }
  measureBest(std::move(all));
}

std::optional<TilingSearchResult> TilingSearch::run() {
  result.microseconds = std::numeric_limits<double>::infinity();
  bool isEmpty =
      space.expressions.empty() ||
      llvm::any_of(space.tiles, [](const auto &t) { return t.empty(); });
  if (!isEmpty) {
    if (countPoints() <= options.exhaustive)
      runExhaustively();
    else
      runHeuristically();
  }
  result.estimated = estimated.size();
  result.measured = measured.size();
  if (!std::isfinite(result.microseconds))
    return std::nullopt;
  return result;
}

std::optional<TilingSearchResult>
mirage::tiling::searchTiling(const TilingSpace &space, TilingTime estimate,
                             TilingTime measure,
                             const TilingSearchOptions &options) {
  return TilingSearch(space, estimate, measure, options).run();
}
