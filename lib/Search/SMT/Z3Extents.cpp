//===- Z3Extents.cpp - Are there extents? ---------------------------------===//
//
// Equations of products as linear equations of the unknowns' exponents, prime
// by prime (SMT.h says why that suffices), for Z3.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/SMT.h"
#include "Z3Session.h"
#include "llvm/ADT/MapVector.h"
#include <set>

using namespace mirage::search;
using Generator = Extent::Generator;
using Equation = ExtentConstraints::Equation;

bool mirage::search::hasSolver() { return true; }

namespace {

class ExtentQuestion {
public:
  explicit ExtentQuestion(unsigned budget)
      : session(budget, /*modelBased=*/false) {}

  SolverAnswer ask(const ExtentConstraints &constraints,
                   llvm::ArrayRef<std::vector<Equation>> cases) {
    auto collectPrimes = [&](const Equation &equation) {
      for (const Extent *extent : {&equation.lhs, &equation.rhs})
        for (auto [generator, exponent] : extent->getPowers())
          if (generator < Extent::kUnknown)
            primes.insert(generator);
    };
    for (const Equation &equation : constraints.products)
      collectPrimes(equation);
    for (const Equation &equation : constraints.divisors)
      collectPrimes(equation);
    for (const std::vector<Equation> &equations : cases)
      for (const Equation &equation : equations)
        collectPrimes(equation);

    for (const Equation &equation : constraints.products)
      session.require(relate(equation, Z3_mk_eq));
    for (const Equation &equation : constraints.divisors)
      session.require(relate(equation, Z3_mk_le));
    for (const ExtentConstraints::Limit &limit : constraints.limits)
      require(limit);
    llvm::SmallVector<Z3_ast> alternatives;
    for (const std::vector<Equation> &equations : cases) {
      llvm::SmallVector<Z3_ast> all;
      for (const Equation &equation : equations)
        all.push_back(relate(equation, Z3_mk_eq));
      alternatives.push_back(session.conjunction(all));
    }
    session.require(session.disjunction(alternatives));
    switch (session.check()) {
    case Z3_L_TRUE:
      return SolverAnswer::Yes;
    case Z3_L_FALSE:
      return SolverAnswer::No;
    case Z3_L_UNDEF:
      break;
    }
    return SolverAnswer::Unknown;
  }

private:
  using Relation = Z3_ast (*)(Z3_context, Z3_ast, Z3_ast);

  /// The exponent of a prime in an unknown.
  Z3_ast getVariable(Generator unknown, Generator prime) {
    auto [entry, isNew] = variables.insert(
        {{unknown, prime}, static_cast<unsigned>(variables.size())});
    Z3_ast variable = session.integerConstant(entry->second);
    if (isNew)
      session.require(Z3_mk_ge(session.context, variable, session.integer(0)));
    return variable;
  }

  /// The exponent of a prime in a product.
  Z3_ast getExponent(const Extent &extent, Generator prime) {
    llvm::SmallVector<Z3_ast> terms;
    for (auto [generator, exponent] : extent.getPowers()) {
      if (generator == prime)
        terms.push_back(session.integer(exponent));
      else if (generator >= Extent::kUnknown)
        terms.push_back(session.product(
            {session.integer(exponent), getVariable(generator, prime)}));
    }
    return session.sum(terms);
  }

  Z3_ast relate(const Equation &equation, Relation relation) {
    llvm::SmallVector<Z3_ast> all;
    for (Generator prime : primes)
      all.push_back(relation(session.context, getExponent(equation.lhs, prime),
                             getExponent(equation.rhs, prime)));
    return session.conjunction(all);
  }

  void require(const ExtentConstraints::Limit &limit) {
    Z3_context context = session.context;
    llvm::SmallVector<Z3_ast> terms;
    for (const auto &[factor, extent] : limit.terms) {
      if (factor <= 0)
        continue;
      // Primes of the extent that occur nowhere else only scale it.
      llvm::SmallVector<Z3_ast> powers = {session.integer(factor)};
      for (auto [generator, exponent] : extent.getPowers())
        if (generator < Extent::kUnknown && !primes.count(generator))
          for (unsigned i = 0; i < exponent; ++i)
            powers.push_back(session.integer(generator));
      for (Generator prime : primes) {
        // One of the powers that do not exceed the bound alone.
        Z3_ast exponent = getExponent(extent, prime);
        Z3_ast power = session.integer(1);
        int64_t greatest = 0;
        for (int64_t value = prime; value <= limit.bound / factor;
             value *= prime) {
          ++greatest;
          power = Z3_mk_ite(
              context, Z3_mk_eq(context, exponent, session.integer(greatest)),
              session.integer(value), power);
          if (value > limit.bound / static_cast<int64_t>(prime))
            break;
        }
        session.require(Z3_mk_le(context, exponent, session.integer(greatest)));
        if (greatest)
          powers.push_back(power);
      }
      terms.push_back(session.product(powers));
    }
    session.require(
        Z3_mk_le(context, session.sum(terms), session.integer(limit.bound)));
  }

  Z3Session session;
  std::set<Generator> primes;
  llvm::MapVector<std::pair<Generator, Generator>, unsigned> variables;
};

} // namespace

SolverAnswer
mirage::search::solveExtents(const ExtentConstraints &constraints,
                             llvm::ArrayRef<std::vector<Equation>> cases,
                             unsigned budget) {
  return ExtentQuestion(budget).ask(constraints, cases);
}
