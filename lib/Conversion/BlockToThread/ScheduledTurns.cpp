//===- ScheduledTurns.cpp - Blocks that stay ------------------------------===//
//
// Emits kernels of which each block executes several blocks of the grid, one
// after another in turns. The warps that load go on with the tiles of the next
// one while the others end with what they have computed.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

int64_t ScheduledLaunchBuilder::getPersistentBlocks() {
  return std::min(elementCount(launch.getGrid()), schedule.persistentBlocks);
}

/// Begins a loop over the blocks of the grid that a block of the kernel
/// executes, and says in it which one it is. Of n blocks, block b takes number
/// b in the first turn, 2 n - 1 - b in the second one, and so on: numbers of
/// which the first have most to do are shared evenly so.
scf::ForOp ScheduledLaunchBuilder::beginTurns(Location loc) {
  int64_t all = elementCount(launch.getGrid()), blocks = getPersistentBlocks();
  Value mirrored = arith::SubIOp::create(builder, loc, index(loc, blocks - 1),
                                         persistentBlock);
  // In the last turn, some blocks have nothing left.
  Value turns = index(loc, all / blocks);
  if (int64_t rest = all % blocks) {
    Value place = all / blocks % 2 ? mirrored : persistentBlock;
    Value hasMore = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::ult, place, index(loc, rest));
    turns = arith::SelectOp::create(builder, loc, hasMore,
                                    index(loc, all / blocks + 1), turns);
  }
  auto loop = scf::ForOp::create(builder, loc, index(loc, 0), turns,
                                 index(loc, 1), ValueRange(index(loc, 0)));
  if (!loop.getBody()->empty())
    loop.getBody()->getTerminator()->erase();
  builder.setInsertionPointToStart(loop.getBody());
  tripsBefore = loop.getRegionIterArg(0);
  Value turn = loop.getInductionVar();
  Value isOdd = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::eq,
      arith::RemUIOp::create(builder, loc, turn, index(loc, 2)), index(loc, 1));
  Value place =
      arith::SelectOp::create(builder, loc, isOdd, mirrored, persistentBlock);
  Value number = arith::AddIOp::create(
      builder, loc,
      arith::MulIOp::create(builder, loc, turn, index(loc, blocks)), place);
  for (auto [position, dim] : llvm::enumerate(order.dims)) {
    Value extent = index(loc, launch.getGrid()[dim]);
    bool isLast = position + 1 == order.dims.size();
    blockIds[dim] =
        isLast ? number : arith::RemUIOp::create(builder, loc, number, extent);
    if (!isLast)
      number = arith::DivUIOp::create(builder, loc, number, extent);
  }
  reverseBlocks();
  return loop;
}

void ScheduledLaunchBuilder::endTurn(scf::ForOp turns, Value numTrips) {
  Location loc = turns.getLoc();
  Value trips = arith::AddIOp::create(builder, loc, tripsBefore, numTrips);
  scf::YieldOp::create(builder, loc, trips);
  builder.setInsertionPointAfter(turns);
}

LogicalResult ScheduledLaunchBuilder::convertInTurns() {
  auto loops = launch.getBody().front().getOps<block::ForOp>();
  auto joins = [](block::AccumulateOp op) {
    return op.getKind() == AccumulateKind::Concat;
  };
  if (llvm::range_size(loops) != 1 ||
      llvm::any_of((*loops.begin()).getBody().getOps<block::AccumulateOp>(),
                   joins))
    return launch.emitOpError(
        "has a mirage.schedule with persistent blocks, and not one loop, which "
        "puts no tiles together (schedule_c10)");
  Location loc = launch.getLoc();
  scf::ForOp turns = beginTurns(loc);
  // What the warps have stored in shared memory in the turn before has been
  // read when all have come here.
  barrier(loc);
  if (failed(convertBlock(launch.getBody().front())))
    return failure();
  endTurn(turns, lastTrips);
  return success();
}

/// Emits how the loader fills the stages in all turns of a block.
void ScheduledLaunchBuilder::fillStagesInTurns(block::ForOp loop, Value ring,
                                               int64_t groups) {
  // The other warps have numbers of their own.
  SmallVector<Value, 3> othersIds = blockIds;
  Value othersTrips = tripsBefore, othersFirst = state->firstTrip,
        othersCount = state->numTrips;
  scf::ForOp turns = beginTurns(loop.getLoc());
  findTrips(loop);
  fillStages(loop, ring, groups);
  builder.setInsertionPointToEnd(turns.getBody());
  endTurn(turns, getNumTrips(loop.getLoc()));
  blockIds = othersIds;
  tripsBefore = othersTrips;
  state->firstTrip = othersFirst;
  state->numTrips = othersCount;
}

/// Finds the memory of what is loaded before a loop and is not needed behind
/// it. Where blocks stay, what leaves by way of shared memory goes through
/// that.
void ScheduledLaunchBuilder::findResidentTiles(block::ForOp loop) {
  bool isNeeded = false;
  for (Operation &op : *loop->getBlock())
    for (Value operand : op.getOperands())
      isNeeded |= loop->isBeforeInBlock(&op) &&
                  isa_and_nonnull<block::LoadOp>(operand.getDefiningOp());
  if (!isNeeded)
    state->residentEnd = bytes;
}
