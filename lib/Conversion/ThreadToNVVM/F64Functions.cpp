//===- F64Functions.cpp - Transcendental functions of f64 -----------------===//
//
// Emits exp by reduction to |r| <= ln 2 / 2 and its Taylor series, log by
// reduction to [sqrt 1/2, sqrt 2) and the series of artanh, erf by its series
// below 3 and the continued fraction of erfc from there on, and tanh from exp.
// The series and the fraction come from Abramowitz and Stegun, "Handbook of
// Mathematical Functions", 4.2.1, 4.1.27, 7.1.6 and 7.1.14.
//
//===----------------------------------------------------------------------===//

#include "F64Functions.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mirage;

namespace {
/// Shorthands for f64 code.
struct F64 {
  IRSystem &s;
  OpBuilder &b;
  Location loc;
  Type f64, i64;

  explicit F64(IRSystem &s)
      : s(s), b(s.builder), loc(s.loc), f64(b.getF64Type()),
        i64(b.getI64Type()) {}

  Value number(double v) { return s.constant(v); }
  Value integer(int64_t v) {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(v));
  }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, loc, x, y, z);
  }
  Value fma(Value x, double y, Value z) { return fma(x, number(y), z); }
  Value abs(Value x) { return math::AbsFOp::create(b, loc, x); }
  Value copySign(Value x, Value sign) {
    return math::CopySignOp::create(b, loc, x, sign);
  }
  Value round(Value x) { return math::RoundEvenOp::create(b, loc, x); }
  Value compare(arith::CmpFPredicate predicate, Value x, double y) {
    return arith::CmpFOp::create(b, loc, predicate, x, number(y));
  }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, loc, condition, x, y);
  }
  Value bits(Value x) { return LLVM::BitcastOp::create(b, loc, i64, x); }
  Value fromBits(Value x) { return LLVM::BitcastOp::create(b, loc, f64, x); }

  /// Returns 2^n of an integer within the exponents of normal numbers.
  Value powerOfTwo(Value n) {
    Value biased = arith::AddIOp::create(b, loc, n, integer(1023));
    return fromBits(arith::ShLIOp::create(b, loc, biased, integer(52)));
  }

  /// Returns exp(r) 2^n for |r| <= ln 2 / 2 and |n| <= 1100, where n is a
  /// rounded number.
  Value scaledExp(Value r, Value n) {
    // 0.3466^14 / 14! is below 2^-57.
    Value p = number(1.0);
    for (int k = 13; k > 0; --k)
      p = fma(s.mul(p, r), 1.0 / k, number(1.0));
    // The power is applied in two steps, so that neither factor is beyond the
    // normal numbers.
    Value whole = arith::FPToSIOp::create(b, loc, i64, n);
    Value half = arith::ShRSIOp::create(b, loc, whole, integer(1));
    Value rest = arith::SubIOp::create(b, loc, whole, half);
    return s.mul(s.mul(p, powerOfTwo(half)), powerOfTwo(rest));
  }

  /// Returns x, or a bound where x is beyond it, and zero for NaN, which has no
  /// integer.
  Value clamp(Value x, double bound) {
    Value ordered =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::ORD, x, x);
    Value inside = s.min(s.max(x, number(-bound)), number(bound));
    return select(ordered, inside, number(0.0));
  }

  Value keepNaN(Value x, Value result) {
    Value isNaN =
        arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNO, x, x);
    return select(isNaN, x, result);
  }
};

// ln 2 as a number of 33 bits and the rest, so that small multiples of the
// first are exact.
constexpr double ln2High = 0x1.62e42feep-1;
constexpr double ln2Low = 0x1.a39ef35793c76p-33;
} // namespace

Value mirage::emitExp(Value x, IRSystem &s) {
  F64 f(s);
  Value inside = f.clamp(x, 760.0); // exp(+-760) overflows and underflows.
  Value n = f.round(s.mul(inside, f.number(M_LOG2E)));
  Value r = f.fma(n, -ln2High, inside);
  r = f.fma(n, -ln2Low, r);
  return f.keepNaN(x, f.scaledExp(r, n));
}

Value mirage::emitExp2(Value x, IRSystem &s) {
  F64 f(s);
  Value inside = f.clamp(x, 1100.0);
  Value n = f.round(inside);
  Value r = s.mul(s.sub(inside, n), f.number(M_LN2));
  return f.keepNaN(x, f.scaledExp(r, n));
}

Value mirage::emitLog(Value x, IRSystem &s) {
  F64 f(s);
  OpBuilder &b = s.builder;
  // Subnormal numbers are scaled to normal ones.
  Value isSmall = f.compare(arith::CmpFPredicate::OLT, x, 0x1p-1022);
  Value scaled = f.select(isSmall, s.mul(x, f.number(0x1p54)), x);
  // x = m 2^e with m in [sqrt 1/2, sqrt 2): the bits of sqrt 1/2 are
  // subtracted, what is left above the fraction is the exponent.
  constexpr int64_t sqrtHalf = 0x3fe6a09e667f3bcd;
  Value bits = f.bits(scaled);
  Value above = arith::SubIOp::create(b, s.loc, bits, f.integer(sqrtHalf));
  Value exponent = arith::ShRSIOp::create(b, s.loc, above, f.integer(52));
  Value shifted = arith::ShLIOp::create(b, s.loc, exponent, f.integer(52));
  Value m = f.fromBits(arith::SubIOp::create(b, s.loc, bits, shifted));
  Value e = arith::SIToFPOp::create(b, s.loc, f.f64, exponent);
  e = f.select(isSmall, s.sub(e, f.number(54.0)), e);
  // log m = 2 artanh((m - 1) / (m + 1)); the square is below 0.0295.
  Value q = s.div(s.sub(m, f.number(1.0)), s.add(m, f.number(1.0)));
  Value square = s.mul(q, q);
  Value p = f.number(0.0);
  for (int k = 10; k >= 0; --k)
    p = f.fma(p, square, f.number(2.0 / (2 * k + 1)));
  Value result = f.fma(e, ln2High, f.fma(e, ln2Low, s.mul(p, q)));
  // The last choices are for zero, negative numbers, infinity and NaN.
  double infinity = std::numeric_limits<double>::infinity();
  result = f.select(f.compare(arith::CmpFPredicate::OEQ, x, 0.0),
                    f.number(-infinity), result);
  result = f.select(f.compare(arith::CmpFPredicate::OLT, x, 0.0),
                    f.number(std::numeric_limits<double>::quiet_NaN()), result);
  result =
      f.select(f.compare(arith::CmpFPredicate::OEQ, x, infinity), x, result);
  return f.keepNaN(x, result);
}

Value mirage::emitTanh(Value x, IRSystem &s) {
  F64 f(s);
  Value twice = s.mul(f.abs(x), f.number(2.0));
  Value fraction =
      s.div(f.number(2.0), s.add(emitExp(twice, s), f.number(1.0)));
  return f.copySign(s.sub(f.number(1.0), fraction), x);
}

Value mirage::emitErf(Value x, IRSystem &s) {
  F64 f(s);
  Value a = f.abs(x);
  Value square = s.mul(a, a);
  Value gauss = emitExp(s.sub(f.number(0.0), square), s);
  // Returns 2 / sqrt(pi) exp(-x^2) sum of 2^k x^(2k+1) / (1 3 5 ... (2k+1)),
  // whose terms are positive. At x = 3 the 64th is below 2^-53 of the sum.
  auto series = [&]() -> Value {
    Value doubled = s.add(square, square);
    Value sum = f.number(1.0);
    for (int k = 63; k > 0; --k)
      sum = f.fma(s.mul(sum, doubled), 1.0 / (2 * k + 1), f.number(1.0));
    return s.mul(s.mul(s.mul(sum, a), gauss), f.number(M_2_SQRTPI));
  };
  // Returns 1 - exp(-x^2) / sqrt(pi) / (x + (1/2) / (x + (2/2) / (x + (3/2) /
  // ...))).
  auto fraction = [&]() -> Value {
    Value tail = a;
    for (int k = 40; k > 0; --k)
      tail = s.add(a, s.div(f.number(k / 2.0), tail));
    Value erfc = s.div(s.mul(gauss, f.number(M_2_SQRTPI / 2)), tail);
    return s.sub(f.number(1.0), erfc);
  };
  Value isSmall = f.compare(arith::CmpFPredicate::OLT, a, 3.0);
  Value isLarge = f.compare(arith::CmpFPredicate::OGT, a, 6.0);
  Value result = s.select(isSmall, series, fraction);
  result = f.select(isLarge, f.number(1.0), result); // erfc(6) < 2^-55
  return f.keepNaN(x, f.copySign(result, x));
}
