//===- ExpandConvolutions.cpp - Convolutions as products ------------------===//
//
// Replaces convolutions of kernel graphs by products of what their filters
// read, with channels innermost; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "ImageOrder.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Semantics/Windows.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mirage {
#define GEN_PASS_DEF_EXPANDCONVOLUTIONS
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// An iteration of a product contracts channels that one element of a filter
/// meets, as many as a matrix instruction does or more.
static constexpr int64_t channelUnit = 16;
/// Sums of f32 that fill an access of 16 bytes.
static constexpr int64_t sumUnit = 4;

namespace {
/// What a convolution computes, with channels innermost.
struct Convolution {
  explicit Convolution(kernel::Conv2dOp op)
      : attributes(cast<ComputeOpInterface>(*op).getOpAttributes()),
        isFirst(attributes.convLayout == ConvLayout::NCHW),
        input(getShapeOf(op.getInput())), filter(getShapeOf(op.getFilter())),
        result(getShapeOf(op.getResult())) {}

  int64_t getTaps(int dim) const { return filter[(isFirst ? 2 : 0) + dim]; }
  int64_t getGroupChannels() const { return filter[isFirst ? 1 : 2]; }
  int64_t getOutChannels() const { return filter[isFirst ? 0 : 3]; }
  int64_t getOutSize(int dim) const { return result[(isFirst ? 2 : 1) + dim]; }
  /// Returns true if each channel has a filter of its own.
  bool isDepthwise() const {
    return attributes.convGroups > 1 && getGroupChannels() == 1 &&
           attributes.convGroups == getOutChannels();
  }
  /// Returns true if several groups of channels have filters, none of which is
  /// a single channel.
  bool isGrouped() const { return attributes.convGroups > 1 && !isDepthwise(); }
  /// Returns true if each output pixel reads the input pixel with its indices.
  bool isPointwise() const {
    auto isOne = [](int64_t number) { return number == 1; };
    return getTaps(0) == 1 && getTaps(1) == 1 &&
           llvm::all_of(attributes.convStrides, isOne) &&
           llvm::all_of(attributes.convPadding,
                        [](int64_t added) { return added == 0; });
  }

  /// Returns true if the filter reads each pixel once: parts of the image that
  /// lie side by side, as those that transformers for images begin with.
  bool isOfPatches() const {
    auto covers = [&](int dim) {
      return attributes.convStrides[dim] == getTaps(dim) &&
             getOutSize(dim) * getTaps(dim) == input[(isFirst ? 2 : 1) + dim];
    };
    return covers(0) && covers(1) && attributes.convGroups == 1 &&
           llvm::all_of(attributes.convDilations,
                        [](int64_t dilation) { return dilation == 1; }) &&
           llvm::all_of(attributes.convPadding,
                        [](int64_t added) { return added == 0; });
  }

  /// Returns how many columns of the padded input a row of results reads, where
  /// columns have no steps.
  int64_t countReadColumns() const {
    return getOutSize(1) + (getTaps(1) - 1) * attributes.convDilations[1];
  }

  OpAttributes attributes;
  /// True for [n, c, h, w].
  bool isFirst;
  ArrayRef<int64_t> input, filter, result;
};

/// Expands the convolutions of a block.
class ConvolutionExpander : ImageOrder {
public:
  /// Without products, only convolutions become some that need no windows.
  ConvolutionExpander(Block &block, bool makesProducts)
      : ImageOrder(block.getParentOp()->getContext()), block(block),
        makesProducts(makesProducts) {}

  void expand();

private:
  bool isProduct(kernel::Conv2dOp op, const Convolution &convolution,
                 bool ofGroups = false);
  /// Returns the input with zeros around it, and steps and channels that
  /// windows need.
  Value padInput(Value input, const Convolution &convolution);
  /// Puts windows of an input together, or returns the only one.
  Value joinWindows(ArrayRef<Value> windows);
  /// Returns what the filter reads: for each output pixel its channels of each
  /// tap.
  Value getWindows(Value input, const Convolution &convolution);
  /// Returns the filter as the right operand of a product, with `channels` of
  /// each tap, and whether its columns are its rows.
  std::pair<Value, bool>
  getWeights(Value filter, const Convolution &convolution, int64_t channels);
  Value multiplyPatches(kernel::Conv2dOp op, const Convolution &convolution);
  Value multiplyGroups(kernel::Conv2dOp op, const Convolution &convolution);
  Value multiplyRows(kernel::Conv2dOp op, const Convolution &convolution);
  void moveConvolution(kernel::Conv2dOp op);
  void expand(kernel::Conv2dOp op);

  Block &block;
  bool makesProducts;
};
} // namespace

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns true if launches compute the product that a convolution is: a grid
/// has three dimensions for images, rows, columns and channels, of which a
/// block makes up to 128 columns and channels.
bool ConvolutionExpander::isProduct(kernel::Conv2dOp op,
                                    const Convolution &convolution,
                                    bool ofGroups) {
  Type element = getElementTypeOrSelf(op.getInput().getType());
  constexpr int64_t mostTaps = 256, mostOfBlock = 128;
  int64_t gridDims = (convolution.result.front() > 1) +
                     (convolution.getOutSize(0) > 1) +
                     (convolution.getOutSize(1) > mostOfBlock) +
                     (convolution.getOutChannels() > mostOfBlock);
  return (convolution.attributes.convGroups == 1 || ofGroups) &&
         getProductStep(element) &&
         getElementTypeOrSelf(op.getFilter().getType()) == element &&
         isMatrixResult(element,
                        getElementTypeOrSelf(op.getResult().getType())) &&
         convolution.getTaps(0) * convolution.getTaps(1) <= mostTaps &&
         gridDims <= 3;
}

/// Returns true if products of whole rows of the filter, whose sums are stored
/// and added up, load so much less than those of each of its elements that this
/// is worth a kernel.
static bool loadsLessByRows(kernel::Conv2dOp op,
                            const Convolution &convolution) {
  // What multiprocessors load together while a kernel starts: 12 TB/s for 2.7
  // microseconds (Target.cpp).
  constexpr int64_t leastSaved = 32 << 20;
  // A block has the sums of all columns, of which each is a value to be added.
  constexpr int64_t mostSums = 64, mostColumns = 16, sumBytes = 4;
  int64_t rows = convolution.getTaps(0), columns = convolution.getTaps(1),
          sums = columns * llvm::alignTo(convolution.getOutChannels(), sumUnit);
  // No launch reads what is cut out of sums with steps in place.
  if (convolution.attributes.convGroups != 1 ||
      convolution.attributes.convStrides[1] != 1 || columns == 1 ||
      columns > mostColumns || sums > mostSums)
    return false;
  Type element = getElementTypeOrSelf(op.getInput().getType());
  int64_t ofRow = rows *
                  llvm::alignTo(convolution.getGroupChannels(), channelUnit) *
                  element.getIntOrFloatBitWidth() / 8,
          lines = convolution.result[0] * convolution.getOutSize(0);
  int64_t before = convolution.getOutSize(1) * columns * ofRow,
          after =
              convolution.countReadColumns() * (ofRow + 2 * sums * sumBytes);
  return lines * (before - after) >= leastSaved;
}

Value ConvolutionExpander::padInput(Value input,
                                    const Convolution &convolution) {
  const OpAttributes &attributes = convolution.attributes;
  ArrayRef<int64_t> shape = getShapeOf(input);
  int64_t channels = llvm::alignTo(shape[3], channelUnit);
  Shape before(4, 0), after(4, 0);
  after[3] = channels - shape[3];
  for (int dim = 0; dim < 2; ++dim) {
    int64_t low = attributes.convPadding[2 * dim],
            high = attributes.convPadding[2 * dim + 1],
            step = attributes.convStrides[dim];
    before[dim + 1] = low;
    after[dim + 1] = high;
    // A kernel pads an input that steps do not divide, or whose channels are
    // padded, to a size that steps divide.
    if (shape[dim + 1] % step || channels != shape[3])
      after[dim + 1] += llvm::alignTo(shape[dim + 1] + low + high, step) -
                        (shape[dim + 1] + low + high);
  }
  return pad(input, before, after);
}

Value ConvolutionExpander::joinWindows(ArrayRef<Value> windows) {
  if (windows.size() == 1)
    return windows.front();
  OpAttributes concat;
  concat.dim = 3;
  return create(OpKind::Concat, concat, windows,
                getElementTypeOrSelf(windows.front().getType()));
}

Value ConvolutionExpander::getWindows(Value input,
                                      const Convolution &convolution) {
  const OpAttributes &attributes = convolution.attributes;
  if (convolution.isPointwise())
    return input;
  Value padded = padInput(input, convolution);
  ArrayRef<int64_t> shape = getShapeOf(padded);
  SmallVector<Value> windows;
  for (int64_t row = 0; row < convolution.getTaps(0); ++row)
    for (int64_t column = 0; column < convolution.getTaps(1); ++column)
      windows.push_back(
          slice(padded,
                {0, row * attributes.convDilations[0],
                 column * attributes.convDilations[1], 0},
                {shape[0], convolution.getOutSize(0), convolution.getOutSize(1),
                 shape[3]},
                {1, attributes.convStrides[0], attributes.convStrides[1], 1}));
  return joinWindows(windows);
}

std::pair<Value, bool>
ConvolutionExpander::getWeights(Value filter, const Convolution &convolution,
                                int64_t channels) {
  int64_t taps = convolution.getTaps(0) * convolution.getTaps(1),
          outChannels = convolution.getOutChannels(),
          more = channels - convolution.getGroupChannels();
  if (convolution.isFirst) {
    Value moved = pad(transpose(filter, toLast), {0, 0, 0, 0}, {0, 0, 0, more});
    return {reshape(moved, {1, 1, outChannels, taps * channels}), true};
  }
  Value padded = pad(filter, {0, 0, 0, 0}, {0, 0, more, 0});
  return {reshape(padded, {1, 1, taps * channels, outChannels}), false};
}

/// Returns the product that a convolution of patches is. Their pixels are
/// brought together by a transpose, in the order that the filter has already.
Value ConvolutionExpander::multiplyPatches(kernel::Conv2dOp op,
                                           const Convolution &convolution) {
  ArrayRef<int64_t> shape = convolution.input;
  int64_t rows = convolution.getTaps(0), columns = convolution.getTaps(1),
          rowsOfPatches = convolution.getOutSize(0),
          columnsOfPatches = convolution.getOutSize(1),
          outChannels = convolution.getOutChannels(),
          size = convolution.getGroupChannels() * rows * columns;
  Value parts =
      convolution.isFirst
          ? transpose(reshape(op.getInput(), {shape[0], shape[1], rowsOfPatches,
                                              rows, columnsOfPatches, columns}),
                      {0, 2, 4, 1, 3, 5})
          : transpose(
                reshape(op.getInput(), {shape[0], rowsOfPatches, rows,
                                        columnsOfPatches, columns, shape[3]}),
                {0, 1, 3, 2, 4, 5});
  Value patches =
      reshape(parts, {shape[0], rowsOfPatches, columnsOfPatches, size});
  OpAttributes attributes;
  attributes.transposeRhs = convolution.isFirst;
  Value weights = convolution.isFirst
                      ? reshape(op.getFilter(), {1, 1, outChannels, size})
                      : reshape(op.getFilter(), {1, 1, size, outChannels});
  return create(OpKind::Matmul, attributes, {patches, weights},
                getElementTypeOrSelf(op.getResult().getType()));
}

/// Returns the products, one for each group, that a convolution of single
/// pixels is. Each reads and writes its channels of all pixels.
Value ConvolutionExpander::multiplyGroups(kernel::Conv2dOp op,
                                          const Convolution &convolution) {
  int64_t groups = convolution.attributes.convGroups,
          inChannels = convolution.getGroupChannels(),
          outChannels = convolution.getOutChannels() / groups;
  Value input =
      convolution.isFirst ? getChannelsLast(op.getInput()) : op.getInput();
  Shape shape(getShapeOf(input));
  int64_t pixels = shape[0] * shape[1] * shape[2];
  Value rows =
      transpose(reshape(input, {pixels, groups, inChannels}), {1, 0, 2});
  OpAttributes attributes;
  attributes.transposeRhs = convolution.isFirst;
  Value weights =
      convolution.isFirst
          ? reshape(op.getFilter(), {groups, outChannels, inChannels})
          : transpose(
                reshape(op.getFilter(), {inChannels, groups, outChannels}),
                {1, 0, 2});
  Value product = create(OpKind::Matmul, attributes, {rows, weights},
                         getElementTypeOrSelf(op.getResult().getType()));
  shape[3] = groups * outChannels;
  return reshape(transpose(product, {1, 0, 2}), shape);
}

/// Returns the sum of products that a convolution of few result channels is:
/// each pixel is multiplied by the filter's columns beside each other, and each
/// result adds up those of the pixels beside it. So a pixel is read once for
/// each row of the filter, and not for each of its elements.
Value ConvolutionExpander::multiplyRows(kernel::Conv2dOp op,
                                        const Convolution &convolution) {
  const OpAttributes &attributes = convolution.attributes;
  Value input = op.getInput();
  if (convolution.isFirst)
    input = getChannelsLast(input);
  Value padded = padInput(input, convolution);
  ArrayRef<int64_t> shape = getShapeOf(padded);
  int64_t rows = convolution.getTaps(0), columns = convolution.getTaps(1),
          outChannels = convolution.getOutChannels(),
          sums = llvm::alignTo(outChannels, sumUnit), channels = shape[3];
  Shape result(convolution.isFirst
                   ? Shape{convolution.result[0], convolution.result[2],
                           convolution.result[3], sums}
                   : Shape{convolution.result[0], convolution.result[1],
                           convolution.result[2], sums});
  SmallVector<Value> windows;
  for (int64_t row = 0; row < rows; ++row)
    windows.push_back(slice(padded,
                            {0, row * attributes.convDilations[0], 0, 0},
                            {shape[0], convolution.getOutSize(0),
                             convolution.countReadColumns(), channels},
                            {1, attributes.convStrides[0], 1, 1}));
  // The filter as [column, result channel, row, channel].
  Value filter = transpose(op.getFilter(), convolution.isFirst
                                               ? ArrayRef<int64_t>{3, 0, 2, 1}
                                               : ArrayRef<int64_t>{1, 3, 0, 2});
  filter = pad(
      filter, {0, 0, 0, 0},
      {0, sums - outChannels, 0, channels - convolution.getGroupChannels()});
  OpAttributes product;
  product.transposeRhs = true;
  Value products =
      create(OpKind::Matmul, product,
             {joinWindows(windows),
              reshape(filter, {1, 1, columns * sums, rows * channels})},
             builder.getF32Type());
  Value sum;
  for (int64_t column = 0; column < columns; ++column) {
    Value part = slice(
        products, {0, 0, column * attributes.convDilations[1], column * sums},
        result, {1, 1, 1, 1});
    sum =
        sum ? create(OpKind::Add, {}, {sum, part}, builder.getF32Type()) : part;
  }
  result[3] = outChannels;
  if (sums != outChannels)
    sum = slice(sum, {0, 0, 0, 0}, result, {1, 1, 1, 1});
  Type element = getElementTypeOrSelf(op.getResult().getType());
  return element.isF32() ? sum : create(OpKind::Cast, {}, sum, element);
}

/// Gives a convolution channels last.
void ConvolutionExpander::moveConvolution(kernel::Conv2dOp op) {
  OpAttributes attributes = cast<ComputeOpInterface>(*op).getOpAttributes();
  attributes.convLayout = ConvLayout::NHWC;
  // The filter [out, c, h, w] becomes [h, w, c, out].
  Value input = getChannelsLast(op.getInput()),
        filter = transpose(op.getFilter(), {2, 3, 1, 0});
  replace(op, create(OpKind::Conv2d, attributes, {input, filter},
                     getElementTypeOrSelf(op.getResult().getType())));
}

void ConvolutionExpander::expand(kernel::Conv2dOp op) {
  Convolution convolution(op);
  bool isOneProduct = convolution.isPointwise() ||
                      (convolution.isOfPatches() &&
                       convolution.getGroupChannels() % channelUnit);
  if (convolution.isDepthwise() ||
      (!makesProducts && !isOneProduct && isProduct(op, convolution))) {
    if (convolution.isFirst)
      moveConvolution(op);
    return;
  }
  bool isOfGroups = convolution.isGrouped() && convolution.isPointwise();
  if (!isProduct(op, convolution, /*groups=*/isOfGroups))
    return;
  auto finish = [&](Value product) {
    if (convolution.isFirst)
      return replace(op, product);
    op.getResult().replaceAllUsesWith(product);
    op->erase();
  };
  if (isOfGroups)
    return finish(multiplyGroups(op, convolution));
  if (isOneProduct && !convolution.isPointwise())
    return finish(multiplyPatches(op, convolution));
  if (!convolution.isPointwise() && loadsLessByRows(op, convolution))
    return finish(multiplyRows(op, convolution));
  Value input = op.getInput();
  if (convolution.isFirst)
    input = getChannelsLast(input);
  Value windows = getWindows(input, convolution);
  int64_t taps = convolution.getTaps(0) * convolution.getTaps(1);
  auto [weights, isTransposed] =
      getWeights(op.getFilter(), convolution, getShapeOf(windows)[3] / taps);
  OpAttributes attributes;
  attributes.transposeRhs = isTransposed;
  Value product = create(OpKind::Matmul, attributes, {windows, weights},
                         getElementTypeOrSelf(op.getResult().getType()));
  finish(product);
}

void ConvolutionExpander::expand() {
  SmallVector<Operation *> operations;
  for (Operation &op : block)
    operations.push_back(&op);
  for (Operation *op : operations) {
    builder.setInsertionPoint(op);
    loc = op->getLoc();
    if (auto convolution = dyn_cast<kernel::Conv2dOp>(op))
      expand(convolution);
    else
      move(op);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

namespace {
struct ExpandConvolutions
    : public mirage::impl::ExpandConvolutionsBase<ExpandConvolutions> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<Block *> blocks;
    getOperation()->walk([&](kernel::Conv2dOp op) {
      if (!llvm::is_contained(blocks, op->getBlock()))
        blocks.push_back(op->getBlock());
    });
    for (Block *block : blocks)
      ConvolutionExpander(*block, products).expand();
  }
};
} // namespace
