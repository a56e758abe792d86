//===- ErrorBound.cpp - Numbers with bounds of their error ----------------===//
//
// Propagates operands' errors through each operation: by the largest change of
// the result over the interval that the operand may lie in, which for the
// functions here is reached at one end of the interval.
//
//===----------------------------------------------------------------------===//

#include "BoundedProduct.h"
#include "Mirage/Semantics/ExactConstant.h"

using namespace mirage;

static constexpr double infinity = std::numeric_limits<double>::infinity();

using BoundArithmetic = Arithmetic<Bounded>;

double mirage::getUnitRoundoff(ElementType type) {
  switch (type) {
  case ElementType::f64:
    return 0x1p-53;
  case ElementType::f32:
    return 0x1p-24;
  case ElementType::f16:
    return 0x1p-11;
  case ElementType::bf16:
    return 0x1p-8;
  case ElementType::f8E4M3FN:
    return 0x1p-4;
  case ElementType::f8E5M2:
    return 0x1p-3;
  }
  llvm_unreachable("unknown element type");
}

/// Returns the error of a constant that is the rounding of a named number, to
/// whichever type that was.
static double getNamedRoundoff(double v) {
  if (!std::isfinite(v))
    return 0;
  for (ElementType type :
       {ElementType::f16, ElementType::f32, ElementType::f64}) {
    if (roundTo(type, v) != v)
      continue;
    ExactConstant exact = getExactConstant(v, type);
    if (exact.isNamed())
      return getUnitRoundoff(type) * std::fabs(v);
  }
  return 0;
}

Bounded BoundArithmetic::constant(double v) {
  if (roundedNames)
    if (double error = getNamedRoundoff(v))
      return Bounded(v, error);
  // A number that f32 holds is taken to be meant exactly. Other numbers are
  // roundings in either arithmetic (1/3, ln 2).
  bool exact = static_cast<float>(v) == v;
  return Bounded(v, exact ? 0 : device.unit * std::fabs(v));
}

Bounded BoundArithmetic::addOnce(Bounded a, Bounded b) {
  double value = a.value + b.value, error = a.error + b.error;
  // Infinities that the program brings in itself (masks) are exact.
  if (std::isinf(value) && (std::isinf(a.value) || std::isinf(b.value)))
    return Bounded(value, error < infinity ? 0 : infinity);
  return limit(value, error + device.unit * (std::fabs(value) + error));
}

Bounded BoundArithmetic::endSum(Bounded sum) {
  summing = false;
  if (std::isinf(sum.value) && sum.error == 0)
    return sum;
  // Nicholas J. Higham, "Accuracy and Stability of Numerical Algorithms",
  // section 4.2: in any order, n terms err by at most n u times the sum of
  // their magnitudes.
  sum.error += device.unit * sum.terms * sum.magnitude;
  if (!(sum.magnitude + sum.error <= device.largest))
    sum.error = infinity;
  return sum;
}

Bounded BoundArithmetic::div(Bounded a, Bounded b) {
  double value = a.value / b.value;
  double least = std::fabs(b.value) - b.error;
  if (!(least > 0))
    return Bounded(value, infinity);
  Bounded quotient = finish(
      value, (a.error + std::fabs(value) * b.error) / least, device.division);
  quotient.overSum = b.terms > 1;
  // The numerator may be a sum of products of rounded numbers. The divisor may
  // then be the sum of these rounded numbers, too. A quotient that is rounded
  // later, before it is multiplied, has this error there (see store).
  if (quotient.overSum && a.terms > 1)
    quotient.error += a.rounding * (std::fabs(value) + quotient.error);
  return quotient;
}

Bounded BoundArithmetic::max(Bounded a, Bounded b) {
  double value = Arithmetic<double>().max(a.value, b.value);
  return Bounded(value,
                 std::isnan(value) ? infinity : std::max(a.error, b.error));
}

Bounded BoundArithmetic::min(Bounded a, Bounded b) {
  return negate(max(negate(a), negate(b)));
}

Bounded BoundArithmetic::compare(CompareKind kind, Bounded a, Bounded b) {
  bool value = holds(kind, a.value, b.value);
  // NaN compares on the device as it does here.
  bool ordered = a.value == a.value && b.value == b.value;
  bool exact = a.error == 0 && b.error == 0;
  bool apart = std::fabs(a.value - b.value) > a.error + b.error;
  return Bounded(value, exact || (ordered && apart) ? 0 : 1);
}

Bounded BoundArithmetic::choose(Bounded condition, Bounded a, Bounded b) {
  bool first = condition.value != 0;
  Bounded taken = first ? a : b, other = first ? b : a;
  // Zero may be computed as another number, or another number as zero.
  bool certain = condition.error == 0 ||
                 (first && std::fabs(condition.value) > condition.error);
  if (certain)
    return taken;
  double distance = std::fabs(other.value - taken.value) + other.error;
  if (std::isnan(distance))
    distance = infinity;
  return Bounded(taken.value, std::max(taken.error, distance));
}

/// Returns exp(argument), where computing the argument errs by `argumentError`.
Bounded BoundArithmetic::exponential(double value, double argument,
                                     double argumentError, double relative) {
  if (std::isinf(argument))
    return Bounded(value, argumentError < infinity ? 0 : infinity);
  return finish(value, value * std::expm1(argumentError), relative);
}

// exp(x) is computed as 2^(x log2 e): log2 e and the product are rounded, each
// of which changes the result by the factor exp(|x| 2^-24).
Bounded BoundArithmetic::exp(Bounded a) {
  double rounding =
      std::isinf(a.value) ? 0 : (std::fabs(a.value) + a.error) * device.unit;
  return exponential(std::exp(a.value), a.value, a.error + rounding,
                     device.exp2);
}

Bounded BoundArithmetic::exp2(Bounded a) {
  return exponential(std::exp2(a.value), a.value, a.error * M_LN2, device.exp2);
}

Bounded BoundArithmetic::log(Bounded a) {
  double value = std::log(a.value);
  if (a.value == 0 && a.error == 0)
    return Bounded(value, 0);
  if (!(a.value > a.error))
    return Bounded(value, infinity);
  double error = -std::log1p(-a.error / a.value);
  return limit(value, error + device.polynomial *
                                  std::max(1.0, std::fabs(value) + error));
}

Bounded BoundArithmetic::sqrt(Bounded a) {
  double value = std::sqrt(a.value);
  if (!(a.value >= a.error))
    return Bounded(value, infinity);
  double error =
      a.error == 0 ? 0 : a.error / (value + std::sqrt(a.value - a.error));
  return finish(value, error, device.squareRoot);
}

Bounded BoundArithmetic::rsqrt(Bounded a) {
  double value = 1 / std::sqrt(a.value);
  if (a.value == 0 && a.error == 0)
    return Bounded(value, 0);
  if (!(a.value > a.error))
    return Bounded(value, infinity);
  return finish(value, 1 / std::sqrt(a.value - a.error) - value, device.rsqrt);
}

Bounded BoundArithmetic::erf(Bounded a) {
  // The derivative is largest at the end of the interval nearest to zero.
  double nearest = std::max(0.0, std::fabs(a.value) - a.error);
  double slope = M_2_SQRTPI * std::exp(-nearest * nearest);
  return limit(std::erf(a.value),
               std::min(2.0, slope * a.error) + device.polynomial);
}

Bounded BoundArithmetic::tanh(Bounded a) {
  double nearest = std::tanh(std::max(0.0, std::fabs(a.value) - a.error));
  double slope = 1 - nearest * nearest;
  return limit(std::tanh(a.value),
               std::min(2.0, slope * a.error) + device.polynomial);
}

// The function is 1 / (1 + exp(-x)). Where exp(-x) overflows, the quotient is
// zero on the device and below the smallest normal number here, so there is a
// bound all the same.
Bounded BoundArithmetic::sigmoid(Bounded a) {
  double value = 1 / (1 + std::exp(-a.value));
  double nearest = std::max(0.0, std::fabs(a.value) - a.error);
  double slope = 1 / (2 + 2 * std::cosh(nearest));
  double relative = (std::fabs(a.value) + a.error) * device.unit + device.exp2 +
                    device.unit + device.division;
  return finish(value, std::min(1.0, slope * a.error), relative);
}

// x^c is computed as 2^(c log2 x).
Bounded BoundArithmetic::pow(Bounded a, double exponent) {
  double value = std::pow(a.value, exponent);
  if (a.value == 0 && a.error == 0)
    return Bounded(value, 0);
  if (!(a.value > a.error))
    return Bounded(value, infinity);
  double logarithm =
      -std::log1p(-a.error / a.value) +
      device.polynomial * std::max(1.0, std::fabs(std::log(a.value)));
  return finish(value, value * std::expm1(std::fabs(exponent) * logarithm),
                device.exp2);
}

Bounded BoundArithmetic::roundToTF32(Bounded a) {
  // Tensor cores drop the low bits where the program does not round: one ulp
  // of 10 bits.
  double error = a.error + 0x1p-10 * (std::fabs(a.value) + a.error);
  return Bounded(a.value, error);
}

Bounded BoundArithmetic::rescale(Bounded from, Bounded to) {
  // Equal values are equal on the device too where both are exact or both are
  // infinite.
  if (from.value == to.value && from.error == 0 && to.error == 0)
    return Bounded(1, 0);
  // What is relative to the lowest finite number counts for nothing beside what
  // is not: exponentials of such a difference are zero, whether it overflows or
  // not, and in f64 as well.
  constexpr double vanishing = -1000;
  if (from.value - to.value + from.error + to.error < vanishing)
    return Bounded(0, 0);
  return exp(sub(from, to));
}

Bounded BoundArithmetic::store(ElementType type, Bounded a) {
  struct Format {
    /// Half a unit in the last place; half the smallest subnormal; the largest
    /// number.
    double relative, absolute, largest;
  };
  Format format;
  switch (type) {
  case ElementType::f16:
    format = {0x1p-11, 0x1p-25, 65504};
    break;
  case ElementType::bf16:
    format = {0x1p-8, 0x1p-134, 0x1.fep127};
    break;
  case ElementType::f8E4M3FN:
    format = {0x1p-4, 0x1p-10, 448};
    break;
  case ElementType::f8E5M2:
    format = {0x1p-3, 0x1p-17, 57344};
    break;
  case ElementType::f32:
    format = {0x1p-24, 0x1p-150, kF32Errors.largest};
    // f32 arithmetic has rounded already.
    if (!doubleArithmetic)
      return a;
    break;
  case ElementType::f64:
    return a;
  }
  if (std::isinf(a.value) && a.error == 0)
    return a;
  double relative = format.relative * (a.overSum ? 2 : 1);
  a.error += relative * (std::fabs(a.value) + a.error) + format.absolute;
  a.rounding = static_cast<float>(format.relative);
  if (!(std::fabs(a.value) + a.error <= format.largest))
    a.error = infinity;
  return a;
}

template llvm::SmallVector<Tensor<Bounded>, 1>
mirage::evaluate(OpKind, const OpAttributes &,
                 llvm::ArrayRef<const Tensor<Bounded> *>,
                 const EvaluateOptions &);
