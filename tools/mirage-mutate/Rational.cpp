//===- Rational.cpp - Exact numbers of the oracle -------------------------===//
//
// Implements arithmetic on fractions.
//
//===----------------------------------------------------------------------===//

#include "Rational.h"
#include "llvm/Support/raw_ostream.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::DynamicAPInt;
using mlir::presburger::Fraction;

Rational Rational::get(const ExactConstant &constant) {
  if (constant.infinity)
    return Rational(constant.infinity > 0 ? Kind::Infinite
                                          : Kind::NegativeInfinite);
  if (constant.ln2 || constant.radicand != 1 || constant.sqrtPi)
    return getUnknown();
  DynamicAPInt power(1);
  for (int i = 0; i < std::abs(constant.exponent); ++i)
    power *= 2;
  DynamicAPInt numerator(constant.significand), denominator(constant.divisor);
  (constant.exponent > 0 ? numerator : denominator) *= power;
  return Rational(mlir::presburger::reduce(Fraction(numerator, denominator)));
}

int Rational::order(const Rational &a, const Rational &b) {
  auto rank = [](const Rational &x) {
    return x.isFinite() ? 0 : x.kind == Kind::Infinite ? 1 : -1;
  };
  if (!a.isFinite() || !b.isFinite())
    return rank(a) - rank(b);
  return mlir::presburger::compare(a.value, b.value);
}

bool Rational::differ(const Rational &a, const Rational &b) {
  return !a.isUnknown() && !b.isUnknown() && order(a, b) != 0;
}

std::string Rational::toString() const {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (isFinite())
    os << value;
  else
    os << (isUnknown() ? "unknown" : kind == Kind::Infinite ? "inf" : "-inf");
  return text;
}

Rational Rational::add(const Rational &a, const Rational &b) {
  if (a.isFinite() && b.isFinite())
    return Rational(a.value + b.value);
  if (a.isUnknown() || b.isUnknown() ||
      (!a.isFinite() && !b.isFinite() && a.kind != b.kind))
    return getUnknown();
  return a.isFinite() ? b : a;
}

Rational Rational::sub(const Rational &a, const Rational &b) {
  return add(a, mul(Rational(-1, 1), b));
}

Rational Rational::mul(const Rational &a, const Rational &b) {
  if (a.isFinite() && b.isFinite())
    return Rational(a.value * b.value);
  Rational zero;
  if (a.isUnknown() || b.isUnknown() || order(a, zero) == 0 ||
      order(b, zero) == 0)
    return getUnknown();
  return Rational(order(a, zero) * order(b, zero) > 0 ? Kind::Infinite
                                                      : Kind::NegativeInfinite);
}

Rational Rational::div(const Rational &a, const Rational &b) {
  if (!a.isFinite() || !b.isFinite() || b.value == Fraction(0, 1))
    return getUnknown();
  // Fraction's quotients want positive divisors.
  if (b.value < Fraction(0, 1))
    return Rational((-a.value) / (-b.value));
  return Rational(a.value / b.value);
}

Rational Rational::max(const Rational &a, const Rational &b) {
  if (a.isUnknown() || b.isUnknown())
    return getUnknown();
  return order(a, b) >= 0 ? a : b;
}

Rational Rational::min(const Rational &a, const Rational &b) {
  if (a.isUnknown() || b.isUnknown())
    return getUnknown();
  return order(a, b) <= 0 ? a : b;
}

Rational Rational::compare(CompareKind kind, const Rational &a,
                           const Rational &b) {
  if (a.isUnknown() || b.isUnknown())
    return getUnknown();
  int sign = order(a, b);
  auto holds = [&] {
    switch (kind) {
    case CompareKind::EQ:
      return sign == 0;
    case CompareKind::NE:
      return sign != 0;
    case CompareKind::LT:
      return sign < 0;
    case CompareKind::LE:
      return sign <= 0;
    case CompareKind::GT:
      return sign > 0;
    case CompareKind::GE:
      return sign >= 0;
    }
    return false;
  };
  return Rational(holds(), 1);
}

Rational Rational::choose(const Rational &condition, const Rational &a,
                          const Rational &b) {
  if (condition.isUnknown())
    return getUnknown();
  return order(condition, Rational()) ? a : b;
}
