//===- LaunchGraph.cpp - Candidates with symbolic sizes -------------------===//
//
// Derives phases and sets of loops from a launch's loops, and makes the key of
// a launch.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/LaunchGraph.h"
#include "llvm/ADT/STLExtras.h"

using namespace mirage::search;

llvm::SmallVector<RegionId, 4> mirage::search::getRegions(size_t loops) {
  llvm::SmallVector<RegionId, 4> regions = {kBody};
  for (unsigned loop = 0; loop < loops; ++loop)
    regions.push_back(RegionId::ofLoop(loop));
  return regions;
}

std::vector<uint16_t> LaunchGraph::getKey() const {
  std::vector<uint16_t> key(gridAxes.begin(), gridAxes.end());
  for (const LoopChoice &loop : loops)
    key.push_back(0x400 | loop.parent.getNumber() << 6 | loop.axis);
  for (const LoadChoice &load : loads) {
    key.push_back(0x100 | load.tensor);
    key.push_back(load.region.getNumber());
    llvm::append_range(key, load.dims);
  }
  for (const BlockOperator &op : operators)
    key.insert(key.end(), {0x200, op.formId, op.first, op.second, op.reduced,
                           op.third, op.isExchanged});
  key.push_back(0x300);
  llvm::append_range(key, outputs);
  return key;
}

llvm::SmallVector<uint8_t, 2> LaunchGraph::getLoopAxes() const {
  llvm::SmallVector<uint8_t, 2> axes;
  for (const LoopChoice &loop : loops)
    if (!llvm::is_contained(axes, loop.axis))
      axes.push_back(loop.axis);
  return axes;
}

Phase LaunchGraph::getPhaseAfter(unsigned loop) const {
  Phase phase{loops[loop].parent, 1};
  for (unsigned other = 0; other < loop; ++other)
    phase.step += loops[other].parent == phase.region;
  return phase;
}

LoopSet LaunchGraph::getLoopsAround(RegionId region) const {
  LoopSet around;
  for (; !region.isBody(); region = getParent(region))
    around.insert(region.getLoop());
  return around;
}
