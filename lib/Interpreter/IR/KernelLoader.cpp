//===- KernelLoader.cpp - Warps that load beside a block's others ---------===//
//
// Runs a kernel's loader as far as the stages of its rings are free, each time
// that the other warps release one.
//
//===----------------------------------------------------------------------===//

#include "KernelBlock.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

FailureOr<KernelBlock::RingPlace>
KernelBlock::getPlace(Operation *op, TypedValue<thread::RingType> ring,
                      Value trip) {
  FailureOr<int64_t> number = getIndex(op, trip);
  if (failed(number))
    return failure();
  if (*number < 0)
    return error(op) << "has the trip " << *number;
  thread::RingType type = ring.getType();
  return RingPlace{*number % type.getStages(), *number / type.getStages()};
}

FailureOr<KernelBlock::RingStage *>
KernelBlock::getStage(Operation *op, TypedValue<thread::RingType> ring,
                      Value trip, int64_t group) {
  FailureOr<RingPlace> place = getPlace(op, ring, trip);
  if (failed(place))
    return failure();
  return &rings[ring][place->stage * ring.getType().getGroups() + group];
}

template <typename Op> LogicalResult KernelBlock::checkBarriers(Op op) {
  auto type = op.getResult().getType();
  int64_t end = static_cast<int64_t>(op.getOffset()) + type.getNumBytes();
  if (end > shared.size())
    return error(op) << "reaches to byte " << end
                     << " of shared memory; the kernel is launched with "
                     << shared.size();
  int64_t warps = launch.threads / RegisterLayout::kWarpSize;
  if (type.getGroups() * type.getWarps() != warps)
    return error(op) << "is for " << type.getGroups() * type.getWarps()
                     << " warps, and the kernel has " << warps
                     << " beside its loader's";
  launch.order.passBarrier();
  return success();
}

LogicalResult KernelBlock::run(thread::RingOp op) {
  thread::RingType type = op.getResult().getType();
  rings[op.getResult()].resize(type.getStages() * type.getGroups());
  return checkBarriers(op);
}

LogicalResult KernelBlock::run(thread::SequenceOp op) {
  sequences[op.getResult()] = {};
  return checkBarriers(op);
}

// All groups are executed together, so that a group's turn has come when it is
// asked for, if each trip has one wait and one pass.
LogicalResult KernelBlock::run(thread::SequenceAwaitOp op) {
  FailureOr<int64_t> trip = getIndex(op, op.getTrip());
  if (failed(trip))
    return failure();
  SequenceState &state = sequences[op.getSequence()];
  if (*trip != state.numAwaited || state.numAwaited != state.numPassed)
    return error(op) << "waits for the turn of trip " << *trip << " after "
                     << state.numAwaited << " waits and " << state.numPassed
                     << " passes: it would wait forever, or not at all";
  ++state.numAwaited;
  return success();
}

LogicalResult KernelBlock::run(thread::SequencePassOp op) {
  FailureOr<int64_t> trip = getIndex(op, op.getTrip());
  if (failed(trip))
    return failure();
  SequenceState &state = sequences[op.getSequence()];
  if (*trip != state.numPassed || state.numAwaited != state.numPassed + 1)
    return error(op) << "passes the turn of trip " << *trip << " on after "
                     << state.numAwaited << " waits and " << state.numPassed
                     << " passes";
  ++state.numPassed;
  for (auto [value, result] : llvm::zip_equal(op.getValues(), op.getResults()))
    tiles[result] = tiles.lookup(value);
  return success();
}

LogicalResult KernelBlock::run(thread::LoaderOp op) {
  Block &body = op.getBody().front();
  loaderFrames.push_back({&body, body.begin(), nullptr, 0, 0, 0});
  return runLoader();
}

/// Runs the loader until it waits for a stage, or to its end.
LogicalResult KernelBlock::runLoader() {
  while (!loaderFrames.empty()) {
    LoaderFrame &frame = loaderFrames.back();
    if (frame.next == frame.block->end()) {
      if (frame.loop)
        assign(frame.loop.getRegionIterArgs(),
               frame.block->getTerminator()->getOperands());
      if (!frame.loop || frame.index + frame.step >= frame.upper) {
        if (frame.loop)
          assign(frame.loop.getResults(), frame.loop.getRegionIterArgs());
        loaderFrames.pop_back();
        continue;
      }
      frame.index += frame.step;
      setIndex(frame.loop.getInductionVar(), frame.index);
      frame.next = frame.block->begin();
      continue;
    }
    Operation *op = &*frame.next;
    if (auto acquire = dyn_cast<thread::RingAcquireOp>(op)) {
      FailureOr<bool> isFree = this->acquire(acquire);
      if (failed(isFree))
        return failure();
      if (!*isFree)
        return success();
      ++frame.next;
      continue;
    }
    ++frame.next;
    if (auto loop = dyn_cast<scf::ForOp>(op)) {
      FailureOr<int64_t> lower = getIndex(loop, loop.getLowerBound());
      FailureOr<int64_t> upper = getIndex(loop, loop.getUpperBound());
      FailureOr<int64_t> step = getIndex(loop, loop.getStep());
      if (failed(lower) || failed(upper) || failed(step))
        return failure();
      if (*step <= 0)
        return error(loop) << "of a loader has a step of " << *step;
      if (*lower >= *upper) {
        assign(loop.getResults(), loop.getInitArgs());
        continue;
      }
      assign(loop.getRegionIterArgs(), loop.getInitArgs());
      setIndex(loop.getInductionVar(), *lower);
      Block *body = loop.getBody();
      loaderFrames.push_back(
          {body, body->begin(), loop, *lower, *upper, *step});
      continue;
    }
    if (auto choice = dyn_cast<scf::IfOp>(op)) {
      auto condition = scalars.find(choice.getCondition());
      if (condition == scalars.end() || condition->second.size() != 1 ||
          choice.getNumResults() > 0)
        return error(choice) << "of a loader has results, or a condition that "
                                "differs between threads";
      bool holds = cast<IntegerAttr>(condition->second.front()).getValue() != 0;
      Region &region = holds ? choice.getThenRegion() : choice.getElseRegion();
      if (!region.empty())
        loaderFrames.push_back(
            {&region.front(), region.front().begin(), nullptr, 0, 0, 0});
      continue;
    }
    isLoading = true;
    LogicalResult result = run(op);
    isLoading = false;
    if (failed(result))
      return failure();
  }
  return success();
}

FailureOr<bool> KernelBlock::acquire(thread::RingAcquireOp op) {
  FailureOr<RingPlace> place = getPlace(op, op.getRing(), op.getTrip());
  if (failed(place))
    return failure();
  thread::RingType type = op.getRing().getType();
  auto group = static_cast<int64_t>(op.getGroup());
  RingStage &stage =
      rings[op.getRing()][place->stage * type.getGroups() + group];
  if (stage.numReleased < place->turn)
    return false;
  if (place->turn > 0)
    for (int64_t warp = group * type.getWarps(), end = warp + type.getWarps();
         warp < end; ++warp)
      knowledge.acquired(warp, stage.released, stage.publishedToReleasers);
  return true;
}

LogicalResult KernelBlock::run(thread::RingPublishOp op) {
  FailureOr<RingPlace> place = getPlace(op, op.getRing(), op.getTrip());
  if (failed(place))
    return failure();
  RingStage &stage =
      rings[op.getRing()]
           [place->stage * op.getRing().getType().getGroups() + op.getGroup()];
  if (stage.numPublished != place->turn)
    return error(op) << "publishes turn " << place->turn << " of stage "
                     << place->stage << " after " << stage.numPublished
                     << " others";
  for (const PendingCopy &copy : std::exchange(stage.arriving, {}))
    copy.memory->endCopy(copy.byte, copy.bytes, copy.who);
  ++stage.numPublished;
  stage.published = launch.order.passTime();
  return success();
}

LogicalResult KernelBlock::copyRun(thread::BulkCopyOp op, ShapeRef from,
                                   int64_t toByte, CopyGroup &arriving) {
  const MemoryView &source = views[op.getSource()];
  const MemoryView &target = views[op.getTarget()];
  unsigned size = byteSize(source.element);
  Accessor who{Accessor::kTogether, launch.getSite(op)};
  who.isLoader = true;
  std::vector<char> run(MemoryLayout::piece * size, 0);
  // The number of neighbours that are there.
  int64_t count = std::clamp<int64_t>(source.shape.back() - from.back(), 0,
                                      MemoryLayout::piece);
  int64_t distance = 0;
  for (auto [dim, index] : llvm::enumerate(from)) {
    if (index < 0 || index >= source.shape[dim])
      count = 0;
    distance += source.layout.getDistance(dim, index);
  }
  if (count > 0 && !source.memory->read(source.getByte(distance), count * size,
                                        who, run.data()))
    return fault(op, *source.memory);
  if (!target.memory->beginCopy(toByte, run.size(), who))
    return fault(op, *target.memory);
  arriving.push_back({target.memory, toByte, std::move(run), who});
  return success();
}

LogicalResult KernelBlock::run(thread::BulkCopyOp op) {
  FailureOr<RingStage *> stage =
      getStage(op, op.getRing(), op.getTrip(), op.getGroup());
  if (failed(stage))
    return failure();
  auto getIndices = [&](OperandRange offsets, Shape &indices) {
    for (Value offset : offsets) {
      FailureOr<int64_t> number = getIndex(op, offset);
      if (failed(number))
        return false;
      indices.push_back(*number);
    }
    return true;
  };
  Shape from, to;
  if (!getIndices(op.getSourceOffsets(), from) ||
      !getIndices(op.getTargetOffsets(), to))
    return failure();
  const MemoryView &target = views[op.getTarget()];
  auto getDistance = [&](ShapeRef at) {
    int64_t distance = 0;
    for (auto [dim, index] : llvm::enumerate(at))
      distance += target.layout.getDistance(dim, index);
    return distance;
  };
  ArrayRef<int64_t> sizes = op.getSizes(), box = op.getBox();
  LogicalResult result = success();
  auto copyBox = [&](ArrayRef<int64_t> first) {
    auto advance = [&](Shape &at, ShapeRef by, int64_t sign) {
      for (size_t dim = 0; dim < sizes.size(); ++dim)
        at[at.size() - sizes.size() + dim] += sign * by[dim];
    };
    advance(from, first, 1);
    advance(to, first, 1);
    int64_t start = getDistance(to);
    if (start % target.layout.getPeriod())
      result = error(op) << "brings a box to element " << start
                         << " of its target, where swizzling does not begin "
                            "anew";
    // The runs of a box follow each other in the target, before their pieces
    // are exchanged.
    Shape at(sizes.size(), 0);
    for (int64_t run = 0, end = elementCount(box);
         run < end && succeeded(result); run += MemoryLayout::piece) {
      int64_t rest = run;
      for (size_t dim = sizes.size(); dim-- > 0; rest /= box[dim])
        at[dim] = rest % box[dim];
      advance(from, at, 1);
      result =
          copyRun(op, from, target.getByte(start + run), (*stage)->arriving);
      advance(from, at, -1);
    }
    advance(from, first, -1);
    advance(to, first, -1);
  };
  op.forEachBox([&](ArrayRef<int64_t> first) {
    if (succeeded(result))
      copyBox(first);
  });
  return result;
}

LogicalResult KernelBlock::run(thread::RingReceiveOp op) {
  FailureOr<RingPlace> place = getPlace(op, op.getRing(), op.getTrip());
  if (failed(place))
    return failure();
  RingStage &stage =
      rings[op.getRing()]
           [place->stage * op.getRing().getType().getGroups() + op.getGroup()];
  if (stage.numPublished != place->turn + 1)
    return error(op) << "waits for turn " << place->turn << " of stage "
                     << place->stage << " after " << stage.numPublished
                     << " were published: it would wait forever, or not at all";
  knowledge.received(stage.published);
  return success();
}

LogicalResult KernelBlock::run(thread::RingAwaitOp op) {
  FailureOr<RingPlace> place = getPlace(op, op.getRing(), op.getTrip());
  if (failed(place))
    return failure();
  thread::RingType type = op.getRing().getType();
  for (int64_t group = 0; group < type.getGroups(); ++group) {
    RingStage &stage =
        rings[op.getRing()][place->stage * type.getGroups() + group];
    if (stage.numPublished <= place->turn)
      return error(op) << "waits forever: nobody publishes turn " << place->turn
                       << " of stage " << place->stage << " for group "
                       << group;
    for (int64_t warp = group * type.getWarps(), end = warp + type.getWarps();
         warp < end; ++warp)
      knowledge.awaited(warp, stage.published);
  }
  return success();
}

LogicalResult KernelBlock::run(thread::RingReleaseOp op) {
  FailureOr<RingPlace> place = getPlace(op, op.getRing(), op.getTrip());
  if (failed(place))
    return failure();
  thread::RingType type = op.getRing().getType();
  uint32_t now = launch.order.passTime();
  for (int64_t group = 0; group < type.getGroups(); ++group) {
    RingStage &stage =
        rings[op.getRing()][place->stage * type.getGroups() + group];
    if (stage.numReleased != place->turn)
      return error(op) << "releases turn " << place->turn << " of stage "
                       << place->stage << " after " << stage.numReleased
                       << " others";
    ++stage.numReleased;
    stage.released = now;
    stage.publishedToReleasers =
        knowledge.getPublished(group * type.getWarps());
  }
  return runLoader();
}

LogicalResult KernelBlock::checkLoaderEnds() {
  if (loaderFrames.empty())
    return success();
  return error(&*loaderFrames.back().next)
         << "waits forever: nobody releases the stage";
}
