//===- ScheduledLoops.cpp - Loops of a scheduled launch -----------------===//
//
// Emits loops with their rings of stages and their accumulators.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/SharedMemory.h"
#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

Value ScheduledLaunchBuilder::getStage(Location loc, Value trip) {
  Type narrow = builder.getI32Type();
  Value stage = arith::RemUIOp::create(
      builder, loc, arith::IndexCastUIOp::create(builder, loc, narrow, trip),
      arith::ConstantOp::create(
          builder, loc,
          builder.getI32IntegerAttr(static_cast<int32_t>(schedule.stages))));
  return arith::IndexCastUIOp::create(builder, loc, builder.getIndexType(),
                                      stage);
}

/// Gives the loads of the loop their memory, and each a ring of stages. Without
/// warps that only load, it begins all but the last.
void ScheduledLaunchBuilder::prepareLoop(block::ForOp loop) {
  state.emplace();
  state->loop = loop;
  // The loads of this loop may begin before the last one has ended.
  freeBegin = freeEnd = 0;
  findResidentTiles(loop);
  createRings(loop);
  findPreparations(loop);
  findDeferredTiles(loop);
  if (schedule.sumsByProducts)
    state->sums = findProductSums(loop, schedule);
  state->end = bytes;
  state->isPrepared = true;
  choosePassages();
  chooseBulkCopies();
  noteWays();
  findTrips(loop);
  if (!loader)
    loadFirst(loop);
}

/// Begins the loads of all trips but one for which there are stages.
void ScheduledLaunchBuilder::loadFirst(block::ForOp loop) {
  Location loc = loop.getLoc();
  int64_t stages = std::min(schedule.stages - 1, state->mostTrips);
  for (int64_t stage = 0; stage + 1 < schedule.stages; ++stage) {
    if (stage < stages && hasPassage(Passage::Copied)) {
      OpBuilder::InsertionGuard guard(builder);
      // The first trip exists.
      if (stage > 0 && state->numTrips) {
        Value exists =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                  index(loc, stage), state->numTrips);
        auto guarded = scf::IfOp::create(builder, loc, exists, false);
        builder.setInsertionPointToStart(&guarded.getThenRegion().front());
      }
      issueStage(loop, Passage::Copied, index(loc, stage), index(loc, stage));
    }
    thread::AsyncCommitOp::create(builder, loc);
  }
  for (Passage passage : {Passage::LoadedEarly, Passage::LoadedLate})
    for (int64_t stage = 0; stage < stages; ++stage)
      issueStage(loop, passage, index(loc, stage),
                 limitTrip(loc, index(loc, stage)));
  storePassingTiles();
}

/// Returns a trip, or the last one where it is behind that: its tiles are
/// loaded again, for which nobody waits.
Value ScheduledLaunchBuilder::limitTrip(Location loc, Value trip) {
  if (!state->numTrips)
    return trip;
  Value last =
      arith::SubIOp::create(builder, loc, state->numTrips, index(loc, 1));
  return arith::MinUIOp::create(builder, loc, trip, last);
}

Value ScheduledLaunchBuilder::getIteration(Location loc, Value trip) {
  IndexSystem system{builder, loc};
  if (tripsBefore)
    trip = arith::SubIOp::create(builder, loc, trip, tripsBefore);
  if (state->firstTrip)
    trip = system.add(trip, state->firstTrip);
  Value first = system.mulConstant(trip, schedule.getNumSharers());
  if (clusterRank)
    first =
        system.add(first, system.mulConstant(clusterRank, schedule.loopGroups));
  return first;
}

/// Begins the loads of the iterations that all groups of this block execute in
/// one trip. Neighbouring iterations run at the same time, in all groups of all
/// blocks of the cluster.
void ScheduledLaunchBuilder::issueStage(block::ForOp loop, Passage passage,
                                        Value stage, Value trip,
                                        std::optional<bool> areDeferred) {
  for (int64_t group = 0; group < schedule.loopGroups; ++group)
    issueStage(loop, passage, group, stage, trip, areDeferred);
}

/// Begins the loads of one group's iteration.
void ScheduledLaunchBuilder::issueStage(block::ForOp loop, Passage passage,
                                        int64_t group, Value stage, Value trip,
                                        std::optional<bool> areDeferred) {
  if (!hasPassage(passage))
    return;
  Location loc = loop.getLoc();
  IndexSystem system{builder, loc};
  Value iteration = system.add(getIteration(loc, trip), system.index(group));
  for (Ring &ring : state->rings)
    if (areDeferred &&
        *areDeferred != state->deferrals.tiles.contains(ring.load.getResult()))
      continue;
    else if (ring.passage == Passage::Bulk && passage == Passage::Bulk)
      beginBulkCopy(ring, group, stage, trip, iteration);
    else if (ring.passage == passage)
      beginTile(ring.load, ring.buffer,
                {ring.isKept ? trip : stage, index(loc, group)}, iteration,
                ring.parts);
}

Value ScheduledLaunchBuilder::addCarried(Location loc, RankedTensorType type,
                                         double initial) {
  Carried carried;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(state->body);
  carried.initial = thread::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(
          type,
          builder.getFloatAttr(type.getElementType(), initial).getValue()));
  carried.previous =
      UnrealizedConversionCastOp::create(builder, loc, type, carried.initial)
          .getResult(0);
  state->carried.push_back(carried);
  return carried.previous;
}

/// Returns the place among what the loop carries of the largest shift so far,
/// and emits its next value.
unsigned ScheduledLaunchBuilder::getRunningMaximum(Value shift) {
  auto [found, isNew] = state->maxima.try_emplace(shift, state->carried.size());
  if (!isNew)
    return found->second;
  unsigned place = found->second;
  Value fragment = getAnyFragment(shift);
  auto type = cast<RankedTensorType>(fragment.getType());
  Value running = addCarried(shift.getLoc(), type,
                             -std::numeric_limits<double>::infinity());
  Value next =
      createOperator(shift.getLoc(), OpKind::Max, {}, {running, fragment},
                     type.getElementType(), getLayoutOf(fragment));
  state->carried[place].next = next;
  state->newMaxima[shift] = next;
  return place;
}

Value ScheduledLaunchBuilder::getRescaling(Location loc, Value from, Value to) {
  auto type = cast<RankedTensorType>(from.getType());
  auto create = [&](OpKind kind, ArrayRef<Value> operands,
                    const OpAttributes &attrs = {}) {
    return createOperator(loc, kind, attrs, operands, type.getElementType(),
                          getLayoutOf(from));
  };
  OpAttributes equal;
  equal.compareKind = CompareKind::EQ;
  Value isEqual = create(OpKind::Compare, {from, to}, equal);
  Value factor = create(OpKind::Exp, create(OpKind::Sub, {from, to}));
  Value one =
      constant(loc, 1.0, Shape(type.getRank(), 1), type.getElementType());
  return create(OpKind::Select, {isEqual, one, factor});
}

namespace mirage {
/// Emits what one accumulate adds in an iteration.
class ScheduledLaunchBuilder::Accumulation {
public:
  Accumulation(ScheduledLaunchBuilder &launch, block::AccumulateOp op);

  void emit();

private:
  /// Returns true if the value's maximum is one of the running maxima.
  bool takeRunningMaximum();
  /// Emits a sum or a maximum.
  void emitPlain();
  /// Emits a sum whose terms are relative to a running maximum.
  void emitRescaled();
  /// Returns the value, or the sum of it and what was accumulated before, where
  /// that is given.
  Value addTo(Value soFar);
  /// Returns a factor of rows where the sum's rows lie.
  Value spread(Value factor);
  Value combine(OpKind kind, Value a, Value b);
  /// Converts to the element type of what is accumulated.
  Value widen(Value fragment);

  ScheduledLaunchBuilder &launch;
  block::AccumulateOp op;
  Location loc;
  Value value;
  Type element;
  /// The product that is added to the accumulator at once, where there is one.
  ComputeOpInterface product;
  RegisterLayout layout;
  RankedTensorType type;
  Accumulator accumulator;
};
} // namespace mirage

ScheduledLaunchBuilder::Accumulation::Accumulation(
    ScheduledLaunchBuilder &launch, block::AccumulateOp op)
    : launch(launch), op(op), loc(op.getLoc()), value(op.getValue()),
      element(
          cast<RankedTensorType>(op.getResult().getType()).getElementType()) {
  Operation *definition = value.getDefiningOp();
  if (definition && isMatmul(definition) && getFusedAccumulator(definition))
    product = cast<ComputeOpInterface>(definition);
  Shape shape = launch.tiles[value].shape;
  layout = product ? launch.getAccumulatorLayout(product, shape)
                   : getLayoutOf(launch.getAnyFragment(value));
  if (product)
    launch.addSumColumns(product, shape, layout);
  type = launch.getType(shape, element, layout);
  // An accumulator of a value that does not vary has the groups' dimension too:
  // its sums are of each group's iterations.
  accumulator.op = op;
  accumulator.varies = launch.isVarying(value) ||
                       (op.getShift() && launch.isVarying(op.getShift()));
  accumulator.partsDims = launch.tiles[value].partsDims;
}

Value ScheduledLaunchBuilder::Accumulation::combine(OpKind kind, Value a,
                                                    Value b) {
  return launch.createOperator(
      loc, kind, {}, {a, b},
      cast<RankedTensorType>(a.getType()).getElementType(), getLayoutOf(a));
}

Value ScheduledLaunchBuilder::Accumulation::widen(Value fragment) {
  if (cast<RankedTensorType>(fragment.getType()).getElementType() == element)
    return fragment;
  OpAttributes attrs;
  attrs.resultType = convertElementType(element);
  return launch.createOperator(loc, OpKind::Cast, attrs, fragment, element,
                               getLayoutOf(fragment));
}

Value ScheduledLaunchBuilder::Accumulation::addTo(Value soFar) {
  if (product) {
    Value sum = launch.multiply(product, soFar);
    if (launch.state->deferrals.products.contains(product))
      launch.state->deferred.push_back({accumulator.carried, sum});
    return sum;
  }
  Value term = widen(launch.getFragment(value, layout));
  return soFar ? combine(OpKind::Add, soFar, term) : term;
}

Value ScheduledLaunchBuilder::Accumulation::spread(Value factor) {
  auto factorType = cast<RankedTensorType>(factor.getType());
  Tile tile;
  tile.shape = Shape(factorType.getShape());
  tile.element = factorType.getElementType();
  RegisterLayout wanted = layout.project(tile.shape);
  if (!getLayoutOf(factor).agreesWith(wanted)) {
    tile.fragments.push_back(factor);
    launch.storeToShared(loc, tile, RowPlacement::Dense);
    factor = launch.loadTile(loc, tile, wanted);
  }
  return widen(factor);
}

bool ScheduledLaunchBuilder::Accumulation::takeRunningMaximum() {
  if (op.getKind() != AccumulateKind::Max)
    return false;
  auto found = launch.state->maxima.find(value);
  if (found == launch.state->maxima.end())
    return false;
  accumulator.carried = found->second;
  return true;
}

void ScheduledLaunchBuilder::Accumulation::emitPlain() {
  bool isMax = op.getKind() == AccumulateKind::Max;
  accumulator.carried = launch.state->carried.size();
  Value soFar = launch.addCarried(
      loc, type, isMax ? -std::numeric_limits<double>::infinity() : 0.0);
  launch.state->carried[accumulator.carried].next =
      isMax ? combine(OpKind::Max, soFar,
                      widen(launch.getFragment(value, layout)))
            : addTo(soFar);
}

void ScheduledLaunchBuilder::Accumulation::emitRescaled() {
  Value shift = op.getShift();
  accumulator.maximum = launch.getRunningMaximum(shift);
  const Carried running = launch.state->carried[accumulator.maximum];
  accumulator.carried = launch.state->carried.size();
  Value soFar = launch.addCarried(loc, type, 0.0);
  Value scaled =
      combine(OpKind::Mul, soFar,
              spread(launch.getRescaling(loc, running.previous, running.next)));
  Value next;
  if (launch.state->relativeShifts.contains(shift)) {
    // Values that were made relative to the running maximum need no factor of
    // their own; see convertBody.
    next = addTo(scaled);
  } else {
    Value term = addTo(Value());
    Value factor = spread(
        launch.getRescaling(loc, launch.getAnyFragment(shift), running.next));
    next = combine(OpKind::Add, scaled, combine(OpKind::Mul, term, factor));
  }
  launch.state->carried[accumulator.carried].next = next;
}

void ScheduledLaunchBuilder::Accumulation::emit() {
  if (op.getKind() == AccumulateKind::RescaledSum)
    emitRescaled();
  else if (!takeRunningMaximum())
    emitPlain();
  launch.state->accumulators.push_back(accumulator);
}

/// Stores the tile of an iteration beside those of the others.
void ScheduledLaunchBuilder::joinTiles(block::AccumulateOp op) {
  Location loc = op.getLoc();
  IndexSystem system{builder, loc};
  Value fragment = getAnyFragment(op.getValue());
  const Shape shape = tiles[op.getValue()].shape;
  Tile tile;
  tile.element = tiles[op.getValue()].element;
  tile.shape = getTileShape(op.getResult(), 1);
  tile.shape[*op.getDim() + 1] =
      shape[*op.getDim() + 1] * static_cast<int64_t>(state->loop.getExtent());
  tile.buffer = allocate(loc, tile.shape, tile.element, RowPlacement::Padded);
  SmallVector<Value> offsets(shape.size(), index(loc, 0));
  offsets[*op.getDim() + 1] = system.mulConstant(state->body.getInductionVar(),
                                                 shape[*op.getDim() + 1]);
  thread::StoreFragmentOp::create(builder, loc, fragment, tile.buffer, offsets);
  state->joined.emplace_back(op, std::move(tile));
}

/// Waits for the tiles of a trip and begins to load those of a later one.
void ScheduledLaunchBuilder::loadAhead(block::ForOp loop, Value trip) {
  Location loc = loop.getLoc();
  thread::AsyncWaitOp::create(builder, loc, schedule.stages - 2);
  barrier(loc);
  // The stage that was read in the iteration before is filled again.
  Value ahead = arith::AddIOp::create(builder, loc, trip,
                                      index(loc, schedule.stages - 1));
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       ahead, getNumTrips(loc));
  if (hasPassage(Passage::Copied)) {
    auto guarded = scf::IfOp::create(builder, loc, exists, false);
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    issueStage(loop, Passage::Copied, getStage(loc, ahead), ahead);
  }
  thread::AsyncCommitOp::create(builder, loc);
  state->ahead = {ahead, getStage(loc, ahead), exists};
  if (!hasPassage(Passage::LoadedEarly))
    return;
  // No branch stands between the loads and their use. Behind the last trip its
  // tiles are loaded again, for which nobody waits.
  Value last = state->numTrips
                   ? limitTrip(loc, ahead)
                   : arith::MinUIOp::create(builder, loc, ahead,
                                            index(loc, state->mostTrips - 1));
  issueStage(loop, Passage::LoadedEarly, state->ahead.stage, last);
}

/// Says where the tiles are that the loads and the loader have put into a stage
/// for an iteration of a trip, or earlier loops into its place.
void ScheduledLaunchBuilder::placeStage(Value stage, Value trip) {
  auto place = [&](Value value, Value buffer, Value stage) {
    Tile &tile = tiles[value];
    tile.shape = getTileShape(value, schedule.loopGroups);
    tile.element = cast<RankedTensorType>(value.getType()).getElementType();
    tile.buffer = buffer;
    tile.slot = {stage};
    varying.insert(value);
  };
  for (Ring &ring : state->rings)
    place(ring.load.getResult(), ring.buffer, ring.isKept ? trip : stage);
  for (auto [load, buffer] : state->keptTiles)
    place(load.getResult(), buffer, trip);
  for (const Preparation &preparation : state->preparations)
    place(preparation.value, preparation.buffer, stage);
}

/// Converts an iteration of the loop at the builder's place.
LogicalResult ScheduledLaunchBuilder::convertBody(block::ForOp loop) {
  state->relativeShifts = findRelativeShifts(loop);
  for (Operation &op : loop.getBody().front()) {
    if (state->isPreparedByLoader(&op) || state->sums.reductions.contains(&op))
      continue;
    if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
      if (state->sums.products.contains(&op)) {
        noteProductSum(accumulate);
        continue;
      }
      if (accumulate.getKind() != AccumulateKind::Concat) {
        Accumulation(*this, accumulate).emit();
        continue;
      }
      OpOperand &use = *accumulate.getResult().use_begin();
      Value result = loop.getResult(use.getOperandNumber());
      if (getStoredByIterations(result)) {
        for (Operation *store : result.getUsers())
          if (failed(convertStore(cast<block::StoreOp>(store), accumulate)))
            return failure();
        continue;
      }
      if (schedule.getNumSharers() > 1)
        return op.emitOpError(
            "puts tiles together, and several iterations run at the same time; "
            "so its launch cannot be executed by a mirage.schedule with groups "
            "of warps or a cluster that share them");
      joinTiles(accumulate);
      continue;
    }
    if (failed(convert(op)))
      return failure();
    if (op.getNumResults() == 1 &&
        state->relativeShifts.contains(op.getResult(0))) {
      // The running maximum stands for the shift in what follows.
      Value shift = op.getResult(0);
      getRunningMaximum(shift);
      tiles[shift].fragments = {state->newMaxima.lookup(shift)};
    }
  }
  return success();
}

/// Replaces the temporary loop by one that carries what its iterations pass
/// on.
scf::ForOp ScheduledLaunchBuilder::carryValues(scf::ForOp body) {
  Location loc = body.getLoc();
  builder.setInsertionPoint(body);
  SmallVector<Value> initial;
  for (const Carried &carried : state->carried)
    initial.push_back(carried.initial);
  auto full = scf::ForOp::create(builder, loc, body.getLowerBound(),
                                 body.getUpperBound(), body.getStep(), initial);
  Block *from = body.getBody(), *to = full.getBody();
  from->getTerminator()->erase();
  if (!to->empty())
    to->getTerminator()->erase();
  to->getOperations().splice(to->end(), from->getOperations());
  body.getInductionVar().replaceAllUsesWith(full.getInductionVar());
  SmallVector<Value> next;
  for (auto [i, carried] : llvm::enumerate(state->carried)) {
    carried.previous.replaceAllUsesWith(full.getRegionIterArg(i));
    carried.previous.getDefiningOp()->erase();
    next.push_back(carried.next);
  }
  builder.setInsertionPointToEnd(to);
  scf::YieldOp::create(builder, loc, next);
  body.erase();
  return full;
}

/// Gives the results of a converted loop tiles, and ends its state.
void ScheduledLaunchBuilder::finishLoop(block::ForOp loop,
                                        CarriedValues values) {
  Location loc = loop.getLoc();
  SmallVector<Accumulator> accumulators = std::move(state->accumulators);
  auto joined = std::move(state->joined);
  // Where blocks stay, the loader fills the stages again.
  freeBegin = persistentBlock ? state->residentBegin : state->begin;
  freeEnd = persistentBlock ? state->residentEnd : state->end;
  freeNeedsBarrier = true;
  state.reset();
  for (const Accumulator &accumulator : accumulators)
    if (!accumulator.partsDims.empty()) {
      Value &parts = values[accumulator.carried];
      parts = reduceParts(loc, parts, accumulator.partsDims,
                          accumulator.getKind() == AccumulateKind::Max
                              ? ReduceKind::Max
                              : ReduceKind::Sum);
    }
  mergeAccumulators(accumulators, std::move(values), loop);
  if (!joined.empty())
    barrier(loc);
  Operation *yield = loop.getBody().front().getTerminator();
  for (auto &[accumulate, tile] : joined)
    for (auto [result, yielded] :
         llvm::zip(loop.getResults(), yield->getOperands()))
      if (yielded == accumulate.getResult())
        tiles[result] = tile;
}

LogicalResult ScheduledLaunchBuilder::convertLoop(block::ForOp loop) {
  Location loc = loop.getLoc();
  if (!state || state->loop != loop) {
    // An earlier loop's threads may still read what the rings will hold.
    state.reset();
    prepareLoop(loop);
  }
  awaitLoads();
  // The body is built in a loop that carries nothing yet.
  Value first = getFirstTrip(loc);
  lastTrips = getNumTrips(loc);
  auto body = scf::ForOp::create(builder, loc, first,
                                 addTripsBefore(loc, lastTrips), index(loc, 1));
  state->body = body;
  varying.clear();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body.getBody());
    Value trip = body.getInductionVar();
    Value stage = state->rings.empty() ? Value() : getStage(loc, trip);
    if (!state->rings.empty() && !loader)
      loadAhead(loop, trip);
    placeStage(stage, trip);
    placeMasks(loop, trip);
    if (failed(convertBody(loop)))
      return failure();
    if (!loader)
      finishAhead(loop);
  }
  scf::ForOp full = carryValues(body);
  if (loader && !state->rings.empty())
    convertLoader(loop, full);
  builder.setInsertionPointAfter(full);
  CarriedValues values(full.getResults());
  if (schedule.defersProducts && !leavesProductsOf(loop)) {
    FailureOr<CarriedValues> deferred = deferProducts(full);
    if (failed(deferred))
      return loop.emitOpError(
          "has a mirage.schedule with deferred products, and sums up no "
          "product by wgmma whose left operand is made of another one and of "
          "which nothing else takes the right one (schedule_c12)");
    values = *deferred;
  }
  separateProductSums(values);
  finishLoop(loop, std::move(values));
  return success();
}
