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
  turn = loop.getInductionVar();
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

bool mirage::writesSharedMemory(Operation *op) {
  auto isShared = [](Value memory) {
    auto type = dyn_cast<MemRefType>(memory.getType());
    return type && thread::isInSharedMemory(type);
  };
  if (auto store = dyn_cast<thread::StoreFragmentOp>(op))
    return isShared(store.getTarget());
  if (auto copy = dyn_cast<thread::CopyOp>(op))
    return isShared(copy.getTarget());
  return isa<thread::FillOp, thread::AccumulateOp, thread::ComputeOp>(op);
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
  auto start = thread::BarrierOp::create(builder, loc);
  if (failed(convertBlock(launch.getBody().front())))
    return failure();
  if (residentStages)
    thread::RingReleaseOp::create(builder, loc, residentStages, turn);
  // Without such stores, a group of warps goes on while others end.
  bool areStored = turns
                       .walk([](Operation *op) {
                         return writesSharedMemory(op) ? WalkResult::interrupt()
                                                       : WalkResult::advance();
                       })
                       .wasInterrupted();
  if (!areStored)
    start.erase();
  endTurn(turns, lastTrips);
  return success();
}

/// Returns true if a loop takes a value, or what is computed of it before one.
static bool isNeededByLoop(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty())
    for (Operation *user : worklist.pop_back_val().getUsers()) {
      if (isa<block::ForOp>(user->getParentOp()))
        return true;
      if (seen.insert(user).second)
        llvm::append_range(worklist, user->getResults());
    }
  return false;
}

/// Lets the loader bring a tile that is loaded before the loop, which needs it:
/// before those of the loop's first trips, behind which a copy by the other
/// warps would wait, or in each turn while the other warps are in the turn
/// before. Returns false where the copy engine cannot.
bool ScheduledLaunchBuilder::leaveToLoader(block::LoadOp load) {
  // One turn has its tile while that of the next one comes.
  const int64_t turnStages = persistentBlock ? 2 : 1;
  if (!loader || !schedule.bulkCopies || !mayComeInBulk(load) ||
      (!persistentBlock && !isNeededByLoop(load.getResult())))
    return false;
  Location loc = load.getLoc();
  auto type = cast<RankedTensorType>(load.getResult().getType());
  Shape shape = getStoredShape(load);
  shape.insert(shape.begin(), {turnStages, 1});
  int64_t bytesBefore = bytes;
  Ring ring{load,
            allocate(loc, shape, type.getElementType(),
                     getRowRequest(load, schedule)),
            Passage::Bulk};
  std::optional<thread::TensorMapType> map = findTensorMap(ring);
  if (!map) {
    eraseBuffer(ring.buffer);
    bytes = bytesBefore;
    return false;
  }
  ring.maps = getTensorMaps(load, *map);
  if (!residentStages)
    residentStages = createRing(loc, turnStages, /*groups=*/1,
                                /*lanes=*/RegisterLayout::kWarpSize);
  residents.push_back(ring);
  copyWays.emplace_back(load, CopyWay::Bulk);
  Tile &tile = tiles[load.getResult()];
  tile.shape = getTileShape(load.getResult(), 1);
  tile.element = type.getElementType();
  tile.buffer = ring.buffer;
  tile.slot = {
      arith::RemUIOp::create(builder, loc, turn, index(loc, turnStages))};
  return true;
}

/// Emits how the loader brings such tiles, in a turn where the block stays.
void ScheduledLaunchBuilder::bringResidents(Location loc) {
  if (!residentStages)
    return;
  IntegerAttr group = builder.getI64IntegerAttr(0);
  // Without turns before, nobody has read what was there.
  if (persistentBlock)
    thread::RingAcquireOp::create(builder, loc, residentStages, turn, group);
  Value stage = arith::RemUIOp::create(
      builder, loc, turn, index(loc, residentStages.getType().getStages()));
  for (const Ring &ring : residents) {
    Transfer transfer = getTransfer(ring.load, ring.buffer,
                                    {stage, index(loc, 0)}, index(loc, 0));
    copyInBulk(ring, transfer, residentStages, turn, /*group=*/0);
  }
  thread::RingPublishOp::create(builder, loc, residentStages, turn, group);
}

/// Emits how the loader fills the stages in all turns of a block.
void ScheduledLaunchBuilder::fillStagesInTurns(block::ForOp loop,
                                               int64_t groups) {
  // The other warps have numbers of their own.
  SmallVector<Value, 3> othersIds = blockIds;
  Value othersTrips = tripsBefore, othersFirst = state->firstTrip,
        othersCount = state->numTrips, othersTurn = turn;
  scf::ForOp turns = beginTurns(loop.getLoc());
  bringResidents(loop.getLoc());
  findTrips(loop);
  fillStages(loop, groups);
  builder.setInsertionPointToEnd(turns.getBody());
  endTurn(turns, getNumTrips(loop.getLoc()));
  blockIds = othersIds;
  tripsBefore = othersTrips;
  turn = othersTurn;
  state->firstTrip = othersFirst;
  state->numTrips = othersCount;
}

/// Finds the memory of what is loaded before a loop and is not needed behind
/// it. Where blocks stay, what leaves by way of shared memory goes through
/// that, unless the loader brings the tiles of the next turn there.
void ScheduledLaunchBuilder::findResidentTiles(block::ForOp loop) {
  bool isNeeded = residentStages != nullptr;
  for (Operation &op : *loop->getBlock())
    for (Value operand : op.getOperands())
      isNeeded |= loop->isBeforeInBlock(&op) &&
                  isa_and_nonnull<block::LoadOp>(operand.getDefiningOp());
  if (!isNeeded)
    state->residentEnd = bytes;
}
