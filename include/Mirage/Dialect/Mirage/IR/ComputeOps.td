//===- ComputeOps.td - Compute operators of all levels -----*- tablegen -*-===//
//
// Every compute operator is declared once, in one of the multiclasses that are
// put together here, and instantiated by the three dialects. What it computes
// is in the table of semantics (Mirage/Semantics); the multiclasses have its
// spelling and its constraints.
//
// Constraints are numbered per operator. Those of every compute operator,
// op_c1 to op_c5, are in the description of the dialect mirage.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPS
#define MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPS

include "Mirage/Dialect/Mirage/IR/CompositeOps.td"
include "Mirage/Dialect/Mirage/IR/ContractionOps.td"
include "Mirage/Dialect/Mirage/IR/ElementwiseOps.td"
include "Mirage/Dialect/Mirage/IR/LayoutOps.td"

multiclass MirageComputeOps<Dialect dialect>
    : MirageElementwiseOps<dialect>, MirageLayoutOps<dialect>,
      MirageContractionOps<dialect>, MirageCompositeOps<dialect>;

#endif // MIRAGE_DIALECT_MIRAGE_IR_COMPUTEOPS
