//===- GraphRunner.cpp - Runs block and thread graphs ---------------------===//
//
// One Point executes the body for one block or thread. Points run in parallel;
// where an omap combines their values, this happens afterwards in the order of
// the grid (x fastest, as CUDA numbers blocks).
//
//===----------------------------------------------------------------------===//

#include "GraphRunner.h"
#include "Accumulator.h"
#include "GraphOutput.h"
#include "Mirage/Dialect/Thread/IR/ThreadDialect.h"
#include "Tiles.h"
#include "llvm/Support/Parallel.h"

using namespace mlir;
using namespace mirage;

namespace {
/// The indices of getTileOffset.
struct IndexSystem {
  int64_t index(int64_t i) { return i; }
  int64_t add(int64_t a, int64_t b) { return a + b; }
  int64_t mulConstant(int64_t a, int64_t c) { return a * c; }
};
} // namespace

/// Executes the body for one block or thread.
class GraphRunner::Point {
public:
  using Store = llvm::function_ref<void(Operation *, SharedValue)>;

  Point(const GraphRunner &runner, ArrayRef<int64_t> indices, Store store)
      : runner(runner), indices(indices), store(store) {}

  void run(Block &body, ArrayRef<SharedValue> inputs) {
    for (auto [argument, input] : llvm::zip_equal(body.getArguments(), inputs))
      values[argument] = input;
    for (Operation &op : body.without_terminator())
      runOp(op);
  }

private:
  void runOp(Operation &op) {
    auto load = runner.loads.find(&op);
    if (load != runner.loads.end())
      return runLoad(op, load->second);
    auto found = runner.operators.find(&op);
    if (found != runner.operators.end())
      return runOperator(op, found->second);
    if (auto loop = dyn_cast<block::ForOp>(op))
      return runLoop(loop);
    if (auto graph = dyn_cast<GraphDefinedOpInterface>(op)) {
      auto results = runner.run(graph, getOperands(op));
      for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
        values[value] = result;
      return;
    }
    // Preparation has seen to it that nothing else is left.
    store(&op, values[op.getOperand(0)]);
  }

  SmallVector<SharedValue> getOperands(Operation &op) {
    return llvm::map_to_vector(op.getOperands(),
                               [&](Value v) { return values[v]; });
  }

  void runOperator(Operation &op, const Operator &what) {
    SmallVector<const TensorValue *> operands;
    for (Value operand : op.getOperands())
      operands.push_back(values[operand].get());
    auto results = evaluate(what.kind, what.attributes, operands, what.type,
                            runner.precision);
    for (auto [value, result] : llvm::zip_equal(op.getResults(), results))
      values[value] = std::make_shared<TensorValue>(std::move(result));
  }

  void runLoad(Operation &op, const Load &load) {
    const TensorValue &source = *values[op.getOperand(0)];
    SmallVector<int64_t, 2> loops;
    for (Value variable : op.getOperands().drop_front())
      loops.push_back(iterations[variable]);
    IndexSystem system;
    Shape offsets;
    for (const DimPartition &dim : load.partition)
      offsets.push_back(getTileOffset<int64_t>(dim, indices, loops, system));
    values[op.getResult(0)] = std::visit(
        [&](const auto &tensor) {
          std::decay_t<decltype(tensor)> tile(load.tile);
          copyBox(load.tile, tensor, offsets, tile, Shape(offsets.size(), 0));
          return std::make_shared<TensorValue>(
              TensorValue{source.type, std::move(tile)});
        },
        source.numbers);
  }

  void runLoop(block::ForOp loop) {
    Block &body = loop.getBody().front();
    llvm::SmallDenseMap<Operation *, Accumulator, 4> accumulators;
    for (auto op : body.getOps<block::AccumulateOp>())
      accumulators.try_emplace(op, op, runner.precision);
    int64_t extent = loop.getExtent();
    for (int64_t i = 0; i < extent; ++i) {
      iterations[loop.getVariable()] = i;
      for (Operation &op : body.without_terminator()) {
        auto accumulate = dyn_cast<block::AccumulateOp>(op);
        if (!accumulate) {
          runOp(op);
          continue;
        }
        Value shift = accumulate.getShift();
        accumulators.find(&op)->second.add(
            *values[accumulate.getValue()],
            shift ? values[shift].get() : nullptr, i);
      }
    }
    for (auto [result, yielded] : llvm::zip_equal(
             loop.getResults(), body.getTerminator()->getOperands()))
      values[result] = std::make_shared<TensorValue>(
          accumulators.find(yielded.getDefiningOp())->second.take());
  }

  const GraphRunner &runner;
  ArrayRef<int64_t> indices;
  Store store;
  llvm::DenseMap<Value, SharedValue> values;
  llvm::DenseMap<Value, int64_t> iterations;
};

LogicalResult GraphRunner::prepare(GraphDefinedOpInterface graph) {
  auto prepareLoad = [&](Operation *op, ArrayRef<int64_t> imap,
                         ArrayRef<int64_t> fmap) {
    SmallVector<int64_t> extents;
    SmallVector<Value> variables;
    getEnclosingLoops(op, extents, variables);
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    Load &load = loads[op];
    load.partition =
        getPartition(type.getShape(), imap, graph.getExtents(), fmap, extents);
    for (const DimPartition &dim : load.partition)
      load.tile.push_back(dim.getTileSize());
  };
  if (failed(checkTypes(graph)))
    return failure();
  WalkResult walk = graph->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op == graph || op->hasTrait<OpTrait::IsTerminator>())
      return WalkResult::advance();
    if (auto inner = dyn_cast<GraphDefinedOpInterface>(op)) {
      if (!isa<block::ThreadGraphOp>(op) || failed(prepare(inner)))
        return WalkResult::interrupt();
      return WalkResult::skip();
    }
    if (failed(checkTypes(op)))
      return WalkResult::interrupt();
    if (auto load = dyn_cast<block::LoadOp>(op))
      prepareLoad(op, load.getImap(), load.getFmap());
    else if (auto load = dyn_cast<thread::LoadOp>(op))
      prepareLoad(op, load.getImap(), {});
    else if (isa<MuGraphOpInterface>(op)) {
      FailureOr<Operator> what = getOperator(op);
      if (failed(what))
        return WalkResult::interrupt();
      operators[op] = std::move(*what);
    } else if (!isa<block::ForOp, block::AccumulateOp, block::StoreOp,
                    thread::StoreOp>(op)) {
      emitNotExecuted(op);
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return failure(walk.wasInterrupted());
}

/// Calls body(point) for each point in [0, count), in parallel.
static void forEachPoint(int64_t count, llvm::function_ref<void(size_t)> body) {
  // A single point leaves the processors to its operators.
  if (count == 1)
    return body(0);
  llvm::parallelFor(0, count, body);
}

SmallVector<SharedValue> GraphRunner::run(GraphDefinedOpInterface graph,
                                          ArrayRef<SharedValue> inputs) const {
  ArrayRef<int64_t> extents = graph.getExtents();
  int64_t count = elementCount(extents);
  Block &body = graph->getRegion(0).front();
  llvm::DenseMap<Operation *, std::unique_ptr<GraphOutput>> outputs;
  for (Value result : body.getTerminator()->getOperands()) {
    std::unique_ptr<GraphOutput> &output = outputs[result.getDefiningOp()];
    if (!output)
      output = std::make_unique<GraphOutput>(result.getDefiningOp(), extents,
                                             precision);
  }
  forEachPoint(count, [&](size_t point) {
    SmallVector<int64_t, 3> indices = getPointIndices(point, extents);
    auto store = [&](Operation *op, SharedValue value) {
      auto output = outputs.find(op);
      if (output != outputs.end())
        output->second->store(point, indices, std::move(value));
    };
    Point(*this, indices, store).run(body, inputs);
  });
  llvm::DenseMap<Operation *, SharedValue> taken;
  for (auto &[op, output] : outputs)
    taken[op] = std::make_shared<TensorValue>(output->take());
  SmallVector<SharedValue> results;
  for (Value result : body.getTerminator()->getOperands())
    results.push_back(taken[result.getDefiningOp()]);
  return results;
}
