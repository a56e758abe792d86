//===- CountedSums.cpp - Sums that may depend on their length -------------===//
//
// One rule for each kind of node. What is not known to depend on an index is
// taken not to.
//
//===----------------------------------------------------------------------===//

#include "CountedSums.h"
#include "Mirage/Semantics/ProductDims.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// On which indices all terms of a value depend: those of its elements, of
/// points of the launch, of iterations of the loops around it.
struct Terms {
  SmallVector<bool, 4> dims;
  SmallVector<bool, 3> points;
  SmallVector<bool, 2> loops;
  /// Whether some terms may be negative, and cancel others.
  bool isSigned = false;
};

class CountedSums {
public:
  explicit CountedSums(const MuGraph &graph)
      : graph(graph), terms(graph.getNumValues()),
        counted(graph.getNumNodes()) {
    for (MuValue argument : graph.getRegion().arguments)
      terms[argument] = {makeAll(graph.getShape(argument).size(), true),
                         {},
                         {},
                         /*isSigned=*/false};
    visitRegion(0);
  }

  std::vector<bool> take() { return std::move(counted); }

private:
  static SmallVector<bool, 4> makeAll(size_t count, bool value) {
    return SmallVector<bool, 4>(count, value);
  }

  void visitRegion(unsigned region) {
    for (unsigned number : graph.getRegion(region).nodes)
      visit(number);
  }
  void visit(unsigned number);
  void visitBody(const MuNode &node);
  void visitStore(unsigned number);
  void visitAccumulate(unsigned number);
  void visitOperator(unsigned number);
  Terms combine(const MuNode &node, bool isProduct) const;
  Terms multiplyMatrices(unsigned number);
  Terms reduce(unsigned number);

  /// Terms of which nothing is known.
  Terms getUnknown(MuValue value) const {
    return {makeAll(graph.getShape(value).size(), false),
            SmallVector<bool, 3>(points, false),
            SmallVector<bool, 2>(loops, false), /*isSigned=*/true};
  }
  /// Those of `value` where it is used: iterations of loops that begin after it
  /// change nothing.
  Terms get(MuValue value) const {
    Terms result = terms[value];
    result.points.resize(points, false);
    result.loops.resize(loops, false);
    return result;
  }

  const MuGraph &graph;
  std::vector<Terms> terms;
  std::vector<bool> counted;
  /// How many dimensions the launch has, and how many loops are around.
  unsigned points = 0, loops = 0;
};
} // namespace

void CountedSums::visit(unsigned number) {
  const MuNode &node = graph.getNode(number);
  switch (node.kind) {
  case MuNode::Kind::Operator:
    return visitOperator(number);
  case MuNode::Kind::Graph:
  case MuNode::Kind::Loop:
    return visitBody(node);
  case MuNode::Kind::Load: {
    const Terms &source = terms[node.operands[0]];
    Terms result = getUnknown(node.results[0]);
    result.isSigned = source.isSigned;
    result.dims = source.dims;
    for (auto [dim, partition] : llvm::enumerate(node.partition)) {
      if (!source.dims[dim])
        continue;
      if (partition.gridDim)
        result.points[*partition.gridDim] = true;
      for (unsigned loop : partition.loops)
        result.loops[loop] = true;
    }
    terms[node.results[0]] = std::move(result);
    return;
  }
  case MuNode::Kind::Accumulate:
    return visitAccumulate(number);
  case MuNode::Kind::Store:
    return visitStore(number);
  }
}

void CountedSums::visitBody(const MuNode &node) {
  const MuRegion &body = graph.getRegion(node.body);
  if (node.kind == MuNode::Kind::Loop) {
    ++loops;
    visitRegion(node.body);
    --loops;
  } else {
    // What an enclosing launch changes from point to point is not followed.
    for (auto [operand, argument] : llvm::zip(node.operands, body.arguments)) {
      terms[argument] = terms[operand];
      terms[argument].points.clear();
      terms[argument].loops.clear();
    }
    unsigned outerPoints = points, outerLoops = loops;
    points = node.extents.size();
    loops = 0;
    visitRegion(node.body);
    points = outerPoints;
    loops = outerLoops;
  }
  for (auto [result, inner] : llvm::zip(node.results, body.results)) {
    terms[result] = terms[inner];
    if (node.kind == MuNode::Kind::Graph) {
      terms[result].points.clear();
      terms[result].loops.clear();
    }
  }
}

void CountedSums::visitAccumulate(unsigned number) {
  const MuNode &node = graph.getNode(number);
  Terms result = get(node.operands[0]);
  bool changes = result.loops.back();
  result.loops.pop_back();
  switch (node.accumulate) {
  case AccumulateKind::Concat:
    result.dims[node.dim] = result.dims[node.dim] && changes;
    break;
  case AccumulateKind::Sum:
    // A rescaled sum has factors that cancel.
    counted[number] = !changes || node.operands.size() > 1;
    break;
  default:
    break;
  }
  if (node.operands.size() > 1 ||
      (node.accumulate != AccumulateKind::Concat &&
       node.accumulate != AccumulateKind::Sum && result.isSigned)) {
    --loops;
    result = getUnknown(node.results[0]);
    ++loops;
  }
  terms[node.results[0]] = std::move(result);
}

void CountedSums::visitStore(unsigned number) {
  const MuNode &node = graph.getNode(number);
  Terms result = get(node.operands[0]);
  for (auto [point, entry] : llvm::enumerate(node.omap)) {
    if (entry == kReduceSum)
      counted[number] = counted[number] || !result.points[point];
    else if (entry >= 0)
      result.dims[entry] = result.dims[entry] && result.points[point];
    else if (result.isSigned)
      result = getUnknown(node.results[0]);
  }
  terms[node.results[0]] = std::move(result);
}

/// Of elementwise operators: a product's term depends on what one of its
/// factors does; a sum's terms are those of all operands.
Terms CountedSums::combine(const MuNode &node, bool isProduct) const {
  ShapeRef shape = graph.getShape(node.results[0]);
  Terms result;
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    Terms next = get(operand);
    for (auto [dim, size] : llvm::enumerate(graph.getShape(operand)))
      next.dims[dim] = shape[dim] == 1 || (size != 1 && next.dims[dim]);
    if (i == 0) {
      result = std::move(next);
      continue;
    }
    auto merge = [&](auto &to, const auto &from) {
      for (auto [a, b] : llvm::zip(to, from))
        a = isProduct ? a || b : a && b;
    };
    merge(result.dims, next.dims);
    merge(result.points, next.points);
    merge(result.loops, next.loops);
    result.isSigned |= next.isSigned;
  }
  return result;
}

Terms CountedSums::multiplyMatrices(unsigned number) {
  const MuNode &node = graph.getNode(number);
  MuValue lhs = node.operands[0], rhs = node.operands[1];
  Terms a = get(lhs), b = get(rhs), result = getUnknown(node.results[0]);
  ShapeRef shape = graph.getShape(node.results[0]);
  size_t m = shape.size() - 2, n = m + 1;
  for (size_t dim = 0; dim < m; ++dim)
    result.dims[dim] = shape[dim] == 1 ||
                       (a.dims[dim] && graph.getShape(lhs)[dim] != 1) ||
                       (b.dims[dim] && graph.getShape(rhs)[dim] != 1);
  auto getKept = [&](ProductOperand operand) {
    return getKeptDim(node.attributes, operand, shape.size());
  };
  auto getContracted = [&](ProductOperand operand) {
    return getContractedDim(node.attributes, operand, shape.size());
  };
  result.dims[m] = a.dims[getKept(ProductOperand::Lhs)];
  result.dims[n] = b.dims[getKept(ProductOperand::Rhs)];
  for (unsigned i = 0; i < points; ++i)
    result.points[i] = a.points[i] || b.points[i];
  for (unsigned i = 0; i < loops; ++i)
    result.loops[i] = a.loops[i] || b.loops[i];
  result.isSigned = a.isSigned || b.isSigned;
  counted[number] = !a.dims[getContracted(ProductOperand::Lhs)] &&
                    !b.dims[getContracted(ProductOperand::Rhs)];
  return result;
}

Terms CountedSums::reduce(unsigned number) {
  const MuNode &node = graph.getNode(number);
  const OpAttributes &attributes = node.attributes;
  Terms result = get(node.operands[0]);
  bool changes = result.dims[attributes.dim];
  if (!attributes.group && !attributes.keep)
    result.dims.erase(result.dims.begin() + attributes.dim);
  if (attributes.reduceKind == ReduceKind::Sum) {
    counted[number] = !changes;
    return result;
  }
  counted[number] = attributes.reduceKind != ReduceKind::Max;
  if (counted[number] || result.isSigned)
    return getUnknown(node.results[0]);
  return result;
}

void CountedSums::visitOperator(unsigned number) {
  const MuNode &node = graph.getNode(number);
  const OpAttributes &attributes = node.attributes;
  auto getTerms = [&]() -> Terms {
    switch (node.op) {
    case OpKind::Mul:
      return combine(node, /*isProduct=*/true);
    case OpKind::Add:
      return combine(node, /*isProduct=*/false);
    case OpKind::Sub: {
      Terms result = combine(node, /*isProduct=*/false);
      result.isSigned = true;
      return result;
    }
    case OpKind::Scale: {
      Terms result = get(node.operands[0]);
      result.isSigned |= !(attributes.scalar > 0);
      return result;
    }
    case OpKind::Square:
    case OpKind::Cast:
      return get(node.operands[0]);
    case OpKind::Max:
    case OpKind::Min:
    case OpKind::Exp:
    case OpKind::Sqrt:
    case OpKind::Relu:
    case OpKind::Silu:
    case OpKind::Sigmoid: {
      // Where terms cancel, the argument may be zero, and its function one.
      Terms result = combine(node, /*isProduct=*/false);
      return result.isSigned ? getUnknown(node.results[0]) : result;
    }
    case OpKind::Matmul:
      return multiplyMatrices(number);
    case OpKind::Reduce:
      return reduce(number);
    case OpKind::Transpose: {
      Terms from = get(node.operands[0]), result = from;
      for (auto [dim, source] : llvm::enumerate(attributes.permutation))
        result.dims[dim] = from.dims[source];
      return result;
    }
    case OpKind::Reshape: {
      Terms result = get(node.operands[0]);
      bool all =
          llvm::all_of(result.dims, [](bool depends) { return depends; });
      result.dims = makeAll(attributes.resultShape.size(), all);
      return result;
    }
    case OpKind::Slice:
      return get(node.operands[0]);
    case OpKind::Constant:
      return getUnknown(node.results[0]);
    default:
      counted[number] = !isElementwise(node.op) && !isLayout(node.op);
      return getUnknown(node.results[0]);
    }
  };
  Terms result = getTerms();
  for (MuValue value : node.results)
    terms[value] = result;
}

std::vector<bool> mirage::findCountedSums(const MuGraph &graph) {
  return CountedSums(graph).take();
}
