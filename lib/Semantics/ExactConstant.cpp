//===- ExactConstant.cpp - What number a constant stands for --------------===//
//
// Recognizes roundings of named numbers times simple fractions.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ExactConstant.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <limits>

using namespace mirage;

double ExactConstant::toDouble() const {
  if (infinity)
    return infinity * std::numeric_limits<double>::infinity();
  double number = std::ldexp(static_cast<double>(significand), exponent) /
                  static_cast<double>(divisor);
  return number * std::pow(M_LN2, ln2) * (sqrt2 ? M_SQRT2 : 1.0) *
         std::pow(2 / M_2_SQRTPI, sqrtPi);
}

std::string mirage::toString(const ExactConstant &constant) {
  if (constant.infinity)
    return constant.infinity < 0 ? "-inf" : "inf";
  std::string text, below;
  double number =
      std::ldexp(static_cast<double>(constant.significand), constant.exponent) /
      static_cast<double>(constant.divisor);
  auto append = [&](std::string &to, llvm::StringRef factor) {
    if (!to.empty() && to != "-")
      to += " ";
    to += factor;
  };
  // Numbers in decimals look like their roundings: 1/12 does not.
  bool isFraction = constant.divisor % 2 == 1 && constant.divisor > 1 &&
                    std::abs(constant.exponent) < 32;
  if (isFraction)
    return llvm::formatv("{0}/{1}",
                         constant.significand << std::max(constant.exponent, 0),
                         constant.divisor << std::max(-constant.exponent, 0));
  bool hasName = constant.ln2 || constant.sqrt2 || constant.sqrtPi > 0;
  if (std::fabs(number) != 1 || !hasName)
    text = llvm::formatv("{0}", llvm::format("%.10g", number)).str();
  else if (number < 0)
    text = "-";
  for (int i = 0; i < std::abs(constant.ln2); ++i)
    append(text, constant.ln2 < 0 ? "log2(e)" : "ln(2)");
  if (constant.sqrt2)
    append(text, "sqrt(2)");
  for (int i = 0; i < std::abs(constant.sqrtPi); ++i)
    append(constant.sqrtPi < 0 ? below : text, "sqrt(pi)");
  return below.empty() ? text : text + " / " + below;
}

static void setBinary(ExactConstant &constant, double value) {
  double fraction = std::frexp(value, &constant.exponent);
  constant.significand = static_cast<int64_t>(std::ldexp(fraction, 53));
  constant.exponent -= 53;
  while (constant.significand && constant.significand % 2 == 0) {
    constant.significand /= 2;
    ++constant.exponent;
  }
  if (!constant.significand)
    constant.exponent = 0;
}

/// Returns true if few enough significant bits hold the number that the
/// constant is likely to be meant exactly.
static bool isShort(const ExactConstant &constant) {
  return std::abs(constant.significand) < 64;
}

namespace {
struct NamedNumber {
  double value;
  int ln2, sqrt2, sqrtPi;
  /// True if eleven bits are enough to tell a binary multiple by.
  bool ofF16;
  int64_t numerator = 1, divisor = 1;
};
} // namespace

/// The numbers that rewrites and frameworks introduce: bases of exponentials,
/// factors of attention scores (1 / sqrt(128)), constants of gelu.
///
/// In f16 there are 1024 significands. The multiples of these eight by
/// fractions of six bits are a fifth of them, so that any number of f16 would
/// often be taken for what it isn't. In f16 only binary multiples count, of the
/// seven that occur in such programs: ln 2 and log2(e) as bases of exponentials
/// and logarithms, sqrt(2) in factors of scores 1 / sqrt(2^(2k+1)) and in
/// gelu's x / sqrt(2), log2(e) sqrt(2) where both factors are one, 2 / sqrt(pi)
/// and sqrt(2 / pi) in gelu and its derivatives, and 0.044715: seven
/// significands.
static const NamedNumber kNamed[] = {
    {M_LN2, 1, 0, 0, true},
    {M_LOG2E, -1, 0, 0, true},
    {M_SQRT2, 0, 1, 0, true},
    {M_LN2 * M_SQRT2, 1, 1, 0, false},
    {M_LOG2E * M_SQRT2, -1, 1, 0, true},
    {M_2_SQRTPI, 0, 0, -1, true, 2},
    {M_2_SQRTPI * M_SQRT1_2, 0, 1, -1, true, 1},
    // This one belongs to the approximation of gelu by tanh.
    {0.044715, 0, 0, 0, true, 44715, 1000000},
};

/// Takes the number for 2^k / n with an odd n if it is the rounding of that:
/// the factor of a mean, of which programs have a sum. Of the 2^23 significands
/// of f32, the roundings of these are one in 2^14, as rare as a named number
/// times a fraction of six bits.
static bool setReciprocal(ExactConstant &constant, double value,
                          ElementType type) {
  constexpr int bits = 10;
  int exponent;
  double fraction = std::frexp(std::fabs(value), &exponent);
  for (int power = 1; power < bits; ++power) {
    double divisor = std::nearbyint(std::ldexp(1 / fraction, power));
    if (std::fmod(divisor, 2) == 0)
      continue;
    double reciprocal = std::ldexp(1 / divisor, power + exponent);
    if (roundTo(type, reciprocal) != std::fabs(value))
      continue;
    constant.significand = value < 0 ? -1 : 1;
    constant.exponent = power + exponent;
    constant.divisor = static_cast<int64_t>(divisor);
    return true;
  }
  return false;
}

ExactConstant mirage::getLiteralConstant(double value) {
  ExactConstant exact;
  if (std::isinf(value))
    exact.infinity = value > 0 ? 1 : -1;
  else
    setBinary(exact, value);
  return exact;
}

ExactConstant mirage::getExactConstant(double value, ElementType type) {
  ExactConstant exact = getLiteralConstant(value);
  if (exact.infinity)
    return exact;
  // An attribute holds more digits than the type of its operator.
  if (roundTo(type, value) != value)
    type = roundTo(ElementType::f32, value) == value ? ElementType::f32
                                                     : ElementType::f64;
  // Eight bits of a significand are too few to tell a named number by.
  if (isShort(exact) || type == ElementType::bf16 ||
      type == ElementType::f8E4M3FN || type == ElementType::f8E5M2)
    return exact;
  for (const NamedNumber &named : kNamed) {
    // named.value times a fraction of few bits, rounded, must be the constant.
    // Rounding the quotient to six bits finds the only candidate.
    int exponent;
    double fraction = std::frexp(value / named.value, &exponent);
    double simple =
        std::ldexp(std::nearbyint(std::ldexp(fraction, 6)), exponent - 6);
    bool isBinary = std::fabs(std::frexp(simple, &exponent)) == 0.5;
    if (type == ElementType::f16 && !(named.ofF16 && isBinary))
      continue;
    // The product's own rounding in f64 is the second of the two allowed.
    double product = simple * named.value;
    bool isRounding =
        type == ElementType::f64
            ? std::fabs(product - value) <= std::fabs(value) * 0x1p-52
            : roundTo(type, product) == value;
    if (!isRounding)
      continue;
    setBinary(exact, simple * static_cast<double>(named.numerator));
    exact.divisor = named.divisor;
    exact.ln2 = named.ln2;
    exact.sqrt2 = named.sqrt2;
    exact.sqrtPi = named.sqrtPi;
    return exact;
  }
  if (type != ElementType::f16)
    setReciprocal(exact, value, type);
  return exact;
}
