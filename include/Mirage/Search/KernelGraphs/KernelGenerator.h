//===- KernelGenerator.h - Kernel graphs of one or two launches -*- C++ -*-===//
//
// The generator makes complete candidates of a problem. A kernel graph of two
// launches is found by what lies between them: first launches that leave the
// same tensors, by their expressions and dimensions, are one interface, and
// what can follow it is generated once.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_KERNELGENERATOR_H
#define MIRAGE_SEARCH_KERNELGRAPHS_KERNELGENERATOR_H

#include "Mirage/Search/Launches/Configurations.h"
#include "Mirage/Search/Launches/OraclePool.h"
#include "Mirage/Search/SearchState.h"
#include "Mirage/Search/Sizes/LaunchTable.h"
#include "Mirage/Search/Superoptimizer.h"
#include "Mirage/Support/WorkerPool.h"
#include <array>
#include <map>
#include <set>

namespace mirage::search {

/// Some of the program's inputs, by their numbers.
using InputSet = IndexSet<struct InputTag>;

/// Returns how many operators a block graph of the program has at most,
/// usually: as many as the program has, taken apart; an accumulator for each of
/// its products, sums and maxima; and one for each product but the first, since
/// what scales the operand of several products may scale each of their results.
/// But no fewer than small programs have, and no more than the largest limit.
/// What a launch may load follows from it. Graphs of more operators are
/// generated where there are states for them.
unsigned getUsualBlockOperators(const SearchProblem &problem);

class KernelGenerator {
public:
  /// `isOver` is asked now and then, and ends the generation; `tick` is called
  /// after each configuration. If there is a `state`, units of work that it
  /// knows are not done again.
  KernelGenerator(const SearchProblem &problem, const SearchOptions &options,
                  WorkerPool &pool, std::function<bool()> isOver,
                  std::function<void(const SearchProgress &)> tick,
                  SearchState *state, unsigned view,
                  SearchStatistics &statistics);

  /// Sets the number of states that each phase may visit from now on, in all;
  /// without, it is that of the options. Called again with more, phases go on
  /// where the last number ended them, and return candidates that they have not
  /// returned before.
  void setStates(uint64_t states);
  /// Generates candidates of one launch that have the program's operators as
  /// they are, whatever their number (DirectLaunches.h).
  std::vector<Candidate> generateDirect();
  /// Generates candidates of two launches that have the program's operators as
  /// they are, with an axis that it sums split among blocks (SplitLaunches.h).
  std::vector<Candidate> generateSplit();
  /// Generates candidates of one launch with at most one loop.
  std::vector<Candidate> generateSingle();
  /// Generates candidates of one launch with two loops and more.
  std::vector<Candidate> generateLoops();
  /// Generates candidates of two launches. Those are left out that cannot be
  /// faster than a known candidate of `bestMicroseconds`, by the launches and
  /// the traffic between them.
  std::vector<Candidate> generatePairs(double bestMicroseconds);
  /// Returns microseconds that any kernels take at least that compute the
  /// program.
  double getProgramBound() const;
  /// Returns what limits the generation whatever the number of states is;
  /// Exhausted if nothing does.
  SearchEnd getLimit() const;
  /// Returns whether more states would make more graphs.
  bool needsStates() const;

private:
  using Unit = SearchState::Unit;

  /// States of the first graphs of all configurations of a phase, at most: so
  /// many, and so many for each state of the phase.
  static constexpr uint64_t kMostFirstStates = 4'000'000;
  static constexpr uint64_t kFirstStatesOfState = 4;
  /// Steps of enumerations of configurations for each first state. Both
  /// take about as long then.
  static constexpr uint64_t kStepsOfState = 12;
  /// The fewest operators of the first graphs that a phase generates.
  static constexpr unsigned kFewestOperators = 3;
  /// Operators by which graphs may have fewer than the program, since they sum
  /// or multiply once what the program does twice.
  static constexpr unsigned kSavedOperators = 2;
  /// The part of a phase's states that graphs have with norms taken apart.
  static constexpr uint64_t kApart = 4;
  /// Values of a block graph. Operators name them with eight bits, and the
  /// inputs among them are an InputSet.
  static constexpr unsigned kMostValues = 63;
  static_assert(kMostValues <= InputSet::kEnd);

  /// Tensors between two launches.
  struct Interface {
    /// Launches that leave them, the cheapest first.
    llvm::SmallVector<LaunchGraph, 1> firsts;
    /// The inputs that the first launch loads.
    InputSet loaded;
    /// Microseconds of the cheapest first launch.
    double cost = 0;
  };

  /// What second launches are generated for: what they follow on, the tensors
  /// that they may load, how many they do load, the states that all second
  /// launches of the interface have together, and their configurations.
  struct SecondLaunches {
    const Interface &interface;
    llvm::ArrayRef<KernelTensor> tensors;
    size_t loads;
    uint64_t states;
    llvm::function_ref<void(ConfigurationVisitor)> visit;
  };

  /// How far graphs of more and more operators are generated.
  struct Deepening {
    /// The number of operators that comes next, and the last one for which
    /// nothing was cut.
    unsigned next = kFewestOperators, complete = 0;
    /// The states of all numbers of operators that are done, of the last one,
    /// and of the one before.
    uint64_t used = 0, last = 0, beforeLast = 0;
  };

  /// Configurations of a phase of single launches, and what is done of them.
  struct LaunchPhase {
    bool isEnumerated = false, isLimited = false;
    std::vector<LaunchGraph> starts;
    /// One without norms taken apart, and one with.
    std::array<Deepening, 2> passes;
    std::set<std::vector<uint16_t>> known;
  };

  /// Second launches of an interface that were generated.
  struct DoneInterface {
    /// They needed no more states.
    bool isComplete = false;
    /// The states that they had.
    uint64_t states = 0;

    /// Returns whether so many states lead to nothing more.
    bool suffices(uint64_t most) const { return isComplete || states >= most; }
  };

  /// Microseconds of a first launch at its best sizes; infinite if it fits at
  /// none or takes no less than the limit with which it was asked for.
  struct FirstCost {
    double cost = std::numeric_limits<double>::infinity();
    double limit = 0;

    /// Returns whether this says what the launch takes if that is less than so
    /// much.
    bool isKnownBelow(double most) const {
      return cost < limit || most <= limit;
    }
  };

  /// The same of pairs of launches.
  struct PairPhase {
    bool isEnumerated = false, isLimited = false;
    std::vector<Interface> starts;
    std::array<Deepening, 2> passes;
    /// What first launches of the largest number of operators led to.
    std::array<std::vector<Unit>, 2> firsts;
    std::map<std::vector<uint16_t>, FirstCost> costs;
    /// The points of first launches that are searched alone.
    PointLists points;
    /// What was done of the second launches of an interface.
    std::map<std::vector<uint16_t>, DoneInterface> done;
    std::set<std::vector<uint16_t>> known;
    /// The time by which first launches were left out.
    double bestMicroseconds = 0;
  };

  ConfigurationLimits getConfigurationLimits() const;
  std::vector<KernelTensor> getTensors(ExpressionOracle &oracle) const;
  unsigned getMostLoads(unsigned outputs) const;
  bool canComputeResults();
  /// Returns how many operators a graph of the program has at least, about.
  unsigned getFewestOperators() const;
  /// Returns how many operators one launch has at least if so many others do
  /// the rest of the program.
  unsigned getFewestOperators(unsigned otherLaunches) const;
  /// Returns the states that the first graphs of a phase of so many states may
  /// have together.
  static uint64_t getMostFirstStates(uint64_t states) {
    return std::min(states, kMostFirstStates / kFirstStatesOfState) *
           kFirstStatesOfState;
  }
  uint64_t getMostFirstStates() const { return getMostFirstStates(states); }
  /// Returns the steps that the configurations of a phase may take.
  uint64_t getMostSteps() const { return kStepsOfState * getMostFirstStates(); }
  std::vector<Interface> generateInterfaces(double bestMicroseconds);
  std::vector<Interface> enumerateFirsts(bool &isLimited);
  bool generateFirsts(const LaunchGraph &start, const GeneratorLimits &limits,
                      double bestMicroseconds, Unit &unit);
  std::vector<Interface> mergeEqual(llvm::ArrayRef<Interface> interfaces);
  static size_t getOperators(const Interface &interface);
  double getFirstCost(const LaunchGraph &launch, double limit);
  void chooseFirsts(Interface &interface, double limit);
  /// The bytes of a whole tensor.
  double countBytes(const TensorInfo &tensor) const;
  double getSecondBound(const Interface &interface) const;
  double getTrafficBound(const LaunchGraph &first,
                         llvm::ArrayRef<KernelTensor> outputs) const;
  std::vector<InputSet> getLoadedInputs(const Interface &interface,
                                        unsigned most,
                                        EnumerationBudget &budget) const;
  /// Generates what can follow on an interface. Returns whether nothing was
  /// cut.
  bool generateSeconds(const Interface &interface, uint64_t states,
                       uint64_t steps, ExpressionOracle &oracle,
                       Unit &unit) const;
  unsigned getFewestOfSecond(size_t loads) const;
  bool deepenSeconds(const SecondLaunches &own, bool wholeNorms,
                     ExpressionOracle &oracle,
                     std::optional<std::vector<LaunchGraph>> &starts,
                     Unit &unit) const;
  bool generateLast(const LaunchGraph &start, const GeneratorLimits &limits,
                    Unit &unit);
  void enumerateLaunches(LaunchPhase &own, const ConfigurationLimits &limits);
  template <typename Start>
  bool thinOut(std::vector<Start> &starts,
               llvm::function_ref<void(BlockGenerator &, const Start &)> run,
               unsigned operators);
  bool thinOut(std::vector<LaunchGraph> &starts);
  bool thinOut(std::vector<Interface> &starts);
  std::vector<Candidate> generateLaunches(SearchState::Phase phase,
                                          LaunchPhase &own,
                                          const ConfigurationLimits &limits,
                                          uint64_t states, unsigned &operators);
  llvm::SmallVector<bool, 2> getPasses() const;
  void deepen(Deepening &own, bool wholeNorms, uint64_t states,
              llvm::function_ref<void(const GeneratorLimits &)> generate);
  static uint64_t getUnitNumber(const GeneratorLimits &limits, uint64_t number,
                                uint64_t total);
  Unit runUnit(SearchState::Phase phase, uint64_t number, uint64_t total,
               llvm::function_ref<bool(Unit &)> generate);
  void noteLimit(SearchEnd end) { limit = std::max(limit, end); }
  void finish(SearchState::Phase phase, uint64_t total, const Unit &unit);

  const SearchProblem &problem;
  /// Its limit of block operators is never zero: it is the usual one where none
  /// was given.
  SearchOptions options;
  /// The most operators of the graphs that are generated.
  unsigned mostOperators;
  WorkerPool &pool;
  std::function<bool()> isOver;
  std::function<void(const SearchProgress &)> tick;
  SearchState *state;
  OraclePool oracles;
  /// The view's number. The counts are of all views.
  unsigned view;
  SearchStatistics &statistics;
  std::mutex mutex;
  uint64_t done = 0, candidates = 0;
  /// The states of a phase.
  uint64_t states;
  SearchEnd limit = SearchEnd::Exhausted;
  bool lacksStates = false;
  bool isLimited() const {
    return singles.isLimited || loops.isLimited || pairs.isLimited;
  }
  LaunchPhase singles, loops;
  PairPhase pairs;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_KERNELGENERATOR_H
