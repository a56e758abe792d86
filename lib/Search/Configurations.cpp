//===- Configurations.cpp - Grids, loops and loads of a launch ------------===//
//
// Subsets of axes for the grid, an axis or none for the loop, and for each
// tensor the ways to cut it.
//
//===----------------------------------------------------------------------===//

#include "Configurations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

class Enumeration {
public:
  Enumeration(const SearchProblem &problem, ArrayRef<TensorInfo> tensors,
              ArrayRef<uint8_t> loaded, bool isLast,
              const ConfigurationLimits &limits)
      : problem(problem), tensors(tensors), loaded(loaded), isLast(isLast),
        limits(limits) {
    for (uint8_t tensor : loaded)
      for (DimId dim : tensors[tensor].dims)
        if (dim != kUnitDim)
          occurring |= getBit(dim);
    for (const TensorInfo &result : problem.getResults())
      for (DimId dim : result.dims)
        if (dim != kUnitDim)
          inResults |= getBit(dim);
  }

  std::vector<LaunchGraph> run() {
    // A split that is not summed is nobody's result.
    uint64_t divisible = isLast ? occurring & inResults : occurring;
    for (uint64_t grid = 0; grid <= divisible;
         grid = (grid | ~divisible) + 1 & divisible) {
      if (static_cast<unsigned>(llvm::popcount(grid)) <= limits.gridDims &&
          !hasSplits(grid)) {
        chooseLoads(grid, 0);
        for (uint64_t loops = occurring; loops; loops &= loops - 1)
          chooseLoads(grid, loops & -loops);
      }
      if (grid == divisible)
        break;
    }
    return std::move(result);
  }

private:
  uint64_t getBit(DimId dim) const {
    return uint64_t(1) << problem.getParts(dim).front().axis;
  }
  bool hasSplits(uint64_t mask) const {
    return mask >> problem.getNumAxes() != 0;
  }

  /// All ways to cut a tensor.
  std::vector<Dims> getCuts(uint8_t tensor) const {
    std::vector<Dims> cuts = {{}};
    for (DimId dim : tensors[tensor].dims) {
      uint8_t factors = 0;
      if (dim != kUnitDim) {
        factors |= grid & getBit(dim) ? kGrid : 0;
        factors |= loop & getBit(dim) ? kLoop : 0;
      }
      std::vector<Dims> longer;
      for (const Dims &cut : cuts)
        for (uint8_t removed = factors;; removed = removed - 1 & factors) {
          if (auto id = problem.withRemoved(dim, removed);
              id && !clashes(cut, *id)) {
            longer.push_back(cut);
            longer.back().push_back(*id);
          }
          if (!removed)
            break;
        }
      cuts = std::move(longer);
    }
    return cuts;
  }

  /// A grid dimension or loop cuts a tensor along one dimension only.
  bool clashes(const Dims &cut, DimId id) const {
    if (id == kUnitDim)
      return false;
    return llvm::any_of(cut, [&](DimId other) {
      return other != kUnitDim && getBit(other) == getBit(id) &&
             (problem.getRemoved(other) & problem.getRemoved(id));
    });
  }

  void chooseLoads(uint64_t gridMask, uint64_t loopMask) {
    grid = gridMask;
    loop = loopMask;
    std::vector<std::vector<Dims>> cuts;
    for (uint8_t tensor : loaded)
      cuts.push_back(getCuts(tensor));
    std::vector<LoadChoice> loads;
    choose(cuts, 0, loads);
    if (!limits.secondLoads)
      return;
    for (auto [position, options] : llvm::enumerate(cuts))
      for (size_t i = 0; i < options.size(); ++i)
        for (size_t j = i + 1; j < options.size(); ++j) {
          auto pair = cuts;
          pair[position] = {options[i]};
          loads = {{loaded[position], options[j]}};
          choose(pair, 0, loads);
        }
  }

  void choose(ArrayRef<std::vector<Dims>> cuts, size_t position,
              std::vector<LoadChoice> &loads) {
    if (result.size() >= limits.configurations)
      return;
    if (position == cuts.size()) {
      add(loads);
      return;
    }
    for (const Dims &cut : cuts[position]) {
      loads.push_back({loaded[position], cut});
      choose(cuts, position + 1, loads);
      loads.pop_back();
    }
  }

  void add(ArrayRef<LoadChoice> loads) {
    if (result.size() >= limits.configurations)
      return;
    uint64_t used[4] = {};
    for (const LoadChoice &load : loads)
      for (DimId dim : load.dims)
        if (dim != kUnitDim)
          for (uint8_t factor : {kGrid, kLoop})
            if (problem.getRemoved(dim) & factor)
              used[factor] |= getBit(dim);
    if (used[kGrid] != grid || used[kLoop] != loop || !isAligned(loads))
      return;
    LaunchGraph graph;
    for (uint64_t rest = grid; rest; rest &= rest - 1)
      graph.gridAxes.push_back(llvm::countr_zero(rest));
    if (loop)
      graph.loopAxis = llvm::countr_zero(loop);
    graph.loads.assign(loads.begin(), loads.end());
    llvm::sort(graph.loads, [](const LoadChoice &a, const LoadChoice &b) {
      return std::tie(a.tensor, a.dims) < std::tie(b.tensor, b.dims);
    });
    result.push_back(std::move(graph));
  }

  bool isAligned(ArrayRef<LoadChoice> loads) const {
    for (const LoadChoice &load : loads)
      for (const LoadChoice &other : loads)
        for (DimId dim : load.dims)
          for (DimId otherDim : other.dims) {
            if (dim == kUnitDim || otherDim == kUnitDim ||
                getBit(dim) != getBit(otherDim) ||
                problem.getRemoved(dim) == problem.getRemoved(otherDim))
              continue;
            uint8_t axis = problem.getParts(dim).front().axis;
            bool isResult = inResults & getBit(dim);
            if (isResult ? !problem.isSummed(axis)
                         : load.tensor != other.tensor)
              return false;
          }
    return true;
  }

  const SearchProblem &problem;
  ArrayRef<TensorInfo> tensors;
  ArrayRef<uint8_t> loaded;
  bool isLast;
  const ConfigurationLimits &limits;
  uint64_t occurring = 0, inResults = 0, grid = 0, loop = 0;
  std::vector<LaunchGraph> result;
};

} // namespace

std::vector<LaunchGraph> mirage::search::enumerateConfigurations(
    const SearchProblem &problem, ArrayRef<TensorInfo> tensors,
    ArrayRef<uint8_t> loaded, bool isLast, const ConfigurationLimits &limits) {
  return Enumeration(problem, tensors, loaded, isLast, limits).run();
}
