//===- Substitution.h - Index variables replaced by forms -------*- C++ -*-===//
//
// Replaces free index variables, or whole atoms, throughout an expression. A
// renaming keeps the structure of normal forms; any other substitution builds
// them anew.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_SUBSTITUTION_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_SUBSTITUTION_H

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"

namespace mirage::equivalence {

class Algebra::Substitution {
public:
  explicit Substitution(Algebra &algebra) : algebra(algebra) {}

  void map(Variable from, IndexForm to) { forms[from] = std::move(to); }
  void rename(Variable from, Variable to) {
    map(from, algebra.indices.variable(to));
  }
  /// Puts a value in the place of an atom, inside of others as well.
  void put(const Atom *atom, Polynomial value) {
    values[atom] = std::move(value);
  }

  /// Renames variables, where every variable is mapped to a variable of its
  /// extent, and different ones to different ones that do not occur.
  const Atom *renamed(const Atom *atom);
  Monomial renamed(const Monomial &m);
  Polynomial renamed(const Polynomial &a);

  Polynomial apply(const Polynomial &a);
  Polynomial apply(const Factor &factor);

  /// Returns whether the atom is or contains something that is replaced.
  bool concerns(const Atom &atom) const;

private:
  bool concerns(const Polynomial &a) const;
  std::optional<IndexForm> apply(const IndexForm &form) const;
  /// Returns what the atom becomes; for powers, what their base becomes.
  Polynomial applyToAtom(const Atom &atom);

  Algebra &algebra;
  llvm::DenseMap<Variable, IndexForm> forms;
  llvm::DenseMap<const Atom *, Polynomial> values;
  mutable llvm::DenseMap<const Atom *, bool> concerned;
  llvm::DenseMap<const Atom *, const Atom *> renamedAtoms;
  llvm::DenseMap<const Atom *, Polynomial> appliedAtoms;
};

/// While one exists, what could not be done does not stop the algebra for good.
class Algebra::Trial {
public:
  explicit Trial(Algebra &algebra) : algebra(algebra) {}
  ~Trial() {
    algebra.stop = Stop::None;
    algebra.reason.clear();
  }

private:
  Algebra &algebra;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_SUBSTITUTION_H
