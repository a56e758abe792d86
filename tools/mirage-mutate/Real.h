//===- Real.h - Real numbers with error bounds ------------------*- C++ -*-===//
//
// Declares Binary128 numbers, each with a bound on its distance to the real
// number that it stands for, so that a comparison knows when it may not be
// trusted. (An ulp of f64 is 2^61 roundings of this format: changes of that
// size show.)
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_TOOLS_MUTATE_REAL_H
#define MIRAGE_TOOLS_MUTATE_REAL_H

#include "Mirage/Semantics/Enums.h"
#include "Mirage/Semantics/ExactConstant.h"
#include <string>

namespace mirage::mutate {

#ifdef __SIZEOF_FLOAT128__
using Quad = __float128;
#else
using Quad = long double;
#endif

class Real {
public:
  Real() = default;
  explicit Real(double value) : value(value) {}
  /// `error` bounds |value - what is meant|.
  Real(Quad value, long double error) : value(value), error(error) {}

  /// Returns a number that is not defined, or whose error is out of bounds.
  static Real getUnknown();
  bool isUnknown() const { return value != value; }
  bool isInfinite() const;

  static Real get(const ExactConstant &constant);

  /// Returns true if the numbers meant are certainly different.
  static bool differ(const Real &a, const Real &b);
  /// Returns true if errors are small enough for numbers that do not differ to
  /// count as equal: 2^-80 relative to the larger, a thousand times less than
  /// what an ulp of f64 makes of a number to which a millionth of it is added.
  static bool areSharp(const Real &a, const Real &b);

  std::string toString() const;

  // These are the values of Element.h.
  static Real add(const Real &a, const Real &b);
  static Real sub(const Real &a, const Real &b);
  static Real mul(const Real &a, const Real &b);
  static Real div(const Real &a, const Real &b);
  static Real max(const Real &a, const Real &b);
  static Real min(const Real &a, const Real &b);
  static Real compare(CompareKind kind, const Real &a, const Real &b);
  static Real choose(const Real &condition, const Real &a, const Real &b);
  static Real exp(const Real &a);
  static Real exp2(const Real &a);
  static Real log(const Real &a);
  static Real sqrt(const Real &a);
  static Real erf(const Real &a);
  static Real tanh(const Real &a);
  static Real sigmoid(const Real &a);
  static Real pow(const Real &a, double exponent);

private:
  Quad value = 0;
  long double error = 0;
};

} // namespace mirage::mutate

#endif // MIRAGE_TOOLS_MUTATE_REAL_H
