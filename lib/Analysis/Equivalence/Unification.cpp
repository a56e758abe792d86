//===- Unification.cpp - Equality up to names of bound variables ----------===//
//
// Pairs the bound variables of one side with those of the other, one to one
// within every binder, by trying: terms and factors are matched in every order
// that hashes allow. A search is written as goals with continuations; when the
// rest of a match fails, the next candidate is tried.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {
class Matcher {
public:
  using Next = llvm::function_ref<bool()>;

  explicit Matcher(Algebra &algebra) : algebra(algebra) {}

  /// Of atoms that may not have been looked up yet.
  bool matchStructure(const Atom &a, const Atom &b, Next next);
  bool matchMonomials(const Monomial &a, const Monomial &b, Next next);
  bool matchAlternatives(const Alternative &a, const Alternative &b, Next next);

private:
  /// A variable bound around here, and its partner if it has one.
  struct Entry {
    unsigned scope;
    std::optional<Variable> partner;
  };
  using Table = llvm::SmallDenseMap<Variable, Entry, 8>;

  bool matchAtoms(const Atom &a, const Atom &b, Next next);
  bool matchInside(llvm::ArrayRef<Variable> a, llvm::ArrayRef<Variable> b,
                   Next inside);
  bool matchPolynomials(const Polynomial &a, const Polynomial &b, Next next);
  bool matchForms(const IndexForm &a, const IndexForm &b, Next next);
  bool matchVariables(Variable a, Variable b, Next next);

  /// Matches the elements of two ranges one to one, in any order.
  bool matchSets(size_t size, llvm::function_ref<bool(size_t, size_t)> fits,
                 llvm::function_ref<bool(size_t, size_t, Next)> match,
                 Next next);
  bool matchSetsFrom(size_t i, size_t size, llvm::SmallBitVector &taken,
                     llvm::function_ref<bool(size_t, size_t)> fits,
                     llvm::function_ref<bool(size_t, size_t, Next)> match,
                     Next next);

  /// Whether no variable bound around here occurs.
  bool isClosed(const Atom &atom) const {
    return llvm::none_of(atom.variables, [&](Variable v) {
      return left.contains(v) || right.contains(v);
    });
  }

  bool isClosed(const Monomial &m) const {
    return llvm::none_of(m.factors, [&](const Factor &factor) {
      return llvm::any_of(factor.atom->variables, [&](Variable v) {
        return !llvm::is_contained(m.bound, v) &&
               (left.contains(v) || right.contains(v));
      });
    });
  }

  Algebra &algebra;
  Table left, right;
  unsigned scopes = 0;
};
} // namespace

bool Matcher::matchSetsFrom(
    size_t i, size_t size, llvm::SmallBitVector &taken,
    llvm::function_ref<bool(size_t, size_t)> fits,
    llvm::function_ref<bool(size_t, size_t, Next)> match, Next next) {
  if (i == size)
    return next();
  for (size_t j = 0; j < size; ++j) {
    if (taken.test(j) || !fits(i, j))
      continue;
    if (!algebra.spend())
      return false;
    taken.set(j);
    if (match(i, j, [&] {
          return matchSetsFrom(i + 1, size, taken, fits, match, next);
        }))
      return true;
    taken.reset(j);
  }
  return false;
}

bool Matcher::matchSets(size_t size,
                        llvm::function_ref<bool(size_t, size_t)> fits,
                        llvm::function_ref<bool(size_t, size_t, Next)> match,
                        Next next) {
  llvm::SmallBitVector taken(size);
  return matchSetsFrom(0, size, taken, fits, match, next);
}

bool Matcher::matchVariables(Variable a, Variable b, Next next) {
  auto inLeft = left.find(a);
  auto inRight = right.find(b);
  if (inLeft == left.end() || inRight == right.end())
    return inLeft == left.end() && inRight == right.end() && a == b && next();
  Entry &x = inLeft->second, &y = inRight->second;
  if (x.scope != y.scope ||
      algebra.variables.getExtent(a) != algebra.variables.getExtent(b))
    return false;
  if (x.partner || y.partner)
    return x.partner == b && y.partner == a && next();
  x.partner = b;
  y.partner = a;
  if (next())
    return true;
  // The tables may have grown meanwhile.
  left.find(a)->second.partner.reset();
  right.find(b)->second.partner.reset();
  return false;
}

bool Matcher::matchForms(const IndexForm &a, const IndexForm &b, Next next) {
  if (a.constant != b.constant || a.terms.size() != b.terms.size())
    return false;
  return matchSets(
      a.terms.size(),
      [&](size_t i, size_t j) {
        const IndexTerm &x = a.terms[i], &y = b.terms[j];
        return x.coefficient == y.coefficient &&
               x.digit.stride == y.digit.stride &&
               x.digit.extent == y.digit.extent;
      },
      [&](size_t i, size_t j, Next rest) {
        return matchVariables(a.terms[i].digit.variable,
                              b.terms[j].digit.variable, rest);
      },
      next);
}

/// Matches what is bound in two binders.
bool Matcher::matchInside(llvm::ArrayRef<Variable> a,
                          llvm::ArrayRef<Variable> b, Next inside) {
  if (a.size() != b.size())
    return false;
  // Levels keep names of this binder apart from those of outer ones, so that
  // entries found here are left from another binder beside this one.
  unsigned scope = scopes++;
  auto enter = [scope](Table &table, llvm::ArrayRef<Variable> bound) {
    llvm::SmallVector<std::pair<Variable, std::optional<Entry>>, 4> old;
    for (Variable v : bound) {
      auto found = table.find(v);
      if (found == table.end())
        old.push_back({v, std::nullopt});
      else
        old.push_back({v, found->second});
      table[v] = {scope, std::nullopt};
    }
    return old;
  };
  auto leave = [](Table &table, const auto &old) {
    for (const auto &[v, entry] : old) {
      if (entry)
        table[v] = *entry;
      else
        table.erase(v);
    }
  };
  auto oldLeft = enter(left, a);
  auto oldRight = enter(right, b);
  if (inside())
    return true;
  leave(left, oldLeft);
  leave(right, oldRight);
  return false;
}

bool Matcher::matchMonomials(const Monomial &a, const Monomial &b, Next next) {
  if (a.hash != b.hash || a.factors.size() != b.factors.size())
    return false;
  return matchInside(a.bound, b.bound, [&] {
    return matchSets(
        a.factors.size(),
        [&](size_t i, size_t j) {
          return a.factors[i].atom->hash == b.factors[j].atom->hash &&
                 a.factors[i].exponent == b.factors[j].exponent;
        },
        [&](size_t i, size_t j, Next rest) {
          return matchAtoms(*a.factors[i].atom, *b.factors[j].atom, rest);
        },
        next);
  });
}

bool Matcher::matchPolynomials(const Polynomial &a, const Polynomial &b,
                               Next next) {
  if (a.monomials.size() != b.monomials.size())
    return false;
  return matchSets(
      a.monomials.size(),
      [&](size_t i, size_t j) {
        return a.monomials[i].hash == b.monomials[j].hash &&
               a.monomials[i].coefficient == b.monomials[j].coefficient;
      },
      [&](size_t i, size_t j, Next rest) {
        const Monomial &x = a.monomials[i], &y = b.monomials[j];
        // What pairs no variables around here needs no second try.
        if (isClosed(x) && isClosed(y))
          return algebra.areAlike(x, y) && rest();
        return matchMonomials(x, y, rest);
      },
      next);
}

bool Matcher::matchAlternatives(const Alternative &a, const Alternative &b,
                                Next next) {
  return matchInside(a.bound, b.bound,
                     [&] { return matchPolynomials(a.value, b.value, next); });
}

bool Matcher::matchStructure(const Atom &a, const Atom &b, Next next) {
  if (a.kind != b.kind || a.hash != b.hash || a.tensor != b.tensor ||
      a.integer != b.integer || a.alternatives.size() != b.alternatives.size())
    return false;
  return matchForms(a.at, b.at, [&] {
    return matchPolynomials(a.argument, b.argument, [&] {
      return matchSets(
          a.alternatives.size(),
          [&](size_t i, size_t j) {
            return hashPolynomial(a.alternatives[i].value) ==
                   hashPolynomial(b.alternatives[j].value);
          },
          [&](size_t i, size_t j, Next rest) {
            return matchAlternatives(a.alternatives[i], b.alternatives[j],
                                     rest);
          },
          next);
    });
  });
}

bool Matcher::matchAtoms(const Atom &a, const Atom &b, Next next) {
  // There is one object for each atom.
  if (isClosed(a) && isClosed(b))
    return &a == &b && next();
  return matchStructure(a, b, next);
}

bool Algebra::areAlike(const Monomial &a, const Monomial &b) {
  return Matcher(*this).matchMonomials(a, b, [] { return true; });
}

bool Algebra::areAlike(const Alternative &a, const Alternative &b) {
  return Matcher(*this).matchAlternatives(a, b, [] { return true; });
}

bool Algebra::areAlike(const Atom &a, const Atom &b) {
  return Matcher(*this).matchStructure(a, b, [] { return true; });
}
