//===- Witness.h - Numbers that only one argument contains ------*- C++ -*-===//
//
// A family is what an exponential's argument becomes for all values of some
// variables: scores, for all keys. An input is a witness of a family if each
// member is linear in the input's numbers and contains one that no other member
// contains, with a factor that is not zero. Then random numbers in the input
// make the members independent and uniform.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_WITNESS_H
#define MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_WITNESS_H

#include "Mirage/Analysis/Equivalence/Proof/SymbolicEvaluation.h"

namespace mirage::equivalence {

struct Family {
  /// The sum of the members' exponentials, which is one product; in normal
  /// form, so that equal families have equal sums.
  Monomial exponentials;

  /// A member: the logarithm of that product.
  Polynomial getMember(Algebra &algebra) const;
  double getSize(const Algebra &algebra) const;
};

/// Returns whether numbers of `tensor` occur in the family.
bool containsTensor(const Family &family, TensorNumber tensor);
/// Returns whether results of other functions than unknown ones occur in the
/// family.
bool hasOtherFunction(const Family &family);
/// Returns whether results of unknown functions, or unknown tensors, occur in
/// the family.
bool containsFunction(const Family &family);

bool isWitness(const Family &family, TensorNumber tensor,
               const Algebra &algebra, const ConstantTables &tables);

} // namespace mirage::equivalence

#endif // MIRAGE_LIB_ANALYSIS_EQUIVALENCE_ERRORBOUND_WITNESS_H
