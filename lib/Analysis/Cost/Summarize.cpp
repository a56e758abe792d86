//===- Summarize.cpp - Counts of kernels ----------------------------------===//
//
// Pre-defined operators as a library would run them, and what a kernel's place
// in the program adds: which of its tensors other kernels wrote or read.
//
//===----------------------------------------------------------------------===//

#include "LaunchSummarizer.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Semantics/Windows.h"
#include "OperatorWork.h"
#include "Origins.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace mirage;

// A library is assumed to compute products by tiles of 128 x 128 results, with
// the contracted dimension divided in parts of 64 if there are few tiles, so
// that every SM has work; attention as FlashAttention by blocks of 64 queries
// and iterations of 64 keys, which are divided among blocks while there are at
// most 128; and other kernels by 1024 elements a block.
static constexpr double productTile = 128, contractedTile = 64,
                        attentionTile = 64, attentionBlocks = 128,
                        elementsPerBlock = 1024;

static double tiles(double size, double tile) { return std::ceil(size / tile); }

/// Fills in the launch that FlashAttention is, whose work `s` has already.
static void summarizeAttention(const MuGraph &graph, const MuNode &node,
                               const Product &scores, KernelSummary &s) {
  double queries = std::min(scores.m, attentionTile),
         rows = tiles(scores.m, attentionTile),
         keyTiles = tiles(scores.n, attentionTile);
  double width = graph.getShape(node.results[0]).back();
  double parts = 1;
  while (scores.batch * rows * parts * 2 <= attentionBlocks &&
         parts * 2 <= keyTiles)
    parts *= 2;
  s.isLaunch = true;
  s.grid = {static_cast<int64_t>(scores.batch), static_cast<int64_t>(rows),
            static_cast<int64_t>(parts)};
  double blocks = scores.batch * rows * parts;
  s.blocks = static_cast<int64_t>(blocks);
  double iterations = tiles(keyTiles, parts);
  s.iterations = static_cast<int64_t>(iterations);

  double element = byteSize(graph.getValue(node.operands[0]).type);
  double query = queries * scores.k * element,
         tile = attentionTile * (scores.k + width) * element,
         numerator = queries * width * sizeof(float);
  if (node.operands.size() > 3)
    tile += queries * attentionTile *
            byteSize(graph.getValue(node.operands[3]).type);
  s.streamedBytes = blocks * iterations * tile;
  s.loadedBytes = blocks * query + s.streamedBytes;
  // Queries, tiles and results are each written and read once.
  s.sharedTraffic =
      2 * (blocks * query + s.streamedBytes + getBytes(graph, node.results[0]));
  // An iteration has two products and two reductions.
  s.dependentSteps = blocks * iterations * 4;
  s.residentBytes = static_cast<int64_t>(query);
  s.stageBytes = static_cast<int64_t>(tile);
  s.registerBytes =
      static_cast<int64_t>(numerator + queries * attentionTile * sizeof(float));
  if (parts > 1) {
    s.mergedBlocks = static_cast<int64_t>(parts);
    s.mergedBytes = numerator + 2 * queries * sizeof(float);
    s.mergesInCluster = false;
  }
}

llvm::SmallVector<double, 4> mirage::getOperatorLoads(const MuGraph &graph,
                                                      const MuNode &node) {
  llvm::SmallVector<double, 4> loads;
  for (MuValue operand : node.operands)
    loads.push_back(getBytes(graph, operand));
  if (node.op == OpKind::Attention)
    return loads;
  for (const Product &p : getProducts(graph, node)) {
    loads[p.lhs] *= tiles(p.n, productTile);
    loads[p.rhs] *= tiles(p.m, productTile);
  }
  // Slices don't touch what they leave out.
  if (node.op == OpKind::Slice)
    loads[0] = getBytes(graph, node.results[0]);
  return loads;
}

static KernelSummary summarizeOperator(const MuGraph &graph,
                                       const MuNode &node) {
  KernelSummary s;
  addWork(graph, node, 1, /*tensorCores=*/true, s);
  auto products = getProducts(graph, node);
  double elements = 0;
  for (MuValue value : llvm::concat<const MuValue>(node.operands, node.results))
    elements = std::max<double>(elements, elementCount(graph.getShape(value)));
  double blocks = tiles(elements, elementsPerBlock);
  if (node.op == OpKind::Attention) {
    summarizeAttention(graph, node, products.front(), s);
    return s;
  }
  if (!products.empty()) {
    blocks = 0;
    s.iterations = 0;
    for (const Product &p : products) {
      double rows = tiles(p.m, productTile), columns = tiles(p.n, productTile),
             parts = tiles(p.k, contractedTile);
      blocks = std::max(blocks, p.batch * rows * columns * parts);
      s.iterations += static_cast<int64_t>(parts);
    }
  }
  s.blocks = static_cast<int64_t>(std::max(1.0, blocks));
  s.grid[0] = s.blocks;
  for (double bytes : getOperatorLoads(graph, node))
    s.loadedBytes += bytes;
  return s;
}

/// Returns true for an operator that reads its operand's bytes under another
/// shape.
static bool keepsOrder(const MuGraph &graph, const MuNode &node) {
  return node.operands.size() == 1 &&
         mirage::keepsOrder(node.op, node.attributes,
                            graph.getShape(node.operands[0]));
}

Origins::Origins(const MuGraph &graph, const PlacedNodes *placed)
    : graph(graph), placed(placed) {
  for (MuValue argument : graph.getRegion().arguments)
    cold.insert(argument);
  llvm::DenseMap<MuValue, unsigned> makers;
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator)
      continue;
    makers[node.results[0]] = number;
    // Windows that lie in the tensor that they are of bring no bytes but its
    // own.
    if (std::optional<unsigned> slice = findPlacedWindow(number, makers))
      views[node.results[0]] = getBase(graph.getNode(*slice).operands[0]);
    bool isClipped = !placed && (isClippedPad(node) || isClippedResult(node));
    if (isClipped)
      clipped.insert(node.results[0]);
    if (isClipped || isWholeView(number))
      views[node.results[0]] = getBase(node.operands[0]);
    if (node.op != OpKind::Constant)
      continue;
    cold.insert(node.results[0]);
    if (node.attributes.values->size() == 1)
      immediates.insert(node.results[0]);
  }
  for (MuValue result : graph.getRegion().results)
    results.insert(getBase(result));
  findInParts();
  findWindows();
  findJoined();
}

/// Returns whether an operator of the function gives all bytes of its operand
/// another name, or those of a launch's result that the function needs.
bool Origins::isWholeView(unsigned number) const {
  const MuNode &node = graph.getNode(number);
  if (!placed)
    return ::keepsOrder(graph, node);
  if (!placed->contains(number) || node.op == OpKind::Concat)
    return false;
  if (node.op != OpKind::Slice)
    return true;
  MuValue operand = node.operands[0];
  auto makesOperand = [&](unsigned other) {
    return graph.getNode(other).kind == MuNode::Kind::Graph &&
           llvm::is_contained(graph.getNode(other).results, operand);
  };
  auto reads = [&](unsigned other) {
    return llvm::is_contained(graph.getNode(other).operands, operand);
  };
  return llvm::any_of(graph.getRegion().nodes, makesOperand) &&
         llvm::count_if(graph.getRegion().nodes, reads) == 1 &&
         llvm::all_of(node.attributes.offsets,
                      [](int64_t offset) { return offset == 0; });
}

/// Returns true for a pad with zeros behind the end that launches alone read:
/// they read its operand, and nothing there.
bool Origins::isClippedPad(const MuNode &node) const {
  auto isZero = [](int64_t offset) { return offset == 0; };
  if (node.op != OpKind::Pad || node.attributes.scalar != 0 ||
      !llvm::all_of(node.attributes.offsets, isZero) ||
      llvm::is_contained(graph.getRegion().results, node.results[0]))
    return false;
  return llvm::all_of(graph.getRegion().nodes, [&](unsigned number) {
    const MuNode &reader = graph.getNode(number);
    return reader.kind == MuNode::Kind::Graph ||
           !llvm::is_contained(reader.operands, node.results[0]);
  });
}

/// Returns true for a slice of the beginning of what a launch computes that is
/// all that is used of it: the launch stores no more.
bool Origins::isClippedResult(const MuNode &node) const {
  if (node.op != OpKind::Slice)
    return false;
  const OpAttributes &slice = node.attributes;
  MuValue operand = node.operands[0];
  auto isOne = [](int64_t stride) { return stride == 1; };
  auto isZero = [](int64_t offset) { return offset == 0; };
  if (!llvm::all_of(slice.offsets, isZero) ||
      !llvm::all_of(slice.strides, isOne) ||
      llvm::is_contained(graph.getRegion().results, operand))
    return false;
  bool isLaunched = false;
  unsigned reads = 0;
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &other = graph.getNode(number);
    isLaunched |= other.kind == MuNode::Kind::Graph &&
                  llvm::is_contained(other.results, operand);
    reads += llvm::count(other.operands, operand);
  }
  return isLaunched && reads == 1;
}

/// Returns the first slice of a concatenation of windows that is read where the
/// tensor of the windows lies.
std::optional<unsigned> Origins::findPlacedWindow(
    unsigned number, const llvm::DenseMap<MuValue, unsigned> &makers) const {
  if (!placed || !placed->contains(number))
    return std::nullopt;
  const MuNode &node = graph.getNode(number);
  if (node.op != OpKind::Concat)
    return std::nullopt;
  std::optional<unsigned> first;
  for (MuValue operand : node.operands) {
    auto maker = makers.find(operand);
    if (maker == makers.end() || !placed->contains(maker->second) ||
        graph.getNode(maker->second).op != OpKind::Slice)
      return std::nullopt;
    first = first.value_or(maker->second);
    if (graph.getNode(maker->second).operands[0] !=
        graph.getNode(*first).operands[0])
      return std::nullopt;
  }
  return first;
}

/// Calls `visit` with the nodes of the function that read a value, under
/// whatever shape; false if a shape of it is a result.
static bool forEachReader(const MuGraph &graph, MuValue value,
                          llvm::function_ref<void(const MuNode &)> visit) {
  if (llvm::is_contained(graph.getRegion().results, value))
    return false;
  return llvm::all_of(graph.getRegion().nodes, [&](unsigned number) {
    const MuNode &node = graph.getNode(number);
    if (!llvm::is_contained(node.operands, value))
      return true;
    if (node.kind == MuNode::Kind::Operator && ::keepsOrder(graph, node))
      return forEachReader(graph, node.results[0], visit);
    visit(node);
    return true;
  });
}

/// Returns true for a slice that launches alone read, where its operand lies.
bool Origins::isWindowOfLaunches(const MuNode &slice) const {
  if (!isWindow(slice.attributes, graph.getValue(slice.operands[0]).type))
    return false;
  unsigned launches = 0, others = 0;
  bool isInner =
      forEachReader(graph, slice.results[0], [&](const MuNode &reader) {
        bool isLaunch = reader.kind == MuNode::Kind::Graph ||
                        inParts.contains(reader.results[0]);
        ++(isLaunch ? launches : others);
      });
  return isInner && launches && !others;
}

void Origins::findWindows() {
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Slice ||
        views.contains(node.results[0]))
      continue;
    if (placed ? !placed->contains(number)
               : !isWindowOfLaunches(node) && !isStoredInParts(node))
      continue;
    windows.insert(node.results[0]);
    if (cold.contains(getBase(node.operands[0])))
      cold.insert(node.results[0]);
  }
}

/// Returns the node of the function that makes a value; null for arguments.
const MuNode *Origins::findMaker(MuValue value) const {
  for (unsigned number : graph.getRegion().nodes)
    if (llvm::is_contained(graph.getNode(number).results, value))
      return &graph.getNode(number);
  return nullptr;
}

/// Returns true if a value is an argument with its last two dimensions
/// exchanged, under other shapes that keep these two.
bool Origins::isExchanged(MuValue value) const {
  bool isExchanged = false;
  while (const MuNode *maker = findMaker(value)) {
    if (maker->kind != MuNode::Kind::Operator || maker->operands.size() != 1)
      return false;
    ShapeRef from = graph.getShape(maker->operands[0]),
             to = graph.getShape(value);
    if (::keepsOrder(graph, *maker)) {
      if (from.size() < 2 || to.size() < 2 ||
          from.take_back(2) != to.take_back(2))
        return false;
    } else if (maker->op == OpKind::Transpose && !isExchanged &&
               exchangesLastDims(maker->attributes.permutation)) {
      isExchanged = true;
    } else {
      return false;
    }
    value = maker->operands[0];
  }
  return isExchanged;
}

/// Returns the size along a dimension that operands of a concatenation have in
/// common, if they are parts of arguments that launches can read in place.
std::optional<int64_t> Origins::findPartSize(const MuNode &concat) const {
  if (concat.operands.size() < 2 || concat.operands.size() > kMostSelectedParts)
    return std::nullopt;
  const MuGraph::Value &first = graph.getValue(concat.operands.front());
  bool mayExchange =
      concat.attributes.dim + 2 < static_cast<int64_t>(first.shape.size());
  for (MuValue value : concat.operands) {
    if (graph.getShape(value) != ShapeRef(first.shape))
      return std::nullopt;
    if (mayExchange && isExchanged(value))
      continue;
    // A part is a slice of an argument at most, under any shape.
    unsigned slices = 0;
    while (const MuNode *maker = findMaker(value)) {
      bool isSlice =
          maker->kind == MuNode::Kind::Operator && maker->op == OpKind::Slice &&
          isWindow(maker->attributes, graph.getValue(maker->operands[0]).type);
      slices += isSlice;
      if (maker->kind != MuNode::Kind::Operator || slices > 1 ||
          (!isSlice && !::keepsOrder(graph, *maker)))
        return std::nullopt;
      value = maker->operands[0];
    }
  }
  return first.shape[concat.attributes.dim];
}

/// Returns true if all tiles that a region loads of an argument have indices of
/// one part alone, of those of so many along a dimension, and unless `mayLoop`,
/// of the same one in all iterations.
bool Origins::loadsPartsAlone(MuValue argument, unsigned region, int64_t dim,
                              int64_t size, bool mayLoop) const {
  return llvm::all_of(graph.getRegion(region).nodes, [&](unsigned number) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Loop)
      return loadsPartsAlone(argument, node.body, dim, size, mayLoop);
    return !llvm::is_contained(node.operands, argument) ||
           (node.kind == MuNode::Kind::Load &&
            size % graph.getShape(node.results[0])[dim] == 0 &&
            (mayLoop || node.partition[dim].loops.empty()));
  });
}

/// Returns true for a concatenation whose parts launches read where they lie.
bool Origins::isReadInParts(const MuNode &concat) const {
  std::optional<int64_t> size = findPartSize(concat);
  if (!size || llvm::is_contained(graph.getRegion().results, concat.results[0]))
    return false;
  bool hasOrders = llvm::any_of(
      concat.operands, [&](MuValue part) { return isExchanged(part); });
  return llvm::all_of(graph.getRegion().nodes, [&](unsigned number) {
    const MuNode &node = graph.getNode(number);
    for (auto [i, operand] : llvm::enumerate(node.operands))
      if (operand == concat.results[0] &&
          (node.kind != MuNode::Kind::Graph ||
           !loadsPartsAlone(graph.getRegion(node.body).arguments[i], node.body,
                            concat.attributes.dim, *size, !hasOrders)))
        return false;
    return true;
  });
}

void Origins::findInParts() {
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Concat)
      continue;
    if (placed ? !placed->contains(number) || !findPartSize(node)
               : !isReadInParts(node))
      continue;
    inParts.insert(node.results[0]);
    cold.insert(node.results[0]);
    if (llvm::any_of(node.operands,
                     [&](MuValue part) { return isExchanged(part); }))
      inOrders.insert(node.results[0]);
  }
  findExchanged();
}

/// Finds the transposes that are for nothing but parts that launches read where
/// they lie.
void Origins::findExchanged() {
  if (placed || inOrders.empty())
    return;
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Transpose ||
        !isExchanged(node.results[0]))
      continue;
    bool isForOthers = false;
    bool isInner =
        forEachReader(graph, node.results[0], [&](const MuNode &reader) {
          isForOthers |= reader.kind != MuNode::Kind::Operator ||
                         !inOrders.contains(reader.results[0]);
        });
    if (isInner && !isForOthers)
      exchanged.insert(node.results[0]);
  }
}

/// Returns true for a slice of what a launch stores in parts: nothing but
/// slices is used of it, which are equally large and begin where another one
/// ends, and each tile belongs to one of them.
bool Origins::isStoredInParts(const MuNode &slice) const {
  MuValue whole = slice.operands[0];
  ShapeRef shape = graph.getShape(whole);
  const MuNode *maker = nullptr;
  std::optional<size_t> along;
  for (auto [dim, size] : llvm::enumerate(slice.attributes.sizes))
    if (size != shape[dim]) {
      if (along)
        return false;
      along = dim;
    }
  if (!along || llvm::is_contained(graph.getRegion().results, whole))
    return false;
  int64_t size = slice.attributes.sizes[*along];
  if (shape[*along] / size > static_cast<int64_t>(kMostSelectedParts))
    return false;
  llvm::SmallDenseSet<int64_t, 4> begins;
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (llvm::is_contained(node.results, whole))
      maker = &node;
    if (!llvm::is_contained(node.operands, whole))
      continue;
    if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Slice ||
        node.attributes.sizes != slice.attributes.sizes ||
        node.attributes.offsets[*along] % size ||
        llvm::any_of(node.attributes.strides,
                     [](int64_t stride) { return stride != 1; }))
      return false;
    begins.insert(node.attributes.offsets[*along]);
  }
  if (!maker || maker->kind != MuNode::Kind::Graph ||
      static_cast<int64_t>(begins.size()) * size != shape[*along])
    return false;
  size_t number = llvm::find(maker->results, whole) - maker->results.begin();
  const MuRegion &body = graph.getRegion(maker->body);
  return llvm::any_of(body.nodes, [&](unsigned other) {
    const MuNode &store = graph.getNode(other);
    return store.kind == MuNode::Kind::Store &&
           store.results[0] == body.results[number] &&
           size % graph.getShape(store.operands[0])[*along] == 0;
  });
}

/// Returns true for a concatenation that launches write where it lies.
bool Origins::isJoinOfLaunches(const MuNode &concat) const {
  int64_t offset = 0;
  return llvm::all_of(concat.operands, [&](MuValue operand) {
    MuValue base = getBase(operand);
    bool isLaunched =
        llvm::any_of(graph.getRegion().nodes, [&](unsigned other) {
          return graph.getNode(other).kind == MuNode::Kind::Graph &&
                 llvm::is_contained(graph.getNode(other).results, base);
        });
    unsigned readers = 0;
    bool isInner =
        forEachReader(graph, base, [&](const MuNode &) { ++readers; });
    bool isAligned =
        isJoinedAt(offset, concat.attributes.dim, graph.getShape(operand),
                   graph.getValue(operand).type);
    offset += graph.getShape(operand)[concat.attributes.dim];
    return isLaunched && isInner && readers == 1 && isAligned;
  });
}

void Origins::findJoined() {
  for (unsigned number : graph.getRegion().nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind != MuNode::Kind::Operator || node.op != OpKind::Concat)
      continue;
    if (placed ? !placed->contains(number)
               : !isJoinOfLaunches(node) && !inParts.contains(node.results[0]))
      continue;
    joined.insert(node.results[0]);
    if (results.contains(node.results[0]))
      for (MuValue operand : node.operands)
        results.insert(getBase(operand));
  }
}

bool Origins::isLoaded(MuValue argument, unsigned region) const {
  return llvm::any_of(graph.getRegion(region).nodes, [&](unsigned number) {
    const MuNode &node = graph.getNode(number);
    return node.kind == MuNode::Kind::Loop
               ? isLoaded(argument, node.body)
               : llvm::is_contained(node.operands, argument);
  });
}

bool Origins::isView(const MuNode &node) const {
  if (windows.contains(node.results[0]) || joined.contains(node.results[0]) ||
      clipped.contains(node.results[0]) || exchanged.contains(node.results[0]))
    return true;
  if (placed)
    return views.contains(node.results[0]);
  return ::keepsOrder(graph, node) &&
         !(cold.contains(getBase(node.operands[0])) &&
           llvm::is_contained(graph.getRegion().results, node.results[0]));
}

std::optional<KernelSummary> Origins::summarize(const MuNode &node) const {
  bool isLaunch = node.kind == MuNode::Kind::Graph;
  if (!isLaunch && (node.op == OpKind::Constant || isView(node)))
    return std::nullopt;
  llvm::SmallDenseSet<MuValue, 2> readInOrders;
  if (isLaunch)
    for (auto [operand, argument] :
         llvm::zip(node.operands, graph.getRegion(node.body).arguments))
      if (inOrders.contains(operand))
        readInOrders.insert(argument);
  KernelSummary s =
      isLaunch ? LaunchSummarizer(graph, node, std::move(readInOrders)).run()
               : summarizeOperator(graph, node);
  llvm::SmallSetVector<MuValue, 8> read;
  for (auto [i, operand] : llvm::enumerate(node.operands)) {
    MuValue base = getBase(operand);
    if (immediates.contains(base)) {
      if (!isLaunch)
        s.loadedBytes -= getBytes(graph, operand);
      continue;
    }
    // A launch may have operands that it doesn't load.
    MuValue argument = isLaunch ? graph.getRegion(node.body).arguments[i] : 0;
    if (!isLaunch || isLoaded(argument, node.body))
      read.insert(base);
  }
  for (MuValue base : read) {
    double bytes = node.op == OpKind::Slice && !isLaunch
                       ? getBytes(graph, node.results[0])
                       : getBytes(graph, base);
    s.distinctBytes += bytes;
    if (!cold.contains(base))
      s.hotDistinctBytes += bytes;
  }
  double stored = 0;
  for (MuValue result : node.results) {
    stored += getBytes(graph, result);
    if (!results.contains(result))
      s.hotStoredBytes += getBytes(graph, result);
  }
  s.storedBytes = stored;
  return s;
}

std::optional<KernelSummary> mirage::summarize(const MuGraph &graph,
                                               unsigned node) {
  return Origins(graph).summarize(graph.getNode(node));
}

std::vector<SummarizedKernel> mirage::summarize(const MuGraph &graph,
                                                const PlacedNodes *placed) {
  Origins origins(graph, placed);
  std::vector<SummarizedKernel> kernels;
  for (unsigned number : graph.getRegion().nodes)
    if (auto summary = origins.summarize(graph.getNode(number)))
      kernels.push_back({number, *summary});
  return kernels;
}
