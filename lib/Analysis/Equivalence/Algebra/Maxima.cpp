//===- Maxima.cpp - Maxima of sums ----------------------------------------===//
//
// A maximum is a set of alternatives, each perhaps over bound variables. Inner
// maxima are taken in, also those inside of sums: r + c max(x) is
// max(r + c x) for c > 0. A minimum is the negative maximum of negatives.
//
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "Substitution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

Polynomial Algebra::max(const Polynomial &a, const Polynomial &b,
                        std::optional<Rational> largest) {
  return max({Alternative{{}, a}, Alternative{{}, b}}, std::move(largest));
}

Polynomial Algebra::min(const Polynomial &a, const Polynomial &b,
                        std::optional<Rational> largest) {
  return scale(max(scale(a, -1), scale(b, -1), std::move(largest)), -1);
}

/// Appends the alternatives into which maxima among the terms divide one.
void Algebra::flattenMax(Alternative alternative,
                         std::vector<Alternative> &to) {
  if (!spend())
    return;
  std::vector<Monomial> &terms = alternative.value.monomials;
  auto inner = llvm::find_if(terms, [](const Monomial &m) {
    return m.bound.empty() && m.coefficient.num > 0 && m.factors.size() == 1 &&
           m.factors[0].atom->kind == Atom::Kind::Max &&
           m.factors[0].exponent == Rational(1);
  });
  if (inner == terms.end()) {
    to.push_back(std::move(alternative));
    if (to.size() > limits.terms)
      failAtLimit("a maximum has more than " + llvm::Twine(limits.terms) +
                  " operands");
    return;
  }
  const Atom *atom = inner->factors[0].atom;
  Rational factor = inner->coefficient;
  terms.erase(inner);
  // Each choice is added to a copy of the other terms.
  if (!spend(atom->alternatives.size() * (1 + terms.size())))
    return;
  for (const Alternative &choice : atom->alternatives) {
    Alternative flat;
    flat.bound = alternative.bound;
    Substitution fresh(*this);
    for (Variable v : choice.bound) {
      flat.bound.push_back(makeFresh(v));
      fresh.rename(v, flat.bound.back());
    }
    flat.value =
        add(alternative.value, scale(fresh.renamed(choice.value), factor));
    flattenMax(std::move(flat), to);
  }
}

void Algebra::dropDominated(std::vector<Alternative> &alternatives) {
  // Each is compared with each other.
  constexpr size_t most = 4, mostTerms = 16;
  if (alternatives.size() > most)
    return;
  auto isKnown = [](const Alternative &a) {
    return a.value.monomials.size() <= mostTerms && !mayBeInfinite(a.value);
  };
  for (size_t i = 0; i < alternatives.size(); ++i) {
    // The greatest value of an alternative over a range is not known.
    if (!alternatives[i].bound.empty() || !isKnown(alternatives[i]))
      continue;
    for (size_t j = alternatives.size(); j-- > 0;) {
      if (i == j || !isKnown(alternatives[j]) ||
          !isNonNegative(sub(alternatives[i].value, alternatives[j].value)))
        continue;
      alternatives.erase(alternatives.begin() + j);
      i -= j < i;
    }
  }
}

Polynomial Algebra::takeCommonTerms(std::vector<Alternative> &alternatives) {
  auto mayBeTaken = [](const Monomial &m, const Alternative &alternative) {
    return llvm::none_of(m.factors, [&](const Factor &f) {
      return f.atom->mayBeInfinite || usesAny(*f.atom, alternative.bound);
    });
  };
  // Infinities absorb what is taken from them.
  Polynomial common;
  if (alternatives.empty())
    return common;
  std::vector<Monomial> terms;
  for (const Alternative &alternative : alternatives)
    for (const Monomial &m : alternative.value.monomials)
      if (mayBeTaken(m, alternative) && spend(1 + terms.size()) &&
          llvm::none_of(
              terms, [&](const Monomial &other) { return areAlike(other, m); }))
        terms.push_back(m);
  Collector least(*this);
  for (Monomial &term : terms) {
    std::optional<Rational> coefficient;
    for (const Alternative &alternative : alternatives) {
      Rational own = 0;
      for (const Monomial &m : alternative.value.monomials)
        if (mayBeTaken(m, alternative) && spend() && areAlike(m, term))
          own = m.coefficient;
      if (!coefficient || own < *coefficient)
        coefficient = own;
    }
    term.coefficient = *coefficient;
    least.add(term);
  }
  common = least.take();
  if (!common.isZero())
    for (Alternative &alternative : alternatives)
      alternative.value = sub(alternative.value, common);
  return common;
}

Polynomial Algebra::max(std::vector<Alternative> given,
                        std::optional<Rational> largest) {
  if (isStopped())
    return {};
  if (limits.piecewise)
    for (Alternative &alternative : given)
      alternative.value = resolveMask(alternative.value);
  std::vector<Alternative> flat;
  for (Alternative &alternative : given)
    flattenMax(std::move(alternative), flat);

  Polynomial infinity = makeFactor(internFunction(Atom::Kind::Infinity, {}));
  std::vector<Alternative> different;
  std::optional<Rational> greatestNumber;
  for (Alternative &alternative : flat) {
    std::optional<int> sign = getInfiniteSign(alternative.value);
    if (sign && *sign < 0)
      continue;
    if (sign && *sign > 0)
      return infinity;
    nameBound(alternative);
    if (std::optional<Rational> number = getConstant(alternative.value)) {
      if (!greatestNumber || *greatestNumber < *number)
        greatestNumber = *number;
      continue;
    }
    different.push_back(std::move(alternative));
  }
  if (limits.joinRanges)
    joinRanges(different);
  // A mask may leave nothing that is finite.
  if (greatestNumber && largest && *greatestNumber <= -*largest &&
      llvm::any_of(different, [](const Alternative &alternative) {
        return !mayBeInfinite(alternative.value);
      }))
    greatestNumber.reset();
  if (greatestNumber)
    different.push_back({{}, constant(*greatestNumber)});
  dropDominated(different);
  if (different.empty() || isStopped())
    return scale(infinity, -1);
  if (auto cases = maxByCases(different))
    return *cases;
  Polynomial shift;
  if (limits.piecewise)
    shift = takeCommonTerms(different);

  // max(c x) = c max(x)
  Rational common = 0;
  unsigned level = 0;
  for (const Alternative &alternative : different) {
    level = std::max(level, getLevel(alternative.value) + 1);
    for (const Monomial &m : alternative.value.monomials)
      common = getGcd(common, m.coefficient);
  }
  if (common.num == 0)
    common = 1;
  Atom atom;
  atom.kind = Atom::Kind::Max;
  for (Alternative &alternative : different) {
    alternative.value = scale(alternative.value, Rational(1) / common);
    Substitution naming(*this);
    unsigned index = 0;
    for (Variable &v : alternative.bound) {
      Variable name =
          variables.getBound(level, index++, variables.getExtent(v));
      naming.rename(v, name);
      v = name;
    }
    alternative.value = naming.renamed(alternative.value);
    // Each is compared with those before.
    if (!spend(1 + atom.alternatives.size()))
      return {};
    if (llvm::none_of(atom.alternatives, [&](const Alternative &other) {
          return areAlike(other, alternative);
        }))
      atom.alternatives.push_back(std::move(alternative));
  }
  if (atom.alternatives.size() == 1 && atom.alternatives[0].bound.empty())
    return add(shift, scale(atom.alternatives[0].value, common));
  return add(shift, scale(makeFactor(intern(std::move(atom))), common));
}
