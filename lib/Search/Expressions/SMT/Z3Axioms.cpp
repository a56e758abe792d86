//===- Z3Axioms.cpp - Proofs from the axioms ------------------------------===//
//
// Table 2 of the Mirage paper as it stands: an uninterpreted sort of
// expressions, quantified axioms made from Axioms.def, and the question whether
// they contradict that one term is not a subexpression of another.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/Axioms.h"
#include "Mirage/Search/Expressions/SMT.h"
#include "Z3Session.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

using namespace mirage::search;
using Kind = Expression::Kind;

namespace {

class AxiomProof {
public:
  AxiomProof(const ExpressionContext &terms, unsigned budget)
      : terms(terms), session(budget, /*modelBased=*/false),
        sort(Z3_mk_uninterpreted_sort(context(), session.symbol("E"))),
        integers(Z3_mk_int_sort(context())) {
    Z3_sort pair[] = {sort, sort};
    Z3_sort sized[] = {integers, sort};
    add = declare("add", pair, sort);
    mul = declare("mul", pair, sort);
    div = declare("div", pair, sort);
    exp = declare("exp", sort, sort);
    sqrt = declare("sqrt", sort, sort);
    inv = declare("inv", sort, sort);
    sum = declare("sum", sized, sort);
    subexpr = declare("subexpr", pair, Z3_mk_bool_sort(context()));
    for (unsigned i = 0; i < 3; ++i)
      variables[i] = constant(std::string(1, "xyz"[i]), sort);
    for (unsigned i = 0; i < 2; ++i)
      extents[i] = constant(std::string(1, "ij"[i]), integers);
    for (const Axiom &axiom : getAxioms()) {
      Z3_ast lhs = translate(axiom.lhs), rhs = translate(axiom.rhs);
      requireForAll(axiom.isEquality ? Z3_mk_eq(context(), lhs, rhs)
                                     : apply(subexpr, {lhs, rhs}));
    }
    auto [x, y, z] = variables;
    requireForAll(apply(subexpr, {x, x}));
    requireForAll(Z3_mk_implies(
        context(),
        session.conjunction({apply(subexpr, {x, y}), apply(subexpr, {y, z})}),
        apply(subexpr, {x, z})));
  }

  bool prove(const Expression *goal, const Expression *part) {
    Z3_ast contained = apply(subexpr, {translate(part), translate(goal)});
    session.require(Z3_mk_not(context(), contained));
    return session.check() == Z3_L_FALSE;
  }

private:
  Z3_context context() { return session.context; }

  Z3_func_decl declare(const std::string &name, llvm::ArrayRef<Z3_sort> domain,
                       Z3_sort range) {
    return Z3_mk_func_decl(context(), session.symbol(name.c_str()),
                           domain.size(), domain.data(), range);
  }
  Z3_ast constant(const std::string &name, Z3_sort of) {
    return Z3_mk_const(context(), session.symbol(name.c_str()), of);
  }
  Z3_ast apply(Z3_func_decl function, llvm::ArrayRef<Z3_ast> operands) {
    return Z3_mk_app(context(), function, operands.size(), operands.data());
  }

  void requireForAll(Z3_ast body) {
    Z3_app bound[] = {
        Z3_to_app(context(), variables[0]), Z3_to_app(context(), variables[1]),
        Z3_to_app(context(), variables[2]), Z3_to_app(context(), extents[0]),
        Z3_to_app(context(), extents[1])};
    session.require(Z3_mk_forall_const(
        context(), /*weight=*/0, std::size(bound), bound, 0, nullptr, body));
  }

  Z3_func_decl getFunction(Kind kind) const {
    switch (kind) {
    case Kind::Add:
      return add;
    case Kind::Mul:
      return mul;
    case Kind::Div:
      return div;
    case Kind::Exp:
      return exp;
    case Kind::Sqrt:
      return sqrt;
    case Kind::Inv:
      return inv;
    case Kind::Sum:
      return sum;
    case Kind::Symbol:
    case Kind::Function:
      break;
    }
    return nullptr;
  }

  Z3_ast translate(const Pattern &pattern) {
    if (pattern.kind == Kind::Symbol)
      return variables[pattern.variable];
    llvm::SmallVector<Z3_ast, 2> operands;
    if (pattern.kind == Kind::Sum) {
      switch (pattern.extent) {
      case Pattern::ExtentKind::One:
        operands.push_back(session.integer(1));
        break;
      case Pattern::ExtentKind::I:
        operands.push_back(extents[0]);
        break;
      case Pattern::ExtentKind::J:
        operands.push_back(extents[1]);
        break;
      case Pattern::ExtentKind::Product:
        operands.push_back(session.product({extents[0], extents[1]}));
        break;
      }
    }
    for (const Pattern &operand : pattern.operands)
      operands.push_back(translate(operand));
    return apply(getFunction(pattern.kind), operands);
  }

  Z3_ast translate(const Expression *term) {
    Z3_ast &known = translated[term];
    if (known)
      return known;
    std::string name;
    if (term->kind == Kind::Symbol || term->kind == Kind::Function)
      name = terms.getName(term->name).str();
    if (term->kind == Kind::Symbol)
      return known = constant("symbol " + name, sort);
    llvm::SmallVector<Z3_ast, 2> operands;
    if (term->kind == Kind::Sum)
      operands.push_back(session.integer(term->extent.getSize().value_or(0)));
    for (const Expression *operand : term->operands)
      operands.push_back(translate(operand));
    Z3_func_decl function = getFunction(term->kind);
    if (!function) {
      llvm::SmallVector<Z3_sort, 3> domain(operands.size(), sort);
      function = declare("function " + name, domain, sort);
    }
    Z3_ast result = apply(function, operands);
    // All operands of a function are inside, of this application too.
    if (term->kind == Kind::Function)
      for (Z3_ast operand : operands)
        session.require(apply(subexpr, {operand, result}));
    return translated[term] = result;
  }

  const ExpressionContext &terms;
  Z3Session session;
  Z3_sort sort, integers;
  Z3_func_decl add, mul, div, exp, sqrt, inv, sum, subexpr;
  std::array<Z3_ast, 3> variables;
  std::array<Z3_ast, 2> extents;
  llvm::DenseMap<const Expression *, Z3_ast> translated;
};

/// Whether all extents are integers that Z3 can be given.
bool hasPlainExtents(const Expression *term) {
  if (term->kind == Kind::Sum && !term->extent.getSize())
    return false;
  for (const Expression *operand : term->operands)
    if (!hasPlainExtents(operand))
      return false;
  return true;
}

} // namespace

SolverAnswer mirage::search::proveContained(const ExpressionContext &context,
                                            const Expression *goal,
                                            const Expression *part,
                                            unsigned budget) {
  if (!hasPlainExtents(goal) || !hasPlainExtents(part))
    return SolverAnswer::Unknown;
  return AxiomProof(context, budget).prove(goal, part) ? SolverAnswer::Yes
                                                       : SolverAnswer::Unknown;
}
