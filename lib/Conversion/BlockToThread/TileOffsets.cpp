//===- TileOffsets.cpp - Where the tiles of blocks begin ------------------===//
//
// Emits the offsets of tiles in tensors and in buffers.
//
//===----------------------------------------------------------------------===//

#include "TileOffsets.h"
#include "IndexSystem.h"

using namespace mlir;
using namespace mirage;

SmallVector<Value>
mirage::getLoadOffsets(OpBuilder &builder, block::LoadOp load,
                       ArrayRef<Value> blockIds,
                       llvm::function_ref<Value(Value)> getIteration) {
  IndexSystem system{builder, load.getLoc()};
  SmallVector<int64_t> extents;
  SmallVector<Value> iterations;
  getEnclosingLoops(load, extents, iterations);
  for (Value &value : iterations)
    value = getIteration(value);
  auto source = cast<RankedTensorType>(load.getSource().getType());
  SmallVector<Value> offsets;
  for (const DimPartition &dim :
       getPartition(source.getShape(), load.getImap(),
                    load->getParentOfType<kernel::LaunchOp>().getGrid(),
                    load.getFmap(), extents))
    offsets.push_back(getTileOffset<Value>(dim, blockIds, iterations, system));
  return offsets;
}

SmallVector<Value> mirage::getWindowOffsets(OpBuilder &builder, Location loc,
                                            const TensorWindows &windows,
                                            ArrayRef<Value> tileOffsets) {
  IndexSystem system{builder, loc};
  auto divide = [&](Value value, int64_t by) -> Value {
    return arith::DivUIOp::create(builder, loc, value, system.index(by));
  };
  auto remainder = [&](Value value, int64_t by) -> Value {
    return arith::RemUIOp::create(builder, loc, value, system.index(by));
  };
  // The number of the window, and its digits from the least significant one on.
  Value along = tileOffsets[windows.dim];
  Value number = divide(along, windows.size);
  SmallVector<Value> digits;
  for (const TensorWindows::Digit &digit : llvm::reverse(windows.digits)) {
    digits.push_back(remainder(number, digit.count));
    number = divide(number, digit.count);
  }
  std::reverse(digits.begin(), digits.end());
  SmallVector<Value> leading, offsets;
  for (auto [dim, offset] : llvm::enumerate(tileOffsets)) {
    bool isAlong = static_cast<int64_t>(dim) == windows.dim;
    Value inWindow = isAlong && !windows.digits.empty()
                         ? remainder(offset, windows.size)
                         : offset;
    // The window may begin before the tensor; its begin is moved on by as many
    // elements as make it no longer negative.
    int64_t step = windows.strides[dim], least = windows.first[dim];
    for (const TensorWindows::Digit &digit : windows.digits)
      least += std::min<int64_t>(0, (digit.count - 1) * digit.steps[dim]);
    int64_t ahead =
        least < 0 ? static_cast<int64_t>(llvm::divideCeil(-least, step)) : 0;
    Value begin =
        system.index(windows.first[dim] + (step > 1 ? ahead * step : 0));
    for (auto [digit, value] : llvm::zip(windows.digits, digits))
      if (digit.steps[dim] != 0)
        begin = system.add(begin, system.mulConstant(value, digit.steps[dim]));
    if (step > 1) {
      leading.push_back(remainder(begin, step));
      begin = system.add(divide(begin, step), system.index(-ahead));
    }
    offsets.push_back(system.add(inWindow, begin));
  }
  llvm::append_range(leading, offsets);
  return leading;
}

void mirage::addBufferOffsets(OpBuilder &builder, Location loc,
                              const LaunchPlaces &places, size_t number,
                              SmallVectorImpl<Value> &offsets) {
  IndexSystem system{builder, loc};
  for (auto [dim, offset] : llvm::enumerate(places[number].offsets))
    if (offset)
      offsets[dim] = system.add(offsets[dim], system.index(offset));
}
