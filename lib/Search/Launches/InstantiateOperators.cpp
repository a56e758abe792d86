//===- InstantiateOperators.cpp - The operators of a launch ---------------===//
//
// Builds an operator of a launch from the values of its operands: it arranges
// the operands as the operator needs them, and says how the result stands.
//
//===----------------------------------------------------------------------===//

#include "LaunchBuilder.h"
#include "Mirage/MuGraph/FiniteShift.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mirage;
using namespace mirage::search;
using llvm::ArrayRef;
using Kind = OperatorForm::Kind;

MuValue LaunchBuilder::buildJoined(const JoinedSum &joined) {
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = getRegion(own.values[joined.products[0]].phase.region);
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
              cast(arrangeNumber(isRight != isSwapped ? op.second : op.first,
                                 isRight ? rhs : lhs),
                   problem.getProductType()));
  }
  left.append(right);
  MuValue result =
      graph.addOperator(region, OpKind::ConcatMatmul, {}, left, computeType);
  layouts.set(result, layout, own.values[joined.sum].dims, region);
  return result;
}

/// Removes some axes from others.
static AxisList without(AxisList axes, ArrayRef<uint8_t> removed) {
  llvm::erase_if(
      axes, [&](uint8_t axis) { return llvm::is_contained(removed, axis); });
  return axes;
}

/// Returns the axes of a launch's products that are of batches alone.
static AxisList getBatchAxes(const SearchProblem &problem,
                             const LaunchGraph &launch) {
  AxisList batch, others;
  for (const BlockOperator &op : launch.operators) {
    if (problem.getForm(op.formId).kind != Kind::Matmul)
      continue;
    ProductAxes product = getProductAxes(problem, launch, op);
    batch.append(product.batch);
    others.append(product.rows);
    others.append(product.columns);
    others.append(product.summed);
  }
  return without(batch, others);
}

/// An operand that is the same number everywhere, of the rank of the result.
MuValue LaunchBuilder::buildConstant(double number, size_t rank,
                                     unsigned region) {
  OpAttributes attributes;
  attributes.resultShape.assign(rank, 1);
  attributes.values = std::make_shared<const std::vector<double>>(1, number);
  return graph.addOperator(region, OpKind::Constant, attributes, {},
                           computeType);
}

/// Returns whether an operator computes each element of its result of one
/// element of each operand.
static bool keepsPlaces(const SearchProblem &problem, const BlockOperator &op) {
  const OperatorForm &form = problem.getForm(op.formId);
  switch (form.kind) {
  case Kind::Matmul:
  case Kind::Composite:
  case Kind::Part:
  case Kind::ReduceSum:
  case Kind::ReduceMax:
  case Kind::ReducePlainMax:
    return false;
  default:
    return !form.isAccumulator();
  }
}

void LaunchBuilder::findMadeOfLoads() {
  const LaunchGraph &own = candidate.launches[launch];
  isMadeOfLoads.assign(own.loads.size(), true);
  for (const BlockOperator &op : own.operators)
    isMadeOfLoads.push_back(
        keepsPlaces(problem, op) &&
        llvm::all_of(
            op.getOperands(problem.getForm(op.formId).getNumOperands()),
            [&](uint8_t operand) { return isMadeOfLoads[operand]; }));
}

/// Brings to the front the operand whose layout an elementwise operator takes:
/// what was computed, if loads differ from it in where batches of products
/// stand, or may have any order. Loads are mostly of one place of a batch, and
/// then only reshaped.
llvm::SmallVector<uint8_t, 3>
LaunchBuilder::sortByLayout(llvm::SmallVector<uint8_t, 3> operands) const {
  const LaunchGraph &own = candidate.launches[launch];
  auto *computed = llvm::find_if(operands, [&](uint8_t operand) {
    return candidate.transposesLoads ? !isMadeOfLoads[operand]
                                     : operand >= own.loads.size();
  });
  if (computed == operands.begin() || computed == operands.end())
    return operands;
  AxisList batch = getBatchAxes(problem, own);
  auto getFlat = [&](uint8_t operand) {
    return flatten(layouts.get(values[operand]));
  };
  AxisList axes = getFlat(*computed);
  bool takesComputed =
      candidate.transposesLoads || llvm::all_of(operands, [&](uint8_t operand) {
        AxisList others = getFlat(operand);
        return others.size() != axes.size() ||
               without(others, batch) == without(axes, batch);
      });
  if (takesComputed)
    std::rotate(operands.begin(), computed, computed + 1);
  return operands;
}

TensorLayout LaunchBuilder::chooseElementwiseLayout(const BlockOperator &op,
                                                    unsigned number) const {
  unsigned count = problem.getForm(op.formId).getNumOperands();
  auto known = llvm::map_to_vector<3>(
      sortByLayout(op.getOperands(count)),
      [&](uint8_t operand) { return layouts.get(values[operand]); });
  const LaunchGraph &own = candidate.launches[launch];
  return combineLayouts(problem, known, getAxes(own.values[number].dims));
}

MuValue LaunchBuilder::buildElementwise(const BlockOperator &op,
                                        unsigned number,
                                        const TensorLayout &layout) {
  const OperatorForm &form = problem.getForm(op.formId);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = getRegion(own.values[number].phase.region);
  llvm::SmallVector<MuValue, 3> operands;
  for (uint8_t operand : op.getOperands(form.getNumOperands())) {
    TensorLayout wanted = *restrict(layout, getAxes(own.values[operand].dims));
    operands.push_back(cast(arrangeNumber(operand, wanted), computeType));
  }
  for (auto [position, constant] : form.constants)
    operands.insert(operands.begin() + position,
                    buildConstant(constant, layout.size(), region));
  MuValue result = graph.addOperator(region, form.op, form.attributes, operands,
                                     computeType);
  layouts.set(result, layout, own.values[number].dims, region);
  return result;
}

MuValue LaunchBuilder::arrangeNumber(uint8_t number,
                                     const TensorLayout &layout) {
  const LaunchGraph &own = candidate.launches[launch];
  MuValue value = values[number];
  auto getOrder = [&](const TensorLayout &of) {
    AxisList axes = flatten(of);
    llvm::erase_if(axes, [&](uint8_t axis) {
      return getTileSize(own.values[number].dims, axis) == 1;
    });
    return axes;
  };
  if (!candidate.transposesLoads || number < own.loads.size() ||
      !isMadeOfLoads[number] ||
      getOrder(layouts.get(value)) == getOrder(layout))
    return arrange(value, layout);
  auto [entry, isNew] = reordered.try_emplace({number, layout}, value);
  if (!isNew)
    return entry->second;
  wasReordered = true;
  const BlockOperator &op = own.operators[number - own.loads.size()];
  bool fits = llvm::all_of(
      op.getOperands(problem.getForm(op.formId).getNumOperands()),
      [&](uint8_t operand) {
        return restrict(layout, getAxes(own.values[operand].dims)).has_value();
      });
  MuValue result = buildElementwise(
      op, number, fits ? layout : getFlatLayout(flatten(layout)));
  return entry->second = arrange(result, layout);
}

MuValue LaunchBuilder::buildProduct(const BlockOperator &op, unsigned number) {
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = getRegion(own.values[number].phase.region);
  ProductAxes product = getProductAxes(problem, own, op);
  uint8_t left = product.isSwapped ? op.second : op.first,
          right = product.isSwapped ? op.first : op.second;
  OpAttributes attributes = problem.getForm(op.formId).attributes;
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
  // An operand is transposed by the product if its axes stand like that,
  // wherever those of the batch do.
  auto build = [&](uint8_t value, const AxisList &kept, bool sumsLast,
                   bool &isTransposed) {
    AxisList order = sumsLast ? product.summed : kept;
    llvm::append_range(order, sumsLast ? kept : product.summed);
    isTransposed =
        !product.summed.empty() && !kept.empty() &&
        without(flatten(layouts.get(values[value])), product.batch) == order;
    TensorLayout layout = getFlatLayout(product.batch);
    bool sumsFirst = sumsLast == isTransposed;
    for (const AxisList &axes :
         {sumsFirst ? product.summed : kept, sumsFirst ? kept : product.summed})
      layout.emplace_back(axes.begin(), axes.end());
    return cast(arrangeNumber(value, layout), problem.getProductType());
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

MuValue LaunchBuilder::buildReduction(const BlockOperator &op,
                                      unsigned number) {
  const OperatorForm &form = problem.getForm(op.formId);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = getRegion(own.values[number].phase.region);
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
  MuValue result = cast(arrangeNumber(op.first, layout), computeType);
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

MuValue LaunchBuilder::buildComposite(const BlockOperator &op,
                                      unsigned number) {
  const OperatorForm &form = problem.getForm(op.formId);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = getRegion(own.values[number].phase.region);
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
  MuValue operand = cast(arrangeNumber(op.first, layout), computeType);
  MuValue result =
      graph.addOperator(region, form.op, attributes, {operand}, computeType);
  layouts.set(result, layout, own.values[number].dims, region);
  return result;
}

MuValue LaunchBuilder::buildPart(const BlockOperator &op, unsigned number) {
  const OperatorForm &form = problem.getForm(op.formId);
  const LaunchGraph &own = candidate.launches[launch];
  unsigned region = getRegion(own.values[number].phase.region);
  llvm::SmallVector<uint8_t, 1> axis = {
      problem.getParts(form.along).front().axis};
  TensorLayout layout = layouts.get(values[op.first]);
  if (!llvm::is_contained(layout, axis))
    layout = getFlatLayout(flatten(layout));
  MuValue operand = arrangeNumber(op.first, layout);
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

MuValue LaunchBuilder::buildOperator(const BlockOperator &op, unsigned number) {
  switch (problem.getForm(op.formId).kind) {
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
    return buildElementwise(op, number, chooseElementwiseLayout(op, number));
  }
}
