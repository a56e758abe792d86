//===- Equality.cpp - Equality of normal forms ----------------------------===//
//
// Two normal forms are equal if their difference is zero. Denominators that
// are the same at all points summed over are multiplied out first, since
// (a + b) / (a + b) has no normal form of its own.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
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
  if (isStopped())
    return false;
  return difference.isZero() || isZeroByCases(difference);
}
