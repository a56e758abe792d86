//===- FloatJudgement.h - What is wrong with one result ---------*- C++ -*-===//
//
// The judgement says how much a candidate's result may differ from the
// original's, in the precision that it is written in and in float64.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATJUDGEMENT_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATJUDGEMENT_H

#include "FloatErrors.h"
#include "FloatRange.h"
#include "Mirage/Analysis/Equivalence/Floats/FloatingPoint.h"

namespace mirage::equivalence {

/// Why a candidate is refused, if it is.
using Reason = std::optional<std::string>;

/// Rounding to f64.
inline constexpr double kUnitRoundoff = 0x1p-53;

/// Writes differences in units of a result's largest element, or as they are
/// where that is zero.
struct Unit {
  explicit Unit(double scale) : scale(scale) {}
  double operator()(double difference) const {
    return scale > 0 ? difference / scale : difference;
  }
  double scale;
};

/// Calls fn for several draws of inputs, as many as a result of `elements`
/// elements takes, if each takes `work` of `mostWork` operations.
void forEachDraw(InputKind kind, int64_t elements, double work, double mostWork,
                 llvm::function_ref<bool(const InputKind &)> fn);

/// Says what is wrong with a result in the precision that it is written in.
/// Where the original overflows, which elements it gets right is up to chance,
/// and so it is for the candidate: then those count in which both are finite.
/// The type is the original's: a candidate may not hide its loss in another.
/// Writes to `undecided` where nothing says how much is allowed.
Reason findStorageError(Runs &runs, unsigned result, double scale,
                        bool isInRange, const FloatingPointOptions &options,
                        std::string &undecided);

/// Returns the candidate's error in units of what is allowed whatever bounds
/// are.
double getStorageShare(const Runs &runs, unsigned result, double scale,
                       const FloatingPointOptions &options);

/// Says in which row of a result, a line along the last dimension, the
/// candidate errs more than what such a row can resolve: `factor` times the
/// rounding of its largest element, or the original's largest error relative to
/// a row, and more than a bound of the original's error in the row for
/// arguments that were rounded themselves. So what is lost in rows that are
/// much smaller than others shows as well, and rows that are small since
/// something cancels in them are not blamed for it, wherever the candidate
/// rounds.
Reason findRowError(Runs &runs, unsigned result,
                    const FloatingPointOptions &options);

/// Says where a result in float64 is not finite and the original is, or the
/// other way round. For constant inputs, differences are zero or not as they
/// are rounded, and so are poles.
Reason findInfinity(const Runs &runs, unsigned result, Range &range);

/// Returns whether a result in float64 whose largest element is `scale` is
/// other than zero in its type. Of one that is not, digits in float64 are no
/// matter.
bool isHeld(const TensorValue &exact, double scale);

/// Says by how much a result in float64 differs where that is too much; see
/// checkFloatingPoint.
Reason findInstability(const FloatPair &pair, OriginalRuns &originals,
                       const InputKind &kind,
                       const FloatingPointOptions &options);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATJUDGEMENT_H
