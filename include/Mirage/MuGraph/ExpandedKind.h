//===- ExpandedKind.h - The operators of expanded programs ------*- C++ -*-===//
//
// expandToPrimitives() writes a program in few operators. What analyses it
// afterwards asks for these kinds in switches without default, so that the
// compiler names each of them for a kind that is new.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_MUGRAPH_EXPANDEDKIND_H
#define MIRAGE_MUGRAPH_EXPANDEDKIND_H

#include "Mirage/Semantics/OpKind.h"

namespace mirage {

/// The operators that expandToPrimitives() leaves.
enum class ExpandedKind : uint8_t {
  // Arithmetic and choices.
  Add,
  Sub,
  Mul,
  Div,
  Max,
  Min,
  Compare,
  Select,
  // Functions of one element.
  Exp,
  Log,
  Sqrt,
  Sigmoid,
  Erf,
  Tanh,
  Pow,
  // Others.
  Constant,
  Pad,
  /// All other layout operators.
  Layout,
  Reduce,
  Matmul,
  Conv2d,
};

/// Returns the kind of an operator of an expanded program. For one that
/// expandToPrimitives() replaces this is a fatal error.
ExpandedKind getExpandedKind(OpKind kind);

} // namespace mirage

#endif // MIRAGE_MUGRAPH_EXPANDEDKIND_H
