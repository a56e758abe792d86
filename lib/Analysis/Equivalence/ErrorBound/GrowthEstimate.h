//===- GrowthEstimate.h - Degrees and terms in a graph ----------*- C++ -*-===//
//
// Bounds of all values, and of what functions and exponentials are taken of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTHESTIMATE_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTHESTIMATE_H

#include "Growth.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
#include <optional>

namespace mirage::equivalence {

class FieldPlan;

/// The growth of each value of a graph of primitives.
class GrowthEstimate final : public ForwardAnalysis<Growth> {
public:
  /// An exponential is the product of `powers` numbers, if that is known.
  explicit GrowthEstimate(const FieldPlan &plan,
                          std::optional<double> powers = std::nullopt);

  /// Functions are applied so often, and comparisons that know equal numbers
  /// are made so often.
  double applications = 0, comparisons = 0;
  /// The degree of functions' and exponentials' arguments, and the exponential
  /// terms of functions' arguments; zero where there are none.
  double argumentDegree = 0, argumentTerms = 0;
  /// The degrees of exponentials' arguments.
  double exponentDegree = 0, exponentDenominator = 0;
  /// Functions' results are in functions' arguments, or factors in
  /// exponentials' arguments.
  bool nested = false;

private:
  Growth visitOperator(const MuNode &node) override;
  Growth visitAccumulate(const MuNode &node) override;
  Growth visitStore(const MuNode &node) override;

  Growth visitContraction(const MuNode &node, int64_t depth);
  Growth visitExtremum(const MuNode &node);

  /// The result of an unknown function of `leaves` arguments like this one.
  Growth apply(MuValue argument, double leaves = 1);
  double addLeaves(MuValue argument);
  Growth takeMaximum(MuValue argument, int64_t extent);
  /// The result of comparing `sides`; one operand of a choice is compared with
  /// zero.
  Growth compare(const MuNode &node, llvm::ArrayRef<MuValue> sides);
  Growth exponentiate(const Growth &argument);
  /// Bounds of a value whose elements are elements of the operands.
  Growth join(const MuNode &node) const;

  const FieldPlan &plan;
  std::optional<double> powers;
  /// The graph holds identities of max and min, with which the greatest of
  /// several numbers may be one of them.
  bool hasInfinity;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTHESTIMATE_H
