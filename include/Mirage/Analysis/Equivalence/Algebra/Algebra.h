//===- Algebra.h - Normal forms of tensor elements --------------*- C++ -*-===//
//
// One element of a tensor is a polynomial of atoms with exact coefficients:
// reads of inputs, exponentials, powers of sums, maxima and so on. A monomial
// may be summed over bound variables. Products distribute over sums, like
// monomials are collected, and every function brings its result into normal
// form, so that two expressions are equal if their difference has no monomial.
//
// Equal means equal as formal expressions: for all inputs where no denominator
// is zero, no root or logarithm is taken of a number outside of its domain, and
// no indefinite form of infinities (0 * inf, inf - inf) is computed. An
// infinity is an unknown that grows beyond all bounds; where one is subtracted
// from another, there is no normal form.
//
// Bound variables are named by levels. A monomial's level is one more than the
// levels of the binders inside its atoms; its bound variables are those of its
// level. Inner binders have lower levels, so that no name hides another. While
// something is rebuilt, its bound variables have fresh names.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_ALGEBRA_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_ALGEBRA_H

#include "Mirage/Analysis/Equivalence/Algebra/IndexForm.h"
#include "Mirage/Analysis/Equivalence/Algebra/TensorNumber.h"
#include "Mirage/Semantics/ExactConstant.h"
#include "mlir/Analysis/Presburger/Fraction.h"
#include <deque>
#include <limits>

namespace mirage::equivalence {

using Rational = mlir::presburger::Fraction;
using Integer = llvm::DynamicAPInt;

struct Atom;

/// A factor is atom ^ exponent.
struct Factor {
  const Atom *atom = nullptr;
  Rational exponent{1};
};

/// A monomial is coefficient * sum over the bound variables of the product of
/// the factors.
struct Monomial {
  Rational coefficient{1};
  llvm::SmallVector<Variable, 2> bound;
  /// Different atoms, sorted by their hashes and numbers.
  llvm::SmallVector<Factor, 3> factors;
  /// The hash of all but the coefficient. It is the same for any names of bound
  /// variables.
  uint64_t hash = 0;
  /// The level is one more than the greatest level of the atoms.
  unsigned level = 1;
};

/// A sum of monomials that differ in more than coefficients, by hash.
struct Polynomial {
  std::vector<Monomial> monomials;

  bool isZero() const { return monomials.empty(); }
};

/// An alternative is one operand of a maximum: the greatest value over the
/// bound variables.
struct Alternative {
  llvm::SmallVector<Variable, 2> bound;
  Polynomial value;
};

/// An atom is what is not taken apart. There is one object for each atom, up to
/// names of variables bound inside.
struct Atom {
  enum class Kind : uint8_t {
    /// Element `at`, in row-major order, of `tensor`.
    Read,
    /// The value of `at`, as a number.
    Index,
    /// A number greater than all others.
    Infinity,
    Pi,
    /// An integer greater than one under an exponent between zero and one.
    Integer,
    /// The exponential of a monomial with coefficient one. exp(c m) is
    /// exp(m)^c.
    Exp,
    /// A sum under a division or root.
    Power,
    /// A sum of many terms that a product keeps together.
    Sum,
    Max,
    Log,
    Erf,
    /// The result of function number `function`, of which nothing is known.
    Unknown,
    /// The atom is one where argument < 0, else zero.
    Less,
    /// The atom is one where argument <= 0, else zero. It is made only of what
    /// has a pole: otherwise -argument < 0 and its negation say the same.
    AtMost,
    /// The atom is one where argument = 0, else zero.
    Equal,
  };

  Kind kind = Kind::Read;
  TensorNumber tensor;
  unsigned function = 0;
  IndexForm at;
  Integer integer{0};
  Polynomial argument;
  std::vector<Alternative> alternatives;

  /// Power: nothing can be divided out of the argument.
  bool isPrimitive = false;
  /// An infinity occurs inside, other than in the masked values of a maximum,
  /// by whose exponential programs divide.
  bool hasInfinity = false;
  /// An infinity occurs inside at all, other than in a maximum that has a
  /// finite alternative.
  bool mayBeInfinite = false;
  /// A logarithm, quotient or root occurs inside, of which floats make an
  /// infinity or NaN where it has no value.
  bool hasPole = false;
  /// Greater than zero, or no less, where it has a value.
  bool isPositive = false, isNonNegative = false;
  /// Greatest level of binders inside.
  unsigned level = 0;
  unsigned number = 0;
  uint64_t hash = 0;
  /// The hash without indices and ranges of bound variables.
  uint64_t skeleton = 0;
  /// Free variables, sorted.
  llvm::SmallVector<Variable, 4> variables;
};

/// Builds normal forms. After something could not be done (isStopped), results
/// mean nothing, and all of them are to be thrown away.
class Algebra {
public:
  struct Limits {
    /// Monomials of a sum and operands of a maximum.
    unsigned terms = 4096;
    /// Binders inside each other.
    unsigned levels = 100;
    /// Elementary steps of everything together.
    uint64_t steps = 10'000'000;
    /// Constants are the numbers that they are written as.
    bool literalConstants = false;
    /// Sums and maxima over adjacent ranges of an index become one.
    bool joinRanges = false;
    /// Maxima and choices are cases by the signs of polynomials.
    bool piecewise = false;
    /// Products of sums of more terms are not multiplied out
    /// (multiplyKeepingSums).
    unsigned longestFactor = std::numeric_limits<unsigned>::max();
  };

  explicit Algebra(const Limits &limits) : limits(limits), indices(variables) {}
  Algebra(const Algebra &) = delete;

  // Giving up: for good with a reason, or until a variable's range is split in
  // two at a value.
  enum class Stop : uint8_t { None, Split, Failed };
  bool isStopped() const { return stop != Stop::None; }
  void fail(const llvm::Twine &reason);
  /// The same, where another limit might have helped.
  void failAtLimit(const llvm::Twine &reason);
  void requestSplit(Variable v, int64_t at);
  /// Counts steps, and returns whether to go on.
  bool spend(uint64_t count = 1);
  uint64_t getSpent() const { return steps; }

  Polynomial constant(const Rational &value);
  Polynomial constant(const ExactConstant &value);
  Polynomial read(TensorNumber tensor, IndexForm at);
  /// Reads a tensor whose elements may be infinite, or have poles.
  Polynomial read(TensorNumber tensor, IndexForm at, bool mayBeInfinite,
                  bool hasPole);

  /// Makes the value of an index.
  Polynomial index(const IndexForm &form);

  Polynomial add(const Polynomial &a, const Polynomial &b);
  Polynomial sub(const Polynomial &a, const Polynomial &b);
  Polynomial scale(const Polynomial &a, const Rational &factor);
  Polynomial multiply(const Polynomial &a, const Polynomial &b);
  /// Makes the product of two values of a program. A sum of more than
  /// `longestFactor` terms is one factor of its product with another such sum,
  /// and with what has this sum as a factor already: the cube of n terms has one
  /// term then, in place of n^3 / 6. Equal sums are equal factors, so that equal
  /// forms are equal values. But what is multiplied out on one side only is
  /// another form than what is not.
  Polynomial multiplyKeepingSums(const Polynomial &a, const Polynomial &b);
  Polynomial inverse(const Polynomial &a);
  Polynomial power(const Polynomial &a, const Rational &exponent);
  Polynomial exp(const Polynomial &a);
  Polynomial log(const Polynomial &a);
  Polynomial erf(const Polynomial &a);
  /// Makes the result of an unknown function, one for each number.
  Polynomial applyUnknown(unsigned number, const Polynomial &a);
  /// Makes one where a < 0, else zero.
  Polynomial less(const Polynomial &a);
  /// Makes one where a < b, else zero. One side or both may be infinite, but
  /// not only for some inputs: unlike finite values, infinite ones are not
  /// compared by the sign of a difference, in which the infinities would
  /// cancel.
  Polynomial less(const Polynomial &a, const Polynomial &b);
  /// Makes one where a <= 0, else zero.
  Polynomial atMost(const Polynomial &a);
  /// Makes one where a <= b, else zero. Where a side has a pole this is not
  /// where not b < a: neither is true of NaN.
  Polynomial atMost(const Polynomial &a, const Polynomial &b);
  /// Makes one where a = b, else zero; the same holds for infinities.
  Polynomial equals(const Polynomial &a, const Polynomial &b);
  /// Makes one where a = 0, else zero.
  Polynomial equalsZero(const Polynomial &a);
  /// Makes a where the condition is not zero, else b.
  Polynomial select(const Polynomial &condition, const Polynomial &a,
                    const Polynomial &b);
  Polynomial max(const Polynomial &a, const Polynomial &b,
                 std::optional<Rational> largest = std::nullopt);
  Polynomial min(const Polynomial &a, const Polynomial &b,
                 std::optional<Rational> largest = std::nullopt);
  /// The greatest of all; minus infinity for none. The variables bound here
  /// are none of the algebra's own. If all are numbers of a type of which the
  /// largest one is given, its opposite is no greater than any of them.
  Polynomial max(std::vector<Alternative> alternatives,
                 std::optional<Rational> largest = std::nullopt);
  /// Sum over variables that are none of the algebra's own.
  Polynomial sum(llvm::ArrayRef<Variable> over, const Polynomial &a);

  /// Returns whether a = b; multiplies out denominators that a difference has.
  bool areEqual(const Polynomial &a, const Polynomial &b);

  /// Equality up to names of bound variables, without the coefficient.
  bool areAlike(const Monomial &a, const Monomial &b);
  bool areAlike(const Atom &a, const Atom &b);
  bool areAlike(const Alternative &a, const Alternative &b);

  std::string toString(const Polynomial &a, size_t maxLength = 2000) const;

  const Limits limits;
  Variables variables;
  IndexArithmetic indices;
  Stop stop = Stop::None;
  std::string reason;
  bool isLimitReached = false;
  /// Whoever evaluates with this algebra has taken a sum or maximum in parts,
  /// by ranges of its index.
  bool hasRanges = false;
  /// A product has kept sums together.
  bool hasKeptSums = false;
  Variable splitVariable = 0;
  int64_t splitAt = 0;

  /// While one exists, infinities cancel: two normal forms are compared, no
  /// values subtracted.
  class Comparing {
  public:
    explicit Comparing(Algebra &algebra)
        : algebra(algebra), outer(algebra.isComparing) {
      algebra.isComparing = true;
    }
    ~Comparing() { algebra.isComparing = outer; }

  private:
    Algebra &algebra;
    bool outer;
  };

private:
  class Collector;
  class Substitution;
  class Trial;
  class Nesting;

  // Atoms.cpp
  const Atom *intern(Atom atom);
  const Atom *internFunction(Atom::Kind kind, Polynomial argument);
  Polynomial makeFactor(const Atom *atom, const Rational &exponent = 1);
  Variable makeFresh(Variable like);

  // Products.cpp
  /// Adds a product in normal form.
  void collect(const Rational &coefficient, llvm::ArrayRef<Variable> bound,
               llvm::SmallVectorImpl<Factor> &factors, Collector &to);
  /// Multiplies values of which one has terms that count only where an equation
  /// holds, under which the other is simpler; returns nothing if none has.
  std::optional<Polynomial> multiplyByEquations(const Polynomial &a,
                                                const Polynomial &b);
  void collectProduct(const Monomial &a, const Monomial &b, Collector &to);
  /// Adds the sum over `bound`, which may be unused or not in normal form.
  void bind(Rational coefficient, llvm::SmallVector<Variable, 2> bound,
            llvm::SmallVector<Factor, 3> factors, Collector &to,
            unsigned round = 0);

  // Powers.cpp
  struct Decomposition;
  Decomposition divideOut(const Polynomial &a, bool onlyPositive);
  std::optional<Decomposition> takeEvenPowers(const Polynomial &a);
  Polynomial makePolynomial(Monomial m);
  Polynomial makePower(Polynomial base, const Rational &exponent);

  /// +1 or -1 for an infinity, 0 for a finite value, nothing otherwise. Maxima
  /// of masked values are taken for finite if that is asked for.
  static std::optional<int> getInfiniteSign(const Polynomial &a,
                                            bool areMaximaFinite = false);
  /// Returns the signs of both sides of a comparison; fails if one has none.
  std::optional<std::pair<int, int>> getInfiniteSigns(const Polynomial &a,
                                                      const Polynomial &b);
  /// A comparison, of the signs where a side is infinite, else of a - b with
  /// zero.
  Polynomial
  compare(const Polynomial &a, const Polynomial &b,
          llvm::function_ref<bool(int left, int right)> ofSigns,
          llvm::function_ref<Polynomial(const Polynomial &)> ofDifference);
  /// Fails if an infinity is a factor of a term.
  bool requireFinite(const Polynomial &a, llvm::StringRef what);
  /// Makes exponents of what is summed over, beside a power of just this sum,
  /// exponents of that power.
  void cancelSums(llvm::SmallVectorImpl<Variable> &bound,
                  llvm::SmallVectorImpl<Factor> &factors);
  void flattenMax(Alternative alternative, std::vector<Alternative> &to);
  /// Drops alternatives than which another is no less.
  void dropDominated(std::vector<Alternative> &alternatives);
  void nameBound(Alternative &alternative);

  // IndexConditions.cpp
  /// Compares a sum of indices with zero; returns nothing for other values.
  std::optional<Polynomial> compareIndices(const Polynomial &a,
                                           bool isEquation);
  /// Returns a variable and where its range may end, since a factor is zero for
  /// all greater values.
  std::optional<std::pair<Variable, int64_t>>
  findEnd(llvm::ArrayRef<Factor> factors, llvm::ArrayRef<Variable> bound) const;

  // Piecewise.cpp
  /// Takes multiples of an equation's argument from a value so that its first
  /// term is gone, wherever that is a term of the value.
  Polynomial reduceBy(const Polynomial &a, const Atom &equation);
  /// Returns what is added to one condition's argument to make the other's, if
  /// that is a number.
  std::optional<Rational> getDistance(const Atom &a, const Atom &b);
  /// Returns the value where a condition holds, or does not.
  Polynomial assume(const Polynomial &a, const Atom &condition, bool holds);
  /// Returns an atom of an equation's argument, and what it is equal to.
  std::optional<std::pair<const Atom *, Polynomial>>
  solve(const Atom &equation);
  /// Returns the value where the equation holds.
  Polynomial solveIn(const Polynomial &a, const Atom &equation);
  /// Adds a product whose conditions say more together than each alone; returns
  /// false if nothing is to be done about them.
  bool collectConditions(const Rational &coefficient,
                         llvm::ArrayRef<Variable> bound,
                         llvm::SmallVectorImpl<Factor> &factors, Collector &to);
  /// Returns the function of a value that has cases, case by case; none if it
  /// has no cases.
  std::optional<Polynomial>
  applyByCases(const Polynomial &a,
               llvm::function_ref<Polynomial(const Polynomial &)> function);
  /// Drops what an infinity is added to where a condition holds.
  Polynomial resolveMask(const Polynomial &a);
  /// Makes one where a = 0, or where a < 0, of conditions with a direction.
  std::optional<Polynomial> compareByDirection(const Polynomial &a,
                                               bool isEquation);
  /// Makes the greatest of a few finite values of conditions.
  std::optional<Polynomial>
  maxByCases(llvm::ArrayRef<Alternative> alternatives);
  /// Returns whether the value is zero for all signs that its conditions may
  /// have.
  bool isZeroByCases(const Polynomial &difference);
  /// Takes from all alternatives what they are greater by than by nothing
  /// common: of each term that no alternative binds, its least multiple.
  Polynomial takeCommonTerms(std::vector<Alternative> &alternatives);

  // Ranges.cpp
  /// Makes the same value over another range of v, or at `first` if `extent` is
  /// one.
  Alternative withRange(const Alternative &a, Variable v, int64_t first,
                        int64_t extent);
  /// Makes one of both, with a longer range of one bound variable of `a`, if
  /// `isOther` says that what `a` is over a range beside its own is `b`.
  std::optional<Alternative>
  join(const Alternative &a, const Alternative &b, bool mayOverlap,
       llvm::function_ref<bool(Alternative)> isOther);
  /// The sum of two that are over adjacent ranges, as one.
  std::optional<Polynomial> joinSums(const Monomial &a, const Monomial &b);
  std::optional<Alternative> joinMaxima(const Alternative &a,
                                        const Alternative &b);
  void joinRanges(std::vector<Alternative> &alternatives);

  std::deque<Atom> atoms;
  llvm::DenseMap<uint64_t, llvm::SmallVector<const Atom *, 1>> interned;
  uint64_t steps = 0;
  bool isComparing = false;
  /// Cases that are inside of each other right now.
  unsigned nesting = 0;
};

// Small queries.

/// The value of a polynomial without factors.
std::optional<Rational> getConstant(const Polynomial &a);
/// Returns whether an atom of the polynomial may be infinite.
bool mayBeInfinite(const Polynomial &a);
/// Returns whether there are numbers for which a logarithm, a quotient or a
/// root in it has no value.
bool hasPole(const Polynomial &a);
/// Returns whether it is greater than zero wherever it has a value, as is seen
/// from every term.
bool isPositive(const Polynomial &a);
/// The same, or zero.
bool isNonNegative(const Polynomial &a);
/// Returns whether the atom is zero or one.
inline bool isTruth(const Atom &atom) {
  return atom.kind == Atom::Kind::Less || atom.kind == Atom::Kind::AtMost ||
         atom.kind == Atom::Kind::Equal;
}
/// Returns whether the atom contains one of the variables.
bool usesAny(const Atom &atom, llvm::ArrayRef<Variable> variables);
/// Greatest common divisor of two rationals; zero is neutral.
Rational getGcd(const Rational &a, const Rational &b);
/// Returns the sign by which a sum is normalized.
int getSign(const Polynomial &a);
/// Greatest level of binders in a polynomial's monomials.
unsigned getLevel(const Polynomial &a);
bool isInteger(const Rational &value);
/// Returns how many steps arithmetic with the number takes beyond the one that
/// every operation takes: none where it fits into machine words, else about the
/// square of its length, since results are reduced to lowest terms.
uint64_t getArithmeticCost(const Rational &value);

// Hashes that depend neither on names of bound variables nor on orders.
uint64_t mixHash(uint64_t a, uint64_t b);
uint64_t hashRational(const Rational &value);
uint64_t hashPolynomial(const Polynomial &a);
uint64_t hashMonomial(const Monomial &m, const Variables &variables);
/// Skeletons are hashes without coefficients, indices and ranges of bound
/// variables.
uint64_t getSkeleton(const Monomial &m);
uint64_t getSkeleton(const Polynomial &a);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_ALGEBRA_ALGEBRA_H
