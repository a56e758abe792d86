//===- IRSystem.cpp - The semantics' numbers as IR ------------------------===//
//
// Emits the functions of Element.h. Arithmetic may be contracted to fused
// multiply-adds. Those of f32 are made of what the special-function units
// compute (PTX ISA, "Floating Point Instructions"): exponentials and logarithms
// (ex2.approx and lg2.approx), reciprocals (rcp.approx), square roots and their
// reciprocals (sqrt.approx and rsqrt.approx). None takes a branch: functions of
// ptxas that do, by which divisions and roots are rounded correctly, cost all
// code around their calls.
// Those of f64 are in F64Functions.cpp.
//
//===----------------------------------------------------------------------===//

#include "IRSystem.h"
#include "F64Functions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <limits>

using namespace mlir;
using namespace mirage;

/// Calls a function of one number that the hardware has an instruction for.
static Value callIntrinsic(OpBuilder &builder, Location loc, StringRef name,
                           Value a) {
  return LLVM::CallIntrinsicOp::create(builder, loc, a.getType(),
                                       builder.getStringAttr(name), a)
      .getResult(0);
}

/// Returns x y + z, rounded once.
static Value multiplyAdd(IRSystem &s, Value x, Value y, Value z) {
  return math::FmaOp::create(s.builder, s.loc, x, y, z);
}

/// Returns a polynomial of x; the coefficient of its highest power comes first.
static Value evaluatePolynomial(IRSystem &s, ArrayRef<double> coefficients,
                                Value x) {
  Value sum = s.constant(coefficients.front());
  for (double coefficient : coefficients.drop_front())
    sum = multiplyAdd(s, sum, x, s.constant(coefficient));
  return sum;
}

/// The backend lowers llvm.log2 to this instruction behind a hidden option
/// only.
static Value createLog2(OpBuilder &builder, Location loc, Value a) {
  return callIntrinsic(builder, loc, "llvm.nvvm.lg2.approx.f", a);
}

Value IRSystem::add(Value a, Value b) {
  if (isa<IntegerType>(a.getType()))
    return addIndex(a, b);
  return ArithSystem::add(a, b);
}

/// No quotient takes a branch, where the instruction that rounds it correctly
/// has one to a subroutine. Reciprocals are approximate (rcp.approx, PTX ISA,
/// "Floating Point Instructions": a maximum relative error of 2^-23). In other
/// quotients, the numerator by the divisor's reciprocal is corrected by what
/// the product of this and the divisor lacks of the numerator, so that equal
/// numbers have the quotient one. Both are scaled by a power of two where the
/// divisor or its reciprocal might be subnormal. Where any of the three is
/// not finite, nothing finite is missing, and the quotient stays.
Value IRSystem::div(Value a, Value b) {
  if (computeType.isF64())
    return ArithSystem::div(a, b);
  if (matchPattern(a, m_OneFloat()))
    return arith::DivFOp::create(builder, loc, a, b, arith::FastMathFlags::afn);
  auto choose = [&](arith::CmpFPredicate predicate, Value size, double bound,
                    Value then, Value otherwise) -> Value {
    Value holds =
        arith::CmpFOp::create(builder, loc, predicate, size, constant(bound));
    return arith::SelectOp::create(builder, loc, holds, then, otherwise);
  };
  constexpr double large = 0x1p96, step = 0x1p64;
  Value size = math::AbsFOp::create(builder, loc, b);
  Value factor = choose(arith::CmpFPredicate::OLT, size, 1 / large,
                        constant(step), constant(1.0));
  factor = choose(arith::CmpFPredicate::OGT, size, large, constant(1 / step),
                  factor);
  a = mul(a, factor);
  b = mul(b, factor);
  Value reciprocal =
      callIntrinsic(builder, loc, "llvm.nvvm.rcp.approx.ftz.f", b);
  Value quotient = mul(a, reciprocal);
  Value missing =
      multiplyAdd(*this, arith::NegFOp::create(builder, loc, quotient), b, a);
  return choose(arith::CmpFPredicate::OLT,
                math::AbsFOp::create(builder, loc, missing),
                std::numeric_limits<double>::infinity(),
                multiplyAdd(*this, missing, reciprocal, quotient), quotient);
}

Value IRSystem::exp2(Value a) {
  if (computeType.isF64())
    return emitExp2(a, *this);
  // Without `.ftz` the instruction stands between four others, which keep
  // results below the smallest normal number; error bounds count these as zero.
  return callIntrinsic(builder, loc, "llvm.nvvm.ex2.approx.ftz.f32", a);
}

Value IRSystem::exp(Value a) {
  if (computeType.isF64())
    return emitExp(a, *this);
  constexpr double log2e = 1.44269504088896340736;
  return exp2(mul(a, constant(log2e)));
}

Value IRSystem::log(Value a) {
  if (computeType.isF64())
    return emitLog(a, *this);
  constexpr double ln2 = 0.693147180559945309417;
  return mul(createLog2(builder, loc, a), constant(ln2));
}

/// The instruction that rounds roots correctly has a branch to a subroutine.
Value IRSystem::sqrt(Value a) {
  if (computeType.isF64())
    return LLVM::SqrtOp::create(builder, loc, a);
  return callIntrinsic(builder, loc, "llvm.nvvm.sqrt.approx.f", a);
}

Value IRSystem::rsqrt(Value a) {
  if (computeType.isF64())
    return div(constant(1.0), sqrt(a));
  return callIntrinsic(builder, loc, "llvm.nvvm.rsqrt.approx.f", a);
}

/// The sum is at least one, so that the reciprocal needs no steps for subnormal
/// numbers; where the sum is beyond 2^126, the result is zero.
Value IRSystem::sigmoid(Value a) {
  Value one = constant(1.0);
  Value sum = add(one, exp(sub(constant(0.0), a)));
  if (computeType.isF64())
    return div(one, sum);
  return callIntrinsic(builder, loc, "llvm.nvvm.rcp.approx.ftz.f", sum);
}

/// Near zero erf(a) is a + a p(a²), and elsewhere 1 - 2^q(|a|) with the sign of
/// a, as 2^q is what is left to one. Both polynomials have the least largest
/// error in erf, relative to it, which is below 2^-24 times 0.26 up to the
/// border and 0.41 from there to 4 (found by Remez' exchange); beyond, q
/// decreases, and its power is below half a unit of one. Neither takes a branch
/// or a division.
Value IRSystem::erf(Value a) {
  if (computeType.isF64())
    return emitErf(a, *this);
  constexpr double border = 0.921875;
  constexpr double near[] = {-0.0005990853379316662, 0.004993180103909963,
                             -0.026766616054534936,  0.11281816157643744,
                             -0.3761249368492162,    0.12837914955538862};
  constexpr double far[] = {-0.0017862595426086133, 0.022323051464478445,
                            -0.1309728805587886,    -0.9395460440052975,
                            -1.6155782441398419,    -0.0028561800921866887};
  Value size = math::AbsFOp::create(builder, loc, a);
  Value small =
      multiplyAdd(*this, evaluatePolynomial(*this, near, mul(a, a)), a, a);
  Value large = math::CopySignOp::create(
      builder, loc,
      sub(constant(1.0), exp2(evaluatePolynomial(*this, far, size))), a);
  Value isLarge = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                                        size, constant(border));
  return arith::SelectOp::create(builder, loc, isLarge, large, small);
}

/// Near zero tanh(a) is a + a³ p(a²), of which the polynomial has the least
/// largest error, relative to tanh, which is 0.77 times 2^-24 (found by Remez'
/// exchange); elsewhere it is 1 - 2 / (1 + exp(2 |a|)) with the sign of a.
/// Neither takes a branch.
Value IRSystem::tanh(Value a) {
  if (computeType.isF64())
    return emitTanh(a, *this);
  constexpr double border = 0.5625, log2e = 1.44269504088896340736;
  constexpr double near[] = {0.016234075650572777, -0.05256573483347893,
                             0.13319088518619537, -0.3333287537097931};
  Value square = mul(a, a);
  Value small = multiplyAdd(*this, evaluatePolynomial(*this, near, square),
                            mul(square, a), a);
  Value size = math::AbsFOp::create(builder, loc, a);
  Value reciprocal =
      callIntrinsic(builder, loc, "llvm.nvvm.rcp.approx.ftz.f",
                    add(constant(1.0), exp2(mul(size, constant(2 * log2e)))));
  Value large = math::CopySignOp::create(
      builder, loc,
      multiplyAdd(*this, reciprocal, constant(-2.0), constant(1.0)), a);
  Value isLarge = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OGT,
                                        size, constant(border));
  return arith::SelectOp::create(builder, loc, isLarge, large, small);
}

/// Computes |a|^exponent by exp2 and log2, with the sign of a where the
/// exponent is odd.
Value IRSystem::pow(Value a, double exponent) {
  bool isInteger = exponent == std::floor(exponent);
  Value base = isInteger ? Value(math::AbsFOp::create(builder, loc, a)) : a;
  Value result =
      computeType.isF64()
          ? exp(mul(log(base), constant(exponent)))
          : exp2(mul(createLog2(builder, loc, base), constant(exponent)));
  if (isInteger && std::fmod(std::fabs(exponent), 2.0) == 1.0)
    result = math::CopySignOp::create(builder, loc, result, a);
  return result;
}

Value IRSystem::roundToTF32(Value a) {
  Value bits = NVVM::ConvertFloatToTF32Op::create(
      builder, loc, builder.getI32Type(), a, NVVM::FPRoundingMode::RNA,
      NVVM::SaturationMode::NONE, /*relu=*/false);
  return LLVM::BitcastOp::create(builder, loc, builder.getF32Type(), bits);
}

Value IRSystem::rescale(Value from, Value to) {
  Value equal =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OEQ, from, to);
  return arith::SelectOp::create(builder, loc, equal, constant(1.0),
                                 exp(sub(from, to)));
}

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// Returns the value of a constant index, if it is one.
static std::optional<int64_t> getConstant(Value value) {
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    if (auto attr = dyn_cast<IntegerAttr>(constant.getValue()))
      return attr.getInt();
  return std::nullopt;
}

Value IRSystem::index(int64_t value) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getIntegerAttr(indexType, value));
}

Value IRSystem::addIndex(Value a, Value b) {
  if (getConstant(a) == 0)
    return b;
  if (getConstant(b) == 0)
    return a;
  return arith::AddIOp::create(builder, loc, a, b);
}

Value IRSystem::addConstant(Value a, int64_t c) {
  return addIndex(a, index(c));
}

Value IRSystem::mulConstant(Value a, int64_t c) {
  std::optional<int64_t> known = getConstant(a);
  if (known)
    return index(*known * c);
  if (c == 1)
    return a;
  return arith::MulIOp::create(builder, loc, a, index(c));
}

Value IRSystem::divConstant(Value a, int64_t c) {
  if (c == 1)
    return a;
  return arith::DivUIOp::create(builder, loc, a, index(c));
}

Value IRSystem::remConstant(Value a, int64_t c) {
  if (c == 1)
    return index(0);
  return arith::RemUIOp::create(builder, loc, a, index(c));
}

/// The range is checked by one unsigned comparison: i - lower < upper - lower.
Value IRSystem::inRange(Value i, int64_t lower, int64_t upper) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                               addConstant(i, -lower), index(upper - lower));
}

Value IRSystem::both(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}

void IRSystem::forEach(Value from, Value to, Value step,
                       llvm::function_ref<void(Value)> body) {
  auto loop = scf::ForOp::create(builder, loc, from, to, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar());
}
