//===- FindTiling.cpp - The tiling of a launch ----------------------------===//
//
// Inverts ApplyTiling.cpp: maps of loads say which dimension of the chain each
// loop and grid dimension cuts.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Analysis/Tiling/ApplyTiling.h"
#include "Mirage/MuGraph/ValueOrigins.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mirage;
using namespace mirage::tiling;

namespace {

class TilingFinder {
public:
  TilingFinder(const MuGraph &graph, std::string &error)
      : graph(graph), origins(graph), error(error) {}

  std::optional<Tiling> run();

private:
  bool fail(const llvm::Twine &reason) {
    error = reason.str();
    return false;
  }
  bool findLaunch();
  /// Finds the products in the order in which they run, and the loops around
  /// each.
  bool visit(unsigned region);
  bool readProduct(const MuNode &node, unsigned region);
  /// Finds what a left operand is made of: a load, or an earlier product.
  bool findSource(MuValue value, unsigned &node) const;
  bool readLoad(MuValue value, Loop rows, Loop columns, bool transposed);
  bool readDim(const DimPartition &dim, Loop loop);
  std::optional<Tiling> build();

  const MuGraph &graph;
  ValueOrigins origins;
  std::string &error;
  const MuNode *launch = nullptr;
  /// The nodes of the loops around what is being visited.
  llvm::SmallVector<unsigned, 4> around;
  llvm::SmallVector<unsigned, 4> products;
  std::vector<llvm::SmallVector<unsigned, 4>> paths;
  llvm::DenseMap<unsigned, Loop> loopOf, gridDimOf;
  llvm::SmallVector<int64_t, 6> sizes, tiles;
};

} // namespace

bool TilingFinder::findLaunch() {
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Graph || launch)
      return fail("the function is not one launch");
    launch = &node;
  }
  return launch || fail("there is no launch");
}

bool TilingFinder::findSource(MuValue value, unsigned &number) const {
  // The value is followed through the one operand of each operator that comes
  // from a product or load: constants and row sums stand beside it.
  while (!origins[value].isArgument) {
    number = origins[value].node;
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Load)
      return true;
    if (node.kind == MuNode::Kind::Loop) {
      value = graph.getRegion(node.body).results[origins[value].position];
      continue;
    }
    if (node.kind == MuNode::Kind::Operator) {
      if (node.op == OpKind::Matmul)
        return true;
      if (node.operands.empty())
        return false;
    }
    // The value itself comes first, and what divides it or is subtracted from
    // it second; but a constant may come before it.
    value = node.operands[0];
    if (node.kind == MuNode::Kind::Operator && node.operands.size() == 2 &&
        !origins[value].isArgument &&
        graph.getNode(origins[value].node).kind == MuNode::Kind::Operator &&
        graph.getNode(origins[value].node).op == OpKind::Constant)
      value = node.operands[1];
  }
  return false;
}

bool TilingFinder::readDim(const DimPartition &dim, Loop loop) {
  if (sizes.size() <= loop) {
    sizes.resize(loop + 1);
    tiles.resize(loop + 1);
  }
  int64_t tile = dim.getTileSize();
  if (sizes[loop]) {
    // An operand that was put together is used whole.
    bool agree =
        tiles[loop] == tile || tiles[loop] == dim.size || tile == dim.size;
    if (sizes[loop] != dim.size || !agree)
      return fail(llvm::formatv("tiles along {0} differ", getLoopName(loop)));
    tile = std::min(tile, tiles[loop]);
  }
  sizes[loop] = dim.size;
  tiles[loop] = tile;
  if (dim.gridDim && dim.gridExtent > 1 &&
      gridDimOf.try_emplace(*dim.gridDim, loop).first->second != loop)
    return fail("a grid dimension cuts several dimensions of the chain");
  for (unsigned depth : dim.loops)
    if (loopOf.try_emplace(around[depth], loop).first->second != loop)
      return fail("a loop cuts several dimensions of the chain");
  return true;
}

bool TilingFinder::readLoad(MuValue value, Loop rows, Loop columns,
                            bool transposed) {
  unsigned number = 0;
  if (!findSource(value, number) ||
      graph.getNode(number).kind != MuNode::Kind::Load)
    return fail("an operand of a product is no tile of an input");
  const auto &partition = graph.getNode(number).partition;
  if (transposed)
    std::swap(rows, columns);
  return readDim(partition.rbegin()[1], rows) &&
         readDim(partition.back(), columns);
}

bool TilingFinder::readProduct(const MuNode &node, unsigned number) {
  unsigned product = products.size();
  Loop contracted = getContractedLoop(product),
       columns = getColumnLoop(product);
  if (product + 3 > maxLoops)
    return fail("there are too many products");
  if (product == 0) {
    if (!readLoad(node.operands[0], rowLoop, contracted,
                  node.attributes.transposeLhs))
      return false;
  } else {
    unsigned source = 0;
    if (!findSource(node.operands[0], source) || source != products.back())
      return fail("a product's left operand is not the product before it");
  }
  products.push_back(number);
  paths.push_back(around);
  return readLoad(node.operands[1], contracted, columns,
                  node.attributes.transposeRhs);
}

bool TilingFinder::visit(unsigned region) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Graph)
      return fail("there is a thread graph");
    if (node.kind == MuNode::Kind::Loop) {
      around.push_back(number);
      if (!visit(node.body))
        return false;
      around.pop_back();
    } else if (node.kind == MuNode::Kind::Operator &&
               node.op == OpKind::Matmul && !readProduct(node, number)) {
      return false;
    }
  }
  return true;
}

std::optional<Tiling> TilingFinder::build() {
  Schedule schedule;
  schedule.products = products.size();
  for (auto [product, path] : llvm::enumerate(paths)) {
    LoopPath &loops = schedule.paths.emplace_back();
    for (unsigned node : path) {
      auto loop = loopOf.find(node);
      if (loop == loopOf.end()) {
        fail("a loop cuts no operand of a product");
        return std::nullopt;
      }
      loops.push_back(loop->second);
    }
  }
  for (auto [dim, loop] : gridDimOf) {
    if (loop == rowLoop)
      schedule.bindsRows = true;
    else if (loop == schedule.getLastColumns())
      schedule.bindsColumns = true;
    else {
      fail(llvm::formatv("blocks divide the sum over {0}, or repeat it",
                         getLoopName(loop)));
      return std::nullopt;
    }
  }
  // Equal names are equal loops only if the nodes are.
  for (unsigned product = 0; product + 1 < schedule.products; ++product) {
    unsigned depth = schedule.getSharedDepth(product);
    if (!std::equal(paths[product].begin(), paths[product].begin() + depth,
                    paths[product + 1].begin())) {
      fail("two loops cut the same dimension");
      return std::nullopt;
    }
  }
  Tiling tiling{schedule.getExpression(), tiles};
  // The tiling must have the schedule that was found.
  ScheduleProblem problem;
  problem.products = schedule.products;
  for (auto [size, tile] : llvm::zip_equal(sizes, tiles))
    problem.extents.push_back(size / tile);
  // Where batches have taken the grid's dimensions, columns have none.
  problem.bindsColumns = schedule.bindsColumns || launch->extents.size() < 3;
  std::string reason;
  std::optional<Schedule> meant =
      tiling::schedule(tiling.expression, problem, reason);
  if (!meant || meant->paths != schedule.paths ||
      meant->getGrid() != schedule.getGrid()) {
    fail(llvm::formatv("no tiling expression has these loops ({0})",
                       toString(tiling.expression)));
    return std::nullopt;
  }
  return tiling;
}

std::optional<Tiling> TilingFinder::run() {
  if (!findLaunch() || !visit(launch->body))
    return std::nullopt;
  if (products.empty()) {
    fail("there is no product");
    return std::nullopt;
  }
  return build();
}

std::optional<Tiling> mirage::tiling::findTiling(const MuGraph &graph,
                                                 std::string &error) {
  return TilingFinder(graph, error).run();
}
