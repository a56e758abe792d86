//===- ErrorBound.h - Numbers with bounds of their error --------*- C++ -*-===//
//
// Computes a value in f64 with a running bound on how far the same program may
// be from it on a GPU, where it is computed with f32 arithmetic (f64 for f64
// tensors), approximate device functions, sums in any order, and values rounded
// to the types they are stored in. Operators propagate bounds through the same
// templates (Element.h) that compute values.
//
// Propagation of the operands' errors is rigorous; rounding errors are bounded
// to first order, with one unit in the last place per operation where
// round-to-nearest would need half of one. The rest covers second-order terms,
// the f64 reference's own rounding, and tensor cores, whose additions truncate.
//
// A quotient by a sum of positive terms may divide by what a product has summed
// up, of terms that are rounded to the type of its operands. This changes the
// quotient by no more than another rounding to that type does.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_ERRORBOUND_H
#define MIRAGE_SEMANTICS_ERRORBOUND_H

#include "Mirage/Semantics/Arithmetic.h"

namespace mirage {

struct Bounded {
  double value = 0;
  /// The computed number lies within this distance of `value`; the distance is
  /// infinite where nothing is known (overflow, division by what may be zero,
  /// NaN).
  double error = 0;
  /// A sum keeps the sum of its terms' magnitudes, and their number: adding the
  /// terms in another order, or on to another sum, errs in proportion to the
  /// product of the two.
  double magnitude = 0;
  double terms = 1;
  /// The unit roundoff of the coarsest type to which the factors of a product,
  /// or of a sum's terms, were rounded; zero where they were not.
  float rounding = 0;
  /// True for a quotient by a sum.
  bool overSum = false;

  Bounded() = default;
  Bounded(double value, double error = 0)
      : value(value), error(error), magnitude(std::fabs(value) + error) {}
};

/// The error of rounding to `type`: half a unit in the last place, relative.
double getUnitRoundoff(ElementType type);

/// Errors of the device's arithmetic. "Relative" is relative to the result.
struct DeviceErrors {
  /// Relative error of an addition, multiplication, or conversion.
  double unit;
  /// The largest finite number; a value that may be beyond it has no bound.
  double largest;
  /// The absolute error where results may be flushed to zero (.ftz).
  double smallestNormal;
  /// The relative error of division and of the square root.
  double division, squareRoot;
  /// The relative error of 2^x beyond the error of x.
  double exp2;
  /// The relative error of 1 / sqrt(x).
  double rsqrt;
  /// The error of log, erf, tanh and the logarithm in pow, relative to the
  /// larger of the result's magnitude and one.
  double polynomial;
};

/// f32. PTX ISA, "Floating Point Instructions": ex2.approx.ftz.f32 has a
/// maximum relative error of 2^-22; rsqrt.approx.f32 one of 2^-22.4, taken as
/// 2^-22; rcp.approx.f32 and sqrt.approx.f32 one of 2^-23. A quotient by a
/// product with the reciprocal has both its errors, which are less than 2^-22.
/// 2^-20 is what the polynomials of the lowering must keep.
inline constexpr DeviceErrors kF32Errors = {
    /*unit=*/0x1p-23,       /*largest=*/0x1.fffffep127,
    /*smallest=*/0x1p-126,  /*division=*/0x1p-22,
    /*squareRoot=*/0x1p-23, /*exp2=*/0x1p-22,
    /*rsqrt=*/0x1p-22,      /*polynomial=*/0x1p-20};

/// f64: all arithmetic is correctly rounded; functions are taken to keep 2^-48.
inline constexpr DeviceErrors kF64Errors = {
    /*unit=*/0x1p-52,       /*largest=*/0x1.fffffffffffffp1023,
    /*smallest=*/0x1p-1022, /*division=*/0x1p-52,
    /*squareRoot=*/0x1p-52, /*exp2=*/0x1p-48,
    /*rsqrt=*/0x1p-48,      /*polynomial=*/0x1p-48};

/// The arithmetic of Element.h on bounded numbers.
template <> struct Arithmetic<Bounded> {
  using Value = Bounded;

  DeviceErrors device;
  bool doubleArithmetic;
  bool roundedNames;
  /// True while add adds a term of a sum that beginSum has begun.
  bool summing = false;

  explicit Arithmetic(const EvaluateOptions &options = {})
      : device(options.doubleArithmetic ? kF64Errors : kF32Errors),
        doubleArithmetic(options.doubleArithmetic),
        roundedNames(options.roundedNames) {}

  Bounded mul(Bounded a, Bounded b) {
    double value = a.value * b.value;
    Bounded product =
        finish(value,
               std::fabs(a.value) * b.error + std::fabs(b.value) * a.error +
                   a.error * b.error,
               device.unit);
    product.rounding = std::max(a.rounding, b.rounding);
    return product;
  }
  Bounded add(Bounded a, Bounded b) {
    return summing ? addTerm(a, b) : addOnce(a, b);
  }
  Bounded sub(Bounded a, Bounded b) { return addOnce(a, negate(b)); }

  Bounded constant(double v);
  Bounded div(Bounded a, Bounded b);
  Bounded max(Bounded a, Bounded b);
  Bounded min(Bounded a, Bounded b);
  Bounded compare(CompareKind kind, Bounded a, Bounded b);
  Bounded choose(Bounded condition, Bounded a, Bounded b);
  Bounded exp(Bounded a);
  Bounded exp2(Bounded a);
  Bounded log(Bounded a);
  Bounded sqrt(Bounded a);
  Bounded rsqrt(Bounded a);
  Bounded erf(Bounded a);
  Bounded tanh(Bounded a);
  Bounded sigmoid(Bounded a);
  Bounded pow(Bounded a, double exponent);
  Bounded roundToTF32(Bounded a);
  Bounded rescale(Bounded from, Bounded to);
  Bounded store(ElementType type, Bounded a);

  Bounded beginSum(Bounded initial) {
    summing = true;
    return initial;
  }
  Bounded addTerm(Bounded a, Bounded term) {
    a.value += term.value;
    a.error += term.error;
    a.magnitude += std::fabs(term.value) + term.error;
    a.terms += 1;
    a.rounding = std::max(a.rounding, term.rounding);
    return a;
  }
  Bounded addPartial(Bounded a, Bounded part) {
    a.value += part.value;
    a.error += part.error;
    a.magnitude += part.magnitude;
    a.terms += part.terms;
    a.rounding = std::max(a.rounding, part.rounding);
    return a;
  }
  Bounded endSum(Bounded sum);

private:
  static Bounded negate(Bounded a) { return Bounded(-a.value, a.error); }
  Bounded addOnce(Bounded a, Bounded b);
  /// Returns a result whose operands' errors amount to `error`, rounded.
  Bounded finish(double value, double error, double relative) {
    error += relative * (std::fabs(value) + error) + device.smallestNormal;
    return limit(value, error);
  }
  Bounded limit(double value, double error) {
    // This holds also where either is NaN.
    if (!(std::fabs(value) + error <= device.largest))
      error = std::numeric_limits<double>::infinity();
    return Bounded(value, error);
  }
  Bounded exponential(double value, double argument, double argumentError,
                      double relative);
};

} // namespace mirage

#endif // MIRAGE_SEMANTICS_ERRORBOUND_H
