//===- ScheduledLoader.cpp - Warps that load and prepare tiles ----------===//
//
// Emits what the warps of a loader do: they load the tiles of a loop ahead of
// the others, and may compute operands from them that products read.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/SharedMemory.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mirage;

/// Returns true if the warps of group g, so many neighbours, have the elements
/// at index g of the first dimension only.
static bool givesGroupsTheirOwn(const RegisterLayout &layout, int64_t warps) {
  auto isOfGroups = [](const LayoutMode &mode) { return mode.dim == 0; };
  if (llvm::any_of(layout.registers, isOfGroups) ||
      llvm::any_of(layout.lanes, isOfGroups))
    return false;
  int64_t step = 1;
  for (const LayoutMode &mode : layout.warps) {
    if (isOfGroups(mode) ? mode.stride * warps != step
                         : step * mode.size > warps)
      return false;
    step *= mode.size;
  }
  return true;
}

/// Returns what uses the memory of the present loop's rings, also by way of
/// buffers with other strides.
SmallVector<Operation *> ScheduledLaunchBuilder::getRingUsers() {
  SmallVector<Operation *> users;
  function.walk([&](thread::SharedBufferOp buffer) {
    auto offset = static_cast<int64_t>(buffer.getOffset());
    if (offset >= state->begin && offset < state->end)
      llvm::append_range(users, buffer->getUsers());
  });
  return users;
}

/// Returns true if each group of warps reads its own tiles only, so that it
/// need not wait for those of others.
bool ScheduledLaunchBuilder::isReadByGroups() {
  int64_t warps = schedule.getNumWarps() / schedule.loopGroups;
  for (Operation *user : getRingUsers()) {
    if (auto load = dyn_cast<thread::LoadFragmentOp>(user)) {
      if (!givesGroupsTheirOwn(getLayoutOf(load.getResult()), warps))
        return false;
    } else if (auto product = dyn_cast<thread::WarpgroupMmaOp>(user)) {
      for (MatrixRole role : {MatrixRole::Lhs, MatrixRole::Rhs}) {
        Value operand = role == MatrixRole::Lhs ? product.getLhs()
                                                : Value(product.getRhs());
        auto buffer = operand.getDefiningOp<thread::SharedBufferOp>();
        if (buffer &&
            static_cast<int64_t>(buffer.getOffset()) >= state->begin &&
            static_cast<int64_t>(buffer.getOffset()) < state->end &&
            !givesGroupsTheirOwn(product.getOperandLayout(role), warps))
          return false;
      }
    }
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Preparations
//===----------------------------------------------------------------------===//

/// Collects the operations that compute a value from tiles of one iteration, in
/// the order of the block, and those tiles. Returns false where the value
/// depends on anything else, or is no elementwise operators and reductions.
static bool collectPreparation(Value value, Block *body,
                               llvm::SetVector<Operation *> &operations,
                               llvm::SetVector<Operation *> &loads) {
  Operation *op = value.getDefiningOp();
  if (!op || operations.contains(op))
    return op;
  if (isa<block::ConstantOp>(op))
    return isImmediate(op);
  if (op->getBlock() != body)
    return false;
  if (auto load = dyn_cast<block::LoadOp>(op)) {
    loads.insert(op);
    return dependsOnLoop(load);
  }
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (!compute)
    return false;
  OpClass opClass = getOpInfo(compute.getOpKind()).opClass;
  if (opClass != OpClass::Elementwise && opClass != OpClass::Reduction)
    return false;
  for (Value operand : op->getOperands())
    if (!collectPreparation(operand, body, operations, loads))
      return false;
  operations.insert(op);
  return true;
}

/// Returns true if a product reads its operand from shared memory, whatever the
/// layout of its other values.
static bool isReadFromShared(OpOperand &use, const LaunchSchedule &schedule) {
  Operation *product = use.getOwner();
  bool isLhs = use.getOperandNumber() < product->getNumOperands() / 2;
  return isMatmul(product) && isLhs == isExchangedProduct(product, schedule);
}

SmallVector<Preparation>
mirage::findPreparations(block::ForOp loop, const LaunchSchedule &schedule) {
  SmallVector<Preparation> preparations;
  Block *body = &loop.getBody().front();
  std::optional<IndexMasks> masks;
  if (schedule.indexMasks)
    masks.emplace(loop->getParentOfType<kernel::LaunchOp>());
  auto isMask = [&](Operation *load) {
    return masks && masks->isComputed(cast<block::LoadOp>(load));
  };
  for (Operation &op : *body) {
    if (!isa<ComputeOpInterface>(op) || op.getNumResults() != 1 ||
        llvm::none_of(op.getResult(0).getUses(), [&](OpOperand &use) {
          return isReadFromShared(use, schedule);
        }))
      continue;
    llvm::SetVector<Operation *> operations, loads;
    if (!collectPreparation(op.getResult(0), body, operations, loads) ||
        operations.empty() || loads.empty() || llvm::any_of(loads, isMask))
      continue;
    // What is computed on the way is needed nowhere else.
    bool isClosed = llvm::all_of(operations, [&](Operation *inner) {
      return inner == &op || llvm::all_of(inner->getUsers(), [&](auto *user) {
               return operations.contains(user);
             });
    });
    if (!isClosed)
      continue;
    Preparation preparation;
    preparation.value = op.getResult(0);
    preparation.operations = operations.takeVector();
    for (Operation *load : loads)
      preparation.loads.push_back(cast<block::LoadOp>(load));
    preparations.push_back(std::move(preparation));
  }
  return preparations;
}

/// Returns true if the prepared tile may take the place of the one that was
/// loaded: nothing else reads that.
static bool replacesLoad(const Preparation &preparation) {
  if (preparation.loads.size() != 1)
    return false;
  block::LoadOp load = preparation.loads.front();
  return load.getResult().getType() == preparation.value.getType() &&
         getRowPlacement(load) == RowPlacement::Chunked &&
         !getWantedRows(load) &&
         !getWantedRows(preparation.value.getDefiningOp()) &&
         llvm::all_of(load->getUsers(), [&](Operation *user) {
           return llvm::is_contained(preparation.operations, user);
         });
}

/// Finds what the loader prepares of the present loop, and gives it places in
/// shared memory.
void ScheduledLaunchBuilder::findPreparations(block::ForOp loop) {
  if (!loader || !schedule.loaderPrepares)
    return;
  state->preparations = mirage::findPreparations(loop, schedule);
  for (Preparation &preparation : state->preparations) {
    if (replacesLoad(preparation)) {
      for (const Ring &ring : state->rings)
        if (ring.load == preparation.loads.front())
          preparation.buffer = ring.buffer;
      continue;
    }
    auto type = cast<RankedTensorType>(preparation.value.getType());
    Shape shape(type.getShape());
    shape.insert(shape.begin(), {schedule.stages, schedule.loopGroups});
    preparation.buffer =
        allocate(preparation.value.getLoc(), shape, type.getElementType(),
                 {RowPlacement::Chunked, preparation.value});
  }
}

/// Returns the layout in which the loader's threads have a tile: whole rows, or
/// as few lanes for a row as there are threads for the rows. Lanes that follow
/// each other have different rows, so that swizzled rows are read without
/// conflicts of banks.
RegisterLayout ScheduledLaunchBuilder::getPreparationLayout(
    const Preparation &preparation, ArrayRef<int64_t> shape, Type element) {
  int64_t last = static_cast<int64_t>(shape.size()) - 1;
  RegisterLayout vectors = getVectorLayoutOf(shape, element);
  for (Operation *op : preparation.operations) {
    auto compute = cast<ComputeOpInterface>(op);
    if (getOpInfo(compute.getOpKind()).opClass == OpClass::Reduction &&
        compute.getOpAttributes().dim + 1 != last)
      return vectors;
  }
  constexpr int64_t mostElements = 64;
  int64_t vector = 128 / element.getIntOrFloatBitWidth();
  int64_t columns = shape[last], rows = elementCount(shape) / columns;
  int64_t threads = schedule.getNumWarps() * RegisterLayout::kWarpSize;
  int64_t lanes = 1;
  while (lanes < RegisterLayout::kWarpSize &&
         (columns / lanes > mostElements || rows * lanes < threads))
    lanes *= 2;
  int64_t rowLanes = RegisterLayout::kWarpSize / lanes;
  int64_t step = rowLanes * schedule.getNumWarps();
  if (columns % (lanes * vector) || shape[last - 1] % step)
    return vectors;
  LayoutModes registers = {{vector, last, 1},
                           {columns / lanes / vector, last, vector * lanes},
                           {shape[last - 1] / step, last - 1, step}};
  for (int64_t dim = last - 1; dim-- > 0;)
    registers.push_back({shape[dim], dim, 1});
  return RegisterLayout(registers,
                        {{rowLanes, last - 1, 1}, {lanes, last, vector}},
                        {{schedule.getNumWarps(), last - 1, rowLanes}});
}

/// Emits how the loader's warps prepare a tile of one group, by the functions
/// that emit what the other warps do: for a block that has no others.
void ScheduledLaunchBuilder::prepareTile(const Preparation &preparation,
                                         Value stage, int64_t group) {
  LaunchSchedule ofOthers = schedule;
  schedule.rowWarps = schedule.loaderWarps;
  schedule.columnWarps = schedule.loopGroups = 1;
  DenseMap<Value, Tile> othersTiles;
  DenseSet<Value> othersVarying;
  std::optional<LoopState> othersState;
  std::swap(tiles, othersTiles);
  std::swap(varying, othersVarying);
  std::swap(state, othersState);
  isPreparing = true;
  hasPreparationBarrier = false;

  Location loc = preparation.value.getLoc();
  auto getStart = [&](size_t rank) {
    SmallVector<Value> start(rank, index(loc, 0));
    start.front() = index(loc, group);
    return start;
  };
  RegisterLayout layout;
  for (block::LoadOp load : preparation.loads) {
    Value value = load.getResult();
    Tile &tile = tiles[value];
    tile.shape = getTileShape(value, 1);
    tile.element = cast<RankedTensorType>(value.getType()).getElementType();
    for (const Ring &ring : othersState->rings)
      if (ring.load == load)
        tile.buffer = ring.buffer;
    tile.slot = {stage};
    tile.start = getStart(tile.shape.size());
    layout = getPreparationLayout(preparation, tile.shape, tile.element);
    getFragment(value, layout);
  }
  // There are nothing but elementwise operators and reductions.
  for (Operation *op : preparation.operations)
    if (failed(convertOperator(cast<ComputeOpInterface>(op))))
      llvm_unreachable("a loader prepares what is made of fragments");
  block::LoadOp load = preparation.loads.front();
  Value fragment =
      preparation.loads.size() == 1 && getTileShape(preparation.value, 1) ==
                                           tiles[load.getResult()].shape
          ? getFragment(preparation.value, layout)
          : getAnyFragment(preparation.value);
  // Where the tile replaces what was loaded, each thread stores what it has
  // loaded itself, unless others have loaded that as well.
  auto isReplicated = [](const LayoutMode &mode) {
    return mode.isReplicated();
  };
  bool isReadByOthers = tiles[load.getResult()].fragments.size() > 1 ||
                        !getLayoutOf(fragment).agreesWith(layout) ||
                        llvm::any_of(layout.lanes, isReplicated) ||
                        llvm::any_of(layout.warps, isReplicated);
  if (replacesLoad(preparation) && isReadByOthers)
    barrier(loc);
  SmallVector<Value> offsets{stage};
  llvm::append_range(offsets, getStart(tiles[preparation.value].shape.size()));
  thread::StoreFragmentOp::create(builder, loc, fragment, preparation.buffer,
                                  offsets);
  std::swap(tiles, othersTiles);
  std::swap(varying, othersVarying);
  std::swap(state, othersState);
  schedule = ofOthers;
  isPreparing = false;
}

//===----------------------------------------------------------------------===//
// The loader
//===----------------------------------------------------------------------===//

/// Makes a ring of mbarriers for so many stages.
TypedValue<thread::RingType> ScheduledLaunchBuilder::createRing(Location loc,
                                                                int64_t stages,
                                                                int64_t groups,
                                                                int64_t lanes) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(loader);
  auto type = thread::RingType::get(builder.getContext(), stages, groups,
                                    schedule.getNumWarps() / groups, lanes);
  auto ring = thread::RingOp::create(builder, loc, type,
                                     builder.getI64IntegerAttr(bytes));
  bytes += llvm::alignTo(type.getNumBytes(), 128);
  return cast<TypedValue<thread::RingType>>(ring.getResult());
}

/// Makes the rings of a loop of which the loader fills the stages, and lets the
/// other warps wait for them and release them. Where products are deferred,
/// their tiles have a ring of their own, which they await and release, and the
/// other tiles are released as soon as nothing reads them any more.
void ScheduledLaunchBuilder::createLoopRings(scf::ForOp body, int64_t groups) {
  Location loc = body.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  // All lanes say that they have read what threads of the loader write by
  // stores.
  SmallVector<Operation *> users = getRingUsers();
  bool isReadByLanes =
      !state->preparations.empty() || hasPassage(Passage::LoadedLate) ||
      llvm::any_of(users, [](Operation *user) {
        return !isa<thread::CopyOp, thread::BulkCopyOp, thread::WarpgroupMmaOp>(
            user);
      });
  int64_t lanes = isReadByLanes ? RegisterLayout::kWarpSize : 1;
  state->stages = createRing(loc, schedule.stages, groups, lanes);
  builder.setInsertionPointToStart(body.getBody());
  thread::RingAwaitOp::create(builder, loc, state->stages,
                              body.getInductionVar());
  Operation *end = body.getBody()->getTerminator();
  if (!state->deferred.empty()) {
    state->deferredStages = createRing(loc, schedule.stages, groups, lanes);
    Operation *last = &body.getBody()->front();
    for (Operation *user : users) {
      Operation *reader = body.getBody()->findAncestorOpInBlock(*user);
      bool isDeferred = llvm::any_of(state->deferred, [&](const auto &product) {
        return product.second.getDefiningOp() == user;
      });
      if (reader && !isDeferred && last->isBeforeInBlock(reader))
        last = reader;
    }
    end = last->getNextNode();
  }
  builder.setInsertionPoint(end);
  thread::RingReleaseOp::create(builder, loc, state->stages,
                                body.getInductionVar());
  if (!llvm::all_of(state->rings, [](const Ring &ring) {
        return ring.passage == Passage::Bulk;
      }))
    return;
  if (!getPreparations(/*areDeferred=*/false).empty())
    state->arrivals = createRing(loc, schedule.stages, groups, lanes);
  if (!getPreparations(/*areDeferred=*/true).empty())
    state->deferredArrivals = createRing(loc, schedule.stages, groups, lanes);
}

SmallVector<Preparation>
ScheduledLaunchBuilder::getPreparations(bool areDeferred) const {
  SmallVector<Preparation> preparations;
  for (const Preparation &preparation : state->preparations)
    if (state->deferrals.tiles.contains(preparation.value) == areDeferred)
      preparations.push_back(preparation);
  return preparations;
}

/// Emits how the loader brings the tiles of a trip to their stage: those that
/// deferred products take, or the others. With `passesOn`, it passes each
/// group's stage on at once.
void ScheduledLaunchBuilder::fillStage(block::ForOp loop, int64_t groups,
                                       Value stage, Value trip,
                                       bool areDeferred, bool passesOn) {
  Location loc = loop.getLoc();
  TypedValue<thread::RingType> ring = getStages(areDeferred);
  for (int64_t group = 0; group < groups; ++group) {
    thread::RingAcquireOp::create(builder, loc, ring, trip,
                                  builder.getI64IntegerAttr(group));
    for (Passage passage :
         {Passage::Bulk, Passage::Copied, Passage::LoadedLate})
      if (groups == 1)
        issueStage(loop, passage, stage, trip, areDeferred);
      else
        issueStage(loop, passage, group, stage, trip, areDeferred);
    storePassingTiles();
    if (auto arrivals = getArrivals(areDeferred))
      thread::RingPublishOp::create(builder, loc, arrivals, trip,
                                    builder.getI64IntegerAttr(group));
    // Who waits for this group's stage does not wait until those of the others
    // are free.
    if (passesOn)
      thread::RingPublishOp::create(builder, loc, ring, trip,
                                    builder.getI64IntegerAttr(group));
  }
}

/// Emits how the loader brings tiles to a stage, and passes it on.
void ScheduledLaunchBuilder::fillAndPassOn(block::ForOp loop, int64_t groups,
                                           Value trip, bool areDeferred) {
  Location loc = loop.getLoc();
  Value stage = getStage(loc, trip);
  bool isPrepared = !getPreparations(areDeferred).empty();
  fillStage(loop, groups, stage, trip, areDeferred, /*passesOn=*/!isPrepared);
  if (isPrepared)
    passStageOn(loc, groups, stage, trip, areDeferred);
}

/// Emits how the loader prepares what it has brought to a stage, and passes the
/// stage on.
void ScheduledLaunchBuilder::passStageOn(Location loc, int64_t groups,
                                         Value stage, Value trip,
                                         bool areDeferred) {
  TypedValue<thread::RingType> ring = getStages(areDeferred);
  SmallVector<Preparation> preparations = getPreparations(areDeferred);
  auto arrivals = getArrivals(areDeferred);
  // A thread prepares what others have loaded.
  if (!preparations.empty() && !arrivals)
    thread::BarrierOp::create(builder, loc);
  for (int64_t group = 0; group < schedule.loopGroups; ++group) {
    if (arrivals && (groups > 1 || group == 0))
      thread::RingReceiveOp::create(builder, loc, arrivals, trip,
                                    builder.getI64IntegerAttr(group));
    // The state of the present loop is set aside meanwhile.
    for (const Preparation &preparation : preparations)
      prepareTile(preparation, stage, group);
    if (groups > 1 || group + 1 == schedule.loopGroups)
      thread::RingPublishOp::create(
          builder, loc, ring, trip,
          builder.getI64IntegerAttr(groups > 1 ? group : 0));
  }
  loaderPrepared |= !preparations.empty();
}

/// Emits what the warps do that only load, and where the others wait for them.
void ScheduledLaunchBuilder::convertLoader(block::ForOp loop, scf::ForOp body) {
  OpBuilder::InsertionGuard guard(builder);
  int64_t groups =
      schedule.loopGroups > 1 && isReadByGroups() ? schedule.loopGroups : 1;
  createLoopRings(body, groups);

  builder.setInsertionPointToEnd(&loader.getBody().front());
  if (persistentBlock)
    return fillStagesInTurns(loop, groups);
  // The first loop's loader has brought them for all loops.
  if (loader.getBody().front().getOps<scf::ForOp>().empty())
    bringResidents(loop.getLoc());
  fillStages(loop, groups);
}

/// Emits how the loader brings the tiles of all trips in the order in which the
/// other warps release their stages: those of deferred products a trip behind
/// the others. In another order, the loader would wait for the stage of a
/// deferred product while one that is needed before is free.
void ScheduledLaunchBuilder::fillStagesInOrder(block::ForOp loop,
                                               int64_t groups, Value first,
                                               Value end) {
  Location loc = loop.getLoc();
  Value one = index(loc, 1);
  auto fill = [&](Value trip, bool areDeferred) {
    fillAndPassOn(loop, groups, trip, areDeferred);
  };
  fill(first, /*areDeferred=*/false);
  Value second = arith::AddIOp::create(builder, loc, first, one);
  auto filling = scf::ForOp::create(builder, loc, second, end, one);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(filling.getBody());
    Value trip = filling.getInductionVar();
    fill(trip, /*areDeferred=*/false);
    fill(arith::SubIOp::create(builder, loc, trip, one), /*areDeferred=*/true);
  }
  fill(arith::SubIOp::create(builder, loc, end, one), /*areDeferred=*/true);
}

/// Emits how the loader fills the stages for one block of the grid.
void ScheduledLaunchBuilder::fillStages(block::ForOp loop, int64_t groups) {
  Location loc = loop.getLoc();
  // So many stages are on their way when the next one is awaited: none where
  // all tiles come by way of registers, as they have come when they are stored,
  // or are brought by the copy engine and nothing is prepared, so that nobody
  // waits here.
  bool copies = hasPassage(Passage::Copied);
  bool receives = state->arrivals || state->deferredArrivals;
  int64_t lag = copies ? schedule.stages - 1 : 0;
  // Before the loader waits until a stage is free, it prepares what the others
  // need next. With few stages, tiles need all of them to be there in time.
  if (receives)
    lag = schedule.stages - (schedule.stages > 3 ? 2 : 1);
  Value first = getFirstTrip(loc), trips = getNumTrips(loc);
  if (lag == 0 && state->deferredStages) {
    fillStagesInOrder(loop, groups, first, addTripsBefore(loc, trips));
    return;
  }
  Value end = state->numTrips
                  ? arith::AddIOp::create(builder, loc, trips, index(loc, lag))
                  : index(loc, state->mostTrips + lag);
  trips = addTripsBefore(loc, trips);
  auto filling = scf::ForOp::create(builder, loc, first,
                                    addTripsBefore(loc, end), index(loc, 1));
  builder.setInsertionPointToStart(filling.getBody());
  Value trip = filling.getInductionVar();
  auto forKinds = [&](llvm::function_ref<void(bool)> body) {
    body(false);
    if (state->deferredStages)
      body(true);
  };
  if (lag == 0) {
    fillAndPassOn(loop, groups, trip, /*areDeferred=*/false);
    return;
  }
  auto beginIf = [&](arith::CmpIPredicate predicate, Value bound) {
    Value holds = arith::CmpIOp::create(builder, loc, predicate, trip, bound);
    auto guarded = scf::IfOp::create(builder, loc, holds, false);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    return guarded;
  };
  // The loader waits for those tiles of the copy engine that it prepares.
  auto isAwaited = [&](bool areDeferred) {
    return copies || getArrivals(areDeferred);
  };
  scf::IfOp arrived =
      beginIf(arith::CmpIPredicate::uge, addTripsBefore(loc, index(loc, lag)));
  if (copies)
    thread::AsyncWaitOp::create(builder, loc, lag - 1);
  Value before = arith::SubIOp::create(builder, loc, trip, index(loc, lag));
  forKinds([&](bool areDeferred) {
    if (isAwaited(areDeferred))
      passStageOn(loc, groups, getStage(loc, before), before, areDeferred);
  });
  builder.setInsertionPointAfter(arrived);
  scf::IfOp loading = beginIf(arith::CmpIPredicate::ult, trips);
  forKinds([&](bool areDeferred) {
    if (isAwaited(areDeferred))
      fillStage(loop, groups, getStage(loc, trip), trip, areDeferred,
                /*passesOn=*/false);
    else
      fillAndPassOn(loop, groups, trip, areDeferred);
  });
  builder.setInsertionPointAfter(loading);
  if (copies)
    thread::AsyncCommitOp::create(builder, loc);
}
