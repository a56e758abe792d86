//===- Equality.cpp - Equality of normal forms ----------------------------===//
//
// Two normal forms are equal if their difference is zero. Denominators that
// are the same at all points summed over are multiplied out first, since
// (a + b) / (a + b) has no normal form of its own. Nor has sqrt(a) sqrt(b),
// which is sqrt(a b) where both sums are positive: a b is multiplied out, and
// nothing says what its factors were.
//
//===----------------------------------------------------------------------===//

#include "Substitution.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {
/// The least exponents of the sums in a polynomial.
struct Denominator {
  const Atom *atom = nullptr;
  Rational exponent = 0;
};
} // namespace

/// A sum with a negative exponent that may be multiplied out.
static Denominator
findDenominator(const Polynomial &a,
                const llvm::SmallPtrSetImpl<const Atom *> &done) {
  for (const Monomial &candidate : a.monomials)
    for (const Factor &factor : candidate.factors) {
      if (factor.atom->kind != Atom::Kind::Power || factor.exponent.num >= 0 ||
          usesAny(*factor.atom, candidate.bound) || done.contains(factor.atom))
        continue;
      Denominator found{factor.atom, factor.exponent};
      for (const Monomial &m : a.monomials)
        for (const Factor &other : m.factors)
          if (other.atom == found.atom && !usesAny(*other.atom, m.bound) &&
              other.exponent < found.exponent)
            found.exponent = other.exponent;
      return found;
    }
  return {};
}

/// Makes one root of the roots of positive sums that are factors of a term, and
/// one of those that the term is divided by. Returns nothing if no term has
/// two.
static std::optional<Polynomial> joinRoots(Algebra &algebra,
                                           const Polynomial &a) {
  Polynomial result;
  bool isJoined = false;
  for (const Monomial &m : a.monomials) {
    Polynomial term;
    term.monomials.push_back(m);
    for (bool areFactors : {true, false}) {
      llvm::SmallVector<const Factor *, 4> roots;
      Integer degree(1);
      for (const Factor &factor : m.factors)
        if (factor.atom->kind == Atom::Kind::Power && factor.atom->isPositive &&
            !isInteger(factor.exponent) &&
            (factor.exponent.num > 0) == areFactors &&
            !usesAny(*factor.atom, m.bound)) {
          roots.push_back(&factor);
          degree = lcm(degree, factor.exponent.den);
        }
      if (roots.size() < 2)
        continue;
      isJoined = true;
      Rational root(areFactors ? 1 : -1, degree);
      Polynomial product = algebra.constant(Rational(1));
      for (const Factor *factor : roots) {
        const Polynomial &sum = factor->atom->argument;
        product = algebra.multiply(product,
                                   algebra.power(sum, factor->exponent / root));
        term = algebra.multiply(term, algebra.power(sum, -factor->exponent));
      }
      term = algebra.multiply(term, algebra.power(product, root));
    }
    result = algebra.add(result, term);
  }
  return isJoined ? std::optional(std::move(result)) : std::nullopt;
}

bool Algebra::areEqual(const Polynomial &a, const Polynomial &b) {
  Comparing comparing(*this);
  Polynomial difference = sub(a, b);
  llvm::SmallPtrSet<const Atom *, 8> done;
  while (!difference.isZero() && !isStopped() && done.size() < 16) {
    Denominator denominator = findDenominator(difference, done);
    if (!denominator.atom)
      break;
    done.insert(denominator.atom);
    difference = multiply(difference,
                          makeFactor(denominator.atom, -denominator.exponent));
  }
  if (!difference.isZero() && !isStopped()) {
    // Products that grow too large show nothing.
    Trial trial(*this);
    std::optional<Polynomial> joined = joinRoots(*this, difference);
    if (joined && !isStopped())
      difference = std::move(*joined);
  }
  if (isStopped())
    return false;
  return difference.isZero() || isZeroByCases(difference);
}
