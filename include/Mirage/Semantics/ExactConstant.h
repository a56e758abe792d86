//===- ExactConstant.h - What number a constant stands for ------*- C++ -*-===//
//
// Analyses that compute without rounding need to know which number a program
// means by a constant. A constant stands for the exact value of its binary
// representation, except where it is the rounding of one of a few irrational
// numbers times a simple fraction, of the reciprocal of an integer, or of a
// root of one: those are named, so that exp2(x log2(e)) is exp(x), sqrt(1/2) in
// f16 is that in f32, a sum times 1/12 is the mean of twelve, and 0.16129821 is
// log2(e) / sqrt(80).
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_EXACTCONSTANT_H
#define MIRAGE_SEMANTICS_EXACTCONSTANT_H

#include "Mirage/Semantics/ElementType.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace mirage {

/// The number significand * 2^exponent / divisor * ln(2)^ln2 * radicand^(1/4) *
/// sqrt(pi)^sqrtPi, or an infinity.
struct ExactConstant {
  int64_t significand = 0;
  int exponent = 0;
  /// A divisor that is no power of two; it is one except for named decimal
  /// fractions and reciprocals.
  int64_t divisor = 1;
  int ln2 = 0;
  /// A product of prime numbers, none of which occurs four times: 4 for
  /// sqrt(2), 5 for the fourth root of 5.
  int64_t radicand = 1;
  /// This is one, zero or minus one.
  int sqrtPi = 0;
  /// This is +1 or -1 for an infinity, else zero.
  int infinity = 0;

  /// Returns true if this is not the number that a program holds, but one of
  /// which the program holds a rounding.
  bool isNamed() const {
    return ln2 || radicand != 1 || sqrtPi || divisor != 1;
  }
  /// Returns the m of which sqrt(m) is a factor, if all roots are square ones.
  std::optional<int64_t> getSquareRoot() const;
  bool isZero() const { return significand == 0 && infinity == 0; }
  /// Returns the nearest double, or one beside it.
  double toDouble() const;
};

/// Returns the number that `value`, stored as `type`, stands for. `value` is no
/// NaN. If `type` does not hold it, it is taken for an attribute: a number of
/// f32 or f64.
ExactConstant getExactConstant(double value, ElementType type);

/// A prime factor of a radicand, and how many times four it occurs: 2 for the
/// square root.
struct RootFactor {
  int64_t prime;
  int quarters;
};
/// Returns the prime factors of a radicand, in order.
llvm::SmallVector<RootFactor, 2> getRootFactors(int64_t radicand);

/// Returns the number that `value` is, whatever it may be the rounding of.
ExactConstant getLiteralConstant(double value);

/// Prints the number: "0.0625 sqrt(2)", "2 / sqrt(pi)".
std::string toString(const ExactConstant &constant);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_EXACTCONSTANT_H
