//===- Axioms.cpp - The axioms as patterns --------------------------------===//
//
// Reads Axioms.def with functions that make patterns of its terms.
//
//===----------------------------------------------------------------------===//

#include "Axioms.h"

using namespace mirage::search;
using Kind = Expression::Kind;

using ExtentKind = Pattern::ExtentKind;

static Pattern add(Pattern a, Pattern b) {
  return {Kind::Add, 0, ExtentKind::One, {a, b}};
}
static Pattern mul(Pattern a, Pattern b) {
  return {Kind::Mul, 0, ExtentKind::One, {a, b}};
}
static Pattern div(Pattern a, Pattern b) {
  return {Kind::Div, 0, ExtentKind::One, {a, b}};
}
static Pattern exp(Pattern a) { return {Kind::Exp, 0, ExtentKind::One, {a}}; }
static Pattern sqrt(Pattern a) { return {Kind::Sqrt, 0, ExtentKind::One, {a}}; }
static Pattern inv(Pattern a) { return {Kind::Inv, 0, ExtentKind::One, {a}}; }
static Pattern sum(ExtentKind extent, Pattern a) {
  return {Kind::Sum, 0, extent, {a}};
}
static ExtentKind times(ExtentKind, ExtentKind) { return ExtentKind::Product; }

static std::vector<Axiom> makeAxioms() {
  const Pattern x{Kind::Symbol, 0, ExtentKind::One, {}};
  const Pattern y{Kind::Symbol, 1, ExtentKind::One, {}};
  const Pattern z{Kind::Symbol, 2, ExtentKind::One, {}};
  const ExtentKind one = ExtentKind::One, i = ExtentKind::I, j = ExtentKind::J;
  return {
#define MIRAGE_EQUALITY(name, lhs, rhs) Axiom{#name, true, lhs, rhs},
#define MIRAGE_SUBEXPRESSION(name, part, whole)                                \
  Axiom{#name, false, part, whole},
#include "Mirage/Search/Expressions/Axioms.def"
  };
}

llvm::ArrayRef<Axiom> mirage::search::getAxioms() {
  static const std::vector<Axiom> axioms = makeAxioms();
  return axioms;
}
