//===- Evaluator.cpp - Results of µGraphs by definition -------------------===//
//
// Implements the evaluation with one function for each kind of node.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "ElementSystem.h"
#include "Rational.h"
#include "Real.h"

using namespace mirage;
using namespace mirage::mutate;

template <typename Number>
Evaluator<Number>::Evaluator(const MuGraph &graph,
                             const std::vector<std::vector<Number>> &inputs)
    : graph(graph), inputs(inputs), definitions(graph.getNumValues()) {
  define(0);
}

template <typename Number> void Evaluator<Number>::define(unsigned region) {
  const MuRegion &body = graph.getRegion(region);
  for (auto [number, argument] : llvm::enumerate(body.arguments))
    definitions[argument] = {region, nullptr, static_cast<unsigned>(number)};
  for (unsigned n : body.nodes) {
    const MuNode &node = graph.getNode(n);
    for (auto [number, result] : llvm::enumerate(node.results))
      definitions[result] = {region, &node, static_cast<unsigned>(number)};
    if (node.kind == MuNode::Kind::Graph || node.kind == MuNode::Kind::Loop)
      define(node.body);
  }
}

template <typename Number>
Number Evaluator<Number>::getResult(unsigned result, int64_t linear) {
  MuValue value = graph.getRegion().results[result];
  return get(function, value, delinearize(graph.getShape(value), linear));
}

template <typename Number>
Number Evaluator<Number>::get(Frame &from, MuValue value, Index at) {
  const Definition &definition = definitions[value];
  Frame *frame = &from;
  while (frame->region != definition.region)
    frame = frame->outer;
  int64_t linear = linearize(graph.getShape(value), at);
  {
    Elements<Number> &elements = frame->known[value];
    if (elements.numbers.empty()) {
      elements.shape = Shape(graph.getShape(value));
      elements.numbers.resize(elementCount(elements.shape));
    }
    if (const auto &known = elements.numbers[linear])
      return *known;
  }
  Number number = compute(*frame, value, definition, at);
  // The map may have moved meanwhile.
  frame->known[value].numbers[linear] = number;
  return number;
}

template <typename Number>
Number Evaluator<Number>::compute(Frame &frame, MuValue value,
                                  const Definition &from, Index at) {
  if (!from.node) {
    if (!frame.owner)
      return inputs[from.number][linearize(graph.getShape(value), at)];
    return get(*frame.outer, frame.owner->operands[from.number], at);
  }
  switch (from.node->kind) {
  case MuNode::Kind::Operator:
    return computeOperator(frame, *from.node, from.number, at);
  case MuNode::Kind::Load:
    return computeLoad(frame, *from.node, at);
  case MuNode::Kind::Loop:
    return computeLoop(frame, *from.node, from.number, at);
  case MuNode::Kind::Graph:
    return computeGraph(frame, *from.node, from.number, at);
  case MuNode::Kind::Accumulate:
  case MuNode::Kind::Store:
    break;
  }
  llvm_unreachable("only results of loops and graphs come from these");
}

template <typename Number>
typename Evaluator<Number>::Frame &
Evaluator<Number>::enter(Frame &frame, const MuNode &node, Index at) {
  std::unique_ptr<Frame> &inner =
      frame.inner[{&node, llvm::SmallVector<int64_t, 3>(at.begin(), at.end())}];
  if (!inner) {
    inner = std::make_unique<Frame>();
    inner->region = node.body;
    inner->outer = &frame;
    inner->owner = &node;
    if (node.kind == MuNode::Kind::Graph) {
      inner->point.assign(at.begin(), at.end());
    } else {
      inner->point = frame.point;
      inner->iterations = frame.iterations;
      inner->iterations.push_back(at[0]);
    }
  }
  return *inner;
}

/// The system through which Element.h reads the operands' elements.
template <typename Number>
struct Evaluator<Number>::System : ElementSystem<Number> {
  Evaluator &evaluator;
  Frame &frame;
  const MuNode &node;

  System(Evaluator &evaluator, Frame &frame, const MuNode &node,
         std::optional<ElementType> type)
      : ElementSystem<Number>(node.attributes, type), evaluator(evaluator),
        frame(frame), node(node) {}
  Number read(unsigned operand, Index at) {
    return evaluator.get(frame, node.operands[operand], at);
  }
};

/// Returns an element of a constant, or of one that was cast: casts are the
/// identity, but a rounded constant is another constant.
template <typename Number>
std::optional<double> Evaluator<Number>::getConstant(MuValue value,
                                                     int64_t linear) const {
  const Definition &from = definitions[value];
  if (!from.node || from.node->kind != MuNode::Kind::Operator)
    return std::nullopt;
  const OpAttributes &attributes = from.node->attributes;
  if (from.node->op == OpKind::Constant) {
    double number = (*attributes.values)[linear % attributes.values->size()];
    // A number that its type does not hold was never rounded.
    if (roundTo(graph.getValue(value).type, number) != number)
      return std::nullopt;
    return number;
  }
  if (from.node->op != OpKind::Cast || !attributes.resultType)
    return std::nullopt;
  std::optional<double> number = getConstant(from.node->operands[0], linear);
  if (number)
    number = roundTo(*attributes.resultType, *number);
  return number;
}

template <typename Number>
Number Evaluator<Number>::computeOperator(Frame &frame, const MuNode &node,
                                          unsigned result, Index at) {
  llvm::SmallVector<Shape, 3> shapes;
  for (MuValue operand : node.operands)
    shapes.emplace_back(graph.getShape(operand));
  if (isComposite(node.op)) {
    // This computes all elements at once.
    llvm::SmallVector<Whole<Number>> operands;
    for (auto [value, shape] : llvm::zip(node.operands, shapes)) {
      Whole<Number> whole{shape, {}};
      for (int64_t i = 0; i < elementCount(shape); ++i)
        whole.numbers.push_back(get(frame, value, delinearize(shape, i)));
      operands.push_back(std::move(whole));
    }
    Whole<Number> whole =
        computeComposite<Number>(node.op, node.attributes, operands);
    Elements<Number> &elements = frame.known[node.results[0]];
    elements.numbers.assign(whole.numbers.begin(), whole.numbers.end());
    return whole.numbers[linearize(whole.shape, at)];
  }
  // Constants and paddings have the type of what they become part of.
  std::optional<ElementType> type;
  if (node.op == OpKind::Constant || node.op == OpKind::Pad)
    type = graph.getValue(node.results[0]).type;
  if (node.op == OpKind::Cast)
    if (auto constant =
            getConstant(node.results[0], linearize(shapes[0], at))) {
      System system(*this, frame, node, node.attributes.resultType);
      return system.constant(*constant);
    }
  System system(*this, frame, node, type);
  return evaluateElement<System>(node.op, node.attributes, shapes, result, at,
                                 system);
}

template <typename Number>
Number Evaluator<Number>::computeLoad(Frame &frame, const MuNode &node,
                                      Index at) {
  llvm::SmallVector<int64_t, 4> from(at.begin(), at.end());
  for (auto [index, dim] : llvm::zip(from, node.partition)) {
    int64_t size = dim.size;
    if (dim.gridDim) {
      size /= dim.gridExtent;
      index += frame.point[*dim.gridDim] * size;
    }
    for (auto [loop, extent] : llvm::zip(dim.loops, dim.loopExtents)) {
      size /= extent;
      index += frame.iterations[loop] * size;
    }
  }
  return get(frame, node.operands[0], from);
}

template <typename Number>
Number Evaluator<Number>::computeLoop(Frame &frame, const MuNode &loop,
                                      unsigned result, Index at) {
  const MuNode &node =
      *definitions[graph.getRegion(loop.body).results[result]].node;
  MuValue value = node.operands[0];
  auto getTerm = [&](int64_t i, MuValue of, Index index) {
    return get(enter(frame, loop, {i}), of, index);
  };
  int64_t extent = loop.extents[0];
  Number total;
  switch (node.accumulate) {
  case AccumulateKind::Concat: {
    llvm::SmallVector<int64_t, 4> index(at.begin(), at.end());
    int64_t part = graph.getShape(value)[node.dim];
    index[node.dim] %= part;
    return getTerm(at[node.dim] / part, value, index);
  }
  case AccumulateKind::Sum:
    for (int64_t i = 0; i < extent; ++i)
      total = Number::add(total, getTerm(i, value, at));
    return total;
  case AccumulateKind::Max:
    total = getTerm(0, value, at);
    for (int64_t i = 1; i < extent; ++i)
      total = Number::max(total, getTerm(i, value, at));
    return total;
  case AccumulateKind::RescaledSum: {
    // The result is sum_i x_i exp(m_i - M) with M the largest m_i.
    llvm::SmallVector<int64_t, 4> index(at.begin(), at.end());
    for (auto [i, size] : llvm::zip(index, graph.getShape(node.operands[1])))
      if (size == 1)
        i = 0;
    llvm::SmallVector<Number> shifts;
    for (int64_t i = 0; i < extent; ++i)
      shifts.push_back(getTerm(i, node.operands[1], index));
    Number largest = shifts[0];
    for (const Number &shift : shifts)
      largest = Number::max(largest, shift);
    for (int64_t i = 0; i < extent; ++i)
      total = Number::add(
          total, Number::mul(getTerm(i, value, at),
                             Number::exp(Number::sub(shifts[i], largest))));
    return total;
  }
  }
  llvm_unreachable("unknown accumulator");
}

template <typename Number>
Number Evaluator<Number>::computeGraph(Frame &frame, const MuNode &node,
                                       unsigned result, Index at) {
  const MuNode &store =
      *definitions[graph.getRegion(node.body).results[result]].node;
  MuValue value = store.operands[0];
  ShapeRef tile = graph.getShape(value);
  llvm::SmallVector<int64_t, 4> index(at.begin(), at.end());
  // `point` is the block, except along grid dimensions that are combined;
  // `combined` holds the extents of these.
  llvm::SmallVector<int64_t, 3> point, combined;
  bool isMax = llvm::is_contained(store.omap, kReduceMax);
  for (auto [entry, extent] : llvm::zip(store.omap, node.extents)) {
    point.push_back(entry >= 0 ? at[entry] / tile[entry] : 0);
    combined.push_back(entry >= 0 ? 1 : extent);
    if (entry >= 0)
      index[entry] %= tile[entry];
  }
  std::optional<Number> total;
  for (int64_t i = 0; i < elementCount(combined); ++i) {
    llvm::SmallVector<int64_t, 3> block = point;
    for (auto [dim, offset] : llvm::enumerate(delinearize(combined, i)))
      block[dim] += offset;
    Number part = get(enter(frame, node, block), value, index);
    if (!total)
      total = part;
    else
      total = isMax ? Number::max(*total, part) : Number::add(*total, part);
  }
  return *total;
}

template class mutate::Evaluator<Real>;
template class mutate::Evaluator<Rational>;
