//===- ScheduledDirectLoads.cpp - Tiles that need no shared memory --------===//
//
// Lets threads load what they need of a tile into their registers, where they
// would read it from shared memory once and no other thread does: of launches
// of elementwise operators and reductions, which begin with their loads.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/MemoryAccess.h"
#include "ScheduledLaunch.h"

using namespace mlir;
using namespace mirage;

/// Returns true if a buffer has bytes in common with other ones, which are
/// views of the same tile in another order or under another shape.
static bool hasViews(thread::SharedBufferOp buffer) {
  auto getBytes = [](thread::SharedBufferOp of) {
    auto type = cast<MemRefType>(of.getType());
    int64_t begin = of.getOffset(),
            size = thread::getMemoryLayout(type)->getExtent(
                       Shape(type.getShape())) *
                   type.getElementTypeBitWidth() / 8;
    return std::pair(begin, begin + size);
  };
  auto [begin, end] = getBytes(buffer);
  return llvm::any_of(
      buffer->getBlock()->getOps<thread::SharedBufferOp>(),
      [&, begin = begin, end = end](thread::SharedBufferOp other) {
        auto [from, to] = getBytes(other);
        return other != buffer && from < end && begin < to;
      });
}

/// Returns the one operation that reads what a copy brings to shared memory,
/// all of it, or null.
static thread::LoadFragmentOp findReader(thread::CopyOp copy) {
  auto buffer = copy.getTarget().getDefiningOp<thread::SharedBufferOp>();
  if (!buffer || hasViews(buffer))
    return {};
  thread::LoadFragmentOp reader;
  for (Operation *user : copy.getTarget().getUsers()) {
    if (user == copy)
      continue;
    if (reader || !isa<thread::LoadFragmentOp>(user))
      return {};
    reader = cast<thread::LoadFragmentOp>(user);
  }
  if (!reader || reader->getBlock() != copy->getBlock())
    return {};
  auto type = cast<RankedTensorType>(reader.getResult().getType());
  Shape whole(copy.getSizes());
  whole.insert(whole.begin(), 1);
  bool readsAll = type.getShape() == ArrayRef<int64_t>(whole) &&
                  llvm::all_of(reader.getOffsets(), [](Value offset) {
                    return getConstantIntValue(offset) == 0;
                  });
  return readsAll ? reader : thread::LoadFragmentOp();
}

/// Returns the bytes of a row that the lanes of a warp load together.
static int64_t getBytesTogether(const RegisterLayout &layout, ShapeRef shape,
                                const MemoryLayout &memory, int64_t bytes) {
  auto inner = static_cast<int64_t>(shape.size()) - 1;
  int64_t run = getVectorLength(layout, shape, memory, 16 / bytes);
  for (const LayoutMode &mode : layout.lanes)
    if (mode.dim == inner && mode.stride == run)
      run *= mode.size;
  return run * bytes;
}

/// Returns the layout in which threads load what an operation reads of a copy,
/// without the dimension that a tile of a kernel has in front; none where warps
/// would not load whole sectors, or several of them the same.
std::optional<RegisterLayout>
ScheduledLaunchBuilder::getDirectLayout(thread::CopyOp copy,
                                        thread::LoadFragmentOp reader) {
  // The cache moves sectors of so many bytes.
  constexpr int64_t sectorBytes = 32;
  auto type = cast<RankedTensorType>(reader.getResult().getType());
  Shape shape(copy.getSizes());
  std::optional<RegisterLayout> layout =
      getLayoutOf(reader.getResult()).reshape(Shape(type.getShape()), shape);
  auto source = cast<MemRefType>(copy.getSource().getType());
  std::optional<MemoryLayout> memory = thread::getMemoryLayout(source);
  if (!layout || !memory || source.getMemorySpace())
    return std::nullopt;
  int64_t bytes = type.getElementTypeBitWidth() / 8;
  int64_t row = shape.back() * bytes;
  // A tile that several warps need comes once to shared memory.
  bool isShared = llvm::any_of(layout->warps, [](const LayoutMode &mode) {
    return mode.isReplicated();
  });
  constexpr int64_t mostSharedBytes = 4096;
  if ((isShared && elementCount(shape) * bytes > mostSharedBytes) ||
      getBytesTogether(*layout, shape, memory->takeBack(shape.size()), bytes) <
          std::min(row, sectorBytes))
    return std::nullopt;
  return layout;
}

/// Replaces copies to shared memory by loads into the registers that would read
/// them from there, where the kernel has no loop and no product, and one
/// operation reads the tile.
void ScheduledLaunchBuilder::loadDirectly() {
  bool isStraight =
      !choice && !start &&
      !function
           .walk([](Operation *op) {
             return isa<scf::ForOp, thread::LoaderOp, thread::MmaFragmentOp,
                        thread::FmaFragmentOp, thread::WarpgroupMmaOp>(op)
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           })
           .wasInterrupted();
  if (!isStraight)
    return;
  struct Direct {
    block::LoadOp load;
    thread::CopyOp copy;
    thread::LoadFragmentOp reader;
    RegisterLayout layout;
  };
  SmallVector<Direct, 0> tiles;
  // A thread has as many registers for what is on its way.
  constexpr int64_t mostRegisters = 96;
  int64_t registers = 0;
  for (auto [load, copy] : firstCopies) {
    thread::LoadFragmentOp reader = findReader(copy);
    // Windows may begin before their tensor, where a copy writes zeros.
    auto argument = cast<BlockArgument>(load.getSource());
    if (!reader || copy.getExist() || !mayLoadDirectly(load) ||
        places[argument.getArgNumber()].windows)
      continue;
    std::optional<RegisterLayout> layout = getDirectLayout(copy, reader);
    if (!layout)
      continue;
    int64_t needed = llvm::divideCeil(
        layout->getNumRegisters() *
            cast<RankedTensorType>(reader.getResult().getType())
                .getElementTypeBitWidth(),
        32);
    if (registers + needed > mostRegisters)
      continue;
    registers += needed;
    tiles.push_back({load, copy, reader, *layout});
  }
  if (tiles.empty())
    return;
  // What is needed first comes last: an operator on a tile waits until that has
  // come, and what is asked for behind it would wait as well.
  llvm::sort(tiles, [](const Direct &a, const Direct &b) {
    return b.reader->isBeforeInBlock(a.reader);
  });
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfter(firstCopies.back().second);
  for (Direct &tile : tiles) {
    auto [load, copy, reader, layout] = tile;
    Location loc = copy.getLoc();
    auto type = cast<RankedTensorType>(reader.getResult().getType());
    Type element = type.getElementType();
    Value loaded = thread::LoadFragmentOp::create(
        builder, loc, getType(Shape(copy.getSizes()), element, layout),
        copy.getSource(), copy.getSourceOffsets(), DenseI64ArrayAttr(),
        copy.getClippedAttr());
    OpAttributes reshape;
    reshape.resultShape = Shape(type.getShape());
    reader.getResult().replaceAllUsesWith(
        createOperator(loc, OpKind::Reshape, reshape, loaded, element,
                       getLayoutOf(reader.getResult())));
  }
  for (Direct &tile : tiles) {
    Operation *buffer = tile.copy.getTarget().getDefiningOp();
    tile.reader.erase();
    tile.copy.erase();
    if (buffer->use_empty())
      eraseBuffer(buffer->getResult(0));
    for (auto &[of, way] : copyWays)
      if (of == tile.load)
        way = CopyWay::Direct;
  }
  eraseWaits();
  bool needsMemory =
      function
          .walk([](Operation *op) {
            return isa<thread::SharedBufferOp, thread::ClusterBufferOp,
                       thread::InboxOp>(op)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          })
          .wasInterrupted();
  if (!needsMemory)
    bytes = 0;
}

/// Erases the wait for copies and the barrier behind it where nothing was
/// copied or stored before.
void ScheduledLaunchBuilder::eraseWaits() {
  SmallVector<Operation *> waits;
  for (Operation &op : function.getBody().front()) {
    auto copy = dyn_cast<thread::CopyOp>(op);
    if ((copy && copy.getAsync()) || writesSharedMemory(&op))
      return;
    if (isa<thread::AsyncCommitOp, thread::AsyncWaitOp>(op))
      waits.push_back(&op);
    if (isa<gpu::BarrierOp, thread::BarrierOp>(op)) {
      waits.push_back(&op);
      break;
    }
  }
  for (Operation *op : waits)
    op->erase();
}
