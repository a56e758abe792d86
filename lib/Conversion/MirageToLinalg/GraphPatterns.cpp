//===- GraphPatterns.cpp - Block and thread graphs as scf.forall ----------===//
//
// Converts graphs: a launch becomes an scf.forall over its grid, a thread graph
// one over its threads. Results are shared outputs: load operations become
// extractions of a point's slice, store operations parallel insertions.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Dialect/Block/IR/BlockDialect.h"
#include "Mirage/Dialect/Kernel/IR/KernelDialect.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace mirage;

namespace {
/// The indices of getTileOffset as attributes where they are known and as
/// operations of arith elsewhere.
struct OffsetSystem {
  OpBuilder &builder;
  Location loc;

  OpFoldResult index(int64_t i) { return builder.getIndexAttr(i); }

  OpFoldResult add(OpFoldResult a, OpFoldResult b) {
    std::optional<int64_t> left = getConstantIntValue(a);
    std::optional<int64_t> right = getConstantIntValue(b);
    if (left && right)
      return index(*left + *right);
    if (left == 0)
      return b;
    if (right == 0)
      return a;
    return arith::AddIOp::create(builder, loc, toValue(a), toValue(b))
        .getResult();
  }

  OpFoldResult mulConstant(OpFoldResult a, int64_t c) {
    if (std::optional<int64_t> known = getConstantIntValue(a))
      return index(*known * c);
    if (c == 1)
      return a;
    return arith::MulIOp::create(builder, loc, toValue(a), toValue(index(c)))
        .getResult();
  }

  Value toValue(OpFoldResult i) {
    return getValueOrCreateConstantIndexOp(builder, loc, i);
  }
};

/// The part of a result that one point contributes.
struct Output {
  Operation *store;
  ArrayRef<int64_t> omap;
};

class ConvertGraph
    : public OpInterfaceConversionPattern<GraphDefinedOpInterface> {
public:
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(GraphDefinedOpInterface graph, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override;
};
} // namespace

/// Replaces the load by the slice that the point reads, `point` being its
/// coordinates.
static void convertLoad(Operation *load, ArrayRef<int64_t> imap,
                        ArrayRef<int64_t> fmap, ArrayRef<int64_t> extents,
                        ArrayRef<OpFoldResult> point,
                        ConversionPatternRewriter &rewriter) {
  SmallVector<int64_t> loopExtents;
  SmallVector<Value> variables;
  getEnclosingLoops(load, loopExtents, variables);
  SmallVector<OpFoldResult> loops(variables.begin(), variables.end());
  auto source = cast<RankedTensorType>(load->getOperand(0).getType());
  rewriter.setInsertionPoint(load);
  OffsetSystem system{rewriter, load->getLoc()};
  SmallVector<OpFoldResult> offsets, sizes;
  for (const DimPartition &dim :
       getPartition(source.getShape(), imap, extents, fmap, loopExtents)) {
    offsets.push_back(getTileOffset<OpFoldResult>(dim, point, loops, system));
    sizes.push_back(rewriter.getIndexAttr(dim.getTileSize()));
  }
  SmallVector<OpFoldResult> strides(sizes.size(), rewriter.getIndexAttr(1));
  rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(load, load->getOperand(0),
                                                      offsets, sizes, strides);
}

/// Returns the stores that the graph yields, each once, in order.
static SmallVector<Output> getOutputs(Block &body) {
  SmallVector<Output> outputs;
  llvm::SmallPtrSet<Operation *, 4> seen;
  for (Value result : body.getTerminator()->getOperands()) {
    Operation *store = result.getDefiningOp();
    if (!seen.insert(store).second)
      continue;
    ArrayRef<int64_t> omap = isa<block::StoreOp>(store)
                                 ? cast<block::StoreOp>(store).getOmap()
                                 : cast<thread::StoreOp>(store).getOmap();
    outputs.push_back({store, omap});
  }
  return outputs;
}

LogicalResult
ConvertGraph::matchAndRewrite(GraphDefinedOpInterface graph,
                              ArrayRef<Value> operands,
                              ConversionPatternRewriter &rewriter) const {
  if (!isa<kernel::LaunchOp, block::ThreadGraphOp>(graph))
    return rewriter.notifyMatchFailure(graph, "works on buffers");
  Location loc = graph.getLoc();
  Block &body = graph->getRegion(0).front();
  ArrayRef<int64_t> extents = graph.getExtents();
  SmallVector<Output> outputs = getOutputs(body);
  if (outputs.empty()) {
    rewriter.eraseOp(graph);
    return success();
  }

  SmallVector<Value> targets;
  for (const Output &output : outputs) {
    auto type = cast<RankedTensorType>(output.store->getResult(0).getType());
    targets.push_back(tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                              type.getElementType()));
  }
  auto forall = scf::ForallOp::create(
      rewriter, loc, getAsIndexOpFoldResult(rewriter.getContext(), extents),
      targets, /*mapping=*/std::nullopt);
  SmallVector<OpFoldResult> point;
  for (auto [variable, extent] :
       llvm::zip_equal(forall.getInductionVars(), extents))
    point.push_back(extent == 1 ? OpFoldResult(rewriter.getIndexAttr(0))
                                : OpFoldResult(variable));

  bool isLaunch = isa<kernel::LaunchOp>(graph);
  SmallVector<Operation *> loads, stores;
  graph->walk([&](Operation *op) {
    if (isLaunch ? isa<block::LoadOp>(op) : isa<thread::LoadOp>(op))
      loads.push_back(op);
    else if (isLaunch ? isa<block::StoreOp>(op) : isa<thread::StoreOp>(op))
      stores.push_back(op);
  });
  for (Operation *op : loads) {
    if (auto load = dyn_cast<block::LoadOp>(op))
      convertLoad(op, load.getImap(), load.getFmap(), extents, point, rewriter);
    else
      convertLoad(op, cast<thread::LoadOp>(op).getImap(), {}, extents, point,
                  rewriter);
  }

  Operation *yield = body.getTerminator();
  SmallVector<Value> results;
  for (Value result : yield->getOperands())
    for (auto [i, output] : llvm::enumerate(outputs))
      if (output.store == result.getDefiningOp())
        results.push_back(forall.getResult(i));
  rewriter.eraseOp(yield);
  scf::InParallelOp end = forall.getTerminator();
  rewriter.inlineBlockBefore(&body, end, operands);
  for (auto [output, target] :
       llvm::zip_equal(outputs, forall.getRegionIterArgs())) {
    rewriter.setInsertionPoint(end);
    OffsetSystem system{rewriter, output.store->getLoc()};
    Value value = output.store->getOperand(0);
    ArrayRef<int64_t> tile = cast<RankedTensorType>(value.getType()).getShape();
    SmallVector<OpFoldResult> offsets(tile.size(), system.index(0));
    for (auto [entry, index] : llvm::zip_equal(output.omap, point))
      if (entry >= 0)
        offsets[entry] = system.mulConstant(index, tile[entry]);
    SmallVector<OpFoldResult> strides(tile.size(), system.index(1));
    rewriter.setInsertionPointToEnd(end.getBody());
    tensor::ParallelInsertSliceOp::create(
        rewriter, output.store->getLoc(), value, target, offsets,
        getAsIndexOpFoldResult(rewriter.getContext(), tile), strides);
  }
  for (Operation *store : stores)
    rewriter.eraseOp(store);
  rewriter.replaceOp(graph, results);
  return success();
}

void mirage::populateGraphToSCFPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvertGraph>(patterns.getContext());
}
