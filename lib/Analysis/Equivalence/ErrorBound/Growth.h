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
  /// As an argument of exp: of how many values that are no sums it is the sum.
  double summands = 1;
  /// Whether there are exponentials: without, all terms have the same.
  bool exponential = false;
  /// Whether there are results of functions, and whether these are more than
  /// summands, but for factors that are constants.
  bool function = false, functionFactor = false;
  /// Whether it is no constant.
  bool random = false;
  /// A maximum: of how many values that are none. Otherwise zero.
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
/// Of a value that is one or the other.
Growth either(const Growth &a, const Growth &b);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTH_H
