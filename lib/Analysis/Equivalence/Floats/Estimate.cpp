//===- Estimate.cpp - The size and the error of a typical element ---------===//
//
// One rule for each operation; finish() says what they have in common.
//
//===----------------------------------------------------------------------===//

#include "Estimate.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;
using namespace mirage::equivalence;

/// An operation is blamed for an error that is so many times those of its
/// operands: less is what a few roundings add up to.
static constexpr double kJump = 8;
/// Constants from this size on hide what they are added to.
static constexpr double kMaskSize = 0x1p100;

double equivalence::limitFactor(double factor, ElementType type) {
  constexpr double largestError = 0.25;
  return std::min(factor,
                  std::max(1.0, largestError / getNumberRange(type).unit));
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

/// Makes what is lost of operands in proportion to them a part of the result's
/// absolute error, and says where that happens, unless they have lost as much
/// before.
static void cancel(Estimate &result, llvm::ArrayRef<Estimate> operands,
                   double times, unsigned location) {
  double before = 0, worst = 0;
  result.absolute = 0;
  for (const Estimate &operand : operands) {
    before += times * operand.absolute;
    result.absolute += times * (operand.absolute + operand.proportional());
    if (operand.absolute >= worst) {
      worst = operand.absolute;
      result.cancelsAt = operand.cancelsAt;
    }
  }
  if (result.absolute > kJump * before)
    result.cancelsAt = location;
}

/// Makes the operands' absolute errors, each times a number, those of a result.
static void inherit(Estimate &result, const Estimate &a, double timesA,
                    const Estimate &b, double timesB) {
  double first = a.absolute * timesA, second = b.absolute * timesB;
  result.absolute = first + second;
  result.cancelsAt = first >= second ? a.cancelsAt : b.cancelsAt;
}

/// Says which operation the error of `result` comes from: this one, if the
/// result has lost many more digits than its operands, else theirs.
Estimate EstimateArithmetic::blame(Estimate result,
                                   llvm::ArrayRef<Estimate> operands,
                                   HazardKind kind) const {
  double worst = 0;
  for (const Estimate &operand : operands)
    if (operand.relative() > worst || !result.hazard) {
      worst = std::max(worst, operand.relative());
      result.hazard = operand.hazard;
    }
  double own = result.relative();
  if (own > kJump * std::max(worst, range.unit))
    result.hazard = {kind, location};
  return result;
}

Estimate EstimateArithmetic::round(Estimate result, const NumberRange &type,
                                   double times) {
  double size = result.size(), before = result.relative();
  if (!(size * headroom <= type.largest)) {
    if (std::isfinite(result.error))
      result.hazard = {HazardKind::Overflow, location};
    result.error = HUGE_VAL;
    // What follows is computed with some number, and knows nothing of it.
    if (!std::isfinite(size)) {
      result.center = 0;
      result.deviation = type.largest;
    }
    return result;
  }
  if (size == 0)
    return result;
  // A number that is rounded to zero is lost, and no more.
  double own = std::min(times * std::max(type.unit * size, type.tiny), size);
  result.error += own;
  if (type.tiny > type.unit * size)
    result.absolute += own;
  if (result.relative() > kJump * std::max(before, range.unit))
    result.hazard = {type.tiny > type.unit * size ? HazardKind::Underflow
                                                  : HazardKind::Rounding,
                     location};
  return result;
}

Estimate EstimateArithmetic::finish(Estimate result,
                                    llvm::ArrayRef<Estimate> operands,
                                    HazardKind kind) {
  if (std::isnan(result.error))
    result.error = HUGE_VAL;
  if (!(result.absolute <= result.error))
    result.absolute = result.error;
  result.identity = ++identities;
  return round(blame(result, operands, kind), range, 1);
}

Estimate EstimateArithmetic::store(ElementType type, Estimate a, double times) {
  if (a.isMask)
    return a;
  return round(a, getNumberRange(type), times);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

Estimate EstimateArithmetic::constant(double v) {
  Estimate result;
  result.isMask = !(std::fabs(v) < kMaskSize);
  result.center = result.isMask ? 0 : v;
  result.sign = v > 0 ? 1 : v < 0 ? -1 : 0;
  result.identity = ++identities;
  return result;
}

Estimate EstimateArithmetic::negate(Estimate a) {
  a.center = -a.center;
  a.sign = -a.sign;
  a.identity = -a.identity;
  return a;
}

Estimate EstimateArithmetic::maximum(Estimate a) {
  a.isMaximum = true;
  a.identity = 0;
  return a;
}

Estimate EstimateArithmetic::join(Estimate a, Estimate b) {
  if (a.isMask || b.isMask)
    return a.isMask ? b : a;
  Estimate both;
  both.center = (a.center + b.center) / 2;
  both.deviation =
      std::max(a.deviation, b.deviation) + std::fabs(a.center - b.center) / 2;
  both.sign = a.sign == b.sign ? a.sign : 0;
  both.isMaximum = a.isMaximum && b.isMaximum;
  bool isFirst = a.relative() > b.relative();
  // A part counts by what is lost of it, however small it is.
  both.error = both.size() * (isFirst ? a : b).relative();
  if (std::isnan(both.error))
    both.error = 0;
  both.hazard = (isFirst ? a : b).hazard;
  for (const Estimate &part : {a, b})
    if (part.size() > 0 &&
        part.absolute / part.size() * both.size() > both.absolute) {
      both.absolute = part.absolute / part.size() * both.size();
      both.cancelsAt = part.cancelsAt;
    }
  both.isSingle = a.isSingle && b.isSingle;
  both.identity = ++identities;
  return both;
}

Estimate EstimateArithmetic::choose(Estimate condition, Estimate a,
                                    Estimate b) {
  return join(a, b);
}

Estimate EstimateArithmetic::compare(CompareKind, Estimate, Estimate) {
  Estimate truth;
  truth.deviation = 1;
  truth.sign = 1;
  truth.identity = ++identities;
  return truth;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Estimate EstimateArithmetic::add(Estimate a, Estimate b) {
  if (a.isMask || b.isMask)
    return a.isMask ? b : a;
  if (a.identity && a.identity == -b.identity)
    return constant(0);
  for (bool isFirst : {true, false})
    if (const Estimate &zero = isFirst ? a : b;
        zero.size() == 0 && zero.error == 0)
      return isFirst ? b : a;
  Estimate result;
  result.center = a.center + b.center;
  result.deviation = std::hypot(a.deviation, b.deviation);
  result.sign = a.sign == b.sign ? a.sign : 0;
  result.error = a.error + b.error;
  if (result.sign)
    inherit(result, a, 1, b, 1);
  else
    cancel(result, {a, b}, 1, location);
  for (bool isFirst : {true, false}) {
    const Estimate &large = isFirst ? a : b, &other = isFirst ? b : a;
    if (large.atLeast && other.sign > 0) {
      result.atLeast = large.atLeast;
      result.least = large.least + (other.deviation == 0 ? other.center : 0);
    }
  }
  return finish(result, {a, b}, HazardKind::Cancellation);
}

Estimate EstimateArithmetic::sub(Estimate a, Estimate b) {
  bool isShifted = b.isMaximum && 2 * b.size() >= a.size();
  Estimate result = add(a, negate(b));
  if (isShifted)
    result.sign = -1;
  // A maximum less a later one is of the same use.
  result.isMaximum = false;
  return result;
}

Estimate EstimateArithmetic::mul(Estimate a, Estimate b) {
  if (a.isMask || b.isMask)
    return a.isMask ? a : b;
  for (bool isFirst : {true, false}) {
    const Estimate &factor = isFirst ? a : b;
    if (factor.center == -1 && factor.deviation == 0 && factor.error == 0)
      return negate(isFirst ? b : a);
  }
  Estimate result;
  result.center = a.center * b.center;
  result.deviation =
      std::hypot(std::fabs(a.center) * b.deviation,
                 std::fabs(b.center) * a.deviation, a.deviation * b.deviation);
  bool isSquare = a.identity && std::abs(a.identity) == std::abs(b.identity);
  result.sign =
      isSquare ? (a.identity == b.identity ? 1 : -1) : a.sign * b.sign;
  result.error = a.size() * b.error + b.size() * a.error;
  inherit(result, a, b.size(), b, a.size());
  result.isSingle = a.isSingle || b.isSingle;
  return finish(result, {a, b}, HazardKind::Rounding);
}

Estimate EstimateArithmetic::div(Estimate a, Estimate b) {
  if (a.isMask || b.isMask)
    return a.isMask ? a : constant(0);
  Estimate result;
  result.sign = a.sign * b.sign;
  if (b.size() == 0) {
    result.error = HUGE_VAL;
    return finish(result, {a, b}, HazardKind::Pole);
  }
  if (b.isCentered()) {
    result.center = a.center / b.center;
    result.deviation = std::hypot(a.deviation / std::fabs(b.center),
                                  result.center * b.deviation / b.center);
  } else {
    result.deviation = a.size() / b.size();
  }
  result.error = (a.error + result.size() * b.error) / b.size();
  inherit(result, a, 1 / b.size(), b, 0);
  result.isSingle = a.isSingle;
  // x / (1 + |x|)
  if (b.least > 0 && b.atLeast == std::abs(a.identity) && a.size() > b.least)
    return saturated(result, a, a.absolute / b.least);
  return finish(result, {a, b}, HazardKind::Rounding);
}

Estimate EstimateArithmetic::max(Estimate a, Estimate b) {
  if (a.isMask || b.isMask)
    return a.isMask ? b : a;
  // |x| is the maximum of x and -x.
  if (a.identity && a.identity == -b.identity) {
    a.center = std::fabs(a.center);
    a.sign = 1;
    a.atLeast = std::abs(a.identity);
    a.identity = ++identities;
    return a;
  }
  double apart = 2 * (a.deviation + b.deviation);
  if (std::fabs(a.center - b.center) > apart)
    return a.center > b.center ? a : b;
  Estimate result = join(a, b);
  result.center = std::max(a.center, b.center);
  result.deviation = std::max(a.deviation, b.deviation);
  result.sign = a.sign > 0 || b.sign > 0 || (a.size() == 0 && a.error == 0) ||
                        (b.size() == 0 && b.error == 0)
                    ? 1
                    : result.sign;
  return result;
}

Estimate EstimateArithmetic::sum(Estimate a, double count) {
  if (a.isMask || count == 1)
    return a;
  if (a.isSingle) {
    a.isSingle = false;
    a.identity = ++identities;
    return a;
  }
  double spread = a.sign ? count : std::sqrt(count);
  Estimate result = a;
  result.center *= count;
  result.deviation *= spread;
  result.error *= spread;
  if (a.sign)
    result.absolute *= spread;
  else
    cancel(result, {a}, spread, location);
  result.isMaximum = false;
  result.atLeast = 0;
  return finish(result, {result}, HazardKind::Rounding);
}

Estimate EstimateArithmetic::roundToTF32(Estimate a) {
  a.error += 0x1p-11 * a.size();
  return a;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Estimate EstimateArithmetic::exp(Estimate a) {
  if (a.isMask)
    return constant(0);
  Estimate result;
  result.sign = 1;
  if (a.deviation < 0.5) {
    result.center = std::exp(a.center);
    result.deviation = result.center * a.deviation;
  } else {
    // What no element exceeds is reached by some.
    double top = a.sign < 0 ? 0 : a.center + 2 * a.deviation;
    result.deviation = std::exp(top);
  }
  // A row that is shifted by its maximum has elements near to it, which err by
  // what the maximum does.
  double argument = std::fabs(a.center) + (a.sign < 0 ? 1 : 2 * a.deviation);
  result.error = result.size() * std::expm1(a.error + range.unit * argument);
  if (a.sign < 0 && std::isfinite(a.error))
    result.error = std::min(result.error, result.size());
  return finish(result, {a}, HazardKind::Rounding);
}

Estimate EstimateArithmetic::log(Estimate a) {
  if (a.isMask)
    return a;
  Estimate result;
  if (a.size() == 0) {
    result.error = HUGE_VAL;
    return finish(result, {a}, HazardKind::Pole);
  }
  if (a.isCentered() && a.center > 0) {
    result.center = std::log(a.center);
    result.deviation = a.deviation / a.center;
  } else {
    result.deviation = std::max(1.0, std::fabs(std::log(a.size())));
  }
  result.error = result.absolute = a.relative();
  return finish(result, {a}, HazardKind::Cancellation);
}

Estimate EstimateArithmetic::pow(Estimate a, double exponent) {
  if (a.isMask)
    return exponent > 0 ? a : constant(0);
  Estimate result;
  result.sign = 1;
  if (a.size() == 0) {
    result.error = exponent < 0 ? HUGE_VAL : std::pow(a.error, exponent);
    return finish(result, {a}, HazardKind::Pole);
  }
  if (a.isCentered() && a.center > 0) {
    result.center = std::pow(a.center, exponent);
    result.deviation =
        std::fabs(exponent) * result.center * a.deviation / a.center;
  } else {
    result.deviation = std::pow(a.size(), exponent);
  }
  result.error = std::fabs(exponent) * a.relative() * result.size();
  if (a.error > 0 && std::isfinite(a.error)) {
    result.absolute = result.error * std::min(a.absolute / a.error, 1.0);
    result.cancelsAt = a.cancelsAt;
  }
  return finish(result, {a}, HazardKind::Rounding);
}

Estimate EstimateArithmetic::saturated(Estimate result, Estimate a,
                                       double absolute) {
  result.absolute = std::min(absolute, 1.0);
  result.error = std::min(absolute + a.relative(), 1.0);
  result.cancelsAt = a.cancelsAt;
  result = finish(result, {a}, HazardKind::Rounding);
  if (a.cancelsAt &&
      result.absolute > kJump * std::max(a.relative(), range.unit))
    result.hazard = {HazardKind::Cancellation, *a.cancelsAt};
  return result;
}

/// A function like x for small x that goes to one.
Estimate EstimateArithmetic::saturate(Estimate a) {
  if (a.isMask)
    return constant(1);
  Estimate result = a;
  result.isMaximum = false;
  result.atLeast = 0;
  if (a.isCentered() || a.size() < 1) {
    double slope = 1 - std::pow(std::tanh(a.center), 2);
    result.center = std::tanh(a.center);
    result.deviation = slope * a.deviation;
    result.error = slope * a.error;
    result.absolute = slope * a.absolute;
    return finish(result, {a}, HazardKind::Rounding);
  }
  result.center = 0;
  result.deviation = 1;
  return saturated(result, a, a.absolute);
}

Estimate EstimateArithmetic::sigmoid(Estimate a) {
  if (a.isMask)
    return constant(0);
  Estimate result;
  result.sign = 1;
  if (a.deviation < 0.5) {
    result.center = 1 / (1 + std::exp(-a.center));
    double slope = result.center * (1 - result.center);
    result.deviation = slope * a.deviation;
    result.error = slope * a.error;
    result.absolute = slope * a.absolute;
    return finish(result, {a}, HazardKind::Rounding);
  }
  result.deviation = 1;
  return saturated(result, a, a.absolute);
}
