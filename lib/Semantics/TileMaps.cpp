//===- TileMaps.cpp - imap, omap and fmap without IR ----------------------===//
//
// Tile arithmetic of input iterators.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Semantics/TileMaps.h"

using namespace mirage;

int64_t DimPartition::getTileSize() const {
  int64_t part = size / gridExtent;
  for (int64_t extent : loopExtents)
    part /= extent;
  return part;
}

llvm::SmallVector<DimPartition, 4>
mirage::getPartition(ShapeRef source, llvm::ArrayRef<int64_t> imap,
                     llvm::ArrayRef<int64_t> extents,
                     llvm::ArrayRef<int64_t> fmap,
                     llvm::ArrayRef<int64_t> loopExtents) {
  llvm::SmallVector<DimPartition, 4> dims(source.size());
  for (auto [dim, size] : llvm::zip(dims, source))
    dim.size = size;
  for (auto [gridDim, entry] : llvm::enumerate(imap))
    if (entry >= 0) {
      dims[entry].gridDim = gridDim;
      dims[entry].gridExtent = extents[gridDim];
    }
  for (auto [loop, entry] : llvm::enumerate(fmap))
    if (entry >= 0) {
      dims[entry].loops.push_back(loop);
      dims[entry].loopExtents.push_back(loopExtents[loop]);
    }
  return dims;
}
