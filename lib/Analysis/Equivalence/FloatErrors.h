//===- FloatErrors.h - Errors of one result in floating point ---*- C++ -*-===//
//
// Differences of a result to what it is in float64. All of them are absolute;
// the largest element of the reference is what they are compared with.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATERRORS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATERRORS_H

#include "Mirage/Interpreter/TensorValue.h"
#include <optional>

namespace mirage::equivalence {

/// The largest magnitude of an element; nothing if one is not finite.
std::optional<double> getScale(const TensorValue &value);

/// The largest difference of an element; infinite where one is not finite.
double getDifference(const TensorValue &value, const TensorValue &exact);
/// The same of the elements in which all of `where` are finite.
double getDifferenceWhereFinite(const TensorValue &value,
                                const TensorValue &exact,
                                llvm::ArrayRef<const TensorValue *> where);

/// The greatest error bound of an element.
double getBound(const TensorValue &value);

/// An element of `value` that is not finite where that of `original` is.
/// `exact` is finite. An infinity is no such element if a number that is
/// within `allowed` of the exact one is rounded to it.
std::optional<int64_t> findNotFinite(const TensorValue &value,
                                     const TensorValue &original,
                                     const TensorValue &exact, double allowed);

/// "[1, 2]" for an element's number in row-major order.
std::string printIndex(ShapeRef shape, int64_t linear);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_FLOATERRORS_H
