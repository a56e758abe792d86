//===- DefaultLaunches.cpp - Launches of pre-defined operators ------------===//
//
// Replaces pre-defined operators of kernel graphs by launches, so that they are
// executed by the same lowering as other launches; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "GroupBody.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "PadToTiles.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

namespace mirage {
#define GEN_PASS_DEF_DEFAULTLAUNCHES
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// Returns a tile's sizes along a dimension, largest first: powers of two that
/// divide it, or all of it where it is a small multiple of `unit`. Where that
/// leaves no tile of a useful size, the last tile of the dimension may be
/// padded.
static SmallVector<int64_t> getTileSizes(int64_t size, int64_t most,
                                         int64_t least, int64_t unit) {
  int64_t leastUseful = std::min<int64_t>(most, 64);
  SmallVector<int64_t> sizes;
  for (int64_t tile = most; tile >= least; tile /= 2)
    if (size % tile == 0)
      sizes.push_back(tile);
  if (sizes.empty() && size <= most && (size < leastUseful || size % unit == 0))
    sizes.push_back(size);
  if (sizes.empty() || sizes.front() < leastUseful)
    for (int64_t tile = most; tile >= std::max(least, leastUseful); tile /= 2)
      if (tile < size)
        sizes.push_back(tile);
  llvm::sort(sizes, std::greater<int64_t>());
  return sizes;
}

/// Returns the tiles of a product. A launch must be legal before it
/// has a schedule, so what a block accumulates has room in its shared memory.
/// Where the target has wgmma and the rows admit it, tiles fill warpgroups:
/// other tiles would be multiplied by mma.sync, which takes longer
/// (docs/performance/scheduled-kernels.md).
static SmallVector<ProductTile> getTiles(int64_t rows, int64_t columns,
                                         int64_t depth, Type element,
                                         const TargetDescription &target) {
  constexpr int64_t warpgroupRows = WarpgroupInstruction::rows;
  bool fillsWarpgroups =
      hasWgmma(target.chip) && getFragmentInstruction(element) &&
      (rows % warpgroupRows == 0 || rows > 2 * warpgroupRows);
  constexpr int64_t mostElements = 128 * 128;
  SmallVector<ProductTile> tiles;
  // Iterations of f32 load as many bytes of a row as a cache line has, so that
  // several groups of warps have room for their stages.
  SmallVector<int64_t> depths =
      getTileSizes(depth, getFragmentInstruction(element) ? 128 : 32,
                   *getProductStep(element), /*unit=*/1);
  // Shorter tiles need more iterations.
  depths.truncate(std::min<size_t>(depths.size(), 2));
  // Lanes that multiply by themselves have 16 columns of a part, and warps that
  // share them evenly.
  int64_t unit = getFragmentInstruction(element) ? 1 : warpgroupRows;
  // Rows of no whole warpgroups would take mma.sync.
  for (int64_t tileRows : getTileSizes(
           rows, 256, fillsWarpgroups ? warpgroupRows : MatrixInstruction::rows,
           fillsWarpgroups ? warpgroupRows : unit))
    for (int64_t tileColumns :
         getTileSizes(columns, 256, 2 * MatrixInstruction::columns, unit))
      for (int64_t tileDepth : depths)
        if (tileRows * tileColumns <= mostElements)
          tiles.push_back({tileRows, tileColumns, tileDepth});
  return tiles;
}

/// Emits the loop that accumulates a block's part of a product, and returns
/// that part.
static Value buildProduct(Block &body, const OperatorGroup &group,
                          const GroupTiling &tiling) {
  kernel::MatmulOp op = group.product;
  const ProductTile &tile = group.tile;
  Location loc = op.getLoc();
  auto lhs = cast<RankedTensorType>(body.getArgument(0).getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  int64_t rank = result.getRank(), outer = rank - 2, inner = rank - 1;
  // The last dimensions of the grid are those of the columns and the rows.
  size_t rowGrid = tiling.grid.size() - 1, columnGrid = rowGrid - 1;
  auto depthDim = static_cast<int64_t>(
      getContractedDim(op.getTransposeLhs(), ProductOperand::Lhs, rank));
  int64_t trips = lhs.getDimSize(depthDim) / tile.depth;
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  Type sumElement = builder.getF32Type();
  Shape sumShape(rank, 1);
  sumShape[outer] = tile.rows;
  sumShape[inner] = tile.columns;
  auto sumType = RankedTensorType::get(sumShape, sumElement);
  auto loop = block::ForOp::create(builder, loc, TypeRange(sumType), trips);
  Block &loopBody = loop.getBody().emplaceBlock();
  Value variable = loopBody.addArgument(builder.getIndexType(), loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&loopBody);
    auto load = [&](unsigned number, ProductOperand operand, bool transposed) {
      auto type = cast<RankedTensorType>(body.getArgument(number).getType());
      bool isLhs = operand == ProductOperand::Lhs;
      auto contracted =
          static_cast<int64_t>(getContractedDim(transposed, operand, rank));
      auto kept = static_cast<int64_t>(getKeptDim(transposed, operand, rank));
      SmallVector<int64_t> imap(tiling.grid.size(), kReplica);
      Shape shape(type.getShape());
      // The first grid dimension is that of the batch, if there is one.
      for (int64_t dim = 0; dim < outer; ++dim)
        if (shape[dim] > 1) {
          imap[0] = dim;
          shape[dim] = 1;
        }
      imap[isLhs ? rowGrid : columnGrid] = kept;
      shape[kept] = isLhs ? tile.rows : tile.columns;
      shape[contracted] = tile.depth;
      return block::LoadOp::create(
          builder, loc, RankedTensorType::get(shape, type.getElementType()),
          body.getArgument(number), imap, variable,
          ArrayRef<int64_t>{contracted});
    };
    Value a = load(0, ProductOperand::Lhs, op.getTransposeLhs());
    Value b = load(1, ProductOperand::Rhs, op.getTransposeRhs());
    OpAttributes attrs;
    attrs.transposeLhs = op.getTransposeLhs();
    attrs.transposeRhs = op.getTransposeRhs();
    Value product = createComputeOp(builder, loc, Level::Block, OpKind::Matmul,
                                    attrs, {a, b}, sumElement)
                        ->getResult(0);
    Value sum = block::AccumulateOp::create(
        builder, loc, sumType, product, /*shift=*/Value(), AccumulateKind::Sum,
        /*dim=*/IntegerAttr());
    block::YieldOp::create(builder, loc, sum);
  }
  Value value = loop.getResult(0);
  if (result.getElementType() == sumElement)
    return value;
  OpAttributes attrs;
  attrs.resultType = convertElementType(result.getElementType());
  return createComputeOp(builder, loc, Level::Block, OpKind::Cast, attrs, value,
                         result.getElementType())
      ->getResult(0);
}

/// Returns a type whose last two dimensions are padded to multiples of these.
static RankedTensorType padType(RankedTensorType type, int64_t outer,
                                int64_t inner) {
  Shape shape(type.getShape());
  shape.rbegin()[1] = llvm::alignTo(shape.rbegin()[1], outer);
  shape.rbegin()[0] = llvm::alignTo(shape.rbegin()[0], inner);
  return RankedTensorType::get(shape, type.getElementType());
}

/// Returns the type of a product's operand with whole tiles.
static RankedTensorType getPaddedOperand(kernel::MatmulOp op,
                                         const ProductTile &tile,
                                         ProductOperand operand) {
  bool isLhs = operand == ProductOperand::Lhs;
  int64_t outer = isLhs ? tile.rows : tile.depth;
  int64_t inner = isLhs ? tile.depth : tile.columns;
  if (isLhs ? op.getTransposeLhs() : op.getTransposeRhs())
    std::swap(outer, inner);
  Value value = isLhs ? op.getLhs() : op.getRhs();
  return padType(cast<RankedTensorType>(value.getType()), outer, inner);
}

/// Replaces a group by a launch. What it reads is padded to whole tiles, and of
/// its results the parts are taken that the group's outputs have.
static void createLaunch(const OperatorGroup &group, const GroupAxes &axes,
                         const GroupTiling &tiling) {
  OpBuilder builder(group.ops.back());
  kernel::MatmulOp product = group.product;
  Location loc = product ? product.getLoc() : group.ops.back()->getLoc();
  SmallVector<Value> outputs = group.getOutputs();
  llvm::SetVector<Value> inputs = group.getInputs();
  SmallVector<Value> operands;
  if (product) {
    operands.push_back(
        createPad(builder, product.getLhs(),
                  getPaddedOperand(product, group.tile, ProductOperand::Lhs)));
    operands.push_back(
        createPad(builder, product.getRhs(),
                  getPaddedOperand(product, group.tile, ProductOperand::Rhs)));
  }
  size_t numProductOperands = operands.size();
  for (Value input : inputs)
    operands.push_back(
        createPad(builder, input, tiling.getPaddedType(input, axes)));
  SmallVector<Type> results;
  for (Value output : outputs)
    results.push_back(tiling.getPaddedType(output, axes));
  auto launch =
      kernel::LaunchOp::create(builder, loc, results, operands,
                               builder.getDenseI64ArrayAttr(tiling.grid));
  Block &body = launch.getBody().emplaceBlock();
  for (Value operand : operands)
    body.addArgument(operand.getType(), loc);
  Value part;
  if (product)
    part = buildProduct(body, group, tiling);
  GroupBody graph(body, group, axes, tiling);
  if (product)
    graph.setPart(product.getResult(), part);
  for (auto [number, input] : llvm::enumerate(inputs))
    graph.setArgument(input, body.getArgument(numProductOperands + number));
  graph.emit(outputs);
  for (auto [output, result] : llvm::zip(outputs, launch.getResults())) {
    Value whole =
        createSlice(builder, result, cast<RankedTensorType>(output.getType()));
    output.replaceUsesWithIf(
        whole, [&](OpOperand &use) { return !group.contains(use.getOwner()); });
  }
  for (Operation *op : llvm::reverse(group.ops)) {
    SmallVector<Value> taken(op->getOperands());
    op->erase();
    for (Value operand : taken)
      if (isSplat(operand) && operand.use_empty())
        operand.getDefiningOp()->erase();
  }
}

/// Gives a product of f32 the operands that its own were converted from, if
/// these have a type of fragments: the products of their elements are the same
/// numbers.
static void narrowOperands(kernel::MatmulOp op) {
  auto lhs = op.getLhs().getDefiningOp<kernel::CastOp>();
  auto rhs = op.getRhs().getDefiningOp<kernel::CastOp>();
  if (!lhs || !rhs || !getElementTypeOrSelf(op.getLhs().getType()).isF32() ||
      cast<ComputeOpInterface>(*op).getOpAttributes().tf32)
    return;
  Type element = getElementTypeOrSelf(lhs->getOperand(0).getType());
  if (!getFragmentInstruction(element) ||
      getElementTypeOrSelf(rhs->getOperand(0).getType()) != element)
    return;
  op->setOperands({lhs->getOperand(0), rhs->getOperand(0)});
  bool isSame = lhs == rhs;
  if (lhs->use_empty())
    lhs.erase();
  if (!isSame && rhs->use_empty())
    rhs.erase();
}

/// Returns true if launches compute products of these types.
static bool hasLaunch(kernel::MatmulOp op) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  Type element = lhs.getElementType();
  int64_t rank = result.getRank();
  return getProductStep(element) &&
         isMatrixResult(element, result.getElementType()) && rank >= 2 &&
         lhs.getRank() == rank && rhs.getRank() == rank &&
         llvm::count_if(result.getShape().drop_back(2),
                        [](int64_t size) { return size > 1; }) <= 1;
}

/// Chooses the tile whose launch takes least by the cost model. Each is tried
/// in a function that is thrown away, on operands that are padded already: the
/// lowering pads what the launch reads, and copies nothing.
static FailureOr<std::optional<ProductTile>>
chooseTile(kernel::MatmulOp op, const TargetDescription &target) {
  auto result = cast<RankedTensorType>(op.getResult().getType());
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  std::optional<ProductTile> best;
  double leastTime = std::numeric_limits<double>::infinity();
  for (const ProductTile &tile :
       getTiles(result.getShape().rbegin()[1], result.getShape().rbegin()[0],
                lhs.getDimSize(getContractedDim(
                    op.getTransposeLhs(), ProductOperand::Lhs, lhs.getRank())),
                lhs.getElementType(), target)) {
    RankedTensorType types[] = {
        getPaddedOperand(op, tile, ProductOperand::Lhs),
        getPaddedOperand(op, tile, ProductOperand::Rhs)};
    auto paddedResult = padType(result, tile.rows, tile.columns);
    OwningOpRef<ModuleOp> module = ModuleOp::create(op.getLoc());
    OpBuilder builder(module->getBodyRegion());
    auto function = func::FuncOp::create(
        builder, op.getLoc(), "trial",
        builder.getFunctionType({types[0], types[1]}, paddedResult));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    auto trial = cast<kernel::MatmulOp>(builder.clone(*op));
    trial->setOperands(entry->getArguments());
    trial.getResult().setType(paddedResult);
    func::ReturnOp::create(builder, op.getLoc(), trial.getResult());
    OperatorGroup group{{trial}, trial, tile};
    GroupAxes axes(group);
    std::optional<GroupTiling> tiling = chooseTiling(group, axes, target);
    if (!tiling)
      continue;
    createLaunch(group, axes, *tiling);
    CostAnalysis analysis(function);
    if (!analysis.isValid())
      return failure();
    double time = analysis.estimate(target).microseconds;
    if (time >= leastTime)
      continue;
    best = tile;
    leastTime = time;
  }
  return best;
}

namespace {
struct DefaultLaunches
    : public mirage::impl::DefaultLaunchesBase<DefaultLaunches> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([](kernel::MatmulOp op) { narrowOperands(op); });
    SmallVector<func::FuncOp> functions;
    getOperation()->walk(
        [&](func::FuncOp function) { functions.push_back(function); });
    for (func::FuncOp function : functions)
      for (Block &block : function.getBody())
        if (failed(replace(block)))
          return signalPassFailure();
    tiles.clear();
  }

private:
  LogicalResult replace(Block &block);
  FailureOr<std::optional<ProductTile>>
  getTile(kernel::MatmulOp op, const TargetDescription &target);

  TargetDescription lastTarget;
  std::map<std::tuple<const void *, const void *, const void *, int>,
           std::optional<ProductTile>>
      tiles;
};
} // namespace

/// Products alike on one target have one tile.
FailureOr<std::optional<ProductTile>>
DefaultLaunches::getTile(kernel::MatmulOp op, const TargetDescription &target) {
  if (!(target == lastTarget)) {
    tiles.clear();
    lastTarget = target;
  }
  auto [found, isNew] =
      tiles.try_emplace({op.getLhs().getType().getAsOpaquePointer(),
                         op.getRhs().getType().getAsOpaquePointer(),
                         op.getResult().getType().getAsOpaquePointer(),
                         op.getTransposeLhs() * 2 + op.getTransposeRhs()});
  if (isNew) {
    FailureOr<std::optional<ProductTile>> tile = chooseTile(op, target);
    if (failed(tile))
      return failure();
    found->second = *tile;
  }
  return found->second;
}

LogicalResult DefaultLaunches::replace(Block &block) {
  if (llvm::none_of(block, [](Operation &op) {
        return isa<kernel::KernelDialect>(op.getDialect());
      }))
    return success();
  FailureOr<TargetDescription> target = findTarget(block.getParentOp(), "");
  if (failed(target))
    return failure();
  DenseMap<Operation *, ProductTile> products;
  for (auto op : block.getOps<kernel::MatmulOp>()) {
    if (!hasLaunch(op))
      continue;
    FailureOr<std::optional<ProductTile>> tile = getTile(op, *target);
    if (failed(tile))
      return failure();
    if (*tile)
      products[op] = **tile;
  }
  SmallVector<OperatorGroup> groups;
  if (fuse) {
    groups = findGroups(block, products, *target);
  } else {
    for (auto op : block.getOps<kernel::MatmulOp>())
      if (auto found = products.find(op); found != products.end())
        groups.push_back({{op}, op, found->second});
  }
  for (const OperatorGroup &group : groups) {
    GroupAxes axes(group);
    if (std::optional<GroupTiling> tiling = chooseTiling(group, axes, *target))
      createLaunch(group, axes, *tiling);
  }
  // A launch stands where the last operator of its group did, behind users of
  // what earlier ones computed.
  sortTopologically(&block);
  return success();
}

void mirage::buildLaunchesPipeline(OpPassManager &manager, bool fuse) {
  if (fuse)
    manager.addPass(createDefaultAttention());
  manager.addPass(createDecomposeComposites());
  manager.addPass(createExpandReducedStores());
  DefaultLaunchesOptions launches;
  launches.fuse = fuse;
  manager.addPass(createDefaultLaunches(launches));
}
