//===- PieceCover.cpp - The cheapest way to put pieces together -----------===//
//
// Finds a shortest path over ideals, for each number of kernels.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/PieceCover.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include <limits>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

PieceCover::PieceCover(const ProgramUnits &program, ArrayRef<UnitSet> pieces,
                       const Limits &limits) {
  exact = addIdeals(program, limits) && addSteps(program, pieces, limits.steps);
  if (exact)
    return;
  addPrefixes(program);
  addSteps(program, pieces, std::numeric_limits<unsigned>::max());
}

bool PieceCover::addIdeals(const ProgramUnits &program, const Limits &limits) {
  // The search is breadth first, so that smaller ideals come first.
  llvm::SetVector<UnitSet, std::vector<UnitSet>> found;
  found.insert(UnitSet(program.size()));
  for (size_t i = 0; i < found.size(); ++i) {
    if (found.size() > limits.ideals)
      return false;
    UnitSet ideal = found[i];
    for (unsigned unit = 0; unit < program.size(); ++unit) {
      if (ideal[unit] || program.getOperands(unit).test(ideal))
        continue;
      UnitSet larger = ideal;
      larger.set(unit);
      found.insert(std::move(larger));
    }
  }
  ideals = found.takeVector();
  return true;
}

void PieceCover::addPrefixes(const ProgramUnits &program) {
  ideals.assign(1, UnitSet(program.size()));
  for (unsigned unit = 0; unit < program.size(); ++unit) {
    ideals.push_back(ideals.back());
    ideals.back().set(unit);
  }
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
  constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Entry {
    double cost = kNever;
    unsigned from = 0;
    Member member;
  };
  // There is an entry for each ideal and number of kernels.
  size_t width = size_t(maxKernels) + 1;
  std::vector<Entry> entries(ideals.size() * width);
  entries[0].cost = 0;
  for (size_t ideal = 0; ideal < ideals.size(); ++ideal)
    for (size_t kernels = 0; kernels < width; ++kernels) {
      double cost = entries[ideal * width + kernels].cost;
      if (cost == kNever)
        continue;
      for (const Step &step : steps[ideal]) {
        const Price &price = step.member.isPiece
                                 ? prices.pieces[step.member.number]
                                 : prices.units[step.member.number];
        if (price.cost == kNever || kernels + price.kernels >= width)
          continue;
        Entry &next = entries[step.to * width + kernels + price.kernels];
        if (cost + price.cost < next.cost)
          next = {cost + price.cost,
                  static_cast<unsigned>(ideal * width + kernels), step.member};
      }
    }
  size_t last = (ideals.size() - 1) * width, best = last;
  for (size_t kernels = 1; kernels < width; ++kernels)
    if (entries[last + kernels].cost < entries[best].cost)
      best = last + kernels;
  if (entries[best].cost == kNever)
    return std::nullopt;
  Cover cover;
  cover.cost = entries[best].cost;
  for (size_t at = best; at != 0; at = entries[at].from)
    if (entries[at].member.isPiece)
      cover.pieces.push_back(entries[at].member.number);
  std::reverse(cover.pieces.begin(), cover.pieces.end());
  return cover;
}
