//===- DegreeBound.cpp - How often a random test errs ---------------------===//
//
// Puts together what two graphs' degrees and terms (GrowthEstimate.h) say about
// their difference, and takes the bound that applies.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/ErrorBound/DegreeBound.h"
#include "GrowthEstimate.h"
#include "Mirage/Analysis/Equivalence/ErrorBound/Independence.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

/// The smaller field has more than this many elements, but for one in 2^45.
static constexpr double kQ = 0x1p60;

/// A sum of `terms` exponentials. Coefficients and differences of exponents
/// have at most these degrees.
static double getFewError(double terms, double exponentDegree, double degree) {
  return 2 * std::pow(kQ, -1 / std::max(1.0, terms - 1)) +
         (terms * exponentDegree + degree) / kQ;
}

namespace {
/// The numbers that bound the error for both graphs.
struct Estimate {
  double degree = 0, terms = 0, applications, comparisons, argumentDegree,
         argumentTerms, exponentDegree, exponentDenominator;
  bool nested;

  Estimate(const FieldPlan &lhs, const FieldPlan &rhs,
           std::optional<double> powers = std::nullopt) {
    GrowthEstimate l(lhs, powers), r(rhs, powers);
    for (auto [a, b] : llvm::zip(lhs.getGraph().getRegion().results,
                                 rhs.getGraph().getRegion().results)) {
      Growth difference = add(l.get(a), r.get(b));
      degree = std::max(degree, difference.degree);
      terms = std::max(terms, difference.terms);
    }
    applications = l.applications + r.applications;
    comparisons = l.comparisons + r.comparisons;
    argumentDegree = std::max(l.argumentDegree, r.argumentDegree);
    argumentTerms = std::max(l.argumentTerms, r.argumentTerms);
    exponentDegree = std::max(l.exponentDegree, r.exponentDegree);
    exponentDenominator =
        std::max(l.exponentDenominator, r.exponentDenominator);
    nested = l.nested || r.nested;
  }

  /// Different arguments of a function may have equal values, each pair with
  /// the given probability, and so the two sides of a comparison.
  /// Where functions are not inside each other, only pairs count of which one
  /// is of at most `degree` applications.
  double getCollisions(double probability) const {
    double others = applications / 2, known = comparisons;
    if (!nested) {
      others = std::min(others, degree);
      known = std::min(known, degree);
    }
    return (applications * others + known) * probability;
  }

  double getLinear() const { return getCollisions(2 * argumentDegree / kQ); }

  double getFew() const {
    // Two exponents are sums of no more than `factors` arguments together,
    // whose denominators may differ.
    auto getError = [&](double count, double factors) {
      return getFewError(count, exponentDegree + factors * exponentDenominator,
                         factors);
    };
    return getError(terms, degree) +
           getCollisions(argumentTerms > 0
                             ? getError(2 * argumentTerms, 2 * argumentDegree)
                             : 2 * argumentDegree / kQ);
  }
};
} // namespace

TestError equivalence::getTestError(const FieldPlan &lhs, const FieldPlan &rhs,
                                    double leastBits) {
  Estimate estimate(lhs, rhs);
  TestError error;
  auto use = [&](TestError::Source source, const Estimate &by, double bound) {
    error.source = source;
    // Coefficients are not zero but for those that are multiples of a modulus.
    error.log2 = std::log2(std::max(bound, 1 / kQ));
    error.degree = by.degree;
    error.terms = by.terms;
    error.applications = by.applications;
  };
  if (!lhs.hasExponential() && !rhs.hasExponential()) {
    use(TestError::Source::Polynomial, estimate,
        estimate.degree / kQ + estimate.getLinear());
    return error;
  }
  double few = estimate.getFew();
  if (-std::log2(few) >= leastBits) {
    use(TestError::Source::FewExponentials, estimate, few);
    return error;
  }
  Independence independence = checkIndependence(lhs, rhs);
  if (!independence.problem.empty()) {
    error.whyDependent = independence.problem;
    use(TestError::Source::AssumedIndependence, estimate,
        estimate.degree / kQ + estimate.getLinear());
    return error;
  }
  // The factor of an argument's own number may be zero.
  Estimate precise(lhs, rhs, independence.degree);
  precise.nested |= independence.hasFunctions;
  use(TestError::Source::IndependentExponentials, precise,
      precise.degree / kQ + precise.getLinear() +
          independence.arguments * precise.argumentDegree / kQ);
  return error;
}
