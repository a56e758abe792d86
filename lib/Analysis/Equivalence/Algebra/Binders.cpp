//===- Binders.cpp - Normal forms of bound variables ----------------------===//
//
// Splits, strips and tiles turn one sum into several, over digits of the
// index. Here every bound variable is first split at all digits of it that are
// in use, then variables that always occur side by side, as digits of one
// number do, become one. Either step only renames the points summed over.
//
//===----------------------------------------------------------------------===//

#include "BoundDigits.h"
#include "Collector.h"
#include "Substitution.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage;
using namespace mirage::equivalence;

/// Variables that some factor uses.
static bool isUsed(Variable v, llvm::ArrayRef<Factor> factors) {
  return llvm::any_of(factors,
                      [&](const Factor &f) { return usesAny(*f.atom, {v}); });
}

void Algebra::bind(Rational coefficient, llvm::SmallVector<Variable, 2> bound,
                   llvm::SmallVector<Factor, 3> factors, Collector &to,
                   unsigned round) {
  llvm::erase_if(bound, [&](Variable v) {
    if (isUsed(v, factors))
      return false;
    coefficient *= Rational(variables.getExtent(v));
    return true;
  });
  if (!spend(1 + bound.size() * factors.size() / 4))
    return;
  Monomial m{coefficient, bound, factors, 0, 1};
  if (!bound.empty()) {
    if (auto end = limits.piecewise ? findEnd(factors, bound) : std::nullopt) {
      Substitution shorter(*this);
      Variable v = variables.add(end->second);
      shorter.rename(end->first, v);
      Polynomial product = constant(coefficient);
      for (const Factor &factor : factors) {
        if (isStopped())
          return;
        product = multiply(product, shorter.apply(factor));
      }
      llvm::replace(bound, end->first, v);
      for (const Monomial &term : product.monomials) {
        llvm::SmallVector<Variable, 2> inner(term.bound);
        inner.append(bound.begin(), bound.end());
        bind(term.coefficient, std::move(inner), term.factors, to, round);
      }
      return;
    }
    BoundDigits digits(variables, indices, bound);
    for (const Factor &factor : factors)
      digits.addAtom(*factor.atom);
    if (!spend(digits.getCost()))
      return;
    // What a substitution simplifies may need another one. Where this does not
    // end, sums are still right, but perhaps not the only form.
    if (round < 4 && digits.regroup()) {
      Substitution regrouped(*this);
      for (auto &[v, form] : digits.getForms())
        regrouped.map(v, form);
      Polynomial product = constant(coefficient);
      for (const Factor &factor : factors) {
        if (isStopped())
          return;
        product = multiply(product, regrouped.apply(factor));
      }
      for (const Monomial &term : product.monomials) {
        llvm::SmallVector<Variable, 2> inner(term.bound);
        inner.append(digits.getVariables().begin(),
                     digits.getVariables().end());
        bind(term.coefficient, std::move(inner), term.factors, to, round + 1);
      }
      return;
    }
    unsigned level = 1;
    for (const Factor &factor : factors)
      level = std::max(level, factor.atom->level + 1);
    if (!llvm::all_of(
            bound, [&](Variable v) { return variables.isBoundAt(v, level); })) {
      Substitution naming(*this);
      unsigned index = 0;
      for (Variable &v : m.bound) {
        Variable name =
            variables.getBound(level, index++, variables.getExtent(v));
        naming.rename(v, name);
        v = name;
      }
      Monomial renamed = naming.renamed(Monomial{1, {}, factors, 0, 1});
      m.factors = std::move(renamed.factors);
    }
    llvm::sort(m.bound);
  }
  for (Monomial &made : makePolynomial(std::move(m)).monomials)
    to.add(std::move(made));
}

void Algebra::nameBound(Alternative &alternative) {
  auto isUsedInside = [&](Variable v) {
    return llvm::any_of(alternative.value.monomials, [&](const Monomial &m) {
      return isUsed(v, m.factors);
    });
  };
  for (unsigned round = 0; round < 4; ++round) {
    llvm::erase_if(alternative.bound,
                   [&](Variable v) { return !isUsedInside(v); });
    if (alternative.bound.empty() || isStopped())
      return;
    BoundDigits digits(variables, indices, alternative.bound);
    for (const Monomial &m : alternative.value.monomials)
      for (const Factor &factor : m.factors)
        digits.addAtom(*factor.atom);
    if (!spend(digits.getCost()))
      return;
    if (!digits.regroup())
      break;
    Substitution regrouped(*this);
    for (auto &[v, form] : digits.getForms())
      regrouped.map(v, form);
    alternative.value = regrouped.apply(alternative.value);
    alternative.bound.assign(digits.getVariables().begin(),
                             digits.getVariables().end());
  }
}
