//===- OperatorEmitter.cpp - Operators as linalg on tensors ---------------===//
//
// Says which function emits which operator. Composite operators are emitted by
// the graph that defines them.
//
//===----------------------------------------------------------------------===//

#include "OperatorEmitter.h"
#include "Mirage/Semantics/Composite.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

ArrayRef<int64_t> mirage::getShape(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getShape();
}

FloatType mirage::getElementType(Value tensor) {
  return mlir::cast<FloatType>(
      mlir::cast<RankedTensorType>(tensor.getType()).getElementType());
}

Type OperatorEmitter::getComputeType(TypeRange elementTypes) {
  if (llvm::any_of(elementTypes, [](Type type) { return type.isF64(); }))
    return builder.getF64Type();
  return builder.getF32Type();
}

Value OperatorEmitter::constant(const OpAttributes &attrs, Type elementType) {
  NamedAttrList list =
      writeOpAttributes(builder.getContext(), OpKind::Constant, attrs,
                        /*numOperands=*/0, elementType);
  return arith::ConstantOp::create(builder, loc,
                                   mlir::cast<TypedAttr>(list.get("value")));
}

namespace {
/// The builder of Composite.h that emits linalg.
struct CompositeBuilder {
  OperatorEmitter &emitter;
  Type computeType;

  Value apply(OpKind kind, const OpAttributes &attrs,
              ArrayRef<Value> operands) {
    return emitter.emit(kind, attrs, operands, computeType).front();
  }
};
} // namespace

/// Inside of a composite operator nothing is rounded to a storage type.
Value OperatorEmitter::composite(OpKind kind, const OpAttributes &attrs,
                                 ArrayRef<Value> operands, Type elementType) {
  Type computeType = getComputeType(elementType);
  auto wide = llvm::map_to_vector(
      operands, [&](Value operand) { return cast(operand, computeType); });
  Value result =
      buildComposite<Value>(kind, attrs, Shape(getShape(wide[0])), wide,
                            CompositeBuilder{*this, computeType});
  return cast(result, elementType);
}

OperatorEmitter::Values OperatorEmitter::emit(OpKind kind,
                                              const OpAttributes &attrs,
                                              ArrayRef<Value> operands,
                                              Type elementType) {
  switch (kind) {
#define MIRAGE_ELEMENTWISE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return {elementwise(kind, attrs, operands, elementType)};
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return {composite(kind, attrs, operands, elementType)};
  case OpKind::Constant:
    return {constant(attrs, elementType)};
  case OpKind::Repeat:
    return {repeat(operands[0], attrs.repeats)};
  case OpKind::Broadcast:
    return {broadcast(operands[0], attrs.resultShape)};
  case OpKind::Reshape:
    return {reshape(operands[0], attrs.resultShape)};
  case OpKind::Transpose:
    return {transpose(operands[0], attrs.permutation)};
  case OpKind::Slice:
    return {slice(operands[0], attrs.offsets, attrs.sizes, attrs.strides)};
  case OpKind::Split:
    return split(operands[0], attrs);
  case OpKind::Concat:
    return {concat(operands, attrs.dim)};
  case OpKind::Pad:
    return {pad(operands[0], attrs.offsets, attrs.sizes, attrs.scalar)};
  case OpKind::Reduce:
    return {reduce(attrs, operands[0], elementType)};
  case OpKind::Matmul:
  case OpKind::ConcatMatmul:
    return {matmul(attrs, operands, elementType)};
  case OpKind::Conv2d:
    return {conv2d(attrs, operands[0], operands[1], elementType)};
  }
  llvm_unreachable("unknown operator");
}
