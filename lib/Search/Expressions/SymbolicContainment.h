//===- SymbolicContainment.h - Containment but for extents ------*- C++ -*-===//
//
// Finds all ways in which a normal form is part of another if extents may be
// chosen: each way is a list of equations between extents that must hold. The
// search follows the definition in NormalForm.h; skeletons, normal forms whose
// extents are all one, say which monomials may correspond.
//
// Between known extents nothing is decided here either: a quotient of extents
// is a new unknown and an equation.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_SEARCH_EXPRESSIONS_SYMBOLICCONTAINMENT_H
#define MIRAGE_LIB_SEARCH_EXPRESSIONS_SYMBOLICCONTAINMENT_H

#include "Mirage/Search/Expressions/NormalForm.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mirage::search {

class SymbolicContainment {
public:
  using Equation = ExtentConstraints::Equation;
  using Polynomial = NormalForms::Polynomial;
  using Monomial = NormalForms::Monomial;

  SymbolicContainment(NormalForms &normalForms, unsigned maxCases)
      : normalForms(normalForms), maxCases(maxCases) {}

  /// Finds the ways, which are `cases` then, for operands that are not too
  /// large. If there are none, `part` is contained for no extents.
  void find(Polynomial goal, Polynomial part);

  /// Returns whether some monomial or atom inside occurs too often to be gone
  /// through one by one.
  bool isTooLarge(Polynomial p);

  /// The polynomial with all extents one.
  Polynomial getSkeleton(Polynomial p);

  /// The ways as equations that must all hold. Every case suffices, and an
  /// empty one holds for all extents.
  std::vector<std::vector<Equation>> cases;
  /// Says whether there are more cases than these.
  bool isIncomplete = false;

private:
  /// The continuation after a choice. It returns true to end everything.
  using Next = llvm::function_ref<bool()>;
  using NextNumber = llvm::function_ref<bool(unsigned)>;
  using List = llvm::SmallVector<unsigned, 8>;

  bool findIn(Polynomial whole, Polynomial part);
  bool emit();

  // These functions say what is equal under equations.
  bool unify(const SymbolicExtent &a, const SymbolicExtent &b, Next next);
  bool unifyMonomials(Monomial a, Monomial b, Next next);
  bool unifyAtoms(unsigned a, unsigned b, Next next);
  bool unifyArguments(llvm::ArrayRef<Polynomial> a,
                      llvm::ArrayRef<Polynomial> b, Next next);
  bool unify(Polynomial a, Polynomial b, Next next);
  /// Gives each of `items` an item of its own from `pool`, which keeps the
  /// others.
  bool matchMonomials(llvm::ArrayRef<Monomial> items, List &pool, Next next);
  bool matchAtoms(llvm::ArrayRef<unsigned> items, List &pool, Next next);
  template <typename Unify>
  bool matchAll(llvm::ArrayRef<unsigned> items, List &pool, Unify unifyItems,
                Next next);

  // These functions find quotients.
  bool divideMonomials(Monomial a, Monomial b, NextNumber next);
  bool divide(Polynomial a, Polynomial b, NextNumber next);
  bool divideRest(List &rest, llvm::ArrayRef<Monomial> divisor, List &quotient,
                  NextNumber next);
  /// The products of all but one monomial with `m`; nothing if one of them
  /// exceeds the limits.
  std::optional<List> multiplyOthers(llvm::ArrayRef<Monomial> monomials,
                                     unsigned except, Monomial m);

  Monomial getMonomialSkeleton(Monomial m);
  unsigned getAtomSkeleton(unsigned atom);
  static List expand(llvm::ArrayRef<std::pair<unsigned, unsigned>> items);

  NormalForms &normalForms;
  unsigned maxCases;
  unsigned steps = 0;
  unsigned numQuotients = 0;
  std::vector<Equation> equations;
  llvm::DenseMap<Polynomial, bool> tooLarge;
  llvm::DenseMap<Polynomial, Polynomial> skeletons;
  llvm::DenseMap<Monomial, Monomial> monomialSkeletons;
};

} // namespace mirage::search

#endif // MIRAGE_LIB_SEARCH_EXPRESSIONS_SYMBOLICCONTAINMENT_H
