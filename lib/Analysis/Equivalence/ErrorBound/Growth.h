//===- Growth.h - Degrees and terms of a graph's values ---------*- C++ -*-===//
//
// Every value is a quotient of two sums of terms c * exp(l), where c are
// polynomials in the inputs and in the results of functions. Bounds are kept of
// the degrees of both sums and of their numbers of different exponentials.
// Numbers are doubles: they get large.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTH_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTH_H

namespace mirage::equivalence {

/// Bounds for one value: numerator and denominator.
struct Growth {
  double degree = 0, denominatorDegree = 0;
  /// Terms with different exponentials.
  double terms = 1, denominatorTerms = 1;
  /// An argument of exp is the sum of so many values that are no sums.
  double summands = 1;
  /// There are exponentials. Without, all terms have the same.
  bool exponential = false;
  /// There are results of functions; and these are more than summands, but for
  /// factors that are constants.
  bool function = false, functionFactor = false;
  /// The value is no constant.
  bool random = false;
  /// A maximum is taken of so many values that are no maxima. The number is
  /// zero for other values.
  double leaves = 0;

  static Growth variable();
  static Growth functionResult(double leaves = 0);
  static Growth constant();
};

Growth multiply(const Growth &a, const Growth &b);
Growth invert(const Growth &a);
Growth add(const Growth &a, const Growth &b);
/// The sum of `count` values bounded by `a`, whose denominators may differ.
Growth addMany(const Growth &a, double count);
/// Bounds a value that is one or the other.
Growth either(const Growth &a, const Growth &b);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTH_H
