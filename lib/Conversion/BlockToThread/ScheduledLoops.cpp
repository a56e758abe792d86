//===- ScheduledLoops.cpp - Loops of a scheduled launch -----------------===//
//
// Emits loops with their rings of stages and their accumulators.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

/// Gives each load of the loop a ring of stages. Without warps that only load,
/// it begins all but the last.
void ScheduledLaunchBuilder::prepareLoop(block::ForOp loop) {
  state.emplace();
  state->loop = loop;
  // The loads of this loop may begin before the last one has ended.
  freeBegin = freeEnd = 0;
  state->begin = bytes;
  loop.getBody().walk([&](block::LoadOp load) {
    if (load->use_empty() || !dependsOnLoop(load))
      return;
    auto type = cast<RankedTensorType>(load.getResult().getType());
    Shape shape = getStoredShape(load);
    shape.insert(shape.begin(), {schedule.stages, schedule.loopGroups});
    state->rings.push_back(
        {load, allocate(load.getLoc(), shape, type.getElementType(),
                        getRowPlacement(load))});
  });
  findPreparations(loop);
  state->end = bytes;
  state->isPrepared = true;
  if (loader)
    return;
  int64_t trips = loop.getExtent() / schedule.getNumSharers();
  for (int64_t stage = 0; stage + 1 < schedule.stages; ++stage) {
    if (stage < trips)
      issueStage(loop, index(loop.getLoc(), stage),
                 index(loop.getLoc(), stage));
    thread::AsyncCommitOp::create(builder, loop.getLoc());
  }
}

/// Begins the loads of the iterations that all groups of this block execute in
/// one trip. Neighbouring iterations run at the same time, in all groups of all
/// blocks of the cluster.
void ScheduledLaunchBuilder::issueStage(block::ForOp loop, Value stage,
                                        Value trip) {
  for (int64_t group = 0; group < schedule.loopGroups; ++group)
    issueStage(loop, group, stage, trip);
}

/// Begins the loads of one group's iteration.
void ScheduledLaunchBuilder::issueStage(block::ForOp loop, int64_t group,
                                        Value stage, Value trip) {
  Location loc = loop.getLoc();
  IndexSystem system{builder, loc};
  Value first = system.mulConstant(trip, schedule.getNumSharers());
  if (clusterRank)
    first =
        system.add(first, system.mulConstant(clusterRank, schedule.loopGroups));
  Value iteration = system.add(first, system.index(group));
  for (Ring &ring : state->rings)
    copyTile(ring.load, ring.buffer, {stage, index(loc, group)}, iteration);
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

void ScheduledLaunchBuilder::convertAccumulate(block::AccumulateOp op) {
  Location loc = op.getLoc();
  Value value = op.getValue();
  auto resultType = cast<RankedTensorType>(op.getResult().getType());
  Type element = resultType.getElementType();
  Operation *product = value.getDefiningOp();
  bool isFused = product && isMatmul(product) && getFusedAccumulator(product);
  Shape shape = tiles[value].shape;
  RegisterLayout layout = isFused ? getAccumulatorLayout(product, shape)
                                  : getLayoutOf(getAnyFragment(value));
  // An accumulator of a value that does not vary has the groups' dimension too:
  // its sums are of each group's iterations.
  Accumulator accumulator;
  accumulator.op = op;
  accumulator.varies =
      isVarying(value) || (op.getShift() && isVarying(op.getShift()));
  accumulator.lanesDim = tiles[value].lanesDim;
  bool isMax = op.getKind() == AccumulateKind::Max;
  RankedTensorType type = getType(shape, element, layout);
  auto binary = [&](OpKind kind, Value a, Value b) {
    auto aType = cast<RankedTensorType>(a.getType());
    return createOperator(loc, kind, {}, {a, b}, aType.getElementType(),
                          getLayoutOf(a));
  };
  auto widen = [&](Value fragment) {
    if (cast<RankedTensorType>(fragment.getType()).getElementType() == element)
      return fragment;
    OpAttributes attrs;
    attrs.resultType = convertElementType(element);
    return createOperator(loc, OpKind::Cast, attrs, fragment, element,
                          getLayoutOf(fragment));
  };

  if (isMax) {
    if (auto found = state->maxima.find(value); found != state->maxima.end()) {
      accumulator.carried = found->second;
      state->accumulators.push_back(accumulator);
      return;
    }
  }
  if (op.getKind() != AccumulateKind::RescaledSum) {
    accumulator.carried = state->carried.size();
    Value soFar = addCarried(
        loc, type, isMax ? -std::numeric_limits<double>::infinity() : 0.0);
    Value next = isFused ? multiply(cast<ComputeOpInterface>(product), soFar)
                         : binary(isMax ? OpKind::Max : OpKind::Add, soFar,
                                  widen(getFragment(value, layout)));
    state->carried[accumulator.carried].next = next;
    state->accumulators.push_back(accumulator);
    return;
  }

  // Values that were made relative to the running maximum need no factor of
  // their own; see convertLoop.
  Value shift = op.getShift();
  accumulator.maximum = getRunningMaximum(shift);
  const Carried running = state->carried[accumulator.maximum];
  accumulator.carried = state->carried.size();
  Value soFar = addCarried(loc, type, 0.0);
  // exp(from - to), and one where they are equal: also for infinite ones.
  auto rescale = [&](Value from, Value to) {
    auto fromType = cast<RankedTensorType>(from.getType());
    const RegisterLayout &fromLayout = getLayoutOf(from);
    Type fromElement = fromType.getElementType();
    OpAttributes equal;
    equal.compareKind = CompareKind::EQ;
    Value isEqual = createOperator(loc, OpKind::Compare, equal, {from, to},
                                   fromElement, fromLayout);
    Value factor =
        createOperator(loc, OpKind::Exp, {}, binary(OpKind::Sub, from, to),
                       fromElement, fromLayout);
    Value one = constant(loc, 1.0, Shape(fromType.getRank(), 1), fromElement);
    return createOperator(loc, OpKind::Select, {}, {isEqual, one, factor},
                          fromElement, fromLayout);
  };
  auto spread = [&](Value factor) {
    // The factor's rows lie where the sum's rows do.
    Tile tile;
    tile.shape.assign(
        cast<RankedTensorType>(factor.getType()).getShape().begin(),
        cast<RankedTensorType>(factor.getType()).getShape().end());
    tile.element = cast<RankedTensorType>(factor.getType()).getElementType();
    RegisterLayout wanted = layout.project(tile.shape);
    if (!getLayoutOf(factor).agreesWith(wanted)) {
      tile.fragments.push_back(factor);
      storeToShared(loc, tile, RowPlacement::Dense);
      factor = loadTile(loc, tile, wanted);
    }
    return widen(factor);
  };
  Value scaled = binary(OpKind::Mul, soFar,
                        spread(rescale(running.previous, running.next)));
  bool isRelative = state->relativeShifts.contains(shift);
  Value next;
  if (isRelative) {
    next = isFused
               ? multiply(cast<ComputeOpInterface>(product), scaled)
               : binary(OpKind::Add, scaled, widen(getFragment(value, layout)));
  } else {
    Value term = isFused ? multiply(cast<ComputeOpInterface>(product), Value())
                         : widen(getFragment(value, layout));
    Value factor = spread(rescale(getAnyFragment(shift), running.next));
    next = binary(OpKind::Add, scaled, binary(OpKind::Mul, term, factor));
  }
  state->carried[accumulator.carried].next = next;
  state->accumulators.push_back(accumulator);
}

/// Returns true if a value is computed of another one.
static bool dependsOn(Value value, Value other) {
  SmallVector<Value> worklist{value};
  SmallPtrSet<Operation *, 16> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next == other)
      return true;
    if (Operation *op = next.getDefiningOp(); op && seen.insert(op).second)
      llvm::append_range(worklist, op->getOperands());
  }
  return false;
}

/// Finds the shifts for which the running maximum may stand: all sums that are
/// rescaled by them are proportional to exp(-shift), and nothing else that the
/// loop accumulates depends on them but their maximum.
void ScheduledLaunchBuilder::findRelativeShifts(block::ForOp loop) {
  auto accumulators = loop.getBody().getOps<block::AccumulateOp>();
  for (auto accumulate : accumulators)
    if (Value shift = accumulate.getShift())
      state->relativeShifts.insert(shift);
  for (auto accumulate : accumulators)
    for (Value shift : llvm::to_vector(state->relativeShifts)) {
      Value value = accumulate.getValue();
      bool isMaximum =
          accumulate.getKind() == AccumulateKind::Max && value == shift;
      bool isRelative = accumulate.getShift() == shift
                            ? isRelativeTo(value, shift)
                            : isMaximum || !dependsOn(value, shift);
      if (!isRelative)
        state->relativeShifts.erase(shift);
    }
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
void ScheduledLaunchBuilder::loadAhead(block::ForOp loop, Value trip,
                                       int64_t trips) {
  Location loc = loop.getLoc();
  thread::AsyncWaitOp::create(builder, loc, schedule.stages - 2);
  barrier(loc);
  // The stage that was read in the iteration before is filled again.
  Value ahead = arith::AddIOp::create(builder, loc, trip,
                                      index(loc, schedule.stages - 1));
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                       ahead, index(loc, trips));
  auto guarded = scf::IfOp::create(builder, loc, exists, false);
  {
    OpBuilder::InsertionGuard inner(builder);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
    Value next = arith::RemUIOp::create(builder, loc, ahead,
                                        index(loc, schedule.stages));
    issueStage(loop, next, ahead);
  }
  thread::AsyncCommitOp::create(builder, loc);
}

LogicalResult ScheduledLaunchBuilder::convertLoop(block::ForOp loop) {
  Location loc = loop.getLoc();
  if (!state || state->loop != loop) {
    // An earlier loop's threads may still read what the rings will hold.
    state.reset();
    prepareLoop(loop);
  }
  awaitLoads();
  int64_t trips = loop.getExtent() / schedule.getNumSharers();
  // The body is built in a loop that carries nothing yet.
  auto body = scf::ForOp::create(builder, loc, index(loc, 0), index(loc, trips),
                                 index(loc, 1));
  state->body = body;
  varying.clear();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(body.getBody());
    Value trip = body.getInductionVar();
    if (!state->rings.empty()) {
      Value slot = arith::RemUIOp::create(builder, loc, trip,
                                          index(loc, schedule.stages));
      if (!loader)
        loadAhead(loop, trip, trips);
      for (Ring &ring : state->rings) {
        Value value = ring.load.getResult();
        auto type = cast<RankedTensorType>(value.getType());
        Tile &tile = tiles[value];
        tile.shape.assign(type.getShape().begin(), type.getShape().end());
        tile.shape.insert(tile.shape.begin(), schedule.loopGroups);
        tile.element = type.getElementType();
        tile.buffer = ring.buffer;
        tile.slot = {slot};
        varying.insert(value);
      }
      for (const Preparation &preparation : state->preparations) {
        Value value = preparation.value;
        Tile &tile = tiles[value];
        tile.shape = getTileShape(value, schedule.loopGroups);
        tile.element = cast<RankedTensorType>(value.getType()).getElementType();
        tile.buffer = preparation.buffer;
        tile.slot = {slot};
        varying.insert(value);
      }
    }
    findRelativeShifts(loop);
    for (Operation &op : loop.getBody().front()) {
      if (state->isPreparedByLoader(&op))
        continue;
      if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
        if (accumulate.getKind() == AccumulateKind::Concat) {
          if (schedule.getNumSharers() > 1)
            return op.emitOpError(
                "puts tiles together, and several iterations run at the same "
                "time; so its launch cannot be executed by a mirage.schedule "
                "with groups of warps or a cluster that share them");
          joinTiles(accumulate);
          continue;
        }
        convertAccumulate(accumulate);
        continue;
      }
      if (failed(convert(op)))
        return failure();
      if (op.getNumResults() == 1 &&
          state->relativeShifts.contains(op.getResult(0))) {
        // From here on the running maximum stands for the shift.
        Value shift = op.getResult(0);
        getRunningMaximum(shift);
        tiles[shift].fragments = {state->newMaxima.lookup(shift)};
      }
    }
  }

  // The loop is made again with what it carries.
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
  if (loader && !state->rings.empty())
    convertLoader(loop, full);
  builder.setInsertionPointAfter(full);
  SmallVector<Accumulator> accumulators = std::move(state->accumulators);
  auto joined = std::move(state->joined);
  freeBegin = state->begin;
  freeEnd = state->end;
  freeNeedsBarrier = true;
  state.reset();
  CarriedValues values(full.getResults());
  for (const Accumulator &accumulator : accumulators)
    if (accumulator.lanesDim) {
      Value &sums = values[accumulator.carried];
      sums = reduce(loc, sums, *accumulator.lanesDim, ReduceKind::Sum,
                    cast<RankedTensorType>(sums.getType()).getElementType());
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
  return success();
}
