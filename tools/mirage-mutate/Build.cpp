//===- Build.cpp - From drafts to µGraphs ---------------------------------===//
//
// Copies a draft into a graph, region by region, inferring shapes on the way.
// It gives up at the first node that breaks a rule.
//
//===----------------------------------------------------------------------===//

#include "Draft.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "llvm/ADT/DenseMap.h"

using namespace mirage;
using namespace mirage::mutate;
using llvm::ArrayRef;

namespace {

/// Checks that there is one entry for each dimension of the grid, none twice.
bool isMap(ArrayRef<int64_t> map, size_t gridRank, int64_t rank) {
  if (map.size() != gridRank)
    return false;
  for (auto [i, entry] : llvm::enumerate(map))
    if (entry >= rank ||
        (entry >= 0 && llvm::is_contained(map.take_front(i), entry)))
      return false;
  return true;
}

class Builder {
public:
  explicit Builder(const Draft &draft) : draft(draft) {}

  std::optional<MuGraph> run() {
    for (MuValue argument : draft.regions[0].arguments)
      numbers[argument] = graph.addArgument(0, draft.getShape(argument),
                                            draft.values[argument].type);
    if (!copyBody(0, 0))
      return std::nullopt;
    return std::move(graph);
  }

private:
  /// Fails if a value is used where it is not there yet.
  bool map(ArrayRef<MuValue> from, llvm::SmallVectorImpl<MuValue> &to) {
    for (MuValue value : from) {
      auto found = numbers.find(value);
      if (found == numbers.end())
        return false;
      to.push_back(found->second);
    }
    return true;
  }
  MuValue addResult(MuValue old, ShapeRef shape) {
    // Large intermediate results would be slow to check.
    constexpr int64_t kMost = 1 << 14;
    std::optional<int64_t> count = checkedElementCount(shape);
    fits &= count && *count <= kMost;
    return numbers[old] = graph.addValue(shape, draft.values[old].type);
  }

  bool copyBody(unsigned from, unsigned to) {
    for (unsigned node : draft.regions[from].nodes)
      if (!copyNode(node, to) || !fits)
        return false;
    llvm::SmallVector<MuValue> results;
    if (!map(draft.regions[from].results, results))
      return false;
    graph.setResults(to, results);
    return true;
  }

  bool copyNode(unsigned number, unsigned region) {
    const MuNode &old = draft.nodes[number];
    MuNode node = old;
    node.operands.clear();
    llvm::SmallVector<MuValue> operands;
    if (!map(old.operands, operands))
      return false;
    node.operands.assign(operands.begin(), operands.end());
    node.results.clear();
    switch (old.kind) {
    case MuNode::Kind::Operator:
      if (!copyOperator(old, node))
        return false;
      break;
    case MuNode::Kind::Load:
      if (!copyLoad(old, draft.maps[number], node))
        return false;
      break;
    case MuNode::Kind::Accumulate:
      if (!copyAccumulate(old, node))
        return false;
      break;
    case MuNode::Kind::Store:
      if (!copyStore(old, node))
        return false;
      break;
    case MuNode::Kind::Graph:
    case MuNode::Kind::Loop:
      if (!copyInner(old, node))
        return false;
      break;
    }
    graph.addNode(region, std::move(node));
    return true;
  }

  bool copyOperator(const MuNode &old, MuNode &node) {
    llvm::SmallVector<Shape, 4> shapes;
    for (MuValue operand : node.operands)
      shapes.emplace_back(graph.getShape(operand));
    llvm::SmallVector<Shape, 1> results;
    std::string error;
    if (llvm::failed(
            inferShapes(node.op, node.attributes, shapes, results, error)) ||
        results.size() != old.results.size())
      return false;
    for (auto [result, shape] : llvm::zip(old.results, results))
      node.results.push_back(addResult(result, shape));
    return true;
  }

  bool copyLoad(const MuNode &old, const TileMaps &maps, MuNode &node) {
    ShapeRef source = graph.getShape(node.operands[0]);
    int64_t rank = static_cast<int64_t>(source.size());
    auto isEntry = [&](int64_t entry) {
      return entry >= kReplica && entry < rank;
    };
    if (!isMap(maps.imap, grid.size(), rank) ||
        maps.fmap.size() != loops.size() || !llvm::all_of(maps.imap, isEntry) ||
        !llvm::all_of(maps.fmap, isEntry) ||
        !llvm::is_contained(arguments, node.operands[0]))
      return false;
    node.partition = getPartition(source, maps.imap, grid, maps.fmap, loops);
    Shape tile;
    for (const DimPartition &dim : node.partition) {
      int64_t parts = dim.gridExtent;
      for (int64_t extent : dim.loopExtents)
        parts *= extent;
      if (dim.size % parts)
        return false;
      tile.push_back(dim.size / parts);
    }
    node.results.push_back(addResult(old.results[0], tile));
    return true;
  }

  bool copyAccumulate(const MuNode &old, MuNode &node) {
    Shape shape(graph.getShape(node.operands[0]));
    bool isRescaled = node.accumulate == AccumulateKind::RescaledSum;
    if (loops.empty() || node.operands.size() != (isRescaled ? 2 : 1))
      return false;
    unsigned width = byteSize(graph.getValue(node.operands[0]).type);
    ElementType type = draft.values[old.results[0]].type;
    if (isRescaled) {
      MuValue shift = node.operands[1];
      auto both = broadcastShapes({shape, Shape(graph.getShape(shift))});
      if (!both || *both != shape ||
          byteSize(graph.getValue(shift).type) < width)
        return false;
    }
    bool sums = isRescaled || node.accumulate == AccumulateKind::Sum;
    if (type != graph.getValue(node.operands[0]).type &&
        !(sums && byteSize(type) > width))
      return false;
    if (node.accumulate == AccumulateKind::Concat) {
      if (node.dim < 0 || node.dim >= static_cast<int64_t>(shape.size()))
        return false;
      shape[node.dim] *= loops.back();
    }
    node.results.push_back(addResult(old.results[0], shape));
    return true;
  }

  bool copyStore(const MuNode &old, MuNode &node) {
    Shape shape(graph.getShape(node.operands[0]));
    if (!isMap(node.omap, grid.size(), static_cast<int64_t>(shape.size())))
      return false;
    if (llvm::is_contained(node.omap, kReduceSum) &&
        llvm::is_contained(node.omap, kReduceMax))
      return false;
    for (auto [entry, extent] : llvm::zip(node.omap, grid)) {
      if (entry == kMissing || (entry == kReplica && extent != 1))
        return false;
      if (entry >= 0)
        shape[entry] *= extent;
    }
    node.results.push_back(addResult(old.results[0], shape));
    return true;
  }

  bool copyInner(const MuNode &old, MuNode &node) {
    if (llvm::any_of(old.extents, [](int64_t extent) { return extent < 1; }))
      return false;
    auto outerGrid = grid;
    auto outerLoops = loops;
    auto outerArguments = arguments;
    node.body = graph.addRegion();
    if (old.kind == MuNode::Kind::Loop) {
      loops.push_back(old.extents[0]);
    } else {
      grid = old.extents;
      loops.clear();
      arguments.clear();
      for (auto [argument, operand] :
           llvm::zip(draft.regions[old.body].arguments, node.operands)) {
        Shape shape(graph.getShape(operand));
        arguments.push_back(
            numbers[argument] = graph.addArgument(
                node.body, shape, graph.getValue(operand).type));
      }
    }
    if (!copyBody(old.body, node.body))
      return false;
    grid = outerGrid;
    loops = outerLoops;
    arguments = outerArguments;
    for (auto [result, inner] :
         llvm::zip(old.results, graph.getRegion(node.body).results)) {
      Shape shape(graph.getShape(inner));
      node.results.push_back(addResult(result, shape));
    }
    return true;
  }

  const Draft &draft;
  MuGraph graph;
  llvm::DenseMap<MuValue, MuValue> numbers;
  bool fits = true;
  // The extents and the arguments around the node.
  llvm::SmallVector<int64_t, 3> grid;
  llvm::SmallVector<int64_t, 2> loops;
  llvm::SmallVector<MuValue> arguments;
};

} // namespace

std::optional<MuGraph> Draft::build() const { return Builder(*this).run(); }
