//===- ScheduledKept.cpp - Tiles that later loops load again --------------===//
//
// Gives the tiles of loops their places in shared memory: a ring of stages, or
// a place for each trip, where later loops read what an earlier one has loaded.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

llvm::DenseMap<Operation *, block::LoadOp>
mirage::findKeptLoads(kernel::LaunchOp launch, const LaunchSchedule &schedule) {
  llvm::DenseMap<Operation *, block::LoadOp> kept;
  SmallVector<block::LoadOp> firsts;
  auto loadTheSame = [&](block::LoadOp a, block::LoadOp b) {
    return a.getSource() == b.getSource() && a.getType() == b.getType() &&
           a->getPropertiesAsAttribute() == b->getPropertiesAsAttribute();
  };
  auto lieTheSame = [&](block::LoadOp a, block::LoadOp b) {
    return getStoredShape(a) == getStoredShape(b) &&
           getRowPlacement(a) == getRowPlacement(b) &&
           getNumRowDims(a) == getNumRowDims(b) &&
           getRowSteps(a, schedule) == getRowSteps(b, schedule) &&
           getWantedRows(a) == getWantedRows(b);
  };
  for (auto loop : launch.getBody().getOps<block::ForOp>()) {
    size_t numBefore = firsts.size();
    for (auto load : loop.getBody().getOps<block::LoadOp>()) {
      if (load->use_empty() || !dependsOnLoop(load))
        continue;
      auto before = ArrayRef(firsts).take_front(numBefore);
      const auto *first = llvm::find_if(before, [&](block::LoadOp other) {
        auto around = cast<block::ForOp>(other->getParentOp());
        return around.getExtent() == loop.getExtent() &&
               loadTheSame(load, other) && lieTheSame(load, other);
      });
      if (first != before.end())
        kept[load] = *first;
      else
        firsts.push_back(load);
    }
  }
  return kept;
}

/// Lets the tiles of all trips stay where a load brings them, if they come by
/// copies.
void ScheduledLaunchBuilder::createKeptRing(block::LoadOp load) {
  auto loop = cast<block::ForOp>(load->getParentOp());
  auto type = cast<RankedTensorType>(load.getResult().getType());
  Shape shape = getStoredShape(load);
  shape.insert(shape.begin(), {static_cast<int64_t>(loop.getExtent()) /
                                   schedule.getNumSharers(),
                               schedule.loopGroups});
  int64_t before = bytes;
  Value buffer = allocate(load.getLoc(), shape, type.getElementType(),
                          getRowRequest(load, schedule));
  // Tiles on their way through registers reach their places late.
  if (getParts(load, buffer, schedule.getNumWarps())) {
    eraseBuffer(buffer);
    bytes = before;
    return;
  }
  keptBuffers[load] = buffer;
  Ring ring{load, buffer};
  ring.isKept = true;
  state->rings.push_back(ring);
}

/// Gives the loads of a loop their memory. What stays has memory of its own,
/// which nothing takes behind the loop.
void ScheduledLaunchBuilder::createRings(block::ForOp loop) {
  SmallVector<block::LoadOp> loads;
  loop.getBody().walk([&](block::LoadOp load) {
    if (!load->use_empty() && dependsOnLoop(load) && !isComputedMask(load))
      loads.push_back(load);
  });
  if (schedule.keepsTiles) {
    auto kept = findKeptLoads(launch, schedule);
    for (block::LoadOp load : loads) {
      if (Value buffer = keptBuffers.lookup(kept.lookup(load)))
        state->keptTiles.emplace_back(load, buffer);
      else if (llvm::is_contained(llvm::make_second_range(kept), load))
        createKeptRing(load);
    }
    llvm::erase_if(loads, [&](block::LoadOp load) {
      return keptBuffers.contains(load) ||
             keptBuffers.contains(kept.lookup(load));
    });
  }
  state->begin = bytes;
  // A block with fewer trips than stages needs no room for the others.
  auto trips =
      static_cast<int64_t>(loop.getExtent()) / schedule.getNumSharers();
  int64_t slots = persistentBlock
                      ? schedule.stages
                      : std::clamp<int64_t>(trips, 1, schedule.stages);
  for (block::LoadOp load : loads) {
    auto type = cast<RankedTensorType>(load.getResult().getType());
    Shape shape = getStoredShape(load);
    shape.insert(shape.begin(), {slots, schedule.loopGroups});
    state->rings.push_back(
        {load, allocate(load.getLoc(), shape, type.getElementType(),
                        getRowRequest(load, schedule))});
  }
}
