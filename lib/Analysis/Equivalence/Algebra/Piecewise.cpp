//===- Piecewise.cpp - Functions that have cases --------------------------===//
//
// Maxima, minima, absolute values, choices and comparisons of finite numbers
// are all made of one thing: the sign of a polynomial. Where
// Limits::piecewise is set, this is what their normal form has, too:
//
//   max(a, b) = b + [a > b] (a - b).
//
// A condition is [d < -c] or [d = -c], where the *direction* d has no constant
// term, no common factor, and a sign by which it is normalized; d > -c is what
// the two are not. What is a product of conditions of one direction is one of
// them or zero, and under [d = -c] one atom of d is expressed by the others. So
// a function of cases along one direction (a clamp, a leaky relu, elu) has one
// form. A function of cases is cases of the function: log(1 + exp(-|x|)).
//
// Conditions of several directions exclude each other by linear arithmetic,
// a < b < c < a say. That has no normal form; a difference of two forms is zero
// if it is in every combination of signs that a linear program finds possible.
//
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "Substitution.h"
#include "mlir/Analysis/Presburger/Simplex.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

/// Conditions that one value may depend on, of which every combination counts.
static constexpr unsigned kMaxConditions = 8;
/// Cases inside of each other.
static constexpr unsigned kMaxDepth = 32;

/// Counts what is inside of each other, and gives up where that is too much.
class Algebra::Nesting {
public:
  explicit Nesting(Algebra &algebra) : algebra(algebra) {
    if (++algebra.nesting > kMaxDepth)
      algebra.failAtLimit("more than " + llvm::Twine(kMaxDepth) +
                          " cases are inside each other");
  }
  ~Nesting() { --algebra.nesting; }

private:
  Algebra &algebra;
};

/// Returns whether the atom is a condition whose sides are numbers.
static bool isCondition(const Atom &atom) {
  return (atom.kind == Atom::Kind::Less || atom.kind == Atom::Kind::Equal) &&
         !atom.hasPole;
}

/// Returns a condition that is a factor of a term and has no variable bound by
/// it.
static const Atom *findCondition(const Polynomial &a) {
  for (const Monomial &m : a.monomials)
    for (const Factor &factor : m.factors)
      if (isCondition(*factor.atom) && !usesAny(*factor.atom, m.bound))
        return factor.atom;
  return nullptr;
}

/// Appends the conditions of a polynomial outside of all sums, those inside of
/// functions included.
static void appendConditions(const Polynomial &a,
                             llvm::SmallVectorImpl<const Atom *> &to) {
  for (const Monomial &m : a.monomials)
    for (const Factor &factor : m.factors) {
      const Atom &atom = *factor.atom;
      if (usesAny(atom, m.bound))
        continue;
      if (isCondition(atom) && !llvm::is_contained(to, &atom))
        to.push_back(&atom);
    }
}

std::optional<Rational> Algebra::getDistance(const Atom &a, const Atom &b) {
  return getConstant(sub(a.argument, b.argument));
}

Polynomial Algebra::assume(const Polynomial &a, const Atom &condition,
                           bool holds) {
  // What a condition hides is hidden by an infinity less itself.
  Comparing hidden(*this);
  llvm::SmallVector<const Atom *, 4> conditions{&condition};
  appendConditions(a, conditions);
  Substitution known(*this);
  bool isLess = condition.kind == Atom::Kind::Less;
  for (const Atom *other : conditions) {
    bool otherIsLess = other->kind == Atom::Kind::Less;
    if (other == &condition) {
      known.put(other, constant(holds ? 1 : 0));
      continue;
    }
    // The other one asks for d + c + distance.
    std::optional<Rational> distance = getDistance(*other, condition);
    if (!distance)
      continue;
    std::optional<bool> value;
    if (isLess && holds) {
      // d + c < 0
      if (distance->num <= 0)
        value = otherIsLess;
    } else if (isLess) {
      // d + c >= 0
      if (distance->num > 0 || (distance->num == 0 && otherIsLess))
        value = false;
    } else if (holds) {
      value = otherIsLess ? distance->num < 0 : distance->num == 0;
    }
    if (value)
      known.put(other, constant(*value ? 1 : 0));
  }
  Polynomial result = known.apply(a);
  return !isLess && holds ? solveIn(result, condition) : result;
}

std::optional<std::pair<const Atom *, Polynomial>>
Algebra::solve(const Atom &equation) {
  const std::vector<Monomial> &terms = equation.argument.monomials;
  // The last variable in the order of all atoms is taken, so that equations
  // that are solved in each other come to an end.
  const Monomial *best = nullptr;
  for (const Monomial &m : terms) {
    if (!m.bound.empty() || m.factors.size() != 1 ||
        m.factors[0].exponent != Rational(1) ||
        m.factors[0].atom->kind != Atom::Kind::Read ||
        m.factors[0].atom->mayBeInfinite)
      continue;
    auto getPlace = [](const Monomial &of) {
      return std::make_pair(of.factors[0].atom->hash,
                            of.factors[0].atom->number);
    };
    if (!best || getPlace(*best) < getPlace(m))
      best = &m;
  }
  if (!best)
    return std::nullopt;
  const Atom *atom = best->factors[0].atom;
  Substitution uses(*this);
  uses.put(atom, {});
  Polynomial rest;
  for (const Monomial &other : terms) {
    if (&other == best)
      continue;
    if (llvm::any_of(other.factors,
                     [&](const Factor &f) { return uses.concerns(*f.atom); }))
      return std::nullopt;
    rest.monomials.push_back(other);
  }
  return std::make_pair(atom, scale(rest, Rational(-1) / best->coefficient));
}

Polynomial Algebra::solveIn(const Polynomial &a, const Atom &equation) {
  auto solution = solve(equation);
  if (!solution)
    return a;
  Substitution known(*this);
  known.put(solution->first, std::move(solution->second));
  return known.apply(a);
}

bool Algebra::collectConditions(const Rational &coefficient,
                                llvm::ArrayRef<Variable> bound,
                                llvm::SmallVectorImpl<Factor> &factors,
                                Collector &to) {
  auto isAlive = [](const Factor &f) { return isCondition(*f.atom); };
  if (!limits.piecewise || llvm::none_of(factors, isAlive))
    return false;
  // Conditions of one direction become one.
  for (size_t i = 0; i < factors.size(); ++i)
    for (size_t j = i + 1; j < factors.size() && isAlive(factors[i]);) {
      if (!isAlive(factors[j])) {
        ++j;
        continue;
      }
      std::optional<Rational> distance =
          getDistance(*factors[j].atom, *factors[i].atom);
      if (!distance) {
        ++j;
        continue;
      }
      bool isLess = factors[i].atom->kind == Atom::Kind::Less,
           otherIsLess = factors[j].atom->kind == Atom::Kind::Less;
      bool isZero = false;
      // The stronger one stays.
      bool keepsOther = isLess && (!otherIsLess || distance->num > 0);
      if (isLess && !otherIsLess)
        isZero = distance->num <= 0;
      else if (!isLess && otherIsLess)
        isZero = distance->num >= 0;
      else if (!isLess)
        isZero = distance->num != 0;
      if (isZero)
        return true;
      if (keepsOther)
        factors[i] = factors[j];
      factors.erase(factors.begin() + j);
      // What is left is compared with all others again.
      if (keepsOther)
        j = i + 1;
    }
  // Conditions are zero or one.
  for (Factor &factor : factors)
    if (isAlive(factor))
      factor.exponent = 1;
  sortFactors(factors);
  for (const Factor &factor : factors) {
    if (factor.atom->kind != Atom::Kind::Equal || !isAlive(factor))
      continue;
    auto solution = solve(*factor.atom);
    if (!solution)
      continue;
    Substitution uses(*this);
    uses.put(solution->first, {});
    if (llvm::none_of(factors, [&](const Factor &other) {
          return other.atom != factor.atom && uses.concerns(*other.atom);
        }))
      continue;
    Nesting nesting(*this);
    if (isStopped())
      return true;
    // Variables that are bound get names that nothing inside uses.
    Substitution fresh(*this);
    llvm::SmallVector<Variable, 2> names(bound.begin(), bound.end());
    for (Variable &v : names) {
      Variable name = makeFresh(v);
      fresh.rename(v, name);
      v = name;
    }
    Substitution known(*this);
    const Atom *target = fresh.renamed(solution->first);
    known.put(target, fresh.renamed(solution->second));
    Polynomial product = constant(coefficient);
    for (const Factor &other : factors) {
      if (isStopped())
        return true;
      Factor renamed{fresh.renamed(other.atom), other.exponent};
      product =
          multiply(product, other.atom == factor.atom ? makeFactor(renamed.atom)
                                                      : known.apply(renamed));
    }
    if (!isStopped())
      to.add(sum(names, product));
    return true;
  }
  return false;
}

Polynomial Algebra::reduceBy(const Polynomial &a, const Atom &equation) {
  const std::vector<Monomial> &terms = equation.argument.monomials;
  const auto lead = llvm::find_if(
      terms, [](const Monomial &m) { return !m.factors.empty(); });
  if (lead == terms.end())
    return a;
  for (const Monomial &m : a.monomials)
    if (m.hash == lead->hash && spend() && areAlike(m, *lead))
      return sub(a,
                 scale(equation.argument, m.coefficient / lead->coefficient));
  return a;
}

std::optional<Polynomial> Algebra::multiplyByEquations(const Polynomial &a,
                                                       const Polynomial &b) {
  // What is solved for an atom is solved when the factors are collected.
  auto find = [&](const Monomial &m) -> const Atom * {
    for (const Factor &f : m.factors)
      if (f.atom->kind == Atom::Kind::Equal && isCondition(*f.atom) &&
          !usesAny(*f.atom, m.bound) && !solve(*f.atom))
        return f.atom;
    return nullptr;
  };
  auto hasEquation = [&](const Polynomial &x) {
    return llvm::any_of(x.monomials, find);
  };
  if (!hasEquation(a) && !hasEquation(b))
    return std::nullopt;
  Collector sum(*this);
  for (const Monomial &x : a.monomials) {
    const Atom *left = find(x);
    Polynomial other = left ? reduceBy(b, *left) : b;
    for (const Monomial &y : other.monomials) {
      if (!spend(1 + x.factors.size() + y.factors.size()))
        return Polynomial();
      Polynomial factor;
      factor.monomials.push_back(x);
      if (const Atom *right = find(y); right && right != left)
        factor = reduceBy(factor, *right);
      for (const Monomial &m : factor.monomials)
        collectProduct(m, y, sum);
    }
  }
  return sum.take();
}

std::optional<Polynomial> Algebra::applyByCases(
    const Polynomial &a,
    llvm::function_ref<Polynomial(const Polynomial &)> function) {
  if (!limits.piecewise || isStopped())
    return std::nullopt;
  const Atom *condition = findCondition(a);
  if (!condition)
    return std::nullopt;
  Nesting inside(*this);
  if (!spend())
    return Polynomial();
  llvm::SmallVector<const Atom *, 4> all;
  appendConditions(a, all);
  if (all.size() > kMaxConditions) {
    failAtLimit("a function of more than " + llvm::Twine(kMaxConditions) +
                " conditions");
    return Polynomial();
  }
  auto evaluate = [&](bool holds) {
    Polynomial given = assume(a, *condition, holds);
    if (isStopped())
      return Polynomial();
    std::optional<Polynomial> cases = applyByCases(given, function);
    return cases ? *cases : function(given);
  };
  Polynomial where = evaluate(true), elsewhere = evaluate(false);
  if (isStopped())
    return Polynomial();
  Polynomial truth = makeFactor(condition);
  auto getSign = [&](const Polynomial &value) {
    std::optional<int> sign = getInfiniteSign(value);
    return sign ? *sign : 0;
  };
  // What an infinity is added to makes no difference.
  if (getSign(where) && !mayBeInfinite(elsewhere))
    return add(elsewhere, multiply(truth, where));
  if (getSign(elsewhere) && !mayBeInfinite(where))
    return add(where, multiply(sub(constant(1), truth), elsewhere));
  return add(multiply(truth, where),
             multiply(sub(constant(1), truth), elsewhere));
}

Polynomial Algebra::resolveMask(const Polynomial &a) {
  if (!mayBeInfinite(a))
    return a;
  std::optional<Polynomial> cases =
      applyByCases(a, [&](const Polynomial &value) {
        std::optional<int> sign = getInfiniteSign(value);
        if (!sign || !*sign)
          return value;
        return scale(makeFactor(internFunction(Atom::Kind::Infinity, {})),
                     *sign);
      });
  return cases ? *cases : a;
}

/// The number among the terms.
static Rational getNumber(const Polynomial &a) {
  for (const Monomial &m : a.monomials)
    if (m.factors.empty() && m.bound.empty())
      return m.coefficient;
  return 0;
}

std::optional<Polynomial> Algebra::compareByDirection(const Polynomial &a,
                                                      bool isEquation) {
  if (!limits.piecewise || hasPole(a) || mayBeInfinite(a))
    return std::nullopt;
  Rational number = getNumber(a);
  Polynomial direction = sub(a, constant(number));
  if (direction.isZero() || isStopped())
    return std::nullopt;
  Rational common = 0;
  for (const Monomial &m : direction.monomials)
    common = getGcd(common, m.coefficient);
  bool isReversed = getSign(direction) < 0;
  if (isReversed)
    common = -common;
  Polynomial argument = scale(a, Rational(1) / common);
  Polynomial equal = makeFactor(internFunction(Atom::Kind::Equal, argument));
  if (isEquation)
    return equal;
  Polynomial less = makeFactor(internFunction(Atom::Kind::Less, argument));
  if (!isReversed)
    return less;
  return sub(constant(1), add(less, equal));
}

std::optional<Polynomial>
Algebra::maxByCases(llvm::ArrayRef<Alternative> alternatives) {
  constexpr size_t most = 4;
  if (!limits.piecewise || alternatives.empty() || alternatives.size() > most ||
      !llvm::all_of(alternatives, [](const Alternative &alternative) {
        return alternative.bound.empty() && !hasPole(alternative.value) &&
               !mayBeInfinite(alternative.value);
      }))
    return std::nullopt;
  Polynomial greatest = alternatives.front().value;
  for (const Alternative &alternative : alternatives.drop_front()) {
    Polynomial distance = sub(alternative.value, greatest);
    greatest = add(greatest, multiply(less(scale(distance, -1)), distance));
    if (isStopped())
      return Polynomial();
  }
  return greatest;
}

namespace {
/// Signs of polynomials that are assumed together. Monomials are unknowns,
/// and so is one, as a number that is positive: then p < 0 holds for some
/// values if p <= -1 holds for some multiple of them.
class Assumptions {
public:
  explicit Assumptions(Algebra &algebra) : algebra(algebra) {}

  /// Assumes p < 0, p > 0 or p = 0 by the sign; returns false if that is not
  /// possible.
  bool add(const Polynomial &p, int sign) {
    signs.push_back({p, sign});
    return isPossible();
  }
  void drop() { signs.pop_back(); }

private:
  bool isPossible();

  Algebra &algebra;
  std::vector<std::pair<Polynomial, int>> signs;
};
} // namespace

bool Assumptions::isPossible() {
  using namespace mlir::presburger;
  // One, and the monomials that occur.
  std::vector<const Monomial *> unknowns{nullptr};
  auto getUnknown = [&](const Monomial &m) -> size_t {
    if (m.factors.empty())
      return 0;
    for (size_t i = 1; i < unknowns.size(); ++i)
      if (algebra.areAlike(*unknowns[i], m))
        return i;
    unknowns.push_back(&m);
    return unknowns.size() - 1;
  };
  std::vector<std::vector<std::pair<size_t, Rational>>> rows;
  for (auto &[p, sign] : signs) {
    auto &row = rows.emplace_back();
    for (const Monomial &m : p.monomials)
      row.push_back({getUnknown(m), m.coefficient});
  }
  if (!algebra.spend(rows.size() * unknowns.size() * unknowns.size()))
    return true;
  Simplex simplex(unknowns.size());
  llvm::SmallVector<llvm::DynamicAPInt, 8> row(unknowns.size() + 1);
  auto require = [&](llvm::function_ref<void()> fill) {
    llvm::fill(row, llvm::DynamicAPInt(0));
    fill();
    simplex.addInequality(row);
  };
  for (size_t i = 0; i < unknowns.size(); ++i) {
    Polynomial single;
    if (i) {
      single.monomials.push_back(*unknowns[i]);
      single.monomials.back().coefficient = 1;
    }
    bool positive = !i || isPositive(single);
    if (positive || isNonNegative(single))
      require([&] {
        row[i] = 1;
        row.back() = positive ? -1 : 0;
      });
  }
  for (size_t r = 0; r < rows.size(); ++r) {
    llvm::DynamicAPInt common(1);
    for (auto &[i, coefficient] : rows[r])
      common = lcm(common, coefficient.den);
    auto requireSign = [&](int sign, bool strictly) {
      require([&] {
        for (auto &[i, coefficient] : rows[r])
          row[i] += coefficient.num * (common / coefficient.den) * sign;
        row.back() = strictly ? -1 : 0;
      });
    };
    int sign = signs[r].second;
    if (sign) {
      requireSign(sign, true);
    } else {
      requireSign(1, false);
      requireSign(-1, false);
    }
  }
  return !simplex.isEmpty();
}

bool Algebra::isZeroByCases(const Polynomial &difference) {
  if (!limits.piecewise)
    return false;
  llvm::SmallVector<const Atom *, 4> conditions;
  appendConditions(difference, conditions);
  if (conditions.empty() || conditions.size() > kMaxConditions)
    return false;
  Assumptions assumptions(*this);
  auto visit = [&](auto &self, const Polynomial &rest) -> bool {
    if (isStopped() || !spend())
      return false;
    const Atom *condition = rest.isZero() ? nullptr : findCondition(rest);
    if (!condition)
      return areEqual(rest, {});
    // Less than, greater than, equal.
    for (int sign : {-1, 1, 0}) {
      if (assumptions.add(condition->argument, sign)) {
        Polynomial given = rest;
        for (Atom::Kind kind : {Atom::Kind::Equal, Atom::Kind::Less}) {
          bool holds = kind == Atom::Kind::Less ? sign < 0 : sign == 0;
          given =
              assume(given, *internFunction(kind, condition->argument), holds);
        }
        if (!self(self, given))
          return false;
      }
      assumptions.drop();
    }
    return true;
  };
  return visit(visit, difference);
}
