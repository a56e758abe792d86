//===- LayoutCosts.cpp - What layouts of registers cost -------------------===//
//
// Counts instructions, turns of banks, sectors, exchanges and barriers.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/LayoutCosts.h"
#include "Mirage/Schedule/LaneExchange.h"
#include "Mirage/Schedule/RowLayout.h"
#include "Mirage/Schedule/SharedAccess.h"
#include <cmath>

using namespace mirage;

/// The instructions of warps, sectors of 32 bytes, and exchanges of lanes, that
/// a multiprocessor begins in a clock, and the instructions in whose place it
/// evaluates an exponential (four special-function units for each scheduler).
static constexpr double instructionsPerClock = 4, sectorsPerClock = 2,
                        exchangesPerClock = 1, exponentialInstructions = 8;

/// The clocks between two requests that the copy engine makes for a
/// multiprocessor. This is an estimate of a nanosecond, which was not measured.
static constexpr double clocksPerRequest = 1.8;

double LayoutCosts::getBarrier() { return 30; }

MemoryLayout mirage::getRows(ShapeRef shape, int64_t elementBytes,
                             bool hasGaps) {
  int64_t gap = hasGaps ? getGap(shape, elementBytes) : 0;
  return placeRows(RowLayout::gaps(gap), shape, /*rowDims=*/1, {}).memory;
}

double LayoutCosts::getElementwise(const RegisterLayout &layout, int64_t flops,
                                   int64_t exponentials) const {
  return warps * static_cast<double>(layout.getNumRegisters()) *
         (static_cast<double>(std::max<int64_t>(1, flops)) +
          exponentialInstructions * static_cast<double>(exponentials)) /
         instructionsPerClock;
}

double LayoutCosts::getAccess(const StoredTile &tile,
                              const RegisterLayout &layout) const {
  WarpAccess access =
      getWarpAccess(layout, tile.shape, tile.memory, tile.elementBytes);
  double moved = tile.isDevice
                     ? static_cast<double>(access.sectors) / sectorsPerClock
                     : static_cast<double>(access.turns);
  return warps *
         (static_cast<double>(access.instructions) / instructionsPerClock +
          moved);
}

double LayoutCosts::getLoad(const StoredTile &tile,
                            const RegisterLayout &layout) const {
  if (tile.isDevice || tile.elementBytes != 2 ||
      !isMatrixFragment(layout, tile.shape, tile.memory))
    return getAccess(tile, layout);
  WarpAccess access = getMatrixAccess(layout, tile.shape, tile.memory);
  return warps *
         (static_cast<double>(access.instructions) / instructionsPerClock +
          static_cast<double>(access.turns));
}

double LayoutCosts::getCopy(const StoredTile &source, const StoredTile &target,
                            const RegisterLayout &layout,
                            int64_t length) const {
  WarpAccess read = getLimitedAccess(layout, source.shape, source.memory,
                                     source.elementBytes, length),
             written = getLimitedAccess(layout, target.shape, target.memory,
                                        target.elementBytes, length);
  // Each has an address on both sides.
  return warps *
             (static_cast<double>(read.instructions) +
              static_cast<double>(written.instructions)) /
             instructionsPerClock +
         warps * (static_cast<double>(read.sectors) / sectorsPerClock +
                  static_cast<double>(written.turns));
}

double LayoutCosts::getBulkCopy(const StoredTile &target) {
  double elements = 1;
  for (int64_t size : target.shape)
    elements *= static_cast<double>(size);
  double inner = static_cast<double>(target.shape.back());
  auto chunk = static_cast<double>(target.memory.chunk);
  return clocksPerRequest * elements / inner * std::ceil(inner / chunk);
}

double LayoutCosts::getStore(ShapeRef shape, int64_t elementBytes,
                             const RegisterLayout &layout) const {
  StoredTile target{Shape(shape), elementBytes,
                    getRows(shape, elementBytes, /*hasGaps=*/false),
                    /*isDevice=*/true};
  int64_t inner = static_cast<int64_t>(shape.size()) - 1;
  constexpr int64_t gathered = 8;
  if (elementBytes != 2 || shape.back() % gathered ||
      layout.overhangs(shape, inner))
    return getAccess(target, layout);
  llvm::SmallVector<RegisterLayout, 1> steps =
      gatherInSteps(layout, inner, gathered);
  if (steps.empty())
    return getAccess(target, layout);
  // Two elements are exchanged together.
  double exchanges = static_cast<double>(layout.getNumRegisters()) / 2 *
                     static_cast<double>(steps.size());
  return getAccess(target, steps.back()) +
         warps * exchanges / exchangesPerClock;
}

double LayoutCosts::getReduction(int64_t dim, const RegisterLayout &layout,
                                 bool ofThreads) const {
  auto registers = static_cast<double>(layout.getNumRegisters());
  double clocks = warps * registers / instructionsPerClock;
  if (ofThreads)
    return clocks;
  auto left = static_cast<double>(layout.withoutDim(dim).getNumRegisters());
  double steps = 0;
  for (const LayoutMode &mode : layout.lanes)
    if (mode.dim == dim)
      steps += std::log2(static_cast<double>(mode.size));
  clocks +=
      warps * left * steps * (1 / exchangesPerClock + 1 / instructionsPerClock);
  // Parts of warps meet in shared memory; one lane stores each of them.
  int64_t parts = 1;
  for (const LayoutMode &mode : layout.warps)
    if (mode.dim == dim)
      parts *= mode.size;
  if (parts > 1)
    clocks += getBarrier() + warps * left * static_cast<double>(1 + parts) *
                                 (1 + 1 / instructionsPerClock);
  return clocks;
}
