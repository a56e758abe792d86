//===- FloatErrors.cpp - Errors of one result in floating point -----------===//
//
// Goes through the elements of a result; see FloatErrors.h.
//
//===----------------------------------------------------------------------===//

#include "FloatErrors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mirage;
using namespace mirage::equivalence;

static constexpr double infinity = std::numeric_limits<double>::infinity();

std::optional<double> equivalence::getScale(const TensorValue &value) {
  double largest = 0;
  for (int64_t i = 0; i < value.size(); ++i) {
    double x = value.value(i);
    if (!std::isfinite(x))
      return std::nullopt;
    largest = std::max(largest, std::fabs(x));
  }
  return largest;
}

double equivalence::getDifferenceWhereFinite(
    const TensorValue &value, const TensorValue &exact,
    llvm::ArrayRef<const TensorValue *> where) {
  double difference = 0;
  for (int64_t i = 0; i < exact.size(); ++i) {
    if (!llvm::all_of(where, [&](const TensorValue *tensor) {
          return std::isfinite(tensor->value(i));
        }))
      continue;
    double delta = std::fabs(value.value(i) - exact.value(i));
    difference = std::max(difference, std::isnan(delta) ? infinity : delta);
  }
  return difference;
}

double equivalence::getDifference(const TensorValue &value,
                                  const TensorValue &exact) {
  return getDifferenceWhereFinite(value, exact, {});
}

double equivalence::getBound(const TensorValue &value) {
  double bound = 0;
  for (int64_t i = 0; i < value.size(); ++i)
    bound = std::max(bound, value.error(i));
  return bound;
}

std::optional<int64_t> equivalence::findNotFinite(const TensorValue &value,
                                                  const TensorValue &original,
                                                  const TensorValue &exact,
                                                  double allowed) {
  for (int64_t i = 0; i < value.size(); ++i) {
    double x = value.value(i);
    if (std::isfinite(x) || !std::isfinite(original.value(i)))
      continue;
    double farthest = exact.value(i) + std::copysign(allowed, x);
    if (!std::isinf(x) || roundTo(value.type, farthest) != x)
      return i;
  }
  return std::nullopt;
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
