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
#include <optional>

namespace mirage {

enum class OpKind : uint8_t {
#define MIRAGE_OP(Kind, ...) Kind,
#include "Mirage/Semantics/OpKinds.def"
};

/// How an operator computes its result.
enum class OpClass : uint8_t {
  /// Every result element from the operands' elements at the same index; a
  /// dimension of size one stands for any size.
  Elementwise,
  Constant,
  /// Every result element is one operand element, or a padding value.
  Layout,
  /// Elements of one operand combined along one dimension.
  Reduction,
  /// Sums of products over one or more contracted dimensions.
  Contraction,
  /// Defined by a graph of other operators.
  Composite,
};

/// In which operands an operator is linear when the others are held fixed.
enum class Linearity : uint8_t {
  None,
  /// In the first operand only (division).
  First,
  /// In each operand separately (multi-linear: products).
  Each,
  /// In all operands together (sums, layouts).
  All,
  /// In all operands but the first together (choices).
  AllButFirst,
};

/// One row of the table.
struct OpInfo {
  OpKind kind;
  llvm::StringLiteral mnemonic;
  OpClass opClass;
  unsigned minOperands;
  unsigned maxOperands;
  /// Scalar arithmetic per result element, zero where shapes decide.
  unsigned flops;
  /// Exponentials among them (special-function unit evaluations).
  unsigned exponentials;
  Linearity linearity;
};

/// The row of `kind`.
const OpInfo &getOpInfo(OpKind kind);

/// The operator with this mnemonic, if there is one.
std::optional<OpKind> parseOpKind(llvm::StringRef mnemonic);

/// Number of operator kinds; kinds are 0 to this minus one.
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
