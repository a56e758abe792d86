//===- CountedSums.cpp - Sums that may depend on their length -------------===//
//
// One rule for each kind of node. What is not known to depend on an index is
// taken not to.
//
//===----------------------------------------------------------------------===//

#include "CountedSums.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
#include "Mirage/Semantics/ProductDims.h"

using namespace mirage;
using llvm::ArrayRef;
using llvm::SmallVector;

namespace {
/// The indices on which all terms of a value depend: those of its elements, of
/// points of the launch, of iterations of the loops around it.
struct Terms {
  SmallVector<bool, 4> dims;
  SmallVector<bool, 3> points;
  SmallVector<bool, 2> loops;
  /// Some terms may be negative, and cancel others.
  bool isSigned = false;
};

class CountedSums final : public ForwardAnalysis<Terms> {
public:
  explicit CountedSums(const MuGraph &graph)
      : ForwardAnalysis(graph), counted(graph.getNumNodes()) {
    for (MuValue argument : graph.getRegion().arguments)
      set(argument, {makeAll(graph.getShape(argument).size(), true),
                     {},
                     {},
                     /*isSigned=*/false});
    run();
  }

  std::vector<bool> takeCounted() { return std::move(counted); }

private:
  static SmallVector<bool, 4> makeAll(size_t count, bool value) {
    return SmallVector<bool, 4>(count, value);
  }

  Terms visitOperator(const MuNode &node) override;
  Terms visitLoad(const MuNode &node) override;
  Terms visitAccumulate(const MuNode &node) override;
  Terms visitStore(const MuNode &node) override;
  Terms enterBody(MuValue operand, MuValue argument) override;
  Terms leaveBody(const MuNode &node, MuValue inner, MuValue result) override;

  Terms combine(const MuNode &node, bool isProduct) const;
  Terms multiplyMatrices(const MuNode &node);
  Terms convolve(const MuNode &node);
  Terms reduce(const MuNode &node);

  /// The node that is visited sums terms of which some may be equal.
  void setCounted(bool isCounted) { counted[getNumber()] = isCounted; }

  /// The launch has so many dimensions, and so many loops are around the node.
  size_t getNumPoints() const { return getPoints().size(); }
  size_t getNumLoops() const { return getLoopNodes().size(); }

  /// Terms of which nothing is known, inside of `loops` loops.
  Terms getUnknown(MuValue value, size_t loops) const {
    return {makeAll(graph.getShape(value).size(), false),
            SmallVector<bool, 3>(getNumPoints(), false),
            SmallVector<bool, 2>(loops, false), /*isSigned=*/true};
  }
  Terms getUnknown(MuValue value) const {
    return getUnknown(value, getNumLoops());
  }
  /// The terms of `value` where it is used: iterations of loops that begin
  /// after it change nothing.
  Terms getHere(MuValue value) const {
    Terms result = get(value);
    result.points.resize(getNumPoints(), false);
    result.loops.resize(getNumLoops(), false);
    return result;
  }

  std::vector<bool> counted;
};
} // namespace

/// The terms where nothing changes from point to point, and no loop is around.
static Terms withoutPoints(Terms terms) {
  terms.points.clear();
  terms.loops.clear();
  return terms;
}

/// What an enclosing launch changes from point to point is not followed.
Terms CountedSums::enterBody(MuValue operand, MuValue) {
  return withoutPoints(get(operand));
}

Terms CountedSums::leaveBody(const MuNode &node, MuValue inner, MuValue) {
  return node.kind == MuNode::Kind::Graph ? withoutPoints(get(inner))
                                          : get(inner);
}

Terms CountedSums::visitLoad(const MuNode &node) {
  const Terms &source = get(node.operands[0]);
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
  return result;
}

Terms CountedSums::visitAccumulate(const MuNode &node) {
  Terms result = getHere(node.operands[0]);
  bool changes = result.loops.back();
  result.loops.pop_back();
  if (node.accumulate == AccumulateKind::Concat) {
    result.dims[node.dim] = result.dims[node.dim] && changes;
    return result;
  }
  if (node.accumulate == AccumulateKind::Sum) {
    setCounted(!changes);
    return result;
  }
  // A rescaled sum has factors that cancel.
  if (node.accumulate == AccumulateKind::RescaledSum || result.isSigned)
    return getUnknown(node.results[0], getNumLoops() - 1);
  return result;
}

Terms CountedSums::visitStore(const MuNode &node) {
  Terms result = getHere(node.operands[0]);
  bool isCounted = false;
  for (auto [point, entry] : llvm::enumerate(node.omap)) {
    if (entry == kReduceSum)
      isCounted |= !result.points[point];
    else if (entry >= 0)
      result.dims[entry] = result.dims[entry] && result.points[point];
    else if (result.isSigned)
      result = getUnknown(node.results[0]);
  }
  setCounted(isCounted);
  return result;
}

/// The terms of an elementwise operator's result: a product's term depends on
/// what one of its factors does; a sum's terms are those of all operands.
Terms CountedSums::combine(const MuNode &node, bool isProduct) const {
  ShapeRef shape = graph.getShape(node.results[0]);
  Terms result;
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    Terms next = getHere(operand);
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

Terms CountedSums::multiplyMatrices(const MuNode &node) {
  MuValue lhs = node.operands[0], rhs = node.operands[1];
  Terms a = getHere(lhs), b = getHere(rhs),
        result = getUnknown(node.results[0]);
  ShapeRef shape = graph.getShape(node.results[0]);
  size_t m = shape.size() - 2, n = m + 1;
  auto getKept = [&](ProductOperand operand) {
    return getKeptDim(node.attributes, operand, shape.size());
  };
  auto getContracted = [&](ProductOperand operand) {
    return getContractedDim(node.attributes, operand, shape.size());
  };
  for (size_t dim = 0; dim < m; ++dim)
    result.dims[dim] = shape[dim] == 1 ||
                       (a.dims[dim] && graph.getShape(lhs)[dim] != 1) ||
                       (b.dims[dim] && graph.getShape(rhs)[dim] != 1);
  result.dims[m] = a.dims[getKept(ProductOperand::Lhs)];
  result.dims[n] = b.dims[getKept(ProductOperand::Rhs)];
  for (size_t i = 0; i < getNumPoints(); ++i)
    result.points[i] = a.points[i] || b.points[i];
  for (size_t i = 0; i < getNumLoops(); ++i)
    result.loops[i] = a.loops[i] || b.loops[i];
  result.isSigned = a.isSigned || b.isSigned;
  setCounted(!a.dims[getContracted(ProductOperand::Lhs)] &&
             !b.dims[getContracted(ProductOperand::Rhs)]);
  return result;
}

/// The sum over channels. A window's terms are those of its own elements, and
/// of padding there are none, so that functions of it may be those of zero.
Terms CountedSums::convolve(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  Terms x = getHere(node.operands[0]), filter = getHere(node.operands[1]),
        result = getUnknown(node.results[0]);
  bool nchw = attributes.convLayout == ConvLayout::NCHW;
  size_t c = nchw ? 1 : 3, filterOut = nchw ? 0 : 3, filterIn = nchw ? 1 : 2;
  result.dims = x.dims;
  result.dims[c] = filter.dims[filterOut];
  for (size_t i = 0; i < getNumPoints(); ++i)
    result.points[i] = x.points[i] || filter.points[i];
  for (size_t i = 0; i < getNumLoops(); ++i)
    result.loops[i] = x.loops[i] || filter.loops[i];
  bool isPadded =
      llvm::any_of(attributes.convPadding, [](int64_t p) { return p != 0; });
  result.isSigned = x.isSigned || filter.isSigned || isPadded;
  setCounted(!x.dims[c] && !filter.dims[filterIn]);
  return result;
}

Terms CountedSums::reduce(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  Terms result = getHere(node.operands[0]);
  bool changes = result.dims[attributes.dim];
  if (!attributes.group && !attributes.keep)
    result.dims.erase(result.dims.begin() + attributes.dim);
  if (attributes.reduceKind == ReduceKind::Sum) {
    setCounted(!changes);
    return result;
  }
  bool isMean = attributes.reduceKind != ReduceKind::Max;
  setCounted(isMean);
  if (isMean || result.isSigned)
    return getUnknown(node.results[0]);
  return result;
}

Terms CountedSums::visitOperator(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
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
    Terms result = getHere(node.operands[0]);
    result.isSigned |= !(attributes.scalar > 0);
    return result;
  }
  case OpKind::Square:
  case OpKind::Cast:
    return getHere(node.operands[0]);
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
    return multiplyMatrices(node);
  case OpKind::Conv2d:
    return convolve(node);
  case OpKind::Reduce:
    return reduce(node);
  case OpKind::Softmax: {
    // The shift by the maximum cancels; what is left are exponentials of the
    // argument in a quotient.
    Terms argument = getHere(node.operands[0]);
    setCounted(argument.isSigned || !argument.dims[attributes.dim]);
    return getUnknown(node.results[0]);
  }
  case OpKind::Transpose: {
    Terms from = getHere(node.operands[0]), result = from;
    for (auto [dim, source] : llvm::enumerate(attributes.permutation))
      result.dims[dim] = from.dims[source];
    return result;
  }
  case OpKind::Reshape: {
    Terms result = getHere(node.operands[0]);
    bool all = llvm::all_of(result.dims, [](bool depends) { return depends; });
    result.dims = makeAll(attributes.resultShape.size(), all);
    return result;
  }
  case OpKind::Slice:
    return getHere(node.operands[0]);
  case OpKind::Constant:
    return getUnknown(node.results[0]);
  default:
    setCounted(!isElementwise(node.op) && !isLayout(node.op));
    return getUnknown(node.results[0]);
  }
}

std::vector<bool> mirage::findCountedSums(const MuGraph &graph) {
  return CountedSums(graph).takeCounted();
}
