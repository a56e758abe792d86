//===- Contractions.cpp - Reductions and products as linalg ---------------===//
//
// Emits linalg.reduce, and for products linalg.matmul, batch_matmul or, where
// batch dimensions are broadcast, linalg.contract. Sums of narrow floats are
// accumulated in f32 and rounded once.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/ProductDims.h"
#include "OperatorEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mirage;

Value OperatorEmitter::reduce(const OpAttributes &attrs, Value input,
                              Type elementType) {
  bool isMax = attrs.reduceKind == ReduceKind::Max;
  Type inputType = getElementType(input);
  Type computeType = getComputeType({inputType, elementType});
  // A maximum is one of the elements: nothing is rounded.
  Type sumType = isMax ? inputType : computeType;

  // Groups become a dimension of their own.
  int64_t dim = attrs.dim;
  Shape shape(getShape(input)), result = shape;
  int64_t extent = attrs.group ? attrs.group : shape[dim];
  if (attrs.group) {
    result[dim] = shape[dim] /= extent;
    shape.insert(shape.begin() + ++dim, extent);
    input = reshape(input, shape);
  } else if (attrs.keep) {
    result[dim] = 1;
  } else {
    result.erase(result.begin() + dim);
  }
  shape.erase(shape.begin() + dim);

  Value initial = isMax ? fillLowest(shape, getElementType(input))
                        : fill(shape, sumType, 0.0);
  auto emitBody = [&](OpBuilder &inner, Location where, ValueRange arguments) {
    MathSystem s(inner, where, sumType);
    Value x = s.cast(arguments[0], sumType);
    Value sum = isMax ? s.max(arguments[1], x) : s.add(arguments[1], x);
    linalg::YieldOp::create(inner, where, sum);
  };
  Value total = linalg::ReduceOp::create(builder, loc, input, initial,
                                         ArrayRef<int64_t>(dim), emitBody)
                    .getResult(0);
  if (attrs.reduceKind == ReduceKind::Mean)
    total = map(total, RankedTensorType::get(shape, elementType), computeType,
                [&](MathSystem &s, ArrayRef<Value> x) {
                  return s.div(x[0], s.constant(static_cast<double>(extent)));
                });
  return reshape(cast(total, elementType), result);
}

Value OperatorEmitter::roundToTF32(Value input) {
  return map(input, mlir::cast<RankedTensorType>(input.getType()),
             builder.getF32Type(), [](MathSystem &s, ArrayRef<Value> x) {
               return s.roundToTF32(x[0]);
             });
}

/// Returns target + lhs x rhs.
Value OperatorEmitter::product(const OpAttributes &attrs, Value lhs, Value rhs,
                               Value target) {
  auto type = mlir::cast<RankedTensorType>(target.getType());
  unsigned rank = type.getRank(), m = rank - 2, n = rank - 1, k = rank;
  MLIRContext *context = builder.getContext();
  // A batch dimension of size one that stands for more is no dimension.
  bool isBroadcast = false;
  auto prepare = [&](Value &operand, bool transposed, unsigned row,
                     unsigned column) {
    Shape shape(getShape(operand));
    auto isDropped = [&](size_t dim) {
      return dim < m && shape[dim] != type.getDimSize(dim);
    };
    SmallVector<AffineExpr> exprs;
    for (size_t dim = 0; dim < m; ++dim)
      if (!isDropped(dim))
        exprs.push_back(getAffineDimExpr(dim, context));
    isBroadcast |= exprs.size() < m;
    exprs.push_back(getAffineDimExpr(transposed ? column : row, context));
    exprs.push_back(getAffineDimExpr(transposed ? row : column, context));
    operand = dropDims(operand, isDropped);
    return AffineMap::get(rank + 1, 0, exprs, context);
  };
  AffineMap lhsMap = prepare(lhs, attrs.transposeLhs, m, k);
  AffineMap rhsMap = prepare(rhs, attrs.transposeRhs, k, n);
  AffineMap resultMap =
      AffineMap::getMinorIdentityMap(rank + 1, rank + 1, context)
          .getMajorSubMap(rank);
  ArrayAttr maps = builder.getAffineMapArrayAttr({lhsMap, rhsMap, resultMap});

  SmallVector<Value, 2> inputs = {lhs, rhs};
  if (rank > 3 || isBroadcast)
    return linalg::ContractOp::create(builder, loc, type, inputs, target, maps)
        ->getResult(0);
  SmallVector<NamedAttribute, 1> attributes;
  if (attrs.transposeLhs || attrs.transposeRhs)
    attributes.push_back(builder.getNamedAttr("indexing_maps", maps));
  if (rank == 3)
    return linalg::BatchMatmulOp::create(builder, loc, type, inputs, target,
                                         attributes)
        .getResult(0);
  return linalg::MatmulOp::create(builder, loc, type, inputs, target,
                                  attributes)
      .getResult(0);
}

/// Emits matmul, or the two products of concat_matmul in one accumulation.
Value OperatorEmitter::matmul(const OpAttributes &attrs,
                              ArrayRef<Value> operands, Type elementType) {
  bool isSingle = operands.size() == 2;
  Value lhs = operands[0], rhs = operands[isSingle ? 1 : 2];
  Shape shape(getShape(lhs));
  for (size_t dim = 0; dim + 2 < shape.size(); ++dim)
    if (shape[dim] == 1)
      shape[dim] = getShape(rhs)[dim];
  size_t rank = shape.size();
  shape[rank - 2] = getShape(lhs)[getKeptDim(attrs, ProductOperand::Lhs, rank)];
  shape[rank - 1] = getShape(rhs)[getKeptDim(attrs, ProductOperand::Rhs, rank)];
  Type computeType = getComputeType({getElementType(lhs), elementType});
  Value result = fill(shape, computeType, 0.0);
  if (attrs.tf32) {
    lhs = roundToTF32(lhs);
    rhs = roundToTF32(rhs);
  }
  result = product(attrs, lhs, rhs, result);
  if (!isSingle)
    result = product(attrs, operands[1], operands[3], result);
  return cast(result, elementType);
}
