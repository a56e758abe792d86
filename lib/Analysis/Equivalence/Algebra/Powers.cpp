//===- Powers.cpp - Inverses and roots of sums ----------------------------===//
//
// A power of a sum is a power of what all its terms have in common, times a
// power of the rest. Inverses divide out every common factor. Under a root,
// only what is known to be positive may leave: rational numbers, exponentials
// and powers of positive sums.
//
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

/// A polynomial as common * rest.
struct Algebra::Decomposition {
  Monomial common;
  Polynomial rest;
};

/// The sign by which a sum is normalized: that of the first coefficient. Terms
/// with equal hashes have no order among them, so their coefficients are added.
int equivalence::getSign(const Polynomial &a) {
  for (size_t i = 0; i < a.monomials.size();) {
    Rational sum = 0;
    uint64_t hash = a.monomials[i].hash;
    for (; i < a.monomials.size() && a.monomials[i].hash == hash; ++i)
      sum += a.monomials[i].coefficient;
    if (sum.num != 0)
      return sum.num < 0 ? -1 : 1;
  }
  return 1;
}

/// Returns whether the factor may be divided out.
static bool canDivide(const Atom &atom, bool onlyPositive) {
  switch (atom.kind) {
  case Atom::Kind::Exp:
    return !atom.hasInfinity;
  case Atom::Kind::Less:
  case Atom::Kind::AtMost:
  case Atom::Kind::Equal:
    // For these t * t = t holds, with which divisions do not go well.
    return false;
  case Atom::Kind::Power:
    return (!onlyPositive || atom.isPositive) && !atom.hasInfinity;
  default:
    return !onlyPositive && !atom.hasInfinity;
  }
}

/// The factors that all terms have, with the least exponent of each. A term
/// without the factor has it with exponent zero.
static llvm::SmallVector<Factor, 3> getCommonFactors(const Polynomial &a,
                                                     bool onlyPositive) {
  llvm::SmallVector<const Atom *, 8> atoms;
  for (const Monomial &m : a.monomials)
    for (const Factor &factor : m.factors)
      if (!usesAny(*factor.atom, m.bound) &&
          canDivide(*factor.atom, onlyPositive) &&
          !llvm::is_contained(atoms, factor.atom))
        atoms.push_back(factor.atom);
  llvm::SmallVector<Factor, 3> common;
  for (const Atom *atom : atoms) {
    std::optional<Rational> least;
    for (const Monomial &m : a.monomials) {
      Rational exponent = 0;
      for (const Factor &factor : m.factors)
        if (factor.atom == atom && !usesAny(*atom, m.bound))
          exponent = factor.exponent;
      if (!least || exponent < *least)
        least = exponent;
    }
    if (least->num != 0)
      common.push_back({atom, *least});
  }
  return common;
}

Algebra::Decomposition Algebra::divideOut(const Polynomial &a,
                                          bool onlyPositive) {
  Decomposition result;
  result.rest = a;
  Polynomial common = constant(1);
  // Multiplying out denominators may show more common factors.
  for (unsigned round = 0; round < 8 && !isStopped(); ++round) {
    if (result.rest.isZero()) {
      fail("a denominator or the argument of a root is zero");
      break;
    }
    Monomial divisor;
    divisor.coefficient = 0;
    for (const Monomial &m : result.rest.monomials)
      divisor.coefficient = getGcd(divisor.coefficient, m.coefficient);
    if (!onlyPositive && getSign(result.rest) < 0)
      divisor.coefficient = -divisor.coefficient;
    divisor.factors = getCommonFactors(result.rest, onlyPositive);
    bool isDone = divisor.factors.empty();
    if (isDone && divisor.coefficient == Rational(1))
      break;
    Monomial inverse = divisor;
    inverse.coefficient = Rational(1) / divisor.coefficient;
    for (Factor &factor : inverse.factors)
      factor.exponent = -factor.exponent;
    common = multiply(common, makePolynomial(std::move(divisor)));
    result.rest = multiply(result.rest, makePolynomial(std::move(inverse)));
    if (isDone)
      break;
  }
  // Factors that were divided out are no sums, but the powers among them may
  // have been multiplied out again.
  if (common.monomials.size() != 1 || !common.monomials.front().bound.empty()) {
    result.common = Monomial();
    result.rest = a;
    return result;
  }
  result.common = common.monomials.front();
  return result;
}

/// Divides out the even powers that all terms have: of reads of inputs, and of
/// maxima.
std::optional<Algebra::Decomposition>
Algebra::takeEvenPowers(const Polynomial &a) {
  Monomial divisor, inverse;
  for (Factor factor : getCommonFactors(a, /*onlyPositive=*/false)) {
    // The root of an even power with an exponent that is no integer would be
    // looked at again.
    bool isNumber = factor.atom->kind == Atom::Kind::Read ||
                    factor.atom->kind == Atom::Kind::Max;
    if (!isNumber || factor.atom->mayBeInfinite ||
        !isInteger(factor.exponent) || factor.exponent.num < 2)
      continue;
    factor.exponent = Rational(floor(factor.exponent / Rational(2))) * 2;
    divisor.factors.push_back(factor);
    factor.exponent = -factor.exponent;
    inverse.factors.push_back(factor);
  }
  if (divisor.factors.empty())
    return std::nullopt;
  Decomposition result;
  result.common = divisor;
  result.rest = multiply(a, makePolynomial(std::move(inverse)));
  return result;
}

Polynomial Algebra::makePower(Polynomial base, const Rational &exponent) {
  Decomposition inside = divideOut(base, /*onlyPositive=*/false);
  Atom atom;
  atom.kind = Atom::Kind::Power;
  atom.isPrimitive =
      inside.common.factors.empty() && inside.common.coefficient == Rational(1);
  atom.argument = std::move(base);
  return makeFactor(intern(std::move(atom)), exponent);
}

Polynomial Algebra::inverse(const Polynomial &a) {
  if (isStopped())
    return {};
  if (auto cases =
          applyByCases(a, [&](const Polynomial &x) { return inverse(x); }))
    return *cases;
  if (!requireFinite(a, "a denominator"))
    return {};
  Decomposition parts = divideOut(a, /*onlyPositive=*/false);
  if (isStopped())
    return {};
  Monomial inverse = parts.common;
  inverse.coefficient = Rational(1) / inverse.coefficient;
  for (Factor &factor : inverse.factors)
    factor.exponent = -factor.exponent;
  Collector result(*this);
  llvm::SmallVector<Factor, 6> factors(inverse.factors.begin(),
                                       inverse.factors.end());
  collect(inverse.coefficient, {}, factors, result);
  std::optional<Rational> number = getConstant(parts.rest);
  if (number)
    return scale(result.take(), Rational(1) / *number);
  return multiply(result.take(), makePower(parts.rest, -1));
}

/// base^exponent for a positive number, by its small prime factors.
static void appendRoot(const Rational &base, const Rational &exponent,
                       llvm::function_ref<void(Integer, Rational)> append) {
  auto appendPrimes = [&](Integer n, const Rational &sign) {
    for (int64_t prime = 2; prime < 1000 && n > 1; ++prime) {
      int64_t power = 0;
      while (n % prime == 0) {
        n /= prime;
        ++power;
      }
      if (power)
        append(Integer(prime), sign * Rational(power));
    }
    if (n > 1)
      append(n, sign);
  };
  appendPrimes(base.num, exponent);
  appendPrimes(base.den, -exponent);
}

Polynomial Algebra::power(const Polynomial &a, const Rational &exponent) {
  if (isStopped())
    return {};
  if (isInteger(exponent)) {
    int64_t n = static_cast<int64_t>(exponent.num / exponent.den);
    if (n < -64 || n > 64) {
      failAtLimit("the exponent of a power is too large");
      return {};
    }
    if (n == 0)
      return constant(1);
    Polynomial base = n < 0 ? inverse(a) : a, result = base;
    for (int64_t i = 1; i < std::abs(n); ++i)
      result = multiply(result, base);
    return result;
  }
  if (auto cases = applyByCases(
          a, [&](const Polynomial &x) { return power(x, exponent); }))
    return *cases;
  if (!requireFinite(a, "a root"))
    return {};
  if (a.isZero()) {
    if (exponent.num < 0)
      fail("a denominator is zero");
    return {};
  }
  Decomposition parts = divideOut(a, /*onlyPositive=*/true);
  if (isStopped())
    return {};
  llvm::SmallVector<Factor, 6> factors;
  appendRoot(parts.common.coefficient, exponent, [&](Integer n, Rational e) {
    Atom atom;
    atom.kind = Atom::Kind::Integer;
    atom.integer = n;
    factors.push_back({intern(std::move(atom)), e});
  });
  for (Factor factor : parts.common.factors) {
    factor.exponent *= exponent;
    factors.push_back(factor);
  }
  if (limits.piecewise)
    if (auto even = takeEvenPowers(parts.rest)) {
      Collector common(*this);
      collect(1, {}, factors, common);
      Polynomial root = power(even->rest, exponent);
      for (const Factor &factor : even->common.factors) {
        Polynomial base = makeFactor(factor.atom);
        root = multiply(root, power(max(base, scale(base, -1)),
                                    factor.exponent * exponent));
      }
      return multiply(common.take(), root);
    }
  const Polynomial &rest = parts.rest;
  if (std::optional<Rational> number = getConstant(rest)) {
    if (*number != Rational(1)) {
      fail("a root of a negative number");
      return {};
    }
  } else {
    const Monomial &m = rest.monomials.front();
    Factor only;
    if (rest.monomials.size() == 1 && m.bound.empty() &&
        m.coefficient == Rational(1) && m.factors.size() == 1)
      only = m.factors.front();
    // An odd power is not negative only where its base is not, and other
    // powers but even ones have no negative base.
    bool isEven = only.atom && isInteger(only.exponent) &&
                  only.exponent.num / only.exponent.den % 2 == 0;
    if (only.atom && !isEven) {
      only.exponent *= exponent;
      factors.push_back(only);
    } else {
      Polynomial root = makePower(rest, exponent);
      if (isStopped())
        return {};
      factors.push_back(root.monomials.front().factors.front());
    }
  }
  Collector result(*this);
  collect(1, {}, factors, result);
  return result.take();
}
