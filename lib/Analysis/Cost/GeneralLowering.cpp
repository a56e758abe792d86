//===- GeneralLowering.cpp - Work of block graphs as lowered today --------===//
//
// Counts what lib/Conversion/BlockToThread/LaunchKernel.cpp and
// lib/Conversion/ThreadToNVVM make of the operations of a launch.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Cost/GeneralLowering.h"
#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "OperatorWork.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mirage;

namespace {
/// The clocks of an SM that one round of work takes.
struct Clocks {
  double waiting, working;
};
} // namespace

// These are the numbers that `benchmarks/tiling_device.py fit` printed for the
// first tilings that were timed (docs/performance/tiling.md).
static constexpr std::array<Clocks, GeneralWork::numKinds> clocksPerRound = {
    {{75, 0}, {74, 0}, {300, 114}, {7, 44}, {0, 13}, {101, 0}}};

static constexpr double warpSize = 32;
static constexpr int64_t copyBytes = 16;

namespace {
class GeneralCounter {
public:
  GeneralCounter(const MuGraph &graph, double threads)
      : graph(graph), threads(threads) {}

  void visitRegion(unsigned region, double times);
  GeneralWork work;

private:
  void visit(const MuNode &node, double times);
  void visitOperator(const MuNode &node, double times);
  void visitComposite(const MuNode &node, double times);
  void visitProducts(const MuNode &node, double times);

  void add(GeneralWork::Kind kind, double rounds) {
    work.rounds[kind] += rounds;
  }
  double getRounds(double elements) const {
    return std::ceil(elements / threads);
  }
  double getElements(MuValue value) const {
    return static_cast<double>(elementCount(graph.getShape(value)));
  }
  llvm::SmallVector<Shape, 4> getShapes(const MuNode &node) const {
    return llvm::map_to_vector<4>(node.operands, [&](MuValue operand) {
      return Shape(graph.getShape(operand));
    });
  }
  void copy(MuValue tile, double times);

  const MuGraph &graph;
  double threads;
};
} // namespace

void GeneralCounter::copy(MuValue tile, double times) {
  // One copy takes as many neighbours at once as divide a row of the tile.
  ShapeRef shape = graph.getShape(tile);
  int64_t element = byteSize(graph.getValue(tile).type),
          row = shape.empty() ? element : shape.back() * element,
          bytes = std::min(copyBytes, row & -row);
  double copies = getElements(tile) / std::max<int64_t>(1, bytes / element);
  add(GeneralWork::Copies, getRounds(copies) * times);
}

void GeneralCounter::visitProducts(const MuNode &node, double times) {
  std::optional<MatrixInstruction> instruction =
      getMatrixInstruction(node.op, node.attributes, getShapes(node),
                           graph.getValue(node.operands[0]).type,
                           graph.getValue(node.results[0]).type);
  for (const Product &p : getProducts(graph, node)) {
    if (!instruction) {
      add(GeneralWork::Reduced, getRounds(p.batch * p.m * p.n) * p.k * times);
      continue;
    }
    double parts = p.batch * std::ceil(p.m / MatrixInstruction::rows) * p.n /
                   MatrixInstruction::columns;
    add(GeneralWork::Matrix, std::ceil(parts / (threads / warpSize)) * p.k /
                                 instruction->depth * times);
  }
}

void GeneralCounter::visitComposite(const MuNode &node, double times) {
  MuGraph definition;
  llvm::SmallVector<MuValue> operands;
  for (MuValue operand : node.operands)
    operands.push_back(definition.addArgument(0, graph.getShape(operand),
                                              graph.getValue(operand).type));
  definition.setResults(
      0, definition.addOperator(0, node.op, node.attributes, operands,
                                graph.getValue(node.results[0]).type));
  MuGraph primitives = expandToPrimitives(definition);
  GeneralCounter inner(primitives, threads);
  inner.visitRegion(0, times);
  for (auto [sum, rounds] : llvm::zip(work.rounds, inner.work.rounds))
    sum += rounds;
}

void GeneralCounter::visitOperator(const MuNode &node, double times) {
  // Scalars are part of the code.
  if (node.op == OpKind::Constant && node.attributes.values->size() == 1)
    return;
  if (isComposite(node.op))
    return visitComposite(node, times);
  add(GeneralWork::Barriers, times);
  double results = getElements(node.results[0]);
  switch (getOpInfo(node.op).opClass) {
  case OpClass::Contraction:
    return visitProducts(node, times);
  case OpClass::Reduction:
    add(GeneralWork::Reduced,
        getRounds(results) * getElements(node.operands[0]) / results * times);
    return;
  default:
    break;
  }
  add(GeneralWork::Elements, getRounds(results) * times);
  add(GeneralWork::Exponentials,
      getRounds(
          countOp(node.op, node.attributes, getShapes(node)).exponentials) *
          times);
}

void GeneralCounter::visit(const MuNode &node, double times) {
  switch (node.kind) {
  case MuNode::Kind::Load:
    return copy(node.results[0], times);
  case MuNode::Kind::Store:
    add(GeneralWork::Barriers, times);
    return copy(node.operands[0], times);
  case MuNode::Kind::Operator:
    return visitOperator(node, times);
  case MuNode::Kind::Loop:
    // Accumulators are filled first.
    add(GeneralWork::Barriers, times);
    for (MuValue result : node.results)
      add(GeneralWork::Elements, getRounds(getElements(result)) * times);
    return visitRegion(node.body, times * node.extents[0]);
  case MuNode::Kind::Accumulate: {
    add(GeneralWork::Barriers, times);
    if (node.accumulate == AccumulateKind::Concat)
      return copy(node.operands[0], times);
    double rounds = getRounds(getElements(node.operands[0])) * times;
    add(GeneralWork::Elements, rounds);
    if (node.accumulate != AccumulateKind::RescaledSum)
      return;
    // Each thread computes the factor of its element; then the maximum's.
    add(GeneralWork::Exponentials, rounds);
    add(GeneralWork::Barriers, times);
    add(GeneralWork::Elements,
        getRounds(getElements(node.operands[1])) * times);
    return;
  }
  case MuNode::Kind::Graph:
    // A thread computes every operator on every element of its fragments.
    add(GeneralWork::Barriers, times);
    for (unsigned number : graph.getRegion(node.body).nodes) {
      const MuNode &inner = graph.getNode(number);
      if (inner.kind == MuNode::Kind::Operator)
        add(GeneralWork::Elements, getElements(inner.results[0]) * times);
    }
    return;
  }
}

void GeneralCounter::visitRegion(unsigned region, double times) {
  bool wasLoad = false;
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    bool isLoad = node.kind == MuNode::Kind::Load;
    if (isLoad && !wasLoad)
      add(GeneralWork::Barriers, times);
    wasLoad = isLoad;
    visit(node, times);
  }
}

GeneralWork mirage::countGeneralWork(const MuGraph &graph, const MuNode &launch,
                                     int64_t threads) {
  GeneralCounter counter(graph, static_cast<double>(threads));
  counter.visitRegion(launch.body, 1);
  return counter.work;
}

double mirage::estimateGeneralWork(const GeneralWork &work, int64_t blocks,
                                   int64_t occupancy,
                                   const TargetDescription &target) {
  double waves = static_cast<double>(
      llvm::divideCeil(blocks, target.multiprocessors * occupancy));
  double blocksPerSM =
      std::max(1.0, static_cast<double>(blocks) / target.multiprocessors);
  double clocks = 0;
  for (auto [rounds, each] : llvm::zip(work.rounds, clocksPerRound))
    clocks += rounds * (each.waiting * waves + each.working * blocksPerSM);
  return clocks / static_cast<double>(target.clock);
}

llvm::StringRef mirage::stringifyGeneralWork(GeneralWork::Kind kind) {
  switch (kind) {
  case GeneralWork::Barriers:
    return "barriers";
  case GeneralWork::Copies:
    return "copies";
  case GeneralWork::Matrix:
    return "matrix";
  case GeneralWork::Elements:
    return "elements";
  case GeneralWork::Reduced:
    return "reduced";
  case GeneralWork::Exponentials:
    return "exponentials";
  }
  llvm_unreachable("not a kind of work");
}
