//===- Primitive.cpp - Classes of primitives ------------------------------===//
//
// The class follows from the operator's class in the table, but for the
// operators named here.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Primitive.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;

std::optional<PrimitiveClass>
mirage::getPrimitiveClass(OpKind kind, const OpAttributes &attributes) {
  switch (kind) {
  // Formulas of exp, erf, tanh and arithmetic.
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Sigmoid:
  case OpKind::Silu:
    return std::nullopt;
  // Layouts in which one element of the operand becomes many.
  case OpKind::Broadcast:
  case OpKind::Repeat:
    return PrimitiveClass::ReduceBroadcast;
  // A sum and a quotient.
  case OpKind::Reduce:
    if (attributes.reduceKind == ReduceKind::Mean)
      return std::nullopt;
    break;
  default:
    break;
  }
  switch (getOpInfo(kind).opClass) {
  // A constant has no operand to wait for: it goes into any kernel that uses
  // it, as elementwise operators do.
  case OpClass::Constant:
  case OpClass::Elementwise:
    return PrimitiveClass::Elementwise;
  case OpClass::Layout:
    return PrimitiveClass::Layout;
  case OpClass::Reduction:
    return PrimitiveClass::ReduceBroadcast;
  case OpClass::Contraction:
    return PrimitiveClass::Linear;
  case OpClass::Composite:
    return std::nullopt;
  }
  llvm_unreachable("unknown class of operators");
}
