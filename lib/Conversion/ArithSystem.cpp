//===- ArithSystem.cpp - Plain arithmetic of the semantics as IR ----------===//
//
// Emits one operation of arith for each function, and two for comparisons,
// whose results are numbers.
//
//===----------------------------------------------------------------------===//

#include "ArithSystem.h"

using namespace mlir;
using namespace mirage;

Value ArithSystem::constant(double value) {
  TypedAttr number =
      builder.getFloatAttr(getElementTypeOrSelf(computeType), value);
  if (auto vector = dyn_cast<VectorType>(computeType))
    number = DenseElementsAttr::get(vector, number);
  return arith::ConstantOp::create(builder, loc, number);
}

Value ArithSystem::add(Value a, Value b) {
  return arith::AddFOp::create(builder, loc, a, b, fastMath);
}

Value ArithSystem::sub(Value a, Value b) {
  return arith::SubFOp::create(builder, loc, a, b, fastMath);
}

Value ArithSystem::mul(Value a, Value b) {
  return arith::MulFOp::create(builder, loc, a, b, fastMath);
}

Value ArithSystem::div(Value a, Value b) {
  return arith::DivFOp::create(builder, loc, a, b);
}

Value ArithSystem::max(Value a, Value b) {
  return arith::MaximumFOp::create(builder, loc, a, b);
}

Value ArithSystem::min(Value a, Value b) {
  return arith::MinimumFOp::create(builder, loc, a, b);
}

static arith::CmpFPredicate getPredicate(CompareKind kind) {
  switch (kind) {
  case CompareKind::EQ:
    return arith::CmpFPredicate::OEQ;
  case CompareKind::NE:
    return arith::CmpFPredicate::UNE;
  case CompareKind::LT:
    return arith::CmpFPredicate::OLT;
  case CompareKind::LE:
    return arith::CmpFPredicate::OLE;
  case CompareKind::GT:
    return arith::CmpFPredicate::OGT;
  case CompareKind::GE:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("unknown comparison");
}

Value ArithSystem::compare(CompareKind kind, Value a, Value b) {
  Value holds = arith::CmpFOp::create(builder, loc, getPredicate(kind), a, b);
  return arith::SelectOp::create(builder, loc, holds, constant(1.0),
                                 constant(0.0));
}

Value ArithSystem::choose(Value condition, Value a, Value b) {
  Value first = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::UNE,
                                      condition, constant(0.0));
  return arith::SelectOp::create(builder, loc, first, a, b);
}
