//===- KernelGenerator.cpp - Kernel graphs of one launch ------------------===//
//
// Distributes units of work among threads, and collects what they find in a
// fixed order. LaunchPairs.cpp does it for kernel graphs of two launches.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/KernelGraphs/KernelGenerator.h"
#include "Mirage/Analysis/Cost/CostModel.h"
#include "Mirage/Search/Launches/DirectLaunches.h"
#include "Mirage/Search/Launches/GridNeeds.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/xxhash.h"

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
      statistics(statistics), states(options.states) {
  unsigned &operators = this->options.limits.blockOperators;
  mostOperators = operators ? operators : kMostBlockOperators;
  if (operators == 0)
    operators = getUsualBlockOperators(problem);
  statistics.mostOperators = std::max(statistics.mostOperators, mostOperators);
}

unsigned mirage::search::getUsualBlockOperators(const SearchProblem &problem) {
  unsigned operators = 0, products = 0;
  for (const ProgramStep &step : problem.getSteps()) {
    const OperatorForm &form = problem.getForm(step.formId);
    products += form.kind == OperatorForm::Kind::Matmul;
    bool isSummed = form.kind == OperatorForm::Kind::Matmul ||
                    form.kind == OperatorForm::Kind::ReduceSum ||
                    form.kind == OperatorForm::Kind::ReduceMax ||
                    form.kind == OperatorForm::Kind::ReducePlainMax;
    operators += isSummed ? 2 : 1;
  }
  operators += products ? products - 1 : 0;
  return std::clamp(operators, kUsualBlockOperators, kMostBlockOperators);
}

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
  return std::min(outputs + operators * fewer, kMostValues - mostOperators);
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

double KernelGenerator::countBytes(const TensorInfo &tensor) const {
  double size = static_cast<double>(byteSize(tensor.type));
  for (DimId dim : tensor.dims)
    for (const AxisPart &part : problem.getParts(dim))
      size *= static_cast<double>(problem.getAxisSize(part.axis));
  return size;
}

double KernelGenerator::getProgramBound() const {
  double bytes = 0;
  for (const auto &list : {problem.getInputs(), problem.getResults()})
    for (const TensorInfo &tensor : list)
      bytes += countBytes(tensor);
  return lowerBound(bytes, 0, 0, options.target);
}

unsigned KernelGenerator::getFewestOperators() const {
  size_t steps = problem.getSteps(/*wholeComposites=*/true).size();
  return steps > kSavedOperators ? steps - kSavedOperators : 0;
}

unsigned KernelGenerator::getFewestOperators(unsigned otherLaunches) const {
  unsigned all = getFewestOperators(),
           others = otherLaunches * options.limits.blockOperators;
  return std::max(kFewestOperators, all > others ? all - others : 0);
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
  number = number >> 8 | uint64_t(view) << 56;
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

/// Returns a hash of what a unit of work is made of.
static uint64_t hashUnit(ArrayRef<uint64_t> parts) {
  return llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(parts.data()),
               parts.size() * sizeof(uint64_t)));
}

/// The number of a configuration as a unit of work: it is one for each number
/// of operators and of states.
uint64_t KernelGenerator::getUnitNumber(const GeneratorLimits &limits,
                                        uint64_t number, uint64_t total) {
  return hashUnit(
      {limits.blockOperators, limits.wholeNorms, limits.states, number, total});
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

void KernelGenerator::setStates(uint64_t number) {
  bool hasMoreConfigurations =
      getMostFirstStates(number) > getMostFirstStates();
  states = number;
  lacksStates = false;
  if (!hasMoreConfigurations)
    return;
  // Configurations that were left out have room now.
  for (LaunchPhase *own : {&singles, &loops})
    if (own->isLimited) {
      own->isEnumerated = own->isLimited = false;
      own->passes = {};
    }
  if (pairs.isLimited) {
    pairs.isEnumerated = pairs.isLimited = false;
    pairs.passes = {};
    pairs.firsts = {};
  }
}

SearchEnd KernelGenerator::getLimit() const {
  return isLimited() ? std::max(limit, SearchEnd::Configurations) : limit;
}

bool KernelGenerator::needsStates() const {
  return lacksStates ||
         (isLimited() && getMostFirstStates() < kMostFirstStates);
}

/// Generates graphs of more and more operators, as long as the next number
/// fits the states of a phase, if it takes as many times the states of the last
/// one as that took of the one before. A number of operators that was cut is
/// generated again when there are more states.
void KernelGenerator::deepen(
    Deepening &own, bool wholeNorms, uint64_t states,
    llvm::function_ref<void(const GeneratorLimits &)> generate) {
  // There are many more graphs with norms taken apart.
  uint64_t most = problem.hasNorms() && !wholeNorms ? states / kApart : states;
  GeneratorLimits limits = options.limits;
  limits.wholeNorms = wholeNorms;
  limits.states = most;
  unsigned last = mostOperators;
  own.next = std::min(own.next, std::max(last, own.complete + 1));
  for (; own.next <= last && !isOver(); ++own.next) {
    double growth =
        own.beforeLast ? static_cast<double>(own.last) / own.beforeLast : 2;
    if (own.used + growth * own.last > most) {
      lacksStates = true;
      return;
    }
    limits.blockOperators = own.next;
    uint64_t before = statistics.generator.states;
    uint64_t cut = statistics.generator.cut;
    uint64_t lacking = statistics.generator.lacking;
    generate(limits);
    if (statistics.generator.cut != cut) {
      lacksStates = true;
      return;
    }
    own.beforeLast = own.last;
    own.last = statistics.generator.states - before;
    own.used += own.last;
    own.complete = own.next;
    // More operators would make nothing else where no prefix lacked one.
    if (statistics.generator.lacking == lacking) {
      own.next = own.complete = last;
      continue;
    }
    if (own.next == last)
      noteLimit(SearchEnd::Operators);
  }
}

/// Makes a candidate of a launch that computes the program's results.
static Candidate makeCandidate(const LaunchGraph &launch, size_t tensors) {
  Candidate candidate;
  candidate.launches.push_back(launch);
  for (unsigned result = 0; result < launch.outputs.size(); ++result)
    candidate.results.push_back(tensors + result);
  return candidate;
}

std::vector<Candidate> KernelGenerator::generateDirect() {
  std::vector<Candidate> candidates;
  // Nothing is asked of expressions: they are the program's own.
  ExpressionOracle oracle(problem, Prune::None);
  GeneratorLimits limits = options.limits;
  limits.compareResults = false;
  std::vector<KernelTensor> tensors = getTensors(oracle);
  BlockGenerator generator(problem, oracle, tensors, limits,
                           statistics.generator, isOver);
  for (const LaunchGraph &start :
       listDirectStarts(problem, options.gridDims, options.loops)) {
    if (isOver())
      break;
    for (bool wholeComposites : {true, false})
      generator.generateDirect(
          start, wholeComposites, options.passes,
          [&](const LaunchGraph &launch, auto) {
            // The enumeration does not need to find it.
            if (singles.known.insert(launch.getKey()).second)
              candidates.push_back(makeCandidate(launch, tensors.size()));
          });
  }
  return candidates;
}

std::vector<Candidate> KernelGenerator::generateSingle() {
  ConfigurationLimits limits = getConfigurationLimits();
  limits.maxLoops = std::min(1u, options.loops);
  return generateLaunches(SearchState::kSingle, singles, limits, states,
                          statistics.singleOperators);
}

std::vector<Candidate> KernelGenerator::generateLoops() {
  if (options.loops < 2)
    return {};
  ConfigurationLimits limits = getConfigurationLimits();
  limits.minLoops = 2;
  limits.maxLoops = options.loops;
  return generateLaunches(SearchState::kLoops, loops, limits, states / 2,
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
    unit.found.push_back(makeCandidate(launch, tensors.size()));
  });
  oracles.giveBack(std::move(oracle));
  return !isOver();
}

/// Thins out configurations of which the first graphs alone are more states
/// than a phase may visit, evenly, by what a sample of them has. Where graphs
/// need many operators and most of the sample have too many states, none is
/// left. Returns whether it left any out.
template <typename Start>
bool KernelGenerator::thinOut(
    std::vector<Start> &starts,
    llvm::function_ref<void(BlockGenerator &, const Start &)> run,
    unsigned operators) {
  static constexpr size_t kSampled = 64;
  if (starts.size() <= kSampled)
    return false;
  std::unique_ptr<ExpressionOracle> oracle = oracles.take();
  std::vector<KernelTensor> tensors = getTensors(*oracle);
  GeneratorLimits limits = options.limits;
  limits.blockOperators = std::min(operators, limits.blockOperators);
  limits.wholeNorms = false;
  limits.states = getMostFirstStates() / kSampled;
  GeneratorStatistics sampled;
  BlockGenerator generator(problem, *oracle, tensors, limits, sampled, isOver);
  for (size_t i = 0; i < kSampled; ++i)
    run(generator, starts[i * starts.size() / kSampled]);
  oracles.giveBack(std::move(oracle));
  if (operators > kFewestOperators && sampled.cut > kSampled / 2) {
    starts.clear();
    return true;
  }
  uint64_t each = std::max<uint64_t>(sampled.states / kSampled, 1);
  size_t most = std::max(getMostFirstStates() / each, uint64_t(kSampled));
  if (starts.size() <= most)
    return false;
  std::vector<Start> kept;
  for (size_t i = 0; i < most; ++i)
    kept.push_back(std::move(starts[i * starts.size() / most]));
  starts = std::move(kept);
  return true;
}

bool KernelGenerator::thinOut(std::vector<LaunchGraph> &starts) {
  return thinOut<LaunchGraph>(
      starts,
      [](BlockGenerator &generator, const LaunchGraph &start) {
        generator.generateLast(start, [](const LaunchGraph &, auto) {});
      },
      kFewestOperators);
}

bool KernelGenerator::thinOut(std::vector<Interface> &starts) {
  return thinOut<Interface>(
      starts,
      [](BlockGenerator &generator, const Interface &start) {
        generator.generateFirst(start.firsts.front(),
                                [](const LaunchGraph &, auto) {});
      },
      getFewestOperators(/*otherLaunches=*/1));
}

void KernelGenerator::enumerateLaunches(LaunchPhase &own,
                                        const ConfigurationLimits &limits) {
  own.isEnumerated = true;
  std::vector<TensorInfo> inputs = problem.getInputs().vec();
  if (inputs.size() > getMostLoads(problem.getResults().size()) ||
      getFewestOperators() > options.limits.blockOperators ||
      !canComputeResults()) {
    noteLimit(SearchEnd::Operators);
    return;
  }
  EnumerationBudget budget(getMostSteps(), isOver);
  auto loaded = llvm::to_vector_of<uint8_t>(llvm::seq(inputs.size()));
  own.starts = enumerateConfigurations(problem, inputs, loaded, /*isLast=*/true,
                                       limits, budget);
  own.isLimited =
      budget.isLimited() || own.starts.size() >= limits.configurations;
  size_t all = own.starts.size();
  llvm::erase_if(own.starts,
                 [needs = GridNeeds(problem)](const LaunchGraph &start) {
                   return !needs.areMet(start);
                 });
  statistics.prunedGrid += all - own.starts.size();
  own.isLimited |= thinOut(own.starts);
}

std::vector<Candidate>
KernelGenerator::generateLaunches(SearchState::Phase phase, LaunchPhase &own,
                                  const ConfigurationLimits &limits,
                                  uint64_t states, unsigned &operators) {
  if (!own.isEnumerated)
    enumerateLaunches(own, limits);
  if (own.starts.empty()) {
    operators = mostOperators;
    return {};
  }
  std::vector<Candidate> candidates;
  for (bool wholeNorms : getPasses()) {
    std::vector<Unit> units, before;
    deepen(own.passes[!wholeNorms], wholeNorms, states,
           [&](const GeneratorLimits &at) {
             before =
                 std::exchange(units, std::vector<Unit>(own.starts.size()));
             done = 0;
             pool.forEach(own.starts.size(), [&](int64_t i) {
               units[i] =
                   runUnit(phase, getUnitNumber(at, i, own.starts.size()),
                           own.starts.size(), [&](Unit &unit) {
                             return generateLast(own.starts[i], at, unit);
                           });
             });
           });
    operators = own.isLimited ? 0 : own.passes[!wholeNorms].complete;
    // Where the last number of operators was cut, the one before may have found
    // more.
    for (std::vector<Unit> *found : {&units, &before})
      for (Unit &unit : *found)
        for (Candidate &candidate : unit.found)
          if (own.known.insert(candidate.launches.front().getKey()).second)
            candidates.push_back(std::move(candidate));
  }
  return candidates;
}
