//===- DegreeBound.h - How often a random test errs -------------*- C++ -*-===//
//
// Bounds the probability that two different µGraphs agree in one test, from
// their degrees and numbers of exponential terms. docs/Verification.md derives
// the bounds.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_DEGREEBOUND_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_DEGREEBOUND_H

#include "Mirage/Analysis/Equivalence/Fields/RandomTests.h"

namespace mirage::equivalence {

class FieldPlan;

/// Graphs are the plans' primitives. A bound that needs no assumption is given
/// where its power -log2 is at least `leastBits`.
TestError getTestError(const FieldPlan &lhs, const FieldPlan &rhs,
                       double leastBits);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_ERRORBOUND_DEGREEBOUND_H
