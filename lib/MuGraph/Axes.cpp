//===- Axes.cpp - The index space of a program ----------------------------===//
//
// Numbers the undivided extents that a graph's sizes are products of.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/Axes.h"
#include "DimensionSizes.h"
#include "llvm/ADT/DenseMap.h"

using namespace mirage;

Axes mirage::computeAxes(const MuGraph &graph,
                         llvm::ArrayRef<AlikeDims> alike) {
  Extents extents;
  DimensionSizes sizes(graph, extents);
  for (const AlikeDims &group : alike) {
    Size unit = extents.add(group.unit);
    for (auto [value, dim] : group.dims) {
      Size whole = extents.add(graph.getShape(value)[dim] / group.unit);
      whole.append(unit);
      extents.unite(sizes.sizes[value][dim], whole);
    }
  }
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
