//===- ArithSystem.h - Plain arithmetic of the semantics as IR --*- C++ -*-===//
//
// Declares what the systems of Element.h that emit IR have in common: the
// functions on values that are operations of arith whatever the target is.
// Values are scalars of f32 or f64.
//
//===----------------------------------------------------------------------===//

#ifndef MIRAGE_LIB_CONVERSION_ARITHSYSTEM_H
#define MIRAGE_LIB_CONVERSION_ARITHSYSTEM_H

#include "Mirage/Semantics/Enums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

namespace mirage {

class ArithSystem {
public:
  using Value = mlir::Value;

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// The type of the values: f32 or f64, or, where they are only moved, vectors
  /// of any type of elements.
  mlir::Type computeType;

  /// Sums, differences and products have the flags `fastMath`.
  ArithSystem(
      mlir::OpBuilder &builder, mlir::Location loc, mlir::Type computeType,
      mlir::arith::FastMathFlags fastMath = mlir::arith::FastMathFlags::none)
      : builder(builder), loc(loc), computeType(computeType),
        fastMath(fastMath) {}

  Value constant(double value);
  Value add(Value a, Value b);
  Value sub(Value a, Value b);
  Value mul(Value a, Value b);
  Value div(Value a, Value b);
  Value max(Value a, Value b);
  Value min(Value a, Value b);
  Value compare(CompareKind kind, Value a, Value b);
  Value choose(Value condition, Value a, Value b);

private:
  mlir::arith::FastMathFlags fastMath;
};

} // namespace mirage

#endif // MIRAGE_LIB_CONVERSION_ARITHSYSTEM_H
