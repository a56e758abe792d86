//===- LaunchExtents.cpp - What sizes a launch may have -------------------===//
//
// Writes limits as sums of symbolic extents. Each is a lower bound of what
// launches with this prefix need, so that no sizes for which one of them fits
// are excluded.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/LaunchExtents.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mirage;
using namespace mirage::search;

LaunchExtents::LaunchExtents(const SearchProblem &problem,
                             const LaunchGraph &launch, bool isSecond,
                             int64_t sharedMemory,
                             llvm::ArrayRef<int64_t> largestGrid)
    : problem(problem), isSecond(isSecond), sharedMemory(sharedMemory),
      base(problem.getConstraints()) {
  addProducts(launch);
  addGrid(launch, largestGrid);
  guess(launch);
}

/// Replaces the first launch's factors of axes by the launch's own.
SymbolicExtent LaunchExtents::getOwn(SymbolicExtent extent) const {
  if (!isSecond)
    return extent;
  SymbolicExtent own;
  for (auto [generator, exponent] : extent.getPowers())
    for (unsigned i = 0; i < exponent; ++i)
      own = own * SymbolicExtent::get(generator.getUnknown().inSecondLaunch());
  return own;
}

SymbolicExtent LaunchExtents::getExtent(DimId dim) const {
  SymbolicExtent extent;
  for (const AxisPart &part : problem.getParts(dim)) {
    DimId whole = problem.getWholeAxis(part.axis);
    SymbolicExtent of =
        problem.getExtent(*problem.withRemoved(whole, part.removed));
    extent = extent * (problem.isSplitAxis(part.axis) ? of : getOwn(of));
  }
  return extent;
}

SymbolicExtent LaunchExtents::getExtent(llvm::ArrayRef<DimId> dims) const {
  SymbolicExtent extent;
  for (DimId dim : dims)
    extent = extent * getExtent(dim);
  return extent;
}

/// Adds what is known of products of factors. An axis that no loop is over has
/// one iteration, and one that no grid dimension divides has one block. A
/// launch that leaves splits does not divide them, and a launch that loads them
/// does not put them on the grid.
void LaunchExtents::addProducts(const LaunchGraph &launch) {
  auto isOne = [&](const SymbolicExtent &extent) {
    base.products.push_back({extent, SymbolicExtent()});
  };
  llvm::SmallVector<uint8_t, 2> loops = launch.getLoopAxes();
  for (uint8_t axis = 0; axis < problem.getNumAxes(); ++axis) {
    uint8_t split = problem.getSplitAxis(axis);
    SymbolicExtent blocks = problem.getFactor(axis, kGrid);
    SymbolicExtent iterations = problem.getFactor(axis, kLoop);
    if (isSecond) {
      base.products.push_back(
          {getOwn(problem.getExtent(problem.getWholeAxis(axis))),
           SymbolicExtent::get(problem.getAxisSize(axis))});
      isOne(problem.getFactor(split, kGrid));
      if (!llvm::is_contained(loops, split))
        isOne(problem.getFactor(split, kLoop));
    } else {
      isOne(problem.getFactor(split, kLoop));
      isOne(problem.getFactor(split, kGrid));
    }
    if (!llvm::is_contained(launch.gridAxes, axis))
      isOne(getOwn(blocks));
    if (!llvm::is_contained(loops, axis))
      isOne(getOwn(iterations));
  }
}

void LaunchExtents::addGrid(const LaunchGraph &launch,
                            llvm::ArrayRef<int64_t> largest) {
  for (auto [axis, most] : llvm::zip(launch.gridAxes, largest))
    if (most && most < problem.getAxisSize(axis))
      grid.push_back({{{1, getOwn(problem.getFactor(axis, kGrid))}}, most});
}

/// Uses the sizes with the smallest tiles: everything is divided by the loop,
/// or by the grid.
void LaunchExtents::guess(const LaunchGraph &launch) {
  ExtentValues values;
  llvm::SmallVector<uint8_t, 2> loops = launch.getLoopAxes();
  auto set = [&](const SymbolicExtent &extent, int64_t value) {
    // The value is that of one of the factors, and the others are one.
    for (auto [generator, exponent] : extent.getPowers()) {
      values[generator.getUnknown()] = value;
      value = 1;
    }
  };
  for (uint8_t axis = 0; axis < problem.getNumAxes(); ++axis) {
    int64_t size = problem.getAxisSize(axis);
    bool isLooped = llvm::is_contained(loops, axis);
    bool isDivided = llvm::is_contained(launch.gridAxes, axis);
    SymbolicExtent tile = problem.getExtent(
        *problem.withRemoved(problem.getWholeAxis(axis), kAllFactors));
    set(getOwn(tile), isLooped || isDivided ? 1 : size);
    set(getOwn(problem.getFactor(axis, kLoop)), isLooped ? size : 1);
    set(getOwn(problem.getFactor(axis, kGrid)),
        isDivided && !isLooped ? size : 1);
    // The first launch has one block and one iteration.
    if (isSecond) {
      set(tile, size);
      set(problem.getFactor(axis, kLoop), 1);
      set(problem.getFactor(axis, kGrid), 1);
    }
  }
  use(values);
}

static int64_t evaluate(const SymbolicExtent &extent,
                        const ExtentValues &values) {
  uint64_t value = 1;
  for (auto [generator, exponent] : extent.getPowers()) {
    uint64_t factor = 1;
    if (!generator.isUnknown())
      factor = generator.getPrime();
    else if (auto known = values.find(generator.getUnknown());
             known != values.end())
      factor = known->second;
    for (unsigned i = 0; i < exponent; ++i)
      value = llvm::SaturatingMultiply(value, factor);
  }
  return static_cast<int64_t>(
      std::min<uint64_t>(value, std::numeric_limits<int64_t>::max()));
}

void LaunchExtents::use(const ExtentValues &values) {
  if (known.size() == kMostSizes)
    known.pop_back();
  known.insert(known.begin(), Sizes());
  known.front().values = values;
}

bool LaunchExtents::fit(const LiveTiles &live) {
  auto found =
      llvm::find_if(known, [&](Sizes &sizes) { return fit(live, sizes); });
  if (found == known.end())
    return false;
  std::rotate(known.begin(), found, found + 1);
  return true;
}

bool LaunchExtents::fit(const LiveTiles &live, Sizes &sizes) const {
  for (const ExtentConstraints::Limit &limit : grid)
    if (evaluate(limit.terms[0].second, sizes.values) > limit.bound)
      return false;
  if (!sharedMemory)
    return true;
  llvm::SmallVector<double, 16> bytes;
  for (const LiveTiles::Tile &tile : live.getTiles()) {
    bytes.push_back(byteSize(tile.type));
    for (DimId dim : tile.dims) {
      auto [elements, isNew] = sizes.elements.try_emplace(dim);
      if (isNew)
        elements->second = evaluate(getExtent(dim), sizes.values);
      bytes.back() *= static_cast<double>(elements->second);
    }
  }
  return llvm::all_of(live.getMoments(), [&](const LiveTiles::Moment &moment) {
    double sum = 0;
    for (unsigned tile : moment)
      sum += bytes[tile];
    return sum <= static_cast<double>(sharedMemory);
  });
}

double LaunchExtents::getLargestBytes(const LiveTiles::Tile &tile) const {
  double bytes = byteSize(tile.type);
  for (DimId dim : tile.dims)
    for (const AxisPart &part : problem.getParts(dim))
      bytes *= static_cast<double>(problem.getAxisSize(
          problem.isSplitAxis(part.axis) ? problem.getSplitOf(part.axis)
                                         : part.axis));
  return bytes;
}

static bool isBefore(const std::pair<int64_t, SymbolicExtent> &a,
                     const std::pair<int64_t, SymbolicExtent> &b) {
  return std::tie(a.second, a.first) < std::tie(b.second, b.first);
}

/// Returns whether tiles that are alive together may exceed shared memory.
bool LaunchExtents::canExceed(const LiveTiles &live,
                              const LiveTiles::Moment &moment) const {
  double most = 0;
  for (unsigned tile : moment)
    most += getLargestBytes(live.getTiles()[tile]);
  return most > static_cast<double>(sharedMemory);
}

/// Returns whether a moment has no more tiles than another one, so that its
/// limit adds nothing. Moments are sorted.
static bool isPartOfOther(const LiveTiles &live,
                          const LiveTiles::Moment &moment) {
  return llvm::any_of(live.getMoments(), [&](const LiveTiles::Moment &other) {
    return &other != &moment && other.size() > moment.size() &&
           std::includes(other.begin(), other.end(), moment.begin(),
                         moment.end());
  });
}

/// The limit of the bytes of tiles that are alive together.
ExtentConstraints::Limit
LaunchExtents::getLimit(const LiveTiles &live,
                        const LiveTiles::Moment &moment) const {
  ExtentConstraints::Limit limit;
  limit.bound = sharedMemory;
  for (unsigned number : moment) {
    const LiveTiles::Tile &tile = live.getTiles()[number];
    SymbolicExtent extent = getExtent(tile.dims);
    auto term = llvm::find_if(
        limit.terms, [&](const auto &other) { return other.second == extent; });
    if (term == limit.terms.end())
      term = limit.terms.insert(term, {0, std::move(extent)});
    term->first += static_cast<int64_t>(byteSize(tile.type));
  }
  llvm::sort(limit.terms, isBefore);
  return limit;
}

ExtentConstraints LaunchExtents::getConstraints(const LiveTiles &live) const {
  ExtentConstraints constraints = base;
  constraints.limits = grid;
  if (!sharedMemory)
    return constraints;
  for (const LiveTiles::Moment &moment : live.getMoments())
    if (!isPartOfOther(live, moment) && canExceed(live, moment))
      constraints.limits.push_back(getLimit(live, moment));
  // Limits have one order for all prefixes, so that equal questions are one.
  auto own = llvm::MutableArrayRef(constraints.limits).drop_front(grid.size());
  llvm::sort(own, [](const auto &a, const auto &b) {
    return std::lexicographical_compare(a.terms.begin(), a.terms.end(),
                                        b.terms.begin(), b.terms.end(),
                                        isBefore);
  });
  auto *end =
      std::unique(own.begin(), own.end(), [](const auto &a, const auto &b) {
        return a.terms == b.terms;
      });
  constraints.limits.resize(constraints.limits.size() - (own.end() - end));
  return constraints;
}
