//===- MuGraph.cpp - µGraphs without IR -----------------------------------===//
//
// Building graphs: every node is given its results and their shapes.
//
//===----------------------------------------------------------------------===//

#include "Mirage/MuGraph/MuGraph.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"

using namespace mirage;
using llvm::ArrayRef;

llvm::StringRef MuNode::getName() const {
  switch (kind) {
  case Kind::Operator:
    return getOpInfo(op).mnemonic;
  case Kind::Graph:
    return "graph";
  case Kind::Loop:
    return "loop";
  case Kind::Load:
    return "load";
  case Kind::Accumulate:
    return "accumulate";
  case Kind::Store:
    return "store";
  }
  llvm_unreachable("unknown kind of node");
}

MuValue MuGraph::addValue(ShapeRef shape, ElementType type) {
  values.push_back({Shape(shape), type});
  return values.size() - 1;
}

unsigned MuGraph::addRegion() {
  regions.emplace_back();
  return regions.size() - 1;
}

MuValue MuGraph::addArgument(unsigned region, ShapeRef shape,
                             ElementType type) {
  MuValue value = addValue(shape, type);
  regions[region].arguments.push_back(value);
  return value;
}

unsigned MuGraph::addNode(unsigned region, MuNode node) {
  nodes.push_back(std::move(node));
  regions[region].nodes.push_back(nodes.size() - 1);
  return nodes.size() - 1;
}

MuValue MuGraph::addOperator(unsigned region, OpKind kind,
                             const OpAttributes &attributes,
                             ArrayRef<MuValue> operands, ElementType type,
                             unsigned location) {
  llvm::SmallVector<Shape, 4> shapes;
  for (MuValue operand : operands)
    shapes.push_back(values[operand].shape);
  llvm::SmallVector<Shape, 1> results;
  std::string error;
  if (llvm::failed(inferShapes(kind, attributes, shapes, results, error)))
    llvm::report_fatal_error(llvm::Twine("illegal operator built: ") + error);
  MuNode node;
  node.op = kind;
  node.attributes = attributes;
  node.operands.assign(operands.begin(), operands.end());
  node.location = location;
  for (const Shape &shape : results)
    node.results.push_back(addValue(shape, type));
  MuValue first = node.results.front();
  addNode(region, std::move(node));
  return first;
}

MuValue MuGraph::addLoad(unsigned region, MuValue source,
                         ArrayRef<int64_t> imap, ArrayRef<int64_t> grid,
                         ArrayRef<int64_t> fmap, ArrayRef<int64_t> loops) {
  MuNode node;
  node.kind = MuNode::Kind::Load;
  node.operands = {source};
  node.partition = getPartition(getShape(source), imap, grid, fmap, loops);
  Shape tile;
  for (const DimPartition &dim : node.partition)
    tile.push_back(dim.getTileSize());
  MuValue result = addValue(tile, values[source].type);
  node.results = {result};
  addNode(region, std::move(node));
  return result;
}

MuValue MuGraph::addStore(unsigned region, MuValue value,
                          ArrayRef<int64_t> omap, ArrayRef<int64_t> grid) {
  MuNode node;
  node.kind = MuNode::Kind::Store;
  node.operands = {value};
  node.omap.assign(omap.begin(), omap.end());
  Shape shape(getShape(value));
  for (auto [entry, extent] : llvm::zip(omap, grid))
    if (entry >= 0)
      shape[entry] *= extent;
  MuValue result = addValue(shape, values[value].type);
  node.results = {result};
  addNode(region, std::move(node));
  return result;
}

MuValue MuGraph::addAccumulate(unsigned region, AccumulateKind kind,
                               MuValue value, int64_t loopExtent,
                               std::optional<MuValue> shift, int64_t dim) {
  MuNode node;
  node.kind = MuNode::Kind::Accumulate;
  node.accumulate = kind;
  node.dim = dim;
  node.operands = {value};
  if (shift)
    node.operands.push_back(*shift);
  Shape shape(getShape(value));
  if (kind == AccumulateKind::Concat)
    shape[dim] *= loopExtent;
  MuValue result = addValue(shape, values[value].type);
  node.results = {result};
  addNode(region, std::move(node));
  return result;
}

llvm::SmallVector<MuValue> MuGraph::addLoop(unsigned region, int64_t extent,
                                            unsigned body) {
  MuNode node;
  node.kind = MuNode::Kind::Loop;
  node.body = body;
  node.extents = {extent};
  for (MuValue inner : regions[body].results)
    node.results.push_back(
        addValue(Shape(getShape(inner)), values[inner].type));
  llvm::SmallVector<MuValue> results(node.results.begin(), node.results.end());
  addNode(region, std::move(node));
  return results;
}

llvm::SmallVector<MuValue> MuGraph::addGraph(unsigned region,
                                             ArrayRef<MuValue> operands,
                                             ArrayRef<int64_t> extents,
                                             unsigned body) {
  MuNode node;
  node.kind = MuNode::Kind::Graph;
  node.body = body;
  node.operands.assign(operands.begin(), operands.end());
  node.extents.assign(extents.begin(), extents.end());
  for (MuValue inner : regions[body].results)
    node.results.push_back(
        addValue(Shape(getShape(inner)), values[inner].type));
  llvm::SmallVector<MuValue> results(node.results.begin(), node.results.end());
  addNode(region, std::move(node));
  return results;
}
