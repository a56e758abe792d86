//===- Suspicions.cpp - What a candidate may lose -------------------------===//
//
// Compares the estimates of two programs over a grid of arguments' sizes, and
// picks the inputs that are worth a run.
//
//===----------------------------------------------------------------------===//

#include "Estimate.h"
#include "Mirage/Analysis/Equivalence/Floats/Hazards.h"
#include "SizeGrid.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <map>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

/// One element of the candidate that overflows is enough.
static constexpr double kCandidateHeadroom = 2;
/// An original can have room although an argument's elements are as large as
/// its type holds: it divides by them, or makes them smaller at once. A
/// candidate that does so later has elements of up to some four times the
/// typical one before.
static constexpr double kTopHeadroom = 4;
/// The power of two of a huge argument beside a tiny one.
static constexpr int kOpposedPower = 12;
/// Arguments of which any two are tried together; more have too many pairs.
static constexpr size_t kMostPaired = 6;

namespace {
using Point = SmallVector<ArgumentSize, 4>;

/// The sizes that arguments are tried with.
class SizeGrid {
public:
  explicit SizeGrid(const MuGraph &program) {
    for (MuValue argument : program.getRegion().arguments)
      types.push_back(program.getValue(argument).type);
  }

  /// Returns whether an argument is as large as its type holds, or another one
  /// leaves its products room.
  bool isTop(const Point &point) const {
    bool hasTiny = llvm::any_of(
        point, [](const ArgumentSize &size) { return size.deviation < 1; });
    return llvm::any_of(llvm::seq<size_t>(0, point.size()), [&](size_t i) {
      return point[i].deviation == getTop(i) ||
             (hasTiny && point[i].deviation == getSingle(i, kOpposedPower));
    });
  }

  std::vector<Point> build() {
    addPowers();
    addTops();
    addPairs();
    addMeans();
    addSingle();
    return std::move(points);
  }

private:
  double getSingle(size_t argument, int power) const {
    return getSizeAlone(types[argument], power);
  }
  double getSize(size_t argument, int power, unsigned factors) const {
    return getSizeTogether(types[argument], power, factors);
  }
  /// The same for two arguments beside others of the size of one, where there
  /// is room above products as well.
  double getPaired(size_t argument, int power) const {
    double highest = std::cbrt(getNumberRange(types[argument]).largest);
    return std::min(getSize(argument, power, 3), highest);
  }
  /// Returns the size of which a type holds elements twice as large.
  double getTop(size_t argument) const {
    return getNumberRange(types[argument]).largest / 3;
  }
  void addPowers();
  void addTops();
  void addPairs();
  void addMeans();
  void addSingle();

  SmallVector<ElementType, 4> types;
  std::vector<Point> points;
};
} // namespace

void SizeGrid::addPowers() {
  bool isSingle = types.size() == 1;
  for (int power = kLeastPower; power <= kGreatestPower; power += kPowerStep) {
    Point &all = points.emplace_back(types.size());
    for (size_t i = 0; i < types.size(); ++i)
      all[i].deviation = isSingle ? getSingle(i, power) : getSize(i, power, 2);
    if (isSingle)
      continue;
    for (size_t i = 0; i < types.size(); ++i) {
      Point &one = points.emplace_back(types.size());
      one[i].deviation = getSingle(i, power);
    }
  }
}

void SizeGrid::addTops() {
  for (size_t i = 0; i < types.size(); ++i)
    if (getTop(i) < std::ldexp(1.0, kGreatestPower))
      points.emplace_back(types.size())[i].deviation = getTop(i);
}

void SizeGrid::addPairs() {
  if (types.size() > kMostPaired)
    return;
  static constexpr int powers[] = {-24, -12, -6, 6, kOpposedPower};
  for (size_t i = 0; i < types.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      for (int first : powers)
        for (int second : powers) {
          // A tiny argument leaves a huge one room that it is multiplied with.
          bool areOpposed = (first < 0) != (second < 0);
          auto getSide = [&](size_t argument, int power) {
            return areOpposed && power > 0 ? getSingle(argument, power)
                                           : getPaired(argument, power);
          };
          Point &two = points.emplace_back(types.size());
          two[i].deviation = getSide(i, first);
          two[j].deviation = getSide(j, second);
        }
}

void SizeGrid::addMeans() {
  for (int power : {0, 6, 12})
    for (double sign : {1.0, -1.0})
      for (double spread : {1.0, 0x1p-8}) {
        bool isSingle = types.size() == 1;
        Point &all = points.emplace_back(types.size());
        for (size_t i = 0; i < types.size(); ++i)
          all[i] = {sign * getSize(i, power, isSingle ? 1 : 2), spread};
        for (size_t i = 0; i < types.size() && !isSingle; ++i) {
          Point &one = points.emplace_back(types.size());
          one[i] = {sign * getSize(i, power, 1), spread};
        }
      }
}

/// One argument has few elements that are not zero. So all roundings of an
/// original that multiplies by it last are in proportion to elements, and those
/// of a candidate may not be.
void SizeGrid::addSingle() {
  for (int power = 0; power <= kGreatestPower; power += kPowerStep)
    for (size_t i = 0; i < types.size(); ++i)
      for (bool isAlone : {true, false}) {
        if (types.size() == 1 && !isAlone)
          continue;
        Point &point = points.emplace_back(types.size());
        for (size_t j = 0; j < types.size() && !isAlone; ++j)
          point[j].deviation = getSize(j, power, 2);
        if (isAlone)
          point[i].deviation = getSingle(i, power);
        point[i].isSingle = true;
      }
}

/// How far arguments are from numbers of the size of one, in powers of two.
static double getDistance(ArrayRef<ArgumentSize> arguments) {
  double distance = 0;
  for (const ArgumentSize &size : arguments)
    distance += std::fabs(std::log2(size.deviation)) +
                std::log2(1 + std::fabs(size.mean));
  return distance;
}

std::optional<unsigned> Suspicion::getSingle() const {
  for (auto [i, size] : llvm::enumerate(arguments))
    if (size.isSingle)
      return i;
  return std::nullopt;
}

/// Returns whether no result of a candidate errs more than one may of an
/// original that is rounded once.
static bool isExact(const MuGraph &original, ArrayRef<ResultEstimate> results,
                    double factor) {
  return llvm::all_of(
      llvm::zip(original.getRegion().results, results), [&](auto pair) {
        auto [value, estimate] = pair;
        ElementType type = original.getValue(value).type;
        return estimate.getRelativeError() <=
               limitFactor(factor, type) * getNumberRange(type).unit;
      });
}

namespace {
/// The inputs for which one operation is suspected in one result.
struct Suspects {
  Suspicion worst, nearest;
  double excess = 0;
};
} // namespace

std::vector<Suspicion> equivalence::findSuspicions(const MuGraph &lhs,
                                                   const MuGraph &rhs,
                                                   double factor) {
  using Key = std::tuple<bool, HazardKind, unsigned, unsigned>;
  std::map<Key, Suspects> suspects;
  SizeGrid grid(lhs);
  for (const Point &point : grid.build()) {
    auto candidate = estimateResults(
        rhs, point, grid.isTop(point) ? kTopHeadroom : kCandidateHeadroom);
    if (isExact(lhs, candidate, factor))
      continue;
    auto original = estimateResults(lhs, point, kOriginalHeadroom);
    bool isSingle = llvm::any_of(
        point, [](const ArgumentSize &size) { return size.isSingle; });
    for (unsigned i = 0; i < candidate.size(); ++i) {
      const ResultEstimate &of = original[i];
      ElementType type = lhs.getValue(lhs.getRegion().results[i]).type;
      NumberRange range = getNumberRange(type);
      double most = limitFactor(factor, type);
      if (!std::isfinite(of.error) || of.magnitude == 0 || !candidate[i].hazard)
        continue;
      double allowed = std::max(
          {of.getRelativeError(), range.unit, range.tiny / of.magnitude});
      // Where the original is not accurate, only infinities are worse.
      if (most * allowed > 1 && std::isfinite(candidate[i].error))
        continue;
      double excess = candidate[i].getRelativeError() / (most * allowed);
      if (!(excess > 1))
        continue;
      const Hazard &hazard = *candidate[i].hazard;
      // All else is the same where elements are zero.
      if (isSingle && hazard.kind != HazardKind::Cancellation)
        continue;
      Suspects &known = suspects[{isSingle, hazard.kind, hazard.location, i}];
      Suspicion found{hazard, i, of.getRelativeError(),
                      candidate[i].getRelativeError(), point};
      if (excess > known.excess)
        known.worst = found;
      if (known.excess == 0 ||
          getDistance(point) < getDistance(known.nearest.arguments))
        known.nearest = found;
      known.excess = std::max(known.excess, excess);
    }
  }
  SmallVector<const std::pair<const Key, Suspects> *> sorted;
  for (const auto &entry : suspects)
    sorted.push_back(&entry);
  llvm::sort(sorted, [](const auto *a, const auto *b) {
    return std::tie(b->second.excess, a->first) <
           std::tie(a->second.excess, b->first);
  });
  std::vector<Suspicion> all;
  for (bool isSingle : {false, true})
    for (Suspicion Suspects::*which : {&Suspects::worst, &Suspects::nearest})
      for (const auto *entry : sorted)
        if (std::get<0>(entry->first) == isSingle)
          all.push_back(entry->second.*which);
  return all;
}
