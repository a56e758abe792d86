//===- MemoryTiles.cpp - Tiles of a launch in shared memory ---------------===//
//
// Prices the ways in which the tiles of a kernel may lie in shared memory, by
// the operations of the kernel that write and read them.
//
//===----------------------------------------------------------------------===//

#include "MemoryTiles.h"
#include "ScheduledValues.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace mirage;

void MemoryTile::keep(llvm::function_ref<bool(size_t)> isKept) {
  llvm::SmallBitVector kept(rows.size());
  for (size_t way = 0; way < rows.size(); ++way)
    kept[way] = way == 0 || isKept(way);
  auto filter = [&](auto &entries) {
    size_t next = 0;
    for (unsigned way : kept.set_bits())
      entries[next++] = entries[way];
    entries.resize(next);
  };
  filter(rows);
  filter(memories);
  filter(elements);
  filter(writing);
  for (Reader &reader : readers)
    filter(reader.clocks);
}

void MemoryTile::keepFirst() {
  keep([](size_t) { return false; });
}

void MemoryTile::keepSmall() {
  keep([&](size_t way) { return elements[way] <= elements.front(); });
}

/// Prices the ways of one tile.
class mirage::TilePricer {
public:
  TilePricer(kernel::LaunchOp launch, const LaunchSchedule &schedule,
             const TileInMemory &placed)
      : launch(launch), schedule(schedule), placed(placed),
        elementBytes(cast<RankedTensorType>(placed.request.value.getType())
                         .getElementTypeBitWidth() /
                     8) {}

  MemoryTile price();

private:
  /// How a buffer lies in each of the ways: the tile's, or a view of it.
  using Memories = SmallVector<MemoryLayout, 4>;
  std::optional<Memories> getMemories(Value buffer, const Memories &ofTile);
  bool addUse(Operation *user, Value buffer, const Memories &memories);
  void addLoad(thread::LoadFragmentOp load, const Memories &memories);
  void addCopy(thread::CopyOp copy, const Memories &memories);
  double getTrips(Operation *op) const;
  int64_t getWarps(Operation *op) const;
  void exclude(size_t way) { isLegal.reset(way); }
  StoredTile getTile(ShapeRef shape, const MemoryLayout &memory) const {
    return {Shape(shape), elementBytes, memory.takeBack(shape.size()),
            /*isDevice=*/false};
  }

  kernel::LaunchOp launch;
  const LaunchSchedule &schedule;
  const TileInMemory &placed;
  int64_t elementBytes;
  MemoryTile tile;
  llvm::SmallBitVector isLegal;
};

/// Returns how often a block executes an operation of the kernel. Loops whose
/// trips are not known have as many as that of the launch.
double TilePricer::getTrips(Operation *op) const {
  double trips = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>()) {
    std::optional<int64_t> from = getConstantIntValue(loop.getLowerBound()),
                           to = getConstantIntValue(loop.getUpperBound()),
                           step = getConstantIntValue(loop.getStep());
    if (from && to && step) {
      trips *= static_cast<double>(llvm::divideCeil(*to - *from, *step));
      continue;
    }
    int64_t extent = 1;
    for (auto around :
         kernel::LaunchOp(launch).getBody().getOps<block::ForOp>())
      extent = std::max<int64_t>(extent, around.getExtent());
    trips *=
        static_cast<double>(llvm::divideCeil(extent, schedule.getNumSharers()));
  }
  return trips;
}

int64_t TilePricer::getWarps(Operation *op) const {
  return op->getParentOfType<thread::LoaderOp>() ? schedule.loaderWarps
                                                 : schedule.getNumWarps();
}

/// Returns how a buffer lies, if it is the tile's or a transpose of it.
std::optional<TilePricer::Memories>
TilePricer::getMemories(Value buffer, const Memories &ofTile) {
  if (buffer == placed.buffers.front())
    return ofTile;
  auto whole = placed.buffers.front().getDefiningOp<thread::SharedBufferOp>(),
       view = buffer.getDefiningOp<thread::SharedBufferOp>();
  if (whole.getOffset() != view.getOffset() || ofTile.front().chunk)
    return std::nullopt;
  auto type = cast<MemRefType>(whole.getType()),
       viewType = cast<MemRefType>(view.getType());
  MemoryLayout from = *thread::getMemoryLayout(type),
               to = *thread::getMemoryLayout(viewType);
  size_t rank = from.strides.size();
  if (to.strides.size() != rank || to.chunk)
    return std::nullopt;
  SmallVector<size_t> order;
  for (size_t dim = 0; dim < rank; ++dim) {
    size_t source = 0;
    while (source < rank &&
           (llvm::is_contained(order, source) ||
            from.strides[source] != to.strides[dim] ||
            type.getDimSize(source) != viewType.getDimSize(dim)))
      ++source;
    if (source == rank)
      return std::nullopt;
    order.push_back(source);
  }
  Memories memories;
  for (auto [way, memory] : llvm::enumerate(ofTile)) {
    memories.push_back(memory);
    // Other strides cannot cut rows into chunks.
    if (memory.chunk)
      exclude(way);
    for (auto [dim, source] : llvm::enumerate(order))
      memories.back().strides[dim] = memory.strides[source];
  }
  return memories;
}

void TilePricer::addLoad(thread::LoadFragmentOp load,
                         const Memories &memories) {
  auto type = cast<RankedTensorType>(load.getResult().getType());
  Shape shape(type.getShape());
  const RegisterLayout &layout = getLayoutOf(load.getResult());
  LayoutCosts costs(getWarps(load));
  double trips = getTrips(load);
  auto isMatrix = [&](const MemoryLayout &memory) {
    return elementBytes == 2 &&
           isMatrixFragment(layout, shape, memory.takeBack(shape.size()));
  };
  MemoryTile::Reader reader{layout, shape, {}};
  for (auto [way, memory] : llvm::enumerate(memories)) {
    StoredTile from = getTile(shape, memory);
    reader.clocks.push_back(trips * costs.getLoad(from, layout));
    if (way == 0)
      continue;
    // A part of a row lies in one chunk or in whole ones.
    std::optional<int64_t> begin =
        getConstantIntValue(load.getOffsets().back());
    bool isInChunks = !memory.chunk ||
                      (from.memory.isAdditive(layout, shape.size()) && begin &&
                       (*begin % memory.chunk == 0 ||
                        *begin % memory.chunk + shape.back() <= memory.chunk));
    if (!isInChunks || isMatrix(memory) != isMatrix(memories.front()))
      exclude(way);
  }
  tile.readers.push_back(std::move(reader));
}

void TilePricer::addCopy(thread::CopyOp copy, const Memories &memories) {
  Shape sizes(copy.getSizes());
  auto source = cast<MemRefType>(copy.getSource().getType());
  auto target = cast<MemRefType>(copy.getTarget().getType());
  MemoryLayout from = *thread::getMemoryLayout(source);
  int64_t warps = getWarps(copy);
  auto getCopy = [&](const MemoryLayout &memory) {
    return getBoxCopy(sizes, {Shape(source.getShape()), from},
                      {Shape(target.getShape()), memory}, elementBytes,
                      warps * RegisterLayout::kWarpSize, copy.getAsync(),
                      copy.getSourceBox().getRunUnit());
  };
  bool hasLayout = getCopy(memories.front()).layout.has_value();
  StoredTile read{sizes, elementBytes, from.takeBack(sizes.size()),
                  /*isDevice=*/true};
  for (auto [way, memory] : llvm::enumerate(memories)) {
    BoxCopy by = getCopy(memory);
    if (by.layout.has_value() != hasLayout)
      exclude(way);
    // Other threads go through the accesses one after the other.
    RegisterLayout layout =
        by.layout ? *by.layout : getVectorLayout(sizes, warps, by.length);
    tile.writing[way] +=
        getTrips(copy) * LayoutCosts(warps).getCopy(
                             read, getTile(sizes, memory), layout, by.length);
  }
}

/// Adds what an operation costs that uses a buffer. Returns false if it binds
/// the tile to the way in which it lies.
bool TilePricer::addUse(Operation *user, Value buffer,
                        const Memories &memories) {
  if (auto load = dyn_cast<thread::LoadFragmentOp>(user)) {
    addLoad(load, memories);
    return true;
  }
  if (auto copy = dyn_cast<thread::CopyOp>(user);
      copy && copy.getTarget() == buffer) {
    addCopy(copy, memories);
    return true;
  }
  if (auto store = dyn_cast<thread::StoreFragmentOp>(user)) {
    LayoutCosts costs(getWarps(store));
    Shape shape(cast<RankedTensorType>(store.getValue().getType()).getShape());
    const RegisterLayout &layout = getLayoutOf(store.getValue());
    for (auto [way, memory] : llvm::enumerate(memories)) {
      StoredTile to = getTile(shape, memory);
      if (memory.chunk && !to.memory.isAdditive(layout, shape.size()))
        exclude(way);
      tile.writing[way] += getTrips(store) * costs.getAccess(to, layout);
    }
    return true;
  }
  if (auto copy = dyn_cast<thread::BulkCopyOp>(user)) {
    for (auto [way, memory] : llvm::enumerate(memories)) {
      if (!memory.chunk) {
        exclude(way);
        continue;
      }
      tile.writing[way] +=
          getTrips(copy) *
          LayoutCosts::getBulkCopy(getTile(Shape(copy.getSizes()), memory));
    }
    return true;
  }
  return false;
}

MemoryTile TilePricer::price() {
  tile.value = placed.request.value;
  tile.rows = listRowLayouts(placed.rows, placed.shape, elementBytes,
                             placed.request.steps);
  Memories ofTile;
  for (const RowLayout &rows : tile.rows) {
    PlacedRows way = placeRows(rows, placed.shape, placed.request.rowDims,
                               placed.request.steps);
    ofTile.push_back(way.memory);
    tile.elements.push_back(way.elements);
  }
  auto type = cast<RankedTensorType>(tile.value.getType());
  // A tile has the groups' dimension in front.
  for (const MemoryLayout &memory : ofTile)
    tile.memories.push_back(memory.takeBack(type.getRank() + 1));
  tile.writing.resize(tile.rows.size(), 0);
  isLegal.resize(tile.rows.size(), true);
  // An attribute stands at a load or an operator, and at no loop.
  Operation *definition = tile.value.getDefiningOp();
  bool isBound =
      placed.request.wanted ||
      !isa_and_nonnull<block::LoadOp, ComputeOpInterface>(definition);
  for (Value buffer : placed.buffers) {
    std::optional<Memories> memories = getMemories(buffer, ofTile);
    if (!memories) {
      isBound = true;
      continue;
    }
    for (Operation *user : buffer.getUsers())
      isBound |= !addUse(user, buffer, *memories);
  }
  tile.keep([&](size_t way) { return !isBound && isLegal.test(way); });
  return std::move(tile);
}

SmallVector<MemoryTile, 0>
mirage::findMemoryTiles(kernel::LaunchOp launch, const LaunchSchedule &schedule,
                        const TrialKernel &kernel) {
  SmallVector<MemoryTile, 0> tiles;
  for (const TileInMemory &placed : kernel.shape->placedTiles) {
    MemoryTile tile = TilePricer(launch, schedule, placed).price();
    // Loads that share what stays in memory have one attribute each.
    if (schedule.keepsTiles)
      tile.keepFirst();
    // A value may lie in several places: one attribute stands for all of them.
    auto *same = llvm::find_if(tiles, [&](const MemoryTile &other) {
      return other.value == tile.value;
    });
    if (same == tiles.end()) {
      tiles.push_back(std::move(tile));
      continue;
    }
    same->keepFirst();
  }
  return tiles;
}
