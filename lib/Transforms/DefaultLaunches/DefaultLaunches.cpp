//===- DefaultLaunches.cpp - Launches of pre-defined operators ------------===//
//
// Replaces pre-defined operators of kernel graphs by launches, so that they are
// executed by the same lowering as other launches; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Depthwise.h"
#include "GroupBody.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/TensorWindows.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/MatrixTypes.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Support/PassSupport.h"
#include "Mirage/Transforms/Passes.h"
#include "PadToTiles.h"
#include "ProductTiles.h"
#include "RecomputeOutputs.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

namespace mirage {
#define GEN_PASS_DEF_DEFAULTLAUNCHES
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

/// Returns a value under another shape of as many elements.
static Value reshape(OpBuilder &builder, Location loc, Value value,
                     ShapeRef shape) {
  auto type = cast<RankedTensorType>(value.getType());
  if (type.getShape() == ArrayRef<int64_t>(shape))
    return value;
  OpAttributes attrs;
  attrs.resultShape.assign(shape.begin(), shape.end());
  return createComputeOp(builder, loc, Level::Block, OpKind::Reshape, attrs,
                         value, type.getElementType())
      ->getResult(0);
}

/// Emits the loop that accumulates a block's part of a product, and returns
/// that part. Rows of several matrices are those of one product there.
static Value buildProduct(Block &body, const OperatorGroup &group,
                          const GroupAxes &axes, const GroupTiling &tiling) {
  auto op = cast<kernel::MatmulOp>(group.product);
  const ProductTile &tile = group.tile;
  Location loc = op.getLoc();
  auto lhs = cast<RankedTensorType>(body.getArgument(0).getType());
  auto result = cast<RankedTensorType>(op.getResult().getType());
  int64_t rank = result.getRank(), outer = rank - 2, inner = rank - 1;
  bool joinsMatrices = tile.matrices > 1;
  auto depthDim = static_cast<int64_t>(
      getContractedDim(op.getTransposeLhs(), ProductOperand::Lhs, rank));
  int64_t trips = lhs.getDimSize(depthDim) / tile.depth;
  OpBuilder builder = OpBuilder::atBlockEnd(&body);
  Type sumElement = builder.getF32Type();
  Shape partShape(rank, 1), sumShape = {tile.getNumRows(), tile.columns};
  if (joinsMatrices)
    partShape[outer - 1] = tile.matrices;
  partShape[outer] = tile.rows;
  partShape[inner] = tile.columns;
  auto sumType =
      RankedTensorType::get(joinsMatrices ? sumShape : partShape, sumElement);
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
      for (int64_t dim = 0; dim < outer; ++dim)
        if (shape[dim] > 1)
          shape[dim] = dim == outer - 1 ? tile.matrices : 1;
      shape[kept] = isLhs ? tile.rows : tile.columns;
      shape[contracted] = tile.depth;
      for (auto [entry, axis] : llvm::zip(imap, tiling.gridAxes)) {
        std::optional<int64_t> dim;
        if (axis)
          dim = axes.findDim(op.getResult(), *axis);
        if (!dim)
          continue;
        if (*dim >= outer) {
          if ((*dim == outer) == isLhs)
            entry = kept;
        } else if (type.getDimSize(*dim) > 1) {
          entry = *dim;
        }
      }
      Value part = block::LoadOp::create(
          builder, loc, RankedTensorType::get(shape, type.getElementType()),
          body.getArgument(number), imap, variable,
          ArrayRef<int64_t>{contracted});
      if (!joinsMatrices)
        return part;
      Shape matrix(ShapeRef(shape).take_back(2));
      if (isLhs)
        matrix.front() *= tile.matrices;
      return reshape(builder, loc, part, matrix);
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
  Value value = reshape(builder, loc, loop.getResult(0), partShape);
  if (result.getElementType() == sumElement)
    return value;
  OpAttributes attrs;
  attrs.resultType = convertElementType(result.getElementType());
  return createComputeOp(builder, loc, Level::Block, OpKind::Cast, attrs, value,
                         result.getElementType())
      ->getResult(0);
}

/// Replaces a group by a launch. What it reads is padded to whole tiles, and of
/// its results the parts are taken that the group's outputs have.
static void createLaunch(const OperatorGroup &group, const GroupAxes &axes,
                         const GroupTiling &tiling) {
  OpBuilder builder(group.ops.back());
  Operation *root = group.product;
  Location loc = root ? root->getLoc() : group.ops.back()->getLoc();
  SmallVector<Value> outputs = group.getOutputs();
  llvm::SetVector<Value> inputs = group.getInputs();
  SmallVector<Value> operands;
  if (auto convolution = dyn_cast_or_null<kernel::Conv2dOp>(root))
    llvm::append_range(
        operands, createDepthwiseOperands(builder, convolution, group.tile));
  if (auto product = dyn_cast_or_null<kernel::MatmulOp>(root)) {
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
  if (root)
    part = isa<kernel::Conv2dOp>(root)
               ? buildDepthwise(body, group, axes, tiling)
               : buildProduct(body, group, axes, tiling);
  GroupBody graph(body, group, axes, tiling);
  if (root)
    graph.setPart(root->getResult(0), part);
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

/// Chooses the tile whose launch takes least by the cost model. Each is tried
/// in a function that is thrown away, on operands that are padded already: the
/// lowering pads what the launch reads, and copies nothing.
static FailureOr<std::optional<ProductTile>>
chooseTile(kernel::MatmulOp op, const TargetDescription &target) {
  std::optional<WindowOperators> windows =
      findWindows(op.getLhs().getDefiningOp());
  std::optional<ProductTile> best;
  double leastTime = std::numeric_limits<double>::infinity();
  for (const ProductTile &tile : getTiles(op, target)) {
    RankedTensorType types[] = {
        getPaddedOperand(op, tile, ProductOperand::Lhs),
        getPaddedOperand(op, tile, ProductOperand::Rhs)};
    // Windows bring the bytes of what they are windows of.
    RankedTensorType read[] = {
        windows ? cast<RankedTensorType>(windows->source.getType()) : types[0],
        types[1]};
    RankedTensorType paddedResult = getPaddedResult(op, tile);
    OwningOpRef<ModuleOp> module = ModuleOp::create(op.getLoc());
    OpBuilder builder(module->getBodyRegion());
    auto function = func::FuncOp::create(
        builder, op.getLoc(), "trial",
        builder.getFunctionType({read[0], read[1]}, paddedResult));
    Block *entry = function.addEntryBlock();
    builder.setInsertionPointToEnd(entry);
    auto trial = cast<kernel::MatmulOp>(builder.clone(*op));
    trial->setOperands(entry->getArguments());
    if (windows) {
      builder.setInsertionPoint(trial);
      IRMapping mapping;
      mapping.map(windows->source, entry->getArgument(0));
      Operation *last = nullptr;
      for (Operation *part : windows->operators)
        last = builder.clone(*part, mapping);
      trial->setOperand(0, createPad(builder, last->getResult(0), types[0]));
      builder.setInsertionPointToEnd(entry);
    }
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
  for (auto op : block.getOps<kernel::Conv2dOp>())
    if (std::optional<ProductTile> tile = chooseDepthwiseTile(op, *target))
      products[op] = *tile;
  SmallVector<OperatorGroup> groups;
  if (fuse) {
    groups = findGroups(block, products, *target);
    recomputeOutputs(groups, *target);
  } else {
    for (Operation &op : block)
      if (auto found = products.find(&op); found != products.end())
        groups.push_back({{&op}, &op, found->second});
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
  manager.addPass(createExpandConvolutions());
  manager.addPass(createExpandReducedStores());
  DefaultLaunchesOptions launches;
  launches.fuse = fuse;
  manager.addPass(createDefaultLaunches(launches));
}
