//===- DegreeBound.h - How often a random test errs -------------*- C++ -*-===//
//
// Bounds the probability that two different µGraphs agree in one test, from
// their degrees and numbers of exponential terms. docs/Verification.md derives
// the bounds.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_DEGREEBOUND_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_DEGREEBOUND_H

#include "Mirage/Analysis/Equivalence/FieldPlan.h"

namespace mirage::equivalence {

/// The probability that one test takes different graphs for equivalent.
struct TestError {
  enum class Source : uint8_t {
    /// A polynomial of known degree (Schwartz, Zippel).
    Polynomial,
    /// A sum of few exponentials.
    FewExponentials,
    /// The exponentials' arguments vary independently of each other.
    IndependentExponentials,
    /// The same, if the arguments vary independently, which is not known.
    AssumedIndependence,
  };
  Source source = Source::Polynomial;
  /// The binary logarithm of the probability, which is not negative where
  /// nothing is known.
  double log2 = 0;
  /// The probability is computed from the degree of the difference of two
  /// results after multiplication by all denominators, its number of
  /// exponential terms, and how often functions are applied.
  double degree = 0, terms = 0, applications = 0;
  /// The reason why it is not known, with AssumedIndependence.
  std::string whyDependent;
};

/// Graphs are the plans' primitives. A bound that needs no assumption is given
/// where its power -log2 is at least `leastBits`.
TestError getTestError(const FieldPlan &lhs, const FieldPlan &rhs,
                       double leastBits);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_DEGREEBOUND_H
