//===- ScheduledTiles.cpp - Tiles between memory and registers ----------===//
//
// Places the tiles of a scheduled launch: buffers in shared memory, layouts in
// registers, and loads from device memory.
//
//===----------------------------------------------------------------------===//

#include "ScheduledLaunch.h"
#include "TileOffsets.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

const RegisterLayout &mirage::getLayoutOf(Value fragment) {
  auto type = cast<RankedTensorType>(fragment.getType());
  return cast<thread::LayoutAttr>(type.getEncoding()).getLayout();
}

bool mirage::dependsOnLoop(block::LoadOp load) {
  return llvm::any_of(load.getFmap(), [](int64_t entry) { return entry >= 0; });
}

RankedTensorType ScheduledLaunchBuilder::getType(ArrayRef<int64_t> shape,
                                                 Type element,
                                                 const RegisterLayout &layout) {
  return RankedTensorType::get(
      shape, element, thread::LayoutAttr::get(builder.getContext(), layout));
}

Value ScheduledLaunchBuilder::constant(Location loc, double value,
                                       ArrayRef<int64_t> shape, Type element) {
  auto type = RankedTensorType::get(shape, element);
  return thread::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type,
                             builder.getFloatAttr(element, value).getValue()));
}

Value ScheduledLaunchBuilder::allocate(Location loc, ArrayRef<int64_t> tile,
                                       Type element,
                                       const RowRequest &request) {
  int64_t size = element.getIntOrFloatBitWidth() / 8;
  RowLayout rows = chooseRows(request, ShapeRef(tile), size, schedule);
  auto [memory, shape, count] =
      placeRows(rows, ShapeRef(tile), request.rowDims, request.steps);
  // Swizzling goes by addresses.
  int64_t unit = memory.swizzled ? 1024 : 128;
  int64_t offset = llvm::alignTo(freeBegin, unit);
  int64_t end = offset + llvm::alignTo(count * size, 128);
  if (end <= freeEnd) {
    if (std::exchange(freeNeedsBarrier, false))
      barrier(loc);
    freeBegin = end;
  } else {
    offset = llvm::alignTo(bytes, unit);
    bytes = offset + llvm::alignTo(count * size, 128);
  }
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  MemRefLayoutAttrInterface layout;
  if (memory.swizzled)
    layout = thread::ChunkedLayoutAttr::get(
        builder.getContext(), ArrayRef<int64_t>(memory.strides), memory.chunk,
        memory.chunkStride, memory.swizzled);
  else if (count != elementCount(shape))
    layout = StridedLayoutAttr::get(builder.getContext(), 0,
                                    ArrayRef<int64_t>(memory.strides));
  Value buffer = thread::SharedBufferOp::create(
      builder, loc,
      MemRefType::get(ArrayRef<int64_t>(shape), element, layout, space),
      builder.getI64IntegerAttr(offset));
  if (request.value)
    placedTiles.push_back({request, Shape(tile), rows, {buffer}});
  return buffer;
}

RegisterLayout mirage::getVectorLayoutOf(ArrayRef<int64_t> shape,
                                         const LaunchSchedule &schedule,
                                         int64_t vector) {
  int64_t groups = schedule.loopGroups;
  if (groups == 1 || shape.empty() || shape.front() != groups)
    return getSpreadVectorLayout(shape, schedule.getNumWarps(), vector);
  // A group of warps has a tile of its own.
  Shape ofGroup(shape);
  ofGroup.front() = 1;
  RegisterLayout layout =
      getSpreadVectorLayout(ofGroup, schedule.getNumWarps() / groups, vector);
  layout.warps.push_back({groups, 0, 1});
  return RegisterLayout(layout.registers, layout.lanes, layout.warps);
}

RegisterLayout
ScheduledLaunchBuilder::getVectorLayoutOf(ArrayRef<int64_t> shape,
                                          Type element) {
  return mirage::getVectorLayoutOf(shape, schedule,
                                   128 / element.getIntOrFloatBitWidth());
}

void ScheduledLaunchBuilder::orderStores(Location loc) {
  // Where other warps load, no barrier begins an iteration: the buffers of the
  // last one may still be read.
  if (loader && state &&
      builder.getInsertionBlock()->getParentOp() == state->body &&
      !std::exchange(state->hasBarrier, true))
    barrier(loc);
  // So may those of the last tile that the loader prepared.
  if (isPreparing && !std::exchange(hasPreparationBarrier, true))
    barrier(loc);
}

void ScheduledLaunchBuilder::storeToShared(Location loc, Tile &tile,
                                           const RowRequest &rows) {
  Value fragment = tile.fragments.front();
  orderStores(loc);
  tile.buffer = allocate(loc, tile.shape, tile.element, rows);
  tile.slot.clear();
  thread::StoreFragmentOp::create(
      builder, loc, fragment, tile.buffer,
      SmallVector<Value>(tile.shape.size(), index(loc, 0)));
  barrier(loc);
}

Value ScheduledLaunchBuilder::loadTile(Location loc, Tile &tile,
                                       const RegisterLayout &layout) {
  SmallVector<Value> offsets(tile.slot.begin(), tile.slot.end());
  llvm::append_range(offsets, tile.start);
  offsets.resize(cast<MemRefType>(tile.buffer.getType()).getRank(),
                 index(loc, 0));
  return thread::LoadFragmentOp::create(
      builder, loc, getType(tile.shape, tile.element, layout), tile.buffer,
      offsets);
}

Value ScheduledLaunchBuilder::getFragment(Value value,
                                          const RegisterLayout &layout) {
  Tile &tile = tiles[value];
  if (tile.mask)
    return createMask(value.getLoc(), tile, layout);
  for (Value fragment : tile.fragments)
    if (getLayoutOf(fragment).agreesWith(layout))
      return fragment;
  // What all iterations share is loaded before the loop.
  OpBuilder::InsertionGuard guard(builder);
  if (state && state->body && !isVarying(value))
    builder.setInsertionPoint(state->body);
  Location loc = value.getLoc();
  Value fragment;
  if (!tile.buffer && isComputedAgain(value))
    fragment = computeAgain(value, layout);
  if (!fragment) {
    if (!tile.buffer)
      storeToShared(loc, tile, {RowPlacement::Chunked, value});
    fragment = loadTile(loc, tile, layout);
  }
  // Computing it again may have moved the tile.
  tiles[value].fragments.push_back(fragment);
  return fragment;
}

Value ScheduledLaunchBuilder::getAnyFragment(Value value) {
  Tile &tile = tiles[value];
  if (!tile.fragments.empty())
    return tile.fragments.front();
  if (std::optional<RegisterLayout> layout = findOperandLayout(value))
    return getFragment(value, *layout);
  return getFragment(value, getVectorLayoutOf(tile.shape, tile.element));
}

bool mirage::isLaneProduct(Operation *product) {
  return !getFragmentInstruction(getElementTypeOrSelf(product->getOperand(0)));
}

/// Returns true if wgmma multiplies the elements of a product, and no attribute
/// asks for another instruction.
static bool mayUseWgmma(Operation *product) {
  return !isLaneProduct(product) &&
         getWantedInstruction(product).value_or(ProductInstruction::Wgmma) ==
             ProductInstruction::Wgmma;
}

bool mirage::isExchangedProduct(Operation *product,
                                const LaunchSchedule &schedule) {
  auto shape =
      cast<RankedTensorType>(product->getResult(0).getType()).getShape();
  // The last rows, which are columns of an instruction, may lie beyond the end
  // where they are rows in memory.
  return schedule.usesWgmma && mayUseWgmma(product) && schedule.rowWarps == 1 &&
         (shape.rbegin()[1] % WarpgroupInstruction::columnStep == 0 ||
          !cast<ComputeOpInterface>(product).getOpAttributes().transposeLhs) &&
         fillsWarpgroups(shape.rbegin()[0], schedule.columnWarps);
}

bool mirage::isWarpgroupProduct(Operation *product,
                                const LaunchSchedule &schedule) {
  auto shape =
      cast<RankedTensorType>(product->getResult(0).getType()).getShape();
  int64_t columns = shape.rbegin()[0];
  if (!schedule.usesWgmma || !isMatmul(product) || !mayUseWgmma(product))
    return false;
  if (isExchangedProduct(product, schedule))
    return true;
  if (!fillsWarpgroups(shape.rbegin()[1], schedule.rowWarps))
    return false;
  // The last columns of an instruction may lie beyond the end where they are
  // rows in memory, and no product contracts them.
  if (columns % WarpgroupInstruction::columnStep)
    return schedule.columnWarps == 1 &&
           cast<ComputeOpInterface>(product).getOpAttributes().transposeRhs &&
           getAddedColumns(product->getResult(0)) == 0;
  // Warpgroups beside each other have whole chunks of the right operand.
  return schedule.columnWarps == 1 ||
         cast<ComputeOpInterface>(product).getOpAttributes().transposeRhs ||
         columns % (widestChunk * schedule.columnWarps) == 0;
}

bool mirage::hasWarpgroupProduct(kernel::LaunchOp launch,
                                 const LaunchSchedule &schedule) {
  return launch.getBody()
      .walk([&](Operation *op) {
        return isMatmul(op) && isWarpgroupProduct(op, schedule)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

WarpGrid ScheduledLaunchBuilder::getWarpGrid(Operation *product) const {
  auto shape =
      cast<RankedTensorType>(product->getResult(0).getType()).getShape();
  int64_t rowParts =
      llvm::divideCeil(shape.rbegin()[1], MatrixInstruction::rows);
  // Lanes that multiply by themselves have four neighbours of a row.
  int64_t columns = MatrixInstruction::columns;
  if (isLaneProduct(product))
    columns *= 2;
  int64_t columnParts = llvm::divideCeil(shape.rbegin()[0], columns);
  int64_t warps = schedule.rowWarps * schedule.columnWarps;
  WarpGrid grid;
  grid.batch = schedule.loopGroups;
  if (isExchangedProduct(product, schedule)) {
    grid.rows = schedule.columnWarps;
    grid.rowsInTurn = true;
    return grid;
  }
  grid.rowsInTurn = isWarpgroupProduct(product, schedule);
  // Parts that no warps share evenly leave some of the last warps' places
  // empty, which an instruction of a warpgroup cannot.
  auto countParts = [&](int64_t rowWarps, int64_t columnWarps) {
    return llvm::divideCeil(rowParts, rowWarps) *
           llvm::divideCeil(columnParts, columnWarps);
  };
  auto share = [&](int64_t rowWarps) {
    int64_t most = warps / rowWarps, even = std::gcd(columnParts, most);
    int64_t uneven = std::min(columnParts, most);
    while (most % uneven || (grid.rowsInTurn && columnParts % uneven))
      --uneven;
    return std::pair(rowWarps,
                     countParts(rowWarps, uneven) < countParts(rowWarps, even)
                         ? uneven
                         : even);
  };
  auto grids = {share(grid.rowsInTurn || rowParts % schedule.rowWarps == 0
                          ? schedule.rowWarps
                          : std::gcd(rowParts, warps)),
                share(!grid.rowsInTurn && rowParts < schedule.rowWarps
                          ? 1
                          : schedule.rowWarps)};
  std::tie(grid.rows, grid.columns) =
      *std::min_element(grids.begin(), grids.end(), [&](auto a, auto b) {
        return countParts(a.first, a.second) < countParts(b.first, b.second);
      });
  grid.replicas = warps / grid.rows / grid.columns;
  return grid;
}

/// The order of the dimensions of a tile whose last two are exchanged.
static SmallVector<int64_t> getExchange(size_t rank) {
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  std::swap(order.rbegin()[0], order.rbegin()[1]);
  return order;
}

RegisterLayout
ScheduledLaunchBuilder::getAccumulatorLayout(Operation *product,
                                             ArrayRef<int64_t> shape) const {
  WarpGrid grid = getWarpGrid(product);
  if (isLaneProduct(product))
    return getLaneSumsLayout(getPlacedShape(product, shape), grid,
                             /*warpDim=*/0);
  if (!isExchangedProduct(product, schedule))
    return getMatrixLayout(MatrixRole::Accumulator,
                           getPlacedShape(product, shape), grid,
                           /*warpDim=*/0);
  Shape exchanged(shape);
  std::swap(exchanged.rbegin()[0], exchanged.rbegin()[1]);
  return getMatrixLayout(MatrixRole::Accumulator, exchanged, grid,
                         /*warpDim=*/0)
      .transpose(getExchange(shape.size()));
}

Value ScheduledLaunchBuilder::exchange(Value fragment) {
  auto type = cast<RankedTensorType>(fragment.getType());
  OpAttributes attrs;
  attrs.permutation = getExchange(type.getRank());
  return createOperator(fragment.getLoc(), OpKind::Transpose, attrs, fragment,
                        type.getElementType(),
                        getLayoutOf(fragment).transpose(attrs.permutation));
}

RegisterLayout ScheduledLaunchBuilder::getOperandLayout(Operation *product,
                                                        MatrixRole role,
                                                        ArrayRef<int64_t> shape,
                                                        bool transposed) {
  if (isLaneProduct(product)) {
    Shape sums(shape);
    auto result =
        cast<RankedTensorType>(product->getResult(0).getType()).getShape();
    llvm::copy(result.take_back(2), sums.end() - 2);
    return getLaneOperandLayout(role, getAccumulatorLayout(product, sums),
                                shape, transposed);
  }
  Shape logical(shape);
  if (transposed)
    std::swap(logical.rbegin()[0], logical.rbegin()[1]);
  RegisterLayout layout =
      getMatrixLayout(role, logical, getWarpGrid(product), /*warpDim=*/0);
  return transposed ? layout.transpose(getExchange(shape.size())) : layout;
}

/// Returns the layout in which a product takes this value as its left operand,
/// also by way of elementwise operators. A right operand is shared by the warps
/// that have other rows; it is better computed once and goes through shared
/// memory.
std::optional<RegisterLayout>
ScheduledLaunchBuilder::findOperandLayout(Value value) {
  SmallVector<std::pair<Value, Shape>> worklist{{value, tiles[value].shape}};
  llvm::SetVector<Value> seen;
  while (!worklist.empty()) {
    auto [next, placed] = worklist.pop_back_val();
    if (!seen.insert(next) || seen.size() > 32)
      continue;
    auto shape = cast<RankedTensorType>(next.getType()).getShape();
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      auto compute = dyn_cast<ComputeOpInterface>(user);
      if (!compute)
        continue;
      unsigned numLhs = user->getNumOperands() / 2;
      // Lanes that share rows would compute the same elements of them.
      if (isMatmul(user) && isLaneProduct(user))
        continue;
      bool isExchanged = isMatmul(user) && isExchangedProduct(user, schedule);
      if (isMatmul(user) && (use.getOperandNumber() < numLhs) != isExchanged) {
        OpAttributes attrs = compute.getOpAttributes();
        RegisterLayout layout = getOperandLayout(
            user, MatrixRole::Lhs, placed,
            isExchanged ? !attrs.transposeRhs : attrs.transposeLhs);
        // A long operand has no room in the registers of the warps that share
        // its rows; all warps compute it, and it goes through shared memory.
        constexpr int64_t mostRegisters = 128;
        if (layout.getNumRegisters() > mostRegisters)
          return std::nullopt;
        return layout;
      }
      if (getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise &&
          cast<RankedTensorType>(user->getResult(0).getType()).getShape() ==
              shape)
        worklist.emplace_back(user->getResult(0), placed);
      if (compute.getOpKind() == OpKind::Pad) {
        Shape padded = placed;
        for (auto [dim, added] :
             llvm::enumerate(compute.getOpAttributes().sizes))
          padded[dim + 1] += added;
        worklist.emplace_back(user->getResult(0), std::move(padded));
      }
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// The dimensions along which a buffer ends before the operand or result that
/// it holds, whose elements beyond it are zeros and are not stored.
DenseI64ArrayAttr ScheduledLaunchBuilder::getClipped(size_t number,
                                                     RankedTensorType tensor) {
  auto buffer = cast<MemRefType>(parameters[number].getType());
  const std::optional<TensorWindows> &windows = places[number].windows;
  // Dimensions of which a part stands in front are there as well.
  int64_t front = buffer.getRank() - tensor.getRank();
  SmallVector<int64_t> clipped;
  for (auto [dim, size] : llvm::enumerate(tensor.getShape())) {
    int64_t there = buffer.getDimSize(front + dim);
    // Tiles lie in one part.
    if (places[number].parts &&
        static_cast<int64_t>(dim) == places[number].parts->dim)
      continue;
    if (windows ? windows->readsBeside(dim, size, there * windows->strides[dim])
                : there < size)
      clipped.push_back(dim);
  }
  return clipped.empty() ? DenseI64ArrayAttr()
                         : builder.getDenseI64ArrayAttr(clipped);
}

ScheduledLaunchBuilder::Transfer
ScheduledLaunchBuilder::getTransfer(block::LoadOp load, Value buffer,
                                    ArrayRef<Value> slot, Value iteration) {
  Transfer transfer(load.getLoc());
  auto argument = cast<BlockArgument>(load.getSource());
  size_t number = argument.getArgNumber();
  transfer.sourceOffsets =
      getLoadOffsets(builder, load, blockIds, [&](Value) { return iteration; });
  transfer.target = buffer;
  transfer.targetOffsets.assign(slot.begin(), slot.end());
  transfer.targetOffsets.resize(cast<MemRefType>(buffer.getType()).getRank(),
                                index(transfer.loc, 0));
  if (const std::optional<TensorWindows> &windows = places[number].windows)
    transfer.sourceOffsets = getWindowOffsets(builder, transfer.loc, *windows,
                                              transfer.sourceOffsets);
  else
    transfer.part = addBufferOffsets(builder, transfer.loc, places, number,
                                     transfer.sourceOffsets);
  transfer.sizes = getStoredShape(load);
  auto tile = cast<RankedTensorType>(load.getResult().getType());
  if (tile.getShape() != ArrayRef<int64_t>(transfer.sizes))
    transfer.exist = builder.getDenseI64ArrayAttr(tile.getShape());
  transfer.clipped =
      getClipped(number, cast<RankedTensorType>(load.getSource().getType()));
  return transfer;
}

thread::CopyOp
ScheduledLaunchBuilder::beginTile(block::LoadOp load, Value buffer,
                                  ArrayRef<Value> slot, Value iteration,
                                  const std::optional<Parts> &parts) {
  Transfer transfer = getTransfer(load, buffer, slot, iteration);
  transfer.source =
      getBufferOf(builder, transfer.loc, places,
                  cast<BlockArgument>(load.getSource()).getArgNumber(),
                  parameters, transfer.part);
  if (parts) {
    loadInParts(transfer, *parts);
    return {};
  }
  return thread::CopyOp::create(
      builder, transfer.loc, transfer.source, transfer.sourceOffsets, buffer,
      transfer.targetOffsets, transfer.sizes,
      /*async=*/true, transfer.exist, transfer.clipped);
}

/// Begins the loads of a block that are not of a loop, and those of loops in it
/// that are the same in all iterations.
void ScheduledLaunchBuilder::issueLoads(Block &block) {
  block.walk([&](block::LoadOp load) {
    if (dependsOnLoop(load) || load->use_empty())
      return;
    if (isComputedMask(load))
      return placeMask(load, index(load.getLoc(), 0), /*groups=*/1);
    if (leaveToLoader(load))
      return;
    auto type = cast<RankedTensorType>(load.getResult().getType());
    Tile &tile = tiles[load.getResult()];
    tile.shape.assign(type.getShape().begin(), type.getShape().end());
    tile.shape.insert(tile.shape.begin(), 1);
    tile.element = type.getElementType();
    Shape stored = getStoredShape(load);
    stored.insert(stored.begin(), 1);
    tile.buffer = allocate(load.getLoc(), stored, tile.element,
                           getRowRequest(load, schedule));
    std::optional<Parts> inParts =
        getParts(load, tile.buffer, schedule.getNumWarps());
    copyWays.emplace_back(load, inParts ? CopyWay::Registers : CopyWay::Async);
    if (auto copy = beginTile(load, tile.buffer, index(load.getLoc(), 0),
                              index(load.getLoc(), 0), inParts))
      firstCopies.emplace_back(load, copy);
    loadsPending = true;
  });
  storePassingTiles();
  if (loadsPending)
    thread::AsyncCommitOp::create(builder, launch.getLoc());
  if (residentStages)
    thread::RingAwaitOp::create(builder, launch.getLoc(), residentStages, turn);
}

void ScheduledLaunchBuilder::awaitLoads() {
  if (!loadsPending)
    return;
  // The stages of a loop that were begun after them may still be on their way.
  int64_t pending =
      state && state->isPrepared && !loader ? schedule.stages - 1 : 0;
  thread::AsyncWaitOp::create(builder, launch.getLoc(), pending);
  barrier(launch.getLoc());
  loadsPending = false;
}
