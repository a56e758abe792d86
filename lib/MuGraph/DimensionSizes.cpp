//===- DimensionSizes.cpp - Which sizes of a graph belong together --------===//
//
// One rule for each kind of node, like the rules of shapes.
//
//===----------------------------------------------------------------------===//

#include "DimensionSizes.h"
#include "CountedSums.h"
#include "Mirage/MuGraph/ForwardAnalysis.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;
using llvm::ArrayRef;

/// Returns whether the node is a constant with an element for each index.
static bool hasElements(const MuNode &node) {
  return node.kind == MuNode::Kind::Operator && node.op == OpKind::Constant &&
         node.attributes.values->size() != 1;
}

static Size join(ArrayRef<Size> sizes) {
  Size all;
  for (const Size &size : sizes)
    all.append(size);
  return all;
}

namespace {
/// A value that does not depend on inputs is constant, and varied if it is made
/// of a constant with an element for each index.
struct Constancy {
  bool isConstant = false;
  bool isVaried = false;
};

/// Unites the sizes of the values at each node.
class SizeAnalysis final : public ForwardAnalysis<Constancy> {
public:
  explicit SizeAnalysis(DimensionSizes &sizes)
      : ForwardAnalysis(sizes.graph), all(sizes), extents(sizes.extents),
        isCounted(findCountedSums(graph)) {
    run();
  }

private:
  Constancy visitOperator(const MuNode &node) override;
  Constancy visitLoad(const MuNode &node) override;
  Constancy visitAccumulate(const MuNode &node) override;
  Constancy visitStore(const MuNode &node) override;
  void visitBody(const MuNode &node) override;
  Constancy enterBody(MuValue operand, MuValue argument) override;
  Constancy leaveBody(const MuNode &node, MuValue inner,
                      MuValue result) override;

  void uniteOperator(const MuNode &node);
  void uniteReduce(const MuNode &node);
  void uniteProducts(const MuNode &node);
  void uniteConvolution(const MuNode &node);
  void uniteWindows(MuValue from, size_t dim, MuValue to, int64_t reach,
                    int64_t padding, int64_t stride);
  void uniteComposite(const MuNode &node);
  Size getNormalized(const MuNode &node);
  void uniteVariance(const MuNode &node);
  void uniteAttention(const MuNode &node);
  void uniteLayout(const MuNode &node);
  void uniteParts(const MuNode &node);
  void uniteConcat(const MuNode &node);
  void uniteCut(const MuNode &node);
  void uniteElementwise(const MuNode &node);
  void uniteParameters(const MuNode &node, size_t dim);
  void fixAll(const MuNode &node);

  llvm::SmallVector<Size, 4> &of(MuValue value) { return all.sizes[value]; }
  void unite(const Size &a, const Size &b) { extents.unite(a, b); }
  void uniteValues(MuValue a, MuValue b) {
    for (auto [x, y] : llvm::zip(of(a), of(b)))
      unite(x, y);
  }
  /// The dimension of `value` that an operand's dimension of another size than
  /// one must equal.
  void uniteUnlessOne(MuValue operand, unsigned dim, const Size &size);

  /// The node that is visited sums or maximizes over `size`, on which its
  /// result may be known to depend.
  void addReduced(const Size &size, bool dependsOnSize);

  bool areConstant(ArrayRef<MuValue> values) const {
    return llvm::all_of(values, [&](MuValue v) { return get(v).isConstant; });
  }
  Constancy joinOperands(ArrayRef<MuValue> values) const {
    return {areConstant(values),
            llvm::any_of(values, [&](MuValue v) { return get(v).isVaried; })};
  }
  ArrayRef<Size> getPointSizes() const {
    return getGraphNode() ? ArrayRef<Size>(all.ofNodes[*getGraphNode()])
                          : ArrayRef<Size>();
  }
  const Size &getLoopSize(unsigned loop) const {
    return all.ofNodes[getLoopNodes()[loop]].front();
  }
  const Size &getInnermostLoopSize() const {
    return getLoopSize(getLoopNodes().size() - 1);
  }

  DimensionSizes &all;
  Extents &extents;
  /// Nodes that may sum equal numbers.
  std::vector<bool> isCounted;
};
} // namespace

DimensionSizes::DimensionSizes(const MuGraph &graph, Extents &extents)
    : graph(graph), extents(extents), sizes(graph.getNumValues()),
      ofNodes(graph.getNumNodes()) {
  for (MuValue value = 0; value < graph.getNumValues(); ++value)
    for (int64_t size : graph.getShape(value))
      sizes[value].push_back(extents.add(size));
  SizeAnalysis analysis(*this);
}

void SizeAnalysis::addReduced(const Size &size, bool dependsOnSize) {
  all.reduced.push_back(size);
  const MuNode &node = graph.getNode(getNumber());
  constexpr unsigned bytesOfWide = 4;
  bool isMaximum = node.op == OpKind::Reduce &&
                   node.attributes.reduceKind == ReduceKind::Max;
  if (node.kind == MuNode::Kind::Operator && !isMaximum &&
      byteSize(graph.getValue(node.results[0]).type) < bytesOfWide)
    all.narrowSums.push_back(size);
  // Another program may have what is summed or maximized of a constant as a
  // number.
  Constancy operands = joinOperands(graph.getNode(getNumber()).operands);
  if (operands.isVaried)
    all.mayBeCounted.push_back(size);
  if (operands.isConstant && operands.isVaried)
    extents.fix(size);
  if (dependsOnSize)
    all.counted.push_back(size);
  if (isCounted[getNumber()])
    all.mayBeCounted.push_back(size);
}

void SizeAnalysis::fixAll(const MuNode &node) {
  for (const auto &list :
       {ArrayRef<MuValue>(node.operands), ArrayRef<MuValue>(node.results)})
    for (MuValue value : list)
      for (const Size &size : of(value))
        extents.fix(size);
}

void SizeAnalysis::uniteUnlessOne(MuValue operand, unsigned dim,
                                  const Size &size) {
  // Ones that are extents are only what the size is if that is one, too.
  auto isOne = [&](ExtentId leaf) { return extents.getValue(leaf) == 1; };
  if (graph.getShape(operand)[dim] != 1 ||
      llvm::all_of(extents.resolve(size), isOne))
    unite(of(operand)[dim], size);
}

//===----------------------------------------------------------------------===//
// Graphs and loops
//===----------------------------------------------------------------------===//

void SizeAnalysis::visitBody(const MuNode &node) {
  for (int64_t extent : node.extents)
    all.ofNodes[getNumber()].push_back(extents.add(extent));
}

Constancy SizeAnalysis::enterBody(MuValue operand, MuValue argument) {
  uniteValues(operand, argument);
  return get(operand);
}

Constancy SizeAnalysis::leaveBody(const MuNode &, MuValue inner,
                                  MuValue result) {
  uniteValues(result, inner);
  return get(inner);
}

Constancy SizeAnalysis::visitLoad(const MuNode &node) {
  for (auto [dim, partition] : llvm::enumerate(node.partition)) {
    Size parts;
    if (partition.gridDim)
      parts.append(getPointSizes()[*partition.gridDim]);
    for (unsigned loop : partition.loops)
      parts.append(getLoopSize(loop));
    parts.append(of(node.results[0])[dim]);
    unite(of(node.operands[0])[dim], parts);
  }
  return get(node.operands[0]);
}

Constancy SizeAnalysis::visitAccumulate(const MuNode &node) {
  bool isConcat = node.accumulate == AccumulateKind::Concat;
  Constancy constancy = joinOperands(node.operands);
  const Size &loop = getInnermostLoopSize();
  for (size_t dim = 0; dim < of(node.results[0]).size(); ++dim) {
    Size size = of(node.operands[0])[dim];
    if (isConcat && static_cast<int64_t>(dim) == node.dim)
      size = join({loop, size});
    unite(of(node.results[0])[dim], size);
    if (node.operands.size() > 1)
      uniteUnlessOne(node.operands[1], dim, size);
  }
  if (!isConcat)
    addReduced(loop, constancy.isConstant);
  return constancy;
}

Constancy SizeAnalysis::visitStore(const MuNode &node) {
  Constancy constancy = joinOperands(node.operands);
  for (size_t dim = 0; dim < of(node.results[0]).size(); ++dim) {
    Size size;
    for (auto [entry, extent] : llvm::zip(node.omap, getPointSizes()))
      if (entry == static_cast<int64_t>(dim))
        size.append(extent);
    size.append(of(node.operands[0])[dim]);
    unite(of(node.results[0])[dim], size);
  }
  for (auto [entry, extent] : llvm::zip(node.omap, getPointSizes()))
    if (entry == kReduceSum || entry == kReduceMax)
      addReduced(extent, entry == kReduceSum && constancy.isConstant);
  return constancy;
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

Constancy SizeAnalysis::visitOperator(const MuNode &node) {
  uniteOperator(node);
  if (hasElements(node))
    return {/*isConstant=*/true, /*isVaried=*/true};
  return joinOperands(node.operands);
}

void SizeAnalysis::uniteOperator(const MuNode &node) {
  if (isElementwise(node.op))
    return uniteElementwise(node);
  if (isLayout(node.op))
    return uniteLayout(node);
  if (isComposite(node.op))
    return uniteComposite(node);
  switch (node.op) {
  case OpKind::Constant:
    if (hasElements(node))
      all.constants.push_back(getNumber());
    return;
  case OpKind::Reduce:
    return uniteReduce(node);
  case OpKind::Matmul:
  case OpKind::ConcatMatmul:
    return uniteProducts(node);
  case OpKind::Conv2d:
    return uniteConvolution(node);
  default:
    llvm_unreachable("not an operator");
  }
}

void SizeAnalysis::uniteElementwise(const MuNode &node) {
  for (size_t dim = 0; dim < of(node.results[0]).size(); ++dim)
    for (MuValue operand : node.operands)
      uniteUnlessOne(operand, dim, of(node.results[0])[dim]);
}

void SizeAnalysis::uniteReduce(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue operand = node.operands[0], result = node.results[0];
  Size combined = of(operand)[attributes.dim];
  if (attributes.group) {
    combined = extents.add(attributes.group);
    all.ofNodes[getNumber()].push_back(combined);
    unite(of(operand)[attributes.dim],
          join({of(result)[attributes.dim], combined}));
  }
  addReduced(combined,
             attributes.reduceKind == ReduceKind::Mean || areConstant(operand));
  for (size_t dim = 0, to = 0; dim < of(operand).size(); ++dim) {
    if (static_cast<int64_t>(dim) == attributes.dim) {
      to += attributes.group || attributes.keep;
      continue;
    }
    unite(of(operand)[dim], of(result)[to++]);
  }
}

void SizeAnalysis::uniteProducts(const MuNode &node) {
  MuValue result = node.results[0];
  unsigned pairs = node.op == OpKind::Matmul ? 1 : 2;
  size_t rank = of(result).size(), m = rank - 2, n = m + 1,
         lhsK = getContractedDim(node.attributes, ProductOperand::Lhs, rank),
         rhsK = getContractedDim(node.attributes, ProductOperand::Rhs, rank);
  for (unsigned i = 0; i < pairs; ++i) {
    MuValue lhs = node.operands[i], rhs = node.operands[i + pairs];
    for (size_t dim = 0; dim < m; ++dim) {
      uniteUnlessOne(lhs, dim, of(result)[dim]);
      uniteUnlessOne(rhs, dim, of(result)[dim]);
    }
    unite(of(lhs)[getKeptDim(node.attributes, ProductOperand::Lhs, rank)],
          of(result)[m]);
    unite(of(rhs)[getKeptDim(node.attributes, ProductOperand::Rhs, rank)],
          of(result)[n]);
    unite(of(lhs)[lhsK], of(rhs)[rhsK]);
    addReduced(of(lhs)[lhsK], areConstant({lhs, rhs}));
  }
}

void SizeAnalysis::uniteConvolution(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue x = node.operands[0], filter = node.operands[1],
          result = node.results[0];
  // Windows of a constant are no restriction of it to some indices.
  if (joinOperands(node.operands).isVaried)
    return fixAll(node);
  bool nchw = attributes.convLayout == ConvLayout::NCHW;
  size_t c = nchw ? 1 : 3, h = nchw ? 2 : 1, taps = nchw ? 2 : 0,
         filterOut = nchw ? 0 : 3, filterIn = nchw ? 1 : 2;
  unite(of(x)[0], of(result)[0]);
  Size groups = extents.add(attributes.convGroups),
       ofGroup = extents.add(graph.getShape(result)[c] / attributes.convGroups);
  all.ofNodes[getNumber()].push_back(groups);
  unite(of(x)[c], join({groups, of(filter)[filterIn]}));
  unite(of(filter)[filterOut], join({groups, ofGroup}));
  unite(of(result)[c], of(filter)[filterOut]);
  addReduced(of(filter)[filterIn], areConstant(node.operands));
  for (size_t i = 0; i < 2; ++i) {
    extents.fix(of(filter)[taps + i]);
    uniteWindows(
        x, h + i, result,
        attributes.convDilations[i] * (graph.getShape(filter)[taps + i] - 1),
        attributes.convPadding[2 * i] + attributes.convPadding[2 * i + 1],
        attributes.convStrides[i]);
  }
}

/// Windows begin every `stride` elements of a dimension, and end `reach`
/// elements later. Of n elements with padding there are (n + padding - reach -
/// 1) / stride + 1, which is n / stride for each n that `stride` divides if
/// reach - stride < padding <= reach. Other dimensions keep their sizes.
void SizeAnalysis::uniteWindows(MuValue from, size_t dim, MuValue to,
                                int64_t reach, int64_t padding,
                                int64_t stride) {
  int64_t windows = graph.getShape(to)[dim];
  auto tryUnite = [&](const Size &size, int64_t count, int64_t padding) {
    if (count != windows * stride || padding > reach ||
        padding <= reach - stride)
      return false;
    Size steps = extents.add(stride);
    extents.fix(steps);
    unite(size, join({of(to)[dim], steps}));
    return true;
  };
  Size size = of(from)[dim];
  int64_t count = graph.getShape(from)[dim];
  if (tryUnite(size, count, padding))
    return;
  // There may be padding that is an operator of its own.
  for (const DimensionSizes::Padding &other : all.paddings)
    if (extents.resolve(other.padded) == extents.resolve(size) &&
        tryUnite(other.inner, count - other.added, padding + other.added))
      return;
  extents.fix(size);
  extents.fix(of(to)[dim]);
}

/// Parameters are vectors over a dimension of operand 0.
void SizeAnalysis::uniteParameters(const MuNode &node, size_t dim) {
  for (MuValue parameter : ArrayRef(node.operands).drop_front())
    unite(of(parameter)[0], of(node.operands[0])[dim]);
}

void SizeAnalysis::uniteComposite(const MuNode &node) {
  MuValue x = node.operands[0], result = node.results[0];
  size_t last = of(x).size() - 1;
  switch (node.op) {
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    addReduced(of(x)[node.attributes.dim], /*dependsOnSize=*/false);
    return uniteValues(x, result);
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    addReduced(of(x)[last], /*dependsOnSize=*/true);
    uniteParameters(node, last);
    return uniteValues(x, result);
  case OpKind::GroupNorm:
  case OpKind::InstanceNorm:
    uniteParameters(node, 1);
    addReduced(getNormalized(node), /*dependsOnSize=*/true);
    return uniteValues(x, result);
  case OpKind::BatchNorm:
    uniteParameters(node, 1);
    return uniteValues(x, result);
  case OpKind::Variance:
    return uniteVariance(node);
  case OpKind::Attention:
    return uniteAttention(node);
  default:
    llvm_unreachable("not a composite operator");
  }
}

/// Returns what a norm of channels takes means over: an image, and of a group
/// norm the images of a group's channels.
Size SizeAnalysis::getNormalized(const MuNode &node) {
  MuValue x = node.operands[0];
  Size normalized;
  if (node.op == OpKind::GroupNorm) {
    int64_t count = node.attributes.groups;
    Size groups = extents.add(count),
         ofGroup = extents.add(graph.getShape(x)[1] / count);
    extents.fix(groups);
    unite(of(x)[1], join({groups, ofGroup}));
    normalized = ofGroup;
  }
  for (const Size &size : ArrayRef<Size>(of(x)).drop_front(2))
    normalized.append(size);
  return normalized;
}

void SizeAnalysis::uniteVariance(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue x = node.operands[0], result = node.results[0];
  addReduced(of(x)[attributes.dim], /*dependsOnSize=*/true);
  for (size_t dim = 0, to = 0; dim < of(x).size(); ++dim) {
    if (static_cast<int64_t>(dim) == attributes.dim)
      to += attributes.keep;
    else
      unite(of(x)[dim], of(result)[to++]);
  }
}

void SizeAnalysis::uniteAttention(const MuNode &node) {
  MuValue x = node.operands[0], keys = node.operands[1],
          values = node.operands[2], result = node.results[0];
  size_t last = of(x).size() - 1, rows = last - 1;
  for (size_t dim = 0; dim < rows; ++dim)
    for (MuValue operand : node.operands)
      uniteUnlessOne(operand, dim, of(result)[dim]);
  unite(of(x)[rows], of(result)[rows]);
  unite(of(x)[last], of(keys)[last]);
  unite(of(keys)[rows], of(values)[rows]);
  unite(of(values)[last], of(result)[last]);
  if (node.operands.size() > 3) {
    uniteUnlessOne(node.operands[3], rows, of(x)[rows]);
    uniteUnlessOne(node.operands[3], last, of(keys)[rows]);
  }
  addReduced(of(x)[last], /*dependsOnSize=*/false);
  addReduced(of(keys)[rows], /*dependsOnSize=*/false);
}

//===----------------------------------------------------------------------===//
// Operators that move elements
//===----------------------------------------------------------------------===//

void SizeAnalysis::uniteLayout(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue x = node.operands[0], result = node.results[0];
  switch (node.op) {
  case OpKind::Transpose:
    for (auto [dim, from] : llvm::enumerate(attributes.permutation))
      unite(of(result)[dim], of(x)[from]);
    return;
  case OpKind::Reshape:
    return unite(join(of(x)), join(of(result)));
  case OpKind::Broadcast:
    return uniteElementwise(node);
  case OpKind::Repeat:
    for (size_t dim = 0; dim < of(x).size(); ++dim) {
      Size repeats = extents.add(attributes.repeats[dim]);
      all.ofNodes[getNumber()].push_back(repeats);
      unite(of(result)[dim], join({repeats, of(x)[dim]}));
    }
    return;
  case OpKind::Split:
    return uniteParts(node);
  case OpKind::Concat:
    return uniteConcat(node);
  case OpKind::Slice:
  case OpKind::Pad:
    return uniteCut(node);
  default:
    llvm_unreachable("not a layout operator");
  }
}

void SizeAnalysis::uniteParts(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue x = node.operands[0];
  for (MuValue part : node.results)
    for (size_t dim = 0; dim < of(x).size(); ++dim) {
      if (static_cast<int64_t>(dim) != attributes.dim) {
        unite(of(part)[dim], of(x)[dim]);
        continue;
      }
      Size parts = extents.add(attributes.parts);
      extents.fix(parts);
      unite(of(x)[dim], join({parts, of(part)[dim]}));
    }
}

void SizeAnalysis::uniteConcat(const MuNode &node) {
  MuValue result = node.results[0];
  auto getPart = [&](MuValue operand) {
    return graph.getShape(operand)[node.attributes.dim];
  };
  int64_t part = getPart(node.operands.front());
  bool areEqual = part > 1 && llvm::all_of(node.operands, [&](MuValue operand) {
                    return getPart(operand) == part;
                  });
  Size parts;
  if (areEqual) {
    parts = extents.add(node.operands.size());
    extents.fix(parts);
  }
  for (MuValue operand : node.operands)
    for (size_t dim = 0; dim < of(result).size(); ++dim) {
      if (static_cast<int64_t>(dim) != node.attributes.dim) {
        unite(of(operand)[dim], of(result)[dim]);
      } else if (areEqual) {
        unite(of(result)[dim], join({parts, of(operand)[dim]}));
      } else {
        extents.fix(of(operand)[dim]);
        extents.fix(of(result)[dim]);
      }
    }
}

/// Slices and pads leave some dimensions alone and cut others.
void SizeAnalysis::uniteCut(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue x = node.operands[0], result = node.results[0];
  for (size_t dim = 0; dim < of(x).size(); ++dim) {
    bool isWhole = node.op == OpKind::Slice
                       ? attributes.strides[dim] == 1 &&
                             attributes.sizes[dim] == graph.getShape(x)[dim]
                       : !attributes.offsets[dim] && !attributes.sizes[dim];
    if (isWhole) {
      unite(of(x)[dim], of(result)[dim]);
      continue;
    }
    // One of several equal parts.
    if (node.op == OpKind::Slice && attributes.strides[dim] == 1 &&
        attributes.sizes[dim] > 1 &&
        graph.getShape(x)[dim] % attributes.sizes[dim] == 0 &&
        attributes.offsets[dim] % attributes.sizes[dim] == 0) {
      Size parts = extents.add(graph.getShape(x)[dim] / attributes.sizes[dim]);
      extents.fix(parts);
      unite(of(x)[dim], join({parts, of(result)[dim]}));
      continue;
    }
    if (node.op == OpKind::Pad) {
      all.paddings.push_back({of(result)[dim], of(x)[dim],
                              attributes.offsets[dim] + attributes.sizes[dim],
                              attributes.offsets[dim] == 0});
      continue;
    }
    // The beginning of a dimension.
    if (attributes.strides[dim] == 1 && attributes.offsets[dim] == 0) {
      all.paddings.push_back({of(x)[dim], of(result)[dim],
                              graph.getShape(x)[dim] - attributes.sizes[dim],
                              /*isBehind=*/true});
      continue;
    }
    extents.fix(of(x)[dim]);
    extents.fix(of(result)[dim]);
  }
}
