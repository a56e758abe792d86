//===- Products.cpp - Sums and products in normal form --------------------===//
//
// Addition collects like monomials. Multiplication distributes, adds exponents
// of equal atoms and multiplies out powers of sums whose exponents allow it.
//
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "Substitution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

/// Returns whether the monomial is infinite, and not only where a condition
/// holds.
static bool isInfinite(const Monomial &m) {
  bool hasInfinity = false;
  for (const Factor &f : m.factors) {
    if (isTruth(*f.atom))
      return false;
    // A read that may be infinite is one of a value without a normal form.
    hasInfinity |=
        (f.atom->kind == Atom::Kind::Infinity ||
         (f.atom->kind == Atom::Kind::Read && f.atom->hasInfinity)) &&
        f.exponent.num > 0;
  }
  return hasInfinity;
}

std::optional<size_t> Algebra::Collector::add(Monomial m) {
  if (m.coefficient.num == 0 || !algebra.spend())
    return std::nullopt;
  auto &alike = byHash[m.hash];
  for (unsigned i : alike)
    if (algebra.areAlike(monomials[i], m)) {
      if (monomials[i].coefficient.num < 0 != m.coefficient.num < 0 &&
          !algebra.isComparing && isInfinite(m))
        algebra.fail("an infinity is subtracted from another");
      algebra.spend(getArithmeticCost(m.coefficient));
      monomials[i].coefficient += m.coefficient;
      return i;
    }
  alike.push_back(monomials.size());
  monomials.push_back(std::move(m));
  if (monomials.size() > algebra.limits.terms)
    algebra.failAtLimit("a sum has more than " +
                        llvm::Twine(algebra.limits.terms) + " terms");
  return monomials.size() - 1;
}

Polynomial Algebra::Collector::take() {
  if (algebra.limits.joinRanges)
    joinRanges();
  // Sorted by hash, equal ones in the order in which they came.
  llvm::SmallVector<std::pair<uint64_t, size_t>, 8> order;
  for (auto [i, m] : llvm::enumerate(monomials))
    if (m.coefficient.num != 0)
      order.push_back({m.hash, i});
  llvm::sort(order);
  Polynomial sum;
  for (auto [hash, i] : order)
    sum.monomials.push_back(std::move(monomials[i]));
  monomials.clear();
  byHash.clear();
  return sum;
}

Polynomial Algebra::add(const Polynomial &a, const Polynomial &b) {
  if (a.isZero())
    return b;
  if (b.isZero())
    return a;
  Collector sum(*this);
  sum.add(a);
  sum.add(b);
  return sum.take();
}

Polynomial Algebra::sub(const Polynomial &a, const Polynomial &b) {
  return add(a, scale(b, Rational(-1)));
}

Polynomial Algebra::scale(const Polynomial &a, const Rational &factor) {
  if (factor.num == 0)
    return {};
  Polynomial product = a;
  uint64_t cost = getArithmeticCost(factor);
  for (Monomial &m : product.monomials) {
    if (!spend(cost + getArithmeticCost(m.coefficient)))
      return {};
    m.coefficient *= factor;
  }
  return product;
}

Polynomial Algebra::multiply(const Polynomial &a, const Polynomial &b) {
  if (std::optional<Rational> factor = getConstant(a))
    return scale(b, *factor);
  if (std::optional<Rational> factor = getConstant(b))
    return scale(a, *factor);
  if (limits.piecewise)
    if (std::optional<Polynomial> product = multiplyByEquations(a, b))
      return *product;
  Collector sum(*this);
  for (const Monomial &x : a.monomials) {
    uint64_t cost = 1 + x.factors.size() + getArithmeticCost(x.coefficient);
    for (const Monomial &y : b.monomials) {
      if (!spend(cost + y.factors.size() + getArithmeticCost(y.coefficient)))
        return {};
      collectProduct(x, y, sum);
    }
  }
  return sum.take();
}

Polynomial Algebra::multiplyKeepingSums(const Polynomial &a,
                                        const Polynomial &b) {
  auto isLong = [&](const Polynomial &sum) {
    return sum.monomials.size() > limits.longestFactor && !mayBeInfinite(sum);
  };
  if (!isLong(a) && !isLong(b))
    return multiply(a, b);
  auto keep = [&](const Polynomial &sum, const Polynomial &other) {
    if (!isLong(sum))
      return sum;
    const Atom *atom = internFunction(Atom::Kind::Sum, sum);
    bool isFactor = llvm::any_of(other.monomials, [&](const Monomial &m) {
      return llvm::any_of(m.factors,
                          [&](const Factor &f) { return f.atom == atom; });
    });
    if (!isFactor && !isLong(other))
      return sum;
    hasKeptSums = true;
    return makeFactor(atom);
  };
  return multiply(keep(a, b), keep(b, a));
}

void Algebra::collectProduct(const Monomial &a, const Monomial &b,
                             Collector &to) {
  // Sums over the same names are different sums, and names of the lower level
  // may be bound inside of the other one's factors. Those of the higher level
  // are bound nowhere else.
  Monomial left = a, right = b;
  if (!a.bound.empty() && !b.bound.empty()) {
    Monomial &lower = a.level < b.level ? left : right;
    Substitution fresh(*this);
    for (Variable &v : lower.bound) {
      Variable name = makeFresh(v);
      fresh.rename(v, name);
      v = name;
    }
    Monomial renamed = fresh.renamed(Monomial{1, {}, lower.factors, 0, 1});
    lower.factors = std::move(renamed.factors);
  }
  llvm::SmallVector<Variable, 4> bound(left.bound.begin(), left.bound.end());
  bound.append(right.bound.begin(), right.bound.end());
  llvm::SmallVector<Factor, 6> factors(left.factors.begin(),
                                       left.factors.end());
  factors.append(right.factors.begin(), right.factors.end());
  collect(a.coefficient * b.coefficient, bound, factors, to);
}

void equivalence::sortFactors(llvm::MutableArrayRef<Factor> factors) {
  llvm::sort(factors, [](const Factor &a, const Factor &b) {
    return std::tie(a.atom->hash, a.atom->number) <
           std::tie(b.atom->hash, b.atom->number);
  });
}

/// Adds exponents of equal atoms and sorts the factors.
static void mergeFactors(llvm::SmallVectorImpl<Factor> &factors) {
  sortFactors(factors);
  size_t kept = 0;
  for (size_t i = 0; i < factors.size();) {
    Factor factor = factors[i];
    for (++i; i < factors.size() && factors[i].atom == factor.atom; ++i)
      factor.exponent += factors[i].exponent;
    if (factor.exponent.num != 0)
      factors[kept++] = factor;
  }
  factors.truncate(kept);
}

/// Returns whether the factor is one wherever the product of the others is not
/// zero: the condition that another factor, which is never negative, is
/// positive.
static bool isImplied(const Factor &factor, llvm::ArrayRef<Factor> others) {
  if (factor.atom->kind != Atom::Kind::Less ||
      factor.atom->argument.monomials.size() != 1)
    return false;
  const Monomial &m = factor.atom->argument.monomials[0];
  return m.bound.empty() && m.coefficient.num < 0 && m.factors.size() == 1 &&
         m.factors[0].exponent.num > 0 && m.factors[0].atom->isNonNegative &&
         llvm::any_of(others, [&](const Factor &other) {
           return other.atom == m.factors[0].atom && other.exponent.num > 0;
         });
}

/// Appends to `group` all factors that have a variable in common with one of
/// it, and these variables.
static void gather(llvm::ArrayRef<Variable> bound,
                   llvm::ArrayRef<Factor> factors,
                   llvm::SmallVectorImpl<Variable> &variables,
                   llvm::SmallVectorImpl<Factor> &group) {
  for (size_t i = 0; i < variables.size(); ++i)
    for (const Factor &factor : factors) {
      if (!usesAny(*factor.atom, {variables[i]}) ||
          llvm::any_of(group, [&](const Factor &other) {
            return other.atom == factor.atom;
          }))
        continue;
      group.push_back(factor);
      for (Variable v : bound)
        if (usesAny(*factor.atom, {v}) && !llvm::is_contained(variables, v))
          variables.push_back(v);
    }
}

void Algebra::cancelSums(llvm::SmallVectorImpl<Variable> &bound,
                         llvm::SmallVectorImpl<Factor> &factors) {
  auto isInverse = [&](const Factor &f) {
    return f.atom->kind == Atom::Kind::Power && f.exponent.num < 0 &&
           f.atom->argument.monomials.size() == 1 &&
           !f.atom->argument.monomials[0].bound.empty() &&
           f.atom->argument.monomials[0].coefficient == Rational(1) &&
           f.atom->argument.monomials[0].bound.size() <= bound.size();
  };
  for (bool isDone = false; !isDone && spend();) {
    isDone = true;
    for (size_t i = 0; i < factors.size() && isDone; ++i) {
      if (!isInverse(factors[i]))
        continue;
      const Monomial &sum = factors[i].atom->argument.monomials[0];
      for (Variable v : bound) {
        llvm::SmallVector<Variable, 2> variables{v};
        llvm::SmallVector<Factor, 3> group;
        gather(bound, factors, variables, group);
        if (variables.size() != sum.bound.size() ||
            group.size() != sum.factors.size() || !spend(group.size()))
          continue;
        Collector one(*this);
        bind(1, llvm::SmallVector<Variable, 2>(variables), group, one);
        Polynomial own = one.take();
        if (isStopped())
          return;
        if (own.monomials.size() != 1 ||
            own.monomials[0].coefficient != Rational(1) ||
            !areAlike(own.monomials[0], sum))
          continue;
        factors[i].exponent += Rational(1);
        llvm::erase_if(factors, [&](const Factor &f) {
          return f.exponent.num == 0 ||
                 llvm::any_of(group, [&](const Factor &other) {
                   return other.atom == f.atom;
                 });
        });
        llvm::erase_if(bound, [&](Variable other) {
          return llvm::is_contained(variables, other);
        });
        isDone = false;
        break;
      }
    }
  }
}

void Algebra::collect(const Rational &coefficient,
                      llvm::ArrayRef<Variable> bound,
                      llvm::SmallVectorImpl<Factor> &factors, Collector &to) {
  mergeFactors(factors);
  if (collectConditions(coefficient, bound, factors, to))
    return;
  Rational number = coefficient;
  llvm::SmallVector<Factor, 3> kept, expanded;
  for (Factor factor : factors) {
    Rational &e = factor.exponent;
    switch (factor.atom->kind) {
    case Atom::Kind::Integer: {
      // The whole part of the exponent is a rational number.
      int64_t whole = static_cast<int64_t>(floor(e));
      e -= Rational(whole);
      for (; whole > 0 && spend(getArithmeticCost(number)); --whole)
        number *= Rational(factor.atom->integer);
      for (; whole < 0 && spend(getArithmeticCost(number)); ++whole)
        number /= Rational(factor.atom->integer);
      if (e.num != 0)
        kept.push_back(factor);
      break;
    }
    case Atom::Kind::Less:
    case Atom::Kind::AtMost:
    case Atom::Kind::Equal:
      if (isImplied(factor, factors))
        break;
      // Zero or one.
      if (e.num > 0)
        e = Rational(1);
      kept.push_back(factor);
      break;
    case Atom::Kind::Power: {
      Rational whole = e.num > 0 ? Rational(floor(e)) : Rational(0);
      if (e.num < 0 && isInteger(e) && !factor.atom->isPrimitive)
        whole = e;
      if (whole.num == 0) {
        kept.push_back(factor);
        break;
      }
      expanded.push_back({factor.atom, whole});
      e -= whole;
      if (e.num != 0)
        kept.push_back(factor);
      break;
    }
    default:
      kept.push_back(factor);
    }
  }
  llvm::SmallVector<Variable, 2> names(bound.begin(), bound.end());
  if (expanded.empty()) {
    cancelSums(names, kept);
    return bind(number, std::move(names), std::move(kept), to);
  }

  // Multiply out, with names for bound variables that nothing inside uses.
  Substitution fresh(*this);
  for (Variable &v : names) {
    Variable name = makeFresh(v);
    fresh.rename(v, name);
    v = name;
  }
  Polynomial product = makePolynomial(
      fresh.renamed(Monomial{number, {}, std::move(kept), 0, 1}));
  for (const Factor &factor : expanded) {
    Polynomial base = names.empty() ? factor.atom->argument
                                    : fresh.renamed(factor.atom->argument);
    product = multiply(product, power(base, factor.exponent));
    if (isStopped())
      return;
  }
  to.add(sum(names, product));
}

Polynomial Algebra::sum(llvm::ArrayRef<Variable> over, const Polynomial &a) {
  if (over.empty())
    return a;
  Collector total(*this);
  for (const Monomial &m : a.monomials) {
    if (!spend())
      return {};
    llvm::SmallVector<Variable, 2> bound(m.bound);
    bound.append(over.begin(), over.end());
    bind(m.coefficient, std::move(bound), m.factors, total);
  }
  return total.take();
}
