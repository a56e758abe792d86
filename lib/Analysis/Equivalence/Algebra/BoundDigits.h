//===- BoundDigits.h - How bound variables are used -------------*- C++ -*-===//
//
// Looks at the index forms in which bound variables occur and finds the best
// variables to sum over instead: split where only digits are used, merged
// where several are always the digits of one number.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_BOUNDDIGITS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_BOUNDDIGITS_H

#include "Mirage/Analysis/Equivalence/Algebra/Algebra.h"
#include "llvm/ADT/DenseSet.h"

namespace mirage::equivalence {

class BoundDigits {
public:
  BoundDigits(Variables &variables, const IndexArithmetic &indices,
              llvm::ArrayRef<Variable> bound)
      : variables(variables), indices(indices),
        bound(bound.begin(), bound.end()) {}

  /// Takes the forms inside of an atom into account.
  void addAtom(const Atom &atom);
  /// Steps that regrouping may take.
  uint64_t getCost() const {
    return 1 + forms.size() * bound.size() * (1 + bound.size() / 16);
  }

  /// Finds better variables. False if those that there are already are.
  bool regroup();
  /// Returns what the bound variables are in terms of the new ones.
  llvm::ArrayRef<std::pair<Variable, IndexForm>> getForms() const {
    return replacements;
  }
  llvm::ArrayRef<Variable> getVariables() const { return fresh; }

private:
  /// A part of a bound variable and how often it occurs in each form.
  struct Part {
    int64_t extent;
    std::vector<int64_t> column;
    /// A piece means a sum over digits of bound variables, lowest first.
    struct Piece {
      unsigned bound;
      int64_t stride, extent;
    };
    llvm::SmallVector<Piece, 2> pieces;
    /// Uses of it are understood.
    bool isWhole = true;
  };

  void addForm(const IndexForm &form);
  void addPolynomial(const Polynomial &a);
  /// Appends the parts of a variable, and returns whether they are the variable
  /// itself.
  bool split(unsigned index, std::vector<Part> &parts) const;
  static bool merge(std::vector<Part> &parts);

  Variables &variables;
  const IndexArithmetic &indices;
  llvm::SmallVector<Variable, 4> bound;
  llvm::DenseSet<const Atom *> seen;
  std::vector<IndexForm> forms;
  llvm::SmallVector<std::pair<Variable, IndexForm>, 4> replacements;
  llvm::SmallVector<Variable, 4> fresh;
};

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ALGEBRA_BOUNDDIGITS_H
