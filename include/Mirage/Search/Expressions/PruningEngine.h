//===- PruningEngine.h - May a prefix lead to the goal? ---------*- C++ -*-===//
//
// One interface to the engines that prune the search (Mirage paper, section
// 4.3): a prefix is kept if its abstract expression is a subexpression of
// something equal to a goal.
//
//  - The normal form decides this for known extents. With unknown ones it
//    compares everything but the extents.
//  - The SMT engine finds all ways in which the prefix fits into the goal but
//    for extents, and asks Z3 whether there are extents for one of them that
//    meet the constraints. Only a proof that there are none prunes.
//
// An engine belongs to one thread, with the context of its expressions. Answers
// depend on the question alone.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_PRUNINGENGINE_H
#define MIRAGE_SEARCH_EXPRESSIONS_PRUNINGENGINE_H

#include "Mirage/Search/Expressions/NormalForm.h"
#include "Mirage/Search/Expressions/SMT.h"
#include <memory>

namespace mirage::search {

/// Which engines prune. Both: the normal form first, then Z3 where extents are
/// unknown.
enum class Prune : uint8_t { None, NormalForm, SMT, Both };
/// "none", "normal-form", "smt", "both".
std::optional<Prune> parsePrune(llvm::StringRef text);

struct PruningOptions {
  Prune prune = Prune::Both;
  /// Different monomials of a normal form; beyond it nothing is pruned.
  unsigned maxTerms = 256;
  /// Ways to fit a prefix into a goal; beyond it nothing is pruned.
  unsigned maxCases = 256;
  /// Z3's rlimit for one question.
  unsigned solverBudget = 2'000'000;
};

/// What was asked and answered so far.
struct PruningStatistics {
  uint64_t questions = 0;
  uint64_t pruned = 0;
  /// Questions that Z3 was asked, and those it left open.
  uint64_t solverCalls = 0;
  uint64_t solverUnknown = 0;
};

class PruningEngine {
public:
  virtual ~PruningEngine() = default;

  /// Whether `prefix` is contained in one of the goals for some values of the
  /// unknown extents that meet the constraints.
  Containment contains(const Expression *prefix,
                       const ExtentConstraints &constraints = {}) {
    ++statistics.questions;
    Containment result = ask(prefix, constraints);
    statistics.pruned += result == Containment::NotContained;
    return result;
  }

  /// Whether no program with this prefix computes the goals.
  bool canPrune(const Expression *prefix,
                const ExtentConstraints &constraints = {}) {
    return contains(prefix, constraints) == Containment::NotContained;
  }

  /// Whether `prefix` is contained in one of the goals for all values of the
  /// unknown extents, so that constraints need only be satisfiable. May say no
  /// where this takes more than cancelling factors.
  virtual bool isAlwaysContained(const Expression *prefix) = 0;

  /// Whether any extents meet the constraints, and some that do; as contains,
  /// no is a proof.
  virtual SolverAnswer solve(const ExtentConstraints &constraints,
                             ExtentValues &values) = 0;

  const PruningStatistics &getStatistics() const { return statistics; }

protected:
  virtual Containment ask(const Expression *prefix,
                          const ExtentConstraints &constraints) = 0;

  PruningStatistics statistics;
};

/// The goals are the expressions of the program's results, in the context that
/// the prefixes will come from.
std::unique_ptr<PruningEngine>
createPruningEngine(llvm::ArrayRef<const Expression *> goals,
                    const PruningOptions &options = {});

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_PRUNINGENGINE_H
