//===- DeviceBuffers.cpp - Where tensors lie in device memory -------------===//
//
// Plans buffers in two walks. The first one goes from the results to what they
// are made of: it places what is returned in the outputs, and parts of
// concatenations in these. The second one goes forward and places the rest.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Conversion/DeviceBuffers.h"

using namespace mlir;
using namespace mirage;

static RankedTensorType getTensorType(Value tensor) {
  return cast<RankedTensorType>(tensor.getType());
}

static Shape getShapeOf(Value tensor) {
  return Shape(getTensorType(tensor).getShape());
}

static ElementType getElement(Value tensor) {
  return *convertElementType(getTensorType(tensor).getElementType());
}

static bool isView(Operation *op) {
  auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
  return compute && op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         keepsOrder(compute.getOpKind(), compute.getOpAttributes(),
                    getShapeOf(op->getOperand(0)));
}

DeviceBuffers::DeviceBuffers(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments())
    places[argument] = {addBuffer(getTensorType(argument)),
                        {getShapeOf(argument), {}}};
  Block &body = function.getBody().front();
  // A value that is returned twice lies in the first output and is copied to
  // the others, like an argument.
  for (Value value : body.getTerminator()->getOperands()) {
    unsigned buffer = addBuffer(getTensorType(value));
    places.try_emplace(value, Place{buffer, {getShapeOf(value), {}}});
  }
  for (Operation &op : llvm::reverse(body)) {
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute)
      continue;
    if (compute.getOpKind() == OpKind::Concat)
      join(compute);
    else if (compute.getOpKind() == OpKind::Slice)
      clipResult(compute);
    else if (isView(&op))
      placeOperand(compute);
  }
  for (Operation &op : body.without_terminator())
    place(op);
}

unsigned DeviceBuffers::addBuffer(RankedTensorType type) {
  buffers.push_back(type);
  return buffers.size() - 1;
}

/// Places the operand of a view of which the result is returned.
void DeviceBuffers::placeOperand(ComputeOpInterface op) {
  auto result = places.find(op->getResult(0));
  if (result == places.end() || !result->second.part.offsets.empty())
    return;
  Value operand = op->getOperand(0);
  places.try_emplace(operand,
                     Place{result->second.buffer, {getShapeOf(operand), {}}});
}

/// Places the operands of a concatenation in its result, if launches compute
/// them for nothing else.
void DeviceBuffers::join(ComputeOpInterface concat) {
  Value result = concat->getResult(0);
  ElementType type = getElement(result);
  int64_t dim = concat.getOpAttributes().dim, begin = 0;
  SmallVector<std::pair<Value, TensorPart>> parts;
  // What a launch writes of one buffer has one shape.
  DenseMap<Operation *, Shape> wholes;
  for (Value operand : concat->getOperands()) {
    TensorPart part{getShapeOf(result), Shape(getShapeOf(result).size(), 0)};
    part.offsets[dim] = begin;
    begin += getTensorType(operand).getDimSize(dim);
    while (true) {
      if (!operand.hasOneUse() || places.contains(operand) ||
          !isAligned(part, type))
        return;
      parts.emplace_back(operand, part);
      if (operand.getDefiningOp<kernel::LaunchOp>())
        break;
      if (!isView(operand.getDefiningOp()))
        return;
      Value source = operand.getDefiningOp()->getOperand(0);
      std::optional<TensorPart> view =
          reshapePart(part, getShapeOf(operand), getShapeOf(source));
      if (!view)
        return;
      part = std::move(*view);
      operand = source;
    }
    auto [whole, isNew] =
        wholes.try_emplace(operand.getDefiningOp(), part.whole);
    if (!isNew && whole->second != part.whole)
      return;
  }
  auto found = places.find(result);
  unsigned buffer = found == places.end() ? addBuffer(getTensorType(result))
                                          : found->second.buffer;
  places[result] = {buffer, {getShapeOf(result), {}}};
  for (auto &[operand, part] : parts)
    places[operand] = {buffer, part};
  inPlace.insert(concat);
}

void DeviceBuffers::place(Operation &op) {
  if (inPlace.contains(&op))
    return;
  if (auto compute = dyn_cast<ComputeOpInterface>(op))
    if ((isView(&op) && placeView(compute)) ||
        (compute.getOpKind() == OpKind::Slice && placeWindow(compute)) ||
        (compute.getOpKind() == OpKind::Pad && placePadded(compute))) {
      inPlace.insert(&op);
      return;
    }
  for (Value result : op.getResults())
    if (!places.contains(result))
      places[result] = {addBuffer(getTensorType(result)),
                        {getShapeOf(result), {}}};
}

/// Places the result of a view where its operand lies. Returns false where the
/// result has a place in another buffer.
bool DeviceBuffers::placeView(ComputeOpInterface op) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  Place source = getPlace(operand);
  if (auto found = places.find(result); found != places.end())
    return found->second.buffer == source.buffer;
  std::optional<TensorPart> part =
      reshapePart(source.part, getShapeOf(operand), getShapeOf(result));
  if (!part)
    return false;
  places[result] = {source.buffer, std::move(*part)};
  return true;
}

/// Places the result of a slice in its operand, if launches read it where it
/// lies.
bool DeviceBuffers::placeWindow(ComputeOpInterface slice) {
  Value operand = slice->getOperand(0), result = slice->getResult(0);
  OpAttributes attributes = slice.getOpAttributes();
  Place source = getPlace(operand);
  if (!isWindow(attributes, getElement(operand)) || places.contains(result) ||
      !source.part.offsets.empty())
    return false;
  source.part.offsets.assign(attributes.offsets.begin(),
                             attributes.offsets.end());
  if (!isReadByLaunches(result, source.part))
    return false;
  places[result] = std::move(source);
  return true;
}

static bool isScheduled(Operation *op) {
  return isa_and_nonnull<kernel::LaunchOp>(op) &&
         op->hasAttr(MirageDialect::getScheduleAttrName());
}

/// Places the result of a pad where its operand lies, if launches clip what
/// they read of it.
bool DeviceBuffers::placePadded(ComputeOpInterface pad) {
  OpAttributes attributes = pad.getOpAttributes();
  Value result = pad->getResult(0);
  const Place &source = getPlace(pad->getOperand(0));
  auto isZero = [](int64_t number) { return number == 0; };
  if (attributes.scalar != 0 || !llvm::all_of(attributes.offsets, isZero) ||
      !source.part.offsets.empty() || places.contains(result) ||
      !llvm::all_of(result.getUsers(), isScheduled))
    return false;
  places[result] = Place(source);
  return true;
}

/// Places what a launch computes where a slice of its beginning lies, if
/// nothing else uses it: the launch stores no more.
void DeviceBuffers::clipResult(ComputeOpInterface slice) {
  OpAttributes attributes = slice.getOpAttributes();
  Value operand = slice->getOperand(0), result = slice->getResult(0);
  auto is = [](int64_t wanted) {
    return [=](int64_t number) { return number == wanted; };
  };
  if (!isScheduled(operand.getDefiningOp()) || !operand.hasOneUse() ||
      places.contains(operand) || !llvm::all_of(attributes.offsets, is(0)) ||
      !llvm::all_of(attributes.strides, is(1)))
    return;
  if (!places.contains(result)) {
    Place place{addBuffer(getTensorType(result)), {getShapeOf(result), {}}};
    places[result] = std::move(place);
  }
  Place place = getPlace(result);
  places[operand] = std::move(place);
  inPlace.insert(slice);
}

/// Returns true if nothing but launches reads a part of a buffer, also under
/// other shapes.
bool DeviceBuffers::isReadByLaunches(Value tensor,
                                     const TensorPart &part) const {
  if (!isAligned(part, getElement(tensor)))
    return false;
  return llvm::all_of(tensor.getUsers(), [&](Operation *user) {
    if (isa<kernel::LaunchOp>(user))
      return true;
    if (!isView(user) || places.contains(user->getResult(0)))
      return false;
    Value view = user->getResult(0);
    std::optional<TensorPart> reshaped =
        reshapePart(part, getShapeOf(tensor), getShapeOf(view));
    return reshaped && isReadByLaunches(view, *reshaped);
  });
}
