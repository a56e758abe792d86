//===- Z3Extents.cpp - Are there extents? ---------------------------------===//
//
// Equations of products as linear equations of the unknowns' exponents, prime
// by prime (SMT.h says why that suffices), for Z3.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/SMT.h"
#include "Z3Session.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace mirage::search;
using Prime = uint64_t;
using Equation = ExtentConstraints::Equation;

bool mirage::search::hasSolver() { return true; }

namespace {

class ExtentQuestion {
public:
  explicit ExtentQuestion(unsigned budget) : session(budget) {}

  SolverAnswer ask(const ExtentConstraints &constraints,
                   llvm::ArrayRef<std::vector<Equation>> cases,
                   ExtentValues *values) {
    auto collectPrimes = [&](const Equation &equation) {
      for (const SymbolicExtent *extent : {&equation.lhs, &equation.rhs})
        for (auto [generator, exponent] : extent->getPowers())
          if (!generator.isUnknown())
            primes.insert(generator.getPrime());
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
      if (values)
        readValues(*values);
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
  Z3_ast getVariable(Unknown unknown, Prime prime) {
    auto [entry, isNew] = variables.try_emplace({unknown, prime}, numConstants);
    Z3_ast variable = session.integerConstant(entry->second);
    numConstants += isNew;
    if (isNew)
      session.require(Z3_mk_ge(session.context, variable, session.integer(0)));
    return variable;
  }

  /// The exponent of a prime in a product.
  Z3_ast getExponent(const SymbolicExtent &extent, Prime prime) {
    llvm::SmallVector<Z3_ast> terms;
    for (auto [generator, exponent] : extent.getPowers()) {
      if (generator.isUnknown())
        terms.push_back(
            session.product({session.integer(exponent),
                             getVariable(generator.getUnknown(), prime)}));
      else if (generator.getPrime() == prime)
        terms.push_back(session.integer(exponent));
    }
    return session.sum(terms);
  }

  Z3_ast relate(const Equation &equation, Relation relation) {
    llvm::SmallVector<Z3_ast> all;
    for (Prime prime : primes)
      all.push_back(relation(session.context, getExponent(equation.lhs, prime),
                             getExponent(equation.rhs, prime)));
    return session.conjunction(all);
  }

  /// Returns a number that is at least `base` times a power of a prime with
  /// some exponent up to `greatest`. It is that product in some solution, if
  /// there is one: terms of limits only have to be small.
  Z3_ast multiply(Z3_ast base, Prime prime, Z3_ast exponent,
                  unsigned greatest) {
    Z3_context context = session.context;
    Z3_ast product = session.integerConstant(numConstants++);
    int64_t power = 1;
    for (unsigned i = 0; i <= greatest; ++i, power *= prime)
      session.require(Z3_mk_implies(
          context, Z3_mk_ge(context, exponent, session.integer(i)),
          Z3_mk_ge(context, product,
                   session.product({session.integer(power), base}))));
    return product;
  }

  void require(const ExtentConstraints::Limit &limit) {
    Z3_context context = session.context;
    llvm::SmallVector<Z3_ast> terms;
    for (const auto &[factor, extent] : limit.terms) {
      if (factor <= 0)
        continue;
      // Primes of the extent that occur nowhere else only scale it.
      int64_t known = factor;
      for (auto [generator, exponent] : extent.getPowers())
        if (!generator.isUnknown() && !primes.count(generator.getPrime()))
          for (unsigned i = 0; i < exponent; ++i)
            known =
                generator.getPrime() > static_cast<Prime>(limit.bound / known)
                    ? limit.bound + 1
                    : known * static_cast<int64_t>(generator.getPrime());
      Z3_ast term = session.integer(known);
      for (Prime prime : primes) {
        if (llvm::none_of(extent.getPowers(), [&, p = prime](auto power) {
              return power.first.isUnknown() || power.first.getPrime() == p;
            }))
          continue;
        // Powers up to the bound.
        unsigned greatest = 0;
        for (int64_t rest = limit.bound / factor;
             rest >= static_cast<int64_t>(prime);
             rest /= static_cast<int64_t>(prime))
          ++greatest;
        Z3_ast exponent = getExponent(extent, prime);
        session.require(Z3_mk_le(context, exponent, session.integer(greatest)));
        if (greatest)
          term = multiply(term, prime, exponent, greatest);
      }
      terms.push_back(term);
    }
    session.require(
        Z3_mk_le(context, session.sum(terms), session.integer(limit.bound)));
  }

  /// Values of all unknowns.
  void readValues(ExtentValues &values) {
    llvm::SmallVector<Z3_ast> terms;
    for (const auto &[key, number] : variables)
      terms.push_back(session.integerConstant(number));
    auto exponents = session.getValues(terms);
    if (!exponents)
      return;
    for (auto [variable, exponent] : llvm::zip_equal(variables, *exponents)) {
      auto [unknown, prime] = variable.first;
      int64_t &value = values.try_emplace(unknown, 1).first->second;
      constexpr int64_t most = std::numeric_limits<int64_t>::max();
      for (int64_t i = 0; i < exponent && value < most; ++i)
        value = llvm::SaturatingMultiply<uint64_t>(value, prime) > most
                    ? most
                    : value * static_cast<int64_t>(prime);
    }
  }

  Z3Session session;
  unsigned numConstants = 0;
  std::set<Prime> primes;
  /// The numbers of Z3's constants for exponents of primes in unknowns.
  llvm::MapVector<std::pair<Unknown, Prime>, unsigned> variables;
};

} // namespace

SolverAnswer
mirage::search::solveExtents(const ExtentConstraints &constraints,
                             llvm::ArrayRef<std::vector<Equation>> cases,
                             unsigned budget, ExtentValues *values) {
  return ExtentQuestion(budget).ask(constraints, cases, values);
}
