//===- Hazards.h - Where a program loses what it computes -------*- C++ -*-===//
//
// Estimates, without running anything, how large the values of a program are
// and how much rounding leaves of them, for arguments of given sizes: which
// operation overflows, underflows, divides by zero or cancels, and from which
// sizes on. What a candidate loses and the original keeps is a suspicion; the
// sizes that lead to it are the inputs that show it when both are run.
//
// Estimates are of typical elements. They prove nothing and refuse nothing;
// they say which inputs are worth a run (FloatingPoint.h), over a grid of
// sizes that is far too large to be run itself.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_HAZARDS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_HAZARDS_H

#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::equivalence {

/// What an operation does to the digits of its operands.
enum class HazardKind : uint8_t {
  /// Its result is beyond the largest number of the type that holds it.
  Overflow,
  /// Its result is so small that the type that holds it has fewer digits, or
  /// only zero, for it.
  Underflow,
  /// It divides by zero, or takes the logarithm of zero.
  Pole,
  /// Its result is much smaller than operands, whose errors it keeps.
  Cancellation,
  /// It rounds many times, or to a type with few digits.
  Rounding,
  /// Its result is infinite or NaN, and its operands are not, when it is run.
  NotFinite,
};

/// Returns "overflows", "divides by zero" and so on.
llvm::StringRef describeHazard(HazardKind kind);

struct Hazard {
  HazardKind kind = HazardKind::Rounding;
  /// The operation, by its MuNode::location.
  unsigned location = 0;

  bool operator==(const Hazard &other) const {
    return kind == other.kind && location == other.location;
  }
};

/// The elements of one argument are normal numbers of this mean and this
/// standard deviation; or all of them but a few are zero, so that sums of what
/// is multiplied by them have one term.
struct ArgumentSize {
  double mean = 0, deviation = 1;
  bool isSingle = false;
};

/// What is estimated of one result.
struct ResultEstimate {
  /// The typical magnitude of an element, and the typical magnitude of what
  /// rounding adds to it. The error is infinite where an operation has no
  /// finite result.
  double magnitude = 0, error = 0;
  /// The operation that the greatest part of the error comes from, if there is
  /// one that makes it much larger than those before.
  std::optional<Hazard> hazard;

  /// Returns the error in units of the magnitude.
  double getRelativeError() const;
};

/// Estimates a program's results for arguments of these sizes, in the precision
/// that it is written in. A value counts as overflowing if `headroom` times its
/// typical magnitude is no number of its type: 1 for what overflows in some
/// element, more for what must not overflow in any.
llvm::SmallVector<ResultEstimate, 2>
estimateResults(const MuGraph &program, llvm::ArrayRef<ArgumentSize> arguments,
                double headroom = 1);

/// An operation of a candidate that may lose what the original keeps.
struct Suspicion {
  Hazard hazard;
  /// The result that it shows in, and the errors that are expected there,
  /// relative to the result.
  unsigned result = 0;
  double original = 0, candidate = 0;
  /// The arguments' sizes for which that is so.
  llvm::SmallVector<ArgumentSize, 4> arguments;

  /// Returns the argument of which most elements are zero, if one is.
  std::optional<unsigned> getSingle() const;
};

/// Returns for each operation of `rhs` that may lose what `lhs` keeps the
/// inputs for which that is worst, and those nearest to the size of one, worst
/// operations first. The candidate may err `factor` times as much.
///
/// The sizes tried are a grid: powers of two from 2^-24 to 2^15 of each
/// argument alone, of all together, of each two, and means of several sizes;
/// and those from one on with an argument that is zero almost everywhere. A
/// narrow type has fewer. One argument ends where its type does; all together
/// end where the type does not have all digits of a product of two; and two
/// beside others where it does not hold, or not with all digits, a product of
/// three. A program in a narrow type does not have smaller values of several
/// arguments: which of its products comes first would decide what is left of
/// them.
std::vector<Suspicion> findSuspicions(const MuGraph &lhs, const MuGraph &rhs,
                                      double factor);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FLOATS_HAZARDS_H
