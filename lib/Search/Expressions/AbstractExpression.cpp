//===- AbstractExpression.cpp - What is computed, not where ---------------===//
//
// Makes terms, one object for equal ones, and prints them.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Expressions/AbstractExpression.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringExtras.h"

using namespace mirage::search;
using Kind = Expression::Kind;

unsigned ExpressionContext::getNameNumber(llvm::StringRef name) {
  auto [entry, isNew] = nameNumbers.try_emplace(name, names.size());
  if (isNew)
    names.push_back(name.str());
  return entry->second;
}

const Expression *ExpressionContext::intern(Expression expression) {
  llvm::hash_code hash = llvm::hash_combine(
      static_cast<unsigned>(expression.kind), expression.name,
      llvm::hash_combine_range(expression.operands));
  for (auto [generator, exponent] : expression.extent.getPowers())
    hash = llvm::hash_combine(hash, generator, exponent);
  auto &bucket = interned[static_cast<uint64_t>(hash) >> 1];
  for (const Expression *other : bucket)
    if (other->kind == expression.kind && other->name == expression.name &&
        other->extent == expression.extent &&
        other->operands == expression.operands)
      return other;
  expression.number = expressions.size();
  expressions.push_back(std::move(expression));
  bucket.push_back(&expressions.back());
  return &expressions.back();
}

static Expression make(Kind kind, llvm::ArrayRef<const Expression *> operands) {
  Expression result{kind, 0, 0, {}, {}};
  result.operands.assign(operands.begin(), operands.end());
  return result;
}

const Expression *ExpressionContext::symbol(llvm::StringRef name) {
  Expression result = make(Kind::Symbol, {});
  result.name = getNameNumber(name);
  return intern(std::move(result));
}

const Expression *ExpressionContext::add(const Expression *x,
                                         const Expression *y) {
  return intern(make(Kind::Add, {x, y}));
}

const Expression *ExpressionContext::mul(const Expression *x,
                                         const Expression *y) {
  return intern(make(Kind::Mul, {x, y}));
}

const Expression *ExpressionContext::div(const Expression *x,
                                         const Expression *y) {
  return intern(make(Kind::Div, {x, y}));
}

const Expression *ExpressionContext::exp(const Expression *x) {
  return intern(make(Kind::Exp, {x}));
}

const Expression *ExpressionContext::sqrt(const Expression *x) {
  return intern(make(Kind::Sqrt, {x}));
}

const Expression *ExpressionContext::inv(const Expression *x) {
  return intern(make(Kind::Inv, {x}));
}

const Expression *ExpressionContext::sum(const SymbolicExtent &extent,
                                         const Expression *x) {
  Expression result = make(Kind::Sum, {x});
  result.extent = extent;
  return intern(std::move(result));
}

const Expression *
ExpressionContext::function(llvm::StringRef name,
                            llvm::ArrayRef<const Expression *> operands) {
  Expression result = make(Kind::Function, operands);
  result.name = getNameNumber(name);
  return intern(std::move(result));
}

const Expression *
ExpressionContext::rebuild(const Expression *like,
                           llvm::ArrayRef<const Expression *> operands) {
  Expression result = make(like->kind, operands);
  result.name = like->name;
  result.extent = like->extent;
  return intern(std::move(result));
}

static llvm::StringRef getMnemonic(Kind kind) {
  switch (kind) {
  case Kind::Add:
    return "add";
  case Kind::Mul:
    return "mul";
  case Kind::Div:
    return "div";
  case Kind::Exp:
    return "exp";
  case Kind::Sqrt:
    return "sqrt";
  case Kind::Inv:
    return "inv";
  case Kind::Sum:
    return "sum";
  case Kind::Symbol:
  case Kind::Function:
    break;
  }
  return "";
}

std::string ExpressionContext::toString(const Expression *expression) const {
  if (expression->kind == Kind::Symbol)
    return names[expression->name];
  std::string text = expression->kind == Kind::Function
                         ? names[expression->name]
                         : getMnemonic(expression->kind).str();
  text += '(';
  if (expression->kind == Kind::Sum)
    text += expression->extent.toString() + ", ";
  llvm::ListSeparator comma;
  for (const Expression *operand : expression->operands) {
    text += llvm::StringRef(comma);
    text += toString(operand);
  }
  return text + ')';
}
