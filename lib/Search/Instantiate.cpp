//===- Instantiate.cpp - Candidates with numbers --------------------------===//
//
// Builds the launches one after another, each from its loads to its stores.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Instantiate.h"
#include "JoinedProducts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <map>

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Form = OperatorForm::Form;

std::vector<FactorChoice>
mirage::search::getFactors(const Candidate &candidate) {
  std::vector<FactorChoice> factors;
  for (auto [number, launch] : llvm::enumerate(candidate.launches)) {
    for (auto [dim, axis] : llvm::enumerate(launch.gridAxes))
      factors.push_back(
          {static_cast<unsigned>(number), static_cast<unsigned>(dim), axis});
    if (launch.loopAxis)
      factors.push_back(
          {static_cast<unsigned>(number), std::nullopt, *launch.loopAxis});
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

static bool isFloat64(ElementType type) { return type == ElementType::f64; }

namespace {

/// Tensors in device memory with their dimensions.
struct DeviceTensor {
  MuValue value;
  Dims dims;
};

class Builder {
public:
  Builder(const SearchProblem &problem, const Candidate &candidate,
          ArrayRef<LaunchSizes> sizes)
      : problem(problem), candidate(candidate), sizes(sizes) {
    for (const TensorInfo &input : problem.getInputs())
      if (isFloat64(input.type))
        computeType = ElementType::f64;
  }

  MuGraph run() {
    for (const TensorInfo &input : problem.getInputs())
      tensors.push_back(
          {graph.addArgument(0, getShape(input.dims), input.type), input.dims});
    for (unsigned number = 0; number < candidate.launches.size(); ++number)
      buildLaunch(number);
    graph.setResults(0, llvm::map_to_vector(candidate.results, [&](uint8_t t) {
                       return tensors[t].value;
                     }));
    return std::move(graph);
  }

private:
  int64_t getPartSize(const AxisPart &part) const {
    int64_t size = getAxisSize(problem, candidate, sizes, part.axis);
    const LaunchGraph &own = candidate.launches[launch];
    if (part.removed & kGrid)
      for (auto [dim, axis] : llvm::enumerate(own.gridAxes))
        if (axis == part.axis)
          size /= sizes[launch].grid[dim];
    if (part.removed & kLoop)
      size /= sizes[launch].loop;
    return size;
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
  MuValue buildLoad(const LoadChoice &load, unsigned region);
  MuValue buildOperator(const BlockOperator &op, unsigned number);
  void buildAccumulator(const BlockOperator &op, unsigned number);
  MuValue buildJoined(const JoinedSum &joined);
  bool buildIfJoined(unsigned number);
  MuValue cast(MuValue value, ElementType type, unsigned region);
  MuValue store(uint8_t number, std::optional<ElementType> type, Dims &dims);

  const SearchProblem &problem;
  const Candidate &candidate;
  ArrayRef<LaunchSizes> sizes;
  ElementType computeType = ElementType::f32;
  MuGraph graph;
  std::vector<DeviceTensor> tensors;

  // The launch being built.
  unsigned launch = 0;
  unsigned body = 0, loop = 0;
  llvm::SmallVector<MuValue> values;
  std::map<uint8_t, MuValue> arguments;
  std::map<std::tuple<MuValue, ElementType, unsigned>, MuValue> casts;
  llvm::SmallVector<MuValue> accumulators;
  llvm::SmallVector<uint8_t> accumulated;
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

MuValue Builder::buildLoad(const LoadChoice &load, unsigned region) {
  const LaunchGraph &own = candidate.launches[launch];
  llvm::SmallVector<int64_t, 3> imap(sizes[launch].grid.size(), kReplica);
  llvm::SmallVector<int64_t, 1> fmap, loops;
  if (region == loop && own.loopAxis) {
    fmap.push_back(kReplica);
    loops.push_back(sizes[launch].loop);
  }
  for (auto [dim, id] : llvm::enumerate(load.dims)) {
    uint8_t removed = problem.getRemoved(id);
    if (removed & kGrid) {
      auto *at = llvm::find(own.gridAxes, problem.getParts(id).front().axis);
      imap[at - own.gridAxes.begin()] = static_cast<int64_t>(dim);
    }
    if (removed & kLoop)
      fmap.front() = static_cast<int64_t>(dim);
  }
  return graph.addLoad(region, arguments[load.tensor], imap, sizes[launch].grid,
                       fmap, loops);
}

void Builder::buildAccumulator(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForms()[op.form];
  const LaunchGraph &own = candidate.launches[launch];
  MuValue operand = values[op.first];
  AccumulateKind kind = AccumulateKind::Sum;
  std::optional<MuValue> shift;
  if (form.form == Form::AccumulateMax) {
    kind = AccumulateKind::Max;
  } else if (form.form == Form::AccumulateConcat) {
    kind = AccumulateKind::Concat;
  } else {
    operand = cast(operand, computeType, loop);
    if (std::optional<uint8_t> max = own.values[op.first].shift) {
      kind = AccumulateKind::RescaledSum;
      shift = values[*max];
    }
  }
  accumulators.push_back(graph.addAccumulate(
      loop, kind, operand, sizes[launch].loop, shift, op.dim));
  accumulated.push_back(number);
}

MuValue Builder::buildJoined(const JoinedSum &joined) {
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = own.values[joined.products[0]].isInLoop ? loop : body;
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

/// Whether the value is one that a concat_matmul replaces. That is built where
/// the last of them is, which is the sum or its second accumulator; what has
/// no value of its own then is read by no other operator.
bool Builder::buildIfJoined(unsigned number) {
  for (const JoinedSum &joined : joinedSums) {
    if (llvm::is_contained(joined.products, number))
      return true;
    if (!joined.accumulators) {
      if (number != joined.sum)
        continue;
      values[number] = buildJoined(joined);
      return true;
    }
    if (number == joined.sum)
      return true;
    if (!llvm::is_contained(*joined.accumulators, number))
      continue;
    if (number == *llvm::max_element(*joined.accumulators)) {
      accumulators.push_back(graph.addAccumulate(
          loop, AccumulateKind::Sum, buildJoined(joined), sizes[launch].loop));
      accumulated.push_back(joined.sum);
    }
    return true;
  }
  return false;
}

MuValue Builder::buildOperator(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForms()[op.form];
  const LaunchGraph::Value &value = candidate.launches[launch].values[number];
  unsigned region = value.isInLoop ? loop : body;
  OpAttributes attributes = form.attributes;
  llvm::SmallVector<MuValue, 2> operands = {values[op.first]};
  ElementType type = computeType;
  switch (form.form) {
  case Form::Matmul: {
    operands.push_back(values[op.second]);
    ElementType product = problem.getProductType();
    for (MuValue &operand : operands)
      operand = cast(operand, product, region);
    attributes.tf32 = false;
    break;
  }
  case Form::Transpose:
    type = graph.getValue(operands[0]).type;
    break;
  case Form::Reshape:
    type = graph.getValue(operands[0]).type;
    attributes.resultShape = getShape(value.dims);
    break;
  default:
    if (form.form == Form::Binary || form.form == Form::SubtractShift)
      operands.push_back(values[op.second]);
    for (MuValue &operand : operands)
      operand = cast(operand, computeType, region);
    if (form.form == Form::Composite)
      attributes.dim = op.dim;
    if (form.form == Form::ReduceSum || form.form == Form::ReduceMax) {
      attributes.dim = op.dim;
      attributes.reduceKind =
          form.form == Form::ReduceMax ? ReduceKind::Max : ReduceKind::Sum;
    }
    if (form.constant) {
      OpAttributes constant;
      constant.resultShape.assign(value.dims.size(), 1);
      constant.values =
          std::make_shared<const std::vector<double>>(1, *form.constant);
      MuValue splat = graph.addOperator(region, OpKind::Constant, constant, {},
                                        computeType);
      operands.insert(form.constantFirst ? operands.begin() : operands.end(),
                      splat);
    }
  }
  return graph.addOperator(region, form.kind, attributes, operands, type);
}

MuValue Builder::store(uint8_t number, std::optional<ElementType> type,
                       Dims &dims) {
  const LaunchGraph &own = candidate.launches[launch];
  MuValue value = values[number];
  value = cast(value, type.value_or(computeType), body);
  ArrayRef<DimId> tile = own.values[number].dims;
  // Which dimension each grid dimension selects; splits come first.
  llvm::SmallVector<int64_t, 3> omap;
  unsigned splits = 0;
  for (uint8_t axis : own.gridAxes) {
    int64_t entry = kMissing;
    for (auto [dim, id] : llvm::enumerate(tile))
      if ((problem.getRemoved(id) & kGrid) &&
          problem.getParts(id).front().axis == axis)
        entry = static_cast<int64_t>(dim);
    if (entry == kMissing) {
      dims.push_back(problem.getWholeAxis(problem.getSplitAxis(axis)));
      ++splits;
    }
    omap.push_back(entry);
  }
  unsigned next = 0;
  for (int64_t &entry : omap)
    entry = entry == kMissing ? next++ : entry + splits;
  // A grid of one block.
  if (omap.empty())
    omap.push_back(kReplica);
  if (splits) {
    OpAttributes attributes;
    attributes.resultShape.assign(splits, 1);
    attributes.resultShape.append(Shape(graph.getShape(value)));
    value = graph.addOperator(body, OpKind::Reshape, attributes, {value},
                              graph.getValue(value).type);
  }
  for (DimId id : tile)
    dims.push_back(*problem.withRemoved(id, 0));
  return graph.addStore(body, value, omap, sizes[launch].grid);
}

void Builder::buildLaunch(unsigned number) {
  launch = number;
  const LaunchGraph &own = candidate.launches[number];
  values.assign(own.values.size(), 0);
  arguments.clear();
  casts.clear();
  accumulators.clear();
  accumulated.clear();
  joinedSums.clear();
  if (candidate.joinsProducts)
    joinedSums = findJoinedSums(problem, own);
  body = graph.addRegion();
  loop = own.loopAxis ? graph.addRegion() : body;
  llvm::SmallVector<MuValue> operands;
  for (const LoadChoice &load : own.loads)
    if (!arguments.count(load.tensor)) {
      MuValue tensor = tensors[load.tensor].value;
      arguments[load.tensor] = graph.addArgument(
          body, Shape(graph.getShape(tensor)), graph.getValue(tensor).type);
      operands.push_back(tensor);
    }
  for (auto [position, load] : llvm::enumerate(own.loads))
    values[position] =
        buildLoad(load, own.values[position].isInLoop ? loop : body);
  // Before and in the loop, then behind it.
  for (bool behind : {false, true}) {
    if (behind && own.loopAxis) {
      graph.setResults(loop, accumulators);
      llvm::SmallVector<MuValue> results =
          graph.addLoop(body, sizes[number].loop, loop);
      for (auto [position, result] : llvm::zip(accumulated, results))
        values[position] = result;
    }
    for (auto [position, op] : llvm::enumerate(own.operators)) {
      unsigned value = own.loads.size() + position;
      Form form = problem.getForms()[op.form].form;
      bool accumulates = form == Form::Accumulate ||
                         form == Form::AccumulateMax ||
                         form == Form::AccumulateConcat;
      if (accumulates ? !behind : own.values[value].isAfterLoop == behind) {
        if (buildIfJoined(value))
          continue;
        if (accumulates)
          buildAccumulator(op, value);
        else
          values[value] = buildOperator(op, value);
      }
    }
  }
  bool isLast = number + 1 == candidate.launches.size() && !candidate.isPartial;
  llvm::SmallVector<MuValue> stored;
  std::vector<Dims> dims;
  for (auto [position, output] : llvm::enumerate(own.outputs)) {
    std::optional<ElementType> type;
    if (isLast)
      type = problem.getResults()[position].type;
    stored.push_back(store(output, type, dims.emplace_back()));
  }
  graph.setResults(body, stored);
  for (auto [result, tensorDims] :
       llvm::zip(graph.addGraph(0, operands, sizes[number].grid, body), dims))
    tensors.push_back({result, tensorDims});
}

MuGraph mirage::search::instantiate(const SearchProblem &problem,
                                    const Candidate &candidate,
                                    ArrayRef<LaunchSizes> sizes) {
  return Builder(problem, candidate, sizes).run();
}
