//===- Instantiate.cpp - Candidates with numbers --------------------------===//
//
// Builds the launches one after another, each from its loads to its stores.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/Instantiate.h"
#include "LaunchBuilder.h"
#include "Mirage/MuGraph/CloneMuGraph.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Kind = OperatorForm::Kind;

std::vector<FactorChoice>
mirage::search::getFactors(const Candidate &candidate) {
  std::vector<FactorChoice> factors;
  for (auto [number, launch] : llvm::enumerate(candidate.launches)) {
    auto add = [&, n = static_cast<unsigned>(number)](ArrayRef<uint8_t> axes,
                                                      bool isLoop) {
      for (auto [position, axis] : llvm::enumerate(axes))
        factors.push_back({n, isLoop, static_cast<unsigned>(position), axis});
    };
    add(launch.gridAxes, /*isLoop=*/false);
    add(launch.getLoopAxes(), /*isLoop=*/true);
  }
  return factors;
}

int64_t mirage::search::getAxisSize(const SearchProblem &problem,
                                    const Candidate &candidate,
                                    ArrayRef<LaunchSizes> sizes, uint8_t axis) {
  if (!problem.isSplitAxis(axis))
    return problem.getAxisSize(axis);
  uint8_t whole = problem.getSplitOf(axis);
  const LaunchGraph &first = candidate.launches.front();
  for (auto [dim, gridAxis] : llvm::enumerate(first.gridAxes))
    if (gridAxis == whole)
      return sizes.front().grid[dim];
  return 1;
}

ElementType mirage::search::getComputeType(const SearchProblem &problem) {
  bool isFloat64 =
      llvm::any_of(problem.getInputs(), [](const TensorInfo &input) {
        return input.type == ElementType::f64;
      });
  return isFloat64 ? ElementType::f64 : ElementType::f32;
}

/// Returns whether a grid axis divides the tile.
static bool isDivided(const SearchProblem &problem, ArrayRef<DimId> tile,
                      uint8_t axis) {
  return llvm::any_of(tile, [&](DimId id) {
    const AxisPart &part = problem.getParts(id).front();
    return part.axis == axis && part.removed.contains(kGrid);
  });
}

Dims mirage::search::getStoredDims(const SearchProblem &problem,
                                   const LaunchGraph &launch, uint8_t value) {
  ArrayRef<DimId> tile = launch.values[value].dims;
  Dims dims;
  for (DimId id : tile)
    dims.push_back(*problem.withRemoved(id, {}));
  for (uint8_t axis : launch.gridAxes)
    if (!isDivided(problem, tile, axis))
      dims.push_back(problem.getWholeAxis(problem.getSplitAxis(axis)));
  llvm::sort(dims);
  return dims;
}

/// Returns whether an axis comes before another one in tensors between
/// launches: as results have them, or else all values of the program. Inputs
/// may be stored in any order.
static bool isStoredBefore(const SearchProblem &problem, uint8_t axis,
                           uint8_t other) {
  for (const TensorInfo &result : problem.getResults()) {
    AxisList axes = flatten(result.layout);
    auto *first = llvm::find(axes, axis), *second = llvm::find(axes, other);
    if (first != axes.end() && second != axes.end())
      return first < second;
  }
  return problem.isBefore(axis, other) && !problem.isBefore(other, axis);
}

TensorLayout mirage::search::getStoredLayout(const SearchProblem &problem,
                                             ArrayRef<DimId> dims) {
  // Splits come first, and other axes as the program has them.
  AxisList splits, order;
  for (DimId dim : dims) {
    uint8_t axis = problem.getParts(dim).front().axis;
    if (problem.isSplitAxis(axis)) {
      splits.push_back(axis);
      continue;
    }
    auto *at = llvm::find_if(order, [&](uint8_t other) {
      return isStoredBefore(problem, axis, other);
    });
    order.insert(at, axis);
  }
  splits.append(order);
  // A tensor has at least one dimension.
  return splits.empty() ? TensorLayout(1) : getFlatLayout(splits);
}

llvm::SmallVector<MuValue> LaunchBuilder::getResults(size_t firstTensor) const {
  llvm::SmallVector<MuValue> results;
  for (uint8_t tensor : candidate.results)
    if (tensor >= firstTensor && tensor < tensors.size() &&
        !tensors[tensor].isStacked)
      results.push_back(tensors[tensor].value);
  return results;
}

MuGraph LaunchBuilder::finish(ArrayRef<MuValue> results) {
  if (!wasReordered) {
    graph.setResults(0, results);
    return std::move(graph);
  }
  // What was made anew in another order may be read in this one only. All that
  // launches store stays.
  llvm::SmallVector<MuValue> stored;
  for (const DeviceTensor &tensor : tensors)
    if (!tensor.isStacked)
      stored.push_back(tensor.value);
  graph.setResults(0, stored);
  MuGraph live = eraseDeadNodes(graph);
  ArrayRef<MuValue> kept = live.getRegion().results;
  live.setResults(0, llvm::map_to_vector(results, [&](MuValue result) {
                    return kept[llvm::find(stored, result) - stored.begin()];
                  }));
  return live;
}

MuGraph LaunchBuilder::run() {
  for (unsigned number = 0; number < candidate.launches.size(); ++number)
    buildLaunch(number);
  return finish(getResults(0));
}

MuGraph LaunchBuilder::runLaunch(unsigned number) {
  for (const LaunchGraph &before :
       ArrayRef(candidate.launches).take_front(number))
    for (uint8_t output : before.outputs)
      addArgument(
          getStoredLayout(problem, getStoredDims(problem, before, output)),
          computeType);
  size_t first = tensors.size();
  buildLaunch(number);
  return finish(getResults(first));
}

/// Casts a value where it is defined, so that no loop that reads it casts it
/// again in each iteration.
MuValue LaunchBuilder::cast(MuValue value, ElementType type) {
  if (graph.getValue(value).type == type)
    return value;
  auto [entry, isNew] = casts.try_emplace({value, type});
  if (isNew) {
    unsigned region = layouts.getRegion(value);
    OpAttributes attributes;
    attributes.resultType = type;
    entry->second =
        graph.addOperator(region, OpKind::Cast, attributes, {value}, type);
    layouts.setLike(entry->second, value, region);
  }
  return entry->second;
}

/// The extents of the launch's grid, without dimensions of one block: they
/// divide nothing, so that what differs only in them is one graph.
llvm::SmallVector<int64_t, 3> LaunchBuilder::getGrid() const {
  llvm::SmallVector<int64_t, 3> grid;
  llvm::copy_if(sizes[launch].grid, std::back_inserter(grid),
                [](int64_t extent) { return extent > 1; });
  // A grid has one dimension at least.
  if (grid.empty())
    grid.push_back(1);
  return grid;
}

/// The place among these of the dimension that an axis divides; nothing if it
/// has one block.
std::optional<unsigned> LaunchBuilder::findGridDim(uint8_t axis) const {
  ArrayRef<uint8_t> axes = candidate.launches[launch].gridAxes;
  ArrayRef<int64_t> extents = sizes[launch].grid;
  size_t place = llvm::find(axes, axis) - axes.begin();
  if (extents[place] == 1)
    return std::nullopt;
  return llvm::count_if(extents.take_front(place),
                        [](int64_t extent) { return extent > 1; });
}

MuValue LaunchBuilder::buildLoad(const LoadChoice &load) {
  const LaunchGraph &own = candidate.launches[launch];
  llvm::SmallVector<int64_t, 3> grid = getGrid(), imap(grid.size(), kReplica);
  // The loops around the load, from the outermost, as their numbers say.
  llvm::SmallVector<int64_t, 2> fmap, loops;
  llvm::SmallVector<uint8_t, 2> axes;
  for (unsigned loop : own.getLoopsAround(load.region)) {
    axes.push_back(own.loops[loop].axis);
    fmap.push_back(kReplica);
    loops.push_back(getLoopExtent(axes.back()));
  }
  const DeviceTensor &tensor = arguments.at(load.tensor);
  for (DimId id : load.dims) {
    const AxisPart &part = problem.getParts(id).front();
    if (part.removed.empty())
      continue;
    int64_t dim = *findOutermost(tensor.layout, part.axis);
    if (part.removed.contains(kGrid))
      if (std::optional<unsigned> at = findGridDim(part.axis))
        imap[*at] = dim;
    if (part.removed.contains(kLoop))
      fmap[llvm::find(axes, part.axis) - axes.begin()] = dim;
  }
  MuValue tile = graph.addLoad(getRegion(load.region), tensor.value, imap, grid,
                               fmap, loops);
  layouts.set(tile, tensor.layout, load.dims, getRegion(load.region));
  return tile;
}

/// The result of the program that iterations store tile by tile, if a value is
/// one: it puts tiles together, and no operator reads it.
std::optional<unsigned>
LaunchBuilder::findStoredByIterations(unsigned number) const {
  const LaunchGraph &own = candidate.launches[launch];
  if (launch + 1 != candidate.launches.size() || candidate.isPartial ||
      number < own.loads.size() ||
      problem.getForm(own.operators[number - own.loads.size()].formId).kind !=
          Kind::AccumulateConcat)
    return std::nullopt;
  bool isRead = llvm::any_of(own.operators, [&](const BlockOperator &op) {
    return llvm::is_contained(
        op.getOperands(problem.getForm(op.formId).getNumOperands()), number);
  });
  const auto *output = llvm::find(own.outputs, number);
  if (isRead || llvm::count(own.outputs, number) != 1 ||
      findStacked(output - own.outputs.begin()))
    return std::nullopt;
  return output - own.outputs.begin();
}

/// The layout in which a result is stored: what the grid divides, or the loop
/// whose iterations store it, is the outermost axis of a dimension.
TensorLayout LaunchBuilder::getResultLayout(unsigned result) const {
  const LaunchGraph &own = candidate.launches[launch];
  AxisList cut(own.gridAxes.begin(), own.gridAxes.end());
  unsigned number = own.outputs[result];
  if (findStoredByIterations(number)) {
    const BlockOperator &op = own.operators[number - own.loads.size()];
    RegionId region = own.values[op.first].phase.region;
    cut.push_back(own.loops[region.getLoop()].axis);
  }
  return getCutLayout(problem.getResults()[result].layout, cut);
}

/// The layout of an accumulator's operand. Only the outermost axis of a
/// dimension can be concatenated.
TensorLayout LaunchBuilder::getAccumulatedLayout(unsigned number) const {
  const LaunchGraph &own = candidate.launches[launch];
  const BlockOperator &op = own.operators[number - own.loads.size()];
  if (std::optional<unsigned> result = findStoredByIterations(number))
    return getResultLayout(*result);
  const TensorLayout &layout = layouts.get(values[op.first]);
  uint8_t axis = own.loops[own.values[op.first].phase.region.getLoop()].axis;
  if (problem.getForm(op.formId).kind != Kind::AccumulateConcat ||
      findOutermost(layout, axis))
    return layout;
  return getFlatLayout(flatten(layout));
}

MuValue LaunchBuilder::buildAccumulator(const BlockOperator &op,
                                        unsigned number) {
  const OperatorForm &form = problem.getForm(op.formId);
  const LaunchGraph &own = candidate.launches[launch];
  RegionId region = own.values[op.first].phase.region;
  uint8_t axis = own.loops[region.getLoop()].axis;
  TensorLayout layout = getAccumulatedLayout(number);
  MuValue operand = arrangeNumber(op.first, layout);
  AccumulateKind kind = AccumulateKind::Sum;
  std::optional<MuValue> shift;
  unsigned dim = 0;
  if (form.kind == Kind::AccumulatePlainMax) {
    kind = AccumulateKind::Max;
    operand = cast(operand, computeType);
  } else if (form.kind == Kind::AccumulateMax) {
    kind = AccumulateKind::Max;
  } else if (form.kind == Kind::AccumulateConcat) {
    kind = AccumulateKind::Concat;
    dim = *findOutermost(layout, axis);
    if (std::optional<unsigned> result = findStoredByIterations(number))
      operand = cast(operand, problem.getResults()[*result].type);
  } else {
    operand = cast(operand, computeType);
    // A sum is rescaled if the loop changes the maximum.
    Shift max = own.values[op.first].shift;
    if (max && own.values[max.getValue()].phase.region == region) {
      kind = AccumulateKind::RescaledSum;
      AxisList axes = getAxes(own.values[max.getValue()].dims);
      auto wanted = restrict(layout, axes);
      if (!wanted) {
        layout = getFlatLayout(flatten(layout));
        operand = arrange(operand, layout);
        wanted = restrict(layout, axes);
      }
      shift = arrange(values[max.getValue()], *wanted);
    }
  }
  MuValue result = graph.addAccumulate(getRegion(region), kind, operand,
                                       getLoopExtent(axis), shift, dim);
  layouts.set(result, layout, own.values[number].dims, getRegion(region));
  return result;
}

/// The concat_matmul that replaces a value, if one does. No other operator
/// reads a value that is replaced.
const JoinedSum *LaunchBuilder::findReplacing(unsigned number) const {
  for (const JoinedSum &joined : joinedSums)
    if (number == joined.sum || llvm::is_contained(joined.products, number) ||
        (joined.accumulators &&
         llvm::is_contained(*joined.accumulators, number)))
      return &joined;
  return nullptr;
}

/// Stores a value in a tensor of this layout.
MuValue LaunchBuilder::store(uint8_t number, const TensorLayout &layout,
                             ElementType type) {
  const LaunchGraph &own = candidate.launches[launch];
  const Dims &tile = own.values[number].dims;
  // The omap says which dimension each grid dimension selects.
  llvm::SmallVector<int64_t, 3> omap;
  AxisList splits;
  for (uint8_t axis : own.gridAxes) {
    uint8_t stored = axis;
    if (!isDivided(problem, tile, axis))
      splits.push_back(stored = problem.getSplitAxis(axis));
    if (findGridDim(axis))
      omap.push_back(*findOutermost(layout, stored));
  }
  // A grid of one block has one dimension, too.
  if (omap.empty())
    omap.push_back(kReplica);
  // The tile has one element along splits.
  TensorLayout tileLayout = layout;
  for (auto &dim : tileLayout)
    llvm::erase_if(
        dim, [&](uint8_t axis) { return llvm::is_contained(splits, axis); });
  MuValue value = cast(arrangeNumber(number, tileLayout), type);
  return graph.addStore(body, value, omap, getGrid());
}

/// The results that are stored together with this one; null if it is stored
/// alone.
const StackedResults *LaunchBuilder::findStacked(unsigned result) const {
  for (const StackedResults &stacked : problem.getStackedResults())
    if (result >= stacked.first && result < stacked.first + stacked.count)
      return &stacked;
  return nullptr;
}

/// Stores results in one tensor, which has a dimension with a place for each.
MuValue LaunchBuilder::storeStacked(const StackedResults &stacked) {
  const LaunchGraph &own = candidate.launches[launch];
  const TensorInfo &first = problem.getResults()[stacked.first];
  TensorLayout layout = getFlatLayout(flatten(first.layout));
  llvm::SmallVector<MuValue> parts;
  for (uint8_t output :
       ArrayRef(own.outputs).slice(stacked.first, stacked.count)) {
    MuValue part = cast(arrangeNumber(output, layout), first.type);
    OpAttributes reshape;
    reshape.resultShape = Shape(graph.getShape(part));
    reshape.resultShape.insert(reshape.resultShape.begin() + stacked.place, 1);
    parts.push_back(
        graph.addOperator(body, OpKind::Reshape, reshape, {part}, first.type));
  }
  OpAttributes concat;
  concat.dim = stacked.place;
  MuValue tile =
      graph.addOperator(body, OpKind::Concat, concat, parts, first.type);
  llvm::SmallVector<int64_t, 3> omap;
  for (uint8_t axis : own.gridAxes) {
    if (!findGridDim(axis))
      continue;
    unsigned dim = *findOutermost(layout, axis);
    omap.push_back(dim < stacked.place ? dim : dim + 1);
  }
  if (omap.empty())
    omap.push_back(kReplica);
  return graph.addStore(body, tile, omap, getGrid());
}

/// Stores what the launch that is being built leaves, and adds the launch with
/// these operands.
void LaunchBuilder::buildStores(ArrayRef<MuValue> operands) {
  const LaunchGraph &own = candidate.launches[launch];
  bool isLast = launch + 1 == candidate.launches.size() && !candidate.isPartial;
  llvm::SmallVector<MuValue> stored;
  llvm::SmallVector<DeviceTensor> outputs;
  for (auto [position, output] : llvm::enumerate(own.outputs)) {
    const StackedResults *stacked = isLast ? findStacked(position) : nullptr;
    if (stacked) {
      bool isFirst = position == stacked->first;
      if (isFirst)
        stored.push_back(storeStacked(*stacked));
      outputs.push_back({stored.back(), {}, !isFirst});
      continue;
    }
    TensorLayout layout = getStoredLayout(problem,
                                          getStoredDims(problem, own, output)),
                 cut = layout;
    ElementType type = computeType;
    if (isLast) {
      type = problem.getResults()[position].type;
      layout = problem.getResults()[position].layout;
      cut = getResultLayout(position);
    }
    stored.push_back(store(output, cut, type));
    outputs.push_back({stored.back(), layout});
  }
  graph.setResults(body, stored);
  llvm::SmallVector<MuValue> results(
      graph.addGraph(0, operands, getGrid(), body));
  ArrayRef<MuValue> left = results;
  for (DeviceTensor &output : outputs) {
    if (!output.isStacked) {
      output.value = left.front();
      left = left.drop_front();
      // A tensor of several results has their layout and one dimension more.
      if (!output.layout.empty())
        output.value = reshapeTensor(output.value, output.layout);
    }
    tensors.push_back(output);
  }
}

/// Builds the operators of a region after so many of its loops. Accumulators
/// are built with the loops that they leave.
void LaunchBuilder::buildStep(Phase phase) {
  const LaunchGraph &own = candidate.launches[launch];
  for (auto [position, op] : llvm::enumerate(own.operators)) {
    unsigned value = own.loads.size() + position;
    if (problem.getForm(op.formId).isAccumulator() ||
        own.values[value].phase != phase)
      continue;
    const JoinedSum *joined = findReplacing(value);
    if (!joined)
      values[value] = buildOperator(op, value);
    else if (value == joined->sum && !joined->accumulators)
      values[value] = buildJoined(*joined);
  }
}

/// Builds a loop, and sets the values that are its results.
void LaunchBuilder::buildLoop(unsigned number) {
  const LaunchGraph &own = candidate.launches[launch];
  const LoopChoice &loop = own.loops[number];
  RegionId body = RegionId::ofLoop(number);
  buildRegion(body);
  llvm::SmallVector<unsigned> accumulated;
  llvm::SmallVector<MuValue> accumulators;
  for (auto [position, op] : llvm::enumerate(own.operators)) {
    unsigned value = own.loads.size() + position;
    if (!problem.getForm(op.formId).isAccumulator() ||
        own.values[op.first].phase.region != body)
      continue;
    if (const JoinedSum *joined = findReplacing(value)) {
      // Two products have one accumulator, whose result is the sum.
      if (value != *llvm::max_element(*joined->accumulators))
        continue;
      accumulated.push_back(joined->sum);
      MuValue product = buildJoined(*joined);
      accumulators.push_back(graph.addAccumulate(getRegion(body),
                                                 AccumulateKind::Sum, product,
                                                 getLoopExtent(loop.axis)));
      layouts.setLike(accumulators.back(), product, getRegion(body));
      continue;
    }
    accumulated.push_back(value);
    accumulators.push_back(buildAccumulator(op, value));
  }
  graph.setResults(getRegion(body), accumulators);
  for (auto [value, result, accumulator] :
       llvm::zip(accumulated,
                 graph.addLoop(getRegion(loop.parent), getLoopExtent(loop.axis),
                               getRegion(body)),
                 accumulators)) {
    values[value] = result;
    layouts.set(result, layouts.get(accumulator), own.values[value].dims,
                getRegion(loop.parent));
  }
}

/// Builds all of a region: its loads, then its loops with the operators before,
/// between and behind them.
void LaunchBuilder::buildRegion(RegionId region) {
  const LaunchGraph &own = candidate.launches[launch];
  for (auto [position, load] : llvm::enumerate(own.loads))
    if (load.region == region)
      values[position] = buildLoad(load);
  Phase phase{region, 0};
  buildStep(phase);
  for (auto [number, loop] : llvm::enumerate(own.loops)) {
    if (loop.parent != region)
      continue;
    buildLoop(number);
    ++phase.step;
    buildStep(phase);
  }
}

void LaunchBuilder::buildLaunch(unsigned number) {
  launch = number;
  const LaunchGraph &own = candidate.launches[number];
  values.assign(own.values.size(), 0);
  arguments.clear();
  casts.clear();
  reordered.clear();
  findMadeOfLoads();
  joinedSums.clear();
  if (candidate.joinsProducts)
    joinedSums = findJoinedSums(problem, own);
  body = graph.addRegion();
  regions = {body};
  for (size_t loop = 0; loop < own.loops.size(); ++loop)
    regions.push_back(graph.addRegion());
  llvm::SmallVector<MuValue> operands;
  for (const LoadChoice &load : own.loads) {
    if (arguments.count(load.tensor))
      continue;
    AxisList cut;
    for (const LoadChoice &other : own.loads)
      for (DimId dim : other.dims)
        if (other.tensor == load.tensor && !problem.getRemoved(dim).empty())
          cut.push_back(problem.getParts(dim).front().axis);
    const DeviceTensor &tensor = tensors[load.tensor];
    TensorLayout layout = getCutLayout(tensor.layout, cut);
    operands.push_back(reshapeTensor(tensor.value, layout));
    arguments[load.tensor] = {
        graph.addArgument(body, Shape(graph.getShape(operands.back())),
                          graph.getValue(tensor.value).type),
        layout};
  }
  buildRegion(kBody);
  buildStores(operands);
}

MuGraph mirage::search::instantiate(const SearchProblem &problem,
                                    const Candidate &candidate,
                                    ArrayRef<LaunchSizes> sizes) {
  return LaunchBuilder(problem, candidate, sizes).run();
}

MuGraph mirage::search::instantiateLaunch(const SearchProblem &problem,
                                          const Candidate &candidate,
                                          ArrayRef<LaunchSizes> sizes,
                                          unsigned launch) {
  return LaunchBuilder(problem, candidate, sizes).runLaunch(launch);
}
