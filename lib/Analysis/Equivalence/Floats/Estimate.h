//===- Estimate.h - The size and the error of a typical element -*- C++ -*-===//
//
// The arithmetic of Element.h on estimates: each operation says how large its
// result is for operands of the given sizes, and what rounding leaves of it.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ESTIMATE_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ESTIMATE_H

#include "../NumberRange.h"
#include "Mirage/Analysis/Equivalence/Floats/Hazards.h"
#include "Mirage/Semantics/OpAttributes.h"
#include <cmath>

namespace mirage::equivalence {

/// What is expected of the elements of one value: each is about `center` plus
/// or minus `deviation`, and has been computed with an error of about `error`.
struct Estimate {
  double center = 0, deviation = 0, error = 0;
  /// The part of the error that is as large in elements that are much smaller
  /// than others. The rest is in proportion to each element, as roundings are,
  /// until elements cancel.
  double absolute = 0;
  /// The operation that cancels, if one makes most of that part.
  std::optional<unsigned> cancelsAt = std::nullopt;
  /// All elements are at least zero (1) or at most zero (-1).
  int sign = 0;
  /// The elements are an infinity or a number like it, by which masks hide
  /// others. Nothing is computed with them that counts.
  bool isMask = false;
  /// The elements are maxima of such as they are subtracted from.
  bool isMaximum = false;
  /// Equal numbers stand for equal elements, also in another layout; negatives
  /// of each other for elements of opposite signs.
  int identity = 0;
  /// Elements are no smaller than those of the value of this identity, which is
  /// zero for none, and than `least`.
  int atLeast = 0;
  double least = 0;
  /// One term of a sum of elements is not zero.
  bool isSingle = false;
  /// The operation that the error comes from, if one makes most of it.
  std::optional<Hazard> hazard = std::nullopt;

  double size() const { return std::fabs(center) + deviation; }
  /// The error in units of the size.
  double relative() const {
    return error == 0 ? 0 : size() > 0 ? error / size() : HUGE_VAL;
  }
  /// The error of elements in proportion to themselves.
  double proportional() const {
    return std::isfinite(error) ? std::max(error - absolute, 0.0) : 0;
  }
  /// Returns whether elements are near to their center.
  bool isCentered() const { return deviation < std::fabs(center) / 2; }
};

/// How many times the original's error a candidate may err in a result of this
/// type, if it is `factor` times where a type has enough digits. A factor is
/// meant for errors of a few units in the last place; where it would leave none
/// of a type's digits, a quarter of the largest element must still be known,
/// which two bits are.
double limitFactor(double factor, ElementType type);

/// Operations on estimates of values that are computed in one type and in one
/// place.
class EstimateArithmetic {
public:
  using Value = Estimate;

  /// `type` is that of the arithmetic, `location` that of the operation.
  EstimateArithmetic(ElementType type, unsigned location, double headroom,
                     int &identities)
      : range(getNumberRange(type)), location(location), headroom(headroom),
        identities(identities) {}

  Estimate constant(double v);
  Estimate add(Estimate a, Estimate b);
  Estimate sub(Estimate a, Estimate b);
  Estimate mul(Estimate a, Estimate b);
  Estimate div(Estimate a, Estimate b);
  Estimate max(Estimate a, Estimate b);
  Estimate min(Estimate a, Estimate b) {
    return negate(max(negate(a), negate(b)));
  }
  Estimate compare(CompareKind kind, Estimate a, Estimate b);
  Estimate choose(Estimate condition, Estimate a, Estimate b);
  Estimate exp(Estimate a);
  Estimate exp2(Estimate a) { return exp(mul(a, constant(M_LN2))); }
  Estimate log(Estimate a);
  Estimate sqrt(Estimate a) { return pow(a, 0.5); }
  Estimate rsqrt(Estimate a) { return pow(a, -0.5); }
  Estimate erf(Estimate a) { return saturate(a); }
  Estimate tanh(Estimate a) { return saturate(a); }
  Estimate sigmoid(Estimate a);
  Estimate pow(Estimate a, double exponent);
  Estimate roundToTF32(Estimate a);

  /// The sum of `count` such elements.
  Estimate sum(Estimate a, double count);
  /// The largest of several such elements.
  static Estimate maximum(Estimate a);
  /// A value that has elements of both.
  Estimate join(Estimate a, Estimate b);
  /// What is left of elements that are stored in `type`, rounded `times` times
  /// one after another.
  Estimate store(ElementType type, Estimate a, double times = 1);

private:
  static Estimate negate(Estimate a);
  Estimate saturate(Estimate a);
  /// Finishes a result that is at most about one, in which elements of a larger
  /// operand near to zero keep what is lost of them: `absolute`.
  Estimate saturated(Estimate result, Estimate a, double absolute);
  /// Finishes a result whose center, deviation, sign and inherited error are
  /// set: rounds it, and finds out whether it lost much more than `operands`
  /// had lost.
  Estimate finish(Estimate result, llvm::ArrayRef<Estimate> operands,
                  HazardKind kind);
  Estimate round(Estimate result, const NumberRange &range, double times);
  Estimate blame(Estimate result, llvm::ArrayRef<Estimate> operands,
                 HazardKind kind) const;

  NumberRange range;
  unsigned location;
  double headroom;
  int &identities;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_ESTIMATE_H
