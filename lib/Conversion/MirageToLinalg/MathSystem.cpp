//===- MathSystem.cpp - The semantics' numbers as arith and math ----------===//
//
// Emits one operation of math for each function that has one.
//
//===----------------------------------------------------------------------===//

#include "MathSystem.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mirage;

Value MathSystem::exp(Value a) { return math::ExpOp::create(builder, loc, a); }
Value MathSystem::exp2(Value a) {
  return math::Exp2Op::create(builder, loc, a);
}
Value MathSystem::log(Value a) { return math::LogOp::create(builder, loc, a); }
Value MathSystem::sqrt(Value a) {
  return math::SqrtOp::create(builder, loc, a);
}
Value MathSystem::rsqrt(Value a) {
  return math::RsqrtOp::create(builder, loc, a);
}
Value MathSystem::erf(Value a) { return math::ErfOp::create(builder, loc, a); }
Value MathSystem::tanh(Value a) {
  return math::TanhOp::create(builder, loc, a);
}

Value MathSystem::sigmoid(Value a) {
  Value one = constant(1.0);
  Value negated = arith::NegFOp::create(builder, loc, a);
  return div(one, add(one, exp(negated)));
}

Value MathSystem::pow(Value a, double exponent) {
  return math::PowFOp::create(builder, loc, a, constant(exponent));
}

Value MathSystem::roundToTF32(Value a) {
  auto i32 = builder.getI32Type();
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getIntegerAttr(i32, value));
  };
  // The last 13 bits of the significand go: just less than half of the last one
  // that stays is added, and one more where that is odd.
  Value bits = arith::BitcastOp::create(builder, loc, i32, a);
  Value last = arith::AndIOp::create(
      builder, loc, arith::ShRUIOp::create(builder, loc, bits, integer(13)),
      integer(1));
  Value half = arith::AddIOp::create(builder, loc, last, integer(0xFFF));
  Value sum = arith::AddIOp::create(builder, loc, bits, half);
  Value cut = arith::AndIOp::create(builder, loc, sum, integer(-8192));
  Value rounded = arith::BitcastOp::create(builder, loc, a.getType(), cut);
  // The payload of a NaN could run over into the exponent.
  Value isNaN =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNO, a, a);
  return arith::SelectOp::create(builder, loc, isNaN, a, rounded);
}

Value MathSystem::rescale(Value from, Value to) {
  Value equal =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, from, to);
  return arith::SelectOp::create(builder, loc, equal, constant(1.0),
                                 exp(sub(from, to)));
}

Value MathSystem::cast(Value a, Type type) {
  if (a.getType() == type)
    return a;
  unsigned from = a.getType().getIntOrFloatBitWidth(),
           to = type.getIntOrFloatBitWidth();
  if (from < to)
    return arith::ExtFOp::create(builder, loc, type, a);
  if (from > to)
    return arith::TruncFOp::create(builder, loc, type, a);
  // Conversions between f16 and bf16, or between two kinds of f8, go by way of
  // f32, which holds all of both.
  return cast(cast(a, builder.getF32Type()), type);
}
