//===- DefaultLaunches.cpp - Launches of pre-defined operators ------------===//
//
// Replaces products of matrices in kernel graphs by launches, so that they are
// executed by the same lowering as other launches; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Semantics/ProductDims.h"
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
/// divide it, or all of it where it is small. Where that leaves no tile of a
/// useful size, the last tile of the dimension may be padded.
static SmallVector<int64_t> getTileSizes(int64_t size, int64_t most,
                                         int64_t least) {
  constexpr int64_t leastUseful = 64;
  SmallVector<int64_t> sizes;
  for (int64_t tile = most; tile >= least; tile /= 2)
    if (size % tile == 0)
      sizes.push_back(tile);
  if (sizes.empty() && size <= most)
    sizes.push_back(size);
  if (sizes.empty() || sizes.front() < std::min(most, leastUseful))
    for (int64_t tile = most; tile >= std::max(least, leastUseful); tile /= 2)
      if (tile < size)
        sizes.push_back(tile);
  llvm::sort(sizes, std::greater<int64_t>());
  return sizes;
}

/// Returns the tiles of a product. A launch must be legal before it
/// has a schedule, so what a block accumulates has room in its shared memory.
/// Where the target has wgmma and the rows admit it, tiles fill warpgroups: the
/// model does not know what mma.sync takes beyond that, as its warps load all
/// of the operands that they share.
static SmallVector<ProductTile> getTiles(int64_t rows, int64_t columns,
                                         int64_t depth,
                                         const MatrixInstruction &instruction,
                                         const TargetDescription &target) {
  constexpr int64_t warpgroupRows = WarpgroupInstruction::rows;
  bool fillsWarpgroups = hasWgmma(target.chip) && (rows % warpgroupRows == 0 ||
                                                   rows > 2 * warpgroupRows);
  constexpr int64_t mostElements = 128 * 128;
  SmallVector<ProductTile> tiles;
  SmallVector<int64_t> depths = getTileSizes(depth, 128, instruction.depth);
  // Shorter tiles need more iterations.
  depths.truncate(std::min<size_t>(depths.size(), 2));
  for (int64_t tileRows :
       getTileSizes(rows, 256,
                    fillsWarpgroups ? warpgroupRows : MatrixInstruction::rows))
    for (int64_t tileColumns :
         getTileSizes(columns, 256, 2 * MatrixInstruction::columns))
      for (int64_t tileDepth : depths)
        if (tileRows * tileColumns <= mostElements)
          tiles.push_back({tileRows, tileColumns, tileDepth});
  return tiles;
}

static void buildBody(kernel::LaunchOp launch, kernel::MatmulOp op,
                      const ProductTile &tile, ArrayRef<int64_t> grid,
                      unsigned rowGrid, unsigned columnGrid) {
  Location loc = op.getLoc();
  auto lhs = cast<RankedTensorType>(launch->getOperand(0).getType());
  auto rhs = cast<RankedTensorType>(launch->getOperand(1).getType());
  auto result = cast<RankedTensorType>(launch->getResult(0).getType());
  int64_t rank = result.getRank(), outer = rank - 2, inner = rank - 1;
  auto depthDim = static_cast<int64_t>(
      getContractedDim(op.getTransposeLhs(), ProductOperand::Lhs, rank));
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
    auto load = [&](unsigned number, ProductOperand operand, bool transposed) {
      auto type = cast<RankedTensorType>(body.getArgument(number).getType());
      bool isLhs = operand == ProductOperand::Lhs;
      auto contracted =
          static_cast<int64_t>(getContractedDim(transposed, operand, rank));
      auto kept = static_cast<int64_t>(getKeptDim(transposed, operand, rank));
      SmallVector<int64_t> imap(grid.size(), kReplica);
      Shape shape(type.getShape());
      // The first grid dimensions are those of the batch.
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

/// Returns a type whose last two dimensions are padded to multiples of these.
static RankedTensorType padType(RankedTensorType type, int64_t outer,
                                int64_t inner) {
  Shape shape(type.getShape());
  shape.rbegin()[1] = llvm::alignTo(shape.rbegin()[1], outer);
  shape.rbegin()[0] = llvm::alignTo(shape.rbegin()[0], inner);
  return RankedTensorType::get(shape, type.getElementType());
}

namespace {
/// The types of a product whose dimensions are multiples of a tile's.
struct PaddedProduct {
  RankedTensorType lhs, rhs, result;

  PaddedProduct(kernel::MatmulOp op, const ProductTile &tile) {
    auto pad = [&](Value value, int64_t outer, int64_t inner, bool transposed) {
      if (transposed)
        std::swap(outer, inner);
      return padType(cast<RankedTensorType>(value.getType()), outer, inner);
    };
    lhs = pad(op.getLhs(), tile.rows, tile.depth, op.getTransposeLhs());
    rhs = pad(op.getRhs(), tile.depth, tile.columns, op.getTransposeRhs());
    result = pad(op.getResult(), tile.rows, tile.columns, false);
  }
};
} // namespace

/// Returns the value with zeros at the ends of its dimensions, so that it has
/// this type.
static Value createPad(OpBuilder &builder, Value value, RankedTensorType type) {
  auto from = cast<RankedTensorType>(value.getType());
  if (from == type)
    return value;
  OpAttributes attrs;
  attrs.offsets.assign(type.getRank(), 0);
  for (auto [size, padded] : llvm::zip(from.getShape(), type.getShape()))
    attrs.sizes.push_back(padded - size);
  return createComputeOp(builder, value.getLoc(), Level::Kernel, OpKind::Pad,
                         attrs, value, type.getElementType())
      ->getResult(0);
}

/// Returns the beginning of a value, which is as large as this type.
static Value createSlice(OpBuilder &builder, Value value,
                         RankedTensorType type) {
  if (value.getType() == type)
    return value;
  OpAttributes attrs;
  attrs.offsets.assign(type.getRank(), 0);
  attrs.sizes.assign(type.getShape().begin(), type.getShape().end());
  attrs.strides.assign(type.getRank(), 1);
  return createComputeOp(builder, value.getLoc(), Level::Kernel, OpKind::Slice,
                         attrs, value, type.getElementType())
      ->getResult(0);
}

/// Returns what a launch makes of a product with a tile, or null if its grid is
/// too large. Operands are padded to whole tiles, and of the result the part is
/// taken that the product has.
static Value createLaunch(kernel::MatmulOp op, const ProductTile &tile) {
  PaddedProduct padded(op, tile);
  ArrayRef<int64_t> shape = padded.result.getShape();
  // A grid has a dimension for the rows, one for the columns, and one is left.
  SmallVector<int64_t> grid;
  for (int64_t size : shape.drop_back(2))
    if (size > 1)
      grid.push_back(size);
  unsigned columnGrid = grid.size();
  grid.push_back(shape.rbegin()[0] / tile.columns);
  unsigned rowGrid = grid.size();
  grid.push_back(shape.rbegin()[1] / tile.rows);
  for (auto [extent, most] : llvm::zip(grid, largestGrid))
    if (extent > most)
      return {};
  OpBuilder builder(op);
  Value lhs = createPad(builder, op.getLhs(), padded.lhs);
  Value rhs = createPad(builder, op.getRhs(), padded.rhs);
  auto launch = kernel::LaunchOp::create(
      builder, op.getLoc(), TypeRange(padded.result), ValueRange{lhs, rhs},
      builder.getDenseI64ArrayAttr(grid));
  buildBody(launch, op, tile, grid, rowGrid, columnGrid);
  return createSlice(builder, launch.getResult(0),
                     cast<RankedTensorType>(op.getResult().getType()));
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
  return getFragmentInstruction(element) &&
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
                *getFragmentInstruction(lhs.getElementType()), target)) {
    PaddedProduct padded(op, tile);
    OwningOpRef<ModuleOp> module = ModuleOp::create(op.getLoc());
    OpBuilder builder(module->getBodyRegion());
    auto function = func::FuncOp::create(
        builder, op.getLoc(), "trial",
        builder.getFunctionType({padded.lhs, padded.rhs}, padded.result));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    IRMapping mapping;
    mapping.map(op->getOperands(), entry->getArguments());
    auto trial = cast<kernel::MatmulOp>(builder.clone(*op, mapping));
    trial.getResult().setType(padded.result);
    Value result = createLaunch(trial, tile);
    if (!result)
      continue;
    func::ReturnOp::create(builder, op.getLoc(), result);
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
      narrowOperands(op);
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
      if (Value result = createLaunch(op, *found->second)) {
        op.getResult().replaceAllUsesWith(result);
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
