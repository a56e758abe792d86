//===- KernelGenerator.cpp - Kernel graphs of one or two launches ---------===//
//
// Distributes configurations and interfaces among threads, and collects what
// they find in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelGenerator.h"
#include "Mirage/Search/Launches/GridNeeds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <map>
#include <set>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;

KernelGenerator::KernelGenerator(
    const SearchProblem &problem, const SearchOptions &options,
    WorkerPool &pool, std::function<bool()> isOver,
    std::function<void(const SearchProgress &)> tick, SearchState *state,
    unsigned view, SearchStatistics &statistics)
    : problem(problem), options(options), pool(pool), isOver(std::move(isOver)),
      tick(std::move(tick)), state(state),
      oracles(problem, options.limits.prune), view(view),
      statistics(statistics) {}

std::vector<KernelTensor>
KernelGenerator::getTensors(ExpressionOracle &oracle) const {
  std::vector<KernelTensor> tensors;
  for (auto [number, input] : llvm::enumerate(problem.getInputs())) {
    KernelTensor &tensor = tensors.emplace_back();
    tensor.info = input;
    tensor.value = oracle.getInput(number).value;
  }
  return tensors;
}

static std::vector<TensorInfo> getInfos(ArrayRef<KernelTensor> tensors) {
  std::vector<TensorInfo> infos;
  for (const KernelTensor &tensor : tensors)
    infos.push_back(tensor.info);
  return infos;
}

/// Steps of enumerations of configurations in a phase: some seconds.
static constexpr uint64_t kMostSteps = 50'000'000;
/// Values that a block graph can have: what tells maxima of values from those
/// after loops needs numbers below.
static constexpr unsigned kMostValues = 63;

/// Tensors that a launch can load if it stores so many: every value is used,
/// and an operator leaves one of those that it is applied to.
unsigned KernelGenerator::getMostLoads(unsigned outputs) const {
  unsigned operators = options.limits.blockOperators;
  unsigned fewer = std::max(problem.getMaxOperands(), 2u) - 1;
  return std::min(outputs + operators * fewer, kMostValues - operators);
}

/// Whether a launch can have an operator for each result.
bool KernelGenerator::canComputeResults() {
  const MuRegion &body = problem.getProgram().getRegion();
  std::unique_ptr<ExpressionOracle> oracle = oracles.take();
  std::set<unsigned> computed;
  for (auto [form, result] : llvm::zip_equal(oracle->getGoals(), body.results))
    if (!llvm::is_contained(body.arguments, result))
      computed.insert(form);
  oracles.giveBack(std::move(oracle));
  return computed.size() <= options.limits.blockOperators;
}

static llvm::SmallVector<uint8_t> getMembers(uint64_t set) {
  llvm::SmallVector<uint8_t> members;
  for (; set; set &= set - 1)
    members.push_back(llvm::countr_zero(set));
  return members;
}

static llvm::StringRef getName(SearchState::Phase phase) {
  switch (phase) {
  case SearchState::kSingle:
    return "one kernel";
  case SearchState::kFirst:
    return "first of two kernels";
  case SearchState::kSecond:
    return "second of two kernels";
  case SearchState::kLoops:
    return "one kernel of several loops";
  }
  llvm_unreachable("unknown phase");
}

void KernelGenerator::finish(SearchState::Phase phase, uint64_t total,
                             const Unit &unit) {
  statistics.generator += unit.statistics;
  statistics.prunedCost += unit.prunedCost;
  if (phase != SearchState::kFirst)
    candidates += unit.found.size();
  SearchProgress progress;
  progress.phase = getName(phase);
  progress.done = ++done;
  progress.total = total;
  progress.candidates = candidates;
  tick(progress);
}

/// Runs a unit of work, or takes what it led to in an earlier search.
/// `generate` says whether it came to its end.
KernelGenerator::Unit
KernelGenerator::runUnit(SearchState::Phase phase, uint64_t number,
                         uint64_t total,
                         llvm::function_ref<bool(Unit &)> generate) {
  Unit unit;
  number |= uint64_t(view) << 56;
  if (state) {
    std::lock_guard<std::mutex> lock(mutex);
    if (const Unit *known = state->find(phase, number)) {
      finish(phase, total, *known);
      return *known;
    }
  }
  if (isOver())
    return unit;
  bool isComplete = generate(unit);
  std::lock_guard<std::mutex> lock(mutex);
  finish(phase, total, unit);
  if (state && isComplete)
    state->add(phase, number, unit);
  return unit;
}

/// A configuration is a unit of work for each number of operators.
static uint64_t getUnitNumber(const GeneratorLimits &limits, uint64_t number,
                              uint64_t total) {
  return ((limits.blockOperators * uint64_t(2) + limits.wholeNorms) * total) +
         number;
}

/// First with norms as wholes, then taken apart, if there are any.
llvm::SmallVector<bool, 2> KernelGenerator::getPasses() const {
  if (problem.hasNorms())
    return {true, false};
  return {false};
}

/// Generates graphs of more and more operators, as long as the next number
/// fits the states of a phase, if it takes as many times the states of the last
/// one as that took of the one before. Returns the last number of operators for
/// which nothing was cut.
unsigned KernelGenerator::deepen(
    bool wholeNorms, uint64_t states,
    llvm::function_ref<void(const GeneratorLimits &)> generate) {
  uint64_t used = 0, last = 0, beforeLast = 0;
  GeneratorLimits limits = options.limits;
  limits.wholeNorms = wholeNorms;
  limits.states = states;
  unsigned complete = 0;
  for (unsigned operators = std::min(3u, options.limits.blockOperators);
       operators <= options.limits.blockOperators && !isOver(); ++operators) {
    double growth = beforeLast ? static_cast<double>(last) / beforeLast : 2;
    if (used + growth * last > states)
      break;
    limits.blockOperators = operators;
    uint64_t before = statistics.generator.states;
    uint64_t cut = statistics.generator.cut;
    generate(limits);
    beforeLast = last;
    last = statistics.generator.states - before;
    used += last;
    if (statistics.generator.cut != cut)
      break;
    complete = operators;
  }
  return complete;
}

/// The states of a phase whose configurations are not all gone into. The others
/// need not take what those would have: few configurations lead to more and
/// more unlike expressions, and a new one takes as long as many known ones.
static uint64_t getShare(uint64_t states, uint64_t kept, uint64_t all) {
  static constexpr uint64_t kLeast = 4;
  if (!all)
    return states;
  return std::max<uint64_t>(
      states / kLeast,
      std::llround(static_cast<double>(states) * static_cast<double>(kept) /
                   static_cast<double>(all)));
}

std::vector<Candidate> KernelGenerator::generateSingle() {
  ConfigurationLimits limits;
  limits.gridDims = options.gridDims;
  limits.sharedMemory = options.limits.sharedMemory;
  limits.maxLoops = std::min(1u, options.loops);
  return generateLaunches(SearchState::kSingle, limits, options.states,
                          statistics.singleOperators);
}

std::vector<Candidate> KernelGenerator::generateLoops() {
  if (options.loops < 2)
    return {};
  ConfigurationLimits limits;
  limits.gridDims = options.gridDims;
  limits.sharedMemory = options.limits.sharedMemory;
  limits.minLoops = 2;
  limits.maxLoops = options.loops;
  return generateLaunches(SearchState::kLoops, limits, options.states / 8,
                          statistics.loopOperators);
}

std::vector<Candidate>
KernelGenerator::generateLaunches(SearchState::Phase phase,
                                  const ConfigurationLimits &limits,
                                  uint64_t states, unsigned &operators) {
  std::vector<TensorInfo> inputs = problem.getInputs().vec();
  if (inputs.size() > getMostLoads(problem.getResults().size()) ||
      !canComputeResults()) {
    operators = options.limits.blockOperators;
    return {};
  }
  EnumerationBudget budget(kMostSteps, isOver);
  auto loaded = llvm::to_vector_of<uint8_t>(llvm::seq(inputs.size()));
  std::vector<LaunchGraph> starts = enumerateConfigurations(
      problem, inputs, loaded, /*isLast=*/true, limits, budget);
  bool isLimited = budget.isLimited() || starts.size() >= limits.configurations;
  size_t all = starts.size();
  llvm::erase_if(starts,
                 [needs = GridNeeds(problem)](const LaunchGraph &start) {
                   return !needs.areMet(start);
                 });
  statistics.prunedGrid += all - starts.size();
  states = getShare(states, starts.size(), all);
  auto generate = [&](const LaunchGraph &start, const GeneratorLimits &own,
                      Unit &unit) {
    std::unique_ptr<ExpressionOracle> oracle = oracles.take();
    std::vector<KernelTensor> tensors = getTensors(*oracle);
    BlockGenerator generator(problem, *oracle, tensors, own, unit.statistics,
                             isOver);
    generator.generateLast(start, [&](const LaunchGraph &launch, auto) {
      Candidate &candidate = unit.found.emplace_back();
      candidate.launches.push_back(launch);
      for (unsigned result = 0; result < launch.outputs.size(); ++result)
        candidate.results.push_back(tensors.size() + result);
    });
    oracles.giveBack(std::move(oracle));
    return !isOver();
  };
  std::vector<Candidate> candidates;
  std::set<std::vector<uint16_t>> known;
  for (bool wholeNorms : getPasses()) {
    std::vector<Unit> units, before;
    operators = deepen(wholeNorms, states, [&](const GeneratorLimits &own) {
      before = std::exchange(units, std::vector<Unit>(starts.size()));
      done = 0;
      pool.forEach(starts.size(), [&](int64_t i) {
        units[i] =
            runUnit(phase, getUnitNumber(own, i, starts.size()), starts.size(),
                    [&](Unit &unit) { return generate(starts[i], own, unit); });
      });
    });
    if (isLimited)
      operators = 0;
    // Where the last number of operators was cut, the one before has more.
    for (std::vector<Unit> *found : {&units, &before})
      for (Unit &unit : *found)
        for (Candidate &candidate : unit.found)
          if (known.insert(candidate.launches.front().getKey()).second)
            candidates.push_back(std::move(candidate));
  }
  return candidates;
}

/// Two launches, and each tensor between them written and read once.
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

using InterfaceKey = std::vector<uint64_t>;

/// What a launch leaves, by numbers of an oracle.
static InterfaceKey getKey(ArrayRef<KernelTensor> outputs) {
  InterfaceKey key;
  for (const KernelTensor &tensor : outputs) {
    key.push_back(tensor.form);
    key.push_back(static_cast<uint64_t>(tensor.value.role) << 8 |
                  tensor.shift.value_or(0xff));
    for (DimId dim : tensor.info.dims)
      key.push_back(dim);
    key.push_back(~uint64_t(0));
  }
  return key;
}

/// Of the launches that leave the same tensors, those with the fewest
/// operators.
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
    InterfaceKey key = getKey(generator.replay(first));
    key.push_back(interface.loaded);
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

/// Keeps the cheapest of the launches with the fewest operators, each at its
/// own best sizes.
void KernelGenerator::chooseFirsts(Interface &interface) const {
  static constexpr unsigned kTried = 48, kKept = 2;
  std::vector<std::pair<size_t, size_t>> order;
  for (auto [number, launch] : llvm::enumerate(interface.firsts))
    order.push_back({launch.operators.size(), number});
  llvm::sort(order);
  std::vector<std::pair<double, size_t>> costs;
  for (auto [size, number] : ArrayRef(order).take_front(kTried)) {
    Candidate alone;
    alone.isPartial = true;
    alone.launches.push_back(interface.firsts[number]);
    for (unsigned i = 0; i < alone.launches[0].outputs.size(); ++i)
      alone.results.push_back(problem.getInputs().size() + i);
    if (auto chosen =
            chooseSizes(problem, alone, options.target, {.seed = options.seed}))
      costs.push_back({chosen->microseconds, number});
  }
  llvm::sort(costs);
  llvm::SmallVector<LaunchGraph, 1> kept;
  for (auto [cost, number] : ArrayRef(costs).take_front(kKept))
    kept.push_back(interface.firsts[number]);
  interface.cost = costs.empty() ? std::numeric_limits<double>::infinity()
                                 : costs.front().first;
  interface.firsts = std::move(kept);
}

/// Configurations of first launches, for all sets of inputs that a first and a
/// second launch can load.
std::vector<KernelGenerator::Interface>
KernelGenerator::enumerateFirsts(bool &isLimited) {
  ConfigurationLimits limits;
  limits.gridDims = options.gridDims;
  limits.sharedMemory = options.limits.sharedMemory;
  limits.secondLoads = false;
  std::vector<TensorInfo> inputs = problem.getInputs().vec();
  // The second loads the others, and what the first stores.
  unsigned first = getMostLoads(options.limits.outputs);
  unsigned second = getMostLoads(problem.getResults().size()) - 1;
  std::vector<Interface> starts;
  if (inputs.size() > std::min(first + second, kMostValues) ||
      !canComputeResults())
    return starts;
  EnumerationBudget budget(kMostSteps, isOver);
  uint64_t all = llvm::maskTrailingOnes<uint64_t>(inputs.size());
  forEachSubset(all, first, [&](uint64_t loaded) {
    unsigned others = llvm::popcount(all & ~loaded);
    if (loaded && others <= second)
      for (LaunchGraph &start :
           enumerateConfigurations(problem, inputs, getMembers(loaded),
                                   /*isLast=*/false, limits, budget))
        starts.push_back({{std::move(start)}, loaded});
    isLimited |= starts.size() >= limits.configurations;
    return !isLimited && budget.step();
  });
  isLimited |= budget.isLimited();
  return starts;
}

std::vector<KernelGenerator::Interface>
KernelGenerator::generateInterfaces(double bestMicroseconds) {
  bool isLimited = false;
  std::vector<Interface> starts = enumerateFirsts(isLimited);
  auto generate = [&](const LaunchGraph &start, const GeneratorLimits &own,
                      Unit &unit) {
    std::unique_ptr<ExpressionOracle> oracle = oracles.take();
    std::vector<KernelTensor> tensors = getTensors(*oracle);
    std::map<InterfaceKey, size_t> known;
    BlockGenerator generator(problem, *oracle, tensors, own, unit.statistics,
                             isOver);
    generator.generateFirst(start, [&](const LaunchGraph &launch,
                                       ArrayRef<KernelTensor> outputs) {
      if (getTrafficBound(launch, outputs) >= bestMicroseconds) {
        ++unit.prunedCost;
        return;
      }
      auto [entry, isNew] =
          known.try_emplace(getKey(outputs), unit.found.size());
      if (isNew)
        unit.found.emplace_back().launches.push_back(launch);
      else if (LaunchGraph &other = unit.found[entry->second].launches.front();
               launch.operators.size() < other.operators.size())
        other = launch;
    });
    oracles.giveBack(std::move(oracle));
    return !isOver();
  };
  std::vector<Interface> interfaces;
  for (bool wholeNorms : getPasses()) {
    std::vector<Unit> units;
    statistics.firstOperators =
        deepen(wholeNorms, options.states, [&](const GeneratorLimits &own) {
          units.assign(starts.size(), {});
          done = 0;
          pool.forEach(starts.size(), [&](int64_t i) {
            units[i] = runUnit(
                SearchState::kFirst, getUnitNumber(own, i, starts.size()),
                starts.size(), [&](Unit &unit) {
                  return generate(starts[i].firsts.front(), own, unit);
                });
          });
        });
    if (isLimited)
      statistics.firstOperators = 0;
    for (auto [unit, start] : llvm::zip(units, starts)) {
      statistics.firstKernels += unit.found.size();
      for (Candidate &candidate : unit.found)
        interfaces.push_back({{candidate.launches.front()}, start.loaded});
    }
  }
  // What comes first is known only when all of them are.
  if (isOver())
    return {};
  interfaces = mergeEqual(interfaces);
  pool.forEach(interfaces.size(), [&](int64_t i) {
    if (!isOver())
      chooseFirsts(interfaces[i]);
  });
  if (isOver())
    return {};
  llvm::erase_if(interfaces, [&](const Interface &interface) {
    // The second launch takes no less than a launch takes.
    bool isSlow = interface.cost +
                      static_cast<double>(options.target.launchTime) * 1e-3 >=
                  bestMicroseconds;
    statistics.prunedCost += isSlow;
    return isSlow;
  });
  statistics.interfaces = interfaces.size();
  return interfaces;
}

/// Steps for the second launches of an interface, at least: some hundredth of a
/// second.
static constexpr uint64_t kFewestSteps = 100'000;

/// Operators of a second launch beyond the fewest that it needs.
static constexpr unsigned kMoreOperators = 2;

bool KernelGenerator::generateSeconds(const Interface &interface,
                                      uint64_t states, uint64_t steps,
                                      ExpressionOracle &oracle,
                                      Unit &unit) const {
  GeneratorStatistics &own = unit.statistics;
  std::vector<Candidate> &found = unit.found;
  ConfigurationLimits loads;
  loads.gridDims = options.gridDims;
  loads.sharedMemory = options.limits.sharedMemory;
  loads.secondLoads = false;
  std::vector<KernelTensor> tensors = getTensors(oracle);
  size_t numInputs = tensors.size();
  uint64_t all = llvm::maskTrailingOnes<uint64_t>(numInputs);
  {
    GeneratorStatistics replayed;
    BlockGenerator generator(problem, oracle, tensors, options.limits,
                             replayed);
    for (KernelTensor &output : generator.replay(interface.firsts.front())) {
      if (output.shift)
        *output.shift += numInputs;
      output.isComputed = true;
      tensors.push_back(output);
    }
  }
  std::vector<TensorInfo> infos = getInfos(tensors);
  // What the first launch did not load; and more of the inputs, or more
  // operators, only if nothing is found without.
  uint64_t missing = all & ~interface.loaded;
  unsigned most = getMostLoads(problem.getResults().size());
  unsigned needed = llvm::popcount(missing) + tensors.size() - numInputs;
  if (needed > most)
    return true;
  EnumerationBudget budget(steps, isOver);
  std::vector<uint64_t> subsets;
  forEachSubset(interface.loaded, most - needed, [&](uint64_t more) {
    subsets.push_back(missing | more);
    return budget.step();
  });
  llvm::sort(subsets, [](uint64_t a, uint64_t b) {
    return std::make_pair(llvm::popcount(a), a) <
           std::make_pair(llvm::popcount(b), b);
  });
  for (uint64_t subset : subsets) {
    llvm::SmallVector<uint8_t> loaded = getMembers(subset);
    llvm::append_range(loaded, llvm::seq(numInputs, tensors.size()));
    std::vector<LaunchGraph> starts = enumerateConfigurations(
        problem, infos, loaded, /*isLast=*/true, loads, budget);
    if (isOver())
      return false;
    for (bool wholeNorms : getPasses()) {
      unsigned last = options.limits.blockOperators;
      for (unsigned operators = 1; operators <= last; ++operators) {
        GeneratorLimits limits = options.limits;
        limits.blockOperators = operators;
        limits.wholeNorms = wholeNorms;
        BlockGenerator generator(problem, oracle, tensors, limits, own, isOver);
        // All that fewer operators led to, and more.
        std::vector<Candidate> level;
        for (const LaunchGraph &start : starts) {
          if (own.states >= states || isOver())
            return false;
          limits.states = states - own.states;
          generator.generateLast(start, [&](const LaunchGraph &launch, auto) {
            for (const LaunchGraph &first : interface.firsts) {
              Candidate &candidate = level.emplace_back();
              candidate.launches = {first, launch};
              for (unsigned result = 0; result < launch.outputs.size();
                   ++result)
                candidate.results.push_back(tensors.size() + result);
            }
          });
        }
        found = std::move(level);
        // With a loop, each of its results takes an accumulator.
        if (!found.empty() && operators < last)
          last = std::min(last, operators + kMoreOperators);
      }
      if (!found.empty())
        return !budget.isSpent();
    }
  }
  return !budget.isSpent();
}

std::vector<Candidate> KernelGenerator::generatePairs(double bestMicroseconds) {
  std::vector<Interface> interfaces = generateInterfaces(bestMicroseconds);
  std::vector<Unit> units(interfaces.size());
  std::vector<uint8_t> isComplete(interfaces.size());
  uint64_t number = std::max<uint64_t>(interfaces.size(), 1);
  uint64_t states = options.states / number;
  uint64_t steps = std::max(kMostSteps / number, kFewestSteps);
  done = 0;
  pool.forEach(interfaces.size(), [&](int64_t i) {
    isComplete[i] = true;
    units[i] =
        runUnit(SearchState::kSecond, i, interfaces.size(), [&](Unit &unit) {
          std::unique_ptr<ExpressionOracle> oracle = oracles.take();
          isComplete[i] =
              generateSeconds(interfaces[i], states, steps, *oracle, unit);
          oracles.giveBack(std::move(oracle));
          return !isOver();
        });
  });
  statistics.cutInterfaces += llvm::count(isComplete, false);
  std::vector<Candidate> candidates;
  for (Unit &unit : units)
    llvm::append_range(candidates, unit.found);
  return candidates;
}
