//===- Real.cpp - Real numbers with error bounds --------------------------===//
//
// Implements arithmetic with running error analysis (Higham, Accuracy and
// Stability of Numerical Algorithms, section 3.3). Functions are in
// RealFunctions.cpp.
//
//===----------------------------------------------------------------------===//

#include "Real.h"
#include "RealFunctions.h"
#include <cmath>
#include <limits>

using namespace mirage;
using namespace mirage::mutate;

/// Rounding to nearest is 2^-113; the rest pays for the roundings of bounds.
static constexpr long double kRounding = 0x1p-111L;

static Quad getAbs(Quad x) { return x < 0 ? -x : x; }
static bool isInf(Quad x) { return x == x && x - x != 0; }

Real Real::getUnknown() {
  return Real(std::numeric_limits<double>::quiet_NaN());
}

bool Real::isInfinite() const { return isInf(value); }

/// Returns a rounded result of operands none of which is infinite.
static Real round(Quad value, long double error) {
  if (value != value || isInf(value) || !(error < INFINITY))
    return Real::getUnknown();
  return Real(value,
              error + kRounding * static_cast<long double>(getAbs(value)));
}

Real Real::get(const ExactConstant &constant) {
  if (constant.infinity)
    return Real(constant.infinity * std::numeric_limits<double>::infinity());
  Real result(static_cast<double>(constant.significand));
  result = mul(result, Real(scaleByPower(1, constant.exponent), 0));
  if (constant.divisor != 1)
    result = div(result, Real(static_cast<double>(constant.divisor)));
  auto multiply = [&](int exponent, Quad factor) {
    Real f(factor, kRounding * static_cast<long double>(factor));
    for (int i = 0; i < std::abs(exponent); ++i)
      result = exponent < 0 ? div(result, f) : mul(result, f);
  };
  multiply(constant.ln2, kQuadLn2);
  for (auto [prime, quarters] : getRootFactors(constant.radicand)) {
    Quad root = quadSqrt(static_cast<Quad>(prime));
    if (quarters == 2)
      multiply(1, root);
    else
      multiply(quarters, quadSqrt(root));
  }
  multiply(constant.sqrtPi, quadSqrt(kQuadPi));
  // Dyadic numbers are exact.
  if (!constant.isNamed())
    result.error = 0;
  return result;
}

bool Real::differ(const Real &a, const Real &b) {
  if (a.isUnknown() || b.isUnknown())
    return false;
  if (a.isInfinite() || b.isInfinite())
    return a.value != b.value;
  return static_cast<long double>(getAbs(a.value - b.value)) >
         2 * (a.error + b.error);
}

bool Real::areSharp(const Real &a, const Real &b) {
  if (a.isUnknown() || b.isUnknown())
    return false;
  long double larger = std::max(static_cast<long double>(getAbs(a.value)),
                                static_cast<long double>(getAbs(b.value)));
  return a.isInfinite() || a.error + b.error <= 0x1p-80L * larger;
}

std::string Real::toString() const {
  char text[80];
  std::snprintf(text, sizeof(text), "%.21Lg +- %.1Lg",
                static_cast<long double>(value), error);
  return text;
}

Real Real::add(const Real &a, const Real &b) {
  if (a.isInfinite() || b.isInfinite())
    return Real(a.value + b.value, 0);
  return round(a.value + b.value, a.error + b.error);
}

Real Real::sub(const Real &a, const Real &b) {
  return add(a, Real(-b.value, b.error));
}

Real Real::mul(const Real &a, const Real &b) {
  if (a.isInfinite() || b.isInfinite())
    return a.error + b.error == 0 ? Real(a.value * b.value, 0) : getUnknown();
  auto x = static_cast<long double>(getAbs(a.value)),
       y = static_cast<long double>(getAbs(b.value));
  return round(a.value * b.value,
               x * b.error + y * a.error + a.error * b.error);
}

Real Real::div(const Real &a, const Real &b) {
  if (b.isInfinite() && !a.isInfinite())
    return a.isUnknown() ? a : Real(0.0);
  auto y = static_cast<long double>(getAbs(b.value));
  if (a.isInfinite() || !(y > b.error))
    return getUnknown();
  Quad quotient = a.value / b.value;
  auto q = static_cast<long double>(getAbs(quotient));
  return round(quotient, (a.error + q * b.error) / (y - b.error));
}

Real Real::max(const Real &a, const Real &b) {
  if (a.isUnknown() || b.isUnknown())
    return getUnknown();
  const Real &larger = a.value >= b.value ? a : b;
  // If it is not certain which is larger, either is as good.
  if (a.isInfinite() || b.isInfinite() || differ(a, b))
    return larger;
  return Real(larger.value, std::max(a.error, b.error));
}

Real Real::min(const Real &a, const Real &b) {
  Real negative = max(Real(-a.value, a.error), Real(-b.value, b.error));
  return Real(-negative.value, negative.error);
}

Real Real::compare(CompareKind kind, const Real &a, const Real &b) {
  bool areExact = a.error + b.error == 0;
  if (a.isUnknown() || b.isUnknown() || (!areExact && !differ(a, b)))
    return getUnknown();
  switch (kind) {
  case CompareKind::EQ:
    return Real(a.value == b.value);
  case CompareKind::NE:
    return Real(a.value != b.value);
  case CompareKind::LT:
    return Real(a.value < b.value);
  case CompareKind::LE:
    return Real(a.value <= b.value);
  case CompareKind::GT:
    return Real(a.value > b.value);
  case CompareKind::GE:
    return Real(a.value >= b.value);
  }
  return getUnknown();
}

Real Real::choose(const Real &condition, const Real &a, const Real &b) {
  if (condition.value == 0 && condition.error == 0)
    return b;
  return differ(condition, Real(0.0)) ? a : getUnknown();
}

Real Real::exp(const Real &a) {
  if (a.isInfinite())
    return a.value > 0 ? a : Real(0.0);
  auto x = static_cast<long double>(getAbs(a.value));
  // Masks make such exponentials of scores: exp(-11000) < 2^-15869.
  if (a.value < 0 && x - a.error > 11000)
    return Real(0, 0x1p-15869L);
  if (!(a.error < 0x1p-10L) || !(x < 11000))
    return getUnknown();
  Quad result = quadExp(a.value);
  // exp(x + e) / exp(x) - 1 <= 2 e; argument reduction loses bits of x.
  return round(result, static_cast<long double>(result) *
                           (2 * a.error + (x + 8) * 4 * kRounding));
}

Real Real::exp2(const Real &a) {
  return exp(mul(a, Real(kQuadLn2, kRounding)));
}

Real Real::log(const Real &a) {
  auto x = static_cast<long double>(a.value);
  if (a.isInfinite() || !(x > 2 * a.error))
    return getUnknown();
  return round(quadLog(a.value), 2 * a.error / x + 8 * kRounding);
}

Real Real::sqrt(const Real &a) {
  auto x = static_cast<long double>(a.value);
  if (a.value == 0 && a.error == 0)
    return a;
  if (a.isInfinite() || !(x > 2 * a.error))
    return getUnknown();
  Quad root = quadSqrt(a.value);
  return round(root, a.error / static_cast<long double>(root));
}

Real Real::erf(const Real &a) {
  if (a.isInfinite())
    return Real(a.value > 0 ? 1.0 : -1.0);
  if (a.isUnknown())
    return a;
  // The slope is at most 2 / sqrt(pi).
  return round(quadErf(a.value), 1.2L * a.error + 256 * kRounding);
}

Real Real::tanh(const Real &a) {
  auto x = static_cast<long double>(a.value);
  if (std::fabs(x) > 100)
    return Real(x > 0 ? 1 : -1, 0x1p-200L);
  Real one(1.0), square = exp(add(a, a));
  return div(sub(square, one), add(square, one));
}

Real Real::sigmoid(const Real &a) {
  if (static_cast<long double>(a.value) < -10000)
    return Real(0.0, 0x1p-14000L);
  Real one(1.0);
  return div(one, add(one, exp(Real(-a.value, a.error))));
}

Real Real::pow(const Real &a, double exponent) {
  return exp(mul(Real(exponent), log(a)));
}
