//===- ScheduledLaunch.cpp - Block graphs on registers and pipelines ------===//
//
// A launch with a schedule becomes a kernel whose tiles lie in registers: loads
// of a loop go through a ring of stages in shared memory, products are made of
// fragments, and a value is stored to shared memory only where other threads
// need it.
//
// Every tile has one dimension more than in the block graph, in front: the
// group of warps that works on an iteration of the loop. It has size one where
// all groups have the same value.
//
//===----------------------------------------------------------------------===//

#include "IndexSystem.h"
#include "KernelBuilder.h"
#include "Mirage/Analysis/SharedMemory.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"
#include <numeric>

using namespace mlir;
using namespace mirage;

/// Returns the attributes of the operator on tiles with one more dimension in
/// front.
static OpAttributes addGroupDim(OpKind kind, OpAttributes attrs,
                                ArrayRef<int64_t> operandShape) {
  attrs.dim += 1;
  if (kind == OpKind::Transpose) {
    for (int64_t &dim : attrs.permutation)
      ++dim;
    attrs.permutation.insert(attrs.permutation.begin(), 0);
  }
  if (kind == OpKind::Reshape)
    attrs.resultShape.insert(attrs.resultShape.begin(), operandShape.front());
  return attrs;
}

static bool isMatmul(Operation *op) {
  return isa<block::MatmulOp, block::ConcatMatmulOp>(op);
}

/// Returns true if an operator on tiles of this kind can be made of fragments.
static std::optional<std::string> findObstacle(Operation &op) {
  auto compute = dyn_cast<ComputeOpInterface>(op);
  if (auto accumulate = dyn_cast<block::AccumulateOp>(op);
      accumulate && cast<RankedTensorType>(accumulate.getResult().getType())
                            .getElementTypeBitWidth() == 8)
    return "accumulates 8-bit floats";
  if (!compute)
    return isa<block::LoadOp, block::StoreOp, block::ForOp, block::AccumulateOp,
               block::YieldOp>(op)
               ? std::nullopt
               : std::optional<std::string>("is not made of fragments");
  OpKind kind = compute.getOpKind();
  OpAttributes attrs = compute.getOpAttributes();
  switch (getOpInfo(kind).opClass) {
  case OpClass::Elementwise:
    return std::nullopt;
  case OpClass::Constant:
    if (isImmediate(&op))
      return std::nullopt;
    return "is a constant that lies in memory";
  case OpClass::Reduction:
    if (kind == OpKind::Reduce && !attrs.group)
      return std::nullopt;
    return "reduces parts of a dimension";
  case OpClass::Layout:
    if (kind == OpKind::Reshape || kind == OpKind::Transpose)
      return std::nullopt;
    return "moves elements between threads";
  case OpClass::Contraction: {
    if (!isMatmul(&op))
      return "is a contraction other than a product of matrices";
    auto lhs = cast<RankedTensorType>(op.getOperand(0).getType());
    Type element = lhs.getElementType();
    if (!element.isF16() && !element.isBF16())
      return "multiplies elements that are not of f16 or bf16";
    unsigned numLhs = op.getNumOperands() / 2;
    for (Value operand : op.getOperands().take_front(numLhs)) {
      auto type = cast<RankedTensorType>(operand.getType());
      if (type.getShape().rbegin()[attrs.transposeLhs] % 16)
        return "contracts a size that is no multiple of 16";
    }
    return std::nullopt;
  }
  case OpClass::Composite:
    return "is composite";
  }
  llvm_unreachable("unknown class");
}

namespace {
/// A tile of the block graph, in registers or in shared memory or both.
struct Tile {
  /// The sizes, the group's first.
  Shape shape;
  Type element;
  SmallVector<Value, 1> fragments;
  /// A buffer whose last dimensions are the tile's, and the indices of those
  /// before.
  Value buffer;
  SmallVector<Value, 1> slot;
};

class ScheduledLaunchBuilder {
public:
  ScheduledLaunchBuilder(gpu::GPUFuncOp function, kernel::LaunchOp launch,
                         const LaunchOffsets &offsets,
                         const LaunchSchedule &schedule)
      : builder(function.getContext()), function(function), launch(launch),
        bufferOffsets(offsets), schedule(schedule) {}

  FailureOr<KernelShape> build();

private:
  // The order of the kernel.
  LogicalResult convertBlock(Block &block);
  LogicalResult convert(Operation &op);
  LogicalResult convertLoop(block::ForOp loop);
  void issueLoads(Block &block);
  void awaitLoads();

  // Loads and stores.
  void copyTile(block::LoadOp load, Value buffer, ArrayRef<Value> slot,
                Value iteration);
  void prepareLoop(block::ForOp loop);
  void issueStage(block::ForOp loop, Value stage, Value firstIteration);
  void convertStore(block::StoreOp store);
  void addBufferOffsets(SmallVectorImpl<Value> &offsets, size_t number,
                        Location loc);

  // Operators.
  LogicalResult convertOperator(ComputeOpInterface op);
  Value createOperator(Location loc, OpKind kind, const OpAttributes &attrs,
                       ArrayRef<Value> operands, Type element,
                       const RegisterLayout &layout);
  void convertElementwise(ComputeOpInterface op);
  void convertReduction(ComputeOpInterface op);
  Value reduce(Location loc, Value operand, int64_t dim, ReduceKind kind,
               Type element);
  void convertLayout(ComputeOpInterface op);
  void convertMatmul(ComputeOpInterface op);
  Value multiply(ComputeOpInterface op, Value accumulator);
  Value getPiece(Operation *product, Value value, MatrixRole role,
                 bool transposed, int64_t dim, int64_t from, int64_t size);
  /// The elements along the contracted dimension that are in registers at a
  /// time.
  static constexpr int64_t piecesOfDepth = 32;

  // Accumulators.
  struct Accumulator {
    block::AccumulateOp op;
    /// What the loop carries: the sum or maximum so far, and for a rescaled sum
    /// the place of its running maximum among those.
    unsigned carried;
    unsigned maximum = 0;
  };
  struct Carried {
    Value initial;
    /// Stands for the loop's value until the loop is made.
    Value placeholder;
    Value next;
  };
  Value addCarried(Location loc, RankedTensorType type, double initial);
  unsigned getRunningMaximum(Value shift);
  void convertAccumulate(block::AccumulateOp op);
  void mergeGroups(Accumulator &accumulator, ValueRange results, Value result);

  // Tiles.
  RankedTensorType getType(ArrayRef<int64_t> shape, Type element,
                           const RegisterLayout &layout);
  /// The registers of a tile in a layout, from registers or from memory.
  Value getFragment(Value value, const RegisterLayout &layout);
  Value loadTile(Location loc, Tile &tile, const RegisterLayout &layout);
  /// Any registers that hold the tile.
  Value getAnyFragment(Value value);
  void storeToShared(Location loc, Tile &tile, bool padded);
  Value allocate(Location loc, ArrayRef<int64_t> shape, Type element,
                 unsigned leading, bool padded);
  RegisterLayout getVectorLayoutOf(ArrayRef<int64_t> shape, Type element);
  std::optional<RegisterLayout> findOperandLayout(Value value);
  RegisterLayout getOperandLayout(Operation *product, MatrixRole role,
                                  ArrayRef<int64_t> shape, bool transposed);
  /// How the warps share a product: as the schedule says, or, where the rows
  /// are too few, with more of the warps along the columns.
  WarpGrid getWarpGrid(Operation *product) const;
  Value constant(Location loc, double value, ArrayRef<int64_t> shape,
                 Type element);
  Value index(Location loc, int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  void barrier(Location loc) { gpu::BarrierOp::create(builder, loc); }
  bool isVarying(Value value) const { return varying.contains(value); }

  OpBuilder builder;
  gpu::GPUFuncOp function;
  kernel::LaunchOp launch;
  const LaunchOffsets &bufferOffsets;
  LaunchSchedule schedule;
  SmallVector<Value, 3> blockIds;
  DenseMap<Value, Tile> tiles;
  /// Values that differ between the iterations of the present loop.
  DenseSet<Value> varying;
  /// Bytes of shared memory given away.
  int64_t bytes = 0;
  /// Whether copies are on their way that nobody has waited for yet.
  bool loadsPending = false;

  // The loop that is being converted.
  struct Ring {
    block::LoadOp load;
    Value buffer;
  };
  struct LoopState {
    block::ForOp loop;
    SmallVector<Ring> rings;
    bool isPrepared = false;
    /// The temporary loop; what does not vary is computed before it.
    scf::ForOp body;
    SmallVector<Carried> carried;
    SmallVector<Accumulator> accumulators;
    /// Running maxima by shift.
    DenseMap<Value, unsigned> maxima;
    /// The running maxima after this iteration, for rescaled sums.
    DenseMap<Value, Value> newMaxima;
  };
  std::optional<LoopState> state;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

RankedTensorType ScheduledLaunchBuilder::getType(ArrayRef<int64_t> shape,
                                                 Type element,
                                                 const RegisterLayout &layout) {
  return RankedTensorType::get(
      shape, element, thread::LayoutAttr::get(builder.getContext(), layout));
}

static const RegisterLayout &getLayoutOf(Value fragment) {
  auto type = cast<RankedTensorType>(fragment.getType());
  return cast<thread::LayoutAttr>(type.getEncoding()).getLayout();
}

Value ScheduledLaunchBuilder::constant(Location loc, double value,
                                       ArrayRef<int64_t> shape, Type element) {
  auto type = RankedTensorType::get(shape, element);
  return thread::ConstantOp::create(
      builder, loc,
      DenseElementsAttr::get(type,
                             builder.getFloatAttr(element, value).getValue()));
}

/// Returns a buffer whose rows are padded, if asked for, so that eight of them
/// lie in different banks.
Value ScheduledLaunchBuilder::allocate(Location loc, ArrayRef<int64_t> shape,
                                       Type element, unsigned leading,
                                       bool padded) {
  int64_t size = element.getIntOrFloatBitWidth() / 8;
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t dim = shape.size(); dim-- > 1;) {
    int64_t next = strides[dim] * shape[dim];
    // ldmatrix reads 16 bytes of each of eight rows.
    if (padded && dim + 1 == shape.size() && (next * size) % 16 == 0 &&
        (next * size / 16) % 2 == 0)
      next += 16 / size;
    strides[dim - 1] = next;
  }
  int64_t count = shape.empty() ? 1 : strides.front() * shape.front();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&function.getBody().front());
  auto space = gpu::AddressSpaceAttr::get(builder.getContext(),
                                          gpu::AddressSpace::Workgroup);
  int64_t dense = elementCount(shape);
  auto layout = count == dense
                    ? MemRefLayoutAttrInterface()
                    : StridedLayoutAttr::get(builder.getContext(), 0, strides);
  Value buffer = thread::SharedBufferOp::create(
      builder, loc, MemRefType::get(shape, element, layout, space),
      builder.getI64IntegerAttr(bytes));
  bytes += llvm::alignTo(count * size, 128);
  return buffer;
}

RegisterLayout
ScheduledLaunchBuilder::getVectorLayoutOf(ArrayRef<int64_t> shape,
                                          Type element) {
  return getVectorLayout(shape, schedule.getNumWarps(),
                         128 / element.getIntOrFloatBitWidth());
}

void ScheduledLaunchBuilder::storeToShared(Location loc, Tile &tile,
                                           bool padded) {
  Value fragment = tile.fragments.front();
  tile.buffer = allocate(loc, tile.shape, tile.element, 0, padded);
  tile.slot.clear();
  thread::StoreFragmentOp::create(
      builder, loc, fragment, tile.buffer,
      SmallVector<Value>(tile.shape.size(), index(loc, 0)));
  barrier(loc);
}

Value ScheduledLaunchBuilder::loadTile(Location loc, Tile &tile,
                                       const RegisterLayout &layout) {
  SmallVector<Value> offsets(tile.slot.begin(), tile.slot.end());
  offsets.resize(cast<MemRefType>(tile.buffer.getType()).getRank(),
                 index(loc, 0));
  return thread::LoadFragmentOp::create(
      builder, loc, getType(tile.shape, tile.element, layout), tile.buffer,
      offsets);
}

Value ScheduledLaunchBuilder::getFragment(Value value,
                                          const RegisterLayout &layout) {
  Tile &tile = tiles[value];
  for (Value fragment : tile.fragments)
    if (getLayoutOf(fragment).agreesWith(layout))
      return fragment;
  // What all iterations share is loaded before the loop.
  OpBuilder::InsertionGuard guard(builder);
  if (state && state->body && !isVarying(value))
    builder.setInsertionPoint(state->body);
  Location loc = value.getLoc();
  if (!tile.buffer)
    storeToShared(loc, tile, /*padded=*/true);
  Value fragment = loadTile(loc, tile, layout);
  tile.fragments.push_back(fragment);
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

WarpGrid ScheduledLaunchBuilder::getWarpGrid(Operation *product) const {
  auto shape =
      cast<RankedTensorType>(product->getResult(0).getType()).getShape();
  int64_t rowParts = llvm::divideCeil(shape.rbegin()[1], 16);
  int64_t columnParts = llvm::divideCeil(shape.rbegin()[0], 8);
  int64_t warps = schedule.rowWarps * schedule.columnWarps;
  WarpGrid grid;
  grid.batch = schedule.loopGroups;
  grid.rows = rowParts % schedule.rowWarps == 0 ? schedule.rowWarps
                                                : std::gcd(rowParts, warps);
  grid.columns = std::gcd(columnParts, warps / grid.rows);
  grid.replicas = warps / grid.rows / grid.columns;
  return grid;
}

RegisterLayout ScheduledLaunchBuilder::getOperandLayout(Operation *product,
                                                        MatrixRole role,
                                                        ArrayRef<int64_t> shape,
                                                        bool transposed) {
  Shape logical(shape);
  if (transposed)
    std::swap(logical.rbegin()[0], logical.rbegin()[1]);
  RegisterLayout layout =
      getMatrixLayout(role, logical, getWarpGrid(product), /*warpDim=*/0);
  if (!transposed)
    return layout;
  auto permutation = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(shape.size())));
  std::swap(permutation.rbegin()[0], permutation.rbegin()[1]);
  return layout.transpose(permutation);
}

/// Returns the layout in which a product takes this value as its left operand,
/// also by way of elementwise operators. A right operand is shared by the warps
/// that have other rows; it is better computed once and goes through shared
/// memory.
std::optional<RegisterLayout>
ScheduledLaunchBuilder::findOperandLayout(Value value) {
  SmallVector<Value> worklist{value};
  llvm::SetVector<Value> seen;
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (!seen.insert(next) || seen.size() > 32)
      continue;
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      auto compute = dyn_cast<ComputeOpInterface>(user);
      if (!compute)
        continue;
      unsigned numLhs = user->getNumOperands() / 2;
      if (isMatmul(user) && use.getOperandNumber() < numLhs)
        return getOperandLayout(user, MatrixRole::Lhs, tiles[value].shape,
                                compute.getOpAttributes().transposeLhs);
      if (getOpInfo(compute.getOpKind()).opClass == OpClass::Elementwise &&
          cast<RankedTensorType>(user->getResult(0).getType()).getShape() ==
              shape)
        worklist.push_back(user->getResult(0));
    }
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Adds where an operand or a result begins in its buffer.
void ScheduledLaunchBuilder::addBufferOffsets(SmallVectorImpl<Value> &offsets,
                                              size_t number, Location loc) {
  IndexSystem system{builder, loc};
  for (auto [dim, offset] : llvm::enumerate(bufferOffsets[number]))
    if (offset)
      offsets[dim] = system.add(offsets[dim], system.index(offset));
}

void ScheduledLaunchBuilder::copyTile(block::LoadOp load, Value buffer,
                                      ArrayRef<Value> slot, Value iteration) {
  Location loc = load.getLoc();
  IndexSystem system{builder, loc};
  SmallVector<int64_t> extents;
  SmallVector<Value> loopValues;
  getEnclosingLoops(load, extents, loopValues);
  for (Value &value : loopValues)
    value = iteration;
  auto source = cast<RankedTensorType>(load.getSource().getType());
  SmallVector<Value> offsets;
  for (const DimPartition &dim :
       getPartition(source.getShape(), load.getImap(), launch.getGrid(),
                    load.getFmap(), extents))
    offsets.push_back(getTileOffset<Value>(dim, blockIds, loopValues, system));
  auto tile = cast<RankedTensorType>(load.getResult().getType());
  SmallVector<Value> target(slot);
  target.resize(cast<MemRefType>(buffer.getType()).getRank(), index(loc, 0));
  auto argument = cast<BlockArgument>(load.getSource());
  addBufferOffsets(offsets, argument.getArgNumber(), loc);
  thread::CopyOp::create(builder, loc,
                         function.getArgument(argument.getArgNumber()), offsets,
                         buffer, target, tile.getShape(), /*async=*/true);
}

/// Whether a load reads another tile in each iteration of the loop around it.
static bool dependsOnLoop(block::LoadOp load) {
  return llvm::any_of(load.getFmap(), [](int64_t entry) { return entry >= 0; });
}

/// Begins the loads of a block that are not of a loop, and those of loops in it
/// that are the same in all iterations.
void ScheduledLaunchBuilder::issueLoads(Block &block) {
  block.walk([&](block::LoadOp load) {
    if (dependsOnLoop(load) || load->use_empty())
      return;
    auto type = cast<RankedTensorType>(load.getResult().getType());
    Tile &tile = tiles[load.getResult()];
    tile.shape.assign(type.getShape().begin(), type.getShape().end());
    tile.shape.insert(tile.shape.begin(), 1);
    tile.element = type.getElementType();
    tile.buffer =
        allocate(load.getLoc(), tile.shape, tile.element, 0, /*padded=*/true);
    copyTile(load, tile.buffer, index(load.getLoc(), 0),
             index(load.getLoc(), 0));
    loadsPending = true;
  });
  if (loadsPending)
    thread::AsyncCommitOp::create(builder, launch.getLoc());
}

void ScheduledLaunchBuilder::awaitLoads() {
  if (!loadsPending)
    return;
  // The stages of a loop that were begun after them may still be on their way.
  int64_t pending = state && state->isPrepared ? schedule.stages - 1 : 0;
  thread::AsyncWaitOp::create(builder, launch.getLoc(), pending);
  barrier(launch.getLoc());
  loadsPending = false;
}

void ScheduledLaunchBuilder::convertStore(block::StoreOp store) {
  if (store->use_empty())
    return;
  Location loc = store.getLoc();
  Value fragment = getAnyFragment(store.getValue());
  const Tile &tile = tiles[store.getValue()];
  Shape shape(ArrayRef(tile.shape).drop_front());
  std::optional<RegisterLayout> layout =
      getLayoutOf(fragment).reshape(tile.shape, shape);
  OpAttributes attrs;
  attrs.resultShape = shape;
  if (!layout) {
    fragment = getFragment(store.getValue(),
                           getVectorLayoutOf(tile.shape, tile.element));
    layout = getLayoutOf(fragment).reshape(tile.shape, shape);
  }
  Value flat = createOperator(loc, OpKind::Reshape, attrs, fragment,
                              tile.element, *layout);
  IndexSystem system{builder, loc};
  SmallVector<Value> offsets(shape.size(), index(loc, 0));
  for (auto [dim, entry] : llvm::enumerate(store.getOmap()))
    if (entry >= 0)
      offsets[entry] = system.mulConstant(blockIds[dim], shape[entry]);
  for (OpOperand &use : store.getResult().getUses()) {
    size_t number = launch.getNumOperands() + use.getOperandNumber();
    SmallVector<Value> target = offsets;
    addBufferOffsets(target, number, loc);
    thread::StoreFragmentOp::create(builder, loc, flat,
                                    function.getArgument(number), target);
  }
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Value ScheduledLaunchBuilder::createOperator(Location loc, OpKind kind,
                                             const OpAttributes &attrs,
                                             ArrayRef<Value> operands,
                                             Type element,
                                             const RegisterLayout &layout) {
  Operation *op = createComputeOp(builder, loc, Level::Thread, kind, attrs,
                                  operands, element);
  auto shape = cast<RankedTensorType>(op->getResult(0).getType()).getShape();
  op->getResult(0).setType(getType(shape, element, layout));
  return op->getResult(0);
}

void ScheduledLaunchBuilder::convertElementwise(ComputeOpInterface op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Tile &tile = tiles[op->getResult(0)];
  tile.element = type.getElementType();
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    if (tiles.contains(operand))
      groups = std::max(groups, tiles[operand].shape.front());
  tile.shape.insert(tile.shape.begin(), groups);
  // The result lies where an operand of its shape lies.
  std::optional<RegisterLayout> layout;
  for (Value operand : op->getOperands())
    if (tiles.contains(operand) && !tiles[operand].fragments.empty() &&
        tiles[operand].shape == tile.shape && !layout)
      layout = getLayoutOf(tiles[operand].fragments.front());
  if (!layout)
    layout = findOperandLayout(op->getResult(0));
  for (Value operand : op->getOperands())
    if (!layout && tiles.contains(operand) &&
        tiles[operand].shape == tile.shape)
      layout = findOperandLayout(operand);
  if (!layout)
    layout = getVectorLayoutOf(tile.shape, tile.element);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (!tiles.contains(operand)) {
      auto value = operand.getDefiningOp<block::ConstantOp>();
      auto elements = cast<DenseFPElementsAttr>(value.getValue());
      Shape shape(cast<RankedTensorType>(operand.getType()).getShape());
      shape.insert(shape.begin(), 1);
      operands.push_back(constant(
          op.getLoc(), elements.getSplatValue<APFloat>().convertToDouble(),
          shape, elements.getElementType()));
      continue;
    }
    operands.push_back(
        getFragment(operand, layout->project(tiles[operand].shape)));
  }
  Value result = createOperator(
      op.getLoc(), op.getOpKind(),
      addGroupDim(op.getOpKind(), op.getOpAttributes(), tile.shape), operands,
      type.getElementType(), *layout);
  tiles[op->getResult(0)].fragments.push_back(result);
}

/// Reduces along a dimension that is not spread over warps, and keeps it.
Value ScheduledLaunchBuilder::reduce(Location loc, Value operand, int64_t dim,
                                     ReduceKind kind, Type element) {
  OpAttributes attrs;
  attrs.dim = dim;
  attrs.keep = true;
  attrs.reduceKind = kind;
  return createOperator(loc, OpKind::Reduce, attrs, operand, element,
                        getLayoutOf(operand).withoutDim(dim));
}

void ScheduledLaunchBuilder::convertReduction(ComputeOpInterface op) {
  Location loc = op.getLoc();
  Value operand = op->getOperand(0);
  Tile &source = tiles[operand];
  OpAttributes attrs = addGroupDim(op.getOpKind(), op.getOpAttributes(), {});
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Type element = type.getElementType();
  Value fragment = getAnyFragment(operand);
  int64_t dim = attrs.dim, size = source.shape[dim];
  // Places beyond the end must not take part.
  if (getLayoutOf(fragment).overhangs(source.shape, dim))
    fragment =
        getFragment(operand, getVectorLayoutOf(source.shape, source.element));
  ReduceKind kind =
      attrs.reduceKind == ReduceKind::Mean ? ReduceKind::Sum : attrs.reduceKind;

  Shape shape = source.shape;
  shape[dim] = 1;
  Value result;
  if (!getLayoutOf(fragment).variesOverWarps(dim)) {
    result = reduce(loc, fragment, dim, kind, element);
  } else {
    // Each warp reduces its part; the parts meet in shared memory.
    const RegisterLayout &layout = getLayoutOf(fragment);
    int64_t parts = 1;
    for (const LayoutMode &mode : layout.warps)
      if (mode.dim == dim)
        parts *= mode.size;
    Shape split = source.shape;
    split[dim] = size / parts;
    split.insert(split.begin() + dim, parts);
    std::optional<RegisterLayout> splitLayout =
        layout.reshape(source.shape, split);
    if (!splitLayout || splitLayout->variesOverWarps(dim + 1)) {
      // The warps' parts are no runs of neighbours; each element goes through
      // shared memory to a place where one warp has all.
      if (!source.buffer)
        storeToShared(loc, source, /*padded=*/true);
      RegisterLayout whole = getVectorLayout(source.shape, 1, 4);
      whole.warps = {{schedule.getNumWarps(), LayoutMode::kReplicated, 0}};
      result = reduce(loc, loadTile(loc, source, whole), dim, kind, element);
    } else {
      OpAttributes reshape;
      reshape.resultShape = split;
      Value parted = createOperator(loc, OpKind::Reshape, reshape, fragment,
                                    source.element, *splitLayout);
      Value partial = reduce(loc, parted, dim + 1, kind, element);
      Tile partialTile;
      partialTile.shape = split;
      partialTile.shape[dim + 1] = 1;
      partialTile.element = element;
      partialTile.fragments.push_back(partial);
      storeToShared(loc, partialTile, /*padded=*/false);
      RegisterLayout all = getLayoutOf(partial).withoutDim(dim);
      all.registers.push_back({parts, dim, 1});
      Value loaded = loadTile(loc, partialTile, all);
      Value reduced = reduce(loc, loaded, dim, kind, element);
      Shape joined = split;
      joined.erase(joined.begin() + dim);
      joined[dim] = 1;
      Shape before = split;
      before[dim] = before[dim + 1] = 1;
      reshape.resultShape = joined;
      result = createOperator(loc, OpKind::Reshape, reshape, reduced, element,
                              *getLayoutOf(reduced).reshape(before, joined));
    }
  }
  if (attrs.reduceKind == ReduceKind::Mean) {
    OpAttributes scale;
    scale.scalar = 1.0 / size;
    result = createOperator(loc, OpKind::Scale, scale, result, element,
                            getLayoutOf(result));
  }
  if (!attrs.keep) {
    Shape dropped = shape;
    dropped.erase(dropped.begin() + dim);
    OpAttributes reshape;
    reshape.resultShape = dropped;
    result = createOperator(loc, OpKind::Reshape, reshape, result, element,
                            *getLayoutOf(result).reshape(shape, dropped));
    shape = dropped;
  }
  Tile &tile = tiles[op->getResult(0)];
  tile.shape = shape;
  tile.element = element;
  tile.fragments.push_back(result);
}

/// Transposes and reshapes give elements other indices: in registers another
/// layout, in shared memory other strides.
void ScheduledLaunchBuilder::convertLayout(ComputeOpInterface op) {
  Location loc = op.getLoc();
  Value operand = op->getOperand(0);
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Tile source = tiles[operand];
  OpAttributes attrs =
      addGroupDim(op.getOpKind(), op.getOpAttributes(), source.shape);
  Tile tile;
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  tile.shape.insert(tile.shape.begin(), source.shape.front());
  tile.element = source.element;
  auto relabel = [&](const RegisterLayout &layout) {
    return op.getOpKind() == OpKind::Transpose
               ? std::optional(layout.transpose(attrs.permutation))
               : layout.reshape(source.shape, tile.shape);
  };
  if (!source.buffer || source.slot.empty()) {
    // A tile that was computed is in registers.
    for (Value fragment : source.fragments)
      if (std::optional<RegisterLayout> layout =
              relabel(getLayoutOf(fragment))) {
        tile.fragments.push_back(createOperator(
            loc, op.getOpKind(), attrs, fragment, tile.element, *layout));
        break;
      }
  }
  if (tile.fragments.empty()) {
    if (!source.buffer) {
      storeToShared(loc, source,
                    /*padded=*/op.getOpKind() == OpKind::Transpose);
      tiles[operand] = source;
    }
    auto memory = cast<MemRefType>(source.buffer.getType());
    SmallVector<int64_t> strides;
    int64_t offset;
    (void)memory.getStridesAndOffset(strides, offset);
    size_t leading = memory.getRank() - source.shape.size();
    SmallVector<int64_t> viewStrides(ArrayRef(strides).take_front(leading));
    bool isView = true;
    if (op.getOpKind() == OpKind::Transpose) {
      for (int64_t dim : attrs.permutation)
        viewStrides.push_back(strides[leading + dim]);
    } else {
      // Dimensions are taken apart, and neighbours without a gap are joined.
      SmallVector<std::pair<int64_t, int64_t>> pieces;
      for (auto [size, stride] :
           llvm::zip(source.shape, ArrayRef(strides).drop_front(leading))) {
        if (size == 1)
          continue;
        if (!pieces.empty() && pieces.back().second == size * stride)
          pieces.back() = {pieces.back().first * size, stride};
        else
          pieces.push_back({size, stride});
      }
      SmallVector<int64_t> reversed;
      for (int64_t size : llvm::reverse(tile.shape)) {
        if (size == 1) {
          reversed.push_back(1);
          continue;
        }
        if (pieces.empty() || pieces.back().first % size) {
          isView = false;
          break;
        }
        auto &[count, stride] = pieces.back();
        reversed.push_back(stride);
        count /= size;
        stride *= size;
        if (count == 1)
          pieces.pop_back();
      }
      viewStrides.append(reversed.rbegin(), reversed.rend());
    }
    if (!isView) {
      // The rows' padding is in the way: the tile is written without it.
      Tile dense;
      dense.shape = source.shape;
      dense.element = source.element;
      dense.fragments.push_back(getAnyFragment(operand));
      storeToShared(loc, dense, /*padded=*/false);
      source.buffer = dense.buffer;
      source.slot.clear();
      leading = 0;
      viewStrides.clear();
      int64_t stride = 1;
      for (int64_t size : llvm::reverse(tile.shape)) {
        viewStrides.insert(viewStrides.begin(), stride);
        stride *= size;
      }
    }
    auto buffer = source.buffer.getDefiningOp<thread::SharedBufferOp>();
    SmallVector<int64_t> shape(cast<MemRefType>(source.buffer.getType())
                                   .getShape()
                                   .take_front(leading));
    llvm::append_range(shape, tile.shape);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointAfter(buffer);
    tile.buffer = thread::SharedBufferOp::create(
        builder, loc,
        MemRefType::get(
            shape, tile.element,
            StridedLayoutAttr::get(builder.getContext(), 0, viewStrides),
            memory.getMemorySpace()),
        buffer.getOffsetAttr());
    tile.slot = source.slot;
  }
  tiles[op->getResult(0)] = std::move(tile);
}

/// Returns the part of an operand of a product from an index of its contracted
/// dimension on.
Value ScheduledLaunchBuilder::getPiece(Operation *product, Value value,
                                       MatrixRole role, bool transposed,
                                       int64_t dim, int64_t from,
                                       int64_t size) {
  RegisterLayout whole =
      getOperandLayout(product, role, tiles[value].shape, transposed);
  if (tiles[value].shape[dim] == size)
    return getFragment(value, whole);
  Location loc = value.getLoc();
  Shape shape = tiles[value].shape;
  shape[dim] = size;
  RegisterLayout layout = getOperandLayout(product, role, shape, transposed);
  auto hasWhole = [&] {
    return llvm::any_of(tiles[value].fragments, [&](Value fragment) {
      return getLayoutOf(fragment).agreesWith(whole);
    });
  };
  // What all iterations share stays in registers.
  if (hasWhole() || (state && state->body && !isVarying(value))) {
    OpAttributes attrs;
    attrs.offsets.assign(shape.size(), 0);
    attrs.offsets[dim] = from;
    attrs.sizes.assign(shape.begin(), shape.end());
    attrs.strides.assign(shape.size(), 1);
    return createOperator(loc, OpKind::Slice, attrs, getFragment(value, whole),
                          tiles[value].element, layout);
  }
  Tile &tile = tiles[value];
  if (!tile.buffer)
    storeToShared(loc, tile, /*padded=*/true);
  SmallVector<Value> offsets(tile.slot.begin(), tile.slot.end());
  offsets.resize(cast<MemRefType>(tile.buffer.getType()).getRank(),
                 index(loc, 0));
  offsets[tile.slot.size() + dim] = index(loc, from);
  return thread::LoadFragmentOp::create(
      builder, loc, getType(shape, tile.element, layout), tile.buffer, offsets);
}

/// Emits the products of a matmul or a concat_matmul into an accumulator of f32
/// in the layout of the result, which is zero where none is given.
Value ScheduledLaunchBuilder::multiply(ComputeOpInterface op,
                                       Value accumulator) {
  Location loc = op.getLoc();
  OpAttributes attrs = op.getOpAttributes();
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  unsigned numLhs = op->getNumOperands() / 2;
  Shape shape(type.getShape());
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    groups = std::max(groups, tiles[operand].shape.front());
  shape.insert(shape.begin(), groups);
  if (!accumulator) {
    RegisterLayout layout =
        getMatrixLayout(MatrixRole::Accumulator, shape, getWarpGrid(op),
                        /*warpDim=*/0);
    RankedTensorType sum = getType(shape, builder.getF32Type(), layout);
    accumulator = thread::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(sum, APFloat(0.0f)));
  }
  for (unsigned i = 0; i < numLhs; ++i) {
    Value lhs = op->getOperand(i), rhs = op->getOperand(numLhs + i);
    int64_t rank = shape.size();
    int64_t lhsDim = attrs.transposeLhs ? rank - 2 : rank - 1;
    int64_t rhsDim = attrs.transposeRhs ? rank - 1 : rank - 2;
    int64_t depth = tiles[lhs].shape[lhsDim];
    // Operands come in pieces along the contracted dimension, so that not all
    // of them need registers at a time.
    int64_t piece = depth % piecesOfDepth ? 16 : std::min(depth, piecesOfDepth);
    for (int64_t from = 0; from < depth; from += piece) {
      Value a = getPiece(op, lhs, MatrixRole::Lhs, attrs.transposeLhs, lhsDim,
                         from, piece);
      Value b = getPiece(op, rhs, MatrixRole::Rhs, attrs.transposeRhs, rhsDim,
                         from, piece);
      accumulator =
          thread::MmaFragmentOp::create(builder, loc, a, b, accumulator,
                                        attrs.transposeLhs, attrs.transposeRhs);
    }
  }
  return accumulator;
}

/// The accumulator into which a product may be added at once: the only use of a
/// product in f32.
static block::AccumulateOp getFusedAccumulator(Operation *op) {
  Value result = op->getResult(0);
  if (!result.hasOneUse() ||
      !cast<RankedTensorType>(result.getType()).getElementType().isF32())
    return {};
  auto accumulate = dyn_cast<block::AccumulateOp>(*result.user_begin());
  if (!accumulate || accumulate.getValue() != result ||
      !cast<RankedTensorType>(accumulate.getResult().getType())
           .getElementType()
           .isF32() ||
      (accumulate.getKind() != AccumulateKind::Sum &&
       accumulate.getKind() != AccumulateKind::RescaledSum))
    return {};
  return accumulate;
}

void ScheduledLaunchBuilder::convertMatmul(ComputeOpInterface op) {
  Tile &tile = tiles[op->getResult(0)];
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  int64_t groups = 1;
  for (Value operand : op->getOperands())
    groups = std::max(groups, tiles[operand].shape.front());
  tiles[op->getResult(0)].shape.insert(tiles[op->getResult(0)].shape.begin(),
                                       groups);
  tiles[op->getResult(0)].element = type.getElementType();
  // A product that is only accumulated is made there.
  if (getFusedAccumulator(op))
    return;
  Value product = multiply(op, Value());
  if (!type.getElementType().isF32()) {
    OpAttributes attrs;
    attrs.resultType = convertElementType(type.getElementType());
    product = createOperator(op.getLoc(), OpKind::Cast, attrs, product,
                             type.getElementType(), getLayoutOf(product));
  }
  tiles[op->getResult(0)].fragments.push_back(product);
}

LogicalResult ScheduledLaunchBuilder::convertOperator(ComputeOpInterface op) {
  if (op.getOpKind() == OpKind::Constant)
    return success();
  bool varies = llvm::any_of(op->getOperands(),
                             [&](Value operand) { return isVarying(operand); });
  if (varies)
    varying.insert(op->getResult(0));
  // What all iterations share is computed before the loop.
  OpBuilder::InsertionGuard guard(builder);
  if (state && state->body && !varies)
    builder.setInsertionPoint(state->body);
  switch (getOpInfo(op.getOpKind()).opClass) {
  case OpClass::Elementwise:
    convertElementwise(op);
    return success();
  case OpClass::Reduction:
    convertReduction(op);
    return success();
  case OpClass::Layout:
    convertLayout(op);
    return success();
  case OpClass::Contraction:
    convertMatmul(op);
    return success();
  default:
    return op->emitOpError("is not made of fragments");
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

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
        {load, allocate(load.getLoc(), shape, type.getElementType(), 2,
                        /*padded=*/true)});
  });
  int64_t trips = loop.getExtent() / schedule.loopGroups;
  for (int64_t stage = 0; stage + 1 < schedule.stages; ++stage) {
    if (stage < trips)
      issueStage(loop, index(loop.getLoc(), stage),
                 index(loop.getLoc(), stage * schedule.loopGroups));
    thread::AsyncCommitOp::create(builder, loop.getLoc());
  }
  state->isPrepared = true;
}

void ScheduledLaunchBuilder::issueStage(block::ForOp loop, Value stage,
                                        Value firstIteration) {
  Location loc = loop.getLoc();
  for (Ring &ring : state->rings)
    for (int64_t group = 0; group < schedule.loopGroups; ++group) {
      Value iteration = arith::AddIOp::create(builder, loc, firstIteration,
                                              index(loc, group));
      copyTile(ring.load, ring.buffer, {stage, index(loc, group)}, iteration);
    }
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
  carried.placeholder =
      UnrealizedConversionCastOp::create(builder, loc, type, carried.initial)
          .getResult(0);
  state->carried.push_back(carried);
  return carried.placeholder;
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
      storeToShared(loc, tile, /*padded=*/false);
      factor = loadTile(loc, tile, wanted);
    }
    return widen(factor);
  };
  Value scaled = binary(OpKind::Mul, soFar,
                        spread(rescale(running.placeholder, running.next)));
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

/// Combines the accumulators of the groups, and gives the loop's result a tile.
void ScheduledLaunchBuilder::mergeGroups(Accumulator &accumulator,
                                         ValueRange results, Value result) {
  Location loc = result.getLoc();
  Value sum = results[accumulator.carried];
  auto type = cast<RankedTensorType>(sum.getType());
  Tile tile;
  tile.shape.assign(type.getShape().begin(), type.getShape().end());
  tile.element = type.getElementType();
  if (tile.shape.front() == 1) {
    // A sum of a value that all iterations share is that of one group.
    if (schedule.loopGroups > 1 &&
        accumulator.op.getKind() != AccumulateKind::Max) {
      OpAttributes scale;
      scale.scalar = schedule.loopGroups;
      sum = createOperator(loc, OpKind::Scale, scale, sum, tile.element,
                           getLayoutOf(sum));
    }
    tile.fragments.push_back(sum);
    tiles[result] = std::move(tile);
    return;
  }
  Shape merged = tile.shape;
  merged.front() = 1;
  RegisterLayout layout = getVectorLayoutOf(merged, tile.element);
  layout.registers.push_back({tile.shape.front(), 0, 1});
  tile.fragments.push_back(sum);
  storeToShared(loc, tile, /*padded=*/false);
  Value parts = loadTile(loc, tile, layout);
  if (accumulator.op.getKind() == AccumulateKind::RescaledSum) {
    Value maximum = results[accumulator.maximum];
    auto maximumType = cast<RankedTensorType>(maximum.getType());
    Tile maxima;
    maxima.shape.assign(maximumType.getShape().begin(),
                        maximumType.getShape().end());
    maxima.element = maximumType.getElementType();
    maxima.fragments.push_back(maximum);
    storeToShared(loc, maxima, /*padded=*/false);
    Value of = loadTile(loc, maxima, layout.project(maxima.shape));
    const RegisterLayout &ofLayout = getLayoutOf(of);
    Value largest = reduce(loc, of, 0, ReduceKind::Max, maxima.element);
    auto create = [&](OpKind kind, ArrayRef<Value> operands,
                      const OpAttributes &attrs = {}) {
      return createOperator(loc, kind, attrs, operands, maxima.element,
                            ofLayout);
    };
    OpAttributes equal;
    equal.compareKind = CompareKind::EQ;
    Value one =
        constant(loc, 1.0, Shape(maxima.shape.size(), 1), maxima.element);
    Value factor =
        create(OpKind::Select,
               {create(OpKind::Compare, {of, largest}, equal), one,
                create(OpKind::Exp, create(OpKind::Sub, {of, largest}))});
    parts = createOperator(loc, OpKind::Mul, {}, {parts, factor}, tile.element,
                           layout);
  }
  bool isMax = accumulator.op.getKind() == AccumulateKind::Max;
  Tile whole;
  whole.shape = merged;
  whole.element = tile.element;
  whole.fragments.push_back(reduce(
      loc, parts, 0, isMax ? ReduceKind::Max : ReduceKind::Sum, tile.element));
  tiles[result] = std::move(whole);
}

LogicalResult ScheduledLaunchBuilder::convertLoop(block::ForOp loop) {
  Location loc = loop.getLoc();
  if (!state || state->loop != loop) {
    // An earlier loop's threads may still read what the rings will hold.
    state.reset();
    prepareLoop(loop);
  }
  awaitLoads();
  int64_t trips = loop.getExtent() / schedule.loopGroups;
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
        Value first = arith::MulIOp::create(builder, loc, ahead,
                                            index(loc, schedule.loopGroups));
        issueStage(loop, next, first);
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
    carried.placeholder.replaceAllUsesWith(full.getRegionIterArg(i));
    carried.placeholder.getDefiningOp()->erase();
    next.push_back(carried.next);
  }
  builder.setInsertionPointToEnd(to);
  scf::YieldOp::create(builder, loc, next);
  body.erase();
  builder.setInsertionPointAfter(full);
  Operation *yield = loop.getBody().front().getTerminator();
  SmallVector<Accumulator> accumulators = std::move(state->accumulators);
  state.reset();
  for (auto [result, yielded] :
       llvm::zip(loop.getResults(), yield->getOperands()))
    for (Accumulator &accumulator : accumulators)
      if (accumulator.op.getResult() == yielded)
        mergeGroups(accumulator, full.getResults(), result);
  return success();
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

LogicalResult ScheduledLaunchBuilder::convert(Operation &op) {
  if (isa<block::LoadOp, block::YieldOp>(op))
    return success();
  if (auto store = dyn_cast<block::StoreOp>(op)) {
    awaitLoads();
    convertStore(store);
    return success();
  }
  if (auto loop = dyn_cast<block::ForOp>(op))
    return convertLoop(loop);
  if (!isa<block::ConstantOp>(op) && !(state && state->body))
    awaitLoads();
  return convertOperator(cast<ComputeOpInterface>(op));
}

LogicalResult ScheduledLaunchBuilder::convertBlock(Block &block) {
  issueLoads(block);
  // The first loop's tiles are on their way while what stands before it is
  // computed.
  auto loops = block.getOps<block::ForOp>();
  if (!loops.empty())
    prepareLoop(*loops.begin());
  for (Operation &op : block)
    if (failed(convert(op)))
      return failure();
  return success();
}

FailureOr<KernelShape> ScheduledLaunchBuilder::build() {
  builder.setInsertionPointToStart(&function.getBody().front());
  constexpr gpu::Dimension dimensions[] = {gpu::Dimension::x, gpu::Dimension::y,
                                           gpu::Dimension::z};
  KernelShape shape;
  for (auto [dim, extent] : llvm::enumerate(launch.getGrid())) {
    blockIds.push_back(
        gpu::BlockIdOp::create(builder, launch.getLoc(), dimensions[dim]));
    shape.grid[dim] = extent;
  }
  if (failed(convertBlock(launch.getBody().front())))
    return failure();
  gpu::ReturnOp::create(builder, launch.getLoc());
  shape.threads = schedule.getNumWarps() * RegisterLayout::kWarpSize;
  shape.sharedMemoryBytes = bytes;
  return shape;
}

std::optional<std::pair<Operation *, std::string>>
mirage::findScheduleObstacle(kernel::LaunchOp launch) {
  std::optional<std::pair<Operation *, std::string>> obstacle;
  launch.getBody().walk([&](Operation *op) {
    if (obstacle)
      return;
    if (isa<block::ForOp>(op) && isa<block::ForOp>(op->getParentOp()))
      obstacle.emplace(op, "is a loop in a loop");
    else if (auto accumulate = dyn_cast<block::AccumulateOp>(op);
             accumulate && accumulate.getKind() == AccumulateKind::Concat)
      obstacle.emplace(op, "puts the tiles of a loop together");
    else if (std::optional<std::string> reason = findObstacle(*op))
      obstacle.emplace(op, *reason);
  });
  return obstacle;
}

FailureOr<KernelShape>
mirage::buildScheduledKernel(gpu::GPUFuncOp function, kernel::LaunchOp launch,
                             const LaunchOffsets &offsets,
                             const LaunchSchedule &schedule) {
  return ScheduledLaunchBuilder(function, launch, offsets, schedule).build();
}
