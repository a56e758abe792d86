//===- FloatErrors.cpp - Errors of one result in floating point -----------===//
//
// Goes through the elements of a result; see FloatErrors.h.
//
//===----------------------------------------------------------------------===//

#include "FloatErrors.h"
#include "../NumberRange.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

static constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns whether one of the numbers is the infinity for which programs write
/// the other, the largest number of the type or the lowest, where a maximum or
/// minimum begins.
static bool areOutermost(double a, double b, ElementType type) {
  auto isLargest = [&](double number) {
    return std::fabs(number) == getNumberRange(type).largest;
  };
  return std::signbit(a) == std::signbit(b) &&
         ((std::isinf(a) && isLargest(b)) || (std::isinf(b) && isLargest(a)));
}

bool equivalence::areFinite(Finite tensors, int64_t element) {
  return llvm::all_of(tensors, [&](const TensorValue *tensor) {
    return std::isfinite(tensor->value(element));
  });
}

int64_t equivalence::getFiniteCount(Finite tensors) {
  int64_t count = 0;
  for (int64_t i = 0; i < tensors.front()->size(); ++i)
    count += areFinite(tensors, i);
  return count;
}

std::optional<double> equivalence::getScale(const TensorValue &value,
                                            Finite where) {
  std::optional<double> largest;
  for (int64_t i = 0; i < value.size(); ++i)
    if (areFinite(where, i))
      largest = std::max(largest.value_or(0), std::fabs(value.value(i)));
  return largest;
}

double equivalence::getDifference(const TensorValue &value,
                                  const TensorValue &exact, Finite where) {
  double difference = 0;
  for (int64_t i = 0; i < exact.size(); ++i) {
    if (!areFinite(where, i))
      continue;
    double own = value.value(i), right = exact.value(i);
    if (areOutermost(own, right, value.type))
      continue;
    double delta = std::fabs(own - right);
    difference = std::max(difference, std::isnan(delta) ? infinity : delta);
  }
  return difference;
}

double equivalence::getBound(const TensorValue &value, Finite where) {
  double bound = 0;
  for (int64_t i = 0; i < value.size(); ++i)
    if (areFinite(where, i))
      bound = std::max(bound, value.error(i));
  return bound;
}

std::optional<int64_t>
equivalence::findNotFinite(const TensorValue &value, const TensorValue &exact,
                           Finite where, ElementType type, double allowed) {
  for (int64_t i = 0; i < value.size(); ++i) {
    double x = value.value(i);
    if (std::isfinite(x) || !areFinite(where, i))
      continue;
    if (areOutermost(x, exact.value(i), value.type))
      continue;
    double farthest = exact.value(i) + std::copysign(allowed, x);
    if (!std::isinf(x) || roundTo(type, farthest) != x)
      return i;
  }
  return std::nullopt;
}

double equivalence::getLargestPower(ElementType type) {
  return std::ldexp(1.0, std::ilogb(getNumberRange(type).largest));
}

std::optional<int64_t> equivalence::findEarlyOverflow(const TensorValue &value,
                                                      const TensorValue &exact,
                                                      Finite where,
                                                      ElementType type) {
  // Products in another order overflow a little earlier, not so much.
  double limit = std::sqrt(getLargestPower(type));
  for (int64_t i = 0; i < value.size(); ++i)
    if (!std::isfinite(value.value(i)) && areFinite(where, i) &&
        std::fabs(exact.value(i)) <= limit)
      return i;
  return std::nullopt;
}

std::optional<int64_t>
equivalence::findOtherThanInfinity(const TensorValue &value,
                                   const TensorValue &exact,
                                   const TensorValue &lowest) {
  for (int64_t i = 0; i < value.size(); ++i)
    if (std::isinf(exact.value(i)) && lowest.value(i) == exact.value(i) &&
        value.value(i) != exact.value(i) &&
        !areOutermost(value.value(i), exact.value(i), value.type))
      return i;
  return std::nullopt;
}

bool equivalence::isMoreDefined(const TensorValue &value,
                                const TensorValue &exact) {
  for (int64_t i = 0; i < value.size(); ++i)
    if (std::isnan(exact.value(i)) && !std::isnan(value.value(i)))
      return true;
  return false;
}

bool equivalence::overflows(const TensorValue &value, const TensorValue &exact,
                            const TensorValue &lowest,
                            const TensorValue &lowestExact) {
  for (int64_t i = 0; i < value.size(); ++i) {
    if (std::isfinite(value.value(i)) && std::isfinite(exact.value(i)))
      continue;
    // The value overflows in storage only, unless it does so for the smallest
    // inputs as well; or in float64 already, where the smallest inputs lead to
    // a number.
    if (std::isfinite(exact.value(i)) ? std::isfinite(lowest.value(i))
                                      : std::isfinite(lowestExact.value(i)))
      return true;
  }
  return false;
}

std::string equivalence::printIndex(ShapeRef shape, int64_t linear) {
  Shape index(shape.size());
  for (size_t dim = index.size(); dim-- > 0; linear /= shape[dim])
    index[dim] = linear % shape[dim];
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(index, os);
  return text + "]";
}
