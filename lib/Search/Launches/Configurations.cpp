//===- Configurations.cpp - Grids, loops and loads of a launch ------------===//
//
// Subsets of axes for the grid, trees of loops over axes, and for each tensor
// the ways to cut it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/Configurations.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

void mirage::search::forEachSubset(uint64_t set, unsigned most,
                                   llvm::function_ref<bool(uint64_t)> visit) {
  // Numbers whose bits are spread over the members of the set.
  llvm::SmallVector<unsigned, 64> members;
  for (uint64_t rest = set; rest; rest &= rest - 1)
    members.push_back(llvm::countr_zero(rest));
  uint64_t end = llvm::maskTrailingOnes<uint64_t>(members.size());
  for (uint64_t number = 0;;) {
    uint64_t subset = 0;
    for (uint64_t rest = number; rest; rest &= rest - 1)
      subset |= uint64_t(1) << members[llvm::countr_zero(rest)];
    if (!visit(subset))
      return;
    // Up to the next carry all numbers have these members and more.
    bool isFull = static_cast<unsigned>(llvm::popcount(number)) >= most;
    uint64_t increment = isFull ? number & (~number + 1) : 1;
    if (increment == 0 || increment > end - number)
      return;
    number += increment;
  }
}

namespace {

class Enumeration {
public:
  Enumeration(const SearchProblem &problem, ArrayRef<TensorInfo> tensors,
              ArrayRef<uint8_t> loaded, bool isLast,
              const ConfigurationLimits &limits, EnumerationBudget &budget)
      : problem(problem), tensors(tensors), loaded(loaded), isLast(isLast),
        limits(limits), budget(budget) {
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
    divisible &= llvm::maskTrailingOnes<uint64_t>(problem.getNumAxes());
    forEachSubset(divisible, limits.gridDims, [&](uint64_t axes) {
      grid = axes;
      chooseLoops();
      return !isDone();
    });
    return std::move(result);
  }

private:
  uint64_t getBit(DimId dim) const {
    return uint64_t(1) << problem.getParts(dim).front().axis;
  }
  bool isDone() const {
    return result.size() >= limits.configurations || budget.isSpent();
  }

  /// This tree of loops, and all that have more, the next loop in a region that
  /// is no earlier than the last one's.
  void chooseLoops() {
    if (isDone() || !budget.step())
      return;
    if (loops.size() >= limits.minLoops && areLoopsUseful())
      chooseLoads();
    if (loops.size() >= limits.maxLoops)
      return;
    RegionId first = loops.empty() ? kBody : loops.back().parent;
    for (RegionId parent = first; parent <= loops.size(); ++parent)
      for (uint64_t rest = occurring & ~getAxesAround(parent); rest;
           rest &= rest - 1) {
        loops.push_back(
            {static_cast<uint8_t>(llvm::countr_zero(rest)), parent});
        chooseLoops();
        loops.pop_back();
      }
  }

  /// A loop over an axis that nobody sums only limits what is in shared memory,
  /// as a larger grid does, but for one inside of a loop that sums: an
  /// iteration of that then has two loops, one to sum and one to go through its
  /// results.
  bool areLoopsUseful() const {
    unsigned others = 0;
    for (const LoopChoice &loop : loops)
      if (!problem.isSummed(loop.axis))
        others += loop.parent == kBody ? loops.size() : 1;
    return loops.size() < 2 || others <= (loops.size() > 2);
  }

  /// Axes of the loops around a region, as bits.
  uint64_t getAxesAround(RegionId region) const {
    uint64_t axes = 0;
    for (; region != kBody; region = loops[region - 1].parent)
      axes |= uint64_t(1) << loops[region - 1].axis;
    return axes;
  }

  /// Cuts of a tensor, for every region in which it can be loaded.
  std::vector<LoadChoice> getLoads(uint8_t tensor) const {
    std::vector<LoadChoice> loads;
    for (Dims &cut : getCuts(tensor)) {
      double bytes = static_cast<double>(byteSize(tensors[tensor].type));
      for (DimId dim : cut)
        bytes *= static_cast<double>(problem.getSmallestSize(dim));
      if (limits.sharedMemory &&
          bytes > static_cast<double>(limits.sharedMemory))
        continue;
      uint64_t axes = 0;
      for (DimId dim : cut)
        if (problem.getRemoved(dim) & kLoop)
          axes |= getBit(dim);
      for (RegionId region = 0; region <= loops.size(); ++region) {
        bool isInnermost =
            region == kBody ? axes == 0 : axes >> loops[region - 1].axis & 1;
        if (isInnermost && !(axes & ~getAxesAround(region)))
          loads.push_back({tensor, cut, region});
      }
    }
    return loads;
  }

  /// All ways to cut a tensor.
  std::vector<Dims> getCuts(uint8_t tensor) const {
    uint64_t loop = 0;
    for (const LoopChoice &choice : loops)
      loop |= uint64_t(1) << choice.axis;
    std::vector<Dims> cuts = {{}};
    for (DimId dim : tensors[tensor].dims) {
      uint8_t factors = 0;
      if (dim != kUnitDim) {
        factors |= grid & getBit(dim) ? kGrid : 0;
        factors |= loop & getBit(dim) ? kLoop : 0;
      }
      std::vector<Dims> longer;
      for (const Dims &cut : cuts)
        for (uint8_t removed = factors;; removed = (removed - 1) & factors) {
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

  /// A way to load a tensor, and what it uses of the grid (axes) and of the
  /// loops (numbers), as bits.
  struct Option {
    LoadChoice load;
    uint64_t usesGrid = 0;
    uint32_t usesLoops = 0;
  };

  std::vector<Option> getOptions(uint8_t tensor) const {
    std::vector<Option> options;
    for (const LoadChoice &load : getLoads(tensor)) {
      Option option{load};
      for (DimId dim : load.dims) {
        if (dim == kUnitDim)
          continue;
        if (problem.getRemoved(dim) & kGrid)
          option.usesGrid |= getBit(dim);
        if (!(problem.getRemoved(dim) & kLoop))
          continue;
        for (auto [number, loop] : llvm::enumerate(loops))
          if (loop.axis == problem.getParts(dim).front().axis &&
              isAround(number + 1, load.region))
            option.usesLoops |= 1u << number;
      }
      if (areAligned(load, load))
        options.push_back(std::move(option));
    }
    return options;
  }

  void chooseLoads() {
    if (!budget.step(kOptionSteps * loaded.size()))
      return;
    std::vector<std::vector<Option>> all;
    for (uint8_t tensor : loaded)
      all.push_back(getOptions(tensor));
    std::vector<LoadChoice> loads;
    choose(all, 0, 0, 0, loads);
    if (!limits.secondLoads)
      return;
    for (auto [position, options] : llvm::enumerate(all))
      for (size_t i = 0; i < options.size(); ++i)
        for (size_t j = i + 1; j < options.size(); ++j) {
          if (isDone() || !budget.step())
            return;
          if (!areAligned(options[i].load, options[j].load))
            continue;
          auto pair = all;
          pair[position] = {options[i]};
          loads = {options[j].load};
          choose(pair, 0, options[j].usesGrid, options[j].usesLoops, loads);
        }
  }

  /// All choices for the tensors from `position` on: none in vain, since what
  /// no remaining tensor can use, and what is aligned with no other load, is
  /// not gone into.
  void choose(ArrayRef<std::vector<Option>> all, size_t position,
              uint64_t usedGrid, uint32_t usedLoops,
              std::vector<LoadChoice> &loads) {
    if (isDone() || !budget.step())
      return;
    if (position == all.size()) {
      if (usedGrid == grid && usedLoops == (1u << loops.size()) - 1)
        add(loads);
      return;
    }
    uint64_t possibleGrid = usedGrid;
    uint32_t possibleLoops = usedLoops;
    for (const std::vector<Option> &options : all.drop_front(position))
      for (const Option &option : options) {
        possibleGrid |= option.usesGrid;
        possibleLoops |= option.usesLoops;
      }
    if (possibleGrid != grid || possibleLoops != (1u << loops.size()) - 1)
      return;
    for (const Option &option : all[position]) {
      if (!llvm::all_of(loads, [&](const LoadChoice &other) {
            return areAligned(other, option.load);
          }))
        continue;
      loads.push_back(option.load);
      choose(all, position + 1, usedGrid | option.usesGrid,
             usedLoops | option.usesLoops, loads);
      loads.pop_back();
    }
  }

  bool isAround(RegionId outer, RegionId region) const {
    while (region != outer && region != kBody)
      region = loops[region - 1].parent;
    return region == outer;
  }

  void add(ArrayRef<LoadChoice> loads) {
    LaunchGraph graph;
    for (uint64_t rest = grid; rest; rest &= rest - 1)
      graph.gridAxes.push_back(llvm::countr_zero(rest));
    graph.loops.assign(loops.begin(), loops.end());
    graph.loads.assign(loads.begin(), loads.end());
    llvm::sort(graph.loads, [](const LoadChoice &a, const LoadChoice &b) {
      return std::tie(a.tensor, a.dims, a.region) <
             std::tie(b.tensor, b.dims, b.region);
    });
    result.push_back(std::move(graph));
  }

  bool areAligned(const LoadChoice &load, const LoadChoice &other) const {
    for (DimId dim : load.dims)
      for (DimId otherDim : other.dims) {
        if (dim == kUnitDim || otherDim == kUnitDim ||
            getBit(dim) != getBit(otherDim) ||
            problem.getRemoved(dim) == problem.getRemoved(otherDim))
          continue;
        uint8_t axis = problem.getParts(dim).front().axis;
        bool isResult = inResults & getBit(dim);
        if (isResult ? !problem.isSummed(axis) : load.tensor != other.tensor)
          return false;
      }
    return true;
  }

  const SearchProblem &problem;
  ArrayRef<TensorInfo> tensors;
  ArrayRef<uint8_t> loaded;
  bool isLast;
  const ConfigurationLimits &limits;
  EnumerationBudget &budget;

  /// What finding the options of a tensor takes, in steps of choosing one.
  static constexpr uint64_t kOptionSteps = 8;

  uint64_t occurring = 0, inResults = 0, grid = 0;
  llvm::SmallVector<LoopChoice, 3> loops;
  std::vector<LaunchGraph> result;
};

} // namespace

std::vector<LaunchGraph> mirage::search::enumerateConfigurations(
    const SearchProblem &problem, ArrayRef<TensorInfo> tensors,
    ArrayRef<uint8_t> loaded, bool isLast, const ConfigurationLimits &limits,
    EnumerationBudget &budget) {
  return Enumeration(problem, tensors, loaded, isLast, limits, budget).run();
}
