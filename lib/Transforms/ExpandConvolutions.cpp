//===- ExpandConvolutions.cpp - Convolutions as products ------------------===//
//
// Replaces convolutions of kernel graphs by products of what their filters
// read, with channels innermost; see Passes.td. Elementwise operators between
// them are computed in that order of dimensions, too.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
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

/// The dimensions of [n, c, h, w] in the order [n, h, w, c], and back.
static constexpr int64_t toLast[] = {0, 2, 3, 1}, toFirst[] = {0, 3, 1, 2};

/// An iteration of a product contracts channels that one element of a filter
/// meets, as many as a matrix instruction does or more.
static constexpr int64_t channelUnit = 16;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

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

  OpAttributes attributes;
  /// True for [n, c, h, w].
  bool isFirst;
  ArrayRef<int64_t> input, filter, result;
};

/// Expands the convolutions of a block.
class ConvolutionExpander {
public:
  /// Without products, only convolutions become some that need no windows.
  ConvolutionExpander(Block &block, bool makesProducts)
      : block(block), makesProducts(makesProducts),
        builder(block.getParentOp()->getContext()) {}

  void expand();

private:
  Value create(OpKind kind, const OpAttributes &attributes, ValueRange operands,
               Type element);
  Value transpose(Value value, ArrayRef<int64_t> permutation);
  Value reshape(Value value, ArrayRef<int64_t> shape);
  /// Adds zeros before and after what there is of each dimension.
  Value pad(Value value, ArrayRef<int64_t> before, ArrayRef<int64_t> after);
  Value slice(Value value, ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes,
              ArrayRef<int64_t> strides);

  /// Returns a value [n, c, h, w] as [n, h, w, c].
  Value getChannelsLast(Value value);
  /// Replaces the result of an operator by a value that has channels last.
  void replace(Operation *op, Value channelsLast);

  bool isProduct(kernel::Conv2dOp op, const Convolution &convolution);
  /// Returns what the filter reads: for each output pixel its channels of each
  /// tap.
  Value getWindows(Value input, const Convolution &convolution);
  /// Returns the filter as the right operand of a product, with `channels` of
  /// each tap, and whether its columns are its rows.
  std::pair<Value, bool>
  getWeights(Value filter, const Convolution &convolution, int64_t channels);
  Value multiplyPatches(kernel::Conv2dOp op, const Convolution &convolution);
  void moveConvolution(kernel::Conv2dOp op);
  void expand(kernel::Conv2dOp op);
  bool isElementwise(Operation *op);
  void moveChannels(ComputeOpInterface op);
  void moveFlattened(kernel::TransposeOp op);

  Block &block;
  bool makesProducts;
  OpBuilder builder;
  Location loc = builder.getUnknownLoc();
  /// Values [n, c, h, w] that were computed as [n, h, w, c].
  DenseMap<Value, Value> channelsLast;
};
} // namespace

Value ConvolutionExpander::create(OpKind kind, const OpAttributes &attributes,
                                  ValueRange operands, Type element) {
  return createComputeOp(builder, loc, Level::Kernel, kind, attributes,
                         operands, element)
      ->getResult(0);
}

Value ConvolutionExpander::transpose(Value value,
                                     ArrayRef<int64_t> permutation) {
  OpAttributes attributes;
  attributes.permutation.assign(permutation.begin(), permutation.end());
  return create(OpKind::Transpose, attributes, value,
                getElementTypeOrSelf(value.getType()));
}

Value ConvolutionExpander::reshape(Value value, ArrayRef<int64_t> shape) {
  if (getShapeOf(value) == shape)
    return value;
  OpAttributes attributes;
  attributes.resultShape.assign(shape.begin(), shape.end());
  return create(OpKind::Reshape, attributes, value,
                getElementTypeOrSelf(value.getType()));
}

Value ConvolutionExpander::pad(Value value, ArrayRef<int64_t> before,
                               ArrayRef<int64_t> after) {
  auto isZero = [](int64_t added) { return added == 0; };
  if (llvm::all_of(before, isZero) && llvm::all_of(after, isZero))
    return value;
  OpAttributes attributes;
  attributes.offsets.assign(before.begin(), before.end());
  attributes.sizes.assign(after.begin(), after.end());
  return create(OpKind::Pad, attributes, value,
                getElementTypeOrSelf(value.getType()));
}

Value ConvolutionExpander::slice(Value value, ArrayRef<int64_t> offsets,
                                 ArrayRef<int64_t> sizes,
                                 ArrayRef<int64_t> strides) {
  OpAttributes attributes;
  attributes.offsets.assign(offsets.begin(), offsets.end());
  attributes.sizes.assign(sizes.begin(), sizes.end());
  attributes.strides.assign(strides.begin(), strides.end());
  return create(OpKind::Slice, attributes, value,
                getElementTypeOrSelf(value.getType()));
}

//===----------------------------------------------------------------------===//
// Channels last
//===----------------------------------------------------------------------===//

Value ConvolutionExpander::getChannelsLast(Value value) {
  if (Value known = channelsLast.lookup(value))
    return known;
  if (auto constant = value.getDefiningOp<kernel::ConstantOp>();
      constant && constant.getValue().isSplat()) {
    Shape shape;
    for (int64_t dim : toLast)
      shape.push_back(getShapeOf(value)[dim]);
    auto type =
        RankedTensorType::get(shape, getElementTypeOrSelf(value.getType()));
    return kernel::ConstantOp::create(
        builder, loc,
        cast<DenseElementsAttr>(constant.getValue()).resizeSplat(type));
  }
  OpAttributes order;
  order.permutation.assign(std::begin(toLast), std::end(toLast));
  // A transpose that moves no element is written as a reshape, which other
  // operators can be computed with.
  Value moved;
  if (keepsOrder(OpKind::Transpose, order, Shape(getShapeOf(value)))) {
    Shape shape;
    for (int64_t dim : toLast)
      shape.push_back(getShapeOf(value)[dim]);
    moved = reshape(value, shape);
  } else {
    moved = transpose(value, toLast);
  }
  channelsLast[value] = moved;
  return moved;
}

void ConvolutionExpander::replace(Operation *op, Value moved) {
  Value result = transpose(moved, toFirst);
  channelsLast[result] = moved;
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Returns true if an operator on [n, c, h, w] can be computed on [n, h, w, c],
/// and is computed so already in part.
bool ConvolutionExpander::isElementwise(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute || op->getNumResults() != 1 ||
      getOpInfo(compute.getOpKind()).opClass != OpClass::Elementwise)
    return false;
  constexpr int64_t rank = 4;
  auto hasRank = [](Type type) {
    return cast<RankedTensorType>(type).getRank() == rank;
  };
  return llvm::all_of(op->getOperandTypes(), hasRank) &&
         hasRank(op->getResult(0).getType()) &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return channelsLast.contains(operand) &&
                  getShapeOf(operand) == getShapeOf(op->getResult(0));
         });
}

void ConvolutionExpander::moveChannels(ComputeOpInterface op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getChannelsLast(operand));
  replace(op, create(op.getOpKind(), op.getOpAttributes(), operands,
                     getElementTypeOrSelf(op->getResult(0).getType())));
}

/// Replaces rows of channels, made of an image [n, c, h, w] by a reshape to
/// [n, c, h w] and a transpose, by the image as [n, h, w, c], which has them.
void ConvolutionExpander::moveFlattened(kernel::TransposeOp op) {
  auto flat = op->getOperand(0).getDefiningOp<kernel::ReshapeOp>();
  constexpr int64_t order[] = {0, 2, 1};
  OpAttributes attributes = cast<ComputeOpInterface>(*op).getOpAttributes();
  if (!flat || ArrayRef<int64_t>(attributes.permutation) != ArrayRef(order))
    return;
  Value image = flat->getOperand(0);
  auto known = channelsLast.find(image);
  ArrayRef<int64_t> shape = getShapeOf(image), rows = getShapeOf(flat);
  if (known == channelsLast.end() || shape[0] != rows[0] || shape[1] != rows[1])
    return;
  op.getResult().replaceAllUsesWith(
      reshape(known->second, getShapeOf(op.getResult())));
  op->erase();
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Returns true if launches compute the product that a convolution is: a grid
/// has three dimensions for images, rows, columns and channels, of which a
/// block makes up to 128 columns and channels.
bool ConvolutionExpander::isProduct(kernel::Conv2dOp op,
                                    const Convolution &convolution) {
  Type element = getElementTypeOrSelf(op.getInput().getType());
  constexpr int64_t mostTaps = 256, mostOfBlock = 128;
  int64_t gridDims = (convolution.result.front() > 1) +
                     (convolution.getOutSize(0) > 1) +
                     (convolution.getOutSize(1) > mostOfBlock) +
                     (convolution.getOutChannels() > mostOfBlock);
  return convolution.attributes.convGroups == 1 && getProductStep(element) &&
         getElementTypeOrSelf(op.getFilter().getType()) == element &&
         isMatrixResult(element,
                        getElementTypeOrSelf(op.getResult().getType())) &&
         convolution.getTaps(0) * convolution.getTaps(1) <= mostTaps &&
         gridDims <= 3;
}

Value ConvolutionExpander::getWindows(Value input,
                                      const Convolution &convolution) {
  const OpAttributes &attributes = convolution.attributes;
  if (convolution.isPointwise())
    return input;
  ArrayRef<int64_t> shape = getShapeOf(input);
  int64_t channels = llvm::alignTo(shape[3], channelUnit);
  Shape before(4, 0), after(4, 0), strides(4, 1);
  after[3] = channels - shape[3];
  for (int dim = 0; dim < 2; ++dim) {
    int64_t low = attributes.convPadding[2 * dim],
            high = attributes.convPadding[2 * dim + 1],
            step = attributes.convStrides[dim];
    before[dim + 1] = low;
    after[dim + 1] = high;
    strides[dim + 1] = step;
    // Where steps do not divide the input, they divide what it is padded to,
    // which has a kernel.
    if (shape[dim + 1] % step)
      after[dim + 1] += llvm::alignTo(shape[dim + 1] + low + high, step) -
                        (shape[dim + 1] + low + high);
  }
  Value padded = pad(input, before, after);
  SmallVector<Value> windows;
  for (int64_t row = 0; row < convolution.getTaps(0); ++row)
    for (int64_t column = 0; column < convolution.getTaps(1); ++column)
      windows.push_back(slice(padded,
                              {0, row * attributes.convDilations[0],
                               column * attributes.convDilations[1], 0},
                              {shape[0], convolution.getOutSize(0),
                               convolution.getOutSize(1), channels},
                              strides));
  if (windows.size() == 1)
    return windows.front();
  OpAttributes concat;
  concat.dim = 3;
  return create(OpKind::Concat, concat, windows,
                getElementTypeOrSelf(input.getType()));
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
  if (!isProduct(op, convolution))
    return;
  auto finish = [&](Value product) {
    if (convolution.isFirst)
      return replace(op, product);
    op.getResult().replaceAllUsesWith(product);
    op->erase();
  };
  if (isOneProduct && !convolution.isPointwise())
    return finish(multiplyPatches(op, convolution));
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
    else if (isElementwise(op))
      moveChannels(cast<ComputeOpInterface>(op));
    else if (auto transpose = dyn_cast<kernel::TransposeOp>(op))
      moveFlattened(transpose);
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
