//===- Substitution.cpp - Index variables replaced by forms ---------------===//
//
// Goes through an expression and replaces free variables and atoms. Inside a
// sum, its bound variables get fresh names first, so that nothing is captured.
//
//===----------------------------------------------------------------------===//

#include "Substitution.h"
#include "Collector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

bool Algebra::Substitution::concerns(const Polynomial &a) const {
  return llvm::any_of(a.monomials, [&](const Monomial &m) {
    return llvm::any_of(m.factors,
                        [&](const Factor &f) { return concerns(*f.atom); });
  });
}

bool Algebra::Substitution::concerns(const Atom &atom) const {
  if (llvm::any_of(atom.variables,
                   [&](Variable v) { return forms.contains(v); }))
    return true;
  if (values.empty())
    return false;
  if (values.contains(&atom))
    return true;
  auto found = concerned.find(&atom);
  if (found != concerned.end())
    return found->second;
  bool isConcerned =
      concerns(atom.argument) ||
      llvm::any_of(atom.alternatives, [&](const Alternative &alternative) {
        return concerns(alternative.value);
      });
  return concerned[&atom] = isConcerned;
}

std::optional<IndexForm>
Algebra::Substitution::apply(const IndexForm &form) const {
  return algebra.indices.substitute(form, [&](Variable v) -> const IndexForm * {
    auto found = forms.find(v);
    return found == forms.end() ? nullptr : &found->second;
  });
}

const Atom *Algebra::Substitution::renamed(const Atom *atom) {
  if (!concerns(*atom) || !algebra.spend())
    return atom;
  auto found = renamedAtoms.find(atom);
  if (found != renamedAtoms.end())
    return found->second;
  Atom copy = *atom;
  if (std::optional<IndexForm> at = apply(atom->at))
    copy.at = std::move(*at);
  else
    algebra.fail("an index cannot be renamed");
  copy.argument = renamed(atom->argument);
  for (Alternative &alternative : copy.alternatives)
    alternative.value = renamed(alternative.value);
  const Atom *result = algebra.intern(std::move(copy));
  renamedAtoms[atom] = result;
  return result;
}

Monomial Algebra::Substitution::renamed(const Monomial &m) {
  Monomial result = m;
  for (Factor &factor : result.factors)
    factor.atom = renamed(factor.atom);
  sortFactors(result.factors);
  return result;
}

Polynomial Algebra::Substitution::renamed(const Polynomial &a) {
  Polynomial result;
  for (const Monomial &m : a.monomials)
    result.monomials.push_back(renamed(m));
  return result;
}

Polynomial Algebra::Substitution::applyToAtom(const Atom &atom) {
  auto value = values.find(&atom);
  if (value != values.end())
    return value->second;
  switch (atom.kind) {
  case Atom::Kind::Read: {
    std::optional<IndexForm> at = apply(atom.at);
    if (!at) {
      algebra.fail("an index is no sum of digits of indices");
      return {};
    }
    return algebra.read(atom.tensor, std::move(*at), atom.mayBeInfinite,
                        atom.hasPole);
  }
  case Atom::Kind::Index: {
    std::optional<IndexForm> at = apply(atom.at);
    if (at)
      return algebra.index(*at);
    algebra.fail("an index is no sum of digits of indices");
    return {};
  }
  case Atom::Kind::Max: {
    std::vector<Alternative> alternatives;
    for (const Alternative &alternative : atom.alternatives) {
      Substitution inside(algebra);
      inside.forms = forms;
      inside.values = values;
      Alternative &copy = alternatives.emplace_back();
      for (Variable v : alternative.bound) {
        copy.bound.push_back(algebra.makeFresh(v));
        inside.rename(v, copy.bound.back());
      }
      copy.value = inside.apply(alternative.value);
    }
    return algebra.max(std::move(alternatives));
  }
  case Atom::Kind::Exp:
  case Atom::Kind::Power:
  case Atom::Kind::Sum:
    return apply(atom.argument);
  case Atom::Kind::Log:
    return algebra.log(apply(atom.argument));
  case Atom::Kind::Erf:
    return algebra.erf(apply(atom.argument));
  case Atom::Kind::Unknown:
    return algebra.applyUnknown(atom.function, apply(atom.argument));
  case Atom::Kind::Less:
    return algebra.less(apply(atom.argument));
  case Atom::Kind::AtMost:
    return algebra.atMost(apply(atom.argument));
  case Atom::Kind::Equal:
    return algebra.equalsZero(apply(atom.argument));
  case Atom::Kind::Infinity:
  case Atom::Kind::Pi:
  case Atom::Kind::Integer:
    break;
  }
  return algebra.makeFactor(&atom);
}

Polynomial Algebra::Substitution::apply(const Factor &factor) {
  const Atom &atom = *factor.atom;
  if (!concerns(atom))
    return algebra.makeFactor(&atom, factor.exponent);
  if (!algebra.spend())
    return {};
  if (atom.kind == Atom::Kind::Exp && !values.contains(&atom))
    return algebra.exp(algebra.scale(apply(atom.argument), factor.exponent));
  auto found = appliedAtoms.find(&atom);
  if (found == appliedAtoms.end())
    found = appliedAtoms.try_emplace(&atom, applyToAtom(atom)).first;
  Polynomial base = found->second;
  if (factor.exponent == Rational(1))
    return base;
  return algebra.power(base, factor.exponent);
}

Polynomial Algebra::Substitution::apply(const Polynomial &a) {
  Collector total(algebra);
  for (const Monomial &m : a.monomials) {
    if (llvm::none_of(m.factors,
                      [&](const Factor &f) { return concerns(*f.atom); })) {
      total.add(m);
      continue;
    }
    Substitution inside(algebra);
    Substitution *used = this;
    llvm::SmallVector<Variable, 2> bound;
    if (!m.bound.empty()) {
      inside.forms = forms;
      inside.values = values;
      for (Variable v : m.bound) {
        bound.push_back(algebra.makeFresh(v));
        inside.rename(v, bound.back());
      }
      used = &inside;
    }
    Polynomial product = algebra.constant(m.coefficient);
    for (const Factor &factor : m.factors) {
      if (algebra.isStopped())
        return {};
      product = algebra.multiply(product, used->apply(factor));
    }
    total.add(algebra.sum(bound, product));
  }
  return total.take();
}
