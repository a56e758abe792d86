//===- ContainmentSolver.cpp - Are there sizes for a prefix? --------------===//
//
// Fits prefixes into goals but for extents, and asks Z3 for the extents where
// no answer that it gave before is one.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/ContainmentSolver.h"
#include "SymbolicContainment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mirage::search;

/// The most ways to fit a prefix into a goal that are tried; of a prefix with
/// more nothing is said.
static constexpr unsigned kMaxCases = 256;
/// Z3's rlimit for one question.
static constexpr unsigned kSolverBudget = 2'000'000;
/// How many of Z3's answers are remembered.
static constexpr size_t kMostRemembered = 32;

namespace {

/// The extent at these values; nothing if it is too large, or if an unknown
/// quotient is part of it.
std::optional<int64_t> evaluate(const SymbolicExtent &extent,
                                const ExtentValues &values) {
  int64_t result = 1;
  for (auto [generator, exponent] : extent.getPowers()) {
    int64_t factor = 1;
    if (!generator.isUnknown()) {
      factor = static_cast<int64_t>(generator.getPrime());
    } else {
      auto known = values.find(generator.getUnknown());
      if (known != values.end())
        factor = known->second;
      else if (generator.getUnknown().isQuotient())
        return std::nullopt;
    }
    for (unsigned i = 0; i < exponent; ++i)
      if (llvm::MulOverflow(result, factor, result))
        return std::nullopt;
  }
  return result;
}

bool isQuotient(SymbolicExtent::Generator generator) {
  return generator.isUnknown() && generator.getUnknown().isQuotient();
}

/// Returns whether the equations hold at these values, and at quotients that
/// follow.
bool holdAt(llvm::ArrayRef<ExtentConstraints::Equation> equations,
            ExtentValues values) {
  return llvm::all_of(equations, [&](const auto &equation) {
    std::optional<int64_t> lhs = evaluate(equation.lhs, values),
                           rhs = evaluate(equation.rhs, values);
    if (!rhs || equation.lhs.isOne())
      return rhs && *rhs == 1;
    if (lhs)
      return *lhs == *rhs;
    // Quotients come last.
    SymbolicExtent::Generator last = equation.lhs.getPowers().back().first;
    if (!isQuotient(last))
      return false;
    Unknown quotient = last.getUnknown();
    std::optional<int64_t> rest =
        evaluate(*equation.lhs.divide(SymbolicExtent::get(quotient)), values);
    if (!rest || values.count(quotient) || *rhs % *rest)
      return false;
    values[quotient] = *rhs / *rest;
    return true;
  });
}

/// Returns whether these values meet the constraints and one of the cases.
bool isSolution(const ExtentConstraints &constraints,
                llvm::ArrayRef<std::vector<ExtentConstraints::Equation>> cases,
                ExtentValues values) {
  // The values of quotients are those of another question.
  for (auto it = values.begin(); it != values.end(); ++it)
    if (it->first.isQuotient())
      values.erase(it);
  auto divides = [&](const ExtentConstraints::Equation &equation) {
    std::optional<int64_t> lhs = evaluate(equation.lhs, values),
                           rhs = evaluate(equation.rhs, values);
    return lhs && rhs && *rhs % *lhs == 0;
  };
  auto isWithin = [&](const ExtentConstraints::Limit &limit) {
    int64_t sum = 0;
    for (const auto &[factor, extent] : limit.terms) {
      std::optional<int64_t> value = evaluate(extent, values);
      int64_t term = 0;
      if (!value || llvm::MulOverflow(factor, *value, term) ||
          llvm::AddOverflow(sum, term, sum))
        return false;
    }
    return sum <= limit.bound;
  };
  return holdAt(constraints.products, values) &&
         llvm::all_of(constraints.divisors, divides) &&
         llvm::all_of(constraints.limits, isWithin) &&
         llvm::any_of(cases, [&](const auto &equations) {
           return holdAt(equations, values);
         });
}

/// Returns whether there are quotients of extents for which the equations hold
/// whatever all other unknowns are.
bool holdsAlways(llvm::ArrayRef<ExtentConstraints::Equation> equations) {
  llvm::DenseMap<Unknown, SymbolicExtent> quotients;
  auto substitute = [&](const SymbolicExtent &extent) {
    SymbolicExtent result;
    for (auto [generator, exponent] : extent.getPowers())
      for (unsigned i = 0; i < exponent; ++i)
        result = result * (generator.isUnknown() &&
                                   quotients.contains(generator.getUnknown())
                               ? quotients.lookup(generator.getUnknown())
                               : SymbolicExtent::get(generator));
    return result;
  };
  return llvm::all_of(equations, [&](const auto &equation) {
    SymbolicExtent lhs = substitute(equation.lhs),
                   rhs = substitute(equation.rhs);
    if (lhs == rhs)
      return true;
    if (lhs.isOne())
      return false;
    // Quotients come last.
    auto [last, exponent] = lhs.getPowers().back();
    if (!isQuotient(last) || exponent != 1)
      return false;
    SymbolicExtent quotient = SymbolicExtent::get(last);
    std::optional<SymbolicExtent> value = rhs.divide(*lhs.divide(quotient));
    if (!value || value->divide(quotient))
      return false;
    quotients[last.getUnknown()] = *value;
    return true;
  });
}

/// The whole question in one line of text, by which its answer is kept.
std::string
describe(const ExtentConstraints &constraints,
         llvm::ArrayRef<std::vector<ExtentConstraints::Equation>> cases) {
  std::string text;
  auto add = [&](llvm::ArrayRef<ExtentConstraints::Equation> equations) {
    for (const auto &[lhs, rhs] : equations)
      text += lhs.toString() + "=" + rhs.toString() + ",";
    text += ";";
  };
  add(constraints.products);
  add(constraints.divisors);
  for (const ExtentConstraints::Limit &limit : constraints.limits) {
    for (const auto &[factor, extent] : limit.terms)
      text += std::to_string(factor) + "*" + extent.toString() + "+";
    text += "<" + std::to_string(limit.bound) + ";";
  }
  for (const auto &equations : cases)
    add(equations);
  return text;
}

} // namespace

ContainmentSolver::ContainmentSolver(
    llvm::ArrayRef<const Expression *> expressions)
    : symbolic(std::make_unique<SymbolicContainment>(normalForms, kMaxCases)) {
  for (const Expression *goal : expressions)
    goals.push_back(normalForms.get(goal));
}

ContainmentSolver::~ContainmentSolver() = default;

bool ContainmentSolver::isAlwaysContained(const Expression *prefix) {
  Polynomial part = normalForms.get(prefix);
  if (part == NormalForms::kTooLarge || symbolic->isTooLarge(part))
    return false;
  return llvm::any_of(goals, [&](Polynomial goal) {
    if (goal == NormalForms::kTooLarge || symbolic->isTooLarge(goal))
      return false;
    symbolic->find(goal, part);
    return llvm::any_of(symbolic->cases, holdsAlways);
  });
}

SolverAnswer ContainmentSolver::solve(const ExtentConstraints &constraints,
                                      ExtentValues &values) {
  auto [entry, isNew] = solutions.try_emplace(
      describe(constraints, {}), SolverAnswer::Unknown, ExtentValues());
  auto &[answer, found] = entry->second;
  if (isNew)
    answer = ask(constraints, {{}}, found);
  values = found;
  return answer;
}

Containment ContainmentSolver::contains(const Expression *prefix,
                                        const ExtentConstraints &constraints) {
  Polynomial part = normalForms.get(prefix);
  if (part == NormalForms::kTooLarge)
    return Containment::Unknown;
  bool isOpen = false;
  for (Polynomial goal : goals) {
    Containment answer = contains(goal, part, constraints);
    if (answer == Containment::Contained)
      return answer;
    isOpen |= answer == Containment::Unknown;
  }
  return isOpen ? Containment::Unknown : Containment::NotContained;
}

Containment ContainmentSolver::contains(Polynomial goal, Polynomial part,
                                        const ExtentConstraints &constraints) {
  if (goal == NormalForms::kTooLarge || symbolic->isTooLarge(goal) ||
      symbolic->isTooLarge(part))
    return Containment::Unknown;
  symbolic->find(goal, part);
  if (symbolic->cases.empty())
    return symbolic->isIncomplete ? Containment::Unknown
                                  : Containment::NotContained;
  bool isFree = constraints.products.empty() && constraints.divisors.empty() &&
                constraints.limits.empty();
  if (isFree && symbolic->cases.back().empty())
    return Containment::Contained;
  auto [entry, isNew] = answers.try_emplace(
      describe(constraints, symbolic->cases), Containment::Unknown);
  if (!isNew)
    return entry->second;
  ExtentValues values;
  switch (ask(constraints, symbolic->cases, values)) {
  case SolverAnswer::Yes:
    entry->second = Containment::Contained;
    break;
  case SolverAnswer::No:
    if (!symbolic->isIncomplete)
      entry->second = Containment::NotContained;
    break;
  case SolverAnswer::Unknown:
    break;
  }
  return entry->second;
}

/// Returns whether there are extents that meet the constraints and one of the
/// cases; if so, `values` has some.
SolverAnswer ContainmentSolver::ask(const ExtentConstraints &constraints,
                                    Cases cases, ExtentValues &values) {
  if (recall(constraints, cases, values))
    return SolverAnswer::Yes;
  ++statistics.calls;
  SolverAnswer answer =
      solveExtents(constraints, cases, kSolverBudget, &values);
  remember(values);
  statistics.unknown += answer == SolverAnswer::Unknown;
  return answer;
}

void ContainmentSolver::remember(const ExtentValues &values) {
  if (values.empty())
    return;
  if (remembered.size() == kMostRemembered)
    remembered.pop_back();
  remembered.insert(remembered.begin(), values);
}

bool ContainmentSolver::recall(const ExtentConstraints &constraints,
                               Cases cases, ExtentValues &found) {
  auto known = llvm::find_if(remembered, [&](const ExtentValues &values) {
    return isSolution(constraints, cases, values);
  });
  if (known == remembered.end())
    return false;
  std::rotate(remembered.begin(), known, known + 1);
  found = remembered.front();
  return true;
}
