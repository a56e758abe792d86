//===- ScheduledUnaligned.cpp - Tiles whose rows begin anywhere -----------===//
//
// Brings tiles to shared memory that asynchronous copies could only move
// element by element, since their rows begin at any element. Threads load them
// into registers, in runs of sixteen bytes that are put together of aligned
// words, and store them. In a loop the words are on their way while an
// iteration computes.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

/// Returns the registers that a thread needs for words on their way: until they
/// are put together, runs have twice as many bytes.
static int64_t countRegisters(const RegisterLayout &layout,
                              int64_t elementBytes) {
  return layout.getNumRegisters() * elementBytes * 2 / 4;
}

/// Returns how a tile comes by way of registers, if its rows are not aligned
/// and the threads have whole runs of it. Otherwise it is copied.
std::optional<ScheduledLaunchBuilder::Parts>
ScheduledLaunchBuilder::getParts(block::LoadOp load, Value buffer,
                                 int64_t warps) {
  size_t number = cast<BlockArgument>(load.getSource()).getArgNumber();
  auto source = cast<MemRefType>(parameters[number].getType());
  auto target = cast<MemRefType>(buffer.getType());
  auto tile = cast<RankedTensorType>(load.getResult().getType());
  Shape stored = getStoredShape(load);
  DenseI64ArrayAttr clipped =
      getClipped(number, cast<RankedTensorType>(load.getSource().getType()));
  thread::SourceBox box{source, {}, stored, tile.getShape(), {}};
  if (clipped)
    box.clipped = clipped.asArrayRef();
  int64_t elementBytes = tile.getElementTypeBitWidth() / 8;
  MemoryLayout memory = *thread::getMemoryLayout(source);
  // Asynchronous copies move four bytes and more.
  BoxCopy copy = getBoxCopy(
      stored, {source.getShape(), memory},
      {target.getShape(), *thread::getMemoryLayout(target)}, elementBytes,
      warps * RegisterLayout::kWarpSize, /*async=*/true, box.getRunUnit());
  if (copy.length * elementBytes >= 4)
    return std::nullopt;

  // The tile is cut along its largest dimension that no zeros are added to.
  Parts parts;
  parts.warps = warps;
  for (size_t dim = 0; dim + 1 < stored.size(); ++dim)
    if (tile.getDimSize(dim) == stored[dim] &&
        (tile.getDimSize(parts.dim) != stored[parts.dim] ||
         stored[dim] > stored[parts.dim]))
      parts.dim = dim;
  bool mayCut = parts.dim + 1 < stored.size() &&
                tile.getDimSize(parts.dim) == stored[parts.dim];
  Shape part = stored;
  auto getLayout = [&](int64_t size) {
    part[parts.dim] = size;
    return getSpreadVectorLayout(part, warps, 16 / elementBytes);
  };
  auto count = [&](int64_t size) {
    return countRegisters(getLayout(size), elementBytes);
  };
  constexpr int64_t enoughRegisters = 64;
  parts.size = stored[parts.dim];
  while (mayCut && count(parts.size) > enoughRegisters) {
    int64_t half = llvm::divideCeil(parts.size, 2);
    if (count(half) >= count(parts.size))
      break;
    parts.size = half;
  }
  parts.registersOfPart = count(parts.size);
  parts.registers =
      parts.registersOfPart * llvm::divideCeil(stored[parts.dim], parts.size);
  // A code of many runs would be long, and a thread has so many registers.
  constexpr int64_t mostRuns = 128, registersOfRun = 8;
  constexpr int64_t mostRegistersOfPart = 160;
  if (parts.registersOfPart > mostRegistersOfPart ||
      parts.registers > mostRuns * registersOfRun ||
      !comesInUnalignedRuns(getLayout(parts.size), part, memory, elementBytes,
                            box.getRunUnit()))
    return std::nullopt;
  return parts;
}

/// Begins to load the parts of a tile. Those that a thread has no registers for
/// are stored before.
void ScheduledLaunchBuilder::loadInParts(const Transfer &transfer,
                                         const Parts &parts) {
  Location loc = transfer.loc;
  IndexSystem system{builder, loc};
  Type element = cast<MemRefType>(transfer.source.getType()).getElementType();
  auto advance = [&](ArrayRef<Value> offsets, int64_t begin) {
    SmallVector<Value> moved(offsets);
    Value &offset = moved[moved.size() - transfer.sizes.size() + parts.dim];
    if (begin > 0)
      offset = system.add(offset, system.index(begin));
    return moved;
  };
  int64_t whole = transfer.sizes[parts.dim];
  for (int64_t begin = 0; begin < whole; begin += parts.size) {
    Shape sizes = transfer.sizes;
    sizes[parts.dim] = std::min(parts.size, whole - begin);
    DenseI64ArrayAttr exist;
    if (transfer.exist) {
      Shape existing(transfer.exist.asArrayRef());
      existing[parts.dim] = std::min(existing[parts.dim], sizes[parts.dim]);
      exist = builder.getDenseI64ArrayAttr(existing);
    }
    int64_t registers = parts.registersOfPart;
    for (const PassingTile &tile : passingTiles)
      registers += tile.registers;
    if (registers > mostPassingRegisters)
      storePassingTiles();
    RegisterLayout layout = getSpreadVectorLayout(
        sizes, parts.warps, 128 / element.getIntOrFloatBitWidth());
    Value fragment = thread::LoadFragmentOp::create(
        builder, loc, getType(sizes, element, layout), transfer.source,
        advance(transfer.sourceOffsets, begin), exist, transfer.clipped);
    passingTiles.push_back({fragment, transfer.target,
                            advance(transfer.targetOffsets, begin),
                            parts.registersOfPart});
  }
}

/// Stores the tiles that are on their way through registers.
void ScheduledLaunchBuilder::storePassingTiles() {
  for (const PassingTile &tile : passingTiles)
    thread::StoreFragmentOp::create(builder, tile.fragment.getLoc(),
                                    tile.fragment, tile.buffer, tile.offsets);
  passingTiles.clear();
}

bool ScheduledLaunchBuilder::hasPassage(Passage passage) const {
  return llvm::any_of(
      state->rings, [&](const Ring &ring) { return ring.passage == passage; });
}

/// Lets tiles of the present loop whose rows are not aligned come by way of
/// registers: before an iteration computes as many as a thread has registers
/// for, the others after it. Warps that only load compute nothing meanwhile.
void ScheduledLaunchBuilder::choosePassages() {
  int64_t warps = loader ? schedule.loaderWarps : schedule.getNumWarps();
  int64_t registers = loader ? mostPassingRegisters : 0;
  for (Ring &ring : state->rings) {
    ring.parts = getParts(ring.load, ring.buffer, warps);
    if (!ring.parts)
      continue;
    int64_t more = ring.parts->registers * schedule.loopGroups;
    bool isEarly = registers + more <= mostPassingRegisters;
    ring.passage = isEarly ? Passage::LoadedEarly : Passage::LoadedLate;
    if (isEarly)
      registers += more;
  }
}

/// Puts the tiles of a later trip into its stage that come by way of registers.
/// All have read the stage: a barrier has passed since.
void ScheduledLaunchBuilder::finishAhead(block::ForOp loop) {
  if (!hasPassage(Passage::LoadedEarly) && !hasPassage(Passage::LoadedLate))
    return;
  OpBuilder::InsertionGuard inner(builder);
  auto guarded =
      scf::IfOp::create(builder, loop.getLoc(), state->ahead.exists, false);
  builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  storePassingTiles();
  issueStage(loop, Passage::LoadedLate, state->ahead.stage, state->ahead.trip);
  storePassingTiles();
}
