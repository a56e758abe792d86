//===- Suspicions.cpp - What a candidate may lose -------------------------===//
//
// Compares the estimates of two programs over a grid of arguments' sizes, and
// picks the inputs that are worth a run.
//
//===----------------------------------------------------------------------===//

#include "Estimate.h"
#include "Mirage/Analysis/Equivalence/Floats/Hazards.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;
using llvm::SmallVector;

/// Normal numbers of a deviation of one have elements of up to some four. The
/// original must hold these, and sums a little above what is expected; of the
/// candidate, one element that overflows is enough.
static constexpr double kOriginalHeadroom = 8, kCandidateHeadroom = 2;
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

  std::vector<Point> build() {
    addPowers();
    addPairs();
    addMeans();
    return std::move(points);
  }

private:
  /// Returns this power of two, or the nearest for which an argument's type has
  /// all digits of products of so many arguments, and room above an argument.
  double getSize(size_t argument, int power, int factors = 1) const {
    NumberRange range = getNumberRange(types[argument]);
    double lowest = range.tiny / range.unit * 2, highest = range.largest / 8;
    return std::clamp(std::ldexp(1.0, power), std::pow(lowest, 1.0 / factors),
                      highest);
  }
  /// The same for two arguments beside others of the size of one, where there
  /// is room above products as well.
  double getPaired(size_t argument, int power) const {
    double highest = std::cbrt(getNumberRange(types[argument]).largest);
    return std::min(getSize(argument, power, 3), highest);
  }
  void addPowers();
  void addPairs();
  void addMeans();

  SmallVector<ElementType, 4> types;
  std::vector<Point> points;
};
} // namespace

void SizeGrid::addPowers() {
  bool isSingle = types.size() == 1;
  for (int power = -24; power <= 15; power += 3) {
    Point &all = points.emplace_back(types.size());
    for (size_t i = 0; i < types.size(); ++i)
      all[i].deviation = getSize(i, power, isSingle ? 1 : 2);
    if (isSingle)
      continue;
    for (size_t i = 0; i < types.size(); ++i) {
      Point &one = points.emplace_back(types.size());
      one[i].deviation = getSize(i, power);
    }
  }
}

void SizeGrid::addPairs() {
  if (types.size() > kMostPaired)
    return;
  static constexpr int powers[] = {-24, -12, -6, 6, 12};
  for (size_t i = 0; i < types.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      for (int first : powers)
        for (int second : powers) {
          Point &two = points.emplace_back(types.size());
          two[i].deviation = getPaired(i, first);
          two[j].deviation = getPaired(j, second);
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
          one[i] = {sign * getSize(i, power), spread};
        }
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
  using Key = std::tuple<HazardKind, unsigned, unsigned>;
  std::map<Key, Suspects> suspects;
  for (const Point &point : SizeGrid(lhs).build()) {
    auto candidate = estimateResults(rhs, point, kCandidateHeadroom);
    if (isExact(lhs, candidate, factor))
      continue;
    auto original = estimateResults(lhs, point, kOriginalHeadroom);
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
      Suspects &known = suspects[{hazard.kind, hazard.location, i}];
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
  for (Suspicion Suspects::*which : {&Suspects::worst, &Suspects::nearest})
    for (const auto *entry : sorted)
      all.push_back(entry->second.*which);
  return all;
}
