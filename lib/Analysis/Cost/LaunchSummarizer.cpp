//===- LaunchSummarizer.cpp - Counts of a launch --------------------------===//
//
// Follows where a good kernel would have each value (see KernelSummary.h).
//
//===----------------------------------------------------------------------===//

#include "LaunchSummarizer.h"
#include "Footprint.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "Mirage/Semantics/ProductDims.h"
#include "Mirage/Semantics/ShapeRules.h"
#include "Mirage/Semantics/Windows.h"
#include "OperatorWork.h"
#include "llvm/Support/MathExtras.h"

using namespace mirage;

/// How many barriers it costs to exchange between warps what a reduction along
/// rows has, and what warps have that share rows. Scores of keys by queries, of
/// 8 heads of 512 x 64, take 0.9 microseconds an iteration longer than those of
/// queries by keys; seven attentions with 16 to 64 rows and 256 to 384 keys at
/// once take 0.3 to 1.1 longer for each of their two reductions and the product
/// behind them.
static constexpr double exchangeSteps = 64, sharedRowSteps = 32;
/// What all iterations of a loop load at most for the lowering to make one of
/// them: half of the shared memory of a block on sm_90a.
static constexpr double roomyBytes = 116224;
/// The parts of scores for which four warps have registers: no loop over keys
/// is made one iteration with more of them.
static constexpr double mostMergedParts = 64;

KernelSummary LaunchSummarizer::run() {
  summary.isLaunch = true;
  for (auto [i, extent] : llvm::enumerate(launch.extents)) {
    summary.grid[i] = extent;
    summary.blocks *= extent;
  }
  visitRegion(launch.body);
  int64_t iterations = 0, loadingLoops = 0;
  for (unsigned number : graph.getRegion(launch.body).nodes)
    if (const MuNode &node = graph.getNode(number);
        node.kind == MuNode::Kind::Loop) {
      iterations += node.extents[0];
      bool loads =
          llvm::any_of(graph.getRegion(node.body).nodes, [&](unsigned inner) {
            return graph.getNode(inner).kind == MuNode::Kind::Load;
          });
      loadingLoops += loads && !dissolved.contains(&node);
    }
  summary.iterations = std::max<int64_t>(1, iterations);
  summary.loadingLoops = std::max<int64_t>(1, loadingLoops);
  Footprint footprint(graph, launch.body);
  measureMemory(footprint);
  findSharedLoops(footprint);
  findInstruction();
  addReloads();
  return summary;
}

void LaunchSummarizer::noteReload(const MuNode &load, double bytes,
                                  double times) {
  size_t loop = summary.loops.size();
  int64_t extent = summary.loops.back().iterations;
  LoopLoad entry{&load, loop, extent, bytes, times, std::nullopt};
  auto cutTheSame = [](const DimPartition &a, const DimPartition &b) {
    return a.size == b.size && a.gridDim == b.gridDim && a.loops == b.loops &&
           a.loopExtents == b.loopExtents;
  };
  for (auto [number, other] : llvm::enumerate(loopLoads))
    if (other.loop != loop && other.extent == extent && !other.first &&
        other.load->operands == load.operands &&
        llvm::equal(other.load->partition, load.partition, cutTheSame))
      entry.first = number;
  loopLoads.push_back(entry);
}

/// Adds up what loops load again, of launches whose warps all load. Loops that
/// the lowering makes one iteration load nothing in iterations.
void LaunchSummarizer::addReloads() {
  if (summary.tensorFlops > 0 || !dissolved.empty() || summary.narrowBytes > 0)
    return;
  ReloadSummary &reloads = summary.reloads;
  llvm::SmallDenseSet<size_t, 4> kept;
  llvm::SmallVector<bool, 4> loadsOthers(summary.loops.size(), false);
  for (const LoopLoad &entry : loopLoads) {
    if (!entry.first) {
      loadsOthers[entry.loop - 1] = true;
      continue;
    }
    double all = entry.bytes * entry.times;
    summary.loops[entry.loop - 1].reloadedBytes += all;
    reloads.bytes += all * summary.blocks;
    reloads.stageBytes += entry.bytes;
    if (kept.insert(*entry.first).second) {
      reloads.keptBytes += all;
      reloads.stageBytes += entry.bytes;
    }
  }
  if (summary.loadedBytes > 0)
    reloads.skippedBytes =
        summary.skippedBytes * reloads.bytes / summary.loadedBytes;
  if (reloads.bytes == 0)
    return;
  for (auto [loop, loadsOther] : llvm::zip_equal(summary.loops, loadsOthers))
    if (!loadsOther && loop.reloadedBytes > 0) {
      ++reloads.loops;
      reloads.iterations += loop.iterations;
    }
}

/// Returns how many reductions along one dimension an operator consists of.
static double countReductions(const MuNode &node) {
  switch (node.op) {
  case OpKind::Reduce:
  case OpKind::RmsNorm:
    return 1;
  case OpKind::Softmax:
  case OpKind::LogSoftmax:
  case OpKind::LayerNorm:
    return 2;
  default:
    return 0;
  }
}

/// Returns the dimension of these reductions. Norms are along the last one.
static int64_t getReducedDim(const MuNode &node, int64_t last) {
  bool isNorm = node.op == OpKind::RmsNorm || node.op == OpKind::LayerNorm;
  return isNorm ? last : node.attributes.dim;
}

/// Returns true for scores of attention under another shape, of which keys are
/// a dimension as before, and rows of heads and queries are rows of both.
bool LaunchSummarizer::keepsScores(const MuNode &node) const {
  if (node.op != OpKind::Reshape || !isOfKeys)
    return false;
  ShapeRef from = graph.getShape(node.operands[0]),
           to = graph.getShape(node.results[0]);
  // One dimension of several elements is the first or the last of both.
  auto begins = [](auto &&a, auto &&b) {
    for (auto [size, other] : llvm::zip(a, b))
      if (size != other || size > 1)
        return size == other;
    return false;
  };
  return begins(from, to) || begins(llvm::reverse(from), llvm::reverse(to));
}

/// Notes the sizes of products, and what reads their results.
void LaunchSummarizer::followProducts(const MuNode &node) {
  OpClass opClass = getOpInfo(node.op).opClass;
  bool isProduct = node.op == OpKind::Matmul || node.op == OpKind::ConcatMatmul;
  unsigned numLeft = isProduct ? node.operands.size() / 2 : 0;
  for (auto [number, operand] : llvm::enumerate(node.operands))
    if (fromProducts.contains(operand))
      rowsStayTogether |= opClass == OpClass::Reduction ||
                          opClass == OpClass::Composite ||
                          (isProduct && number < numLeft);
  if (isProduct)
    tiles.addRows(graph.getShape(node.results[0]).rbegin()[1]);
  // Warps wait for one another where they reduce along rows, and where several
  // have parts of one row.
  double reductions = countReductions(node);
  if ((reductions > 0 || isProduct) &&
      fromProducts.contains(node.operands[0])) {
    auto last =
        static_cast<int64_t>(graph.getShape(node.operands[0]).size()) - 1;
    double steps = 0;
    if (reductions > 0 && getReducedDim(node, last) != last)
      steps = reductions * exchangeSteps;
    else if (tiles.sharesRows())
      steps = std::max(1.0, reductions) * sharedRowSteps;
    summary.dependentSteps += steps * getTimes(getDepth(node)) * summary.blocks;
  }
  if (isProduct) {
    ShapeRef shape = graph.getShape(node.results[0]);
    ShapeRef left = graph.getShape(node.operands[0]);
    // What counts is how tiles lie, whether a product or a view transposes
    // them.
    auto liesTransposed = [&](MuValue value, bool isReadTransposed) {
      return values.lookup(value).isTransposed != isReadTransposed;
    };
    tiles.add(
        shape.rbegin()[1], shape.back(),
        left[getContractedDim(node.attributes, ProductOperand::Lhs,
                              left.size())],
        liesTransposed(node.operands[0], node.attributes.transposeLhs),
        liesTransposed(node.operands[numLeft], node.attributes.transposeRhs));
  }
  if (isProduct ||
      ((opClass == OpClass::Elementwise || opClass == OpClass::Composite ||
        node.op == OpKind::Pad || keepsScores(node)) &&
       llvm::any_of(node.operands, [&](MuValue operand) {
         return fromProducts.contains(operand);
       })))
    fromProducts.insert(node.results[0]);
}

double LaunchSummarizer::getTimes(unsigned depth) const {
  double times = 1;
  for (int64_t extent : llvm::ArrayRef(loops).take_front(depth))
    times *= extent;
  return times;
}

unsigned LaunchSummarizer::getDepth(const MuNode &node) const {
  unsigned depth = 0;
  for (MuValue operand : node.operands)
    depth = std::max(depth, values.lookup(operand).depth);
  return depth;
}

void LaunchSummarizer::addTraffic(double bytesPerBlock) {
  summary.sharedTraffic += bytesPerBlock * summary.blocks;
}

void LaunchSummarizer::readIntoRegisters(MuValue value, double times) {
  auto found = values.find(value);
  if (found == values.end() || found->second.place != Place::Shared ||
      found->second.reads >= times)
    return;
  // Operators that need a tile at the same time read it once.
  addTraffic(getBytes(graph, value) * (times - found->second.reads));
  found->second.reads = times;
}

void LaunchSummarizer::noteComputedOperand(MuValue value) {
  Value entry = values.lookup(value);
  if (entry.place != Place::Register || entry.depth == 0 ||
      fromProducts.contains(value) || products.contains(value))
    return;
  mixesOperands |= entry.isMixed;
  if (!entry.isMixed)
    operandsComputed += getTimes(entry.depth);
}

void LaunchSummarizer::readByProduct(MuValue value, double bytes,
                                     double times) {
  Value &entry = values[value];
  if (std::exchange(entry.isMixed, false))
    summary.dependentSteps +=
        mixedOperandSteps * getTimes(entry.depth) * summary.blocks;
  if (entry.place != Place::Shared) {
    addTraffic(getBytes(graph, value) * getTimes(entry.depth));
    entry.place = Place::Shared;
  }
  addTraffic(bytes * times);
}

void LaunchSummarizer::visitRegion(unsigned region) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    for (MuValue operand : node.operands)
      ++uses[operand];
    switch (node.kind) {
    case MuNode::Kind::Load:
      visitLoad(node);
      break;
    case MuNode::Kind::Operator:
      visitOperator(node);
      break;
    case MuNode::Kind::Graph:
      visitThreadGraph(node);
      break;
    case MuNode::Kind::Store:
      visitStore(node);
      break;
    case MuNode::Kind::Accumulate: {
      // Sums are part of a product's multiply-adds; a concatenation is written
      // to shared memory.
      double times = getTimes(loops.size());
      bool isConcat = node.accumulate == AccumulateKind::Concat;
      bool isSum = node.accumulate == AccumulateKind::Sum;
      if (isSum && products.contains(node.operands[0]))
        summed.insert(node.operands[0]);
      if (fromProducts.contains(node.operands[0]))
        fromProducts.insert(node.results[0]);
      for (MuValue operand : node.operands)
        readIntoRegisters(operand, times);
      if (isConcat)
        addTraffic(getBytes(graph, node.operands[0]) * times);
      // Each element costs a sum or maximum, and for a rescaled sum a
      // multiply-add.
      double updates = isConcat ? 0
                                : static_cast<double>(elementCount(
                                      graph.getShape(node.operands[0]))) *
                                      times * summary.blocks;
      if (node.accumulate == AccumulateKind::RescaledSum) {
        summary.exponentials += static_cast<double>(elementCount(
                                    graph.getShape(node.operands[1]))) *
                                times * summary.blocks;
        summary.otherFlops += updates;
      }
      if (!isAccumulatedInPlace(node.operands[0])) {
        summary.otherFlops += updates;
        summary.scalarInstructions += updates;
      }
      values[node.results[0]] = {isConcat ? Place::Shared : Place::Register,
                                 static_cast<unsigned>(loops.size()) - 1};
      break;
    }
    case MuNode::Kind::Loop:
      visitLoop(node);
      break;
    }
  }
}

void LaunchSummarizer::visitLoop(const MuNode &node) {
  if (loops.empty())
    summary.loops.push_back({node.extents[0]});
  llvm::ArrayRef<unsigned> body = graph.getRegion(node.body).nodes;
  bool before = isOfKeys;
  isOfKeys = llvm::any_of(body, [&](unsigned number) {
    const MuNode &inner = graph.getNode(number);
    return inner.kind == MuNode::Kind::Accumulate &&
           inner.accumulate == AccumulateKind::RescaledSum;
  });
  loops.push_back(node.extents[0]);
  visitRegion(node.body);
  loops.pop_back();
  // The lowering puts inner loops, and loops whose loads have room at once,
  // into what is around them. What any loop sums up is a product's result
  // behind it.
  double loaded = 0;
  for (unsigned number : body)
    if (const MuNode &inner = graph.getNode(number);
        inner.kind == MuNode::Kind::Load)
      loaded += getBytes(graph, inner.results[0]);
  auto extent = static_cast<double>(node.extents[0]);
  bool hasRoom =
      loaded * extent <= roomyBytes &&
      !(isOfKeys &&
        static_cast<double>(tiles.getMostParts()) * extent > mostMergedParts);
  bool isDissolved = !loops.empty() || node.extents[0] == 1 || hasRoom;
  if (isDissolved)
    dissolved.insert(&node);
  isOfKeys = before;
  for (auto [result, value] :
       llvm::zip(node.results, graph.getRegion(node.body).results)) {
    Value entry = values.lookup(value);
    entry.depth = std::min<unsigned>(entry.depth, loops.size());
    values[result] = entry;
    if (fromProducts.contains(value))
      fromProducts.insert(result);
  }
}

void LaunchSummarizer::visitLoad(const MuNode &node) {
  unsigned depth = 0;
  MuValue result = node.results[0];
  for (auto [size, dim] : llvm::zip(graph.getShape(result), node.partition))
    for (unsigned loop : dim.loops) {
      depth = std::max(depth, loop + 1);
      loopElements = std::max(loopElements, size);
    }
  double bytes = getBytes(graph, result), times = getTimes(depth);
  summary.loadedBytes += bytes * times * summary.blocks;
  // Blocks that differ in no dimension of the tensor read the same.
  auto readers = static_cast<double>(summary.blocks);
  for (const DimPartition &dim : node.partition)
    readers /= static_cast<double>(dim.gridExtent);
  if (readers > 1)
    summary.rereads.push_back(
        {bytes * times * (summary.blocks - summary.blocks / readers),
         getBytes(graph, node.operands[0])});
  Shape whole(graph.getShape(node.operands[0])), tile(graph.getShape(result));
  int64_t element = byteSize(graph.getValue(result).type);
  double skipped = getSkippedPart(whole, tile, element),
         narrow = getNarrowPart(whole, tile, element);
  int64_t row = tile.empty() ? 1 : tile.back();
  if (inOrders.contains(node.operands[0])) {
    std::swap(whole.rbegin()[0], whole.rbegin()[1]);
    std::swap(tile.rbegin()[0], tile.rbegin()[1]);
    skipped = std::max(skipped, getSkippedPart(whole, tile, element));
    narrow = std::max(narrow, getNarrowPart(whole, tile, element));
    if (tile.back() % WarpgroupInstruction::narrowestChunk)
      row = tile.back();
  }
  summary.skippedBytes += bytes * times * summary.blocks * skipped;
  summary.narrowBytes += bytes * times * summary.blocks * narrow;
  if (depth) {
    summary.streamedBytes += bytes * times * summary.blocks;
    summary.loops.back().streamedBytes += bytes * times;
    if (loops.size() == 1)
      noteReload(node, bytes, times);
    bool isPieced = !tile.empty() && row % WarpgroupInstruction::narrowestChunk;
    if (isPieced && byteSize(graph.getValue(result).type) == 2)
      bytesInPieces += bytes * times * summary.blocks;
  }
  addTraffic(bytes * times);
  (depth ? summary.stageBytes : summary.residentBytes) +=
      static_cast<int64_t>(bytes);
  values[result] = {Place::Shared, depth, /*isLoad=*/true};
}

void LaunchSummarizer::visitStore(const MuNode &node) {
  MuValue value = node.operands[0];
  double bytes = getBytes(graph, value);
  // Tiles leave through shared memory.
  if (values.lookup(value).place != Place::Shared)
    addTraffic(bytes);
  addTraffic(bytes);
  int64_t merged = 1;
  for (auto [entry, extent] : llvm::zip(node.omap, launch.extents))
    if (entry == kReduceSum || entry == kReduceMax)
      merged *= extent;
  summary.storedBytes += bytes * summary.blocks / merged;
  summary.skippedStoreBytes +=
      bytes * summary.blocks / merged *
      getSkippedPart(graph.getShape(node.results[0]), graph.getShape(value),
                     byteSize(graph.getValue(value).type));
  if (merged == 1)
    return;
  summary.mergedBlocks = std::max(summary.mergedBlocks, merged);
  summary.mergedBytes += bytes;
}

/// Returns true if a product can take a tile that was transposed from where the
/// tile lies: its last two dimensions may be exchanged, others move only if
/// they have size one.
static bool isReadTransposed(const MuNode &transpose, ShapeRef shape) {
  OpAttributes attributes = transpose.attributes;
  if (keepsOrder(OpKind::Transpose, attributes, shape))
    return true;
  if (shape.size() < 2)
    return false;
  std::swap(attributes.permutation.rbegin()[0],
            attributes.permutation.rbegin()[1]);
  return keepsOrder(OpKind::Transpose, attributes, shape);
}

void LaunchSummarizer::visitOperator(const MuNode &node) {
  unsigned depth = getDepth(node);
  double times = getTimes(depth);
  // Scores are no operand that could be prepared.
  bool isMixed = depth > 0 &&
                 getOpInfo(node.op).opClass != OpClass::Contraction &&
                 llvm::none_of(node.operands,
                               [&](MuValue operand) {
                                 return fromProducts.contains(operand);
                               }) &&
                 llvm::any_of(node.operands, [&](MuValue operand) {
                   Value source = values.lookup(operand);
                   return source.place != Place::Immediate &&
                          (source.isMixed || source.depth < depth);
                 });
  auto define = [&](Place place) {
    for (MuValue result : node.results)
      values[result] = {place, depth, /*isLoad=*/false, isMixed};
  };
  if (node.op == OpKind::Constant)
    return define(Place::Immediate);
  followProducts(node);
  MuValue operand = node.operands[0];
  Value source = values.lookup(operand);
  bool isTranspose = node.op == OpKind::Transpose;
  bool isView = node.op == OpKind::Reshape ||
                (isTranspose && source.place == Place::Shared &&
                 isReadTransposed(node, graph.getShape(operand)));
  if (isView) {
    // A view has the same bytes and reads them in another order.
    source.reads = 0;
    source.isTransposed ^=
        isTranspose && !keepsOrder(OpKind::Transpose, node.attributes,
                                   graph.getShape(operand));
    values[node.results[0]] = source;
    return;
  }
  addWork(node, times * summary.blocks, /*tensorCores=*/true, depth);
  auto factors = getProducts(graph, node);
  llvm::SmallDenseSet<unsigned, 4> multiplied;
  for (const Product &p : factors) {
    for (unsigned number : {p.lhs, p.rhs})
      noteComputedOperand(node.operands[number]);
    summary.exchangesOperands |=
        depth > 0 && fromProducts.contains(node.operands[p.rhs]);
    multiplied.insert(p.lhs);
    multiplied.insert(p.rhs);
    for (MuValue factor : {node.operands[p.lhs], node.operands[p.rhs]}) {
      Value loaded = values.lookup(factor);
      if (loaded.isLoad && loaded.depth > 0 &&
          multipliedLoads.insert(factor).second)
        multipliedBytes += getBytes(graph, factor);
    }
    // The left operand of tensor cores may come from registers, the right one
    // may not.
    MuValue lhs = node.operands[p.lhs];
    if (p.isOfLanes || values.lookup(lhs).place == Place::Shared)
      readByProduct(lhs, p.lhsReads, times);
    readByProduct(node.operands[p.rhs], p.rhsReads, times);
  }
  for (auto [i, value] : llvm::enumerate(node.operands))
    if (!multiplied.contains(i))
      readIntoRegisters(value, times);
  OpClass opClass = getOpInfo(node.op).opClass;
  if (opClass == OpClass::Reduction || opClass == OpClass::Contraction ||
      opClass == OpClass::Composite)
    summary.dependentSteps += times * summary.blocks;
  if (opClass == OpClass::Contraction)
    products.insert(node.results[0]);
  // Warps exchange their parts of reductions.
  if (opClass == OpClass::Reduction)
    addTraffic(2 * getBytes(graph, node.results[0]) * times);
  // A transposition crosses threads: the tile is stored in one order, and in
  // the other one for what reads rows.
  if (isTranspose) {
    addTraffic(getBytes(graph, node.results[0]) * times);
    summary.dependentSteps += 2 * times * summary.blocks;
  }
  define(isTranspose ? Place::Shared : Place::Register);
}

void LaunchSummarizer::visitThreadGraph(const MuNode &node) {
  unsigned depth = getDepth(node);
  double times = getTimes(depth);
  int64_t threads = 1;
  for (int64_t extent : node.extents)
    threads *= extent;
  summary.threads = std::max(summary.threads, threads);
  for (MuValue operand : node.operands)
    readIntoRegisters(operand, times);
  addThreadWork(node.body, times * threads * summary.blocks, depth);
  for (MuValue result : node.results)
    values[result] = {Place::Register, depth};
}

void LaunchSummarizer::addWork(const MuNode &node, double times,
                               bool tensorCores, unsigned depth) {
  KernelSummary before = summary;
  mirage::addWork(graph, node, times, tensorCores, summary);
  if (depth)
    return;
  summary.outerMmaFlops += summary.mmaSyncFlops - before.mmaSyncFlops;
  summary.outerScalarInstructions +=
      summary.scalarInstructions - before.scalarInstructions;
  summary.outerExponentials += summary.exponentials - before.exponentials;
}

void LaunchSummarizer::addThreadWork(unsigned region, double times,
                                     unsigned depth) {
  for (unsigned number : graph.getRegion(region).nodes) {
    const MuNode &node = graph.getNode(number);
    if (node.kind == MuNode::Kind::Operator)
      addWork(node, times, /*tensorCores=*/false, depth);
  }
}

bool LaunchSummarizer::isAccumulatedInPlace(MuValue value) const {
  return summed.contains(value) && uses.lookup(value) == 1;
}

void LaunchSummarizer::measureMemory(const Footprint &footprint) {
  constexpr int64_t alignment = 128; // Of buffers in Analysis/SharedMemory.h.
  summary.plannedBytes = footprint.getPlannedBytes();
  summary.footprintBytes = footprint.getPeak([](MuValue) { return true; },
                                             /*inPlace=*/false, alignment);
  auto isComputed = [&](MuValue value, Place place) {
    Value entry = values.lookup(value);
    return !entry.isLoad && entry.place == place;
  };
  summary.residentBytes += footprint.getPeak(
      [&](MuValue value) { return isComputed(value, Place::Shared); });
  summary.registerBytes = footprint.getPeak(
      [&](MuValue value) {
        return isComputed(value, Place::Register) &&
               !isAccumulatedInPlace(value);
      },
      /*inPlace=*/true);
}
