//===- DefaultLaunches.cpp - Launches of pre-defined operators ------------===//
//
// Replaces products of matrices in kernel graphs by launches, so that they are
// executed by the same lowering as other launches; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mirage {
#define GEN_PASS_DEF_DEFAULTLAUNCHES
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

namespace {
/// The part of a product that a block makes, and what an iteration contracts.
struct ProductTile {
  int64_t rows = 0, columns = 0, depth = 0;
};
} // namespace

/// Returns a tile's sizes along a dimension, largest first: powers of two that
/// divide it, or all of it where it is small.
static SmallVector<int64_t> getTileSizes(int64_t size, int64_t most,
                                         int64_t least) {
  SmallVector<int64_t> sizes;
  for (int64_t tile = most; tile >= least; tile /= 2)
    if (size % tile == 0)
      sizes.push_back(tile);
  if (sizes.empty() && size <= most)
    sizes.push_back(size);
  return sizes;
}

/// Returns the tiles that divide a product. A launch must be legal before it
/// has a schedule, so what a block accumulates has room in its shared memory.
/// Where the target has wgmma and the rows admit it, tiles fill warpgroups: the
/// model does not know what mma.sync takes beyond that, as its warps load all
/// of the operands that they share.
static SmallVector<ProductTile> getTiles(int64_t rows, int64_t columns,
                                         int64_t depth,
                                         const TargetDescription &target) {
  constexpr int64_t warpgroupRows = 64;
  bool fillsWarpgroups = hasWgmma(target.chip) && rows % warpgroupRows == 0;
  constexpr int64_t mostElements = 128 * 128;
  SmallVector<ProductTile> tiles;
  SmallVector<int64_t> depths = getTileSizes(depth, 128, 16);
  if (depths.empty() || depths.front() % 16)
    return tiles;
  // Shorter tiles need more iterations.
  depths.truncate(std::min<size_t>(depths.size(), 2));
  for (int64_t tileRows :
       getTileSizes(rows, 256, fillsWarpgroups ? warpgroupRows : 16))
    for (int64_t tileColumns : getTileSizes(columns, 256, 16))
      for (int64_t tileDepth : depths)
        if (tileRows * tileColumns <= mostElements)
          tiles.push_back({tileRows, tileColumns, tileDepth});
  return tiles;
}

static void buildBody(kernel::LaunchOp launch, kernel::MatmulOp op,
                      const ProductTile &tile, ArrayRef<int64_t> grid,
                      unsigned rowGrid, unsigned columnGrid) {
  Location loc = op.getLoc();
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  int64_t rank = result.getRank(), outer = rank - 2, inner = rank - 1;
  int64_t depthDim = op.getTransposeLhs() ? outer : inner;
  int64_t trips = lhs.getDimSize(depthDim) / tile.depth;
  Block &body = launch.getBody().emplaceBlock();
  body.addArguments({lhs, rhs}, {loc, loc});
  OpBuilder builder = OpBuilder::atBlockBegin(&body);
  Type sumElement = builder.getF32Type();
  Shape sumShape(result.getShape());
  for (int64_t dim = 0; dim < outer; ++dim)
    sumShape[dim] = 1;
  sumShape[outer] = tile.rows;
  sumShape[inner] = tile.columns;
  auto sumType = RankedTensorType::get(sumShape, sumElement);
  auto loop = block::ForOp::create(builder, loc, TypeRange(sumType), trips);
  Block &loopBody = loop.getBody().emplaceBlock();
  Value variable = loopBody.addArgument(builder.getIndexType(), loc);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&loopBody);
    auto load = [&](unsigned number, bool isLhs, bool transposed) {
      auto type = cast<RankedTensorType>(body.getArgument(number).getType());
      int64_t contracted = isLhs != transposed ? inner : outer;
      int64_t free = outer + inner - contracted;
      SmallVector<int64_t> imap(grid.size(), kReplica);
      Shape shape(type.getShape());
      // The first grid dimensions are those of the batch.
      for (int64_t dim = 0; dim < outer; ++dim)
        if (shape[dim] > 1) {
          imap[0] = dim;
          shape[dim] = 1;
        }
      imap[isLhs ? rowGrid : columnGrid] = free;
      shape[free] = isLhs ? tile.rows : tile.columns;
      shape[contracted] = tile.depth;
      return block::LoadOp::create(
          builder, loc, RankedTensorType::get(shape, type.getElementType()),
          body.getArgument(number), imap, variable,
          ArrayRef<int64_t>{contracted});
    };
    Value a = load(0, /*isLhs=*/true, op.getTransposeLhs());
    Value b = load(1, /*isLhs=*/false, op.getTransposeRhs());
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
  if (result.getElementType() != sumElement) {
    OpAttributes attrs;
    attrs.resultType = convertElementType(result.getElementType());
    value = createComputeOp(builder, loc, Level::Block, OpKind::Cast, attrs,
                            value, result.getElementType())
                ->getResult(0);
  }
  SmallVector<int64_t> omap(grid.size(), 0);
  for (int64_t dim = 0; dim < outer; ++dim)
    if (result.getDimSize(dim) > 1)
      omap[0] = dim;
  omap[rowGrid] = outer;
  omap[columnGrid] = inner;
  Value store = block::StoreOp::create(builder, loc, result, value, omap);
  block::YieldOp::create(builder, loc, store);
}

/// Returns the launch that a product becomes with a tile, or null if its grid
/// is too large.
static kernel::LaunchOp createLaunch(kernel::MatmulOp op,
                                     const ProductTile &tile) {
  auto result = cast<RankedTensorType>(op.getResult().getType());
  // A grid has a dimension for the rows, one for the columns, and one is left.
  SmallVector<int64_t> grid;
  for (int64_t size : result.getShape().drop_back(2))
    if (size > 1)
      grid.push_back(size);
  unsigned columnGrid = grid.size();
  grid.push_back(result.getShape().rbegin()[0] / tile.columns);
  unsigned rowGrid = grid.size();
  grid.push_back(result.getShape().rbegin()[1] / tile.rows);
  for (auto [extent, most] : llvm::zip(grid, largestGrid))
    if (extent > most)
      return {};
  OpBuilder builder(op);
  auto launch = kernel::LaunchOp::create(
      builder, op.getLoc(), TypeRange(result),
      ValueRange{op.getLhs(), op.getRhs()}, builder.getDenseI64ArrayAttr(grid));
  buildBody(launch, op, tile, grid, rowGrid, columnGrid);
  return launch;
}

/// Returns true if launches compute products of these types.
static bool hasLaunch(kernel::MatmulOp op) {
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  auto rhs = cast<RankedTensorType>(op.getRhs().getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  Type element = lhs.getElementType();
  int64_t rank = result.getRank();
  return (element.isF16() || element.isBF16()) &&
         (result.getElementType() == element ||
          result.getElementType().isF32()) &&
         rank >= 2 && lhs.getRank() == rank && rhs.getRank() == rank &&
         llvm::count_if(result.getShape().drop_back(2),
                        [](int64_t size) { return size > 1; }) <= 1;
}

/// Chooses the tile whose launch takes least by the cost model. Each is tried
/// in a function that is thrown away.
static FailureOr<std::optional<ProductTile>>
chooseTile(kernel::MatmulOp op, const TargetDescription &target) {
  auto result = cast<RankedTensorType>(op.getResult().getType());
  auto lhs = cast<RankedTensorType>(op.getLhs().getType());
  std::optional<ProductTile> best;
  double leastTime = std::numeric_limits<double>::infinity();
  for (const ProductTile &tile : getTiles(
           result.getShape().rbegin()[1], result.getShape().rbegin()[0],
           lhs.getShape().rbegin()[op.getTransposeLhs() ? 1 : 0], target)) {
    OwningOpRef<ModuleOp> module = ModuleOp::create(op.getLoc());
    OpBuilder builder(module->getBodyRegion());
    auto function = func::FuncOp::create(
        builder, op.getLoc(), "trial",
        builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    IRMapping mapping;
    mapping.map(op->getOperands(), entry->getArguments());
    auto trial = cast<kernel::MatmulOp>(builder.clone(*op, mapping));
    kernel::LaunchOp launch = createLaunch(trial, tile);
    if (!launch)
      continue;
    func::ReturnOp::create(builder, op.getLoc(), launch.getResults());
    trial.erase();
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
  void runOnOperation() override {
    SmallVector<kernel::MatmulOp> products;
    getOperation()->walk([&](kernel::MatmulOp op) {
      if (hasLaunch(op))
        products.push_back(op);
    });
    for (kernel::MatmulOp op : products) {
      FailureOr<TargetDescription> target = findTarget(op, "");
      if (failed(target))
        return signalPassFailure();
      // Products alike on one target have one tile.
      if (!(*target == lastTarget)) {
        tiles.clear();
        lastTarget = *target;
      }
      auto [found, isNew] =
          tiles.try_emplace({op.getLhs().getType().getAsOpaquePointer(),
                             op.getRhs().getType().getAsOpaquePointer(),
                             op.getResult().getType().getAsOpaquePointer(),
                             op.getTransposeLhs() * 2 + op.getTransposeRhs()});
      if (isNew) {
        FailureOr<std::optional<ProductTile>> tile = chooseTile(op, *target);
        if (failed(tile))
          return signalPassFailure();
        found->second = *tile;
      }
      if (!found->second)
        continue;
      if (kernel::LaunchOp launch = createLaunch(op, *found->second)) {
        op.getResult().replaceAllUsesWith(launch.getResult(0));
        op.erase();
      }
    }
    tiles.clear();
  }

private:
  TargetDescription lastTarget;
  std::map<std::tuple<const void *, const void *, const void *, int>,
           std::optional<ProductTile>>
      tiles;
};
} // namespace
