//===- DevicePlaces.cpp - Windows and parts in device memory --------------===//
//
// Places tensors that are made of several places: concatenations of windows of
// one tensor, concatenations of parts of arguments, and results in parts.
//
//===----------------------------------------------------------------------===//

#include "DevicePlaces.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"

using namespace mlir;
using namespace mirage;

bool mirage::isView(Operation *op) {
  auto compute = dyn_cast_or_null<ComputeOpInterface>(op);
  return compute && op->getNumOperands() == 1 && op->getNumResults() == 1 &&
         keepsOrder(compute.getOpKind(), compute.getOpAttributes(),
                    getShapeOf(op->getOperand(0)));
}

std::optional<DeviceBuffers::Place>
mirage::reshapePlace(const DeviceBuffers::Place &place, ShapeRef from,
                     ShapeRef to) {
  if (place.windows || !place.parts.empty())
    return std::nullopt;
  if (place.order.empty()) {
    std::optional<TensorPart> part = reshapePart(place.part, from, to);
    if (!part)
      return std::nullopt;
    return DeviceBuffers::Place{place.buffer, std::move(*part)};
  }
  if (!place.part.offsets.empty())
    return std::nullopt;
  Shape strides(from.size(), 1);
  int64_t next = 1;
  for (int64_t dim : llvm::reverse(place.order)) {
    strides[dim] = next;
    next *= place.part.whole[dim];
  }
  DeviceBuffers::Place result{place.buffer, {Shape(to), {}}};
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, to.size()));
  std::optional<Shape> reshaped;
  if (ShapeRef(place.part.whole) == from) {
    reshaped = reshapeStrides(from, strides, to);
  } else {
    // A buffer that ends before its tensor does can only gain and lose
    // dimensions of size one.
    auto getLong = [](ShapeRef shape) {
      return llvm::to_vector(
          llvm::make_filter_range(llvm::seq<size_t>(0, shape.size()),
                                  [=](size_t dim) { return shape[dim] > 1; }));
    };
    SmallVector<size_t> before = getLong(from), after = getLong(to);
    if (before.size() != after.size())
      return std::nullopt;
    reshaped = Shape(to.size(), 1);
    for (auto [a, b] : llvm::zip(before, after)) {
      if (from[a] != to[b])
        return std::nullopt;
      (*reshaped)[b] = strides[a];
      result.part.whole[b] = place.part.whole[a];
    }
  }
  if (!reshaped)
    return std::nullopt;
  // Dimensions of size one lie anywhere.
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::tuple(to[a] > 1, -(*reshaped)[a], a) <
           std::tuple(to[b] > 1, -(*reshaped)[b], b);
  });
  result.order.assign(order.begin(), order.end());
  return result;
}

std::optional<DeviceBuffers::Place>
mirage::transposePlace(const DeviceBuffers::Place &place, ShapeRef from,
                       ShapeRef to, const OpAttributes &transpose) {
  if (!place.isWhole(from))
    return std::nullopt;
  DeviceBuffers::Place result{place.buffer, {Shape(to), {}}};
  result.order.resize(transpose.permutation.size());
  for (auto [dim, source] : llvm::enumerate(transpose.permutation))
    result.order[source] = static_cast<int64_t>(dim);
  return result;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Returns true if launches with a schedule are all that read a concatenation
/// of windows, also with zeros at its ends, and each of their tiles lies in one
/// window.
bool DeviceBuffers::areReadInTiles(Value tensor,
                                   const TensorWindows &windows) const {
  return !tensor.use_empty() &&
         llvm::all_of(tensor.getUses(), [&](OpOperand &use) {
           Operation *user = use.getOwner();
           if (auto pad = dyn_cast<kernel::PadOp>(user)) {
             OpAttributes attributes =
                 cast<ComputeOpInterface>(user).getOpAttributes();
             return isClippedPad(cast<ComputeOpInterface>(user)) &&
                    attributes.sizes[windows.dim] == 0 &&
                    areReadInTiles(pad->getResult(0), windows);
           }
           auto launch = dyn_cast<kernel::LaunchOp>(user);
           if (!launch || !isScheduled(user))
             return false;
           Value argument =
               launch.getBody().front().getArgument(use.getOperandNumber());
           return llvm::all_of(argument.getUsers(), [&](Operation *reader) {
             auto load = dyn_cast<block::LoadOp>(reader);
             return load && windows.size % getTensorType(load.getResult())
                                               .getDimSize(windows.dim) ==
                                0;
           });
         });
}

/// Finds the concatenations of windows that need no kernel, and the slices and
/// pads that are for nothing else.
void DeviceBuffers::findWindowOperators(Block &body) {
  DenseSet<Operation *> candidates;
  std::vector<WindowOperators> found;
  for (Operation &op : body) {
    std::optional<WindowOperators> windows = findWindows(&op);
    if (!windows || places.contains(op.getResult(0)) ||
        !areReadInTiles(op.getResult(0), windows->windows))
      continue;
    candidates.insert_range(windows->operators);
    found.push_back(*std::move(windows));
  }
  // What one concatenation needs a kernel for, others read as well.
  auto isForWindows = [&](const WindowOperators &windows) {
    return !candidates.contains(windows.source.getDefiningOp()) &&
           llvm::all_of(windows.operators, [&](Operation *op) {
             return op == windows.operators.back() ||
                    (!places.contains(op->getResult(0)) &&
                     llvm::all_of(op->getUsers(), [&](Operation *user) {
                       return candidates.contains(user);
                     }));
           });
  };
  while (true) {
    auto wrong = llvm::find_if_not(found, isForWindows);
    if (wrong == found.end())
      break;
    for (Operation *op : wrong->operators)
      candidates.erase(op);
    found.erase(wrong);
  }
  for (WindowOperators &windows : found) {
    for (Operation *op : windows.operators)
      windowsOf[op] = windowOperators.size();
    windowOperators.push_back(std::move(windows));
  }
}

/// Gives an operator of a concatenation of windows no kernel, where the tensor
/// of the windows lies in a buffer as it is.
bool DeviceBuffers::placeWindows(Operation &op) {
  auto found = windowsOf.find(&op);
  if (found == windowsOf.end())
    return false;
  const WindowOperators &operators = windowOperators[found->second];
  const Place &source = getPlace(operators.source);
  if (!source.isWhole(getShapeOf(operators.source)))
    return false;
  inPlace.insert(&op);
  if (&op == operators.operators.back()) {
    Place place = source;
    place.windows = operators.windows;
    places[op.getResult(0)] = std::move(place);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Returns the place of a tensor in an argument of which it is a part, perhaps
/// transposed or under another shape; nothing if it is none, or where launches
/// cannot read it there.
std::optional<DeviceBuffers::Place>
DeviceBuffers::findInArgument(Value tensor) const {
  if (isa<BlockArgument>(tensor))
    return getPlace(tensor);
  Operation *op = tensor.getDefiningOp();
  auto compute = dyn_cast<ComputeOpInterface>(op);
  bool isSlice = compute && compute.getOpKind() == OpKind::Slice;
  bool isTranspose =
      !isView(op) && compute && compute.getOpKind() == OpKind::Transpose;
  if (!isSlice && !isTranspose && !isView(op))
    return std::nullopt;
  Value operand = op->getOperand(0);
  std::optional<Place> place = findInArgument(operand);
  if (!place)
    return std::nullopt;
  if (isTranspose)
    return transposePlace(*place, getShapeOf(operand), getShapeOf(tensor),
                          compute.getOpAttributes());
  if (!isSlice)
    return reshapePlace(*place, getShapeOf(operand), getShapeOf(tensor));
  OpAttributes attributes = compute.getOpAttributes();
  if (!place->part.offsets.empty() || !place->order.empty() ||
      !isWindow(attributes, getElement(operand)))
    return std::nullopt;
  place->part.offsets.assign(attributes.offsets.begin(),
                             attributes.offsets.end());
  return place;
}

/// Places concatenations of parts of arguments where these parts lie, if
/// launches with a schedule are all that read them, and each of their tiles
/// lies in one part.
void DeviceBuffers::placeParts(Block &body) {
  for (Operation &op : body) {
    std::optional<TensorParts> parts = findJoinedParts(&op);
    Value result = parts ? op.getResult(0) : Value();
    if (!parts || result.use_empty() ||
        !llvm::all_of(result.getUses(), [&](OpOperand &use) {
          if (!isScheduled(use.getOwner()))
            return false;
          auto launch = cast<kernel::LaunchOp>(use.getOwner());
          return loadsPartsAlone(launch, use.getOperandNumber(), *parts) &&
                 choosesOrderByBlock(launch, use.getOperandNumber(), *parts);
        }))
      continue;
    std::vector<Place> found;
    for (auto [number, part] : llvm::enumerate(parts->parts)) {
      std::optional<Place> place = findInArgument(part);
      bool mayBeExchanged =
          !parts->areExchanged.empty() && parts->areExchanged[number];
      if (!place || !isAligned(place->part, getElement(part)) ||
          (!place->order.empty() && !mayBeExchanged) ||
          (!found.empty() && found.front().part.whole != place->part.whole))
        break;
      found.push_back(*std::move(place));
    }
    if (found.size() < parts->parts.size())
      continue;
    Place place = found.front();
    place.partDim = parts->dim;
    place.parts = std::move(found);
    places[result] = std::move(place);
    inPlace.insert(&op);
  }
}

/// Returns true for a concatenation that launches read where its parts lie.
bool DeviceBuffers::isInParts(Operation *op) const {
  return isa<kernel::ConcatOp>(op) && inPlace.contains(op) &&
         !getPlace(op->getResult(0)).parts.empty();
}

/// Places a result of a launch where its slices lie, if they are equal parts:
/// each block stores to one of them.
void DeviceBuffers::placeSlices(kernel::LaunchOp launch) {
  for (OpResult result : launch->getResults()) {
    std::optional<TensorParts> parts = findSlicedParts(result);
    if (!parts || !isScheduled(launch) || places.contains(result) ||
        !storesPartsAlone(launch, result.getResultNumber(), *parts))
      continue;
    const Shape shape = getShapeOf(parts->parts.front());
    if (llvm::any_of(parts->parts, [&](Value part) {
          auto place = places.find(part);
          return place != places.end() && !place->second.isWhole(shape);
        }))
      continue;
    Place place;
    for (Value part : parts->parts) {
      if (!places.contains(part))
        places[part] = {addBuffer(getTensorType(part)), {shape, {}}};
      place.parts.push_back(getPlace(part));
      inPlace.insert(part.getDefiningOp());
    }
    place.buffer = place.parts.front().buffer;
    place.part = place.parts.front().part;
    place.partDim = parts->dim;
    places[result] = std::move(place);
  }
}
