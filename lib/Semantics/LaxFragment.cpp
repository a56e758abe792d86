//===- LaxFragment.cpp - What random tests can decide ---------------------===//
//
// Gives every operator its place in the fragment.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/LaxFragment.h"
#include "llvm/Support/ErrorHandling.h"
#include <cmath>

using namespace mirage;

LaxClass mirage::getLaxClass(OpKind kind, const OpAttributes &attributes) {
  switch (kind) {
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Mul:
  case OpKind::Div:
  case OpKind::Square:
  case OpKind::Scale:
  case OpKind::Cast:
  case OpKind::Constant:
#define MIRAGE_LAYOUT_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
  case OpKind::Matmul:
  case OpKind::ConcatMatmul:
  case OpKind::Conv2d:
  case OpKind::Variance:
    return LaxClass::MultiLinear;
  case OpKind::Exp:
  case OpKind::Exp2:
  case OpKind::Softmax:
  case OpKind::Attention:
    return LaxClass::Exponential;
  case OpKind::Reduce:
    return attributes.reduceKind == ReduceKind::Max ? LaxClass::Uninterpreted
                                                    : LaxClass::MultiLinear;
  // Integer powers are products and their reciprocals.
  case OpKind::Pow:
    return attributes.scalar == std::floor(attributes.scalar)
               ? LaxClass::MultiLinear
               : LaxClass::Uninterpreted;
  case OpKind::Max:
  case OpKind::Min:
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Abs:
  case OpKind::Log:
  case OpKind::Sqrt:
  case OpKind::Rsqrt:
  case OpKind::Silu:
  case OpKind::Sigmoid:
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Relu:
  case OpKind::Tanh:
  case OpKind::Erf:
  case OpKind::Clamp:
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
  case OpKind::GroupNorm:
  case OpKind::InstanceNorm:
  case OpKind::BatchNorm:
  // This one is the logarithm of a sum of exponentials.
  case OpKind::LogSoftmax:
    return LaxClass::Uninterpreted;
  }
  llvm_unreachable("unknown operator");
}
