//===- NormalForm.h - Deciding the axioms -----------------------*- C++ -*-===//
//
// Normal forms of abstract expressions under the axioms of Axioms.def, and with
// them the question that prunes the search (Mirage paper, section 4.3): is an
// expression a subexpression of something equal to the goal?
//
// What the normal form is. No axiom cancels anything. A term equals a nonempty
// multiset of monomials, a polynomial; a monomial is a product of
//
//   - an extent: how many terms it sums up;
//   - a multiset of atoms: symbols, and functions of polynomials;
//   - exp of a polynomial, or none: exp(x) exp(y) = exp(x + y);
//   - sqrt of a polynomial, or none: sqrt(x) sqrt(y) = sqrt(x y);
//   - one over a polynomial, or none: (x / y) / z = x / (y z);
//
// and not an extent alone. Polynomials add as multisets, and multiply monomial
// by monomial, component by component.
//
// Why equality is exact. Every axiom holds for polynomials so defined, so equal
// terms have equal normal forms. Conversely the axioms rewrite every term into
// sums of extents of quotients of products, which is its normal form written
// out, so terms with equal normal forms are equal.
//
// Why containment is exact. "E is a subexpression of something equal to G"
// means that G equals a term with E somewhere inside. If all operators around
// E are add, mul, numerators and sum, they make
//
//   E * Y + R                             (1)
//
// of it, with R a polynomial or none, and Y a polynomial over a polynomial
// times an extent, each optional. Y may be taken to be one monomial m, or the
// extent and denominator alone, since the products with the others can be part
// of R. So E is reached by these operators alone if and only if, for some m,
// the multiset E * m is contained in G's.
//
// Else consider the outermost operator around E that is exp, sqrt, a
// denominator or a function. By (1) for its value, G has a monomial with an
// exponential part P = H + H', a root or denominator P = H * H', or the
// function's atom with argument P = H, where H is the operand with E inside and
// H' is optional. Thus P equals a term with E inside and one such operator less
// around it. Conversely every such P is a subexpression of G. By induction on
// these operators:
//
//   E <= G  if and only if  E * m is contained in G as a multiset for some m,
//           or E <= P for an exponential part, root, denominator or argument P
//           of a monomial of G.
//
// Finding m is a division, and quotients are unique: monomials have a total
// order that multiplication keeps (extents and atoms by vectors of exponents,
// polynomials by the first difference of their descending monomials), so that
// polynomials are the positive elements of an ordered domain, and long division
// by leading terms finds the quotient or that there is none. As an extent alone
// is no expression, roots and denominators have no such quotients: x / y is not
// a subexpression of x / sum(4, y). m takes a chosen monomial of E to one of G,
// so there are at most as many m as G has monomials.
//
// Expanding products may exceed a limit; then nothing is known, and nothing may
// be pruned.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_SEARCH_EXPRESSIONS_NORMALFORM_H
#define MIRAGE_SEARCH_EXPRESSIONS_NORMALFORM_H

#include "Mirage/Search/Expressions/AbstractExpression.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mirage::search {

/// Answer to: is an expression a subexpression of something equal to the goal?
enum class Containment : uint8_t { Contained, NotContained, Unknown };

/// Interned normal forms of the terms of one context, and what was asked of
/// them. Extents' unknowns are taken as they are: equal means equal for all
/// values of the unknowns.
class NormalForms {
public:
  /// `maxTerms` bounds the different monomials of a polynomial.
  explicit NormalForms(unsigned maxTerms = 256);
  NormalForms(const NormalForms &) = delete;

  /// The number of a polynomial. The empty one stands for no exponential part,
  /// and that with the empty monomial for no root and no denominator.
  using Polynomial = unsigned;
  static constexpr Polynomial kZero = 0, kOne = 1;
  /// Stands for polynomials that exceed the limit.
  static constexpr Polynomial kTooLarge = ~0u;

  /// The normal form of a term.
  Polynomial get(const Expression *expression);

  bool areEqual(const Expression *a, const Expression *b) {
    Polynomial normalForm = get(a);
    return normalForm != kTooLarge && normalForm == get(b);
  }

  /// Returns whether `part` is a subexpression of something equal to `goal`.
  Containment contains(const Expression *goal, const Expression *part);

  /// Says whether to accept that a part, multiplied by a monomial, is contained
  /// in a polynomial inside of the goal.
  using AcceptFactor =
      llvm::function_ref<bool(unsigned inside, unsigned factor)>;
  /// The same question, where only the accepted monomials count.
  Containment contains(Polynomial goal, Polynomial part,
                       AcceptFactor acceptFactor);
  /// The polynomials that monomials of the goal, and of what is inside of them,
  /// have as denominators.
  llvm::DenseSet<Polynomial> getDenominators(Polynomial goal);

  // What polynomials consist of, by number.

  using Monomial = unsigned;
  static constexpr Monomial kEmptyMonomial = 0;

  struct MonomialData {
    SymbolicExtent extent;
    /// Atoms and their multiplicities, ascending.
    llvm::SmallVector<std::pair<unsigned, unsigned>, 3> atoms;
    Polynomial exponent = kZero, root = kOne, denominator = kOne;
    /// A set, as bits, that has whatever occurs inside.
    uint64_t mask = 0;
    bool operator==(const MonomialData &other) const;
  };
  struct AtomData {
    /// The context's number of the name; symbols and functions are apart.
    unsigned name = 0;
    bool isFunction = false;
    llvm::SmallVector<Polynomial, 1> arguments;
    bool operator==(const AtomData &other) const;
  };
  struct PolynomialData {
    /// Monomials and their multiplicities, descending.
    llvm::SmallVector<std::pair<Monomial, unsigned>, 2> terms;
    uint64_t mask = 0;
    bool operator==(const PolynomialData &other) const;
  };
  const MonomialData &getMonomial(Monomial m) const { return monomials[m]; }
  const PolynomialData &getPolynomial(Polynomial p) const {
    return polynomials[p];
  }
  const AtomData &getAtom(unsigned atom) const { return atoms[atom]; }

  Polynomial add(Polynomial a, Polynomial b);
  Polynomial multiply(Polynomial a, Polynomial b);
  Monomial multiplyMonomials(Monomial a, Monomial b);
  Polynomial scale(Polynomial a, const SymbolicExtent &extent);
  /// a - b as multisets, if b is contained in a.
  std::optional<Polynomial> subtract(Polynomial a, Polynomial b);
  /// The polynomial that gives `a` when it is multiplied with `b`, if there is
  /// one.
  std::optional<Polynomial> divide(Polynomial a, Polynomial b);
  std::optional<Monomial> divideMonomials(Monomial a, Monomial b);
  /// Compares in the order that multiplication keeps. The result is negative,
  /// zero or positive.
  int compareMonomials(Monomial a, Monomial b) const;
  int compare(Polynomial a, Polynomial b) const;

  /// Returns whether the monomial is an extent alone, which is no expression.
  bool isExtentAlone(Monomial m) const;

  /// The polynomial itself and the exponential parts, roots, denominators and
  /// arguments inside of it.
  llvm::ArrayRef<Polynomial> getParts(Polynomial p);

  Monomial intern(MonomialData data);
  Polynomial intern(PolynomialData data);
  unsigned intern(AtomData data);
  /// The polynomial of terms in any order, perhaps with repetitions.
  Polynomial
  collect(llvm::MutableArrayRef<std::pair<Monomial, unsigned>> terms);

private:
  Polynomial compute(const Expression *expression);
  Polynomial makeMonomial(MonomialData data);
  bool containsProduct(Polynomial whole, Polynomial part,
                       AcceptFactor acceptFactor);
  std::optional<Polynomial> divideLong(Polynomial a, Polynomial b);
  unsigned getMultiplicity(const PolynomialData &in, Monomial m) const;

  using Pair = std::pair<unsigned, unsigned>;
  using Buckets = llvm::DenseMap<uint64_t, llvm::SmallVector<unsigned, 1>>;

  unsigned maxTerms;
  std::deque<MonomialData> monomials;
  std::deque<PolynomialData> polynomials;
  std::deque<AtomData> atoms;
  Buckets monomialBuckets, polynomialBuckets, atomBuckets;

  // The answers so far, by operands.
  llvm::DenseMap<const Expression *, Polynomial> normalForms;
  llvm::DenseMap<Pair, Monomial> products;
  llvm::DenseMap<Pair, std::optional<Monomial>> monomialQuotients;
  llvm::DenseMap<Pair, std::optional<Polynomial>> quotients;
  llvm::DenseMap<Polynomial, std::vector<Polynomial>> parts;
};

} // namespace mirage::search

#endif // MIRAGE_SEARCH_EXPRESSIONS_NORMALFORM_H
