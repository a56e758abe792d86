//===- Z3Session.h - A context and a solver of Z3 ---------------*- C++ -*-===//
//
// Owns what one question needs, through Z3's C interface, which throws nothing.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_EXPRESSIONS_SMT_Z3SESSION_H
#define MIRAGE_LIB_SEARCH_EXPRESSIONS_SMT_Z3SESSION_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <z3.h>

namespace mirage::search {

class Z3Session {
public:
  /// `budget` is Z3's rlimit.
  explicit Z3Session(unsigned budget) {
    Z3_config config = Z3_mk_config();
    context = Z3_mk_context(config);
    Z3_del_config(config);
    solver = Z3_mk_simple_solver(context);
    Z3_solver_inc_ref(context, solver);
    Z3_params params = Z3_mk_params(context);
    Z3_params_inc_ref(context, params);
    Z3_params_set_uint(context, params, Z3_mk_string_symbol(context, "rlimit"),
                       budget);
    Z3_solver_set_params(context, solver, params);
    Z3_params_dec_ref(context, params);
  }
  ~Z3Session() {
    Z3_solver_dec_ref(context, solver);
    Z3_del_context(context);
  }
  Z3Session(const Z3Session &) = delete;

  Z3_ast integer(int64_t value) {
    return Z3_mk_int64(context, value, Z3_mk_int_sort(context));
  }
  Z3_ast integerConstant(unsigned number) {
    return Z3_mk_const(context, Z3_mk_int_symbol(context, number),
                       Z3_mk_int_sort(context));
  }
  Z3_ast sum(llvm::ArrayRef<Z3_ast> terms) {
    return terms.empty() ? integer(0)
                         : Z3_mk_add(context, terms.size(), terms.data());
  }
  Z3_ast product(llvm::ArrayRef<Z3_ast> factors) {
    return factors.empty() ? integer(1)
                           : Z3_mk_mul(context, factors.size(), factors.data());
  }
  Z3_ast conjunction(llvm::ArrayRef<Z3_ast> terms) {
    return Z3_mk_and(context, terms.size(), terms.data());
  }
  Z3_ast disjunction(llvm::ArrayRef<Z3_ast> terms) {
    return Z3_mk_or(context, terms.size(), terms.data());
  }
  void require(Z3_ast condition) {
    Z3_solver_assert(context, solver, condition);
  }
  /// Returns whether the conditions can hold. Errors of Z3 leave it undefined.
  Z3_lbool check() {
    if (Z3_get_error_code(context) != Z3_OK)
      return Z3_L_UNDEF;
    return Z3_solver_check(context, solver);
  }
  /// After a check that said yes: values of integers that meet the conditions,
  /// in their order; nothing if one exceeds 64 bits.
  std::optional<llvm::SmallVector<int64_t>>
  getValues(llvm::ArrayRef<Z3_ast> terms) {
    Z3_model model = Z3_solver_get_model(context, solver);
    if (!model)
      return std::nullopt;
    Z3_model_inc_ref(context, model);
    llvm::SmallVector<int64_t> values;
    for (Z3_ast term : terms) {
      Z3_ast value = nullptr;
      int64_t number = 0;
      if (!Z3_model_eval(context, model, term, /*model_completion=*/true,
                         &value) ||
          !Z3_get_numeral_int64(context, value, &number))
        break;
      values.push_back(number);
    }
    Z3_model_dec_ref(context, model);
    if (values.size() != terms.size())
      return std::nullopt;
    return values;
  }

  Z3_context context;

private:
  Z3_solver solver;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_EXPRESSIONS_SMT_Z3SESSION_H
