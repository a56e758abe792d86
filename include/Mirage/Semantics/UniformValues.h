//===- UniformValues.h - Tensors all of whose elements are one --*- C++ -*-===//
//
// Says what operators make of tensors all of whose elements are one number,
// beside tensors of which nothing is known but that they are finite. Where a
// mask is -inf throughout, so are the scores that it is added to, and their
// exponentials are zero.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_UNIFORMVALUES_H
#define MIRAGE_SEMANTICS_UNIFORMVALUES_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"

namespace mirage {

/// The number that all elements of a tensor are, if it is known.
using UniformValue = std::optional<double>;

/// Returns that of an operator's result, which is stored as `type`, if it
/// follows from those of the operands. What is not known is taken to be finite.
/// There are no composite operators.
UniformValue getUniformResult(OpKind kind, const OpAttributes &attributes,
                              llvm::ArrayRef<UniformValue> operands,
                              ElementType type);

/// Returns true if an accumulator is what it was when it has combined such a
/// value, and for rescaled sums such a shift. Maxima and shifts are taken to be
/// no less than the lowest finite number of f32 where they count
/// (MuGraph/FiniteShift.h).
bool isNeutral(AccumulateKind kind, UniformValue value, UniformValue shift);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_UNIFORMVALUES_H
