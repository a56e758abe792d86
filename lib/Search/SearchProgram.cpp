//===- SearchProgram.cpp - One search for a program -----------------------===//
//
// Gives a search more states while it finds better programs.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Superoptimizer.h"
#include <cmath>

using namespace mirage;
using namespace mirage::search;

SearchResult mirage::search::superoptimize(const SearchTask &task,
                                           const SearchOptions &options,
                                           const SearchControl &control) {
  ProgramSearch search(task, options, control);
  double before = std::numeric_limits<double>::infinity();
  bool isWorthless = false;
  uint64_t states = std::min(options.firstStates, options.states);
  search.raise(states);
  while (!isWorthless && states < options.states && search.canBeRaised()) {
    before = search.getBest();
    states =
        states > options.states / kRaise ? options.states : states * kRaise;
    search.raise(states);
    isWorthless = !(search.getBest() <= before * (1 - options.minGain)) ||
                  !std::isfinite(search.getBest());
  }
  // More states were of no use, where some are left.
  isWorthless &= states < options.states;
  return search.finish(isWorthless);
}
