//===- Functions.cpp - Exponentials, logarithms, comparisons --------------===//
//
// Functions of sums. An exponential of a sum is a product of exponentials of
// its terms, so that common shifts cancel like any factor.
//
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

Polynomial Algebra::constant(const ExactConstant &value) {
  Monomial m;
  if (value.infinity) {
    m.coefficient = Rational(value.infinity);
    m.factors.push_back({internFunction(Atom::Kind::Infinity, {}), 1});
    return makePolynomial(std::move(m));
  }
  m.coefficient = Rational(value.significand) / Rational(value.divisor);
  Rational base = value.exponent < 0 ? Rational(1, 2) : Rational(2);
  for (int i = 0; i < std::abs(value.exponent); ++i)
    m.coefficient *= base;
  llvm::SmallVector<Factor, 6> factors;
  if (value.ln2)
    factors.push_back({internFunction(Atom::Kind::Log, constant(Rational(2))),
                       Rational(value.ln2)});
  for (const RootFactor &root : getRootFactors(value.radicand)) {
    Atom prime;
    prime.kind = Atom::Kind::Integer;
    prime.integer = root.prime;
    factors.push_back(
        {intern(std::move(prime)), reduce(Rational(root.quarters, 4))});
  }
  if (value.sqrtPi)
    factors.push_back({internFunction(Atom::Kind::Pi, {}),
                       reduce(Rational(value.sqrtPi, 2))});
  Collector result(*this);
  collect(m.coefficient, {}, factors, result);
  return result.take();
}

static bool mayBeInfinite(const Monomial &m) {
  return llvm::any_of(m.factors,
                      [](const Factor &f) { return f.atom->mayBeInfinite; });
}

std::optional<int> Algebra::getInfiniteSign(const Polynomial &a,
                                            bool areMaximaFinite) {
  int sign = 0;
  for (const Monomial &m : a.monomials) {
    if (!::mayBeInfinite(m))
      continue;
    bool isMaximum =
        m.factors.size() == 1 && m.factors[0].atom->kind == Atom::Kind::Max;
    if (areMaximaFinite && isMaximum && !m.factors[0].atom->hasInfinity)
      continue;
    if (sign || !m.bound.empty() || m.factors.size() != 1 ||
        m.factors[0].atom->kind != Atom::Kind::Infinity ||
        m.factors[0].exponent != Rational(1))
      return std::nullopt;
    sign = m.coefficient.num < 0 ? -1 : 1;
  }
  return sign;
}

bool Algebra::requireFinite(const Polynomial &a, llvm::StringRef what) {
  // Infinities inside of functions are numbers that grow: exp(-t inf) hides a
  // masked score.
  if (llvm::none_of(a.monomials, [](const Monomial &m) {
        return llvm::any_of(m.factors, [](const Factor &f) {
          return f.atom->kind == Atom::Kind::Infinity;
        });
      }))
    return true;
  fail(what + llvm::Twine(" may be infinite"));
  return false;
}

Polynomial Algebra::exp(const Polynomial &a) {
  if (isStopped())
    return {};
  if (auto cases = applyByCases(a, [&](const Polynomial &x) { return exp(x); }))
    return *cases;
  // The maximum of masked values is a number where it is defined.
  std::optional<int> sign = getInfiniteSign(a, /*areMaximaFinite=*/true);
  if (sign && *sign < 0)
    return {};
  if (sign && *sign > 0) {
    fail("an exponential is infinite");
    return {};
  }
  Polynomial product = constant(1);
  llvm::SmallVector<Factor, 6> factors;
  for (Monomial m : a.monomials) {
    Rational coefficient = m.coefficient;
    // exp(c log(x)) = x^c
    if (m.bound.empty() && m.factors.size() == 1 &&
        m.factors[0].atom->kind == Atom::Kind::Log &&
        m.factors[0].exponent == Rational(1)) {
      product =
          multiply(product, power(m.factors[0].atom->argument, coefficient));
      continue;
    }
    m.coefficient = 1;
    const Atom *atom = internFunction(Atom::Kind::Exp, makePolynomial(m));
    factors.push_back({atom, coefficient});
  }
  Collector exponentials(*this);
  collect(1, {}, factors, exponentials);
  return multiply(product, exponentials.take());
}

/// Returns whether a = m for a monomial that is a product of exponentials and a
/// positive number.
static bool isPositiveProduct(const Polynomial &a) {
  return a.monomials.size() == 1 && a.monomials[0].bound.empty() &&
         a.monomials[0].coefficient.num > 0 &&
         llvm::all_of(a.monomials[0].factors, [](const Factor &f) {
           return f.atom->kind == Atom::Kind::Exp;
         });
}

Polynomial Algebra::log(const Polynomial &a) {
  if (isStopped())
    return {};
  if (auto cases = applyByCases(a, [&](const Polynomial &x) { return log(x); }))
    return *cases;
  if (!requireFinite(a, "a logarithm"))
    return {};
  std::optional<Rational> number = getConstant(a);
  if (number && number->num <= 0) {
    fail("a logarithm of a number that is not positive");
    return {};
  }
  if (number && *number == Rational(1))
    return {};
  if (isPositiveProduct(a)) {
    // log(c exp(m)^e) = log(c) + e m
    const Monomial &m = a.monomials[0];
    Polynomial result;
    if (m.coefficient != Rational(1))
      result =
          makeFactor(internFunction(Atom::Kind::Log, constant(m.coefficient)));
    for (const Factor &factor : m.factors)
      result = add(result, scale(factor.atom->argument, factor.exponent));
    return result;
  }
  // Exponentials that all terms have in common leave the logarithm.
  Polynomial shift, rest = a;
  for (const Monomial &m : a.monomials)
    for (const Factor &factor : m.factors) {
      if (factor.atom->kind != Atom::Kind::Exp ||
          usesAny(*factor.atom, m.bound))
        continue;
      std::optional<Rational> least;
      for (const Monomial &other : rest.monomials) {
        Rational exponent = 0;
        for (const Factor &f : other.factors)
          if (f.atom == factor.atom && !usesAny(*f.atom, other.bound))
            exponent = f.exponent;
        if (!least || exponent < *least)
          least = exponent;
      }
      if (!least || least->num == 0)
        continue;
      shift = add(shift, scale(factor.atom->argument, *least));
      rest = multiply(rest, makeFactor(factor.atom, -*least));
    }
  if (isStopped())
    return {};
  if (!shift.isZero())
    return add(shift, log(rest));
  return makeFactor(internFunction(Atom::Kind::Log, std::move(rest)));
}

Polynomial Algebra::erf(const Polynomial &a) {
  if (isStopped())
    return {};
  if (auto cases = applyByCases(a, [&](const Polynomial &x) { return erf(x); }))
    return *cases;
  if (!requireFinite(a, "the argument of erf"))
    return {};
  if (a.isZero())
    return {};
  return makeFactor(internFunction(Atom::Kind::Erf, a));
}

Polynomial Algebra::applyUnknown(unsigned number, const Polynomial &a) {
  if (isStopped())
    return {};
  if (auto cases = applyByCases(
          a, [&](const Polynomial &x) { return applyUnknown(number, x); }))
    return *cases;
  Atom atom;
  atom.kind = Atom::Kind::Unknown;
  atom.function = number;
  atom.argument = a;
  return makeFactor(intern(std::move(atom)));
}

/// The sum without a common positive rational factor.
static Polynomial dropPositiveFactor(Algebra &algebra, const Polynomial &a) {
  Rational common = 0;
  for (const Monomial &m : a.monomials)
    common = getGcd(common, m.coefficient);
  return algebra.scale(a, Rational(1) / common);
}

Polynomial Algebra::less(const Polynomial &a) {
  if (isStopped())
    return {};
  if (std::optional<Rational> number = getConstant(a))
    return constant(number->num < 0 ? 1 : 0);
  if (auto condition = compareIndices(a, /*isEquation=*/false))
    return *condition;
  if (auto cases =
          applyByCases(a, [&](const Polynomial &x) { return less(x); }))
    return *cases;
  std::optional<int> sign = getInfiniteSign(a);
  if (!sign) {
    fail("a comparison with an infinity");
    return {};
  }
  if (*sign)
    return constant(*sign < 0 ? 1 : 0);
  // NaN is not less, either.
  if (isNonNegative(a))
    return {};
  if (!hasPole(a) && isPositive(scale(a, -1)))
    return constant(1);
  if (auto condition = compareByDirection(a, /*isEquation=*/false))
    return *condition;
  return makeFactor(
      internFunction(Atom::Kind::Less, dropPositiveFactor(*this, a)));
}

Polynomial Algebra::atMost(const Polynomial &a) {
  if (isStopped())
    return {};
  if (!hasPole(a))
    return sub(constant(1), less(scale(a, -1)));
  std::optional<int> sign = getInfiniteSign(a);
  if (!sign || *sign) {
    fail("a comparison with an infinity");
    return {};
  }
  if (isPositive(a))
    return {};
  return makeFactor(
      internFunction(Atom::Kind::AtMost, dropPositiveFactor(*this, a)));
}

std::optional<std::pair<int, int>>
Algebra::getInfiniteSigns(const Polynomial &a, const Polynomial &b) {
  if (isStopped())
    return std::nullopt;
  std::optional<int> left = getInfiniteSign(a), right = getInfiniteSign(b);
  if (left && right) {
    bool isInfinite = *left || *right;
    // log(x) == -inf asks for a pole, and x/y != x/y for NaN.
    bool hasPoles = hasPole(a) || hasPole(b);
    bool cancels =
        !isInfinite && hasPoles &&
        sub(a, b).monomials.size() < a.monomials.size() + b.monomials.size();
    if (!(isInfinite && hasPoles) && !cancels)
      return std::make_pair(*left, *right);
  }
  fail("a comparison with an infinity");
  return std::nullopt;
}

Polynomial Algebra::compare(
    const Polynomial &a, const Polynomial &b,
    llvm::function_ref<bool(int, int)> ofSigns,
    llvm::function_ref<Polynomial(const Polynomial &)> ofDifference) {
  auto signs = getInfiniteSigns(a, b);
  if (!signs)
    return {};
  auto [left, right] = *signs;
  if (left || right)
    return constant(ofSigns(left, right) ? 1 : 0);
  return ofDifference(sub(a, b));
}

Polynomial Algebra::less(const Polynomial &a, const Polynomial &b) {
  return compare(a, b, std::less<int>(),
                 [this](const Polynomial &d) { return less(d); });
}

Polynomial Algebra::atMost(const Polynomial &a, const Polynomial &b) {
  return compare(a, b, std::less_equal<int>(),
                 [this](const Polynomial &d) { return atMost(d); });
}

Polynomial Algebra::equals(const Polynomial &a, const Polynomial &b) {
  return compare(a, b, std::equal_to<int>(),
                 [this](const Polynomial &d) { return equalsZero(d); });
}

Polynomial Algebra::equalsZero(const Polynomial &a) {
  if (isStopped())
    return {};
  if (std::optional<Rational> number = getConstant(a))
    return constant(number->num == 0 ? 1 : 0);
  if (auto condition = compareIndices(a, /*isEquation=*/true))
    return *condition;
  if (auto cases =
          applyByCases(a, [&](const Polynomial &x) { return equalsZero(x); }))
    return *cases;
  std::optional<int> sign = getInfiniteSign(a);
  if (!sign) {
    fail("a comparison with an infinity");
    return {};
  }
  if (*sign || isPositive(a) || isPositive(scale(a, -1)))
    return {};
  if (auto condition = compareByDirection(a, /*isEquation=*/true))
    return *condition;
  Polynomial value = dropPositiveFactor(*this, a);
  // Since a = 0 where -a = 0, the first term's coefficient decides. Where that
  // is not unique, the two are told apart.
  if (value.monomials.front().coefficient.num < 0 &&
      (value.monomials.size() == 1 ||
       value.monomials[0].hash != value.monomials[1].hash))
    value = scale(value, -1);
  return makeFactor(internFunction(Atom::Kind::Equal, std::move(value)));
}

/// Returns whether all factors are zero or one.
static bool isTruth(const Monomial &m) {
  return m.bound.empty() && llvm::all_of(m.factors, [](const Factor &f) {
           return isTruth(*f.atom) && f.exponent == Rational(1);
         });
}

/// Returns whether the value is always zero or one: t or 1 - t.
static bool isTruth(const Polynomial &a) {
  if (a.monomials.size() > 2 ||
      !llvm::all_of(a.monomials, [](const auto &m) { return isTruth(m); }))
    return false;
  Rational numbers = 0, others = 0;
  for (const Monomial &m : a.monomials)
    (m.factors.empty() ? numbers : others) += m.coefficient;
  bool oneOther = a.monomials.size() < 2 || numbers.num != 0;
  return oneOther && ((numbers.num == 0 && (others.num == 0 || others == 1)) ||
                      (numbers == 1 && (others.num == 0 || others == -1)));
}

Polynomial Algebra::select(const Polynomial &condition, const Polynomial &a,
                           const Polynomial &b) {
  if (std::optional<Rational> number = getConstant(condition))
    return number->num != 0 ? a : b;
  Polynomial truth = condition;
  if (!::isTruth(condition))
    truth = sub(constant(1), equalsZero(condition));
  return add(multiply(truth, a), multiply(sub(constant(1), truth), b));
}
