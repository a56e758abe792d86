//===- Rational.h - Exact numbers of the oracle -----------------*- C++ -*-===//
//
// Declares fractions of integers of any size, and infinities for the identities
// of maximum and minimum. A value that is no fraction is unknown.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_RATIONAL_H
#define MIRAGE_TOOLS_MUTATE_RATIONAL_H

#include "Mirage/Semantics/Enums.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "mlir/Analysis/Presburger/Fraction.h"
#include <string>

namespace mirage::mutate {

class Rational {
public:
  Rational() = default;
  Rational(int64_t numerator, int64_t denominator)
      : value(mlir::presburger::reduce(
            mlir::presburger::Fraction(numerator, denominator))) {}

  static Rational getUnknown() { return Rational(Kind::Unknown); }
  bool isUnknown() const { return kind == Kind::Unknown; }

  static Rational get(const ExactConstant &constant);

  static bool differ(const Rational &a, const Rational &b);
  static bool areSharp(const Rational &a, const Rational &b) {
    return !a.isUnknown() && !b.isUnknown();
  }

  std::string toString() const;

  // These are the values of Element.h.
  static Rational add(const Rational &a, const Rational &b);
  static Rational sub(const Rational &a, const Rational &b);
  static Rational mul(const Rational &a, const Rational &b);
  static Rational div(const Rational &a, const Rational &b);
  static Rational max(const Rational &a, const Rational &b);
  static Rational min(const Rational &a, const Rational &b);
  static Rational compare(CompareKind kind, const Rational &a,
                          const Rational &b);
  static Rational choose(const Rational &condition, const Rational &a,
                         const Rational &b);
  static Rational exp(const Rational &) { return getUnknown(); }
  static Rational exp2(const Rational &) { return getUnknown(); }
  static Rational log(const Rational &) { return getUnknown(); }
  static Rational sqrt(const Rational &) { return getUnknown(); }
  static Rational erf(const Rational &) { return getUnknown(); }
  static Rational tanh(const Rational &) { return getUnknown(); }
  static Rational sigmoid(const Rational &) { return getUnknown(); }
  static Rational pow(const Rational &, double) { return getUnknown(); }

private:
  enum class Kind : uint8_t { Finite, Infinite, NegativeInfinite, Unknown };

  explicit Rational(Kind kind) : kind(kind) {}
  explicit Rational(mlir::presburger::Fraction value)
      : value(std::move(value)) {}
  bool isFinite() const { return kind == Kind::Finite; }
  /// Returns -1, 0, 1 as `a` is less, equal, greater; both must be known.
  static int order(const Rational &a, const Rational &b);

  mlir::presburger::Fraction value{0, 1};
  Kind kind = Kind::Finite;
};

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_RATIONAL_H
