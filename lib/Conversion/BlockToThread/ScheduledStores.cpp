//===- ScheduledStores.cpp - Stores of a scheduled launch -----------------===//
//
// Emits the stores of a block's results, also those that each iteration of a
// loop makes of its tile.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Schedule/LaneExchange.h"
#include "ScheduledLaunch.h"
#include "TileOffsets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mirage;

/// Returns layouts, one after the other, by which threads come to have 16 bytes
/// of neighbours of a tile, or 8, if lanes that have less can exchange what
/// they have. Four of them write the same rows, 64 bytes of each at a time, or
/// 16 of each of two rows.
SmallVector<RegisterLayout, 1>
ScheduledLaunchBuilder::findGathered(const Tile &tile,
                                     const RegisterLayout &layout) const {
  unsigned bits = tile.element.getIntOrFloatBitWidth();
  int64_t inner = static_cast<int64_t>(tile.shape.size()) - 1;
  if (bits != 16 || tile.shape.back() % (128 / bits) ||
      layout.overhangs(tile.shape, inner))
    return {};
  return gatherInSteps(layout, inner, 128 / bits);
}

/// Returns how many neighbours along a dimension the lanes of a warp have in
/// one access, of which each lane has so many.
static int64_t getNeighbours(const RegisterLayout &layout, int64_t dim,
                             int64_t ofLane) {
  int64_t run = ofLane;
  for (const LayoutMode &mode : layout.lanes)
    if (mode.dim == dim && mode.stride == run)
      run *= mode.size;
  return run;
}

/// Returns true if a tile had better go through shared memory to threads that
/// have 16 bytes of neighbours, before it is stored to device memory: it is
/// large, its threads have less and its warps only short runs of neighbours,
/// and the memory of a loop's stages is free.
bool ScheduledLaunchBuilder::isWorthGathering(
    const Tile &tile, const RegisterLayout &layout) const {
  int64_t elementBytes = tile.element.getIntOrFloatBitWidth() / 8;
  int64_t wanted = 16 / elementBytes, count = elementCount(tile.shape);
  int64_t threads = schedule.getNumWarps() * RegisterLayout::kWarpSize;
  constexpr int64_t leastAccesses = 2;
  MemoryLayout memory{Shape(tile.shape.size(), 1)};
  for (size_t dim = tile.shape.size(); dim-- > 1;)
    memory.strides[dim - 1] = memory.strides[dim] * tile.shape[dim];
  int64_t length = getVectorLength(layout, tile.shape, memory, wanted);
  // Runs of 64 bytes are written as fast as whole lines.
  constexpr int64_t runBytes = 64;
  int64_t inner = static_cast<int64_t>(tile.shape.size()) - 1;
  return tile.shape.back() % wanted == 0 &&
         count >= threads * wanted * leastAccesses && length < wanted &&
         getNeighbours(layout, inner, length) * elementBytes < runBytes &&
         (persistentBlock || freeBegin + 2 * count * elementBytes <= freeEnd);
}

/// Returns true if a lane has eight neighbours of 16 bits, which it stores at
/// once.
static bool hasWholeAccesses(const RegisterLayout &gathered) {
  return gathered.registers.front().size >= 8;
}

LogicalResult
ScheduledLaunchBuilder::convertStore(block::StoreOp store,
                                     block::AccumulateOp iteration) {
  if (store->use_empty())
    return success();
  Location loc = store.getLoc();
  Value value = iteration ? iteration.getValue() : store.getValue();
  Value fragment = getAnyFragment(value);
  Tile &tile = tiles[value];
  SmallVector<RegisterLayout, 1> steps =
      findGathered(tile, getLayoutOf(fragment));
  // The stages of a loop are free behind it.
  if (!iteration && (steps.empty() || !hasWholeAccesses(steps.back())) &&
      isWorthGathering(tile, getLayoutOf(fragment)))
    fragment = getFragment(value, getVectorLayoutOf(tile.shape, tile.element));
  else
    for (const RegisterLayout &layout : steps)
      fragment = thread::ExchangeLanesOp::create(
          builder, loc, getType(tile.shape, tile.element, layout), fragment);
  // Iterations of several groups are neighbours along what they are put
  // together.
  Shape source = tile.shape;
  size_t joined = iteration ? *iteration.getDim() : 0;
  OpAttributes attrs;
  for (size_t dim = 0; dim < source.size(); ++dim)
    attrs.permutation.push_back(static_cast<int64_t>(dim));
  std::rotate(attrs.permutation.begin(), attrs.permutation.begin() + 1,
              attrs.permutation.begin() + 1 + static_cast<int64_t>(joined));
  auto order = [&](Value from) -> Value {
    if (joined == 0)
      return from;
    return createOperator(loc, OpKind::Transpose, attrs, from, tile.element,
                          getLayoutOf(from).transpose(attrs.permutation));
  };
  std::rotate(source.begin(), source.begin() + 1,
              source.begin() + 1 + static_cast<int64_t>(joined));
  Shape shape(ArrayRef(tile.shape).drop_front());
  if (!shape.empty())
    shape[joined] *= tile.shape.front();
  auto join = [&](Value from) {
    return getLayoutOf(from).reshape(source, shape);
  };
  Value ordered = order(fragment);
  std::optional<RegisterLayout> layout = join(ordered);
  if (!layout) {
    ordered =
        order(getFragment(value, getVectorLayoutOf(tile.shape, tile.element)));
    layout = join(ordered);
  }
  if (!layout)
    return iteration.emitOpError(
        "puts tiles together whose rows threads do not share evenly; so its "
        "launch cannot be executed by a mirage.schedule with groups of warps");
  OpAttributes flattened;
  flattened.resultShape = shape;
  Value flat = createOperator(loc, OpKind::Reshape, flattened, ordered,
                              tile.element, *layout);
  IndexSystem system{builder, loc};
  SmallVector<Value> offsets(shape.size(), index(loc, 0));
  auto whole = cast<RankedTensorType>(store.getValue().getType()).getShape();
  for (auto [dim, entry] : llvm::enumerate(store.getOmap()))
    if (entry >= 0)
      offsets[entry] = system.mulConstant(blockIds[dim], whole[entry]);
  OpBuilder::InsertionGuard guard(builder);
  if (iteration) {
    Value first = getIteration(loc, state->body.getInductionVar());
    offsets[joined] = system.add(
        offsets[joined], system.mulConstant(first, tile.shape[joined + 1]));
  } else if (auto divided = slicedDims.find(value);
             divided != slicedDims.end()) {
    Value &offset = offsets[divided->second];
    offset = system.add(offset, getSliceStart(loc));
  } else if (clusterRank) {
    // All blocks of the cluster have the value.
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, clusterRank, index(loc, 0));
    auto guarded = scf::IfOp::create(builder, loc, isFirst, false);
    builder.setInsertionPointToStart(&guarded.getThenRegion().front());
  }
  for (OpOperand &use : store.getResult().getUses()) {
    size_t number = launch.getNumOperands() + use.getOperandNumber();
    SmallVector<Value> target = offsets;
    Value part = addBufferOffsets(builder, loc, places, number, target);
    Value buffer = getBufferOf(builder, loc, places, number, parameters, part);
    thread::StoreFragmentOp::create(
        builder, loc, flat, buffer, target,
        getClipped(number,
                   cast<RankedTensorType>(store.getResult().getType())));
  }
  return success();
}
