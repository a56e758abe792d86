//===- TileOffsets.cpp - Where the tiles of blocks begin ------------------===//
//
// Emits the offsets of tiles in tensors and in buffers.
//
//===----------------------------------------------------------------------===//

#include "TileOffsets.h"
#include "IndexSystem.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"

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

size_t mirage::countBuffers(const LaunchPlaces &places) {
  size_t count = places.size();
  for (const OperandPlace &place : places)
    if (place.parts)
      count += place.parts->parameters.size() - 1;
  return count;
}

size_t mirage::addParts(LaunchPlaces &places, size_t number,
                        OperandPlace::Parts parts) {
  size_t next = countBuffers(places), others = parts.offsets.size() - 1;
  parts.parameters = {number};
  for (size_t i = 0; i < others; ++i)
    parts.parameters.push_back(next + i);
  places[number].parts = std::move(parts);
  return others;
}

Value mirage::addBufferOffsets(OpBuilder &builder, Location loc,
                               const LaunchPlaces &places, size_t number,
                               SmallVectorImpl<Value> &offsets) {
  IndexSystem system{builder, loc};
  const OperandPlace &place = places[number];
  auto add = [&](size_t dim, Value offset) {
    offsets[dim] = system.add(offsets[dim], offset);
  };
  if (!place.parts) {
    for (auto [dim, offset] : llvm::enumerate(place.offsets))
      if (offset)
        add(dim, system.index(offset));
    return nullptr;
  }
  const OperandPlace::Parts &parts = *place.parts;
  Value size = system.index(parts.size), &along = offsets[parts.dim];
  Value part = arith::DivUIOp::create(builder, loc, along, size);
  along = arith::RemUIOp::create(builder, loc, along, size);
  for (size_t dim = 0; dim < offsets.size(); ++dim) {
    auto begins = llvm::map_to_vector(parts.offsets, [&](ArrayRef<int64_t> of) {
      return of.empty() ? 0 : of[dim];
    });
    if (llvm::all_of(begins, [](int64_t begin) { return begin == 0; }))
      continue;
    Value begin = system.index(begins.back());
    for (size_t i = begins.size() - 1; i-- > 0;) {
      Value isThis = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, part, system.index(i));
      begin = arith::SelectOp::create(builder, loc, isThis,
                                      system.index(begins[i]), begin);
    }
    add(dim, begin);
  }
  return part;
}

Value mirage::getBufferOf(OpBuilder &builder, Location loc,
                          const LaunchPlaces &places, size_t number,
                          ValueRange parameters, Value part) {
  Value first = parameters[number];
  if (!part)
    return first;
  auto buffers = llvm::map_to_vector(places[number].parts->parameters,
                                     [&](size_t at) { return parameters[at]; });
  return thread::SelectBufferOp::create(builder, loc, first.getType(), part,
                                        buffers);
}
