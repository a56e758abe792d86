//===- LaunchBound.cpp - A launch's summary without its graph -------------===//
//
// Follows Analysis/Cost over symbolic sizes: layouts, and what operators a
// launch has, do not depend on sizes. Left out are reads from shared memory
// that are shared, values in registers, and composite operators' arithmetic.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Sizes/LaunchBound.h"
#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/Search/Launches/JoinedProducts.h"
#include "Mirage/Semantics/Cost.h"
#include "Mirage/Semantics/MatrixInstruction.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <numeric>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Kind = OperatorForm::Kind;

//===----------------------------------------------------------------------===//
// Products of factors
//===----------------------------------------------------------------------===//

double SizeProduct::get(ArrayRef<int64_t> sizes) const {
  double above = constant;
  for (uint8_t factor : times)
    above *= static_cast<double>(sizes[factor]);
  if (over.empty())
    return above;
  double below = 1;
  for (uint8_t factor : over)
    below *= static_cast<double>(sizes[factor]);
  return above / below;
}

static void insertOrCancel(llvm::SmallVectorImpl<uint8_t> &list,
                           llvm::SmallVectorImpl<uint8_t> &opposite,
                           unsigned factor) {
  if (auto *at = llvm::find(opposite, factor); at != opposite.end())
    opposite.erase(at);
  else
    list.insert(llvm::upper_bound(list, factor), factor);
}

void SizeProduct::multiply(unsigned factor) {
  insertOrCancel(times, over, factor);
}

void SizeProduct::divide(unsigned factor) {
  insertOrCancel(over, times, factor);
}

void SizeProduct::multiply(const SizeProduct &other) {
  constant *= other.constant;
  for (uint8_t factor : other.times)
    multiply(factor);
  for (uint8_t factor : other.over)
    divide(factor);
}

//===----------------------------------------------------------------------===//
// Tiles and how often they are made
//===----------------------------------------------------------------------===//

LaunchBound::LaunchBound(const SearchProblem &problem,
                         const Candidate &candidate, const SizeFactors &factors,
                         unsigned launch)
    : problem(problem), candidate(candidate), own(candidate.launches[launch]),
      factors(factors), launch(launch) {
  for (uint8_t axis : own.gridAxes)
    grid.push_back(*factors.find(launch, /*isLoop=*/false, axis));
  for (const LoopChoice &loop : own.loops)
    loopFactors.push_back(*factors.find(launch, /*isLoop=*/true, loop.axis));
  isJoined.assign(own.values.size(), false);
  if (candidate.joinsProducts)
    for (const JoinedSum &joined : findJoinedSums(problem, own)) {
      isJoined[joined.sum] = true;
      for (unsigned product : joined.products)
        isJoined[product] = true;
      if (joined.accumulators)
        for (unsigned accumulator : *joined.accumulators)
          isJoined[accumulator] = true;
    }
  findDepths();
  LiveTiles live(problem, own, isJoined);
  addTiles(live);
  addLoads();
  addOperators(live);
  addStores();
  if (!products.empty())
    readProducts();
}

/// Reads off the launch, at any sizes, what does not depend on sizes.
void LaunchBound::readProducts() {
  Point ones(factors.get().size(), 1);
  MuGraph graph =
      instantiateLaunch(problem, candidate, factors.getSizes(ones), launch);
  rowsStayTogether = !summarize(graph).front().summary.multipliesAlone;
  for (unsigned number = 0; number < graph.getNumNodes(); ++number) {
    const MuNode &node = graph.getNode(number);
    if (node.op != OpKind::Matmul && node.op != OpKind::ConcatMatmul)
      continue;
    transposesLhs |= node.attributes.transposeLhs;
    transposesRhs &= node.attributes.transposeRhs;
  }
}

void LaunchBound::multiplyBy(const AxisPart &part,
                             SizeProduct &elements) const {
  SizeFactors::AxisSize size = factors.getAxisSize(part.axis);
  elements.constant *= static_cast<double>(size.size);
  if (size.factor)
    elements.multiply(*size.factor);
  for (auto [removed, isLoop] : {std::pair(kGrid, false), {kLoop, true}})
    if (part.removed.contains(removed))
      if (auto factor = factors.find(launch, isLoop, part.axis))
        elements.divide(*factor);
}

SizeProduct LaunchBound::getElements(ArrayRef<DimId> dims) const {
  SizeProduct elements;
  for (DimId dim : dims)
    for (const AxisPart &part : problem.getParts(dim))
      multiplyBy(part, elements);
  return elements;
}

SizeProduct LaunchBound::getElements(ArrayRef<DimId> dims,
                                     ArrayRef<uint8_t> axes) const {
  SizeProduct elements;
  for (DimId dim : dims)
    for (const AxisPart &part : problem.getParts(dim))
      if (llvm::is_contained(axes, part.axis))
        multiplyBy(part, elements);
  return elements;
}

llvm::SmallVector<unsigned, 3> LaunchBound::getLoops(RegionId region) const {
  llvm::SmallVector<unsigned, 3> loops;
  for (unsigned loop : own.getLoopsAround(region))
    loops.push_back(loopFactors[loop]);
  return loops;
}

SizeProduct LaunchBound::getTimes(RegionId region, unsigned depth) const {
  SizeProduct times;
  for (unsigned factor : grid)
    times.multiply(factor);
  llvm::SmallVector<unsigned, 3> loops = getLoops(region);
  for (unsigned factor : ArrayRef(loops).take_front(depth))
    times.multiply(factor);
  return times;
}

void LaunchBound::add(Field field, const SizeProduct &count, double factor) {
  auto term = llvm::find_if(
      terms, [&](const Term &other) { return other.count == count; });
  if (term == terms.end())
    term = terms.insert(terms.end(), {count, {}});
  for (auto &[known, sum] : term->fields)
    if (known == field) {
      sum += factor;
      return;
    }
  term->fields.push_back({field, factor});
}

void LaunchBound::addTiles(const LiveTiles &live) {
  types.assign(live.getTypes().begin(), live.getTypes().end());
  valueTiles.assign(live.getValueTiles().begin(), live.getValueTiles().end());
  for (const LiveTiles::Tile &tile : live.getTiles())
    tiles.push_back(
        {getElements(tile.dims), static_cast<int64_t>(byteSize(tile.type))});
  moments = live.getMoments().vec();
}

/// Finds in how many loops each value differs, as LaunchSummarizer.cpp does.
void LaunchBound::findDepths() {
  for (const LoadChoice &load : own.loads) {
    llvm::SmallVector<unsigned, 3> loops = getLoops(load.region);
    unsigned depth = 0;
    for (DimId id : load.dims)
      if (problem.getRemoved(id).contains(kLoop)) {
        std::optional<unsigned> factor = factors.find(
            launch, /*isLoop=*/true, problem.getParts(id).front().axis);
        depth = std::max<unsigned>(depth, llvm::find(loops, *factor) -
                                              loops.begin() + 1);
      }
    depths.push_back(depth);
  }
  for (const BlockOperator &op : own.operators) {
    const OperatorForm &form = problem.getForm(op.formId);
    unsigned depth = 0;
    for (uint8_t operand : op.getOperands(form.getNumOperands()))
      depth = std::max(depth, depths[operand]);
    if (form.isAccumulator())
      depth = getLoops(own.values[op.first].phase.region).size() - 1;
    depths.push_back(depth);
  }
}

//===----------------------------------------------------------------------===//
// Traffic and arithmetic
//===----------------------------------------------------------------------===//

LaunchBound::Access LaunchBound::getAccess(const TensorLayout &layout,
                                           ArrayRef<DimId> tile,
                                           ArrayRef<DimId> tensor,
                                           SizeProduct count,
                                           ElementType type) const {
  Access access;
  for (ArrayRef<uint8_t> axes : layout) {
    access.tensor.push_back(getElements(tensor, axes));
    access.tile.push_back(getElements(tile, axes));
  }
  access.count = std::move(count);
  access.elementBytes = byteSize(type);
  return access;
}

/// Returns the layout in which the launch reads a tensor.
TensorLayout LaunchBound::getLoadedLayout(uint8_t tensor) const {
  AxisList cut;
  for (const LoadChoice &load : own.loads)
    for (DimId dim : load.dims)
      if (load.tensor == tensor && !problem.getRemoved(dim).empty())
        cut.push_back(problem.getParts(dim).front().axis);
  size_t number = tensor;
  if (number < problem.getInputs().size())
    return getCutLayout(problem.getInputs()[number].layout, cut);
  number -= problem.getInputs().size();
  for (const LaunchGraph &before : candidate.launches) {
    if (number < before.outputs.size())
      return getCutLayout(
          getStoredLayout(
              problem, getStoredDims(problem, before, before.outputs[number])),
          cut);
    number -= before.outputs.size();
  }
  llvm_unreachable("a tensor that no launch before has stored");
}

/// Returns the load of an earlier loop, over the same axis, of the same tiles.
static std::optional<unsigned> findEarlierLoad(const LaunchGraph &launch,
                                               unsigned number) {
  const LoadChoice &load = launch.loads[number];
  if (load.region == kBody)
    return std::nullopt;
  auto getLoop = [&](const LoadChoice &of) -> const LoopChoice & {
    return launch.loops[of.region.getLoop()];
  };
  for (auto [other, before] :
       llvm::enumerate(llvm::ArrayRef(launch.loads).take_front(number)))
    if (before.region != kBody && before.region != load.region &&
        before.tensor == load.tensor && before.dims == load.dims &&
        getLoop(before).axis == getLoop(load).axis &&
        getLoop(before).parent == kBody && getLoop(load).parent == kBody)
      return other;
  return std::nullopt;
}

void LaunchBound::addLoads() {
  llvm::SmallVector<uint8_t, 4> distinct;
  llvm::SmallDenseSet<unsigned, 4> firsts;
  for (auto [value, load] : llvm::enumerate(own.loads)) {
    SizeProduct count = getTimes(load.region, depths[value]);
    count.multiply(tiles[valueTiles[value]].elements);
    double bytes = byteSize(types[value]);
    add(&KernelSummary::loadedBytes, count, bytes);
    add(&KernelSummary::sharedTraffic, count, bytes);
    if (depths[value])
      add(&KernelSummary::streamedBytes, count, bytes);
    (depths[value] ? streamed : resident).push_back(valueTiles[value]);
    // The whole tensor lacks no factor of this launch.
    Dims whole = llvm::map_to_vector<4>(
        load.dims, [&](DimId dim) { return *problem.withRemoved(dim, {}); });
    loaded.push_back(getAccess(getLoadedLayout(load.tensor), load.dims, whole,
                               count, types[value]));
    if (auto earlier = findEarlierLoad(own, value);
        earlier && depths[value] == 1) {
      reloaded.push_back(loaded.back());
      if (firsts.insert(*earlier).second)
        kept.push_back(loaded.back());
    }
    if (llvm::is_contained(distinct, load.tensor))
      continue;
    distinct.push_back(load.tensor);
    SizeProduct all = getElements(whole);
    add(&KernelSummary::distinctBytes, all, bytes);
    if (load.tensor >= problem.getInputs().size())
      add(&KernelSummary::hotDistinctBytes, all, bytes);
  }
}

/// Notes a product's sizes, and counts what it reads of shared memory: its
/// right operand, and its left one if that is a load in the product's type.
void LaunchBound::addProduct(unsigned value, const SizeProduct &times) {
  const BlockOperator &op = own.operators[value - own.loads.size()];
  const OperatorForm &form = problem.getForm(op.formId);
  ElementType type = problem.getProductType();
  ProductAxes axes = getProductAxes(problem, own, op);
  auto getExtent = [&](ArrayRef<uint8_t> list) {
    Dims dims = own.values[op.first].dims;
    llvm::append_range(dims, own.values[op.second].dims);
    llvm::sort(dims);
    dims.erase(llvm::unique(dims), dims.end());
    return getElements(dims, list);
  };
  std::optional<double> time = getTensorCoreTime(type, form.attributes.tf32);
  SizeProduct batch = times;
  batch.multiply(getExtent(axes.batch));
  products.push_back({std::move(batch), getExtent(axes.rows),
                      getExtent(axes.columns), getExtent(axes.summed),
                      time.value_or(0)});
  if (!time) {
    SizeProduct count = times;
    count.multiply(tiles[valueTiles[value]].elements);
    count.multiply(getElements(
        *problem.findReduced(own.values[op.first].dims, op.reduced)));
    add(&KernelSummary::otherFlops, count, 2);
    add(&KernelSummary::scalarInstructions, count, 1);
  }
  unsigned right = axes.isSwapped ? op.first : op.second;
  for (unsigned operand : {op.first, op.second}) {
    bool isRead = operand == right ||
                  (operand < own.loads.size() && types[operand] == type);
    if (!isRead || isJoined[value])
      continue;
    SizeProduct read = times;
    read.multiply(tiles[valueTiles[operand]].elements);
    add(&KernelSummary::sharedTraffic, read, byteSize(type));
  }
}

void LaunchBound::addOperators(const LiveTiles &live) {
  areLoopsShared =
      !own.loops.empty() && llvm::all_of(own.loops, [](const auto &loop) {
        return loop.parent == kBody;
      });
  for (auto [position, op] : llvm::enumerate(own.operators)) {
    unsigned value = own.loads.size() + position;
    const OperatorForm &form = problem.getForm(op.formId);
    if (form.isAccumulator()) {
      // Iterations store what nothing in the block reads.
      if (form.kind == Kind::AccumulateConcat)
        areLoopsShared &= !live.isRead(value);
      else if (!isJoined[value])
        accumulated.push_back(
            {valueTiles[value], own.values[op.first].phase.region.getLoop()});
      continue;
    }
    SizeProduct times = getTimes(own.values[value].phase.region, depths[value]);
    if (form.kind == Kind::Matmul)
      addProduct(value, times);
    if (isJoined[value])
      continue;
    OpClass opClass = getOpInfo(form.op).opClass;
    if (opClass == OpClass::Reduction || opClass == OpClass::Contraction ||
        opClass == OpClass::Composite)
      add(&KernelSummary::dependentSteps, times, 1);
    if (opClass == OpClass::Reduction) {
      SizeProduct count = times;
      count.multiply(tiles[valueTiles[op.first]].elements);
      add(&KernelSummary::otherFlops, count, 1);
      add(&KernelSummary::scalarInstructions, count, 1);
    }
    if (form.op == OpKind::Softmax || form.op == OpKind::LogSoftmax) {
      SizeProduct count = times;
      count.multiply(tiles[valueTiles[value]].elements);
      add(&KernelSummary::exponentials, count, 1);
    }
    if (opClass != OpClass::Elementwise)
      continue;
    // The counts are those of one element.
    llvm::SmallVector<Shape, 3> shapes(
        form.getNumOperands() + form.constants.size(), Shape(1, 1));
    OpCounts counts = countOp(form.op, form.attributes, shapes);
    SizeProduct count = times;
    count.multiply(tiles[valueTiles[value]].elements);
    add(&KernelSummary::exponentials, count, counts.exponentials);
    add(&KernelSummary::otherFlops, count, counts.flops);
    add(&KernelSummary::scalarInstructions, count, counts.flops);
  }
}

void LaunchBound::addStores() {
  unsigned tensor = problem.getInputs().size();
  for (const LaunchGraph &before :
       ArrayRef(candidate.launches).take_front(launch))
    tensor += before.outputs.size();
  bool isLast = launch + 1 == candidate.launches.size() && !candidate.isPartial;
  for (auto [position, output] : llvm::enumerate(own.outputs)) {
    ElementType type =
        isLast ? problem.getResults()[position].type : getComputeType(problem);
    double bytes = byteSize(type);
    // Blocks store different parts: all of them together store the tensor once.
    Dims whole = getStoredDims(problem, own, output);
    SizeProduct all = getElements(whole);
    // Results that are stored together have rows of their own.
    if (!isLast || problem.getStackedResults().empty())
      stored.push_back(
          getAccess(isLast ? getCutLayout(problem.getResults()[position].layout,
                                          own.gridAxes)
                           : getStoredLayout(problem, whole),
                    own.values[output].dims, whole, all, type));
    add(&KernelSummary::storedBytes, all, bytes);
    add(&KernelSummary::sharedTraffic, all, bytes);
    if (!llvm::is_contained(candidate.results, tensor + position))
      add(&KernelSummary::hotStoredBytes, all, bytes);
  }
}

//===----------------------------------------------------------------------===//
// The summary at a point
//===----------------------------------------------------------------------===//

int64_t LaunchBound::getIterations(ArrayRef<int64_t> sizes) const {
  int64_t iterations = 0;
  for (auto [number, loop] : llvm::enumerate(own.loops))
    if (loop.parent == kBody)
      iterations += sizes[loopFactors[number]];
  return iterations;
}

void LaunchBound::addMemory(ArrayRef<int64_t> sizes,
                            KernelSummary &summary) const {
  llvm::SmallVector<int64_t, 32> bytes;
  for (const Tile &tile : tiles)
    bytes.push_back(static_cast<int64_t>(tile.elements.get(sizes)) *
                    tile.elementBytes);
  for (unsigned tile : resident)
    summary.residentBytes += bytes[tile];
  for (unsigned tile : streamed)
    summary.stageBytes += bytes[tile];
  for (const LiveTiles::Moment &moment : moments) {
    int64_t alive = 0;
    for (unsigned tile : moment)
      alive += bytes[tile];
    summary.plannedBytes = std::max(summary.plannedBytes, alive);
  }
}

void LaunchBound::addAccesses(ArrayRef<int64_t> sizes,
                              KernelSummary &summary) const {
  auto getShape = [&](ArrayRef<SizeProduct> extents) {
    return llvm::map_to_vector<6>(extents, [&](const SizeProduct &extent) {
      return static_cast<int64_t>(extent.get(sizes));
    });
  };
  for (const Access &load : loaded) {
    auto tensor = getShape(load.tensor), tile = getShape(load.tile);
    double bytes = load.count.get(sizes) * load.elementBytes;
    summary.skippedBytes +=
        bytes * getSkippedPart(tensor, tile, load.elementBytes);
    summary.narrowBytes +=
        bytes * getNarrowPart(tensor, tile, load.elementBytes);
  }
  for (const Access &store : stored)
    summary.skippedStoreBytes +=
        store.count.get(sizes) * store.elementBytes *
        getSkippedPart(getShape(store.tensor), getShape(store.tile),
                       store.elementBytes);
}

void LaunchBound::addProducts(ArrayRef<int64_t> sizes,
                              KernelSummary &summary) const {
  ProductTiles all;
  for (const BoundProduct &product : products) {
    double rows = product.rows.get(sizes), columns = product.columns.get(sizes),
           depth = product.depth.get(sizes);
    all.add(static_cast<int64_t>(rows), static_cast<int64_t>(columns),
            static_cast<int64_t>(depth), transposesLhs, transposesRhs);
    if (product.time > 0)
      addTensorFlops(product.batch.get(sizes), rows, columns, depth,
                     product.time, summary);
  }
  all.setInstruction(rowsStayTogether, summary);
  bool hasIterations = false;
  int64_t warps = all.countRowWarps(1);
  for (auto [number, loop] : llvm::enumerate(own.loops)) {
    if (loop.parent != kBody)
      continue;
    int64_t iterations = sizes[loopFactors[number]];
    hasIterations |= iterations > 1;
    // The lowering makes no loop of some.
    warps = std::max(warps, all.countRowWarps(iterations));
  }
  if (rowsStayTogether && !summary.fillsWarpgroups)
    summary.rowWarps = warps;
  summary.isChain = rowsStayTogether && !hasIterations;
}

/// Fills in what loops load again, at least. Stages of it have no bytes, so
/// that a block that keeps tiles has room for more than it has.
void LaunchBound::addReloads(ArrayRef<int64_t> sizes,
                             KernelSummary &summary) const {
  ReloadSummary &reloads = summary.reloads;
  for (const Access &access : reloaded)
    reloads.bytes += access.count.get(sizes) * access.elementBytes;
  for (const Access &access : kept)
    reloads.keptBytes +=
        access.count.get(sizes) * access.elementBytes / summary.blocks;
  reloads.skippedBytes = summary.skippedBytes;
  reloads.stageBytes = static_cast<double>(summary.stageBytes);
  reloads.iterations = summary.iterations;
  reloads.mayMiss = false;
}

int64_t LaunchBound::getBlocks(ArrayRef<int64_t> sizes) const {
  int64_t blocks = 1;
  for (unsigned factor : grid)
    blocks *= sizes[factor];
  return blocks;
}

/// Fills in how many iterations blocks of a cluster may share, of loops that
/// have several.
void LaunchBound::addSharedLoops(ArrayRef<int64_t> sizes,
                                 KernelSummary &summary) const {
  int64_t shared = 0;
  for (unsigned factor : loopFactors)
    if (sizes[factor] > 1)
      shared = std::gcd(shared, sizes[factor]);
  if (shared == 0)
    return;
  summary.sharedIterations = shared;
  llvm::SmallDenseSet<unsigned, 4> merging;
  for (auto [tile, loop] : accumulated) {
    if (sizes[loopFactors[loop]] == 1)
      continue;
    merging.insert(loop);
    summary.accumulatedBytes +=
        tiles[tile].elements.get(sizes) * tiles[tile].elementBytes;
  }
  summary.mergingLoops = merging.size();
}

double LaunchBound::getTraffic(ArrayRef<int64_t> sizes) const {
  double bytes = 0;
  for (const Access &access : reloaded)
    bytes -= access.count.get(sizes) * access.elementBytes;
  for (const std::vector<Access> *list : {&loaded, &stored})
    for (const Access &access : *list)
      bytes += access.count.get(sizes) * access.elementBytes;
  return bytes;
}

KernelSummary LaunchBound::get(ArrayRef<int64_t> sizes,
                               int64_t sharedMemory) const {
  KernelSummary summary;
  summary.isLaunch = summary.fillsRegisters = true;
  addMemory(sizes, summary);
  if (summary.plannedBytes > sharedMemory)
    return summary;
  // The graph has no grid dimensions of one block.
  unsigned dim = 0;
  for (unsigned factor : grid) {
    if (sizes[factor] > 1)
      summary.grid[dim++] = sizes[factor];
    summary.blocks *= sizes[factor];
  }
  summary.iterations = std::max<int64_t>(1, getIterations(sizes));
  if (areLoopsShared)
    addSharedLoops(sizes, summary);
  for (const Term &term : terms) {
    double count = term.count.get(sizes);
    for (auto [field, factor] : term.fields)
      summary.*field += count * factor;
  }
  addAccesses(sizes, summary);
  addProducts(sizes, summary);
  addReloads(sizes, summary);
  return summary;
}
