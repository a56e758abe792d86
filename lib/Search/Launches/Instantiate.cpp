//===- Instantiate.cpp - Candidates with numbers --------------------------===//
//
// Builds the launches one after another, each from its loads to its stores.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/MuGraph/FiniteShift.h"
#include "Mirage/Search/Launches/JoinedProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <map>

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

/// The dimension of the tile that a grid axis divides, if there is one.
static std::optional<unsigned> findDivided(const SearchProblem &problem,
                                           ArrayRef<DimId> tile, uint8_t axis) {
  for (auto [dim, id] : llvm::enumerate(tile))
    if ((problem.getRemoved(id) & kGrid) &&
        problem.getParts(id).front().axis == axis)
      return dim;
  return std::nullopt;
}

Dims mirage::search::getStoredDims(const SearchProblem &problem,
                                   const LaunchGraph &launch, uint8_t value) {
  ArrayRef<DimId> tile = launch.values[value].dims;
  // Splits come first.
  Dims dims;
  for (uint8_t axis : launch.gridAxes)
    if (!findDivided(problem, tile, axis))
      dims.push_back(problem.getWholeAxis(problem.getSplitAxis(axis)));
  for (DimId id : tile)
    dims.push_back(*problem.withRemoved(id, 0));
  return dims;
}

namespace {

/// A tensor in device memory.
struct DeviceTensor {
  MuValue value;
  Dims dims;
};

class Builder {
public:
  Builder(const SearchProblem &problem, const Candidate &candidate,
          ArrayRef<LaunchSizes> sizes)
      : problem(problem), candidate(candidate), sizes(sizes),
        computeType(getComputeType(problem)) {
    for (const TensorInfo &input : problem.getInputs())
      addArgument(input.dims, input.type);
  }

  MuGraph run() {
    for (unsigned number = 0; number < candidate.launches.size(); ++number)
      buildLaunch(number);
    graph.setResults(0, llvm::map_to_vector(candidate.results, [&](uint8_t t) {
                       return tensors[t].value;
                     }));
    return std::move(graph);
  }

  MuGraph runLaunch(unsigned number) {
    for (const LaunchGraph &before :
         ArrayRef(candidate.launches).take_front(number))
      for (uint8_t output : before.outputs)
        addArgument(getStoredDims(problem, before, output), computeType);
    size_t first = tensors.size();
    buildLaunch(number);
    llvm::SmallVector<MuValue, 2> results;
    for (uint8_t tensor : candidate.results)
      if (tensor >= first && tensor < tensors.size())
        results.push_back(tensors[tensor].value);
    graph.setResults(0, results);
    return std::move(graph);
  }

private:
  void addArgument(const Dims &dims, ElementType type) {
    tensors.push_back({graph.addArgument(0, getShape(dims), type), dims});
  }
  int64_t getPartSize(const AxisPart &part) const {
    int64_t size = getAxisSize(problem, candidate, sizes, part.axis);
    const LaunchGraph &own = candidate.launches[launch];
    if (part.removed & kGrid)
      for (auto [dim, axis] : llvm::enumerate(own.gridAxes))
        if (axis == part.axis)
          size /= sizes[launch].grid[dim];
    if (part.removed & kLoop)
      size /= getLoopExtent(part.axis);
    return size;
  }
  /// Returns whether a dimension of a tile has only some of an axis' elements.
  /// The elements of a split are parts themselves.
  bool isPartial(DimId dim) const {
    return llvm::any_of(problem.getParts(dim), [&](const AxisPart &part) {
      return !problem.isSplitAxis(part.axis) &&
             getPartSize(part) < problem.getAxisSize(part.axis);
    });
  }
  int64_t getLoopExtent(uint8_t axis) const {
    llvm::SmallVector<uint8_t, 2> axes =
        candidate.launches[launch].getLoopAxes();
    return sizes[launch].loops[llvm::find(axes, axis) - axes.begin()];
  }
  Shape getShape(ArrayRef<DimId> dims) const {
    Shape shape;
    for (DimId dim : dims) {
      int64_t size = 1;
      for (const AxisPart &part : problem.getParts(dim))
        size *= getPartSize(part);
      shape.push_back(size);
    }
    return shape;
  }

  void buildLaunch(unsigned number);
  void buildRegion(RegionId region);
  void buildStep(Phase phase);
  void buildLoop(unsigned number);
  MuValue buildLoad(const LoadChoice &load);
  MuValue buildConstant(double number, size_t rank, unsigned region);
  llvm::SmallVector<MuValue, 2> buildOperands(const BlockOperator &op,
                                              size_t rank, unsigned region);
  MuValue buildOperator(const BlockOperator &op, unsigned number);
  MuValue buildAccumulator(const BlockOperator &op);
  MuValue buildJoined(const JoinedSum &joined);
  const JoinedSum *findReplacing(unsigned number) const;
  MuValue cast(MuValue value, ElementType type, unsigned region);
  MuValue store(uint8_t number, std::optional<ElementType> type);

  const SearchProblem &problem;
  const Candidate &candidate;
  ArrayRef<LaunchSizes> sizes;
  ElementType computeType;
  MuGraph graph;
  std::vector<DeviceTensor> tensors;

  /// The launch that is being built, and its body.
  unsigned launch = 0;
  unsigned body = 0;
  /// Numbers of the launch's regions in the µGraph.
  llvm::SmallVector<unsigned, 4> regions;
  llvm::SmallVector<MuValue> values;
  std::map<uint8_t, MuValue> arguments;
  std::map<std::tuple<MuValue, ElementType, unsigned>, MuValue> casts;
  llvm::SmallVector<JoinedSum, 1> joinedSums;
};

} // namespace

MuValue Builder::cast(MuValue value, ElementType type, unsigned region) {
  if (graph.getValue(value).type == type)
    return value;
  auto [entry, isNew] = casts.try_emplace({value, type, region});
  if (isNew) {
    OpAttributes attributes;
    attributes.resultType = type;
    entry->second =
        graph.addOperator(region, OpKind::Cast, attributes, {value}, type);
  }
  return entry->second;
}

MuValue Builder::buildLoad(const LoadChoice &load) {
  const LaunchGraph &own = candidate.launches[launch];
  llvm::SmallVector<int64_t, 3> imap(sizes[launch].grid.size(), kReplica);
  // The loops around the load, from the outermost, as their numbers say.
  llvm::SmallVector<int64_t, 2> fmap, loops;
  llvm::SmallVector<uint8_t, 2> axes;
  for (unsigned loop : own.getLoopsAround(load.region)) {
    axes.push_back(own.loops[loop].axis);
    fmap.push_back(kReplica);
    loops.push_back(getLoopExtent(axes.back()));
  }
  for (auto [dim, id] : llvm::enumerate(load.dims)) {
    uint8_t removed = problem.getRemoved(id);
    if (removed & kGrid) {
      auto *at = llvm::find(own.gridAxes, problem.getParts(id).front().axis);
      imap[at - own.gridAxes.begin()] = static_cast<int64_t>(dim);
    }
    if (removed & kLoop)
      fmap[llvm::find(axes, problem.getParts(id).front().axis) - axes.begin()] =
          static_cast<int64_t>(dim);
  }
  return graph.addLoad(regions[load.region], arguments[load.tensor], imap,
                       sizes[launch].grid, fmap, loops);
}

MuValue Builder::buildAccumulator(const BlockOperator &op) {
  const OperatorForm &form = problem.getForm(op.form);
  const LaunchGraph &own = candidate.launches[launch];
  RegionId region = own.values[op.first].phase.region;
  MuValue operand = values[op.first];
  AccumulateKind kind = AccumulateKind::Sum;
  std::optional<MuValue> shift;
  if (form.kind == Kind::AccumulatePlainMax) {
    kind = AccumulateKind::Max;
    operand = cast(operand, computeType, regions[region]);
  } else if (form.kind == Kind::AccumulateMax) {
    kind = AccumulateKind::Max;
  } else if (form.kind == Kind::AccumulateConcat) {
    kind = AccumulateKind::Concat;
  } else {
    operand = cast(operand, computeType, regions[region]);
    // A sum is rescaled if the loop changes the maximum.
    Shift max = own.values[op.first].shift;
    if (max && own.values[max.getValue()].phase.region == region) {
      kind = AccumulateKind::RescaledSum;
      shift = values[max.getValue()];
    }
  }
  return graph.addAccumulate(regions[region], kind, operand,
                             getLoopExtent(own.loops[region - 1].axis), shift,
                             op.dim);
}

MuValue Builder::buildJoined(const JoinedSum &joined) {
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = regions[own.values[joined.products[0]].phase.region];
  llvm::SmallVector<MuValue, 4> operands;
  for (bool right : {false, true})
    for (unsigned product : joined.products) {
      const BlockOperator &op = own.operators[product - own.loads.size()];
      operands.push_back(cast(values[right ? op.second : op.first],
                              problem.getProductType(), region));
    }
  return graph.addOperator(region, OpKind::ConcatMatmul, {}, operands,
                           computeType);
}

/// The concat_matmul that replaces a value, if one does. No other operator
/// reads a value that is replaced.
const JoinedSum *Builder::findReplacing(unsigned number) const {
  for (const JoinedSum &joined : joinedSums)
    if (number == joined.sum || llvm::is_contained(joined.products, number) ||
        (joined.accumulators &&
         llvm::is_contained(*joined.accumulators, number)))
      return &joined;
  return nullptr;
}

/// An operand that is the same number everywhere, of the rank of the result.
MuValue Builder::buildConstant(double number, size_t rank, unsigned region) {
  OpAttributes attributes;
  attributes.resultShape.assign(rank, 1);
  attributes.values = std::make_shared<const std::vector<double>>(1, number);
  return graph.addOperator(region, OpKind::Constant, attributes, {},
                           computeType);
}

/// The operands of an operator in the types in which it computes.
llvm::SmallVector<MuValue, 2>
Builder::buildOperands(const BlockOperator &op, size_t rank, unsigned region) {
  const OperatorForm &form = problem.getForm(op.form);
  llvm::SmallVector<MuValue, 2> operands;
  for (uint8_t operand : op.getOperands(form.getNumOperands()))
    operands.push_back(values[operand]);
  if (form.kind == Kind::Transpose || form.kind == Kind::Reshape)
    return operands;
  ElementType type =
      form.kind == Kind::Matmul ? problem.getProductType() : computeType;
  for (MuValue &operand : operands)
    operand = cast(operand, type, region);
  for (auto [position, number] : form.constants)
    operands.insert(operands.begin() + position,
                    buildConstant(number, rank, region));
  return operands;
}

MuValue Builder::buildOperator(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForm(op.form);
  const LaunchGraph::Value &value = candidate.launches[launch].values[number];
  unsigned region = regions[value.phase.region];
  llvm::SmallVector<MuValue, 2> operands =
      buildOperands(op, value.dims.size(), region);
  OpAttributes attributes = form.attributes;
  ElementType type = computeType;
  switch (form.kind) {
  case Kind::Matmul:
    attributes.tf32 = false;
    break;
  case Kind::Transpose:
    type = graph.getValue(operands[0]).type;
    break;
  case Kind::Reshape:
    type = graph.getValue(operands[0]).type;
    attributes.resultShape = getShape(value.dims);
    break;
  case Kind::Composite:
    attributes.dim = op.dim;
    break;
  case Kind::ReduceSum:
    attributes.dim = op.dim;
    attributes.reduceKind = ReduceKind::Sum;
    break;
  case Kind::ReduceMax:
  case Kind::ReducePlainMax:
    attributes.dim = op.dim;
    attributes.reduceKind = ReduceKind::Max;
    break;
  default:
    break;
  }
  MuValue result =
      graph.addOperator(region, form.op, attributes, operands, type);
  const Dims &reduced = candidate.launches[launch].values[op.first].dims;
  if (form.kind == Kind::ReduceMax && isPartial(reduced[op.dim]))
    return addFiniteShift(graph, region, result);
  return result;
}

MuValue Builder::store(uint8_t number, std::optional<ElementType> type) {
  const LaunchGraph &own = candidate.launches[launch];
  MuValue value = cast(values[number], type.value_or(computeType), body);
  ArrayRef<DimId> tile = own.values[number].dims;
  // The omap says which dimension each grid dimension selects. Splits come
  // first.
  llvm::SmallVector<int64_t, 3> omap;
  unsigned splits = 0;
  for (uint8_t axis : own.gridAxes) {
    std::optional<unsigned> dim = findDivided(problem, tile, axis);
    splits += !dim;
    omap.push_back(dim ? int64_t{*dim} : kMissing);
  }
  unsigned next = 0;
  for (int64_t &entry : omap)
    entry = entry == kMissing ? next++ : entry + splits;
  // A launch without grid axes has a grid of one block.
  if (omap.empty())
    omap.push_back(kReplica);
  if (splits) {
    OpAttributes attributes;
    attributes.resultShape.assign(splits, 1);
    attributes.resultShape.append(Shape(graph.getShape(value)));
    value = graph.addOperator(body, OpKind::Reshape, attributes, {value},
                              graph.getValue(value).type);
  }
  return graph.addStore(body, value, omap, sizes[launch].grid);
}

/// Builds the operators of a region after so many of its loops. Accumulators
/// are built with the loops that they leave.
void Builder::buildStep(Phase phase) {
  const LaunchGraph &own = candidate.launches[launch];
  for (auto [position, op] : llvm::enumerate(own.operators)) {
    unsigned value = own.loads.size() + position;
    if (problem.getForm(op.form).isAccumulator() ||
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
void Builder::buildLoop(unsigned number) {
  const LaunchGraph &own = candidate.launches[launch];
  const LoopChoice &loop = own.loops[number];
  auto body = static_cast<RegionId>(number + 1);
  buildRegion(body);
  llvm::SmallVector<unsigned> accumulated;
  llvm::SmallVector<MuValue> accumulators;
  for (auto [position, op] : llvm::enumerate(own.operators)) {
    unsigned value = own.loads.size() + position;
    if (!problem.getForm(op.form).isAccumulator() ||
        own.values[op.first].phase.region != body)
      continue;
    if (const JoinedSum *joined = findReplacing(value)) {
      // Two products have one accumulator, whose result is the sum.
      if (value != *llvm::max_element(*joined->accumulators))
        continue;
      accumulated.push_back(joined->sum);
      accumulators.push_back(
          graph.addAccumulate(regions[body], AccumulateKind::Sum,
                              buildJoined(*joined), getLoopExtent(loop.axis)));
      continue;
    }
    accumulated.push_back(value);
    accumulators.push_back(buildAccumulator(op));
  }
  graph.setResults(regions[body], accumulators);
  for (auto [value, result] : llvm::zip(
           accumulated, graph.addLoop(regions[loop.parent],
                                      getLoopExtent(loop.axis), regions[body])))
    values[value] = result;
}

/// Builds all of a region: its loads, then its loops with the operators before,
/// between and behind them.
void Builder::buildRegion(RegionId region) {
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

void Builder::buildLaunch(unsigned number) {
  launch = number;
  const LaunchGraph &own = candidate.launches[number];
  values.assign(own.values.size(), 0);
  arguments.clear();
  casts.clear();
  joinedSums.clear();
  if (candidate.joinsProducts)
    joinedSums = findJoinedSums(problem, own);
  body = graph.addRegion();
  regions = {body};
  for (size_t loop = 0; loop < own.loops.size(); ++loop)
    regions.push_back(graph.addRegion());
  llvm::SmallVector<MuValue> operands;
  for (const LoadChoice &load : own.loads)
    if (!arguments.count(load.tensor)) {
      MuValue tensor = tensors[load.tensor].value;
      arguments[load.tensor] = graph.addArgument(
          body, Shape(graph.getShape(tensor)), graph.getValue(tensor).type);
      operands.push_back(tensor);
    }
  buildRegion(kBody);
  bool isLast = number + 1 == candidate.launches.size() && !candidate.isPartial;
  llvm::SmallVector<MuValue> stored;
  for (auto [position, output] : llvm::enumerate(own.outputs)) {
    std::optional<ElementType> type;
    if (isLast)
      type = problem.getResults()[position].type;
    stored.push_back(store(output, type));
  }
  graph.setResults(body, stored);
  for (auto [result, output] : llvm::zip(
           graph.addGraph(0, operands, sizes[number].grid, body), own.outputs))
    tensors.push_back({result, getStoredDims(problem, own, output)});
}

MuGraph mirage::search::instantiate(const SearchProblem &problem,
                                    const Candidate &candidate,
                                    ArrayRef<LaunchSizes> sizes) {
  return Builder(problem, candidate, sizes).run();
}

MuGraph mirage::search::instantiateLaunch(const SearchProblem &problem,
                                          const Candidate &candidate,
                                          ArrayRef<LaunchSizes> sizes,
                                          unsigned launch) {
  return Builder(problem, candidate, sizes).runLaunch(launch);
}
