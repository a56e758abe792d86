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
    Shape shape(type.getShape());
    shape.insert(shape.begin(), {schedule.stages, schedule.loopGroups});
    state->rings.push_back(
        {load, allocate(load.getLoc(), shape, type.getElementType(),
                        getRowPlacement(load))});
  });
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

/// Emits what the warps do that only load, and where the others wait for them.
void ScheduledLaunchBuilder::convertLoader(block::ForOp loop, scf::ForOp body) {
  Location loc = loop.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  int64_t groups =
      schedule.loopGroups > 1 && isReadByGroups() ? schedule.loopGroups : 1;
  bool isReadByLanes = llvm::any_of(getRingUsers(), [](Operation *user) {
    return !isa<thread::CopyOp, thread::WarpgroupMmaOp>(user);
  });
  auto type =
      thread::RingType::get(builder.getContext(), schedule.stages, groups,
                            schedule.getNumWarps() / groups,
                            isReadByLanes ? RegisterLayout::kWarpSize : 1);
  builder.setInsertionPoint(loader);
  Value ring = thread::RingOp::create(builder, loc, type,
                                      builder.getI64IntegerAttr(bytes));
  bytes += llvm::alignTo(type.getNumBytes(), 128);

  builder.setInsertionPointToEnd(&loader.getBody().front());
  int64_t trips = loop.getExtent() / schedule.getNumSharers();
  auto filling = scf::ForOp::create(builder, loc, index(loc, 0),
                                    index(loc, trips), index(loc, 1));
  builder.setInsertionPointToStart(filling.getBody());
  Value trip = filling.getInductionVar();
  Value stage =
      arith::RemUIOp::create(builder, loc, trip, index(loc, schedule.stages));
  for (int64_t group = 0; group < groups; ++group) {
    IntegerAttr number = builder.getI64IntegerAttr(group);
    thread::RingAcquireOp::create(builder, loc, ring, trip, number);
    if (groups == 1)
      issueStage(loop, stage, trip);
    else
      issueStage(loop, group, stage, trip);
    thread::RingPublishOp::create(builder, loc, ring, trip, number);
  }

  builder.setInsertionPointToStart(body.getBody());
  thread::RingAwaitOp::create(builder, loc, ring, body.getInductionVar());
  builder.setInsertionPoint(body.getBody()->getTerminator());
  thread::RingReleaseOp::create(builder, loc, ring, body.getInductionVar());
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
  bool isRelative = isRelativeTo(value, shift);
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
    }
    // Where all sums that are rescaled by a shift are proportional to
    // exp(-shift), they are computed relative to the running maximum.
    DenseMap<Value, bool> relative;
    for (auto accumulate : loop.getBody().getOps<block::AccumulateOp>())
      if (Value shift = accumulate.getShift()) {
        bool is = isRelativeTo(accumulate.getValue(), shift);
        auto [found, isNew] = relative.try_emplace(shift, is);
        found->second &= is;
      }
    for (Operation &op : loop.getBody().front()) {
      if (auto accumulate = dyn_cast<block::AccumulateOp>(op)) {
        if (accumulate.getKind() == AccumulateKind::Concat)
          return op.emitOpError("puts tiles together");
        convertAccumulate(accumulate);
        continue;
      }
      if (failed(convert(op)))
        return failure();
      if (op.getNumResults() == 1 && relative.lookup(op.getResult(0))) {
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
  return success();
}
