//===- DimensionSizes.cpp - Which sizes of a graph belong together --------===//
//
// One rule for each kind of node, like the rules of shapes.
//
//===----------------------------------------------------------------------===//

#include "DimensionSizes.h"
#include "CountedSums.h"
#include "Mirage/Semantics/ProductDims.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;
using llvm::ArrayRef;

static Size join(ArrayRef<Size> sizes) {
  Size all;
  for (const Size &size : sizes)
    all.append(size);
  return all;
}

DimensionSizes::DimensionSizes(const MuGraph &graph, Extents &extents)
    : graph(graph), extents(extents), sizes(graph.getNumValues()),
      ofNodes(graph.getNumNodes()), isConstant(graph.getNumValues()) {
  for (MuValue value = 0; value < graph.getNumValues(); ++value)
    for (int64_t size : graph.getShape(value))
      sizes[value].push_back(extents.add(size));
  isCounted = findCountedSums(graph);
  visitRegion(0, {});
}

void DimensionSizes::visitRegion(unsigned region, ArrayRef<Size> point) {
  for (unsigned number : graph.getRegion(region).nodes) {
    size_t known = reduced.size();
    visitNode(number, point);
    if (isCounted[number])
      llvm::append_range(mayBeCounted, ArrayRef(reduced).drop_front(known));
  }
}

void DimensionSizes::fixAll(const MuNode &node) {
  for (const auto &list :
       {ArrayRef<MuValue>(node.operands), ArrayRef<MuValue>(node.results)})
    for (MuValue value : list)
      for (const Size &size : of(value))
        extents.fix(size);
}

void DimensionSizes::uniteUnlessOne(MuValue operand, unsigned dim,
                                    const Size &size) {
  if (graph.getShape(operand)[dim] != 1)
    unite(of(operand)[dim], size);
}

void DimensionSizes::visitNode(unsigned number, ArrayRef<Size> point) {
  const MuNode &node = graph.getNode(number);
  bool ofConstants = areConstant(node.operands);
  if (node.kind != MuNode::Kind::Graph && node.kind != MuNode::Kind::Loop)
    for (MuValue result : node.results)
      isConstant[result] = ofConstants;
  switch (node.kind) {
  case MuNode::Kind::Operator:
    return visitOperator(number);
  case MuNode::Kind::Graph:
  case MuNode::Kind::Loop: {
    llvm::SmallVector<Size, 3> &own = ofNodes[number];
    for (int64_t extent : node.extents)
      own.push_back(extents.add(extent));
    const MuRegion &body = graph.getRegion(node.body);
    for (auto [operand, argument] : llvm::zip(node.operands, body.arguments)) {
      uniteValues(operand, argument);
      isConstant[argument] = isConstant[operand];
    }
    if (node.kind == MuNode::Kind::Loop) {
      loops.push_back(own.front());
      visitRegion(node.body, point);
      loops.pop_back();
    } else {
      llvm::SmallVector<Size, 2> outer;
      std::swap(outer, loops);
      visitRegion(node.body, own);
      std::swap(outer, loops);
    }
    for (auto [result, inner] : llvm::zip(node.results, body.results)) {
      uniteValues(result, inner);
      isConstant[result] = isConstant[inner];
    }
    return;
  }
  case MuNode::Kind::Load:
    for (auto [dim, partition] : llvm::enumerate(node.partition)) {
      Size parts;
      if (partition.gridDim)
        parts.append(point[*partition.gridDim]);
      for (unsigned loop : partition.loops)
        parts.append(loops[loop]);
      parts.append(of(node.results[0])[dim]);
      unite(of(node.operands[0])[dim], parts);
    }
    return;
  case MuNode::Kind::Accumulate:
    for (size_t dim = 0; dim < of(node.results[0]).size(); ++dim) {
      Size size = of(node.operands[0])[dim];
      if (node.accumulate == AccumulateKind::Concat &&
          static_cast<int64_t>(dim) == node.dim)
        size = join({loops.back(), size});
      unite(of(node.results[0])[dim], size);
      if (node.operands.size() > 1)
        uniteUnlessOne(node.operands[1], dim, size);
    }
    if (node.accumulate != AccumulateKind::Concat)
      reduced.push_back(loops.back());
    if (node.accumulate != AccumulateKind::Concat && ofConstants)
      counted.push_back(loops.back());
    return;
  case MuNode::Kind::Store:
    for (size_t dim = 0; dim < of(node.results[0]).size(); ++dim) {
      Size size;
      for (auto [entry, extent] : llvm::zip(node.omap, point))
        if (entry == static_cast<int64_t>(dim))
          size.append(extent);
      size.append(of(node.operands[0])[dim]);
      unite(of(node.results[0])[dim], size);
    }
    for (auto [entry, extent] : llvm::zip(node.omap, point)) {
      if (entry == kReduceSum || entry == kReduceMax)
        reduced.push_back(extent);
      if (entry == kReduceSum && ofConstants)
        counted.push_back(extent);
    }
    return;
  }
}

void DimensionSizes::uniteElementwise(const MuNode &node) {
  for (size_t dim = 0; dim < of(node.results[0]).size(); ++dim)
    for (MuValue operand : node.operands)
      uniteUnlessOne(operand, dim, of(node.results[0])[dim]);
}

void DimensionSizes::visitOperator(unsigned number) {
  const MuNode &node = graph.getNode(number);
  const OpAttributes &attributes = node.attributes;
  MuValue result = node.results[0];
  if (isElementwise(node.op))
    return uniteElementwise(node);
  if (isLayout(node.op))
    return visitLayout(number);
  if (isComposite(node.op))
    return visitComposite(node);
  switch (node.op) {
  case OpKind::Constant:
    if (attributes.values->size() != 1)
      fixAll(node);
    return;
  case OpKind::Reduce: {
    MuValue operand = node.operands[0];
    Size combined = of(operand)[attributes.dim];
    if (attributes.group) {
      combined = extents.add(attributes.group);
      ofNodes[number].push_back(combined);
      unite(of(operand)[attributes.dim],
            join({of(result)[attributes.dim], combined}));
    }
    reduced.push_back(combined);
    if (attributes.reduceKind == ReduceKind::Mean || areConstant(operand))
      counted.push_back(combined);
    for (size_t dim = 0, to = 0; dim < of(operand).size(); ++dim) {
      if (static_cast<int64_t>(dim) == attributes.dim) {
        to += attributes.group || attributes.keep;
        continue;
      }
      unite(of(operand)[dim], of(result)[to++]);
    }
    return;
  }
  case OpKind::Matmul:
  case OpKind::ConcatMatmul: {
    unsigned pairs = node.op == OpKind::Matmul ? 1 : 2;
    size_t m = of(result).size() - 2, n = m + 1;
    for (unsigned i = 0; i < pairs; ++i) {
      MuValue lhs = node.operands[i], rhs = node.operands[i + pairs];
      for (size_t dim = 0; dim < m; ++dim) {
        uniteUnlessOne(lhs, dim, of(result)[dim]);
        uniteUnlessOne(rhs, dim, of(result)[dim]);
      }
      size_t rank = of(result).size();
      size_t lhsK = getContractedDim(attributes, ProductOperand::Lhs, rank);
      size_t rhsK = getContractedDim(attributes, ProductOperand::Rhs, rank);
      unite(of(lhs)[getKeptDim(attributes, ProductOperand::Lhs, rank)],
            of(result)[m]);
      unite(of(rhs)[getKeptDim(attributes, ProductOperand::Rhs, rank)],
            of(result)[n]);
      unite(of(lhs)[lhsK], of(rhs)[rhsK]);
      reduced.push_back(of(lhs)[lhsK]);
      if (areConstant({lhs, rhs}))
        counted.push_back(reduced.back());
    }
    return;
  }
  default:
    // Convolutions.
    return fixAll(node);
  }
}

void DimensionSizes::visitComposite(const MuNode &node) {
  const OpAttributes &attributes = node.attributes;
  MuValue x = node.operands[0], result = node.results[0];
  size_t last = of(x).size() - 1;
  auto uniteParameters = [&](size_t dim) {
    for (MuValue parameter : ArrayRef(node.operands).drop_front())
      unite(of(parameter)[0], of(x)[dim]);
  };
  auto takeMean = [&](const Size &size) {
    reduced.push_back(size);
    counted.push_back(size);
  };
  switch (node.op) {
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
    reduced.push_back(of(x)[attributes.dim]);
    return uniteValues(x, result);
  case OpKind::RmsNorm:
  case OpKind::LayerNorm:
    takeMean(of(x)[last]);
    uniteParameters(last);
    return uniteValues(x, result);
  case OpKind::GroupNorm:
  case OpKind::InstanceNorm:
    // The group is a quotient of the channels by a number of groups.
    if (node.op == OpKind::GroupNorm)
      extents.fix(of(x)[1]);
    for (size_t dim = 1; dim <= last; ++dim)
      takeMean(of(x)[dim]);
    uniteParameters(1);
    return uniteValues(x, result);
  case OpKind::BatchNorm:
    uniteParameters(1);
    return uniteValues(x, result);
  case OpKind::Variance:
    takeMean(of(x)[attributes.dim]);
    for (size_t dim = 0, to = 0; dim <= last; ++dim) {
      if (static_cast<int64_t>(dim) == attributes.dim)
        to += attributes.keep;
      else
        unite(of(x)[dim], of(result)[to++]);
    }
    return;
  case OpKind::Attention: {
    MuValue keys = node.operands[1], values = node.operands[2];
    size_t rows = last - 1;
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
    reduced.push_back(of(x)[last]);
    reduced.push_back(of(keys)[rows]);
    return;
  }
  default:
    llvm_unreachable("not a composite operator");
  }
}

void DimensionSizes::visitLayout(unsigned number) {
  const MuNode &node = graph.getNode(number);
  const OpAttributes &attributes = node.attributes;
  MuValue x = node.operands[0], result = node.results[0];
  size_t rank = of(x).size();
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
    for (size_t dim = 0; dim < rank; ++dim) {
      Size repeats = extents.add(attributes.repeats[dim]);
      ofNodes[number].push_back(repeats);
      unite(of(result)[dim], join({repeats, of(x)[dim]}));
    }
    return;
  case OpKind::Split:
    for (MuValue part : node.results)
      for (size_t dim = 0; dim < rank; ++dim) {
        if (static_cast<int64_t>(dim) != attributes.dim) {
          unite(of(part)[dim], of(x)[dim]);
          continue;
        }
        Size parts = extents.add(attributes.parts);
        extents.fix(parts);
        unite(of(x)[dim], join({parts, of(part)[dim]}));
      }
    return;
  case OpKind::Concat:
    for (MuValue operand : node.operands)
      for (size_t dim = 0; dim < rank; ++dim) {
        if (static_cast<int64_t>(dim) == attributes.dim) {
          extents.fix(of(operand)[dim]);
          extents.fix(of(result)[dim]);
        } else {
          unite(of(operand)[dim], of(result)[dim]);
        }
      }
    return;
  case OpKind::Slice:
  case OpKind::Pad:
    // Dimensions that are left alone, and those that are cut.
    for (size_t dim = 0; dim < rank; ++dim) {
      bool isWhole = node.op == OpKind::Slice
                         ? attributes.strides[dim] == 1 &&
                               attributes.sizes[dim] == graph.getShape(x)[dim]
                         : !attributes.offsets[dim] && !attributes.sizes[dim];
      if (isWhole) {
        unite(of(x)[dim], of(result)[dim]);
        continue;
      }
      extents.fix(of(x)[dim]);
      extents.fix(of(result)[dim]);
    }
    return;
  default:
    llvm_unreachable("not a layout operator");
  }
}
