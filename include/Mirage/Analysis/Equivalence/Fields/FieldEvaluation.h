//===- FieldEvaluation.h - µGraphs in finite fields -------------*- C++ -*-===//
//
// Evaluates a µGraph of primitives in one random model (see FieldModel.h), as
// it is written: every block and every iteration, exactly.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDEVALUATION_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDEVALUATION_H

#include "Mirage/Analysis/Equivalence/FieldPlan.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldTensor.h"

namespace mirage::equivalence {

/// The results' residues in Z_p for the model's inputs, or the node that
/// divided by zero. The plan must have no problem. When `execution`
/// ends the evaluation there are no results.
struct FieldResults {
  std::vector<FieldTensor> tensors;
  std::optional<unsigned> dividedByZero;
  bool wasStopped = false;
};
FieldResults evaluateInField(const FieldPlan &plan, const FieldModel &model,
                             llvm::ArrayRef<FieldTensor> inputs,
                             const Execution &execution);

/// Draws the inputs that `plans`, whose graphs have the same inputs, need: two
/// for each, in Z_p and in Z_q, empty where not needed.
std::vector<FieldTensor> drawInputs(llvm::ArrayRef<const FieldPlan *> plans,
                                    const FieldModel &model,
                                    const Execution &execution);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDEVALUATION_H
