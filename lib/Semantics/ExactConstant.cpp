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
  double root = 1;
  if (std::optional<int64_t> square = getSquareRoot())
    root = std::sqrt(static_cast<double>(*square));
  else
    root = std::sqrt(std::sqrt(static_cast<double>(radicand)));
  return number * std::pow(M_LN2, ln2) * root *
         std::pow(2 / M_2_SQRTPI, sqrtPi);
}

llvm::SmallVector<RootFactor, 2> mirage::getRootFactors(int64_t radicand) {
  llvm::SmallVector<RootFactor, 2> factors;
  for (int64_t prime = 2; radicand > 1; ++prime) {
    // What has no divisor up to its root is a prime number.
    if (prime * prime > radicand)
      prime = radicand;
    int quarters = 0;
    for (; radicand % prime == 0; radicand /= prime)
      ++quarters;
    if (quarters)
      factors.push_back({prime, quarters});
  }
  return factors;
}

std::optional<int64_t> ExactConstant::getSquareRoot() const {
  int64_t square = 1;
  for (const RootFactor &factor : getRootFactors(radicand)) {
    if (factor.quarters != 2)
      return std::nullopt;
    square *= factor.prime;
  }
  return square;
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
    text = llvm::formatv("{0}/{1}",
                         constant.significand << std::max(constant.exponent, 0),
                         constant.divisor << std::max(-constant.exponent, 0));
  bool hasName = constant.ln2 || constant.radicand != 1 || constant.sqrtPi > 0;
  if (!text.empty() && !hasName)
    return text;
  if (text.empty() && (std::fabs(number) != 1 || !hasName))
    text = llvm::formatv("{0}", llvm::format("%.10g", number)).str();
  else if (text.empty() && number < 0)
    text = "-";
  for (int i = 0; i < std::abs(constant.ln2); ++i)
    append(text, constant.ln2 < 0 ? "log2(e)" : "ln(2)");
  if (std::optional<int64_t> square = constant.getSquareRoot()) {
    if (*square != 1)
      append(text, llvm::formatv("sqrt({0})", *square).str());
  } else {
    append(text, llvm::formatv("{0}^(1/4)", constant.radicand).str());
  }
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
  int ln2;
  int64_t radicand;
  int sqrtPi;
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
    {M_LN2, 1, 1, 0, true},
    {M_LOG2E, -1, 1, 0, true},
    {M_SQRT2, 0, 4, 0, true},
    {M_LN2 * M_SQRT2, 1, 4, 0, false},
    {M_LOG2E * M_SQRT2, -1, 4, 0, true},
    {M_2_SQRTPI, 0, 1, -1, true, 2},
    {M_2_SQRTPI * M_SQRT1_2, 0, 4, -1, true, 1},
    // This one belongs to the approximation of gelu by tanh.
    {0.044715, 0, 1, 0, true, 44715, 1000000},
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

/// Returns true if `value`, of the type, is the rounding of `number`, which is
/// a result of a few operations in f64.
static bool isRoundingOf(double value, double number, ElementType type) {
  // Such a result may be the double beside the nearest one.
  return type == ElementType::f64
             ? std::fabs(number - value) <= std::fabs(value) * 0x1p-52
             : roundTo(type, number) == value;
}

/// Takes the number for a power of two over the square root or the fourth root
/// of an integer m if it is the rounding of that, or of that times log2(e):
/// factors of attention scores of any number of columns d = 4^k m (fourth roots
/// are the factors of queries and keys, d = 16^k m), the latter for
/// exponentials of base two; or for a power of two times the square root, by
/// which embeddings are scaled.
///
/// m is at most 1023 in f32, where the roundings of all of these are one
/// significand in 2^11, and in f64. In f16 it is at most 15, and there are only
/// quotients by square roots: d is any multiple of 16 up to 256 then, and two
/// significands in 100 are taken for something else than they are. What is
/// taken so differs by a rounding from what was written, which a program in
/// this type has anyway, and floats compare what both programs write.
static bool setRoot(ExactConstant &constant, double value, ElementType type) {
  bool isNarrow = type == ElementType::f16;
  const double most = isNarrow ? 16 : 1024;
  // A rounding of the number changes m by less than this, relatively.
  const double rounding = isNarrow                   ? 0x1p-8
                          : type == ElementType::f32 ? 0x1p-21
                                                     : 0x1p-49;
  struct Form {
    int degree, sign;
    bool hasLog2E;
  };
  // The significand is that of 2^k m^(sign / degree).
  for (Form form : {Form{2, -1, false}, Form{2, -1, true}, Form{2, 1, false},
                    Form{4, -1, false}}) {
    if (isNarrow && (form.degree != 2 || form.sign > 0))
      continue;
    double scale = form.hasLog2E ? M_LOG2E : 1;
    int exponent;
    double fraction = std::frexp(std::fabs(value) / scale, &exponent);
    double power = fraction * fraction;
    if (form.degree == 4)
      power *= power;
    double step = form.degree == 4 ? 16 : 4;
    double m = form.sign < 0 ? 1 / power : power;
    for (int k = 0; m < most; m *= step, ++k) {
      double radicand = std::nearbyint(m);
      if (std::fabs(m - radicand) > rounding * m || radicand < 2 ||
          std::fmod(radicand, step) == 0)
        continue;
      double root = std::sqrt(radicand);
      if (form.degree == 4)
        root = std::sqrt(root);
      double number = std::ldexp(form.sign < 0 ? scale / root : scale * root,
                                 exponent - form.sign * k);
      if (!isRoundingOf(std::fabs(value), number, type))
        continue;
      // Fractions are named by what is exact to a rounding of their own.
      bool isFraction = std::fmod(root, 1) == 0;
      if (isFraction && !form.hasLog2E)
        continue;
      // m^(-1/4) = (m^3)^(1/4) / m, without fourth powers under the root.
      constant = ExactConstant();
      constant.significand = value < 0 ? -1 : 1;
      constant.exponent = exponent - form.sign * k;
      constant.ln2 = form.hasLog2E ? -1 : 0;
      for (const RootFactor &factor :
           getRootFactors(static_cast<int64_t>(radicand))) {
        int quarters = factor.quarters * form.sign * (4 / form.degree);
        int whole = quarters >= 0 ? quarters / 4 : -((3 - quarters) / 4);
        for (int i = 0; i < std::abs(whole); ++i)
          (whole > 0 ? constant.significand : constant.divisor) *= factor.prime;
        for (int i = 4 * whole; i < quarters; ++i)
          constant.radicand *= factor.prime;
      }
      for (; constant.divisor % 2 == 0; constant.divisor /= 2)
        --constant.exponent;
      for (; constant.significand % 2 == 0; constant.significand /= 2)
        ++constant.exponent;
      return true;
    }
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
    if (!isRoundingOf(value, simple * named.value, type))
      continue;
    setBinary(exact, simple * static_cast<double>(named.numerator));
    exact.divisor = named.divisor;
    exact.ln2 = named.ln2;
    exact.radicand = named.radicand;
    exact.sqrtPi = named.sqrtPi;
    return exact;
  }
  if (type == ElementType::f16 || !setReciprocal(exact, value, type))
    setRoot(exact, value, type);
  return exact;
}
