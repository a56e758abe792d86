//===- Z3AxiomsTest.cpp - The normal form against proofs from axioms ------===//
//
// Table 2 of the Mirage paper as it stands: an uninterpreted sort of
// expressions, quantified axioms made from Axioms.def, and the question whether
// they contradict that one term is not a subexpression of another. What Z3
// proves so, the normal form must find.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/NormalForm.h"
#include "TermRewriting.h"
#include "gtest/gtest.h"
#include <array>
#include <z3.h>

using namespace mirage::search;
using Kind = Expression::Kind;

namespace {

/// Owns a context of Z3.
class Context {
public:
  Context() {
    Z3_config config = Z3_mk_config();
    context = Z3_mk_context(config);
    Z3_del_config(config);
  }
  ~Context() { Z3_del_context(context); }
  Context(const Context &) = delete;

  operator Z3_context() const { return context; }

private:
  Z3_context context;
};

class AxiomProof {
public:
  /// `budget` is Z3's rlimit.
  AxiomProof(const ExpressionContext &terms, unsigned budget)
      : terms(terms), solver(Z3_mk_simple_solver(context)),
        sort(Z3_mk_uninterpreted_sort(context, symbol("E"))),
        integers(Z3_mk_int_sort(context)) {
    Z3_solver_inc_ref(context, solver);
    Z3_params params = Z3_mk_params(context);
    Z3_params_inc_ref(context, params);
    Z3_params_set_uint(context, params, symbol("rlimit"), budget);
    // Countermodels are not looked for: only proofs are.
    Z3_params_set_bool(context, params, symbol("mbqi"), false);
    Z3_solver_set_params(context, solver, params);
    Z3_params_dec_ref(context, params);
    Z3_sort pair[] = {sort, sort};
    Z3_sort sized[] = {integers, sort};
    add = declare("add", pair, sort);
    mul = declare("mul", pair, sort);
    div = declare("div", pair, sort);
    exp = declare("exp", sort, sort);
    sqrt = declare("sqrt", sort, sort);
    inv = declare("inv", sort, sort);
    sum = declare("sum", sized, sort);
    subexpr = declare("subexpr", pair, Z3_mk_bool_sort(context));
    for (unsigned i = 0; i < 3; ++i)
      variables[i] = constant(std::string(1, "xyz"[i]), sort);
    for (unsigned i = 0; i < 2; ++i)
      extents[i] = constant(std::string(1, "ij"[i]), integers);
    for (const Axiom &axiom : getAxioms()) {
      Z3_ast lhs = translate(axiom.lhs), rhs = translate(axiom.rhs);
      requireForAll(axiom.isEquality ? Z3_mk_eq(context, lhs, rhs)
                                     : apply(subexpr, {lhs, rhs}));
    }
    auto [x, y, z] = variables;
    requireForAll(apply(subexpr, {x, x}));
    Z3_ast both[] = {apply(subexpr, {x, y}), apply(subexpr, {y, z})};
    requireForAll(Z3_mk_implies(context, Z3_mk_and(context, 2, both),
                                apply(subexpr, {x, z})));
  }
  ~AxiomProof() { Z3_solver_dec_ref(context, solver); }

  /// Returns whether Z3 proves that `part` is a subexpression of `goal`. That
  /// it does not means nothing. The terms have no unknown extents.
  bool prove(const Expression *goal, const Expression *part) {
    Z3_ast contained = apply(subexpr, {translate(part), translate(goal)});
    require(Z3_mk_not(context, contained));
    return Z3_get_error_code(context) == Z3_OK &&
           Z3_solver_check(context, solver) == Z3_L_FALSE;
  }

private:
  Z3_symbol symbol(const std::string &name) {
    return Z3_mk_string_symbol(context, name.c_str());
  }
  Z3_ast integer(int64_t value) {
    return Z3_mk_int64(context, value, integers);
  }
  void require(Z3_ast condition) {
    Z3_solver_assert(context, solver, condition);
  }
  Z3_func_decl declare(const std::string &name, llvm::ArrayRef<Z3_sort> domain,
                       Z3_sort range) {
    return Z3_mk_func_decl(context, symbol(name), domain.size(), domain.data(),
                           range);
  }
  Z3_ast constant(const std::string &name, Z3_sort of) {
    return Z3_mk_const(context, symbol(name), of);
  }
  Z3_ast apply(Z3_func_decl function, llvm::ArrayRef<Z3_ast> operands) {
    return Z3_mk_app(context, function, operands.size(), operands.data());
  }

  void requireForAll(Z3_ast body) {
    Z3_app bound[] = {
        Z3_to_app(context, variables[0]), Z3_to_app(context, variables[1]),
        Z3_to_app(context, variables[2]), Z3_to_app(context, extents[0]),
        Z3_to_app(context, extents[1])};
    require(Z3_mk_forall_const(context, /*weight=*/0, std::size(bound), bound,
                               0, nullptr, body));
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
        operands.push_back(integer(1));
        break;
      case Pattern::ExtentKind::I:
        operands.push_back(extents[0]);
        break;
      case Pattern::ExtentKind::J:
        operands.push_back(extents[1]);
        break;
      case Pattern::ExtentKind::Product:
        operands.push_back(Z3_mk_mul(context, 2, extents.data()));
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
      operands.push_back(integer(*term->extent.getSize()));
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
        require(apply(subexpr, {operand, result}));
    return translated[term] = result;
  }

  const ExpressionContext &terms;
  Context context;
  Z3_solver solver;
  Z3_sort sort, integers;
  Z3_func_decl add, mul, div, exp, sqrt, inv, sum, subexpr;
  std::array<Z3_ast, 3> variables;
  std::array<Z3_ast, 2> extents;
  llvm::DenseMap<const Expression *, Z3_ast> translated;
};

TEST(Z3Axioms, NormalFormContainsWhatZ3Proves) {
  ExpressionContext c;
  NormalForms forms;
  RandomTerms random(c, 5);
  unsigned proofs = 0;
  for (unsigned round = 0; round < 60; ++round) {
    const Expression *goal = random.make(3 + random.pick(4));
    const Expression *part = random.makePart(goal);
    if (!AxiomProof(c, /*budget=*/200'000).prove(goal, part))
      continue;
    ++proofs;
    EXPECT_EQ(forms.contains(goal, part), Containment::Contained)
        << c.toString(part) << " in " << c.toString(goal);
  }
  EXPECT_GT(proofs, 25u);
}

} // namespace
