//===- LaxFragment.h - What random tests can decide -------------*- C++ -*-===//
//
// Says which operators belong to the fragment Lax of the Mirage paper (section
// 5): multi-linear operators, division, and at most one exponential on every
// path from an input to an output. Equivalence of such programs can be tested
// over finite fields.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_LAXFRAGMENT_H
#define MIRAGE_SEMANTICS_LAXFRAGMENT_H

#include "Mirage/Semantics/OpAttributes.h"
#include "Mirage/Semantics/OpKind.h"

namespace mirage {

enum class LaxClass : uint8_t {
  /// Sums, products, layouts, constants and quotients.
  MultiLinear,
  /// The operator has one exponential. Softmax has one: its row maximum is
  /// subtracted first, but the number subtracted does not change the result,
  /// whatever it is.
  Exponential,
  /// The operator is a function that is no quotient of polynomials (sqrt,
  /// maximum, gelu, ...). Tests take it as an unknown function, equal for equal
  /// arguments.
  Uninterpreted,
};

LaxClass getLaxClass(OpKind kind, const OpAttributes &attributes);

} // namespace mirage

#endif // MIRAGE_SEMANTICS_LAXFRAGMENT_H
