//===- ImageOrder.cpp - Images with channels innermost --------------------===//
//
// Implements what is computed in the other order; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "ImageOrder.h"
#include "Mirage/Semantics/Windows.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mirage;

Value ImageOrder::create(OpKind kind, const OpAttributes &attributes,
                         ValueRange operands, Type element) {
  return createComputeOp(builder, loc, Level::Kernel, kind, attributes,
                         operands, element)
      ->getResult(0);
}

Value ImageOrder::transpose(Value value, ArrayRef<int64_t> permutation) {
  OpAttributes attributes;
  attributes.permutation.assign(permutation.begin(), permutation.end());
  return create(OpKind::Transpose, attributes, value,
                getElementTypeOrSelf(value.getType()));
}

Value ImageOrder::reshape(Value value, ArrayRef<int64_t> shape) {
  if (getShapeOf(value) == shape)
    return value;
  OpAttributes attributes;
  attributes.resultShape.assign(shape.begin(), shape.end());
  return create(OpKind::Reshape, attributes, value,
                getElementTypeOrSelf(value.getType()));
}

Value ImageOrder::pad(Value value, ArrayRef<int64_t> before,
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

Value ImageOrder::slice(Value value, ArrayRef<int64_t> offsets,
                        ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
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

/// Returns rows of channels [n, h w, c] if the value is an image [n, c, h, w]
/// that a transpose and a reshape make of them.
static Value getRows(Value value) {
  auto image = value.getDefiningOp<kernel::ReshapeOp>();
  auto columns = image
                     ? image->getOperand(0).getDefiningOp<kernel::TransposeOp>()
                     : kernel::TransposeOp();
  constexpr int64_t order[] = {0, 2, 1};
  if (!columns ||
      ArrayRef<int64_t>(
          cast<ComputeOpInterface>(*columns).getOpAttributes().permutation) !=
          ArrayRef(order))
    return {};
  ArrayRef<int64_t> shape = getShapeOf(value), flat = getShapeOf(columns);
  if (shape.size() != 4 || shape[0] != flat[0] || shape[1] != flat[1])
    return {};
  return columns->getOperand(0);
}

Value ImageOrder::getChannelsLast(Value value) {
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
  if (Value rows = getRows(value)) {
    ArrayRef<int64_t> shape = getShapeOf(value);
    return channelsLast[value] =
               reshape(rows, {shape[0], shape[2], shape[3], shape[1]});
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

void ImageOrder::replace(Operation *op, Value moved) {
  Value result = transpose(moved, toFirst);
  channelsLast[result] = moved;
  op->getResult(0).replaceAllUsesWith(result);
  op->erase();
}

/// Returns true if an operator on [n, c, h, w] can be computed on [n, h, w, c],
/// and is computed so already in part.
bool ImageOrder::isElementwise(Operation *op) {
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

void ImageOrder::moveChannels(ComputeOpInterface op) {
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getChannelsLast(operand));
  replace(op, create(op.getOpKind(), op.getOpAttributes(), operands,
                     getElementTypeOrSelf(op->getResult(0).getType())));
}

/// Computes an elementwise operator on images of one shape that are computed
/// with channels last, and gives its result the other shape that the images
/// were given before it. Importers move reshapes before such operators.
void ImageOrder::moveBeforeReshape(Operation *op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute || op->getNumResults() != 1 || op->getNumOperands() == 0 ||
      getOpInfo(compute.getOpKind()).opClass != OpClass::Elementwise)
    return;
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    auto reshape = operand.getDefiningOp<kernel::ReshapeOp>();
    auto known = reshape ? channelsLast.find(reshape->getOperand(0))
                         : channelsLast.end();
    if (known == channelsLast.end() ||
        getShapeOf(operand) != getShapeOf(op->getResult(0)) ||
        (!operands.empty() &&
         getShapeOf(known->second) != getShapeOf(operands.front())))
      return;
    operands.push_back(known->second);
  }
  Value moved = create(compute.getOpKind(), compute.getOpAttributes(), operands,
                       getElementTypeOrSelf(op->getResult(0).getType()));
  Value image = transpose(moved, toFirst);
  channelsLast[image] = moved;
  op->getResult(0).replaceAllUsesWith(
      reshape(image, getShapeOf(op->getResult(0))));
  op->erase();
}

/// Returns true if an operator cuts images [n, c, h, w], pads them, puts them
/// together, and one of them is computed as [n, h, w, c].
bool ImageOrder::isPartOfImages(Operation *op) {
  if (!isa<kernel::SliceOp, kernel::PadOp, kernel::ConcatOp>(op))
    return false;
  constexpr size_t rank = 4;
  return getShapeOf(op->getResult(0)).size() == rank &&
         llvm::any_of(op->getOperands(), [&](Value operand) {
           return channelsLast.contains(operand);
         });
}

void ImageOrder::moveParts(ComputeOpInterface op) {
  OpAttributes attributes = op.getOpAttributes();
  for (auto *numbers :
       {&attributes.offsets, &attributes.sizes, &attributes.strides}) {
    if (numbers->empty())
      continue;
    llvm::SmallVector<int64_t, 4> moved;
    for (int64_t dim : toLast)
      moved.push_back((*numbers)[dim]);
    *numbers = moved;
  }
  if (op.getOpKind() == OpKind::Concat)
    attributes.dim = llvm::find(toLast, attributes.dim) - std::begin(toLast);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands())
    operands.push_back(getChannelsLast(operand));
  replace(op, create(op.getOpKind(), attributes, operands,
                     getElementTypeOrSelf(op->getResult(0).getType())));
}

/// Computes the norm of each image's channels, as Composite.h defines it.
void ImageOrder::moveNorm(kernel::InstanceNormOp op) {
  auto known = channelsLast.find(op->getOperand(0));
  if (known == channelsLast.end())
    return;
  OpAttributes norm = cast<ComputeOpInterface>(*op).getOpAttributes(), epsilon;
  Type element = getElementTypeOrSelf(op.getResult().getType()),
       type = element.isF64() ? element : builder.getF32Type();
  auto widen = [&](Value value) {
    OpAttributes cast;
    return getElementTypeOrSelf(value.getType()) == type
               ? value
               : create(OpKind::Cast, cast, value, type);
  };
  // Means of rows have launches with many blocks, also where an image's pixels
  // are too many for one.
  auto average = [&](Value value) {
    OpAttributes mean;
    mean.reduceKind = ReduceKind::Mean;
    mean.keep = true;
    for (int64_t dim : {2, 1}) {
      mean.dim = dim;
      value = create(OpKind::Reduce, mean, value, type);
    }
    return value;
  };
  int64_t channels = getShapeOf(known->second)[3];
  Value x = widen(known->second);
  x = create(OpKind::Sub, {}, {x, average(x)}, type);
  Value power = average(create(OpKind::Square, {}, x, type));
  epsilon.resultShape.assign(4, 1);
  epsilon.values = std::make_shared<const std::vector<double>>(1, norm.scalar);
  Value sum = create(
      OpKind::Add, {},
      {power, create(OpKind::Constant, epsilon, ValueRange(), type)}, type);
  x = create(OpKind::Mul, {}, {x, create(OpKind::Rsqrt, {}, sum, type)}, type);
  auto apply = [&](OpKind kind, Value value) {
    x = create(kind, {}, {x, reshape(widen(value), {1, 1, 1, channels})}, type);
  };
  unsigned next = 1;
  if (norm.hasWeight)
    apply(OpKind::Mul, op->getOperand(next++));
  if (norm.hasBias)
    apply(OpKind::Add, op->getOperand(next));
  if (element != type)
    x = create(OpKind::Cast, {}, x, element);
  replace(op, x);
}

/// Repeats each pixel of an image [n, c, h, w], which a reshape, a broadcast
/// and another reshape do, in an image [n, h, w, c].
void ImageOrder::moveRepeated(kernel::ReshapeOp op) {
  auto broadcast = op->getOperand(0).getDefiningOp<kernel::BroadcastOp>();
  auto apart = broadcast
                   ? broadcast->getOperand(0).getDefiningOp<kernel::ReshapeOp>()
                   : kernel::ReshapeOp();
  auto known =
      apart ? channelsLast.find(apart->getOperand(0)) : channelsLast.end();
  if (known == channelsLast.end())
    return;
  Shape from(getShapeOf(known->second)), to(getShapeOf(broadcast));
  int64_t images = from[0], rows = from[1], columns = from[2],
          channels = from[3];
  if (Shape(getShapeOf(apart)) !=
          Shape({images, channels, rows, 1, columns, 1}) ||
      to.size() != 6 ||
      Shape(getShapeOf(op)) !=
          Shape({images, channels, rows * to[3], columns * to[5]}))
    return;
  OpAttributes repeat;
  repeat.resultShape = {images, rows, to[3], columns, to[5], channels};
  Value wide =
      create(OpKind::Broadcast, repeat,
             reshape(known->second, {images, rows, 1, columns, 1, channels}),
             getElementTypeOrSelf(op.getResult().getType()));
  replace(op, reshape(wide, {images, rows * to[3], columns * to[5], channels}));
}

/// Replaces rows of channels, made of an image [n, c, h, w] by a reshape to
/// [n, c, h w] and a transpose, by the image as [n, h, w, c], which has them.
void ImageOrder::moveFlattened(kernel::TransposeOp op) {
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

/// Leaves out a transpose to [n, h, w, c] of an image that is computed so, and
/// remembers what a transpose to [n, c, h, w] is made of.
void ImageOrder::moveTransposed(kernel::TransposeOp op) {
  OpAttributes attributes = cast<ComputeOpInterface>(*op).getOpAttributes();
  ArrayRef<int64_t> permutation = attributes.permutation;
  Value image = op->getOperand(0);
  if (permutation == ArrayRef(toFirst)) {
    channelsLast.try_emplace(op.getResult(), image);
  } else if (permutation == ArrayRef(toLast) &&
             (channelsLast.contains(image) || getRows(image))) {
    op.getResult().replaceAllUsesWith(getChannelsLast(image));
    op->erase();
  }
}

void ImageOrder::move(Operation *op) {
  if (isElementwise(op))
    moveChannels(cast<ComputeOpInterface>(op));
  else if (isPartOfImages(op))
    moveParts(cast<ComputeOpInterface>(op));
  else if (auto norm = dyn_cast<kernel::InstanceNormOp>(op))
    moveNorm(norm);
  else if (auto reshape = dyn_cast<kernel::ReshapeOp>(op))
    moveRepeated(reshape);
  else if (auto transpose = dyn_cast<kernel::TransposeOp>(op))
    getShapeOf(transpose.getResult()).size() == std::size(toLast)
        ? moveTransposed(transpose)
        : moveFlattened(transpose);
  else
    moveBeforeReshape(op);
}
