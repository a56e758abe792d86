//===- ExpandedKind.cpp - The operators of expanded programs --------------===//
//
// Classifies each operator of the table: it is left as it is, or replaced by
// Expand.cpp.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/ExpandedKind.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;

ExpandedKind mirage::getExpandedKind(OpKind kind) {
  switch (kind) {
  case OpKind::Add:
    return ExpandedKind::Add;
  case OpKind::Sub:
    return ExpandedKind::Sub;
  case OpKind::Mul:
    return ExpandedKind::Mul;
  case OpKind::Div:
    return ExpandedKind::Div;
  case OpKind::Max:
    return ExpandedKind::Max;
  case OpKind::Min:
    return ExpandedKind::Min;
  case OpKind::Compare:
    return ExpandedKind::Compare;
  case OpKind::Select:
    return ExpandedKind::Select;
  case OpKind::Exp:
    return ExpandedKind::Exp;
  case OpKind::Log:
    return ExpandedKind::Log;
  case OpKind::Sqrt:
    return ExpandedKind::Sqrt;
  case OpKind::Sigmoid:
    return ExpandedKind::Sigmoid;
  case OpKind::Erf:
    return ExpandedKind::Erf;
  case OpKind::Tanh:
    return ExpandedKind::Tanh;
  case OpKind::Pow:
    return ExpandedKind::Pow;
  case OpKind::Constant:
    return ExpandedKind::Constant;
  case OpKind::Pad:
    return ExpandedKind::Pad;
  case OpKind::Repeat:
  case OpKind::Broadcast:
  case OpKind::Reshape:
  case OpKind::Transpose:
  case OpKind::Slice:
  case OpKind::Split:
  case OpKind::Concat:
    return ExpandedKind::Layout;
  case OpKind::Reduce:
    return ExpandedKind::Reduce;
  case OpKind::Matmul:
    return ExpandedKind::Matmul;
  case OpKind::Conv2d:
    return ExpandedKind::Conv2d;
  // These are formulas of others.
  case OpKind::Abs:
  case OpKind::Exp2:
  case OpKind::Rsqrt:
  case OpKind::Square:
  case OpKind::Silu:
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Relu:
  case OpKind::Clamp:
  case OpKind::Scale:
  case OpKind::Cast:
  case OpKind::ConcatMatmul:
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    llvm::reportFatalInternalError(getOpInfo(kind).mnemonic +
                                   llvm::Twine(" is no operator of an expanded "
                                               "program"));
  }
  llvm_unreachable("not an operator");
}
