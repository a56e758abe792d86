//===- Enumeration.h - Sets of block graphs to compare ----------*- C++ -*-===//
//
// Lists everything that the generator makes for a program under given limits,
// as graphs and as text in which the order of operators is left out, and says
// whether graphs compute the program.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_ENUMERATION_H
#define MIRAGE_UNITTESTS_SEARCH_ENUMERATION_H

#include "Mirage/Search/Launches/BlockGenerator.h"
#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/Search/Problem/ProgramViews.h"
#include "Programs.h"
#include <map>

namespace mirage::search {

/// Makes a candidate of one launch that computes all results.
Candidate makeCandidate(const SearchProblem &problem, const LaunchGraph &graph);

/// A program at some sizes, cut into so many blocks and iterations everywhere;
/// the first of two launches into as many blocks as the second can cut again.
struct SizedProgram {
  MuGraph program;
  SearchProblem problem;
  int64_t grid, loop;

  SizedProgram(const ProgramView &view, int64_t grid, int64_t loop);
  SizedProgram(MakeProgram make, AxisSizes sizes, int64_t grid, int64_t loop);
  MuGraph instantiate(const Candidate &candidate) const;
  /// Returns whether random tests find no difference.
  bool computes(const Candidate &candidate) const;

  // The same for one launch.
  MuGraph instantiate(const LaunchGraph &graph) const {
    return instantiate(makeCandidate(problem, graph));
  }
  bool computes(const LaunchGraph &graph) const {
    return computes(makeCandidate(problem, graph));
  }
};

/// Configurations to generate graphs for.
struct Space {
  unsigned gridDims = 1;
  bool secondLoads = false;
  unsigned minLoops = 0, maxLoops = 1;
};

struct Generated {
  /// The graphs by their text.
  std::map<std::string, LaunchGraph> graphs;
  /// The number of graphs that were made, with equal ones.
  unsigned count = 0;
  GeneratorStatistics statistics;
};

/// Candidates of two launches, by their text.
using Pairs = std::map<std::string, Candidate>;

class Enumeration {
public:
  explicit Enumeration(MakeProgram make);
  /// Makes an enumeration with sizes that the blocks of a first launch divide,
  /// too.
  static Enumeration createForPairs(MakeProgram make);

  /// Generates all launches of all configurations that compute the results.
  Generated generate(const GeneratorLimits &limits,
                     const Space &space = {}) const;
  /// Generates all launches that others can follow, and behind each of them all
  /// that compute the results.
  Pairs generatePairs(const GeneratorLimits &first,
                      const GeneratorLimits &second) const;
  /// The launches without the order of their operators.
  std::string getText(const Candidate &candidate) const;
  std::string print(const Candidate &candidate) const;
  /// Returns whether the graph computes the program at small sizes and at
  /// larger ones.
  bool isCorrect(const Candidate &candidate) const;
  /// The same; or, where tests cannot tell, there is a proof at small sizes.
  bool isRight(const Candidate &candidate) const;
  /// Returns whether result and goal are equal by the axioms alone, without
  /// bound axes.
  bool isEqualByAxioms(const Candidate &candidate) const;

  // The same for one launch.
  std::string getText(const LaunchGraph &graph) const {
    return getText(makeCandidate(getProblem(), graph));
  }
  std::string print(const LaunchGraph &graph) const {
    return print(makeCandidate(getProblem(), graph));
  }
  bool isCorrect(const LaunchGraph &graph) const {
    return isCorrect(makeCandidate(getProblem(), graph));
  }
  bool isRight(const LaunchGraph &graph) const {
    return isRight(makeCandidate(getProblem(), graph));
  }
  bool isEqualByAxioms(const LaunchGraph &graph) const {
    return isEqualByAxioms(makeCandidate(getProblem(), graph));
  }
  /// The graphs that are correct.
  std::map<std::string, LaunchGraph>
  getCorrect(const Generated &generated) const;

  const SearchProblem &getProblem() const { return small.problem; }

  SizedProgram small, large;

private:
  Enumeration(MakeProgram make, AxisSizes small, AxisSizes large);
};

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_ENUMERATION_H
