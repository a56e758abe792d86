//===- ValueFacts.h - What is known of all inputs ---------------*- C++ -*-===//
//
// Facts are what is known of each value of an expanded program from its
// operators alone, whatever the inputs are: whether it is an integer made of
// constants, its sign, and whether it has a value at all. Comparisons need
// that: residues have no order, and NaN has no laws.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_VALUEFACTS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_VALUEFACTS_H

#include "Mirage/MuGraph/MuGraph.h"
#include <limits>

namespace mirage::equivalence {

/// Random tests in fields know the order of integers below this magnitude, such
/// as numbers of rows and columns.
inline constexpr int64_t kSmallIntegers = 1 << 20;

/// The facts that hold for all elements of a value if all inputs are finite.
struct ValueFacts {
  /// Integers that are sums and products of constants have no greater
  /// magnitude; infinity for other values.
  double integerBound = std::numeric_limits<double>::infinity();
  /// The signs of the elements that have a value.
  bool isNonNegative = false, isNonZero = false;
  /// An element may be an infinity that the program has from the beginning,
  /// such as that of a mask, and a positive one.
  bool mayBeInfinite = false, mayBePositiveInfinity = false;
  /// An element may have no value: a quotient by zero, a logarithm or root
  /// outside of its domain, a difference of infinities.
  bool mayBeUndefined = false;

  bool isPositive() const { return isNonNegative && isNonZero; }
  bool isSmallInteger() const;
};

/// The facts of each value of a graph of primitives.
std::vector<ValueFacts> findFacts(const MuGraph &graph);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_VALUEFACTS_H
