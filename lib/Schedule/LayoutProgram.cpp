//===- LayoutProgram.cpp - Layouts of all tiles of a launch ---------------===//
//
// States the choice of layouts as a binary program.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/LayoutProgram.h"
#include "Mirage/BinaryProgram/BinaryProgram.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/bit.h"
#include <cassert>
#include <limits>
#include <map>
#include <mutex>

using namespace mirage;
using llvm::ArrayRef;

/// Costs that differ by less are equal, as they are for the solver.
static constexpr double kTolerance = 1e-6;

LayoutProgram::Operator LayoutProgram::addOperator(ArrayRef<double> costs) {
  assert(!costs.empty() && "an operator has a layout");
  operators.emplace_back(costs);
  return operators.size() - 1;
}

LayoutProgram::Value LayoutProgram::addTile(ArrayRef<double> costs) {
  ValueInfo value;
  value.costs.emplace_back(costs);
  value.storing.push_back(0);
  values.push_back(std::move(value));
  return values.size() - 1;
}

LayoutProgram::Value
LayoutProgram::addResult(Operator producer,
                         ArrayRef<llvm::SmallVector<double, 4>> costs,
                         ArrayRef<double> storing) {
  assert(costs.size() == operators[producer].size() &&
         storing.size() == costs.size() && "each layout has costs");
  ValueInfo value;
  value.producer = producer;
  value.costs.assign(costs.begin(), costs.end());
  value.storing.assign(storing.begin(), storing.end());
  values.push_back(std::move(value));
  return values.size() - 1;
}

void LayoutProgram::addUse(Value value, Operator consumer,
                           ArrayRef<Choice> forms) {
  assert(forms.size() == operators[consumer].size() &&
         "each layout takes a form");
  values[value].uses.push_back(
      {consumer, llvm::SmallVector<Choice, 4>(forms.begin(), forms.end())});
}

double LayoutProgram::getCost(const ValueInfo &value,
                              ArrayRef<Choice> choices) const {
  size_t layout = value.producer ? choices[*value.producer] : 0;
  const llvm::SmallVector<double, 4> &costs = value.costs[layout];
  llvm::SmallBitVector needed(costs.size());
  for (const Use &use : value.uses)
    needed.set(use.forms[choices[use.consumer]]);
  double sum = 0;
  for (unsigned form : needed.set_bits())
    sum += costs[form];
  return sum > 0 ? sum + value.storing[layout] : 0;
}

double LayoutProgram::getCost(ArrayRef<Choice> choices) const {
  double sum = 0;
  for (auto [costs, choice] : llvm::zip_equal(operators, choices))
    sum += costs[choice];
  for (const ValueInfo &value : values)
    sum += getCost(value, choices);
  return sum;
}

/// Each operator costs at least as much as in the cheapest of its layouts,
/// together with what it computes in the form that is cheapest from there, and
/// each tile that is read the cheapest of its forms.
double LayoutProgram::getBound() const {
  std::vector<llvm::SmallVector<double, 4>> least = operators;
  double sum = 0;
  for (const ValueInfo &value : values) {
    if (value.uses.empty())
      continue;
    if (!value.producer) {
      sum += *llvm::min_element(value.costs.front());
      continue;
    }
    for (auto [costs, storing, cost] :
         llvm::zip_equal(value.costs, value.storing, least[*value.producer]))
      if (double cheapest = *llvm::min_element(costs); cheapest > 0)
        cost += cheapest + storing;
  }
  for (const auto &costs : least)
    sum += *llvm::min_element(costs);
  return sum;
}

/// Changes the layout of one operator at a time as long as that saves anything.
void LayoutProgram::improve(std::vector<Choice> &choices, double &cost) const {
  for (bool isBetter = true; isBetter;) {
    isBetter = false;
    for (auto [number, costs] : llvm::enumerate(operators)) {
      Choice best = choices[number];
      for (Choice choice = 0; choice < costs.size(); ++choice) {
        choices[number] = choice;
        double changed = getCost(choices);
        if (changed < cost - kTolerance) {
          cost = changed;
          best = choice;
          isBetter = true;
        }
      }
      choices[number] = best;
    }
  }
}

namespace {
/// The answers of programs that needed a solver, which threads share.
class KnownAnswers {
public:
  std::optional<LayoutProgram::Answer>
  find(const std::vector<uint64_t> &program) {
    std::lock_guard<std::mutex> lock(mutex);
    auto known = answers.find(program);
    return known == answers.end() ? std::nullopt : std::optional(known->second);
  }

  void add(std::vector<uint64_t> program, const LayoutProgram::Answer &answer) {
    std::lock_guard<std::mutex> lock(mutex);
    // What is asked again is asked soon.
    if (answers.size() == kMost)
      answers.clear();
    answers.try_emplace(std::move(program), answer);
  }

private:
  static constexpr size_t kMost = 1024;

  std::mutex mutex;
  std::map<std::vector<uint64_t>, LayoutProgram::Answer> answers;
};
} // namespace

/// Returns numbers that no other program has.
std::vector<uint64_t> LayoutProgram::getKey() const {
  std::vector<uint64_t> key;
  auto addCosts = [&](ArrayRef<double> costs) {
    key.push_back(costs.size());
    for (double cost : costs)
      key.push_back(llvm::bit_cast<uint64_t>(cost));
  };
  key.push_back(operators.size());
  llvm::for_each(operators, addCosts);
  for (const ValueInfo &value : values) {
    key.push_back(value.producer ? *value.producer + 1 : 0);
    key.push_back(value.costs.size());
    llvm::for_each(value.costs, addCosts);
    addCosts(value.storing);
    key.push_back(value.uses.size());
    for (const Use &use : value.uses) {
      key.push_back(use.consumer);
      key.push_back(use.forms.size());
      llvm::append_range(key, use.forms);
    }
  }
  return key;
}

LayoutProgram::Answer LayoutProgram::minimize(ArrayRef<Choice> first,
                                              uint64_t maxNodes) const {
  Answer answer;
  answer.choices.assign(first.begin(), first.end());
  answer.cost = getCost(answer.choices);
  answer.bound = getBound();
  if (answer.isOptimal())
    return answer;
  improve(answer.choices, answer.cost);
  if (answer.isOptimal())
    return answer;
  answer.usedSolver = true;
  // What the solver does depends on the program, on the choice that it is to
  // improve, and on how much it may do.
  static KnownAnswers known;
  std::vector<uint64_t> key = getKey();
  llvm::append_range(key, answer.choices);
  key.push_back(maxNodes);
  if (std::optional<Answer> found = known.find(key))
    return *found;
  solve(answer, maxNodes);
  known.add(std::move(key), answer);
  return answer;
}

/// Improves an answer by an integer program.
void LayoutProgram::solve(Answer &answer, uint64_t maxNodes) const {
  // x is 1 for the layout that an operator has.
  BinaryProgram program;
  std::vector<llvm::SmallVector<BinaryProgram::Variable, 4>> x;
  for (const auto &costs : operators) {
    llvm::SmallVector<BinaryProgram::Term, 4> row, atMost;
    x.emplace_back();
    for (double cost : costs) {
      x.back().push_back(program.addBinary(cost));
      row.push_back({x.back().back(), 1});
      atMost.push_back({x.back().back(), -1});
    }
    program.addRow(row, 1);
    program.addRow(atMost, -1);
  }
  // y is 1 where a value is brought from a layout into a form: at least what
  // the layouts of its producer and of one consumer add up to, less one. Where
  // x is 0 or 1, the least y is, too.
  for (const ValueInfo &value : values)
    for (auto [layout, costs] : llvm::enumerate(value.costs)) {
      std::optional<BinaryProgram::Variable> stored;
      for (auto [form, cost] : llvm::enumerate(costs)) {
        if (cost <= 0)
          continue;
        BinaryProgram::Variable y = program.addFraction(cost);
        if (!stored && value.storing[layout] > 0)
          stored = program.addFraction(value.storing[layout]);
        if (stored)
          program.addRow({{*stored, 1}, {y, -1}}, 0);
        for (const Use &use : value.uses) {
          llvm::SmallVector<BinaryProgram::Term, 8> row{{y, 1}};
          for (auto [choice, needed] : llvm::enumerate(use.forms))
            if (needed == form)
              row.push_back({x[use.consumer][choice], -1});
          if (row.size() == 1)
            continue;
          if (value.producer)
            row.push_back({x[*value.producer][layout], -1});
          program.addRow(row, value.producer ? -1 : 0);
        }
      }
    }
  BinaryProgram::Answer solved = program.minimize(maxNodes, answer.cost);
  if (solved.status == BinaryProgram::Status::Infeasible) {
    // Nothing costs less.
    answer.bound = answer.cost;
    return;
  }
  answer.bound = std::max(answer.bound, solved.bound);
  if (!solved.values.empty()) {
    std::vector<Choice> choices;
    for (const auto &variables : x)
      choices.push_back(llvm::find_if(variables,
                                      [&](BinaryProgram::Variable variable) {
                                        return solved.values[variable] > 0.5;
                                      }) -
                        variables.begin());
    if (double cost = getCost(choices); cost < answer.cost) {
      answer.cost = cost;
      answer.choices = std::move(choices);
    }
  }
  if (solved.status == BinaryProgram::Status::Optimal)
    answer.bound = answer.cost;
}
