//===- SizeFactors.cpp - The sizes of a candidate as a vector -------------===//
//
// Lists the factors of a candidate, what they divide, and which launches see
// them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/SizeFactors.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

SizeFactors::SizeFactors(const SearchProblem &problem,
                         const Candidate &candidate)
    : problem(problem), factors(getFactors(candidate)) {
  for (const LaunchGraph &launch : candidate.launches) {
    LaunchSizes &sizes = shape.emplace_back();
    sizes.grid.assign(std::max<size_t>(launch.gridAxes.size(), 1), 1);
    sizes.loops.assign(launch.getLoopAxes().size(), 1);
  }
  for (unsigned launch = 0; launch <= shape.size(); ++launch)
    begins.push_back(llvm::partition_point(factors,
                                           [&](const FactorChoice &factor) {
                                             return factor.launch < launch;
                                           }) -
                     factors.begin());
  if (shape.size() < 2)
    return;
  const LaunchGraph &first = candidate.launches.front();
  for (unsigned factor = 0; factor < begins[1]; ++factor) {
    auto isSplit = [&](uint8_t output) {
      DimId split =
          problem.getWholeAxis(problem.getSplitAxis(factors[factor].axis));
      return llvm::is_contained(getStoredDims(problem, first, output), split);
    };
    if (!factors[factor].isLoop && llvm::any_of(first.outputs, isSplit))
      shared.push_back(factor);
  }
}

std::optional<unsigned> SizeFactors::find(unsigned launch, bool isLoop,
                                          uint8_t axis) const {
  for (unsigned factor = begins[launch]; factor < begins[launch + 1]; ++factor)
    if (factors[factor].isLoop == isLoop && factors[factor].axis == axis)
      return factor;
  return std::nullopt;
}

SizeFactors::AxisSize SizeFactors::getAxisSize(uint8_t axis) const {
  if (!problem.isSplitAxis(axis))
    return {problem.getAxisSize(axis), std::nullopt};
  return {1, find(0, /*isLoop=*/false, problem.getSplitOf(axis))};
}

int64_t SizeFactors::getRoom(unsigned factor, ArrayRef<int64_t> sizes) const {
  const FactorChoice &choice = factors[factor];
  AxisSize axis = getAxisSize(choice.axis);
  int64_t room = axis.factor ? sizes[*axis.factor] : axis.size;
  unsigned end = std::min<size_t>(begins[choice.launch + 1], sizes.size());
  for (unsigned other = begins[choice.launch]; other < end; ++other)
    if (other != factor && factors[other].axis == choice.axis)
      room = room % sizes[other] ? 0 : room / sizes[other];
  return room;
}

ArrayRef<int64_t> SizeFactors::getChoices(unsigned factor,
                                          ArrayRef<int64_t> sizes,
                                          Divisors &divisors) const {
  ArrayRef<int64_t> choices = divisors.get(getRoom(factor, sizes));
  return isWhole(factor) && !choices.empty() ? choices.take_back() : choices;
}

std::vector<LaunchSizes> SizeFactors::getSizes(ArrayRef<int64_t> sizes) const {
  std::vector<LaunchSizes> result = shape;
  for (auto [factor, size] : llvm::zip(factors, sizes)) {
    LaunchSizes &launch = result[factor.launch];
    (factor.isLoop ? launch.loops[factor.position]
                   : launch.grid[factor.position]) = size;
  }
  return result;
}

ArrayRef<int64_t> Divisors::get(int64_t size) {
  auto [entry, isNew] = lists.try_emplace(size);
  if (isNew) {
    for (int64_t divisor = 1; divisor * divisor <= size; ++divisor)
      if (size % divisor == 0) {
        entry->second.push_back(divisor);
        if (divisor * divisor != size)
          entry->second.push_back(size / divisor);
      }
    llvm::sort(entry->second);
  }
  return entry->second;
}
