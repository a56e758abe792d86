//===- TensorOps.cpp - Layout operations of tensor ------------------------===//
//
// Converts operations of the tensor dialect, which move elements.
//
//===----------------------------------------------------------------------===//

#include "BodyReader.h"
#include "mlir/IR/Matchers.h"

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

  /// expand_shape, collapse_shape, reshape, cast: row-major order stays.
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

  /// The parts of the destination around the source, dimension by dimension
  /// from the outermost: concatenations of destination, source, destination.
  Value insert(Value source, Value destination, ArrayRef<int64_t> offsets,
               unsigned dim) {
    Shape outer = TensorBuilder::getShape(destination),
          inner = TensorBuilder::getShape(source);
    if (dim == outer.size())
      return source;
    SmallVector<int64_t> start(outer.size(), 0), ones(outer.size(), 1);
    auto part = [&](int64_t offset, int64_t size) {
      SmallVector<int64_t> sizes(outer);
      start[dim] = offset;
      sizes[dim] = size;
      return builder.slice(destination, start, sizes, ones);
    };
    int64_t begin = offsets[dim], end = begin + inner[dim];
    SmallVector<Value, 3> parts;
    if (begin > 0)
      parts.push_back(part(0, begin));
    parts.push_back(insert(source, part(begin, inner[dim]), offsets, dim + 1));
    if (end < outer[dim])
      parts.push_back(part(end, outer[dim] - end));
    OpAttributes attrs;
    attrs.dim = dim;
    return parts.size() == 1 ? parts.front()
                             : builder.apply(OpKind::Concat, attrs, parts);
  }

  LogicalResult convert(tensor::InsertSliceOp op) {
    std::optional<double> splat = importer.getSplat(op.getDest());
    if (failed(importer.checkOperand(op.getSource())) ||
        (!splat && failed(importer.checkOperand(op.getDest()))))
      return failure();
    if (!op.getOffsets().empty() || !op.getSizes().empty() ||
        !op.getStrides().empty())
      return importer.refuse("its offsets, sizes or strides are no constants");
    if (llvm::any_of(op.getStaticStrides(), [](int64_t s) { return s != 1; }))
      return importer.refuse("its strides are not one");
    ArrayRef<int64_t> offsets = op.getStaticOffsets();
    Value source =
        builder.reshape(importer.lookup(op.getSource()), op.getStaticSizes());
    if (!splat) {
      importer.map(op,
                   insert(source, importer.lookup(op.getDest()), offsets, 0));
      return success();
    }
    OpAttributes attrs;
    attrs.scalar = *splat;
    attrs.offsets.assign(offsets.begin(), offsets.end());
    for (auto [outer, offset, inner] :
         llvm::zip(getShape(op), offsets, TensorBuilder::getShape(source)))
      attrs.sizes.push_back(outer - offset - inner);
    importer.map(op, builder.apply(OpKind::Pad, attrs, source));
    return success();
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
    FloatAttr value;
    Value yielded = op.getConstantPaddingValue();
    if (!yielded || !matchPattern(yielded, m_Constant(&value)))
      return importer.refuse("its padding is no constant");
    if (!op.getLow().empty() || !op.getHigh().empty())
      return importer.refuse("its paddings are dynamic");
    OpAttributes attrs;
    attrs.scalar = toDouble(value);
    attrs.offsets.assign(op.getStaticLow().begin(), op.getStaticLow().end());
    attrs.sizes.assign(op.getStaticHigh().begin(), op.getStaticHigh().end());
    auto negative = [](int64_t n) { return n < 0; };
    if (llvm::any_of(attrs.offsets, negative) ||
        llvm::any_of(attrs.sizes, negative))
      return importer.refuse("its paddings are negative");
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
