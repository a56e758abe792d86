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

/// The values must have equal shapes. Steps are added to `spent`.
ProofResult::Output proveEqual(const ValueInGraph &lhs, const ValueInGraph &rhs,
                               ConstantTables &tables,
                               const ProofOptions &options, uint64_t &spent);

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
};
/// Steps are added to `spent`.
Signature getSignature(const ValueInGraph &value, ConstantTables &tables,
                       const ProofOptions &options, uint64_t &spent);

/// Goes through both programs and cuts off what is equal in them, from the
/// inputs on, as far as the steps reach that one output may take.
struct Cuts {
  SymbolicEvaluation::Cuts left, right;
  /// The steps that finding them took.
  uint64_t steps = 0;
};
Cuts cutEqualValues(const MuGraph &lhs, const MuGraph &rhs,
                    ConstantTables &tables, const ProofOptions &options);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_PROOF_VALUEPROOF_H
