//===- Primitive.cpp - Classes of primitives ------------------------------===//
//
// Gives every operator its class as a primitive. Elementwise operators are
// named one by one: whether a function is a primitive or a formula of others is
// a decision, and mirage-fission has a rule for each formula.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Primitive.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;

std::optional<PrimitiveClass>
mirage::getPrimitiveClass(OpKind kind, const OpAttributes &attributes) {
  switch (kind) {
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Mul:
  case OpKind::Div:
  case OpKind::Max:
  case OpKind::Min:
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Abs:
  case OpKind::Exp:
  case OpKind::Exp2:
  case OpKind::Log:
  case OpKind::Sqrt:
  case OpKind::Rsqrt:
  case OpKind::Square:
  case OpKind::Relu:
  case OpKind::Tanh:
  case OpKind::Erf:
  case OpKind::Clamp:
  case OpKind::Scale:
  case OpKind::Pow:
  case OpKind::Cast:
  // A constant has no operand to wait for: it goes into any kernel that uses
  // it, as elementwise operators do.
  case OpKind::Constant:
    return PrimitiveClass::Elementwise;
  // These are formulas of exp, erf, tanh and arithmetic.
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Sigmoid:
  case OpKind::Silu:
    return std::nullopt;
  // These make many elements of one.
  case OpKind::Broadcast:
  case OpKind::Repeat:
    return PrimitiveClass::ReduceBroadcast;
  case OpKind::Reshape:
  case OpKind::Transpose:
  case OpKind::Slice:
  case OpKind::Split:
  case OpKind::Concat:
  case OpKind::Pad:
    return PrimitiveClass::Layout;
  // A mean is a sum and a quotient.
  case OpKind::Reduce:
    if (attributes.reduceKind == ReduceKind::Mean)
      return std::nullopt;
    return PrimitiveClass::ReduceBroadcast;
#define MIRAGE_CONTRACTION_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return PrimitiveClass::Linear;
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return std::nullopt;
  }
  llvm_unreachable("unknown operator");
}
