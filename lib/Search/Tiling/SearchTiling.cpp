//===- SearchTiling.cpp - Heuristic search for tilings --------------------===//
//
// Searches tilings as points that consist of the number of the expression and
// those of the tiles.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/SearchTiling.h"
#include "llvm/ADT/STLExtras.h"
#include <numeric>

using namespace mirage;
using namespace mirage::tiling;
using llvm::ArrayRef;

Tiling mirage::tiling::getTiling(const TilingSpace &space,
                                 const TilingPoint &point) {
  Tiling tiling{space.expressions[point.expression], {}};
  for (auto [choices, number] : llvm::zip_equal(space.tiles, point.tiles))
    tiling.tiles.push_back(choices[number]);
  return tiling;
}

static TilingPoint getPoint(ArrayRef<int64_t> numbers) {
  TilingPoint point;
  point.expression = numbers.front();
  for (int64_t number : numbers.drop_front())
    point.tiles.push_back(number);
  return point;
}

std::optional<TilingSearchResult>
mirage::tiling::searchTiling(const TilingSpace &space, TilingTime estimate,
                             TilingTime measure,
                             const TilingSearchOptions &options) {
  size_t most = space.expressions.size();
  for (const auto &choices : space.tiles)
    most = std::max<size_t>(most, choices.size());
  std::vector<int64_t> numbers(most);
  std::iota(numbers.begin(), numbers.end(), 0);
  auto getChoices = [&](ArrayRef<int64_t> before) {
    size_t count = before.empty() ? space.expressions.size()
                                  : space.tiles[before.size() - 1].size();
    return ArrayRef(numbers).take_front(count);
  };
  search::PointSpace points{static_cast<unsigned>(1 + space.tiles.size()),
                            /*fixed=*/1, getChoices};
  std::optional<search::PointSearchResult> found = search::searchPoints(
      points, [&](ArrayRef<int64_t> p) { return estimate(getPoint(p)); },
      [&](ArrayRef<int64_t> p) { return measure(getPoint(p)); }, options);
  if (!found)
    return std::nullopt;
  return TilingSearchResult{getPoint(found->best), found->microseconds,
                            found->estimated,      found->measured,
                            found->generations,    found->wasExhaustive};
}
