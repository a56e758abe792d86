//===- ScheduledMasks.cpp - Masks that are computed of indices ------------===//
//
// Emits tiles of masks where they are needed, without loads; leaves out the
// iterations that a mask leaves nothing of, and lets the blocks that have most
// of the others begin first.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

bool ScheduledLaunchBuilder::isComputedMask(block::LoadOp load) const {
  return masks && masks->isComputed(load);
}

//===----------------------------------------------------------------------===//
// The iterations and blocks that a mask leaves
//===----------------------------------------------------------------------===//

/// Returns the sum of a mask's first element in a block and an iteration.
Value ScheduledLaunchBuilder::getMaskSum(Location loc, const MaskPlace &place,
                                         Value iteration) {
  IndexSystem system{builder, loc};
  Value sum = system.mulConstant(iteration, place.ofIteration);
  for (auto [id, step] : llvm::zip(blockIds, place.ofBlock))
    if (step)
      sum = system.add(sum, system.mulConstant(id, step));
  return sum;
}

/// Finds the trips of the present loop that masks leave something of. Every
/// block has one at least, so that what the loop carries is what an iteration
/// makes of it.
void ScheduledLaunchBuilder::findTrips(block::ForOp loop) {
  state->mostTrips =
      static_cast<int64_t>(loop.getExtent()) / schedule.getNumSharers();
  if (!masks)
    return;
  Location loc = loop.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  // The warps that load have the same trips.
  if (loader && !persistentBlock)
    builder.setInsertionPoint(loader);
  auto constant = [&](int64_t value) { return index(loc, value); };
  auto emit = [&](const IterationBound &bound, Value sum) -> Value {
    Value numerator = arith::AddIOp::create(
        builder, loc,
        arith::MulIOp::create(builder, loc, sum, constant(bound.sign)),
        constant(bound.constant));
    numerator = arith::MaxSIOp::create(builder, loc, numerator, constant(0));
    return arith::DivUIOp::create(builder, loc, numerator,
                                  constant(bound.step));
  };
  Value begin, end;
  for (const IndexMask &mask : masks->findEmptyingMasks(loop)) {
    MaskPlace place(mask);
    IterationBounds bounds(mask.band, place);
    Value sum = getMaskSum(loc, place, constant(0));
    if (bounds.begin) {
      Value bound = emit(*bounds.begin, sum);
      begin =
          begin ? arith::MaxUIOp::create(builder, loc, begin, bound) : bound;
    }
    if (bounds.end) {
      Value bound = emit(*bounds.end, sum);
      end = end ? arith::MinUIOp::create(builder, loc, end, bound) : bound;
    }
  }
  if (!begin && !end)
    return;
  // Sharers of a trip execute neighbouring iterations.
  int64_t sharers = schedule.getNumSharers();
  Value first = constant(0), behind = constant(state->mostTrips);
  if (begin) {
    begin = arith::DivUIOp::create(builder, loc, begin, constant(sharers));
    first = arith::MinUIOp::create(builder, loc, begin,
                                   constant(state->mostTrips - 1));
    state->firstTrip = first;
  }
  if (end) {
    end = arith::CeilDivUIOp::create(builder, loc, end, constant(sharers));
    behind = arith::MinUIOp::create(builder, loc, end, behind);
  }
  Value count = arith::SubIOp::create(builder, loc, behind, first);
  state->numTrips = arith::MaxSIOp::create(builder, loc, count, constant(1));
}

/// Returns how many iterations of a loop masks leave something of, in a block
/// with these numbers.
static int64_t countIterations(ArrayRef<IndexMask> masks, int64_t extent,
                               ArrayRef<int64_t> ids) {
  int64_t begin = 0, end = extent;
  for (const IndexMask &mask : masks) {
    MaskPlace place(mask);
    IterationBounds bounds(mask.band, place);
    int64_t sum = std::inner_product(ids.begin(), ids.end(),
                                     place.ofBlock.begin(), int64_t(0));
    if (bounds.begin)
      begin = std::max(begin, bounds.begin->get(sum));
    if (bounds.end)
      end = std::min(end, bounds.end->get(sum));
  }
  return std::max<int64_t>(end - begin, 1);
}

/// Returns the dimensions of a launch's grid along which its blocks load the
/// same tiles in loops.
llvm::SmallBitVector ScheduledLaunchBuilder::findSharedDims() {
  llvm::SmallBitVector shared(launch.getGrid().size(), true);
  launch.getBody().walk([&](block::LoadOp load) {
    if (!load->use_empty() && dependsOnLoop(load) && !isComputedMask(load))
      for (auto [dim, entry] : llvm::enumerate(load.getImap()))
        if (entry >= 0)
          shared.reset(dim);
  });
  return shared;
}

void ScheduledLaunchBuilder::orderBlocks() {
  ArrayRef<int64_t> grid = launch.getGrid();
  order.dims = llvm::to_vector(llvm::seq<size_t>(0, grid.size()));
  order.isReversed.assign(grid.size(), false);
  llvm::SmallBitVector varies(grid.size());
  for (auto loop : launch.getBody().front().getOps<block::ForOp>()) {
    if (!masks)
      break;
    SmallVector<IndexMask> emptying = masks->findEmptyingMasks(loop);
    for (size_t dim = 0; dim < grid.size(); ++dim) {
      SmallVector<int64_t> first(grid.size(), 0), last = first;
      last[dim] = grid[dim] - 1;
      int64_t ofFirst = countIterations(emptying, loop.getExtent(), first),
              ofLast = countIterations(emptying, loop.getExtent(), last);
      if (ofFirst == ofLast)
        continue;
      varies.set(dim);
      order.isReversed[dim] = ofFirst < ofLast;
    }
  }
  // The blocks of a cluster are neighbours along x.
  if (schedule.clusterBlocks > 1)
    return;
  // Blocks with most to do begin first. Of others, those run at the same time
  // that load the same, so that they find it in L2.
  llvm::SmallBitVector shared = findSharedDims();
  SmallVector<size_t> dims;
  for (bool isVarying : {false, true})
    for (bool isShared : {true, false})
      for (size_t dim : order.dims)
        if (varies.test(dim) == isVarying && shared.test(dim) == isShared)
          dims.push_back(dim);
  // The dimensions of a grid on the GPU have limits of their own.
  for (auto [dim, most] : llvm::zip(dims, largestGrid))
    if (grid[dim] > most)
      return;
  order.dims = std::move(dims);
}

void ScheduledLaunchBuilder::reverseBlocks() {
  Location loc = launch.getLoc();
  for (auto [id, extent, isReversed] :
       llvm::zip(blockIds, launch.getGrid(), order.isReversed))
    if (isReversed)
      id = arith::SubIOp::create(builder, loc, index(loc, extent - 1), id);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Says where the elements of a mask's tile come from: for the first of the
/// groups that are in a trip together, the tile is that of an iteration.
void ScheduledLaunchBuilder::placeMask(block::LoadOp load, Value iteration,
                                       int64_t groups) {
  Value value = load.getResult();
  Location loc = load.getLoc();
  IndexMask mask = *masks->find(value);
  MaskPlace place(mask);
  Tile &tile = tiles[value];
  tile = Tile();
  tile.shape = getTileShape(value, groups);
  tile.element = cast<RankedTensorType>(value.getType()).getElementType();
  tile.mask = computedMasks.size();
  ComputedMask &computed = computedMasks.emplace_back();
  computed.sum = getMaskSum(loc, place, iteration);
  computed.coefficients = {place.ofIteration};
  llvm::append_range(computed.coefficients, mask.band.coefficients);
  if (mask.band.lower > mask.band.least)
    computed.from = mask.band.lower;
  if (mask.band.upper <= mask.band.largest)
    computed.below = mask.band.upper;
  computed.inside = mask.band.inside;
  computed.outside = mask.band.outside;
  // All elements are inside if the least and the largest sums are.
  int64_t least = place.least, largest = place.largest;
  (place.ofIteration < 0 ? least : largest) += place.ofIteration * (groups - 1);
  auto compare = [&](arith::CmpIPredicate predicate, int64_t bound) -> Value {
    return arith::CmpIOp::create(builder, loc, predicate, computed.sum,
                                 index(loc, bound));
  };
  if (computed.from)
    computed.isInside =
        compare(arith::CmpIPredicate::sge, *computed.from - least);
  if (computed.below) {
    Value isBelow =
        compare(arith::CmpIPredicate::slt, *computed.below - largest);
    computed.isInside =
        computed.isInside
            ? arith::AndIOp::create(builder, loc, computed.isInside, isBelow)
            : isBelow;
  }
}

void ScheduledLaunchBuilder::placeMasks(block::ForOp loop, Value trip) {
  for (auto load : loop.getBody().front().getOps<block::LoadOp>())
    if (isComputedMask(load) && dependsOnLoop(load)) {
      placeMask(load, getIteration(load.getLoc(), trip), schedule.loopGroups);
      varying.insert(load.getResult());
    }
}

Value ScheduledLaunchBuilder::createMask(Location loc, const Tile &tile,
                                         const RegisterLayout &layout) {
  const ComputedMask &mask = computedMasks[*tile.mask];
  auto getBound = [&](std::optional<int64_t> bound) {
    return bound ? builder.getI64IntegerAttr(*bound) : IntegerAttr();
  };
  return thread::IndexMaskOp::create(
      builder, loc, getType(tile.shape, tile.element, layout), mask.sum,
      builder.getDenseI64ArrayAttr(mask.coefficients), getBound(mask.from),
      getBound(mask.below), builder.getF64FloatAttr(mask.inside),
      builder.getF64FloatAttr(mask.outside));
}

/// Lets what an operator makes of a mask be one with other numbers, or with
/// other dimensions of size one. Returns false where it is none.
bool ScheduledLaunchBuilder::mapMask(ComputeOpInterface op) {
  std::optional<IndexMask> mask =
      masks ? masks->find(op->getResult(0)) : std::nullopt;
  if (!mask)
    return false;
  Tile tile = tiles[op->getOperand(0)];
  tile.shape = getTileShape(op->getResult(0), tile.shape.front());
  tile.element = getElementTypeOrSelf(op->getResult(0).getType());
  ComputedMask computed = computedMasks[*tile.mask];
  computed.inside = mask->band.inside;
  computed.outside = mask->band.outside;
  computed.coefficients.truncate(1);
  llvm::append_range(computed.coefficients, mask->band.coefficients);
  tile.mask = computedMasks.size();
  computedMasks.push_back(std::move(computed));
  if (isVarying(op->getOperand(0)))
    varying.insert(op->getResult(0));
  tiles[op->getResult(0)] = std::move(tile);
  return true;
}

/// Returns true if an operator's result is its other operand where this one is
/// a number.
static bool isIdentity(OpKind kind, double number) {
  return (kind == OpKind::Add && number == 0) ||
         (kind == OpKind::Mul && number == 1);
}

Value ScheduledLaunchBuilder::createMaskedOperator(
    ComputeOpInterface op, const OpAttributes &attrs,
    SmallVector<Value> operands, const RegisterLayout &layout) {
  Location loc = op.getLoc();
  Type element = getElementTypeOrSelf(op->getResult(0).getType());
  size_t position = llvm::find(operands, Value()) - operands.begin();
  const Tile masked = tiles[op->getOperand(position)];
  RegisterLayout ofMask = layout.project(masked.shape);
  Value isInside = computedMasks[*masked.mask].isInside;
  auto emit = [&](Value mask) {
    operands[position] = mask;
    return createOperator(loc, op.getOpKind(), attrs, operands, element,
                          layout);
  };
  if (operands.size() == 1 || !isInside)
    return emit(createMask(loc, masked, ofMask));
  // Most tiles are inside altogether, where nothing has to be computed of
  // indices, and often nothing at all.
  RankedTensorType type =
      getType(tiles[op->getResult(0)].shape, element, layout);
  auto branch = scf::IfOp::create(builder, loc, type, isInside,
                                  /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  double inside = computedMasks[*masked.mask].inside;
  Value other = operands[operands.size() == 2 ? 1 - position : position];
  Value same =
      isIdentity(op.getOpKind(), inside) && other && other.getType() == type
          ? other
          : emit(constant(loc, inside, Shape(masked.shape.size(), 1),
                          masked.element));
  scf::YieldOp::create(builder, loc, same);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, emit(createMask(loc, masked, ofMask)));
  return branch.getResult(0);
}
