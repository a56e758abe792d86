//===- Unification.cpp - Equality up to names of bound variables ----------===//
//
// Pairs the bound variables of one side with those of the other, one to one
// within every binder. Terms, factors and monomials are sets; where hashes
// leave several ways to match two of them, one after the other is tried, and
// pairs of variables made on the way are taken back.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"
#include "llvm/ADT/Twine.h"

using namespace mirage;
using namespace mirage::equivalence;

namespace {
class Matcher {
public:
  explicit Matcher(Algebra &algebra) : algebra(algebra) {}

  bool match(const Atom &a, const Atom &b) {
    const Goal *goals = nullptr;
    return addAtoms(a, b, goals) && solve(goals);
  }
  bool match(const Monomial &a, const Monomial &b) {
    const Goal *goals = nullptr;
    return addMonomials(a, b, goals) && solve(goals);
  }
  bool match(const Alternative &a, const Alternative &b) {
    const Goal *goals = nullptr;
    return addAlternatives(a, b, goals) && solve(goals);
  }

private:
  /// The elements from number `index` on of a set on the left are still to be
  /// matched, with those on the right that are not taken; then `next`.
  struct Goal {
    enum class Kind : uint8_t { Terms, Factors, Monomials, Alternatives };
    Kind kind;
    const void *left, *right;
    size_t index, size;
    llvm::SmallBitVector taken;
    const Goal *next;
    /// These are monomials, and those on the right are sorted by their hashes.
    bool isSorted = false;
  };
  /// A variable bound around here, and its partner if it has one.
  struct Entry {
    unsigned scope;
    std::optional<Variable> partner;
  };
  using Table = llvm::SmallDenseMap<Variable, Entry, 8>;
  struct Change {
    Table *table;
    Variable variable;
    std::optional<Entry> old;
  };

  bool solve(const Goal *goals);
  /// Returns the range of the elements on the right that the next one may match
  /// at all.
  static std::pair<size_t, size_t> getRange(const Goal &goal);
  /// Returns whether two elements may match, by what is known without trying.
  bool canMatch(const Goal &goal, size_t i, size_t j);
  /// Assumes that they do; adds what is left to show.
  bool assume(const Goal &goal, size_t i, size_t j, const Goal *&goals);

  void addGoal(Goal::Kind kind, const void *a, const void *b, size_t size,
               const Goal *&goals) {
    if (size)
      goals = &storage.emplace_back(
          Goal{kind, a, b, 0, size,
               llvm::SmallBitVector(static_cast<unsigned>(size)), goals});
  }
  bool addAtoms(const Atom &a, const Atom &b, const Goal *&goals);
  bool addMonomials(const Monomial &a, const Monomial &b, const Goal *&goals);
  bool addPolynomials(const Polynomial &a, const Polynomial &b,
                      const Goal *&goals);
  bool addAlternatives(const Alternative &a, const Alternative &b,
                       const Goal *&goals);

  void set(Table &table, Variable v, const Entry &entry);
  void undo(size_t numChanges);
  bool enter(llvm::ArrayRef<Variable> a, llvm::ArrayRef<Variable> b);
  bool canPair(Variable a, Variable b) const;
  void pair(Variable a, Variable b);

  /// Returns whether no variable bound around here occurs.
  bool isOuter(Variable v) const {
    return !left.contains(v) && !right.contains(v);
  }
  bool isClosed(const Atom &atom) const {
    return llvm::all_of(atom.variables, [&](Variable v) { return isOuter(v); });
  }
  bool isClosed(const Monomial &m) const {
    return llvm::all_of(m.factors, [&](const Factor &factor) {
      return llvm::all_of(factor.atom->variables, [&](Variable v) {
        return llvm::is_contained(m.bound, v) || isOuter(v);
      });
    });
  }

  Algebra &algebra;
  Table left, right;
  std::vector<Change> changes;
  std::deque<Goal> storage;
  unsigned scopes = 0, depth = 0;
};
} // namespace

void Matcher::set(Table &table, Variable v, const Entry &entry) {
  auto found = table.find(v);
  std::optional<Entry> old;
  if (found != table.end())
    old = found->second;
  changes.push_back({&table, v, old});
  table[v] = entry;
}

void Matcher::undo(size_t numChanges) {
  for (; changes.size() > numChanges; changes.pop_back()) {
    const Change &change = changes.back();
    if (change.old)
      (*change.table)[change.variable] = *change.old;
    else
      change.table->erase(change.variable);
  }
}

/// Goes into two binders. Levels keep their names apart from those of outer
/// ones; an entry found here is left from another binder beside.
bool Matcher::enter(llvm::ArrayRef<Variable> a, llvm::ArrayRef<Variable> b) {
  if (a.size() != b.size())
    return false;
  unsigned scope = scopes++;
  for (Variable v : a)
    set(left, v, {scope, std::nullopt});
  for (Variable v : b)
    set(right, v, {scope, std::nullopt});
  return true;
}

bool Matcher::canPair(Variable a, Variable b) const {
  auto inLeft = left.find(a);
  auto inRight = right.find(b);
  if (inLeft == left.end() || inRight == right.end())
    return inLeft == left.end() && inRight == right.end() && a == b;
  const Entry &x = inLeft->second, &y = inRight->second;
  if (x.scope != y.scope ||
      algebra.variables.getExtent(a) != algebra.variables.getExtent(b))
    return false;
  if (x.partner || y.partner)
    return x.partner == b && y.partner == a;
  return true;
}

void Matcher::pair(Variable a, Variable b) {
  auto found = left.find(a);
  if (found == left.end() || found->second.partner)
    return;
  unsigned scope = found->second.scope;
  set(left, a, {scope, b});
  set(right, b, {scope, a});
}

bool Matcher::addAtoms(const Atom &a, const Atom &b, const Goal *&goals) {
  if (a.kind != b.kind || a.hash != b.hash || a.tensor != b.tensor ||
      a.function != b.function || a.integer != b.integer ||
      a.at.constant != b.at.constant ||
      a.at.terms.size() != b.at.terms.size() ||
      a.alternatives.size() != b.alternatives.size())
    return false;
  addGoal(Goal::Kind::Alternatives, a.alternatives.data(),
          b.alternatives.data(), a.alternatives.size(), goals);
  if (!addPolynomials(a.argument, b.argument, goals))
    return false;
  // Index forms first: they pair variables.
  addGoal(Goal::Kind::Terms, a.at.terms.data(), b.at.terms.data(),
          a.at.terms.size(), goals);
  return true;
}

bool Matcher::addMonomials(const Monomial &a, const Monomial &b,
                           const Goal *&goals) {
  if (a.hash != b.hash || a.factors.size() != b.factors.size() ||
      !enter(a.bound, b.bound))
    return false;
  addGoal(Goal::Kind::Factors, a.factors.data(), b.factors.data(),
          a.factors.size(), goals);
  return true;
}

bool Matcher::addPolynomials(const Polynomial &a, const Polynomial &b,
                             const Goal *&goals) {
  if (a.monomials.size() != b.monomials.size())
    return false;
  addGoal(Goal::Kind::Monomials, a.monomials.data(), b.monomials.data(),
          a.monomials.size(), goals);
  if (!a.monomials.empty())
    storage.back().isSorted =
        llvm::is_sorted(b.monomials, [](const Monomial &x, const Monomial &y) {
          return x.hash < y.hash;
        });
  return true;
}

bool Matcher::addAlternatives(const Alternative &a, const Alternative &b,
                              const Goal *&goals) {
  return enter(a.bound, b.bound) && addPolynomials(a.value, b.value, goals);
}

/// Compares two numbers without products of their parts, where that suffices:
/// most are whole, or have the divisors of the same constants.
static bool areEqual(const Rational &a, const Rational &b) {
  return a.den == b.den ? a.num == b.num : a == b;
}

bool Matcher::canMatch(const Goal &goal, size_t i, size_t j) {
  switch (goal.kind) {
  case Goal::Kind::Terms: {
    const auto &x = static_cast<const IndexTerm *>(goal.left)[i],
               &y = static_cast<const IndexTerm *>(goal.right)[j];
    return x.coefficient == y.coefficient && x.digit.stride == y.digit.stride &&
           x.digit.extent == y.digit.extent &&
           canPair(x.digit.variable, y.digit.variable);
  }
  case Goal::Kind::Factors: {
    const auto &x = static_cast<const Factor *>(goal.left)[i],
               &y = static_cast<const Factor *>(goal.right)[j];
    if (x.atom->hash != y.atom->hash || !areEqual(x.exponent, y.exponent))
      return false;
    // There is one object for each atom.
    return x.atom == y.atom || !isClosed(*x.atom) || !isClosed(*y.atom);
  }
  case Goal::Kind::Monomials: {
    const auto &x = static_cast<const Monomial *>(goal.left)[i],
               &y = static_cast<const Monomial *>(goal.right)[j];
    return x.hash == y.hash && areEqual(x.coefficient, y.coefficient);
  }
  case Goal::Kind::Alternatives: {
    const auto &x = static_cast<const Alternative *>(goal.left)[i],
               &y = static_cast<const Alternative *>(goal.right)[j];
    return x.bound.size() == y.bound.size() &&
           hashPolynomial(x.value) == hashPolynomial(y.value);
  }
  }
  llvm_unreachable("no goal");
}

bool Matcher::assume(const Goal &goal, size_t i, size_t j, const Goal *&goals) {
  switch (goal.kind) {
  case Goal::Kind::Terms: {
    const auto &x = static_cast<const IndexTerm *>(goal.left)[i],
               &y = static_cast<const IndexTerm *>(goal.right)[j];
    pair(x.digit.variable, y.digit.variable);
    return true;
  }
  case Goal::Kind::Factors: {
    const auto &x = static_cast<const Factor *>(goal.left)[i],
               &y = static_cast<const Factor *>(goal.right)[j];
    if (isClosed(*x.atom) && isClosed(*y.atom))
      return x.atom == y.atom;
    return addAtoms(*x.atom, *y.atom, goals);
  }
  case Goal::Kind::Monomials: {
    const auto &x = static_cast<const Monomial *>(goal.left)[i],
               &y = static_cast<const Monomial *>(goal.right)[j];
    // What pairs no variables around here needs no second try.
    if (isClosed(x) && isClosed(y))
      return Matcher(algebra).match(x, y);
    return addMonomials(x, y, goals);
  }
  case Goal::Kind::Alternatives:
    return addAlternatives(static_cast<const Alternative *>(goal.left)[i],
                           static_cast<const Alternative *>(goal.right)[j],
                           goals);
  }
  llvm_unreachable("no goal");
}

std::pair<size_t, size_t> Matcher::getRange(const Goal &goal) {
  if (!goal.isSorted)
    return {0, goal.size};
  llvm::ArrayRef<Monomial> right(static_cast<const Monomial *>(goal.right),
                                 goal.size);
  uint64_t hash = static_cast<const Monomial *>(goal.left)[goal.index].hash;
  const Monomial *from = llvm::partition_point(
      right, [&](const Monomial &m) { return m.hash < hash; });
  const Monomial *to = std::find_if(
      from, right.end(), [&](const Monomial &m) { return m.hash != hash; });
  return {from - right.begin(), to - right.begin()};
}

bool Matcher::solve(const Goal *goals) {
  // Only choices nest; their number is bounded because of the stack.
  if (depth == 1000) {
    algebra.failAtLimit("comparing terms takes too many choices");
    return false;
  }
  while (goals) {
    const Goal &goal = *goals;
    llvm::SmallVector<size_t, 4> candidates;
    auto [from, to] = getRange(goal);
    for (size_t j = from; j < to; ++j)
      if (!goal.taken.test(j) && canMatch(goal, goal.index, j))
        candidates.push_back(j);
    if (candidates.empty() || !algebra.spend(1 + goal.size / 16))
      return false;
    auto tryOne = [&](size_t j, const Goal *&rest) {
      rest = goal.next;
      if (goal.index + 1 < goal.size) {
        Goal &others = storage.emplace_back(goal);
        ++others.index;
        others.taken.set(j);
        rest = &others;
      }
      return assume(goal, goal.index, j, rest);
    };
    if (candidates.size() == 1) {
      if (!tryOne(candidates.front(), goals))
        return false;
      continue;
    }
    ++depth;
    for (size_t j : candidates) {
      size_t numChanges = changes.size();
      const Goal *rest;
      if (tryOne(j, rest) && solve(rest))
        return true;
      undo(numChanges);
      if (algebra.isStopped())
        return false;
    }
    --depth;
    return false;
  }
  return true;
}

bool Algebra::areAlike(const Monomial &a, const Monomial &b) {
  return Matcher(*this).match(a, b);
}

bool Algebra::areAlike(const Alternative &a, const Alternative &b) {
  return Matcher(*this).match(a, b);
}

bool Algebra::areAlike(const Atom &a, const Atom &b) {
  return Matcher(*this).match(a, b);
}
