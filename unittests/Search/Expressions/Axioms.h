//===- Axioms.h - The axioms as patterns ------------------------*- C++ -*-===//
//
// Axioms.def as a table of patterns: tests rewrite terms with them, and tell Z3
// about them.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_AXIOMS_H
#define MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_AXIOMS_H

#include "Mirage/Search/Expressions/AbstractExpression.h"

namespace mirage::search {

/// A term with variables.
struct Pattern {
  enum class ExtentKind : uint8_t { One, I, J, Product };

  /// Symbol is a variable of the pattern: x, y and z are numbers 0 to 2.
  Expression::Kind kind = Expression::Kind::Symbol;
  unsigned variable = 0;
  /// The extent of a sum: one, i, j, or i times j.
  ExtentKind extent = ExtentKind::One;
  std::vector<Pattern> operands;
};

struct Axiom {
  llvm::StringLiteral name;
  /// lhs = rhs, or lhs is a subexpression of rhs.
  bool isEquality;
  Pattern lhs, rhs;
};

/// All axioms, in the order of Axioms.def.
llvm::ArrayRef<Axiom> getAxioms();

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_AXIOMS_H
