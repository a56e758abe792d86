//===- BinaryProgram.h - Binary linear programs -----------------*- C++ -*-===//
//
// A binary linear program has variables that are 0 or 1, rows that their
// weighted sums must satisfy, and a cost, the least of which is asked for. It
// is solved by branch and bound with linear relaxations; the solver, Cbc, is
// behind this header.
//
// A limit of branch and bound is a number of nodes, so that an answer depends
// on the program alone.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_BINARYPROGRAM_BINARYPROGRAM_H
#define MIRAGE_BINARYPROGRAM_BINARYPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/raw_ostream.h"
#include <limits>
#include <optional>
#include <vector>

namespace mirage {

class BinaryProgram {
public:
  /// The number of a variable, in the order in which variables were added.
  using Variable = unsigned;
  struct Term {
    Variable variable;
    double coefficient;
  };

  /// Adds a variable that is 0 or 1. The cost must be finite.
  Variable addBinary(double cost);
  /// Adds a variable that may be any number from 0 to 1.
  Variable addFraction(double cost);
  /// Requires that the sum of some terms, each of another variable, is at least
  /// so much.
  void addRow(llvm::ArrayRef<Term> terms, double atLeast);

  unsigned getNumVariables() const { return costs.size(); }
  unsigned getNumRows() const { return rows.size(); }

  /// Prints the program in the LP format that solvers read, with variables x0,
  /// x1, … and numbers that are read back as they are.
  void print(llvm::raw_ostream &os) const;

  enum class Status {
    /// Nothing that satisfies all rows costs less than the solution.
    Optimal,
    /// Nothing that satisfies all rows costs less than what was asked for.
    Infeasible,
    /// A limit was reached, or the solver has given up because of numbers that
    /// it cannot tell apart. There may be a solution.
    Limit,
  };
  struct Answer {
    Status status = Status::Infeasible;
    /// The values of all variables, if a solution is known.
    std::vector<double> values;
    /// The cost of the solution; infinite if none is known.
    double cost = std::numeric_limits<double>::infinity();
    /// The least that any solution costs, as far as it is known.
    double bound = -std::numeric_limits<double>::infinity();
    /// The nodes of branch and bound that were visited, and the iterations of
    /// the simplex method that all of them took.
    uint64_t nodes = 0, iterations = 0;
  };
  /// Finds a solution of least cost. Costs are compared up to the solver's
  /// tolerance, 1e-6 of the unit in which they are given. Rows hold exactly for
  /// the values of binary variables that are returned, if their coefficients
  /// are integers. Solutions that cost `below` or more are not looked for.
  /// Without nodes, the bound is that of the relaxation. Behind each node it is
  /// asked whether there were as many iterations as there may be, and whether
  /// time is over.
  Answer minimize(uint64_t maxNodes,
                  double below = std::numeric_limits<double>::infinity(),
                  uint64_t maxIterations = std::numeric_limits<uint64_t>::max(),
                  llvm::function_ref<bool()> isOver = nullptr) const;

private:
  Variable addVariable(double cost, bool isBinary);
  llvm::ArrayRef<Term> getRow(unsigned row) const;
  struct Limits {
    uint64_t nodes, iterations;
    double below;
    llvm::function_ref<bool()> isOver;
  };
  Answer solve(Limits limits) const;
  Answer branch(llvm::ArrayRef<unsigned> chosen, const Limits &limits) const;

  struct Row {
    /// The place of the row's first term among all terms.
    size_t begin;
    double atLeast;
  };
  std::vector<double> costs;
  std::vector<bool> binary;
  std::vector<Term> terms;
  std::vector<Row> rows;
};

/// Returns whether this build has a solver. Where it has none, every answer is
/// Status::Limit without a solution.
bool hasBinarySolver();

} // namespace mirage

#endif // MIRAGE_BINARYPROGRAM_BINARYPROGRAM_H
