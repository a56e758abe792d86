//===- TensorOps.cpp - Layout operations of tensor ------------------------===//
//
// Converts operations of the tensor dialect, which move elements.
//
//===----------------------------------------------------------------------===//

#include "BodyReader.h"

using namespace mlir;
using namespace mirage;

namespace {
/// Converts one operation of the tensor dialect.
struct TensorOpConverter {
  Importer &importer;
  OpBuilder opBuilder;
  TensorBuilder builder;

  TensorOpConverter(Importer &importer, Operation *op)
      : importer(importer), opBuilder(op), builder(opBuilder, op->getLoc()) {}

  static Shape getShape(Value value) {
    return Shape(cast<ShapedType>(value.getType()).getShape());
  }

  /// Converts expand_shape, collapse_shape, reshape and cast, which keep the
  /// row-major order.
  LogicalResult convertReshape(Operation *op) {
    Value source = op->getOperand(0), result = op->getResult(0);
    if (failed(importer.checkOperand(source)))
      return failure();
    importer.map(result,
                 builder.reshape(importer.lookup(source), getShape(result)));
    return success();
  }

  LogicalResult convert(tensor::ExtractSliceOp op) {
    if (failed(importer.checkOperand(op.getSource())))
      return failure();
    if (!op.getOffsets().empty() || !op.getSizes().empty() ||
        !op.getStrides().empty())
      return importer.refuse("its offsets, sizes or strides are no constants");
    if (llvm::any_of(op.getStaticStrides(), [](int64_t s) { return s < 1; }))
      return importer.refuse("its strides are not positive");
    Value value =
        builder.slice(importer.lookup(op.getSource()), op.getStaticOffsets(),
                      op.getStaticSizes(), op.getStaticStrides());
    importer.map(op, builder.reshape(value, getShape(op)));
    return success();
  }

  LogicalResult convert(tensor::InsertSliceOp op) {
    return convertInsertSlice(importer, op);
  }

  LogicalResult convert(tensor::ConcatOp op) {
    SmallVector<Value> parts;
    for (Value input : op.getInputs())
      if (failed(importer.checkOperand(input)))
        return failure();
    for (Value input : op.getInputs())
      parts.push_back(importer.lookup(input));
    OpAttributes attrs;
    attrs.dim = op.getDim();
    importer.map(op, builder.apply(OpKind::Concat, attrs, parts));
    return success();
  }

  LogicalResult convert(tensor::PadOp op) {
    if (failed(importer.checkOperand(op.getSource())))
      return failure();
    Value yielded = op.getConstantPaddingValue();
    std::optional<double> number =
        yielded ? importer.getNumber(yielded) : std::nullopt;
    if (!number)
      return importer.refuse("its padding is no constant");
    auto low = getConstantIntValues(op.getMixedLowPad());
    auto high = getConstantIntValues(op.getMixedHighPad());
    if (!low || !high)
      return importer.refuse("its paddings are dynamic");
    OpAttributes attrs;
    attrs.scalar = *number;
    attrs.offsets.assign(low->begin(), low->end());
    attrs.sizes.assign(high->begin(), high->end());
    auto negative = [](int64_t n) { return n < 0; };
    if (llvm::any_of(attrs.offsets, negative) ||
        llvm::any_of(attrs.sizes, negative))
      return importer.refuse("its paddings are negative");
    // The verifier compares only paddings that are attributes.
    for (auto [source, lower, upper, size] :
         llvm::zip(op.getSourceType().getShape(), *low, *high,
                   op.getType().getShape()))
      if (upper > size || lower > size || source + lower + upper != size)
        return importer.refuse("its paddings do not give its shape");
    importer.map(
        op, builder.apply(OpKind::Pad, attrs, importer.lookup(op.getSource())));
    return success();
  }
};
} // namespace

LogicalResult mirage::convertTensorOp(Importer &importer, Operation *op) {
  if (auto why = explainUnsupported(op->getResult(0).getType(),
                                    /*orCondition=*/true))
    return importer.refuse(*why);
  TensorOpConverter converter(importer, op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp,
            tensor::CastOp>([&](auto) { return converter.convertReshape(op); })
      .Case<tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp,
            tensor::PadOp>([&](auto op) { return converter.convert(op); })
      .Case<tensor::SplatOp, tensor::FromElementsOp>(
          [&](auto) { return convertConstant(importer, op); })
      .Default([&](Operation *) {
        return importer.refuse("it has no counterpart");
      });
}
