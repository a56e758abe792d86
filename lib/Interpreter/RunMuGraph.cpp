//===- RunMuGraph.cpp - Executing µGraphs on the CPU ----------------------===//
//
// One Frame executes the function, or a graph's body for one block or thread.
// These run in parallel; where an omap combines their values, this happens
// afterwards in the order of the grid (x fastest, as CUDA numbers blocks).
//
//===----------------------------------------------------------------------===//

#include "Mirage/Interpreter/RunMuGraph.h"
#include "Accumulator.h"
#include "FramePlan.h"
#include "GraphOutput.h"
#include "Tiles.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <atomic>
#include <cmath>

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// The indices of getTileOffset.
struct IndexSystem {
  int64_t index(int64_t i) { return i; }
  int64_t add(int64_t a, int64_t b) { return a + b; }
  int64_t mulConstant(int64_t a, int64_t c) { return a * c; }
};

/// The first operators of a run whose results are no numbers. Blocks that run
/// in parallel agree on them, since nodes have numbers.
struct FirstNotFinite {
  static constexpr unsigned kNone = ~0u;
  std::atomic<unsigned> notFinite = kNone, notANumber = kNone;

  static void lower(std::atomic<unsigned> &first, unsigned number) {
    unsigned known = first;
    while (number < known && !first.compare_exchange_weak(known, number)) {
    }
  }
};

/// What all frames of a run share.
struct Program {
  Program(const MuGraph &graph, Precision precision, const Execution *execution)
      : graph(graph), precision(precision), plan(graph), execution(execution) {}

  /// Returns whether the run must end. What frames hold has no meaning then.
  bool isOver() const { return execution && execution->isOver(); }

  const MuGraph &graph;
  Precision precision;
  FramePlan plan;
  const Execution *execution;
  /// These are null unless the caller asks for them.
  std::atomic<bool> *overflows = nullptr;
  FirstNotFinite *firstNotFinite = nullptr;
};

class Frame {
public:
  using Store = llvm::function_ref<void(MuValue, SharedValue)>;

  /// `point` is the block or thread, and `store` takes what it stores.
  Frame(const Program &program, unsigned body, ArrayRef<int64_t> point,
        Store store)
      : program(program), graph(program.graph), body(body), point(point),
        store(store), values(program.plan.getNumPlaces(body)) {}

  SharedValue &at(MuValue value) {
    return values[program.plan.getPlace(value)];
  }

  /// Runs the body, whose arguments have been set.
  void run() { runRegion(body); }

private:
  void runRegion(unsigned region) {
    for (unsigned number : graph.getRegion(region).nodes) {
      if (program.isOver())
        return;
      runNode(graph.getNode(number));
      if (program.firstNotFinite)
        noteNotFinite(number);
      for (unsigned place : program.plan.getLastUses(number))
        values[place].reset();
    }
  }

  void runNode(const MuNode &node) {
    switch (node.kind) {
    case MuNode::Kind::Operator:
      return runOperator(node);
    case MuNode::Kind::Graph:
      return runGraph(node);
    case MuNode::Kind::Loop:
      return runLoop(node);
    case MuNode::Kind::Load:
      return runLoad(node);
    case MuNode::Kind::Accumulate:
      return accumulators.find(node.results[0])
          ->second.add(*at(node.operands[0]),
                       node.operands.size() > 1 ? at(node.operands[1]).get()
                                                : nullptr,
                       iterations.back());
    case MuNode::Kind::Store:
      return store(node.results[0], at(node.operands[0]));
    }
  }

  void runOperator(const MuNode &node);
  void noteNotFinite(unsigned number);
  void runGraph(const MuNode &node);
  void runLoop(const MuNode &loop);
  void runLoad(const MuNode &node);

  const Program &program;
  const MuGraph &graph;
  unsigned body;
  ArrayRef<int64_t> point;
  Store store;
  /// The values of the frame by their places in it.
  std::vector<SharedValue> values;
  /// The iterations of the loops that are running, outermost first.
  SmallVector<int64_t, 2> iterations;
  /// The accumulators of these loops, by the nodes' results.
  llvm::SmallDenseMap<MuValue, Accumulator, 4> accumulators;
};
} // namespace

/// Returns whether the operator's results are finite for finite operands but
/// for their range.
static bool isArithmetic(OpKind kind) {
  switch (kind) {
  case OpKind::Add:
  case OpKind::Sub:
  case OpKind::Mul:
  case OpKind::Square:
  case OpKind::Scale:
  case OpKind::Cast:
  case OpKind::Reduce:
  case OpKind::Matmul:
  case OpKind::ConcatMatmul:
  case OpKind::Conv2d:
    return true;
  case OpKind::Div:
  case OpKind::Max:
  case OpKind::Min:
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Abs:
  case OpKind::Exp:
  case OpKind::Exp2:
  case OpKind::Log:
  case OpKind::Sqrt:
  case OpKind::Rsqrt:
  case OpKind::Silu:
  case OpKind::Sigmoid:
  case OpKind::Gelu:
  case OpKind::Mish:
  case OpKind::Relu:
  case OpKind::Tanh:
  case OpKind::Erf:
  case OpKind::Clamp:
  case OpKind::Pow:
#define MIRAGE_CONSTANT_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_LAYOUT_OP(Kind, ...) case OpKind::Kind:
#define MIRAGE_COMPOSITE_OP(Kind, ...) case OpKind::Kind:
#include "Mirage/Semantics/OpKinds.def"
    return false;
  }
  llvm_unreachable("not an operator");
}

static bool isFinite(const TensorValue &value) {
  return std::visit(
      [](const auto &tensor) {
        return llvm::all_of(tensor.data, [](const auto &number) {
          if constexpr (std::is_floating_point_v<
                            std::decay_t<decltype(number)>>)
            return std::isfinite(number);
          else
            return std::isfinite(number.value);
        });
      },
      value.numbers);
}

static bool hasNaN(const TensorValue &value) {
  for (int64_t i = 0; i < value.size(); ++i)
    if (std::isnan(value.value(i)))
      return true;
  return false;
}

void Frame::runOperator(const MuNode &node) {
  auto operands = llvm::map_to_vector<4>(
      node.operands,
      [&](MuValue v) -> const TensorValue * { return at(v).get(); });
  auto results = evaluate(node.op, node.attributes, operands,
                          graph.getValue(node.results[0]).type,
                          program.precision, program.execution);
  if (program.overflows && !*program.overflows && isArithmetic(node.op) &&
      !isFinite(results.front()) &&
      llvm::all_of(operands, [](const TensorValue *v) { return isFinite(*v); }))
    *program.overflows = true;
  for (auto [value, result] : llvm::zip_equal(node.results, results))
    at(value) = std::make_shared<TensorValue>(std::move(result));
}

void Frame::noteNotFinite(unsigned number) {
  const MuNode &node = graph.getNode(number);
  if (node.kind != MuNode::Kind::Operator || node.operands.empty() ||
      isFinite(*at(node.results[0])))
    return;
  auto allOperands = [&](auto holds) {
    return llvm::all_of(node.operands,
                        [&](MuValue v) { return holds(*at(v)); });
  };
  if (allOperands(isFinite))
    FirstNotFinite::lower(program.firstNotFinite->notFinite, number);
  if (hasNaN(*at(node.results[0])) &&
      allOperands([](const TensorValue &v) { return !hasNaN(v); }))
    FirstNotFinite::lower(program.firstNotFinite->notANumber, number);
}

void Frame::runLoad(const MuNode &node) {
  const TensorValue &source = *at(node.operands[0]);
  ShapeRef shape = graph.getShape(node.results[0]);
  IndexSystem system;
  Shape offsets;
  for (const DimPartition &dim : node.partition)
    offsets.push_back(getTileOffset<int64_t>(dim, point, iterations, system));
  at(node.results[0]) = std::visit(
      [&](const auto &tensor) {
        std::decay_t<decltype(tensor)> tile{Shape(shape)};
        copyBox(shape, tensor, offsets, tile, Shape(offsets.size(), 0));
        return std::make_shared<TensorValue>(
            TensorValue{source.type, std::move(tile)});
      },
      source.numbers);
}

void Frame::runLoop(const MuNode &loop) {
  const MuRegion &body = graph.getRegion(loop.body);
  SmallVector<MuValue, 4> accumulated;
  for (unsigned number : body.nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Accumulate)
      continue;
    accumulated.push_back(node.results[0]);
    accumulators.try_emplace(node.results[0], graph, node, program.precision);
  }
  iterations.push_back(0);
  for (int64_t i = 0; i < loop.extents[0]; ++i) {
    iterations.back() = i;
    runRegion(loop.body);
    if (program.isOver())
      return;
  }
  iterations.pop_back();
  for (MuValue value : accumulated) {
    auto accumulator = accumulators.find(value);
    at(value) = std::make_shared<TensorValue>(accumulator->second.take());
    accumulators.erase(accumulator);
  }
  for (auto [result, inner] : llvm::zip_equal(loop.results, body.results))
    at(result) = at(inner);
  for (MuValue value : accumulated)
    at(value).reset();
}

/// Calls body(point) for each point in [0, count), in parallel.
static void forEachPoint(int64_t count, const Execution *execution,
                         llvm::function_ref<void(int64_t)> body) {
  // A single point leaves the processors to its operators.
  if (execution && count > 1)
    return execution->forEach(count, body);
  for (int64_t point = 0; point < count; ++point)
    body(point);
}

void Frame::runGraph(const MuNode &node) {
  const MuRegion &body = graph.getRegion(node.body);
  auto inputs =
      llvm::map_to_vector(node.operands, [&](MuValue v) { return at(v); });
  llvm::SmallDenseMap<MuValue, std::unique_ptr<GraphOutput>, 4> outputs;
  for (unsigned number : body.nodes) {
    const MuNode &inner = graph.getNode(number);
    if (inner.kind == MuNode::Kind::Store &&
        llvm::is_contained(body.results, inner.results[0]))
      outputs[inner.results[0]] = std::make_unique<GraphOutput>(
          inner.omap, graph.getValue(inner.results[0]), node.extents,
          program.precision);
  }
  int64_t count = elementCount(node.extents);
  forEachPoint(count, program.execution, [&](int64_t number) {
    SmallVector<int64_t, 3> indices = getPointIndices(number, node.extents);
    auto store = [&](MuValue target, SharedValue value) {
      auto output = outputs.find(target);
      if (output != outputs.end())
        output->second->store(number, indices, std::move(value));
    };
    Frame frame(program, node.body, indices, store);
    for (auto [argument, input] : llvm::zip_equal(body.arguments, inputs))
      frame.at(argument) = input;
    frame.run();
  });
  if (program.isOver())
    return;
  llvm::SmallDenseMap<MuValue, SharedValue, 4> taken;
  for (auto &[value, output] : outputs)
    taken[value] = std::make_shared<TensorValue>(output->take());
  for (auto [result, inner] : llvm::zip_equal(node.results, body.results))
    at(result) = taken[inner];
}

/// An input of `type` in the representation of `precision`. Where `input` has
/// it, it is not copied and must stay.
static SharedValue shareInput(const TensorValue &input, ElementType type,
                              Precision precision) {
  return withNumberType(precision, type, [&](auto number) -> SharedValue {
    using T = decltype(number);
    if (input.type == type && std::get_if<Tensor<T>>(&input.numbers))
      return SharedValue(SharedValue(), &input);
    return std::make_shared<TensorValue>(TensorValue{
        type, std::visit([](const auto &t) { return convertNumbers<T>(t); },
                         input.numbers)});
  });
}

/// Returns zeros in the place of a result that was not computed.
static TensorValue makeBlank(const MuGraph::Value &value, Precision precision) {
  return makeValue(precision, value.type, Tensor<double>(value.shape));
}

SmallVector<TensorValue> mirage::runMuGraph(const MuGraph &graph,
                                            ArrayRef<TensorValue> inputs,
                                            Precision precision,
                                            const RunOptions &options) {
  const MuRegion &body = graph.getRegion();
  Program program(graph, precision, options.execution);
  std::atomic<bool> overflows = false;
  if (options.overflowsInside)
    program.overflows = &overflows;
  FirstNotFinite first;
  if (options.firstNotFinite)
    program.firstNotFinite = &first;
  auto store = [](MuValue, SharedValue) {};
  Frame frame(program, 0, {}, store);
  for (auto [argument, input] : llvm::zip_equal(body.arguments, inputs))
    frame.at(argument) =
        shareInput(input, graph.getValue(argument).type, precision);
  frame.run();
  if (options.overflowsInside)
    *options.overflowsInside = overflows;
  if (options.firstNotFinite) {
    unsigned number = first.notFinite != FirstNotFinite::kNone
                          ? first.notFinite
                          : first.notANumber;
    if (number != FirstNotFinite::kNone)
      *options.firstNotFinite = graph.getNode(number).location;
  }
  bool isOver = program.isOver();
  SmallVector<TensorValue> results;
  for (MuValue result : body.results)
    results.push_back(isOver ? makeBlank(graph.getValue(result), precision)
                             : *frame.at(result));
  return results;
}
