//===- AbstractExpression.h - What is computed, not where -------*- C++ -*-===//
//
// Abstract expressions (Mirage paper, section 4.3): terms that say which inputs
// a tensor is computed from and by which functions, but not from which of their
// elements. Terms are built as written; what is equal to what is a matter of
// the axioms (Axioms.def) and their normal form (NormalForm.h).
//
// A context owns its terms and gives equal terms the same address. It belongs
// to one thread.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEXPRESSION_H
#define MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEXPRESSION_H

#include "Mirage/Search/Expressions/SymbolicExtent.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <deque>

namespace mirage::search {

struct Expression {
  enum class Kind : uint8_t {
    /// An input or a constant, of which nothing but its name is known.
    Symbol,
    /// x + y. Signs are ignored: it is x - y as well.
    Add,
    Mul,
    Div,
    Exp,
    Sqrt,
    /// 1 / x. The paper has no reciprocals, and so no reciprocal square roots.
    Inv,
    /// The sum of as many terms as the extent says, each of which is x in the
    /// abstract.
    Sum,
    /// A function of which nothing is known but its name: silu, max, ...
    Function,
  };

  Kind kind;
  /// The context's number of the name of a symbol or a function.
  unsigned name = 0;
  /// The term's own number. Numbers are dense, in the order in which the
  /// context made its terms.
  unsigned number = 0;
  /// How many terms a sum has.
  SymbolicExtent extent;
  llvm::SmallVector<const Expression *, 2> operands;
};

class ExpressionContext {
public:
  ExpressionContext() = default;
  ExpressionContext(const ExpressionContext &) = delete;

  const Expression *symbol(llvm::StringRef name);
  const Expression *add(const Expression *x, const Expression *y);
  const Expression *mul(const Expression *x, const Expression *y);
  const Expression *div(const Expression *x, const Expression *y);
  const Expression *exp(const Expression *x);
  const Expression *sqrt(const Expression *x);
  const Expression *inv(const Expression *x);
  const Expression *sum(const SymbolicExtent &extent, const Expression *x);
  const Expression *sum(int64_t extent, const Expression *x) {
    return sum(SymbolicExtent::get(extent), x);
  }
  const Expression *function(llvm::StringRef name,
                             llvm::ArrayRef<const Expression *> operands);
  /// The operator of `like` on other operands.
  const Expression *rebuild(const Expression *like,
                            llvm::ArrayRef<const Expression *> operands);

  llvm::StringRef getName(unsigned name) const { return names[name]; }

  /// The expression in the paper's notation: "sum(64, mul(X, W))".
  std::string toString(const Expression *expression) const;

private:
  unsigned getNameNumber(llvm::StringRef name);
  const Expression *intern(Expression expression);

  std::deque<Expression> expressions;
  llvm::DenseMap<uint64_t, llvm::SmallVector<const Expression *, 1>> interned;
  std::vector<std::string> names;
  llvm::StringMap<unsigned> nameNumbers;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_ABSTRACTEXPRESSION_H
