//===- Instantiate.cpp - Candidates with numbers --------------------------===//
//
// Builds the launches one after another, each from its loads to its stores.
//
//===----------------------------------------------------------------------===//

#include "Mirage/Search/Launches/Instantiate.h"
#include "Mirage/MuGraph/FiniteShift.h"
#include "Mirage/Search/Launches/JoinedProducts.h"
#include "Mirage/Search/Launches/TileLayouts.h"
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

/// Whether a grid axis divides the tile.
static bool isDivided(const SearchProblem &problem, ArrayRef<DimId> tile,
                      uint8_t axis) {
  return llvm::any_of(tile, [&](DimId id) {
    const AxisPart &part = problem.getParts(id).front();
    return part.axis == axis && (part.removed & kGrid);
  });
}

Dims mirage::search::getStoredDims(const SearchProblem &problem,
                                   const LaunchGraph &launch, uint8_t value) {
  ArrayRef<DimId> tile = launch.values[value].dims;
  Dims dims;
  for (DimId id : tile)
    dims.push_back(*problem.withRemoved(id, 0));
  for (uint8_t axis : launch.gridAxes)
    if (!isDivided(problem, tile, axis))
      dims.push_back(problem.getWholeAxis(problem.getSplitAxis(axis)));
  llvm::sort(dims);
  return dims;
}

/// The layout of a tensor between launches: splits come first, and other axes
/// as the program has them.
static TensorLayout getStoredLayout(const SearchProblem &problem,
                                    ArrayRef<DimId> dims) {
  AxisList splits, order;
  for (DimId dim : dims) {
    uint8_t axis = problem.getParts(dim).front().axis;
    if (problem.isSplitAxis(axis)) {
      splits.push_back(axis);
      continue;
    }
    auto *at = llvm::find_if(order, [&](uint8_t other) {
      return problem.isBefore(axis, other) && !problem.isBefore(other, axis);
    });
    order.insert(at, axis);
  }
  splits.append(order);
  // A tensor has at least one dimension.
  return splits.empty() ? TensorLayout(1) : getFlatLayout(splits);
}

namespace {

/// A tensor in device memory.
struct DeviceTensor {
  MuValue value;
  TensorLayout layout;
};

class Builder {
public:
  Builder(const SearchProblem &problem, const Candidate &candidate,
          ArrayRef<LaunchSizes> sizes)
      : problem(problem), candidate(candidate), sizes(sizes),
        computeType(getComputeType(problem)), layouts(graph) {
    for (const TensorInfo &input : problem.getInputs())
      addArgument(input.layout, input.type);
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
        addArgument(
            getStoredLayout(problem, getStoredDims(problem, before, output)),
            computeType);
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
  void addArgument(const TensorLayout &layout, ElementType type) {
    tensors.push_back({graph.addArgument(0, getShape(layout), type), layout});
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
  /// Returns whether a tile has only some of the elements of axes. The elements
  /// of a split are parts themselves.
  bool isPartial(const Dims &dims, ArrayRef<uint8_t> axes) const {
    return llvm::any_of(dims, [&](DimId dim) {
      const AxisPart &part = problem.getParts(dim).front();
      return llvm::is_contained(axes, part.axis) &&
             !problem.isSplitAxis(part.axis) &&
             getPartSize(part) < problem.getAxisSize(part.axis);
    });
  }
  int64_t getLoopExtent(uint8_t axis) const {
    llvm::SmallVector<uint8_t, 2> axes =
        candidate.launches[launch].getLoopAxes();
    return sizes[launch].loops[llvm::find(axes, axis) - axes.begin()];
  }
  /// The shape of a tensor in device memory.
  Shape getShape(const TensorLayout &layout) const {
    Shape shape;
    for (ArrayRef<uint8_t> dim : layout) {
      int64_t size = 1;
      for (uint8_t axis : dim)
        size *= getAxisSize(problem, candidate, sizes, axis);
      shape.push_back(size);
    }
    return shape;
  }
  /// The elements of a tile along an axis.
  int64_t getTileSize(const Dims &dims, uint8_t axis) const {
    for (DimId dim : dims)
      if (problem.getParts(dim).front().axis == axis)
        return getPartSize(problem.getParts(dim).front());
    llvm_unreachable("the tile has the axis");
  }
  MuValue arrange(MuValue value, const TensorLayout &layout) {
    return layouts.arrange(value, layout, [&](const Dims &dims, uint8_t axis) {
      return getTileSize(dims, axis);
    });
  }
  AxisList getAxes(const Dims &dims) const {
    AxisList axes;
    for (DimId dim : dims)
      axes.push_back(problem.getParts(dim).front().axis);
    return axes;
  }
  /// The layout of a tensor in device memory if the launch cuts these axes:
  /// only the outermost axis of a dimension can be cut.
  TensorLayout getCutLayout(const TensorLayout &layout,
                            ArrayRef<uint8_t> cut) const {
    bool canBeCut = llvm::all_of(cut, [&](uint8_t axis) {
      return findOutermost(layout, axis).has_value();
    });
    return canBeCut ? layout : getFlatLayout(flatten(layout));
  }
  MuValue reshapeTensor(MuValue tensor, const TensorLayout &layout) {
    Shape shape = getShape(layout);
    if (ShapeRef(graph.getShape(tensor)) == ShapeRef(shape))
      return tensor;
    OpAttributes attributes;
    attributes.resultShape = shape;
    return graph.addOperator(0, OpKind::Reshape, attributes, {tensor},
                             graph.getValue(tensor).type);
  }

  void buildLaunch(unsigned number);
  void buildRegion(RegionId region);
  void buildStep(Phase phase);
  void buildLoop(unsigned number);
  MuValue buildLoad(const LoadChoice &load);
  MuValue buildConstant(double number, size_t rank, unsigned region);
  MuValue buildElementwise(const BlockOperator &op, unsigned number);
  MuValue buildProduct(const BlockOperator &op, unsigned number);
  MuValue buildReduction(const BlockOperator &op, unsigned number);
  MuValue buildComposite(const BlockOperator &op, unsigned number);
  MuValue buildPart(const BlockOperator &op, unsigned number);
  MuValue buildOperator(const BlockOperator &op, unsigned number);
  MuValue buildAccumulator(const BlockOperator &op, unsigned number);
  TensorLayout getAccumulatedLayout(unsigned number) const;
  MuValue buildJoined(const JoinedSum &joined);
  const JoinedSum *findReplacing(unsigned number) const;
  MuValue cast(MuValue value, ElementType type, unsigned region);
  void addTensors(const LaunchGraph &own);
  MuValue store(uint8_t number, const TensorLayout &layout, ElementType type);

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
  /// The tensors that the launch loads, inside of it.
  std::map<uint8_t, DeviceTensor> arguments;
  TileLayouts layouts;
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
    layouts.setLike(entry->second, value, region);
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
  const DeviceTensor &tensor = arguments.at(load.tensor);
  for (DimId id : load.dims) {
    const AxisPart &part = problem.getParts(id).front();
    if (!part.removed)
      continue;
    int64_t dim = *findOutermost(tensor.layout, part.axis);
    if (part.removed & kGrid)
      imap[llvm::find(own.gridAxes, part.axis) - own.gridAxes.begin()] = dim;
    if (part.removed & kLoop)
      fmap[llvm::find(axes, part.axis) - axes.begin()] = dim;
  }
  MuValue tile = graph.addLoad(regions[load.region], tensor.value, imap,
                               sizes[launch].grid, fmap, loops);
  layouts.set(tile, tensor.layout, load.dims, regions[load.region]);
  return tile;
}

/// The layout of an accumulator's operand. Only the outermost axis of a
/// dimension can be concatenated.
TensorLayout Builder::getAccumulatedLayout(unsigned number) const {
  const LaunchGraph &own = candidate.launches[launch];
  const BlockOperator &op = own.operators[number - own.loads.size()];
  const TensorLayout &layout = layouts.get(values[op.first]);
  uint8_t axis = own.loops[own.values[op.first].phase.region - 1].axis;
  if (problem.getForm(op.form).kind != Kind::AccumulateConcat ||
      findOutermost(layout, axis))
    return layout;
  return getFlatLayout(flatten(layout));
}

MuValue Builder::buildAccumulator(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForm(op.form);
  const LaunchGraph &own = candidate.launches[launch];
  RegionId region = own.values[op.first].phase.region;
  uint8_t axis = own.loops[region - 1].axis;
  TensorLayout layout = getAccumulatedLayout(number);
  MuValue operand = arrange(values[op.first], layout);
  AccumulateKind kind = AccumulateKind::Sum;
  std::optional<MuValue> shift;
  unsigned dim = 0;
  if (form.kind == Kind::AccumulatePlainMax) {
    kind = AccumulateKind::Max;
    operand = cast(operand, computeType, regions[region]);
  } else if (form.kind == Kind::AccumulateMax) {
    kind = AccumulateKind::Max;
  } else if (form.kind == Kind::AccumulateConcat) {
    kind = AccumulateKind::Concat;
    dim = *findOutermost(layout, axis);
  } else {
    operand = cast(operand, computeType, regions[region]);
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
  MuValue result = graph.addAccumulate(regions[region], kind, operand,
                                       getLoopExtent(axis), shift, dim);
  layouts.set(result, layout, own.values[number].dims, regions[region]);
  return result;
}

MuValue Builder::buildJoined(const JoinedSum &joined) {
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = regions[own.values[joined.products[0]].phase.region];
  llvm::SmallVector<MuValue, 4> left, right;
  TensorLayout layout;
  for (unsigned number : joined.products) {
    const BlockOperator &op = own.operators[number - own.loads.size()];
    ProductAxes product = getProductAxes(problem, own, op);
    TensorLayout lhs = getFlatLayout(product.batch), rhs = lhs, out = lhs;
    auto add = [](TensorLayout &to, const AxisList &axes) {
      to.emplace_back(axes.begin(), axes.end());
    };
    add(lhs, product.rows);
    add(lhs, product.summed);
    add(rhs, product.summed);
    add(rhs, product.columns);
    add(out, product.rows);
    add(out, product.columns);
    layout = out;
    bool isSwapped = product.isSwapped;
    for (bool isRight : {false, true})
      (isRight ? right : left)
          .push_back(
              cast(arrange(values[isRight != isSwapped ? op.second : op.first],
                           isRight ? rhs : lhs),
                   problem.getProductType(), region));
  }
  left.append(right);
  MuValue result =
      graph.addOperator(region, OpKind::ConcatMatmul, {}, left, computeType);
  layouts.set(result, layout, own.values[joined.sum].dims, region);
  return result;
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

MuValue Builder::buildElementwise(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForm(op.form);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = regions[own.values[number].phase.region];
  llvm::SmallVector<uint8_t, 3> numbers = op.getOperands(form.getNumOperands());
  auto known = llvm::map_to_vector<3>(
      numbers, [&](uint8_t operand) { return layouts.get(values[operand]); });
  TensorLayout layout =
      combineLayouts(problem, known, getAxes(own.values[number].dims));
  llvm::SmallVector<MuValue, 3> operands;
  for (uint8_t operand : numbers) {
    TensorLayout wanted = *restrict(layout, getAxes(own.values[operand].dims));
    operands.push_back(
        cast(arrange(values[operand], wanted), computeType, region));
  }
  for (auto [position, constant] : form.constants)
    operands.insert(operands.begin() + position,
                    buildConstant(constant, layout.size(), region));
  MuValue result = graph.addOperator(region, form.op, form.attributes, operands,
                                     computeType);
  layouts.set(result, layout, own.values[number].dims, region);
  return result;
}

MuValue Builder::buildProduct(const BlockOperator &op, unsigned number) {
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = regions[own.values[number].phase.region];
  ProductAxes product = getProductAxes(problem, own, op);
  uint8_t left = product.isSwapped ? op.second : op.first,
          right = product.isSwapped ? op.first : op.second;
  OpAttributes attributes = problem.getForm(op.form).attributes;
  attributes.tf32 = false;
  // Axes of one dimension stand as some operand has them.
  auto sort = [&](AxisList &axes, uint8_t value) {
    AxisList order = flatten(layouts.get(values[value]));
    llvm::sort(axes, [&](uint8_t a, uint8_t b) {
      return llvm::find(order, a) < llvm::find(order, b);
    });
  };
  sort(product.batch, left);
  sort(product.rows, left);
  sort(product.columns, right);
  sort(product.summed, right);
  // An operand is transposed by the product if its axes stand like that.
  auto build = [&](uint8_t value, const AxisList &kept, bool sumsLast,
                   bool &isTransposed) {
    AxisList order = product.batch;
    llvm::append_range(order, sumsLast ? product.summed : kept);
    llvm::append_range(order, sumsLast ? kept : product.summed);
    isTransposed = !product.summed.empty() && !kept.empty() &&
                   flatten(layouts.get(values[value])) == order;
    TensorLayout layout = getFlatLayout(product.batch);
    bool sumsFirst = sumsLast == isTransposed;
    for (const AxisList &axes :
         {sumsFirst ? product.summed : kept, sumsFirst ? kept : product.summed})
      layout.emplace_back(axes.begin(), axes.end());
    return cast(arrange(values[value], layout), problem.getProductType(),
                region);
  };
  MuValue lhs =
      build(left, product.rows, /*sumsLast=*/true, attributes.transposeLhs);
  MuValue rhs = build(right, product.columns, /*sumsLast=*/false,
                      attributes.transposeRhs);
  MuValue result = graph.addOperator(region, OpKind::Matmul, attributes,
                                     {lhs, rhs}, computeType);
  TensorLayout layout = getFlatLayout(product.batch);
  layout.emplace_back(product.rows.begin(), product.rows.end());
  layout.emplace_back(product.columns.begin(), product.columns.end());
  layouts.set(result, layout, own.values[number].dims, region);
  return result;
}

MuValue Builder::buildReduction(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForm(op.form);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = regions[own.values[number].phase.region];
  ArrayRef<uint8_t> reduced = problem.getReducedAxes()[op.reduced];
  TensorLayout layout = layouts.get(values[op.first]);
  auto isReduced = [&](uint8_t axis) {
    return llvm::is_contained(reduced, axis);
  };
  // Dimensions are reduced one by one.
  bool areWhole = llvm::all_of(layout, [&](const auto &dim) {
    return llvm::all_of(dim, isReduced) || llvm::none_of(dim, isReduced);
  });
  if (!areWhole)
    layout = getFlatLayout(flatten(layout));
  MuValue result = cast(arrange(values[op.first], layout), computeType, region);
  OpAttributes attributes = form.attributes;
  attributes.keep = true;
  attributes.reduceKind =
      form.kind == Kind::ReduceSum ? ReduceKind::Sum : ReduceKind::Max;
  for (auto [dim, axes] : llvm::enumerate(layout)) {
    if (axes.empty() || !isReduced(axes.front()))
      continue;
    attributes.dim = static_cast<int64_t>(dim);
    result =
        graph.addOperator(region, form.op, attributes, {result}, computeType);
    axes.clear();
  }
  if (form.kind == Kind::ReduceMax &&
      isPartial(own.values[op.first].dims, reduced))
    result = addFiniteShift(graph, region, result);
  layouts.set(result, layout, own.values[number].dims, region);
  return result;
}

MuValue Builder::buildComposite(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForm(op.form);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = regions[own.values[number].phase.region];
  llvm::SmallVector<uint8_t, 1> along;
  for (const AxisPart &part : problem.getParts(form.along))
    along.push_back(part.axis);
  TensorLayout layout = layouts.get(values[op.first]);
  bool isLast = form.op == OpKind::RmsNorm || form.op == OpKind::LayerNorm;
  auto at = llvm::find(layout, along);
  if (at == layout.end() || (isLast && at + 1 != layout.end())) {
    AxisList others = flatten(layout);
    llvm::erase_if(
        others, [&](uint8_t axis) { return llvm::is_contained(along, axis); });
    layout = getFlatLayout(others);
    layout.push_back(along);
    at = layout.end() - 1;
  }
  OpAttributes attributes = form.attributes;
  attributes.dim = at - layout.begin();
  MuValue operand =
      cast(arrange(values[op.first], layout), computeType, region);
  MuValue result =
      graph.addOperator(region, form.op, attributes, {operand}, computeType);
  layouts.set(result, layout, own.values[number].dims, region);
  return result;
}

MuValue Builder::buildPart(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForm(op.form);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = regions[own.values[number].phase.region];
  llvm::SmallVector<uint8_t, 1> axis = {
      problem.getParts(form.along).front().axis};
  TensorLayout layout = layouts.get(values[op.first]);
  if (!llvm::is_contained(layout, axis))
    layout = getFlatLayout(flatten(layout));
  MuValue operand = arrange(values[op.first], layout);
  auto *at = llvm::find(layout, axis);
  OpAttributes attributes;
  ShapeRef shape = graph.getShape(operand);
  attributes.offsets.assign(shape.size(), 0);
  attributes.strides.assign(shape.size(), 1);
  attributes.sizes.assign(shape.begin(), shape.end());
  attributes.offsets[at - layout.begin()] = form.place;
  attributes.sizes[at - layout.begin()] = 1;
  MuValue result = graph.addOperator(region, OpKind::Slice, attributes,
                                     {operand}, graph.getValue(operand).type);
  at->clear();
  layouts.set(result, layout, own.values[number].dims, region);
  return result;
}

MuValue Builder::buildOperator(const BlockOperator &op, unsigned number) {
  switch (problem.getForm(op.form).kind) {
  case Kind::Matmul:
    return buildProduct(op, number);
  case Kind::Composite:
    return buildComposite(op, number);
  case Kind::Part:
    return buildPart(op, number);
  case Kind::ReduceSum:
  case Kind::ReduceMax:
  case Kind::ReducePlainMax:
    return buildReduction(op, number);
  default:
    return buildElementwise(op, number);
  }
}

/// Stores a value in a tensor of this layout.
MuValue Builder::store(uint8_t number, const TensorLayout &layout,
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
    omap.push_back(*findOutermost(layout, stored));
  }
  // A launch without grid axes has a grid of one block.
  if (omap.empty())
    omap.push_back(kReplica);
  // The tile has one element along splits.
  TensorLayout tileLayout = layout;
  for (auto &dim : tileLayout)
    llvm::erase_if(
        dim, [&](uint8_t axis) { return llvm::is_contained(splits, axis); });
  MuValue value = cast(arrange(values[number], tileLayout), type, body);
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
      MuValue product = buildJoined(*joined);
      accumulators.push_back(graph.addAccumulate(regions[body],
                                                 AccumulateKind::Sum, product,
                                                 getLoopExtent(loop.axis)));
      layouts.setLike(accumulators.back(), product, regions[body]);
      continue;
    }
    accumulated.push_back(value);
    accumulators.push_back(buildAccumulator(op, value));
  }
  graph.setResults(regions[body], accumulators);
  for (auto [value, result, accumulator] :
       llvm::zip(accumulated,
                 graph.addLoop(regions[loop.parent], getLoopExtent(loop.axis),
                               regions[body]),
                 accumulators)) {
    values[value] = result;
    layouts.set(result, layouts.get(accumulator), own.values[value].dims,
                regions[loop.parent]);
  }
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
  for (const LoadChoice &load : own.loads) {
    if (arguments.count(load.tensor))
      continue;
    AxisList cut;
    for (const LoadChoice &other : own.loads)
      for (DimId dim : other.dims)
        if (other.tensor == load.tensor && problem.getRemoved(dim))
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
  bool isLast = number + 1 == candidate.launches.size() && !candidate.isPartial;
  llvm::SmallVector<MuValue> stored;
  llvm::SmallVector<DeviceTensor> outputs;
  for (auto [position, output] : llvm::enumerate(own.outputs)) {
    TensorLayout layout = getStoredLayout(problem,
                                          getStoredDims(problem, own, output)),
                 cut = layout;
    ElementType type = computeType;
    if (isLast) {
      type = problem.getResults()[position].type;
      layout = problem.getResults()[position].layout;
      cut = getCutLayout(layout, own.gridAxes);
    }
    stored.push_back(store(output, cut, type));
    outputs.push_back({stored.back(), layout});
  }
  graph.setResults(body, stored);
  for (auto [result, output] : llvm::zip(
           graph.addGraph(0, operands, sizes[number].grid, body), outputs))
    tensors.push_back({reshapeTensor(result, output.layout), output.layout});
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
