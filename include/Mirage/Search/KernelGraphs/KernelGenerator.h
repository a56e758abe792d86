//===- KernelGenerator.h - Kernel graphs of one or two launches -*- C++ -*-===//
//
// Complete candidates of a problem. A kernel graph of two launches is found by
// what lies between them: first launches that leave the same tensors, by their
// expressions and dimensions, are one interface, and what can follow it is
// generated once.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_KERNELGRAPHS_KERNELGENERATOR_H
#define MIRAGE_SEARCH_KERNELGRAPHS_KERNELGENERATOR_H

#include "Mirage/Search/Launches/Configurations.h"
#include "Mirage/Search/Launches/OraclePool.h"
#include "Mirage/Search/SearchState.h"
#include "Mirage/Search/Superoptimizer.h"
#include "Mirage/Support/WorkerPool.h"

namespace mirage::search {

class KernelGenerator {
public:
  /// `isOver` is asked now and then, and ends the generation; `tick` is called
  /// after each configuration. What `state`, if there is one, knows already is
  /// not generated again.
  KernelGenerator(const SearchProblem &problem, const SearchOptions &options,
                  WorkerPool &pool, std::function<bool()> isOver,
                  std::function<void(const SearchProgress &)> tick,
                  SearchState *state, unsigned view,
                  SearchStatistics &statistics);

  /// Of at most one loop.
  std::vector<Candidate> generateSingle();
  /// Of two loops and more.
  std::vector<Candidate> generateLoops();
  /// `bestMicroseconds`: of a known candidate. What cannot be faster, by the
  /// launches and the traffic between them, is not generated.
  std::vector<Candidate> generatePairs(double bestMicroseconds);

private:
  using Unit = SearchState::Unit;

  /// Tensors between two launches.
  struct Interface {
    /// Launches that leave them, the cheapest first.
    llvm::SmallVector<LaunchGraph, 1> firsts;
    /// Inputs that the first launch loads, as bits.
    uint64_t loaded = 0;
    /// Microseconds of the cheapest.
    double cost = 0;
  };

  std::vector<KernelTensor> getTensors(ExpressionOracle &oracle) const;
  unsigned getMostLoads(unsigned outputs) const;
  bool canComputeResults();
  std::vector<Interface> generateInterfaces(double bestMicroseconds);
  std::vector<Interface> enumerateFirsts(bool &isLimited);
  std::vector<Interface> mergeEqual(llvm::ArrayRef<Interface> interfaces);
  void chooseFirsts(Interface &interface) const;
  double getTrafficBound(const LaunchGraph &first,
                         llvm::ArrayRef<KernelTensor> outputs) const;
  /// Whether it was not cut.
  bool generateSeconds(const Interface &interface, uint64_t states,
                       uint64_t steps, ExpressionOracle &oracle,
                       Unit &unit) const;
  std::vector<Candidate> generateLaunches(SearchState::Phase phase,
                                          const ConfigurationLimits &limits,
                                          uint64_t states, unsigned &operators);
  llvm::SmallVector<bool, 2> getPasses() const;
  unsigned deepen(bool wholeNorms, uint64_t states,
                  llvm::function_ref<void(const GeneratorLimits &)> generate);
  Unit runUnit(SearchState::Phase phase, uint64_t number, uint64_t total,
               llvm::function_ref<bool(Unit &)> generate);
  void finish(SearchState::Phase phase, uint64_t total, const Unit &unit);

  const SearchProblem &problem;
  const SearchOptions &options;
  WorkerPool &pool;
  std::function<bool()> isOver;
  std::function<void(const SearchProgress &)> tick;
  SearchState *state;
  OraclePool oracles;
  /// The view's number, and counts of all views.
  unsigned view;
  SearchStatistics &statistics;
  std::mutex mutex;
  uint64_t done = 0, candidates = 0;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_KERNELGRAPHS_KERNELGENERATOR_H
