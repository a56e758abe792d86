//===- PieceCover.cpp - The cheapest way to put pieces together -----------===//
//
// Finds a shortest path over ideals, where it has too many kernels for each
// number of kernels.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/PieceCover.h"
#include "Mirage/Search/KernelGraphs/ExecutionStates.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <limits>
#include <tuple>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

PieceCover::PieceCover(const ProgramUnits &program, ArrayRef<UnitSet> pieces,
                       ArrayRef<UnitSet> groups, const Limits &limits) {
  if (auto states = enumerateExecutionStates(program, limits.ideals)) {
    ideals = std::move(*states);
    exact = addSteps(program, pieces, limits.steps);
    if (exact)
      return;
  }
  addBeginnings(program, groups, limits.ideals);
  addSteps(program, pieces, std::numeric_limits<unsigned>::max());
}

/// Adds the ideals that are made of beginnings of two orders, as long as they
/// are within the limit: those of single orders first.
void PieceCover::addBeginnings(const ProgramUnits &program,
                               ArrayRef<UnitSet> groups, unsigned limit) {
  const std::vector<unsigned> orders[] = {program.getOrder({}),
                                          program.getOrder(groups),
                                          program.getDepthFirstOrder()};
  llvm::SetVector<UnitSet, std::vector<UnitSet>> found;
  auto addAll = [&](UnitSet ideal, ArrayRef<unsigned> order) {
    found.insert(ideal);
    for (unsigned unit : order) {
      ideal.set(unit);
      found.insert(ideal);
    }
  };
  UnitSet none(program.size());
  for (ArrayRef<unsigned> order : orders)
    addAll(none, order);
  for (auto [number, order] : llvm::enumerate(orders))
    for (ArrayRef<unsigned> other : ArrayRef(orders).drop_front(number + 1)) {
      UnitSet beginning(program.size());
      for (unsigned unit : order) {
        beginning.set(unit);
        if (found.size() + program.size() <= limit)
          addAll(beginning, other);
      }
    }
  ideals = found.takeVector();
  // Steps lead to larger ideals.
  llvm::sort(ideals, [](const UnitSet &a, const UnitSet &b) {
    if (a.count() != b.count())
      return a.count() < b.count();
    UnitSet difference = a;
    difference ^= b;
    return difference.any() && a[difference.find_first()];
  });
}

bool PieceCover::addSteps(const ProgramUnits &program, ArrayRef<UnitSet> pieces,
                          unsigned limit) {
  llvm::DenseMap<UnitSet, unsigned> numbers;
  for (auto [number, ideal] : llvm::enumerate(ideals))
    numbers[ideal] = number;
  /// A member, its units, and those that must have run before.
  struct Candidate {
    Member member;
    UnitSet units, needs;
  };
  std::vector<Candidate> candidates;
  for (unsigned unit = 0; unit < program.size(); ++unit) {
    UnitSet alone(program.size());
    alone.set(unit);
    candidates.push_back(
        {{/*isPiece=*/false, unit}, alone, program.getOperands(unit)});
  }
  for (auto [piece, units] : llvm::enumerate(pieces)) {
    UnitSet needs(program.size());
    for (unsigned unit : units.set_bits())
      needs |= program.getOperands(unit);
    needs.reset(units);
    candidates.push_back(
        {{/*isPiece=*/true, static_cast<unsigned>(piece)}, units, needs});
  }
  steps.assign(ideals.size(), {});
  unsigned count = 0;
  for (auto [number, ideal] : llvm::enumerate(ideals))
    for (const Candidate &candidate : candidates) {
      if (candidate.units.anyCommon(ideal) || candidate.needs.test(ideal))
        continue;
      UnitSet next = ideal;
      next |= candidate.units;
      auto to = numbers.find(next);
      if (to == numbers.end())
        continue;
      if (++count > limit)
        return false;
      steps[number].push_back({candidate.member, to->second});
    }
  return true;
}

std::optional<PieceCover::Cover> PieceCover::find(const Prices &prices,
                                                  unsigned maxKernels) const {
  // Only where the limit binds, the number of kernels decides which way to an
  // ideal is the best.
  std::optional<Cover> free = findPath(prices, /*width=*/0);
  if (!free)
    return std::nullopt;
  return free->kernels <= maxKernels ? free
                                     : findPath(prices, size_t(maxKernels) + 1);
}

/// Finds the cheapest cover with fewer than `width` kernels, or any number of
/// them if that is zero.
std::optional<PieceCover::Cover> PieceCover::findPath(const Prices &prices,
                                                      size_t width) const {
  constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Entry {
    double cost = kNever;
    unsigned kernels = 0, from = 0;
    Member member;
  };
  // There is an entry for each ideal, and for each number of kernels if that is
  // limited.
  bool isLimited = width > 0;
  width = std::max<size_t>(width, 1);
  std::vector<Entry> entries(ideals.size() * width);
  entries[0].cost = 0;
  for (size_t ideal = 0; ideal < ideals.size(); ++ideal)
    for (size_t i = 0; i < width; ++i) {
      const Entry entry = entries[ideal * width + i];
      if (entry.cost == kNever)
        continue;
      for (const Step &step : steps[ideal]) {
        const Price &price = step.member.isPiece
                                 ? prices.pieces[step.member.number]
                                 : prices.units[step.member.number];
        if (price.cost == kNever || (isLimited && i + price.kernels >= width))
          continue;
        Entry &next =
            entries[step.to * width + (isLimited ? i + price.kernels : 0)];
        double cost = entry.cost + price.cost;
        unsigned kernels = entry.kernels + price.kernels;
        if (std::tie(cost, kernels) < std::tie(next.cost, next.kernels))
          next = {cost, kernels, static_cast<unsigned>(ideal * width + i),
                  step.member};
      }
    }
  size_t last = (ideals.size() - 1) * width, best = last;
  for (size_t i = 1; i < width; ++i)
    if (entries[last + i].cost < entries[best].cost)
      best = last + i;
  if (entries[best].cost == kNever)
    return std::nullopt;
  Cover cover;
  cover.cost = entries[best].cost;
  cover.kernels = entries[best].kernels;
  for (size_t at = best; at != 0; at = entries[at].from)
    if (entries[at].member.isPiece)
      cover.pieces.push_back(entries[at].member.number);
  std::reverse(cover.pieces.begin(), cover.pieces.end());
  return cover;
}
