//===- Axes.cpp - The index space of a program ----------------------------===//
//
// Numbers the undivided extents that a graph's sizes are products of.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Axes.h"
#include "DimensionSizes.h"
#include "llvm/ADT/DenseMap.h"

using namespace mirage;

Axes mirage::computeAxes(const MuGraph &graph) {
  Extents extents;
  DimensionSizes sizes(graph, extents);
  Axes axes;
  llvm::DenseMap<ExtentId, unsigned> numbers;
  axes.dims.resize(graph.getNumValues());
  for (MuValue value = 0; value < graph.getNumValues(); ++value)
    for (const Size &size : sizes.sizes[value]) {
      llvm::SmallVector<unsigned, 1> &dim = axes.dims[value].emplace_back();
      for (ExtentId leaf : extents.resolve(size)) {
        auto [entry, isNew] = numbers.try_emplace(leaf, axes.sizes.size());
        if (isNew)
          axes.sizes.push_back(extents.getValue(leaf));
        dim.push_back(entry->second);
      }
    }
  return axes;
}
