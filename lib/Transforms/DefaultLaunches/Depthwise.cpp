//===- Depthwise.cpp - Launches of depthwise convolutions -----------------===//
//
// A block loads the rows of the image that it needs once, into shared memory,
// and each thread reads from there what the elements of the filter meet, 16
// bytes of neighbouring channels at a time.
//
//===----------------------------------------------------------------------===//

#include "Depthwise.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Interfaces/ComputeOpSupport.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mirage;

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

namespace {
/// The numbers of a depthwise convolution, by spatial dimension.
struct DepthwiseNumbers {
  explicit DepthwiseNumbers(kernel::Conv2dOp op)
      : attributes(cast<ComputeOpInterface>(*op).getOpAttributes()),
        input(getShapeOf(op.getInput())), filter(getShapeOf(op.getFilter())),
        result(getShapeOf(op.getResult())) {}

  int64_t getTaps(int dim) const { return filter[dim]; }
  int64_t getStep(int dim) const { return attributes.convStrides[dim]; }
  /// The indices of the input that so many results read, in whole steps.
  int64_t getWindow(int dim, int64_t results) const {
    return llvm::alignTo(
        (results - 1) * getStep(dim) +
            (getTaps(dim) - 1) * attributes.convDilations[dim] + 1,
        getStep(dim));
  }

  OpAttributes attributes;
  ArrayRef<int64_t> input, filter, result;
};
} // namespace

std::optional<ProductTile>
mirage::chooseDepthwiseTile(kernel::Conv2dOp op,
                            const TargetDescription &target) {
  DepthwiseNumbers numbers(op);
  Type element = getElementTypeOrSelf(op.getInput().getType());
  int64_t images = numbers.result[0], rows = numbers.result[1],
          columns = numbers.result[2], channels = numbers.result[3];
  if (numbers.attributes.convLayout != ConvLayout::NHWC ||
      numbers.attributes.convGroups != channels ||
      numbers.input[3] != channels ||
      !(element.isF16() || element.isBF16() || element.isF32()) ||
      getElementTypeOrSelf(op.getFilter().getType()) != element ||
      !(op.getResult().getType().getElementType() == element ||
        op.getResult().getType().getElementType().isF32()))
    return std::nullopt;
  int64_t bytes = element.getIntOrFloatBitWidth() / 8;
  // A thread has registers for so many results, and a block's code a place for
  // so many elements of the filter. A multiprocessor has room for two blocks.
  constexpr int64_t mostResults = 4096, mostTaps = 64, accessBytes = 16;
  if (numbers.getTaps(0) * numbers.getTaps(1) > mostTaps)
    return std::nullopt;
  std::optional<ProductTile> best;
  double leastCost = std::numeric_limits<double>::infinity();
  int64_t leastChannels = accessBytes / bytes;
  for (int64_t tileChannels = leastChannels; tileChannels <= 8 * leastChannels;
       tileChannels *= 2)
    for (int64_t tileRows = 1; tileRows < 2 * rows && tileRows <= 16;
         tileRows *= 2) {
      int64_t loaded = numbers.getWindow(0, tileRows) *
                       numbers.getWindow(1, columns) * tileChannels;
      if (channels % tileChannels ||
          tileRows * columns * tileChannels > mostResults ||
          loaded * bytes > target.sharedMemoryPerBlock / 4)
        continue;
      int64_t blocks =
          images * llvm::divideCeil(rows, tileRows) * (channels / tileChannels);
      // Blocks of a wave begin together, and accesses to less than a sector
      // bring all of it.
      constexpr int64_t sectorBytes = 32, blocksAtOnce = 4;
      double waste =
          std::max(1.0, static_cast<double>(sectorBytes) /
                            static_cast<double>(tileChannels * bytes));
      double waves = static_cast<double>(
          llvm::divideCeil(blocks, blocksAtOnce * target.multiprocessors));
      double cost = waves * static_cast<double>(loaded) * waste;
      if (cost < leastCost) {
        leastCost = cost;
        best = ProductTile{columns, tileChannels, /*depth=*/1, tileRows};
      }
    }
  return best;
}

SmallVector<Value, 2> mirage::createDepthwiseOperands(OpBuilder &builder,
                                                      kernel::Conv2dOp op,
                                                      const ProductTile &tile) {
  DepthwiseNumbers numbers(op);
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op.getInput().getType());
  auto create = [&](OpKind kind, const OpAttributes &attributes,
                    ValueRange operands) {
    return createComputeOp(builder, loc, Level::Kernel, kind, attributes,
                           operands, element)
        ->getResult(0);
  };
  int64_t numWindows = llvm::divideCeil(numbers.result[1], tile.matrices);
  int64_t rows = numbers.getWindow(0, tile.matrices),
          columns = numbers.getWindow(1, numbers.result[2]);
  int64_t rowStep = tile.matrices * numbers.getStep(0);
  ArrayRef<int64_t> padding = numbers.attributes.convPadding;
  auto getAfter = [](int64_t needed, int64_t size, int64_t before) {
    return std::max<int64_t>(0, needed - size - before);
  };
  OpAttributes pad;
  pad.offsets = {0, padding[0], padding[2], 0};
  pad.sizes = {
      0,
      getAfter((numWindows - 1) * rowStep + rows, numbers.input[1], padding[0]),
      getAfter(columns, numbers.input[2], padding[2]), 0};
  Value padded = create(OpKind::Pad, pad, op.getInput());
  SmallVector<Value> windows;
  for (int64_t window = 0; window < numWindows; ++window) {
    OpAttributes slice;
    slice.offsets = {0, window * rowStep, 0, 0};
    slice.sizes = {numbers.input[0], rows, columns, numbers.input[3]};
    slice.strides = {1, 1, 1, 1};
    windows.push_back(create(OpKind::Slice, slice, padded));
  }
  OpAttributes concat;
  concat.dim = 1;
  OpAttributes reshape;
  reshape.resultShape = {1, numbers.getTaps(0) * numbers.getTaps(1), 1,
                         numbers.input[3]};
  return {windows.size() == 1 ? windows.front()
                              : create(OpKind::Concat, concat, windows),
          create(OpKind::Reshape, reshape, op.getFilter())};
}

Value mirage::buildDepthwise(Block &body, const OperatorGroup &group,
                             const GroupAxes &axes, const GroupTiling &tiling) {
  auto op = cast<kernel::Conv2dOp>(group.product);
  DepthwiseNumbers numbers(op);
  const ProductTile &tile = group.tile;
  Location loc = op.getLoc();
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  Type element = getElementTypeOrSelf(op.getInput().getType());
  Type sum = builder.getF32Type();
  auto create = [&](OpKind kind, const OpAttributes &attributes,
                    ValueRange operands, Type type) -> Value {
    return createComputeOp(builder, loc, Level::Block, kind, attributes,
                           operands, type)
        ->getResult(0);
  };
  // Loads a block's part of an argument; these dimensions are the result's.
  auto load = [&](unsigned number, Shape shape, ArrayRef<int64_t> dims) {
    SmallVector<int64_t> imap(tiling.grid.size(), kReplica);
    for (auto [entry, axis] : llvm::zip(imap, tiling.gridAxes))
      if (axis)
        if (std::optional<int64_t> dim = axes.findDim(op.getResult(), *axis);
            dim && llvm::is_contained(dims, *dim))
          entry = *dim;
    return block::LoadOp::create(builder, loc,
                                 RankedTensorType::get(shape, element),
                                 body.getArgument(number), imap, ValueRange(),
                                 ArrayRef<int64_t>())
        .getResult();
  };
  int64_t rows = numbers.getWindow(0, tile.matrices),
          columns = numbers.getWindow(1, tile.rows);
  int64_t rowStep = numbers.getStep(0), columnStep = numbers.getStep(1);
  int64_t taps = numbers.getTaps(0) * numbers.getTaps(1);
  Value input = load(0, {1, rows, columns, tile.columns}, {0, 1, 3});
  Value filter = load(1, {1, taps, 1, tile.columns}, {3});
  auto reshape = [&](Value value, Shape shape) {
    OpAttributes attributes;
    attributes.resultShape = std::move(shape);
    return create(OpKind::Reshape, attributes, value, element);
  };
  auto slice = [&](Value value, Shape offsets, Shape sizes) {
    OpAttributes attributes;
    attributes.offsets = std::move(offsets);
    attributes.sizes = std::move(sizes);
    attributes.strides.assign(attributes.sizes.size(), 1);
    return create(OpKind::Slice, attributes, value, element);
  };
  auto widen = [&](Value value) -> Value {
    if (element == sum)
      return value;
    OpAttributes attributes;
    attributes.resultType = convertElementType(sum);
    return create(OpKind::Cast, attributes, value, sum);
  };
  // If the filter moves in steps, the places within a step are a dimension of
  // their own.
  bool hasSteps = rowStep > 1 || columnStep > 1;
  Shape part = {1, tile.matrices, tile.rows, tile.columns};
  if (hasSteps)
    input = reshape(input, {1, rows / rowStep, rowStep, columns / columnStep,
                            columnStep, tile.columns});
  Value total;
  for (int64_t row = 0; row < numbers.getTaps(0); ++row)
    for (int64_t column = 0; column < numbers.getTaps(1); ++column) {
      int64_t atRow = row * numbers.attributes.convDilations[0],
              atColumn = column * numbers.attributes.convDilations[1];
      Value met =
          hasSteps
              ? reshape(
                    slice(input,
                          {0, atRow / rowStep, atRow % rowStep,
                           atColumn / columnStep, atColumn % columnStep, 0},
                          {1, tile.matrices, 1, tile.rows, 1, tile.columns}),
                    part)
              : slice(input, {0, atRow, atColumn, 0}, part);
      Value weight = slice(filter, {0, row * numbers.getTaps(1) + column, 0, 0},
                           {1, 1, 1, tile.columns});
      Value term = create(OpKind::Mul, {}, {widen(met), widen(weight)}, sum);
      total = total ? create(OpKind::Add, {}, {total, term}, sum) : term;
    }
  Type result = getElementTypeOrSelf(op.getResult().getType());
  if (result == sum)
    return total;
  OpAttributes attributes;
  attributes.resultType = convertElementType(result);
  return create(OpKind::Cast, attributes, total, result);
}
