//===- PruningEngine.cpp - May a prefix lead to the goal? -----------------===//
//
// The engines behind one interface.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/PruningEngine.h"
#include "SymbolicContainment.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mirage::search;

namespace {

using Polynomial = NormalForms::Polynomial;

class NoPruning : public PruningEngine {
public:
  bool isAlwaysContained(const Expression *) override { return false; }
  SolverAnswer solve(const ExtentConstraints &, ExtentValues &) override {
    return SolverAnswer::Unknown;
  }

protected:
  Containment ask(const Expression *, const ExtentConstraints &) override {
    return Containment::Unknown;
  }
};

/// The extent at these values; nothing if it is too large, or if an unknown
/// quotient is part of it.
std::optional<int64_t> evaluate(const Extent &extent,
                                const ExtentValues &values) {
  int64_t result = 1;
  for (auto [generator, exponent] : extent.getPowers()) {
    auto factor = static_cast<int64_t>(generator);
    if (generator >= Extent::kUnknown) {
      auto unknown = static_cast<unsigned>(generator - Extent::kUnknown);
      auto known = values.find(unknown);
      if (known == values.end() &&
          unknown >= SymbolicContainment::kFirstQuotient)
        return std::nullopt;
      factor = known == values.end() ? 1 : known->second;
    }
    for (unsigned i = 0; i < exponent; ++i)
      if (llvm::MulOverflow(result, factor, result))
        return std::nullopt;
  }
  return result;
}

/// Whether the equations hold at these values, and at quotients that follow.
bool holdAt(llvm::ArrayRef<ExtentConstraints::Equation> equations,
            ExtentValues values) {
  return llvm::all_of(equations, [&](const auto &equation) {
    std::optional<int64_t> lhs = evaluate(equation.lhs, values),
                           rhs = evaluate(equation.rhs, values);
    if (!rhs || equation.lhs.isOne())
      return rhs && *rhs == 1;
    if (lhs)
      return *lhs == *rhs;
    // Quotients have the highest numbers.
    auto [last, exponent] = equation.lhs.getPowers().back();
    if (last < Extent::kUnknown + SymbolicContainment::kFirstQuotient)
      return false;
    auto quotient = static_cast<unsigned>(last - Extent::kUnknown);
    std::optional<int64_t> rest =
        evaluate(*equation.lhs.divide(Extent::getUnknown(quotient)), values);
    if (!rest || values.count(quotient) || *rhs % *rest)
      return false;
    values[quotient] = *rhs / *rest;
    return true;
  });
}

/// Whether these values meet the constraints and one of the cases.
bool isSolution(const ExtentConstraints &constraints,
                llvm::ArrayRef<std::vector<ExtentConstraints::Equation>> cases,
                ExtentValues values) {
  // Quotients are those of another question.
  for (auto it = values.begin(); it != values.end(); ++it)
    if (it->first >= SymbolicContainment::kFirstQuotient)
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

class ContainmentEngine : public PruningEngine {
public:
  ContainmentEngine(llvm::ArrayRef<const Expression *> expressions,
                    const PruningOptions &options)
      : options(options), forms(options.maxTerms),
        symbolic(forms, options.maxCases) {
    for (const Expression *goal : expressions)
      goals.push_back(forms.get(goal));
  }

  bool isAlwaysContained(const Expression *prefix) override {
    Polynomial part = forms.get(prefix);
    if (part == NormalForms::kTooLarge || symbolic.isTooLarge(part))
      return false;
    return llvm::any_of(goals, [&](Polynomial goal) {
      if (goal == NormalForms::kTooLarge || symbolic.isTooLarge(goal))
        return false;
      symbolic.find(goal, part);
      return llvm::any_of(symbolic.cases, holdsAlways);
    });
  }

  SolverAnswer solve(const ExtentConstraints &constraints,
                     ExtentValues &values) override {
    auto [entry, isNew] = solutions.try_emplace(
        describe(constraints, {}), SolverAnswer::Unknown, ExtentValues());
    auto &[answer, found] = entry->second;
    if (isNew && recall(constraints, {{}}, found)) {
      answer = SolverAnswer::Yes;
    } else if (isNew) {
      ++statistics.solverCalls;
      answer = solveExtents(constraints, {{}}, options.solverBudget, &found);
      remember(found);
      statistics.solverUnknown += answer == SolverAnswer::Unknown;
    }
    values = found;
    return answer;
  }

protected:
  Containment ask(const Expression *prefix,
                  const ExtentConstraints &constraints) override {
    Polynomial part = forms.get(prefix);
    if (part == NormalForms::kTooLarge)
      return Containment::Unknown;
    bool isOpen = false;
    for (Polynomial goal : goals) {
      Containment answer = ask(goal, part, constraints);
      if (answer == Containment::Contained)
        return answer;
      isOpen |= answer == Containment::Unknown;
    }
    return isOpen ? Containment::Unknown : Containment::NotContained;
  }

private:
  Containment ask(Polynomial goal, Polynomial part,
                  const ExtentConstraints &constraints) {
    if (goal == NormalForms::kTooLarge)
      return Containment::Unknown;
    if (options.prune != Prune::SMT && !hasUnknowns(goal) && !hasUnknowns(part))
      return forms.contains(goal, part);
    if (symbolic.isTooLarge(goal) || symbolic.isTooLarge(part))
      return Containment::Unknown;
    if (options.prune == Prune::SMT)
      return askSolver(goal, part, constraints);
    if (forms.contains(symbolic.getSkeleton(goal),
                       symbolic.getSkeleton(part)) == Containment::NotContained)
      return Containment::NotContained;
    return options.prune == Prune::Both ? askSolver(goal, part, constraints)
                                        : Containment::Unknown;
  }

  Containment askSolver(Polynomial goal, Polynomial part,
                        const ExtentConstraints &constraints) {
    symbolic.find(goal, part);
    if (symbolic.cases.empty())
      return symbolic.isIncomplete ? Containment::Unknown
                                   : Containment::NotContained;
    bool isFree = constraints.products.empty() &&
                  constraints.divisors.empty() && constraints.limits.empty();
    if (isFree && symbolic.cases.back().empty())
      return Containment::Contained;
    auto [entry, isNew] = answers.try_emplace(
        describe(constraints, symbolic.cases), Containment::Unknown);
    if (!isNew)
      return entry->second;
    ExtentValues values;
    if (recall(constraints, symbolic.cases, values))
      return entry->second = Containment::Contained;
    ++statistics.solverCalls;
    switch (solveExtents(constraints, symbolic.cases, options.solverBudget,
                         &values)) {
    case SolverAnswer::Yes:
      remember(values);
      return entry->second = Containment::Contained;
    case SolverAnswer::No:
      if (!symbolic.isIncomplete)
        entry->second = Containment::NotContained;
      return entry->second;
    case SolverAnswer::Unknown:
      break;
    }
    ++statistics.solverUnknown;
    return Containment::Unknown;
  }

  /// Z3's last answers are tried before it is asked again.
  void remember(const ExtentValues &values) {
    if (values.empty())
      return;
    if (remembered.size() == kMostRemembered)
      remembered.pop_back();
    remembered.insert(remembered.begin(), values);
  }
  bool recall(const ExtentConstraints &constraints,
              llvm::ArrayRef<std::vector<ExtentConstraints::Equation>> cases,
              ExtentValues &found) {
    auto known = llvm::find_if(remembered, [&](const ExtentValues &values) {
      return isSolution(constraints, cases, values);
    });
    if (known == remembered.end())
      return false;
    std::rotate(remembered.begin(), known, known + 1);
    found = remembered.front();
    return true;
  }

  /// Whether the quotients so that the equations hold for all
  /// other unknowns.
  static bool
  holdsAlways(llvm::ArrayRef<ExtentConstraints::Equation> equations) {
    llvm::DenseMap<Extent::Generator, Extent> quotients;
    auto substitute = [&](const Extent &extent) {
      Extent result;
      for (auto [generator, exponent] : extent.getPowers())
        for (unsigned i = 0; i < exponent; ++i) {
          auto known = quotients.find(generator);
          result =
              result * (known != quotients.end() ? known->second
                        : generator >= Extent::kUnknown
                            ? Extent::getUnknown(static_cast<unsigned>(
                                  generator - Extent::kUnknown))
                            : Extent::get(static_cast<int64_t>(generator)));
        }
      return result;
    };
    return llvm::all_of(equations, [&](const auto &equation) {
      Extent lhs = substitute(equation.lhs), rhs = substitute(equation.rhs);
      if (lhs == rhs)
        return true;
      if (lhs.isOne())
        return false;
      // The last generator of a product is that of the highest number.
      auto [quotient, exponent] = lhs.getPowers().back();
      if (quotient < Extent::kUnknown + SymbolicContainment::kFirstQuotient ||
          exponent != 1)
        return false;
      Extent name = Extent::getUnknown(
          static_cast<unsigned>(quotient - Extent::kUnknown));
      std::optional<Extent> value = rhs.divide(*lhs.divide(name));
      if (!value || value->divide(name))
        return false;
      quotients[quotient] = *value;
      return true;
    });
  }

  /// Whether an extent anywhere inside has unknowns.
  bool hasUnknowns(Polynomial p) {
    auto known = unknowns.find(p);
    if (known != unknowns.end())
      return known->second;
    bool result = llvm::any_of(forms.getParts(p), [&](Polynomial inside) {
      return llvm::any_of(
          forms.getPolynomial(inside).terms, [&](const auto &term) {
            return forms.getMonomial(term.first).extent.hasUnknowns();
          });
    });
    unknowns[p] = result;
    return result;
  }

  /// The whole question in a line.
  static std::string
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

  PruningOptions options;
  NormalForms forms;
  SymbolicContainment symbolic;
  llvm::SmallVector<Polynomial, 2> goals;
  llvm::DenseMap<Polynomial, bool> unknowns;
  llvm::StringMap<Containment> answers;
  llvm::StringMap<std::pair<SolverAnswer, ExtentValues>> solutions;
  static constexpr size_t kMostRemembered = 32;
  /// The last ones first.
  std::vector<ExtentValues> remembered;
};

} // namespace

std::optional<Prune> mirage::search::parsePrune(llvm::StringRef text) {
  return llvm::StringSwitch<std::optional<Prune>>(text)
      .Case("none", Prune::None)
      .Case("normal-form", Prune::NormalForm)
      .Case("smt", Prune::SMT)
      .Case("both", Prune::Both)
      .Default(std::nullopt);
}

std::unique_ptr<PruningEngine>
mirage::search::createPruningEngine(llvm::ArrayRef<const Expression *> goals,
                                    const PruningOptions &options) {
  if (options.prune == Prune::None)
    return std::make_unique<NoPruning>();
  return std::make_unique<ContainmentEngine>(goals, options);
}
