//===- ValueProof.h - Proofs that two values are equal ----------*- C++ -*-===//
//
// Evaluates two values of functions' bodies at symbolic indices and compares.
// What was proved to be equal before may be cut off: it is read as one input
// that both programs have. Equality of the rest for any such input is equality.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_VALUEPROOF_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_VALUEPROOF_H

#include "Mirage/Analysis/Equivalence/Proof/Proof.h"
#include "Mirage/Analysis/Equivalence/Proof/SymbolicEvaluation.h"

namespace mirage::equivalence {

/// A value, by its definition.
struct ValueInGraph {
  const MuGraph &graph;
  MuValue value;
  const SymbolicEvaluation::Cuts &cuts;
};

/// What a comparison has taken.
struct ProofWork {
  /// Elementary steps.
  uint64_t steps = 0;
  /// A product of a normal form kept a sum together.
  bool hasKeptSums = false;
};

/// The values must have equal shapes. What it takes is added to `work`.
ProofResult::Output proveEqual(const ValueInGraph &lhs, const ValueInGraph &rhs,
                               ConstantTables &tables,
                               const ProofOptions &options, ProofWork &work);

/// A signature is what must be known of a value to find equal ones.
struct Signature {
  /// The hash of the normal form, equal for equal values of any graph. There is
  /// none where there is no normal form within the limits, or where it is an
  /// element of an input.
  std::optional<uint64_t> hash;
  /// The normal form has a pole.
  bool hasPole = false;
  /// There is no normal form whatever the limits are.
  bool hasNoForm = false;
  /// A product kept a sum together.
  bool hasKeptSums = false;
};
/// What it takes is added to `work`.
Signature getSignature(const ValueInGraph &value, ConstantTables &tables,
                       const ProofOptions &options, ProofWork &work);

/// Goes through both programs and cuts off what is equal in them, from the
/// inputs on, as far as the steps reach that one output may take.
struct Cuts {
  SymbolicEvaluation::Cuts left, right;
  /// What finding them took.
  ProofWork work;
  /// A product of a normal form that was compared kept a sum together.
  bool hasKeptSums = false;
};
Cuts cutEqualValues(const MuGraph &lhs, const MuGraph &rhs,
                    ConstantTables &tables, const ProofOptions &options);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_VALUEPROOF_H
