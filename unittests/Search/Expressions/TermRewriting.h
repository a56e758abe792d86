//===- TermRewriting.h - Random terms, rewritten by the axioms --*- C++ -*-===//
//
// Makes terms at random, and rewrites them with an axiom in either direction,
// one step at a time. Tests hold the normal form against these terms.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_TERMREWRITING_H
#define MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_TERMREWRITING_H

#include "Axioms.h"
#include <functional>
#include <random>

namespace mirage::search {

/// The terms and extents that a pattern's variables stand for.
struct Binding {
  const Expression *variables[3] = {};
  std::optional<SymbolicExtent> i, j;
};

/// Calls `found` with every binding for which the pattern is the term. A
/// product of extents matches in all ways.
inline void match(const Pattern &pattern, const Expression *term,
                  Binding binding,
                  const std::function<void(const Binding &)> &found) {
  using Kind = Expression::Kind;
  if (pattern.kind == Kind::Symbol) {
    const Expression *&variable = binding.variables[pattern.variable];
    if (variable && variable != term)
      return;
    variable = term;
    return found(binding);
  }
  if (pattern.kind != term->kind)
    return;
  auto matchOperands = [&](const Binding &start) {
    if (pattern.operands.size() == 1)
      return match(pattern.operands[0], term->operands[0], start, found);
    match(pattern.operands[0], term->operands[0], start,
          [&](const Binding &next) {
            match(pattern.operands[1], term->operands[1], next, found);
          });
  };
  if (pattern.kind != Kind::Sum)
    return matchOperands(binding);
  auto bind = [&](std::optional<SymbolicExtent> Binding::*which,
                  const SymbolicExtent &to) {
    if (binding.*which && !(*(binding.*which) == to))
      return false;
    binding.*which = to;
    return true;
  };
  switch (pattern.extent) {
  case Pattern::ExtentKind::One:
    if (term->extent.isOne())
      matchOperands(binding);
    return;
  case Pattern::ExtentKind::I:
    if (bind(&Binding::i, term->extent))
      matchOperands(binding);
    return;
  case Pattern::ExtentKind::J:
    if (bind(&Binding::j, term->extent))
      matchOperands(binding);
    return;
  case Pattern::ExtentKind::Product: {
    int64_t size = *term->extent.getSize();
    for (int64_t i = 1; i <= size; ++i) {
      if (size % i)
        continue;
      binding.i = SymbolicExtent::get(i);
      binding.j = SymbolicExtent::get(size / i);
      matchOperands(binding);
    }
    return;
  }
  }
}

inline const Expression *instantiate(const Pattern &pattern,
                                     const Binding &binding,
                                     ExpressionContext &context) {
  using Kind = Expression::Kind;
  if (pattern.kind == Kind::Symbol)
    return binding.variables[pattern.variable];
  llvm::SmallVector<const Expression *, 2> operands;
  for (const Pattern &operand : pattern.operands)
    operands.push_back(instantiate(operand, binding, context));
  switch (pattern.kind) {
  case Kind::Add:
    return context.add(operands[0], operands[1]);
  case Kind::Mul:
    return context.mul(operands[0], operands[1]);
  case Kind::Div:
    return context.div(operands[0], operands[1]);
  case Kind::Exp:
    return context.exp(operands[0]);
  case Kind::Sqrt:
    return context.sqrt(operands[0]);
  case Kind::Inv:
    return context.inv(operands[0]);
  case Kind::Sum:
    switch (pattern.extent) {
    case Pattern::ExtentKind::One:
      return context.sum(SymbolicExtent(), operands[0]);
    case Pattern::ExtentKind::I:
      return context.sum(*binding.i, operands[0]);
    case Pattern::ExtentKind::J:
      return context.sum(*binding.j, operands[0]);
    case Pattern::ExtentKind::Product:
      return context.sum(*binding.i * *binding.j, operands[0]);
    }
    return nullptr;
  case Kind::Symbol:
  case Kind::Function:
    break;
  }
  return nullptr;
}

/// Calls `found` with every term that one use of an axiom makes of `term`.
inline void rewriteOnce(const Expression *term, ExpressionContext &context,
                        const std::function<void(const Expression *)> &found) {
  for (const Axiom &axiom : getAxioms()) {
    if (!axiom.isEquality)
      continue;
    for (bool forward : {true, false})
      match(forward ? axiom.lhs : axiom.rhs, term, {},
            [&](const Binding &binding) {
              found(instantiate(forward ? axiom.rhs : axiom.lhs, binding,
                                context));
            });
  }
  for (unsigned i = 0; i < term->operands.size(); ++i)
    rewriteOnce(term->operands[i], context, [&](const Expression *operand) {
      llvm::SmallVector<const Expression *, 2> operands = term->operands;
      operands[i] = operand;
      found(context.rebuild(term, operands));
    });
}

inline unsigned getSize(const Expression *term) {
  unsigned size = 1;
  for (const Expression *operand : term->operands)
    size += getSize(operand);
  return size;
}

/// Calls `visit` with the term and all terms inside.
inline void
forEachSubterm(const Expression *term,
               const std::function<void(const Expression *)> &visit) {
  visit(term);
  for (const Expression *operand : term->operands)
    forEachSubterm(operand, visit);
}

class RandomTerms {
public:
  RandomTerms(ExpressionContext &context, unsigned seed)
      : context(context), engine(seed) {}

  /// A number below `n`. The distribution of the standard library is not the
  /// same everywhere.
  unsigned pick(unsigned n) { return engine() % n; }

  const Expression *makeSymbol() {
    static constexpr const char *names[] = {"X", "Y", "Z"};
    return context.symbol(names[pick(3)]);
  }
  SymbolicExtent makeExtent() {
    static constexpr int64_t sizes[] = {2, 3, 4, 6, 8};
    return SymbolicExtent::get(sizes[pick(5)]);
  }

  /// Makes a term of about `size` operators and symbols.
  const Expression *make(unsigned size) {
    if (size <= 1)
      return makeSymbol();
    const Expression *x = make(size - 1 - (size - 1) / 2);
    if (size == 2)
      return makeAround(x, 0);
    return makeAround(x, (size - 1) / 2);
  }

  /// Puts one operator around `x`, with another operand of `size` if it takes
  /// one.
  const Expression *makeAround(const Expression *x, unsigned size) {
    unsigned kind = pick(11);
    if (size == 0)
      kind = 7 + pick(5);
    const Expression *y = size && kind < 8 ? make(size) : nullptr;
    if (y && pick(2))
      std::swap(x, y);
    switch (kind) {
    case 0:
    case 1:
      return context.add(x, y);
    case 2:
    case 3:
    case 4:
      return context.mul(x, y);
    case 5:
    case 6:
      return context.div(x, y);
    case 7:
      return y ? context.function("max", {x, y})
               : context.function("silu", {x});
    case 8:
      return context.exp(x);
    case 9:
      return context.sqrt(x);
    case 10:
      return context.sum(makeExtent(), x);
    default:
      return context.inv(x);
    }
  }

  /// Rewrites the term `steps` times, each time to one of all terms that are no
  /// larger than `maxSize`.
  const Expression *rewrite(const Expression *term, unsigned steps,
                            unsigned maxSize) {
    for (; steps; --steps) {
      std::vector<const Expression *> next;
      rewriteOnce(term, context, [&](const Expression *other) {
        if (getSize(other) <= maxSize)
          next.push_back(other);
      });
      if (next.empty())
        return term;
      term = next[pick(next.size())];
    }
    return term;
  }

  /// A part of the goal, perhaps changed: it is contained in the goal about as
  /// often as not.
  const Expression *makePart(const Expression *goal) {
    std::vector<const Expression *> inside;
    forEachSubterm(rewrite(goal, pick(5), 20),
                   [&](const Expression *term) { inside.push_back(term); });
    const Expression *part = inside[pick(inside.size())];
    switch (pick(4)) {
    case 0:
      return makeAround(part, pick(2));
    case 1:
      return make(1 + pick(4));
    default:
      return part;
    }
  }

private:
  ExpressionContext &context;
  std::mt19937 engine;
};

} // namespace mirage::search

#endif // MIRAGE_UNITTESTS_SEARCH_EXPRESSIONS_TERMREWRITING_H
