//===- MathSystem.h - The semantics' numbers as arith and math --*- C++ -*-===//
//
// Declares the values half of a system of Element.h that emits operations of
// arith and math on scalars of f32 or f64: the bodies of linalg operations.
// Nothing is contracted or approximated; how exact exp is, is up to who lowers
// math.exp.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_MATHSYSTEM_H
#define MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_MATHSYSTEM_H

#include "../ArithSystem.h"

namespace mirage {

class MathSystem : public ArithSystem {
public:
  using ArithSystem::ArithSystem;

  Value exp(Value a);
  Value exp2(Value a);
  Value log(Value a);
  Value sqrt(Value a);
  Value rsqrt(Value a);
  Value erf(Value a);
  Value tanh(Value a);
  Value sigmoid(Value a);
  Value pow(Value a, double exponent);
  /// Returns the nearest number with 10 bits of mantissa, ties to even.
  Value roundToTF32(Value a);
  /// Returns exp(from - to), and one where they are equal, infinite or not.
  Value rescale(Value from, Value to);

  /// Rounds a float to another type, for `cast` of every operator.
  Value cast(Value a, mlir::Type type);
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_MIRAGETOLINALG_MATHSYSTEM_H
