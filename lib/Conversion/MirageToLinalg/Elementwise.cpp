//===- Elementwise.cpp - Elementwise operators as linalg.generic ----------===//
//
// Emits one linalg.generic for each elementwise operator; its body comes from
// Element.h. Dimensions of size one are broadcast by constants in the indexing
// maps.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/Element.h"
#include "OperatorEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mirage;

Value OperatorEmitter::empty(ArrayRef<int64_t> shape, Type elementType) {
  return tensor::EmptyOp::create(builder, loc, shape, elementType);
}

static Value createFill(OpBuilder &builder, Location loc, FloatAttr value,
                        Value target) {
  Value scalar = arith::ConstantOp::create(builder, loc, value);
  return linalg::FillOp::create(builder, loc, scalar, target).getResult(0);
}

Value OperatorEmitter::fill(ArrayRef<int64_t> shape, Type elementType,
                            double value) {
  return createFill(builder, loc, builder.getFloatAttr(elementType, value),
                    empty(shape, elementType));
}

Value OperatorEmitter::fillLowest(ArrayRef<int64_t> shape,
                                  FloatType elementType) {
  const llvm::fltSemantics &semantics = elementType.getFloatSemantics();
  APFloat lowest = APFloat::semanticsHasInf(semantics)
                       ? APFloat::getInf(semantics, /*Negative=*/true)
                       : APFloat::getLargest(semantics, /*Negative=*/true);
  return createFill(builder, loc, builder.getFloatAttr(elementType, lowest),
                    empty(shape, elementType));
}

Value OperatorEmitter::generic(ArrayRef<Value> inputs, Value target,
                               bool readsTarget, Type computeType,
                               ElementBody body) {
  auto type = mlir::cast<RankedTensorType>(target.getType());
  unsigned rank = type.getRank();
  MLIRContext *context = builder.getContext();
  SmallVector<AffineMap> maps;
  for (Value input : inputs) {
    SmallVector<AffineExpr> exprs;
    for (auto [dim, size] : llvm::enumerate(getShape(input)))
      exprs.push_back(size == type.getDimSize(dim)
                          ? getAffineDimExpr(dim, context)
                          : getAffineConstantExpr(0, context));
    maps.push_back(AffineMap::get(rank, 0, exprs, context));
  }
  maps.push_back(AffineMap::getMultiDimIdentityMap(rank, context));
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  auto emitBody = [&](OpBuilder &inner, Location where, ValueRange arguments) {
    MathSystem s(inner, where, computeType);
    SmallVector<Value> elements;
    if (readsTarget)
      elements.push_back(s.cast(arguments.back(), computeType));
    for (Value argument : arguments.drop_back())
      elements.push_back(s.cast(argument, computeType));
    Value element = s.cast(body(s, elements), type.getElementType());
    linalg::YieldOp::create(inner, where, element);
  };
  return linalg::GenericOp::create(builder, loc, type, inputs, target, maps,
                                   iterators, emitBody)
      .getResult(0);
}

Value OperatorEmitter::map(ArrayRef<Value> inputs, RankedTensorType type,
                           Type computeType, ElementBody body) {
  Value target = empty(type.getShape(), type.getElementType());
  return generic(inputs, target, /*readsTarget=*/false, computeType, body);
}

Value OperatorEmitter::update(Value target, ArrayRef<Value> inputs,
                              Type computeType, ElementBody body) {
  return generic(inputs, target, /*readsTarget=*/true, computeType, body);
}

Value OperatorEmitter::cast(Value tensor, Type elementType) {
  if (getElementType(tensor) == elementType)
    return tensor;
  return map(tensor, RankedTensorType::get(getShape(tensor), elementType),
             getComputeType({getElementType(tensor), elementType}),
             [](MathSystem &, ArrayRef<Value> x) { return x[0]; });
}

Value OperatorEmitter::elementwise(OpKind kind, const OpAttributes &attrs,
                                   ArrayRef<Value> operands, Type elementType) {
  if (kind == OpKind::Cast)
    return cast(operands[0], elementType);
  Shape shape(getShape(operands[0]));
  for (Value operand : operands.drop_front())
    for (auto [size, other] : llvm::zip_equal(shape, getShape(operand)))
      if (size == 1)
        size = other;
  return map(operands, RankedTensorType::get(shape, elementType),
             getComputeType(elementType),
             [&](MathSystem &s, ArrayRef<Value> x) {
               return evaluateScalar<MathSystem>(kind, attrs, x, s);
             });
}
