//===- OpKind.h - Operator kinds and their table ----------------*- C++ -*-===//
//
// Names the operators of Mirage's three dialects and what is known of each of
// them without any IR: its class, arity, linearity and arithmetic. The rows
// come from OpKinds.def. Operators are those of Table 1 of the Mirage paper
// and those that current models need beside them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEMANTICS_OPKIND_H
#define MIRAGE_SEMANTICS_OPKIND_H

#include "llvm/ADT/StringRef.h"

namespace mirage {

enum class OpKind : uint8_t {
#define MIRAGE_OP(Kind, ...) Kind,
#include "Mirage/Semantics/OpKinds.def"
};

/// The way in which an operator computes its result.
enum class OpClass : uint8_t {
  /// Every result element follows from the operands' elements at the same
  /// index; a dimension of size one stands for any size.
  Elementwise,
  Constant,
  /// Every result element is one operand element, or a padding value.
  Layout,
  /// Elements of one operand are combined along one dimension.
  Reduction,
  /// Result elements are sums of products over one or more contracted
  /// dimensions.
  Contraction,
  /// The operator is defined by a graph of other operators.
  Composite,
};

/// The operands in which an operator is linear when the others are held fixed.
enum class Linearity : uint8_t {
  None,
  /// The operator is linear in the first operand only (division).
  First,
  /// The operator is linear in each operand separately (multi-linear:
  /// products).
  Each,
  /// The operator is linear in all operands together (sums, layouts).
  All,
  /// The operator is linear in all operands but the first together (choices).
  AllButFirst,
};

/// One row of the table.
struct OpInfo {
  OpKind kind;
  llvm::StringLiteral mnemonic;
  OpClass opClass;
  unsigned minOperands;
  unsigned maxOperands;
  /// The number of scalar operations per result element; zero where shapes
  /// decide.
  unsigned flops;
  /// The number of exponentials among them (evaluations on special-function
  /// units).
  unsigned exponentials;
  Linearity linearity;
};

/// The row of `kind`.
const OpInfo &getOpInfo(OpKind kind);

/// The number of operator kinds; kinds are 0 to this number minus one.
unsigned getNumOpKinds();

inline bool isElementwise(OpKind kind) {
  return getOpInfo(kind).opClass == OpClass::Elementwise;
}
inline bool isLayout(OpKind kind) {
  return getOpInfo(kind).opClass == OpClass::Layout;
}
inline bool isComposite(OpKind kind) {
  return getOpInfo(kind).opClass == OpClass::Composite;
}

} // namespace mirage

#endif // MIRAGE_SEMANTICS_OPKIND_H
