//===- Arithmetic.h - Operations on single numbers --------------*- C++ -*-===//
//
// Implements the values half of the systems of Element.h for float and double;
// that of numbers with error bounds is in ErrorBound.h. Whatever computes with
// numbers (Evaluate.h, the interpreter's accumulators) does so through an
// Arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ARITHMETIC_H
#define MIRAGE_SEMANTICS_ARITHMETIC_H

#include "Mirage/Semantics/Evaluate.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

namespace mirage {

/// Returns whether a comparison of two floats holds.
template <typename T> bool holds(CompareKind kind, T a, T b) {
  switch (kind) {
  case CompareKind::EQ:
    return a == b;
  case CompareKind::NE:
    return a != b;
  case CompareKind::LT:
    return a < b;
  case CompareKind::LE:
    return a <= b;
  case CompareKind::GT:
    return a > b;
  case CompareKind::GE:
    return a >= b;
  }
  llvm_unreachable("unknown comparison");
}

/// Arithmetic on numbers of type T, which is specialized for each number type.
template <typename T> struct Arithmetic {
  using Value = T;

  bool emulateTF32 = false;

  explicit Arithmetic(const EvaluateOptions &options = {})
      : emulateTF32(options.emulateTF32) {}

  T constant(double v) { return static_cast<T>(v); }
  T add(T a, T b) { return a + b; }
  T sub(T a, T b) { return a - b; }
  T mul(T a, T b) { return a * b; }
  T div(T a, T b) { return a / b; }
  // Maximum and minimum propagate NaN, as arith.maximumf does.
  T max(T a, T b) { return a != a || a > b ? a : b; }
  T min(T a, T b) { return a != a || a < b ? a : b; }
  /// Returns one where the comparison holds, else zero; with NaN only `ne`
  /// holds.
  T compare(CompareKind kind, T a, T b) { return T(holds(kind, a, b)); }
  /// Returns a where the condition is not zero, else b.
  T choose(T condition, T a, T b) { return condition != T(0) ? a : b; }
  T exp(T a) { return std::exp(a); }
  T exp2(T a) { return std::exp2(a); }
  T log(T a) { return std::log(a); }
  T sqrt(T a) { return std::sqrt(a); }
  T rsqrt(T a) { return T(1) / std::sqrt(a); }
  T erf(T a) { return std::erf(a); }
  T tanh(T a) { return std::tanh(a); }
  T sigmoid(T a) { return T(1) / (T(1) + std::exp(-a)); }
  T pow(T a, double e) { return std::pow(a, static_cast<T>(e)); }
  T roundToTF32(T a) {
    return emulateTF32 ? static_cast<T>(mirage::roundToTF32(a)) : a;
  }
  /// Returns the factor that turns a term relative to `from` into one relative
  /// to `to`.
  T rescale(T from, T to) { return from == to ? T(1) : std::exp(from - to); }

  /// Returns the number that is left when `a` is stored as `type`.
  T store(ElementType type, T a) { return static_cast<T>(roundTo(type, a)); }

  // An error bound must know more of a sum of many terms than add says. Between
  // beginSum and endSum, add adds terms.
  T beginSum(T initial) { return initial; }
  T addTerm(T accumulator, T term) { return accumulator + term; }
  T endSum(T accumulator) { return accumulator; }
  // These do the same for parts that are sums themselves, whose terms an
  // implementation may add in any order.
  T addPartial(T accumulator, T part) { return accumulator + part; }
};

} // namespace mirage

#endif // MIRAGE_SEMANTICS_ARITHMETIC_H
