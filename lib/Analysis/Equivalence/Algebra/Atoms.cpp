//===- Atoms.cpp - One object for each atom -------------------------------===//
//
// Derived properties of atoms and monomials (hashes, levels, free variables),
// and the table in which an atom is looked up before it is made.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <array>
#include <limits>

using namespace mirage;
using namespace mirage::equivalence;

void Algebra::fail(const llvm::Twine &why) {
  // After a request to split, everything is computed again.
  if (isStopped())
    return;
  stop = Stop::Failed;
  reason = why.str();
}

void Algebra::failAtLimit(const llvm::Twine &why) {
  isLimitReached |= !isStopped();
  fail(why);
}

void Algebra::requestSplit(Variable v, int64_t at) {
  if (isStopped())
    return;
  stop = Stop::Split;
  splitVariable = v;
  splitAt = at;
}

bool Algebra::spend(uint64_t count) {
  steps += count;
  if (steps > limits.steps)
    failAtLimit("the limit of " + llvm::Twine(limits.steps) +
                " steps is reached");
  return !isStopped();
}

uint64_t equivalence::mixHash(uint64_t a, uint64_t b) {
  // The finalizer of splitmix64 (Steele, Lea, Flood, 2014).
  uint64_t x = a * 0x9e3779b97f4a7c15 + b + 0x632be59bd9b4e019;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static uint64_t hashInteger(const Integer &value) {
  return static_cast<uint64_t>(
      static_cast<int64_t>(value % Integer((int64_t(1) << 61) - 1)));
}

uint64_t equivalence::hashRational(const Rational &value) {
  return mixHash(hashInteger(value.num), hashInteger(value.den));
}

/// The output's indices are told apart; other variables may be renamed.
static uint64_t hashVariable(Variable v, const Variables &variables) {
  return variables.isFixed(v)
             ? mixHash(1, v)
             : mixHash(2, static_cast<uint64_t>(variables.getExtent(v)));
}

static uint64_t hashForm(const IndexForm &form, const Variables &variables) {
  uint64_t sum = 0;
  for (const IndexTerm &term : form.terms) {
    uint64_t hash = hashVariable(term.digit.variable, variables);
    hash = mixHash(hash, static_cast<uint64_t>(term.digit.stride));
    hash = mixHash(hash, static_cast<uint64_t>(term.digit.extent));
    sum += mixHash(hash, static_cast<uint64_t>(term.coefficient));
  }
  return mixHash(sum, static_cast<uint64_t>(form.constant));
}

static uint64_t hashBound(llvm::ArrayRef<Variable> bound,
                          const Variables &variables) {
  uint64_t sum = bound.size();
  for (Variable v : bound)
    sum += mixHash(3, static_cast<uint64_t>(variables.getExtent(v)));
  return sum;
}

uint64_t equivalence::hashMonomial(const Monomial &m,
                                   const Variables &variables) {
  uint64_t sum = 0;
  for (const Factor &factor : m.factors)
    sum += mixHash(factor.atom->hash, hashRational(factor.exponent));
  // The greatest numbers are no keys of maps.
  return mixHash(sum, hashBound(m.bound, variables)) >> 1;
}

uint64_t equivalence::hashPolynomial(const Polynomial &a) {
  uint64_t sum = a.monomials.size();
  for (const Monomial &m : a.monomials)
    sum += mixHash(m.hash, hashRational(m.coefficient));
  return sum;
}

uint64_t equivalence::getSkeleton(const Monomial &m) {
  uint64_t sum = 0;
  for (const Factor &factor : m.factors)
    sum += mixHash(factor.atom->skeleton, hashRational(factor.exponent));
  return sum;
}

uint64_t equivalence::getSkeleton(const Polynomial &a) {
  uint64_t sum = a.monomials.size();
  for (const Monomial &m : a.monomials)
    sum += mixHash(getSkeleton(m), hashRational(m.coefficient));
  return sum;
}

unsigned equivalence::getLevel(const Polynomial &a) {
  unsigned level = 0;
  for (const Monomial &m : a.monomials)
    level = std::max(level, m.level);
  return level;
}

bool equivalence::isInteger(const Rational &value) {
  return value.num % value.den == 0;
}

/// Returns the least power of two so that a number has no more words of 64
/// bits; zero for one that fits into a word. Longer numbers than the longest
/// bound count as if they had twice its words.
static uint64_t getWords(const Integer &value) {
  constexpr int64_t least = std::numeric_limits<int64_t>::min(),
                    greatest = std::numeric_limits<int64_t>::max();
  if (value >= least && value <= greatest)
    return 0;
  constexpr unsigned numBounds = 10;
  static const std::array<Integer, numBounds> bounds = [] {
    std::array<Integer, numBounds> powers;
    powers[0] = Integer(int64_t(1) << 32) * Integer(int64_t(1) << 32);
    for (unsigned i = 1; i < numBounds; ++i)
      powers[i] = powers[i - 1] * powers[i - 1];
    return powers;
  }();
  Integer magnitude = abs(value);
  const auto *bound =
      llvm::find_if(bounds, [&](const Integer &b) { return magnitude < b; });
  return uint64_t(1) << (bound - bounds.begin());
}

uint64_t equivalence::getArithmeticCost(const Rational &value) {
  uint64_t words = std::max(getWords(value.num), getWords(value.den));
  return 4 * words * words;
}

std::optional<Rational> equivalence::getConstant(const Polynomial &a) {
  if (a.isZero())
    return Rational(0);
  if (a.monomials.size() == 1 && a.monomials.front().factors.empty())
    return a.monomials.front().coefficient;
  return std::nullopt;
}

Rational equivalence::getGcd(const Rational &a, const Rational &b) {
  if (a.num == 0)
    return abs(b);
  if (b.num == 0)
    return abs(a);
  Integer num = gcd(abs(a.num), abs(b.num)), den = lcm(a.den, b.den);
  return reduce(Rational(num, den));
}

bool equivalence::usesAny(const Atom &atom,
                          llvm::ArrayRef<Variable> variables) {
  return llvm::any_of(variables, [&](Variable v) {
    return llvm::is_contained(atom.variables, v);
  });
}

/// Adds a polynomial's free variables, all but `bound`.
static void appendVariables(const Polynomial &a, llvm::ArrayRef<Variable> bound,
                            llvm::SmallVectorImpl<Variable> &to) {
  for (const Monomial &m : a.monomials)
    for (const Factor &factor : m.factors)
      for (Variable v : factor.atom->variables)
        if (!llvm::is_contained(bound, v) && !llvm::is_contained(m.bound, v))
          to.push_back(v);
}

static bool hasInfinity(const Polynomial &a) {
  return llvm::any_of(a.monomials, [](const Monomial &m) {
    return llvm::any_of(m.factors,
                        [](const Factor &f) { return f.atom->hasInfinity; });
  });
}

static bool mayBeInfinite(const Monomial &m) {
  return llvm::any_of(m.factors,
                      [](const Factor &f) { return f.atom->mayBeInfinite; });
}

bool equivalence::mayBeInfinite(const Polynomial &a) {
  return llvm::any_of(a.monomials,
                      [](const Monomial &m) { return ::mayBeInfinite(m); });
}

static bool hasPole(const Factor &f) {
  if (f.atom->hasPole)
    return true;
  if (f.atom->kind == Atom::Kind::Log && !isPositive(f.atom->argument))
    return true;
  return !f.atom->isPositive && (f.exponent.num < 0 || !isInteger(f.exponent));
}

bool equivalence::hasPole(const Polynomial &a) {
  return llvm::any_of(a.monomials, [](const Monomial &m) {
    return llvm::any_of(m.factors,
                        [](const Factor &f) { return ::hasPole(f); });
  });
}

static bool isNonNegative(const Factor &f) {
  return f.atom->isPositive || f.atom->isNonNegative || isTruth(*f.atom) ||
         (!f.atom->mayBeInfinite && isInteger(f.exponent) &&
          f.exponent.num / f.exponent.den % 2 == 0);
}

bool equivalence::isNonNegative(const Polynomial &a) {
  return llvm::all_of(a.monomials, [](const Monomial &m) {
    return m.coefficient.num > 0 &&
           llvm::all_of(m.factors,
                        [](const Factor &f) { return ::isNonNegative(f); });
  });
}

/// Returns whether all terms are no less than zero, and one is greater.
static bool hasPositiveTerms(const Polynomial &a) {
  return isNonNegative(a) && llvm::any_of(a.monomials, [](const Monomial &m) {
           return llvm::all_of(
               m.factors, [](const Factor &f) { return f.atom->isPositive; });
         });
}

/// Returns the atom if the term is a multiple of a maximum of finite values, of
/// which it has one at each point that is summed over.
static const Atom *getMaximum(const Monomial &m) {
  if (m.coefficient.num <= 0 || m.factors.size() != 1 || !m.bound.empty() ||
      m.factors[0].exponent != Rational(1))
    return nullptr;
  const Atom *atom = m.factors[0].atom;
  bool isFinite =
      llvm::all_of(atom->alternatives, [](const Alternative &alternative) {
        return alternative.bound.empty() && !mayBeInfinite(alternative.value);
      });
  return atom->kind == Atom::Kind::Max && isFinite ? atom : nullptr;
}

/// Adds a multiple of a term; returns false for terms that are sums, of which
/// equal ones have different names.
static bool addTerm(Polynomial &sum, const Monomial &m, const Rational &times) {
  if (!m.bound.empty())
    return false;
  auto isAlike = [&](const Monomial &other) {
    return llvm::equal(other.factors, m.factors,
                       [](const Factor &x, const Factor &y) {
                         return x.atom == y.atom && x.exponent == y.exponent;
                       });
  };
  auto known = llvm::find_if(sum.monomials, isAlike);
  if (known == sum.monomials.end()) {
    sum.monomials.push_back(m);
    known = std::prev(sum.monomials.end());
    known->coefficient = 0;
  }
  known->coefficient += m.coefficient * times;
  if (known->coefficient.num == 0)
    sum.monomials.erase(known);
  return true;
}

/// Returns what a sum is no less than: maxima in it are no less than the mean
/// of their alternatives. So |x| + 1, which is max(2 x, 0) - x + 1, is at least
/// one.
static std::optional<Polynomial> getLowerBound(const Polynomial &a) {
  Polynomial bound;
  bool hasMaximum = false;
  for (const Monomial &m : a.monomials) {
    const Atom *maximum = getMaximum(m);
    hasMaximum |= maximum != nullptr;
    if (!maximum) {
      if (!addTerm(bound, m, 1))
        return std::nullopt;
      continue;
    }
    Rational share =
        m.coefficient /
        Rational(static_cast<int64_t>(maximum->alternatives.size()));
    for (const Alternative &alternative : maximum->alternatives)
      for (const Monomial &term : alternative.value.monomials)
        if (!addTerm(bound, term, share))
          return std::nullopt;
  }
  return hasMaximum ? std::optional(std::move(bound)) : std::nullopt;
}

bool equivalence::isPositive(const Polynomial &a) {
  if (hasPositiveTerms(a))
    return true;
  std::optional<Polynomial> bound = getLowerBound(a);
  return bound && hasPositiveTerms(*bound);
}

/// Returns whether the atom is positive, by what its arguments are.
static bool isPositive(const Atom &atom) {
  switch (atom.kind) {
  case Atom::Kind::Integer:
  case Atom::Kind::Pi:
    return true;
  case Atom::Kind::Exp:
    // The exponential of a masked score is zero.
    return !mayBeInfinite(atom.argument);
  case Atom::Kind::Power:
  case Atom::Kind::Sum:
    return isPositive(atom.argument);
  case Atom::Kind::Max:
    return llvm::any_of(atom.alternatives, [](const Alternative &alternative) {
      return isPositive(alternative.value);
    });
  default:
    return false;
  }
}

/// Returns whether a value is -inf at most where conditions fail, and a number
/// where they hold: t x - (1 - t) inf, with conditions t.
static bool isMasked(const Polynomial &a) {
  constexpr size_t mostTruths = 4;
  llvm::SmallVector<const Atom *, mostTruths> truths;
  // Infinity is multiplied with these: a number, and truths as bits.
  llvm::SmallVector<std::pair<Rational, unsigned>, 4> infinities;
  for (const Monomial &m : a.monomials) {
    if (llvm::none_of(m.factors,
                      [](const Factor &f) { return f.atom->hasInfinity; }))
      continue;
    unsigned needed = 0, infinite = 0;
    for (const Factor &f : m.factors) {
      if (f.exponent != Rational(1) ||
          (!isTruth(*f.atom) && f.atom->kind != Atom::Kind::Infinity))
        return false;
      if (!isTruth(*f.atom)) {
        ++infinite;
        continue;
      }
      auto *at = llvm::find(truths, f.atom);
      size_t index = at - truths.begin();
      if (index == mostTruths)
        return false;
      needed |= 1u << index;
      if (at == truths.end())
        truths.push_back(f.atom);
    }
    if (!m.bound.empty() || infinite != 1)
      return false;
    infinities.push_back({m.coefficient, needed});
  }
  bool canBeFinite = false;
  for (unsigned holding = 0; holding < 1u << truths.size(); ++holding) {
    Rational sum = 0;
    for (const auto &[coefficient, needed] : infinities)
      if ((needed & ~holding) == 0)
        sum += coefficient;
    if (sum.num > 0)
      return false;
    canBeFinite |= sum.num == 0;
  }
  return canBeFinite;
}

/// Returns whether a maximum is finite wherever it is defined: one alternative
/// is, and no other is +inf.
static bool isFiniteMax(llvm::ArrayRef<Alternative> alternatives) {
  bool hasFinite = false;
  for (const Alternative &alternative : alternatives) {
    const Polynomial &value = alternative.value;
    if (!mayBeInfinite(value)) {
      hasFinite = true;
      continue;
    }
    // All but what is masked is finite.
    bool isOnlyMasked =
        isMasked(value) && llvm::all_of(value.monomials, [](const Monomial &m) {
          return !::mayBeInfinite(m) ||
                 llvm::any_of(m.factors, [](const Factor &f) {
                   return f.atom->kind == Atom::Kind::Infinity;
                 });
        });
    if (!isOnlyMasked)
      return false;
  }
  return hasFinite;
}

/// Returns how many steps it takes to hash an atom and to gather its variables.
static uint64_t getSize(const Atom &atom) {
  uint64_t size = 1 + atom.argument.monomials.size();
  for (const Alternative &alternative : atom.alternatives)
    size += 1 + alternative.value.monomials.size();
  return size;
}

const Atom *Algebra::intern(Atom atom) {
  spend(getSize(atom));
  // At most one of the two numbers is not that of the first tensor or function.
  atom.hash = mixHash(static_cast<uint64_t>(atom.kind),
                      atom.tensor.getKey() + atom.function);
  atom.skeleton = mixHash(mixHash(atom.hash, hashInteger(atom.integer)),
                          getSkeleton(atom.argument));
  for (const Alternative &alternative : atom.alternatives)
    atom.skeleton += mixHash(4, getSkeleton(alternative.value));
  atom.hash = mixHash(atom.hash, hashForm(atom.at, variables));
  atom.hash = mixHash(atom.hash, hashInteger(atom.integer));
  atom.hash = mixHash(atom.hash, hashPolynomial(atom.argument));
  atom.level = getLevel(atom.argument);
  // A read was given these when it was made.
  if (atom.kind != Atom::Kind::Read) {
    bool isInfinity = atom.kind == Atom::Kind::Infinity;
    atom.hasInfinity = isInfinity || hasInfinity(atom.argument);
    atom.mayBeInfinite = isInfinity || mayBeInfinite(atom.argument);
    atom.hasPole = hasPole(atom.argument);
    atom.isPositive = ::isPositive(atom);
    atom.isNonNegative =
        llvm::any_of(atom.alternatives, [](const Alternative &alternative) {
          return isNonNegative(alternative.value);
        });
  }
  atom.variables.clear();
  for (const IndexTerm &term : atom.at.terms)
    atom.variables.push_back(term.digit.variable);
  appendVariables(atom.argument, {}, atom.variables);
  uint64_t sum = 0;
  for (const Alternative &alternative : atom.alternatives) {
    sum += mixHash(hashPolynomial(alternative.value),
                   hashBound(alternative.bound, variables));
    atom.level = std::max(atom.level, getLevel(alternative.value) + 1);
    atom.mayBeInfinite |= mayBeInfinite(alternative.value);
    atom.hasPole |= hasPole(alternative.value);
    appendVariables(alternative.value, alternative.bound, atom.variables);
  }
  // The maximum of masked values is a number but where all are masked, as a
  // denominator is none where it is zero.
  if (atom.kind == Atom::Kind::Max) {
    atom.hasInfinity =
        llvm::any_of(atom.alternatives, [](const Alternative &alternative) {
          return hasInfinity(alternative.value) && !isMasked(alternative.value);
        });
    atom.mayBeInfinite &= !isFiniteMax(atom.alternatives);
  }
  atom.hash = mixHash(atom.hash, sum);
  llvm::sort(atom.variables);
  atom.variables.erase(llvm::unique(atom.variables), atom.variables.end());
  if (atom.level > limits.levels)
    failAtLimit("more than " + llvm::Twine(limits.levels) +
                " sums and functions are inside each other");

  uint64_t key = atom.hash;
  for (Variable v : atom.variables)
    key = mixHash(key, v);
  auto &bucket = interned[key >> 1];
  for (const Atom *other : bucket)
    if (areAlike(*other, atom))
      return other;
  atom.number = atoms.size();
  atoms.push_back(std::move(atom));
  bucket.push_back(&atoms.back());
  return bucket.back();
}

const Atom *Algebra::internFunction(Atom::Kind kind, Polynomial argument) {
  Atom atom;
  atom.kind = kind;
  atom.argument = std::move(argument);
  return intern(std::move(atom));
}

Polynomial Algebra::makePolynomial(Monomial m) {
  m.level = 1;
  for (const Factor &factor : m.factors)
    m.level = std::max(m.level, factor.atom->level + 1);
  m.hash = hashMonomial(m, variables);
  Polynomial result;
  if (m.coefficient.num != 0)
    result.monomials.push_back(std::move(m));
  return result;
}

Polynomial Algebra::makeFactor(const Atom *atom, const Rational &exponent) {
  Monomial m;
  m.factors.push_back({atom, exponent});
  return makePolynomial(std::move(m));
}

Variable Algebra::makeFresh(Variable like) {
  return variables.add(variables.getExtent(like));
}

Polynomial Algebra::constant(const Rational &value) {
  Monomial m;
  m.coefficient = value;
  return makePolynomial(std::move(m));
}

Polynomial Algebra::read(TensorNumber tensor, IndexForm at) {
  return read(tensor, std::move(at), false, false);
}

Polynomial Algebra::read(TensorNumber tensor, IndexForm at, bool mayBeInfinite,
                         bool hasPole) {
  Atom atom;
  atom.tensor = tensor;
  atom.hasInfinity = atom.mayBeInfinite = mayBeInfinite;
  atom.hasPole = hasPole;
  atom.at = std::move(at);
  return makeFactor(intern(std::move(atom)));
}
