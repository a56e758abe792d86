//===- ContainmentSolver.h - Are there sizes for a prefix? ------*- C++ -*-===//
//
// Z3 decides for the search whether a prefix fits into a goal for some values
// of the unknown extents that are within the limits of the target.
//
// The search asks ExpressionOracle.h what is pruned. The oracle compares
// abstract expressions by their normal forms (NormalForm.h), which take unknown
// extents as they are, and asks this solver only if the search is to prune by
// sizes, too (`prune=smt` or `both`).
//
// The solver finds all ways in which the prefix fits into the goal but for
// extents, and asks Z3 whether there are extents for one of them that meet the
// constraints. Only a proof that there are none says no.
//
// A solver belongs to one thread, with the context of its expressions. Its
// answers depend on the question alone.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_CONTAINMENTSOLVER_H
#define MIRAGE_SEARCH_EXPRESSIONS_CONTAINMENTSOLVER_H

#include "Mirage/Search/Expressions/NormalForm.h"
#include "Mirage/Search/Expressions/SMT.h"
#include <memory>

namespace mirage::search {

class SymbolicContainment;

/// How often Z3 was asked, and how many of these questions it left open.
struct SolverStatistics {
  uint64_t calls = 0, unknown = 0;
};

class ContainmentSolver {
public:
  /// The goals are the expressions of the program's results, in the context
  /// that the prefixes will come from.
  explicit ContainmentSolver(llvm::ArrayRef<const Expression *> goals);
  ~ContainmentSolver();

  /// Returns whether `prefix` is contained in one of the goals for some values
  /// of the unknown extents that meet the constraints.
  Containment contains(const Expression *prefix,
                       const ExtentConstraints &constraints = {});

  /// Returns whether `prefix` is contained in one of the goals for all values
  /// of the unknown extents, so that constraints need only be satisfiable. The
  /// answer may be no where this takes more than cancelling factors.
  bool isAlwaysContained(const Expression *prefix);

  /// Returns whether any extents meet the constraints, and some that do; as in
  /// `contains`, no is a proof.
  SolverAnswer solve(const ExtentConstraints &constraints,
                     ExtentValues &values);

  const SolverStatistics &getStatistics() const { return statistics; }

private:
  using Polynomial = NormalForms::Polynomial;
  using Cases = llvm::ArrayRef<std::vector<ExtentConstraints::Equation>>;

  Containment contains(Polynomial goal, Polynomial part,
                       const ExtentConstraints &constraints);
  SolverAnswer ask(const ExtentConstraints &constraints, Cases cases,
                   ExtentValues &values);
  void remember(const ExtentValues &values);
  bool recall(const ExtentConstraints &constraints, Cases cases,
              ExtentValues &found);

  NormalForms normalForms;
  std::unique_ptr<SymbolicContainment> symbolic;
  llvm::SmallVector<Polynomial, 2> goals;
  /// Answers to questions, which are written in one line each.
  llvm::StringMap<Containment> answers;
  llvm::StringMap<std::pair<SolverAnswer, ExtentValues>> solutions;
  /// Z3's last answers, the last one first. They are tried before Z3 is asked
  /// again.
  std::vector<ExtentValues> remembered;
  SolverStatistics statistics;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_CONTAINMENTSOLVER_H
