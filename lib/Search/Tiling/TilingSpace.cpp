//===- TilingSpace.cpp - Candidates and rules that prune them -------------===//
//
// Rules 1 and 2 are about expressions, rules 3 and 4 about tiles, so that
// counts are products.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Tiling/TilingSpace.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <cassert>
#include <limits>

using namespace mirage::tiling;

llvm::SmallVector<int64_t, 8>
mirage::tiling::getTileChoices(int64_t size, int64_t granularity) {
  llvm::SmallVector<int64_t, 8> tiles;
  for (int64_t tile = granularity; tile < size; tile += granularity)
    tiles.push_back(tile);
  tiles.push_back(size);
  return tiles;
}

double mirage::tiling::getPadding(int64_t size, int64_t tile) {
  int64_t padded = llvm::divideCeil(size, tile) * tile;
  return static_cast<double>(padded - size) / static_cast<double>(size);
}

namespace {

class SpaceMaker {
public:
  SpaceMaker(const ChainShape &shape, const PruningRules &rules)
      : shape(shape), rules(rules) {}

  TilingSpace run();

private:
  void pruneExpressions();
  void dropPadded();
  uint64_t countTiles() const;
  /// The number of choices of tiles, from this loop on, that fit.
  uint64_t countFitting(Loop loop,
                        llvm::SmallVectorImpl<int64_t> &chosen) const;
  void note(unsigned rule, uint64_t tiles) {
    uint64_t expressions = space.expressions.size();
    space.sizes[rule] = {expressions,
                         llvm::SaturatingMultiply(expressions, tiles)};
  }

  const ChainShape &shape;
  const PruningRules &rules;
  TilingSpace space;
};

} // namespace

void SpaceMaker::pruneExpressions() {
  uint64_t tiles = countTiles();
  // The rules are about loops that have iterations; those with one drop out of
  // any expression.
  ScheduleProblem problem =
      shape.getScheduleProblem(llvm::SmallVector<int64_t>(shape.sizes));
  for (auto [extent, choices] : llvm::zip(problem.extents, space.tiles))
    extent = choices.size() > 1 ? 2 : 1;
  auto getSchedule = [&](const TilingExpression &expression) {
    std::string error;
    std::optional<Schedule> result = schedule(expression, problem, error);
    assert(result && "generated expressions have schedules");
    return std::move(*result);
  };
  note(0, tiles);
  if (rules.deduplicate) {
    llvm::StringSet<> seen;
    std::vector<TilingExpression> kept;
    for (const TilingExpression &expression : space.expressions) {
      TilingExpression canonical = getSchedule(expression).getExpression();
      if (seen.insert(toString(canonical)).second)
        kept.push_back(std::move(canonical));
    }
    space.expressions = std::move(kept);
  }
  note(1, tiles);
  if (rules.intermediateTiles)
    llvm::erase_if(space.expressions, [&](const TilingExpression &expression) {
      return getSchedule(expression).keepsIntermediateTiles();
    });
  note(2, tiles);
}

void SpaceMaker::dropPadded() {
  for (auto [size, choices] : llvm::zip_equal(shape.sizes, space.tiles)) {
    llvm::erase_if(choices, [&, size = size](int64_t tile) {
      return getPadding(size, tile) > rules.maxPadding;
    });
    if (!rules.smallDivisors || choices.size() > 1 || size <= rules.granularity)
      continue;
    for (int64_t tile = rules.granularity - 1; tile; --tile)
      if (size % tile == 0)
        choices.insert(choices.begin(), tile);
  }
}

uint64_t SpaceMaker::countTiles() const {
  uint64_t count = 1;
  for (const auto &choices : space.tiles)
    count = llvm::SaturatingMultiply<uint64_t>(count, choices.size());
  return count;
}

uint64_t
SpaceMaker::countFitting(Loop loop,
                         llvm::SmallVectorImpl<int64_t> &chosen) const {
  const auto &choices = space.tiles[loop];
  auto fits = [&](int64_t tile) {
    chosen[loop] = tile;
    return space.fits(shape, chosen);
  };
  // Loops further in have their smallest tiles here, and bytes grow with tiles.
  const auto *end = llvm::partition_point(choices, fits);
  if (loop + 1 == space.tiles.size()) {
    chosen[loop] = choices.front();
    return end - choices.begin();
  }
  uint64_t count = 0;
  for (const auto *tile = choices.begin(); tile != end; ++tile) {
    chosen[loop] = *tile;
    count += countFitting(loop + 1, chosen);
  }
  chosen[loop] = choices.front();
  return count;
}

TilingSpace SpaceMaker::run() {
  space.expressions = generateTilings(shape.getNumProducts());
  for (int64_t size : shape.sizes)
    space.tiles.push_back(getTileChoices(size, rules.granularity));
  pruneExpressions();
  if (rules.padding)
    dropPadded();
  note(3, countTiles());
  space.maxBytes = std::numeric_limits<double>::infinity();
  if (!rules.sharedMemory) {
    note(4, countTiles());
    return std::move(space);
  }
  space.maxBytes =
      rules.slack * static_cast<double>(rules.sharedMemoryPerBlock);
  llvm::SmallVector<int64_t, 6> chosen;
  for (const auto &choices : space.tiles)
    chosen.push_back(choices.front());
  note(4, countFitting(0, chosen));
  return std::move(space);
}

TilingSpace mirage::tiling::makeSpace(const ChainShape &shape,
                                      const PruningRules &rules) {
  return SpaceMaker(shape, rules).run();
}
