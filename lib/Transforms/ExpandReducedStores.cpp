//===- ExpandReducedStores.cpp - Reductions over blocks in two steps ------===//
//
// Rewrites launches with reduced grid dimensions in an omap; see Passes.td.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Transforms/Passes.h"

namespace mirage {
#define GEN_PASS_DEF_EXPANDREDUCEDSTORES
#include "Mirage/Transforms/Passes.h.inc"
} // namespace mirage

using namespace mlir;
using namespace mirage;

static bool isReduced(int64_t entry) {
  return entry == kReduceSum || entry == kReduceMax;
}

/// Stores the blocks' values under one leading dimension for each reduced grid
/// dimension. Returns the grid dimensions.
static SmallVector<unsigned, 3> storeParts(block::StoreOp store,
                                           ArrayRef<int64_t> grid) {
  SmallVector<int64_t> omap(store.getOmap());
  SmallVector<unsigned, 3> reduced;
  for (auto [dim, entry] : llvm::enumerate(omap))
    if (isReduced(entry))
      reduced.push_back(dim);

  int64_t added = reduced.size();
  auto valueType = cast<RankedTensorType>(store.getValue().getType());
  OpAttributes attrs;
  attrs.resultShape.assign(added, 1);
  llvm::append_range(attrs.resultShape, valueType.getShape());
  OpBuilder builder(store);
  Value part = createComputeOp(builder, store.getLoc(), Level::Block,
                               OpKind::Reshape, attrs, store.getValue())
                   ->getResult(0);

  auto storedType = cast<RankedTensorType>(store.getResult().getType());
  // Blocks are combined in the order of the grid, x fastest: the leading
  // dimensions are those of z, y and x.
  Shape shape;
  int64_t leading = 0;
  for (unsigned dim : llvm::reverse(reduced)) {
    shape.push_back(grid[dim]);
    omap[dim] = leading++;
  }
  for (auto [dim, entry] : llvm::enumerate(omap))
    if (entry >= 0 && !llvm::is_contained(reduced, dim))
      omap[dim] = entry + added;
  llvm::append_range(shape, storedType.getShape());
  store.getValueMutable().assign(part);
  store.setOmap(omap);
  store.getResult().setType(
      RankedTensorType::get(shape, storedType.getElementType()));
  return reduced;
}

static void expand(kernel::LaunchOp launch) {
  Operation *yield = launch.getBody().front().getTerminator();
  struct Reduction {
    unsigned result;
    SmallVector<unsigned, 3> dims;
    ReduceKind kind;
  };
  SmallVector<Reduction> reductions;
  llvm::SmallDenseMap<Operation *, Reduction> done;
  for (auto [i, value] : llvm::enumerate(yield->getOperands())) {
    auto store = value.getDefiningOp<block::StoreOp>();
    if (auto it = done.find(store); it != done.end()) {
      reductions.push_back(
          {static_cast<unsigned>(i), it->second.dims, it->second.kind});
      continue;
    }
    if (llvm::none_of(store.getOmap(), isReduced))
      continue;
    ReduceKind kind = llvm::is_contained(store.getOmap(), kReduceSum)
                          ? ReduceKind::Sum
                          : ReduceKind::Max;
    Reduction reduction{static_cast<unsigned>(i),
                        storeParts(store, launch.getGrid()), kind};
    done[store] = reduction;
    reductions.push_back(reduction);
  }
  if (reductions.empty())
    return;

  OpBuilder builder(launch);
  OperationState state(launch.getLoc(), launch->getName());
  state.addOperands(launch.getInputs());
  state.addTypes(yield->getOperandTypes());
  state.addAttributes(launch->getAttrs());
  state.addRegion()->takeBody(launch.getBody());
  Operation *parts = builder.create(state);
  SmallVector<Value> results(parts->getResults());
  for (const Reduction &reduction : reductions) {
    Value &value = results[reduction.result];
    // The parts of all blocks become one dimension, in grid order.
    auto type = cast<RankedTensorType>(value.getType());
    size_t count = reduction.dims.size();
    OpAttributes reshape;
    reshape.resultShape.push_back(
        elementCount(type.getShape().take_front(count)));
    llvm::append_range(reshape.resultShape, type.getShape().drop_front(count));
    if (count > 1)
      value = createComputeOp(builder, launch.getLoc(), Level::Kernel,
                              OpKind::Reshape, reshape, value)
                  ->getResult(0);
    OpAttributes attrs;
    attrs.reduceKind = reduction.kind;
    attrs.dim = 0;
    value = createComputeOp(builder, launch.getLoc(), Level::Kernel,
                            OpKind::Reduce, attrs, value)
                ->getResult(0);
  }
  launch->replaceAllUsesWith(results);
  launch->erase();
}

namespace {
struct ExpandReducedStores
    : public mirage::impl::ExpandReducedStoresBase<ExpandReducedStores> {
  void runOnOperation() override {
    SmallVector<kernel::LaunchOp> launches;
    getOperation()->walk(
        [&](kernel::LaunchOp launch) { launches.push_back(launch); });
    for (kernel::LaunchOp launch : launches)
      expand(launch);
  }
};
} // namespace
