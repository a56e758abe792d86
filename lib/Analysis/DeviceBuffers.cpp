//===- DeviceBuffers.cpp - Where tensors lie in device memory -------------===//
//
// Plans buffers in two walks. The first one goes from the results to what they
// are made of: it places what is returned in the outputs, and parts of
// concatenations in these. The second one goes forward and places the rest.
//
//===----------------------------------------------------------------------===//

#include "DevicePlaces.h"

using namespace mlir;
using namespace mirage;

bool DeviceBuffers::isScheduled(Operation *op) const {
  return isa_and_nonnull<kernel::LaunchOp>(op) &&
         (scheduled == ScheduledLaunches::All ||
          op->hasAttr(MirageDialect::getScheduleAttrName()));
}

/// Returns true if an operator takes the beginning of each dimension.
static bool isBeginning(Operation *op) {
  auto slice = dyn_cast_or_null<ComputeOpInterface>(op);
  if (!slice || slice.getOpKind() != OpKind::Slice)
    return false;
  OpAttributes attributes = slice.getOpAttributes();
  return llvm::all_of(attributes.offsets,
                      [](int64_t offset) { return offset == 0; }) &&
         llvm::all_of(attributes.strides,
                      [](int64_t stride) { return stride == 1; });
}

DeviceBuffers::DeviceBuffers(func::FuncOp function, ScheduledLaunches scheduled,
                             bool selectsBuffers)
    : scheduled(scheduled) {
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
  findWindowOperators(body);
  if (selectsBuffers)
    placeParts(body);
  for (Operation &op : llvm::reverse(body)) {
    if (auto launch = dyn_cast<kernel::LaunchOp>(op); launch && selectsBuffers)
      placeSlices(launch);
    auto compute = dyn_cast<ComputeOpInterface>(op);
    if (!compute || windowsOf.contains(&op) || inPlace.contains(&op))
      continue;
    if (compute.getOpKind() == OpKind::Concat)
      join(compute);
    else if (compute.getOpKind() == OpKind::Slice)
      clipResult(compute);
    else if (isView(&op))
      placeOperand(compute);
    else if (compute.getOpKind() == OpKind::Transpose)
      transposeResult(compute);
  }
  for (Operation &op : body.without_terminator())
    place(op);
}

unsigned DeviceBuffers::addBuffer(RankedTensorType type) {
  buffers.push_back(type);
  return buffers.size() - 1;
}

/// Places the operand of a view of which the result has a place.
void DeviceBuffers::placeOperand(ComputeOpInterface op) {
  Value operand = op->getOperand(0);
  auto found = places.find(op->getResult(0));
  if (found == places.end() || !found->second.part.offsets.empty())
    return;
  if (found->second.order.empty())
    places.try_emplace(operand,
                       Place{found->second.buffer, {getShapeOf(operand), {}}});
}

/// Places the operands of a concatenation in its result, if launches compute
/// them for nothing else.
void DeviceBuffers::join(ComputeOpInterface concat) {
  Value result = concat->getResult(0);
  ElementType type = getElement(result);
  int64_t dim = concat.getOpAttributes().dim, begin = 0;
  SmallVector<std::pair<Value, TensorPart>> parts;
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
  if (inPlace.contains(&op) || placeWindows(op))
    return;
  if (auto compute = dyn_cast<ComputeOpInterface>(op))
    if ((isView(&op) && placeView(compute)) ||
        (compute.getOpKind() == OpKind::Slice && placeWindow(compute)) ||
        (compute.getOpKind() == OpKind::Pad && placePadded(compute)) ||
        (compute.getOpKind() == OpKind::Transpose &&
         placeTransposed(compute))) {
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
  std::optional<Place> place =
      reshapePlace(source, getShapeOf(operand), getShapeOf(result));
  if (!place)
    return false;
  places[result] = std::move(*place);
  return true;
}

/// Places the result of a slice in its operand, if launches read it where it
/// lies.
bool DeviceBuffers::placeWindow(ComputeOpInterface slice) {
  Value operand = slice->getOperand(0), result = slice->getResult(0);
  OpAttributes attributes = slice.getOpAttributes();
  Place source = getPlace(operand);
  if (!isWindow(attributes, getElement(operand)) || places.contains(result) ||
      !source.part.offsets.empty() || !source.order.empty() || source.windows ||
      !source.parts.empty())
    return false;
  source.part.offsets.assign(attributes.offsets.begin(),
                             attributes.offsets.end());
  if (!isReadByLaunches(result, source.part))
    return false;
  places[result] = std::move(source);
  return true;
}

/// Returns true if a pad adds zeros at the ends of dimensions, and launches
/// that clip what they read are all that use it.
bool DeviceBuffers::isClippedPad(ComputeOpInterface pad) const {
  OpAttributes attributes = pad.getOpAttributes();
  return attributes.scalar == 0 &&
         llvm::all_of(attributes.offsets,
                      [](int64_t offset) { return offset == 0; }) &&
         llvm::all_of(pad->getResult(0).getUsers(),
                      [&](Operation *user) { return isScheduled(user); });
}

/// Places the result of a pad where its operand lies, if launches clip what
/// they read of it.
bool DeviceBuffers::placePadded(ComputeOpInterface pad) {
  Value result = pad->getResult(0);
  const Place &source = getPlace(pad->getOperand(0));
  if (!isClippedPad(pad) || !source.part.offsets.empty() ||
      !source.parts.empty() || places.contains(result))
    return false;
  places[result] = Place(source);
  return true;
}

/// Places what a launch computes where a slice of its beginning lies, if
/// nothing else uses it: the launch stores no more.
void DeviceBuffers::clipResult(ComputeOpInterface slice) {
  Value operand = slice->getOperand(0), result = slice->getResult(0);
  if (!isScheduled(operand.getDefiningOp()) || !operand.hasOneUse() ||
      places.contains(operand) || !isBeginning(slice))
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
    if (isa<kernel::LaunchOp>(user) || isInParts(user))
      return true;
    if (!isView(user) || places.contains(user->getResult(0)))
      return false;
    Value view = user->getResult(0);
    std::optional<TensorPart> reshaped =
        reshapePart(part, getShapeOf(tensor), getShapeOf(view));
    return reshaped && isReadByLaunches(view, *reshaped);
  });
}

/// Returns true if rows of a tensor are whole accesses.
static bool hasWholeRows(Value tensor) {
  constexpr int64_t accessBytes = 16;
  RankedTensorType type = getTensorType(tensor);
  return type.getRank() >= 2 &&
         type.getShape().back() * byteSize(getElement(tensor)) % accessBytes ==
             0;
}

/// Returns true if accesses to rows of a tensor stay as wide as they are when
/// its dimensions are transposed: rows stay, and are whole accesses.
static bool keepsRows(ComputeOpInterface transpose) {
  Value result = transpose->getResult(0);
  return hasWholeRows(result) &&
         transpose.getOpAttributes().permutation.back() ==
             getTensorType(result).getRank() - 1;
}

/// Returns true if launches with a schedule are all that read a tensor in such
/// a place, also under another shape or with zeros at its ends.
bool DeviceBuffers::isReadBySchedules(Value tensor, const Place &place) const {
  auto isRead = [&](Operation *user) {
    auto compute = dyn_cast<ComputeOpInterface>(user);
    if (!compute)
      return isScheduled(user);
    Value result = user->getResult(0);
    if (compute.getOpKind() == OpKind::Pad)
      return isClippedPad(compute);
    if (!isView(user) || !hasWholeRows(result))
      return false;
    std::optional<DeviceBuffers::Place> view =
        reshapePlace(place, getShapeOf(tensor), getShapeOf(result));
    return view && isReadBySchedules(result, *view);
  };
  return !tensor.use_empty() && llvm::all_of(tensor.getUsers(), isRead);
}

/// Returns true if concatenations whose parts launches read where they lie are
/// all that a tensor is for, also under another shape.
bool DeviceBuffers::isReadInParts(Value tensor) const {
  return !tensor.use_empty() &&
         llvm::all_of(tensor.getUsers(), [&](Operation *user) {
           return isInParts(user) ||
                  (isView(user) && !places.contains(user->getResult(0)) &&
                   isReadInParts(user->getResult(0)));
         });
}

/// Places the result of a transpose where its operand lies, if launches read it
/// there.
bool DeviceBuffers::placeTransposed(ComputeOpInterface transpose) {
  Value operand = transpose->getOperand(0), result = transpose->getResult(0);
  std::optional<Place> place =
      transposePlace(getPlace(operand), getShapeOf(operand), getShapeOf(result),
                     transpose.getOpAttributes());
  if (!place || places.contains(result))
    return false;
  bool isRead = keepsRows(transpose) && isReadBySchedules(result, *place);
  if (!isRead && !isReadInParts(result))
    return false;
  places[result] = *std::move(place);
  return true;
}

/// Places what a launch computes where its transpose lies, if nothing else uses
/// it.
void DeviceBuffers::transposeResult(ComputeOpInterface transpose) {
  Value operand = transpose->getOperand(0), result = transpose->getResult(0);
  if (!keepsRows(transpose))
    return;
  auto found = places.find(result);
  if (found != places.end() &&
      (!found->second.part.offsets.empty() || !found->second.order.empty()))
    return;
  // The launch may compute more, of which the beginning is taken, and without
  // dimensions of size one.
  Value computed = operand;
  while (computed.hasOneUse() && !places.contains(computed) &&
         computed.getDefiningOp() &&
         (isView(computed.getDefiningOp()) ||
          isBeginning(computed.getDefiningOp())))
    computed = computed.getDefiningOp()->getOperand(0);
  if (!isScheduled(computed.getDefiningOp()) || !computed.hasOneUse() ||
      places.contains(computed))
    return;
  OpAttributes attributes = transpose.getOpAttributes();
  Place place{0, {getShapeOf(operand), {}}};
  // Dimension i of the result, in the order of memory, is this one.
  place.order.assign(attributes.permutation.begin(),
                     attributes.permutation.end());
  SmallVector<std::pair<Value, Place>, 2> placed{{operand, place}};
  for (Value value = operand; value != computed;) {
    Operation *op = value.getDefiningOp();
    Value source = op->getOperand(0);
    std::optional<Place> next = place;
    if (isView(op))
      next = reshapePlace(place, getShapeOf(value), getShapeOf(source));
    if (!next)
      return;
    place = *next;
    placed.emplace_back(source, place);
    value = source;
  }
  unsigned buffer = found == places.end() ? addBuffer(getTensorType(result))
                                          : found->second.buffer;
  if (found == places.end())
    places[result] = {buffer, {getShapeOf(result), {}}};
  for (auto &[value, where] : placed) {
    where.buffer = buffer;
    places[value] = where;
    if (value != computed)
      inPlace.insert(value.getDefiningOp());
  }
  inPlace.insert(transpose);
}
