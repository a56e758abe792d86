//===- Containment.cpp - Whether a normal form is part of another ---------===//
//
// Looks for a monomial m with part * m contained in the goal or in one of the
// polynomials inside of it (NormalForm.h has the argument).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/NormalForm.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

using namespace mirage::search;

llvm::ArrayRef<NormalForms::Polynomial> NormalForms::getParts(Polynomial p) {
  auto known = parts.find(p);
  if (known != parts.end())
    return known->second;
  llvm::SetVector<Polynomial> found;
  found.insert(p);
  for (size_t next = 0; next < found.size(); ++next) {
    for (auto [monomial, count] : polynomials[found[next]].terms) {
      const MonomialData &data = monomials[monomial];
      for (Polynomial part : {data.exponent, data.root, data.denominator})
        if (part != kZero && part != kOne)
          found.insert(part);
      for (auto [atom, multiplicity] : data.atoms)
        found.insert_range(atoms[atom].arguments);
    }
  }
  return parts[p] = std::vector<Polynomial>(found.begin(), found.end());
}

Containment NormalForms::contains(const Expression *goal,
                                  const Expression *part) {
  return contains(get(goal), get(part),
                  [](Polynomial, Monomial) { return true; });
}

Containment NormalForms::contains(Polynomial goal, Polynomial part,
                                  AcceptFactor acceptFactor) {
  if (goal == kTooLarge || part == kTooLarge)
    return Containment::Unknown;
  bool found = !(polynomials[part].mask & ~polynomials[goal].mask) &&
               llvm::any_of(getParts(goal), [&](Polynomial inside) {
                 return containsProduct(inside, part, acceptFactor);
               });
  return found ? Containment::Contained : Containment::NotContained;
}

llvm::DenseSet<NormalForms::Polynomial>
NormalForms::getDenominators(Polynomial goal) {
  llvm::DenseSet<Polynomial> denominators;
  for (Polynomial part : getParts(goal))
    for (auto [monomial, count] : polynomials[part].terms)
      if (monomials[monomial].denominator != kOne)
        denominators.insert(monomials[monomial].denominator);
  return denominators;
}

bool NormalForms::containsProduct(Polynomial whole, Polynomial part,
                                  AcceptFactor acceptFactor) {
  const PolynomialData &inside = polynomials[whole];
  const PolynomialData &wanted = polynomials[part];
  if (wanted.mask & ~inside.mask || wanted.terms.size() > inside.terms.size())
    return false;
  auto [pivot, pivotCount] = wanted.terms.front();
  for (auto [monomial, count] : inside.terms) {
    if (count < pivotCount)
      continue;
    std::optional<Monomial> m = divideMonomials(monomial, pivot);
    if (!m)
      continue;
    bool all =
        llvm::all_of(llvm::drop_begin(wanted.terms), [&](const Pair &term) {
          Monomial product = multiplyMonomials(term.first, *m);
          // What exceeds the limit is not part of what does not.
          return product != kTooLarge &&
                 getMultiplicity(inside, product) >= term.second;
        });
    if (all && acceptFactor(whole, *m))
      return true;
  }
  return false;
}
