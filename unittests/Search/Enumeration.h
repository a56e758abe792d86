//===- Enumeration.h - Sets of block graphs to compare ----------*- C++ -*-===//
//
// Everything that the generator makes for a program under given limits, as
// graphs and as text in which the order of operators is left out, and whether
// graphs compute the program.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_ENUMERATION_H
#define MIRAGE_UNITTESTS_SEARCH_ENUMERATION_H

#include "Mirage/Search/BlockGenerator.h"
#include "Mirage/Search/Instantiate.h"
#include "Programs.h"
#include <map>

namespace mirage::search {

/// A program at some sizes, cut into so many blocks and iterations everywhere.
struct SizedProgram {
  MuGraph program;
  SearchProblem problem;
  int64_t grid, loop;

  SizedProgram(MakeProgram make, AxisSizes sizes, int64_t grid, int64_t loop);
  MuGraph instantiate(const LaunchGraph &graph) const;
  /// Whether random tests find no difference.
  bool computes(const LaunchGraph &graph) const;
};

/// Configurations to generate graphs for.
struct Space {
  unsigned gridDims = 1;
  bool secondLoads = false;
  unsigned minLoops = 0, maxLoops = 1;
};

struct Generated {
  /// By their text.
  std::map<std::string, LaunchGraph> graphs;
  /// Graphs, equal ones too.
  unsigned count = 0;
  GeneratorStatistics statistics;
};

class Enumeration {
public:
  explicit Enumeration(MakeProgram make);

  /// All launches that compute the results, of all configurations.
  Generated generate(const GeneratorLimits &limits,
                     const Space &space = {}) const;
  /// A graph without the order of its operators.
  std::string getText(const LaunchGraph &graph) const;
  std::string print(const LaunchGraph &graph) const;
  /// The graph computes the program at small sizes and at larger ones.
  bool isCorrect(const LaunchGraph &graph) const;
  /// Result and goal are equal by the axioms alone, without bound axes.
  bool isEqualByAxioms(const LaunchGraph &graph) const;
  /// The graphs that are correct.
  std::map<std::string, LaunchGraph>
  getCorrect(const Generated &generated) const;

  const SearchProblem &getProblem() const { return small.problem; }

  SizedProgram small, large;
};

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_ENUMERATION_H
