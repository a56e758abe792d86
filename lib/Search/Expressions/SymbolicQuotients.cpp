//===- SymbolicQuotients.cpp - Division but for extents -------------------===//
//
// Finds quotients of monomials and polynomials under equations of extents. Long
// division goes by leading skeletons; where several monomials have the leading
// one, each is tried.
//
//===----------------------------------------------------------------------===//

#include "SymbolicContainment.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::search;

bool SymbolicContainment::divideMonomials(Monomial a, Monomial b,
                                          NextNumber next) {
  if (b == NormalForms::kEmptyMonomial)
    return next(a);
  if (!normalForms.divideMonomials(getMonomialSkeleton(a),
                                   getMonomialSkeleton(b)))
    return false;
  const auto &x = normalForms.getMonomial(a), &y = normalForms.getMonomial(b);
  NormalForms::MonomialData data;
  size_t numEquations = equations.size();
  unsigned firstQuotient = numQuotients;
  if (y.extent.isOne()) {
    data.extent = x.extent;
  } else if (!(x.extent == y.extent)) {
    data.extent = SymbolicExtent::get(Unknown::getQuotient(numQuotients++));
    equations.push_back({data.extent * y.extent, x.extent});
  }
  List atoms = expand(x.atoms), exponent;
  exponent = expand(normalForms.getPolynomial(x.exponent).terms);
  bool stop = matchAtoms(expand(y.atoms), atoms, [&] {
    return matchMonomials(
        expand(normalForms.getPolynomial(y.exponent).terms), exponent, [&] {
          return divide(x.root, y.root, [&](Polynomial root) {
            return divide(
                x.denominator, y.denominator, [&](Polynomial denominator) {
                  NormalForms::MonomialData quotient;
                  quotient.extent = data.extent;
                  for (unsigned atom : atoms) {
                    if (!quotient.atoms.empty() &&
                        quotient.atoms.back().first == atom)
                      ++quotient.atoms.back().second;
                    else
                      quotient.atoms.push_back({atom, 1});
                  }
                  llvm::SmallVector<std::pair<Monomial, unsigned>, 4> rest;
                  for (Monomial m : exponent)
                    rest.push_back({m, 1});
                  quotient.exponent = normalForms.collect(rest);
                  quotient.root = root;
                  quotient.denominator = denominator;
                  return next(normalForms.intern(std::move(quotient)));
                });
          });
        });
  });
  equations.resize(numEquations);
  numQuotients = firstQuotient;
  return stop;
}

bool SymbolicContainment::divide(Polynomial a, Polynomial b, NextNumber next) {
  if (b == NormalForms::kOne)
    return next(a);
  if (a == NormalForms::kOne)
    return false;
  std::optional<Polynomial> skeleton =
      normalForms.divide(getSkeleton(a), getSkeleton(b));
  if (!skeleton)
    return false;
  // An extent alone is no quotient.
  if (*skeleton == NormalForms::kOne)
    return unify(a, b, [&] { return next(NormalForms::kOne); });
  List rest = expand(normalForms.getPolynomial(a).terms);
  List divisor = expand(normalForms.getPolynomial(b).terms);
  // A monomial with the leading skeleton comes first.
  auto *lead = llvm::max_element(divisor, [&](Monomial x, Monomial y) {
    return normalForms.compareMonomials(getMonomialSkeleton(x),
                                        getMonomialSkeleton(y)) < 0;
  });
  std::iter_swap(divisor.begin(), lead);
  List quotient;
  return divideRest(rest, divisor, quotient, next);
}

std::optional<SymbolicContainment::List>
SymbolicContainment::multiplyOthers(llvm::ArrayRef<Monomial> monomials,
                                    unsigned except, Monomial m) {
  List products;
  for (auto [i, monomial] : llvm::enumerate(monomials)) {
    if (i == except)
      continue;
    products.push_back(normalForms.multiplyMonomials(monomial, m));
    // What exceeds limits is not part of what does not.
    if (products.back() == NormalForms::kTooLarge)
      return std::nullopt;
  }
  return products;
}

bool SymbolicContainment::divideRest(List &rest,
                                     llvm::ArrayRef<Monomial> divisor,
                                     List &quotient, NextNumber next) {
  if (rest.empty()) {
    llvm::SmallVector<std::pair<Monomial, unsigned>, 4> terms;
    for (Monomial m : quotient)
      terms.push_back({m, 1});
    return next(normalForms.collect(terms));
  }
  Monomial lead = getMonomialSkeleton(rest.front());
  for (Monomial m : rest)
    if (normalForms.compareMonomials(getMonomialSkeleton(m), lead) > 0)
      lead = getMonomialSkeleton(m);
  for (unsigned i = 0; i < rest.size(); ++i) {
    if (getMonomialSkeleton(rest[i]) != lead ||
        llvm::is_contained(llvm::ArrayRef(rest).take_front(i), rest[i]))
      continue;
    bool stop = divideMonomials(rest[i], divisor[0], [&](Monomial m) {
      std::optional<List> others = multiplyOthers(divisor, 0, m);
      if (!others)
        return false;
      List remaining = rest;
      remaining.erase(remaining.begin() + i);
      quotient.push_back(m);
      bool end = matchMonomials(*others, remaining, [&] {
        List left = remaining;
        return divideRest(left, divisor, quotient, next);
      });
      quotient.pop_back();
      return end;
    });
    if (stop)
      return true;
  }
  return false;
}
