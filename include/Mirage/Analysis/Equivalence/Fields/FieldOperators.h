//===- FieldOperators.h - Primitives on tensors of residues -----*- C++ -*-===//
//
// These functions evaluate one operator in one plane of a model.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDOPERATORS_H
#define MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDOPERATORS_H

#include "Mirage/Analysis/Equivalence/Fields/FieldModel.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldTensor.h"
#include "Mirage/MuGraph/MuGraph.h"

namespace mirage::equivalence {

struct FieldContext {
  const FieldModel &model;
  Plane plane;
  const Execution &execution;
  /// Take only the path through Element.h (used to test the fast paths).
  bool onlyGeneric = false;
  FieldUnit unit = getFieldUnit();

  const PrimeField &field() const { return model.getField(plane); }
};

/// Result number `result` of an operator that is a primitive. Operands are
/// residues of the same plane, those of exp in Z_q. `isCondition`: whether
/// operand 0 of select is zero or one; `comparedAs`: what compare compares, and
/// select with zero. `type` is the element type of constants. Nothing if it
/// divides by zero.
std::optional<FieldTensor> evaluateInField(
    const FieldContext &context, OpKind kind, const OpAttributes &attributes,
    llvm::ArrayRef<FieldTensor> operands, unsigned result, ElementType type,
    bool isCondition, ComparedAs comparedAs = ComparedAs::Numbers);

} // namespace mirage::equivalence

#endif // MIRAGE_ANALYSIS_EQUIVALENCE_FIELDS_FIELDOPERATORS_H
