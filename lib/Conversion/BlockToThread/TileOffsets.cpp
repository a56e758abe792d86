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

void mirage::addBufferOffsets(OpBuilder &builder, Location loc,
                              const LaunchOffsets &bufferOffsets, size_t number,
                              SmallVectorImpl<Value> &offsets) {
  IndexSystem system{builder, loc};
  for (auto [dim, offset] : llvm::enumerate(bufferOffsets[number]))
    if (offset)
      offsets[dim] = system.add(offsets[dim], system.index(offset));
}
