//===- CbcProgram.cpp - Binary programs are solved by Cbc -----------------===//
//
// Solves the linear relaxation of a binary program, and by branch and bound the
// program of those variables that can be 1 in a solution that is little dearer
// than the relaxation. Most variables are in no such solution, and the program
// of the others is small.
//
//===----------------------------------------------------------------------===//

#include "Mirage/BinaryProgram/BinaryProgram.h"
#include "llvm/ADT/STLExtras.h"
#include <CbcEventHandler.hpp>
#include <CbcHeuristic.hpp>
#include <CbcModel.hpp>
#include <CglGomory.hpp>
#include <CglProbing.hpp>
#include <OsiClpSolverInterface.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

using namespace mirage;

bool mirage::hasBinarySolver() { return true; }

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Costs that differ by less are equal.
constexpr double kTolerance = 1e-6;
/// The first solutions that are looked for cost at most so much more than the
/// relaxation, as a part of its cost.
constexpr double kFirstGap = 0.01;
/// If there are none, so many times as much more is allowed.
constexpr double kWidening = 4;

/// The relaxation of a binary program, of some of its variables alone. All
/// others are 0.
class Relaxation {
public:
  Relaxation(llvm::ArrayRef<double> costs, const std::vector<bool> &binary,
             std::vector<unsigned> chosen)
      : chosen(std::move(chosen)), columnOf(costs.size(), -1) {
    for (auto [column, variable] : llvm::enumerate(this->chosen))
      columnOf[variable] = static_cast<int>(column);
    solver.messageHandler()->setLogLevel(0);
    solver.getModelPtr()->setLogLevel(0);
    solver.setHintParam(OsiDoDualInInitial);
    for (unsigned variable : this->chosen) {
      columnCosts.push_back(costs[variable]);
      isBinary.push_back(binary[variable]);
    }
  }

  void addRow(llvm::ArrayRef<BinaryProgram::Term> row, double atLeast) {
    // What holds for all values is no row.
    double least = 0;
    for (const BinaryProgram::Term &term : row)
      if (columnOf[term.variable] >= 0)
        least += std::min(term.coefficient, 0.0);
    if (least >= atLeast)
      return;
    for (const BinaryProgram::Term &term : row) {
      if (columnOf[term.variable] < 0)
        continue;
      columns.push_back(columnOf[term.variable]);
      coefficients.push_back(term.coefficient);
    }
    lower.push_back(atLeast);
    begins.push_back(static_cast<CoinBigIndex>(columns.size()));
  }

  /// Solves the relaxation. Returns false if it has no solution, or none that
  /// the solver finds, which `isProved` says.
  bool solve(bool &isProved) {
    auto count = static_cast<int>(chosen.size());
    CoinPackedMatrix matrix(/*colordered=*/false, count,
                            static_cast<int>(lower.size()), begins.back(),
                            coefficients.data(), columns.data(), begins.data(),
                            /*len=*/nullptr);
    std::vector<double> zeros(count, 0), ones(count, 1),
        upper(lower.size(), COIN_DBL_MAX);
    solver.loadProblem(matrix, zeros.data(), ones.data(), columnCosts.data(),
                       lower.data(), upper.data());
    for (int column = 0; column < count; ++column)
      if (isBinary[column])
        solver.setInteger(column);
    solver.initialSolve();
    isProved = solver.isProvenPrimalInfeasible();
    return solver.isProvenOptimal();
  }

  OsiClpSolverInterface solver;
  const std::vector<unsigned> chosen;

private:
  std::vector<int> columnOf;
  std::vector<double> columnCosts;
  std::vector<bool> isBinary;
  std::vector<CoinBigIndex> begins = {0};
  std::vector<int> columns;
  std::vector<double> coefficients, lower;
};

/// Ends branch and bound behind a node.
class Ender : public CbcEventHandler {
public:
  Ender(uint64_t maxIterations, llvm::function_ref<bool()> isOver)
      : maxIterations(maxIterations), isOver(isOver) {}

  CbcAction event(CbcEvent which) override {
    bool isEnd =
        which == node &&
        ((isOver && isOver()) ||
         static_cast<uint64_t>(model_->getIterationCount()) >= maxIterations);
    return isEnd ? stop : noAction;
  }
  CbcEventHandler *clone() const override { return new Ender(*this); }

private:
  uint64_t maxIterations;
  llvm::function_ref<bool()> isOver;
};

} // namespace

/// Finds the cheapest solution of some variables, all others being 0, by branch
/// and bound.
BinaryProgram::Answer BinaryProgram::branch(llvm::ArrayRef<unsigned> chosen,
                                            const Limits &limits) const {
  Answer answer;
  Relaxation relaxation(costs, binary, chosen);
  for (unsigned row = 0; row < rows.size(); ++row)
    relaxation.addRow(getRow(row), rows[row].atLeast);
  bool isProved = false;
  if (!relaxation.solve(isProved)) {
    answer.status = isProved ? Status::Infeasible : Status::Limit;
    return answer;
  }
  CbcModel model(relaxation.solver);
  model.setLogLevel(0);
  model.setCutoffIncrement(kTolerance);
  if (limits.below < kInfinity)
    model.setCutoff(limits.below - kTolerance);
  model.setMaximumNodes(static_cast<int>(
      std::min<uint64_t>(limits.nodes, std::numeric_limits<int>::max())));
  Ender ender(limits.iterations, limits.isOver);
  model.passInEventHandler(&ender);
  CglProbing probing;
  probing.setUsingObjective(1);
  CglGomory gomory;
  model.addCutGenerator(&probing, -1, "Probing");
  model.addCutGenerator(&gomory, -1, "Gomory");
  CbcRounding rounding(model);
  model.addHeuristic(&rounding);
  model.branchAndBound();

  answer.nodes = static_cast<uint64_t>(model.getNodeCount());
  answer.iterations = static_cast<uint64_t>(model.getIterationCount());
  if (model.isProvenInfeasible())
    return answer;
  answer.status = model.isProvenOptimal() ? Status::Optimal : Status::Limit;
  answer.bound = model.getBestPossibleObjValue();
  if (const double *best = model.bestSolution()) {
    answer.values.assign(costs.size(), 0);
    answer.cost = 0;
    for (auto [column, variable] : llvm::enumerate(chosen)) {
      double value = std::clamp(best[column], 0.0, 1.0);
      value = binary[variable] ? std::round(value) : value;
      answer.values[variable] = value;
      answer.cost += costs[variable] * value;
    }
    answer.bound = std::min(answer.bound, answer.cost);
    if (answer.status == Status::Optimal)
      answer.bound = answer.cost;
  }
  return answer;
}

BinaryProgram::Answer
BinaryProgram::minimize(uint64_t maxNodes, double below, uint64_t maxIterations,
                        llvm::function_ref<bool()> isOver) const {
  try {
    return solve({maxNodes, maxIterations, below, isOver});
  } catch (const CoinError &) {
    // The solver has given up; nothing is known.
    Answer answer;
    answer.status = Status::Limit;
    return answer;
  }
}

BinaryProgram::Answer BinaryProgram::solve(Limits limits) const {
  Answer answer;
  double &below = limits.below;
  std::vector<unsigned> all(costs.size());
  std::iota(all.begin(), all.end(), 0);
  Relaxation relaxation(costs, binary, std::move(all));
  for (unsigned row = 0; row < rows.size(); ++row)
    relaxation.addRow(getRow(row), rows[row].atLeast);
  bool isProved = false;
  if (!relaxation.solve(isProved)) {
    answer.status = isProved ? Status::Infeasible : Status::Limit;
    return answer;
  }
  answer.iterations =
      static_cast<uint64_t>(relaxation.solver.getIterationCount());
  double least = relaxation.solver.getObjValue();
  const double *reduced = relaxation.solver.getReducedCost();
  // A solution in which a variable is 1 costs at least the variable's reduced
  // cost more than the relaxation, so that a solution of the others is the
  // cheapest of all if it costs no more than that.
  double gap = std::max(kFirstGap * std::abs(least), kTolerance);
  while (least < below) {
    if (answer.nodes >= limits.nodes ||
        answer.iterations >= limits.iterations ||
        (limits.isOver && limits.isOver())) {
      answer.status = Status::Limit;
      answer.bound = least;
      return answer;
    }
    double most = std::min(least + gap, below);
    std::vector<unsigned> chosen;
    for (unsigned variable = 0; variable < costs.size(); ++variable)
      if (!binary[variable] || least + reduced[variable] <= most + kTolerance)
        chosen.push_back(variable);
    bool isAll = most == below || chosen.size() == costs.size();
    Answer found = branch(chosen, {limits.nodes - answer.nodes,
                                   limits.iterations - answer.iterations,
                                   limits.below, limits.isOver});
    answer.nodes += found.nodes;
    answer.iterations += found.iterations;
    if (!found.values.empty()) {
      answer.values = std::move(found.values);
      answer.cost = below = found.cost;
    }
    if (found.status == Status::Limit) {
      answer.status = Status::Limit;
      answer.bound = std::max(least, std::min(most, found.bound));
      return answer;
    }
    if (isAll || below <= most)
      break;
    gap = found.status == Status::Optimal ? below - least : gap * kWidening;
  }
  answer.status = answer.values.empty() ? Status::Infeasible : Status::Optimal;
  answer.bound = below;
  return answer;
}
