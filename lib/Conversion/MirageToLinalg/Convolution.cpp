//===- Convolution.cpp - conv2d as linalg ---------------------------------===//
//
// Emits convolutions: padding by tensor.pad, then the convolution that linalg
// has a name for, or a linalg.generic for groups of channels that come last.
//
//===----------------------------------------------------------------------===//

#include "OperatorEmitter.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace mirage;

/// Returns the shape with the channels of dimension `dim` as groups of
/// channels.
static Shape splitChannels(ArrayRef<int64_t> shape, int64_t dim,
                           int64_t groups) {
  Shape result(shape);
  result[dim] /= groups;
  result.insert(result.begin() + dim, groups);
  return result;
}

Value OperatorEmitter::groupedConv2d(const OpAttributes &attrs, Value input,
                                     Value filter, Value target) {
  bool nchw = attrs.convLayout == ConvLayout::NCHW;
  int64_t groups = attrs.convGroups, c = nchw ? 1 : 3;
  Shape resultShape(getShape(target));
  // A filter holds one group's input channels and all output channels.
  input = reshape(input, splitChannels(getShape(input), c, groups));
  filter =
      reshape(filter, splitChannels(getShape(filter), nchw ? 0 : 3, groups));
  target = reshape(target, splitChannels(resultShape, c, groups));
  Value result;
  if (nchw) {
    result = linalg::Conv2DNgchwGfchwOp::create(
                 builder, loc, target.getType(), ValueRange{input, filter},
                 target, builder.getI64VectorAttr(attrs.convStrides),
                 builder.getI64VectorAttr(attrs.convDilations))
                 .getResult(0);
    return reshape(result, resultShape);
  }

  AffineExpr n, h, w, g, f, kh, kw, ic;
  bindDims(builder.getContext(), n, h, w, g, f, kh, kw, ic);
  AffineExpr atH = h * attrs.convStrides[0] + kh * attrs.convDilations[0];
  AffineExpr atW = w * attrs.convStrides[1] + kw * attrs.convDilations[1];
  MLIRContext *context = builder.getContext();
  AffineMap maps[] = {AffineMap::get(8, 0, {n, atH, atW, g, ic}, context),
                      AffineMap::get(8, 0, {kh, kw, ic, g, f}, context),
                      AffineMap::get(8, 0, {n, h, w, g, f}, context)};
  SmallVector<utils::IteratorType> iterators(5, utils::IteratorType::parallel);
  iterators.append(3, utils::IteratorType::reduction);
  Type sumType = getElementType(target);
  auto emitBody = [&](OpBuilder &inner, Location where, ValueRange arguments) {
    MathSystem s(inner, where, sumType);
    Value term =
        s.mul(s.cast(arguments[0], sumType), s.cast(arguments[1], sumType));
    linalg::YieldOp::create(inner, where, s.add(arguments[2], term));
  };
  result = linalg::GenericOp::create(builder, loc, target.getType(),
                                     ValueRange{input, filter}, target, maps,
                                     iterators, emitBody)
               .getResult(0);
  return reshape(result, resultShape);
}

Value OperatorEmitter::conv2d(const OpAttributes &attrs, Value input,
                              Value filter, Type elementType) {
  bool nchw = attrs.convLayout == ConvLayout::NCHW;
  unsigned h = nchw ? 2 : 1;
  Shape low(4, 0), high(4, 0);
  for (unsigned i = 0; i < 2; ++i) {
    low[h + i] = attrs.convPadding[2 * i];
    high[h + i] = attrs.convPadding[2 * i + 1];
  }
  input = pad(input, low, high, 0.0);

  ArrayRef<int64_t> in = getShape(input), window = getShape(filter);
  Shape shape(in);
  shape[nchw ? 1 : 3] = window[nchw ? 0 : 3];
  for (unsigned i = 0; i < 2; ++i) {
    int64_t taps = window[(nchw ? 2 : 0) + i];
    int64_t reach = (taps - 1) * attrs.convDilations[i] + 1;
    shape[h + i] = (in[h + i] - reach) / attrs.convStrides[i] + 1;
  }
  Value target =
      fill(shape, getComputeType({getElementType(input), elementType}), 0.0);
  if (attrs.convGroups > 1)
    return cast(groupedConv2d(attrs, input, filter, target), elementType);

  Attribute strides = builder.getI64VectorAttr(attrs.convStrides);
  Attribute dilations = builder.getI64VectorAttr(attrs.convDilations);
  Operation *conv =
      nchw ? linalg::Conv2DNchwFchwOp::create(builder, loc, target.getType(),
                                              {input, filter}, target, strides,
                                              dilations)
                 .getOperation()
           : linalg::Conv2DNhwcHwcfOp::create(builder, loc, target.getType(),
                                              {input, filter}, target, strides,
                                              dilations)
                 .getOperation();
  return cast(conv->getResult(0), elementType);
}
