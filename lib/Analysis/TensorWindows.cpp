//===- TensorWindows.cpp - Windows of a tensor, side by side --------------===//
//
// Takes the offsets of slices apart into digits: the windows of a convolution
// move along one dimension first and along another one then.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/TensorWindows.h"

using namespace mlir;
using namespace mirage;

std::pair<int64_t, int64_t> TensorWindows::getRange(size_t of,
                                                    int64_t extent) const {
  int64_t indices = static_cast<int64_t>(of) == dim ? size : extent;
  int64_t least = first[of], largest = first[of] + (indices - 1) * strides[of];
  for (const Digit &digit : digits) {
    int64_t reach = (digit.count - 1) * digit.steps[of];
    least += std::min<int64_t>(reach, 0);
    largest += std::max<int64_t>(reach, 0);
  }
  return {least, largest};
}

WindowBuffer mirage::getWindowBuffer(const TensorWindows &windows,
                                     ShapeRef source) {
  WindowBuffer buffer;
  Shape strides(source.size(), 1);
  for (size_t dim = source.size() - 1; dim-- > 0;)
    strides[dim] = strides[dim + 1] * source[dim + 1];
  for (auto [dim, step] : llvm::enumerate(windows.strides))
    if (step > 1) {
      buffer.split.push_back(dim);
      buffer.shape.push_back(step);
      buffer.strides.push_back(strides[dim]);
    }
  for (auto [dim, step] : llvm::enumerate(windows.strides)) {
    buffer.shape.push_back(source[dim] / step);
    buffer.strides.push_back(strides[dim] * step);
  }
  return buffer;
}

static Shape subtract(ShapeRef a, ShapeRef b) {
  Shape difference;
  for (auto [x, y] : llvm::zip(a, b))
    difference.push_back(x - y);
  return difference;
}

/// Returns true if each of the offsets is the first one and a multiple of
/// steps.
static bool areSteps(ArrayRef<Shape> offsets, ShapeRef steps) {
  for (auto [number, offset] : llvm::enumerate(offsets))
    for (auto [at, from, step] : llvm::zip(offset, offsets.front(), steps))
      if (at != from + static_cast<int64_t>(number) * step)
        return false;
  return true;
}

/// Appends the digits of the numbers of windows with these offsets. Returns
/// false where they do not move by equal steps.
static bool findDigits(ArrayRef<Shape> offsets,
                       SmallVectorImpl<TensorWindows::Digit> &digits) {
  if (offsets.size() < 2)
    return true;
  Shape steps = subtract(offsets[1], offsets[0]);
  size_t count = 2;
  while (count < offsets.size() &&
         areSteps(offsets.take_front(count + 1), steps))
    ++count;
  if (offsets.size() % count)
    return false;
  SmallVector<Shape> begins;
  for (size_t begin = 0; begin < offsets.size(); begin += count) {
    if (!areSteps(offsets.slice(begin, count), steps))
      return false;
    begins.push_back(offsets[begin]);
  }
  if (!findDigits(begins, digits))
    return false;
  digits.push_back({static_cast<int64_t>(count), steps});
  return true;
}

static ArrayRef<int64_t> getShapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

std::optional<WindowOperators> mirage::findWindows(Operation *op) {
  // A slice is one window.
  bool isSlice = isa_and_nonnull<kernel::SliceOp>(op);
  if (!isSlice && !isa_and_nonnull<kernel::ConcatOp>(op))
    return std::nullopt;
  WindowOperators found;
  TensorWindows &windows = found.windows;
  SmallVector<Shape> offsets;
  SmallVector<Value> parts(op->getOperands());
  if (isSlice)
    parts = {op->getResult(0)};
  for (Value operand : parts) {
    auto slice = operand.getDefiningOp<kernel::SliceOp>();
    if (!slice || operand.getType() != parts.front().getType())
      return std::nullopt;
    OpAttributes attributes =
        cast<ComputeOpInterface>(*slice).getOpAttributes();
    Value source = slice->getOperand(0);
    if (offsets.empty()) {
      found.source = source;
      windows.strides.assign(attributes.strides.begin(),
                             attributes.strides.end());
    }
    if (source != found.source ||
        ShapeRef(attributes.strides) != ShapeRef(windows.strides))
      return std::nullopt;
    offsets.emplace_back(attributes.offsets);
    if (!llvm::is_contained(found.operators, slice))
      found.operators.push_back(slice);
  }
  windows.dim = isSlice ? static_cast<int64_t>(windows.strides.size()) - 1
                        : cast<ComputeOpInterface>(op).getOpAttributes().dim;
  windows.size = getShapeOf(parts.front())[windows.dim];
  windows.first = offsets.front();
  if (!findDigits(offsets, windows.digits))
    return std::nullopt;
  // Launches read other slices as parts of a buffer.
  if (isSlice &&
      llvm::all_of(windows.strides, [](int64_t step) { return step == 1; }) &&
      !found.source.getDefiningOp<kernel::PadOp>())
    return std::nullopt;
  // Windows begin where rows of the tensor do.
  auto isInner = [](ShapeRef numbers) { return numbers.back() != 0; };
  if (windows.strides.back() != 1 || windows.strides[windows.dim] != 1 ||
      isInner(windows.first) ||
      llvm::any_of(windows.digits, [&](const TensorWindows::Digit &digit) {
        return isInner(digit.steps);
      }))
    return std::nullopt;
  auto isWhole = [&](ShapeRef shape) {
    return llvm::all_of(llvm::zip(shape, windows.strides), [](auto entry) {
      return std::get<0>(entry) % std::get<1>(entry) == 0;
    });
  };
  if (auto pad = found.source.getDefiningOp<kernel::PadOp>()) {
    OpAttributes attributes = cast<ComputeOpInterface>(*pad).getOpAttributes();
    Value source = pad->getOperand(0);
    if (attributes.scalar == 0 &&
        getShapeOf(source).back() == getShapeOf(found.source).back() &&
        isWhole(getShapeOf(source))) {
      windows.first = subtract(windows.first, attributes.offsets);
      found.source = source;
      found.operators.insert(found.operators.begin(), pad);
    }
  }
  // Rows are whole accesses.
  constexpr int64_t accessBits = 128;
  int64_t bits =
      cast<RankedTensorType>(found.source.getType()).getElementTypeBitWidth();
  if (!isWhole(getShapeOf(found.source)) ||
      getShapeOf(found.source).back() * bits % accessBits)
    return std::nullopt;
  if (!isSlice)
    found.operators.push_back(op);
  return found;
}

std::optional<WindowOperators> mirage::findWindows(BlockArgument argument) {
  auto launch = dyn_cast<kernel::LaunchOp>(argument.getOwner()->getParentOp());
  if (!launch || argument.getArgNumber() >= launch->getNumOperands())
    return std::nullopt;
  Value operand = launch->getOperand(argument.getArgNumber());
  if (auto pad = operand.getDefiningOp<kernel::PadOp>())
    operand = pad->getOperand(0);
  return findWindows(operand.getDefiningOp());
}
