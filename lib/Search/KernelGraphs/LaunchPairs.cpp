//===- LaunchPairs.cpp - Kernel graphs of two launches --------------------===//
//
// Generates first launches, finds those that leave the same tensors, and
// generates what can follow on these.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/KernelGraphs/KernelGenerator.h"
#include "Mirage/Search/Launches/SplitLaunches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

/// States for an interface, at least: fewer make no graph.
static constexpr uint64_t kFewestStates = 1024;

//===----------------------------------------------------------------------===//
// First launches
//===----------------------------------------------------------------------===//

/// Microseconds that two launches take at least: each tensor between them is
/// written and read once.
double KernelGenerator::getTrafficBound(const LaunchGraph &first,
                                        ArrayRef<KernelTensor> outputs) const {
  double elements = 0;
  for (const KernelTensor &tensor : outputs) {
    double size = 1;
    for (DimId dim : tensor.info.dims)
      for (const AxisPart &part : problem.getParts(dim))
        if (!problem.isSplitAxis(part.axis))
          size *= static_cast<double>(problem.getAxisSize(part.axis));
    elements += size;
  }
  const TargetDescription &target = options.target;
  double traffic = 2 * 4 * elements / static_cast<double>(target.l2Bandwidth);
  return (2 * static_cast<double>(target.launchTime) + traffic) * 1e-3;
}

/// Returns the fewest operators of the launches of an interface.
size_t KernelGenerator::getOperators(const Interface &interface) {
  size_t fewest = std::numeric_limits<size_t>::max();
  for (const LaunchGraph &first : interface.firsts)
    fewest = std::min(fewest, first.operators.size());
  return fewest;
}

namespace {
/// Tells a tensor that a launch leaves from others, by numbers of an oracle.
struct TensorKey {
  NormalForms::Polynomial normalForm;
  AbstractValue::Role role;
  Shift shift;
  std::vector<DimId> dims;

  auto operator<=>(const TensorKey &other) const = default;
};

/// Tells launches from each other that others follow.
struct InterfaceKey {
  std::vector<TensorKey> outputs;
  /// The inputs that the launch loads, where that matters.
  InputSet loaded;

  auto operator<=>(const InterfaceKey &other) const = default;
};
} // namespace

static InterfaceKey getKey(ArrayRef<KernelTensor> outputs,
                           InputSet loaded = {}) {
  InterfaceKey key;
  for (const KernelTensor &tensor : outputs)
    key.outputs.push_back({tensor.normalForm,
                           tensor.value.role,
                           tensor.shift,
                           {tensor.info.dims.begin(), tensor.info.dims.end()}});
  key.loaded = loaded;
  return key;
}

/// Makes one interface of launches that leave the same tensors.
std::vector<KernelGenerator::Interface>
KernelGenerator::mergeEqual(ArrayRef<Interface> interfaces) {
  std::unique_ptr<ExpressionOracle> oracle = oracles.take();
  std::vector<KernelTensor> tensors = getTensors(*oracle);
  GeneratorStatistics replayed;
  BlockGenerator generator(problem, *oracle, tensors, options.limits, replayed);
  std::map<InterfaceKey, size_t> numbers;
  std::vector<Interface> merged;
  for (const Interface &interface : interfaces) {
    const LaunchGraph &first = interface.firsts.front();
    InterfaceKey key = getKey(generator.replay(first), interface.loaded);
    auto [entry, isNew] = numbers.try_emplace(key, merged.size());
    if (isNew) {
      merged.push_back(interface);
      continue;
    }
    merged[entry->second].firsts.push_back(first);
  }
  oracles.giveBack(std::move(oracle));
  return merged;
}

/// Returns the microseconds of a first launch at its best sizes, infinity if it
/// fits at none or takes no less than the limit.
double KernelGenerator::getFirstCost(const LaunchGraph &launch, double limit) {
  std::vector<uint16_t> key = launch.getKey();
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (auto known = pairs.costs.find(key);
        known != pairs.costs.end() && known->second.isKnownBelow(limit))
      return known->second.cost;
  }
  Candidate alone;
  alone.isPartial = true;
  alone.launches.push_back(launch);
  for (unsigned i = 0; i < launch.outputs.size(); ++i)
    alone.results.push_back(problem.getInputs().size() + i);
  SizeSearchOptions sizing;
  sizing.seed = options.seed;
  sizing.limit = limit;
  // What the launch takes at its points is of no use to others.
  LaunchTable table(problem, &pairs.points);
  sizing.table = &table;
  auto chosen = chooseSizes(problem, alone, options.target, sizing);
  FirstCost cost;
  cost.limit = limit;
  if (chosen)
    cost.cost = chosen->microseconds;
  std::lock_guard<std::mutex> lock(mutex);
  pairs.costs[std::move(key)] = cost;
  return cost.cost;
}

/// Keeps the cheapest of the launches with the fewest operators, each at its
/// own best sizes. None is kept if all of them take as long as the limit.
void KernelGenerator::chooseFirsts(Interface &interface, double limit) {
  static constexpr unsigned kTried = 48, kKept = 2;
  std::vector<std::pair<size_t, size_t>> order;
  for (auto [number, launch] : llvm::enumerate(interface.firsts))
    order.push_back({launch.operators.size(), number});
  llvm::sort(order);
  std::vector<std::pair<double, size_t>> costs;
  // Those that are slower than what is kept need no best sizes.
  auto add = [&](double below) {
    costs.clear();
    for (auto [size, number] : ArrayRef(order).take_front(kTried)) {
      double most = costs.size() < kKept ? below : costs.back().first;
      double cost = getFirstCost(interface.firsts[number], most);
      if (cost >= most)
        continue;
      costs.push_back({cost, number});
      llvm::sort(costs);
      costs.resize(std::min<size_t>(costs.size(), kKept));
    }
  };
  add(limit);
  // The next best may take longer.
  if (!costs.empty() && costs.size() < kKept)
    add(std::numeric_limits<double>::infinity());
  llvm::SmallVector<LaunchGraph, 1> kept;
  for (auto [cost, number] : costs)
    kept.push_back(interface.firsts[number]);
  interface.cost = costs.empty() ? std::numeric_limits<double>::infinity()
                                 : costs.front().first;
  interface.firsts = std::move(kept);
}

/// Configurations of first launches, for all sets of inputs that a first and a
/// second launch can load.
std::vector<KernelGenerator::Interface>
KernelGenerator::enumerateFirsts(bool &isLimited) {
  ConfigurationLimits limits = getConfigurationLimits();
  limits.secondLoads = false;
  std::vector<TensorInfo> inputs = problem.getInputs().vec();
  // The second launch loads the other inputs, and what the first one stores.
  unsigned first = getMostLoads(options.limits.outputs);
  unsigned second = getMostLoads(problem.getResults().size()) - 1;
  std::vector<Interface> starts;
  if (inputs.size() > std::min(first + second, kMostValues) ||
      getFewestOperators(/*otherLaunches=*/1) > options.limits.blockOperators ||
      !canComputeResults()) {
    noteLimit(SearchEnd::Operators);
    return starts;
  }
  EnumerationBudget budget(getMostSteps(), isOver);
  InputSet all = InputSet::getBelow(inputs.size());
  all.forEachSubset(first, [&](InputSet loaded) {
    if (!loaded.empty() && (all - loaded).size() <= second)
      for (LaunchGraph &start : enumerateConfigurations(
               problem, inputs, llvm::to_vector_of<uint8_t>(loaded),
               /*isLast=*/false, limits, budget))
        starts.push_back({{std::move(start)}, loaded});
    isLimited |= starts.size() >= limits.configurations;
    return !isLimited && budget.step();
  });
  isLimited |= budget.isLimited();
  isLimited |= thinOut(starts);
  return starts;
}

/// Generates first launches of one configuration; of those that leave the same,
/// one with the fewest operators. Returns whether it came to its end.
bool KernelGenerator::generateFirsts(const LaunchGraph &start,
                                     const GeneratorLimits &limits,
                                     double bestMicroseconds, Unit &unit) {
  std::unique_ptr<ExpressionOracle> oracle = oracles.take();
  std::vector<KernelTensor> tensors = getTensors(*oracle);
  std::map<InterfaceKey, size_t> known;
  BlockGenerator generator(problem, *oracle, tensors, limits, unit.statistics,
                           isOver);
  generator.generateFirst(start, [&](const LaunchGraph &launch,
                                     ArrayRef<KernelTensor> outputs) {
    if (getTrafficBound(launch, outputs) >= bestMicroseconds) {
      ++unit.prunedCost;
      return;
    }
    auto [entry, isNew] = known.try_emplace(getKey(outputs), unit.found.size());
    if (isNew)
      unit.found.emplace_back().launches.push_back(launch);
    else if (LaunchGraph &other = unit.found[entry->second].launches.front();
             launch.operators.size() < other.operators.size())
      other = launch;
  });
  oracles.giveBack(std::move(oracle));
  return !isOver();
}

/// Microseconds that a second launch takes at least: it reads the inputs that
/// the first one has not loaded, and writes the program's results.
double KernelGenerator::getSecondBound(const Interface &interface) const {
  double bytes = 0;
  for (auto [number, input] : llvm::enumerate(problem.getInputs()))
    if (!interface.loaded.contains(number))
      bytes += countBytes(input);
  for (const TensorInfo &result : problem.getResults())
    bytes += countBytes(result);
  return lowerBound(bytes, 0, 0, options.target);
}

std::vector<KernelGenerator::Interface>
KernelGenerator::generateInterfaces(double bestMicroseconds) {
  if (!pairs.isEnumerated) {
    pairs.isEnumerated = true;
    pairs.starts = enumerateFirsts(pairs.isLimited);
  }
  const std::vector<Interface> &starts = pairs.starts;
  std::vector<Interface> interfaces;
  statistics.firstKernels = 0;
  for (bool wholeNorms : getPasses()) {
    Deepening &own = pairs.passes[!wholeNorms];
    // A first launch of fewer operators leaves the second one too many.
    own.next = std::max(own.next, getFewestOperators(/*otherLaunches=*/1));
    std::vector<Unit> &units = pairs.firsts[!wholeNorms];
    deepen(own, wholeNorms, states, [&](GeneratorLimits at) {
      // Graphs of many operators are not generated because those of fewer were
      // few, so that each configuration has its share of the states.
      if (own.used == 0 && own.next > kFewestOperators)
        at.states /= std::max<size_t>(starts.size(), 1);
      std::vector<Unit> before =
          std::exchange(units, std::vector<Unit>(starts.size()));
      done = 0;
      pool.forEach(starts.size(), [&](int64_t i) {
        units[i] =
            runUnit(SearchState::kFirst, getUnitNumber(at, i, starts.size()),
                    starts.size(), [&](Unit &unit) {
                      return generateFirsts(starts[i].firsts.front(), at,
                                            bestMicroseconds, unit);
                    });
      });
      // The search was cut in the middle of this number of operators: what it
      // found with fewer operators may be more, and is kept.
      for (auto [unit, fewer] : llvm::zip(units, before))
        if (unit.statistics.cut)
          llvm::append_range(unit.found, fewer.found);
    });
    statistics.firstOperators = pairs.isLimited ? 0 : own.complete;
    for (auto [unit, start] : llvm::zip(units, starts)) {
      statistics.firstKernels += unit.found.size();
      for (const Candidate &candidate : unit.found)
        interfaces.push_back({{candidate.launches.front()}, start.loaded});
    }
  }
  // Which interfaces are cheapest is known only when all of them are.
  if (isOver())
    return {};
  interfaces = mergeEqual(interfaces);
  llvm::erase_if(interfaces, [&](const Interface &interface) {
    return getOperators(interface) + options.limits.blockOperators <
           getFewestOperators();
  });
  pool.forEach(interfaces.size(), [&](int64_t i) {
    if (!isOver())
      chooseFirsts(interfaces[i],
                   bestMicroseconds - getSecondBound(interfaces[i]));
  });
  if (isOver())
    return {};
  llvm::erase_if(interfaces, [&](const Interface &interface) {
    bool isSlow =
        interface.cost + getSecondBound(interface) >= bestMicroseconds;
    statistics.prunedCost += isSlow;
    return isSlow;
  });
  statistics.interfaces = interfaces.size();
  return interfaces;
}

//===----------------------------------------------------------------------===//
// Second launches
//===----------------------------------------------------------------------===//

/// Steps for the second launches of an interface, at least: some hundredth of a
/// second.
static constexpr uint64_t kFewestSteps = 20'000;

/// Operators of a second launch beyond the fewest that it needs.
static constexpr unsigned kMoreOperators = 2;

/// The sets of inputs that a second launch loads, the smallest first: those
/// that the first launch has not loaded, and at most so many of the others.
std::vector<InputSet>
KernelGenerator::getLoadedInputs(const Interface &interface, unsigned most,
                                 EnumerationBudget &budget) const {
  InputSet missing =
      InputSet::getBelow(problem.getInputs().size()) - interface.loaded;
  std::vector<InputSet> sets;
  interface.loaded.forEachSubset(most, [&](InputSet more) {
    sets.push_back(missing | more);
    return budget.step();
  });
  llvm::sort(sets, [](InputSet a, InputSet b) {
    return std::make_pair(a.size(), a) < std::make_pair(b.size(), b);
  });
  return sets;
}

/// Returns the fewest operators of a second launch that uses so many loads and
/// that computes so many results.
unsigned KernelGenerator::getFewestOfSecond(size_t loads) const {
  size_t results = problem.getResults().size();
  unsigned most = std::max(problem.getMaxOperands(), 2u) - 1;
  return std::max<unsigned>(
      loads > results ? llvm::divideCeil(loads - results, most) : 0, 1);
}

/// Generates second launches of more and more operators, up to some more than
/// the fewest that any has. Those of the fewest operators are generated while
/// configurations are found, which ends when no states are left; the others go
/// through `starts`, which the first call fills. Returns whether nothing was
/// cut.
bool KernelGenerator::deepenSeconds(
    const SecondLaunches &own, bool wholeNorms, ExpressionOracle &oracle,
    std::optional<std::vector<LaunchGraph>> &starts, Unit &unit) const {
  unsigned last = mostOperators;
  for (unsigned operators = getFewestOfSecond(own.loads); operators <= last;
       ++operators) {
    GeneratorLimits limits = options.limits;
    limits.blockOperators = operators;
    limits.wholeNorms = wholeNorms;
    BlockGenerator generator(problem, oracle, own.tensors, limits,
                             unit.statistics, isOver);
    // More operators lead to all that fewer led to, and to more.
    std::vector<Candidate> level;
    auto add = [&](const LaunchGraph &launch, llvm::ArrayRef<KernelTensor>) {
      for (const LaunchGraph &first : own.interface.firsts) {
        Candidate &candidate = level.emplace_back();
        candidate.launches = {first, launch};
        for (unsigned result = 0; result < launch.outputs.size(); ++result)
          candidate.results.push_back(own.tensors.size() + result);
      }
    };
    auto generate = [&](const LaunchGraph &start) {
      if (unit.statistics.states >= own.states || isOver())
        return false;
      limits.states = own.states - unit.statistics.states;
      generator.generateLast(start, add);
      return true;
    };
    bool isComplete = true;
    uint64_t lacking = unit.statistics.lacking;
    if (starts) {
      isComplete = llvm::all_of(*starts, generate);
    } else {
      starts.emplace();
      own.visit([&](const LaunchGraph &start) {
        starts->push_back(start);
        return isComplete = generate(start);
      });
    }
    if (!isComplete || isOver())
      return false;
    unit.found = std::move(level);
    // More operators would make nothing else where no prefix lacked one.
    if (unit.statistics.lacking == lacking)
      return true;
    // In a loop each of the results needs one more operator, its accumulator.
    if (!unit.found.empty() && operators < last)
      last = std::min(last, operators + kMoreOperators);
  }
  return true;
}

bool KernelGenerator::generateSeconds(const Interface &interface,
                                      uint64_t states, uint64_t steps,
                                      ExpressionOracle &oracle,
                                      Unit &unit) const {
  ConfigurationLimits limits = getConfigurationLimits();
  limits.secondLoads = false;
  std::vector<KernelTensor> tensors = getTensors(oracle);
  size_t numInputs = tensors.size();
  {
    GeneratorStatistics replayed;
    BlockGenerator generator(problem, oracle, tensors, options.limits,
                             replayed);
    llvm::append_range(tensors, generator.replay(interface.firsts.front()));
  }
  unsigned most = getMostLoads(problem.getResults().size());
  unsigned needed = tensors.size() - interface.loaded.size();
  if (needed > most)
    return true;
  EnumerationBudget budget(steps, isOver);
  std::vector<TensorInfo> infos;
  for (const KernelTensor &tensor : tensors)
    infos.push_back(tensor.info);
  // More inputs, or norms that are taken apart, only if nothing is found
  // without.
  for (InputSet inputs : getLoadedInputs(interface, most - needed, budget)) {
    auto loaded = llvm::to_vector_of<uint8_t>(inputs);
    llvm::append_range(loaded, llvm::seq(numInputs, tensors.size()));
    std::optional<std::vector<LaunchGraph>> starts;
    auto visit = [&](ConfigurationVisitor visitor) {
      visitConfigurations(problem, infos, loaded, /*isLast=*/true, limits,
                          budget, visitor);
    };
    SecondLaunches own = {interface, tensors, loaded.size(), states, visit};
    for (bool wholeNorms : getPasses()) {
      if (!deepenSeconds(own, wholeNorms, oracle, starts, unit))
        return false;
      if (!unit.found.empty())
        return !budget.isSpent();
    }
  }
  return !budget.isSpent();
}

/// A key of launches that run one after another.
static std::vector<uint16_t> getKey(ArrayRef<LaunchGraph> launches) {
  std::vector<uint16_t> key;
  for (const LaunchGraph &launch : launches)
    llvm::append_range(key, launch.getKey());
  return key;
}

std::vector<Candidate> KernelGenerator::generateSplit() {
  std::vector<Candidate> candidates;
  // Nothing is asked of expressions: they are the program's own.
  ExpressionOracle oracle(problem, Prune::None);
  std::vector<KernelTensor> tensors = getTensors(oracle);
  generateSplitLaunches(
      problem, oracle, tensors, options.limits,
      {options.gridDims, std::min(options.loops, options.passes)},
      statistics.generator, isOver,
      [&](const LaunchGraph &first, const LaunchGraph &second,
          ArrayRef<KernelTensor> stored) {
        Candidate candidate;
        candidate.launches = {first, second};
        for (unsigned result = 0; result < second.outputs.size(); ++result)
          candidate.results.push_back(tensors.size() + stored.size() + result);
        // Enumerated pairs need not be the same.
        if (pairs.known.insert(::getKey(candidate.launches)).second)
          candidates.push_back(std::move(candidate));
      });
  return candidates;
}

std::vector<Candidate> KernelGenerator::generatePairs(double bestMicroseconds) {
  // First launches that were left out are of use if the time rises.
  if (bestMicroseconds > pairs.bestMicroseconds) {
    pairs.passes = {};
    pairs.firsts = {};
  }
  pairs.bestMicroseconds = bestMicroseconds;
  std::vector<Interface> interfaces = generateInterfaces(bestMicroseconds);
  size_t mostInterfaces = std::max<uint64_t>(
      std::min(states / kFewestStates, getMostSteps() / kFewestSteps), 1);
  if (interfaces.size() > mostInterfaces) {
    // Those that may be fastest are looked at.
    std::vector<std::pair<double, size_t>> order;
    for (auto [position, interface] : llvm::enumerate(interfaces))
      order.push_back({interface.cost, position});
    llvm::sort(order);
    std::vector<Interface> kept;
    for (auto [cost, position] : ArrayRef(order).take_front(mostInterfaces))
      kept.push_back(std::move(interfaces[position]));
    interfaces = std::move(kept);
  }
  uint64_t number = std::max<uint64_t>(interfaces.size(), 1);
  uint64_t most = states / number;
  uint64_t steps = std::max(getMostSteps() / number, kFewestSteps);
  std::vector<std::vector<uint16_t>> keys;
  uint64_t cut = 0;
  llvm::erase_if(interfaces, [&](const Interface &interface) {
    std::vector<uint16_t> key = ::getKey(interface.firsts);
    key.push_back(interface.loaded.getBits());
    auto known = pairs.done.find(key);
    bool isDone = known != pairs.done.end() && known->second.suffices(most);
    cut += isDone && !known->second.isComplete;
    if (!isDone)
      keys.push_back(std::move(key));
    return isDone;
  });
  std::vector<Unit> units(interfaces.size());
  std::vector<uint8_t> isComplete(interfaces.size());
  done = 0;
  pool.forEach(interfaces.size(), [&](int64_t i) {
    isComplete[i] = true;
    uint64_t hash = llvm::xxh3_64bits(
        ArrayRef(reinterpret_cast<const uint8_t *>(keys[i].data()),
                 keys[i].size() * sizeof(uint16_t)));
    units[i] = runUnit(
        SearchState::kSecond, hash + most, interfaces.size(), [&](Unit &unit) {
          std::unique_ptr<ExpressionOracle> oracle = oracles.take();
          isComplete[i] =
              generateSeconds(interfaces[i], most, steps, *oracle, unit);
          oracles.giveBack(std::move(oracle));
          return !isOver();
        });
  });
  for (auto [key, whole] : llvm::zip_equal(keys, isComplete))
    pairs.done[key] = {static_cast<bool>(whole), most};
  cut += llvm::count(isComplete, false);
  statistics.cutInterfaces = cut;
  lacksStates |= cut != 0;
  std::vector<Candidate> candidates;
  for (Unit &unit : units)
    for (Candidate &candidate : unit.found)
      if (pairs.known.insert(::getKey(candidate.launches)).second)
        candidates.push_back(std::move(candidate));
  return candidates;
}
