//===- Convolutions.cpp - Convolutions of linalg to conv2d ----------------===//
//
// Converts sums of products whose input is read at output index times stride
// plus filter index times dilation: such a sum is a convolution, named or
// generic, in any layout. Loops are classified by the maps that they occur in.
// A linalg operation with such a map comes in, conv2d in the nearer of its two
// layouts goes out.
//
//===----------------------------------------------------------------------===//

#include "BodyReader.h"
#include "WindowLoops.h"

using namespace mlir;
using namespace mirage;

namespace {
struct Convolution : WindowLoops {
  using WindowLoops::WindowLoops;

  /// Returns true if the body has only products, sums and conversions of types.
  bool hasProductBody() {
    for (Operation &inner : op.getBlock()->without_terminator())
      if (!isa<arith::MulFOp, arith::AddFOp, arith::ExtFOp, arith::TruncFOp>(
              inner))
        return false;
    return linalg::detail::isContractionBody(
        *op.getBlock(), [](Operation *product, Operation *sum) {
          return isa<arith::MulFOp>(product) && isa<arith::AddFOp>(sum);
        });
  }

  int64_t product(ArrayRef<unsigned> labels) const {
    int64_t size = 1;
    for (unsigned dim : labels)
      size *= ranges[dim];
    return size;
  }
  static Labels join(ArrayRef<unsigned> a, ArrayRef<unsigned> b) {
    Labels all(a);
    all.append(b.begin(), b.end());
    return all;
  }
  /// Returns the labels of a tensor: the outer ones, then channels and image in
  /// the layout.
  Labels order(ArrayRef<unsigned> first, ArrayRef<unsigned> channels,
               ArrayRef<unsigned> image) const {
    return channelsFirst ? join(join(first, channels), image)
                         : join(join(first, image), channels);
  }
  /// Returns the four sizes of a tensor of the operator.
  Shape shape(int64_t first, int64_t channels, ArrayRef<int64_t> image) const {
    Shape sizes{first};
    if (channelsFirst)
      sizes.push_back(channels);
    if (image.size() == 1)
      sizes.push_back(1);
    sizes.append(image.begin(), image.end());
    if (!channelsFirst)
      sizes.push_back(channels);
    return sizes;
  }

  Value emit(Importer &importer, TensorBuilder &builder);
};
} // namespace

Value Convolution::emit(Importer &importer, TensorBuilder &builder) {
  Labels image, taps;
  OpAttributes attrs;
  attrs.convPadding.assign(4, 0);
  attrs.convGroups = product(groups);
  attrs.convLayout = channelsFirst ? ConvLayout::NCHW : ConvLayout::NHWC;
  SmallVector<int64_t> tapSizes;
  for (const Spatial &s : spatial) {
    image.push_back(s.output);
    taps.push_back(s.tap);
    tapSizes.push_back(ranges[s.tap]);
    attrs.convStrides.push_back(s.stride);
    attrs.convDilations.push_back(s.dilation);
  }
  if (spatial.size() == 1) {
    attrs.convStrides.insert(attrs.convStrides.begin(), 1);
    attrs.convDilations.insert(attrs.convDilations.begin(), 1);
  }

  // Only that part of the input is taken which the filter reads.
  Value in = importer.lookup(op->getOperand(0));
  Shape sizes = TensorBuilder::getShape(in);
  SmallVector<int64_t> inputSizes;
  for (auto [label, size] : llvm::zip(input, sizes))
    for (const Spatial &s : spatial)
      if (s.output == label) {
        int64_t read = getReadSize(s);
        // Fewer elements than a stride beyond the end make no further output.
        if (size - read >= s.stride)
          size = read;
        inputSizes.push_back(size);
      }
  SmallVector<int64_t> zeros(sizes.size(), 0), ones(sizes.size(), 1);
  in = builder.slice(in, zeros, sizes, ones);

  // `image` and `inputSizes` are in the input's order of dimensions.
  Labels inChannels = join(groups, inputChannels),
         outChannels = join(groups, outputChannels);
  in = builder.arrange(in, input, order(batch, inChannels, image));
  in = builder.reshape(in,
                       shape(product(batch), product(inChannels), inputSizes));
  Value kernel = importer.lookup(op->getOperand(1));
  // The filter is [out, in / groups, taps] for nchw, [taps, in / groups, out]
  // for nhwc.
  Labels filterOrder = channelsFirst
                           ? join(join(outChannels, inputChannels), taps)
                           : join(join(taps, inputChannels), outChannels);
  kernel = builder.arrange(kernel, filter, filterOrder);
  if (tapSizes.size() == 1)
    tapSizes.insert(tapSizes.begin(), 1);
  int64_t o = product(outChannels), c = product(inputChannels);
  kernel = builder.reshape(kernel, channelsFirst
                                       ? Shape{o, c, tapSizes[0], tapSizes[1]}
                                       : Shape{tapSizes[0], tapSizes[1], c, o});

  Type operandType = getElementTypeOrSelf(in.getType()),
       elementType = getElementTypeOrSelf(op->getResult(0).getType());
  bool widens =
      elementType == operandType ||
      elementType.getIntOrFloatBitWidth() > operandType.getIntOrFloatBitWidth();
  Value result = builder.apply(OpKind::Conv2d, attrs, {in, kernel},
                               widens ? elementType : operandType);
  result = builder.cast(result, elementType);
  Labels resultOrder = order(batch, outChannels, image);
  Shape resultShape;
  for (unsigned dim : resultOrder)
    resultShape.push_back(ranges[dim]);
  return builder.arrange(builder.reshape(result, resultShape), resultOrder,
                         output);
}

LogicalResult mirage::convertConvolution(Importer &importer,
                                         linalg::LinalgOp op) {
  Convolution convolution(op);
  Value init = op.getDpsInits()[0];
  if (!convolution.match() || !convolution.hasProductBody())
    return importer.refuse("its body does not accumulate products of floats");
  for (Value operand : op->getOperands())
    if (failed(importer.checkOperand(operand)))
      return failure();
  if (init.getDefiningOp<tensor::EmptyOp>())
    return importer.refuse("it accumulates into a tensor.empty");
  FloatType type = importer.getFloatType(op->getOperand(0));
  if (type != importer.getFloatType(op->getOperand(1)))
    return importer.refuse("input and filter have different element types");
  if (type.getWidth() == 8)
    return importer.refuse("it computes with " + toText(type) +
                           ", which is for storage");
  OpBuilder opBuilder(op);
  TensorBuilder builder(opBuilder, op.getLoc());
  Value value = convolution.emit(importer, builder);
  std::optional<double> splat = importer.getSplat(init);
  if (!splat || *splat != 0.0)
    value = builder.apply(OpKind::Add, {}, {value, importer.lookup(init)});
  importer.map(op->getResult(0), value);
  return success();
}
