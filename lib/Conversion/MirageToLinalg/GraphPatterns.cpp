//===- GraphPatterns.cpp - Block and thread graphs as loops ---------------===//
//
// Converts graphs: a launch becomes an scf.forall over its grid, a thread graph
// one over its threads. Results are shared outputs: load operations become
// extractions of a point's slice, store operations parallel insertions. As an
// alternative, graphs become nests of scf.for that carry the results.
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

/// The points of a graph as one scf.forall or as a nest of scf.for, of which
/// dimensions with one point have none. The bodies are empty.
class PointLoops {
public:
  /// Makes the loops at the rewriter's place. `targets` are the tensors that
  /// the points' parts are inserted into.
  PointLoops(ConversionPatternRewriter &rewriter, Location loc,
             ArrayRef<int64_t> extents, ValueRange targets, bool sequential);

  ArrayRef<OpFoldResult> getPoint() const { return point; }
  ValueRange getResults() const { return results; }

  /// Moves the operations of a block to where one point is computed; the
  /// rewriter goes on after them.
  void inlineBody(Block &body, ValueRange operands);

  /// Inserts a part into the target with that number.
  void insert(unsigned number, Value part, ArrayRef<OpFoldResult> offsets,
              Location loc);

  /// Ends the bodies of nested loops, after all parts have been inserted.
  void finish();

private:
  ConversionPatternRewriter &rewriter;
  Location loc;
  scf::ForallOp forall;
  SmallVector<scf::ForOp> nest;
  SmallVector<OpFoldResult> point;
  /// These are, in a nest of loops, the targets with the parts that have been
  /// inserted.
  SmallVector<Value> current;
  SmallVector<Value> results;
};

class ConvertGraph
    : public OpInterfaceConversionPattern<GraphDefinedOpInterface> {
public:
  ConvertGraph(MLIRContext *context, bool sequential)
      : OpInterfaceConversionPattern(context), sequential(sequential) {}

  LogicalResult
  matchAndRewrite(GraphDefinedOpInterface graph, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override;

private:
  bool sequential;
};
} // namespace

PointLoops::PointLoops(ConversionPatternRewriter &rewriter, Location loc,
                       ArrayRef<int64_t> extents, ValueRange targets,
                       bool sequential)
    : rewriter(rewriter), loc(loc) {
  SmallVector<Value> variables(extents.size());
  if (!sequential) {
    forall = scf::ForallOp::create(
        rewriter, loc, getAsIndexOpFoldResult(rewriter.getContext(), extents),
        targets, /*mapping=*/std::nullopt);
    llvm::copy(forall.getInductionVars(), variables.begin());
    llvm::append_range(results, forall.getResults());
  } else {
    OpBuilder::InsertionGuard guard(rewriter);
    auto index = [&](int64_t value) -> Value {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    Value zero = index(0), one = index(1);
    llvm::append_range(current, targets);
    for (auto [variable, extent] : llvm::zip_equal(variables, extents)) {
      if (extent == 1)
        continue;
      Value end = index(extent);
      scf::ForOp loop =
          scf::ForOp::create(rewriter, loc, zero, end, one, current);
      nest.push_back(loop);
      variable = loop.getInductionVar();
      current.assign(loop.getRegionIterArgs().begin(),
                     loop.getRegionIterArgs().end());
      rewriter.setInsertionPointToStart(loop.getBody());
    }
    if (!nest.empty())
      llvm::append_range(results, nest.front().getResults());
  }
  for (auto [variable, extent] : llvm::zip_equal(variables, extents))
    point.push_back(extent == 1 ? OpFoldResult(rewriter.getIndexAttr(0))
                                : OpFoldResult(variable));
}

void PointLoops::inlineBody(Block &body, ValueRange operands) {
  if (forall) {
    rewriter.inlineBlockBefore(&body, forall.getTerminator(), operands);
    rewriter.setInsertionPoint(forall.getTerminator());
  } else if (nest.empty()) {
    // One point is computed where the graph was.
    Operation *graph = body.getParentOp();
    rewriter.inlineBlockBefore(&body, graph, operands);
    rewriter.setInsertionPoint(graph);
  } else {
    Block *innermost = nest.back().getBody();
    rewriter.inlineBlockBefore(&body, innermost, innermost->end(), operands);
    rewriter.setInsertionPointToEnd(innermost);
  }
}

void PointLoops::insert(unsigned number, Value part,
                        ArrayRef<OpFoldResult> offsets, Location loc) {
  ArrayRef<int64_t> tile = cast<RankedTensorType>(part.getType()).getShape();
  SmallVector<OpFoldResult> strides(tile.size(), rewriter.getIndexAttr(1));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), tile);
  if (forall) {
    OpBuilder::InsertionGuard guard(rewriter);
    scf::InParallelOp end = forall.getTerminator();
    rewriter.setInsertionPointToEnd(end.getBody());
    tensor::ParallelInsertSliceOp::create(rewriter, loc, part,
                                          forall.getRegionIterArgs()[number],
                                          offsets, sizes, strides);
    return;
  }
  current[number] = tensor::InsertSliceOp::create(
      rewriter, loc, part, current[number], offsets, sizes, strides);
}

void PointLoops::finish() {
  if (forall)
    return;
  if (nest.empty()) {
    results = current;
    return;
  }
  OpBuilder::InsertionGuard guard(rewriter);
  SmallVector<Value> values = current;
  for (scf::ForOp loop : llvm::reverse(nest)) {
    rewriter.setInsertionPointToEnd(loop.getBody());
    scf::YieldOp::create(rewriter, loc, values);
    values.assign(loop.getResults().begin(), loop.getResults().end());
  }
}

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
  PointLoops loops(rewriter, loc, extents, targets, sequential);
  ArrayRef<OpFoldResult> point = loops.getPoint();

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
  SmallVector<unsigned> yielded;
  for (Value result : yield->getOperands())
    for (auto [i, output] : llvm::enumerate(outputs))
      if (output.store == result.getDefiningOp())
        yielded.push_back(i);
  rewriter.eraseOp(yield);
  loops.inlineBody(body, operands);
  for (auto [i, output] : llvm::enumerate(outputs)) {
    Value value = output.store->getOperand(0);
    OffsetSystem system{rewriter, output.store->getLoc()};
    ArrayRef<int64_t> tile = cast<RankedTensorType>(value.getType()).getShape();
    SmallVector<OpFoldResult> offsets(tile.size(), system.index(0));
    for (auto [entry, index] : llvm::zip_equal(output.omap, point))
      if (entry >= 0)
        offsets[entry] = system.mulConstant(index, tile[entry]);
    loops.insert(i, value, offsets, output.store->getLoc());
  }
  loops.finish();
  SmallVector<Value> results;
  for (unsigned number : yielded)
    results.push_back(loops.getResults()[number]);
  for (Operation *store : stores)
    rewriter.eraseOp(store);
  rewriter.replaceOp(graph, results);
  return success();
}

void mirage::populateGraphToSCFPatterns(RewritePatternSet &patterns,
                                        bool sequential) {
  patterns.add<ConvertGraph>(patterns.getContext(), sequential);
}
