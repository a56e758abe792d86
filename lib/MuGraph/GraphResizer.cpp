//===- GraphResizer.cpp - A graph with other sizes ------------------------===//
//
// Implements the rewriting: one rule for each attribute that says a size.
//
//===----------------------------------------------------------------------===//

#include "GraphResizer.h"

using namespace mirage;
using llvm::ArrayRef;

Shape GraphResizer::getShape(const DimensionSizes &sizes, MuValue value) const {
  Shape shape;
  for (const Size &size : sizes.sizes[value])
    shape.push_back(getValue(size));
  return shape;
}

void GraphResizer::rewriteAttributes(const DimensionSizes &sizes,
                                     unsigned number, MuNode &node) const {
  OpAttributes &attributes = node.attributes;
  switch (node.kind) {
  case MuNode::Kind::Graph:
  case MuNode::Kind::Loop:
    for (auto [extent, size] : llvm::zip(node.extents, sizes.ofNodes[number]))
      extent = getValue(size);
    return;
  case MuNode::Kind::Load:
    // DimPartitions are completed by the caller, who knows grid and loops.
    for (auto [partition, size] :
         llvm::zip(node.partition, sizes.sizes[node.operands[0]]))
      partition.size = getValue(size);
    return;
  case MuNode::Kind::Accumulate:
  case MuNode::Kind::Store:
    return;
  case MuNode::Kind::Operator:
    break;
  }
  for (double *number :
       {&attributes.scalar, &attributes.lower, &attributes.upper})
    *number = rewriteNumber(*number);
  switch (node.op) {
  case OpKind::Constant:
    return rewriteConstant(sizes, node);
  case OpKind::Reshape:
  case OpKind::Broadcast:
    attributes.resultShape = getShape(sizes, node.results[0]);
    return;
  case OpKind::Slice: {
    Shape shape = getShape(sizes, node.results[0]);
    // A part stands behind as many others as before.
    for (auto [offset, before, size] :
         llvm::zip(attributes.offsets, attributes.sizes, shape))
      if (before != size)
        offset = offset / before * size;
    attributes.sizes = shape;
    return;
  }
  case OpKind::Pad:
    for (auto [dim, size] : llvm::enumerate(getShape(sizes, node.results[0])))
      attributes.sizes[dim] = size - getShape(sizes, node.operands[0])[dim] -
                              attributes.offsets[dim];
    return;
  case OpKind::Reduce:
    if (attributes.group)
      attributes.group = getValue(sizes.ofNodes[number].front());
    return;
  case OpKind::Conv2d:
    attributes.convGroups = getValue(sizes.ofNodes[number].front());
    return;
  case OpKind::Repeat:
    for (auto [repeats, size] :
         llvm::zip(attributes.repeats, sizes.ofNodes[number]))
      repeats = getValue(size);
    return;
  default:
    return;
  }
}

MuGraph GraphResizer::rewrite(const DimensionSizes &sizes) const {
  const MuGraph &from = sizes.graph;
  MuGraph to;
  // Values and regions keep their numbers.
  for (MuValue value = 0; value < from.getNumValues(); ++value)
    to.addValue(getShape(sizes, value), from.getValue(value).type);
  for (unsigned region = 1; region < from.getNumRegions(); ++region)
    to.addRegion();

  struct Scope {
    llvm::SmallVector<int64_t, 3> point;
    llvm::SmallVector<int64_t, 2> loops;
  };
  auto visit = [&](auto &&self, unsigned region, const Scope &scope) -> void {
    const MuRegion &source = from.getRegion(region);
    to.setArguments(region, source.arguments);
    to.setResults(region, source.results);
    for (unsigned number : source.nodes) {
      MuNode node = from.getNode(number);
      rewriteAttributes(sizes, number, node);
      for (DimPartition &partition : node.partition) {
        if (partition.gridDim)
          partition.gridExtent = scope.point[*partition.gridDim];
        for (auto [loop, extent] :
             llvm::zip(partition.loops, partition.loopExtents))
          extent = scope.loops[loop];
      }
      Scope inner = scope;
      if (node.kind == MuNode::Kind::Graph)
        inner = {node.extents, {}};
      if (node.kind == MuNode::Kind::Loop)
        inner.loops.push_back(node.extents[0]);
      if (node.kind == MuNode::Kind::Graph || node.kind == MuNode::Kind::Loop)
        self(self, node.body, inner);
      to.addNode(region, std::move(node));
    }
  };
  visit(visit, 0, {});
  return to;
}
