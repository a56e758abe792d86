//===- GrowthEstimate.h - Degrees and terms in a graph ----------*- C++ -*-===//
//
// Bounds of all values, and of what functions and exponentials are taken of.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTHESTIMATE_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTHESTIMATE_H

#include "Growth.h"
#include "Mirage/MuGraph/MuGraph.h"
#include <optional>

namespace mirage::equivalence {

class FieldPlan;

/// Goes through a graph of primitives once.
class GrowthEstimate {
public:
  /// `powers`: of how many numbers an exponential is the product, if known.
  explicit GrowthEstimate(const FieldPlan &plan,
                          std::optional<double> powers = std::nullopt);

  const Growth &get(MuValue value) const { return growth[value]; }

  /// How often functions are applied, and how often a comparison that knows
  /// equal numbers. The degree of functions' and exponentials' arguments, and
  /// the exponential terms of functions' arguments; zero where there are none.
  double applications = 0, comparisons = 0, argumentDegree = 0,
         argumentTerms = 0;
  /// Degrees of exponentials' arguments.
  double exponentDegree = 0, exponentDenominator = 0;
  /// Whether functions' results are in functions' arguments, or factors in
  /// exponentials' arguments.
  bool nested = false;

private:
  Growth apply(MuValue argument, double times);
  double addLeaves(MuValue argument, double times);
  Growth takeMaximum(MuValue argument, double extent, double times);
  /// One operand of a choice is compared with zero.
  Growth compare(const MuNode &node, llvm::ArrayRef<MuValue> sides,
                 double times);
  Growth exponentiate(const Growth &argument);
  /// Bounds of a value whose elements are elements of the operands.
  Growth join(const MuNode &node) const;

  void visitRegion(unsigned region, double times);
  void visitNode(const MuNode &node, double times);
  Growth visitAccumulate(const MuNode &node, double times);
  Growth visitOperator(const MuNode &node, double times);

  const FieldPlan &plan;
  const MuGraph &graph;
  std::vector<Growth> growth;
  std::optional<double> powers;
  /// Of the regions around.
  llvm::SmallVector<llvm::SmallVector<int64_t, 3>, 2> points;
  /// Whether there are identities of max and min, with which the greatest of
  /// several numbers may be one of them.
  bool hasInfinity;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_GROWTHESTIMATE_H
