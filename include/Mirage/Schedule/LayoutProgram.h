//===- LayoutProgram.h - Layouts of all tiles of a launch -------*- C++ -*-===//
//
// Chooses for each operator of a launch one of the layouts in which its
// registers may lie, so that everything together costs least: what operators
// take in a layout, what it takes to load and store tiles in one, and to bring
// what was computed in one layout into another. This is a binary program, as
// Mirage's section 6 has it for the layouts of tensors, with costs for edges.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SCHEDULE_LAYOUTPROGRAM_H
#define MIRAGE_SCHEDULE_LAYOUTPROGRAM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace mirage {

class LayoutProgram {
public:
  /// The numbers of an operator, of a value, and of one of the layouts that an
  /// operator may have or in which a value is needed.
  using Operator = unsigned;
  using Value = unsigned;
  using Choice = unsigned;

  /// Adds an operator, with the cost of each of its layouts. There is one at
  /// least; costs are not negative.
  Operator addOperator(llvm::ArrayRef<double> costs);

  /// Adds a value that is there in memory; in each of so many forms it is
  /// loaded at this cost, once for all operators that take it in that form.
  Value addTile(llvm::ArrayRef<double> costs);

  /// Adds what an operator computes: where it has its layout i, the value is
  /// brought into form f at costs[i][f], once for all operators that take it in
  /// that form, which is zero where form and layout agree. Where one of these
  /// is not zero, `storing[i]` comes once beside them.
  Value addResult(Operator producer,
                  llvm::ArrayRef<llvm::SmallVector<double, 4>> costs,
                  llvm::ArrayRef<double> storing);

  /// Lets an operator take a value, in the form forms[i] in its layout i.
  void addUse(Value value, Operator consumer, llvm::ArrayRef<Choice> forms);

  unsigned getNumOperators() const { return operators.size(); }

  /// Returns what a choice of layouts costs, one for each operator.
  double getCost(llvm::ArrayRef<Choice> choices) const;

  struct Answer {
    std::vector<Choice> choices;
    double cost = 0;
    /// No choice costs less than this.
    double bound = 0;
    /// True if the integer program was needed to find or prove the answer.
    bool usedSolver = false;

    bool isOptimal() const { return cost <= bound + 1e-6; }
  };
  /// Finds a choice of least cost, beginning from one. A bound that needs no
  /// solver proves most of them; the others are solved with so many nodes of
  /// branch and bound at most. Where these do not suffice, or the build has no
  /// solver, the answer is the best choice that was found by changing one
  /// operator at a time. Answers of solved programs are kept for those that ask
  /// the same again: a launch is planned for its schedule, for its time and for
  /// its kernel, and so are launches that differ in what no layout depends on.
  Answer minimize(llvm::ArrayRef<Choice> first, uint64_t maxNodes) const;

private:
  struct Use {
    Operator consumer;
    llvm::SmallVector<Choice, 4> forms;
  };
  struct ValueInfo {
    std::optional<Operator> producer;
    /// What the value costs in each form (the inner index), for each layout of
    /// its producer. A tile in memory has one row of costs.
    llvm::SmallVector<llvm::SmallVector<double, 4>, 4> costs;
    llvm::SmallVector<double, 4> storing;
    std::vector<Use> uses;
  };

  double getCost(const ValueInfo &value, llvm::ArrayRef<Choice> choices) const;
  double getBound() const;
  void improve(std::vector<Choice> &choices, double &cost) const;
  std::vector<uint64_t> getKey() const;
  void solve(Answer &answer, uint64_t maxNodes) const;

  std::vector<llvm::SmallVector<double, 4>> operators;
  std::vector<ValueInfo> values;
};

} // namespace mirage

#endif // MIRAGE_SCHEDULE_LAYOUTPROGRAM_H
