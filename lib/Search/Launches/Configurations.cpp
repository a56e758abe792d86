//===- Configurations.cpp - Grids, loops and loads of a launch ------------===//
//
// Goes through subsets of axes for the grid, trees of loops over axes, and for
// each tensor the ways to cut it.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/Configurations.h"
#include "Mirage/Search/Problem/AxisSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

namespace {

class Enumeration {
public:
  Enumeration(const SearchProblem &problem, ArrayRef<TensorInfo> tensors,
              ArrayRef<uint8_t> loaded, bool isLast,
              const ConfigurationLimits &limits, EnumerationBudget &budget,
              ConfigurationVisitor visit)
      : problem(problem), tensors(tensors), loaded(loaded), isLast(isLast),
        limits(limits), budget(budget), visit(visit) {
    for (uint8_t tensor : loaded)
      for (DimId dim : tensors[tensor].dims)
        occurring.insert(getAxis(dim));
    for (const TensorInfo &result : problem.getResults())
      for (DimId dim : result.dims)
        inResults.insert(getAxis(dim));
    for (unsigned axis : inResults)
      if (!problem.isSummed(axis))
        aligned.insert(axis);
  }

  void run() {
    // A split that is not summed is nobody's result.
    AxisSet divisible = isLast ? occurring & inResults : occurring;
    divisible &= AxisSet::getBelow(problem.getNumAxes());
    AxisSet separate = problem.getSeparateAxes() & occurring;
    divisible.forEachSubset(limits.gridDims, [&](AxisSet axes) {
      if (!separate.isSubsetOf(axes))
        return !isDone();
      grid = axes;
      chooseLoops();
      return !isDone();
    });
  }

private:
  /// The axis that the grid or a loop divides, where they divide a dimension.
  uint8_t getAxis(DimId dim) const {
    return problem.getParts(dim).front().axis;
  }
  bool isDone() const {
    return isEnded || made >= limits.configurations || budget.isSpent();
  }

  /// Makes the configurations with this tree of loops, and with all larger ones
  /// whose next loop is in a region that is no earlier than the last one's.
  void chooseLoops() {
    if (isDone() || !budget.step())
      return;
    if (loops.size() >= limits.minLoops && areLoopsUseful())
      chooseLoads();
    if (loops.size() >= limits.maxLoops)
      return;
    RegionId first = loops.empty() ? kBody : loops.back().parent;
    for (RegionId parent : getRegions(loops.size())) {
      if (parent < first)
        continue;
      for (unsigned axis : occurring - getAxesAround(parent)) {
        loops.push_back({static_cast<uint8_t>(axis), parent});
        chooseLoops();
        loops.pop_back();
      }
    }
  }

  /// Returns whether loops do more than to limit what is in shared memory, as a
  /// larger grid does: they sum, but for one that is inside of a loop that
  /// sums. An iteration of the outer loop then has two loops, one to sum and
  /// one to go through its results.
  bool areLoopsUseful() const {
    unsigned others = 0;
    for (const LoopChoice &loop : loops)
      if (!problem.isSummed(loop.axis))
        others += loop.parent == kBody ? loops.size() : 1;
    return loops.size() < 2 || others <= (loops.size() > 2);
  }

  /// The axes of the loops around a region.
  AxisSet getAxesAround(RegionId region) const {
    AxisSet axes;
    for (; !region.isBody(); region = loops[region.getLoop()].parent)
      axes.insert(loops[region.getLoop()].axis);
    return axes;
  }

  /// The ways to cut a tensor, in every region in which it can be loaded.
  std::vector<LoadChoice> getLoads(uint8_t tensor) const {
    std::vector<LoadChoice> loads;
    for (Dims &cut : getCuts(tensor)) {
      double bytes = static_cast<double>(byteSize(tensors[tensor].type));
      for (DimId dim : cut)
        bytes *= static_cast<double>(problem.getSmallestSize(dim));
      if (limits.sharedMemory &&
          bytes > static_cast<double>(limits.sharedMemory))
        continue;
      AxisSet axes;
      for (DimId dim : cut)
        if (problem.getRemoved(dim).contains(kLoop))
          axes.insert(getAxis(dim));
      for (RegionId region : getRegions(loops.size())) {
        bool isInnermost = region.isBody()
                               ? axes.empty()
                               : axes.contains(loops[region.getLoop()].axis);
        if (isInnermost && axes.isSubsetOf(getAxesAround(region)))
          loads.push_back({tensor, cut, region});
      }
    }
    return loads;
  }

  /// Returns all ways to cut a tensor.
  std::vector<Dims> getCuts(uint8_t tensor) const {
    AxisSet looped;
    for (const LoopChoice &loop : loops)
      looped.insert(loop.axis);
    std::vector<Dims> cuts = {{}};
    for (DimId dim : tensors[tensor].dims) {
      FactorSet factors;
      if (grid.contains(getAxis(dim)))
        factors.insert(kGrid);
      if (looped.contains(getAxis(dim)))
        factors.insert(kLoop);
      // What is cut most comes first.
      llvm::SmallVector<FactorSet, 4> sets;
      bool isSeparate = problem.getSeparateAxes().contains(getAxis(dim));
      factors.forEachSubset(factors.size(), [&](FactorSet removed) {
        if (!isSeparate || removed.contains(kGrid))
          sets.push_back(removed);
        return true;
      });
      std::vector<Dims> longer;
      for (const Dims &cut : cuts)
        for (FactorSet removed : llvm::reverse(sets))
          if (auto id = problem.withRemoved(dim, removed)) {
            longer.push_back(cut);
            longer.back().push_back(*id);
          }
      cuts = std::move(longer);
    }
    return cuts;
  }

  /// Axes of the grid, and loops.
  struct Dividers {
    AxisSet grid;
    LoopSet loops;

    Dividers &operator|=(const Dividers &other) {
      grid |= other.grid;
      loops |= other.loops;
      return *this;
    }
    friend Dividers operator|(Dividers a, const Dividers &b) { return a |= b; }
  };

  /// A way to load a tensor, what divides it, and its axes by what is removed
  /// of them: nothing, the grid's factor, the loop's, or both.
  struct Option {
    LoadChoice load;
    Dividers dividers;
    std::array<AxisSet, 4> axes;
  };
  using Options = std::vector<Option>;
  using Chosen = llvm::SmallVector<const Option *, 8>;

  /// Returns whether everything of this configuration divides something.
  bool areAll(const Dividers &dividers) const {
    return dividers.grid == grid && dividers.loops.size() == loops.size();
  }

  Options getOptions(uint8_t tensor) const {
    Options options;
    for (const LoadChoice &load : getLoads(tensor)) {
      Option option;
      option.load = load;
      for (DimId dim : load.dims) {
        FactorSet removed = problem.getRemoved(dim);
        option.axes[removed.contains(kGrid) + 2 * removed.contains(kLoop)]
            .insert(getAxis(dim));
        if (removed.contains(kGrid))
          option.dividers.grid.insert(getAxis(dim));
        if (!removed.contains(kLoop))
          continue;
        for (auto [number, loop] : llvm::enumerate(loops))
          if (loop.axis == getAxis(dim) &&
              isAround(RegionId::ofLoop(number), load.region))
            option.dividers.loops.insert(number);
      }
      if (areAligned(option, option))
        options.push_back(std::move(option));
    }
    return options;
  }

  void chooseLoads() {
    if (!budget.step(kOptionSteps * loaded.size()))
      return;
    std::vector<Options> all;
    for (uint8_t tensor : loaded)
      all.push_back(getOptions(tensor));
    Chosen chosen;
    chooseAll(all, Dividers(), chosen);
    if (!limits.secondLoads)
      return;
    for (auto [position, options] : llvm::enumerate(all))
      for (size_t i = 0; i < options.size(); ++i)
        for (size_t j = i + 1; j < options.size(); ++j) {
          if (isDone() || !budget.step())
            return;
          if (!areAligned(options[i], options[j]))
            continue;
          auto pair = all;
          pair[position] = {options[i]};
          chosen = {&options[j]};
          chooseAll(pair, options[j].dividers, chosen);
        }
  }


  /// Makes all choices for the tensors.
  void chooseAll(ArrayRef<Options> all, const Dividers &used, Chosen &chosen) {
    rest.assign(all.size(), {});
    Dividers possible;
    for (size_t position = all.size(); position-- > 0;) {
      for (const Option &option : all[position])
        possible |= option.dividers;
      rest[position] = possible;
    }
    choose(all, 0, used, chosen);
  }

  /// Makes all choices for the tensors from `position` on, and none in vain:
  /// where something of the configuration divides no remaining tensor, and
  /// where an option is not aligned with another load, nothing is chosen.
  void choose(ArrayRef<Options> all, size_t position, const Dividers &used,
              Chosen &chosen) {
    if (isDone() || !budget.step())
      return;
    if (position == all.size()) {
      if (areAll(used))
        add(chosen);
      return;
    }
    if (!areAll(used | rest[position]))
      return;
    for (const Option &option : all[position]) {
      if (!llvm::all_of(chosen, [&](const Option *other) {
            return areAligned(*other, option);
          }))
        continue;
      chosen.push_back(&option);
      choose(all, position + 1, used | option.dividers, chosen);
      chosen.pop_back();
    }
  }

  /// Returns whether a region is another one or has it inside.
  bool isAround(RegionId outer, RegionId region) const {
    while (region != outer && !region.isBody())
      region = loops[region.getLoop()].parent;
    return region == outer;
  }

  void add(ArrayRef<const Option *> chosen) {
    graph.gridAxes.assign(grid.begin(), grid.end());
    graph.loops.assign(loops.begin(), loops.end());
    graph.loads.clear();
    for (const Option *option : chosen)
      graph.loads.push_back(option->load);
    llvm::sort(graph.loads, [](const LoadChoice &a, const LoadChoice &b) {
      return std::tie(a.tensor, a.dims, a.region) <
             std::tie(b.tensor, b.dims, b.region);
    });
    ++made;
    isEnded = !visit(graph);
  }

  /// Returns whether two loads divide their common axes alike, where nothing
  /// could come of it otherwise (see enumerateConfigurations).
  bool areAligned(const Option &option, const Option &other) const {
    AxisSet different;
    for (auto [number, axes] : llvm::enumerate(option.axes))
      for (auto [otherNumber, otherAxes] : llvm::enumerate(other.axes))
        if (number != otherNumber)
          different |= axes & otherAxes;
    return !different.intersects(option.load.tensor == other.load.tensor
                                     ? aligned
                                     : aligned | (different - inResults));
  }

  const SearchProblem &problem;
  ArrayRef<TensorInfo> tensors;
  ArrayRef<uint8_t> loaded;
  bool isLast;
  const ConfigurationLimits &limits;
  EnumerationBudget &budget;

  /// Finding the options of a tensor takes as long as so many steps of choosing
  /// one.
  static constexpr uint64_t kOptionSteps = 8;

  /// Axes of loaded tensors, of results, those of the latter that nothing sums,
  /// which all loads divide alike, and those that the grid divides.
  AxisSet occurring, inResults, aligned, grid;
  llvm::SmallVector<LoopChoice, 3> loops;
  /// What may divide some tensor from a position on.
  std::vector<Dividers> rest;
  ConfigurationVisitor visit;
  /// The last configuration; the number of them; whether the visitor wants no
  /// more.
  LaunchGraph graph;
  size_t made = 0;
  bool isEnded = false;
};

} // namespace

void mirage::search::visitConfigurations(const SearchProblem &problem,
                                         ArrayRef<TensorInfo> tensors,
                                         ArrayRef<uint8_t> loaded, bool isLast,
                                         const ConfigurationLimits &limits,
                                         EnumerationBudget &budget,
                                         ConfigurationVisitor visit) {
  Enumeration(problem, tensors, loaded, isLast, limits, budget, visit).run();
}

std::vector<LaunchGraph> mirage::search::enumerateConfigurations(
    const SearchProblem &problem, ArrayRef<TensorInfo> tensors,
    ArrayRef<uint8_t> loaded, bool isLast, const ConfigurationLimits &limits,
    EnumerationBudget &budget) {
  std::vector<LaunchGraph> result;
  visitConfigurations(problem, tensors, loaded, isLast, limits, budget,
                      [&](const LaunchGraph &graph) {
                        result.push_back(graph);
                        return true;
                      });
  return result;
}
