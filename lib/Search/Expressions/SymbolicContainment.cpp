//===- SymbolicContainment.cpp - Containment but for extents --------------===//
//
// Looks for a prefix in the parts of the goal, and decides equality under
// equations of extents, by backtracking: each function calls `next` for every
// way to satisfy it, with the equations that this takes.
//
//===----------------------------------------------------------------------===//

#include "SymbolicContainment.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace mirage::search;
using Polynomial = NormalForms::Polynomial;
using Monomial = NormalForms::Monomial;

/// The most steps of backtracking for one question.
static constexpr unsigned kMaxSteps = 200'000;
/// The most equal monomials or atoms, which are gone through one by one.
static constexpr unsigned kMaxMultiplicity = 1000;

SymbolicContainment::List
SymbolicContainment::expand(llvm::ArrayRef<std::pair<unsigned, unsigned>> of) {
  List items;
  for (auto [item, count] : of)
    items.append(count, item);
  return items;
}

unsigned SymbolicContainment::getAtomSkeleton(unsigned atom) {
  NormalForms::AtomData data = normalForms.getAtom(atom);
  for (Polynomial &argument : data.arguments)
    argument = getSkeleton(argument);
  return normalForms.intern(std::move(data));
}

Monomial SymbolicContainment::getMonomialSkeleton(Monomial m) {
  auto known = monomialSkeletons.find(m);
  if (known != monomialSkeletons.end())
    return known->second;
  const NormalForms::MonomialData &from = normalForms.getMonomial(m);
  NormalForms::MonomialData data;
  // Atoms may become equal.
  std::map<unsigned, unsigned> atoms;
  for (auto [atom, count] : from.atoms)
    atoms[getAtomSkeleton(atom)] += count;
  data.atoms.assign(atoms.begin(), atoms.end());
  data.exponent = getSkeleton(from.exponent);
  data.root = getSkeleton(from.root);
  data.denominator = getSkeleton(from.denominator);
  if (llvm::is_contained({data.exponent, data.root, data.denominator},
                         NormalForms::kTooLarge))
    return NormalForms::kTooLarge;
  Monomial result = normalForms.intern(std::move(data));
  monomialSkeletons[m] = result;
  return result;
}

Polynomial SymbolicContainment::getSkeleton(Polynomial p) {
  if (p == NormalForms::kZero || p == NormalForms::kOne)
    return p;
  auto known = skeletons.find(p);
  if (known != skeletons.end())
    return known->second;
  llvm::SmallVector<std::pair<Monomial, unsigned>, 8> terms;
  for (auto [monomial, count] : normalForms.getPolynomial(p).terms) {
    terms.push_back({getMonomialSkeleton(monomial), count});
    if (terms.back().first == NormalForms::kTooLarge)
      return NormalForms::kTooLarge;
  }
  Polynomial result = normalForms.collect(terms);
  skeletons[p] = result;
  return result;
}

bool SymbolicContainment::isTooLarge(Polynomial p) {
  auto known = tooLarge.find(p);
  if (known != tooLarge.end())
    return known->second;
  auto isMany = [](const auto &item) { return item.second > kMaxMultiplicity; };
  bool result = llvm::any_of(normalForms.getParts(p), [&](Polynomial inside) {
    return llvm::any_of(
        normalForms.getPolynomial(inside).terms, [&](const auto &term) {
          return isMany(term) ||
                 llvm::any_of(normalForms.getMonomial(term.first).atoms,
                              isMany);
        });
  });
  tooLarge[p] = result;
  return result;
}

void SymbolicContainment::find(Polynomial goal, Polynomial part) {
  cases.clear();
  equations.clear();
  steps = numQuotients = 0;
  isIncomplete = false;
  for (Polynomial inside : normalForms.getParts(goal))
    if (findIn(inside, part))
      return;
}

bool SymbolicContainment::emit() {
  if (cases.size() == maxCases) {
    isIncomplete = true;
    return true;
  }
  cases.push_back(equations);
  return equations.empty();
}

bool SymbolicContainment::findIn(Polynomial whole, Polynomial part) {
  if (normalForms.getPolynomial(part).mask &
      ~normalForms.getPolynomial(whole).mask)
    return false;
  List items = expand(normalForms.getPolynomial(part).terms);
  List pool = expand(normalForms.getPolynomial(whole).terms);
  if (items.size() > pool.size())
    return false;
  for (unsigned i = 0; i < pool.size(); ++i) {
    // Equal monomials are next to each other.
    if (i && pool[i] == pool[i - 1])
      continue;
    bool stop = divideMonomials(pool[i], items[0], [&](Monomial m) {
      std::optional<List> others = multiplyOthers(items, 0, m);
      if (!others)
        return false;
      List rest = pool;
      rest.erase(rest.begin() + i);
      return matchMonomials(*others, rest, [&] { return emit(); });
    });
    if (stop)
      return true;
  }
  return false;
}

bool SymbolicContainment::unify(const SymbolicExtent &a,
                                const SymbolicExtent &b, Next next) {
  if (++steps > kMaxSteps)
    return isIncomplete = true;
  if (a == b)
    return next();
  if (!a.hasUnknowns() && !b.hasUnknowns())
    return false;
  equations.push_back({a, b});
  bool stop = next();
  equations.pop_back();
  return stop;
}

bool SymbolicContainment::unifyMonomials(Monomial a, Monomial b, Next next) {
  if (a == b)
    return next();
  if (getMonomialSkeleton(a) != getMonomialSkeleton(b))
    return false;
  const auto &x = normalForms.getMonomial(a), &y = normalForms.getMonomial(b);
  return unify(x.extent, y.extent, [&] {
    List pool = expand(y.atoms);
    return matchAtoms(expand(x.atoms), pool, [&] {
      return unify(x.exponent, y.exponent, [&] {
        return unify(x.root, y.root,
                     [&] { return unify(x.denominator, y.denominator, next); });
      });
    });
  });
}

bool SymbolicContainment::unifyAtoms(unsigned a, unsigned b, Next next) {
  if (a == b)
    return next();
  const auto &x = normalForms.getAtom(a), &y = normalForms.getAtom(b);
  if (x.name != y.name || x.isFunction != y.isFunction ||
      x.arguments.size() != y.arguments.size())
    return false;
  return unifyArguments(x.arguments, y.arguments, next);
}

bool SymbolicContainment::unifyArguments(llvm::ArrayRef<Polynomial> a,
                                         llvm::ArrayRef<Polynomial> b,
                                         Next next) {
  if (a.empty())
    return next();
  return unify(a.front(), b.front(), [&] {
    return unifyArguments(a.drop_front(), b.drop_front(), next);
  });
}

bool SymbolicContainment::unify(Polynomial a, Polynomial b, Next next) {
  if (a == b)
    return next();
  if (getSkeleton(a) != getSkeleton(b))
    return false;
  List pool = expand(normalForms.getPolynomial(b).terms);
  return matchMonomials(expand(normalForms.getPolynomial(a).terms), pool, next);
}

template <typename Unify>
bool SymbolicContainment::matchAll(llvm::ArrayRef<unsigned> items, List &pool,
                                   Unify unifyItems, Next next) {
  if (++steps > kMaxSteps)
    return isIncomplete = true;
  if (items.empty())
    return next();
  // If the item itself is in the pool, nothing is lost by taking it: what takes
  // it in another solution can take this item's partner instead.
  unsigned item = items.front();
  size_t same = llvm::find(pool, item) - pool.begin();
  bool isThere = same < pool.size();
  for (size_t i = isThere ? same : 0; i < pool.size(); ++i) {
    unsigned partner = pool[i];
    if (llvm::is_contained(llvm::ArrayRef(pool).take_front(i), partner))
      continue;
    pool.erase(pool.begin() + i);
    bool stop = unifyItems(item, partner, [&] {
      return matchAll(items.drop_front(), pool, unifyItems, next);
    });
    pool.insert(pool.begin() + i, partner);
    if (stop || isThere)
      return stop;
  }
  return false;
}

bool SymbolicContainment::matchMonomials(llvm::ArrayRef<Monomial> items,
                                         List &pool, Next next) {
  return matchAll(
      items, pool,
      [&](Monomial a, Monomial b, Next then) {
        return unifyMonomials(a, b, then);
      },
      next);
}

bool SymbolicContainment::matchAtoms(llvm::ArrayRef<unsigned> items, List &pool,
                                     Next next) {
  return matchAll(
      items, pool,
      [&](unsigned a, unsigned b, Next then) { return unifyAtoms(a, b, then); },
      next);
}
