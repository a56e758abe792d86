//===- DefaultLaunches.cpp - Launches of pre-defined operators ------------===//
//
// Replaces pre-defined operators of kernel graphs by launches, so that they are
// executed by the same lowering as other launches; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "AbsorbLayouts.h"
#include "Depthwise.h"
#include "GroupLaunch.h"
#include "Mirage/Analysis/Cost/IR/CostAnalysis.h"
#include "Mirage/Analysis/TensorWindows.h"
#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Interfaces/MatrixTypes.h"
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
        return isa_and_nonnull<kernel::KernelDialect>(op.getDialect());
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
  if (fuse)
    absorbLayouts(block, *target);
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
