//===- ScheduledLoops.cpp - Loops of a scheduled launch -----------------===//
//
// Emits loops with their rings of stages and their accumulators.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mirage;

/// Gives each load of the loop a ring of stages and begins all but the last.
void ScheduledLaunchBuilder::prepareLoop(block::ForOp loop) {
  state.emplace();
  state->loop = loop;
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
  int64_t trips = loop.getExtent() / schedule.getNumSharers();
  for (int64_t stage = 0; stage + 1 < schedule.stages; ++stage) {
    if (stage < trips)
      issueStage(loop, index(loop.getLoc(), stage),
                 index(loop.getLoc(), stage));
    thread::AsyncCommitOp::create(builder, loop.getLoc());
  }
  state->isPrepared = true;
}

/// Begins the loads of the iterations that all groups of this block execute in
/// one trip. Neighbouring iterations run at the same time, in all groups of all
/// blocks of the cluster.
void ScheduledLaunchBuilder::issueStage(block::ForOp loop, Value stage,
                                        Value trip) {
  Location loc = loop.getLoc();
  IndexSystem system{builder, loc};
  Value first = system.mulConstant(trip, schedule.getNumSharers());
  if (clusterRank)
    first =
        system.add(first, system.mulConstant(clusterRank, schedule.loopGroups));
  for (Ring &ring : state->rings)
    for (int64_t group = 0; group < schedule.loopGroups; ++group)
      copyTile(ring.load, ring.buffer, {stage, index(loc, group)},
               system.add(first, system.index(group)));
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
  RegisterLayout layout = isFused ? getMatrixLayout(MatrixRole::Accumulator,
                                                    shape, getWarpGrid(product),
                                                    /*warpDim=*/0)
                                  : getLayoutOf(getAnyFragment(value));
  // An accumulator of a value that does not vary has the groups' dimension too:
  // its sums are of each group's iterations.
  Accumulator accumulator;
  accumulator.op = op;
  accumulator.varies =
      isVarying(value) || (op.getShift() && isVarying(op.getShift()));
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
      Value stages = index(loc, schedule.stages);
      Value slot = arith::RemUIOp::create(builder, loc, trip, stages);
      thread::AsyncWaitOp::create(builder, loc, schedule.stages - 2);
      barrier(loc);
      // The stage that was read in the iteration before is filled again.
      Value ahead = arith::AddIOp::create(builder, loc, trip,
                                          index(loc, schedule.stages - 1));
      Value exists = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::ult, ahead, index(loc, trips));
      auto guarded = scf::IfOp::create(builder, loc, exists, false);
      {
        OpBuilder::InsertionGuard inner(builder);
        builder.setInsertionPointToStart(&guarded.getThenRegion().front());
        Value next = arith::RemUIOp::create(builder, loc, ahead, stages);
        issueStage(loop, next, ahead);
      }
      thread::AsyncCommitOp::create(builder, loc);
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
  builder.setInsertionPointAfter(full);
  SmallVector<Accumulator> accumulators = std::move(state->accumulators);
  state.reset();
  mergeAccumulators(accumulators, CarriedValues(full.getResults()), loop);
  return success();
}
