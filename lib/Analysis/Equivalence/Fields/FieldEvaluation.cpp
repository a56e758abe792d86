//===- FieldEvaluation.cpp - µGraphs in finite fields ---------------------===//
//
// Runs a graph's regions. Points of a grid run in parallel; what they sum they
// add to a common tensor, in any order, since sums of residues are exact.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Equivalence/Fields/FieldEvaluation.h"
#include "Mirage/Analysis/Equivalence/Fields/FieldOperators.h"
#include "llvm/ADT/DenseMap.h"
#include <atomic>
#include <mutex>

using namespace mirage;
using namespace mirage::equivalence;
using llvm::ArrayRef;

namespace {

constexpr Plane kPlanes[] = {kPlaneP, kPlaneQ};

/// The indices of getTileOffset.
struct IndexSystem {
  int64_t index(int64_t i) { return i; }
  int64_t add(int64_t a, int64_t b) { return a + b; }
  int64_t mulConstant(int64_t a, int64_t c) { return a * c; }
};

/// Values of one run of a graph's body, with their planes.
struct Frame {
  std::vector<FieldTensor> tensors;
  ArrayRef<int64_t> point;
  llvm::SmallVector<int64_t, 2> iterations;

  FieldTensor &at(MuValue value, unsigned plane) {
    return tensors[value * 2 + plane];
  }
};

/// The output is one plane of the results of one Store node: elements, combined
/// under a lock where blocks write the same ones.
struct StoredTensor {
  FieldTensor tensor;
  std::mutex mutex;
};

class Evaluation {
public:
  Evaluation(const FieldPlan &plan, const FieldModel &model,
             const Execution &execution)
      : plan(plan), graph(plan.getGraph()), model(model), execution(execution) {
  }

  void runFunction(Frame &frame) {
    for (unsigned number : graph.getRegion().nodes) {
      runNode(graph.getNode(number), frame, nullptr);
      if (hasFailed())
        return;
      for (MuValue value : plan.getLastUses(number))
        for (Plane plane : kPlanes)
          frame.at(value, plane) = FieldTensor();
    }
  }

  bool hasFailed() const { return failed.load(std::memory_order_relaxed); }
  unsigned getFailure() const { return failedLocation; }
  bool wasStopped() const { return stopped.load(std::memory_order_relaxed); }

private:
  using Stores =
      llvm::DenseMap<const MuNode *, std::unique_ptr<StoredTensor[]>>;

  void fail(const MuNode &node) {
    std::lock_guard<std::mutex> lock(failureMutex);
    // This is the same node whichever thread comes first.
    failedLocation = std::min(failedLocation, node.location);
    failed = true;
  }

  void runRegion(unsigned region, Frame &frame, Stores *stores) {
    for (unsigned number : graph.getRegion(region).nodes) {
      runNode(graph.getNode(number), frame, stores);
      if (hasFailed())
        return;
    }
  }

  /// Returns whether any residue of the node's results is needed.
  bool isNeeded(const MuNode &node) const {
    return llvm::any_of(node.results, [&](MuValue result) {
      return plan.needs(result, kPlaneP) || plan.needs(result, kPlaneQ);
    });
  }

  void runNode(const MuNode &node, Frame &frame, Stores *stores) {
    if (!isNeeded(node))
      return;
    if (execution.isOver()) {
      stopped = true;
      failed = true;
      return;
    }
    switch (node.kind) {
    case MuNode::Kind::Operator:
      return runOperator(node, frame);
    case MuNode::Kind::Load:
      return runLoad(node, frame);
    case MuNode::Kind::Loop:
      return runLoop(node, frame, stores);
    case MuNode::Kind::Graph:
      return runGraph(node, frame);
    case MuNode::Kind::Store:
      return runStore(node, frame, *stores);
    case MuNode::Kind::Accumulate:
      // The loop does that.
      return;
    }
  }

  void runOperator(const MuNode &node, Frame &frame) {
    for (auto [number, result] : llvm::enumerate(node.results))
      for (Plane plane : kPlanes) {
        if (!plan.needs(result, plane))
          continue;
        Plane from = node.op == OpKind::Exp ? kPlaneQ : plane;
        llvm::SmallVector<FieldTensor, 3> operands;
        for (MuValue operand : node.operands)
          operands.push_back(frame.at(operand, from));
        bool isCondition =
            !node.operands.empty() && plan.isCondition(node.operands[0]);
        std::optional<FieldTensor> value =
            evaluateInField({model, plane, execution}, node.op, node.attributes,
                            operands, number, graph.getValue(result).type,
                            isCondition, plan.getComparedAs(result));
        if (!value)
          return fail(node);
        frame.at(result, plane) = std::move(*value);
      }
  }

  void runLoad(const MuNode &node, Frame &frame) {
    MuValue result = node.results[0], operand = node.operands[0];
    ShapeRef source = graph.getShape(operand), tile = graph.getShape(result);
    IndexSystem system;
    Shape strides(source.size());
    int64_t stride = 1, offset = 0;
    for (size_t dim = source.size(); dim-- > 0; stride *= source[dim]) {
      strides[dim] = stride;
      offset +=
          stride * getTileOffset<int64_t>(node.partition[dim], frame.point,
                                          frame.iterations, system);
    }
    for (Plane plane : kPlanes)
      if (plan.needs(result, plane))
        frame.at(result, plane) =
            view(execution, frame.at(operand, plane), tile, strides, offset);
  }

  void runLoop(const MuNode &node, Frame &frame, Stores *stores);
  void accumulate(const MuNode &node, Frame &frame, int64_t iteration);
  void finishAccumulation(const MuNode &node, Frame &frame);
  void runGraph(const MuNode &node, Frame &outer);
  void runStore(const MuNode &node, Frame &frame, Stores &stores);

  const FieldPlan &plan;
  const MuGraph &graph;
  const FieldModel &model;
  const Execution &execution;
  std::atomic<bool> failed = false;
  std::atomic<bool> stopped = false;
  unsigned failedLocation = ~0u;
  std::mutex failureMutex;
};

} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

void Evaluation::runLoop(const MuNode &node, Frame &frame, Stores *stores) {
  const MuRegion &body = graph.getRegion(node.body);
  frame.iterations.push_back(0);
  for (int64_t i = 0; i < node.extents[0] && !hasFailed(); ++i) {
    frame.iterations.back() = i;
    for (unsigned number : body.nodes) {
      const MuNode &inner = graph.getNode(number);
      runNode(inner, frame, stores);
      if (hasFailed())
        return;
      if (inner.kind == MuNode::Kind::Accumulate)
        accumulate(inner, frame, i);
    }
  }
  frame.iterations.pop_back();
  for (unsigned number : body.nodes)
    if (graph.getNode(number).kind == MuNode::Kind::Accumulate)
      finishAccumulation(graph.getNode(number), frame);
  for (auto [result, inner] : llvm::zip(node.results, body.results))
    for (Plane plane : kPlanes)
      if (plan.needs(result, plane))
        frame.at(result, plane) = frame.at(inner, plane);
}

/// The frame holds partial results under the node's result: for max the group's
/// sum, for a rescaled sum the terms times exp(shift), and in its unneeded
/// residues in Z_q the group's sum of the shifts.
void Evaluation::accumulate(const MuNode &node, Frame &frame,
                            int64_t iteration) {
  MuValue result = node.results[0];
  for (Plane plane : kPlanes) {
    if (!plan.needs(result, plane))
      continue;
    const PrimeField field = model.getField(plane);
    FieldTensor value = frame.at(node.operands[0], plane);
    FieldTensor &partial = frame.at(result, plane);
    auto add = [field](uint64_t a, uint64_t b) { return field.add(a, b); };
    switch (node.accumulate) {
    case AccumulateKind::Concat: {
      if (iteration == 0)
        partial = FieldTensor(Shape(graph.getShape(result)));
      int64_t offset = iteration * value.shape[node.dim];
      for (int64_t extent : ShapeRef(partial.shape).drop_front(node.dim + 1))
        offset *= extent;
      update(partial.data.get(), partial.shape, offset, value,
             [](uint64_t, uint64_t x) { return x; });
      continue;
    }
    case AccumulateKind::Sum:
      break;
    case AccumulateKind::Max:
      value = mapElements(execution, value, [&](uint64_t x) {
        return model.toGroup(plane, true, x);
      });
      break;
    case AccumulateKind::RescaledSum: {
      const FieldTensor &shift = frame.at(node.operands[1], kPlaneQ);
      // Shifts are fewer than the numbers that they shift.
      FieldTensor factors = mapChunks(
          execution, shift, [&](const uint64_t *in, uint64_t *out, int64_t n) {
            model.exp(in, n, out);
          });
      value = multiplyElements(execution, field, value, factors, value.shape);
      FieldTensor &shifts = frame.at(result, kPlaneQ);
      PrimeField q = model.getField(kPlaneQ);
      FieldTensor group = mapElements(execution, shift, [&](uint64_t m) {
        return model.toGroup(kPlaneQ, true, m);
      });
      shifts = iteration == 0
                   ? group
                   : zipElements(
                         execution, shifts, group, group.shape,
                         [q](uint64_t a, uint64_t b) { return q.add(a, b); });
      break;
    }
    }
    partial = iteration == 0
                  ? value
                  : zipElements(execution, partial, value, value.shape, add);
  }
}

void Evaluation::finishAccumulation(const MuNode &node, Frame &frame) {
  MuValue result = node.results[0];
  for (Plane plane : kPlanes) {
    if (!plan.needs(result, plane))
      continue;
    FieldTensor &partial = frame.at(result, plane);
    if (node.accumulate == AccumulateKind::Max)
      partial = mapElements(execution, partial, [&](uint64_t x) {
        return model.fromGroup(plane, true, x);
      });
    if (node.accumulate == AccumulateKind::RescaledSum) {
      const PrimeField &p = model.getField(kPlaneP);
      const PrimeField &q = model.getField(kPlaneQ);
      FieldTensor factors =
          mapElements(execution, frame.at(result, kPlaneQ), [&](uint64_t sum) {
            return model.exp(q.negate(model.fromGroup(kPlaneQ, true, sum)));
          });
      partial = multiplyElements(execution, p, partial, factors, partial.shape);
      frame.at(result, kPlaneQ) = FieldTensor();
    }
  }
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

void Evaluation::runGraph(const MuNode &node, Frame &outer) {
  const MuRegion &body = graph.getRegion(node.body);
  Stores stores;
  for (unsigned number : body.nodes) {
    const MuNode &inner = graph.getNode(number);
    if (inner.kind != MuNode::Kind::Store)
      continue;
    auto &stored = stores[&inner];
    stored.reset(new StoredTensor[2]);
    for (Plane plane : kPlanes)
      if (plan.needs(inner.results[0], plane)) {
        FieldTensor &tensor = stored[plane].tensor;
        tensor = FieldTensor(Shape(graph.getShape(inner.results[0])));
        std::fill_n(tensor.data.get(), tensor.size(), 0);
      }
  }
  execution.forEach(elementCount(node.extents), [&](int64_t number) {
    if (hasFailed())
      return;
    // The index x is fastest, as CUDA numbers blocks.
    llvm::SmallVector<int64_t, 3> point;
    for (int64_t extent : node.extents) {
      point.push_back(number % extent);
      number /= extent;
    }
    Frame frame;
    frame.tensors.resize(outer.tensors.size());
    frame.point = point;
    for (auto [argument, operand] : llvm::zip(body.arguments, node.operands))
      for (Plane plane : kPlanes)
        frame.at(argument, plane) = outer.at(operand, plane);
    runRegion(node.body, frame, &stores);
  });
  if (hasFailed())
    return;
  llvm::DenseMap<MuValue, const MuNode *> sources;
  for (auto &[store, stored] : stores) {
    sources[store->results[0]] = store;
    if (llvm::is_contained(store->omap, kReduceMax))
      for (Plane plane : kPlanes)
        if (plan.needs(store->results[0], plane))
          stored[plane].tensor =
              mapElements(execution, stored[plane].tensor, [&](uint64_t x) {
                return model.fromGroup(plane, true, x);
              });
  }
  for (auto [result, inner] : llvm::zip(node.results, body.results))
    for (Plane plane : kPlanes)
      if (plan.needs(result, plane))
        outer.at(result, plane) = stores[sources[inner]][plane].tensor;
}

void Evaluation::runStore(const MuNode &node, Frame &frame, Stores &stores) {
  bool isMax = llvm::is_contained(node.omap, kReduceMax);
  bool combines = isMax || llvm::is_contained(node.omap, kReduceSum);
  StoredTensor *stored = stores.find(&node)->second.get();
  for (Plane plane : kPlanes) {
    if (!plan.needs(node.results[0], plane))
      continue;
    FieldTensor tile = frame.at(node.operands[0], plane);
    FieldTensor &target = stored[plane].tensor;
    int64_t offset = 0;
    for (size_t dim = 0; dim < tile.shape.size(); ++dim) {
      offset *= target.shape[dim];
      for (auto [entry, index] : llvm::zip(node.omap, frame.point))
        if (entry == static_cast<int64_t>(dim))
          offset += index * tile.shape[dim];
    }
    if (!combines) {
      update(target.data.get(), target.shape, offset, tile,
             [](uint64_t, uint64_t x) { return x; });
      continue;
    }
    if (isMax)
      tile = mapElements(execution, tile, [&](uint64_t x) {
        return model.toGroup(plane, true, x);
      });
    const PrimeField &field = model.getField(plane);
    std::lock_guard<std::mutex> lock(stored[plane].mutex);
    update(target.data.get(), target.shape, offset, tile,
           [&](uint64_t a, uint64_t b) { return field.add(a, b); });
  }
}

//===----------------------------------------------------------------------===//
// Interface
//===----------------------------------------------------------------------===//

FieldResults equivalence::evaluateInField(const FieldPlan &plan,
                                          const FieldModel &model,
                                          ArrayRef<FieldTensor> inputs,
                                          const Execution &execution) {
  const MuGraph &graph = plan.getGraph();
  Frame frame;
  frame.tensors.resize(2 * graph.getNumValues());
  for (auto [i, argument] : llvm::enumerate(graph.getRegion().arguments))
    for (Plane plane : kPlanes)
      frame.at(argument, plane) = inputs[2 * i + plane];
  Evaluation evaluation(plan, model, execution);
  evaluation.runFunction(frame);
  FieldResults results;
  results.wasStopped = evaluation.wasStopped() || execution.isOver();
  if (results.wasStopped)
    return results;
  if (evaluation.hasFailed()) {
    results.dividedByZero = evaluation.getFailure();
    return results;
  }
  for (MuValue result : graph.getRegion().results)
    results.tensors.push_back(frame.at(result, kPlaneP));
  return results;
}

std::vector<FieldTensor>
equivalence::drawInputs(ArrayRef<const FieldPlan *> plans,
                        const FieldModel &model, const Execution &execution) {
  std::vector<FieldTensor> inputs;
  const MuGraph &first = plans.front()->getGraph();
  for (auto [number, argument] : llvm::enumerate(first.getRegion().arguments))
    for (Plane plane : kPlanes) {
      FieldTensor &tensor = inputs.emplace_back();
      bool isNeeded = llvm::any_of(plans, [&](const FieldPlan *plan) {
        return plan->needs(plan->getGraph().getRegion().arguments[number],
                           plane);
      });
      if (!isNeeded)
        continue;
      tensor = FieldTensor(Shape(first.getShape(argument)));
      uint64_t *out = tensor.data.get();
      int64_t count = tensor.size();
      constexpr int64_t kChunk = 1 << 12;
      execution.forEach((count + kChunk - 1) / kChunk, [&](int64_t chunk) {
        int64_t end = std::min(count, (chunk + 1) * kChunk);
        for (int64_t i = chunk * kChunk; i < end; ++i)
          out[i] = model.getInput(plane, number, i);
      });
    }
  return inputs;
}
