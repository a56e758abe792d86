//===- IndexConditions.cpp - Numbers that are indices ---------------------===//
//
// A constant that counts rows or columns is an index as a number, and a
// comparison of two such is a condition on indices: a causal mask. It has one
// form, F < t with an integer t, where F has no common factor and no constant,
// and of the variables that a sum or maximum may run over one has a positive
// coefficient; for all others, F >= t is not F < t. A condition that the range
// of F decides is a number, and a sum ends where its terms' condition ends, so
// that tiles of which a mask hides everything make no difference.
//
//===----------------------------------------------------------------------===//

#include "Collector.h"
#include "Substitution.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::divideCeilSigned;
using llvm::divideFloorSigned;

/// Numbers of indices and factors beyond this are none that a mask is made of.
static constexpr int64_t kLargest = int64_t(1) << 40;

static std::optional<int64_t> getSmallInteger(const Rational &value) {
  if (!isInteger(value))
    return std::nullopt;
  Integer whole = value.num / value.den;
  if (whole > kLargest || whole < -kLargest)
    return std::nullopt;
  return static_cast<int64_t>(whole);
}

/// Divides a form by what its coefficients have in common, which it returns.
static int64_t takeCommonFactor(IndexForm &form) {
  int64_t common = 0;
  for (const IndexTerm &term : form.terms)
    common = std::gcd(common, term.coefficient);
  for (IndexTerm &term : form.terms)
    term.coefficient /= common;
  return common;
}

Polynomial Algebra::index(const IndexForm &form) {
  Polynomial number = constant(Rational(form.constant));
  if (form.isConstant() || isStopped())
    return number;
  Atom atom;
  atom.kind = Atom::Kind::Index;
  atom.at = form;
  atom.at.constant = 0;
  int64_t factor = takeCommonFactor(atom.at);
  return add(number,
             scale(makeFactor(intern(std::move(atom))), Rational(factor)));
}

/// Returns the form of a value that is one, if it is multiplied by `factor`.
static std::optional<IndexForm>
getForm(const Polynomial &a, const IndexArithmetic &indices, Rational &factor) {
  factor = 1;
  for (const Monomial &m : a.monomials)
    factor = Rational(lcm(factor.num, m.coefficient.den));
  IndexForm form;
  for (const Monomial &m : a.monomials) {
    std::optional<int64_t> number = getSmallInteger(m.coefficient * factor);
    bool isIndex = m.factors.size() == 1 &&
                   m.factors[0].atom->kind == Atom::Kind::Index &&
                   m.factors[0].exponent == Rational(1);
    if (!number || !m.bound.empty() || (!isIndex && !m.factors.empty()))
      return std::nullopt;
    form = isIndex ? indices.add(form, indices.mulConstant(
                                           m.factors[0].atom->at, *number))
                   : indices.addConstant(form, *number);
  }
  return form;
}

std::optional<Polynomial> Algebra::compareIndices(const Polynomial &a,
                                                  bool isEquation) {
  if (!limits.piecewise || a.monomials.size() > 8 ||
      llvm::none_of(a.monomials, [](const Monomial &m) {
        return m.factors.size() == 1 &&
               m.factors[0].atom->kind == Atom::Kind::Index;
      }))
    return std::nullopt;
  Rational factor;
  std::optional<IndexForm> form = getForm(a, indices, factor);
  if (!form)
    return std::nullopt;
  IndexArithmetic::Range range = indices.getRange(*form);
  bool isNever = isEquation ? range.greatest < 0 || range.least > 0
                            : range.least >= 0,
       isAlways = isEquation ? range.least == 0 && range.greatest == 0
                             : range.greatest < 0;
  if (isNever || isAlways)
    return constant(isAlways ? 1 : 0);
  int64_t number = form->constant;
  form->constant = 0;
  int64_t common = takeCommonFactor(*form);
  auto isSummed = [&](const IndexTerm &term) {
    return !variables.isFixed(term.digit.variable);
  };
  const auto *leading = llvm::find_if(form->terms, isSummed);
  if (leading == form->terms.end())
    leading = form->terms.begin();
  bool isReversed = leading->coefficient < 0;
  if (isReversed)
    *form = indices.mulConstant(*form, -1);
  auto make = [&](Atom::Kind kind, int64_t threshold) {
    return makeFactor(
        internFunction(kind, index(indices.addConstant(*form, -threshold))));
  };
  if (isEquation) {
    if (number % common != 0)
      return Polynomial();
    int64_t threshold = -number / common;
    return make(Atom::Kind::Equal, isReversed ? -threshold : threshold);
  }
  // common F + number < 0 means F < ceil(-number / common).
  int64_t threshold = divideCeilSigned(-number, common);
  if (!isReversed)
    return make(Atom::Kind::Less, threshold);
  // -F < t means F >= 1 - t.
  return sub(constant(1), make(Atom::Kind::Less, 1 - threshold));
}

std::optional<std::pair<Variable, int64_t>>
Algebra::findEnd(llvm::ArrayRef<Factor> factors,
                 llvm::ArrayRef<Variable> bound) const {
  for (const Factor &factor : factors) {
    if (factor.atom->kind != Atom::Kind::Less || !usesAny(*factor.atom, bound))
      continue;
    Rational scaledBy;
    std::optional<IndexForm> form =
        getForm(factor.atom->argument, indices, scaledBy);
    if (!form)
      continue;
    int64_t least = indices.getRange(*form).least;
    for (const IndexTerm &term : form->terms) {
      const Digit &digit = term.digit;
      if (term.coefficient <= 0 || !indices.isHighest(digit) ||
          !llvm::is_contained(bound, digit.variable) ||
          variables.getExtent(digit.variable) != digit.stride * digit.extent)
        continue;
      // The form is negative only for digits below this.
      int64_t end = divideCeilSigned(-least, term.coefficient);
      if (end > 0 && end < digit.extent)
        return std::make_pair(digit.variable, end * digit.stride);
    }
  }
  return std::nullopt;
}
