//===- KernelGenerator.cpp - Kernel graphs of one launch ------------------===//
//
// Distributes units of work among threads, and collects what they find in a
// fixed order. LaunchPairs.cpp does it for kernel graphs of two launches.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelGenerator.h"
#include "Mirage/Search/Launches/GridNeeds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <cmath>
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

/// The most tensors that a launch can load if it stores so many: every value is
/// used, and an operator leaves one of those that it is applied to.
unsigned KernelGenerator::getMostLoads(unsigned outputs) const {
  unsigned operators = options.limits.blockOperators;
  unsigned fewer = std::max(problem.getMaxOperands(), 2u) - 1;
  return std::min(outputs + operators * fewer, kMostValues - operators);
}

/// Returns whether a launch can have an operator for each result.
bool KernelGenerator::canComputeResults() {
  const MuRegion &body = problem.getProgram().getRegion();
  std::unique_ptr<ExpressionOracle> oracle = oracles.take();
  std::set<unsigned> computed;
  for (auto [goal, result] : llvm::zip_equal(oracle->getGoals(), body.results))
    if (!llvm::is_contained(body.arguments, result))
      computed.insert(goal);
  oracles.giveBack(std::move(oracle));
  return computed.size() <= options.limits.blockOperators;
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
/// `generate` returns whether it came to its end.
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

/// The number of a configuration as a unit of work: it is one for each number
/// of operators.
uint64_t KernelGenerator::getUnitNumber(const GeneratorLimits &limits,
                                        uint64_t number, uint64_t total) {
  return ((limits.blockOperators * uint64_t(2) + limits.wholeNorms) * total) +
         number;
}

ConfigurationLimits KernelGenerator::getConfigurationLimits() const {
  ConfigurationLimits limits;
  limits.gridDims = options.gridDims;
  limits.sharedMemory = options.limits.sharedMemory;
  return limits;
}

/// Returns whether norms are taken as wholes, pass by pass: first they are,
/// then they are taken apart, if there are any.
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
    if (used + growth * last > states) {
      noteLimit(SearchEnd::States);
      break;
    }
    limits.blockOperators = operators;
    uint64_t before = statistics.generator.states;
    uint64_t cut = statistics.generator.cut;
    uint64_t deadEnds = statistics.generator.prunedDeadEnd;
    generate(limits);
    beforeLast = last;
    last = statistics.generator.states - before;
    used += last;
    if (statistics.generator.cut != cut) {
      noteLimit(SearchEnd::States);
      break;
    }
    // More operators would make nothing else where no prefix lacked one.
    if (operators == options.limits.blockOperators &&
        statistics.generator.prunedDeadEnd != deadEnds)
      noteLimit(SearchEnd::Operators);
    complete = operators;
  }
  return complete;
}

/// The states of a phase that goes into `kept` of all configurations only.
/// These need not take the states that all of them would have: few
/// configurations lead to more and more unlike expressions, and a new
/// expression takes as long as many known ones.
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
  ConfigurationLimits limits = getConfigurationLimits();
  limits.maxLoops = std::min(1u, options.loops);
  return generateLaunches(SearchState::kSingle, limits, options.states,
                          statistics.singleOperators);
}

std::vector<Candidate> KernelGenerator::generateLoops() {
  if (options.loops < 2)
    return {};
  ConfigurationLimits limits = getConfigurationLimits();
  limits.minLoops = 2;
  limits.maxLoops = options.loops;
  return generateLaunches(SearchState::kLoops, limits, options.states / 8,
                          statistics.loopOperators);
}

/// Generates candidates of one configuration. Returns whether it came to its
/// end.
bool KernelGenerator::generateLast(const LaunchGraph &start,
                                   const GeneratorLimits &limits, Unit &unit) {
  std::unique_ptr<ExpressionOracle> oracle = oracles.take();
  std::vector<KernelTensor> tensors = getTensors(*oracle);
  BlockGenerator generator(problem, *oracle, tensors, limits, unit.statistics,
                           isOver);
  generator.generateLast(start, [&](const LaunchGraph &launch, auto) {
    Candidate &candidate = unit.found.emplace_back();
    candidate.launches.push_back(launch);
    for (unsigned result = 0; result < launch.outputs.size(); ++result)
      candidate.results.push_back(tensors.size() + result);
  });
  oracles.giveBack(std::move(oracle));
  return !isOver();
}

std::vector<Candidate>
KernelGenerator::generateLaunches(SearchState::Phase phase,
                                  const ConfigurationLimits &limits,
                                  uint64_t states, unsigned &operators) {
  std::vector<TensorInfo> inputs = problem.getInputs().vec();
  if (inputs.size() > getMostLoads(problem.getResults().size()) ||
      !canComputeResults()) {
    operators = options.limits.blockOperators;
    noteLimit(SearchEnd::Operators);
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
  std::vector<Candidate> candidates;
  std::set<std::vector<uint16_t>> known;
  for (bool wholeNorms : getPasses()) {
    std::vector<Unit> units, before;
    operators = deepen(wholeNorms, states, [&](const GeneratorLimits &own) {
      before = std::exchange(units, std::vector<Unit>(starts.size()));
      done = 0;
      pool.forEach(starts.size(), [&](int64_t i) {
        units[i] = runUnit(
            phase, getUnitNumber(own, i, starts.size()), starts.size(),
            [&](Unit &unit) { return generateLast(starts[i], own, unit); });
      });
    });
    if (isLimited) {
      operators = 0;
      noteLimit(SearchEnd::Configurations);
    }
    // Where the last number of operators was cut, the one before may have found
    // more.
    for (std::vector<Unit> *found : {&units, &before})
      for (Unit &unit : *found)
        for (Candidate &candidate : unit.found)
          if (known.insert(candidate.launches.front().getKey()).second)
            candidates.push_back(std::move(candidate));
  }
  return candidates;
}
