//===- KernelMemory.cpp - Memory operations of a block --------------------===//
//
// Copies, fills, accumulators in memory, and tiles between memory and
// registers.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "Mirage/Schedule/MemoryAccess.h"
#include "Mirage/Semantics/Accumulate.h"
#include "Mirage/Semantics/Arithmetic.h"

using namespace mlir;
using namespace mirage;

const TileAccess &KernelBlock::getAccess(Operation *op, Value memory,
                                         const TileType &type) {
  auto [found, isNew] = launch.accesses.try_emplace({op, memory});
  const MemoryView &view = views[memory];
  if (isNew) {
    found->second =
        TileAccess(type, view, getNumThreads(),
                   !isa<thread::StoreFragmentOp>(op) && view.memory == &shared);
    auto load = dyn_cast<thread::LoadFragmentOp>(op);
    if (load && load.comesInWords())
      found->second.alignment = 1;
  }
  return found->second;
}

/// Returns the position in its memory's view of the first element of a box,
/// whose sizes are those of the last dimensions. Of these, so many elements
/// before the first that is there are `missing`, or none.
FailureOr<int64_t> KernelBlock::getBoxStart(Operation *op, Value memory,
                                            ValueRange offsets, ShapeRef sizes,
                                            ShapeRef missing) {
  const MemoryView &view = views[memory];
  size_t leading = view.shape.size() - sizes.size();
  int64_t start = 0;
  for (auto [dim, value] : llvm::enumerate(offsets)) {
    FailureOr<int64_t> offset = getIndex(op, value);
    if (failed(offset))
      return failure();
    int64_t size = dim < leading ? 1 : sizes[dim - leading];
    int64_t before =
        dim < leading || missing.empty() ? 0 : missing[dim - leading];
    if (*offset + before < 0 || *offset + size > view.shape[dim])
      return error(op) << "accesses " << size << " elements from index "
                       << *offset << " on along dimension " << dim << " of "
                       << memory.getType();
    int64_t chunk = view.layout.chunk;
    if (chunk && dim + 1 == view.shape.size() && *offset % chunk &&
        *offset % chunk + size > chunk)
      return error(op) << "accesses a box that begins at index " << *offset
                       << " and ends in another chunk of " << memory.getType();
    start += view.layout.getDistance(dim, *offset);
  }
  return start;
}

FailureOr<double> KernelBlock::readElement(Operation *op,
                                           const MemoryView &view,
                                           int64_t index, uint32_t thread) {
  unsigned size = byteSize(view.element);
  std::array<char, 8> bytes;
  if (!view.memory->read(view.getByte(index), size,
                         {thread, launch.getSite(op)}, bytes.data()))
    return fault(op, *view.memory);
  return runtime::decode(view.element, ArrayRef(bytes).take_front(size))
      .front();
}

LogicalResult KernelBlock::writeElement(Operation *op, const MemoryView &view,
                                        int64_t index, double value,
                                        uint32_t thread) {
  if (!view.memory->write(view.getByte(index),
                          runtime::encode(view.element, value),
                          {thread, launch.getSite(op)}))
    return fault(op, *view.memory);
  return success();
}

//===----------------------------------------------------------------------===//
// Whole buffers
//===----------------------------------------------------------------------===//

LogicalResult KernelBlock::run(thread::SharedBufferOp op) {
  auto type = cast<MemRefType>(op.getResult().getType());
  FailureOr<MemoryView> view = makeView(op, type, &shared, op.getOffset());
  if (failed(view))
    return failure();
  int64_t end = view->firstByte +
                view->layout.getExtent(view->shape) * byteSize(view->element);
  if (end > shared.size())
    return error(op) << "reaches to byte " << end
                     << " of shared memory; the kernel is launched with "
                     << shared.size();
  views[op.getResult()] = *view;
  return success();
}

LogicalResult KernelBlock::run(thread::ClusterBufferOp op) {
  auto type = cast<MemRefType>(op.getResult().getType());
  const MemoryView &own = views[op.getBuffer()];
  FailureOr<MemoryView> view = makeView(op, type, nullptr, own.firstByte);
  if (failed(view))
    return failure();
  if (type.getDimSize(0) != static_cast<int64_t>(cluster.size()))
    return error(op) << "is of " << type.getDimSize(0)
                     << " blocks; the kernel is launched with clusters of "
                     << launch.clusterBlocks;
  view->ofCluster = cluster;
  views[op.getResult()] = *view;
  return success();
}

LogicalResult KernelBlock::run(thread::SelectBufferOp op) {
  FailureOr<int64_t> number = getIndex(op, op.getNumber());
  if (failed(number))
    return failure();
  auto count = static_cast<int64_t>(op.getBuffers().size());
  if (*number < 0 || *number >= count)
    return error(op) << "selects number " << *number << " of " << count
                     << " buffers";
  MemoryView view = views[op.getBuffers()[*number]];
  views[op.getResult()] = view;
  return success();
}

LogicalResult KernelBlock::run(memref::ReinterpretCastOp op) {
  FailureOr<MemoryView> view = castView(op, views[op.getSource()]);
  if (failed(view))
    return failure();
  views[op.getResult()] = *view;
  return success();
}

LogicalResult KernelBlock::run(memref::GetGlobalOp op) {
  views[op.getResult()] = launch.constants.lookup(op.getNameAttr());
  return success();
}

/// Calls body(at) with the indices of each element of a box.
template <typename Body>
static LogicalResult forElements(ShapeRef sizes, Body body) {
  Shape at(sizes.size(), 0);
  while (true) {
    if (failed(body(ShapeRef(at))))
      return failure();
    size_t dim = sizes.size();
    while (dim > 0 && ++at[dim - 1] == sizes[dim - 1])
      at[--dim] = 0;
    if (dim == 0)
      return success();
  }
}

/// Calls body(from, to) with the positions of each row of a box, relative to
/// its first element. Rows whose index `isBeyond` are left out.
template <typename Body>
static LogicalResult
forRows(ShapeRef sizes, ShapeRef from, ShapeRef to, Body body,
        llvm::function_ref<bool(ShapeRef)> isBeyond = nullptr) {
  return forElements(sizes, [&](ShapeRef at) -> LogicalResult {
    if (isBeyond && isBeyond(at))
      return success();
    int64_t source = 0, target = 0;
    for (size_t dim = 0; dim < sizes.size(); ++dim) {
      source += at[dim] * from[dim];
      target += at[dim] * to[dim];
    }
    return body(source, target);
  });
}

/// A box that is copied, with the strides of both memories. Where one is
/// chunked, the chunks are a dimension.
struct CopiedBox {
  Shape sizes, from, to;
  /// The elements of a row, and how many of them a step along each of the last
  /// dimensions passes, of which there are several where rows are divided.
  int64_t width;
  Shape steps = {1};

  CopiedBox(ArrayRef<int64_t> sizes, const MemoryLayout &source,
            const MemoryLayout &target)
      : sizes(sizes), from(ShapeRef(source.strides).take_back(sizes.size())),
        to(ShapeRef(target.strides).take_back(sizes.size())),
        width(sizes.empty() ? 1 : sizes.back()) {
    auto divide = [&](int64_t size, int64_t fromStride, int64_t toStride) {
      this->sizes.back() =
          static_cast<int64_t>(llvm::divideCeil(this->sizes.back(), size));
      this->sizes.push_back(size);
      steps.back() *= size;
      steps.push_back(1);
      from.back() = fromStride;
      to.back() = toStride;
      from.push_back(1);
      to.push_back(1);
    };
    // Boxes begin at chunks.
    if (int64_t chunk = std::max(source.chunk, target.chunk))
      divide(chunk, source.chunk ? source.chunkStride : chunk,
             target.chunk ? target.chunkStride : chunk);
    if (source.swizzled || target.swizzled)
      divide(MemoryLayout::piece, MemoryLayout::piece, MemoryLayout::piece);
  }

  /// Calls body(from, to) with the positions of each row, or part of a row.
  template <typename Body> LogicalResult forRows(Body body) const {
    return ::forRows(sizes, from, to, body, [&](ShapeRef at) {
      // Elements of the last chunk may be none of the box.
      int64_t column = 0;
      for (auto [index, step] :
           llvm::zip(llvm::reverse(at), llvm::reverse(steps)))
        column += index * step;
      return column >= width;
    });
  }
};

/// Checks that an access to `length` elements begins where the instruction can.
LogicalResult KernelBlock::checkAlignment(Operation *op, const MemoryView &view,
                                          int64_t index, int64_t length) {
  int64_t bytes = length * byteSize(view.element);
  int64_t byte = view.getByte(index);
  if (byte % bytes == 0)
    return success();
  return error(op) << "moves " << bytes << " bytes at a time from byte " << byte
                   << " on, which is no multiple of that";
}

/// Checks the first element of each row of a box that is copied.
LogicalResult KernelBlock::checkCopy(thread::CopyOp op, int64_t from,
                                     int64_t to) {
  const MemoryView &source = views[op.getSource()];
  const MemoryView &target = views[op.getTarget()];
  BoxCopy copy = getBoxCopy(op.getSizes(), {source.shape, source.layout},
                            {target.shape, target.layout},
                            byteSize(source.element), getNumThreads(),
                            op.getAsync(), op.getSourceBox().getRunUnit());
  if (copy.length == 1)
    return success();
  CopiedBox box(op.getSizes(), source.layout, target.layout);
  box.sizes.back() = 1;
  return box.forRows([&](int64_t fromRow, int64_t toRow) {
    if (failed(checkAlignment(op, source, from + fromRow, copy.length)))
      return failure();
    return checkAlignment(op, target, to + toRow, copy.length);
  });
}

FailureOr<Shape> KernelBlock::getExistingSizes(Operation *op,
                                               const thread::SourceBox &box) {
  Shape existing(box.existing);
  for (auto [dim, size] : llvm::enumerate(existing)) {
    if (!box.clips(dim))
      continue;
    size_t memoryDim = box.getLeading() + dim;
    FailureOr<int64_t> offset = getIndex(op, box.offsets[memoryDim]);
    if (failed(offset))
      return failure();
    size = std::clamp<int64_t>(box.memory.getDimSize(memoryDim) - *offset, 0,
                               size);
  }
  return existing;
}

/// Returns how many elements of a box, along each dimension, stand before the
/// beginning of the memory, where that is clipped.
FailureOr<Shape> KernelBlock::getMissingSizes(Operation *op,
                                              const thread::SourceBox &box) {
  Shape missing(box.sizes.size(), 0);
  for (auto [dim, count] : llvm::enumerate(missing)) {
    if (!box.clips(dim))
      continue;
    FailureOr<int64_t> offset =
        getIndex(op, box.offsets[box.getLeading() + dim]);
    if (failed(offset))
      return failure();
    count = std::max<int64_t>(-*offset, 0);
  }
  return missing;
}

LogicalResult KernelBlock::run(thread::CopyOp op) {
  thread::SourceBox sourceBox = op.getSourceBox();
  FailureOr<Shape> sizes = getExistingSizes(op, sourceBox),
                   before = getMissingSizes(op, sourceBox);
  if (failed(sizes) || failed(before))
    return failure();
  const Shape &existing = *sizes, &missing = *before;
  FailureOr<int64_t> from = 0;
  if (llvm::all_of(llvm::zip(missing, existing), [](auto entry) {
        return std::get<0>(entry) < std::get<1>(entry);
      }))
    from = getBoxStart(op, op.getSource(), op.getSourceOffsets(), existing,
                       missing);
  FailureOr<int64_t> to =
      getBoxStart(op, op.getTarget(), op.getTargetOffsets(), op.getSizes());
  if (failed(from) || failed(to))
    return failure();
  if (failed(checkCopy(op, *from, *to)))
    return failure();
  const MemoryView &source = views[op.getSource()];
  const MemoryView &target = views[op.getTarget()];
  for (const MemoryView *view : {&source, &target})
    if (view->layout.chunk && op.getSizes().back() % MemoryLayout::piece)
      return error(op) << "copies rows of " << op.getSizes().back()
                       << " elements, of which chunks have "
                       << MemoryLayout::piece << " at a time";
  CopiedBox box(op.getSizes(), source.layout, target.layout);
  // Rows whose elements are neighbours on both sides move at once.
  int64_t length = 1;
  if (!sourceBox.isPadded() && !box.sizes.empty() && box.from.back() == 1 &&
      box.to.back() == 1)
    length = std::exchange(box.sizes.back(), 1);
  unsigned bytes = length * byteSize(source.element);
  Accessor who{Accessor::kTogether, launch.getSite(op)};
  who.isLoader = isLoading;
  auto write = [&](int64_t toRow, std::vector<char> row) -> LogicalResult {
    int64_t byte = target.getByte(*to + toRow);
    if (!op.getAsync()) {
      if (!target.memory->write(byte, row, who))
        return fault(op, *target.memory);
      return success();
    }
    if (!target.memory->beginCopy(byte, bytes, who))
      return fault(op, *target.memory);
    (isLoading ? loaderCopies : copies)
        .open.push_back({target.memory, byte, std::move(row), who});
    return success();
  };
  auto copy = [&](int64_t fromRow, int64_t toRow) -> LogicalResult {
    std::vector<char> row(bytes);
    if (!source.memory->read(source.getByte(*from + fromRow), bytes, who,
                             row.data()))
      return fault(op, *source.memory);
    return write(toRow, std::move(row));
  };
  if (!sourceBox.isPadded())
    return box.forRows(copy);
  return forElements(op.getSizes(), [&](ShapeRef at) {
    size_t rank = at.size();
    MemoryLayout fromLayout = source.layout.takeBack(rank),
                 toLayout = target.layout.takeBack(rank);
    int64_t fromElement = 0, toElement = 0;
    bool exists = true;
    for (size_t dim = 0; dim < rank; ++dim) {
      fromElement += fromLayout.getDistance(dim, at[dim]);
      toElement += toLayout.getDistance(dim, at[dim]);
      exists &= at[dim] >= missing[dim] && at[dim] < existing[dim];
    }
    return exists ? copy(fromElement, toElement)
                  : write(toElement, std::vector<char>(bytes, 0));
  });
}

void KernelBlock::commitCopies() {
  CopyGroups &groups = isLoading ? loaderCopies : copies;
  groups.committed.push_back(std::exchange(groups.open, {}));
}

void KernelBlock::awaitCopies(int64_t pending) {
  CopyGroups &groups = isLoading ? loaderCopies : copies;
  while (static_cast<int64_t>(groups.committed.size()) > pending) {
    // Which thread copied a byte is not known: a barrier makes it visible.
    for (const PendingCopy &copy : groups.committed.front())
      copy.memory->endCopy(copy.byte, copy.bytes, copy.who);
    groups.committed.pop_front();
  }
}

LogicalResult KernelBlock::run(thread::FillOp op) {
  const MemoryView &view = views[op.getTarget()];
  double value = op.getValue().convertToDouble();
  int64_t number = 0;
  return forRows(view.shape, view.layout.strides, view.layout.strides,
                 [&](int64_t index, int64_t) {
                   return writeElement(op, view, index, value,
                                       number++ % launch.threads);
                 });
}

/// Returns the strides with which a view is read by the indices of a larger
/// one: dimensions of size one stay where they are.
static Shape getBroadcastStrides(const MemoryView &view) {
  Shape strides = view.layout.strides;
  for (auto [stride, size] : llvm::zip(strides, view.shape))
    if (size == 1)
      stride = 0;
  return strides;
}

template <typename T>
static double accumulate(AccumulateKind kind, double total, double value,
                         double shift, double running) {
  Arithmetic<T> s;
  T a = static_cast<T>(total), b = static_cast<T>(value);
  switch (kind) {
  case AccumulateKind::Sum:
    return s.add(a, b);
  case AccumulateKind::Max:
    return s.max(a, b);
  case AccumulateKind::RescaledSum:
    return addRescaled(
        a, b, getRescaling(static_cast<T>(running), static_cast<T>(shift), s),
        s);
  case AccumulateKind::Concat:
    break;
  }
  llvm_unreachable("refused by the verifier");
}

LogicalResult KernelBlock::run(thread::AccumulateOp op) {
  const MemoryView &target = views[op.getTarget()];
  const MemoryView &value = views[op.getValue()];
  Shape shiftStrides(target.shape.size(), 0);
  if (op.getShift())
    shiftStrides = getBroadcastStrides(views[op.getShift()]);
  int64_t number = 0;
  auto step = [&](int64_t to, int64_t from) -> LogicalResult {
    uint32_t thread = number % launch.threads;
    Shape at(target.shape.size());
    int64_t linear = number++, shiftIndex = 0;
    for (size_t dim = at.size(); dim-- > 0; linear /= target.shape[dim])
      shiftIndex += linear % target.shape[dim] * shiftStrides[dim];
    FailureOr<double> total = readElement(op, target, to, thread);
    FailureOr<double> term = readElement(op, value, from, thread);
    FailureOr<double> shift = 0.0, running = 0.0;
    if (op.getShift()) {
      shift = readElement(op, views[op.getShift()], shiftIndex, thread);
      running = readElement(op, views[op.getRunning()], shiftIndex, thread);
    }
    if (failed(total) || failed(term) || failed(shift) || failed(running))
      return failure();
    double result =
        target.element == ElementType::f64
            ? accumulate<double>(op.getKind(), *total, *term, *shift, *running)
            : accumulate<float>(op.getKind(), *total, *term, *shift, *running);
    return writeElement(op, target, to, result, thread);
  };
  return forRows(target.shape, target.layout.strides, value.layout.strides,
                 step);
}

//===----------------------------------------------------------------------===//
// Tiles in registers
//===----------------------------------------------------------------------===//

/// Says whether thread t's register r has an element that is there, at t *
/// registers + r; empty where all of the tile is.
static std::vector<bool> getPresence(const TileType &type, ShapeRef existing,
                                     int64_t threads) {
  if (existing == ShapeRef(type.shape))
    return {};
  size_t rank = type.shape.size();
  std::vector<int64_t> places = getThreadPlaces(type.layout, rank, threads);
  int64_t registers = type.layout.getNumRegisters();
  std::vector<bool> isThere(threads * registers, true);
  for (int64_t number = 0; number < registers; ++number) {
    Shape offsets = type.layout.getOffsets(number, rank);
    for (int64_t thread = 0; thread < threads; ++thread)
      for (size_t dim = 0; dim < rank; ++dim)
        if (places[thread * rank + dim] + offsets[dim] >= existing[dim])
          isThere[thread * registers + number] = false;
  }
  return isThere;
}

FailureOr<RegisterTile> KernelBlock::loadTile(Operation *op, Value memory,
                                              ValueRange offsets,
                                              const TileType &type,
                                              ShapeRef existing) {
  FailureOr<int64_t> start = 0;
  if (elementCount(existing) > 0)
    start = getBoxStart(op, memory, offsets, existing);
  if (failed(start))
    return failure();
  const MemoryView &view = views[memory];
  const TileAccess &access = getAccess(op, memory, type);
  std::vector<bool> isThere = getPresence(type, existing, getNumThreads());
  if (failed(checkAlignment(op, view, *start, access.alignment)))
    return failure();
  if (!view.ofCluster.empty())
    remoteLoad = op;
  RegisterTile tile(type, getNumThreads());
  // The lanes of a warp load together, by ldmatrix. What lies beyond the tile
  // stays poisoned.
  Accessor who{Accessor::kTogether, launch.getSite(op)};
  who.isLoader = isLoading;
  unsigned size = byteSize(view.element);
  std::vector<char> bytes(tile.values.size() * size, '\xff');
  for (int64_t thread = 0, i = 0; thread < getNumThreads(); ++thread) {
    who.warps = uint32_t(1) << thread / RegisterLayout::kWarpSize;
    if (isLoading && !access.loadsTogether)
      who.thread = thread;
    for (int64_t offset : access.registerOffsets) {
      int64_t index = *start + (access.offsets.empty()
                                    ? access.threadOffsets[thread] + offset
                                    : access.offsets[i]);
      if (!isThere.empty() && !isThere[i])
        std::fill_n(bytes.begin() + i * size, size, '\0');
      else if ((access.isInside.empty() || access.isInside[i]) &&
               !view.getMemory(index).read(view.getByte(index), size, who,
                                           bytes.data() + i * size))
        return fault(op, view.getMemory(index));
      ++i;
    }
  }
  tile.values = runtime::decode(view.element, bytes);
  return tile;
}

LogicalResult KernelBlock::run(thread::LoadFragmentOp op) {
  FailureOr<TileType> type = getTileType(op, op.getResult().getType());
  FailureOr<Shape> existing = getExistingSizes(op, op.getSourceBox());
  if (failed(type) || failed(existing))
    return failure();
  FailureOr<RegisterTile> tile =
      loadTile(op, op.getSource(), op.getOffsets(), *type, *existing);
  if (failed(tile))
    return failure();
  return setTile(op, op.getResult(), std::move(*tile), std::nullopt);
}

LogicalResult
KernelBlock::storeTile(Operation *op, Value value, Value memory,
                       ValueRange offsets, ShapeRef kept, int64_t length,
                       llvm::function_ref<void(CheckedMemory &)> note) {
  std::shared_ptr<const RegisterTile> tile = tiles.lookup(value);
  const MemoryView &view = views[memory];
  FailureOr<int64_t> start = getBoxStart(op, memory, offsets, kept);
  if (failed(start))
    return failure();
  const TileAccess &access = getAccess(op, memory, tile->type);
  if (failed(
          checkAlignment(op, view, *start, std::min(access.alignment, length))))
    return failure();
  std::vector<bool> isKept = getPresence(tile->type, kept, getNumThreads());
  unsigned size = byteSize(view.element);
  std::vector<char> bytes = runtime::encode(view.element, tile->values);
  for (int64_t thread = 0, i = 0; thread < getNumThreads(); ++thread) {
    Accessor who{static_cast<uint32_t>(thread), launch.getSite(op)};
    who.isLoader = isLoading;
    for (int64_t offset : access.registerOffsets) {
      int64_t index = *start + (access.offsets.empty()
                                    ? access.threadOffsets[thread] + offset
                                    : access.offsets[i]);
      if (access.isFirstReplica[thread] &&
          (access.isInside.empty() || access.isInside[i]) &&
          (isKept.empty() || isKept[i])) {
        CheckedMemory &target = view.getMemory(index);
        // Who pushes to another block knows what that block's warps knew of
        // their loader when they opened the inbox.
        if (const LoaderKnowledge *ofTarget = launch.knowledge.lookup(&target))
          launch.order.setKnowledge(ofTarget);
        if (!target.write(view.getByte(index),
                          ArrayRef(bytes).slice(i * size, size), who))
          return fault(op, target);
        note(target);
      }
      ++i;
    }
  }
  launch.order.setKnowledge(&knowledge);
  return success();
}

LogicalResult KernelBlock::run(thread::StoreFragmentOp op) {
  std::shared_ptr<const RegisterTile> tile = tiles.lookup(op.getValue());
  if (!tile)
    return error(op) << "stores a value that is not in registers";
  const MemoryView &view = views[op.getTarget()];
  size_t rank = tile->type.shape.size(), leading = view.shape.size() - rank;
  Shape kept = tile->type.shape;
  for (auto [dim, size] : llvm::enumerate(kept)) {
    if (!op.clips(dim))
      continue;
    FailureOr<int64_t> offset = getIndex(op, op.getOffsets()[leading + dim]);
    if (failed(offset))
      return failure();
    size = std::clamp<int64_t>(view.shape[leading + dim] - *offset, 0, size);
  }
  if (elementCount(kept) == 0)
    return success();
  return storeTile(op, op.getValue(), op.getTarget(), op.getOffsets(), kept,
                   op.getAccessLength(16 / byteSize(view.element)),
                   [](CheckedMemory &) {});
}
