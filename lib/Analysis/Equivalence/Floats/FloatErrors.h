//===- FloatErrors.h - Errors of one result in floating point ---*- C++ -*-===//
//
// Differences of a result to what it is in float64, element by element. All of
// them are absolute; the largest element of the reference is what they are
// compared with.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATERRORS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATERRORS_H

#include "Mirage/Interpreter/TensorValue.h"
#include <optional>

namespace mirage::equivalence {

/// Elements that count: those in which all of these are finite.
using Finite = llvm::ArrayRef<const TensorValue *>;

bool areFinite(Finite tensors, int64_t element);
int64_t getFiniteCount(Finite tensors);

/// The largest magnitude of an element that counts; nothing if none does.
std::optional<double> getScale(const TensorValue &value, Finite where);

/// The largest difference of an element that counts; infinite where `value` is
/// not finite in one.
double getDifference(const TensorValue &value, const TensorValue &exact,
                     Finite where);

/// The greatest error bound of an element that counts.
double getBound(const TensorValue &value, Finite where);

/// An element that counts in which `value` is not finite. An infinity is no
/// such element if a number that is within `allowed` of the exact one is
/// rounded to it in storage of `type`, or if the exact number is the largest
/// one of the value's type with that sign.
std::optional<int64_t> findNotFinite(const TensorValue &value,
                                     const TensorValue &exact, Finite where,
                                     ElementType type, double allowed);

/// Finds one among elements that are at most the root of the largest number of
/// `type`.
std::optional<int64_t> findEarlyOverflow(const TensorValue &value,
                                         const TensorValue &exact, Finite where,
                                         ElementType type);

/// An element in which `exact` is infinite, and so is `lowest`, for inputs that
/// are as small as they get, but `value` is something else, and not the largest
/// number of its type with that sign either.
std::optional<int64_t> findOtherThanInfinity(const TensorValue &value,
                                             const TensorValue &exact,
                                             const TensorValue &lowest);

/// Returns whether `exact` is NaN in an element in which `value` is a number.
bool isMoreDefined(const TensorValue &value, const TensorValue &exact);

/// Returns whether `value` overflows in an element in which `lowest` does not,
/// its result for smaller inputs: it is not finite, where `exact` is, or
/// `lowest`.
bool overflows(const TensorValue &value, const TensorValue &exact,
               const TensorValue &lowest, const TensorValue &lowestExact);

/// Returns the largest power of two that is a number of the type.
double getLargestPower(ElementType type);

/// "[1, 2]" for an element's number in row-major order.
std::string printIndex(ShapeRef shape, int64_t linear);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATS_FLOATERRORS_H
