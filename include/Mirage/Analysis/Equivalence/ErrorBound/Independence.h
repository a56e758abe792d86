//===- Independence.h - Exponentials of independent numbers -----*- C++ -*-===//
//
// Checks whether the arguments of the exponentials on which an element of two
// graphs depends are combinations of numbers that are independent and uniform
// in Z_q for random inputs. docs/Verification.md derives what follows.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_INDEPENDENCE_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_INDEPENDENCE_H

#include "Mirage/Analysis/Equivalence/FieldPlan.h"

namespace mirage::equivalence {

struct Independence {
  /// The reason why it is not known that they are; empty if it is.
  std::string problem;
  /// The most powers of which an exponential is the product, counted by the
  /// magnitudes of exponents.
  double degree = 0;
  /// An element depends on at most so many different arguments.
  double arguments = 0;
  /// Results of functions are more than summands of an argument.
  bool hasFunctions = false;
};

/// Checks all elements of all results. The check is sufficient, not necessary.
Independence checkIndependence(const FieldPlan &lhs, const FieldPlan &rhs);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_INDEPENDENCE_H
